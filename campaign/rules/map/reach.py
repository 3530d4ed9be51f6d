"""The reach of a march of some days, on every way (HR-MAR-08)."""

from dataclasses import dataclass

import networkx as nx

from campaign.rules.day.weather import FAIR, Conditions
from campaign.rules.map.atlas import Atlas
from campaign.rules.map.paths import MinuteTable, first_legs, minute_table, verify_places, ways_open
from campaign.rules.march.marching import MarchClass, minutes_of_day, yards_at
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Position


@dataclass(frozen=True, slots=True)
class RouteStretch:
    """The part of `route` from `start` to `end` yards from its end `origin`."""

    route: str
    origin: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Reach:
    """The reach of a march: minutes to each place, and the stretches of route covered."""

    places: dict[str, int]
    stretches: tuple[RouteStretch, ...]


def find_reach(
    atlas: Atlas,
    position: Position,
    percent: int,
    march: MarchClass,
    settings: RuleSettings,
    conditions: Conditions = FAIR,
    *,
    light_order: bool = False,
    by_water: bool = False,
    days: int = 1,
) -> Reach:
    """All that can be reached from `position` in `days` of `percent` (100, 150, 200) of a day's march."""
    verify_places(atlas, position, ())
    table = minute_table(atlas, march, settings, conditions, light_order, ways_open(settings, by_water))
    budget = minutes_of_day(percent, settings) * days
    places: dict[str, int] = {}
    stretches: list[RouteStretch] = []
    starts = [(position.place, 0)] if position.place else []
    for leg in first_legs(table, position) if position.route else ():
        yards = min(leg.yards, yards_at(budget, leg.rate, settings))
        stretches.append(RouteStretch(leg.route, leg.origin, leg.start, leg.start + yards))
        starts.append((leg.destination, leg.minutes))
    for start, spent in starts:
        if spent <= budget:
            for place, minutes in _minutes_from(table, start, budget - spent).items():
                places[place] = min(places.get(place, budget), spent + minutes)
    stretches += _list_stretches(table, places, budget)
    return Reach(dict(sorted(places.items())), tuple(stretches))


def _minutes_from(table: MinuteTable, start: str, budget: int) -> dict[str, int]:
    found = nx.single_source_dijkstra_path_length(
        table.atlas.graph, start, cutoff=budget, weight=table.weight
    )
    return {place: int(minutes) for place, minutes in found.items()}


def _list_stretches(table: MinuteTable, places: dict[str, int], budget: int) -> list[RouteStretch]:
    found = []
    for place in sorted(places):
        for route in table.atlas.routes_at(place):
            rate = table.rate(route, place) if table.minutes(route, place) is not None else None
            yards = 0 if rate is None else yards_at(budget - places[place], rate, table.settings)
            if yards > 0:
                found.append(RouteStretch(route.id, place, 0, min(yards, route.yards)))
    return found
