"""The maneuver check: modifiers, results and what they do (REG-MAN, REG-UNI-03, REG-LDR-05)."""

from typing import Any

import pytest

from battles.engine.dtypes import FENCE
from battles.rulesets.regimental import maneuver, maneuver_step
from battles.rulesets.regimental import records as r
from battles.rulesets.regimental.states import find_condition
from tests.battles.rulesets.regimental.books import RULES
from tests.battles.rulesets.regimental.forces import (
    Leader,
    Unit,
    build,
    draw_line,
    entrench,
    field,
    garrison,
    paint,
    told,
)

FAR = Unit(1, y=60.0)
#: A trained unit without a leader: fresh +2, out of command -1.
BASE = 1


def modifier(unit: Unit, *others: Unit, **more: Any) -> int:
    return int(maneuver.maneuver_modifier(field(unit, *others, **more), 0))


def test_ratings_count_REG_MAN_03_REG_UNI_01() -> None:
    found = [modifier(Unit(rating=rating), FAR) for rating in range(4)]
    assert found == [BASE + 2, BASE + 1, BASE, BASE - 1]


@pytest.mark.parametrize("start", [10, 8, 6, 4])
def test_worn_and_spent_come_at_the_printed_stands_REG_UNI_03(start: int) -> None:
    printed = RULES["REG-UNI-03"]["table"]["thresholds"][str(start)]
    found = [
        int(find_condition(g := field(Unit(stands=left, start=start)), g.u[0]))
        for left in range(1, start + 1)
    ]
    assert found.index(r.WORN) == printed["spent"]
    assert found.index(r.FRESH) == printed["worn"]
    assert found[0] == r.SPENT


def test_a_unit_of_one_stand_is_fresh_to_its_end_REG_UNI_03() -> None:
    g = field(Unit(stands=1))
    assert find_condition(g, g.u[0]) == r.FRESH


def test_thresholds_may_be_chosen_otherwise_REG_UNI_03() -> None:
    g = field(Unit(stands=5, start=7), options={"worn_at": "2/3", "spent_at": "1/3"})
    assert find_condition(g, g.u[0]) == r.FRESH
    g = field(Unit(stands=3, start=7), options={"worn_at": "2/3", "spent_at": "1/3"})
    assert find_condition(g, g.u[0]) == r.WORN


def test_worn_and_spent_units_count_less_REG_MAN_03() -> None:
    assert modifier(Unit(stands=6, start=8), FAR) == BASE - 2
    assert modifier(Unit(stands=4, start=8), FAR) == BASE - 4


def test_a_battery_is_fresh_unless_the_option_says_no_REG_MAN_03_REG_MAN_09() -> None:
    assert modifier(Unit(gun="medium gun", stands=2), FAR) == BASE
    off = {"batteries_count_fresh": "off"}
    assert modifier(Unit(gun="medium gun", stands=2), FAR, options=off) == BASE - 2


@pytest.mark.parametrize("form", [r.FIELD_COLUMN, r.MARCH_COLUMN])
def test_columns_are_handier_REG_MAN_03(form: int) -> None:
    assert modifier(Unit(form=form), FAR) == BASE + 1


def test_limbered_guns_garrisons_and_linear_cover_are_handier_REG_MAN_03() -> None:
    assert modifier(Unit(gun="light gun", stands=2, form=r.LIMBERED), FAR) == BASE + 1
    g = field(Unit(), FAR)
    garrison(g, 0, build(g, 30, 20))
    assert maneuver.maneuver_modifier(g, 0) == BASE + 1
    g = field(Unit(), FAR)
    draw_line(g, FENCE, 20.6)
    assert maneuver.maneuver_modifier(g, 0) == BASE + 1


def test_battalion_guns_help_troops_of_their_brigade_REG_LDR_05() -> None:
    foot, gun = Unit(brigade=0), Unit(brigade=0, x=34.5, stands=1, gun="galloper")
    assert modifier(foot, FAR, gun) == BASE + 1
    assert modifier(foot, FAR, Unit(brigade=0, x=34.5, stands=1, gun="medium gun")) == BASE
    assert modifier(foot, FAR, Unit(brigade=1, x=34.5, stands=1, gun="galloper")) == BASE
    g = field(foot, FAR, gun)
    g.u[2].silent = 1
    assert maneuver.maneuver_modifier(g, 0) == BASE
    g.u[2].silent, g.u[2].x = 0, 34.6
    assert maneuver.maneuver_modifier(g, 0) == BASE


