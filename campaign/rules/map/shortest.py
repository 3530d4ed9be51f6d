"""Shortest ways over plain lists of neighbours: networkx's own algorithms without its layers.

Ties fall as they do in networkx (`tests/campaign/rules/map/test_shortest.py` compares them), so that no
column takes another of two equal ways than it took before.
"""

from collections.abc import Callable, Collection, Iterable
from heapq import heappop, heappush
from itertools import count

#: Neighbours of a place with the cost of the way to each, in the order of the map.
Neighbours = Callable[[str], Iterable[tuple[str, int]]]


def tree_from(
    start: str, ahead: Neighbours, shun: Collection[str] = (), limit: int | None = None
) -> tuple[dict[str, int], dict[str, str]]:
    """Costs of the cheapest ways from `start` to every place, and the place before each on its way.

    Places in `shun` are not entered; nothing that costs more than `limit` is looked for.
    """
    costs: dict[str, int] = {}
    before: dict[str, str] = {}
    seen = {start: 0}
    order = count(1)
    fringe = [(0, 0, start)]
    while fringe:
        cost, _, here = heappop(fringe)
        if here in costs:
            continue
        costs[here] = cost
        for other, more in ahead(here):
            if other in costs or other in shun:
                continue
            reached = cost + more
            if limit is not None and reached > limit:
                continue
            if other not in seen or reached < seen[other]:
                seen[other] = reached
                before[other] = here
                heappush(fringe, (reached, next(order), other))
    return costs, before


def trace_way(end: str, before: dict[str, str]) -> tuple[str, ...] | None:
    """Places after the start of a tree up to `end`; None when the tree does not reach it."""
    if end not in before:
        return None
    way = [end]
    while (last := before.get(way[-1])) is not None:
        way.append(last)
    return tuple(way[-2::-1])


def way_between(
    start: str, goal: str, ahead: Neighbours, behind: Neighbours, avoid: Collection[str] = ()
) -> list[str] | None:
    """Places of the cheapest way from `start` to `goal`, both among them, searched from both ends.

    `behind` gives the neighbours of a place with the cost of coming from each. Places in `avoid` are
    not passed through. None when there is no way.
    """
    if start == goal:
        return [start]
    costs: tuple[dict[str, int], dict[str, int]] = ({}, {})
    seen = ({start: 0}, {goal: 0})
    before: tuple[dict[str, str], dict[str, str]] = ({}, {})
    fringes = ([(0, 0, start)], [(0, 1, goal)])
    order = count(2)
    neighbours = (ahead, behind)
    best: int | None = None
    meets = ""
    way = 1
    while fringes[0] and fringes[1]:
        way = 1 - way
        cost, _, here = heappop(fringes[way])
        if here in costs[way]:
            continue
        costs[way][here] = cost
        if here in costs[1 - way]:
            return _join_ways(meets, before)
        if way == 1 and here in avoid and here != goal:
            continue
        for other, more in neighbours[way](here):
            if other in costs[way] or (way == 0 and other in avoid and other != goal):
                continue
            reached = cost + more
            if other not in seen[way] or reached < seen[way][other]:
                seen[way][other] = reached
                before[way][other] = here
                heappush(fringes[way], (reached, next(order), other))
                if other in seen[1 - way]:
                    whole = reached + seen[1 - way][other]
                    if best is None or best > whole:
                        best, meets = whole, other
    return None


def _join_ways(meets: str, before: tuple[dict[str, str], dict[str, str]]) -> list[str]:
    way = [meets]
    while (last := before[0].get(way[-1])) is not None:
        way.append(last)
    way.reverse()
    while (following := before[1].get(way[-1])) is not None:
        way.append(following)
    return way
