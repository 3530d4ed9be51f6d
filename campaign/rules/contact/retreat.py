"""Falling back: by which way, how far, and what becomes of a force that is cut off (HR-RET, HR-SUR)."""

from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil

import networkx as nx

from campaign.rules.contact.casualties import with_points
from campaign.rules.day.field import DayState
from campaign.rules.map.atlas import WATER_KINDS, Atlas, Route
from campaign.rules.march.boats import WITH, carries_boats, land_boats
from campaign.rules.march.columns import Column, Exact, build_column_position
from campaign.rules.march.marching import FOOT, yards_per_day
from campaign.rules.world.place_control import take_by
from campaign.rules.world.world import YARDS_PER_MILE, Order, Unit, UnitStatus
from rosters.domain.vocabulary import Mobility

#: Longer than any way on a map: a place from which a side's supply cannot be reached.
NO_WAY = 10**9


@dataclass(frozen=True, slots=True)
class Retreat:
    """A column's retreat: to `place`, or to yard `at` of `route` with `origin` behind it.

    `minutes` are the march it would have been; `routes` are those it used, in turn, and `passed` the
    places between them. `brushed` are enemies too weak to stop it, and how they give way (HR-RET-03).
    """

    place: str
    route: str
    origin: str
    at: Exact
    minutes: int
    routes: tuple[str, ...]
    passed: tuple[str, ...] = ()
    brushed: tuple[tuple[str, "Retreat"], ...] = ()


@dataclass(frozen=True, slots=True)
class _RetreatStep:
    """One route open to a retreat: from yard `start` towards place `end`, `yards` long."""

    route: Route
    origin: str
    end: str
    yards: Exact


def way_back(field: DayState, column: Column, now: Exact, force: int = 0) -> Retreat | None:
    """The retreat of a column (HR-RET-01), or None when every way is closed to it.

    At most `retreat_miles` (`retreat_rain_miles` in rain or storm) and one normal day in all, by
    the way it came if that is open, else towards its own supply. A way is closed by an enemy on it
    or at its end who is strong enough to block it (HR-RET-03), and by being the one the enemy came
    by, unless this column came up behind him by the same. `force` is the SP of all who fall back
    together, if more than the column's own.
    """
    force = max(force, column.sp)
    if field.settings.block_retreat_parts:
        free = _find_retreat(field, column, now, _Way(force))
        cleared = None if free is None else _clear_way(field, column, free, now, force)
        if cleared is not None:
            return cleared
    return _find_retreat(field, column, now, _Way())


def _clear_way(field: DayState, column: Column, retreat: Retreat, now: Exact, force: int) -> Retreat | None:
    """A retreat with those it brushes aside; None when one of them cannot get out of its way."""
    brushed: list[tuple[str, Retreat]] = []
    for weak in _in_the_way(field, column, retreat, now):
        aside = None if weak.battle is not None else _find_retreat(field, weak, now, _Way())
        spots = {aside.place, aside.route} - {""} if aside is not None else set()
        if aside is None or spots & {column.place, retreat.place, *retreat.routes, *retreat.passed}:
            return None
        brushed.append((weak.id, aside))
    return replace(retreat, brushed=tuple(brushed))


def _in_the_way(field: DayState, column: Column, retreat: Retreat, now: Exact) -> list[Column]:
    """Enemies at the places of a retreat and on the parts of routes it uses, in order of id.

    Not who stands behind the column, nor where it stands itself: from those it falls back.
    """
    places = {retreat.place, *retreat.passed} - {""}
    found = {each.id: each for place in places for each in field.at(place)}
    stops = (column.place, *retreat.passed, retreat.place)
    for leg, key in enumerate(retreat.routes):
        route = field.atlas.routes[key]
        start = _get_end_yard(route, stops[leg]) if stops[leg] else column.yard(now)
        end = _get_end_yard(route, stops[leg + 1]) if stops[leg + 1] else retreat.at
        for each in field.along(key):
            if min(start, end) <= each.yard(now) <= max(start, end) and each.yard(now) != start:
                found[each.id] = each
    return [found[key] for key in sorted(found) if found[key].side != column.side]


