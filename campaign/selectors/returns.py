"""The week's returns of what the viewer may count, read back from the journal."""

from collections import defaultdict
from dataclasses import dataclass
from itertools import groupby

from campaign.models import JournalEntry
from campaign.narration import Names, names_of
from campaign.rules.world import Unit, UnitStatus, World
from campaign.state import snapshot_unpack
from campaign.visibility import Viewer, journal_for, pools_known, units_known
from rosters.domain.strength import strength_points


@dataclass(frozen=True, slots=True)
class Change:
    """A gain or loss of points under one rule."""

    rule: str
    points: int

    @property
    def signed(self) -> str:
        """With its sign: a true minus, so that figures line up."""
        return f"+{self.points}" if self.points > 0 else f"\N{MINUS SIGN}{-self.points}"


@dataclass(frozen=True, slots=True)
class UnitReturn:
    """One unit's line: campaign points at the week's start and now, and what lies between."""

    name: str
    status: str
    start: int
    now: int
    changes: tuple[Change, ...] = ()

    @property
    def strength_points(self) -> int:
        return strength_points(self.now)


@dataclass(frozen=True, slots=True)
class FormationReturn:
    """A formation's lines and their sums, in campaign points."""

    name: str
    side: str
    units: tuple[UnitReturn, ...]

    @property
    def start(self) -> int:
        return sum(unit.start for unit in self.units)

    @property
    def now(self) -> int:
        return sum(unit.now for unit in self.units)

    @property
    def change(self) -> Change | None:
        """What the week has done to it in all, None when nothing."""
        points = sum(change.points for unit in self.units for change in unit.changes)
        return Change("", points) if points else None


@dataclass(frozen=True, slots=True)
class SideReturn:
    """A side's formations and their sums, in campaign points."""

    name: str
    formations: tuple[FormationReturn, ...]

    @property
    def start(self) -> int:
        return sum(formation.start for formation in self.formations)

    @property
    def now(self) -> int:
        return sum(formation.now for formation in self.formations)


@dataclass(frozen=True, slots=True)
class Returns:
    """The returns of one week, counted from 1. `closed` once the week's rules have been applied."""

    week: int
    weeks: tuple[int, ...]
    closed: bool
    formations: tuple[FormationReturn, ...]
    pools: tuple[tuple[str, int], ...]
    by_rule: tuple[Change, ...]
    sides: tuple[SideReturn, ...] = ()

    @property
    def start(self) -> int:
        return sum(formation.start for formation in self.formations)

    @property
    def now(self) -> int:
        return sum(formation.now for formation in self.formations)


def returns(viewer: Viewer, world: World, names: Names, week: int | None = None) -> Returns:
    """Points by formation and unit in `week`, the running one when None.

    A past week is read back from the world its last record holds, with that week's journal.
    """
    running = min(world.day, world.theatre.days - 1) // 7 + 1
    shown = running if week is None else max(1, min(week, running))
    first, after = 7 * (shown - 1), 7 * shown
    if shown < running:
        closing = viewer.campaign.head_of_week(shown)
        world = snapshot_unpack(closing.snapshot, world.theatre)
        names = names_of(world)
    in_week: dict[str, list[JournalEntry]] = defaultdict(list)
    entries = journal_for(viewer).filter(day__gte=first, day__lt=after, before__isnull=False)
    for entry in entries.exclude(unit="").only("unit", "rule", "before", "after", "modifiers"):
        in_week[entry.unit].append(entry)
    by_formation: dict[str, list[UnitReturn]] = defaultdict(list)
    by_rule: dict[str, int] = defaultdict(int)
    for unit in units_known(viewer, world):
        gone = unit.status in (UnitStatus.EXPECTED, UnitStatus.DEPARTED, UnitStatus.SURRENDERED)
        if unit.is_train or (gone and unit.id not in in_week):
            continue  # trains have no points (HR-REC-01), others are not here yet or any more
        line = _unit_return(unit, in_week.get(unit.id, []), came=0 < unit.arrives >= first)
        for change in line.changes:
            by_rule[change.rule] += change.points
        by_formation[unit.formation].append(line)
    formations = tuple(
        FormationReturn(names.formation(key), world.formations[key].side, tuple(by_formation[key]))
        for key in sorted(by_formation, key=lambda key: (world.formations[key].side, names.formation(key)))
    )
    return Returns(
        week=shown,
        weeks=tuple(range(running, 0, -1)),
        closed=world.day >= after,
        formations=formations,
        pools=tuple(
            (names.pool(key), points) for key, points in pools_known(viewer, world).items() if points
        ),
        by_rule=tuple(Change(rule, by_rule[rule]) for rule in sorted(by_rule)),
        sides=tuple(
            SideReturn(names.side(side), tuple(of_side))
            for side, of_side in groupby(formations, key=lambda formation: formation.side)
        ),
    )


def _unit_return(unit: Unit, entries: list[JournalEntry], *, came: bool) -> UnitReturn:
    """`came`: the unit arrived this week, so that the week began without it."""
    start = (entries[0].before or 0) if entries else unit.points
    changes = {"HR-ARR-01": start} if came else {}
    for entry in entries:
        for rule, points in _split(entry):
            changes[rule] = changes.get(rule, 0) + points
    return UnitReturn(
        name=unit.name,
        status="" if unit.status is UnitStatus.PRESENT else str(unit.status),
        start=0 if came else start,
        now=unit.points,
        changes=tuple(Change(rule, points) for rule, points in changes.items() if points),
    )


def _split(entry: JournalEntry) -> list[tuple[str, int]]:
    """A change by rule: a battle names its charges in the modifiers, when they add up to it."""
    total = (entry.after or 0) - (entry.before or 0)
    charges = [(name, value) for name, value in entry.modifiers if name.startswith(("AWI-", "HR-"))]
    if charges and sum(value for _, value in charges) == total:
        return charges
    return [(entry.rule, total)]
