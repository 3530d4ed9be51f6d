"""Worked checks of fire, melee dice, saves and drawn melees."""

from fractions import Fraction

from battles.rulesets.volley_bayonet import melee as core
from battles.rulesets.volley_bayonet.rtg import dice, melee, saves
from battles.rulesets.volley_bayonet.rtg.terrain import FIELD_WORKS, FOREST, OPEN
from tests.battles.checks.common import set_up
from tests.battles.rulesets.volley_bayonet.rtg.checks.common import (
    D6,
    Facts,
    binomial,
    hit_chance,
    mean,
    stays_chance,
)
from tests.battles.rulesets.volley_bayonet.rtg.forces import Stand, field

#: Who attacks, by the words of the checks, and from how far he fires.
ATTACKERS: dict[str, tuple[Facts, float]] = {
    "linear_infantry": ({}, 2.0),
    "linear_infantry_poor_musketry": ({"traits": ("poor_musketry",)}, 2.0),
    "infantry_brigade": ({"kind": "infantry_brigade"}, 2.0),
    "infantry_brigade_poor_musketry": ({"kind": "infantry_brigade", "traits": ("poor_musketry",)}, 2.0),
    "infantry_skirmisher": ({"kind": "infantry_skirmisher"}, 2.0),
    "sharpshooter_skirmisher": ({"kind": "infantry_skirmisher", "traits": ("sharpshooter",)}, 2.0),
    "cavalry_skirmisher": ({"kind": "cavalry_skirmisher"}, 2.0),
    "artillery_battery": ({"kind": "artillery_battery", "gun": "field_guns"}, 4.0),
    "firearm_cavalry": ({"kind": "firearm_cavalry"}, 2.0),
    "cavalry_brigade": ({"kind": "cavalry_brigade"}, 2.0),
    "linear_cavalry": ({"kind": "linear_cavalry"}, 2.0),
    "artillery_battalion_close": ({"kind": "artillery_battalion", "gun": "field_guns"}, 4.0),
    "artillery_battalion_very_light_close": ({"kind": "artillery_battalion", "gun": "very_light_guns"}, 3.0),
    "artillery_battalion_long": ({"kind": "artillery_battalion", "gun": "field_guns"}, 10.0),
}


def check_dice(given: Facts, expect: Facts) -> None:
    """Dice and hits of a row of the table; a target in the open that has no saves of its own."""
    troops, inches = ATTACKERS[given["attacker"]]
    still = given["mode"].startswith("st_")
    g = field(Stand(stationary=still, **troops), Stand(1, y=30.0))
    u, t = g.u[0], g.u[1]
    if given["mode"].endswith("fire"):
        count, score = dice.own_fire_dice(g, u, inches), dice.fire_score(g, u, inches, 0)
        attempts = saves.from_fire(g, 0, 1, u.weapon, inches, OPEN, 0)
    else:
        count, score = dice.melee_dice(g, u, 1), dice.melee_score(g, u, t)
        attempts = saves.from_melee(g, 0, 1, OPEN)
    assert (attempts > 0) == given["saves_by_type_included"]
    chance = hit_chance(g, score) * stays_chance(g, attempts)
    spread = binomial(count, chance)
    assert (count, chance) == (expect["dice"], Fraction(expect["p_hit_each"]))
    assert mean(spread) == Fraction(expect["expected_casualties"])
    assert spread[0] == Fraction(expect["p_none"])


def check_dedicated(given: Facts, expect: Facts) -> None:
    """A brigade with a gun: all its dice within musket range, the gun's alone beyond."""
    still = given["attacker"].startswith("stationary")
    g = field(Stand(kind="infantry_brigade", traits=("dedicated_gun",), stationary=still))
    inches = float(given["mode"].split()[2])
    u = g.u[0]
    own, guns = dice.own_fire_dice(g, u, inches), dice.gun_fire_dice(g, u, inches)
    assert own + guns == expect["dice"]
    hits = own * hit_chance(g, dice.fire_score(g, u, inches, 0)) if own else Fraction(0)
    assert hits + guns * hit_chance(g, dice.gun_score(g)) == Fraction(expect["expected_casualties"])


