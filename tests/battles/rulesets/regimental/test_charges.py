"""Charges: reaching the enemy, modifiers, combats, what comes of them (REG-CHG, REG-TRP-05, REG-DEF-07)."""

from typing import Any

import pytest

from battles.engine.dtypes import FENCE
from battles.rulesets.regimental import charge_step, charging, contact
from battles.rulesets.regimental import records as r
from battles.rulesets.regimental.commander import charge_best_target
from battles.rulesets.regimental.fire_step import aim_units
from tests.battles.rulesets.regimental.combats import fought, met
from tests.battles.rulesets.regimental.forces import (
    Leader,
    Unit,
    build,
    draw_line,
    entrench,
    field,
    garrison,
    paint,
    throw,
    told,
)

FRESH = 2


def modifier(unit: Unit, *others: Unit, ratio: int = 1, ground: int = 0, **more: Any) -> int:
    """Modifiers of a unit in a charge combat; what is not told is not so."""
    options = more.pop("options", {})
    g = field(unit, *others, options=options)
    told = {name: int(more.get(name, 0)) for name in ("steel", "horse", "flank", "led")}
    return int(charging.charge_modifier(g, 0, ratio, ground, *told.values()))


def test_each_line_of_the_charge_table_REG_CHG_02() -> None:
    assert modifier(Unit()) == FRESH
    assert [modifier(Unit(rating=one)) for one in range(4)] == [4, 3, 2, 1]
    assert modifier(Unit(stands=6, start=8)) == 0
    assert modifier(Unit(stands=4, start=8)) == -2
    assert (modifier(Unit(), ratio=2), modifier(Unit(), ratio=3)) == (FRESH - 1, FRESH - 2)
    assert modifier(Unit(form=r.EXTENDED)) == modifier(Unit(militia=True)) == FRESH - 1
    assert modifier(Unit(form=r.EXTENDED, militia=True)) == FRESH - 1
    assert modifier(Unit(), flank=1) == modifier(Unit(form=r.MARCH_COLUMN)) == FRESH - 2
    assert modifier(Unit(order=r.BROKEN), flank=1) == FRESH - 2
    assert modifier(Unit(order=r.DISORDERED)) == FRESH - 1
    assert modifier(Unit(), steel=1) == modifier(Unit(), led=1) == FRESH + 1
    assert modifier(Unit(class_=r.HORSE), horse=1) == FRESH + 1
    assert modifier(Unit(class_=r.HORSE, form=r.DISMOUNTED), horse=1) == FRESH - 1
    assert modifier(Unit(), horse=1) == FRESH


def test_guns_count_support_and_nothing_of_freshness_REG_CHG_02() -> None:
    gun = Unit(gun="medium gun", stands=2)
    assert modifier(gun) == -1
    assert modifier(gun, Unit(x=34.9)) == 1
    assert modifier(gun, Unit(x=34.9, order=r.DISORDERED)) == -1
    assert modifier(Unit(gun="medium gun", stands=2, form=r.LIMBERED)) == -3


@pytest.mark.parametrize(
    ("ground", "better", "both"),
    [(charging.FAVORABLE, 1, 1), (charging.STRONG, 2, 2), (charging.BOTH, 2, 3)],
)
def test_the_better_of_ground_and_position_counts_REG_CHG_02(ground: int, better: int, both: int) -> None:
    assert modifier(Unit(), ground=ground) == FRESH + better
    assert modifier(Unit(), ground=ground, options={"ground_and_position_add": "on"}) == FRESH + both


@pytest.mark.parametrize(("own", "theirs", "ratio"), [(8, 15, 1), (8, 16, 2), (8, 24, 3), (0, 8, 1)])
def test_troop_stands_outnumber_REG_CHG_02(own: int, theirs: int, ratio: int) -> None:
    assert charging.ratio_of(own, theirs) == ratio


def test_cold_steel_is_for_who_has_bayonets_REG_CHG_03_REG_SPC_02() -> None:
    assert charging.may_use_steel(field(Unit()).u[0])
    for form in (r.LINE, r.DISMOUNTED):
        assert not charging.may_use_steel(field(Unit(class_=r.HORSE, form=form)).u[0])
    assert not charging.may_use_steel(field(Unit(bayonets=False)).u[0])
    assert not charging.may_use_steel(field(Unit(order=r.BROKEN)).u[0])


def test_who_charges_with_cold_steel_does_not_fire_REG_CHG_03() -> None:
    g = met()
    assert aim_units(g, 0, 0) == 1
    g.u[0].cold_steel = 1
    assert aim_units(g, 0, 0) == 0


