"""The way of a formation's food: from a magazine through the map, past no enemy (HR-SUP-02). No dice."""

import heapq
from collections.abc import Mapping
from dataclasses import dataclass

from campaign.rules.map.atlas import WATER_KINDS, Route
from campaign.rules.map.bridges import atlas_now
from campaign.rules.map.paths import can_embark
from campaign.rules.march.marching import MarchClass, minutes_at, yards_per_day
from campaign.rules.world.world import Position, World, present_units
from rosters.domain.vocabulary import Mobility

#: How food travels: on wheels, and in boats where there is water.
CARTS = MarchClass(Mobility.WAGONS, wheels=True, heavy=True)
#: Settings the carts' rates depend on.
RATES = (
    "march_minutes", "highway_miles", "road_miles", "track_miles", "trail_miles", "wagons_percent",
    "mountain_percent", "lake_miles", "river_down_miles", "river_up_miles", "rapids_down_miles",
    "rapids_up_miles", "tidal_miles", "portage_miles", "wet_days_close_fords", "clearing_yards",
    "portage_days",
)  # fmt: skip


#: Places whose people sell food.
SETTLED = ("city", "town", "village", "farm")


@dataclass(frozen=True, slots=True)
class SupplyLine:
    """A way for food: from the magazine at `way[0]`; `minutes` for carts, `carry` yards of it by land."""

    minutes: int
    carry: int
    way: tuple[str, ...]

    @property
    def source(self) -> str:
        return self.way[0]


#: One route as carts take it: the place at its other end, minutes, yards of land, the route's id.
_Leg = tuple[str, int, int, str]


def list_bases(world: World, side: str) -> list[str]:
    """Supply places of the scenario that a side holds: their food does not run out (HR-SUP-02)."""
    return [place for place in world.theatre.supply.get(side, ()) if world.holders.get(place) == side]


def list_food_sources(world: World, side: str) -> list[str]:
    """Bases and depots with food in them, in order of id."""
    depots = [
        place
        for place, store in world.magazines.items()
        if store.side == side and store.rations and world.holders.get(place) == side
    ]
    return sorted({*list_bases(world, side), *depots})


