"""All pages a side can reach, crawled: nothing of the enemy it has not learned (HR-FOG-01). `make prove` has
the sixth week."""

from collections.abc import Mapping
from datetime import timedelta
from unittest.mock import patch

import pytest
from django.test import override_settings

from campaign.ledger.world_rows import world_load
from campaign.models import Battle, Campaign, Seat, User, local_date
from campaign.rules.world.world import World
from campaign.services.seats.absences import absence_add
from tests.campaign.web.crawl import FORM, Crawl
from tests.campaign.web.fog_of_all import (
    SIDES,
    SPECTATORS_DAYS,
    another_truth,
    begin,
    betrayed,
    betrayed_in_replays,
    crawled,
    facts_of,
    learned,
    people_make,
    played,
    unknown,
)
from tests.campaign.web.fog_of_programs import CHIEF, Programs, chief
from tests.campaign.web.guesses import telling
from tests.campaign.web.hidden_rows import without_others
from tests.campaign.web.other_truths import (
    Change,
    apart,
    describe_staff_plans,
    forms_tried,
    otherwise,
    papers_tried,
    together,
)
from tests.factories.people import signed_in

Read = dict[str, int]
#: Ids of each kind that are guessed; all are answered by the same lines.
GUESSES = 20
#: Of the papers that may be tried one in so many is, where one answer of each kind is read.
PAPERS = 60
#: What differs between campaigns in what is hidden: fog, couriers, food.
EVERY_SETTING = [
    {"fog": fog, "couriers": couriers, "supply": supply}
    for fog in ("full", "off")
    for couriers in (True, False)
    for supply in ("food", "off")
]


#: What the weeks' first mornings were is read anew each time: a cache would answer from before the change.
uncached = patch("campaign.selectors.army.weekly_strength.KEPT", 0)


