"""Small maps for the tests of marching: the road to Albany, the lake, the carrying place."""

from typing import Any

from campaign.rules.map.atlas import Atlas, Place, Route, RouteKind, route_id

MILE = 1760


def place(name: str, **facts: Any) -> Place:
    """A village in the open. All stand on one spot, so that any length of route is sound."""
    known: dict[str, Any] = {"lat": 43.0, "lon": -73.6, "kind": "village", "terrain": "farmland"}
    return Place(id=name, name=name.replace("_", " ").title(), **{**known, **facts})


def route(a: str, b: str, kind: RouteKind = "road", miles: float = 12, **facts: Any) -> Route:
    known: dict[str, Any] = {"terrain": "farmland"}
    return Route(route_id(a, b, kind), a, b, kind, round(miles * MILE), **{**known, **facts})


def atlas(*routes: Route, ports: str = "") -> Atlas:
    """The map of these routes; `ports` names the places where boats lie, apart by spaces."""
    names = sorted({end for way in routes for end in (way.a, way.b)})
    harbours = ports.split()
    return Atlas.of([place(name, port="lake" if name in harbours else "none") for name in names], routes)
