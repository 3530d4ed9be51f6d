"""The atlas as GraphML and GeoJSON, there and back (HR-MAP-01)."""

import json
from dataclasses import replace
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaign.rules.map.atlas import Atlas
from campaign.rules.map.atlas_files import (
    LARGEST_NUMBER,
    AtlasError,
    atlas_from_geojson,
    atlas_from_graphml,
    atlas_to_geojson,
    atlas_to_graphml,
)
from tests.campaign.rules.maps import place, route


def collected(*features: Any) -> str:
    return json.dumps({"type": "FeatureCollection", "features": features})


def point(*spot: float) -> dict[str, Any]:
    return {"type": "Feature", "geometry": {"type": "Point", "coordinates": spot}, "properties": {}}


MANY = "The file has more than 20000 places and routes; export the map of the scenario alone."
NODES = "<node id='a'/>" * 20_001


@pytest.mark.parametrize(
    ("read", "text", "first", "told"),
    [
        (atlas_from_geojson, collected(*[{}] * 20_001), MANY, 1),
        (atlas_from_graphml, f"<graphml><graph>{NODES}</graph></graphml>", MANY, 1),
        (atlas_from_graphml, f"<g:graphml><g:graph>{NODES.replace('<', '<g:')}", MANY, 1),
        (
            atlas_from_geojson,
            collected(*[{}] * 300),
            "Feature 1 is neither a point nor a line; leave it out of the map.",
            201,
        ),
        (
            atlas_from_geojson,
            collected(point(10**4000, 37)),
            "Feature 1 is a point without a longitude and a latitude; give both.",
            1,
        ),
    ],
    ids=["features", "nodes", "nodes of a named space", "faults", "figures"],
)
def test_a_map_of_endless_parts_or_figures_is_refused_in_few_sentences(read, text, first, told):
    """4,000 figures were a traceback, and 300,000 edges took over three seconds and a sentence each."""
    with pytest.raises(AtlasError) as refused:
        read(text)
    assert refused.value.problems[0] == first and len(refused.value.problems) == told
    if told > 1:
        assert refused.value.problems[-1] == "And 100 more faults; correct these first."


HUDSON = Atlas.of(
    [
        place("ticonderoga", lat=43.842, lon=-73.388, kind="fort", fortification="fort", port="lake"),
        place("skenesborough", lat=43.555, lon=-73.403, port="lake", note='"Palisaded" <blockhouse> & yard'),
        place("hubbardton", lat=43.694, lon=-73.142, note="Séance tenue à l'abri"),
    ],
    [
        route("ticonderoga", "skenesborough", "lake", 24, wheeled=False),
        route("skenesborough", "ticonderoga", "river", 25, flow="ba_rapids", note="backwards"),
        route("ticonderoga", "hubbardton", "track", 23.5, crossing="ford", terrain="mountain"),
    ],
)


def test_graphml_there_and_back() -> None:
    assert atlas_from_graphml(atlas_to_graphml(HUDSON)) == HUDSON


def test_geojson_there_and_back_as_text_and_as_data() -> None:
    data = atlas_to_geojson(HUDSON)
    assert atlas_from_geojson(data) == HUDSON
    assert atlas_from_geojson(json.dumps(data)) == HUDSON


def test_geojson_is_longitude_first_and_lines_join_their_places() -> None:
    features = {item["id"]: item for item in atlas_to_geojson(HUDSON)["features"]}
    assert features["ticonderoga"]["geometry"] == {"type": "Point", "coordinates": [-73.388, 43.842]}
    lake = features["ticonderoga--skenesborough--lake"]["geometry"]
    assert lake == {"type": "LineString", "coordinates": [[-73.388, 43.842], [-73.403, 43.555]]}


def test_graphml_is_read_by_networkx_as_a_multigraph() -> None:
    graph = nx.parse_graphml(atlas_to_graphml(HUDSON))
    assert graph.number_of_edges("ticonderoga", "skenesborough") == 2
    assert graph.nodes["hubbardton"]["lat"] == 43.694


