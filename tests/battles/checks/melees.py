"""Worked checks of melees: factors, groups, obstacles and results."""

from itertools import product
from typing import Any

import pytest

from battles.engine import bases
from battles.engine.dtypes import BY_BRIDGE, CLOSE, COLUMN, LINE, OVER_OBSTACLE, ROUTING, SHAKEN
from battles.rulesets.awi import charge_modifiers, melee
from rosters.domain.vocabulary import TroopType
from tests.battles.checks.common import (
    D6,
    IRELAND,
    LINE_FOOT,
    TYPE_OF_CLASS,
    Facts,
    agree,
    one,
    set_up,
    shares,
)
from tests.battles.checks.words import read_fighter
from tests.battles.forces import Stand, table
from tests.battles.grounds import hill


def one_against_one(a: str, b: str, dice: tuple[int, ...]) -> Any:
    """State after the melee of A, who charges from y = 28, and B, by their words in the checks."""
    charger, target = read_fighter(a), read_fighter(b)
    form = COLUMN if charger.get("column") else None
    g = table(
        Stand(0, charger["troop_type"], 48, 28, form=form),
        Stand(1, target["troop_type"], 48, 30, 0 if target.get("turned") else 180),
        dice=dice,
    )
    u, t = g.u[0], g.u[1]
    u.y = t.y - bases.half_depth(t) - bases.half_depth(u) - 0.02
    u.charges, u.contact, u.over = 1, 1, charger.get("over", 0)
    u.zone = charge_modifiers.find_charge_zone(g, 0, 1)
    if charger.get("uphill"):
        hill(g, 29, 40)
    if charger.get("bridge"):
        g.gates[0].kind_, g.gates[0].x, g.gates[0].y = BY_BRIDGE, u.x, u.y
        g.gates[0].half_width, g.gates[0].half_length, g.gates_n = 1.0, 2.0, 1
    melee.step_j(g)
    return g


def check_melee(given: Facts, expect: Facts) -> None:
    found = []
    for dice in product(D6, D6):
        g = one_against_one(given["A"], given["B"], (*dice, 6, 6, 6))
        a, b = g.u[0], g.u[1]
        assert [a.score - dice[0], b.score - dice[1]] == [given["A_factor"], given["B_factor"]]
        if b.lost + b.captured + a.lost == 0:
            found.append("draw")
            continue
        name, u = ("A", a) if a.lost else ("B", b)
        assert u.lost == 1 or u.mood == ROUTING or not bases.is_standing(u) or (name == "A" and a.over)
        found.append(f"{name}_{'rout' if u.lost > 1 else 'retire_shaken'}")
    agree(expect, shares(found))


def played_melee(attackers: int, dice: tuple[int, ...], target: TroopType = LINE_FOOT) -> Any:
    """State after a melee of British line against one unit in its front."""
    crown = [Stand(0, TroopType.BRITISH_LINE, 46.2 + 3.6 * k, 28.2) for k in range(attackers)]
    g = table(*crown, Stand(1, target, 48, 30, face=180), dice=dice)
    for k in range(attackers):
        g.u[k].charges, g.u[k].contact = attackers, 1
    melee.step_j(g)
    return g


def check_two_against_one(given: Facts, expect: Facts) -> None:
    set_up(given, meaning="two British line, front, against one Continental")
    found = []
    for dice in product(D6, repeat=3):
        g = played_melee(len(given["attackers"]), dice)
        assert [int(g.u[k].score) - dice[k] for k in range(2)] == given["attackers"]
        assert g.u[2].score - dice[2] == given["defender"]
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
    found = []
    for dice in product(D6, D6):
        g = one_against_one(given["A"], "Continental line", dice)
        a, b = g.u[0], g.u[1]
        assert [a.score - dice[0], b.score - dice[1]] == [given["A_factor"], given["B_factor"]]
        back = 30 - bases.half_depth(b) - bases.half_depth(a) - 0.02 - a.y
        if a.lost == 2:
            assert (int(a.mood), float(back)) == (SHAKEN, pytest.approx(6.0))
            found.append("A_retires_6_shaken_loses_2")
        else:
            found.append("A_routs" if a.mood == ROUTING else "B_routs" if b.mood == ROUTING else "other")
    agree(expect, shares(found))


def check_melee_columns(given: Facts, expect: Facts) -> None:
    kind, over = {"infantry": LINE_FOOT}[given["charger"]], {"wall": OVER_OBSTACLE}[given["over"]]
    stands = Stand(0, kind, 48, 28), Stand(1, LINE_FOOT, 48, 30, face=180)
    g = table(*stands, options=given["options"])
    g.u[0].over = over
    assert melee.melee_factor(g, g.u[0], melee.attacker_flags(g, 0, 1, 1)) == expect["factor"]


