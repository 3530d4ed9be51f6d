"""Marches of 1777 on the map that is shipped (HR-MAR, HR-WAT)."""

from fractions import Fraction

import pytest

from campaign.rules.errors import RuleViolation
from campaign.rules.map.atlas import Atlas, atlas_problems
from campaign.rules.map.atlas_files import (
    atlas_from_geojson,
    atlas_from_graphml,
    atlas_to_geojson,
    atlas_to_graphml,
)
from campaign.rules.map.paths import MarchPlan, path_find
from campaign.rules.march.itinerary import build_schedule
from campaign.rules.march.marching import FOOT, MarchClass
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Position
from campaign.scenarios.reading import read_scenario, scenario_path
from rosters.domain.vocabulary import Mobility

SETTINGS = RuleSettings()
WAGONS = MarchClass(Mobility.WAGONS, wheels=True, heavy=True)


@pytest.fixture(scope="module")
def saratoga() -> Atlas:
    return read_scenario(scenario_path("saratoga-1777")).theatre.atlas


def march(chart: Atlas, start: str, *via: str, by: MarchClass = FOOT, light: bool = False) -> MarchPlan:
    return path_find(chart, Position(place=start), via, by, SETTINGS, light_order=light)


def days(plan: MarchPlan) -> Fraction:
    return Fraction(plan.minutes, SETTINGS.march_minutes)


def test_hr_map_01_the_map_is_sound_and_comes_back_from_both_kinds_of_file(saratoga: Atlas) -> None:
    assert atlas_problems(saratoga.places.values(), saratoga.routes.values()) == []
    assert atlas_from_graphml(atlas_to_graphml(saratoga)) == saratoga
    assert atlas_from_geojson(atlas_to_geojson(saratoga)) == saratoga


def test_awi_c_mar_02_st_clairs_retreat_is_one_long_day_in_light_order(saratoga: Atlas) -> None:
    plan = march(saratoga, "mount_independence", "castleton", light=True)
    assert plan.places == ("hubbardton", "castleton")
    (day,) = build_schedule(saratoga, plan, "double", FOOT, SETTINGS, light_order=True).days
    assert day.percent_over == 90


def test_hr_mar_01_albany_to_fort_edward_is_four_days_of_marching(saratoga: Atlas) -> None:
    assert 3 < days(march(saratoga, "albany", "fort_edward")) <= 4


def test_hr_wat_02_burgoynes_lake_and_st_legers_river(saratoga: Atlas) -> None:
    lake = march(saratoga, "cumberland_head", "crown_point", by=WAGONS)
    assert days(lake) <= 7
    assert {saratoga.routes[leg.route].kind for leg in lake.legs} == {"lake"}
    assert 6 <= days(march(saratoga, "lachine", "oswegatchie")) <= 9
    assert 2 <= days(march(saratoga, "oswegatchie", "lachine")) <= 3


def test_hr_mar_02_wagons_reach_all_but_the_trails(saratoga: Atlas) -> None:
    barred = set()
    for place in saratoga.places:
        try:
            march(saratoga, "albany", place, by=WAGONS)
        except RuleViolation as refused:
            assert refused.rule_id == "HR-MAR-02"
            barred.add(place)
    assert barred == {"unadilla", "mount_defiance"}


def test_hr_mar_08_every_place_can_be_reached_on_foot_from_every_other(saratoga: Atlas) -> None:
    for start in ("albany", "quebec", "boston", "oswego", "diamond_island"):
        for goal in saratoga.places:
            plan = march(saratoga, start, goal)
            assert [start, *plan.places][-1] == goal
