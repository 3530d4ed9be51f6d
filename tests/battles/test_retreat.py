"""Step B and the runs of the beaten."""

import pytest

from battles.engine.dtypes import LEFT_TABLE, ROUTING, SURRENDERED
from battles.rulesets.awi import morale, retreat
from battles.rulesets.awi.setup import FATES
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import Stand, opposed, table

T = TroopType
LINE_FOOT = T.CONTINENTAL_LINE


def test_retiring_is_a_full_move_from_the_enemy_facing_him_AWI_T_MOR_04() -> None:
    g = opposed()
    g.u[0].retires = 1
    retreat.step_b(g)
    assert (g.u[0].x, g.u[0].y, g.u[0].face) == (48, 14, 0)


def test_a_rout_runs_its_full_move_straight_away_AWI_T_ROU_01() -> None:
    g = opposed(y=40)
    retreat.rout_move(g, 0, 180)
    assert (g.u[0].x, g.u[0].y, g.u[0].face) == (48, 28, 180)


def test_a_rout_stops_behind_a_friend_AWI_T_ROU_01() -> None:
    g = table(Stand(0, LINE_FOOT, 48, 40), Stand(0, LINE_FOOT, 48, 33), Stand(1, LINE_FOOT, 48, 45, face=180))
    retreat.rout_move(g, 0, 180)
    assert g.u[0].y == pytest.approx(29.5)


def test_running_off_the_table_keeps_the_strength_AWI_T_ROU_01() -> None:
    g = opposed(y=8)
    retreat.rout_move(g, 0, 180)
    assert (g.u[0].place, g.u[0].sp) == (LEFT_TABLE, 5)


def test_gunners_leave_their_gun_and_come_back_to_it_AWI_T_MOV_02() -> None:
    g = opposed(T.EUROPEAN_ARTILLERY, y=40)
    retreat.rout(g, 0, 180, 1, 0, 1)
    u = g.u[0]
    assert (u.gun_left, u.gun_x, u.gun_y, u.sp) == (1, 48, 40, 4)
    assert u.y == 28
    assert not morale.is_deployed(u)


def test_a_routing_wagon_stays_for_whoever_comes_AWI_T_MOV_12() -> None:
    g = table(Stand(0, T.WAGON, 48, 30), Stand(1, LINE_FOOT, 48, 40, face=180))
    retreat.rout(g, 0, 180, 1, 0, 1)
    assert (g.u[0].y, g.u[0].immobile) == (30, 1)
    g.u[1].y = 30 + 3 * 0.886
    retreat.captures(g)
    assert (FATES[int(g.u[0].place)], g.u[0].captured) == ("surrendered", 4)


@pytest.mark.parametrize(("die", "place"), [(3, 0), (4, SURRENDERED)])
def test_units_taken_in_rear_may_surrender_when_they_rout_AWI_T_SUR_01(die: int, place: int) -> None:
    g = opposed(dice=(die,))
    retreat.rout(g, 0, 180, 1, 1, 1)
    assert (g.u[0].place, g.u[0].lost, g.u[0].captured) == (place, 1, 4 if place else 0)


def test_routing_units_that_cannot_move_may_surrender_AWI_T_SUR_01() -> None:
    ring = [(46, 44, 180), (50, 44, 180), (46, 36, 0), (50, 36, 0), (43, 40, 90), (53, 40, 270)]
    g = table(
        Stand(0, LINE_FOOT, 48, 40), *(Stand(1, LINE_FOOT, x, y, face) for x, y, face in ring), dice=(6,)
    )
    g.u[0].mood = ROUTING
    retreat.step_b(g)
    assert (g.u[0].place, g.u[0].captured) == (SURRENDERED, 5)


def test_units_just_routed_by_the_enemy_wait_a_turn_AWI_T_SEQ_02() -> None:
    g = opposed(y=40)
    g.mover = 1
    retreat.rout(g, 0, 180, 0, 0, 1)
    assert g.u[0].rout_turn == g.player_turn
    g.player_turn += 1
    assert morale.just_routed(g, g.u[0])
    g.player_turn += 2
    assert not morale.just_routed(g, g.u[0])


def test_routs_of_the_own_turn_are_tested_normally_AWI_T_SEQ_02() -> None:
    g = opposed(y=40)
    retreat.rout(g, 0, 180, 0, 0, 1)
    g.player_turn += 1
    assert not morale.just_routed(g, g.u[0])
