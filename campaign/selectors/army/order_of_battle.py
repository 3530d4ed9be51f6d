"""The order of battle as a viewer knows it: sides, formations and units, and what a week has done to them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from campaign.fog.visibility import Viewer, battles_for, list_known_units
from campaign.rules.army.leaders import commander_today
from campaign.rules.returns.militia import rolls_as_militia
from campaign.rules.scouting.knowledge import own_report
from campaign.rules.world.world import Formation, Unit, UnitStatus, World
from campaign.selectors.army.returns import PointChange
from campaign.selectors.army.weekly_strength import Musters, WeeksChange, collect_known_points
from campaign.text.place_names import CampaignNames, position_text
from campaign.text.unit_names import arm_words, day_words, kind_words, state_words
from rosters.domain.strength import strength_points

#: Under which rule a unit comes to the map or leaves it, where no change of its points says so.
LEFT = {
    UnitStatus.ABSENT: "AWI-C-MIL-02",
    UnitStatus.DEPARTED: "HR-LEV-01",
    UnitStatus.SURRENDERED: "HR-SUR-01",
}
ARRIVED, BACK, REPORTED = "HR-ARR-01", "AWI-C-MIL-03", "HR-COU-04"


class UnitLine(NamedTuple):
    """A unit's line as it is printed. A template takes a tuple of text apart four times as fast as a row."""

    apart: str
    id: str
    name: str
    note: str
    state: str
    kind: str
    points: str
    sp: str
    changes: tuple[PointChange, ...]


@dataclass(frozen=True, slots=True)
class ArmyUnitRow:
    """A unit's line: campaign points when the week began and now, both 0 for one not on the map."""

    id: str
    name: str
    arm: str
    kind: str
    state: str
    present: bool
    train: bool
    points: int
    start: int
    now: int
    changes: tuple[PointChange, ...]
    engaged: bool = False

    @property
    def sp(self) -> int:
        return strength_points(self.points)

    @property
    def counts(self) -> bool:
        """True when the unit's points are part of its formation's total."""
        return self.present and not self.train

    @property
    def line(self) -> UnitLine:
        return UnitLine(
            apart="away" if not self.present else "train" if self.train else "",
            id=self.id,
            name=self.name,
            note="engaged" if self.engaged else "",
            state=self.state,
            kind=f"{self.arm}, {self.kind}",
            points="none" if self.train else str(self.points),
            sp="" if self.train else str(self.sp),
            changes=self.changes,
        )


@dataclass(frozen=True, slots=True)
class FormationRow:
    """A formation with its units and the detachments that belong to it; sums are without those."""

    id: str
    name: str
    where: str
    commander: str
    notes: tuple[str, ...]
    on_map: bool
    garrison: bool
    units: tuple[ArmyUnitRow, ...]
    parts: tuple["FormationRow", ...] = ()

    @property
    def points(self) -> int:
        return sum(unit.points for unit in self.units if unit.counts)

    @property
    def sp(self) -> int:
        return sum(unit.sp for unit in self.units if unit.counts)

    @property
    def change(self) -> PointChange | None:
        points = sum(unit.now - unit.start for unit in self.units)
        return PointChange("", points) if points else None

    @property
    def lines(self) -> Iterator[UnitLine]:
        """Its units as they are printed."""
        return (unit.line for unit in self.units)

    @property
    def sums(self) -> str:
        """Its sums in words, "" for a formation that has none."""
        points = self.points
        return f"{points} points, {self.sp} SP" if points else ""

    def tree(self) -> Iterator["FormationRow"]:
        """Itself and all that belongs to it, from the top."""
        yield self
        for part in self.parts:
            yield from part.tree()


@dataclass(frozen=True)
class SideRow:
    """A side's formations: columns, garrisons, and those that have nobody on the map."""

    id: str
    name: str
    tint: str
    columns: tuple[FormationRow, ...]
    garrisons: tuple[FormationRow, ...]
    elsewhere: tuple[FormationRow, ...]

    @property
    def groups(self) -> list[tuple[str, tuple[FormationRow, ...]]]:
        """The three lists with their headings, without empty ones."""
        named = (
            ("In the field", self.columns), ("Garrisons", self.garrisons), ("Not on the map", self.elsewhere)
        )  # fmt: skip
        return [(name, rows) for name, rows in named if rows]

    @cached_property
    def formations(self) -> tuple[FormationRow, ...]:
        tops = (*self.columns, *self.garrisons, *self.elsewhere)
        return tuple(row for top in tops for row in top.tree())

    @cached_property
    def present(self) -> int:
        return sum(unit.counts for row in self.formations for unit in row.units)

    @cached_property
    def points(self) -> int:
        return sum(row.points for row in self.formations)

    @cached_property
    def sp(self) -> int:
        return sum(row.sp for row in self.formations)

    @cached_property
    def change(self) -> PointChange | None:
        points = sum(row.change.points for row in self.formations if row.change)
        return PointChange("", points) if points else None


def list_army_sides(
    viewer: Viewer, world: World, names: CampaignNames, weeks: Musters, week: int
) -> tuple[SideRow, ...]:
    """The sides whose strength the viewer may know, in one query.

    `week` (0 is the first) is the one the changes are of; `world` as the viewer knows it at its end.
    """
    before = weeks.before(7 * week)
    now = collect_known_points(viewer, world)
    # a week gone by had other battles
    engaged = _list_engaged_units(viewer) if world.day // 7 == week else frozenset()
    changes = weeks.changes.get(week, {})
    rows: dict[str, list[ArmyUnitRow]] = defaultdict(list)
    for unit in list_known_units(viewer, world):
        start = before.get(unit.side, {}).get(unit.id)
        rows[unit.formation].append(
            _unit_row(
                unit,
                world,
                names,
                told=changes.get(unit.id, ()),
                start=start,
                now=now[unit.side].get(unit.id),
                first=7 * week,
                engaged=unit.id in engaged,
                by_report=world.settings.couriers and not viewer.sees_all,
            )
        )
    return tuple(
        _side_row(viewer, world, names, side.id, side.name, rows)
        for side in world.theatre.sides
        if side.id in now
    )


