"""What plans want of units: weight and pin, reserves, waiting for who comes on, spots, water in the way."""

from typing import Any

import pytest

from battles.engine.bases import measure_gap
from battles.engine.dtypes import (
    ADVANCE,
    BY_BRIDGE,
    COLUMN,
    DEPLOYED,
    LIMBERED,
    ROUTING,
    SHAKEN,
    STREAM,
    WAITING,
    WALL,
)
from battles.engine.geometry import turn_between
from battles.engine.posting import WEIGHT
from battles.engine.raster import structure_add, work_add
from battles.files.schema import BattlePlan
from battles.rulesets.awi import approach, commander, plans
from battles.rulesets.awi.roles import BEHIND, roles_write
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import CONGRESS, CROWN, Stand, kinds, table
from tests.battles.grounds import WATER, house, inside, lay

T = TroopType

LINE_FOOT = T.CONTINENTAL_LINE


def ordered(plan: BattlePlan, *stands: Stand, **more: Any) -> Any:
    """Crown under a plan, before its step C; roles by where the units stand."""
    g = table(*stands, plans={CROWN: plan, CONGRESS: BattlePlan("hold")}, **more)
    for i in range(g.n):
        u = g.u[i]
        u.post_x, u.post_y = u.x, u.y
        u.reserve = u.wing = 0
    roles_write(g)
    return g


def row(side: int, count: int, y: float, kind: TroopType = LINE_FOOT, middle: float = 48.0) -> list[Stand]:
    return [
        Stand(side, kind, middle + 4.25 * (k - (count - 1) / 2), y, face=180 * side) for k in range(count)
    ]


def test_an_enemy_who_comes_on_is_waited_for() -> None:
    for moved, nearest in ((1, plans.WAIT), (0, 1.0)):
        g = ordered(
            BattlePlan("assault"), Stand(0, LINE_FOOT, 48, 20), Stand(1, LINE_FOOT, 48, 28.2, face=180)
        )
        g.u[1].came_on = moved
        commander.step_c(g)
        assert measure_gap(g, 0, 1) == pytest.approx(nearest, abs=0.3)


def test_who_is_shaken_is_rushed_though_he_comes_on() -> None:
    g = ordered(
        BattlePlan("assault"), Stand(0, LINE_FOOT, 48, 20), Stand(1, LINE_FOOT, 48, 28.2, face=180, sp=3)
    )
    g.u[1].came_on, g.u[1].mood = 1, SHAKEN
    commander.step_c(g)
    assert measure_gap(g, 0, 1) < 1.1


def test_an_advance_walks_into_range_and_never_charges() -> None:
    g = ordered(
        BattlePlan("advance"), Stand(0, LINE_FOOT, 48, 20), Stand(1, LINE_FOOT, 48, 28.2, face=180, sp=1)
    )
    g.u[1].mood = SHAKEN
    commander.step_c(g)
    assert measure_gap(g, 0, 1) == pytest.approx(plans.MUSKET_STAND, abs=0.05)
    assert g.plan[0] == ADVANCE


@pytest.mark.parametrize(("flank", "sign"), [("left", -1), ("right", 1)])
def test_the_weight_goes_round_the_flank_named(flank: Any, sign: int) -> None:
    g = ordered(BattlePlan("turn_flank", flank=flank), *row(0, 4, 15), *row(1, 4, 50))
    wing = [i for i in range(4) if g.u[i].wing]
    assert len(wing) == round(4 * WEIGHT)
    assert all(sign * (g.u[i].x - 48) > -7 for i in wing)
    before = [float(g.u[i].x) for i in range(4)]
    for _ in range(5):
        commander.step_c(g)
    for i in range(4):
        gone = sign * (float(g.u[i].x) - before[i])
        assert gone > 4 if i in wing else abs(gone) < 3


def test_those_who_pin_keep_off_until_the_weight_is_there() -> None:
    g = ordered(BattlePlan("turn_flank"), *row(0, 4, 30), *row(1, 4, 50))
    pins = [i for i in range(4) if not g.u[i].wing]
    for _ in range(3):
        commander.step_c(g)
    for i in pins:
        assert min(measure_gap(g, i, j) for j in range(4, 8)) > plans.PIN - 0.1


