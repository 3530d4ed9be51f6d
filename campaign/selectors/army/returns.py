"""The week's returns of what the viewer may count, read back from the journal."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby

from django.db.models import Q

from campaign.fog.visibility import (
    Viewer,
    build_viewer_world,
    journal_for,
    list_known_pools,
    list_known_units,
)
from campaign.ledger.journal import event_from_entry
from campaign.ledger.world_rows import snapshot_unpack
from campaign.rules.dispatches.couriers import inner_event
from campaign.rules.scouting.knowledge import own_report
from campaign.rules.world.events import Event
from campaign.rules.world.world import Unit, UnitStatus, World
from campaign.text.place_names import CampaignNames, names_of
from rosters.domain.strength import strength_points


@dataclass(frozen=True, slots=True)
class PointChange:
    """A gain or loss of points under one rule."""

    rule: str
    points: int

    @property
    def signed_points(self) -> str:
        """With its sign: a true minus, so that figures line up."""
        return f"+{self.points}" if self.points > 0 else f"\N{MINUS SIGN}{-self.points}"

    @property
    def kind(self) -> str:
        return "gain" if self.points > 0 else "loss"


@dataclass(frozen=True, slots=True)
class UnitReturn:
    """One unit's line: campaign points at the week's start and now, and what lies between."""

    id: str
    name: str
    status: str
    start: int
    now: int
    changes: tuple[PointChange, ...] = ()

    @property
    def strength_points(self) -> int:
        return strength_points(self.now)


@dataclass(frozen=True, slots=True)
class FormationReturn:
    """A formation's lines and their sums, in campaign points.

    `reported` is the date of the report they are from, None for what headquarters sees itself (HR-COU-04).
    """

    id: str
    name: str
    side: str
    units: tuple[UnitReturn, ...]
    reported: date | None = None

    @property
    def start(self) -> int:
        return sum(unit.start for unit in self.units)

    @property
    def now(self) -> int:
        return sum(unit.now for unit in self.units)

    @property
    def change(self) -> PointChange | None:
        """Total change over the week; None when nothing changed."""
        points = sum(change.points for unit in self.units for change in unit.changes)
        return PointChange("", points) if points else None


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
    by_rule: tuple[PointChange, ...]
    sides: tuple[SideReturn, ...] = ()

    @property
    def start(self) -> int:
        return sum(formation.start for formation in self.formations)

    @property
    def now(self) -> int:
        return sum(formation.now for formation in self.formations)


def load_returns(viewer: Viewer, world: World, names: CampaignNames, week: int | None = None) -> Returns:
    """Points by formation and unit in `week`, the running one when None.

    A past week is read back from the world its last record holds, with that week's journal.
    """
    played = min(world.day, viewer.campaign.day)  # days that run on close no week (HR-CAL-11)
    running = min(played, world.theatre.days - 1) // 7 + 1
    shown = running if week is None else max(1, min(week, running))
    first, after = 7 * (shown - 1), 7 * shown
    if shown < running:
        closing = viewer.campaign.head_of_week(shown)
        world = snapshot_unpack(closing.snapshot, world.theatre)
        names = names_of(world)
    world = build_viewer_world(viewer, world)
    in_week = _load_told_changes(viewer, first, after)
    by_formation: dict[str, list[UnitReturn]] = defaultdict(list)
    by_rule: dict[str, int] = defaultdict(int)
    for unit in list_known_units(viewer, world):
        gone = unit.status in (UnitStatus.EXPECTED, UnitStatus.DEPARTED, UnitStatus.SURRENDERED)
        if unit.is_train or (gone and unit.id not in in_week):
            continue  # trains have no points (HR-REC-01), others are not here yet or any more
        line = _unit_return(
            unit,
            in_week.get(unit.id, []),
            came=0 < unit.arrives >= first,
            by_report=world.settings.couriers and not viewer.sees_all,
        )
        for change in line.changes:
            by_rule[change.rule] += change.points
        by_formation[unit.formation].append(line)
    formations = tuple(
        FormationReturn(
            key,
            names.formation(key),
            world.formations[key].side,
            tuple(by_formation[key]),
            None if viewer.sees_all else _find_report_date(world, key),
        )
        for key in sorted(by_formation, key=lambda key: (world.formations[key].side, names.formation(key)))
    )
    return Returns(
        week=shown,
        weeks=tuple(range(running, 0, -1)),
        closed=played >= after,
        formations=formations,
        pools=tuple(
            (names.pool(key), points) for key, points in list_known_pools(viewer, world).items() if points
        ),
        by_rule=tuple(PointChange(rule, by_rule[rule]) for rule in sorted(by_rule)),
        sides=tuple(
            SideReturn(names.side(side), tuple(of_side))
            for side, of_side in groupby(formations, key=lambda formation: formation.side)
        ),
    )


def _load_told_changes(viewer: Viewer, first: int, after: int) -> dict[str, list[Event]]:
    """Changes of points by unit that the viewer was told of from day `first` to before `after`.

    Those a courier brought count on the day he came (HR-COU-04).
    """
    found: dict[str, list[Event]] = defaultdict(list)
    told = Q(before__isnull=False) & ~Q(unit="")
    if not viewer.sees_all:  # who sees all has counted them on the day itself
        told |= Q(kind="told_by_courier")
    for entry in journal_for(viewer).filter(told, day__gte=first, day__lt=after):
        event = event_from_entry(entry)
        event = inner_event(event) or event
        if event.unit and event.before is not None:
            found[event.unit].append(event)
    return found


def _find_report_date(world: World, formation: str) -> date | None:
    """The date of the report that a formation's lines are from."""
    report = own_report(world, world.formations[formation])
    return None if report is None else world.theatre.start + timedelta(days=report.day)


def _unit_return(unit: Unit, entries: list[Event], *, came: bool, by_report: bool) -> UnitReturn:
    """`came`: the unit arrived this week, so that the week began without it.

    `by_report`: some of what befell it may not have come to headquarters, which only sees the difference.
    """
    start = (entries[0].before or 0) if entries else unit.points
    changes = {"HR-ARR-01": start} if came else {}
    for entry in entries:
        for rule, points in _split_change(entry):
            changes[rule] = changes.get(rule, 0) + points
    begun = 0 if came else start
    missing = unit.points - begun - sum(changes.values())
    if by_report and missing:
        changes["HR-COU-04"] = missing
    return UnitReturn(
        id=unit.id,
        name=unit.name,
        status="" if unit.status is UnitStatus.PRESENT else str(unit.status),
        start=begun,
        now=unit.points,
        changes=tuple(PointChange(rule, points) for rule, points in changes.items() if points),
    )


def _split_change(entry: Event) -> list[tuple[str, int]]:
    """A change by rule: a battle names its charges in the modifiers, when they add up to it."""
    total = (entry.after or 0) - (entry.before or 0)
    charges = [(name, value) for name, value in entry.modifiers if name.startswith(("AWI-", "HR-"))]
    if charges and sum(value for _, value in charges) == total:
        return charges
    return [(entry.rule, total)]
