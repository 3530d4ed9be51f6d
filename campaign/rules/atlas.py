"""Places and routes as a networkx multigraph: a road and a river may join the same two places."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import networkx as nx

PlaceKind = Literal["city", "town", "village", "fort", "crossing", "portage", "camp", "farm"]
Terrain = Literal["open", "farmland", "wooded", "forest", "marsh", "hill", "mountain", "urban"]
Fortification = Literal["none", "fieldworks", "stockade", "fort", "fortress"]
Port = Literal["none", "lake", "river", "sea"]
RouteKind = Literal["highway", "road", "track", "trail", "river", "lake", "portage", "sea"]
#: Which way the water of a river runs: from `a` to `b`, from `b` to `a`, with the tide, or not at all.
Flow = Literal["none", "ab", "ba", "tidal", "ab_rapids", "ba_rapids"]

LAND_KINDS = frozenset({"highway", "road", "track", "trail", "portage"})
WATER_KINDS = frozenset({"river", "lake", "sea"})


@dataclass(frozen=True, slots=True)
class Place:
    id: str
    name: str
    lat: float
    lon: float
    kind: PlaceKind
    terrain: Terrain
    fortification: Fortification = "none"
    port: Port = "none"
    note: str = ""


@dataclass(frozen=True, slots=True)
class Route:
    """A way between places `a` and `b`, `yards` long. `crossing` is none, ford, bridge or ferry.

    `wheeled` routes carry guns and wagons.
    """

    id: str
    a: str
    b: str
    kind: RouteKind
    yards: int
    terrain: Terrain
    crossing: Literal["none", "ford", "bridge", "ferry"] = "none"
    wheeled: bool = True
    flow: Flow = "none"
    note: str = ""

    def other(self, place: str) -> str:
        """The place at the other end."""
        return self.b if place == self.a else self.a


def route_id(a: str, b: str, kind: str) -> str:
    return f"{a}--{b}--{kind}"


@dataclass(frozen=True)  # no slots: cached properties need a dict
class Atlas:
    """All places and routes of a theatre. `graph` keys its edges by route id."""

    places: dict[str, Place]
    routes: dict[str, Route]

    @classmethod
    def of(cls, places: Iterable[Place], routes: Iterable[Route]) -> "Atlas":
        return cls({place.id: place for place in places}, {route.id: route for route in routes})

    @cached_property
    def graph(self) -> "nx.MultiGraph[str]":
        graph: nx.MultiGraph[str] = nx.MultiGraph()
        graph.add_nodes_from(sorted(self.places))  # in order of id, so that ties fall alike everywhere
        for route in sorted(self.routes.values(), key=_id):
            graph.add_edge(route.a, route.b, key=route.id, route=route)
        return graph

    @cached_property
    def derived(self) -> dict[Any, Any]:
        """Tables reckoned from this map, kept by those who need them under keys of their own."""
        return {}

    def routes_at(self, place: str) -> tuple[Route, ...]:
        """Routes that meet at `place`, in order of id."""
        return tuple(sorted((data["route"] for _, _, data in self.graph.edges(place, data=True)), key=_id))


def _id(route: Route) -> str:
    return route.id
