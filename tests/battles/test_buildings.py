"""Into buildings and out of them."""

import pytest

from battles.engine.bases import half_depth, half_width, is_clear_of_units, measure_gap
from battles.engine.dtypes import COLUMN, LINE, ROUTING, SURRENDERED
from battles.engine.ground import can_stand
from battles.rulesets.awi import buildings, facing, garrison, movement, path, retreat
from rosters.domain.vocabulary import TroopType
from tests.battles import grounds
from tests.battles.forces import Stand, kinds, table

T = TroopType
LINE_FOOT = T.CONTINENTAL_LINE
FAR = Stand(1, LINE_FOOT, 10, 55, face=180)


def before_a_house(*stands: Stand, large: bool = False, y: float = 24):
    """Units and a house with its near wall at y, x = 48; the first stand is at its door by default."""
    stands = stands or (Stand(0, LINE_FOOT, 48, 20), FAR)
    g = table(*stands)
    grounds.house(g, 48, 0, large=large)
    g.structures[0].y = y + g.structures[0].half_depth
    return g


def inside(kind: TroopType = LINE_FOOT, *others: Stand, large: bool = False):
    """A unit of side 0 in a house at (48, 30)."""
    g = table(Stand(0, kind, 48, 30), *(others or (FAR,)))
    grounds.house(g, 48, 30, large=large)
    buildings.put_inside(g, 0, 0, *buildings.find_free_slot(g, 0, 0))
    return g


def test_a_door_costs_half_a_move_besides_the_way_AWI_T_TER_02_TER_10() -> None:
    g = before_a_house(y=20 + half_depth(table(FAR).u[0]) + 2)
    assert garrison.enter_building(g, 0, 0)
    u, b = g.u[0], g.structures[0]
    assert (u.inside, u.x, u.y, u.face) == (0, b.x, b.y, b.face)
    assert path.allowance_left(u) == pytest.approx(6 - 3 - 2, abs=0.05)
    assert (u.moved, kinds(g)) == (1, ["enters_building"])


def test_too_far_for_way_and_door_stays_outside_AWI_T_TER_02() -> None:
    g = before_a_house(y=24.5)
    assert not garrison.enter_building(g, 0, 0)
    assert (g.u[0].x, g.u[0].y, g.u[0].inside, g.u[0].spent) == (48, 20, -1, 0)
    movement.move_on(g, 0, 0, 6.0)
    assert not garrison.enter_building(g, 0, 0), "nothing like half a move is left"
    movement.new_phase(g)
    assert garrison.enter_building(g, 0, 0)
    assert path.allowance_left(g.u[0]) == 3


def test_a_fence_and_then_a_building_in_one_move_AWI_T_TER_02() -> None:
    g = before_a_house(Stand(0, T.RANGERS, 48, 20), FAR, y=21.5)
    grounds.fence(g, 21)
    assert not garrison.enter_building(g, 0, 0), "half, half, and the way there are more than a move"
    g = before_a_house(y=22)
    g.u[0].y = 22 - half_depth(g.u[0]) - 0.05
    grounds.fence(g, 21.96)
    assert garrison.enter_building(g, 0, 0), "who touches the wall is over the fence"


def test_ground_before_a_building_is_paid_for_AWI_T_TER_01() -> None:
    g = before_a_house(y=22.9)
    grounds.lay(g, grounds.ROUGH)
    assert not garrison.enter_building(g, 0, 0) or path.allowance_left(g.u[0]) < 1
    assert g.u[0].spent <= 6


@pytest.mark.parametrize("kind", [T.AMERICAN_LIGHT_CAVALRY, T.AMERICAN_ARTILLERY, T.WAGON])
def test_only_foot_occupies_buildings_AWI_T_TER_10(kind: TroopType) -> None:
    g = before_a_house(Stand(0, kind, 48, 20), FAR)
    assert not buildings.has_room(g, 0, 0)
    assert not garrison.enter_building(g, 0, 0)


