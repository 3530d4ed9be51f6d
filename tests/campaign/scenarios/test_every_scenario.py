"""What holds for every scenario shipped, and for the template of new ones."""

import csv
import json
import re
from pathlib import Path

import pytest
import shapely
from shapely.geometry import shape

from campaign.rules.returns.places_of_arrival import EUROPEAN_PORTS
from campaign.rules.world.world import UnitStatus
from campaign.rules.world.world_json import world_from_json, world_hash, world_to_json
from campaign.scenarios.head import GEO, surroundings_of
from campaign.scenarios.making import TEMPLATE
from campaign.scenarios.reading import Scenario, read_scenario, scenario_list, scenario_path
from rosters.domain.vocabulary import EUROPEAN, POOL_NATION

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = [*(scenario_path(slug) for slug in scenario_list()), TEMPLATE]
SHIPPED = FOLDERS[:-1]
#: Miles by which a coast may lie wrong on the base map.
COAST_DEGREES = 0.03


@pytest.fixture(scope="module", params=FOLDERS, ids=lambda folder: folder.name)
def folder(request: pytest.FixtureRequest) -> Path:
    return request.param


@pytest.fixture(scope="module")
def scenario(folder: Path) -> Scenario:
    return read_scenario(folder)


def test_the_shipped_ones_are_listed_and_the_template_is_not() -> None:
    assert {"saratoga-1777", "new-jersey-1776"} <= set(scenario_list())
    assert not any(slug.startswith(("_", "-")) for slug in scenario_list())


def test_reading_twice_gives_the_same_world(scenario: Scenario, folder: Path) -> None:
    again = read_scenario(folder)
    assert world_hash(again.world) == world_hash(scenario.world)
    assert world_from_json(world_to_json(scenario.world), again.theatre) == scenario.world


def test_formations_start_together_on_their_own_ground_hr_dat_10(scenario: Scenario) -> None:
    world = scenario.world
    for unit in world.units.values():
        formation = world.formations[unit.formation]
        assert formation.side == unit.side
        assert (unit.status is UnitStatus.EXPECTED) == (unit.arrives > 0)
        assert (unit.points == 0) == unit.is_train
        if unit.status is UnitStatus.PRESENT:
            assert formation.position is not None
            assert formation.position.place == unit.home
            assert world.holders[unit.home] == unit.side


def test_a_week_begins_with_the_first_day_and_the_last_one_is_whole(scenario: Scenario) -> None:
    assert scenario.theatre.days % 7 == 0


def test_both_sides_have_troops_a_base_aims_and_a_seat(scenario: Scenario) -> None:
    world, theatre = scenario.world, scenario.theatre
    for side in theatre.sides:
        assert any(unit.side == side.id and unit.points for unit in world.units.values())
        assert all(place in theatre.atlas.places for place in theatre.supply[side.id])
        assert any(aim.side == side.id and aim.weight and aim.from_day == 0 for aim in theatre.objectives)
    assert [(seat.role, seat.side) for seat in scenario.demo_seats] == [
        ("umpire", ""),
        *(("commander", side.id) for side in theatre.sides),
    ]


def test_every_recruiting_nation_has_a_place_to_muster_awi_c_pol_05(scenario: Scenario) -> None:
    pools = {POOL_NATION[unit.nation] for unit in scenario.world.units.values() if unit.points}
    nations = {EUROPEAN_PORTS if pool in EUROPEAN else pool for pool in pools}
    assert nations <= set(scenario.theatre.musters)


def test_only_rivers_run_and_boats_find_a_landing(scenario: Scenario) -> None:
    atlas = scenario.theatre.atlas
    assert {route.flow for route in atlas.routes.values() if route.kind != "river"} <= {"none"}
    for route in atlas.routes.values():
        if route.kind in ("lake", "sea"):
            assert "none" not in (atlas.places[route.a].port, atlas.places[route.b].port), route.id


