"""The atlas as GraphML and as GeoJSON, out and in again (HR-MAP-01).

GraphML is for graph tools, GeoJSON for map tools. Both carry every field, so that a map comes back
as it went; what comes in is checked whole and refused with every fault, or taken. The line of a
route in GeoJSON is drawn straight; lines bent in a map tool are read, their bends are not kept.

What yEd, Gephi and QGIS change on the way is tolerated: fields of their own, ids of their own, whole
numbers and truths written as decimals or texts, empty fields, collections of one point or line.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, asdict, fields
from io import BytesIO
from typing import Any, TypeVar, get_args, get_origin
from xml.etree.ElementTree import Element, ParseError, fromstring

import networkx as nx

from campaign.rules.errors import RuleViolation
from campaign.rules.map.atlas import Atlas, Place, Route, atlas_problems, route_id
from rosters.domain.text import name_fault, normalize_name, normalize_text, text_fault

Part = TypeVar("Part", Place, Route)
#: Tells what is wrong with where a place lies, "" where nothing is.
PlaceFault = Callable[[Place], str]

#: Types of GraphML that are read as they are; those that Gephi adds are read as texts.
GRAPHML_TYPES = ("string", "int", "integer", "long", "float", "double", "boolean")
#: Names of the coordinates GeoJSON is written in, longitude and latitude in degrees.
DEGREES = re.compile(r".*(CRS84h?|[:/]4326)|4326")
#: Places and routes of a file, and faults of one that are told.
MOST_PARTS, MOST_TOLD = 20_000, 200
TOO_MANY = f"The file has more than {MOST_PARTS} places and routes; export the map of the scenario alone."
#: Whole numbers are no larger, whichever length they measure.
LARGEST_NUMBER = 10**9
_NODE_OR_EDGE = re.compile(r"<(?:\w+:)?(?:node|edge)\b")
_TAG = "{{http://graphml.graphdrawing.org/xmlns}}{}"
#: Field of a point or line that map tools leave empty: it counts as left out.
EMPTY = (None, "")
#: Fields of one line.
NAMES = ("name",)
#: Letters of a field's name that the tables of shapefiles keep.
SHORT_NAME = 10
_FIELDS = tuple(dict.fromkeys(item.name for part in (Place, Route) for item in fields(part)))


class AtlasError(RuleViolation):
    """A map file refused whole; `problems` lists every fault, a sentence each."""

    def __init__(self, problems: Iterable[str]) -> None:
        found = tuple(problems)
        more = len(found) - MOST_TOLD
        told = (f"And {more} more faults; correct these first.",) if more > 0 else ()
        self.problems = found[:MOST_TOLD] + told
        super().__init__("HR-MAP-01", "\n".join(self.problems), "file")


# --- GraphML ---


def atlas_to_graphml(atlas: Atlas) -> str:
    """The atlas as a GraphML document: a node a place, an edge a route keyed by its id."""
    graph: nx.MultiGraph[str] = nx.MultiGraph()
    for key in sorted(atlas.places):
        graph.add_node(key, **asdict(atlas.places[key]))
    for key in sorted(atlas.routes):
        route = atlas.routes[key]
        graph.add_edge(route.a, route.b, key=key, **asdict(route))
    stream = BytesIO()
    nx.write_graphml(graph, stream, encoding="utf-8", prettyprint=True)
    return stream.getvalue().decode("utf-8")


def atlas_from_graphml(text: str, place_fault: PlaceFault | None = None) -> Atlas:
    """The atlas in a GraphML document. Raises AtlasError naming every fault.

    Where `place_fault` finds a place misplaced, the lengths of routes are not judged.
    """
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise AtlasError(["The GraphML declares a document type; remove it, no entities are read."])
    if sum(1 for _ in _NODE_OR_EDGE.finditer(text)) > MOST_PARTS:
        raise AtlasError([TOO_MANY])
    text = re.sub(rf'attr\.type="(?!({"|".join(GRAPHML_TYPES)})")[^"]*"', 'attr.type="string"', text)
    try:
        document = fromstring(text)
        graph: nx.MultiGraph[Any] = nx.MultiGraph(nx.parse_graphml(text, force_multigraph=True))
    except (ParseError, nx.NetworkXError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise AtlasError([f"The file is not GraphML that can be read ({error}); export it again."]) from error
    ids = {name: str(data.get("id") or name) for name, data in graph.nodes(data=True)}
    if twice := _find_repeated_ids(document, ids):
        raise AtlasError(twice)
    nodes = [{**data, "id": ids[name]} for name, data in graph.nodes(data=True)]
    edges, problems = list[dict[str, Any]](), list[str]()
    for start, end, key, data in graph.edges(keys=True, data=True):
        drawn = {"a": ids[start], "b": ids[end]}
        edge = {**drawn, **_drop_empty_fields(data)}
        edge.setdefault("id", _new_id(edge) or str(key))
        if {edge["a"], edge["b"]} != set(drawn.values()):
            problems.append(
                f"The route {edge['id']!r} is drawn from {drawn['a']} to {drawn['b']}, but its fields a "
                f"and b say {edge['a']} and {edge['b']}; correct its fields or draw it anew."
            )
        edges.append(edge)
    return _build_atlas(nodes, edges, problems, place_fault)


def _find_repeated_ids(document: Element, places: Mapping[str, str]) -> list[str]:
    """Nodes and edges whose id another has too, as sentences; the reader keeps the last of them alone.

    `places` are the ids of the places by those of their nodes.
    """
    nodes = Counter(node.get("id", "") for node in document.iter(_TAG.format("node")))
    problems = [
        f"The node id {name!r} is there twice; give each place an id of its own."
        for name, count in nodes.items()
        if count > 1
    ]
    first: dict[str, str] = {}
    for edge in document.iter(_TAG.format("edge")):
        start, end = (places.get(edge.get(part, ""), "?") for part in ("source", "target"))
        ends = f"from {start} to {end}"
        if not (key := edge.get("id", "")):
            continue
        if before := first.get(_as_reader_does(key), ""):
            problems.append(
                f"The edge id {key!r} is there twice, {before} and {ends}; give each route an id of its own."
            )
        first[_as_reader_does(key)] = ends
    return problems


def _as_reader_does(key: str) -> str:
    """An edge's id as the reader of GraphML compares it: 01 and 1 are one."""
    try:
        return str(int(key))
    except ValueError:
        return key


