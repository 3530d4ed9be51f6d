"""Leaders and brave colonels who fall (REG-LDR)."""

from fractions import Fraction
from itertools import product

import pytest

from battles.rulesets.regimental import leaders
from battles.rulesets.regimental import records as r
from battles.rulesets.regimental.command import is_here, is_led
from battles.rulesets.regimental.maneuver import maneuver_modifier
from battles.rulesets.regimental.setup import colonels_write
from tests.battles.rulesets.regimental.books import RULES
from tests.battles.rulesets.regimental.forces import Leader, Unit, field, throw, told

D6 = range(1, 7)


def test_chances_of_the_fallen_leader_table_REG_LDR_01() -> None:
    found = [leaders.find_leader_fate(one, two, 0) for one, two in product(D6, D6)]
    shares = {
        what: Fraction(found.count(what), 36) for what in (r.UNHURT, r.HORSE_SHOT, r.KNOCKED_DOWN, r.DEAD)
    }
    table = RULES["REG-LDR-01"]["table"]
    assert shares[r.DEAD] == Fraction(table["12"]["p"]) + Fraction(table["11"]["p"])
    assert shares[r.UNHURT] == Fraction(table["2-6"]["p"])
    assert shares[r.KNOCKED_DOWN] == Fraction(table["8"]["p"])
    assert shares[r.HORSE_SHOT] == Fraction(table["7"]["p"])


def test_eight_throws_of_thirty_six_take_a_leader_overrun_REG_LDR_02() -> None:
    found = [leaders.find_leader_fate(one, two, 1) for one, two in product(D6, D6)]
    assert Fraction(found.count(r.TAKEN), 36) == Fraction(RULES["REG-LDR-02"]["table"]["probability"])
    assert r.TAKEN not in [leaders.find_leader_fate(one, two, 0) for one, two in product(D6, D6)]


@pytest.mark.parametrize(
    ("dice", "state", "back"),
    [((6, 6), r.KILLED, 0), ((6, 4), r.OUT_OF_BATTLE, 0), ((4, 4), r.AWAY, 2), ((3, 3), r.LEADS, 0)],
)
def test_what_becomes_of_a_leader_REG_LDR_01(dice: tuple[int, int], state: int, back: int) -> None:
    g = field(Unit(brigade=0), leaders=(Leader(brigade=0, unit=0),), dice=dice)
    leaders.leader_checks(g, 0, 0, 0)
    assert (g.leaders[0].state, g.leaders[0].back) == (state, back)
    assert is_here(g, 0) == (state == r.LEADS)


def test_a_flesh_wound_stays_and_a_lost_horse_costs_a_turn_REG_LDR_01() -> None:
    g = field(Unit(), leaders=(Leader(unit=0),), dice=(4, 5, 3, 4))
    leaders.leader_checks(g, 0, 0, 0)
    assert (g.leaders[0].wounded, g.leaders[0].unit) == (1, 0)
    leaders.leader_checks(g, 0, 0, 0)
    assert g.leaders[0].walks_until == g.turn + 1


def test_a_leader_overrun_is_captured_REG_LDR_02_REG_LDR_03() -> None:
    g = field(Unit(), leaders=(Leader(unit=0),), dice=(6, 1))
    leaders.leaders_overrun(g, 0)
    assert g.leaders[0].state == r.CAPTURED
    assert told(g) == ["general_die"]


def test_the_closest_leader_within_four_inches_checks_REG_FIR_11() -> None:
    g = field(Unit(), leaders=(Leader(y=15.7), Leader(y=17.0), Leader(side=1, y=19.0)))
    assert leaders.closest_leader(g, 0) == 1
    g.leaders[1].y = 15.0
    assert leaders.closest_leader(g, 0) == -1
    g.leaders[0].y = 15.75
    assert leaders.closest_leader(g, 0) == 0


def test_a_brave_colonel_counts_as_a_leader_and_not_twice_REG_LDR_04() -> None:
    far = Unit(1, y=60)
    plain = maneuver_modifier(field(Unit(), far), 0)
    assert maneuver_modifier(field(Unit(colonel=True), far), 0) == plain + 1
    both = field(Unit(colonel=True), far, leaders=(Leader(unit=0, rank=r.COMMANDER),))
    alone = field(Unit(), far, leaders=(Leader(unit=0, rank=r.COMMANDER),))
    assert maneuver_modifier(both, 0) == maneuver_modifier(alone, 0)


@pytest.mark.parametrize(
    ("dice", "now", "next_turn"),
    [((6, 6), False, False), ((6, 4), False, False), ((4, 4), False, True), ((4, 5), True, True)],
)
def test_a_colonel_falls_or_is_away_REG_LDR_04(dice: tuple[int, int], now: bool, next_turn: bool) -> None:
    g = field(Unit(colonel=True))
    throw(g, *dice)
    leaders.colonel_checks(g, 0, 0)
    assert is_led(g, 0) == now
    g.turn += 1
    assert is_led(g, 0) == next_turn


def test_who_has_a_brave_colonel_is_an_option_REG_LDR_04() -> None:
    units = (
        Unit(brigade=0, rating=r.ELITE),
        Unit(brigade=0),
        Unit(brigade=1, rating=r.VETERAN),
        Unit(brigade=1),
    )
    for which, expected in (
        ("nobody", [0, 0, 0, 0]),
        ("elite", [1, 0, 0, 0]),
        ("one_a_brigade", [1, 0, 1, 0]),
    ):
        g = field(*units)
        colonels_write(g, which)
        assert [int(g.u[i].colonel) for i in range(4)] == expected