def test_cavalry_goes_with_the_weight() -> None:
    g = ordered(
        BattlePlan("turn_flank"), *row(0, 4, 15), Stand(0, T.AMERICAN_LIGHT_CAVALRY, 70, 8), *row(1, 4, 50)
    )
    assert g.u[4].wing == 1


def test_reserves_are_the_rearmost_foot_and_stay_back_until_a_friend_breaks() -> None:
    g = ordered(
        BattlePlan("assault", reserve_percent=25), *row(0, 3, 30), Stand(0, LINE_FOOT, 48, 20), *row(1, 3, 50)
    )
    assert [int(g.u[i].reserve) for i in range(4)] == [0, 0, 0, 1]
    for _ in range(4):
        commander.step_c(g)
    assert min(measure_gap(g, 3, j) for j in range(4, 7)) == pytest.approx(plans.RESERVE_GAP, abs=0.1)
    assert not plans.is_needed(g, 3)
    g.u[1].mood = ROUTING
    assert plans.is_needed(g, 3)
    before = float(g.u[3].y)
    commander.step_c(g)
    assert g.u[3].committed == 1
    assert g.u[3].y > before


def test_a_reserve_stays_behind_its_own_line_whatever_the_plan() -> None:
    """However far the enemy is: with both sides standing it stays where it was drawn up."""
    for kind, y in (("hold", 15.5), ("delay", 15.5), ("assault", 26.0)):
        g = ordered(BattlePlan(kind), *row(0, 3, 20), Stand(0, LINE_FOOT, 48, 15.5), *row(1, 3, 55))
        g.u[3].reserve = 1
        for i in range(3):
            g.u[i].busy = 1
        for _ in range(6):
            commander.step_c(g)
        assert g.u[3].y <= 20 - plans.BEHIND_LINE + 0.01
        for i in range(3):
            g.u[i].y = 30
        for _ in range(3):
            commander.step_c(g)
        assert g.u[3].y == pytest.approx(y, abs=0.01)


def test_a_reserve_with_no_line_before_it_fights() -> None:
    g = ordered(BattlePlan("assault", reserve_percent=100), Stand(0, LINE_FOOT, 48, 15), *row(1, 2, 50))
    commander.step_c(g)
    assert g.u[0].committed == 1


def test_a_reserve_does_not_go_up_to_the_wall_it_is_kept_behind() -> None:
    stands = (Stand(0, LINE_FOOT, 44, 20), Stand(0, LINE_FOOT, 48, 19), Stand(1, LINE_FOOT, 48, 55, face=180))
    g = ordered(BattlePlan("hold", reserve_percent=50), *stands)
    work_add(g, WALL, 30, 25, 66, 25, structure_add(g, WALL, 6, 6))
    roles_write(g)
    assert [float(g.u[i].spot_y) for i in range(2)] == pytest.approx([25 - BEHIND, 19])


def test_who_holds_goes_back_to_his_spot_and_to_the_goal() -> None:
    g = ordered(BattlePlan("hold"), Stand(0, LINE_FOOT, 48, 20), Stand(1, LINE_FOOT, 48, 55, face=180))
    g.u[0].y = 14
    commander.step_c(g)
    assert g.u[0].y == pytest.approx(20, abs=0.01)
    g = ordered(BattlePlan("hold", goal=(60, 20)), *row(0, 2, 20), Stand(1, LINE_FOOT, 48, 55, face=180))
    assert [float(g.u[i].spot_x) for i in range(2)] == pytest.approx([57.875, 62.125])


def test_an_attacker_makes_for_his_goal_while_no_enemy_is_near() -> None:
    for goal, x in (((60.0, 30.0), 60), (None, 30)):
        g = ordered(
            BattlePlan("assault", goal=goal),
            Stand(0, LINE_FOOT, 48, 20),
            Stand(1, LINE_FOOT, 5, 55, face=180),
        )
        for _ in range(4):
            commander.step_c(g)
        assert g.u[0].x == pytest.approx(x, abs=8)


