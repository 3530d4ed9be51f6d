"""Reading a scenario's map: places, routes, and which way the rivers run."""

from typing import Any, get_args

import networkx as nx

from campaign.rules.atlas import (
    Atlas,
    Flow,
    Fortification,
    Place,
    PlaceKind,
    Port,
    Route,
    RouteKind,
    Terrain,
    great_circle_miles,
)
from campaign.rules.atlas import route_id as route_key
from campaign.rules.world import YARDS_PER_MILE
from campaign.scenarios.problems import Row, Tables

#: A route longer than this many times the great circle (and a mile) is a slip of the pen.
WINDING = 2.1

PLACE_COLUMNS = ("id", "name", "lat", "lon", "kind", "terrain", "fortification", "port", "control_june_1777")
ROUTE_COLUMNS = ("a", "b", "kind", "miles", "terrain", "crossing", "wheeled")


def atlas_read(tables: Tables) -> tuple[Atlas, dict[str, str]]:
    """The map, and by place the word for who holds it; faults go to `tables.problems`."""
    place_rows = tables.unique(tables.rows("places", PLACE_COLUMNS))
    places = {key: _place(key, row) for key, row in place_rows.items()}
    flows = _flows(tables)
    routes: dict[str, Route] = {}
    rows: dict[str, Row] = {}
    for row in tables.rows("routes", ROUTE_COLUMNS):
        route = _route(row, places, flows)
        if route is None:
            continue
        twin = next(
            (key for key in (route.id, route_key(route.b, route.a, route.kind)) if key in routes), None
        )
        if twin:
            row.fault(f"this {route.kind} stands already in row {rows[twin].number}.")
            continue
        routes[route.id], rows[route.id] = route, row
    _check_flows(flows, routes)
    atlas = Atlas(places, routes)
    _check_connected(atlas, place_rows, rows)
    control = {key: row.text("control_june_1777") for key, row in place_rows.items()}
    return atlas, control


def _place(key: str, row: Row) -> Place:
    lat, lon = row.decimal("lat"), row.decimal("lon")
    if not (-90 <= lat <= 90 and -180 <= lon <= 180):
        row.fault(f"{lat}, {lon} is no place on earth; give lat and lon in degrees.")
    kind: Any = row.one_of("kind", frozenset(get_args(PlaceKind)))
    terrain: Any = row.one_of("terrain", frozenset(get_args(Terrain)))
    fortification: Any = row.one_of("fortification", frozenset(get_args(Fortification)))
    port: Any = row.one_of("port", frozenset(get_args(Port)))
    return Place(key, row.required("name"), lat, lon, kind, terrain, fortification, port, row.text("note"))


def _route(row: Row, places: dict[str, Place], flows: dict[tuple[str, str, str], Row]) -> Route | None:
    known = frozenset(places)
    a, b = row.known("a", known, "place"), row.known("b", known, "place")
    kind: Any = row.one_of("kind", frozenset(get_args(RouteKind)))
    terrain: Any = row.one_of("terrain", frozenset(get_args(Terrain)))
    crossing: Any = row.text("crossing").split(":")[0].split(" ")[0] or "none"
    if crossing not in ("none", "ford", "bridge", "ferry"):
        row.fault(f"crossing is {row.text('crossing')!r}; begin it with none, ford, bridge or ferry.")
    miles, wheeled = row.decimal("miles"), row.yes("wheeled")
    if a not in places or b not in places:
        return None
    if a == b:
        row.fault(f"the route leads from {a} to itself; join two places.")
        return None
    _check_length(row, miles, places[a], places[b])
    flow: Any = flows[a, b, kind].text("flow") if (a, b, kind) in flows else "none"
    yards = round(miles * YARDS_PER_MILE)
    return Route(route_key(a, b, kind), a, b, kind, yards, terrain, crossing, wheeled, flow, row.text("note"))


def _check_length(row: Row, miles: float, a: Place, b: Place) -> None:
    straight = great_circle_miles(a, b)
    if miles < straight:
        row.fault(f"{miles} miles is shorter than the {straight:.1f} miles between {a.id} and {b.id}.")
    elif miles > WINDING * straight + 1:
        row.fault(f"{miles} miles is far longer than the {straight:.1f} miles between {a.id} and {b.id}.")


def _flows(tables: Tables) -> dict[tuple[str, str, str], Row]:
    found: dict[tuple[str, str, str], Row] = {}
    for row in tables.rows("flows", ("a", "b", "kind", "flow")):
        row.one_of("flow", frozenset(get_args(Flow)))
        key = (row.text("a"), row.text("b"), row.text("kind"))
        if key in found:
            row.fault(f"the flow of this route stands already in row {found[key].number}.")
        found.setdefault(key, row)
    return found


def _check_flows(flows: dict[tuple[str, str, str], Row], routes: dict[str, Route]) -> None:
    for key, row in flows.items():
        if route_key(*key) not in routes:
            row.fault(f"there is no route {' - '.join(key)}; name a and b in the order of routes.csv.")


def _check_connected(atlas: Atlas, places: dict[str, Row], routes: dict[str, Row]) -> None:
    """Every place must be reachable from the largest connected part of the map."""
    if not atlas.places:
        return
    largest = max(nx.connected_components(atlas.graph), key=len)
    for key, row in routes.items():
        if atlas.routes[key].a not in largest:
            row.fault("this route is not connected with the rest of the map; add the missing route.")
    for key, row in places.items():
        if not atlas.routes_at(key):
            row.fault(f"no route leads to {key}; add one.")
