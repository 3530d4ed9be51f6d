"""A week's newspaper, composed of journal entries and of nothing else. Pure.

The mark of an entry chooses its manner of speaking, so a paper reads the same whenever it is printed. Every
sentence says which entry it is from. The words add nothing that the event does not say: no cause, no mood, no
number. A name may be of one or of many ("Abenaki of St Francis and Becancour"), so verbs fit both.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby

from battles.grammar import Subject
from campaign.rules.world.events import Event
from campaign.rules.world.world import Theatre
from campaign.text.event_facts import build_event_facts
from campaign.text.event_kinds import GazettePrint
from campaign.text.event_sentences import narrate
from campaign.text.event_table import EVENT_KINDS
from campaign.text.place_names import CampaignNames

#: The paper of those who are of no side; a side's is called by the side's name.
IMPARTIAL = "The Impartial Gazette"
MOTTO = "Containing the freshest Advices received of the Army"

#: Openings for what has no manner of its own; the journal's words follow.
OPENINGS = ("", "", "", "It is reported: ")
WEATHERS = {
    "rain": ("Rain.", "It rained."),
    "storm": ("Storms.", "Stormy weather."),
    "fog": ("Fog.", "A fog lay upon the country."),
}


#: How a paper prints the kinds it prints, by code.
PRINTED: Mapping[str, GazettePrint] = {
    code: kind.gazette for code, kind in EVENT_KINDS.items() if kind.gazette is not None
}


@dataclass(frozen=True, slots=True)
class GazetteColumn:
    """A column of the paper: its heading, and the most entries it prints of the kinds that name it."""

    id: str
    title: str
    most: int = 10
    #: What the paper of those who are of no side calls it, where that is otherwise.
    impartial: str = ""


COLUMNS = (
    GazetteColumn("war", "The War", 14),
    GazetteColumn("marches", "Movements of the Army"),
    GazetteColumn("enemy", "Intelligence of the Enemy", 8, "Intelligence of the Armies"),
    GazetteColumn("arrivals", "Arrivals", 8),
    GazetteColumn("departures", "Deserters, and Men gone home", 8),
    GazetteColumn("said", "It is said", 5),
    GazetteColumn("weather", "The Weather", 7),
    GazetteColumn("notices", "Notices", 6),
)


DAYS_A_WEEK = 7
#: Rows of the table of losses.
MOST_LOSSES = 10
#: Sides an event names, and what a sentence calls them.
SIDES = {
    "attacker": "attacker_name",
    "defender": "defender_name",
    "field_held_by": "holder_name",
    "side": "side_name",
}


@dataclass(frozen=True, slots=True)
class GazetteItem:
    """A journal entry as the paper has it: the day counts from 0, `mark` is its address in the day."""

    day: int
    mark: str
    event: Event


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and the entry it is from; `day` counts from 1."""

    text: str
    day: int
    mark: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """The newspaper's sentences on one day."""

    date: date
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class Article:
    """A heading with its paragraphs; `left_out` entries of the week are not printed."""

    id: str
    title: str
    paragraphs: tuple[Paragraph, ...]
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class GazetteLoss:
    """A line of the table of losses: campaign points a unit lost in the week, and what the last loss left.

    Day and mark are those of the last.
    """

    name: str
    points: int
    left: int
    day: int
    mark: str


@dataclass(frozen=True, slots=True)
class Gazette:
    """A week's paper; `headed` is what its head tells. Without articles and losses there was no news."""

    title: str
    week: int
    first: date
    last: date
    head: Sentence | None = None
    lead: Sentence | None = None
    lead_date: date | None = None
    headed: Event | None = None
    articles: tuple[Article, ...] = ()
    losses: tuple[GazetteLoss, ...] = ()

    @property
    def empty(self) -> bool:
        return not (self.articles or self.losses or self.lead)


def format_masthead(theatre: Theatre, side: str) -> str:
    """Return the name of a side's newspaper; a neutral one for readers of no side."""
    names = {each.id: each.name for each in theatre.sides}
    if side not in names:
        return IMPARTIAL
    return f"The {names[side].removeprefix('The ')} Gazette"


def compose_gazette(
    theatre: Theatre, side: str, week: int, items: Sequence[GazetteItem], names: CampaignNames
) -> Gazette:
    """The paper of a week, 1 for the first, from the entries its reader may read."""
    start = theatre.start
    first = start + timedelta(days=(week - 1) * DAYS_A_WEEK)
    days = range((week - 1) * DAYS_A_WEEK, week * DAYS_A_WEEK)
    items = [item for item in items if item.day in days and item.event.kind in PRINTED]
    greatest = _find_greatest_item(items)
    told = [
        item for item in _drop_superseded_items(items) if item is not greatest and not _is_fair_weather(item)
    ]
    title = format_masthead(theatre, side)
    articles = (_compose_article(column, told, names, start, title == IMPARTIAL) for column in COLUMNS)
    return Gazette(
        title=title,
        week=week,
        first=first,
        last=min(first + timedelta(days=DAYS_A_WEEK - 1), theatre.end),
        head=_compose_headline(greatest, names) if greatest else None,
        lead=compose_sentence(greatest, names) if greatest else None,
        lead_date=start + timedelta(days=greatest.day) if greatest else None,
        headed=greatest.event if greatest else None,
        articles=tuple(article for article in articles if article.paragraphs),
        losses=tuple(_list_heaviest_losses(items, names)),
    )


