"""Friends near a battle who had no orders: they march to the sound of the guns (HR-CON-09)."""

from itertools import pairwise

import networkx as nx

from campaign.rules.day.field import DayState
from campaign.rules.map.atlas import Route
from campaign.rules.march.columns import Column, Exact, OpenBattle, Way
from campaign.rules.march.marching import MarchClass, find_obstacle
from campaign.rules.world.world import YARDS_PER_MILE


def call_help(field: DayState, battle: OpenBattle, now: Exact) -> None:
    """Roll for every halted column within `unordered_join_miles` of a battle that opens.

    It comes on `unordered_join_on`, by its own march, and joins if it arrives in time.
    """
    limit = field.settings.unordered_join_miles * YARDS_PER_MILE
    for key, path in sorted(_find_ways_to_battle(field, battle, limit).items()):
        column = field.columns[key]
        roll = field.dice.roll("HR-CON-09", f"{battle.key}/{key}")
        comes = roll.value >= field.settings.unordered_join_on
        field.log(
            "called_to_battle",
            now,
            "HR-CON-09",
            (column.side,),
            formation=key,
            contact=battle.key,
            place=column.place,
            rolls=(roll,),
            data={"comes": comes},
        )
        if comes:
            column.path, column.helping = list(path), battle.key
            field.march(column, now)


def _find_ways_to_battle(field: DayState, battle: OpenBattle, limit: int) -> dict[str, list[Way]]:
    """Ways to a battle for those near it, by formation id: the shortest that each can march today."""
    classes: dict[MarchClass, list[Column]] = {}
    for key in sorted(field.columns):
        column = field.columns[key]
        if _may_help(field, column):
            classes.setdefault(column.march, []).append(column)
    found: dict[str, tuple[int, list[Way]]] = {}
    for columns in classes.values():
        for place, spare, last in _list_battle_approaches(field, battle, limit, columns[0]):
            ways = _find_ways_to_place(field, place, spare, columns[0])
            for column in columns:
                if column.place not in ways:
                    continue
                yards, path = ways[column.place]
                yards, path = yards + limit - spare, [*path, *last]
                if path and yards < found.get(column.id, (limit + 1, []))[0]:
                    found[column.id] = (yards, path)
    return {key: path for key, (_, path) in found.items()}


def _find_ways_to_place(
    field: DayState, goal: str, spare: int, column: Column
) -> dict[str, tuple[int, list[Way]]]:
    """Yards and way to `goal`, by place, from all places within `spare` yards of a column's march."""

    def yards_towards(end: str, start: str, _edges: object) -> int | None:
        route = _find_shortest_route(field, start, end, column)
        return None if route is None else route.yards

    places: dict[str, list[str]] = nx.single_source_dijkstra_path(
        field.atlas.graph, goal, cutoff=spare, weight=yards_towards
    )
    found = {}
    for here in sorted(places):
        path = _build_way(field, places[here][::-1], column)
        found[here] = (sum(field.atlas.routes[route].yards for route, _ in path), path)
    return found


def _list_battle_approaches(
    field: DayState, battle: OpenBattle, limit: int, column: Column
) -> list[tuple[str, int, list[Way]]]:
    """Places from which a column reaches a battle, with the yards left to come to them and the last route."""
    if battle.place:
        return [(battle.place, limit, [])]
    route = field.atlas.routes[battle.route]
    ends = ((route.a, battle.yard), (route.b, route.yards - battle.yard))
    return [
        (place, limit - yards, [(route.id, place)])
        for place, yards in ends
        if yards <= limit and _can_take(field, route, place, column)
    ]


def _build_way(field: DayState, places: list[str], column: Column) -> list[Way]:
    routes = [(_find_shortest_route(field, start, end, column), start) for start, end in pairwise(places)]
    return [(route.id, start) for route, start in routes if route is not None]


def _find_shortest_route(field: DayState, start: str, end: str, column: Column) -> Route | None:
    """The shortest route between two neighbours that a column can take from `start`."""
    routes = (data["route"] for data in field.atlas.graph[start][end].values())
    open_to = [route for route in routes if _can_take(field, route, start, column)]
    return min(open_to, key=lambda route: (route.yards, route.id), default=None)


def _can_take(field: DayState, route: Route, start: str, column: Column) -> bool:
    """True if boats, wheels, fords and wind allow a route today (HR-MAR-02, HR-WAT)."""
    if not field.can_embark(column, route, start):
        return False
    return find_obstacle(route, start, column.march, field.settings, field.conditions) is None


def _may_help(field: DayState, column: Column) -> bool:
    """Halted, free to move and fit to fight: garrisons, the beaten and the unwilling stay away.

    So does who has an enemy before him, and units that hold a place for good (HR-FOR-03).
    """
    if not column.place or any(other.side != column.side for other in field.at(column.place)):
        return False
    if all(unit.static for unit in field.units_of(column)):
        return False
    return (
        column.sp > 0
        and not column.path
        and not column.speed
        and column.battle is None
        and not column.waits
        and not column.retreated
        and not column.formation.garrison
        and column.stance != "avoid"
        and column.left > 0
    )
