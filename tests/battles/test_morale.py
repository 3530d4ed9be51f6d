"""Steps A and B: shaken, routing and surrender."""

import pytest

from battles.engine.dtypes import ELIMINATED, LEFT_TABLE, LINE, ROUTING, SHAKEN, STEADY, SURRENDERED
from battles.rulesets.awi import morale
from battles.rulesets.awi.setup import FATES
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import Stand, table

T = TroopType
LINE_FOOT = T.CONTINENTAL_LINE


def facing(kind: TroopType = LINE_FOOT, *, dice: tuple[int, ...] = (), y: float = 20, **more):
    """One Crown unit facing one Congress battalion ten inches before it."""
    return table(Stand(0, kind, 48, y), Stand(1, LINE_FOOT, 48, y + 10, face=180), dice=dice, **more)


@pytest.mark.parametrize(
    ("die", "mood", "sp", "retires"),
    [(1, ROUTING, 4, 0), (2, STEADY, 5, 1), (3, STEADY, 5, 1), (4, STEADY, 5, 0), (6, STEADY, 5, 0)],
)
def test_shaken_units_test_in_step_a_AWI_T_MOR_03(die: int, mood: int, sp: int, retires: int) -> None:
    g = facing(dice=(die,))
    g.u[0].mood = SHAKEN
    morale.step_a(g)
    assert (g.u[0].mood, g.u[0].sp, g.u[0].retires) == (mood, sp, retires)
    assert g.u[1].mood == STEADY


@pytest.mark.parametrize(
    ("die", "mood", "sp"), [(1, ROUTING, 4), (2, ROUTING, 5), (4, ROUTING, 5), (5, SHAKEN, 5)]
)
def test_routing_units_test_in_step_a_AWI_T_MOR_05(die: int, mood: int, sp: int) -> None:
    g = facing(dice=(die,))
    g.u[0].mood, g.u[0].face = ROUTING, 180
    morale.step_a(g)
    assert (g.u[0].mood, g.u[0].sp, g.u[0].busy) == (mood, sp, 1)
    if mood == SHAKEN:
        assert (g.u[0].face, g.u[0].form) == (0, LINE), "it reforms where it stands and faces the enemy"


def test_retiring_is_a_full_move_from_the_enemy_facing_him_AWI_T_MOR_04() -> None:
    g = facing()
    g.u[0].retires = 1
    morale.step_b(g)
    assert (g.u[0].x, g.u[0].y, g.u[0].face) == (48, 14, 0)


def test_irregulars_may_rout_instead_of_retiring_AWI_T_MOR_04() -> None:
    g = facing(T.INDIANS, dice=(3,), options={"irregulars_rout_instead_of_retire": "on"})
    g.u[0].mood = SHAKEN
    morale.step_a(g)
    assert (g.u[0].mood, g.u[0].sp) == (ROUTING, 5)


@pytest.mark.parametrize(
    ("setting", "kind", "modifier"),
    [
        ("off", T.MILITIA, 0),
        ("militia_minus_1", T.MILITIA, -1),
        ("militia_minus_1", T.BRITISH_GRENADIERS, 0),
        ("militia_minus_1_grenadier_plus_1", T.EUROPEAN_GRENADIERS, 1),
    ],
)
def test_optional_quality_AWI_T_MOR_06(setting: str, kind: TroopType, modifier: int) -> None:
    g = facing(kind, options={"shaken_quality_modifiers": setting})
    assert morale.quality(g, g.u[0]) == modifier


def test_militia_morale_is_set_per_unit_or_for_all_AWI_T_MOR_02() -> None:
    g = table(Stand(0, T.MILITIA, 30, 20), Stand(0, T.MILITIA, 50, 20, poor=True))
    assert [int(morale.basic_morale(g.u[i])) for i in range(2)] == [4, 3]
    g = table(Stand(0, T.MILITIA, 30, 20), options={"militia_morale": -2})
    assert morale.basic_morale(g.u[0]) == 3


