"""Another truth that a side could not tell from the true one, and papers its people may try.

`otherwise` and `apart` change what is hidden from a side; `papers_tried` is what `orders/validate/` is asked.
"""

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any

from campaign.ai.commander import staff_orders
from campaign.ai.estimated_world import build_estimated_world
from campaign.rules.dispatches.couriers import days_behind, find_headquarters
from campaign.rules.scouting.knowledge import build_reported_world, own_report, side_view
from campaign.rules.world.markers import Boats, Bridge, Felled, Magazine, Raft, Siege, Terms, Works
from campaign.rules.world.world import Order, Position, UnitStatus, World
from campaign.rules.world.world_json import world_hash
from rosters.domain.vocabulary import POOL_NATION, TYPES, Arm, GunClass, Nation, TroopType
from tests.campaign.web.hidden_fields import rest_changed, riding_changed

Change = Callable[[World], World]
#: Work that is ordered at a place, and on a route.
AT_A_PLACE = ("rest", "entrench", "dismantle", "gather_boats", "siege")
ON_A_ROUTE = ("break_bridge", "repair_bridge", "lay_bridge", "obstruct")


def otherwise(side: str, known: str) -> Change:
    """The enemies a side does not see: elsewhere, half as strong, natives, and by other names if it knows
    none. All enemies' orders and pools are others, what of the enemy's lies on ground it does not see and who
    holds that, and all the rest that is the enemy's own or the umpire's (`hidden_fields.py`)."""

    def change(world: World) -> World:
        hidden = unseen_enemies(world, side)
        unseen = sorted(set(world.theatre.atlas.places) - side_view(world, side).visible)
        world = _ordered(_others(_changed(world, hidden, unseen, known), hidden, known), side)
        world = rest_changed(_pools_changed(world, side), side, unseen)
        return _laid(world, world.theatre.enemy_of(side), unseen) if unseen else world

    return change


def together(*changes: Change) -> Change:
    """All of these changes in one, so that every answer is asked for once more and no oftener."""

    def change(world: World) -> World:
        for each in changes:
            world = each(world)
        return world

    return change


def unseen_enemies(world: World, side: str) -> list[str]:
    """Formations of the enemy on the map that a side does not see now, reported before or never."""
    watch = world.watches[side]
    in_sight = {
        report.formation
        for key, report in world.reports.items()
        if key.startswith(f"{side}/") and (report.day, report.minute) == (watch.day, watch.minute)
    }
    return [
        key
        for key, one in sorted(world.formations.items())
        if one.side != side and key not in in_sight and one.position is not None
    ]


def apart(side: str) -> Change:
    """A side's own columns that are far from headquarters: elsewhere and weaker than they reported.

    So are the counters of both sides there, the enemies nobody near sees, and what rides (HR-COU-04).
    """

    def change(world: World) -> World:
        far = [
            key
            for key, one in sorted(world.formations.items())
            if one.side == side and one.position is not None and own_report(world, one) is not None
        ]
        everybody = repr((world.formations, world.units))
        after = _changed(world, far, sorted(world.theatre.atlas.places), everybody)
        # who is still to come is in the calendar of arrivals with his strength
        coming = {key: one for key, one in world.units.items() if one.status is not UnitStatus.PRESENT}
        after = replace(after, units={**after.units, **coming})
        seat = headquarters_position(world, side)
        distant = [
            place
            for place in sorted(world.theatre.atlas.places)
            if seat is not None
            and days_behind(world.theatre.atlas, world.settings, Position(place=place), seat)
        ]
        if world.settings.fog == "full":  # what far columns saw there is as old as their reports
            after = _changed(after, unseen_enemies(world, side), distant, everybody)
        laid = _laid(riding_changed(after, side), side, distant[::2])
        if world.settings.fog == "off":  # the enemy's, and roads and crossings, are open to see (HR-FOG-06)
            return replace(laid, bridges=world.bridges, felled=world.felled, rafts=world.rafts)
        return _laid(laid, world.theatre.enemy_of(side), distant[1::2])

    return change


def headquarters_position(world: World, side: str) -> Position | None:
    one = world.formations.get(find_headquarters(world, side))
    return one.position if one is not None else None


