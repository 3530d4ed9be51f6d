"""Generals: what they add, what they risk, their chain of command, and how they ride."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from battles.engine.dtypes import (
    CAPTURED,
    DISABLED,
    ELIMINATED,
    GONE_HOME,
    IN_FIELD,
    KILLED,
    LEFT_TABLE,
    ON_TABLE,
    ROUTING,
    SHAKEN,
    STEADY,
    SURRENDERED,
)
from battles.engine.events import CODE
from battles.engine.raster import structure_add, work_add
from battles.engine.recording import GENERAL_IN_MELEE, GENERAL_UNDER_FIRE
from battles.files.schema import GeneralRank
from battles.rulesets.awi import fire, generals, leading, melee, morale, retreat, sequence
from battles.rulesets.awi.fighting import AwiBattleRunner
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import CONGRESS, CROWN, Stand, battle, force, leader, table

LINE_FOOT = TroopType.CONTINENTAL_LINE
#: Three Crown battalions abreast under Fraser, the last 40 inches away, and one of Congress far off.
BRIGADE = (
    Stand(0, LINE_FOOT, 30, 20),
    Stand(0, LINE_FOOT, 36, 20),
    Stand(0, LINE_FOOT, 76, 20),
    Stand(1, LINE_FOOT, 48, 50, face=180),
)
FRASER = leader("Fraser", commands=("unit 0", "unit 1", "unit 2"), with_unit="unit 0")
BURGOYNE = leader("Burgoyne", rank="commander_in_chief", x=48.0, y=8.0)
RIEDESEL = leader("Riedesel", rank="senior", commands=("Fraser",), x=40.0, y=8.0)


def field(*leaders: Any, dice: tuple[int, ...] = (), **more: Any) -> Any:
    """The brigade with those leaders; Fraser alone when none is named."""
    return table(*BRIGADE, dice=dice, leaders=leaders or (FRASER,), **more)


@pytest.mark.parametrize(("rank", "bonus"), [("brigadier", 1), ("senior", 2), ("commander_in_chief", 2)])
def test_a_general_adds_to_the_tests_of_his_unit_AWI_T_GEN_01(rank: GeneralRank, bonus: int) -> None:
    g = field(leader("Fraser", rank=rank, with_unit="unit 0"))
    assert (generals.test_bonus(g, 0), generals.test_bonus(g, 1)) == (bonus, 0)


def test_only_the_better_of_two_generals_counts_AWI_T_GEN_03() -> None:
    g = field(FRASER, leader("Riedesel", rank="senior", with_unit="unit 0"))
    assert generals.test_bonus(g, 0) == 2
    g.generals[1].fate = KILLED
    assert generals.test_bonus(g, 0) == 1


def test_a_brigadier_steadies_a_shaken_unit_AWI_T_MOR_03() -> None:
    g = field(dice=(1,))
    g.u[0].mood = SHAKEN
    morale.step_a(g)
    assert (g.u[0].mood, g.u[0].retires, g.u[0].sp) == (STEADY, 1, 5)
    assert int(g.events[0].modifier) == 1


def test_a_brigadier_rallies_a_routing_unit_AWI_T_MOR_05() -> None:
    g = field(dice=(4,))
    g.u[0].mood = ROUTING
    morale.step_a(g)
    assert g.u[0].mood == SHAKEN


@pytest.mark.parametrize(
    ("dice", "fate", "wounds"), [((4, 4), IN_FIELD, 0), ((4, 5), IN_FIELD, 1), ((5, 6), KILLED, 0)]
)
def test_a_shot_that_costs_sp_puts_him_at_risk_AWI_T_GEN_04(
    dice: tuple[int, ...], fate: int, wounds: int
) -> None:
    g = field(dice=(6, 5, *dice))
    fire.shoot(g, 3, 0, 0, CODE["fire"])
    assert (g.u[0].sp, g.generals[0].fate, g.generals[0].wounds) == (4, fate, wounds)
    assert g.cursor == 4


def test_a_shot_without_loss_is_no_risk_AWI_T_GEN_04() -> None:
    g = field(dice=(3, 3))
    fire.shoot(g, 3, 0, 0, CODE["fire"])
    assert g.cursor == 2


def test_he_is_at_risk_when_the_shot_destroys_his_unit_AWI_T_GEN_04() -> None:
    g = field(dice=(6, 5, 6, 6))
    g.u[0].sp = 1
    fire.shoot(g, 3, 0, 0, CODE["fire"])
    assert (g.u[0].place, g.generals[0].fate) == (ELIMINATED, KILLED)


@pytest.mark.parametrize(
    ("routs", "dice", "fate", "wounds"),
    [
        (1, (3, 4), IN_FIELD, 0),
        (1, (4, 4), IN_FIELD, 1),
        (1, (5, 5), CAPTURED, 0),
        (1, (5, 6), KILLED, 0),
        (0, (4, 4), IN_FIELD, 0),
        (0, (5, 5), IN_FIELD, 1),
        (0, (6, 6), KILLED, 0),
    ],
)
def test_risk_in_melee_AWI_T_GEN_05(routs: int, dice: tuple[int, ...], fate: int, wounds: int) -> None:
    g = field(dice=dice)
    generals.risk_generals(g, 0, GENERAL_IN_MELEE, routs)
    assert (g.generals[0].fate, g.generals[0].wounds) == (fate, wounds)


def test_a_unit_beaten_by_one_risks_its_general_AWI_T_GEN_05() -> None:
    g = field(dice=(4, 5))
    melee.apply_melee_loss(g, 0, 1, 0, 0, 3)
    assert (g.u[0].sp, g.generals[0].wounds) == (4, 1)


def test_a_unit_that_routs_from_melee_rolls_on_the_rout_table_AWI_T_GEN_05() -> None:
    g = field(dice=(4, 4))
    melee.apply_melee_loss(g, 0, 2, 0, 0, 3)
    assert (g.u[0].sp, g.u[0].mood, g.generals[0].wounds) == (3, ROUTING, 1)


def test_the_rout_table_serves_when_the_rout_destroys_the_unit_AWI_T_GEN_05() -> None:
    g = field(dice=(5, 5))
    g.u[0].sp = 2
    melee.apply_melee_loss(g, 0, 2, 0, 0, 3)
    assert (g.u[0].place, g.generals[0].fate) == (ELIMINATED, CAPTURED)


def test_in_a_surrender_he_is_captured_without_a_roll_AWI_T_GEN_05() -> None:
    g = field(dice=(4,))
    melee.apply_melee_loss(g, 0, 2, 0, 1, 3)
    assert (g.u[0].place, g.generals[0].fate, g.cursor) == (SURRENDERED, CAPTURED, 1)


def test_a_rout_on_the_charge_test_is_no_risk_AWI_T_CHG_06() -> None:
    g = field()
    retreat.rout(g, 0, 180, 1, 0, 3)
    assert (g.u[0].sp, g.cursor, g.generals[0].unit) == (4, 0, 0)


def test_a_light_wound_halves_his_move_a_second_removes_him_AWI_T_GEN_03() -> None:
    g = field(dice=(4, 5, 5, 5))
    generals.risk_generals(g, 0, GENERAL_UNDER_FIRE, 0)
    assert g.generals[0].rate == 9.0
    generals.risk_generals(g, 0, GENERAL_UNDER_FIRE, 0)
    assert g.generals[0].fate == DISABLED
    assert [int(g.u[i].mood) for i in range(3)] == [STEADY] * 3, "a second wound shakes no one"


def test_his_units_within_18_inches_waver_when_he_falls_AWI_T_GEN_02() -> None:
    g = field(dice=(6, 6))
    generals.risk_generals(g, 0, GENERAL_UNDER_FIRE, 0)
    assert [int(g.u[i].mood) for i in range(4)] == [SHAKEN, SHAKEN, STEADY, STEADY]


def test_routing_units_of_the_chain_stay_routing_AWI_T_GEN_02() -> None:
    g = field(dice=(6, 6))
    g.u[1].mood = ROUTING
    generals.risk_generals(g, 0, GENERAL_UNDER_FIRE, 0)
    assert (g.u[0].mood, g.u[1].mood) == (SHAKEN, ROUTING)


def test_units_outside_his_chain_are_not_shaken_AWI_T_GEN_02() -> None:
    g = field(leader("Fraser", commands=("unit 1",), with_unit="unit 0"), dice=(6, 6))
    generals.risk_generals(g, 0, GENERAL_UNDER_FIRE, 0)
    assert (g.u[0].mood, g.u[1].mood) == (STEADY, SHAKEN)


def test_the_chain_of_command_goes_down_from_the_commander_AWI_T_GEN_02() -> None:
    own = leader("Fraser", commands=("unit 0",))
    g = field(own, RIEDESEL, BURGOYNE)
    chains = [[i for i in range(4) if generals.in_chain(g, k, i)] for k in range(3)]
    assert chains == [[0], [0], [0, 1, 2]]


def test_he_leaves_the_table_with_his_unit_AWI_T_GEN_03() -> None:
    g = field()
    g.u[0].y = 2.0
    retreat.rout(g, 0, 180, 0, 0, 3)
    assert (g.u[0].place, g.generals[0].fate) == (LEFT_TABLE, GONE_HOME)


def test_he_leaves_with_the_side_that_breaks_off_AWI_T_GEN_03() -> None:
    g = field(FRASER, BURGOYNE)
    sequence.withdraw_all(g, 0)
    assert [int(g.generals[k].fate) for k in range(2)] == [GONE_HOME, GONE_HOME]


def test_a_free_general_whom_the_enemy_reaches_joins_his_friends_AWI_T_GEN_03() -> None:
    g = field(BURGOYNE)
    generals.drive_off_free_generals(g)
    assert g.generals[0].unit == -1
    g.u[3].x, g.u[3].y = 48.0, 9.5
    generals.drive_off_free_generals(g)
    assert g.generals[0].unit == 1


def test_one_without_friends_left_goes_home_AWI_T_GEN_03() -> None:
    g = field(BURGOYNE)
    for i in range(3):
        g.u[i].place = LEFT_TABLE
    g.u[3].x, g.u[3].y = 48.0, 9.5
    generals.drive_off_free_generals(g)
    assert g.generals[0].fate == GONE_HOME


def test_one_whose_unit_is_destroyed_is_free_where_it_stood_AWI_T_GEN_03() -> None:
    g = field()
    morale.deduct_strength(g, 0, 5)
    assert generals.is_general_free(g, 0)
    assert generals.place_of(g, 0) == (30.0, 20.0)


def test_a_brigadier_goes_to_his_routing_unit_AWI_T_GEN_03() -> None:
    g = field()
    g.u[1].mood = ROUTING
    leading.direct_generals(g)
    assert g.generals[0].unit == 1


def test_a_brigadier_stays_with_a_unit_of_his_own_AWI_T_GEN_03() -> None:
    g = field()
    leading.direct_generals(g)
    assert g.generals[0].unit == 0


def test_a_routing_unit_about_to_run_off_is_let_go_AWI_T_GEN_03() -> None:
    g = field()
    g.u[1].mood, g.u[1].y = ROUTING, 8.0
    leading.direct_generals(g)
    assert g.generals[0].unit == 0


def test_a_senior_keeps_behind_his_troops_until_he_is_needed_AWI_T_GEN_03() -> None:
    g = field(FRASER, RIEDESEL)
    g.u[2].x = 42.0
    leading.direct_generals(g)
    assert g.generals[1].unit == -1
    g.u[2].mood = ROUTING
    g.generals[0].fate = KILLED
    leading.direct_generals(g)
    assert g.generals[1].unit == 2


def test_two_generals_do_not_crowd_one_unit_AWI_T_GEN_03() -> None:
    g = field(FRASER, RIEDESEL)
    g.generals[1].unit = 1
    g.u[1].mood = ROUTING
    leading.direct_generals(g)
    assert [int(g.generals[k].unit) for k in range(2)] == [0, 1]


def test_a_brigadier_rides_about_only_when_called_AWI_T_GEN_03() -> None:
    g = field()
    g.u[3].x, g.u[3].y, g.u[1].sp, g.turn = 40.0, 30.0, 2, 2
    leading.direct_generals(g)
    assert g.generals[0].unit == 0, "all are steady"
    g.turn = 4
    leading.direct_generals(g)
    assert g.generals[0].unit == 1, "the weak one with the enemy before it"


@given(st.floats(0, 96), st.floats(0, 60), st.integers(0, 3))
def test_a_ride_is_never_longer_than_the_move_AWI_T_GEN_03(x: float, y: float, works: int) -> None:
    g = field()
    for n in range(works):
        work_add(g, 0, 10.0 + 30.0 * n, 0.0, 30.0 * n, 60.0, structure_add(g, 0, 3, 3))
    moved = leading.move_general(g, 0, x, y)
    px, py = generals.place_of(g, 0)
    assert math.hypot(px - 30.0, py - 20.0) <= 18.0 + 1e-9
    assert 0 <= px <= g.width
    assert 0 <= py <= g.depth
    assert moved == ((px, py) != (30.0, 20.0))


def test_mirrored_sides_are_led_alike_AWI_T_GEN_03() -> None:
    spots = ((30.0, 20.0), (36.0, 20.0), (44.0, 24.0))
    stands = [Stand(0, LINE_FOOT, x, y) for x, y in spots]
    stands += [Stand(1, LINE_FOOT, 96 - x, 60 - y, face=180) for x, y in spots]
    brigades = [tuple(f"unit {i}" for i in few) for few in ((0, 1, 2), (3, 4, 5))]
    g = table(
        *stands,
        leaders=(
            leader("Fraser", commands=brigades[0], with_unit="unit 0"),
            leader("Riedesel", rank="senior", x=40.0, y=4.0),
            leader("Poor", CONGRESS, commands=brigades[1], with_unit="unit 3"),
            leader("Gates", CONGRESS, rank="senior", x=56.0, y=56.0),
        ),
    )
    g.u[2].mood = g.u[5].mood = SHAKEN
    for side in range(2):
        g.mover = side
        leading.direct_generals(g)
    assert g.generals[2].unit == g.generals[0].unit + 3 == 5
    here, there = generals.place_of(g, 1), generals.place_of(g, 3)
    assert (96 - there[0], 60 - there[1]) == pytest.approx(here)


@pytest.mark.parametrize("seed", range(6))
def test_generals_are_always_somewhere_in_whole_battles_AWI_T_GEN_03(seed: int) -> None:
    file = battle(
        force(CROWN, *[LINE_FOOT] * 3),
        force(CONGRESS, *[LINE_FOOT] * 3),
        leaders=(
            leader("Fraser", commands=("crown 0", "crown 1", "crown 2")),
            leader("Burgoyne", rank="senior", commands=("Fraser",)),
            leader("Poor", CONGRESS, commands=("congress 0", "congress 1", "congress 2")),
            leader("Gates", CONGRESS, rank="senior", commands=("Poor",)),
        ),
        turns=8,
    )
    g = AwiBattleRunner(file).run(seed, record=True)[0][0]
    for k in range(g.generals_n):
        s = g.generals[k]
        assert s.wounds <= (2 if s.fate == DISABLED else 1)
        x, y = generals.place_of(g, k)
        assert 0 <= x <= g.width
        assert 0 <= y <= g.depth
        if s.fate == IN_FIELD and s.unit >= 0:
            assert g.u[s.unit].side == s.side
            assert g.u[s.unit].place in (ON_TABLE, ELIMINATED)
        if s.fate == CAPTURED:
            assert s.unit >= 0