# --- GeoJSON ---


def atlas_to_geojson(atlas: Atlas) -> dict[str, Any]:
    """The atlas as a GeoJSON FeatureCollection: points are places, lines routes; longitude first."""
    points = [
        _build_feature(
            "Point", _build_coordinates(atlas.places[key]), _without_spot(asdict(atlas.places[key]))
        )
        for key in sorted(atlas.places)
    ]
    lines = []
    for key in sorted(atlas.routes):
        route = atlas.routes[key]
        ends = [_build_coordinates(atlas.places[route.a]), _build_coordinates(atlas.places[route.b])]
        lines.append(_build_feature("LineString", ends, asdict(route)))
    return {"type": "FeatureCollection", "features": points + lines}


def atlas_from_geojson(
    data: str | Mapping[str, Any] | list[Any], place_fault: PlaceFault | None = None
) -> Atlas:
    """The atlas in a GeoJSON FeatureCollection, text or decoded. Raises AtlasError naming every fault.

    Places are points, routes are lines whose properties name their ends `a` and `b`. Where `place_fault`
    finds a place misplaced, the lengths of routes are not judged. A list holds the features themselves.
    """
    collection = data if isinstance(data, list) else geojson_features(data)
    if len(collection) > MOST_PARTS:
        raise AtlasError([TOO_MANY])
    places: list[Mapping[str, Any]] = []
    routes: list[Mapping[str, Any]] = []
    problems: list[str] = []
    for number, feature in enumerate(collection, start=1):
        shape, spots, row = _feature_parts(feature)
        if shape == "Point":
            if _is_spot(spots):
                places.append({**row, "lat": float(spots[1]), "lon": float(spots[0])})
            else:
                problems.append(f"Feature {number} is a point without a longitude and a latitude; give both.")
        elif shape == "LineString":
            routes.append({"id": _new_id(row), **row} if _new_id(row) else row)
        else:
            problems.append(f"Feature {number} is neither a point nor a line; leave it out of the map.")
    return _build_atlas(places, routes, problems, place_fault)


def _build_feature(shape: str, coordinates: Any, properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "Feature",
        "id": properties["id"],
        "geometry": {"type": shape, "coordinates": coordinates},
        "properties": properties,
    }


def _build_coordinates(place: Place) -> list[float]:
    return [place.lon, place.lat]


def _without_spot(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in ("lat", "lon")}


def _is_spot(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) in (2, 3)  # a third is the height, which no rule asks for
        and all(isinstance(part, int | float) and not isinstance(part, bool) for part in value)
        and not any(isinstance(part, int) and abs(part) > LARGEST_NUMBER for part in value)
    )


def geojson_features(data: str | Mapping[str, Any]) -> list[Any]:
    """The features of a GeoJSON FeatureCollection, text or decoded. Raises AtlasError if it has none."""
    if isinstance(data, str):
        try:
            data = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise AtlasError(
                [f"The file is not JSON that can be read ({error}); export it again."]
            ) from error
    features = data.get("features") if isinstance(data, Mapping) else None
    if not isinstance(features, list):
        raise AtlasError(["The file is not a GeoJSON FeatureCollection; export points and lines as one."])
    named = _find_crs_name(data) if isinstance(data, Mapping) else ""
    if named and not DEGREES.fullmatch(named):
        raise AtlasError([f"The coordinates are in {named}; export them in degrees, as EPSG:4326 (WGS 84)."])
    return features


def _find_crs_name(data: Mapping[str, Any]) -> str:
    """The name of the coordinates a collection says it is in, "" where it says nothing."""
    crs = data.get("crs")
    properties = crs.get("properties") if isinstance(crs, dict) else None
    return str(properties.get("name") or "") if isinstance(properties, dict) else ""


