"""The gazette says nothing of its own: every number and name in it is in the entry it cites."""

import json
import re
import zipfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from campaign.rules.world.events import Event, event_from_json
from campaign.rules.world.world import Theatre
from campaign.selectors.press.journal import mark_of
from campaign.text.event_sentences import narrate
from campaign.text.gazette import (
    DAYS_A_WEEK,
    OPENINGS,
    PRINTED,
    WEATHERS,
    Gazette,
    GazetteItem,
    Sentence,
    compose_gazette,
    compose_sentence,
    format_masthead,
)
from campaign.text.place_names import CampaignNames, names_of
from tests.golden.fog_cases import CASES

ARCHIVE = Path(__file__).parents[2] / "golden/archives/schema-2-rules-3.zip"
NAMES = CampaignNames(
    places={"hubbardton": "Hubbardton"},
    formations={"corps": "Advanced Corps"},
    sides={"crown": "Crown", "rebel": "United States"},
)
MANNERS_OF_ALL = [
    *(manner for printed in PRINTED.values() for manner in printed.manners),
    *(manner for manners in WEATHERS.values() for manner in manners),
]
HEADS = [printed.head for printed in PRINTED.values() if printed.head]


@pytest.fixture(scope="module")
def theatre() -> Theatre:
    return CASES["march"].world.theatre


def words(text: str) -> set[str]:
    """Numbers, and words that may be names."""
    return set(re.findall(r"\d+|\b[A-Z][\w'\u2019-]*", text))


#: Words the paper itself brings: none of them a number.
OWN = set().union(*(words(each.replace("{", " {")) for each in (*MANNERS_OF_ALL, *OPENINGS, *HEADS)))


def item(event: Event, day: int = 0) -> GazetteItem:
    return GazetteItem(day, mark_of(day, event), event)


def sentences(paper: Gazette) -> Iterator[Sentence]:
    yield from (each for each in (paper.head, paper.lead) if each)
    for article in paper.articles:
        for paragraph in article.paragraphs:
            yield from paragraph.sentences


def invents_nothing(paper: Gazette, items: list[GazetteItem], names: CampaignNames) -> int:
    """Check a paper against its entries; how many sentences it has."""
    by_address = {(each.day + 1, each.mark): each.event for each in items}
    count = 0
    for told in sentences(paper):
        count += 1
        event = by_address[told.day, told.mark]
        # A sentence's first word has a capital whatever it is.
        said = words(f"{narrate(event, names)} {names.formation(event.formation)} {names.place(event.place)}")
        first = re.match(r"\W*([A-Z]\w*)", told.text)
        own = OWN | ({first.group(1)} if first else set())
        assert words(told.text) - own <= {*said, *(word.lower() for word in said)}, (told.text, event)
    for loss in paper.losses:
        event = by_address[loss.day, loss.mark]
        assert (loss.left, loss.name) == (event.after, names.unit(event.unit))
        suffered = [
            each.event
            for each in items
            if each.event.kind in PRINTED
            and PRINTED[each.event.kind].is_loss
            and each.event.unit == event.unit
            and each.day // DAYS_A_WEEK + 1 == paper.week
        ]
        assert loss.points == sum(max(0, (one.before or 0) - (one.after or 0)) for one in suffered)
    assert len({by_address[loss.day, loss.mark].unit for loss in paper.losses}) == len(paper.losses)
    return count


def test_no_manner_of_speaking_has_a_number_of_its_own():
    texts = [re.sub(r"\{\w+\}", "", manner) for manner in (*MANNERS_OF_ALL, *OPENINGS, *HEADS)]
    assert not [text for text in texts if re.search(r"\d", text)]