def test_an_enemy_behind_the_front_within_eight_inches_outflanks_REG_MAN_03() -> None:
    behind = Unit(1, y=15.0, stands=2)
    assert modifier(Unit(), behind) == BASE - 2
    assert modifier(Unit(), Unit(1, y=11.4, stands=2)) == BASE
    assert modifier(Unit(), Unit(1, y=25.0, stands=2)) == BASE
    assert modifier(Unit(), Unit(1, y=15.0, stands=2, order=r.BROKEN)) == BASE


def test_broken_troops_count_two_less_once_REG_MAN_03() -> None:
    assert modifier(Unit(order=r.BROKEN), FAR) == BASE - 2
    assert modifier(Unit(order=r.BROKEN), Unit(1, y=15.0, stands=2)) == BASE - 2


def test_indians_are_at_home_in_woods_alone_REG_MAN_03_REG_SPC_05() -> None:
    band = Unit(nation=r.INDIAN, form=r.EXTENDED, stands=3)
    assert modifier(band, FAR) == BASE - 1
    g = field(band, FAR)
    paint(g, "woods")
    assert maneuver.maneuver_modifier(g, 0) == BASE + 1


def test_a_wounded_leader_costs_his_men_one_REG_LDR_01() -> None:
    g = field(Unit(brigade=0), FAR, leaders=(Leader(brigade=0),))
    before = maneuver.maneuver_modifier(g, 0)
    g.leaders[0].wounded = 1
    assert maneuver.maneuver_modifier(g, 0) == before - 1


def test_heavy_casualties_are_more_than_half_of_a_brigade_REG_MAN_04() -> None:
    # eight stands gone of sixteen are no more than half, a spent unit's four are
    half = field(Unit(brigade=0, stands=7, start=8), Unit(brigade=0, stands=1, start=8, x=40), FAR)
    maneuver_step.begin_turn(half, 0)
    assert half.brigades[0].heavy == 1
    whole = field(Unit(brigade=0), Unit(brigade=0, stands=8, start=8, x=40, order=r.BROKEN), FAR)
    maneuver_step.begin_turn(whole, 0)
    assert whole.brigades[0].heavy == 0
    whole.u[0].stands, whole.u[0].lost = 7, 1
    maneuver_step.begin_turn(whole, 0)
    assert whole.brigades[0].heavy == 1
    assert maneuver.maneuver_modifier(whole, 0) == BASE - 1


@pytest.mark.parametrize(
    ("total", "doubles", "good", "bad"),
    [
        (6, False, r.DOUBLE_QUICK, r.RALLY_WITH_ELAN),
        (5, False, r.WELL_HANDLED, r.RALLY),
        (0, True, r.WELL_HANDLED, r.RALLY),
        (-1, False, r.TARDY, r.SHAKEN),
        (-5, True, r.FALL_BACK, r.WAVERING),
        (-6, True, r.PANIC, r.ROUT),
    ],
)
def test_both_columns_of_the_table_REG_MAN_05_to_08(total: int, doubles: bool, good: int, bad: int) -> None:
    assert maneuver.result_in_order(total, doubles) == good
    assert maneuver.result_in_disorder(total, doubles) == bad


def test_the_white_die_is_taken_from_the_coloured_REG_MAN_01() -> None:
    u = field(Unit()).u[0]
    assert maneuver.result_of(u, 6, 1, 1) == r.DOUBLE_QUICK
    assert maneuver.result_of(u, 1, 6, 1) == r.TARDY


def test_guns_use_the_column_of_good_order_even_silenced_REG_MAN_09() -> None:
    g = field(Unit(gun="medium gun", stands=2))
    g.u[0].silent = 2
    assert maneuver.result_of(g.u[0], 3, 3, -3) == r.FALL_BACK


def test_a_brigade_has_one_pair_of_dice_with_modifiers_of_each_REG_MAN_02() -> None:
    two = (Unit(brigade=0), Unit(brigade=0, x=40, rating=r.RAW, stands=4, start=8))
    g = field(*two, Unit(brigade=0, x=50, gun="medium gun", stands=2), FAR, dice=(3, 4, 6, 1))
    maneuver_step.begin_turn(g, 0)
    assert maneuver_step.check_group(g, 0) == 2
    assert g.cursor == 2
    assert [int(g.u[i].result) for i in range(3)] == [r.WELL_HANDLED, r.TARDY, -1]
    assert maneuver_step.check_group(g, 2) == 1
    assert g.u[2].result == r.DOUBLE_QUICK


