"""How stands get somewhere: round what bars them, over water, in column of road, back and home."""

from typing import Any

import pytest

from battles.engine.dtypes import BY_BRIDGE, FIELDWORK
from battles.engine.raster import work_add
from battles.engine.wayfinding import HAS_WAY, PATIENCE
from battles.engine.ways import best_gate
from battles.rulesets.volley_bayonet import approach, bases
from battles.rulesets.volley_bayonet import records as r
from tests.battles.rulesets.volley_bayonet.forces import Stand, field, make_way, paint


def test_a_stand_goes_up_to_an_enemy_as_near_as_it_is_told() -> None:
    g = field(Stand(y=20.0), Stand(1, x=33.0, y=36.0))
    approach.close_to(g, 0, 1, bases.measure_gap(g, 0, 1), 7.0)
    assert bases.measure_gap(g, 0, 1) == pytest.approx(7.0, abs=0.3)
    assert approach.close_to(g, 0, 1, bases.measure_gap(g, 0, 1), 7.5) == 0.0


@pytest.mark.parametrize(("x", "facings"), [(35.0, 0), (60.0, 1)])
def test_beyond_a_slant_of_45_degrees_it_must_face_VBW_MOV_06(x: float, facings: int) -> None:
    g = field(Stand(x=30.0, y=20.0))
    assert approach.go_to_spot(g, 0, x, 32.0, 1.0) > 0.0
    assert g.u[0].facings == facings
    assert bool(g.u[0].face == 0) is (facings == 0)


def test_ground_that_bars_is_gone_round_VBW_TER_03() -> None:
    g = field(Stand(kind="LC", x=30.0, y=20.0))
    paint(g, "forest", x=(28, 33), y=(24, 30))
    assert approach.bars_way(g, g.u[0], 0, 16.0)
    assert approach.go_to_spot(g, 0, 30.0, 50.0, 1.0) > 10.0
    assert g.u[0].x != 30.0 and g.u[0].y > 25.0


@pytest.mark.parametrize(("road", "ways"), [(1, False), (0, True)])
def test_a_column_of_road_takes_the_road_through_what_bars_it_VBW_TER_28(road: int, ways: bool) -> None:
    g = field(Stand(kind="LC", x=30.0, y=20.0, form=r.ROAD_MARCH))
    paint(g, "forest", y=(24, 40))
    g.going[r.FOREST].road = road
    assert approach.bars_way(g, g.u[0], 0, 16.0) is ways


def test_on_a_road_a_column_goes_three_times_as_far_VBW_MOV_11() -> None:
    g = field(Stand(x=30.0, y=5.0, form=r.ROAD_MARCH))
    g.going[r.OPEN].road = 1
    rate = float(g.u[0].rate)
    assert approach.go_to_spot(g, 0, 30.0, 62.0, 1.0) == pytest.approx(min(3 * rate, 56.0), abs=0.6)


def test_a_river_is_crossed_by_the_nearest_bridge_VBW_TER_30() -> None:
    g = field(Stand(x=36.0, y=15.0), Stand(1, y=60.0))
    paint(g, "water", y=(24, 27))
    for x in (30, 80):
        paint(g, "bridge", x=(x - 1, x + 1), y=(24, 27))
        make_way(g, BY_BRIDGE, float(x), 25.5)
    u = g.u[0]
    assert best_gate(g, u.x, u.y, 36.0, 40.0)[0] == 0
    for _ in range(8):
        u.left, u.facings = 1.0, 0
        approach.go_to_spot(g, 0, 36.0, 40.0, 1.0)
    assert u.y > 35.0


def test_an_enemy_beside_is_faced_one_ahead_is_not_VBW_MOV_02() -> None:
    for x, y, turned in ((30.0, 30.0, False), (45.0, 20.0, True)):
        g = field(Stand(y=20.0), Stand(1, x=x, y=y))
        approach.look_at(g, 0, 1)
        assert bool(g.u[0].face != 0) is turned
        assert g.u[0].moved == 0


def test_it_falls_back_with_its_face_to_the_enemy_for_a_facing_change_VBW_MOV_06() -> None:
    g = field(Stand(y=20.0))
    assert approach.fall_back_home(g, 0, 5.0) == 5.0
    assert (g.u[0].y, g.u[0].face, g.u[0].facings) == (15.0, 0, 1)


def test_who_goes_home_is_off_by_its_edge() -> None:
    g = field(Stand(y=18.0, face=180))
    approach.go_home(g, 0)
    assert g.u[0].place == r.ON_TABLE
    g.u[0].left = 1.0
    approach.go_home(g, 0)
    assert (g.u[0].place, g.u[0].sp) == (r.GONE, 3)


@pytest.mark.parametrize(
    ("form", "distance", "after"),
    [
        (r.FORMED, 40.0, r.ROAD_MARCH),
        (r.FORMED, 30.0, r.FORMED),
        (r.ROAD_MARCH, 30.0, r.ROAD_MARCH),
        (r.ROAD_MARCH, 20.0, r.FORMED),
        (r.SKIRMISH, 40.0, r.SKIRMISH),
    ],
)
def test_far_from_the_enemy_it_goes_in_column_VBW_MOV_12(form: int, distance: float, after: int) -> None:
    facts: Any = {"abilities": ("detachments",)} if form == r.SKIRMISH else {}
    g = field(Stand(form=form, **facts))
    approach.column_of_road(g, 0, distance)
    assert g.u[0].form == after


def test_the_nearest_enemy_is_one_who_does_not_run() -> None:
    g = field(Stand(y=20.0), Stand(1, y=30.0, state=r.ROUTED), Stand(1, y=35.0), Stand(x=31.0, y=25.0))
    assert approach.nearest_enemy(g, 0) == 2
    assert not bases.has_enemy_touching(g, 0)


def test_works_alone_are_gone_round_by_who_cannot_climb_them_HR_BAT_02() -> None:
    g = field(Stand(kind="LC", x=30.0, y=20.0), Stand(1, x=30.0, y=60.0))
    work_add(g, FIELDWORK, 0.0, 26.0, 60.0, 26.0, 0)
    g.goings_n = 1  # nothing but open ground
    assert g.buildings_n == 0
    g.u[0].stuck, g.u[0].least_left = PATIENCE, 0.0
    g.u[0].asked_in = g.turn
    assert approach.goes_by_way(g, 0, 30.0, 50.0, 2.0) > 0.0
    assert g.u[0].has_way == HAS_WAY
    assert g.u[0].via_x > 60.0
