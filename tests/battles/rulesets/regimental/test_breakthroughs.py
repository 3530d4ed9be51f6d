"""Who breaks through after a charge, when, and towards whom (REG-CHG-11, REG-GEN-02)."""

from typing import Any

from battles.rulesets.regimental import charge_step
from battles.rulesets.regimental import records as r
from battles.rulesets.regimental.bases import nearest_enemy
from battles.rulesets.regimental.events import KINDS
from tests.battles.rulesets.regimental.combats import met
from tests.battles.rulesets.regimental.forces import (
    Unit,
    throw,
    told,
)


def test_a_swept_defender_is_followed_by_a_breakthrough_REG_CHG_04_REG_CHG_11() -> None:
    g = met(Unit(rating=r.ELITE, y=20.0), Unit(1, y=20.52, rating=r.RAW), Unit(1, y=25.0))
    throw(g, 6, 1, 6, 1)
    charge_step.charge_phase(g)
    assert told(g).count("breakthrough") == 1
    assert told(g).count("melee_roll") == 2
    assert g.u[0].order_ == r.DISORDERED


def test_who_is_in_disorder_breaks_through_too_REG_CHG_11_REG_CHG_04() -> None:
    g = met(Unit(rating=r.ELITE, order=r.DISORDERED), Unit(1, y=20.52, rating=r.RAW), Unit(1, y=25.0))
    throw(g, 6, 1, 6, 1)
    charge_step.charge_phase(g)
    assert told(g).count("breakthrough") == 1


def test_horse_breaks_through_after_a_struggle_REG_CHG_11_REG_CHG_05() -> None:
    g = met(Unit(class_=r.HORSE), Unit(1, y=20.52, stands=4), Unit(1, y=30.0))
    g.u[0].over_open = 0
    throw(g, 1, 2, 6, 1)
    charge_step.fight_charge(g, 1, 0)
    assert g.u[0].order_ == r.DISORDERED
    assert (g.u[0].breaks, told(g).count("melee_roll")) == (1, 2)


def test_only_who_is_broken_does_not_break_through_REG_CHG_11_REG_UNI_02() -> None:
    for order, goes in ((r.GOOD, True), (r.DISORDERED, True), (r.BROKEN, False)):
        g = met(Unit(order=order), Unit(1, y=20.52))
        assert bool(charge_step.must_break_through(g, 0, r.SWEPT)) == goes


def two_charges(*others: Unit) -> Any:
    """Two charges side by side, the first of which sweeps its enemy; the other enemy is unit 3."""
    target = Unit(1, y=20.52, rating=r.RAW)
    g = met(Unit(rating=r.ELITE), target, Unit(x=35), Unit(1, x=35, y=20.52), *others)
    u = g.u[2]
    u.charges, u.from_x, u.from_y, u.over_open = 3, u.x, u.y - 4.0, 1
    return g


def test_breakthroughs_wait_for_all_charge_combats_REG_GEN_02() -> None:
    g = two_charges(Unit(1, y=25.0))
    throw(g, 6, 1, 6, 1, 6, 1)
    charge_step.charge_phase(g)
    acts = [kind for kind in told(g) if kind in ("melee_roll", "breakthrough")]
    assert acts == ["melee_roll", "melee_roll", "breakthrough", "melee_roll"]


def test_a_breakthrough_is_towards_who_is_nearest_after_the_combats_REG_GEN_02_REG_CHG_04() -> None:
    # the enemy of the other charge is in reach until that charge drives him off, farther than the third
    g = two_charges(Unit(1, x=29, y=25.8))
    assert nearest_enemy(g, 0) == 1
    g.u[1].place = r.WAITING
    assert nearest_enemy(g, 0) == 3
    g.u[1].place = r.ON_TABLE
    throw(g, 6, 1, 6, 1, 6, 1)
    charge_step.charge_phase(g)
    gone = [int(row.other) for row in g.events[: g.events_n] if KINDS[int(row.what)][0] == "breakthrough"]
    assert gone == [4]


def test_who_has_nobody_to_break_through_to_carries_the_position_REG_CHG_11() -> None:
    g = two_charges()
    throw(g, 6, 1, 6, 1)
    charge_step.charge_phase(g)
    acts = [kind for kind in told(g) if kind in ("melee_roll", "breakthrough", "occupy")]
    assert acts == ["melee_roll", "melee_roll", "occupy", "occupy"]
    assert [int(g.u[i].breaks) for i in (0, 2)] == [0, 0]


def test_a_breakthrough_may_be_left_undone_by_the_option_REG_CHG_11() -> None:
    g = met(
        Unit(rating=r.ELITE), Unit(1, y=20.52, rating=r.RAW), Unit(1, y=25.0),
        options={"breakthrough_mandatory_on_swept": "off"},
    )  # fmt: skip
    throw(g, 6, 1, 6, 1)
    charge_step.charge_phase(g)
    assert "breakthrough" not in told(g)