def _get_end_yard(route: Route, place: str) -> Exact:
    return 0 if place == route.a else route.yards


@dataclass(frozen=True, slots=True)
class _Way:
    """The test that closes a way: enemies able to stop `force` SP; without a force any enemy."""

    force: int | None = None

    def barred_by(self, field: DayState, enemies: list[Column], covered: bool) -> bool:
        """True if enemies stop the force: 1/3 of its SP, 1/10 behind works or a river (HR-RET-03)."""
        if self.force is None or not enemies:
            return bool(enemies)
        if any(each.battle is not None for each in enemies):
            return True
        sp = sum(each.sp for each in enemies)
        parts = field.settings.block_works_parts if covered else field.settings.block_retreat_parts
        return sp > 0 and sp * parts >= self.force


def _find_retreat(field: DayState, column: Column, now: Exact, way: _Way) -> Retreat | None:
    settings = field.settings
    wet = field.conditions.weather in ("rain", "storm")
    miles = settings.retreat_rain_miles if wet else settings.retreat_miles
    yards: Exact = miles * YARDS_PER_MILE
    minutes = settings.march_minutes - column.retreated
    step = _choose_first_step(field, column, _first_steps(field, column, now, way))
    place, used, spent = column.place, list[str](), 0
    ends: list[str] = []
    while step is not None and yards > 0 and minutes > spent:
        rate = _find_retreat_rate(field, column, step.route, step.origin) or 0
        reach = min(yards, Fraction((minutes - spent) * rate, settings.march_minutes))
        used.append(step.route.id)
        if reach < step.yards:
            forward = step.end == step.route.b
            start = step.route.yards - step.yards if forward else step.yards
            at = start + reach if forward else start - reach
            spent += ceil(Fraction(reach) * settings.march_minutes / rate)
            return Retreat("", step.route.id, step.origin, at, spent, tuple(used), tuple(ends))
        yards -= step.yards
        spent += ceil(Fraction(step.yards) * settings.march_minutes / rate)
        place = step.end
        ends.append(place)
        step = _choose_next_step(field, column, place, set(used), now, way)
    return Retreat(place, "", "", 0, spent, tuple(used), tuple(ends[:-1])) if used else None


def _first_steps(field: DayState, column: Column, now: Exact, way: _Way) -> list[_RetreatStep]:
    if column.route is None:
        return _steps_from(field, column, column.place, now, way)
    route, yard = column.route.whole, column.yard(now)
    steps = [
        _RetreatStep(route, route.b, route.a, yard),
        _RetreatStep(route, route.a, route.b, route.yards - yard),
    ]
    return [step for step in steps if _is_step_open(field, column, step, now, way)]


def _steps_from(field: DayState, column: Column, place: str, now: Exact, way: _Way) -> list[_RetreatStep]:
    enemies = [each for each in field.at(place) if each.side != column.side]
    came = {each.came_by for each in enemies if each.came_by != column.came_by or each.until >= column.until}
    steps = []
    for route in field.atlas.routes_at(place):
        step = _RetreatStep(route, place, route.other(place), route.yards)
        if (
            route.id not in came
            and field.can_embark(column, route, place)
            and _is_step_open(field, column, step, now, way)
        ):
            steps.append(step)
    return steps


