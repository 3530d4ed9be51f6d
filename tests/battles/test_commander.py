"""The local commander's plans, step C."""

from typing import Any

import pytest

from battles.engine.bases import measure_gap
from battles.engine.dtypes import COLUMN, DEPLOYED, LEFT_TABLE, LIMBERED, LINE
from battles.engine.recording import BREAKS_OFF
from battles.engine.wayfinding import HAS_WAY, NO_WAY_THERE
from battles.files.schema import BattlePlan
from battles.rulesets.awi import commander, plans
from rosters.domain.vocabulary import GunClass, TroopType
from tests.battles.forces import CONGRESS, CROWN, Stand, table
from tests.battles.grounds import WATER, hill, lay

T = TroopType
LINE_FOOT = T.CONTINENTAL_LINE


def moved(*stands: Stand, plan: str = "assault", **more):
    """State after one step C of the Crown under a plan."""
    g = table(*stands, plans={CROWN: BattlePlan(plan), CONGRESS: BattlePlan("hold")}, **more)
    commander.step_c(g)
    return g


def test_an_assault_halts_beyond_musket_shot_and_then_rushes() -> None:
    g = moved(Stand(0, T.BRITISH_LINE, 48, 20), Stand(1, LINE_FOOT, 48, 32, face=180))
    assert measure_gap(g, 0, 1) == pytest.approx(plans.WAIT, abs=0.05)
    commander.step_c(g)
    assert 1 <= measure_gap(g, 0, 1) < 1.1


def test_wagons_and_spent_units_are_not_sent_at_the_enemy_when_an_assault_presses_HR_BAT_02() -> None:
    g = table(
        Stand(0, T.WAGON, 30, 15),
        Stand(0, T.BRITISH_LINE, 48, 15, sp=6),
        Stand(1, LINE_FOOT, 48, 60, face=180),
        plans={CROWN: BattlePlan("assault"), CONGRESS: BattlePlan("hold")},
    )
    g.idle, g.quiet, g.u[1].sp = 4, 2, 1
    before = [(g.u[i].x, g.u[i].y) for i in range(2)]
    commander.step_c(g)
    assert [(g.u[i].x, g.u[i].y) for i in range(2)] == before
    assert g.gained == 0


def test_an_assault_that_could_not_win_stops_to_fire() -> None:
    g = moved(Stand(0, T.INDIANS, 48, 20, sp=5), Stand(1, T.BRITISH_GRENADIERS, 48, 27, face=180))
    assert measure_gap(g, 0, 1) == pytest.approx(plans.MUSKET_STAND, abs=0.05)


def test_a_side_that_holds_stands() -> None:
    g = moved(Stand(0, LINE_FOOT, 48, 20), Stand(1, T.BRITISH_LINE, 48, 30, face=180), plan="hold")
    assert (g.u[0].x, g.u[0].y, g.u[0].face) == (48, 20, 0)


def test_a_side_that_delays_gives_ground_facing_the_enemy() -> None:
    g = moved(Stand(0, LINE_FOOT, 48, 20), Stand(1, T.BRITISH_LINE, 48, 25, face=180), plan="delay")
    assert (g.u[0].y, g.u[0].face) == (17, 0)


def test_a_side_that_withdraws_turns_about_and_marches_off() -> None:
    g = moved(Stand(0, LINE_FOOT, 48, 10), Stand(1, LINE_FOOT, 48, 50, face=180), plan="withdraw")
    assert (g.u[0].y, g.u[0].face) == (10, 180)
    commander.step_c(g)
    assert g.u[0].y == 4
    commander.step_c(g)
    assert (g.u[0].place, g.u[0].sp) == (LEFT_TABLE, 5)


def test_columns_deploy_when_the_enemy_is_near_AWI_T_MOV_05() -> None:
    far = moved(Stand(0, LINE_FOOT, 48, 10, form=COLUMN), Stand(1, LINE_FOOT, 48, 50, face=180))
    assert (far.u[0].form, far.u[0].y) == (COLUMN, 19)
    near = moved(Stand(0, LINE_FOOT, 48, 20, form=COLUMN), Stand(1, LINE_FOOT, 48, 36, face=180))
    assert near.u[0].form == LINE
    assert 20 < near.u[0].y < 24


@pytest.mark.parametrize(
    ("gun", "form", "y", "after"),
    [
        (GunClass.LIGHT, DEPLOYED, 40, DEPLOYED),  # has a target
        (GunClass.GRASSHOPPER, DEPLOYED, 50, LIMBERED),  # out of range: follows the foot
        (GunClass.LIGHT, LIMBERED, 40, DEPLOYED),  # within medium range
        (GunClass.GRASSHOPPER, LIMBERED, 50, LIMBERED),  # still too far
    ],
)
def test_guns_limber_and_unlimber_AWI_T_MOV_06(gun: GunClass, form: int, y: float, after: int) -> None:
    g = moved(
        Stand(0, T.EUROPEAN_ARTILLERY, 48, 20, form=form, gun_class=gun), Stand(1, LINE_FOOT, 48, y, face=180)
    )
    assert g.u[0].form == after