@pytest.mark.parametrize(("large", "room"), [(False, 1), (True, 2)])
def test_a_building_holds_its_capacity_AWI_T_TER_10(large: bool, room: int) -> None:
    stands = [Stand(0, LINE_FOOT, 40 + 6 * k, 20) for k in range(3)]
    g = before_a_house(*stands, FAR, large=large)
    went = 0
    for i in range(3):
        x, y = buildings.find_free_slot(g, i, 0)
        if x >= 0:
            buildings.put_inside(g, i, 0, x, y)
            went += 1
    assert went == room
    b = g.structures[0]
    for i in range(room):
        u = g.u[i]
        assert abs(u.y - b.y) + half_depth(u) <= b.half_depth
        assert half_width(u) <= b.half_width
        assert is_clear_of_units(g, i, u.x, u.y, u.face, half_width(u), half_depth(u), -1)


def test_nobody_goes_into_a_building_of_the_enemy_AWI_T_TER_10() -> None:
    g = before_a_house(Stand(0, LINE_FOOT, 48, 20), Stand(1, LINE_FOOT, 48, 30), large=True)
    buildings.put_inside(g, 1, 0, *buildings.find_free_slot(g, 1, 0))
    assert not buildings.has_room(g, 0, 0)


def test_rubble_takes_nobody_in_AWI_T_TER_10() -> None:
    g = before_a_house()
    g.structures[0].sp = 0
    assert not buildings.has_room(g, 0, 0)
    assert movement.move_on(g, 0, 0, 6.0) == 6


def test_a_column_goes_in_and_stands_in_line_AWI_T_TER_10() -> None:
    g = before_a_house(Stand(0, LINE_FOOT, 48, 20, form=COLUMN), FAR)
    assert garrison.enter_building(g, 0, 0)
    assert g.u[0].form == LINE


def test_no_way_leads_through_a_building() -> None:
    g = before_a_house(y=23)
    movement.move_on(g, 0, 0, 6.0)
    assert g.u[0].y + half_depth(g.u[0]) == pytest.approx(23, abs=0.05)
    assert g.u[0].y + half_depth(g.u[0]) < 23


@pytest.mark.parametrize(("kind", "left"), [(LINE_FOOT, 0), (T.RANGERS, 4.5)])
def test_leaving_costs_close_order_a_move_and_open_order_half_AWI_T_TER_02(kind, left) -> None:
    g = inside(kind)
    assert garrison.leave_towards(g, 0, 180)
    u = g.u[0]
    assert (u.inside, u.face, path.allowance_left(u)) == (-1, 180, left)
    assert can_stand(g, 0, u.x, u.y, u.face, half_width(u), half_depth(u))
    assert buildings.wall_gap(g, 0, 0) <= garrison.AT_WALL
    assert movement.move_on(g, 0, 180, 9.0) == pytest.approx(left)
    assert kinds(g)[:2] == ["enters_building", "leaves_building"]


def test_nobody_leaves_where_another_stands_or_an_enemy_is_near_AWI_T_SEQ_03() -> None:
    g = inside(LINE_FOOT, Stand(0, LINE_FOOT, 48, 27), FAR)
    assert not garrison.leave_towards(g, 0, 180)
    assert garrison.leave_towards(g, 0, 0)
    g = inside(LINE_FOOT, Stand(1, LINE_FOOT, 48, 25.5))
    assert not garrison.leave_towards(g, 0, 180)
    assert not garrison.leave_building(g, 0, 48.0, 20.0, 0), "that is not at the wall"


def test_a_unit_in_a_building_moves_only_by_leaving_it_AWI_T_TER_10() -> None:
    g = inside()
    u = g.u[0]
    assert movement.move_on(g, 0, 0, 6.0) == 0
    assert movement.fall_back_facing(g, 0, 6.0) == 0
    assert not movement.turn_on_spot(g, 0, 40)
    assert movement.wheel(g, 0, 30) == 0
    assert movement.change_formation(g, 0, COLUMN) == -1
    assert not movement.march_off(g, 0)
    assert (u.x, u.y, u.face, u.spent) == (48, 30, 0, 0)


