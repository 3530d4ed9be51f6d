"""The atlas as GraphML and as GeoJSON, out and in again (HR-MAP-01).

GraphML is for graph tools, GeoJSON for map tools. Both carry every field, so that a map comes back
as it went; what comes in is checked whole and refused with every fault, or taken. The line of a
route in GeoJSON is drawn straight; lines bent in a map tool are read, their bends are not kept.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, asdict, fields
from io import BytesIO
from typing import Any, TypeVar, get_args, get_origin
from xml.etree.ElementTree import ParseError

import networkx as nx

from campaign.rules.atlas import Atlas, Place, Route, atlas_problems
from campaign.rules.errors import RuleViolation

Part = TypeVar("Part", Place, Route)


class AtlasError(RuleViolation):
    """A map file refused whole; `problems` lists every fault, a sentence each."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
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


def atlas_from_graphml(text: str) -> Atlas:
    """The atlas in a GraphML document. Raises AtlasError naming every fault."""
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise AtlasError(["The GraphML declares a document type; remove it, no entities are read."])
    try:
        graph: nx.MultiGraph[Any] = nx.MultiGraph(nx.parse_graphml(text, force_multigraph=True))
    except (ParseError, nx.NetworkXError, ValueError, KeyError, TypeError) as error:
        raise AtlasError([f"The file is not GraphML that can be read ({error}); export it again."]) from error
    nodes = [{**data, "id": data.get("id", str(name))} for name, data in graph.nodes(data=True)]
    edges = [
        {"a": str(a), "b": str(b), **data, "id": data.get("id", str(key))}
        for a, b, key, data in graph.edges(keys=True, data=True)
    ]
    return _atlas(nodes, edges)


# --- GeoJSON ---


def atlas_to_geojson(atlas: Atlas) -> dict[str, Any]:
    """The atlas as a GeoJSON FeatureCollection: points are places, lines routes; longitude first."""
    points = [
        _feature("Point", _spot(atlas.places[key]), _without_spot(asdict(atlas.places[key])))
        for key in sorted(atlas.places)
    ]
    lines = []
    for key in sorted(atlas.routes):
        route = atlas.routes[key]
        ends = [_spot(atlas.places[route.a]), _spot(atlas.places[route.b])]
        lines.append(_feature("LineString", ends, asdict(route)))
    return {"type": "FeatureCollection", "features": points + lines}


def atlas_from_geojson(data: str | Mapping[str, Any]) -> Atlas:
    """The atlas in a GeoJSON FeatureCollection, text or decoded. Raises AtlasError naming every fault.

    Places are points, routes are lines whose properties name their ends `a` and `b`.
    """
    collection = _decoded(data)
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
            routes.append(row)
        else:
            problems.append(f"Feature {number} is neither a point nor a line; leave it out of the map.")
    return _atlas(places, routes, problems)


def _feature(shape: str, coordinates: Any, properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "Feature",
        "id": properties["id"],
        "geometry": {"type": shape, "coordinates": coordinates},
        "properties": properties,
    }


def _spot(place: Place) -> list[float]:
    return [place.lon, place.lat]


def _without_spot(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in ("lat", "lon")}


def _is_spot(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) in (2, 3)  # a third is the height, which no rule asks for
        and all(isinstance(part, int | float) and not isinstance(part, bool) for part in value)
    )


def _decoded(data: str | Mapping[str, Any]) -> list[Any]:
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
    return features


def _feature_parts(feature: Any) -> tuple[str, Any, dict[str, Any]]:
    """Shape, coordinates and properties of a feature; empty where it has none."""
    feature = feature if isinstance(feature, dict) else {}
    geometry, properties = feature.get("geometry"), feature.get("properties")
    geometry = geometry if isinstance(geometry, dict) else {}
    return str(geometry.get("type", "")), geometry.get("coordinates"), dict(properties or {})


# --- rows of either, checked ---


def _atlas(
    places: Iterable[Mapping[str, Any]], routes: Iterable[Mapping[str, Any]], problems: Iterable[str] = ()
) -> Atlas:
    found = list(problems)
    read_places = [place for row in places if (place := _read(Place, row, "place", found)) is not None]
    read_routes = [route for row in routes if (route := _read(Route, row, "route", found)) is not None]
    found = found or atlas_problems(read_places, read_routes)
    if found:
        raise AtlasError(found)
    return Atlas.of(read_places, read_routes)


def _read(kind: type[Part], row: Mapping[str, Any], what: str, problems: list[str]) -> Part | None:
    """A place or route from a row, or None after adding its faults. Unknown fields are left aside."""
    values: dict[str, Any] = {}
    faults: list[str] = []
    for item in fields(kind):
        if item.name in row:
            values[item.name] = row[item.name]
            if wrong := _fault(item.name, item.type, row[item.name]):
                faults.append(wrong)
        elif item.default is MISSING:
            faults.append(f"{item.name} is missing")
    if faults:
        problems.append(f"The {what} {row.get('id', '?')!r} cannot be read: {'; '.join(faults)}.")
        return None
    return kind(**values)


def _fault(name: str, kind: Any, value: Any) -> str:
    if get_origin(kind) is not None:
        choices = get_args(kind)
        return (
            ""
            if isinstance(value, str) and value in choices
            else f"{name} is {value!r}, choose one of {', '.join(choices)}"
        )
    if kind is bool:
        return "" if isinstance(value, bool) else f"{name} is {value!r}, say true or false"
    if kind is int:
        whole = isinstance(value, int) and not isinstance(value, bool)
        return "" if whole else f"{name} is {value!r}, give a whole number"
    if kind is float:
        limit = 90 if name == "lat" else 180
        number = isinstance(value, int | float) and not isinstance(value, bool)
        return "" if number and -limit <= value <= limit else f"{name} is {value!r}, give degrees to {limit}"
    return "" if isinstance(value, str) else f"{name} is {value!r}, give a text"