def behind_a_ridge(form: int, idle: int = 0, y: float = 36) -> Any:
    """A light gun after its move and an enemy in its medium range whom a ridge hides."""
    g = table(
        Stand(0, T.EUROPEAN_ARTILLERY, 48, 20, form=form),
        Stand(1, LINE_FOOT, 48, y, face=180),
        plans={CROWN: BattlePlan("assault"), CONGRESS: BattlePlan("hold")},
    )
    hill(g, 26, 30)
    g.idle = idle
    commander.command_unit(g, 0)
    return g


def test_guns_unlimber_and_stay_only_where_they_see_an_enemy_AWI_T_MOV_06() -> None:
    on = behind_a_ridge(LIMBERED, y=42)
    assert (on.u[0].form, on.u[0].y > 20) == (LIMBERED, True)
    assert behind_a_ridge(DEPLOYED, y=42).u[0].form == LIMBERED
    assert behind_a_ridge(DEPLOYED).u[0].form == DEPLOYED  # he may come over the ridge


def test_guns_without_a_shot_go_on_to_canister_when_an_assault_presses_HR_BAT_02() -> None:
    assert behind_a_ridge(DEPLOYED, idle=4).u[0].form == LIMBERED
    on = behind_a_ridge(LIMBERED, idle=4)
    assert (on.u[0].form, on.u[0].y > 20) == (LIMBERED, True)


def test_a_line_goes_through_narrows_in_column_when_an_assault_presses_HR_BAT_02() -> None:
    for idle, form in ((3, LINE), (4, COLUMN)):
        g = table(
            Stand(0, LINE_FOOT, 48, 20),
            Stand(1, LINE_FOOT, 48, 34, face=180),
            plans={CROWN: BattlePlan("assault"), CONGRESS: BattlePlan("hold")},
        )
        lay(g, WATER, 21, 26, 30, 46.8)
        lay(g, WATER, 21, 26, 49.2, 66)
        g.u[0].has_way, g.u[0].via_x, g.u[0].via_y, g.idle = HAS_WAY, 48, 28, idle
        commander.command_unit(g, 0)
        assert g.u[0].form == form
        commander.command_unit(g, 0)
        assert g.u[0].form == form  # near the enemy as it is


def test_spent_units_keep_out_of_reach() -> None:
    g = table(Stand(0, LINE_FOOT, 48, 20), Stand(1, LINE_FOOT, 48, 25, face=180))
    g.u[0].sp = 1
    commander.step_c(g)
    assert g.u[0].y == 17


def test_shaken_routing_and_busy_units_are_not_moved_AWI_T_MOR_05() -> None:
    g = table(*(Stand(0, LINE_FOOT, 40 + 5 * k, 20) for k in range(3)), Stand(1, LINE_FOOT, 48, 40, face=180))
    g.u[0].mood, g.u[1].mood, g.u[2].busy = 1, 2, 1
    commander.step_c(g)
    assert [float(g.u[i].y) for i in range(3)] == [20, 20, 20]


def ordered_back(*stands: Stand) -> Any:
    """An attack that came to a stand, in the first turn of its way back."""
    g = table(*stands, plans={CROWN: BattlePlan("assault"), CONGRESS: BattlePlan("hold")})
    g.turn = 1
    assert not commander.order_attack_back(g, 0), "who stands at the spot fought for stays there"
    assert commander.order_attack_back(g, 1)
    g.mover, g.turn = 0, 2
    commander.step_c(g)
    return g


def told_back(g: Any) -> list[int]:
    """Units that are told as going back with an attack."""
    return [int(e.actor) for e in g.events[: g.events_n] if e.what == BREAKS_OFF]


def test_an_attack_that_came_to_a_stand_goes_back_and_only_those_who_could_go_on_do_HR_BAT_02() -> None:
    g = ordered_back(
        Stand(0, T.BRITISH_LINE, 30, 40),
        Stand(0, T.BRITISH_LINE, 48, 40, sp=6),
        Stand(0, T.EUROPEAN_ARTILLERY, 60, 40, form=DEPLOYED),
        Stand(1, LINE_FOOT, 48, 60, face=180),
    )
    assert g.u[0].y == 40 and g.u[0].face == 180, "it has turned about, its whole move"
    assert (g.u[2].y, g.u[3].y) == (40, 60)
    commander.step_c(g)
    assert g.u[0].y < 36
    assert told_back(g) == [0, 1]


def test_who_falls_back_to_come_on_again_stays_on_the_table_HR_BAT_02() -> None:
    g = ordered_back(Stand(0, T.BRITISH_LINE, 30, 9), Stand(1, LINE_FOOT, 48, 60, face=180))
    assert (g.u[0].y, g.u[0].face) == (9, 0)
    assert told_back(g) == []


def test_nobody_is_ordered_back_when_all_are_spent_or_barred_HR_BAT_02() -> None:
    g = table(
        Stand(0, T.BRITISH_LINE, 48, 20, sp=6),
        Stand(0, T.BRITISH_LINE, 30, 20),
        Stand(1, LINE_FOOT, 48, 60, face=180),
        plans={CROWN: BattlePlan("assault"), CONGRESS: BattlePlan("hold")},
    )
    g.u[0].sp, g.u[1].has_way = 1, NO_WAY_THERE
    assert not commander.order_attack_back(g, -1)
    g.u[1].has_way = HAS_WAY
    assert commander.order_attack_back(g, -1)
