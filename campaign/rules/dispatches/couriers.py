"""Couriers: orders and reports between headquarters and columns apart from it take their time (HR-COU).

Played only with the setting `couriers`. Within half a day's ride of headquarters word counts at once; each
further day of ride is a day later. A courier whose way leads past the enemy may be taken.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import networkx as nx

from campaign.rules.army.leaders import seniority_key
from campaign.rules.contact.retreat import shortest_yards
from campaign.rules.day.field import count_strength
from campaign.rules.map.atlas import Atlas
from campaign.rules.world.events import Event, event_from_json, event_to_json
from campaign.rules.world.markers import Dispatch, Report
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import YARDS_PER_MILE, Order, Position, Unit, World, present_units
from campaign.rules.world.world_json import order_from_json, order_to_json
from rosters.domain.dice import DiceRoller

#: Events of a column that are no part of its report: headquarters' own doing, and what is heard of at once.
AT_ONCE = frozenset({"dispatch_sent", "place_taken", "arrival_waits"})
#: Events of both sides that are heard of by courier all the same, until a place changes hands.
SIEGE_NEWS = frozenset(
    {"siege_laid", "siege_raised", "works_battered", "summons", "terms_begun", "terms_broken"}
)


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The facts that a part of the theatre played by itself gets about the others, by side.

    `seats` are headquarters there, `stands` where formations with any strength stood in the morning. `places`
    are those whose counters another part has.
    """

    seats: Mapping[str, Position] = field(default_factory=dict)
    stands: Mapping[str, tuple[Position, ...]] = field(default_factory=dict)
    places: frozenset[str] = frozenset()

    def enemies(self, side: str) -> list[Position]:
        return [each for other, where in self.stands.items() if other != side for each in where]


#: A theatre that is played as a whole.
NOWHERE = Elsewhere()


def build_elsewhere(world: World, formations: Collection[str]) -> Elsewhere:
    """The facts a part of the theatre is told of these formations; none without couriers."""
    if not world.settings.couriers:
        return NOWHERE
    present, stands = present_units(world), dict[str, list[Position]]()
    for key in sorted(formations):
        one = world.formations.get(key)
        if one is not None and one.position is not None and count_strength(present.get(key, ())):
            stands.setdefault(one.side, []).append(one.position)
    return Elsewhere(list_headquarters(world), {side: tuple(stands[side]) for side in sorted(stands)})


# --- headquarters (HR-COU-01) ---


def find_headquarters(world: World, side: str) -> str:
    """The formation a side is commanded from; "" while it has nobody on the map (HR-COU-01).

    The one it was, while it has units; else that of the senior general, else the strongest.
    """
    present = present_units(world)
    here = {
        key: units
        for key, units in present.items()
        if key in world.formations and world.formations[key].side == side and world.formations[key].position
    }
    watch = world.watches.get(side)
    seat = watch.headquarters if watch is not None else ""
    # In a part of the theatre that is played by itself headquarters may be in another part.
    if seat and (seat in here or seat not in world.formations):
        return seat
    free = {key: units for key, units in here.items() if not world.formations[key].garrison} or here
    generals = [
        (seniority_key(world, key), general.formation)
        for key, general in world.generals.items()
        if general.side == side and general.state == "well" and general.formation in free
    ]
    if generals:
        return min(generals)[1]
    return min(free, key=lambda key: (-count_strength(free[key]), key), default="")


# --- riding (HR-COU-02) ---


