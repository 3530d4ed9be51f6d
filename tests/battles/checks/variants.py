"""Worked checks of the 1798 and 1745 variants."""

from fractions import Fraction
from typing import Any

from battles.engine import bases
from battles.engine.dtypes import STEADY
from battles.rulesets.awi import charge_modifiers, fire, highland, morale, sighting
from rosters.domain.vocabulary import TroopType
from tests.battles.checks.charges import charge_chances
from tests.battles.checks.common import D6, FORTY_FIVE, LINE_FOOT, Facts, agree, one, set_up
from tests.battles.checks.fire import chance_of_hit
from tests.battles.forces import Stand, table


def clans(inches: float, *, sp: int = 5, **more: Any) -> Any:
    """Highlanders, fired at, with a British battalion so many inches before them."""
    stand = Stand(0, LINE_FOOT, 48, 20, sp=sp, traits=("highlanders",))
    y = 20 + 2 * bases.HALF + inches
    g = table(stand, Stand(1, TroopType.BRITISH_LINE, 48, y, face=180), options=FORTY_FIVE, **more)
    g.u[0].under_fire = 1
    return g


def check_highland_morale(given: Facts, expect: Facts) -> None:
    assert morale.basic_morale(clans(20, sp=given["highlanders_sp"]).u[0]) == expect["basic_morale"]


def check_highland_charge(given: Facts, expect: Facts) -> None:
    begun = 0
    for die in D6:
        g = clans(given["enemy_inches"], dice=(die,))
        highland.test_highlanders(g)
        begun += int(g.u[0].highland_charge)
    assert Fraction(begun, 6) == Fraction(expect["p_highland_charge"])


def check_highland_move(given: Facts, expect: Facts) -> None:
    set_up(given, formation="line", scale="25mm")
    moved = []
    for die in D6:
        g = clans(30, dice=(die,))
        g.u[0].highland_charge = 1
        highland.move_highlanders(g)
        moved.append(round(float(g.u[0].y) - 20, 6))
    assert [min(moved), max(moved)] == expect["move_range_inches"]
    assert sum(moved) / 6 == float(Fraction(expect["mean"]))


def check_charged_by_highlanders(given: Facts, expect: Facts) -> None:
    set_up(given, charged="British line 5 SP BM 6", by="Highlanders, normal charge")
    g = clans(2)
    modifier = charge_modifiers.charged_modifier(g.u[1], charge_modifiers.charger_flag(g.u[0]))
    agree(expect, charge_chances(int(modifier), int(morale.basic_morale(g.u[1]))))


def check_highland_fire(given: Facts, expect: Facts) -> None:
    if "shooter" in given:
        set_up(given, shooter="Highlanders 5 SP")
    stand = Stand(1, LINE_FOOT, 48, 26, face=180, traits=("highlanders",))
    options = {**FORTY_FIVE, **given.get("options", {})}
    g = table(Stand(0, LINE_FOOT, 48, 20), stand, options=options)
    assert bool(sighting.can_fire(g.u[1])) == expect.get("may_fire", True)
    if "factor_total" in expect:
        factor = fire.fire_modifier(g, 1, 0, float(given["range"]))
        assert factor == expect["factor_total"]
        assert chance_of_hit(factor) == Fraction(expect["p_hit"])


def check_highland_charge_ends(given: Facts, expect: Facts) -> None:
    set_up(given, event="loses 1 SP, unshaken")
    g = clans(5)
    g.u[0].highland_charge = int(given["in_highland_charge"])
    morale.deduct_strength(g, 0, 1)
    assert (g.u[0].mood == STEADY, bool(g.u[0].highland_charge)) == (True, expect["in_highland_charge"])


def check_dragoons(given: Facts, expect: Facts) -> None:
    set_up(given, dragoons=True)
    u = one(TroopType.EUROPEAN_LIGHT_CAVALRY, options=FORTY_FIVE).u[0]
    assert {"line": u.rate_line, "column": u.rate_column, "rout": u.rate_rout} == expect