def _is_step_open(field: DayState, column: Column, step: _RetreatStep, now: Exact, way: _Way) -> bool:
    """True if no enemy closes a step, on the way or at its end, and it can be taken today."""
    if way.barred_by(field, _enemies_on(field, column, step, now), covered=False):
        return False
    hostile = field.holders.get(step.end, column.side) not in ("", column.side)
    enemies = [other for other in field.at(step.end) if other.side != column.side]
    river = step.route.crossing != "none" or step.route.kind in WATER_KINDS
    if way.barred_by(field, enemies, covered=river or (hostile and _has_works(field, step.end))):
        return False
    if way.force is None and hostile:
        return False
    if field.settings.retreat_wheels == "kept" and column.march.wheels and step.route.bars_wheels:
        return False
    return bool(_find_retreat_rate(field, column, step.route, step.origin))


def _has_works(field: DayState, place: str) -> bool:
    return field.atlas.places[place].fortification != "none" or place in field.works


def _enemies_on(field: DayState, column: Column, step: _RetreatStep, now: Exact) -> list[Column]:
    """Enemies who stand or march on the part of the route a step would use."""
    far = step.route.yards if step.end == step.route.b else 0
    near = far - step.yards if far else step.yards
    low, high = min(near, far), max(near, far)
    return [
        other
        for other in field.along(step.route.id)
        if other.side != column.side and low <= other.yard(now) <= high
    ]


def _find_retreat_rate(field: DayState, column: Column, route: Route, origin: str) -> int | None:
    """Wheels are left behind where they cannot go (HR-RET-02), so they never close a way."""
    march = replace(column.march, wheels=False, heavy=False) if route.bars_wheels else column.march
    if march.mobility in (Mobility.GUNS, Mobility.WAGONS) and route.bars_wheels:
        march = FOOT
    return yards_per_day(route, origin, march, field.settings, field.conditions)


def _choose_first_step(field: DayState, column: Column, steps: list[_RetreatStep]) -> _RetreatStep | None:
    """The way it came before all others, then ways fit for its wheels, then the nearest to supply."""
    supply = supply_distances(field, column.side)

    def merit(step: _RetreatStep) -> tuple[bool, bool, Exact, str]:
        back = step.end == column.came_from if column.route else step.route.id == column.came_by
        barred = column.march.wheels and step.route.bars_wheels
        return (not back, barred, step.yards + supply.get(step.end, NO_WAY), step.route.id)

    return min(steps, key=merit, default=None)


def _choose_next_step(
    field: DayState, column: Column, place: str, used: set[str], now: Exact, way: _Way
) -> _RetreatStep | None:
    """The next step nearer to supply; none from works in own hands, where a beaten force rallies."""
    works = field.atlas.places[place].fortification != "none"
    if works and field.holders.get(place) == column.side:
        return None
    supply = supply_distances(field, column.side)
    here = supply.get(place, NO_WAY)
    nearer = [
        step
        for step in _steps_from(field, column, place, now, way)
        if step.route.id not in used and supply.get(step.end, NO_WAY) < here
    ]
    barred = column.march.wheels
    return min(
        nearer,
        key=lambda step: (
            barred and step.route.bars_wheels,
            step.yards + supply.get(step.end, NO_WAY),
            step.route.id,
        ),
        default=None,
    )


def supply_distances(field: DayState, side: str) -> dict[str, int]:
    """Yards from each place to the nearest source of supply of `side`, whoever holds what lies between."""
    theatre = field.world.theatre
    sources = tuple(place for place in theatre.supply.get(side, ()) if place in field.atlas.places)
    key = ("supply distances", sources)
    if key not in field.atlas.derived_tables:
        field.atlas.derived_tables[key] = _measure_distances(field.atlas, sources)
    found: dict[str, int] = field.atlas.derived_tables[key]
    return found


def _measure_distances(atlas: Atlas, sources: tuple[str, ...]) -> dict[str, int]:
    if not sources:
        return {}
    lengths = nx.multi_source_dijkstra_path_length(atlas.graph, set(sources), weight=shortest_yards)
    return {place: int(yards) for place, yards in sorted(lengths.items())}