def test_horse_charges_without_cold_steel_REG_CHG_03() -> None:
    g = ready(Unit(class_=r.HORSE, rating=r.ELITE), Unit(1, y=28.0, rating=r.RAW, stands=4))
    assert charge_best_target(g, 0)
    assert (g.u[0].charges, g.u[0].cold_steel) == (1, 0)


def ready(unit: Unit, target: Unit, *others: Unit, may: int = r.MAY_BE_WELL, **more: Any) -> Any:
    g = field(unit, target, *others, **more)
    g.u[0].may = may
    return g


def reach(g: Any) -> bool:
    heading, _ = contact.find_charge_way(g, 0, 1, contact.charge_allowance(g, g.u[0]))
    return bool(heading >= 0)


def test_a_charge_goes_a_move_or_half_of_it_REG_TRP_01_REG_TRP_04() -> None:
    assert reach(ready(Unit(), Unit(1, y=30.5)))
    assert not reach(ready(Unit(), Unit(1, y=30.6)))
    assert reach(ready(Unit(), Unit(1, y=25.5), may=r.MAY_BE_TARDY))
    assert not reach(ready(Unit(), Unit(1, y=25.6), may=r.MAY_BE_TARDY))


def test_a_charge_wheels_up_to_45_degrees_and_passes_nobody_REG_CHG_01() -> None:
    assert reach(ready(Unit(stands=4), Unit(1, x=34, y=26)))
    assert not reach(ready(Unit(stands=4), Unit(1, x=40, y=20)))
    assert not reach(ready(Unit(), Unit(1, y=28), Unit(y=24, stands=2)))


def test_who_may_charge_REG_UNI_02() -> None:
    assert contact.may_charge(ready(Unit(), Unit(1)).u[0])
    for unit in (Unit(order=r.BROKEN), Unit(form=r.MARCH_COLUMN), Unit(gun="light gun")):
        assert not contact.may_charge(ready(unit, Unit(1)).u[0])
    assert not contact.may_charge(ready(Unit(), Unit(1), may=r.FIRE_ONLY).u[0])


def test_the_difference_of_dice_and_modifiers_is_the_row_REG_CHG_01() -> None:
    for dice, result in (
        ((6, 1), r.DRIVEN_BACK),
        ((3, 1), r.HARD_PRESSED),
        ((1, 2), r.FALTER),
        ((1, 6), r.RECOIL),
    ):
        assert fought(met(), *dice) == result


def test_swept_from_the_field_REG_CHG_04_REG_LDR_03() -> None:
    g = met(Unit(rating=r.ELITE), Unit(1, y=20.52, rating=r.RAW, colonel=True))
    assert fought(g, 6, 1) == r.SWEPT
    # a difference of seven takes two stands, the colonel's one off
    assert (g.u[1].lost, g.u[1].order_, g.u[1].face) == (2, r.BROKEN, 0)
    assert "colonel_die" in told(g)
    assert g.u[0].y > 20.0 and g.u[0].order_ == r.GOOD


def test_driven_back_REG_CHG_05() -> None:
    g = met()
    assert fought(g, 6, 1) == r.DRIVEN_BACK
    assert (g.u[1].lost, g.u[1].order_) == (1, r.DISORDERED)
    assert g.u[1].y > 24.0 and g.u[0].y == pytest.approx(20.5, abs=0.3)


def test_who_is_driven_back_by_horse_or_outflanked_breaks_REG_CHG_05() -> None:
    g = met(Unit(class_=r.HORSE, stands=8))
    assert fought(g, 5, 1) == r.DRIVEN_BACK
    assert (g.u[1].lost, g.u[1].order_) == (2, r.BROKEN)
    assert g.u[0].order_ == r.DISORDERED


def test_hard_pressed_REG_CHG_06() -> None:
    g = met()
    assert fought(g, 3, 1) == r.HARD_PRESSED
    assert (g.u[1].lost, g.u[1].order_) == (0, r.DISORDERED)
    g = met(target=Unit(1, y=20.52, order=r.DISORDERED))
    assert fought(g, 1, 1) == r.HARD_PRESSED
    assert g.u[1].lost == 1


def test_who_is_fortified_holds_when_hard_pressed_REG_CHG_06() -> None:
    g = met()
    entrench(g, 20.26)
    assert fought(g, 4, 1) == r.HARD_PRESSED
    assert (g.u[1].y, g.u[1].order_) == (20.52, r.DISORDERED)
    assert g.u[0].y == 18.0


@pytest.mark.parametrize(
    ("gun", "captured", "place"), [("heavy gun", 2, r.REMOVED), ("medium gun", 0, r.ON_TABLE)]
)
def test_guns_that_cannot_get_away_are_taken_REG_CHG_06_REG_DEF_07(
    gun: str, captured: int, place: int
) -> None:
    g = met(target=Unit(1, y=20.77, gun=gun, stands=2))
    assert fought(g, 1, 3) == r.HARD_PRESSED
    u = g.u[1]
    assert (u.captured, u.place) == (captured, place)
    if place == r.ON_TABLE:
        assert (u.form, u.silent + u.silent_damaged) == (r.LIMBERED, 2)


