"""importatlas: a map corrected in yEd, Gephi or QGIS comes back into a scenario, or nothing is written."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from campaign.rules.map.atlas import Atlas
from campaign.rules.world.world import YARDS_PER_MILE
from campaign.scenarios.making import scenario_new
from campaign.scenarios.reading import read_scenario, scenario_path

NAME = "peninsula-1781"


@pytest.fixture(autouse=True)
def folder(tmp_path, settings) -> Path:
    settings.VAR_DIR = tmp_path / "var"
    return scenario_new(NAME)


def run(*words: str) -> str:
    out = StringIO()
    call_command(*words, stdout=out)
    return out.getvalue()


def atlas() -> Atlas:
    return read_scenario(scenario_path(NAME)).theatre.atlas


def exported(file: Path) -> str:
    run("exportatlas", NAME, str(file))
    return file.read_text(encoding="utf-8")


def refused(folder: Path, *files: Path) -> str:
    before = {each.name: each.read_bytes() for each in folder.iterdir()}
    with pytest.raises(CommandError) as fault:
        run("importatlas", NAME, *map(str, files))
    assert {each.name: each.read_bytes() for each in folder.iterdir()} == before
    return str(fault.value)


@pytest.mark.parametrize("ending", ["graphml", "geojson"])
def test_a_map_that_nobody_changed_alters_no_table(tmp_path, folder, ending):
    before = {name: (folder / name).read_text() for name in ("places.csv", "routes.csv", "flows.csv")}
    world = read_scenario(folder).world
    exported(tmp_path / f"map.{ending}")
    assert f"5 places and {len(atlas().routes)} routes" in run(
        "importatlas", NAME, str(tmp_path / f"map.{ending}")
    )
    assert read_scenario(folder).world == world
    assert {name: sorted((folder / name).read_text().split()) for name in before} == {
        name: sorted(text.split()) for name, text in before.items()
    }


def test_a_shipped_scenario_comes_back_whole_and_keeps_columns_of_its_own(tmp_path, folder):
    shipped = scenario_path("saratoga-1777")
    for file in shipped.iterdir():
        if file.suffix in (".csv", ".toml"):
            (folder / file.name).write_bytes(file.read_bytes())
    was = atlas()
    exported(tmp_path / "map.graphml")
    run("importatlas", NAME, str(tmp_path / "map.graphml"))
    again = atlas()
    assert (again.places, again.routes) == (was.places, was.routes)
    assert (folder / "places.csv").read_text() == (shipped / "places.csv").read_text()


YED = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">
  <!--Created by yEd 3.23-->
  <key attr.name="Description" attr.type="string" for="graph" id="d0"/>
  <key for="port" id="d1" yfiles.type="portgraphics"/>
  <key attr.name="id" attr.type="string" for="node" id="d2"/>
  <key attr.name="name" attr.type="string" for="node" id="d3"/>
  <key attr.name="lat" attr.type="double" for="node" id="d4"/>
  <key attr.name="lon" attr.type="double" for="node" id="d5"/>
  <key attr.name="kind" attr.type="string" for="node" id="d6"/>
  <key attr.name="terrain" attr.type="string" for="node" id="d7"/>
  <key attr.name="note" attr.type="string" for="node" id="d8"/>
  <key for="node" id="d9" yfiles.type="nodegraphics"/>
  <key for="graphml" id="d10" yfiles.type="resources"/>
  <key attr.name="kind" attr.type="string" for="edge" id="d11"/>
  <key attr.name="yards" attr.type="float" for="edge" id="d12"/>
  <key attr.name="terrain" attr.type="string" for="edge" id="d13"/>
  <key attr.name="wheeled" attr.type="string" for="edge" id="d14"/>
  <key attr.name="Weight" attr.type="short" for="edge" id="d15"/>
  <key for="edge" id="d16" yfiles.type="edgegraphics"/>
  <graph edgedefault="undirected" id="G">
    <data key="d0" xml:space="preserve"/>
    %s
    <edge id="e0" source="n0" target="n1">
      <data key="d11"><![CDATA[road]]></data><data key="d12">17600.0</data>
      <data key="d13"><![CDATA[open]]></data><data key="d14">true</data><data key="d15">1</data>
      <data key="d16"><y:PolyLineEdge><y:Path sx="0.0" sy="0.0" tx="0.0" ty="0.0"/></y:PolyLineEdge></data>
    </edge>
  </graph>
  <data key="d10"><y:Resources/></data>
</graphml>"""
YED_NODE = """<node id="{node}">
      <data key="d2" xml:space="preserve"><![CDATA[{id}]]></data><data key="d3"><![CDATA[{id}]]></data>
      <data key="d4">{lat}</data><data key="d5">{lon}</data><data key="d6">town</data>
      <data key="d7">open</data>
      <data key="d8" xml:space="preserve"/>
      <data key="d9"><y:ShapeNode><y:Geometry height="30.0" width="30.0" x="5.0" y="6.0"/>
      <y:NodeLabel>{id}</y:NodeLabel><y:Shape type="rectangle"/></y:ShapeNode></data>
    </node>"""


