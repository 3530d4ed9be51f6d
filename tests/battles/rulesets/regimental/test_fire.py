"""Fire: who bears, points, modifiers, effects, ammunition, massed targets (REG-FIR, REG-DEF-03)."""

import pytest

from battles.engine.dtypes import FIELDWORK, WALL
from battles.rulesets.regimental import fire, fire_step
from battles.rulesets.regimental import records as r
from battles.rulesets.regimental.events import KINDS
from tests.battles.rulesets.regimental.forces import (
    Unit,
    build,
    draw_line,
    field,
    garrison,
    paint,
    throw,
    told,
)


def points(firer: Unit, target: Unit, **more: int) -> float:
    g = field(firer, target)
    for name, value in more.items():
        setattr(g.u[0], name, value)
    return float(fire.bears_on(g, 0, 1))


def test_every_stand_of_a_line_looks_for_itself_REG_FIR_01_REG_DEF_03() -> None:
    assert points(Unit(), Unit(1, y=23.5)) == 8.0
    # of a narrow target at 3.5 inches off the end of the line only some stands see it in their arc
    assert 0.0 < points(Unit(), Unit(1, x=33.5, y=23.0, stands=1)) < 8.0
    assert points(Unit(), Unit(1, y=24.6)) == 0.0


def test_nobody_fires_behind_him_REG_FIR_01() -> None:
    assert points(Unit(), Unit(1, y=17.0)) == 0.0
    assert points(Unit(), Unit(1, x=38.0, y=20.0, stands=1)) == 0.0


@pytest.mark.parametrize(
    ("form", "count"), [(r.FIELD_COLUMN, 2.0), (r.MARCH_COLUMN, 1.0), (r.MASS, 1.5), (r.EXTENDED, 8.0)]
)
def test_columns_fire_with_their_first_rank_and_mass_at_half_REG_DEF_03_REG_FIR_04(
    form: int, count: float
) -> None:
    assert points(Unit(form=form, y=21.0), Unit(1, y=24.5, stands=16)) == count


def test_a_garrison_fires_all_round_REG_DEF_03() -> None:
    g = field(Unit(), Unit(1, y=15.0))
    garrison(g, 0, build(g, 30, 20))
    assert fire.bears_on(g, 0, 1) == 8.0


def test_halvings_multiply_unless_the_option_says_no_REG_FIR_04() -> None:
    unit, target = Unit(order=r.DISORDERED), Unit(1, y=23.5)
    for option, expected in (("on", 2.0), ("off", 4.0)):
        g = field(unit, target, options={"halvings_multiply": option})
        g.u[0].low = 1
        assert fire.bears_on(g, 0, 1) == expected


def test_damaged_guns_fire_at_half_and_silenced_ones_not_REG_FIR_04_REG_UNI_02() -> None:
    battery, target = Unit(gun="medium gun", stands=3), Unit(1, y=24.75)
    assert points(battery, target) == 15.0
    assert points(battery, target, damaged=1) == 12.5
    assert points(battery, target, damaged=1, silent=1) == 7.5
    assert points(battery, target, low=1) == 12.5
    assert points(battery, target, damaged=1, low=3) == 6.25


def test_broken_troops_and_limbered_guns_do_not_fire_REG_UNI_02() -> None:
    g = field(Unit(order=r.BROKEN), Unit(gun="light gun", stands=1, form=r.LIMBERED), Unit(class_=r.HORSE))
    assert not any(fire.may_fire(g, g.u[i]) for i in range(3))


def test_canister_may_reach_further_by_the_option_REG_FIR_03() -> None:
    g = field(Unit(gun="medium gun", stands=1), options={"canister_max_in": 8})
    assert fire.points_at(g, r.MEDIUM_GUN, 8.0) == 5
    assert fire.points_at(field(Unit()), r.MEDIUM_GUN, 8.0) == 3


def test_a_howitzers_shell_tells_more_far_off_REG_FIR_03() -> None:
    g = field(Unit())
    assert [float(fire.points_at(g, r.HOWITZER, inches)) for inches in (4, 12, 24, 36, 37)] == [4, 2, 2, 3, 0]


