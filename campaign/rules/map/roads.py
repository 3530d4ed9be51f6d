"""Bridges of rafts, felled roads, and how word of them comes (HR-BRG-03, HR-BRG-04, HR-OBS-01)."""

from collections.abc import Iterator
from dataclasses import replace
from math import ceil, floor
from typing import Any

from campaign.rules.day.field import MIDNIGHT, DayState
from campaign.rules.day.weather import is_wet_weather
from campaign.rules.errors import RuleViolation
from campaign.rules.map.atlas import LAND_KINDS, Route
from campaign.rules.map.bridges import ROADS, build_known_atlas, is_ford, is_known_to
from campaign.rules.march.columns import Column
from campaign.rules.world.markers import NOBODY, Bridge, Felled, Raft
from campaign.rules.world.world import YARDS_PER_MILE, World

# --- what may be ordered ---


def verify_lay(world: World, side: str, place: str, target: str) -> None:
    """Refuses a bridge of rafts where there is no ford, or where one lies (HR-BRG-04, field `target`)."""
    route = _route_at(world, place, target, "HR-BRG-04")
    if not is_ford(route) or route.kind not in LAND_KINDS:
        raise RuleViolation(
            "HR-BRG-04", "That route has no ford; a bridge of rafts is laid over one.", "target"
        )
    raft = world.rafts.get(target)
    if raft is not None and not raft.left and is_known_to(raft, side):
        raise RuleViolation("HR-BRG-04", "There is a bridge of rafts already; mend it if it broke.", "target")


def verify_obstruct(world: World, side: str, place: str, target: str) -> None:
    """Refuses to fell what is no road, or is felled from end to end (HR-OBS-01, field `target`)."""
    route = _route_at(world, place, target, "HR-OBS-01")
    if route.kind not in ROADS:
        raise RuleViolation(
            "HR-OBS-01", "Only a highway, road, track or trail can be felled and broken.", "target"
        )
    if build_known_atlas(world, side).routes[target].felled >= route.yards:
        raise RuleViolation("HR-OBS-01", "That road is felled from end to end already.", "target")


def _route_at(world: World, place: str, target: str, rule: str) -> Route:
    route = world.theatre.atlas.routes.get(target)
    if route is None or place not in (route.a, route.b):
        raise RuleViolation(rule, "Name a route that leaves the place where the formation stands.", "target")
    return route


# --- the work of an evening ---


def lay_bridge(field: DayState, column: Column, men: int) -> bool:
    """Labour on a bridge of rafts; true when it stands (HR-BRG-04)."""
    assert column.order is not None
    target = column.order.target
    raft = field.rafts.get(target) or Raft(
        field.world.day, field.settings.bridge_men_days, known_by=column.side
    )
    if not raft.left:  # the enemy's, and its side did not know
        return True
    raft = replace(raft, left=max(0, raft.left - men))
    field.rafts[target] = raft
    _log_roadwork(field, column, "raft_begun" if raft.left else "raft_laid", "HR-BRG-04", men=men)
    return not raft.left


def obstruct_road(field: DayState, column: Column, men: int) -> bool:
    """Fell and break a road from the end where the men stand, as far as nobody is on it (HR-OBS-01)."""
    assert column.order is not None
    route = field.atlas.routes[column.order.target]
    before = field.felled.get(route.id)
    after = _extend_felling(field, route, column.place, before, men)
    gained = after.high - after.low - (before.high - before.low if before else 0)
    if gained:
        known_by = column.side if before is None or before.known_by == column.side else ""
        field.felled[route.id] = replace(after, known_by=known_by)
    _log_roadwork(field, column, "road_felled", "HR-OBS-01", men=men, yards=gained)
    return not gained or after.high - after.low >= route.yards


def _extend_felling(field: DayState, route: Route, place: str, before: Felled | None, men: int) -> Felled:
    """The felled stretch after a day's work, which begins at the end the men stand at."""
    yards = men * YARDS_PER_MILE // field.settings.felling_men_days
    others = [other.yard(MIDNIGHT) for other in field.along(route.id)]
    forward = place == route.a
    if before is None:
        before = Felled(0, 0) if forward else Felled(route.yards, route.yards)
    low, high = before.low, before.high
    if low > 0 if forward else high >= route.yards:
        low = max(low - yards, 0, *(ceil(each) for each in others if each <= low))
    else:
        high = min(high + yards, route.yards, *(floor(each) for each in others if each >= high))
    return Felled(low, high)


def _log_roadwork(field: DayState, column: Column, kind: str, rule: str, **facts: int) -> None:
    assert column.order is not None
    target = column.order.target
    sides = (column.side,)
    field.log(kind, MIDNIGHT, rule, sides, formation=column.id, place=column.place, route=target, data=facts)


# --- rain, and word of it ---


def rafts_in_rain(field: DayState) -> None:
    """On a wet day each bridge of rafts laid before it breaks on a low die (HR-BRG-04)."""
    if not is_wet_weather(field.conditions.weather) or not field.settings.raft_breaks_on:
        return
    for route_id in sorted(field.rafts):
        raft = field.rafts[route_id]
        if raft.left or raft.day >= field.world.day or route_id in field.bridges:
            continue
        roll = field.dice.roll("HR-BRG-04", route_id)
        breaks = roll.value <= field.settings.raft_breaks_on
        seen_by = _seen_by(field, field.atlas.routes[route_id])
        if breaks:
            known_by = NOBODY if not seen_by else seen_by[0] if len(seen_by) == 1 else ""
            field.bridges[route_id] = Bridge(field.world.day, known_by=known_by)
        field.log(
            "raft_breaks" if breaks else "raft_holds",
            MIDNIGHT,
            "HR-BRG-04",
            seen_by,
            route=route_id,
            rolls=(roll,),
            data={"needed": field.settings.raft_breaks_on},
        )


def update_known_ways(field: DayState) -> None:
    """A side learns of a changed crossing or road by its columns and posts at its ends, or on the way.

    HR-BRG-03, HR-OBS-01.
    """
    for counters in _iter_crossing_counters(field):
        for route_id in sorted(counters):
            known_by = counters[route_id].known_by
            if not known_by:
                continue
            knowing = {known_by} - {NOBODY} | set(_seen_by(field, field.atlas.routes[route_id]))
            if len(knowing) != 1 or known_by == NOBODY:
                known = NOBODY if not knowing else "" if len(knowing) > 1 else min(knowing)
                counters[route_id] = replace(counters[route_id], known_by=known)


def _iter_crossing_counters(field: DayState) -> Iterator[dict[str, Any]]:
    yield field.bridges
    yield field.rafts
    yield field.felled


def _seen_by(field: DayState, route: Route) -> tuple[str, ...]:
    """Sides with a column or a post at an end of a route, or a column on it."""
    there = [*field.at(route.a), *field.at(route.b), *field.along(route.id)]
    sides = {column.side for column in there}
    sides |= {field.holders.get(end, "") for end in (route.a, route.b)} - {""}
    return tuple(sorted(sides))