def yed(*spots: tuple[str, str, float, float]) -> str:
    return YED % "".join(
        YED_NODE.format(node=node, id=name, lat=lat, lon=lon) for node, name, lat, lon in spots
    )


def test_what_yed_and_gephi_add_is_left_aside_and_a_new_route_gets_its_ends(tmp_path, folder):
    (tmp_path / "map.graphml").write_text(
        yed(("n0", "hampton", 37.03, -76.35), ("n1", "farther", 37.1, -76.4)), encoding="utf-8"
    )
    assert "2 places and 1 routes" in run("importatlas", NAME, str(tmp_path / "map.graphml"))
    rows = (folder / "routes.csv").read_text().splitlines()
    assert rows[-1].startswith("hampton,farther,road,10,open,none,yes")
    assert (
        (folder / "places.csv")
        .read_text()
        .splitlines()[-1]
        .startswith("farther,farther,37.1,-76.4,town,open,none,none,")
    )


def test_places_swapped_unsigned_and_beside_the_map_are_named_with_the_cause(tmp_path, folder):
    file = tmp_path / "map.graphml"
    file.write_text(yed(("n0", "hampton", -76.35, 37.03), ("n1", "farther", 37.1, 76.4)), encoding="utf-8")
    told = refused(folder, file)
    assert "map.graphml: Place hampton: -76.35, 37.03 lies outside" in told
    assert "latitude and longitude are swapped; write 37.03, -76.35." in told
    assert "the longitude lacks its minus (west is negative); write 37.1, -76.4." in told
    assert "miles apart" not in told


def test_what_qgis_makes_of_a_map_points_and_lines_apart_comes_back(tmp_path, folder):
    was = atlas()
    features = json.loads(exported(tmp_path / "map.geojson"))["features"]
    crs = {"type": "name", "properties": {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}}
    for feature in features:
        spots = feature["geometry"]["coordinates"]
        feature["properties"].update(fid=1, note=feature["properties"]["note"] or None)
        if feature["geometry"]["type"] == "Point":
            spots.append(0.0)
        else:
            feature["properties"].update(yards=float(feature["properties"]["yards"]), wheeled=1, broken=None)
            feature["geometry"] = {
                "type": "MultiLineString",
                "coordinates": [[[*spot, 0.0] for spot in spots]],
            }
    files = []
    for name, shape in (("points", "Point"), ("lines", "MultiLineString")):
        part = [each for each in features if each["geometry"]["type"] == shape]
        data = {"type": "FeatureCollection", "name": name, "crs": crs, "features": part}
        files.append(tmp_path / f"{name}.geojson")
        files[-1].write_text("\ufeff" + json.dumps(data), encoding="utf-8")
    run("importatlas", NAME, *map(str, files))
    again = atlas()
    assert again.places == was.places
    assert {key: each.yards for key, each in again.routes.items()} == {
        key: each.yards for key, each in was.routes.items()
    }