def test_each_rolls_by_the_option_and_indians_always_REG_MAN_02_REG_SPC_05() -> None:
    two = (Unit(brigade=0), Unit(brigade=0, x=40))
    g = field(*two, FAR, options={"brigade_rolls_once": "off"})
    maneuver_step.begin_turn(g, 0)
    assert maneuver_step.check_group(g, 0) == 1
    band = Unit(brigade=0, x=40, nation=r.INDIAN, form=r.EXTENDED, stands=3)
    g = field(Unit(brigade=0), band, FAR)
    maneuver_step.begin_turn(g, 0)
    assert maneuver_step.check_group(g, 0) == 1


def given(unit: Unit, result: int, dice: tuple[int, int] = (2, 2), enemy: float = 3.0) -> Any:
    """A record in which a result has befallen a unit with an enemy so far before it."""
    g = field(unit, Unit(1, y=20.5 + enemy))
    maneuver_step.apply_result(g, 0, result, *dice)
    return g


def test_a_panic_in_good_order_breaks_troops_who_run_a_full_move_REG_MAN_05() -> None:
    g = given(Unit(), r.PANIC)
    u = g.u[0]
    assert (u.order_, u.lost, u.face, u.y) == (r.BROKEN, 0, 180, 4.0)


def test_a_panic_makes_guns_limber_and_go_silenced_but_loses_fixed_ones_REG_MAN_05() -> None:
    g = given(Unit(gun="heavy gun", stands=2), r.PANIC)
    u = g.u[0]
    assert (u.form, u.silent, u.stands, u.face) == (r.LIMBERED, 2, 2, 180)
    g = given(Unit(gun="emplaced gun", stands=2), r.PANIC)
    assert (g.u[0].place, g.u[0].lost) == (r.REMOVED, 2)


def test_falling_back_loses_heavy_guns_and_silences_others_in_close_range_REG_MAN_06() -> None:
    g = given(Unit(gun="heavy gun", stands=2), r.FALL_BACK)
    assert g.u[0].place == r.REMOVED
    g = given(Unit(gun="medium gun", stands=2), r.FALL_BACK)
    assert (g.u[0].form, g.u[0].silent) == (r.LIMBERED, 2)
    g = given(Unit(gun="heavy gun", stands=2), r.FALL_BACK, enemy=6.0)
    assert (g.u[0].stands, g.u[0].fires) == (2, 1)


def test_who_is_fortified_holds_and_may_only_fire_REG_MAN_06() -> None:
    g = field(Unit(), Unit(1, y=23.5))
    entrench(g, 20.6)
    maneuver_step.apply_result(g, 0, r.FALL_BACK, 2, 2)
    assert (g.u[0].order_, g.u[0].y, g.u[0].may) == (r.GOOD, 20.0, r.FIRE_ONLY)


def test_rallied_troops_maneuver_well_or_tardily_REG_MAN_07() -> None:
    for order in (r.DISORDERED, r.BROKEN):
        g = given(Unit(order=order), r.RALLY_WITH_ELAN)
        assert (g.u[0].order_, g.u[0].may) == (r.GOOD, r.MAY_BE_WELL)
        g = given(Unit(order=order), r.RALLY)
        assert (g.u[0].order_, g.u[0].may) == (r.GOOD, r.MAY_BE_TARDY)


def test_shaken_troops_get_in_order_and_out_of_close_range_REG_MAN_07() -> None:
    g = given(Unit(order=r.DISORDERED), r.SHAKEN)
    assert g.u[0].order_ == r.GOOD and g.u[0].y < 19.0
    g = given(Unit(order=r.DISORDERED), r.SHAKEN, enemy=6.0)
    assert (g.u[0].y, g.u[0].may) == (20.0, r.FIRE_ONLY)


def test_wavering_troops_reform_from_broken_to_disordered_REG_MAN_08() -> None:
    for order in (r.DISORDERED, r.BROKEN):
        g = given(Unit(order=order), r.WAVERING, enemy=6.0)
        assert (g.u[0].order_, g.u[0].y) == (r.DISORDERED, 20.0)


def test_a_panic_in_disorder_costs_the_difference_of_the_dice_REG_MAN_07() -> None:
    g = given(Unit(order=r.DISORDERED), r.ROUT, (1, 4))
    assert (g.u[0].lost, g.u[0].order_) == (3, r.BROKEN)
    assert told(g)[:2] == ["sp_lost", "routs"]
    g = given(Unit(order=r.DISORDERED, stands=2), r.ROUT, (1, 6))
    assert (g.u[0].lost, g.u[0].place) == (2, r.REMOVED)


def test_close_range_is_four_inches_REG_GEN_03() -> None:
    assert given(Unit(), r.FALL_BACK, enemy=4.1).u[0].y == 20.0
    assert given(Unit(), r.FALL_BACK, enemy=4.0).u[0].y < 20.0