@settings(max_examples=50, deadline=None)
@given(
    st.floats(-89, 89, allow_subnormal=False),
    st.floats(-179, 179, allow_subnormal=False),
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=40),
)
def test_any_place_and_note_comes_back_as_it_went(lat: float, lon: float, note: str) -> None:
    chart = Atlas.of(
        [place("albany", lat=lat, lon=lon, note=note), place("half_moon", lat=lat, lon=lon)],
        [route("albany", "half_moon", note=note)],
    )
    assert atlas_from_geojson(json.dumps(atlas_to_geojson(chart))) == chart
    assert atlas_from_graphml(atlas_to_graphml(chart)) == chart


def edited(number: int, **properties: Any) -> dict[str, Any]:
    data = atlas_to_geojson(HUDSON)
    data["features"][number]["properties"].update(properties)
    return data


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("not json", "not JSON that can be read"),
        ("[1, 2]", "not a GeoJSON FeatureCollection"),
        ({"type": "FeatureCollection"}, "not a GeoJSON FeatureCollection"),
        ({"features": [17]}, "Feature 1 is neither a point nor a line"),
        ({"features": [{"geometry": {"type": "Point", "coordinates": ["x"]}}]}, "without a longitude"),
        ({"features": []}, "The map has no places"),
        (edited(0, kind="harbour"), "kind is 'harbour', choose one of city, town"),
        (edited(0, name=7), "name is 7, give a text"),
        (edited(3, yards=1.5), "yards is 1.5, give a whole number"),
        (edited(3, yards=True), "yards is True, give a whole number"),
        (edited(3, yards=10**12), f"give a whole number of at most {LARGEST_NUMBER:,}"),
        (edited(3, wheeled="yes"), "wheeled is 'yes', say true or false"),
        (edited(3, flow=["ab"]), "flow is .'ab'., choose one of none"),
        (edited(3, b="boston"), "leads to 'boston', which is not a place"),
        (edited(3, yards=1000), "miles apart"),
        (edited(0, id="hub"), "leads to 'hubbardton'"),
    ],
)
def test_hr_map_01_bad_geojson_is_refused_with_a_sentence(data: Any, message: str) -> None:
    with pytest.raises(AtlasError, match=message) as refused:
        atlas_from_geojson(data)
    assert refused.value.rule_id == "HR-MAP-01"
    assert all(problem.endswith(".") for problem in refused.value.problems)


def test_hr_map_01_missing_fields_and_odd_degrees_are_all_named() -> None:
    data = atlas_to_geojson(HUDSON)
    del data["features"][0]["properties"]["terrain"]
    data["features"][1]["geometry"]["coordinates"] = [-73.4, 143.5]
    data["features"][3]["properties"].pop("a")
    with pytest.raises(AtlasError) as refused:
        atlas_from_geojson(data)
    assert len(refused.value.problems) == 3
    assert "terrain is missing" in refused.value.problems[0]
    assert "lat is 143.5, give degrees to 90" in refused.value.problems[1]
    assert "a is missing" in refused.value.problems[2]


def test_fields_with_a_default_may_be_left_out_and_unknown_ones_are_left_aside() -> None:
    data = edited(0, colour="red")
    for name in ("note", "port", "fortification"):
        data["features"][0]["properties"].pop(name)
    plain = replace(HUDSON.places["hubbardton"], note="")
    assert atlas_from_geojson(data).places["hubbardton"] == plain


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<graphml", "not GraphML that can be read"),
        ("", "not GraphML that can be read"),
        ('<!DOCTYPE x [<!ENTITY a "b">]><graphml/>', "remove it, no entities are read"),
        (atlas_to_graphml(HUDSON).replace(">fort<", ">castle<", 1), "choose one of"),
        (atlas_to_graphml(HUDSON).replace(">42240<", ">far<", 1), "not GraphML that can be read"),
    ],
)
def test_hr_map_01_bad_graphml_is_refused_with_a_sentence(text: str, message: str) -> None:
    with pytest.raises(AtlasError, match=message):
        atlas_from_graphml(text)


