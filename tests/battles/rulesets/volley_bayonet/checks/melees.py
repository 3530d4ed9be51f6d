"""Worked checks of melees: dice, saves, who wins, drawn ones rolled off."""

from fractions import Fraction
from typing import Any

from battles.rulesets.volley_bayonet import combat, melee
from battles.rulesets.volley_bayonet import records as r
from tests.battles.rulesets.volley_bayonet.checks.common import (
    D6,
    Facts,
    binomial,
    hit_chance,
    mean,
    save_chance,
)
from tests.battles.rulesets.volley_bayonet.checks.morale import attack
from tests.battles.rulesets.volley_bayonet.forces import Stand, build, entrench, field

#: Both sides of the melees by check: what the attacker is, how many, what the defender is.
SIDES: dict[str, tuple[Facts, int, Facts]] = {
    "VBC-MEL-02": ({}, 1, {"stationary": True}),
    "VBC-MEL-03": ({"abilities": ("Sh",), "morale": 6}, 1, {"stationary": True}),
    "VBC-MEL-04": (
        {"abilities": ("Sh",), "morale": 6},
        1,
        {"kind": "SI", "abilities": ("MIL",), "morale": 4, "sp": 2},
    ),
    "VBC-MEL-07": ({}, 1, {"kind": "Fd", "stationary": True, "sp": 2}),
    "VBC-MEL-08": ({"state": r.DISORDERED}, 1, {"stationary": True}),
    "VBC-MEL-09": (
        {"abilities": ("native",), "morale": 6, "sp": 1},
        1,
        {"abilities": ("detachments",), "sp": 1},
    ),
    "VBC-MEL-10": (
        {"abilities": ("native",), "morale": 6, "sp": 1},
        1,
        {"abilities": ("detachments",), "sp": 1},
    ),
    "VBC-MEL-11": ({}, 1, {"form": r.ROAD_MARCH}),
    "VBC-MEL-12": ({}, 2, {"stationary": True}),
    "VBC-MEL-14": ({}, 1, {"stationary": True}),
}


def fighting(key: str, scale: str) -> tuple[Any, int, int]:
    """A record with the attackers in contact with the last stand; how many attack, the defender's place."""
    ours, count, theirs = SIDES[key]
    depth = 2.25 if theirs.get("kind") == "Fd" else 1.5
    attackers = [Stand(0, x=30.0 + (2.8 * k - 1.4 * (count - 1)), y=20.0, **ours) for k in range(count)]
    g = field(*attackers, Stand(1, y=20.0 + depth, **theirs), scale=scale)
    if key == "VBC-MEL-08":
        entrench(g, 20.8)
    if key == "VBC-MEL-14":
        g.u[count].inside = build(g, 30.0, 20.0 + depth)
    for i in range(count):
        attack(g, i, count)
    return g, count, count


def check_melee(given: Facts, expect: Facts, scale: str, key: str = "") -> None:
    g, count, j = fighting(key, scale)
    t = g.u[j]
    ours, theirs = given["attacker"], given["defender"]
    dice = sum(int(combat.melee_dice(g, g.u[i], 1)) for i in range(count))
    score, back = combat.melee_score(g, g.u[0], t), combat.melee_score(g, t, g.u[0])
    assert (dice, f"{score}+") == (ours["dice"], ours["hits_on"])
    assert (combat.melee_dice(g, t, 1), f"{back}+") == (theirs["dice"], theirs["hits_on"])
    saves, saves_back = combat.saves_from_melee(g, 0, j), combat.saves_from_melee(g, j, 0)
    assert (saves, saves_back) == (ours["saves_against"], theirs["saves_against"])
    mine = binomial(dice, hit_chance(g, score) * save_chance(g, saves))
    his = binomial(theirs["dice"], hit_chance(g, back) * save_chance(g, saves_back))
    assert mean(mine) == Fraction(expect["attacker_expected_hits"])
    assert mean(his) == Fraction(expect["defender_expected_hits"])
    lead = given["morale_difference_attacker_minus_defender"]
    chances = {result: Fraction(0) for result in (-1, 0, 1, 2)}
    for a, p in enumerate(mine):
        for d, q in enumerate(his):
            chances[melee.winner(a, d, ours["sp"], theirs["sp"])] += p * q
    assert chances[melee.ROLL_OFF] == Fraction(expect["p_equal_hits_rolled_off"])
    assert chances[melee.NOBODY] == Fraction(expect["p_both_destroyed"])
    tie = rolled_off(lead, scale)
    wins = chances[melee.ATTACKER_WINS] + chances[melee.ROLL_OFF] * tie
    loses = chances[melee.DEFENDER_WINS] + chances[melee.ROLL_OFF] * (1 - tie)
    assert (wins, loses) == (Fraction(expect["p_attacker_wins"]), Fraction(expect["p_defender_wins"]))


def once(lead: int) -> dict[int, Fraction]:
    """Chances of one roll of a drawn melee."""
    chances: dict[int, Fraction] = {}
    for one in D6:
        for two in D6:
            result = int(melee.one_roll(one, two, lead, 0))
            chances[result] = chances.get(result, Fraction(0)) + Fraction(1, 36)
    return chances


def rolled_off(lead: int, scale: str) -> Fraction:
    """The attacker's chance when equal totals are rolled again."""
    chances = once(lead)
    again = chances.get(melee.ROLL_OFF, Fraction(0))
    return chances.get(melee.ATTACKER_WINS, Fraction(0)) / (1 - again)


def check_tie(given: Facts, expect: Facts, scale: str) -> None:
    if "own" in given:
        leads = []
        for side in (given["own"], given["enemy"]):
            g = field(Stand(abilities=("NE",) if side["NE"] else ()), scale=scale)
            g.u[0].nerve = side["best_modified_morale"]
            leads.append(int(melee.tie_nerve(g, g.u[0])))
        lead = leads[0] - leads[1]
        assert lead == expect["effective_difference"]
    else:
        lead = given["own_best_modified_morale_minus_enemy"]
        chances = once(lead)
        for name, result in (("win", 1), ("equal", 2), ("lose", -1)):
            assert chances.get(result, Fraction(0)) == Fraction(expect["one_roll"][name])
    assert rolled_off(lead, scale) == Fraction(expect["p_win_with_reroll"])


def check_decided(given: Facts, expect: Facts, scale: str) -> None:
    result = melee.winner(given["att_hits"], given["def_hits"], given["att_sp"], given["def_sp"])
    names = {1: "attacker", -1: "defender", 0: None, 2: "roll off"}
    assert names[result] == expect["winner"]
