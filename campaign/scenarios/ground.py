"""Reading a scenario's map: places, routes, and which way the rivers run."""

from typing import Any, get_args

from campaign.rules.map.atlas import (
    Atlas,
    Flow,
    Fortification,
    Place,
    PlaceKind,
    Port,
    Route,
    RouteKind,
    Terrain,
    atlas_faults,
    great_circle_miles,
)
from campaign.rules.map.atlas import route_id as route_key
from campaign.rules.world.world import YARDS_PER_MILE
from campaign.scenarios.coordinates import coordinate_fault
from campaign.scenarios.problems import DECIMAL, ScenarioProblem, ScenarioRow, ScenarioTables

#: A route longer than this many times the great circle (and a mile) is a slip of the pen.
WINDING = 2.1

#: Longest id and name of a place, as the columns of campaign.models hold them: names of new
#: formations are made of them, and a route's id of two places and a kind.
PLACE_ID, PLACE_NAME = 60, 60

PLACE_COLUMNS = ("id", "name", "lat", "lon", "kind", "terrain", "fortification", "port", "control")
ROUTE_COLUMNS = ("a", "b", "kind", "miles", "terrain", "crossing", "wheeled")


def read_atlas(
    tables: ScenarioTables, words: frozenset[str], base_map: str = ""
) -> tuple[Atlas, dict[str, str]]:
    """The map, and by place the one of `words` for who holds it; faults go to `tables.problems`.

    Where a route is too long or too short since a place lies beside `base_map`, the place is told instead.
    """
    place_rows = tables.unique(tables.rows("places", PLACE_COLUMNS), most=PLACE_ID)
    places = {key: _parse_place(key, row) for key, row in place_rows.items()}
    # of places that lie nowhere no route is too long or too short
    lost = frozenset(key for key, row in place_rows.items() if not _has_coordinates(row))
    astray = {
        key: reason
        for key, place in places.items()
        if base_map and key not in lost and (reason := coordinate_fault(place.lat, place.lon, base_map))
    }
    flows = _read_flows(tables)
    routes, rows = list[Route](), list[ScenarioRow]()
    known = frozenset(places)
    for row in tables.rows("routes", ROUTE_COLUMNS):
        route = _parse_route(row, places, known, lost | frozenset(astray), flows)
        if route is not None:
            routes.append(route)
            rows.append(row)
    atlas = Atlas.of(places.values(), routes)
    _check_flows(flows, atlas.routes)
    misled = False
    for fault in atlas_faults(list(places.values()), routes):
        if fault.of == "route" and {routes[fault.index].a, routes[fault.index].b} & lost:
            continue
        if fault.of == "route" and astray.keys() & {routes[fault.index].a, routes[fault.index].b}:
            misled = True
            continue
        if fault.of == "map":
            tables.problems.append(ScenarioProblem("places.csv", 0, fault.reason))
        else:
            told = list(place_rows.values()) if fault.of == "place" else rows
            told[fault.index].fault(fault.reason)
    for key, reason in astray.items() if misled else ():
        place_rows[key].fault(reason)
    control = {key: row.one_of("control", words) for key, row in place_rows.items()}
    return atlas, control


def _has_coordinates(row: ScenarioRow) -> bool:
    """True when a row has coordinates that exist on earth."""
    texts = [row.text(column).replace("\N{MINUS SIGN}", "-").replace(",", ".") for column in ("lat", "lon")]
    return all(map(DECIMAL.fullmatch, texts)) and abs(float(texts[0])) <= 90 and abs(float(texts[1])) <= 180


def _parse_place(key: str, row: ScenarioRow) -> Place:
    form = " of degrees, as 43.265 or -73.615 (west is negative)"
    lat, lon = row.decimal("lat", form), row.decimal("lon", form)
    if not (-90 <= lat <= 90 and -180 <= lon <= 180):
        row.fault(
            f"{lat:g}, {lon:g} is not a place on earth; give degrees with their decimal point, as 43.265."
        )
    kind: Any = row.one_of("kind", frozenset(get_args(PlaceKind)))
    terrain: Any = row.one_of("terrain", frozenset(get_args(Terrain)))
    fortification: Any = row.one_of("fortification", frozenset(get_args(Fortification)))
    port: Any = row.one_of("port", frozenset(get_args(Port)))
    return Place(
        key,
        row.require_text("name", PLACE_NAME),
        lat,
        lon,
        kind,
        terrain,
        fortification,
        port,
        row.text("note"),
    )


def _parse_route(
    row: ScenarioRow,
    places: dict[str, Place],
    known: frozenset[str],
    lost: frozenset[str],
    flows: dict[tuple[str, str, str], ScenarioRow],
) -> Route | None:
    a, b = row.require_reference("a", known, "place"), row.require_reference("b", known, "place")
    kind: Any = row.one_of("kind", frozenset(get_args(RouteKind)))
    terrain: Any = row.one_of("terrain", frozenset(get_args(Terrain)))
    crossing: Any = row.text("crossing").split(":")[0].split(" ")[0] or "none"
    if crossing not in ("none", "ford", "bridge", "ferry"):
        row.fault(f"crossing is “{row.text('crossing')}”; begin it with none, ford, bridge or ferry.")
    miles, wheeled = row.decimal("miles"), row.yes("wheeled")
    if a not in places or b not in places:
        return None
    straight = great_circle_miles(places[a], places[b])
    if a != b and not {a, b} & lost and miles > WINDING * straight + 1:
        row.fault(
            f"{miles:g} miles is far longer than the {straight:.1f} miles between {a} and {b}; correct it."
        )
    flow: Any = flows[a, b, kind].text("flow") if (a, b, kind) in flows else "none"
    yards = round(miles * YARDS_PER_MILE)
    return Route(route_key(a, b, kind), a, b, kind, yards, terrain, crossing, wheeled, flow, row.text("note"))


def _read_flows(tables: ScenarioTables) -> dict[tuple[str, str, str], ScenarioRow]:
    found: dict[tuple[str, str, str], ScenarioRow] = {}
    for row in tables.rows("flows", ("a", "b", "kind", "flow")):
        row.one_of("flow", frozenset(get_args(Flow)))
        key = (row.text("a"), row.text("b"), row.text("kind"))
        if key in found:
            row.fault(f"the flow of this route is already in row {found[key].number}.")
        found.setdefault(key, row)
    return found


def _check_flows(flows: dict[tuple[str, str, str], ScenarioRow], routes: dict[str, Route]) -> None:
    for key, row in flows.items():
        if route_key(*key) not in routes:
            row.fault(f"there is no route {' - '.join(key)}; name a and b in the order of routes.csv.")