def compose_sentence(item: GazetteItem, names: CampaignNames) -> Sentence:
    """An entry in the manner of a newspaper."""
    event = item.event
    facts = build_event_facts(event, names)
    for key, name in SIDES.items():
        side = _with_article(names.side(str(facts[key]))) if facts[key] else "neither side"
        facts[name] = Subject(side)
    where = str(facts["where"])
    facts["where_first"] = f"{where[:1].upper()}{where[1:]}"
    if event.kind == "weather":
        text = _choose_manner(item, WEATHERS.get(str(facts["weather"]), (narrate(event, names),)))
    elif (manners := _list_manners(event.kind)) and _has_named_facts(event, manners):
        text = _choose_manner(item, manners).format_map(facts)
    else:
        text = _choose_manner(item, OPENINGS) + narrate(event, names)
    text = " ".join(text.split()).replace(" .", ".").replace(" ,", ",")
    if not text.endswith((".", "!", "?")):
        text += "."
    return Sentence(f"{text[:1].upper()}{text[1:]}", item.day + 1, item.mark)


def _with_article(side: str) -> str:
    """A side's name within a sentence: "the Crown"."""
    return f"the {side.removeprefix('The ').removeprefix('the ')}"


def _list_manners(kind: str) -> tuple[str, ...]:
    """The manners of speaking of a kind; none for one that the paper does not print."""
    return PRINTED[kind].manners if kind in PRINTED else ()


def _has_named_facts(event: Event, manners: Sequence[str]) -> bool:
    """True when an event has every fact that these manners of speaking name, as the place or the route."""
    named = " ".join(manners)
    needs = {
        "{where": bool(event.place or event.route),
        "{place}": bool(event.place),
        "{route}": bool(event.route),
        "{formation}": bool(event.formation),
        "{unit}": bool(event.unit),
        "{side_name}": bool(event.data.get("side")),
    }
    return all(given for field, given in needs.items() if field in named)


def _choose_manner(item: GazetteItem, manners: Sequence[str]) -> str:
    """One of some manners of speaking, the same every time."""
    letters = "".join(letter for letter in item.mark[1:9] if letter in "0123456789abcdef")
    return manners[int(letters or "0", 16) % len(manners)]


def _drop_superseded_items(items: Sequence[GazetteItem]) -> list[GazetteItem]:
    """Drop items that a later entry of the week repeats about the same body."""
    last = {_get_body_key(item): number for number, item in enumerate(items)}
    return [
        item
        for number, item in enumerate(items)
        if not PRINTED[item.event.kind].is_latest_only or last[_get_body_key(item)] == number
    ]


def _get_body_key(item: GazetteItem) -> tuple[str, str, str]:
    return item.event.kind, item.event.formation, str(item.event.data.get("name", ""))


def _is_fair_weather(item: GazetteItem) -> bool:
    return item.event.kind == "weather" and item.event.data.get("weather") not in WEATHERS


def _find_greatest_item(items: Sequence[GazetteItem]) -> GazetteItem | None:
    """The entry that heads the paper: the weightiest kind, then the bloodiest battle, then the latest."""
    weights = {code: printed.head_rank for code, printed in PRINTED.items() if printed.head}
    fit = [item for item in items if item.event.kind in weights]
    lost = Counter[str]()
    for item in items:
        event = item.event
        if (
            PRINTED[event.kind].is_loss
            and event.contact
            and event.before is not None
            and event.after is not None
        ):
            lost[event.contact] += event.before - event.after
    return min(
        reversed(fit),
        key=lambda item: (weights[item.event.kind], -lost[item.event.contact] if item.event.contact else 0),
        default=None,
    )


def _compose_headline(item: GazetteItem, names: CampaignNames) -> Sentence:
    facts = build_event_facts(item.event, names)
    text = " ".join(PRINTED[item.event.kind].head.format_map(facts).split())
    return Sentence(f"{text[:1].upper()}{text[1:]}", item.day + 1, item.mark)


def _compose_article(
    column: GazetteColumn, items: Iterable[GazetteItem], names: CampaignNames, start: date, impartial: bool
) -> Article:
    """A column's entries, the weightiest and latest of them, in order of happening."""
    weights = {code: printed.rank for code, printed in PRINTED.items() if printed.column == column.id}
    fit = [item for item in items if item.event.kind in weights]
    ranked = sorted(enumerate(fit), key=lambda each: (weights[each[1].event.kind], -each[0]))
    printed = [item for _, item in sorted(ranked[: column.most], key=lambda each: each[0])]
    paragraphs = tuple(
        Paragraph(start + timedelta(days=day), tuple(compose_sentence(item, names) for item in of_day))
        for day, of_day in groupby(printed, key=lambda item: item.day)
    )
    title = (impartial and column.impartial) or column.title
    return Article(column.id, title, paragraphs, len(fit) - len(printed))


def _list_heaviest_losses(items: Iterable[GazetteItem], names: CampaignNames) -> list[GazetteLoss]:
    """The heaviest losses of the week, a line for each unit, the heaviest first."""
    found: dict[str, GazetteLoss] = {}
    for item in items:
        event = item.event
        if not PRINTED[event.kind].is_loss or not event.unit or event.before is None or event.after is None:
            continue
        if event.after < event.before:
            lost = event.before - event.after
            lost += found[event.unit].points if event.unit in found else 0
            found[event.unit] = GazetteLoss(
                names.unit(event.unit), lost, event.after, item.day + 1, item.mark
            )
    return sorted(found.values(), key=lambda loss: (-loss.points, loss.day, loss.name))[:MOST_LOSSES]
