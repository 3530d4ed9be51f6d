"""A week's newspaper, composed of journal entries and of nothing else. Pure.

Which manner of speaking an entry is told in hangs on its mark, so a paper reads the same whenever it is
printed. Every sentence says which entry it is from.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby

from battles.grammar import Subject
from campaign.rules.world.events import Event
from campaign.rules.world.world import Theatre
from campaign.text.event_sentences import build_event_facts, narrate
from campaign.text.gazette_words import (
    COLUMNS,
    HEADS,
    IMPARTIAL,
    LATEST,
    LOSSES,
    MANNERS,
    OPENINGS,
    WEATHERS,
    GazetteColumn,
)
from campaign.text.place_names import CampaignNames

DAYS_A_WEEK = 7
#: Rows of the table of losses.
MOST_LOSSES = 10
#: Every kind that a paper prints.
PRINTED = frozenset(kind for column in COLUMNS for kind in column.kinds) | LOSSES
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
    """What the paper has of one day."""

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
    """The paper of a side; one for those who are of none."""
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
    elif event.kind in MANNERS and _has_named_facts(event):
        text = _choose_manner(item, MANNERS[event.kind]).format_map(facts)
    else:
        text = _choose_manner(item, OPENINGS) + narrate(event, names)
    text = " ".join(text.split()).replace(" .", ".").replace(" ,", ",")
    if not text.endswith((".", "!", "?")):
        text += "."
    return Sentence(f"{text[:1].upper()}{text[1:]}", item.day + 1, item.mark)


def _with_article(side: str) -> str:
    """A side's name within a sentence: "the Crown"."""
    return f"the {side.removeprefix('The ').removeprefix('the ')}"


def _has_named_facts(event: Event) -> bool:
    """Whether an event has the place or the way that manners of speaking of it name."""
    named = " ".join(MANNERS[event.kind])
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
    """Without what a later entry of the week tells anew of the same body."""
    last = {_get_body_key(item): number for number, item in enumerate(items)}
    return [
        item
        for number, item in enumerate(items)
        if item.event.kind not in LATEST or last[_get_body_key(item)] == number
    ]


def _get_body_key(item: GazetteItem) -> tuple[str, str, str]:
    return item.event.kind, item.event.formation, str(item.event.data.get("name", ""))


def _is_fair_weather(item: GazetteItem) -> bool:
    return item.event.kind == "weather" and item.event.data.get("weather") not in WEATHERS


def _find_greatest_item(items: Sequence[GazetteItem]) -> GazetteItem | None:
    """The entry that heads the paper: the weightiest kind, then the bloodiest battle, then the latest."""
    weights = {kind: number for number, kind in enumerate(HEADS)}
    fit = [item for item in items if item.event.kind in weights]
    lost = Counter[str]()
    for item in items:
        event = item.event
        if event.kind in LOSSES and event.contact and event.before is not None and event.after is not None:
            lost[event.contact] += event.before - event.after
    return min(
        reversed(fit),
        key=lambda item: (weights[item.event.kind], -lost[item.event.contact] if item.event.contact else 0),
        default=None,
    )


def _compose_headline(item: GazetteItem, names: CampaignNames) -> Sentence:
    facts = build_event_facts(item.event, names)
    text = " ".join(HEADS[item.event.kind].format_map(facts).split())
    return Sentence(f"{text[:1].upper()}{text[1:]}", item.day + 1, item.mark)


def _compose_article(
    column: GazetteColumn, items: Iterable[GazetteItem], names: CampaignNames, start: date, impartial: bool
) -> Article:
    """A column's entries, the weightiest and latest of them, in order of happening."""
    weights = {kind: number for number, kind in enumerate(column.kinds)}
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
        if event.kind not in LOSSES or not event.unit or event.before is None or event.after is None:
            continue
        if event.after < event.before:
            lost = event.before - event.after
            lost += found[event.unit].points if event.unit in found else 0
            found[event.unit] = GazetteLoss(
                names.unit(event.unit), lost, event.after, item.day + 1, item.mark
            )
    return sorted(found.values(), key=lambda loss: (-loss.points, loss.day, loss.name))[:MOST_LOSSES]
