"""The journal as its reader sees it: by day, newest first, numbered for the reader."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from campaign.fog.visibility import Viewer, journal_for, journal_whole
from campaign.ledger.hash_chain import compute_digest
from campaign.ledger.journal import event_from_entry
from campaign.models import Campaign, Job, JournalEntry
from campaign.rulebook.book import RULE_ID
from campaign.rules.dispatches.couriers import inner_event
from campaign.rules.world.events import Event, event_to_json
from campaign.rules.world.world import World
from campaign.text.event_sentences import narrate
from campaign.text.place_names import CampaignNames, format_id
from rosters.domain.dice import Roll

#: Days of journal on one page.
DAYS_ON_A_PAGE = 3
#: Kinds of event that are shown with the small print of a day, besides those of single units.
ROUTINE = frozenset({"passes", "halts", "rejoined"})
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
    return JournalLine(
        number=number,
        time=f"{minute // 60}:{minute % 60:02d}",
        text=narrate(event, names),
        rule=told.rule,
        dice=dice_text(told.rolls),
        routine=(bool(told.unit or told.pool) or told.kind in ROUTINE) and not told.rule.startswith(BY_HAND),
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