def repeat_in_graphml(part: str, old: str, new: str) -> str:
    """The map with a copy of its first node or edge behind it, in which something is changed."""
    text = atlas_to_graphml(HUDSON)
    start = text.index(f"<{part} ")
    end = text.index(f"</{part}>", start) + len(f"</{part}>")
    return text[:end] + text[start:end].replace(old, new) + text[end:]


def test_hr_map_01_an_edge_id_twice_loses_no_route_silently() -> None:
    key = "ticonderoga--hubbardton--track"  # the first in the file, drawn the other way round
    for text, start in (
        (repeat_in_graphml("edge", ">42240<", ">42241<"), "hubbardton"),
        (repeat_in_graphml("edge", 'source="hubbardton"', 'source="skenesborough"'), "skenesborough"),
    ):
        with pytest.raises(AtlasError) as refused:
            atlas_from_graphml(text)
        assert list(refused.value.problems) == [
            f"The edge id {key!r} is there twice, from hubbardton to ticonderoga and from {start} to "
            "ticonderoga; give each route an id of its own."
        ]


def test_hr_map_01_a_node_id_twice_loses_no_place_silently() -> None:
    key = sorted(HUDSON.places)[0]
    with pytest.raises(AtlasError) as refused:
        atlas_from_graphml(repeat_in_graphml("node", ">fort<", ">town<"))
    assert list(refused.value.problems) == [
        f"The node id {key!r} is there twice; give each place an id of its own."
    ]


def test_hr_map_01_a_map_in_two_parts_is_refused() -> None:
    parts = Atlas.of([*HUDSON.places.values(), place("boston")], HUDSON.routes.values())
    with pytest.raises(AtlasError, match="No route joins boston to the rest"):
        atlas_from_graphml(atlas_to_graphml(parts))


@pytest.mark.parametrize(
    ("field", "text", "fault"),
    [
        ("name", "a\ud800", "name: Character 2 is an invisible broken character (U+D800); remove it"),
        ("name", "a\nb", "name: This takes one line of text; remove the line break or tab"),
        ("name", "a\u202e", "name: Character 2 is an invisible character that turns the direction of"),
        ("note", "a\ud800", "note: Character 2 is an invisible broken character (U+D800); remove it"),
        ("note", "\0", "note: Character 1 is an invisible control character (U+0000); remove it"),
    ],
)
def test_a_text_that_cannot_be_kept_is_a_fault_of_its_place(field: str, text: str, fault: str):
    """Half a character in GeoJSON was a traceback, and a line break in a name was taken."""
    data = atlas_to_geojson(HUDSON)
    place_one = data["features"][0]["properties"]
    place_one[field] = text
    with pytest.raises(AtlasError) as refused:
        atlas_from_geojson(json.dumps(data))
    assert len(refused.value.problems) == 1
    assert refused.value.problems[0].startswith(f"The place '{place_one['id']}' cannot be read: {fault}")


@pytest.mark.parametrize(
    "written", [str.upper, str.title, lambda name: name[:10]], ids=["capitals", "titles", "cut"]
)
def test_fields_named_by_a_shapefile_are_known_again(written):
    """Names cut to ten letters fell back to what a place has by default, without a word."""
    data = atlas_to_geojson(HUDSON)
    for feature in data["features"]:
        feature["properties"] = {written(name): value for name, value in feature["properties"].items()}
    assert atlas_from_geojson(json.dumps(data)) == HUDSON


@pytest.mark.parametrize("name", ["EPSG:14326", "urn:ogc:def:crs:EPSG::43261"])
def test_coordinates_that_only_sound_like_degrees_are_refused(name: str):
    data = {**atlas_to_geojson(HUDSON), "crs": {"type": "name", "properties": {"name": name}}}
    with pytest.raises(AtlasError) as refused:
        atlas_from_geojson(data)
    assert refused.value.problems[0].startswith(f"The coordinates are in {name}; ")
