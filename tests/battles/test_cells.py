"""What every cell of a table is, against slow and plain reckoning."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battles.engine.cells import PARTS, ROUGH, TOUCH, Grid, _pack_layers, _unpack_spot, lie_of
from battles.engine.compile import is_interpreted
from battles.engine.survey import GroundSpot, Survey, Terrain, survey_ground
from battles.files.schema import BattleGround, Feature, Point
from battles.ground.features import BUILDING_HALVES, ROAD_WIDTH, find_building_base
from battles.ground.shapes import Rectangle, is_inside_polygon, is_inside_rectangle
from tests.battles.grounds import is_near_course
from tests.battles.test_raster import box, courses, polygons

EXAMPLES = 30 if is_interpreted() else 60
ROWS, COLUMNS = 30, 40
APART = {"crops": 1, "rough": 2, "marsh": 3, "swamp": 4}
SQUARE = box(10, 10, 20, 20)


def found_on(*features: Feature) -> Survey:
    return survey_ground(
        BattleGround(40, 30, features), Terrain(costs=lambda spot: (), strength=lambda feature: 1)
    )


def spot_at(x: float, y: float, *features: Feature, rough: Any = ROUGH) -> GroundSpot:
    ground = BattleGround(40, 30, features)
    lie = lie_of(ground, found_on(*features), (ROWS, COLUMNS), 1.0, rough)
    return lie.spots[int(lie.cells[int(y), int(x)])]


cells = st.sampled_from((0.5, 1.0, 1.5, 2.0))


@given(polygons, cells)
@settings(max_examples=EXAMPLES, deadline=None)
def test_a_polygon_covers_the_cells_whose_centre_lies_in_it(corners: tuple[Point, ...], cell: float) -> None:
    marks = Grid(20, 25, cell).mark_polygon(corners)
    for row, column in np.ndindex(20, 25):
        assert marks[row, column] == is_inside_polygon(corners, ((column + 0.5) * cell, (row + 0.5) * cell))


@given(courses, st.floats(0.1, 6.0), cells)
@settings(max_examples=EXAMPLES, deadline=None)
def test_a_course_has_the_cells_within_its_breadth(
    course: tuple[Point, ...], inches: float, cell: float
) -> None:
    marks = Grid(20, 25, cell).mark_near(course, inches)
    for row, column in np.ndindex(20, 25):
        assert marks[row, column] == is_near_course(
            course, ((column + 0.5) * cell, (row + 0.5) * cell), inches
        )


@given(st.integers(0, 359), st.floats(0.0, 1.5), cells)
@settings(max_examples=EXAMPLES, deadline=None)
def test_a_rectangle_has_the_cells_in_it_and_in_its_margin(face: int, margin: float, cell: float) -> None:
    house = Rectangle(9.3, 8.7, face, 4.0, 2.0)
    marks = Grid(20, 25, cell).mark_rectangle(house, margin)
    wider = house._replace(half_width=4.0 + margin, half_depth=2.0 + margin)
    for row, column in np.ndindex(20, 25):
        assert marks[row, column] == is_inside_rectangle(wider, ((column + 0.5) * cell, (row + 0.5) * cell))


def test_a_shape_off_the_table_covers_nothing() -> None:
    grid = Grid(ROWS, COLUMNS, 1.0)
    for off in (box(-20, -20, -5, -5), box(50, 40, 60, 50), box(50, -20, 60, -5)):
        assert not grid.mark_polygon(off).any()
        assert not grid.mark_near(off, 2.0).any()


@pytest.mark.parametrize("kind", APART)
def test_another_ruleset_tells_rough_ground_further_apart(kind: Any) -> None:
    area = Feature(kind, SQUARE)
    assert spot_at(15, 15, area, rough=APART).rough == APART[kind]
    assert spot_at(15, 15, area).rough == ROUGH[kind]
    assert spot_at(25, 15, area, rough=APART) == GroundSpot()


@pytest.mark.parametrize("way", [1, -1])
def test_of_ground_that_overlaps_the_worse_is_kept_whatever_the_order(way: int) -> None:
    kinds: tuple[Any, ...] = ("swamp", "crops", "rough", "dense_woods", "open_woods")
    areas = [Feature(kind, SQUARE) for kind in kinds[::way]]
    assert spot_at(15, 15, *areas, rough=APART) == GroundSpot(rough=4, wood=2)
    assert spot_at(15, 15, *areas) == GroundSpot(rough=2, wood=2)


def test_of_hills_the_last_counts() -> None:
    low, top = (Feature("hill", SQUARE, height=h, grade=g) for h, g in ((1, "steep"), (3, "level")))
    assert spot_at(15, 15, low, top) == GroundSpot(height=3, grade=0)
    assert spot_at(15, 15, top, low) == GroundSpot(height=1, grade=2)


def test_open_ground_is_the_first_of_the_spots_even_where_there_is_none() -> None:
    flood = Feature("water", box(-5, -5, 60, 60))
    lie = lie_of(BattleGround(40, 30, (flood,)), found_on(flood), (ROWS, COLUMNS), 1.0)
    assert lie.spots == [GroundSpot(), GroundSpot(water=1)]
    assert set(np.unique(lie.cells).tolist()) == {1}


@given(st.builds(GroundSpot, *(st.integers(0, most - 1) for most in PARTS)))
@settings(max_examples=EXAMPLES, deadline=None)
def test_every_combination_has_a_number_of_its_own(spot: GroundSpot) -> None:
    layers = {name: np.array([[value]]) for name, value in spot._asdict().items()}
    assert _unpack_spot(int(_pack_layers(layers)[0, 0])) == spot


def test_a_road_has_every_cell_it_touches() -> None:
    road = Feature("road", ((0, 0), (40, 30)), road_grade="steep")
    for n in range(400):
        x, y = n / 10.0, n * 0.075
        assert spot_at(x, y, road).road == 3
    aside = ROAD_WIDTH / 2.0 + TOUCH + 1.0
    assert spot_at(20, 15 + aside * 1.25, road).road == 0


def test_bridges_and_fords_are_water_of_their_own_kind() -> None:
    river = Feature("river", ((0, 15), (40, 15)))
    ways = (Feature("bridge", ((10, 15),)), Feature("ford", ((25, 15),)))
    assert [spot_at(x, 15, river, *ways).water for x in (10, 25, 33)] == [2, 3, 1]
    assert spot_at(10, 25, river, *ways).water == 0, "beyond its banks"


def test_where_buildings_stand_is_told() -> None:
    house = Feature("building", ((10.5, 10.5),))
    wood = Feature("open_woods", box(0, 0, 40, 12))
    found = found_on(house, wood)
    lie = lie_of(BattleGround(40, 30, (house, wood)), found, (ROWS, COLUMNS), 1.0)
    assert {lie.spots[place] for place in lie.built} == {GroundSpot(wood=1)}
    assert lie.cells[10, 10] in lie.built
    assert find_building_base(house).half_width == BUILDING_HALVES["small"][0]
