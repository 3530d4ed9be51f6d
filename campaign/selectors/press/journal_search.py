"""The journal by day and by what is looked for: only in what the viewer may read."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta

from django.db.models import Q, QuerySet

from campaign.fog.visibility import Viewer, journal_whole
from campaign.models import JournalEntry
from campaign.rules.world.events import PLAIN_COLUMNS, Event
from campaign.rules.world.world import World
from campaign.selectors.press.journal import (
    JournalDay,
    JournalLine,
    line_of,
    marked_apart,
    told_day,
    undone_of,
)
from campaign.text.event_categories import DEPARTMENTS
from campaign.text.event_sentences import narrate
from campaign.text.place_names import CampaignNames

#: Entries on one page of a search.
ENTRIES_ON_A_PAGE = 60
#: A search for more letters than this is cut off.
MOST_ASKED = 80
DAYS_A_WEEK = 7

Choice = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Choices:
    """What may be looked for, each as a value and its name: nothing the viewer does not know of."""

    week: tuple[Choice, ...]
    kind: tuple[Choice, ...]
    place: tuple[Choice, ...]
    formation: tuple[Choice, ...]
    unit: tuple[Choice, ...]
    rule: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for; `unknown` are values that are not among the choices."""

    given: Mapping[str, str] = field(default_factory=dict)
    text: str = ""
    unknown: bool = False

    @property
    def empty(self) -> bool:
        return not (self.given or self.text or self.unknown)


@dataclass(frozen=True, slots=True)
class JournalSearchPage:
    """A page of what was found, newest day first, with the numbers of the pages beside it."""

    days: tuple[JournalDay, ...] = ()
    count: int = 0
    newer: int | None = None
    older: int | None = None