#: One hit by the words of the checks: who fires, who is hit, on what.
_GUNS = "artillery_battalion"
HITS: dict[str, tuple[Facts, Facts, int]] = {
    "one small-arms hit on infantry in forest (STf)": ({}, {}, FOREST),
    "one hit by disordered skirmishers on infantry in forest": (
        {"kind": "infantry_skirmisher", "state": 1},
        {},
        FOREST,
    ),
    "one field-gun hit on unlimbered artillery in field works": (
        {"kind": _GUNS, "gun": "field_guns"},
        {"kind": _GUNS},
        FIELD_WORKS,
    ),
    "one siege-gun hit on unlimbered artillery in field works": (
        {"kind": _GUNS, "gun": "siege_guns"},
        {"kind": _GUNS},
        FIELD_WORKS,
    ),
    "one heavy-gun hit on unlimbered artillery in the open": (
        {"kind": _GUNS, "gun": "heavy_guns"},
        {"kind": _GUNS},
        OPEN,
    ),
}


def check_save(given: Facts, expect: Facts) -> None:
    firer, target, kind = HITS[given["case"]]
    g = field(Stand(**firer), Stand(1, y=22.0, **target))
    attempts = saves.from_fire(g, 0, 1, g.u[0].weapon, 2.0, kind, 0)
    assert attempts == expect["saves"]
    assert stays_chance(g, attempts) == Fraction(expect["p_casualty"])


def wins_off(lead: int) -> Fraction:
    """Chance to win a drawn melee with such a lead, equal totals being rolled again."""
    results = [int(core.one_roll(one, two, lead, 0)) for one in D6 for two in D6]
    won, again = results.count(core.ATTACKER_WINS), results.count(core.ROLL_OFF)
    return Fraction(won, 36 - again)


def check_tie(given: Facts, expect: Facts) -> None:
    assert wins_off(given["tie_total_difference"]) == Fraction(expect["p_win"])


#: Both sides of a melee by the words of the checks.
SIDES: dict[str, tuple[Facts, Facts]] = {
    "two moving linear infantry stands, 3 dice each": ({}, {}),
    "cavalry brigade (2 dice) against stationary cavalry-secure infantry brigade (6, +2 tie)": (
        {"kind": "cavalry_brigade"},
        {"kind": "infantry_brigade", "stationary": True},
    ),
}


def check_melee(given: Facts, expect: Facts) -> None:
    """Who wins by casualties and who by the roll-off; both stands have the strength to take them."""
    ours, theirs = SIDES[given["case"]]
    g = field(Stand(sp=9, **ours), Stand(1, y=22.0, sp=9, **theirs))
    g.u[1].secure = int("cavalry-secure" in given["case"])
    count = [int(dice.melee_dice(g, g.u[i], 1)) for i in range(2)]
    set_up(given, saves="none")
    assert count == [given["dice_first_named"], given["dice_other"]]
    spreads = [binomial(count[i], hit_chance(g, dice.melee_score(g, g.u[i], g.u[1 - i]))) for i in range(2)]
    chances: dict[int, Fraction] = {}
    for a, p in enumerate(spreads[0]):
        for d, q in enumerate(spreads[1]):
            result = int(core.find_winner(a, d, 9, 9))
            chances[result] = chances.get(result, Fraction(0)) + p * q
    tie = wins_off(int(melee.tie_modifier(g.u[0], g.u[1], 0) - melee.tie_modifier(g.u[1], g.u[0], 0)))
    assert chances[core.ATTACKER_WINS] == Fraction(expect["p_first_named_wins_on_casualties"])
    assert chances[core.ROLL_OFF] == Fraction(expect["p_tie"])
    won = chances[core.ATTACKER_WINS] + chances[core.ROLL_OFF] * tie
    assert won == Fraction(expect["p_first_named_wins"])
