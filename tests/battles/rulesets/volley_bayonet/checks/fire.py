"""Worked checks of fire, saves and what they destroy."""

from fractions import Fraction
from typing import Any

from battles.rulesets.volley_bayonet import cards, combat, sight
from battles.rulesets.volley_bayonet import records as r
from tests.battles.checks.common import set_up
from tests.battles.rulesets.volley_bayonet.checks.common import (
    TROOPS,
    Facts,
    binomial,
    hit_chance,
    mean,
    save_chance,
)
from tests.battles.rulesets.volley_bayonet.forces import Stand, build, entrench, field, paint


def shot(given: Facts, scale: str) -> tuple[Any, float]:
    """Stand 0 and its target as the check has them, and the inches between their edges."""
    troops = dict(TROOPS[given["firer"]])
    abilities = list(troops.get("abilities", ()))
    if given.get("weapon") == "rifle":
        abilities.append("R")
    if given.get("sharpshooter"):
        abilities.append("SS")
    troops["abilities"] = tuple(abilities)
    words = given["target"]
    skirmish = "skirmishers" in words
    target: Facts = {"abilities": ("detachments",), "form": r.SKIRMISH} if skirmish else {}
    if words.startswith("artillery"):
        target = {"kind": "Fd"}
    inches = float(given["range_in"])
    form = r.ROAD_MARCH if given.get("limbered") else r.FORMED
    deep = {"Fd": 1.5, "Lt": 1.5, "Hv": 1.5}
    # who is in a block has the block for a base
    target_deep = 2.0 if "building" in words else deep.get(target.get("kind", ""), 0.75)
    ahead = deep.get(troops["kind"], 0.75) + target_deep
    y = 5.0
    g = field(
        Stand(0, y=y, form=form, stationary=given.get("stationary", False), **troops),
        Stand(1, y=y + inches + ahead, **target),
        scale=scale,
    )
    if "woods" in words:
        paint(g, "woods", y=(int(g.u[1].y - 1), int(g.u[1].y) + 2))
    if "forest edge" in words:
        paint(g, "forest", y=(int(g.u[1].y), int(g.u[1].y) + 2))
    if "works" in words:
        entrench(g, float(g.u[1].y) - ahead + 0.6)
    if "building" in words:
        g.u[1].inside = build(g, float(g.u[1].x), float(g.u[1].y))
    return g, inches


def check_fire(given: Facts, expect: Facts, scale: str) -> None:
    g, inches = shot(given, scale)
    if "card" in given:
        number = {"Good Gunnery!!": cards.GUNNERY, "Bad Gunnery!!": cards.BAD_GUNNERY}[given["card"]]
        side = 0 if number == cards.GUNNERY else 1
        g.hands[side, 0], g.hand_n[side] = number, 1
        assert cards.play_card(g, side, 0, 0)
        assert (g.hand_n[side], g.discards[0]) == (0, number)
    dice, score = combat.fire_dice(g, g.u[0]), combat.fire_score(g, g.u[0], inches)
    if expect["hits_on"] is None:
        assert dice == 0 or score == combat.NEVER
        assert (expect["dice"], expect["save_attempts_per_hit"], expect["expected_sp_hits"]) == (0, 0, "0")
        assert expect["distribution"] == {0: "1"}
        assert (g.u[0].class_ == r.HORSE) == given.get("mounted", False)
        assert sight.can_fire_at(g, 0, 1) == -1.0
        assert expect["p_no_loss"] == "1"
        return
    assert (dice, f"{score}+") == (expect["dice"], expect["hits_on"])
    attempts = combat.saves_from_fire(g, 0, 1, inches, 0)
    assert attempts == expect["save_attempts_per_hit"]
    chance = hit_chance(g, score, g.battalions[0].fire_again) * save_chance(g, attempts)
    spread = binomial(dice, chance)
    assert {k: Fraction(v) for k, v in expect["distribution"].items()} == dict(enumerate(spread))
    assert spread[0] == Fraction(expect["p_no_loss"])
    assert mean(spread) == Fraction(expect["expected_sp_hits"])
    if "in" not in given["target"].split(", ")[1:] and not g.works_n:
        assert sight.can_fire_at(g, 0, 1) == inches


def check_destruction(given: Facts, expect: Facts, scale: str) -> None:
    set_up(given, firer="regular infantry, moved")
    order = r.SKIRMISH if "skirmish order" in given["target"] else r.FORMED
    g = field(Stand(0, y=10), Stand(1, y=17, sp=1, abilities=("native",), form=order), scale=scale)
    if "woods" in given["target"]:
        paint(g, "woods", y=(16, 20))
    attempts = combat.saves_from_fire(g, 0, 1, 5.5, 0)
    chance = hit_chance(g, combat.fire_score(g, g.u[0], 5.5)) * save_chance(g, attempts)
    spread = binomial(combat.fire_dice(g, g.u[0]), chance)
    assert 1 - spread[0] == Fraction(expect["p_removed"])


def check_save(given: Facts, expect: Facts, scale: str) -> None:
    assert save_chance(field(Stand(), scale=scale), given["conditions"]) == Fraction(expect["p_hit_stands"])