def test_a_flank_may_be_turned_later() -> None:
    g = ordered(BattlePlan("hold", until=2, then="turn_flank", flank="right"), *row(0, 4, 15), *row(1, 4, 50))
    assert sum(int(g.u[i].wing) for i in range(4)) == round(4 * WEIGHT)
    g.turn = 3
    for _ in range(3):
        commander.step_c(g)
    assert plans.flank_direction(g, 0) == 1.0
    assert all(g.u[i].x > 48 for i in range(4) if g.u[i].wing)


def test_who_holds_goes_up_to_the_wall_before_him_AWI_T_TER_11() -> None:
    g = ordered(BattlePlan("hold"), Stand(0, LINE_FOOT, 48, 20), Stand(1, LINE_FOOT, 48, 55, face=180))
    work_add(g, STREAM, 0, 22, 96, 22, -1)
    work_add(g, WALL, 30, 25, 66, 25, structure_add(g, WALL, 6, 6))
    roles_write(g)
    assert g.u[0].spot_y == pytest.approx(25 - BEHIND)


def test_who_comes_later_marches_to_his_sides_line() -> None:
    g = ordered(BattlePlan("hold"), *row(0, 2, 20), Stand(0, LINE_FOOT, 60, 2), Stand(1, LINE_FOOT, 48, 55))
    g.u[2].place = WAITING
    roles_write(g)
    assert (g.u[2].spot_x, g.u[2].spot_y) == (60, 20)


def test_who_holds_garrisons_a_house_near_his_spot_AWI_T_TER_10() -> None:
    g = ordered(BattlePlan("hold"), *row(0, 2, 20), Stand(1, LINE_FOOT, 48, 55, face=180))
    house(g, 50, 24)
    for _ in range(3):
        commander.step_c(g)
    assert sorted(int(g.u[i].inside) for i in range(2)) == [-1, 0]


def test_who_goes_forward_leaves_his_house_once_nobody_is_in_range() -> None:
    for y, building in ((30, 0), (50, -1)):
        g = ordered(BattlePlan("assault"), Stand(0, LINE_FOOT, 48, 20), Stand(1, LINE_FOOT, 48, y, face=180))
        house(g, 48, 24)
        inside(g, 0, 0)
        commander.step_c(g)
        assert g.u[0].inside == building


@pytest.mark.parametrize(("kind", "y", "back"), [(LINE_FOOT, 30, 3), (LINE_FOOT, 34, 0), (T.MILITIA, 26, 3)])
def test_who_delays_falls_back_before_a_charge_can_reach_him(kind: TroopType, y: float, back: float) -> None:
    g = ordered(BattlePlan("delay"), Stand(0, kind, 48, 20), Stand(1, LINE_FOOT, 48, y, face=180))
    commander.step_c(g)
    assert g.u[0].y == pytest.approx(20 - back)


def test_ground_that_bars_is_gone_round_on_the_shorter_side() -> None:
    g = ordered(BattlePlan("assault"), Stand(0, LINE_FOOT, 48, 15), Stand(1, LINE_FOOT, 48, 52, face=180))
    lay(g, WATER, 25, 40, 44, 64)
    heading, leg, whole = approach.way_round(g, 0, 48.0, 52.0)
    assert 180 < heading < 360
    assert leg < whole < 60
    for _ in range(12):
        commander.step_c(g)
    assert g.u[0].y > 40


def test_a_house_in_the_way_is_gone_round() -> None:
    g = ordered(BattlePlan("assault"), Stand(0, LINE_FOOT, 48, 15), Stand(1, LINE_FOOT, 48, 52, face=180))
    house(g, 48, 22)
    for _ in range(6):
        commander.step_c(g)
    assert g.u[0].y > 30