def test_the_base_map_reaches_round_every_place_and_all_lie_on_land(scenario: Scenario) -> None:
    names = filter(None, (scenario.theatre.base_map, surroundings_of(scenario.theatre.base_map)))
    maps = [json.loads((GEO / f"{name}.geojson").read_text(encoding="utf-8")) for name in names]
    west, south, east, north = maps[-1]["bbox"]
    features = [feature for one in maps for feature in one["features"]]
    ashore = [shape(one["geometry"]) for one in features if one["properties"]["layer"] != "river"]
    land = shapely.union_all([shapely.make_valid(one) for one in ashore]).buffer(COAST_DEGREES)
    for place in scenario.theatre.atlas.places.values():
        assert west < place.lon < east and south < place.lat < north, place.id
        assert land.contains(shapely.Point(place.lon, place.lat)), place.id


def test_each_map_says_where_it_was_cut_and_has_a_hole_in_the_one_around_it() -> None:
    for file in GEO.glob("*.geojson"):
        west, south, east, north = json.loads(file.read_text(encoding="utf-8"))["bbox"]
        assert west < east and south < north
        if around := surroundings_of(file.stem):
            outer = json.loads((GEO / f"{around}.geojson").read_text(encoding="utf-8"))["bbox"]
            assert outer[0] < west and outer[1] < south and outer[2] > east and outer[3] > north


@pytest.mark.parametrize("shipped", SHIPPED, ids=lambda each: each.name)
def test_facts_have_their_sources(shipped: Path) -> None:
    """Every unit, recorded day and event names its source; SOURCES.md tells what was estimated."""
    told = (shipped / "SOURCES.md").read_text(encoding="utf-8")
    assert "**[E]**" in told and "**[M]**" in told
    for file in ("units.csv", "weather.csv", "history.csv"):
        with (shipped / file).open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(line for line in lines if not line.startswith("#")):  # notes
                assert row["source"].strip(), (file, row)
        assert file in told


def test_nothing_in_the_code_is_tied_to_a_scenario() -> None:
    """No side, place or formation of a scenario stands as a word in the programme, templates or scripts."""
    words = set()
    for one in (read_scenario(each) for each in SHIPPED):
        words |= {side.id for side in one.theatre.sides} | {one.theatre.id}
        words |= {*one.theatre.atlas.places, *one.world.formations}
    quoted = re.compile(rf"""["'](?:{"|".join(sorted(words))})["']""")
    files = [
        *(f for f in (ROOT / "campaign").rglob("*.py") if "migrations" not in f.parts),
        *(ROOT / "templates").rglob("*.html"),
        *(ROOT / "static" / "js").rglob("*.js"),
    ]
    found = {f.name: hits for f in files if (hits := quoted.findall(f.read_text(encoding="utf-8")))}
    assert found == {}


def test_the_guide_names_every_file_and_column_of_the_template() -> None:
    guide = (ROOT / "docs/scenarios.md").read_text(encoding="utf-8")
    for file in TEMPLATE.iterdir():
        assert f"`{file.name}`" in guide, file.name
        if file.suffix == ".csv":
            columns = file.read_text(encoding="utf-8").splitlines()[0].split(",")
            assert [column for column in columns if f"`{column}`" not in guide] == [], file.name


@pytest.mark.parametrize("shipped", SHIPPED, ids=lambda each: each.name)
def test_the_guide_counts_what_is_shipped(shipped: Path) -> None:
    found = read_scenario(shipped)
    theatre = found.theatre
    counts = (len(theatre.atlas.places), len(theatre.atlas.routes), len(found.world.units))
    row = " | ".join(str(count) for count in (*counts, len(found.leaders), theatre.days))
    guide = (ROOT / "docs/scenarios.md").read_text(encoding="utf-8")
    assert re.search(rf"{re.escape(theatre.title)} .*\| {re.escape(row)} \|", guide)
