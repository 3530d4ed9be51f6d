"""Step C: what a unit may do with its move."""

import pytest

from battles.engine import bases, geometry
from battles.engine.bases import BASE, HALF
from battles.engine.dtypes import COLUMN, DEPLOYED, FENCE, LIMBERED, LINE
from battles.engine.raster import structure_add, work_add
from battles.rulesets.awi import movement
from rosters.domain.vocabulary import GunClass, TroopType
from tests.battles.forces import Stand, table

T = TroopType
LINE_FOOT = T.CONTINENTAL_LINE
FAR = Stand(1, LINE_FOOT, 10, 55, face=180)


def alone(kind: TroopType = LINE_FOOT, **more):
    return table(Stand(0, kind, 48, 20, **more), FAR)


@pytest.mark.parametrize(
    ("form", "width", "depth"), [(LINE, 2 * BASE, BASE), (COLUMN, BASE, 2 * BASE), (DEPLOYED, BASE, 2 * BASE)]
)
def test_footprints_are_two_bases_AWI_T_UNI_01_UNI_02(form: int, width: float, depth: float) -> None:
    g = alone(form=form)
    assert pytest.approx((width, depth)) == (2 * bases.half_width(g.u[0]), 2 * bases.half_depth(g.u[0]))
    assert round(BASE * 25.4) == 45


@pytest.mark.parametrize(
    ("kind", "form", "inches"),
    [
        (LINE_FOOT, LINE, 6),
        (LINE_FOOT, COLUMN, 9),
        (T.RANGERS, LINE, 9),
        (T.AMERICAN_LIGHT_CAVALRY, LINE, 15),
        (T.EUROPEAN_ARTILLERY, LIMBERED, 9),
        (T.EUROPEAN_ARTILLERY, DEPLOYED, 3),
    ],
)
def test_a_full_move_straight_ahead_AWI_T_MOV_01_MOV_02(kind: TroopType, form: int, inches: int) -> None:
    g = alone(kind, form=form)
    assert movement.move_on(g, 0, 0, movement.move_rate(g.u[0])) == inches
    assert (g.u[0].x, g.u[0].y) == (48, 20 + inches)


def test_howitzers_and_wagons_have_borrowed_rates_AWI_T_MOV_04() -> None:
    g = table(
        Stand(0, T.EUROPEAN_ARTILLERY, 40, 20, gun_class=GunClass.HOWITZER),
        Stand(0, T.WAGON, 50, 20),
        options={"howitzer_move_class": "light", "wagon_move": 9},
    )
    assert (g.u[0].rate_line, g.u[0].rate_column, g.u[1].rate_column) == (3, 9, 9)


def test_grasshopper_option_AWI_T_MOV_03() -> None:
    stand = Stand(0, T.EUROPEAN_ARTILLERY, 40, 20, gun_class=GunClass.GRASSHOPPER)
    g = table(stand, options={"grasshopper_moves": {"deployed": 21, "rout": 21}})
    assert (g.u[0].rate_line, g.u[0].rate_column, g.u[0].rate_rout) == (21, 12, 21)


def test_a_mover_stops_an_inch_from_the_enemy_AWI_T_SEQ_03() -> None:
    g = table(Stand(0, LINE_FOOT, 48, 20), Stand(1, LINE_FOOT, 48, 26, face=180))
    movement.move_on(g, 0, 0, 6.0)
    assert bases.measure_gap(g, 0, 1) == pytest.approx(1.0, abs=0.03)
    assert bases.measure_gap(g, 0, 1) >= 1.0 - 1e-9


def test_a_unit_too_near_may_only_move_away_AWI_T_SEQ_03() -> None:
    g = table(Stand(0, LINE_FOOT, 48, 20), Stand(1, LINE_FOOT, 48, 22.3, face=180))
    assert movement.find_straight_inches(g, 0, 0, 6.0) == 0
    assert movement.fall_back_facing(g, 0, 6.0) == 3


def test_formation_change_leaves_the_rest_of_a_line_move_AWI_T_MOV_05() -> None:
    g = alone(form=COLUMN)
    left = movement.change_formation(g, 0, LINE)
    assert (g.u[0].form, round(left, 2)) == (LINE, 3.49)


def test_formation_change_needs_room_AWI_T_MOV_05() -> None:
    g = table(Stand(0, LINE_FOOT, 48, 20, form=COLUMN), Stand(0, LINE_FOOT, 50, 20, form=COLUMN), FAR)
    assert movement.change_formation(g, 0, LINE) == -1
    assert g.u[0].form == COLUMN


def test_limbering_takes_the_whole_move_AWI_T_MOV_06() -> None:
    g = alone(T.EUROPEAN_ARTILLERY)
    assert movement.limber(g, 0)
    assert (g.u[0].form, g.u[0].y) == (LIMBERED, 20)
    assert not movement.unlimber(g, 0), "not in the same move"
    assert movement.move_on(g, 0, 0, 9.0) == 0
    movement.new_phase(g)
    assert movement.unlimber(g, 0)
    assert (g.u[0].form, g.u[0].y) == (DEPLOYED, 20)


@pytest.mark.parametrize(
    ("kind", "gun", "inches"),
    [
        (LINE_FOOT, None, 3),
        (T.RANGERS, None, 6),
        (T.EUROPEAN_LIGHT_CAVALRY, None, 9),
        (T.EUROPEAN_ARTILLERY, GunClass.LIGHT, 2),
        (T.EUROPEAN_ARTILLERY, GunClass.HEAVY, 0),
    ],
)
def test_going_back_with_the_face_to_the_enemy_AWI_T_MOV_07(kind, gun, inches: int) -> None:
    g = alone(kind, gun_class=gun)
    assert movement.fall_back_facing(g, 0, 99.0) == inches
    assert (g.u[0].y, g.u[0].face) == (20 - inches, 0)