def _list_engaged_units(viewer: Viewer) -> frozenset[str]:
    """Units in battles that wait for their outcome."""
    files = battles_for(viewer).filter(state="waiting").values_list("inputs__file__units", flat=True)
    return frozenset(unit["id"] for units in files for unit in units or ())


def _unit_row(
    unit: Unit,
    world: World,
    names: CampaignNames,
    *,
    told: Iterable[WeeksChange],
    start: int | None,
    now: int | None,
    first: int,
    engaged: bool,
    by_report: bool,
) -> ArmyUnitRow:
    present = unit.status is UnitStatus.PRESENT
    return ArmyUnitRow(
        id=unit.id,
        name=unit.name,
        arm=arm_words(unit),
        kind=kind_words(unit),
        state=state_words(unit, world, names),
        present=present,
        train=unit.is_train,
        points=0 if unit.is_train else unit.points,
        start=start or 0,
        now=now or 0,
        changes=tuple(_iter_point_changes(unit, told, start, now, first, by_report)),
        engaged=engaged and present,
    )


def _iter_point_changes(
    unit: Unit, told: Iterable[WeeksChange], start: int | None, now: int | None, first: int, by_report: bool
) -> Iterator[PointChange]:
    """Yield the unit's changes of points: first those reported to the viewer, by rule, then the
    unexplained rest (arrived, left, or no word yet).

    A rest under "" is of days that are not in the journal yet (HR-CAL-11).
    """
    by_rule: dict[str, int] = {}
    for change in told:
        by_rule[change.rule] = by_rule.get(change.rule, 0) + change.points
    rest = (now or 0) - (start or 0) - sum(by_rule.values())
    if rest:
        rule = REPORTED if by_report else ""
        if now is None:
            rule = LEFT.get(unit.status, rule)
        elif start is None and (unit.arrives >= first or not rolls_as_militia(unit)):
            rule = ARRIVED if unit.arrives else rule
        elif start is None:
            rule = rule or BACK
        by_rule[rule] = by_rule.get(rule, 0) + rest
    return (PointChange(rule, points) for rule, points in by_rule.items() if points)


def _side_row(
    viewer: Viewer,
    world: World,
    names: CampaignNames,
    side: str,
    name: str,
    rows: Mapping[str, list[ArmyUnitRow]],
) -> SideRow:
    bodies = {key: world.formations[key] for key in rows if world.formations[key].side == side}
    parts: dict[str, list[str]] = defaultdict(list)
    for key, body in bodies.items():
        parts[body.parent if _leads_up(bodies, key) else ""].append(key)
    strength = {key: sum(unit.points for unit in rows[key] if unit.counts) for key in bodies}

    def row(key: str) -> FormationRow:
        return FormationRow(
            id=key,
            name=bodies[key].name,
            where=_describe_position(world, bodies[key], names),
            commander=commander_today(world, bodies[key]),
            notes=tuple(_iter_state_notes(viewer, world, bodies[key])),
            on_map=bodies[key].position is not None,
            garrison=bodies[key].garrison,
            units=tuple(sorted(rows[key], key=lambda unit: (not unit.present, unit.train, unit.name))),
            parts=tuple(row(each) for each in in_order(parts[key])),
        )

    def in_order(keys: Iterable[str]) -> list[str]:
        return sorted(keys, key=lambda key: (-strength[key], bodies[key].name, key))

    tops = [row(key) for key in in_order(parts[""])]
    return SideRow(
        id=side,
        name=name,
        tint=names.tint(side),
        columns=tuple(each for each in tops if each.on_map and not each.garrison),
        garrisons=tuple(each for each in tops if each.on_map and each.garrison),
        elsewhere=tuple(each for each in tops if not each.on_map),
    )


def _leads_up(bodies: Mapping[str, Formation], key: str) -> bool:
    """True when a formation belongs to another formation in the list and its chain of parents has no
    circle.
    """
    seen = [key]
    while bodies[seen[-1]].parent in bodies:
        seen.append(bodies[seen[-1]].parent)
        if seen[-1] in seen[:-1]:
            return False
    return len(seen) > 1


def _describe_position(world: World, body: Formation, names: CampaignNames) -> str:
    return position_text(body.position, names) if body.position is not None else ""


def _iter_state_notes(viewer: Viewer, world: World, body: Formation) -> Iterator[str]:
    """A formation's state: of when it is known, hunger, its general's wound, light order."""
    start = world.theatre.start
    report = None if viewer.sees_all else own_report(world, body)
    if report is not None:
        yield f"as reported on {day_words(start, report.day)}"
    if body.position is None:
        return
    general = world.generals.get(body.leader)
    if general is not None and general.state == "wounded":
        until = f" until {day_words(start, general.until)}" if general.until is not None else ""
        yield f"{general.name} is wounded{until}"
    if body.hungry_days:
        yield f"hungry for {body.hungry_days} day{'s' if body.hungry_days > 1 else ''}"
    provision = world.provisions.get(body.id)
    if provision is not None and provision.short:
        yield "on two-thirds ration"
    if body.light_days:
        yield "in light order"
