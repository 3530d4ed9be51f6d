"""Formations held up by an undecided battle: its ground, and columns that come near it (HR-CAL-10)."""

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from campaign.rules.army.organisation import Organisation, organise_formations
from campaign.rules.contact.contact import Contact
from campaign.rules.day.weather import FAIR, Conditions
from campaign.rules.dispatches.organisation_dispatches import acts_due, orders_due
from campaign.rules.errors import RuleViolation
from campaign.rules.map.atlas import Atlas
from campaign.rules.map.paths import Leg
from campaign.rules.march.marching import day_minutes, formation_mobility, yards_at, yards_per_day
from campaign.rules.orders.orders import checked_march, order_of_the_day
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import YARDS_PER_MILE, Formation, Order, Unit, World, present_units

#: Activities whose way nobody can tell beforehand.
CHASING = frozenset({"follow", "intercept"})


@dataclass(frozen=True, slots=True)
class Zone:
    """Ground that may be touched: yards left on coming to each place of it, and routes as a whole."""

    left: Mapping[str, int]
    routes: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Footprint:
    """The ground a column may touch in a day: places and routes, and `stops` part-way along a route.

    A stop is a route and the yards from its end `a`; `far` are yards it may go from where it stands
    in any direction.
    """

    places: tuple[str, ...]
    routes: frozenset[str]
    stops: tuple[tuple[str, int], ...]
    far: int = 0


