"""Order of troops and what gun stands are (REG-UNI-02)."""

import pytest

from battles.rulesets.regimental import records as r
from battles.rulesets.regimental import states
from tests.battles.rulesets.regimental.forces import Leader, Unit, field, told


def test_only_troops_in_good_order_fall_into_disorder_REG_UNI_02() -> None:
    for unit, fell in (
        (Unit(), 1), (Unit(order=r.DISORDERED), 0), (Unit(order=r.BROKEN), 0), (Unit(gun="light gun"), 0),
    ):  # fmt: skip
        assert states.disorder_troops(field(unit), 0) == fell


def test_broken_troops_drop_their_charge_REG_UNI_02() -> None:
    g = field(Unit(), Unit(1))
    g.u[0].charges = 1
    states.break_troops(g, 0)
    assert (g.u[0].order_, g.u[0].charges, told(g)) == (r.BROKEN, -1, ["routs"])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((0, 0, 0), (0, 0, 1)),  # a sound stand is damaged and silenced
        ((0, 3, 0), (0, 2, 1)),
        ((2, 0, 1), (2, 0, 0)),  # who is damaged twice is wrecked
    ],
)
def test_where_damage_falls_REG_UNI_02_REG_FIR_07(
    before: tuple[int, int, int], after: tuple[int, int, int]
) -> None:
    g = field(Unit(gun="medium gun", stands=3))
    u = g.u[0]
    u.damaged, u.silent, u.silent_damaged = before
    states.damage_one(g, 0)
    assert (u.damaged, u.silent, u.silent_damaged) == after
    assert u.stands + u.lost == 3


def test_sound_stands_are_silenced_first_REG_FIR_07() -> None:
    g = field(Unit(gun="medium gun", stands=3))
    u = g.u[0]
    u.damaged = 1
    assert states.silence_stands(g, 0, 2) == 2
    assert (u.silent, u.damaged) == (2, 1)
    assert states.silence_all(g, 0) == 1
    assert states.is_silenced(u) and u.silent_damaged == 1


def test_rallied_guns_are_as_damaged_as_before_REG_GUN_01() -> None:
    u = field(Unit(gun="medium gun", stands=3)).u[0]
    u.silent, u.silent_damaged = 1, 1
    states.rally_guns(u)
    assert (u.silent, u.silent_damaged, u.damaged, int(states.count_bearing_stands(u))) == (0, 0, 1, 3)


def test_wrecked_stands_are_the_least_useful_first_REG_UNI_02() -> None:
    g = field(Unit(gun="medium gun", stands=4))
    u = g.u[0]
    u.damaged, u.silent, u.silent_damaged, u.low = 1, 1, 1, 4
    assert states.wreck_stands(g, 0, 3) == 3
    assert (u.stands, u.damaged, u.silent, u.silent_damaged, u.low) == (1, 0, 0, 0, 1)


def test_a_leader_stays_where_his_unit_was_destroyed_REG_CMD_03() -> None:
    g = field(Unit(stands=1), leaders=(Leader(unit=0),))
    states.lose_stands(g, 0, 2)
    assert (g.u[0].place, g.leaders[0].unit) == (r.REMOVED, -1)
    assert (g.leaders[0].x, g.leaders[0].y) == (30.0, 20.0)
