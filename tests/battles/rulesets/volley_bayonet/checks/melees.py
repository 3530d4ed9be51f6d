"""Worked checks of melees: dice, saves, who wins, drawn ones rolled off."""

from fractions import Fraction
from typing import Any

from battles.rulesets.volley_bayonet import combat, forced, melee, states
from battles.rulesets.volley_bayonet import records as r
from tests.battles.rulesets.volley_bayonet.checks.common import (
    D6,
    STATES,
    Facts,
    binomial,
    hit_chance,
    mean,
    save_chance,
)
from tests.battles.rulesets.volley_bayonet.checks.morale import attack
from tests.battles.rulesets.volley_bayonet.forces import Stand, build, entrench, field
from tests.worked_checks.read_whole import require_word

#: Both sides of the melees by the words of the checks: what the attacker is, how many, what the defender is.
SIDES: dict[str, tuple[Facts, int, Facts]] = {
    "line charges stationary line, both good, morale 5, 3 SP": ({}, 1, {"stationary": True}),
    "grenadiers (shock, morale 6, 3 SP) charge stationary regular Continentals (morale 5, 3 SP)": (
        {"abilities": ("Sh",), "morale": 6},
        1,
        {"stationary": True},
    ),
    (
        "grenadiers (shock, morale 6, 3 SP) charge raw militia, moved (morale 4-1, 2 "
        "SP); neither failed its check"
    ): (
        {"abilities": ("Sh",), "morale": 6},
        1,
        {"kind": "SI", "abilities": ("MIL",), "morale": 4, "sp": 2},
    ),
    (
        "line (5-1, 3 SP) charges the front of supported stationary field artillery (5, "
        "2 SP); guns hit on 4+ in melee"
    ): (
        {},
        1,
        {"kind": "Fd", "stationary": True, "sp": 2},
    ),
    (
        "line (5, 3 SP, disordered by failing its check: 4) charges stationary line in "
        "works (5+1, 3 SP): works save and save against disordered"
    ): (
        {"state": r.DISORDERED},
        1,
        {"stationary": True},
    ),
    "Native American detachment morale 6 (shock, 1 SP) charges one detachment in good order (5, 1 SP)": (
        {"abilities": ("native",), "morale": 6, "sp": 1},
        1,
        {"abilities": ("detachments",), "sp": 1},
    ),
    "Native American detachment morale 6 (no shock, 1 SP) charges one detachment in good order (5, 1 SP)": (
        {"abilities": ("native",), "morale": 6, "sp": 1},
        1,
        {"abilities": ("detachments",), "sp": 1},
    ),
    "line (5+1, 3 SP) charges line in road march (5-2, 3 SP, no dice)": ({}, 1, {"form": r.ROAD_MARCH}),
    "two line stands (5, 3 SP each) charge one stationary line stand (5, 3 SP)": (
        {},
        2,
        {"stationary": True},
    ),
    "line (5, 3 SP) assaults stationary line in a building (5, 3 SP)": ({}, 1, {"stationary": True}),
}


def fighting(words: str, scale: str) -> tuple[Any, int, int]:
    """A record with the attackers in contact with the last stand; how many attack, the defender's place."""
    ours, count, theirs = SIDES[words]
    depth = 2.25 if theirs.get("kind") == "Fd" else 1.5
    attackers = [Stand(0, x=30.0 + (2.8 * k - 1.4 * (count - 1)), y=20.0, **ours) for k in range(count)]
    g = field(*attackers, Stand(1, y=20.0 + depth, **theirs), scale=scale)
    if "in works" in words:
        entrench(g, 20.8)
    if "in a building" in words:
        g.u[count].inside = build(g, 30.0, 20.0 + depth)
    for i in range(count):
        attack(g, i, count)
    return g, count, count


def check_melee(given: Facts, expect: Facts, scale: str) -> None:
    g, count, j = fighting(given["situation"], scale)
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
            chances[melee.find_winner(a, d, ours["sp"], theirs["sp"])] += p * q
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


DECIDED = {
    "attacker inflicts 2, takes 1, both good",
    "attacker inflicts 2, takes 3, attacker has 3 SP left in all",
    "both sides lose all SP",
    "no hits on either side",
}


def check_decided(given: Facts, expect: Facts, scale: str) -> None:
    require_word(given, "situation", DECIDED)
    hits, points = (given["def_hits"], given["att_hits"]), (given["att_sp"], given["def_sp"])
    result = melee.find_winner(hits[1], hits[0], *points)
    names = {1: "attacker", -1: "defender", 0: None, 2: "roll off"}
    assert names[result] == expect["winner"]
    g = field(Stand(y=20.0, sp=points[0]), Stand(1, y=21.5, sp=points[1]), scale=scale)
    for i in range(2):
        states.lose_strength(g, i, hits[i])
    gone = [bool(g.u[i].state == r.REMOVED) for i in range(2)]
    assert gone == [
        expect.get("attacker_removed", False) or expect.get("both_removed", False),
        expect.get("both_removed", False),
    ]
    if "loser_state_after" in expect:
        loser, y = g.u[1], float(g.u[1].y)
        forced.lose_melee(g, 1, 30.0, 20.0)
        assert loser.state == STATES[expect["loser_state_after"]]
        assert (loser.y - y) / loser.rate == Fraction(expect["loser_retreat_fraction"])
