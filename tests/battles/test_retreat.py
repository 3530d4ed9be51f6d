"""Step B and the runs of the beaten."""

from typing import Any

import pytest

from battles.engine.bases import BASE, half_depth, half_width
from battles.engine.dtypes import ELIMINATED, LEFT_TABLE, ON_TABLE, ROUTING, STEADY, SURRENDERED
from battles.engine.geometry import turn_between
from battles.engine.ground import can_stand
from battles.files.schema import BattlePlan
from battles.rulesets.awi import commander, morale, retreat, sequence
from battles.rulesets.awi.setup import FATES
from rosters.domain.vocabulary import TroopType
from tests.battles import grounds
from tests.battles.forces import CONGRESS, Stand, events, kinds, opposed, table

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
    retreat.capture_prizes(g)
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
    g.mover, g.step = 1, 7
    retreat.rout(g, 0, 180, 0, 0, 1)
    assert g.u[0].rout_turn == g.player_turn
    g.player_turn += 1
    assert morale.has_just_routed(g, g.u[0])
    g.player_turn += 2
    assert not morale.has_just_routed(g, g.u[0])


def test_routs_of_the_own_turn_are_tested_normally_AWI_T_SEQ_02() -> None:
    g = opposed(y=40)
    retreat.rout(g, 0, 180, 0, 0, 1)
    g.player_turn += 1
    assert not morale.has_just_routed(g, g.u[0])


BEHIND = Stand(1, LINE_FOOT, 48, 45, face=180)


def test_a_rout_stops_in_the_nearest_woods_AWI_T_ROU_01() -> None:
    g = table(Stand(0, LINE_FOOT, 48, 40), BEHIND)
    grounds.lay(g, grounds.OPEN_WOODS, far=37, wood=1, soft=1)
    retreat.rout_move(g, 0, 180)
    u = g.u[0]
    assert 34 < u.y < 37 - half_depth(u)


def test_a_rout_turns_aside_to_woods_AWI_T_ROU_01() -> None:
    g = table(Stand(0, LINE_FOOT, 48, 40), BEHIND)
    grounds.lay(g, grounds.OPEN_WOODS, far=36, right=44, wood=1, soft=1)
    retreat.rout_move(g, 0, 180)
    u = g.u[0]
    assert u.x < 44
    assert abs(turn_between(180, u.face)) <= 45


def test_who_is_in_woods_runs_on_to_other_cover_AWI_T_ROU_01() -> None:
    g = table(Stand(0, LINE_FOOT, 48, 40), BEHIND)
    grounds.lay(g, grounds.LEVEL, wood=1, soft=1)
    retreat.rout_move(g, 0, 180)
    assert g.u[0].y == 28


def test_water_behind_shuts_a_rout_in_AWI_T_ROU_01_SUR_01() -> None:
    g = table(Stand(0, LINE_FOOT, 48, 40), BEHIND, dice=(6,))
    grounds.lay(g, grounds.WATER, near=30, far=39)
    g.u[0].mood = ROUTING
    retreat.step_b(g)
    assert (g.u[0].place, kinds(g)) == (SURRENDERED, ["surrender_test"])


def test_a_crew_runs_where_its_gun_cannot_go_AWI_T_MOV_02_SUR_01() -> None:
    g = table(Stand(0, T.AMERICAN_ARTILLERY, 48, 40), BEHIND, dice=(6,))
    grounds.lay(g, grounds.SWAMP, near=20, far=38)
    g.u[0].mood = ROUTING
    retreat.step_b(g)
    assert (g.u[0].place, g.u[0].gun_left, kinds(g)) == (ON_TABLE, 1, ["rout_move"])
    assert g.u[0].y < 36


def test_a_rout_runs_along_the_water_when_that_is_a_way_AWI_T_ROU_01() -> None:
    g = table(Stand(0, T.RANGERS, 48, 40), BEHIND)
    grounds.lay(g, grounds.WATER, near=28, far=36, left=48)
    retreat.rout_move(g, 0, 180)
    u = g.u[0]
    assert u.x < 46
    assert can_stand(g, 0, u.x, u.y, u.face, half_width(u), half_depth(u))


