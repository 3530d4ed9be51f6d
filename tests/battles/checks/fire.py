"""Worked checks of fire, ranges, arcs and what is seen."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from battles.engine import bases
from battles.engine.dtypes import (
    BUILDING,
    DENSE_WOODS,
    FIELDWORK,
    OPEN_WOODS,
    REDOUBT,
    SHAKEN,
    STEADY,
    STOCKADE,
)
from battles.rulesets.awi import fire, morale, sighting, works
from rosters.domain.vocabulary import GunClass, TroopType
from tests.battles.checks.common import D6, LINE_FOOT, Facts, one, set_up
from tests.battles.checks.words import read_shot
from tests.battles.forces import Stand, table, throw
from tests.battles.grounds import house, inside, woods
from tests.worked_checks.read_whole import NotPlayable

TYPES_HIDDEN = {
    "indians": TroopType.INDIANS,
    "rangers": TroopType.RANGERS,
    "jaegers": TroopType.JAEGERS,
    "british_light_infantry": TroopType.BRITISH_LIGHT_INFANTRY,
    "continental_line": TroopType.CONTINENTAL_LINE,
}


def chance_of_hit(factor: int) -> Fraction:
    """Chance of a shot with that factor to cost an SP, by all throws of its dice."""
    found = fire_outcomes(table(Stand(0, LINE_FOOT, 48, 20), Stand(1, LINE_FOOT, 48, 25, face=180)), factor)
    return Fraction(sum(loss for loss, _, _ in found), len(found))


def check_hit(given: Facts, expect: Facts) -> None:
    assert chance_of_hit(given["factor_total"]) == Fraction(expect["p_hit"])


def inches_of(g: Any, band: str) -> float:
    """Some inches of a range band of unit 0, in the middle of it."""
    inside = [k / 2 for k in range(1, 120) if sighting.find_range_band(g.u[0], k / 2) == BANDS[band]]
    if not inside:
        raise NotPlayable(f"the weapon has no {band} range")
    return inside[len(inside) // 2]


def shot(words: str, target: TroopType, sp: int, options: Facts | None = None) -> tuple[Any, int]:
    """State of a shot by its words in the checks, and the factor the rules make of it."""
    kind, strength, weapon, band = read_shot(words)
    g = table(
        Stand(0, kind, 48, 20, sp=strength, gun_class=weapon),
        Stand(1, target, 48, 40, face=180, sp=sp),
        options=options or {},
    )
    inches = 1.0 if "in dense wood" in words else inches_of(g, band)
    g.u[1].y = 20 + bases.half_depth(g.u[0]) + inches + bases.half_depth(g.u[1])
    if "in dense wood" in words:
        woods(g, DENSE_WOODS, float(g.u[1].y) - bases.half_depth(g.u[1]) - 0.5, 60.0)
    found = float(sighting.fire_range(g, 0, 1))
    assert found == pytest.approx(inches), "it is seen, and so far off"
    return g, int(fire.fire_modifier(g, 0, 1, found))


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
    g, factor = shot(given["shot"], TroopType(given["target"]), given["target_sp"], given.get("options"))
    assert (factor, morale.basic_morale(g.u[1])) == (given["factor_total"], given["target_basic_morale"])
    found = fire_outcomes(g, factor)
    count = len(found)
    assert Fraction(sum(loss for loss, _, _ in found), count) == Fraction(expect["p_sp_loss"])
    assert Fraction(sum(shaken for _, shaken, _ in found), count) == Fraction(expect["p_shaken"])
    assert Fraction(sum(loss and shaken for loss, shaken, _ in found), count) == Fraction(expect["p_both"])
    if "p_eliminated" in expect:
        assert Fraction(sum(gone for _, _, gone in found), count) == Fraction(expect["p_eliminated"])
    neither = sum(not loss and not shaken and not gone for loss, shaken, gone in found)
    assert Fraction(neither, count) == Fraction(expect["p_neither"])


def check_volleys(given: Facts, expect: Facts) -> None:
    """One shot after the other, each with every throw of its dice, at what the last one left."""
    g, factor = shot(given["each"], TroopType(given["target"]), given["target_sp"])
    assert f"factor {factor:+}" in given["each"]
    u = g.u[1]
    after: dict[tuple[int, bool], Fraction] = {(given["target_sp"], False): Fraction(1)}
    for _ in range(given["shooters"]):
        nxt: dict[tuple[int, bool], Fraction] = {}
        for (sp, shaken), chance in after.items():
            for dice in product(D6, D6):
                u.sp, u.lost, u.mood, u.place = sp, 0, SHAKEN if shaken else STEADY, 0
                throw(g, *dice)
                fire.shoot(g, 0, 1, factor, 21)
                end = int(u.sp), bool(u.mood == SHAKEN)
                nxt[end] = nxt.get(end, Fraction(0)) + chance / 36
        after = nxt
    left: dict[int, Fraction] = {}
    for (sp, _), chance in after.items():
        left[sp] = left.get(sp, Fraction(0)) + chance
    assert left == {sp: Fraction(chance) for sp, chance in expect["sp_after"].items()}
    assert sum(chance for (_, shaken), chance in after.items() if shaken) == Fraction(expect["p_shaken"])


def check_firer(given: Facts, expect: Facts) -> None:
    kind = TroopType(given["firer"])
    g = table(Stand(0, LINE_FOOT, 48, 20), Stand(1, kind, 48, 26, face=180, sp=given.get("sp", 5)))
    if "may_fire" in expect:
        assert sighting.can_fire(g.u[1]) == expect["may_fire"]
    else:
        if "target_cover" in given:
            set_up(given, target_cover=None)
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
            Stand(0, TroopType.EUROPEAN_ARTILLERY, 48, 20, gun_class=GunClass(given["weapon"])),
            Stand(0, LINE_FOOT, 52 if given["friend_in_arc"] else 70, 25),
            Stand(1, LINE_FOOT, 48, 20 + bases.HALF * 3 + given["inches"], face=180),
        )
        inches = sighting.fire_range(g, 0, 2)
        assert inches == pytest.approx(given["inches"])
        assert (fire.fire_modifier(g, 0, 2, inches) != fire.NO_SHOT) == expect["may_fire"]
        g.u[1].x = 70
        assert fire.fire_modifier(g, 0, 2, inches) != fire.NO_SHOT, "but for the friend it may"
    elif "friend_at_inches" in given:
        front = 20 + bases.HALF * 2
        g = table(
            Stand(0, TroopType.EUROPEAN_ARTILLERY, 48, 20, gun_class=GunClass(given["weapon"])),
            Stand(0, LINE_FOOT, 48, front + given["friend_at_inches"] + bases.HALF),
            Stand(1, LINE_FOOT, 48, front + given["target_inches"] + bases.HALF, face=180),
        )
        assert (sighting.fire_range(g, 0, 2) >= 0) == expect["overhead_allowed"]
    else:
        g = gun(given["weapon"], given.get("options"))
        assert sighting.find_range_band(g.u[0], float(given["inches"])) == BANDS[expect["band"]]


def check_long_range(given: Facts, expect: Facts) -> None:
    set_up(given, gun="light 5 SP long")
    g = gun("light", given["options"])
    factor = fire.fire_modifier(g, 0, 1, 30.0)
    assert factor == expect["factor_total"]
    assert chance_of_hit(factor) == Fraction(expect["p_hit"])


def check_structure_cover(given: Facts, expect: Facts) -> None:
    if "structure_sp" in given:
        assert works.cover_factor(given["structure_sp"]) == expect["fire_factor"]
        return
    factor = works.cover_factor(given["sp"])
    assert (factor, COVER[int(factor)]) == (expect["factor"], expect["cover"])
    fortified = works.is_fortification(one(LINE_FOOT), STRUCTURES[given["structure"]], given["sp"])
    assert bool(fortified) == expect.get("fortification", False)


#: Classes of cover by what they take from fire, and kinds of structures by the words of the checks.
COVER = {0: None, -1: "soft", -2: "hard", -3: "fortified"}
STRUCTURES = {
    "wooden_building_50x100": BUILDING,
    "wooden_building_100x100": BUILDING,
    "stone_building_50x100": BUILDING,
    "stone_building_100x100": BUILDING,
    "timber_fieldwork_per_100mm": FIELDWORK,
    "earth_and_timber_redoubt": REDOUBT,
    "timber_stockade_per_100mm": STOCKADE,
}


def check_fortification(given: Facts, expect: Facts) -> None:
    g = table(Stand(0, LINE_FOOT, 48, 20), options=given.get("options", {}))
    assert (
        bool(works.is_fortification(g, STRUCTURES[given["structure"]], given["sp"]))
        == expect["fortification"]
    )


def shots_at_building(y: float, sp: int, gun_sp: int) -> tuple[Fraction, Fraction]:
    """Chances that one shot of a light gun harms a building and the troops in it."""
    harmed, hit = 0, 0
    for dice in product(D6, repeat=2):
        g = table(
            Stand(1, TroopType.EUROPEAN_ARTILLERY, 48, y, 180, sp=gun_sp),
            Stand(0, LINE_FOOT, 48, 20),
            dice=dice,
        )
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
        set_up(given, building="stone_building_50x100", occupied=True)
        assert shots_at_building(y, 8, given["gun_sp"]) == (
            Fraction(expect["p_building"]),
            Fraction(expect["p_troops"]),
        )
    else:
        set_up(given, target="structure")
        assert shots_at_building(y, 12, given["gun_sp"]) == (Fraction(expect["p_damage"]), 0)


def check_no_harm_to_structure(given: Facts, expect: Facts) -> None:
    set_up(given, weapon="canister or musket")
    for kind, y in ((TroopType.EUROPEAN_ARTILLERY, 30), (LINE_FOOT, 26)):
        g = table(Stand(1, kind, 48, y, 180), Stand(0, LINE_FOOT, 48, 20), dice=(6, 6))
        inside(g, 1, house(g, 48, 20))
        fire.declare_shot(g, 0)
        fire.settle_all(g, 0)
        assert 4 - g.structures[0].sp == expect["structure_damage"]


def check_detection(given: Facts, expect: Facts) -> None:
    y = 20 + bases.BASE + given["inches"]
    g = table(Stand(0, TroopType.JAEGERS, 48, 20), Stand(1, TYPES_HIDDEN[given["hidden"]], 48, y, face=180))
    woods(g, DENSE_WOODS if given["wood"] == "dense" else OPEN_WOODS, 20.9, 60.0)
    assert (sighting.fire_range(g, 0, 1) >= 0) == expect["detected"]


def check_base_in_arc(given: Facts, expect: Facts) -> None:
    set_up(given, firing_base="front edge centred on (0,0), facing +y, 45mm wide", target_axis_aligned=True)
    x, y = (float(v) for v in given["target_base_centre"])
    assert sighting.in_arc(0.0, 0.0, 0, x, y, 0) == expect["whole_base_in_arc"]
    inches = sighting.edge_range(0.0, 0.0, 0, x, y, 0, bases.HALF, bases.HALF)
    assert round(inches, 2) == expect["range_inches_2dp"]
    assert (sighting.find_range_band(gun(given["weapon"]).u[0], inches) == 1) == expect["may_fire"]