def test_a_length_corrected_and_a_place_moved_are_written(tmp_path, folder):
    data = json.loads(exported(tmp_path / "map.geojson"))
    place = next(each for each in data["features"] if each["id"] == "hampton")
    place["geometry"]["coordinates"][0] += 0.001
    road = next(each for each in data["features"] if each["geometry"]["type"] == "LineString")
    road["properties"]["yards"] += 1
    (tmp_path / "map.geojson").write_text(json.dumps(data))
    run("importatlas", NAME, str(tmp_path / "map.geojson"))
    assert atlas().places["hampton"].lon == pytest.approx(place["geometry"]["coordinates"][0], abs=1e-9)
    assert atlas().routes[road["id"]].yards == road["properties"]["yards"]


def test_every_fault_is_told_at_once_and_nothing_is_written(tmp_path, folder):
    data = json.loads(exported(tmp_path / "map.geojson"))
    points = [each for each in data["features"] if each["geometry"]["type"] == "Point"]
    points[0]["properties"]["kind"] = "harbour"
    points[1]["geometry"]["coordinates"].reverse()
    (tmp_path / "map.geojson").write_text(json.dumps(data))
    told = refused(folder, tmp_path / "map.geojson")
    assert "kind is 'harbour', choose one of" in told
    assert "latitude and longitude are swapped" in told


def test_faults_of_tables_are_told_of_the_route_not_of_a_row(tmp_path, folder):
    data = json.loads(exported(tmp_path / "map.geojson"))
    road = next(each["properties"] for each in data["features"] if each["geometry"]["type"] == "LineString")
    road["yards"] = 900 * YARDS_PER_MILE
    (tmp_path / "map.geojson").write_text(json.dumps(data))
    told = refused(folder, tmp_path / "map.geojson")
    assert f"map.geojson: route {road['a']} to {road['b']} by {road['kind']}: 900 miles is far longer" in told


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("map.png", "", "the ending says which it is"),
        ("map.graphml", "<graphml", "not GraphML that can be read"),
        ("map.geojson", "[", "not JSON that can be read"),
        (
            "map.geojson",
            '{"features": [], "crs": {"properties": {"name": "urn:ogc:def:crs:EPSG::3857"}}}',
            "coordinates are in urn:ogc:def:crs:EPSG::3857; export them in degrees",
        ),
        (
            "map.graphml",
            yed(("n0", "hampton", 37.03, -76.35), ("n1", "farther", 37.1, -76.4)).replace(
                '<edge id="e0" source="n0" target="n1">',
                '<edge id="e0" source="n0" target="n0">',
            ),
            "leads from hampton back to itself",
        ),
    ],
)
def test_files_that_are_no_map_are_refused_in_a_sentence(tmp_path, folder, name, text, message):
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert message in refused(folder, tmp_path / name)


def test_a_missing_file_and_a_shipped_scenario_are_refused(tmp_path, folder):
    assert "cannot be read" in refused(folder, tmp_path / "none.geojson")
    with pytest.raises(CommandError, match="make your own with newscenario"):
        run("importatlas", "saratoga-1777", str(tmp_path / "none.geojson"))


def test_an_edge_drawn_elsewhere_than_its_fields_say_is_named(tmp_path, folder):
    text = exported(tmp_path / "map.graphml")
    edge = text[text.index("<edge ") :].split(">")[0]
    source = edge.split('source="')[1].split('"')[0]
    target = edge.split('target="')[1].split('"')[0]
    other = next(key for key in atlas().places if key not in (source, target))
    (tmp_path / "map.graphml").write_text(
        text.replace(edge, edge.replace(f'target="{target}"', f'target="{other}"'))
    )
    assert "but its fields a and b say" in refused(folder, tmp_path / "map.graphml")


def test_tables_saved_by_a_german_spreadsheet_keep_who_controls_a_place(tmp_path, folder):
    """With semicolons no row of the old table was found, and every place became nobody's."""
    exported(tmp_path / "map.geojson")
    before = read_scenario(folder).theatre.holders
    assert before
    table = folder / "places.csv"
    rows = [line for line in table.read_text().splitlines() if not line.startswith("#")]
    assert not any('"' in row for row in rows)
    table.write_text("\n".join(row.replace(",", ";") for row in rows) + "\n")
    run("importatlas", NAME, str(tmp_path / "map.geojson"))
    assert read_scenario(folder).theatre.holders == before
