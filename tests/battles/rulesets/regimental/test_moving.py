"""Rates, ground and straight moves; retreats (REG-MOV, REG-TER-02, REG-TER-03, REG-DEF-04 to 06)."""

import pytest

from battles.engine.dtypes import FENCE, FIELDWORK, STREAM
from battles.rulesets.regimental import moving, retreating
from battles.rulesets.regimental import records as r
from battles.rulesets.regimental.approach import (
    change_front,
    come_out_of_building,
    fall_back_home,
    go_in,
    step_along,
)
from tests.battles.rulesets.regimental.forces import Unit, build, draw_line, field, garrison, paint


def gone(unit: Unit, *, ground: str = "open", quick: bool = False, may: int = r.MAY_BE_WELL) -> float:
    """Inches a unit goes straight ahead on a kind of ground."""
    g = field(unit)
    paint(g, ground)
    g.u[0].quick, g.u[0].may = int(quick), may
    return float(step_along(g, 0, 0, 100.0))


@pytest.mark.parametrize(
    ("unit", "ground", "quick", "inches"),
    [
        (Unit(), "open", False, 10.0),
        (Unit(), "open", True, 14.0),
        (Unit(), "woods", False, 6.0),
        (Unit(), "orchard", False, 8.0),
        (Unit(), "rocky fields", True, 10.0),
        (Unit(form=r.MARCH_COLUMN), "road", False, 18.0),
        (Unit(form=r.MARCH_COLUMN), "road in woods", True, 24.0),
        (Unit(), "road in woods", False, 10.0),
        (Unit(class_=r.HORSE, stands=2), "open", False, 18.0),
        (Unit(class_=r.HORSE, stands=2), "woods", False, 4.0),
        (Unit(gun="medium gun", stands=1, form=r.LIMBERED), "open", False, 8.0),
        (Unit(gun="galloper", stands=1, form=r.LIMBERED), "open", True, 16.0),
        (Unit(gun="medium gun", stands=1), "open", False, 0.0),
        (Unit(class_=r.WAGONS, stands=1), "road", False, 12.0),
    ],
)
def test_full_moves_by_ground_REG_MOV_01_REG_TER_02(
    unit: Unit, ground: str, quick: bool, inches: float
) -> None:
    assert gone(unit, ground=ground, quick=quick) == pytest.approx(inches)


def test_a_half_move_keeps_its_fractions_REG_MOV_02_REG_TRP_04() -> None:
    assert gone(Unit(), may=r.MAY_BE_TARDY) == 5.0
    assert gone(Unit(), may=r.MAY_BE_TARDY, quick=True) == 7.0


def test_each_inch_costs_by_the_ground_it_is_on_REG_MOV_01() -> None:
    g = field(Unit())
    paint(g, "woods", y=(24, 64))
    g.u[0].may = r.MAY_BE_WELL
    # four inches in the open, then 6 at 10 for 6 in the woods
    assert step_along(g, 0, 0, 100.0) == pytest.approx(4 + 3.6, abs=0.3)


def test_a_fence_makes_the_whole_move_one_on_broken_ground_REG_TER_03() -> None:
    g = field(Unit())
    draw_line(g, FENCE, 25.0)
    g.u[0].may = r.MAY_BE_WELL
    assert step_along(g, 0, 0, 100.0) == pytest.approx(8.0)


def test_works_stop_who_does_not_scale_them_which_takes_half_a_move_REG_TRP_01() -> None:
    g = field(Unit())
    draw_line(g, FIELDWORK, 22.0)
    inches, _ = moving.measure_walk(g, 0, 0, 10.0, 10.0, 0)
    assert inches <= 2.0
    inches, _ = moving.measure_walk(g, 0, 0, 10.0, 10.0, 1)
    assert inches == pytest.approx(5.0)


def test_well_handled_troops_scale_works_in_their_way_REG_TRP_01() -> None:
    for may, inches in ((r.MAY_BE_WELL, 5.0), (r.MAY_BE_TARDY, 2.0)):
        g = field(Unit())
        draw_line(g, FIELDWORK, 22.0)
        g.u[0].may = may
        assert step_along(g, 0, 0, 100.0) == pytest.approx(inches, abs=0.01), may


def test_foot_at_a_house_goes_in_as_its_garrison_REG_UNI_04_REG_TRP_04() -> None:
    g = field(Unit(y=17.5), Unit(y=40.0))
    k = build(g, 30, 20)
    g.u[0].may = r.MAY_BE_TARDY
    assert go_in(g, 0, k)
    assert (g.u[0].inside, g.u[0].form, g.u[0].may) == (k, r.GARRISON, r.NOTHING)
    # the house holds one
    g.u[1].may, g.u[1].y = r.MAY_BE_TARDY, 22.0
    assert not go_in(g, 1, k)


def test_a_creek_is_rough_ground_to_cross_REG_TER_01() -> None:
    g = field(Unit())
    draw_line(g, STREAM, 25.0)
    g.u[0].may = r.MAY_BE_WELL
    assert 8.5 < step_along(g, 0, 0, 100.0) < 9.6