def struggled(guns: int, *dice: int, attackers: int = 8, works: bool = False) -> Any:
    """A battery of light guns after a struggle with its charger and what the other dice then bring."""
    g = met(Unit(stands=attackers), Unit(1, y=20.77, gun="light gun", stands=guns))
    if works:
        entrench(g, 20.26)
    throw(g, *dice)
    charge_step.fight_charge(g, 1, 0)
    return g.u[1]


def test_guns_of_a_struggle_are_taken_only_by_who_wins_it_REG_DEF_07_REG_CHG_07() -> None:
    falters, wins, sweeps = struggled(3, 1, 4, 1, 5), struggled(3, 1, 4, 1, 2), struggled(3, 1, 4, 6, 1)
    assert (falters.lost, falters.captured, falters.place) == (1, 0, r.ON_TABLE)
    assert (wins.lost, wins.captured, wins.stands) == (0, 1, 2)
    assert (sweeps.lost, sweeps.captured, sweeps.place) == (0, 3, r.REMOVED)


def test_the_last_gun_of_a_struggle_is_taken_if_somebody_is_left_to_take_it_REG_DEF_07_REG_CHG_07() -> None:
    taken, gone = struggled(1, 1, 4), struggled(1, 1, 4, attackers=1)
    assert (taken.lost, taken.captured, taken.place) == (0, 1, r.REMOVED)
    assert (gone.lost, gone.captured, gone.place) == (1, 0, r.REMOVED)


def test_who_goes_back_from_works_takes_no_guns_REG_DEF_07_REG_CHG_06() -> None:
    held = struggled(3, 3, 4, 5, 4, works=True)
    assert (held.lost, held.captured, held.place) == (1, 0, r.ON_TABLE)


def test_a_train_that_is_charged_home_is_taken_REG_DEF_07() -> None:
    g = met(target=Unit(1, y=20.77, class_=r.WAGONS, stands=1))
    fought(g, 6, 1)
    assert (g.u[1].captured, g.u[1].place) == (1, r.REMOVED)


def test_a_desperate_struggle_is_rolled_again_without_steel_REG_CHG_07() -> None:
    g = met(Unit(rating=r.TRAINED))
    g.u[0].cold_steel = 1
    throw(g, 2, 3, 6, 1)
    assert charge_step.fight_charge(g, 1, 0) == r.DRIVEN_BACK
    rolls = [row for row in g.events[: g.events_n] if row.die1 and row.what == g.events[0].what]
    assert [int(row.modifier) for row in rolls] == [1, 0]
    assert (g.u[0].lost, g.u[1].lost) == (1, 2)
    assert g.u[0].order_ == g.u[1].order_ == r.DISORDERED


def test_falter_REG_CHG_08() -> None:
    g = met()
    assert fought(g, 1, 2) == r.FALTER
    assert (g.u[0].order_, g.u[0].lost, g.u[0].y, g.u[0].charges) == (r.DISORDERED, 0, 18.0, -1)
    assert g.u[1].order_ == r.GOOD
    g = met(Unit(order=r.DISORDERED))
    assert fought(g, 2, 2) == r.FALTER
    assert g.u[0].lost == 1


def test_recoil_REG_CHG_09() -> None:
    g = met()
    assert fought(g, 1, 5) == r.RECOIL
    assert (g.u[0].lost, g.u[0].order_) == (1, r.DISORDERED)
    assert g.u[0].y <= 16.0
    g = met(target=Unit(1, y=20.52, class_=r.HORSE, stands=4))
    assert fought(g, 1, 5) == r.RECOIL
    assert (g.u[0].lost, g.u[0].order_, g.u[1].order_) == (2, r.BROKEN, r.DISORDERED)


def test_repulsed_REG_CHG_10() -> None:
    g = met(Unit(rating=r.RAW, colonel=True), Unit(1, y=20.52, rating=r.ELITE))
    assert fought(g, 1, 6) == r.REPULSED
    assert (g.u[0].lost, g.u[0].order_) == (2, r.BROKEN)
    assert "colonel_die" in told(g)


def test_the_best_of_several_attackers_leads_and_all_suffer_REG_CHG_01() -> None:
    target = Unit(1, y=20.52, stands=8)
    g = met(Unit(x=28.9, stands=4), target, Unit(x=31.1, stands=4, rating=r.ELITE))
    g.u[2].charges, g.u[2].from_y = 1, 16.0
    assert charge_step.attack_modifier(g, 1, 0, 1) == 4
    assert fought(g, 1, 6) == r.RECOIL
    assert [int(g.u[i].lost) for i in (0, 2)] == [1, 1]