def test_units_without_strength_are_removed_at_once_AWI_T_STR_03() -> None:
    g = facing()
    morale.lose_sp(g, 0, 9)
    assert (g.u[0].sp, g.u[0].lost, g.u[0].place) == (0, 5, ELIMINATED)


def test_a_rout_runs_its_full_move_straight_away_AWI_T_ROU_01() -> None:
    g = facing(y=40)
    morale.rout_move(g, 0, 180)
    assert (g.u[0].x, g.u[0].y, g.u[0].face) == (48, 28, 180)


def test_a_rout_stops_behind_a_friend_AWI_T_ROU_01() -> None:
    g = table(Stand(0, LINE_FOOT, 48, 40), Stand(0, LINE_FOOT, 48, 33), Stand(1, LINE_FOOT, 48, 45, face=180))
    morale.rout_move(g, 0, 180)
    assert g.u[0].y == pytest.approx(29.5)


def test_running_off_the_table_keeps_the_strength_AWI_T_ROU_01() -> None:
    g = facing(y=8)
    morale.rout_move(g, 0, 180)
    assert (g.u[0].place, g.u[0].sp) == (LEFT_TABLE, 5)


def test_gunners_leave_their_gun_and_come_back_to_it_AWI_T_MOV_02() -> None:
    g = facing(T.EUROPEAN_ARTILLERY, y=40)
    morale.rout(g, 0, 180, 1, 0, 1)
    u = g.u[0]
    assert (u.gun_left, u.gun_x, u.gun_y, u.sp) == (1, 48, 40, 4)
    assert u.y == 28
    assert not morale.is_deployed(u)


def test_a_routing_wagon_stays_for_whoever_comes_AWI_T_MOV_12() -> None:
    g = table(Stand(0, T.WAGON, 48, 30), Stand(1, LINE_FOOT, 48, 40, face=180))
    morale.rout(g, 0, 180, 1, 0, 1)
    assert (g.u[0].y, g.u[0].immobile) == (30, 1)
    g.u[1].y = 30 + 3 * 0.886
    morale.captures(g)
    assert (FATES[int(g.u[0].place)], g.u[0].captured) == ("surrendered", 4)


@pytest.mark.parametrize(("die", "place"), [(3, 0), (4, SURRENDERED)])
def test_units_taken_in_rear_may_surrender_when_they_rout_AWI_T_SUR_01(die: int, place: int) -> None:
    g = facing(dice=(die,))
    morale.rout(g, 0, 180, 1, 1, 1)
    assert (g.u[0].place, g.u[0].lost, g.u[0].captured) == (place, 1, 4 if place else 0)


def test_routing_units_that_cannot_move_may_surrender_AWI_T_SUR_01() -> None:
    ring = [(46, 44, 180), (50, 44, 180), (46, 36, 0), (50, 36, 0), (43, 40, 90), (53, 40, 270)]
    g = table(
        Stand(0, LINE_FOOT, 48, 40), *(Stand(1, LINE_FOOT, x, y, face) for x, y, face in ring), dice=(6,)
    )
    g.u[0].mood = ROUTING
    morale.step_b(g)
    assert (g.u[0].place, g.u[0].captured) == (SURRENDERED, 5)


def test_units_just_routed_by_the_enemy_wait_a_turn_AWI_T_SEQ_02() -> None:
    g = facing(y=40)
    g.mover = 1
    morale.rout(g, 0, 180, 0, 0, 1)
    assert g.u[0].rout_turn == g.player_turn
    g.player_turn += 1
    assert morale.just_routed(g, g.u[0])
    g.player_turn += 2
    assert not morale.just_routed(g, g.u[0])


def test_routs_of_the_own_turn_are_tested_normally_AWI_T_SEQ_02() -> None:
    g = facing(y=40)
    morale.rout(g, 0, 180, 0, 0, 1)
    g.player_turn += 1
    assert not morale.just_routed(g, g.u[0])