def build_search_choices(viewer: Viewer, world: World, names: CampaignNames) -> Choices:
    """Places are on everybody's map; bodies are the viewer's own; rules those he has read of. One query."""
    own = [side.id for side in world.theatre.sides if viewer.sees_all or side.id == viewer.side]
    rules = journal_whole(viewer).order_by("rule").values_list("rule", flat=True).distinct()
    return Choices(
        week=tuple((str(week), f"Week {week}") for week in range(1, world.day // DAYS_A_WEEK + 2)),
        kind=tuple((key, department.title) for key, department in DEPARTMENTS.items()),
        place=_sort_choices((key, place.name) for key, place in world.theatre.atlas.places.items()),
        formation=_sort_choices((key, one.name) for key, one in world.formations.items() if one.side in own),
        unit=_sort_choices((key, unit.name) for key, unit in world.units.items() if unit.side in own),
        rule=tuple((rule, rule) for rule in rules),
    )


def _sort_choices(choices: Iterable[Choice]) -> tuple[Choice, ...]:
    return tuple(sorted(choices, key=lambda choice: (choice[1], choice[0])))


def search_of(asked: Mapping[str, str], choices: Choices) -> Search:
    """The search an address asks for. What is no choice of the viewer's finds nothing."""
    given, unknown = {}, False
    for name in Choices.__slots__:
        value = asked.get(name, "").strip()
        if not value:
            continue
        given[name] = value[:MOST_ASKED]
        unknown |= value not in {choice for choice, _ in getattr(choices, name)}
    return Search(given, " ".join(asked.get("q", "").split())[:MOST_ASKED], unknown)


def search_journal(
    viewer: Viewer, world: World, names: CampaignNames, search: Search, page: int = 1
) -> JournalSearchPage:
    """What a search finds, in two queries; one or two more when the campaign has gone back."""
    if search.unknown:
        return JournalSearchPage()
    entries = _list_matching_entries(viewer, world, search).order_by("-day", "record_id", "ordinal")
    if search.text:
        told = _that_say(entries, search.text, names)
        count = len(told)
    else:
        count = entries.count()
    page = max(1, min(page, -(-count // ENTRIES_ON_A_PAGE) or 1))
    part = slice((page - 1) * ENTRIES_ON_A_PAGE, page * ENTRIES_ON_A_PAGE)
    shown = list(entries.filter(pk__in=told[part]) if search.text else entries[part])
    left = undone_of(viewer, sorted({entry.day for entry in shown})) if shown else frozenset()
    days: dict[int, list[JournalLine]] = {}
    for entry in shown:
        line = line_of(0, entry, names, superseded=entry.pk in left)
        days.setdefault(entry.day, []).append(line)
    start = world.theatre.start
    return JournalSearchPage(
        tuple(
            JournalDay(start + timedelta(days=day), day + 1, tuple(lines), ()) for day, lines in days.items()
        ),
        count,
        page - 1 if page > 1 else None,
        page + 1 if page * ENTRIES_ON_A_PAGE < count else None,
    )


def _list_matching_entries(viewer: Viewer, world: World, search: Search) -> QuerySet[JournalEntry]:
    entries = journal_whole(viewer)
    given = search.given
    if "week" in given:
        first = (int(given["week"]) - 1) * DAYS_A_WEEK
        entries = entries.filter(day__gte=first, day__lt=first + DAYS_A_WEEK)
    if "kind" in given:
        kinds = sorted(DEPARTMENTS[given["kind"]].kinds)
        entries = entries.filter(Q(kind__in=kinds) | Q(data__event__kind__in=kinds))
    if "place" in given:
        place = given["place"]
        ways = [key for key, way in world.theatre.atlas.routes.items() if place in (way.a, way.b)]
        entries = entries.filter(
            Q(place=place) | Q(route__in=ways) | Q(data__event__place=place) | Q(data__event__route__in=ways)
        )
    for name in ("formation", "unit", "rule"):
        if name in given:
            entries = entries.filter(_build_column_filter(name, given[name]))
    return entries


def count_rule_citations(viewer: Viewer, rule: str) -> int:
    """How many entries the viewer may read were made by a rule. One query."""
    return journal_whole(viewer).filter(_build_column_filter("rule", rule)).count()


def _build_column_filter(column: str, value: str) -> Q:
    """Entries with a value in a column, or word by courier of such a one."""
    return Q(**{column: value}) | Q(**{f"data__event__{column}": value})


def _that_say(entries: QuerySet[JournalEntry], text: str, names: CampaignNames) -> list[int]:
    """Keys of the entries that hold every word of a text, in their order, read without their dice."""
    words = text.lower().split()
    found = []
    for key, data, *facts in entries.values_list("pk", "data", *PLAIN_COLUMNS):
        told = narrate(Event(**dict(zip(PLAIN_COLUMNS, facts, strict=True)), data=data), names).lower()
        if all(word in told for word in words):
            found.append(key)
    return found


def find_journal_day(viewer: Viewer, world: World, names: CampaignNames, day: int) -> JournalDay | None:
    """All the viewer may read of a day, 0 for the first; None for one that nobody has come to."""
    entries = list(journal_whole(viewer).filter(day=day))
    if not entries and day > world.day:
        return None
    left = undone_of(viewer, [day])
    lines = [
        line_of(0, entry, names, superseded=entry.pk in left)
        for entry in sorted(entries, key=lambda entry: entry.pk in left)
    ]
    marked = marked_apart(lines)
    when = world.theatre.start + timedelta(days=day)
    kept = [line for line in marked if not line.superseded]
    return told_day(when, day, kept, [line for line in marked if line.superseded])


def days_beside(viewer: Viewer, day: int) -> tuple[int | None, int | None]:
    """The days before and after this one of which the viewer may read anything, counted from 1."""
    days = list(journal_whole(viewer).order_by("day").values_list("day", flat=True).distinct())
    before = max((each for each in days if each < day), default=None)
    after = min((each for each in days if each > day), default=None)
    return (None if before is None else before + 1), (None if after is None else after + 1)