def _feature_parts(feature: Any) -> tuple[str, Any, dict[str, Any]]:
    """Shape, coordinates and properties of a feature; empty where it has none."""
    feature = feature if isinstance(feature, dict) else {}
    geometry, properties = feature.get("geometry"), feature.get("properties")
    geometry = geometry if isinstance(geometry, dict) else {}
    shape, spots = str(geometry.get("type", "")), geometry.get("coordinates")
    if shape in ("MultiPoint", "MultiLineString") and isinstance(spots, list) and len(spots) == 1:
        shape, spots = shape.removeprefix("Multi"), spots[0]
    return shape, spots, _drop_empty_fields(properties) if isinstance(properties, dict) else {}


def _drop_empty_fields(row: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that are not empty."""
    return {_field_of(name): value for name, value in row.items() if value not in EMPTY}


def _field_of(name: str) -> str:
    """A field's own name where a map tool wrote it in capitals, or cut it for the table of a shapefile."""
    lower = name.lower()
    meant = [field for field in _FIELDS if field.startswith(lower)] if len(lower) == SHORT_NAME else []
    return meant[0] if len(meant) == 1 else lower if lower in _FIELDS else name


def _new_id(row: Mapping[str, Any]) -> str:
    """The id of a route that was drawn without one; "" where its ends or its kind are missing."""
    parts = [row.get(name) for name in ("a", "b", "kind")]
    return route_id(*(str(part) for part in parts)) if all(parts) else ""


# --- rows of either, checked ---


def _build_atlas(
    places: Iterable[Mapping[str, Any]],
    routes: Iterable[Mapping[str, Any]],
    problems: Iterable[str] = (),
    place_fault: PlaceFault | None = None,
) -> Atlas:
    found = list(problems)
    read_places = [place for row in places if (place := _parse_part(Place, row, "place", found)) is not None]
    read_routes = [route for row in routes if (route := _parse_part(Route, row, "route", found)) is not None]
    if place_fault is not None:
        faults = {place.id: place_fault(place) for place in read_places}
        found += [f"Place {key}: {fault}" for key, fault in faults.items() if fault]
    found = found or atlas_problems(read_places, read_routes)
    if found:
        raise AtlasError(found)
    return Atlas.of(read_places, read_routes)


def _parse_part(kind: type[Part], row: Mapping[str, Any], what: str, problems: list[str]) -> Part | None:
    """A place or route from a row, or None after adding its faults. Unknown fields are left aside."""
    values: dict[str, Any] = {}
    faults: list[str] = []
    for item in fields(kind):
        if item.name in row and row[item.name] not in EMPTY:
            values[item.name] = value = _plain_value(item.type, row[item.name])
            if wrong := _find_value_fault(item.name, item.type, value):
                faults.append(wrong)
        elif item.default is MISSING:
            faults.append(f"{item.name} is missing")
    if faults:
        problems.append(
            f"The {what} {_format_value(row.get('id', '?'))} cannot be read: {'; '.join(faults)}."
        )
        return None
    texts = {key: _as_kept(key, value) for key, value in values.items() if isinstance(value, str)}
    return kind(**values | texts)


def _as_kept(name: str, text: str) -> str:
    """A text in its normal form."""
    return normalize_name(text) if name in NAMES else normalize_text(text)


def _plain_value(kind: Any, value: Any) -> Any:
    """A number or truth as it was before another program wrote it as a decimal or a text."""
    if kind is bool:
        said = str(value).lower().removesuffix(".0")
        return {"true": True, "1": True, "false": False, "0": False}.get(said, value)
    if kind in (int, float) and isinstance(value, str) and len(value) <= 30:
        try:
            value = float(value)
        except ValueError:
            return value
    if kind is int and isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _format_value(value: Any) -> str:
    """A value as refusals say it; what is no text or number may be of any depth and length."""
    try:
        said = repr(value)
    except (RecursionError, ValueError):  # deeper, or of more figures, than Python says
        said = "something endless"
    return said if len(said) <= 60 else f"{said[:60]}…"


def _find_value_fault(name: str, kind: Any, value: Any) -> str:
    if get_origin(kind) is not None:
        choices = get_args(kind)
        return (
            ""
            if isinstance(value, str) and value in choices
            else f"{name} is {_format_value(value)}, choose one of {', '.join(choices)}"
        )
    if kind is bool:
        return "" if isinstance(value, bool) else f"{name} is {_format_value(value)}, say true or false"
    if kind is int:
        whole = isinstance(value, int) and not isinstance(value, bool)
        sound = whole and abs(value) <= LARGEST_NUMBER
        most = f" of at most {LARGEST_NUMBER:,}" if whole else ""
        return "" if sound else f"{name} is {_format_value(value)}, give a whole number{most}"
    if kind is float:
        limit = 90 if name == "lat" else 180
        number = isinstance(value, int | float) and not isinstance(value, bool)
        return (
            ""
            if number and -limit <= value <= limit
            else f"{name} is {_format_value(value)}, give degrees to {limit}"
        )
    if not isinstance(value, str):
        return f"{name} is {_format_value(value)}, give a text"
    fault = name_fault(value) if name in NAMES else text_fault(value)
    return f"{name}: {fault.removesuffix('.')}" if fault else ""
