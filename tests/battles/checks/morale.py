"""Worked checks of strength, basic morale, shaken tests and rallying."""

from fractions import Fraction
from typing import Any

import pytest

from battles.engine import bases
from battles.engine.dtypes import ROUTING, SHAKEN
from battles.errors import BattleFileError
from battles.files.checks import battle_verify
from battles.rulesets.awi import crossing, fire, morale, setup, tables
from battles.rulesets.awi.options import options_resolve
from rosters.domain.vocabulary import TroopType
from tests.battles.checks.common import D6, LINE_FOOT, TYPE_OF_CLASS, Facts, agree, one, set_up, shares
from tests.battles.forces import CROWN, Stand, battle, battle_unit, force, table

MINUTES_A_TURN = 10


def check_strength(given: Facts, expect: Facts) -> None:
    if "men" in given:
        assert tables.sp_of_men(given["men"], tables.MEN_PER_SP[given["class"]]) == expect["sp"]
    elif "pounder" in given:
        assert tables.gun_class_of(given["pounder"]) == expect["class"]
    else:
        set_up(expect, legal=False, reason="split_above_6")
        with pytest.raises(BattleFileError, match="split it in two"):
            battle_verify(battle(force(CROWN, LINE_FOOT, sp=given["sp"]), ()))


def check_basic_morale(given: Facts, expect: Facts) -> None:
    g = one(TroopType(given["type"]), sp=given["sp"])
    assert morale.basic_morale(g.u[0]) == expect["basic_morale"]


SHAKEN_NAMES = {"carry_on": "carry_on", "retire": "retire", "rout": "rout_lose_1"}


def shaken_outcomes(g: Any) -> list[str]:
    """What each die does to the shaken unit 0."""
    found = []
    for die in D6:
        u = g.u[0]
        u.mood, u.place, u.sp, u.lost, u.retires, u.busy = SHAKEN, 0, 5, 0, 0, 0
        g.dice[0], g.cursor = die - 1, 0
        morale.test_shaken(g, 0)
        if u.mood == ROUTING:
            found.append("rout_lose_1" if u.lost else "rout_no_loss")
        else:
            found.append("retire" if u.retires else "carry_on")
    return found


def check_shaken(given: Facts, expect: Facts) -> None:
    if "die" in given:
        set_up(given, general="none")
        g = one(LINE_FOOT, sp=given["sp"])
        g.u[0].mood = {"shaken": SHAKEN}[given["state"]]
        g.dice[0] = given["die"] - 1
        morale.step_a(g)
        assert g.u[0].sp == expect["sp"]
        assert bool(bases.is_standing(g.u[0])) is not expect["removed"]
        assert {"rout_lose_1": 1}[expect["result"]] == g.u[0].lost
        return
    g = one(TroopType(given["type"]), options=given["options"])
    assert crossing.in_open(g, 0) is given.get("in_open", True)
    agree(expect, shares(shaken_outcomes(g)))


def check_rally(given: Facts, expect: Facts) -> None:
    set_up(given, state="routing", general="none")
    fails = Fraction(sum(morale.rout_result(die) != 5 for die in D6), 6)
    assert 1 - fails ** given["turns"] == Fraction(expect["p_rallied_by_then"])


def check_scale(given: Facts, expect: Facts) -> None:
    set_up(given, formation="line")
    assert (
        tables.scale_inches(int(one(TYPE_OF_CLASS[given["unit"]]).u[0].rate_line), given["scale"])
        == expect["inches"]
    )


def check_repeated_shaken(given: Facts, expect: Facts) -> None:
    g = table(Stand(0, LINE_FOOT, 48, 20), Stand(1, LINE_FOOT, 48, 26, face=180), dice=(3, 3, 3, 3, 3, 3))
    for _ in range(given["shaken_results_this_step"]):
        fire.shoot(g, 0, 1, 0, 21)
    assert (g.u[1].shakes, g.u[1].mood) == (
        given["shaken_results_this_step"], {"shaken": SHAKEN}[expect["state"]],
    )  # fmt: skip


def check_balance(given: Facts, expect: Facts) -> None:
    units = []
    for i, entry in enumerate(given["force"]):
        kind, sp = entry.split()
        units.append(battle_unit(str(i), CROWN, TroopType(kind), int(sp)))
    total = sum(unit.sp + setup.morale_of(unit, options_resolve({})) for unit in units)
    assert total == expect["morale_points"]