def test_others_bar_the_line_but_from_higher_ground_REG_DEF_03_REG_FIR_01() -> None:
    g = field(Unit(gun="medium gun", stands=1), Unit(1, y=30.0), Unit(y=25.0))
    assert not fire.line_to(g, 0, 1)
    paint(g, "hill", y=(0, 22))
    assert fire.line_to(g, 0, 1)


@pytest.mark.parametrize(
    ("ground", "depth", "sees"), [("woods", 4, True), ("woods", 6, False), ("orchard", 6, True)]
)
def test_how_far_one_sees_through_growth_REG_TER_01(ground: str, depth: int, sees: bool) -> None:
    g = field(Unit(gun="medium gun", stands=1), Unit(1, y=40.0))
    paint(g, ground, y=(25, 25 + depth))
    assert fire.line_to(g, 0, 1) == sees


def test_houses_and_hills_bar_sight_REG_TER_01() -> None:
    g = field(Unit(gun="medium gun", stands=1), Unit(1, y=40.0))
    build(g, 30, 30)
    assert not fire.line_to(g, 0, 1)
    g = field(Unit(gun="medium gun", stands=1), Unit(1, y=40.0))
    paint(g, "hill", y=(28, 32))
    assert not fire.line_to(g, 0, 1)


def target(
    unit: Unit, *, x: float = 30.0, y: float = 10.0, enfiladed: bool = False, close: bool = False, **more: int
) -> int:
    g = field(Unit(y=y), unit, **({"options": {"target_lines_add": "off"}} if more.pop("off", 0) else {}))
    for name, value in more.items():
        setattr(g.u[1], name, value)
    return int(fire.target_modifier(g, 1, enfiladed, close, x, y))


def test_lines_of_the_target_add_REG_FIR_06() -> None:
    assert target(Unit(1, form=r.FIELD_COLUMN)) == target(Unit(1, form=r.MASS)) == 1
    assert target(Unit(1, class_=r.HORSE)) == target(Unit(1, order=r.BROKEN)) == 1
    assert target(Unit(1), enfiladed=True) == target(Unit(1, form=r.MARCH_COLUMN)) == 2
    assert target(Unit(1, class_=r.HORSE, form=r.MARCH_COLUMN)) == 3
    assert target(Unit(1, class_=r.HORSE, form=r.MARCH_COLUMN), off=1) == 2
    assert target(Unit(1), about_faced=1) == 1


def test_guns_are_targets_of_one_line_REG_FIR_06() -> None:
    gun = Unit(1, gun="medium gun", stands=2)
    assert target(gun) == 0
    assert target(gun, enfiladed=True, close=True) == 1
    assert target(Unit(1, gun="medium gun", stands=2, form=r.LIMBERED)) == 1


def test_the_best_cover_alone_counts_REG_FIR_06() -> None:
    g = field(Unit(y=10.0), Unit(1, y=20.0))
    draw_line(g, WALL, 19.4)
    assert fire.target_modifier(g, 1, False, False, 30.0, 10.0) == -2
    paint(g, "woods")
    assert fire.target_modifier(g, 1, False, False, 30.0, 10.0) == -2
    draw_line(g, FIELDWORK, 19.3)
    assert fire.target_modifier(g, 1, False, False, 30.0, 10.0) == -3
    # the work does not cover what comes from behind
    assert fire.target_modifier(g, 1, False, False, 30.0, 30.0) == -1


@pytest.mark.parametrize(
    ("form", "cover", "modifier"),
    [
        (r.LINE, r.NO_COVER, 0), (r.LINE, r.PARTIAL, -1), (r.LINE, r.FULL, -2), (r.LINE, r.FORTIFIED, -3),
        (r.EXTENDED, r.NO_COVER, -1), (r.EXTENDED, r.PARTIAL, -2), (r.EXTENDED, r.FULL, -2),
    ],
)  # fmt: skip
def test_extended_line_is_a_cover_of_its_own_REG_FIR_06(form: int, cover: int, modifier: int) -> None:
    g = field(Unit(form=form))
    assert fire.cover_modifier(g, g.u[0], cover) == modifier


@pytest.mark.parametrize(
    ("x", "y", "along"), [(50, 20, True), (30, 40, False), (42, 30, True), (40, 35, False)]
)
def test_enfilade_is_from_within_45_degrees_of_the_flank_REG_FIR_06(x: float, y: float, along: bool) -> None:
    g = field(Unit(x=x, y=y), Unit(1))
    assert fire.is_enfilading(g, 0, 1) == along