def test_a_unit_in_a_building_need_not_turn_AWI_T_FAC_02_TER_10() -> None:
    g = inside(LINE_FOOT, Stand(1, LINE_FOOT, 48, 24))
    g.mover = 1
    facing.step_d(g)
    assert g.u[0].face == 0


def test_step_d_does_not_turn_into_a_building_AWI_T_FAC_02() -> None:
    g = table(Stand(0, LINE_FOOT, 40, 20, face=90), Stand(1, LINE_FOOT, 48, 20, face=0))
    grounds.house(g, 48, 20 + half_depth(g.u[1]) + 1.1)
    facing.step_d(g)
    assert g.u[1].face == 0
    g.structures[0].sp = 0
    facing.step_d(g)
    assert g.u[1].face == 270


@pytest.mark.parametrize(("kind", "ran"), [(LINE_FOOT, 0), (T.RANGERS, 7.5)])
def test_a_rout_out_of_a_building_pays_for_the_door_AWI_T_ROU_01(kind: TroopType, ran: float) -> None:
    g = inside(kind, Stand(1, LINE_FOOT, 48, 40, face=180))
    retreat.rout(g, 0, 180, 0, 0, 1)
    u = g.u[0]
    wall = 30 - g.structures[0].half_depth
    assert u.inside == -1
    assert wall - (u.y + half_depth(u)) == pytest.approx(ran + buildings.OUTSIDE)


def test_retiring_leaves_the_building_on_the_far_side_AWI_T_MOR_04() -> None:
    g = inside(T.RANGERS, Stand(1, LINE_FOOT, 48, 40, face=180))
    g.u[0].retires = 1
    retreat.step_b(g)
    wall = 30 - g.structures[0].half_depth
    assert wall - (g.u[0].y + half_depth(g.u[0])) == pytest.approx(4.5 + buildings.OUTSIDE)
    assert g.u[0].face == 0


def test_a_rout_takes_cover_in_a_building_AWI_T_ROU_01() -> None:
    g = table(Stand(0, LINE_FOOT, 48, 40), Stand(1, LINE_FOOT, 48, 45, face=180))
    grounds.house(g, 48, 34)
    retreat.rout_move(g, 0, 180)
    assert (g.u[0].inside, g.u[0].y) == (0, 34)


def test_a_building_too_far_for_way_and_door_gives_no_cover_AWI_T_ROU_01() -> None:
    g = table(Stand(0, LINE_FOOT, 48, 40), Stand(1, LINE_FOOT, 48, 45, face=180))
    grounds.house(g, 48, 30)
    retreat.rout_move(g, 0, 180)
    assert g.u[0].inside == -1
    assert buildings.wall_gap(g, 0, 0) > 0


def test_routers_shut_in_by_enemies_may_surrender_AWI_T_SUR_01() -> None:
    corners = [(44.6, 27.8, 45), (51.4, 27.8, 315), (44.6, 32.2, 315), (51.4, 32.2, 45)]
    ring = [(48, 27, 0), (48, 33, 0), *corners]
    g = inside(LINE_FOOT, *(Stand(1, LINE_FOOT, x, y, face) for x, y, face in ring))
    g.dice[0] = 5
    g.u[0].mood = ROUTING
    retreat.step_b(g)
    assert g.u[0].place == SURRENDERED


def test_nobody_is_pushed_through_a_building() -> None:
    g = table(Stand(0, LINE_FOOT, 48, 40), Stand(1, LINE_FOOT, 48, 43, face=180))
    grounds.house(g, 48, 37)
    retreat.shift_unit(g, 0, 180, 3.0, 0, 0)
    assert buildings.wall_gap(g, 0, 0) > 0
    assert measure_gap(g, 0, 1) > 0