def _laid(world: World, owner: str, places: Collection[str]) -> World:
    """Counters of every kind at these places, of this owner, in place of his that lay there.

    On routes between two of them they are such as he alone has heard of.
    """
    atlas, there = world.theatre.atlas, set(places)
    routes = [key for key, one in sorted(atlas.routes.items()) if {one.a, one.b} <= there]
    made: dict[str, dict[str, Any]] = {
        "works": {key: Works(owner, 1 + number % 5) for number, key in enumerate(places)},
        "boats": {key: Boats(owner, 50 * (1 + number % 7)) for number, key in enumerate(places)},
        "sieges": {key: Siege(owner, world.day) for key in list(places)[::3]},
        "terms": {key: Terms(owner, world.day) for key in list(places)[1::3]},
        "magazines": {key: Magazine(owner, 500 * (1 + number % 9)) for number, key in enumerate(places)},
        "bridges": {key: Bridge(world.day, known_by=owner) for key in routes[::2]},
        "felled": {key: Felled(0, atlas.routes[key].yards // 2, known_by=owner) for key in routes[1::2]},
        "rafts": {key: Raft(world.day, 40, known_by=owner) for key in routes[::3]},
    }
    laid: dict[str, Any] = {}
    for kind, rows in made.items():
        there_before: dict[str, Any] = getattr(world, kind)
        kept = {
            key: row
            for key, row in there_before.items()
            if key not in there or getattr(row, "side", owner) != owner
        }
        laid[kind] = {**kept, **{key: row for key, row in rows.items() if key not in there_before}}
    return replace(world, **laid)


def _others(world: World, hidden: Collection[str], known: str) -> World:
    """The units of these formations are of other kinds, some of them in another, and some have gone home.

    Whom they are under is another where that is not in `known`.
    """
    moved = list(hidden)
    formations, units = dict(world.formations), dict(world.units)
    for key in moved:
        one = formations[key]
        commander = one.commander if one.commander in known else f"{one.commander} the elder"
        formations[key] = replace(
            one, commander=commander, garrison=not one.garrison, parent="" if one.parent else moved[0]
        )
    for number, (key, unit) in enumerate(sorted(world.units.items())):
        if unit.formation not in formations.keys() & set(moved) or unit.status is not UnitStatus.PRESENT:
            continue
        arm = TYPES[unit.troop_type].arm
        units[key] = replace(
            unit,
            troop_type=TroopType.INDIANS if arm is Arm.FOOT else unit.troop_type,
            nation=Nation.NATIVE if arm is Arm.FOOT else unit.nation,
            gun_class=GunClass.LIGHT if unit.gun_class is GunClass.MEDIUM else unit.gun_class,
            regiment=f"{unit.regiment} II",
            since=unit.since + 2,
            home="",
            poor_militia=not unit.poor_militia,
            static=not unit.static,
            departs=(unit.departs or world.day) + 9,
            status=UnitStatus.ABSENT if number % 7 == 3 else unit.status,
            formation=moved[(moved.index(unit.formation) + 1) % len(moved)]
            if number % 5 == 2
            else unit.formation,
        )
    return replace(world, formations=formations, units=units)


def _ordered(world: World, side: str) -> World:
    """The enemies' orders, whoever sees them, are others."""
    return replace(
        world,
        formations={
            key: replace(one, order=Order(key, stance="avoid") if one.order is None else None)
            if one.side != side and one.position is not None
            else one
            for key, one in world.formations.items()
        },
    )


def _pools_changed(world: World, side: str) -> World:
    """The pools only the enemy draws on hold more."""
    own = {POOL_NATION[unit.nation] for unit in world.units.values() if unit.side == side}
    return replace(
        world,
        pools={
            key: points if key.partition("/")[0] in own else points + 35
            for key, points in world.pools.items()
        },
    )


def _changed(world: World, hidden: Collection[str], places: list[str], known: str) -> World:
    """These formations at other places, their units at half strength; names in `known` stay."""

    def named(name: str, other: str) -> str:
        return name if name in known else other

    if not places:
        return world
    moved = {
        key: replace(
            world.formations[key],
            name=named(world.formations[key].name, f"{world.formations[key].name} under another name"),
            position=Position(place=places[number % len(places)]),
        )
        for number, key in enumerate(hidden)
    }
    units = {
        key: replace(unit, points=unit.points // 2 // 5 * 5, name=named(unit.name, f"{unit.name} II"))
        if unit.formation in moved
        else unit
        for key, unit in world.units.items()
    }
    return replace(world, formations={**world.formations, **moved}, units=units)


# --- papers that are tried ---


def papers_tried(world: World, side: str) -> list[dict[str, Any]]:
    """Orders and acts for each of a side's columns, as `orders/validate/` is asked of them."""
    atlas = world.theatre.atlas
    own = [key for key, one in sorted(world.formations.items()) if one.side == side and one.position]
    tried: list[dict[str, Any]] = []
    for number, key in enumerate(own):
        here = build_reported_world(world, side).formations[key].position
        place = here.place or here.origin if here is not None else ""
        routes = [route.id for route in atlas.routes_at(place)]
        ends = sorted(atlas.places)
        goals = {*(atlas.routes[each].other(place) for each in routes), ends[number % len(ends)], place}
        tried += [{"order": {"formation": key, "via": [goal]}} for goal in sorted(goals)]
        tried += [{"order": {"formation": key, "via": [goal], "by_water": True}} for goal in sorted(goals)]
        tried += [{"order": {"formation": key, "activity": each}} for each in AT_A_PLACE]
        tried += [
            {"order": {"formation": key, "activity": each, "target": route}}
            for each in ON_A_ROUTE
            for route in routes
        ]
        tried += [{"acts": [{"kind": kind, "formation": key}]} for kind in ("depot", "load")]
        tried.append({"acts": [{"kind": "garrison", "formation": key, "on": True}]})
        tried.append({"acts": [{"kind": "ration", "formation": key, "short": True}]})
        tried.append({"acts": [{"kind": "join", "formation": key, "into": own[number - 1]}]})
    return tried


def forms_tried(tried: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The orders among these papers as the order form sends them."""
    return [
        {
            "formation": order["formation"],
            "activity": order.get("activity", "march"),
            "destination": (order.get("via") or [""])[-1],
            "target": order.get("target", ""),
            "pace": "double",
            "stance": "attack",
            **({"by_water": "on"} if order.get("by_water") else {}),
        }
        for order in (paper["order"] for paper in tried if "order" in paper)
    ]


def describe_staff_plans(world: World, side: str) -> str:
    """What a side's forecasts begin with, and what its staff would order: both from what it knows."""
    return f"{world_hash(build_estimated_world(world, side))} {staff_orders(world, side)!r}"