def test_who_cannot_be_seen_does_not_turn_a_rout_AWI_T_ROU_01() -> None:
    hidden = Stand(1, LINE_FOOT, 48, 22, face=0)
    for height, fled in ((0, 40), (2, 28)):
        g = table(Stand(0, LINE_FOOT, 48, 40), BEHIND, hidden)
        grounds.lay(g, grounds.LEVEL, near=24, far=26, height=height)
        retreat.rout_move(g, 0, 180)
        assert g.u[0].y == fled


def test_retiring_is_from_the_nearest_enemy_in_view_AWI_T_MOR_04() -> None:
    g = table(Stand(0, LINE_FOOT, 48, 30), Stand(1, LINE_FOOT, 58, 30), Stand(1, LINE_FOOT, 48, 42))
    grounds.lay(g, grounds.LEVEL, left=52, right=54, height=1)
    assert retreat.nearest_visible_enemy(g, 0) == 2
    retreat.retire(g, 0)
    assert (g.u[0].x, g.u[0].y) == (48, 24)


def test_retiring_stops_at_water_AWI_T_MOR_04() -> None:
    g = opposed(y=30)
    grounds.lay(g, grounds.WATER, near=20, far=26)
    retreat.retire(g, 0)
    assert 26 <= g.u[0].y - half_depth(g.u[0]) < 27


def test_pushed_back_units_stop_at_water_AWI_T_MEL_08() -> None:
    g = opposed(y=30)
    grounds.lay(g, grounds.WATER, near=20, far=28)
    assert 0 < retreat.shift_unit(g, 0, 180, 3.0, 0, 0) < 1.2
    assert g.u[0].y - half_depth(g.u[0]) >= 28


def deserted(place: int, **more: Any) -> Any:
    """A Congress gun whose crew has run from it and is where told, touched by a Crown battalion."""
    g = table(
        Stand(1, T.AMERICAN_ARTILLERY, 48, 55, face=180), Stand(0, LINE_FOOT, 48, 28),
        Stand(1, LINE_FOOT, 20, 50, face=180), **more,
    )  # fmt: skip
    u = g.u[0]
    u.gun_left, u.gun_x, u.gun_y, u.place, u.mood = 1, 48, 28 + BASE, place, ROUTING
    return g


@pytest.mark.parametrize("place", [ON_TABLE, LEFT_TABLE])
def test_a_gun_is_taken_wherever_its_crew_has_run_AWI_T_MOV_02_ROU_01(place: int) -> None:
    g = deserted(place)
    retreat.capture_prizes(g)
    assert (g.u[0].place, g.u[0].captured, g.u[0].sp) == (SURRENDERED, 5, 0)
    assert events(g)[-1].kind == "gun_captured"


def test_who_holds_the_field_takes_guns_whose_crews_are_gone_AWI_T_MOV_02() -> None:
    g = deserted(LEFT_TABLE)
    sequence.leave_field(g, 1)
    assert (g.u[0].place, g.u[0].captured) == (SURRENDERED, 5)
    g = deserted(LEFT_TABLE)
    g.u[0].gun_left = 0
    sequence.leave_field(g, 1)
    assert (g.u[0].place, g.u[0].captured) == (LEFT_TABLE, 0), "these marched off with their gun"


def test_a_crew_without_strength_leaves_nothing_to_take_AWI_T_STR_03() -> None:
    g = deserted(ELIMINATED)
    g.u[0].sp = 0
    retreat.capture_prizes(g)
    assert (g.u[0].place, g.u[0].captured) == (ELIMINATED, 0)


@pytest.mark.parametrize(("enemy", "comes"), [(20.0, True), (40.0, False)])
def test_a_crew_of_a_side_that_withdraws_fetches_its_gun_AWI_T_MOV_02(enemy: float, comes: bool) -> None:
    g = deserted(ON_TABLE, plans={CONGRESS: BattlePlan("withdraw")})
    g.mover, g.u[0].mood, g.u[0].y, g.u[0].gun_y, g.u[1].y = 1, STEADY, 50, 45, enemy
    commander.step_c(g)
    assert (g.u[0].gun_left == 0) == comes
    assert ("recrew" in kinds(g)) == comes
