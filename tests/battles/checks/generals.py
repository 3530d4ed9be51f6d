"""Worked checks of generals: what they add, risk and what becomes of them."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

from battles.engine.dtypes import CAPTURED, DISABLED, IN_FIELD, KILLED, ROUTING, SHAKEN
from battles.engine.recording import GENERAL_IN_MELEE, GENERAL_UNDER_FIRE
from battles.rulesets.awi import generals, morale
from tests.battles.checks.common import D6, LINE_FOOT, Facts, agree, require_word, set_up, shares
from tests.battles.checks.morale import shaken_outcomes
from tests.battles.forces import Stand, leader, table, throw


def with_general(given: Facts) -> Any:
    """One unit with a senior general or a brigadier, or with none."""
    rank = require_word(given, "general", ("senior", "brigadier", "none"))
    stands = Stand(0, LINE_FOOT, 48, 20), Stand(1, LINE_FOOT, 48, 50, face=180)
    if rank == "none":
        return table(*stands)
    return table(*stands, leaders=(leader("Fraser", rank=rank, with_unit="unit 0"),))


def check_shaken_with_general(given: Facts, expect: Facts) -> None:
    set_up(given, state="shaken")
    agree(expect, shares(shaken_outcomes(with_general(given))))


def check_rally_with_general(given: Facts, expect: Facts) -> None:
    set_up(given, state="routing")
    g, found = with_general(given), []
    for die in D6:
        g.u[0].mood, g.u[0].sp = ROUTING, 5
        throw(g, die)
        morale.test_routing(g, 0)
        found.append("halt_shaken" if g.u[0].mood == SHAKEN else "keep_routing")
        if g.u[0].sp < 5:
            found[-1] += "_lose_1"
    agree(expect, shares(found))


#: What becomes of a general, by his fate.
FATES_OF_GENERALS = {IN_FIELD: "none", KILLED: "dead", CAPTURED: "captured", DISABLED: "out"}


def general_fates(g: Any, function: Callable[[Any], None]) -> list[str]:
    """What each throw of two dice does to the first general."""
    found = []
    for dice in product(D6, D6):
        s = g.generals[0]
        s.fate, s.wounds, s.rate = IN_FIELD, 0, 18.0
        throw(g, *dice)
        function(g)
        found.append("light_wound" if s.wounds else FATES_OF_GENERALS[int(s.fate)])
    return found


def check_general_in_melee(given: Facts, expect: Facts) -> None:
    set_up(given, case="other melee loss")
    g = with_general({"general": "brigadier"})
    agree(expect, shares(general_fates(g, lambda g: generals.risk_generals(g, 0, GENERAL_IN_MELEE, 0))))


def check_general_under_fire(given: Facts, expect: Facts) -> None:
    set_up(given, case="two fire losses, one roll each")
    g = with_general({"general": "brigadier"})
    once = shares(general_fates(g, lambda g: generals.risk_generals(g, 0, GENERAL_UNDER_FIRE, 0)))
    g.generals[0].fate, g.generals[0].wounds = IN_FIELD, 1
    throw(g, 4, 5)
    generals.risk_generals(g, 0, GENERAL_UNDER_FIRE, 0)
    assert g.generals[0].fate == DISABLED, "the second wound puts him out of action"
    chance = 1 - (1 - once["dead"]) ** 2 + once["light_wound"] ** 2
    assert chance == Fraction(expect["p_out_of_action"])


def check_wounded_general_rides(given: Facts, expect: Facts) -> None:
    set_up(given, unit="general with one light wound")
    g = with_general({"general": "brigadier"})
    generals.wound_general(g, 0)
    assert g.generals[0].rate == expect["inches"]