def test_raw_and_keen_firers_count_when_half_the_points_are_theirs_REG_FIR_01_REG_FIR_06() -> None:
    g = field(Unit())
    assert fire.firer_modifier(g, 4.0, 0.0, 8.0) == -1
    assert fire.firer_modifier(g, 3.5, 0.0, 8.0) == 0
    assert fire.firer_modifier(g, 0.0, 4.0, 8.0) == 1
    assert fire.firer_modifier(g, 8.0, 8.0, 8.0) == 0


def test_buck_and_ball_tells_in_and_against_charges_REG_FIR_06() -> None:
    g = field(Unit(buck_and_ball=True), Unit(1, y=20.6))
    assert not fire.is_keen(g, 0, 1)
    g.u[1].charges = 0
    assert fire.is_keen(g, 0, 1)
    g.u[1].charges, g.u[0].charges = -1, 1
    assert fire.is_keen(g, 0, 1)
    assert fire.is_keen(field(Unit(marksmen=True, weapon=r.RIFLE), Unit(1)), 0, 1)


def test_lively_fire_is_nothing_from_muskets_REG_FIR_07() -> None:
    g = field(Unit())
    assert fire.effect_on(g, r.TRAINED, 5, True) == r.LIVELY
    assert fire.effect_on(g, r.TRAINED, 5, False) == r.DESULTORY


def fired(firer: Unit, aimed: Unit, dice: tuple[int, int], *others: Unit, **more: object) -> object:
    g = field(firer, aimed, *others, dice=dice, **more)
    fire_step.aim_units(g, 0, 1)
    fire_step.fire_at(g, 0, 1)
    return g


def test_mixed_fire_is_lively_when_half_the_points_are_of_guns_REG_FIR_07() -> None:
    # a light gun in close range has four points, and a total of five is lively fire at trained troops
    for muskets, dice, order in ((4, (2, 3), r.DISORDERED), (5, (1, 3), r.GOOD)):
        gun = Unit(x=27.5, gun="light gun", stands=1)
        g = fired(Unit(stands=muskets), Unit(1, y=23.5), dice, gun)
        assert [row.total for row in g.events[: g.events_n] if KINDS[int(row.what)][0] == "fire_dice"] == [5]
        assert g.u[1].order_ == order


def test_effects_on_troops_REG_FIR_07() -> None:
    # eight points at trained troops add nothing to the dice
    for dice, lost, order in (
        ((6, 6), 1, r.DISORDERED), ((4, 4), 1, r.DISORDERED), ((3, 4), 0, r.DISORDERED), ((2, 3), 0, r.GOOD),
    ):  # fmt: skip
        g = fired(Unit(), Unit(1, y=23.5), dice)
        assert (g.u[1].lost, g.u[1].order_) == (lost, order), dice
    g = fired(Unit(), Unit(1, y=23.5, order=r.DISORDERED), (3, 4))
    assert g.u[1].lost == 1


def test_effects_on_guns_REG_FIR_07_REG_UNI_02() -> None:
    # two points more for a gun in close range
    battery = Unit(1, y=23.0, gun="medium gun", stands=3)
    g = fired(Unit(), battery, (3, 4))
    assert (g.u[1].silent_damaged, g.u[1].silent, g.u[1].stands) == (1, 0, 3)
    g = fired(Unit(), battery, (2, 3))
    assert (g.u[1].silent, g.u[1].damaged) == (1, 0)
    g = fired(Unit(), battery, (6, 6))
    assert (g.u[1].lost, g.u[1].silent) == (1, 2)


def test_a_gun_damaged_twice_is_wrecked_REG_UNI_02() -> None:
    g = field(Unit(gun="medium gun", stands=1))
    fire_step.damage_one(g, 0)
    assert (g.u[0].silent_damaged, g.u[0].stands) == (1, 1)
    fire_step.damage_one(g, 0)
    assert (g.u[0].place, g.u[0].lost) == (r.REMOVED, 1)