def check_melee_result(given: Facts, expect: Facts) -> None:
    g = table(Stand(0, LINE_FOOT, 48, 28, sp=given["loser_sp"]), Stand(1, LINE_FOOT, 48, 30, face=180))
    melee.apply_melee_loss(g, 0, given["diff"], 0, 0, 1)
    assert g.u[0].sp == expect["loser_sp"]
    if "removed" in expect:
        assert (not bases.is_standing(g.u[0])) == expect["removed"]
    else:
        assert g.u[0].mood == {"shaken": SHAKEN}[expect["state"]]
        assert g.u[0].y == pytest.approx(28 - expect["retires_inches"])


def check_own_factor(given: Facts, expect: Facts) -> None:
    g = one(TroopType(given["unit"]))
    own = melee.melee_factor(g, g.u[0], 0)
    assert own == expect["own_type_factor"]
    g.u[0].order_ = CLOSE
    assert own - melee.melee_factor(g, g.u[0], 0) == expect["open_order_penalty"]


def check_overlap(given: Facts, expect: Facts) -> None:
    form = {"line": LINE}[given["unit"]]
    other = {"one column": COLUMN}[given["opponents"]]
    g = table(Stand(0, LINE_FOOT, 48, 28, form=form), Stand(1, LINE_FOOT, 48, 31, 180, form=other))
    flags = melee.attacker_flags(g, 0, 1, 1)
    assert melee.melee_factor(g, g.u[0], flags) == expect["overlap"]


def check_depth(given: Facts, expect: Facts) -> None:
    set_up(given, unit="open_order_foot column", role="charging")
    g = table(Stand(0, TroopType.RANGERS, 48, 28, form=COLUMN), Stand(1, LINE_FOOT, 48, 31, 180))
    assert (melee.attacker_flags(g, 0, 1, 1) & melee.DEPTH != 0) == bool(expect["depth"])


def check_uphill(given: Facts, expect: Facts) -> None:
    set_up(given, defending_uphill_of_enemy=True)
    kind = TYPE_OF_CLASS[given["unit"]]
    g = table(Stand(0, LINE_FOOT, 48, 28), Stand(1, kind, 48, 30, face=180))
    hill(g, 29, 40)
    g.u[0].zone = charge_modifiers.FRONT
    flags = melee.defender_flags(g, 1, 0, 1, 0)
    assert melee.melee_factor(g, g.u[1], flags) == expect["factor"]
    assert melee.melee_factor(g, g.u[0], melee.attacker_flags(g, 0, 1, 1)) == expect["factor"] - 1


def check_behind_wall_beaten(given: Facts, expect: Facts) -> None:
    set_up(given, A="Continental behind a wall, beaten by 2")
    g = table(
        Stand(0, TroopType.BRITISH_LINE, 48, 40),
        Stand(1, LINE_FOOT, 48, 45, face=180),
        cover="hard",
        options=given["options"],
    )
    g.u[0].y = 45 - 2 * bases.HALF - 0.7
    g.u[0].charges, g.u[0].contact, g.u[0].over = 1, 1, OVER_OBSTACLE
    melee.settle_melee(g, 1, -1, 0, 0, 2)
    assert g.u[1].lost == expect["sp_lost"]
    assert g.u[1].mood == {"routing": ROUTING, "shaken": SHAKEN}[expect["state"]]
    if "retires_inches" in expect:
        assert g.u[1].y == pytest.approx(45 + expect["retires_inches"])


def check_pikes(given: Facts, expect: Facts) -> None:
    pikes = Stand(0, TroopType.MILITIA, 48, 20, traits=("pikes",))
    g = table(pikes, Stand(1, TroopType.AMERICAN_LIGHT_CAVALRY, 48, 40), options=IRELAND)
    struck = {"pike unit by cavalry": "cavalry_modifier", "cavalry by pike unit only": "non_cavalry_modifier"}
    assert struck[given["charged"]] in expect
    if "cavalry_modifier" in expect:
        modifier = charge_modifiers.charged_modifier(g.u[0], charge_modifiers.charger_flag(g.u[1]))
        assert modifier == expect["cavalry_modifier"]
    else:
        modifier = charge_modifiers.charged_modifier(g.u[1], charge_modifiers.charger_flag(g.u[0]))
        assert modifier == expect["non_cavalry_modifier"]