def test_nobody_waits_where_a_house_hides_the_enemy() -> None:
    g = ordered(
        BattlePlan("assault"), Stand(0, LINE_FOOT, 48, 17), Stand(1, T.BRITISH_GRENADIERS, 48, 24, face=180)
    )
    house(g, 48, 21)
    for _ in range(3):
        commander.step_c(g)
    assert abs(g.u[0].x - 48) > 2


def test_guns_stop_beyond_canister_AWI_T_FIR_09() -> None:
    battery = Stand(0, T.AMERICAN_ARTILLERY, 48, 15, form=LIMBERED)
    g = ordered(BattlePlan("assault"), battery, Stand(1, LINE_FOOT, 48, 44, face=180))
    for _ in range(4):
        commander.step_c(g)
    assert g.u[0].form == DEPLOYED
    assert measure_gap(g, 0, 1) > g.u[0].short_max


def test_a_rush_that_the_ground_forbids_is_not_made() -> None:
    for cost, nearest in ((1.0, 1.7), (3.0, plans.WAIT)):
        g = ordered(
            BattlePlan("assault"), Stand(0, LINE_FOOT, 48, 20), Stand(1, LINE_FOOT, 48, 29.5, face=180)
        )
        lay(g, (cost,) * 4, 20, 29)
        commander.step_c(g)
        assert measure_gap(g, 0, 1) == pytest.approx(nearest, abs=0.5)


def test_where_there_is_no_way_round_a_unit_stays() -> None:
    g = ordered(BattlePlan("assault"), Stand(0, LINE_FOOT, 48, 15), Stand(1, LINE_FOOT, 48, 52, face=180))
    lay(g, WATER, 25, 40)
    assert approach.way_round(g, 0, 48.0, 52.0)[2] == 1.0e18
    for _ in range(6):
        commander.step_c(g)
    assert g.u[0].y < 25


def river(g: Any, low: float, high: float, bridge_x: float) -> None:
    """A river that bars all from `low` to `high`, with a bridge 2 inches wide over it."""
    lay(g, WATER, low, high)
    lay(g, WATER, low, high, bridge_x - 1, bridge_x + 1, road=1)
    gate = g.gates[0]
    gate.kind_, gate.x, gate.y, gate.heading = BY_BRIDGE, bridge_x, (low + high) / 2, 0
    gate.half_width, gate.half_length, gate.structure = 1.0, (high - low) / 2, -1
    g.gates_n = 1


def test_the_nearest_way_over_barring_water_is_taken_in_column_AWI_T_TER_09() -> None:
    g = ordered(BattlePlan("assault"), Stand(0, LINE_FOOT, 40, 15), Stand(1, LINE_FOOT, 40, 52, face=180))
    river(g, 30, 36, 52)
    assert approach.is_barred(g, 0, 40, 52)
    for _ in range(14):
        commander.step_c(g)
    assert g.u[0].y > 36
    assert "change_formation" in kinds(g)


def test_no_way_over_is_sought_where_nothing_bars() -> None:
    g = ordered(BattlePlan("assault"), Stand(0, LINE_FOOT, 40, 40), Stand(1, LINE_FOOT, 40, 55, face=180))
    river(g, 30, 36, 52)
    assert not approach.is_barred(g, 0, 40, 55)
    commander.step_c(g)
    assert g.u[0].x == 40


def test_a_plan_gives_way_to_the_next_when_its_time_is_over() -> None:
    g = ordered(
        BattlePlan("hold", until=3, then="withdraw"), Stand(0, LINE_FOOT, 48, 12), Stand(1, LINE_FOOT, 48, 50)
    )
    g.turn = 3
    commander.step_c(g)
    assert g.u[0].face == 0
    g.turn = 4
    commander.step_c(g)
    assert abs(turn_between(int(g.u[0].face), 180)) < 5


def test_reserved_columns_stay_columns() -> None:
    g = ordered(
        BattlePlan("assault", reserve_percent=100),
        Stand(0, LINE_FOOT, 48, 20, form=COLUMN),
        Stand(1, LINE_FOOT, 48, 55, face=180),
    )
    commander.step_c(g)
    assert g.u[0].form == COLUMN
