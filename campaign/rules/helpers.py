"""Friends near a battle who had no orders: they march to the sound of the guns (HR-CON-09)."""

from itertools import pairwise

import networkx as nx

from campaign.rules.atlas import Route
from campaign.rules.columns import Battle, Column, Exact, Way
from campaign.rules.field import Field
from campaign.rules.paths import can_embark
from campaign.rules.world import YARDS_PER_MILE


def call_help(field: Field, battle: Battle, now: Exact) -> None:
    """Roll for every halted column within `unordered_join_miles` of a battle that opens.

    It comes on `unordered_join_on`, by its own march, and joins if it arrives in time.
    """
    limit = field.settings.unordered_join_miles * YARDS_PER_MILE
    for key, path in sorted(_paths(field, battle, limit).items()):
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


def _paths(field: Field, battle: Battle, limit: int) -> dict[str, list[Way]]:
    """Ways to a battle for those near it, by formation id."""

    def yards_towards(end: str, start: str, _edges: object) -> int | None:
        route = _shortest(field, start, end)
        return None if route is None else route.yards

    found: dict[str, tuple[int, list[Way]]] = {}
    for place, spare, last in _gates(field, battle, limit):
        ways: dict[str, list[str]] = nx.single_source_dijkstra_path(
            field.atlas.graph, place, cutoff=spare, weight=yards_towards
        )
        for here in sorted(ways):
            path = [*_path(field, list(reversed(ways[here]))), *last]
            yards = (
                limit
                - spare
                + sum(field.atlas.routes[route].yards for route, _ in path[: len(ways[here]) - 1])
            )
            for column in field.at(here):
                if path and _idle(field, column) and yards < found.get(column.id, (limit + 1, []))[0]:
                    found[column.id] = (yards, path)
    return {key: path for key, (_, path) in found.items()}


def _gates(field: Field, battle: Battle, limit: int) -> list[tuple[str, int, list[Way]]]:
    """Places from which a battle is reached, with the yards left to come to them and the last route."""
    if battle.place:
        return [(battle.place, limit, [])]
    route = field.atlas.routes[battle.route]
    ends = ((route.a, battle.yard), (route.b, route.yards - battle.yard))
    return [(place, limit - yards, [(route.id, place)]) for place, yards in ends if yards <= limit]


def _path(field: Field, places: list[str]) -> list[Way]:
    routes = [(_shortest(field, start, end), start) for start, end in pairwise(places)]
    return [(route.id, start) for route, start in routes if route is not None]


def _shortest(field: Field, start: str, end: str) -> Route | None:
    """The shortest route between two neighbours that can be taken from `start`."""
    routes = (data["route"] for data in field.atlas.graph[start][end].values())
    open_to = [route for route in routes if can_embark(field.atlas, route, start)]
    return min(open_to, key=lambda route: (route.yards, route.id), default=None)


def _idle(field: Field, column: Column) -> bool:
    """Halted, free to move and fit to fight: garrisons, the beaten and the unwilling stay away.

    So does who has an enemy before him.
    """
    if any(other.side != column.side for other in field.at(column.place)):
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