def test_going_back_costs_once_a_phase_AWI_T_MOV_07() -> None:
    g = alone(T.RANGERS)
    assert [movement.fall_back_facing(g, 0, inches) for inches in (2.0, 1.0, 9.0, 9.0)] == [2, 1, 3, 0]
    movement.new_phase(g)
    assert movement.fall_back_facing(g, 0, 9.0) == 6


def test_a_pivot_of_45_degrees_is_free_and_more_is_not_part_of_a_move_AWI_T_MOV_08() -> None:
    g = alone()
    assert movement.move_on(g, 0, 45, 6.0) == 6
    assert movement.move_on(g, 0, 180, 6.0) == -1
    assert not movement.turn_on_spot(g, 0, 180)
    movement.new_phase(g)
    assert movement.turn_on_spot(g, 0, 180)
    assert g.u[0].face == 180
    assert movement.move_on(g, 0, 180, 6.0) == 0
    movement.new_phase(g)
    assert movement.turn_on_spot(g, 0, 200)
    assert not movement.turn_on_spot(g, 0, 210), "one pivot in a phase"
    assert movement.move_on(g, 0, 200, 6.0) == 6


@pytest.mark.parametrize(("form", "cost"), [(LINE, 7.92), (COLUMN, 5.14)])
def test_wheeling_costs_the_outside_base_its_way_AWI_T_MOV_09(form: int, cost: float) -> None:
    g = alone(form=form)
    assert round(movement.wheel_cost(2 * bases.half_width(g.u[0]), 90), 2) == cost


@pytest.mark.parametrize("degrees", [40, -40])
def test_the_inner_front_corner_follows_a_circle_of_three_inches_AWI_T_MOV_09(degrees: int) -> None:
    g = alone()
    side = 1 if degrees > 0 else -1
    centre = (48 + side * (BASE + 1.5), 20 + HALF)
    spent = movement.wheel(g, 0, degrees)
    u = g.u[0]
    s, c = geometry.SIN[u.face], geometry.COS[u.face]
    corner = (u.x + s * HALF + side * c * BASE, u.y + c * HALF - side * s * BASE)
    radius = ((corner[0] - centre[0]) ** 2 + (corner[1] - centre[1]) ** 2) ** 0.5
    assert radius == pytest.approx(1.5)
    assert u.face == degrees % 360
    assert spent == pytest.approx(movement.wheel_cost(2 * BASE, degrees))


def test_wheels_stop_at_the_allowance_and_deployed_guns_do_not_wheel_AWI_T_MOV_09() -> None:
    g = alone()
    assert movement.wheel(g, 0, 120) <= 6
    assert g.u[0].face == 68
    assert movement.wheel(alone(T.EUROPEAN_ARTILLERY), 0, 30) == 0


@pytest.mark.parametrize(("kind", "inches"), [(T.RANGERS, 6), (T.EUROPEAN_LIGHT_CAVALRY, 9)])
def test_passing_through_a_friend_costs_inches_AWI_T_MOV_10(kind: TroopType, inches: int) -> None:
    g = table(Stand(0, kind, 48, 20), Stand(0, LINE_FOOT, 48, 23), FAR)
    assert movement.move_on(g, 0, 0, movement.move_rate(g.u[0])) == inches


def test_a_unit_that_cannot_come_clear_stops_behind_its_friend_AWI_T_MOV_10() -> None:
    g = table(Stand(0, LINE_FOOT, 48, 20), Stand(0, LINE_FOOT, 48, 23), FAR)
    assert movement.move_on(g, 0, 0, 6.0) == pytest.approx(3 - BASE, abs=0.05)


@pytest.mark.parametrize(("kind", "inches"), [(LINE_FOOT, 3), (T.AMERICAN_LIGHT_CAVALRY, 0)])
def test_crossing_a_fence_costs_half_a_move_or_a_whole_one_AWI_T_TER_02(
    kind: TroopType, inches: float
) -> None:
    g = alone(kind)
    y = 20 + HALF + 2
    work_add(g, FENCE, 40, y, 56, y, structure_add(g, FENCE, 3, 3))
    gone = movement.move_on(g, 0, 0, movement.move_rate(g.u[0]))
    assert gone == pytest.approx(3 if kind is LINE_FOOT else 1.9)


def test_a_crew_walks_back_to_its_gun_AWI_T_MOV_02() -> None:
    g = alone(T.EUROPEAN_ARTILLERY)
    u = g.u[0]
    u.gun_left, u.gun_x, u.gun_y = 1, 48, 30
    movement.recrew_gun(g, 0)
    assert (u.y, u.gun_left) == (26, 1)
    movement.recrew_gun(g, 0)
    assert (u.y, u.gun_left) == (30, 0)


def test_marching_off_over_the_own_edge() -> None:
    g = table(Stand(0, LINE_FOOT, 48, 5, face=180), FAR)
    assert movement.march_off(g, 0)
    assert not movement.march_off(g, 1) or g.u[1].place != 0


def test_each_of_two_friends_abreast_costs_a_passage_AWI_T_MOV_10() -> None:
    abreast = [Stand(0, LINE_FOOT, 48 + side * (BASE + 0.1), 23) for side in (-1, 1)]
    g = table(Stand(0, T.AMERICAN_LIGHT_CAVALRY, 48, 20), *abreast, FAR)
    # 15 inches less 6 for each would be 3: not enough to come out beyond them
    assert movement.move_on(g, 0, 0, 15.0) < 3.0
