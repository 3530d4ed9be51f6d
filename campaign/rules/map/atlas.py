"""Places and routes as a networkx multigraph: a road and a river may join the same two places."""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import networkx as nx

from campaign.rules.world.world import YARDS_PER_MILE

PlaceKind = Literal["city", "town", "village", "fort", "crossing", "portage", "camp", "farm"]
Terrain = Literal["open", "farmland", "wooded", "forest", "marsh", "hill", "mountain", "urban", "pines"]
Fortification = Literal["none", "fieldworks", "stockade", "fort", "fortress"]
Port = Literal["none", "lake", "river", "sea"]
RouteKind = Literal["highway", "road", "track", "trail", "river", "lake", "portage", "sea"]
#: Which way the water of a river runs: from `a` to `b`, from `b` to `a`, with the tide, or not at all.
Flow = Literal["none", "ab", "ba", "tidal", "ab_rapids", "ba_rapids"]

LAND_KINDS = frozenset({"highway", "road", "track", "trail", "portage"})
WATER_KINDS = frozenset({"river", "lake", "sea"})
#: Works that are closed all round: they are stormed or invested; field works are fought over (HR-SIE-01).
CLOSED: frozenset[Fortification] = frozenset({"stockade", "fort", "fortress"})

#: Mean radius of the earth in statute miles.
EARTH_MILES = 3958.7613
#: Slack for lengths rounded to whole yards.
ROUNDING_YARDS = 1


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

    `wheeled` routes carry guns and wagons. `broken` and `felled` are never the map's own: the bridge or
    ferry does not stand at present (HR-BRG-01), and so many yards of it are felled (HR-OBS-01).
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
    broken: bool = False
    felled: int = 0

    @property
    def bars_wheels(self) -> bool:
        """True if guns and wagons cannot pass (HR-MAR-02); on water they go in boats (HR-WAT-02)."""
        return (self.broken or not self.wheeled) and self.kind not in WATER_KINDS

    @property
    def whole(self) -> "Route":
        """The route with its crossing as the map has it: for who is on it already (HR-BRG-01)."""
        return replace(self, broken=False) if self.broken else self

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
        for route in sorted(self.routes.values(), key=_get_route_id):
            graph.add_edge(route.a, route.b, key=route.id, route=route)
        return graph

    @cached_property
    def derived_tables(self) -> dict[Any, Any]:
        """Tables reckoned from this map, kept by those who need them under keys of their own."""
        return {}

    def routes_at(self, place: str) -> tuple[Route, ...]:
        """Routes that meet at `place`, in order of id."""
        return tuple(
            sorted((data["route"] for _, _, data in self.graph.edges(place, data=True)), key=_get_route_id)
        )


def _get_route_id(route: Route) -> str:
    return route.id


# --- what is wrong with a map (HR-MAP-01) ---


@dataclass(frozen=True, slots=True)
class AtlasFault:
    """A fault of the `index`-th place or route as listed, or of the map; `reason` is a sentence."""

    of: Literal["place", "route", "map"]
    index: int
    reason: str


def atlas_problems(places: Iterable[Place], routes: Iterable[Route]) -> list[str]:
    """Everything wrong with a map, a sentence each; empty when it is sound (HR-MAP-01)."""
    return [fault.reason for fault in atlas_faults(list(places), list(routes))]


def atlas_faults(places: Sequence[Place], routes: Sequence[Route]) -> list[AtlasFault]:
    """All faults of a map, each with its place or route (HR-MAP-01).

    Looks for ids that are odd or double, routes to unknown places or back to the same place, two
    routes of one kind between the same places, routes shorter than the straight line over the
    globe, and places that no route joins to the rest.
    """
    known = {place.id: place for place in places}
    faults = [*_id_faults("place", [place.id for place in places])]
    faults += _id_faults("route", [route.id for route in routes])
    seen: dict[tuple[frozenset[str], RouteKind], str] = {}
    for index, route in enumerate(routes):
        faults += [AtlasFault("route", index, reason) for reason in _route_problems(route, known)]
        double = seen.setdefault((frozenset((route.a, route.b)), route.kind), route.id)
        if double != route.id:
            reason = f"Route {route.id} joins the same places as {double} by {route.kind}; leave one out."
            faults.append(AtlasFault("route", index, reason))
    faults += _connection_faults(known, places, routes)
    return faults


def great_circle_miles(first: Place, second: Place) -> float:
    """Statute miles between two places over the globe (haversine)."""
    north, east = math.radians(second.lat - first.lat), math.radians(second.lon - first.lon)
    across = math.cos(math.radians(first.lat)) * math.cos(math.radians(second.lat))
    chord = math.sin(north / 2) ** 2 + across * math.sin(east / 2) ** 2
    return 2 * EARTH_MILES * math.asin(math.sqrt(min(1.0, chord)))


def _id_faults(what: Literal["place", "route"], ids: list[str]) -> Iterator[AtlasFault]:
    seen: set[str] = set()
    for index, name in enumerate(ids):
        if not re.fullmatch(r"[A-Za-z0-9_-]+", name):
            reason = f"The {what} id {name!r} may hold only letters, digits, - and _; rename it."
            yield AtlasFault(what, index, reason)
        if name in seen:
            yield AtlasFault(what, index, f"Two {what}s have the id {name!r}; rename one.")
        seen.add(name)


def _route_problems(route: Route, known: dict[str, Place]) -> Iterator[str]:
    strangers = [end for end in dict.fromkeys((route.a, route.b)) if end not in known]
    for end in strangers:
        yield f"Route {route.id} leads to {end!r}, which is not a place of the map; correct one of them."
    if route.a == route.b:
        yield f"Route {route.id} leads from {route.a} back to itself; give it two ends."
    if route.yards < 1:
        yield f"Route {route.id} is {route.yards} yards long; it must be at least 1."
    elif not strangers:
        straight = math.floor(great_circle_miles(known[route.a], known[route.b]) * YARDS_PER_MILE)
        if route.yards + ROUNDING_YARDS < straight:
            yield (
                f"Route {route.id} is {route.yards / YARDS_PER_MILE:.1f} miles long, but its ends are "
                f"{straight / YARDS_PER_MILE:.1f} miles apart; correct the length or the places."
            )


def _connection_faults(
    known: dict[str, Place], places: Sequence[Place], routes: Sequence[Route]
) -> Iterator[AtlasFault]:
    """One fault for each part of the map cut off from the largest, on that part's first place."""
    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(known)
    graph.add_edges_from((route.a, route.b) for route in routes if route.a in known and route.b in known)
    if not known:
        yield AtlasFault("map", 0, "The map has no places; add some.")
        return
    rows = {place.id: index for index, place in reversed(list(enumerate(places)))}
    parts = sorted(
        (sorted(part) for part in nx.connected_components(graph)), key=lambda part: (-len(part), part)
    )
    for part in parts[1:]:
        named = ", ".join(part[:5]) + (f" and {len(part) - 5} more" if len(part) > 5 else "")
        reason = f"No route joins {named} to the rest of the map; add one."
        yield AtlasFault("place", min(rows[name] for name in part), reason)
