"""Worked checks of melees: factors, groups, obstacles and results."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from battles.engine import bases
from battles.engine.dtypes import COLUMN, OVER_OBSTACLE, ROUTING, SHAKEN
from battles.rulesets.awi import charged, melee
from rosters.domain.vocabulary import TroopType
from tests.battles.checks.common import D6, IRELAND, LINE_FOOT, TYPE_OF_CLASS, Facts, agree, one, shares
from tests.battles.forces import Stand, table


def melee_chances(lead: int) -> dict[str, Fraction]:
    """Results of a melee of one against one whose factors differ by `lead`."""
    found = []
    for a, b in product(D6, D6):
        result = lead + a - b
        if result == 0:
            found.append("draw")
        else:
            found.append(f"{'B' if result > 0 else 'A'}_{'rout' if abs(result) > 1 else 'retire_shaken'}")
    return shares(found)


def check_melee(given: Facts, expect: Facts) -> None:
    found = melee_chances(given["A_factor"] - given["B_factor"])
    agree(expect, found)


def played_melee(attackers: int, dice: tuple[int, ...], target: TroopType = LINE_FOOT) -> Any:
    """State after a melee of British line against one unit in its front."""
    crown = [Stand(0, TroopType.BRITISH_LINE, 46.2 + 3.6 * k, 28.2) for k in range(attackers)]
    g = table(*crown, Stand(1, target, 48, 30, face=180), dice=dice)
    for k in range(attackers):
        g.u[k].charges, g.u[k].contact = attackers, 1
    melee.step_j(g)
    return g


def check_two_against_one(given: Facts, expect: Facts) -> None:
    found = []
    for dice in product(D6, repeat=3):
        g = played_melee(2, dice)
        defender = g.u[2]
        crown = [(int(u.mood), int(u.lost)) for u in (g.u[0], g.u[1])]
        if defender.lost:
            found.append("defender_rout" if defender.lost == 2 else "defender_retire_shaken")
        elif (ROUTING, 2) in crown:
            found.append("attackers_rout")
        else:
            found.append("attackers_retire_shaken" if (SHAKEN, 1) in crown else "draw")
    agree(expect, shares(found))


def check_melee_at_work(given: Facts, expect: Facts) -> None:
    found = melee_chances(given["A_factor"] - given["B_factor"])
    assert found["A_rout"] == Fraction(expect["A_retires_6_shaken_loses_2"])
    assert found["B_rout"] == Fraction(expect["B_routs"])
    g = table(Stand(0, TroopType.BRITISH_LINE, 48, 28.2), Stand(1, LINE_FOOT, 48, 30, face=180))
    g.u[0].over = OVER_OBSTACLE
    melee.beaten(g, 0, 2, 1, 0, 1)
    assert (int(g.u[0].mood), int(g.u[0].lost)) == (SHAKEN, 2)
    assert g.u[0].y == pytest.approx(28.2 - 6)


def check_melee_columns(given: Facts, expect: Facts) -> None:
    g = one(LINE_FOOT, options=given["options"])
    assert melee.melee_factor(g, g.u[0], melee.CHARGING | melee.OBSTACLE) == expect["factor"]


def check_melee_result(given: Facts, expect: Facts) -> None:
    g = table(Stand(0, LINE_FOOT, 48, 28, sp=given["loser_sp"]), Stand(1, LINE_FOOT, 48, 30, face=180))
    melee.beaten(g, 0, given["diff"], 0, 0, 1)
    assert g.u[0].sp == expect["loser_sp"]
    if expect.get("removed"):
        assert not bases.standing(g.u[0])
    else:
        assert g.u[0].mood == SHAKEN
        assert g.u[0].y == pytest.approx(28 - expect["retires_inches"])


def check_own_factor(given: Facts, expect: Facts) -> None:
    g = one(TroopType(given["unit"]))
    assert melee.melee_factor(g, g.u[0], 0) == expect["own_type_factor"]


def check_overlap(given: Facts, expect: Facts) -> None:
    g = table(Stand(0, LINE_FOOT, 48, 28), Stand(1, LINE_FOOT, 48, 31, 180, form=COLUMN))
    flags = melee.attacker_flags(g, 0, 1, 1)
    assert melee.melee_factor(g, g.u[0], flags) == expect["overlap"]


def check_depth(given: Facts, expect: Facts) -> None:
    g = table(Stand(0, TroopType.RANGERS, 48, 28, form=COLUMN), Stand(1, LINE_FOOT, 48, 31, 180))
    assert (melee.attacker_flags(g, 0, 1, 1) & melee.DEPTH != 0) == bool(expect["depth"])


def check_uphill(given: Facts, expect: Facts) -> None:
    g = one(TYPE_OF_CLASS[given["unit"]])
    assert melee.melee_factor(g, g.u[0], melee.UPHILL) == expect["factor"]
    assert melee.melee_factor(g, g.u[0], melee.UPHILL | melee.CHARGING) == -1


def check_behind_wall_beaten(given: Facts, expect: Facts) -> None:
    g = table(
        Stand(0, TroopType.BRITISH_LINE, 48, 40),
        Stand(1, LINE_FOOT, 48, 45, face=180),
        cover="hard",
        options=given["options"],
    )
    g.u[0].y = 45 - 2 * bases.HALF - 0.7
    g.u[0].charges, g.u[0].contact, g.u[0].over = 1, 1, OVER_OBSTACLE
    melee.settle(g, 1, -1, 0, 0, 2)
    assert g.u[1].lost == expect["sp_lost"]
    assert g.u[1].mood == (ROUTING if expect["state"] == "routing" else SHAKEN)


def check_pikes(given: Facts, expect: Facts) -> None:
    pikes = Stand(0, TroopType.MILITIA, 48, 20, traits=("pikes",))
    g = table(pikes, Stand(1, TroopType.AMERICAN_LIGHT_CAVALRY, 48, 40), options=IRELAND)
    if "cavalry_modifier" in expect:
        modifier = charged.charged_modifier(g.u[0], charged.charger_flag(g.u[1]))
        assert modifier == expect["cavalry_modifier"]
    else:
        modifier = charged.charged_modifier(g.u[1], charged.charger_flag(g.u[0]))
        assert modifier == expect["non_cavalry_modifier"]