@pytest.mark.parametrize("name", sorted(CASES))
def test_little_campaigns_are_told_as_they_were_played(name):
    world, played = CASES[name].played()
    names = names_of(world)
    for side in ("crown", "rebel", ""):
        items = [
            item(event, day)
            for day, events in enumerate(played)
            for event in events
            if not side or side in event.sides
        ]
        for week in range(1, len(played) // DAYS_A_WEEK + 2):
            invents_nothing(compose_gazette(world.theatre, side, week, items, names), items, names)


def test_a_campaign_with_something_of_everything_is_told_as_it_was_played(theatre):
    rows = zipfile.ZipFile(ARCHIVE).read("journal.jsonl").decode().splitlines()
    items = [item(event_from_json(row["event"]), row["day"]) for row in map(json.loads, rows)]
    told = 0
    for week in (1, 2):
        told += invents_nothing(compose_gazette(theatre, "crown", week, items, NAMES), items, NAMES)
    assert told > 15


def test_a_sentence_reads_the_same_every_time_and_two_entries_may_read_otherwise():
    events = [
        Event("arrives", minute, "HR-MAR-09", formation="corps", place="hubbardton") for minute in range(40)
    ]
    first = [compose_sentence(item(event), NAMES).text for event in events]
    assert first == [compose_sentence(item(event), NAMES).text for event in events]
    assert set(first) == {
        manner.format(formation="Advanced Corps", place="Hubbardton") for manner in PRINTED["arrives"].manners
    }


def test_the_weightiest_event_heads_the_paper(theatre):
    battle = Event(
        "battle",
        600,
        "HR-CON-10",
        place="hubbardton",
        data={"attacker": "crown", "field_held_by": "rebel", "source": "engine"},
    )
    items = [item(Event("arrives", 500, "HR-MAR-09", formation="corps", place="hubbardton")), item(battle)]
    paper = compose_gazette(theatre, "crown", 1, items, NAMES)
    assert paper.head and paper.head.text == "Battle at Hubbardton"
    assert paper.lead and "the Crown" in paper.lead.text and "the United States" in paper.lead.text
    assert [article.id for article in paper.articles] == ["marches"]


def fought(place: str, day: int, before: int, after: int) -> list[GazetteItem]:
    contact = f"d{day}/{place}/1"
    told = {"attacker": "crown", "field_held_by": "rebel", "source": "engine"}
    lost = Event(
        "battle_loss", 600, "AWI-C-BAT-01", unit="corps", contact=contact, before=before, after=after,
        data={"sp_start": 9, "sp_lost": 1, "sp_captured": 0},
    )  # fmt: skip
    battle = Event("battle", 600, "HR-CON-10", place=place, contact=contact, data=told)
    return [item(battle, day), item(lost, day)]


def test_the_bloodiest_battle_heads_the_paper_and_of_equals_the_latest(theatre):
    names = CampaignNames(places={"first": "First", "second": "Second"}, sides=NAMES.sides)
    great = fought("first", 1, 90, 40)
    paper = compose_gazette(theatre, "crown", 1, [*great, *fought("second", 2, 90, 85)], names)
    assert paper.head and paper.head.text == "Battle at First" and paper.headed is great[0].event
    paper = compose_gazette(theatre, "crown", 1, [*great, *fought("second", 2, 90, 40)], names)
    assert paper.head and paper.head.text == "Battle at Second"


def test_the_public_reads_of_no_enemy_in_a_heading(theatre):
    seen = item(Event("report_received", 5, "HR-FOG-05", place="hubbardton"))
    titles = {
        side: [each.title for each in compose_gazette(theatre, side, 1, [seen], NAMES).articles]
        for side in ("", "crown")
    }
    assert titles == {"": ["Intelligence of the Armies"], "crown": ["Intelligence of the Enemy"]}


@pytest.mark.parametrize("manner", MANNERS_OF_ALL)
def test_verbs_fit_a_name_of_one_and_of_many(manner):
    assert not re.search(r"\{(unit|formation)\}(,[^,]*,)? (is|has|was|had|have|are|were)\b", manner)


def test_a_week_without_news_says_so(theatre):
    fair = Event("weather", 0, "HR-WEA-01", data={"weather": "fair"})
    paper = compose_gazette(theatre, "crown", 3, [item(fair, 15)], NAMES)
    assert paper.empty and paper.first == date.fromordinal(theatre.start.toordinal() + 14)


def test_only_the_latest_of_a_body_is_printed(theatre):
    march = [
        Event("arrives", 100 + at, "HR-MAR-09", formation="corps", place="hubbardton") for at in range(3)
    ]
    items = [item(event, day) for day, event in enumerate(march)]
    items.append(item(Event("place_taken", 5, "HR-MAR-09", place="hubbardton", data={"side": "crown"})))
    paper = compose_gazette(theatre, "crown", 1, items, NAMES)
    assert [told.day for article in paper.articles for p in article.paragraphs for told in p.sentences] == [3]


def test_each_side_has_its_paper_and_others_an_impartial_one(theatre):
    papers = {format_masthead(theatre, side.id) for side in theatre.sides}
    assert len(papers) == len(theatre.sides)
    assert format_masthead(theatre, "") not in papers
    assert format_masthead(theatre, "crown") == "The Crown Gazette"


def test_what_is_printed_is_a_part_of_the_journal():
    assert "umpire_act" not in PRINTED and "dispatch_sent" not in PRINTED


def test_the_fingerprint_of_the_secret_is_no_news():
    told = {"title": "Saratoga 1777", "commitment": "a1b2c3"}
    begins = Event(kind="campaign_begins", minute=0, rule="HR-CAL-01", data=told)
    assert compose_sentence(item(begins), NAMES).text == "Saratoga 1777 begins."