@dataclass(frozen=True, slots=True)
class Today:
    """A day's start besides its orders: its weather, and organisation acts at dawn (HR-ORG-07)."""

    conditions: Conditions = FAIR
    acts: tuple[Organisation, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """Formations an undecided battle locks, the contacts they wait for, and the ground they may touch."""

    formations: tuple[str, ...]
    contacts: tuple[str, ...]
    zone: Zone


def find_contact_members(world: World, contact: Contact) -> set[str]:
    """Formations of the morning that fight in a contact; those made since count as what they came from."""
    members = {each.formation for each in contact.participants if each.formation in world.formations}
    return members | {world.units[fighter.unit].formation for fighter in contact.units}


def lock_formations(
    world: World,
    orders: Mapping[str, Order],
    contact: Contact,
    passed_over: Iterable[str] = (),
    today: Today = Today(),
) -> Part:
    """The formations that must wait for the outcome of `contact` on this day (HR-CAL-10).

    Its participants; every column whose way of the day comes within a retreat and a march to the guns
    of its ground or of their own ways; and, in turn, who comes within a march to the guns of these.
    Formations in `passed_over` are not looked at.
    """
    prints = build_footprints(world, orders, today)
    atlas, settings = world.theatre.atlas, world.settings
    near, wide = get_lock_margins(settings)
    members = find_contact_members(world, contact)
    zone = _build_zone(atlas, [(_build_contact_footprint(contact), wide)])
    zone = merge_zones(
        zone, _build_zone(atlas, [(prints[key], wide) for key in sorted(members) if key in prints])
    )
    seen = set(passed_over)
    caught = _list_columns_in_zone(atlas, zone, prints, members | seen)
    while caught:
        members.update(caught)
        zone = merge_zones(zone, _build_zone(atlas, [(prints[key], near) for key in caught]))
        caught = _list_columns_in_zone(atlas, zone, prints, members | seen)
    return Part(tuple(sorted(members)), (contact.key,), zone)


def widen_parts(
    world: World, orders: Mapping[str, Order], parts: Sequence[Part], today: Today = Today()
) -> tuple[Part, ...]:
    """The parts on a later day, with the columns whose way of that day comes near them (HR-CAL-10)."""
    prints = build_footprints(world, orders, today)
    atlas = world.theatre.atlas
    near, _ = get_lock_margins(world.settings)
    found = list(parts)
    changed = True
    while changed:
        changed = False
        for number, part in enumerate(found):
            locked = {key for each in found for key in each.formations}
            caught = _list_columns_in_zone(atlas, part.zone, prints, locked)
            if caught:
                changed = True
                # It halts where it stands this morning.
                stands = [(build_halted_footprint(world, world.formations[key]), near) for key in caught]
                zone = merge_zones(part.zone, _build_zone(atlas, stands))
                found[number] = Part(tuple(sorted({*part.formations, *caught})), part.contacts, zone)
    return tuple(found)


def merge_parts(one: Part, other: Part) -> Part:
    """Two parts that may touch, as one that waits for the contacts of the first."""
    members = tuple(sorted({*one.formations, *other.formations}))
    return Part(members, one.contacts, merge_zones(one.zone, other.zone))


def get_lock_margins(settings: RuleSettings) -> tuple[int, int]:
    """Yards within which help comes to a battle, and those with a retreat before it."""
    near = settings.unordered_join_miles * YARDS_PER_MILE
    return near, near + settings.retreat_miles * YARDS_PER_MILE


# --- footprints ---


def build_footprints(
    world: World, orders: Mapping[str, Order], today: Today = Today()
) -> dict[str, Footprint]:
    """The footprint of each formation on the map for the day, at the most its rules allow.

    Who is detached at dawn counts with those he comes from, who is joined to others stands where he was.
    """
    acts, by_courier = [*acts_due(world), *today.acts], orders_due(world)
    dawn = organise_formations(world, acts)[0] if acts else world
    present = present_units(dawn)
    here = present_units(world)
    found = {
        key: build_halted_footprint(world, world.formations[key])
        for key in sorted(here)
        if world.formations[key].position is not None
    }
    for key in sorted(present):
        body = dawn.formations[key]
        if body.position is None:
            continue
        touched = build_footprint(dawn, body, orders.get(key, body.order), present, today.conditions)
        if key in by_courier:
            touched = _merge_footprints(
                touched, build_footprint(dawn, body, by_courier[key], present, today.conditions)
            )
        owners = {key} if key in found else {world.units[unit.id].formation for unit in present[key]}
        for owner in sorted(owners):
            found[owner] = _merge_footprints(found[owner], touched) if owner in found else touched
    return found


def build_footprint(
    world: World,
    formation: Formation,
    order: Order | None,
    present: Mapping[str, Sequence[Unit]],
    conditions: Conditions = FAIR,
) -> Footprint:
    """The footprint of one formation under `order`, in fair weather and in that of the day."""
    here = build_halted_footprint(world, formation)
    if formation.garrison:
        return here
    order = order_of_the_day(world, formation, order)
    units = present[formation.id]
    everywhere = world.settings.lock_reach == "march" or (order is not None and order.activity in CHASING)
    if everywhere:
        return Footprint(here.places, here.routes, here.stops, _measure_longest_march(world, units))
    if order is None or not (order.via or order.stages):
        return here
    if order.stages:  # which of them is begun today depends on what happens
        return Footprint(here.places, here.routes, here.stops, _measure_longest_march(world, units))
    found = here
    for weather in dict.fromkeys((FAIR, conditions)):
        try:
            legs = checked_march(world, order, None, present, weather).legs
        except RuleViolation:
            continue
        found = _merge_footprints(
            found, _build_march_footprint(world, legs, day_minutes(order.pace, world.settings), here)
        )
    return found


def _merge_footprints(one: Footprint, other: Footprint) -> Footprint:
    return Footprint(
        tuple(dict.fromkeys((*one.places, *other.places))),
        one.routes | other.routes,
        tuple(dict.fromkeys((*one.stops, *other.stops))),
        max(one.far, other.far),
    )


def build_halted_footprint(world: World, formation: Formation) -> Footprint:
    """The footprint of a formation that stays where it is."""
    position = formation.position
    assert position is not None
    if position.place:
        return Footprint((position.place,), frozenset(), ())
    route = world.theatre.atlas.routes[position.route]
    yards = position.yards if position.origin == route.a else route.yards - position.yards
    return Footprint((), frozenset({route.id}), ((route.id, yards),))


def _build_march_footprint(world: World, legs: Sequence[Leg], minutes: int, here: Footprint) -> Footprint:
    places, routes, stops = [*here.places], {*here.routes}, [*here.stops]
    for leg in legs:
        routes.add(leg.route)
        if leg.minutes > minutes:
            route = world.theatre.atlas.routes[leg.route]
            yards = leg.start + min(leg.yards, yards_at(minutes, leg.rate, world.settings))
            stops.append((leg.route, yards if leg.origin == route.a else route.yards - yards))
            break
        minutes -= leg.minutes
        places.append(leg.destination)
    return Footprint(tuple(places), frozenset(routes), tuple(stops))


def _measure_longest_march(world: World, units: Sequence[Unit]) -> int:
    """Yards of the longest day's march on the best of the map's routes, in light order."""
    settings, march = world.settings, formation_mobility(units)
    rates = {
        yards_per_day(route, end, march, settings, light_order=not march.heavy) or 0
        for route in world.theatre.atlas.routes.values()
        for end in (route.a, route.b)
    }
    return yards_at(day_minutes("double", settings), max(rates, default=0), settings)


# --- zones ---


def _build_contact_footprint(contact: Contact) -> Footprint:
    if contact.place:
        return Footprint((contact.place,), frozenset(), ())
    return Footprint((), frozenset({contact.route}), ((contact.route, contact.yards),))


def _build_zone(atlas: Atlas, prints: Iterable[tuple[Footprint, int]]) -> Zone:
    """The ground within the given yards of each footprint."""
    starts: dict[str, int] = {}
    routes: set[str] = set()
    for each, yards in prints:
        routes |= each.routes
        for place, left in _iter_zone_starts(atlas, each, yards):
            starts[place] = max(starts.get(place, 0), left)
    return Zone(_spread_yards(atlas, starts), frozenset(routes))


def _iter_zone_starts(atlas: Atlas, each: Footprint, yards: int) -> Iterable[tuple[str, int]]:
    yield from ((place, yards) for place in each.places)
    for route_id, at in each.stops:
        route = atlas.routes[route_id]
        yield from (
            (end, left)
            for end, left in ((route.a, yards - at), (route.b, yards - route.yards + at))
            if left >= 0
        )


def _spread_yards(atlas: Atlas, starts: Mapping[str, int]) -> dict[str, int]:
    """The most yards left on coming to each place from any of the starts."""
    heap = [(-left, place) for place, left in sorted(starts.items())]
    heapq.heapify(heap)
    found: dict[str, int] = {}
    while heap:
        left, place = heapq.heappop(heap)
        if place in found:
            continue
        found[place] = -left
        for route in atlas.routes_at(place):
            if -left >= route.yards:
                heapq.heappush(heap, (left + route.yards, route.other(place)))
    return found


def merge_zones(one: Zone, other: Zone) -> Zone:
    left = dict(one.left)
    for place, yards in other.left.items():
        left[place] = max(left.get(place, 0), yards)
    return Zone(left, one.routes | other.routes)


def _list_columns_in_zone(
    atlas: Atlas, zone: Zone, prints: Mapping[str, Footprint], known: Iterable[str]
) -> list[str]:
    passed = set(known)
    return [key for key in sorted(prints) if key not in passed and may_touch_zone(atlas, zone, prints[key])]


def may_touch_zone(atlas: Atlas, zone: Zone, each: Footprint) -> bool:
    """True if a column may come onto the ground of a zone."""
    if each.routes & zone.routes or any(place in zone.left for place in each.places):
        return True
    for route_id, at in each.stops:
        route = atlas.routes[route_id]
        if zone.left.get(route.a, -1) >= at or zone.left.get(route.b, -1) >= route.yards - at:
            return True
    if not each.far:
        return False
    reach = _spread_yards(atlas, dict(_iter_zone_starts(atlas, each, each.far)))
    return any(place in zone.left for place in reach) or any(
        yards + zone.left.get(route.other(place), -route.yards) >= route.yards
        for place, yards in reach.items()
        for route in atlas.routes_at(place)
    )


# --- parts as stored ---


def part_to_json(part: Part) -> dict[str, Any]:
    """A part as JSON values."""
    return {
        "formations": list(part.formations),
        "contacts": list(part.contacts),
        "left": dict(sorted(part.zone.left.items())),
        "routes": sorted(part.zone.routes),
    }


def part_from_json(data: Mapping[str, Any]) -> Part:
    """The inverse of `part_to_json`."""
    zone = Zone(dict(data["left"]), frozenset(data["routes"]))
    return Part(tuple(data["formations"]), tuple(data["contacts"]), zone)
