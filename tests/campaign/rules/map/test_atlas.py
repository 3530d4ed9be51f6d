"""A map is sound or says what is wrong with it (HR-MAP-01)."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest

from campaign.rules.map.atlas import Atlas, Place, Route, atlas_problems, great_circle_miles
from tests.campaign.rules.maps import MILE, atlas, place, route

ALBANY = place("albany", lat=42.652, lon=-73.756)
HALF_MOON = place("half_moon", lat=42.788, lon=-73.681)
BOSTON = place("boston", lat=42.358, lon=-71.059)
ROAD = route("albany", "half_moon", "road", 12)


def test_a_sound_map_has_no_problems() -> None:
    river = route("albany", "half_moon", "river", 11.5)
    assert atlas_problems([ALBANY, HALF_MOON], [ROAD, river]) == []


@pytest.mark.parametrize(
    ("places", "routes", "message"),
    [
        ([], [], "no places"),
        ([ALBANY, BOSTON], [], "No route joins boston to the rest"),
        ([ALBANY, HALF_MOON, HALF_MOON], [ROAD], "Two places have the id 'half_moon'"),
        ([ALBANY, HALF_MOON], [ROAD, ROAD], "Two routes have the id 'albany--half_moon--road'"),
        (
            [ALBANY, HALF_MOON],
            [ROAD, route("half_moon", "albany", "road", 13)],
            "same places as albany--half_moon--road by road",
        ),
        ([ALBANY], [ROAD], "leads to 'half_moon', which is not a place"),
        ([ALBANY], [route("albany", "albany")], "back to itself"),
        ([ALBANY, HALF_MOON], [replace(ROAD, yards=0)], "0 yards long; it must be at least 1"),
        ([ALBANY, HALF_MOON], [replace(ROAD, yards=10 * MILE)], "its ends are 10.\\d miles apart"),
        ([replace(ALBANY, id="al/bany")], [], "may hold only letters"),
    ],
)
def test_hr_map_01_each_fault_is_a_sentence(places: list[Place], routes: list[Route], message: str) -> None:
    (problem,) = atlas_problems(places, routes)
    assert re.search(message, problem)
    assert problem.endswith(".")


def test_hr_map_01_many_cut_off_places_are_told_in_one_sentence() -> None:
    isles = [place(f"isle_{number}") for number in range(8)]
    ways = [route(a.id, b.id) for a, b in pairwise(isles)]
    mainland = [place(f"town_{number}") for number in range(9)]
    roads = [route(a.id, b.id) for a, b in pairwise(mainland)]
    (problem,) = atlas_problems([*isles, *mainland], [*ways, *roads])
    assert "isle_0, isle_1, isle_2, isle_3, isle_4 and 3 more" in problem


def test_great_circle_of_albany_to_boston() -> None:
    assert round(great_circle_miles(ALBANY, BOSTON)) == 139
    assert great_circle_miles(ALBANY, ALBANY) == 0


def test_a_road_and_a_river_join_the_same_two_places() -> None:
    both = atlas(ROAD, route("albany", "half_moon", "river", 11.5))
    assert both.graph.number_of_edges("albany", "half_moon") == 2
    assert [way.kind for way in both.routes_at("albany")] == ["river", "road"]
    assert ROAD.other("albany") == "half_moon"


def test_what_is_derived_from_a_map_stays_with_it() -> None:
    chart = Atlas.of([ALBANY], [])
    chart.derived_tables["answer"] = 17
    assert chart.derived_tables == {"answer": 17}
    assert Atlas.of([ALBANY], []).derived_tables == {}
