"""The journal as its reader may see it: by day, searched, and in order of happening for a program.

Entries are newest first on pages, and numbered for the reader.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any

from django.db.models import Q, QuerySet

from campaign.fog.visibility import Viewer, journal_for, journal_whole
from campaign.ledger.hash_chain import compute_digest
from campaign.ledger.journal import event_from_entry
from campaign.models import Campaign, Job, JournalEntry
from campaign.rulebook.book import RULE_ID
from campaign.rules.dispatches.couriers import inner_event
from campaign.rules.world.events import PLAIN_COLUMNS, Event, event_to_json
from campaign.rules.world.world import World
from campaign.text.event_sentences import narrate
from campaign.text.event_table import CATEGORIES, EVENT_KINDS
from campaign.text.place_names import CampaignNames, format_id
from rosters.domain.dice import Roll

#: Days of journal on one page.
DAYS_ON_A_PAGE = 3
#: What the umpire himself changed is told in the open, whomever it touches.
BY_HAND = "HR-UMP-"


@dataclass(frozen=True, slots=True)
class JournalLine:
    """A journal entry as its reader sees it; `number` counts the reader's own entries, 0 for none.

    `mark` is its address within its day (`day` counts from 1), "" while it is in no journal yet.
    """

    number: int
    time: str
    text: str
    rule: str
    dice: str
    routine: bool
    faces: tuple[Roll, ...] = ()
    modifiers: tuple[str, ...] = ()
    mark: str = ""
    day: int = 0
    superseded: bool = False


@dataclass(frozen=True, slots=True)
class JournalDay:
    """A day's lines. `routine` holds the many small ones: the week's rolls and losses by unit.

    `undone` are those of a course that was given up (HR-UMP-14).
    """

    date: date
    day: int
    lines: tuple[JournalLine, ...]
    routine: tuple[JournalLine, ...]
    undone: tuple[JournalLine, ...] = ()


@dataclass(frozen=True, slots=True)
class JournalPage:
    """Some days, newest first; `newer` and `older` are page numbers or None."""

    days: tuple[JournalDay, ...] = ()
    newer: int | None = None
    older: int | None = None


def journal_page(viewer: Viewer, world: World, names: CampaignNames, page: int = 1) -> JournalPage:
    """One page of the viewer's journal, in three queries; two more when the campaign has gone back."""
    entries = journal_whole(viewer)
    days = list(entries.order_by("-day").values_list("day", flat=True).distinct())
    page = max(1, min(page, -(-len(days) // DAYS_ON_A_PAGE) or 1))
    shown = days[(page - 1) * DAYS_ON_A_PAGE : page * DAYS_ON_A_PAGE]
    if not shown:
        return JournalPage()
    number = entries.filter(day__lt=shown[-1]).count()
    by_day: dict[int, list[JournalLine]] = {day: [] for day in shown}
    undone: dict[int, list[JournalLine]] = {day: [] for day in shown}
    left = undone_of(viewer, shown)
    for entry in entries.filter(day__in=shown):
        number += 1
        lines = undone if entry.pk in left else by_day
        lines[entry.day].append(line_of(number, entry, names, superseded=entry.pk in left))
    start = world.theatre.start
    return JournalPage(
        days=tuple(told_day(start + timedelta(days=day), day, by_day[day], undone[day]) for day in shown),
        newer=page - 1 if page > 1 else None,
        older=page + 1 if page * DAYS_ON_A_PAGE < len(days) else None,
    )


def turn_entries(viewer: Viewer, jobs: Iterable[Job] | None = None) -> list[JournalEntry]:
    """The entries of the last turn that the viewer may know: at least one day's, at most a week's.

    Two queries, or one where `jobs`, newest first, are known: without the one that played it, it is one day.
    A job that began on the coming day, or later before a rewind, played none of these days.
    """
    campaign = viewer.campaign
    if jobs is None:
        begun = _turn_began(campaign)
    else:
        played = (job for job in jobs if job.kind == "advance_day" and job.state == Job.State.DONE)
        days = (job.payload.get("day") for job in played)
        begun = next((day for day in days if day is not None and day < campaign.day), None)
    first = max(campaign.day if begun is None else begun, campaign.day - 7)
    return list(journal_for(viewer).filter(day__range=(min(first, campaign.day - 1), campaign.day - 1)))


def _turn_began(campaign: Campaign) -> int | None:
    """The day the last turn began on; None when none was played as work in the background."""
    played = Job.objects.filter(
        campaign=campaign, kind="advance_day", state=Job.State.DONE, payload__day__lt=campaign.day
    )
    return played.order_by("-pk").values_list("payload__day", flat=True).first()


def turn_events(entries: Iterable[JournalEntry], world: World, names: CampaignNames) -> list[JournalDay]:
    """The entries of a turn by day, in order of happening."""
    lines: dict[int, list[JournalLine]] = {}
    for entry in entries:
        lines.setdefault(entry.day, []).append(line_of(0, entry, names))
    start = world.theatre.start
    return [told_day(start + timedelta(days=day), day, lines[day]) for day in sorted(lines)]


def battles_among(entries: Iterable[JournalEntry]) -> list[tuple[int, str]]:
    """The days and contacts of the battles that ended, each once, in order of happening."""
    ended = ((entry.day, entry.contact) for entry in entries if entry.kind == "battle")
    return list(dict.fromkeys(ended))


def weather_among(entries: Iterable[JournalEntry], day: int) -> str:
    """A day's weather by these entries, "" where none says it."""
    found = [str(entry.data["weather"]) for entry in entries if (entry.kind, entry.day) == ("weather", day)]
    return found[-1] if found else ""


def undone_of(viewer: Viewer, days: Sequence[int]) -> frozenset[int]:
    """Keys of the entries of these days that are on no course any more."""
    if viewer.campaign.revision == 1:
        return frozenset()
    taken = journal_for(viewer).filter(day__in=days).values("pk")
    found = journal_whole(viewer).filter(day__in=days).exclude(pk__in=taken)
    return frozenset(found.values_list("pk", flat=True))


def line_of(
    number: int, entry: JournalEntry, names: CampaignNames, *, superseded: bool = False
) -> JournalLine:
    """A journal entry in words, with its dice."""
    event = event_from_entry(entry)
    mark = mark_of(entry.day, event)
    return replace(
        _build_journal_line(number, event, names), mark=mark, day=entry.day + 1, superseded=superseded
    )


def mark_of(day: int, event: Event) -> str:
    """The address of an entry within its day: made of what it says, and of nothing else.

    So it tells nothing of what its reader may not see, is the same for all who may read it, and stays
    what it is when the campaign goes back.
    """
    said = event_to_json(event)
    del said["sides"]
    return f"e{compute_digest([day, said])[:12]}"


def marked_apart(lines: Sequence[JournalLine]) -> list[JournalLine]:
    """The same lines; of those that say the same the later ones have a mark of their own."""
    seen: Counter[str] = Counter()
    found = []
    for line in lines:
        seen[line.mark] += 1
        again = seen[line.mark]
        found.append(line if again == 1 else replace(line, mark=f"{line.mark}-{again}"))
    return found


def build_journal_day(when: date, day: int, events: Iterable[Event], names: CampaignNames) -> JournalDay:
    """A day (0 is the first) told from its events, numbered within itself: it is in no journal yet."""
    lines = [_build_journal_line(number, event, names) for number, event in enumerate(events, 1)]
    return told_day(when, day, lines)


def told_day(
    when: date, day: int, lines: Sequence[JournalLine], undone: Sequence[JournalLine] = ()
) -> JournalDay:
    return JournalDay(
        date=when,
        day=day + 1,
        lines=tuple(line for line in lines if not line.routine),
        routine=tuple(line for line in lines if line.routine),
        undone=tuple(undone),
    )


def _build_journal_line(number: int, event: Event, names: CampaignNames) -> JournalLine:
    minute = min(event.minute, 24 * 60)
    told = inner_event(event) or event
    kind = EVENT_KINDS.get(told.kind)
    small = bool(told.unit or told.pool or (kind and kind.routine))  # what happens to single units is many
    return JournalLine(
        number=number,
        time=f"{minute // 60}:{minute % 60:02d}",
        text=narrate(event, names),
        rule=told.rule,
        dice=dice_text(told.rolls),
        routine=small and not told.rule.startswith(BY_HAND),
        faces=told.rolls,
        modifiers=tuple(
            f"{format_signed(value)} {name if RULE_ID.fullmatch(name) else format_id(name)}"
            for name, value in told.modifiers
        ),
    )


def format_signed(value: int) -> str:
    """A modifier with its sign, minus as printers set it."""
    return f"+{value}" if value >= 0 else f"\u2212{-value}"


def dice_text(rolls: Iterable[Roll]) -> str:
    """Dice as they fell, by kind of die: "9, 2 (d10); 3 (d6)"; "4 entered" was thrown by hand."""
    by_sides: dict[int, list[str]] = {}
    for roll in rolls:
        by_sides.setdefault(roll.sides, []).append(f"{roll.value}{' entered' if roll.entered else ''}")
    return "; ".join(f"{', '.join(values)} (d{sides})" for sides, values in by_sides.items())


#: Entries on one page of a search.
ENTRIES_ON_A_PAGE = 60
#: A search for more letters than this is cut off.
MOST_ASKED = 80
DAYS_A_WEEK = 7

Choice = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Choices:
    """Values to search the journal for, each with its name; nothing the viewer does not know of."""

    week: tuple[Choice, ...]
    kind: tuple[Choice, ...]
    place: tuple[Choice, ...]
    formation: tuple[Choice, ...]
    unit: tuple[Choice, ...]
    rule: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Search:
    """A search of the journal; `unknown` are values that are not among the choices."""

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
        kind=tuple((key, category.title) for key, category in CATEGORIES.items()),
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
    """Return a page of search results, in two queries; one or two more when the campaign has been rewound."""
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
        kinds = sorted(kind.code for kind in CATEGORIES[given["kind"]].kinds)
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
    """Count the entries made by a rule that the viewer may read. One query."""
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


CURSOR = re.compile(r"(\d{1,9})\.(\d{1,9})\.(e[0-9a-f]{12})?")


class CursorOvertaken(Exception):
    """The campaign has gone back, or the reader sees another journal: he begins anew."""


@dataclass(frozen=True, slots=True)
class StreamedEntry:
    """An entry: its line as the page has it, and what of it a program asks for by name."""

    line: JournalLine
    entry: JournalEntry


@dataclass(frozen=True, slots=True)
class Stream:
    """Some entries in order. `cursor` is where to go on; `more` whether there is something by now."""

    entries: tuple[StreamedEntry, ...]
    cursor: str
    more: bool
    revision: int


def journal_after(
    viewer: Viewer, world: World, names: CampaignNames, *, cursor: str = "", day: int = 0, most: int = 100
) -> Stream:
    """Entries of the present course that the viewer may read, after a cursor, or from a campaign day on.

    A cursor is the course, how many of his own entries the reader has, and the mark of the last: it tells
    nothing of what is hidden, and stands when new ones come. Raises CursorOvertaken, and ValueError for
    what is no cursor. Three queries.
    """
    entries = journal_for(viewer).order_by("record_id", "ordinal")
    had, mark = (
        _resolve_cursor(viewer, entries, cursor) if cursor else (entries.filter(day__lt=day).count(), "")
    )
    found = list(entries[had : had + most + 1])
    told = [
        StreamedEntry(line_of(number, entry, names), entry)
        for number, entry in enumerate(found[:most], had + 1)
    ]
    last = told[-1].line.mark if told else mark
    at = f"{viewer.campaign.revision}.{had + len(told)}.{last}"
    return Stream(tuple(told), at, len(found) > most, viewer.campaign.revision)


def _resolve_cursor(viewer: Viewer, entries: Any, cursor: str) -> tuple[int, str]:
    """Return the number of entries the reader has by this cursor, and the mark of the last one. Raises
    ValueError for no cursor, CursorOvertaken for one of another course.
    """
    said = CURSOR.fullmatch(cursor)
    if said is None:
        raise ValueError("This is no cursor of a journal.")
    revision, had, mark = int(said[1]), int(said[2]), said[3] or ""
    if revision != viewer.campaign.revision:
        raise CursorOvertaken
    if mark:
        last = entries[had - 1 : had].first() if had else None
        if last is None or mark_of(last.day, event_from_entry(last)) != mark:
            raise CursorOvertaken
    return had, mark