def shortest_yards(_start: str, _end: str, edges: dict[str, dict[str, Route]]) -> int:
    """Weight of a pair of neighbours for networkx: yards of the shortest route between them."""
    return min(data["route"].yards for data in edges.values())


# --- carrying it out ---


def retreat_column(
    field: DayState, column: Column, retreat: Retreat, now: Exact, rule: str, contact: str
) -> None:
    """Move a column along its retreat at once. Not a march: no dice, no minutes of march (HR-RET-01).

    Who is too weak to stop it gives way first, and does nothing else that day (HR-RET-03).
    """
    for weak, aside in retreat.brushed:
        if weak in field.columns:
            field.stand(field.columns[weak], now)
            retreat_column(field, field.columns[weak], aside, now, "HR-RET-03", contact)
    _leave_wheels(field, column, retreat, now, contact)
    _leave_boats(field, column, retreat)
    halt_order(column)
    column.path, column.via = [], ()
    column.retreated += max(1, retreat.minutes)
    if column.id not in field.columns:
        return  # it was nothing but wheels
    if retreat.place:
        field.put_at_place(column, retreat.place, "", "")
    else:
        field.put_on_route(column, retreat.route, retreat.origin, retreat.at)
    column.since = now
    field.expect_meetings(column, now)
    whole = build_column_position(column, int(column.at))
    field.log(
        "retreat",
        now,
        rule,
        (column.side,),
        formation=column.id,
        place=retreat.place,
        route=retreat.route,
        contact=contact,
        data={"origin": whole.origin, "destination": whole.destination, "yards": whole.yards},
    )
    for place in (*retreat.passed, *([retreat.place] if retreat.place else [])):
        take_by(field, place, column, now)  # who was there has given way


def halt_order(column: Column) -> None:
    """Cancel a column's march; its stance stays as ordered."""
    stance = column.stance
    column.order = None if stance == "give_battle" else Order(column.id, stance=stance)


def _leave_wheels(field: DayState, column: Column, retreat: Retreat, now: Exact, contact: str) -> None:
    if not column.march.wheels or not any(field.atlas.routes[route].bars_wheels for route in retreat.routes):
        return
    for unit in field.units_of(column):
        if unit.mobility in (Mobility.GUNS, Mobility.WAGONS):
            lost = replace(with_points(unit, 0), status=UnitStatus.ELIMINATED, since=field.world.day)
            if unit.is_train:
                lost = replace(lost, status=UnitStatus.SURRENDERED)
            field.units[unit.id] = lost
            _log_loss(field, unit, now, "wheels_abandoned", "HR-RET-02", contact)
    column.march = replace(column.march, wheels=False, heavy=False)
    field.reckon(column)


def _leave_boats(field: DayState, column: Column, retreat: Retreat) -> None:
    """Boats stay behind where the way back leads by land (HR-BOA-03)."""
    if all(carries_boats(field.atlas.routes[route]) for route in retreat.routes):
        return
    if column.place:
        land_boats(field.boats, column.id, column.place)
    else:
        field.boats.pop(WITH + column.id, None)


def surrender_column(field: DayState, column: Column, now: Exact, contact: str) -> None:
    """Surrender a force that is beaten and cut off: it loses all its points (HR-SUR-01)."""
    field.log("force_surrendered", now, "HR-SUR-01", field.both, formation=column.id, contact=contact)
    for unit in field.units_of(column):
        _log_loss(field, unit, now, "unit_surrendered", "HR-SUR-01", contact)
        field.units[unit.id] = replace(unit, points=0, status=UnitStatus.SURRENDERED, since=field.world.day)
    field.reckon(column)


def _log_loss(field: DayState, unit: Unit, now: Exact, kind: str, rule: str, contact: str) -> None:
    """Log a unit's loss of points, for its owner only."""
    field.log(
        kind,
        now,
        rule,
        (unit.side,),
        unit=unit.id,
        formation=unit.formation,
        contact=contact,
        before=unit.points,
        after=0,
    )