class Network:
    """Places that one side's carts can reach on one evening; enemies bar places and routes."""

    def __init__(self, world: World, side: str) -> None:
        self.world, self.side = world, side
        self.atlas = world.theatre.atlas
        self.legs = _get_cart_legs(world)
        self.limit = world.settings.supply_reach_days * world.settings.march_minutes
        self.barred, self.blocks = _list_enemy_barriers(world, side)
        starts = [place for place in list_food_sources(world, side) if place not in self.barred]
        self.lines = self._spread(starts, past_enemy=False)
        self._open: dict[str, SupplyLine] | None = None

    def line_to(self, position: Position) -> SupplyLine | None:
        """The shortest line to a formation, None when there is none within the set time."""
        return self._best(self.lines, position, past_enemy=False)

    def broken_at(self, position: Position) -> str:
        """The first place on the way food would take that the enemy bars; "" when it is only too far.

        A route he bars is told as the place it leads to.
        """
        if self._open is None:
            self._open = self._spread(list_food_sources(self.world, self.side), past_enemy=True)
        line = self._best(self._open, position, past_enemy=True)
        if line is None:
            return ""
        for index, place in enumerate(line.way):
            if place in self.barred:
                return place
            onward = line.way[index + 1] if index + 1 < len(line.way) else ""
            if onward and all(route in self.blocks for end, _, _, route in self.legs[place] if end == onward):
                return onward
        return line.way[-1]

    def _best(
        self, lines: Mapping[str, SupplyLine], position: Position, *, past_enemy: bool
    ) -> SupplyLine | None:
        if position.place:
            shut = self.barred.get(position.place) and not past_enemy
            return None if shut else lines.get(position.place)
        route = self.atlas.routes[position.route]
        yards = {position.origin: position.yards, position.destination: route.yards - position.yards}
        found = []
        for end, apart in sorted(yards.items()):
            line = lines.get(end)
            leg = next((one for one in self.legs[end] if one[3] == route.id), None)
            if line is None or leg is None or not (past_enemy or self._is_free(position, end)):
                continue
            land = 0 if route.kind in WATER_KINDS else apart
            minutes = line.minutes + -(-leg[1] * apart // route.yards)
            if minutes <= self.limit:
                found.append(SupplyLine(minutes, line.carry + land, line.way))
        return min(found, key=lambda one: (one.minutes, one.way), default=None)

    def _is_free(self, position: Position, end: str) -> bool:
        """True if no enemy stands on the formation's route between it and that end."""
        route = self.atlas.routes[position.route]
        here = _get_yards_from(position, end, route)
        return all(_get_yards_from(other, end, route) > here for other in self.blocks.get(position.route, ()))

    def _spread(self, starts: list[str], *, past_enemy: bool) -> dict[str, SupplyLine]:
        """The shortest lines from `starts`, by place; of two as short the first by id feeds.

        No line comes where the enemy has troops; at a post he holds without any, one may end.
        """
        barred = {} if past_enemy else self.barred
        blocks = {} if past_enemy else self.blocks
        found: dict[str, SupplyLine] = {}
        queue: list[tuple[int, tuple[str, ...], int]] = [(0, (place,), 0) for place in starts]
        heapq.heapify(queue)
        while queue:
            minutes, way, carry = heapq.heappop(queue)
            here = way[-1]
            if here in found:
                continue
            found[here] = SupplyLine(minutes, carry, way)
            if here in barred:
                continue
            for end, more, land, route in self.legs[here]:
                if end in found or route in blocks or minutes + more > self.limit or barred.get(end):
                    continue
                heapq.heappush(queue, (minutes + more, (*way, end), carry + land))
        return found


def _get_cart_legs(world: World) -> dict[str, list[_Leg]]:
    """Every route as carts take it in fair weather, by the place they leave; kept with the map."""
    settings, atlas = world.settings, atlas_now(world)
    key = ("carts", tuple(getattr(settings, name) for name in RATES))
    if key not in atlas.derived_tables:
        legs: dict[str, list[_Leg]] = {place: [] for place in atlas.places}
        for route in sorted(atlas.routes.values(), key=lambda one: one.id):
            for start in (route.a, route.b):
                rate = yards_per_day(route, start, CARTS, settings)
                if rate is None or not can_embark(atlas, route, start):
                    continue
                land = 0 if route.kind in WATER_KINDS else route.yards
                legs[start].append(
                    (route.other(start), minutes_at(route.yards, rate, settings), land, route.id)
                )
        atlas.derived_tables[key] = legs
    found: dict[str, list[_Leg]] = atlas.derived_tables[key]
    return found


def _list_enemy_barriers(world: World, side: str) -> tuple[dict[str, bool], dict[str, list[Position]]]:
    """Places no line passes (True: nor ends at, for the enemy has troops there), and enemies by route."""
    barred = {place: False for place, holder in world.holders.items() if holder not in ("", side)}
    blocks: dict[str, list[Position]] = {}
    present = present_units(world)
    for key, formation in world.formations.items():
        position = formation.position
        if position is None or formation.side == side:
            continue
        if not any(unit.points for unit in present.get(key, ())):
            continue
        if position.place:
            barred[position.place] = True
        else:
            blocks.setdefault(position.route, []).append(position)
    return barred, blocks


def _get_yards_from(position: Position, end: str, route: Route) -> int:
    """Yards of a position on a route from one of its ends."""
    return position.yards if position.origin == end else route.yards - position.yards


def friendly_country(world: World, position: Position, side: str) -> bool:
    """True if a side's own people feed its troops there (HR-SUP-07).

    At a city, town, village or farm it held on the first morning and holds, or between two such.
    """
    ends = {position.place, position.origin, position.destination} - {""}
    return all(_is_own_settlement(world, place, side) for place in ends)


def _is_own_settlement(world: World, place: str, side: str) -> bool:
    return (
        world.holders.get(place) == side
        and world.theatre.holders.get(place) == side
        and world.theatre.atlas.places[place].kind in SETTLED
    )
