"""Worked checks of fire, ranges, arcs and what is seen."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from battles.engine import bases
from battles.engine.dtypes import BUILDING, DENSE_WOODS, OPEN_WOODS, SHAKEN, STOCKADE
from battles.rulesets.awi import fire, morale, sighting, works
from rosters.domain.vocabulary import GunClass, TroopType
from tests.battles.checks.common import D6, LINE_FOOT, Facts, one
from tests.battles.forces import Stand, table
from tests.battles.grounds import house, inside, woods

TYPES_HIDDEN = {
    "indians": TroopType.INDIANS,
    "rangers": TroopType.RANGERS,
    "jaegers": TroopType.JAEGERS,
    "british_light_infantry": TroopType.BRITISH_LIGHT_INFANTRY,
    "continental_line": TroopType.CONTINENTAL_LINE,
}


def chance_of_hit(factor: int) -> Fraction:
    return Fraction(fire.chance36(7 - factor), 36)


def check_hit(given: Facts, expect: Facts) -> None:
    assert chance_of_hit(given["factor_total"]) == Fraction(expect["p_hit"])


def fire_outcomes(g: Any, factor: int) -> list[tuple[bool, bool, bool]]:
    """(lost an SP, shaken, eliminated) for each throw of two dice at unit 1."""
    found = []
    start = int(g.u[1].sp)
    for first, second in product(D6, D6):
        u = g.u[1]
        u.sp, u.lost, u.mood, u.place = start, 0, 0, 0
        g.dice[0], g.dice[1], g.cursor = first - 1, second - 1, 0
        fire.shoot(g, 0, 1, factor, 21)
        found.append((u.lost > 0, u.mood == SHAKEN, u.sp == 0))
    return found


def check_fire(given: Facts, expect: Facts) -> None:
    kind = TroopType(given["target"])
    g = table(
        Stand(0, LINE_FOOT, 48, 20),
        Stand(1, kind, 48, 30, face=180, sp=given["target_sp"]),
        options=given.get("options", {}),
    )
    assert morale.basic_morale(g.u[1]) == given["target_basic_morale"]
    found = fire_outcomes(g, given["factor_total"])
    count = len(found)
    assert Fraction(sum(loss for loss, _, _ in found), count) == Fraction(expect["p_sp_loss"])
    assert Fraction(sum(shaken for _, shaken, _ in found), count) == Fraction(expect["p_shaken"])
    assert Fraction(sum(loss and shaken for loss, shaken, _ in found), count) == Fraction(expect["p_both"])
    if "p_eliminated" in expect:
        assert Fraction(sum(gone for _, _, gone in found), count) == Fraction(expect["p_eliminated"])
    else:
        neither = sum(not loss and not shaken for loss, shaken, _ in found)
        assert Fraction(neither, count) == Fraction(expect["p_neither"])


def check_volleys(given: Facts, expect: Facts) -> None:
    hit = chance_of_hit(1)
    after: dict[int, Fraction] = {5: Fraction(1)}
    for _ in range(given["shooters"]):
        nxt: dict[int, Fraction] = {}
        for sp, chance in after.items():
            nxt[sp - 1] = nxt.get(sp - 1, Fraction(0)) + chance * hit
            nxt[sp] = nxt.get(sp, Fraction(0)) + chance * (1 - hit)
        after = nxt
    assert after == {sp: Fraction(chance) for sp, chance in expect["sp_after"].items()}
    unshaken = Fraction(36 - fire.chance36(6 - 1), 36)  # a total of 6 or more beats a basic morale of 5
    assert 1 - unshaken ** given["shooters"] == Fraction(expect["p_shaken"])


def check_firer(given: Facts, expect: Facts) -> None:
    kind = TroopType(given["firer"])
    g = table(Stand(0, LINE_FOOT, 48, 20), Stand(1, kind, 48, 26, face=180))
    if "may_fire" in expect:
        assert sighting.can_fire(g.u[1]) == expect["may_fire"]
    else:
        assert fire.fire_modifier(g, 1, 0, float(given["range"])) == expect["factor_total"]


BANDS = {None: 0, "short": 1, "medium": 2, "long": 3}


def gun(weapon: str, options: Facts | None = None) -> Any:
    """A state record whose unit 0 carries the weapon."""
    if weapon in ("musket", "rifle"):
        return one(LINE_FOOT if weapon == "musket" else TroopType.JAEGERS, options=options)
    return one(TroopType.EUROPEAN_ARTILLERY, gun_class=GunClass(weapon), options=options)


def check_range(given: Facts, expect: Facts) -> None:
    if "friend_in_arc" in given:
        g = table(
            Stand(0, TroopType.EUROPEAN_ARTILLERY, 48, 20, gun_class=GunClass.HOWITZER),
            Stand(0, LINE_FOOT, 52, 25),
            Stand(1, LINE_FOOT, 48, 30.5, face=180),
        )
        assert sighting.fire_range(g, 0, 2) == pytest.approx(30.5 - 20 - bases.HALF * 3)
        assert (fire.fire_modifier(g, 0, 2, 8.0) != -99) == expect["may_fire"]
    elif "friend_at_inches" in given:
        front = 20 + bases.HALF * 2
        g = table(
            Stand(0, TroopType.EUROPEAN_ARTILLERY, 48, 20, gun_class=GunClass.HOWITZER),
            Stand(0, LINE_FOOT, 48, front + given["friend_at_inches"] + bases.HALF),
            Stand(1, LINE_FOOT, 48, front + given["target_inches"] + bases.HALF, face=180),
        )
        assert (sighting.fire_range(g, 0, 2) >= 0) == expect["overhead_allowed"]
    else:
        g = gun(given["weapon"], given.get("options"))
        assert sighting.band(g.u[0], float(given["inches"])) == BANDS[expect["band"]]


def check_long_range(given: Facts, expect: Facts) -> None:
    g = gun("light", given["options"])
    factor = fire.fire_modifier(g, 0, 1, 30.0)
    assert factor == expect["factor_total"]
    assert chance_of_hit(factor) == Fraction(expect["p_hit"])


def check_structure_cover(given: Facts, expect: Facts) -> None:
    sp = given.get("structure_sp", given.get("sp"))
    assert works.cover_factor(sp) == expect.get("fire_factor", expect.get("factor"))


def check_fortification(given: Facts, expect: Facts) -> None:
    g = table(Stand(0, LINE_FOOT, 48, 20), options=given.get("options", {}))
    kind = STOCKADE if "stockade" in given["structure"] else BUILDING
    assert bool(works.is_fortification(g, kind, given["sp"])) == expect["fortification"]


def shots_at_building(y: float, sp: int) -> tuple[Fraction, Fraction]:
    """Chances that one shot of a 5-SP light gun harms a building and the troops in it."""
    harmed, hit = 0, 0
    for dice in product(D6, repeat=2):
        g = table(Stand(1, TroopType.EUROPEAN_ARTILLERY, 48, y, 180), Stand(0, LINE_FOOT, 48, 20), dice=dice)
        inside(g, 1, house(g, 48, 20, sp=sp))
        if sp >= 9:
            fire.choose_structure(g, 0)
        else:
            fire.declare_shot(g, 0)
        fire.settle_all(g, 0)
        harmed += int(g.structures[0].sp < sp)
        hit += int(g.u[1].sp < 5)
    return Fraction(harmed, 36), Fraction(hit, 36)


def check_guns_at_structure(given: Facts, expect: Facts) -> None:
    y = {"short ball": 30, "medium": 40, "long": 50}[given["range"]]
    if "p_troops" in expect:
        assert shots_at_building(y, 8) == (Fraction(expect["p_building"]), Fraction(expect["p_troops"]))
    else:
        assert shots_at_building(y, 12) == (Fraction(expect["p_damage"]), 0)


def check_no_harm_to_structure(given: Facts, expect: Facts) -> None:
    for kind, y in ((TroopType.EUROPEAN_ARTILLERY, 30), (LINE_FOOT, 26)):
        g = table(Stand(1, kind, 48, y, 180), Stand(0, LINE_FOOT, 48, 20), dice=(6, 6))
        inside(g, 1, house(g, 48, 20))
        fire.declare_shot(g, 0)
        fire.settle_all(g, 0)
        assert 4 - g.structures[0].sp == expect["structure_damage"]


def check_detection(given: Facts, expect: Facts) -> None:
    y = 20 + bases.BASE + given["inches"] - 1.0e-9
    g = table(Stand(0, TroopType.JAEGERS, 48, 20), Stand(1, TYPES_HIDDEN[given["hidden"]], 48, y, face=180))
    woods(g, DENSE_WOODS if given["wood"] == "dense" else OPEN_WOODS, 20.9, 60.0)
    assert (sighting.fire_range(g, 0, 1) >= 0) == expect["detected"]


def check_base_in_arc(given: Facts, expect: Facts) -> None:
    x, y = (float(v) for v in given["target_base_centre"])
    assert sighting.in_arc(0.0, 0.0, 0, x, y, 0) == expect["whole_base_in_arc"]
    inches = sighting.edge_range(0.0, 0.0, 0, x, y, 0, bases.HALF, bases.HALF)
    assert round(inches, 2) == expect["range_inches_2dp"]
    assert (sighting.band(gun("musket").u[0], inches) == 1) == expect["may_fire"]