def test_losses_beyond_its_stands_are_ignored_REG_FIR_07() -> None:
    g = field(Unit(), Unit(1, stands=1))
    fire_step.hurt_unit(g, 1, r.WITHERING, 15)
    assert (g.u[1].lost, g.u[1].place) == (1, r.REMOVED)


def test_several_units_combine_on_one_target_REG_FIR_01() -> None:
    g = field(Unit(x=28, stands=4), Unit(1, y=23.5), Unit(x=33, stands=4), dice=(1, 2))
    fire_step.aim_units(g, 0, 1)
    assert (g.u[0].aim, g.u[2].aim) == (1, 1)
    fire_step.fire_at(g, 0, 1)
    assert told(g).count("fire_dice") == 1
    row = g.events[told(g).index("fire_dice")]
    assert row.modifier == 0  # eight points


def test_the_massed_behind_suffer_the_next_effect_down_REG_FIR_09() -> None:
    behind = Unit(1, y=25.5, stands=4)
    g = fired(Unit(), Unit(1, y=23.5), (4, 4), behind)
    assert (g.u[1].lost, g.u[2].order_, g.u[2].lost) == (1, r.DISORDERED, 0)
    g = fired(Unit(), Unit(1, y=23.5), (4, 4), behind, options={"massed_target": "massed_only"})
    assert g.u[2].order_ == r.GOOD
    g = fired(Unit(), Unit(1, y=23.5), (4, 4), Unit(1, y=26.6, stands=4))
    assert g.u[2].order_ == r.GOOD
    assert [int(fire.next_lower_effect(one)) for one in range(7)] == [
        r.HOME, r.GALLING, r.GALLING, r.GALLING, r.LIVELY, r.DESULTORY, r.DESULTORY,
    ]  # fmt: skip


def test_double_six_makes_somebody_low_until_he_replenishes_REG_FIR_10() -> None:
    g = fired(Unit(), Unit(1, y=23.5), (6, 6))
    assert g.u[0].low == 1
    assert fired(Unit(), Unit(1, y=23.5), (5, 6)).u[0].low == 0
    g = fired(Unit(gun="medium gun", stands=3), Unit(1, y=26.0), (6, 6))
    assert g.u[0].low == 1
    # a unit of which less than half bears is not marked
    assert fire_step.stands_bearing(field(Unit(), Unit(1, x=34.6, y=23.4, stands=1)), 0, 1) < 4


def test_doubles_that_disorder_call_the_leader_near_REG_FIR_11_REG_LDR_03() -> None:
    g = fired(Unit(), Unit(1, y=23.5, colonel=True), (4, 4))
    assert told(g).count("colonel_die") == 1
    g = fired(Unit(), Unit(1, y=23.5, colonel=True), (3, 5))
    assert "colonel_die" not in told(g)
    g = fired(Unit(), Unit(1, y=23.5, colonel=True, order=r.DISORDERED), (4, 4))
    assert "colonel_die" not in told(g)


def test_a_checked_charge_goes_back_two_inches_REG_FIR_08() -> None:
    g = field(Unit(y=20.0), Unit(1, y=20.6))
    g.u[0].charges = 1
    throw(g, 6, 6)
    fire_step.aim_units(g, 1, 1)
    fire_step.fire_at(g, 1, 0)
    assert (g.u[0].charges, g.u[0].y, g.u[0].checked) == (-1, 18.0, 1)


def test_guns_fire_in_their_turn_only_if_they_chose_to_REG_GUN_03() -> None:
    g = field(Unit(gun="medium gun", stands=2), Unit(1, y=30.0))
    assert fire_step.aim_units(g, 0, 0) == 0
    g.u[0].fires = 1
    assert fire_step.aim_units(g, 0, 0) == 1
    g.u[0].fires = 0
    assert fire_step.aim_units(g, 0, 1) == 1


def test_defensive_fire_comes_first_or_with_the_other_REG_GEN_02() -> None:
    for order, answered in (("defensive_first", 0.0), ("together", 8.0)):
        g = field(Unit(), Unit(1, y=23.5), dice=(6, 6, 6, 6), options={"fire_order": order})
        g.u[0].stands = g.u[0].stands_start = 1
        g.u[0].half_width = 0.25
        fire_step.fire_phase(g)
        # who was shot away fires all the same when both fire together
        assert told(g).count("fire_dice") == (1 if answered == 0.0 else 2)
