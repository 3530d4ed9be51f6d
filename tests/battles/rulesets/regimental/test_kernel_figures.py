"""Figures that kernels have in their code, over all they can be asked, beside the catalogue."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from battles.rulesets.regimental import charging, fire, leaders
from battles.rulesets.regimental import records as r
from tests.battles.rulesets.regimental.books import RULES
from tests.battles.rulesets.regimental.forces import Unit, field

#: The rules of the charge table, by the code of their result.
CHARGES = {
    r.SWEPT: "REG-CHG-04",
    r.DRIVEN_BACK: "REG-CHG-05",
    r.HARD_PRESSED: "REG-CHG-06",
    r.DESPERATE: "REG-CHG-07",
    r.FALTER: "REG-CHG-08",
    r.RECOIL: "REG-CHG-09",
    r.REPULSED: "REG-CHG-10",
}
#: Differences beyond what two dice and all modifiers can bring.
DIFFERENCES = range(-25, 26)
#: Effects in the words of massed targets, by code: all rows of telling fire are one.
EFFECTS = {
    r.WITHERING: "withering",
    r.CHECKED: "telling",
    r.COLD_STEEL: "telling",
    r.HOME: "telling",
    r.GALLING: "galling",
    r.LIVELY: "lively",
    r.DESULTORY: "desultory",
}
#: What becomes of a leader, by code.
FATES = {
    r.UNHURT: "none",
    r.HORSE_SHOT: "dismounted_one_turn",
    r.KNOCKED_DOWN: "removed_one_turn",
    r.FLESH_WOUND: "maneuver_minus_1_rest_of_battle",
    r.BADLY_WOUNDED: "removed_from_battle",
    r.DEAD: "removed_from_game",
}
D6 = range(1, 7)


def table(rule: str) -> Any:
    return RULES[rule]["table"]


def is_in(row: dict[str, Any], difference: int) -> bool:
    """True when a row of the charge table holds for a difference."""
    if "value" in row:
        return difference == row["value"]
    return row.get("min", difference) <= difference <= row.get("max", difference)


def test_every_difference_has_the_result_of_its_row_REG_CHG_04_to_10() -> None:
    for difference in DIFFERENCES:
        rows = [result for result, rule in CHARGES.items() if is_in(table(rule), difference)]
        assert rows == [charging.charge_result(difference)], difference


def test_stands_lost_by_every_result_are_those_of_its_row_REG_CHG_04_to_10() -> None:
    swept, repulsed = table("REG-CHG-04")["defender"]["stands"], table("REG-CHG-10")["attacker"]["stands"]
    assert (swept, repulsed) == ("2 + max(0, difference - 7)", "2 + max(0, abs(difference) - 7)")
    both = table("REG-CHG-07")["both"]
    for difference in DIFFERENCES:
        result = int(charging.charge_result(difference))
        row, routed = table(CHARGES[result]), 2 + max(0, abs(difference) - 7)
        defender, attacker = row.get("defender", both), row.get("attacker", both)
        found = (
            charging.stands_of_defender(result, difference),
            charging.stands_of_attacker(result, difference),
        )
        assert found == (
            routed if result == r.SWEPT else defender.get("stands", 0),
            routed if result == r.REPULSED else attacker.get("stands", 0),
        ), difference


@pytest.mark.parametrize("effect", EFFECTS)
def test_the_effect_below_is_the_next_in_the_order_REG_FIR_09(effect: int) -> None:
    order = table("REG-FIR-09")["order"]
    below = order[min(order.index(EFFECTS[effect]) + 1, len(order) - 1)]
    assert EFFECTS[int(fire.next_lower_effect(effect))] == below


@pytest.mark.parametrize("multiply", ["on", "off"])
def test_each_halving_leaves_what_the_table_says_REG_FIR_04(multiply: str) -> None:
    g = field(Unit(), Unit(gun="medium gun", stands=1), options={"halvings_multiply": multiply})
    (half,) = {float(Fraction(share)) for share in table("REG-FIR-04").values()}
    assert fire.halving_factor(g, 0) == 1.0
    for times in range(1, 4):
        assert fire.halving_factor(g, times) == (half**times if multiply == "on" else half)
    # and each thing that halves does so once
    u, gun = g.u[0], g.u[1]
    for name, value in (("order_", r.DISORDERED), ("low", 1), ("form", r.MASS)):
        before = fire.halvings_of(u)
        setattr(u, name, value)
        assert fire.halvings_of(u) == before + 1, name
    gun.damaged = 1
    assert fire.gun_share(g, gun) == half


@pytest.mark.parametrize("overrun", [0, 1])
def test_all_dice_for_a_leader_are_in_the_table_REG_LDR_01_REG_LDR_02(overrun: int) -> None:
    taken = table("REG-LDR-02")
    count = 0
    for one, two in product(D6, D6):
        row = table("REG-LDR-01")[str(one + two) if one + two > 6 else "2-6"]
        found = int(leaders.find_leader_fate(one, two, overrun))
        if overrun and one + two in taken["flagged"] and taken["needs_die"] in (one, two):
            assert found == r.TAKEN
            count += 1
        else:
            assert FATES[found] == row["effect"], (one, two)
    assert taken["probability"] == "8/36" and count == 8 * overrun