def days_behind(atlas: Atlas, settings: RuleSettings, start: Position, end: Position) -> int:
    """Days after the same day that word from one position reaches the other."""
    yards, _ = find_shortest_ride(atlas, start, end)
    day = settings.courier_miles * YARDS_PER_MILE
    return max(0, -(-(2 * yards - day) // (2 * day)))


def find_shortest_ride(atlas: Atlas, start: Position, end: Position) -> tuple[int, tuple[str, ...]]:
    """Yards of the shortest way between two positions, by any route, and the places passed."""
    if start.route and start.route == end.route:
        same = start.origin == end.origin
        other = end.yards if same else atlas.routes[end.route].yards - end.yards
        return abs(start.yards - other), ()
    ways = []
    for first, off in _list_end_distances(atlas, start):
        lengths, paths = _get_courier_ways(atlas, first)
        for last, on in _list_end_distances(atlas, end):
            ways.append((off + lengths[last] + on, tuple(paths[last])))
    return min(ways)


def _list_end_distances(atlas: Atlas, position: Position) -> tuple[tuple[str, int], ...]:
    if position.place:
        return ((position.place, 0),)
    length = atlas.routes[position.route].yards
    return ((position.origin, position.yards), (position.destination, length - position.yards))


def _get_courier_ways(atlas: Atlas, place: str) -> tuple[Mapping[str, int], Mapping[str, list[str]]]:
    key = ("courier's ways", place)
    if key not in atlas.derived_tables:
        atlas.derived_tables[key] = nx.single_source_dijkstra(atlas.graph, place, weight=shortest_yards)
    found: tuple[Mapping[str, int], Mapping[str, list[str]]] = atlas.derived_tables[key]
    return found


def watched_by_enemy(
    world: World,
    side: str,
    start: Position,
    end: Position,
    enemies: Iterable[Position],
    holders: Mapping[str, str],
) -> bool:
    """True if an enemy stands on the way or holds a place on it (HR-COU-03)."""
    atlas = world.theatre.atlas
    _, places = find_shortest_ride(atlas, start, end)
    routes = {position.route for position in (start, end)} - {""}
    for a, b in pairwise(places):
        routes.add(min((data["route"] for data in atlas.graph[a][b].values()), key=_route_length_key).id)
    if any(holders.get(place, side) != side for place in places):
        return True
    return any(each.place in places or each.route in routes for each in enemies if each.place or each.route)


def _route_length_key(route: Any) -> tuple[int, str]:
    return route.yards, route.id


# --- papers on their way ---


def send_dispatch(
    world: World,
    dispatch: Dispatch,
    content: Mapping[str, Any],
    way: tuple[Position, Position],
    enemies: Iterable[Position],
    holders: Mapping[str, str],
    dice: DiceRoller | None,
    minute: int,
) -> tuple[bool, list[Event]]:
    """Send a dispatch: whether it gets off safely, and the events about it (HR-COU-03).

    Who sent it is not told that it was taken; the enemy reads it.
    """
    side, settings = dispatch.side, world.settings
    if dice is None or not watched_by_enemy(world, side, *way, enemies, holders):
        return True, []
    subject = f"{side}/{dispatch.kind}/{dispatch.to or dispatch.origin}"
    roll = dice.roll("HR-COU-03", subject)
    taken = roll.value >= settings.courier_taken_on
    event = Event(
        "dispatch_taken" if taken else "dispatch_slips_through",
        minute,
        "HR-COU-03",
        (world.theatre.enemy_of(side),) if taken else (),
        rolls=(roll,),
        data={"side": side, "paper": dispatch.kind, "needed": settings.courier_taken_on, **content},
    )
    return not taken, [event]


def order_key(side: str, formation: str, day: int) -> str:
    return f"{side}/order/{day}/{formation}"


def list_headquarters(world: World) -> dict[str, Position]:
    """Position of each side's headquarters, by side; empty if couriers are not played."""
    if not world.settings.couriers:
        return {}
    found = {
        side.id: _find_formation_position(world, find_headquarters(world, side.id))
        for side in world.theatre.sides
    }
    return {side: position for side, position in found.items() if position is not None}


def orders_by_courier(
    world: World, orders: Mapping[str, Order], dice: DiceRoller, others: Elsewhere = NOWHERE
) -> tuple[World, dict[str, Order], list[Event]]:
    """The orders that count today: those near headquarters, and those that arrive (HR-COU-02).

    The others are put on their way in the world's dispatches. `others` is of other parts of the theatre.
    """
    if not world.settings.couriers:
        return world, dict(orders), []
    events: list[Event] = []
    dispatches, counted = dict(world.dispatches), dict[str, Order]()
    for key in sorted(dispatches, key=lambda each: (dispatches[each].day, each)):
        paper = dispatches[key]  # of two that arrive together the later one counts
        if paper.kind == "order" and paper.due <= world.day:
            del dispatches[key]
            counted[paper.to] = order_from_json(paper.body)
            facts = {"sent": paper.day}
            events.append(Event("order_arrives", 0, "HR-COU-02", (), formation=paper.to, data=facts))
    seats = {**others.seats, **list_headquarters(world)}
    for key in sorted(orders):
        formation = world.formations.get(key)
        start = seats.get(formation.side) if formation is not None else None
        if formation is None or formation.position is None or start is None:
            counted[key] = orders[key]
            continue
        days = days_behind(world.theatre.atlas, world.settings, start, formation.position)
        if not days:
            counted[key] = orders[key]
            continue
        side = formation.side
        paper = Dispatch(
            side, "order", start.place, key, world.day, world.day + days, order_to_json(orders[key])
        )
        content = {"name": formation.name, "via": list(orders[key].via)}
        safe, happened = send_dispatch(
            world,
            paper,
            content,
            (start, formation.position),
            [*enemies_of(world, side), *others.enemies(side)],
            world.holders,
            dice,
            0,
        )
        if safe:
            dispatches[order_key(side, key, world.day)] = paper
        events += happened
        events.append(Event("dispatch_sent", 0, "HR-COU-02", (side,), formation=key))
    return replace(world, dispatches=dict(sorted(dispatches.items()))), counted, events


def _find_formation_position(world: World, formation: str) -> Position | None:
    return world.formations[formation].position if formation in world.formations else None


def enemies_of(world: World, side: str) -> list[Position]:
    """Positions of the enemies of a side that have any strength."""
    present: Mapping[str, list[Unit]] = present_units(world)
    return [
        one.position
        for key, one in sorted(world.formations.items())
        if one.side != side and one.position is not None and count_strength(present.get(key, ()))
    ]


# --- reports (HR-COU-04) ---


def report_to_json(report: Report) -> dict[str, Any]:
    """A report as JSON values, for its courier."""
    position = report.position
    return {
        "formation": report.formation,
        "name": report.name,
        "side": report.side,
        "position": {
            "place": position.place,
            "route": position.route,
            "origin": position.origin,
            "destination": position.destination,
            "yards": position.yards,
        },
        "sp": report.sp,
        "error": report.error,
        "arm": report.arm,
        "day": report.day,
        "minute": report.minute,
        "source": report.source,
        "by": report.by,
        **({"state": report.state} if report.state else {}),
    }


def report_from_json(row: Mapping[str, Any]) -> Report:
    return Report(**{**row, "position": Position(**row["position"])})


def list_fighting_formations(events: Iterable[Event], units: Mapping[str, Unit]) -> frozenset[str]:
    """Formations that met an enemy: news of a battle travels by every road (HR-COU-04)."""
    return frozenset(key for event in events if event.contact for key in _list_event_formations(event, units))


def hold_back(
    events: Iterable[Event],
    side: str,
    apart: Collection[str],
    units: Mapping[str, Unit],
    stands: Mapping[str, str] | None = None,
) -> tuple[list[Event], dict[str, list[Event]]]:
    """Hold back events of columns apart from headquarters until their reports tell them (HR-COU-04).

    Gives the day's events with these told to nobody of the side, and these by the column that will report
    them. `stands` has a column apart by the place or route where it stands, for the news of sieges.
    """
    kept: list[Event] = []
    held: dict[str, list[Event]] = {}
    for event in events:
        by = ""
        if side in event.sides and _is_siege_news(event):
            by = (stands or {}).get(event.place or event.route, "")
        elif event.sides == (side,) and event.kind not in AT_ONCE:
            by = next((key for key in _list_event_formations(event, units) if key in apart), "")
        if by:
            held.setdefault(by, []).append(replace(event, sides=(side,)))
            event = replace(event, sides=tuple(each for each in event.sides if each != side))
        kept.append(event)
    return kept, held


def _is_siege_news(event: Event) -> bool:
    return event.kind in SIEGE_NEWS and not event.data.get("accepted")


def _list_event_formations(event: Event, units: Mapping[str, Unit]) -> tuple[str, ...]:
    """Formations an event is about: its own, those it is joined to, its unit's."""
    unit = units.get(event.unit)
    named = (event.formation, event.data.get("parent"), event.data.get("into"), unit and unit.formation)
    return tuple(key for key in named if isinstance(key, str) and key)


def inner_event(event: Event) -> Event | None:
    """The event that a report tells of, read from the event of its arrival; None if there is none."""
    row = event.data.get("event") if event.kind == "told_by_courier" else None
    return event_from_json(row) if row else None


def lived_to_json(events: Iterable[Event]) -> list[dict[str, Any]]:
    """A column's events as JSON, for its report."""
    return [event_to_json(event) for event in events]


def told_by_courier(side: str, paper: Dispatch, day: int, minute: int) -> list[Event]:
    """Events that tell headquarters on `day` of a column's day, from a report that has arrived."""
    return [
        Event(
            "told_by_courier",
            minute,
            "HR-COU-04",
            (side,),
            formation=paper.origin,
            data={"sent": paper.day, "ago": day - paper.day, "event": row},
        )
        for row in paper.body.get("lived", ())
    ]


def returns_by_courier(world: World, events: Iterable[Event]) -> tuple[World, list[Event]]:
    """Weekly returns follow distant columns by courier (HR-COU-04); none is intercepted."""
    if not world.settings.couriers:
        return world, list(events)
    told, dispatches, seats = list(events), dict(world.dispatches), list_headquarters(world)
    for side in world.theatre.sides:
        apart = {report.formation for key, report in world.reports.items() if key == own_key(report, side.id)}
        told, held = hold_back(told, side.id, apart, world.units)
        for key in sorted(held):
            position = world.formations[key].position
            if position is None or side.id not in seats:
                continue
            days = days_behind(world.theatre.atlas, world.settings, seats[side.id], position)
            due = world.day + days
            body = {"own": None, "sighted": [], "empty": [], "lived": lived_to_json(held[key])}
            dispatches[f"{side.id}/returns/{world.day}/{key}"] = Dispatch(
                side.id, "report", key, "", world.day - 1, due, body
            )
    return replace(world, dispatches=dict(sorted(dispatches.items()))), told


def own_key(report: Report, side: str) -> str:
    """The key of a side's report of its own column; "" for a report of an enemy."""
    return f"{side}/{report.formation}" if report.side == side else ""