@uncached
def faults_of_side(
    campaign: Campaign,
    true: World,
    reader: User,
    side: str,
    most: int,
    programs: Programs,
    opened: set[str],
) -> tuple[int, list[str]]:
    """How many answers one of a side's people was given, and what in them he should not know.

    Names of the addresses that answered go into `opened`.
    """
    client = signed_in(reader)
    crawl = crawled(campaign, client, most, *programs(campaign, side))
    page, papers = campaign.get_absolute_url(), papers_tried(true, side)[:: PAPERS // most or 1]
    crawl.ask(f"/api/v1{page}orders/validate/", *papers)
    assert any(text.startswith("422") for text in crawl.sent.values()), "no paper is refused"
    crawl.ask(f"{page}orders/preview/", *forms_tried(papers)[::4], kind=FORM)
    opened |= crawl.names
    told = [text for address, text in crawl.answers.items() if address.startswith("/api/")]
    assert sum(text.startswith("200") for text in told) >= len(CHIEF), "the API tells too little"
    facts = unknown(campaign, true, side)
    assert facts, "the enemy has no secrets; the crawl would show nothing"
    found = [*betrayed(crawl.answers, facts), *betrayed_in_replays(campaign, crawl.answers, side)]
    change = otherwise(side, learned(campaign, true, side))
    if true.settings.couriers:
        change = together(change, apart(side))
    with another_truth(campaign, change, plans=side), without_others(campaign, side, reader):
        found += crawl.differing()
        if describe_staff_plans(world_load(campaign), side) != describe_staff_plans(true, side):
            found.append("the side's forecasts or its staff reckon with what is hidden")
    found += telling(client, campaign, true, side, facts, min(most, GUESSES))
    return len(crawl.answers) + len(crawl.sent), found


@uncached
def faults_of_onlooker(
    campaign: Campaign,
    reader: User,
    change: Change,
    most: int,
    programs: Programs,
    *,
    opened: set[str],
    known: str = "",
    since: int = 0,
) -> tuple[int, list[str]]:
    """The same of one who is told of nothing since a morning, or of no more than a text says."""
    crawl = crawled(campaign, signed_in(reader), most, *programs(campaign, ""))
    opened |= crawl.names
    found = list(betrayed(crawl.answers, facts_of(world_load(campaign), known))) if known else []
    with another_truth(campaign, change, since=since):
        found += crawl.differing()
    return len(crawl.answers), found


@override_settings(API_PERSON_A_MINUTE=10**9, API_ADDRESS_A_MINUTE=10**9)
def judge(
    campaign: Campaign,
    people: Mapping[str, User],
    most: int,
    programs: Programs = chief,
    opened: set[str] | None = None,
) -> Read:
    """Crawl as each side, as those of a column and as who looks on; how many answers were read, by reader.

    Names of the addresses that answered go into `opened`.
    """
    opened = set() if opened is None else opened
    read: Read = {}
    faults: dict[str, list[str]] = {}
    true = world_load(campaign)
    for side in SIDES:
        read[side], faults[side] = faults_of_side(campaign, true, people[side], side, most, programs, opened)
    today = local_date(people["captain"])
    absence_add(user=people["captain"], first=today, last=today + timedelta(days=2))
    for name in ("captain", "deputy"):
        read[name], faults[name] = faults_of_side(
            campaign, true, people[name], "crown", min(most, 20), programs, opened
        )
    change = together(*(otherwise(side, "") for side in SIDES))
    late = campaign.day - SPECTATORS_DAYS + 1
    read["spectator"], faults["spectator"] = faults_of_onlooker(
        campaign, people["spectator"], change, most, programs, opened=opened, since=late
    )
    public = repr(true.theatre)
    read["reserve"], faults["reserve"] = faults_of_onlooker(
        campaign, people["reserve"], change, most, programs, opened=opened, known=public
    )
    battle = Battle.objects.filter(campaign=campaign, replay__isnull=False).first()
    if battle is not None:
        guest = people["guest"]
        # he was seated while it waited; now it has been fought
        Seat.objects.create(campaign=campaign, role="guest", side="rebel", battle=battle, user=guest)
        fought = repr(battle.inputs)
        there = public + fought + repr([one for key, one in true.formations.items() if f"'{key}'" in fought])
        change = together(*(otherwise(side, there) for side in SIDES))
        read["guest"], faults["guest"] = faults_of_onlooker(
            campaign, people["guest"], change, most, programs, opened=opened, known=there
        )
    assert not any(faults.values()), "\n".join(
        f"{name}: {fault[:500]}" for name, found in faults.items() for fault in found
    )
    umpire = Crawl(signed_in(people["umpire"]), most).read(*begin(campaign))
    assert list(betrayed(umpire.answers, unknown(campaign, true, "crown")))  # the eye that looks can see
    return read


@pytest.mark.slow
@pytest.mark.django_db
def test_hr_fog_01_no_answer_tells_a_side_of_what_it_has_not_learned():
    people = people_make()
    read = judge(played(people, 2), people, 2)
    assert all(count > 20 for name, count in read.items() if name != "reserve"), read


@pytest.mark.slow
@pytest.mark.django_db
def test_hr_cou_04_no_answer_tells_headquarters_of_what_has_not_been_reported():
    people = people_make()
    judge(played(people, 2, settings={"couriers": True}), people, 2)


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("settings", EVERY_SETTING, ids=lambda each: " ".join(map(str, each.values())))
@override_settings(API_PERSON_A_MINUTE=10**9, API_ADDRESS_A_MINUTE=10**9)
def test_hr_fog_01_both_sides_are_told_the_same_under_every_setting(settings):
    """Few addresses of each kind; `make prove PART=fog` reads all."""
    people = people_make()
    campaign = played(people, 1, settings=settings)
    true = world_load(campaign)
    for side in SIDES:
        read, faults = faults_of_side(campaign, true, people[side], side, 1, chief, set())
        assert read > 40 and not faults, faults