def test_favorable_ground_and_works_are_the_defenders_REG_CHG_02_REG_TER_01() -> None:
    for ground, expected in (("open", 0), ("woods", 1), ("rocky fields", 1), ("orchard", 1)):
        g = met()
        paint(g, ground, y=(20, 64))
        assert charge_step.find_charge_ground(g, 0, 1) == expected, ground
    g = met()
    draw_line(g, FENCE, 20.26)
    assert charge_step.find_charge_ground(g, 0, 1) == charging.FAVORABLE
    g = met()
    paint(g, "hill", y=(20, 64))
    assert charge_step.find_charge_ground(g, 0, 1) == charging.FAVORABLE
    g = met()
    entrench(g, 20.26)
    assert charge_step.find_charge_ground(g, 0, 1) == charging.STRONG
    g.u[1].countercharges = 1
    assert charge_step.find_charge_ground(g, 0, 1) == charging.PLAIN


def test_who_carries_a_house_holds_it_REG_UNI_04_REG_CHG_04() -> None:
    g = field(Unit(rating=r.ELITE, y=18.23), Unit(1, rating=r.RAW))
    garrison(g, 1, build(g, 30, 20))
    g.u[0].charges, g.u[0].from_y = 1, 14.0
    assert fought(g, 6, 1) >= r.SWEPT
    assert g.u[1].inside == -1
    assert (g.u[0].inside, g.u[0].form) == (0, r.GARRISON)


def test_charged_horse_meets_horse_halfway_REG_TRP_05() -> None:
    g = ready(
        Unit(class_=r.HORSE, stands=4, rating=r.ELITE),
        Unit(1, y=36.5, class_=r.HORSE, stands=2, rating=r.RAW),
    )
    assert charge_best_target(g, 0)
    assert (g.u[1].countercharges, g.u[1].charges) == (1, 0)
    assert g.u[1].y == pytest.approx(28.5, abs=0.1)
    assert g.u[0].y == pytest.approx(28.0, abs=0.1)


def test_only_horse_in_good_order_countercharges_REG_TRP_05() -> None:
    horse = Unit(class_=r.HORSE, stands=4)
    assert not contact.may_countercharge(ready(horse, Unit(1, y=30)), 0, 1)
    shaken = Unit(1, y=30, class_=r.HORSE, stands=4, order=r.DISORDERED)
    assert not contact.may_countercharge(ready(horse, shaken), 0, 1)
    assert contact.may_countercharge(ready(horse, Unit(1, y=30, class_=r.HORSE)), 0, 1)


def test_a_charge_over_hard_ground_is_known_REG_CHG_04() -> None:
    g = ready(Unit(), Unit(1, y=28.0))
    heading, inches = contact.find_charge_way(g, 0, 1, 10.0)
    contact.declare_charge(g, 0, 1, heading, inches, 1)
    assert (g.u[0].over_rough, g.u[0].over_open, g.u[0].cold_steel) == (0, 1, 1)
    g = ready(Unit(), Unit(1, y=24.0))
    paint(g, "woods")
    heading, inches = contact.find_charge_way(g, 0, 1, 10.0)
    contact.declare_charge(g, 0, 1, heading, inches, 0)
    assert (g.u[0].over_rough, g.u[0].over_open, g.u[0].cold_steel) == (1, 0, 0)


def test_a_leader_with_it_counts_in_a_charge_REG_CHG_02_REG_LDR_04() -> None:
    g = met(leaders=(Leader(unit=0),))
    assert charge_step.attack_modifier(g, 1, 0, 1) == FRESH + 1
    g = met(Unit(colonel=True), leaders=(Leader(unit=0),))
    assert charge_step.attack_modifier(g, 1, 0, 1) == FRESH + 1


@pytest.mark.parametrize(
    ("countercharged", "near", "y"), [(1, 20.0, False), (1, 40.0, True), (0, 20.0, True)]
)
def test_horse_that_has_won_by_a_countercharge_recalls_from_enemies_REG_CHG_08(
    countercharged: int, near: float, y: bool
) -> None:
    """The attacker falters and goes back; another enemy is in close range, or none."""
    horse = Unit(1, y=22.1, class_=r.HORSE, stands=4)
    g = met(Unit(class_=r.HORSE, stands=4, y=20.5), horse, Unit(x=36.0, y=near, face=180))
    g.u[1].countercharges = countercharged
    assert fought(g, 1, 3) in (r.FALTER, r.RECOIL)
    assert (g.u[1].order_, g.u[1].y == 22.1) == (r.DISORDERED, y)