def test_water_bars_but_at_a_ford_REG_TER_01() -> None:
    g = field(Unit())
    paint(g, "water", y=(24, 28))
    g.u[0].may = r.MAY_BE_WELL
    assert step_along(g, 0, 0, 100.0) == 0.0
    paint(g, "ford", x=(26, 34), y=(24, 28))
    g.u[0].may = r.MAY_BE_WELL
    assert step_along(g, 0, 0, 100.0) == pytest.approx(10.0)


def test_nobody_comes_within_a_quarter_of_an_inch_of_an_enemy_REG_DEF_05() -> None:
    g = field(Unit(), Unit(1, y=25.0))
    g.u[0].may = r.MAY_BE_WELL
    step_along(g, 0, 0, 100.0)
    assert g.u[1].y - g.u[0].y - 0.5 == pytest.approx(0.25, abs=1e-5)


def test_friends_are_not_crossed_but_by_limbered_guns_REG_TRP_03() -> None:
    g = field(Unit(), Unit(y=23.0))
    g.u[0].may = r.MAY_BE_WELL
    assert moving.advance_straight(g, 0, 0, 10.0, 10.0) == pytest.approx(2.45)
    g = field(Unit(gun="light gun", stands=1, form=r.LIMBERED), Unit(y=23.0))
    assert moving.advance_straight(g, 0, 0, 8.0, 8.0) == 8.0


def test_a_wheel_costs_what_its_outer_end_goes_REG_DEF_06() -> None:
    u = field(Unit()).u[0]
    assert moving.wheel_cost(u, 30) == pytest.approx(2.0 * 3.14159 / 6.0, abs=0.01)
    assert moving.wheel_cost(field(Unit(form=r.EXTENDED)).u[0], 30) == 0.0


def test_a_change_of_front_leaves_half_a_move_REG_TRP_01() -> None:
    g = field(Unit())
    g.u[0].may = r.MAY_BE_WELL
    assert change_front(g, 0, 120, 100.0) == pytest.approx(5.0)
    assert (g.u[0].face, g.u[0].may) == (120, r.NOTHING)


def test_who_faces_by_the_rear_rank_is_easier_to_hit_REG_TRP_01_REG_FIR_06() -> None:
    g = field(Unit())
    g.u[0].may = r.MAY_BE_WELL
    assert fall_back_home(g, 0, 10.0) == 5.0
    assert (g.u[0].face, g.u[0].about_faced, g.u[0].y) == (180, 1, 15.0)
    g = field(Unit())
    g.u[0].may = r.MAY_BE_TARDY
    assert fall_back_home(g, 0, 10.0) == 0.0
    assert (g.u[0].face, g.u[0].may) == (180, r.NOTHING)


def test_a_full_retreat_is_a_move_of_the_broken_and_ends_facing_away_REG_MAN_05() -> None:
    g = field(Unit(y=40.0, order=r.BROKEN), Unit(1, y=44.0))
    assert retreating.full_retreat(g, 0) == 16.0
    assert (g.u[0].y, g.u[0].face) == (24.0, 180)


def test_out_of_close_range_is_as_far_as_need_be_REG_MAN_06() -> None:
    g = field(Unit(), Unit(1, y=23.5))
    assert 1.0 < retreating.out_of_close_range(g, 0) <= 1.5
    assert (g.u[0].face, g.u[0].form) == (0, r.LINE)


def test_a_retreat_slides_on_until_it_stands_on_nobody_REG_DEF_04() -> None:
    g = field(Unit(), Unit(y=18.0), Unit(1, y=21.0))
    assert retreating.back_off(g, 0, 2.0) == 2.5
    assert g.u[1].order_ == r.GOOD


def test_a_retreat_stops_at_ground_that_bars_it_REG_DEF_04() -> None:
    g = field(Unit(order=r.BROKEN), Unit(1, y=23.0))
    paint(g, "water", y=(10, 14))
    assert retreating.full_retreat(g, 0) == 6.0


def test_who_goes_beyond_the_edge_has_left_with_his_stands_REG_DEF_04() -> None:
    g = field(Unit(y=5.0, order=r.BROKEN), Unit(1, y=8.0))
    retreating.full_retreat(g, 0)
    assert (g.u[0].place, g.u[0].stands, g.u[0].lost) == (r.LEFT, 8, 0)


def test_a_garrison_comes_out_and_forms_up_REG_UNI_04() -> None:
    g = field(Unit())
    garrison(g, 0, build(g, 30, 20))
    g.u[0].may = r.MAY_BE_WELL
    assert come_out_of_building(g, 0, 0) > 1.5
    assert (g.u[0].inside, g.u[0].form, g.u[0].may) == (-1, r.LINE, r.NOTHING)
    [told] = g.events[: g.events_n]
    assert (told.x, told.y, told.face) == (g.u[0].x, g.u[0].y, g.u[0].face)
    assert 2 * g.u[0].half_width == 4.0


@pytest.mark.parametrize(("gun", "inches"), [("light gun", 2.0), ("galloper", 4.0), ("medium gun", 0.0)])
def test_light_pieces_are_hauled_by_hand_REG_GUN_01(gun: str, inches: float) -> None:
    assert moving.hand_haul(field(Unit(gun=gun, stands=1)), 0, 0) == inches
