"""The AWI-T worked checks of checks-awi.yaml that concern what is built, by what they give."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from battles.engine import bases
from battles.engine.dtypes import (
    BUILD,
    BUILDING,
    CAPTURED,
    COLUMN,
    DEMOLISH,
    DENSE_WOODS,
    DISABLED,
    FIELDWORK,
    IN_FIELD,
    KILLED,
    LIMBERED,
    LINE,
    OPEN_WOODS,
    OVER_OBSTACLE,
    ROUTING,
    SHAKEN,
    STEADY,
    STOCKADE,
)
from battles.engine.raster import structure_add, work_add
from battles.errors import BattleFileError
from battles.rulesets.awi import (
    charge,
    charged,
    engineering,
    facing,
    fire,
    generals,
    highland,
    melee,
    morale,
    movement,
    path,
    retreat,
    setup,
    sighting,
    tables,
    works,
)
from battles.rulesets.awi.options import options_resolve
from battles.verification import battle_verify
from rosters.domain.vocabulary import GunClass, TroopType
from tests.battles.forces import CHECKS, CROWN, Stand, battle, battle_unit, force, leader, table, throw
from tests.battles.ground_checks import (
    check_bridge,
    check_crossing,
    check_door,
    check_going,
    check_road_bonus,
)
from tests.battles.grounds import house, inside, woods
from tests.battles.structure_checks import check_structure, check_zone_in_building

Facts = dict[str, Any]
LINE_FOOT = TroopType.CONTINENTAL_LINE
BY_ID = {check["id"]: check for check in CHECKS}
D6 = range(1, 7)
MINUTES_A_TURN = 10
TYPES_HIDDEN = {
    "indians": TroopType.INDIANS,
    "rangers": TroopType.RANGERS,
    "jaegers": TroopType.JAEGERS,
    "british_light_infantry": TroopType.BRITISH_LIGHT_INFANTRY,
    "continental_line": TroopType.CONTINENTAL_LINE,
}
TYPE_OF_CLASS = {
    "close_order_foot": TroopType.CONTINENTAL_LINE,
    "open_order_foot": TroopType.RANGERS,
    "light_cavalry": TroopType.AMERICAN_LIGHT_CAVALRY,
    "wagon": TroopType.WAGON,
}


def shares(results: list[str]) -> dict[str, Fraction]:
    """How often each result comes among equally likely ones."""
    return {name: Fraction(count, len(results)) for name, count in Counter(results).items()}


def agree(expected: Facts, found: dict[str, Fraction], names: dict[str, str] | None = None) -> None:
    """Every chance of the check is what was counted."""
    for name, chance in expected.items():
        assert found.get((names or {}).get(name, name), Fraction(0)) == Fraction(chance), name


def one(kind: TroopType, *, sp: int = 5, options: Facts | None = None, **more: Any) -> Any:
    """State record with one Crown unit of a type and one battalion far off."""
    return table(
        Stand(0, kind, 48, 20, sp=sp, **more), Stand(1, LINE_FOOT, 48, 50, face=180), options=options or {}
    )


def check_strength(given: Facts, expect: Facts) -> None:
    if "men" in given:
        assert tables.sp_of_men(given["men"], tables.MEN_PER_SP[given["class"]]) == expect["sp"]
    elif "pounder" in given:
        assert tables.gun_class_of(given["pounder"]) == expect["class"]
    else:
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
        g = one(LINE_FOOT, sp=given["sp"])
        g.u[0].mood = SHAKEN
        g.dice[0] = given["die"] - 1
        morale.step_a(g)
        assert g.u[0].sp == expect["sp"]
        assert bases.standing(g.u[0]) is not expect["removed"]
        return
    g = one(TroopType(given["type"]), options=given["options"])
    agree(expect, shares(shaken_outcomes(g)))


def check_rally(given: Facts, expect: Facts) -> None:
    fails = Fraction(sum(morale.rout_result(die) != 5 for die in D6), 6)
    assert 1 - fails ** given["turns"] == Fraction(expect["p_rallied_by_then"])


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


def charge_chances(modifier: int, basic: int) -> dict[str, Fraction]:
    names = {3: "rout", 6: "stand", 7: "may_counter_charge"}
    return shares([names[int(charged.charge_result(die + modifier, basic))] for die in D6])


def check_charged(given: Facts, expect: Facts) -> None:
    if "total" in given:
        flags = melee.FORTIFIED if "fortification" in given["charged"] else 0
        kind = TroopType.AMERICAN_ARTILLERY if "gun" in given["charged"] else LINE_FOOT
        g = table(Stand(0, LINE_FOOT, 48, 20), Stand(1, kind, 48, 23, face=180), dice=(1,))
        g.u[0].charges, g.u[1].morale = 1, 20
        charge.test_charged(g, 1, flags)
        assert bool(g.u[1].counter) == expect["counter_charge"]
    elif "option" not in given:
        agree(expect, charge_chances(given["modifier"], given["basic_morale"]))


FLAGS_OF_CHARGE = {
    # who is charged, and the circumstances as flags
    "CHK-CHG-01": (TroopType.AMERICAN_LIGHT_CAVALRY, 0),
    "CHK-CHG-03": (TroopType.BRITISH_LINE, melee.BY_CLOSE),
    "CHK-CHG-05": (TroopType.MILITIA, melee.BY_CLOSE),
    "CHK-CHG-06": (LINE_FOOT, melee.BY_CAVALRY | melee.BY_CLOSE),
    "CHK-CHG-07": (TroopType.BRITISH_LINE, melee.BY_CAVALRY | melee.BY_CLOSE),
    "CHK-CHG-09": (TroopType.INDIANS, melee.BY_CLOSE),
    "CHK-CHG-10": (TroopType.RANGERS, melee.BY_CAVALRY | melee.BY_CLOSE),
    "CHK-CHG-11": (TroopType.BRITISH_LIGHT_INFANTRY, melee.BY_CAVALRY | melee.BY_CLOSE),
    "CHK-CHG-14": (TroopType.BRITISH_LINE, melee.BY_CLOSE | melee.IN_FLANK),
    "CHK-CHG-15": (TroopType.BRITISH_LINE, melee.BY_CLOSE | melee.IN_REAR),
    "CHK-CHG-16": (LINE_FOOT, melee.BY_CLOSE | melee.OBSTACLE),
    "CHK-CHG-17": (TroopType.MILITIA, melee.BY_CLOSE | melee.FORTIFIED),
    "CHK-CHG-19": (TroopType.BRITISH_LINE, 0),
    "CHK-CHG-21": (TroopType.BRITISH_LINE, melee.BY_CLOSE | melee.IN_FLANK | melee.IN_REAR),
}


@pytest.mark.parametrize("key", FLAGS_OF_CHARGE)
def test_modifier_of_charged_units_AWI_T_CHG_03(key: str) -> None:
    kind, flags = FLAGS_OF_CHARGE[key]
    assert charged.charged_modifier(one(kind).u[0], flags) == BY_ID[key]["given"]["modifier"]


def test_shaken_unit_charged_in_flank_by_cavalry_CHK_CHG_13() -> None:
    g = one(LINE_FOOT)
    g.u[0].mood = SHAKEN
    flags = melee.BY_CAVALRY | melee.BY_CLOSE | melee.IN_FLANK
    assert charged.charged_modifier(g.u[0], flags) == BY_ID["CHK-CHG-13"]["given"]["modifier"]


def check_charger(given: Facts, expect: Facts) -> None:
    shaken = given["charger"].startswith("shaken ")
    word = given["charger"].removeprefix("shaken ")
    kind = TYPE_OF_CLASS.get(word, TroopType.EUROPEAN_ARTILLERY)
    g = table(Stand(0, kind, 48, 20), Stand(1, LINE_FOOT, 48, 40, face=180))
    u = g.u[0]
    g.u[1].y = u.y + bases.half_depth(u) + float(given["target_inches"]) + bases.HALF
    if shaken:
        u.mood = SHAKEN
    legal = charge.may_charge(u) and charge.charge_distance(g, 0, 1) >= 0
    assert legal == expect["legal"]


def check_surrender(given: Facts, expect: Facts) -> None:
    if "arm" in given:
        kind = LINE_FOOT if given["arm"] == "foot" else TroopType.AMERICAN_LIGHT_CAVALRY
    else:
        kind = TroopType.AMERICAN_ARTILLERY  # it routs on any die, so only the surrender roll counts
        flags = melee.BY_CAVALRY | melee.BY_CLOSE | melee.IN_REAR
        modifier = charged.charged_modifier(one(kind).u[0], flags)
        assert charge_chances(modifier, 5) == {"rout": Fraction(1)}
    taken = Fraction(sum(die >= one(kind).u[0].surrender_on for die in D6), 6)
    assert taken == Fraction(expect["p_surrender"])


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


def check_charge_to_the_end(given: Facts, expect: Facts) -> None:
    cavalry = "cavalry" in given["charger"]
    kind = TroopType.AMERICAN_LIGHT_CAVALRY if cavalry else TroopType.BRITISH_LINE
    g = table(Stand(0, kind, 48, 26), Stand(1, LINE_FOOT, 48, 30, face=180))
    flags = charged.charger_flag(g.u[0])
    test = charge_chances(charged.charged_modifier(g.u[1], flags), int(morale.basic_morale(g.u[1])))
    lead = melee.melee_factor(g, g.u[0], melee.CHARGING) - melee.melee_factor(g, g.u[1], 0)
    fought = melee_chances(int(lead))
    stand = 1 - test["rout"]
    assert test["rout"] + stand * fought["B_rout"] == Fraction(expect["p_target_routs"])
    assert stand * fought["A_rout"] == Fraction(expect["p_charger_routs"])
    if "p_draw" in expect:
        assert stand * fought["draw"] == Fraction(expect["p_draw"])
    if "p_second_charge_available" in expect:
        won = fought["B_rout"] + fought["B_retire_shaken"]
        assert test["rout"] + stand * won == Fraction(expect["p_second_charge_available"])


def check_second_charge(given: Facts, expect: Facts) -> None:
    g = table(
        Stand(0, TroopType.AMERICAN_LIGHT_CAVALRY, 48, 28.2),
        Stand(1, LINE_FOOT, 48, 30, face=180),
        dice=(1, 3),
    )
    g.u[0].charges, g.u[0].contact = 1, 1
    melee.step_j(g)
    assert (charge.declare(g, 1) > 0) == expect["second_charge"]


def check_rates(given: Facts, expect: Facts) -> None:
    if given["unit"] in TYPE_OF_CLASS:
        u = one(TYPE_OF_CLASS[given["unit"]]).u[0]
        names = ("line", "column", "rout")
    else:
        u = one(TroopType.AMERICAN_ARTILLERY, gun_class=GunClass(given["unit"])).u[0]
        names = ("deployed", "limbered", "rout")
    found = dict(zip(names, (u.rate_line, u.rate_column, u.rate_rout), strict=True))
    assert {name: expect[name] for name in names} == found


def check_falling_back(given: Facts, expect: Facts) -> None:
    assert path.falling_back(one(TYPE_OF_CLASS[given["unit"]]).u[0]) == expect["inches"]


def check_wheel(given: Facts, expect: Facts) -> None:
    abreast = 2 if given["formation"] == "line" else 1
    cost = movement.wheel_cost(abreast * bases.BASE, given["wheel_degrees"])
    assert round(cost, 2) == expect["cost_inches_2dp"]


def check_pivot(given: Facts, expect: Facts) -> None:
    whole = 6.0
    expected = whole if expect["cost"] == "whole move" else expect["cost"]
    assert movement.pivot_cost(given["turn_degrees"], whole) == expected


def check_scale(given: Facts, expect: Facts) -> None:
    assert tables.on_table(int(one(LINE_FOOT).u[0].rate_line), given["scale"]) == expect["inches"]


def check_wagon(given: Facts, expect: Facts) -> None:
    g = one(TroopType.WAGON)
    retreat.rout(g, 0, 180, 1, 0, 1)
    assert (g.u[0].y - 20, bool(g.u[0].immobile)) == (expect["moves"], expect["immobilised_for_battle"])


def check_change_to_line(given: Facts, expect: Facts) -> None:
    g = one(TroopType.RANGERS, form=COLUMN)
    left = movement.change_formation(g, 0, LINE)
    assert (left + movement.CHANGE_COST == given["longest_base_path"]) == expect["legal"]


def check_facing(given: Facts, expect: Facts) -> None:
    if "gun" in given:
        g = one(TroopType.EUROPEAN_ARTILLERY, gun_class=GunClass(given["gun"]))
        turns = Fraction(sum(die >= g.u[0].turn_on for die in D6), 6)
        assert turns == Fraction(expect["p_turns"])
    elif "turn_degrees" in given:
        g = table(Stand(0, LINE_FOOT, 48, 20), Stand(0, LINE_FOOT, 48, 21.9), Stand(1, LINE_FOOT, 55, 20))
        assert movement.turn_to(g, 0, 90) == expect["legal"]
    else:
        foot = given["enemy_ahead"] == "infantry"
        enemy = LINE_FOOT if foot else TroopType.EUROPEAN_ARTILLERY
        g = table(
            Stand(0, LINE_FOOT, 48, 20), Stand(1, enemy, 48, 30, face=180), options=given.get("options", {})
        )
        g.u[1].y = 20 + bases.HALF + given["inches"] + bases.half_depth(g.u[1])
        assert (not facing.pinned(g, 0)) == expect["may_turn"]


def check_one_inch(given: Facts, expect: Facts) -> None:
    g = table(Stand(0, LINE_FOOT, 48, 20), Stand(1, LINE_FOOT, 48, 25, face=180))
    y = 25 - 2 * bases.HALF - given["gap_to_enemy_inches"]
    assert bases.clear_of_enemy(g, 0, 48.0, y, 0) == expect["legal"]


def check_just_routed(given: Facts, expect: Facts) -> None:
    g = one(LINE_FOOT)
    g.mover = 1
    retreat.rout(g, 0, 180, 0, 0, 1)
    g.player_turn, g.mover, place = g.player_turn + 1, 0, (float(g.u[0].x), float(g.u[0].y))
    morale.step_a(g)
    retreat.step_b(g)
    assert (g.cursor > 0) == expect["tests_in_A"]
    assert ((float(g.u[0].x), float(g.u[0].y)) != place) == expect["moves_in_B"]


def check_vacated_ground(given: Facts, expect: Facts) -> None:
    g = table(Stand(0, LINE_FOOT, 48, 27), Stand(1, LINE_FOOT, 48, 31, face=180), dice=(6, 6))
    charge.charges(g)
    assert g.u[1].mood == ROUTING
    assert (float(g.u[0].x), float(g.u[0].y)) == (48, 31), expect["charger_moves_to"]


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


def check_stream_as_obstacle(given: Facts, expect: Facts) -> None:
    g = one(LINE_FOOT)
    assert charged.charged_modifier(g.u[0], melee.BY_CLOSE | melee.OBSTACLE) == given["charge_test"]
    assert melee.melee_factor(g, g.u[0], melee.CHARGING | melee.OBSTACLE) == expect["charger_melee_factor"]


def check_routed_by_charge(given: Facts, expect: Facts) -> None:
    g = table(Stand(0, LINE_FOOT, 48, 27), Stand(1, LINE_FOOT, 48, 31, 180, given["target_sp"]), dice=(6,))
    g.u[0].charges = 1
    charge.test_charged(g, 1, melee.BY_CLOSE)
    assert g.u[1].sp == expect["sp"]
    assert not bases.standing(g.u[1])


def check_rout_move(given: Facts, expect: Facts) -> None:
    if "friendly_edge_at" in given:
        g = table(
            Stand(0, TroopType.EUROPEAN_LIGHT_CAVALRY, 48, given["friendly_edge_at"]),
            Stand(1, LINE_FOOT, 48, 40, face=180),
        )
        retreat.rout_move(g, 0, 180)
        assert not bases.standing(g.u[0])
        assert g.u[0].sp == 5
    else:
        g = table(
            Stand(0, LINE_FOOT, 48, 30),
            Stand(1, LINE_FOOT, 48, 34, face=180),
            Stand(1, LINE_FOOT, 48, 16, face=0),
        )
        retreat.rout_move(g, 0, 180)
        from_second = ((g.u[0].x - 48) ** 2 + (g.u[0].y - 16) ** 2) ** 0.5
        assert from_second >= 14, "it may not end nearer the second enemy than it began"


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


def check_abandoned_gun(given: Facts, expect: Facts) -> None:
    g = table(Stand(0, LINE_FOOT, 48, 28), Stand(1, TroopType.AMERICAN_ARTILLERY, 48, 50, 180))
    g.u[1].gun_left, g.u[1].gun_x, g.u[1].gun_y = 1, 48, 29
    retreat.captures(g)
    assert (g.u[1].captured == 5, int(g.cursor)) == (expect["captured"], expect["dice"])


def check_base_in_arc(given: Facts, expect: Facts) -> None:
    x, y = (float(v) for v in given["target_base_centre"])
    assert sighting.in_arc(0.0, 0.0, 0, x, y, 0) == expect["whole_base_in_arc"]
    inches = sighting.edge_range(0.0, 0.0, 0, x, y, 0, bases.HALF, bases.HALF)
    assert round(inches, 2) == expect["range_inches_2dp"]
    assert (sighting.band(gun("musket").u[0], inches) == 1) == expect["may_fire"]


def check_zone(given: Facts, expect: Facts) -> None:
    g = table(Stand(0, LINE_FOOT, 20, 20), Stand(1, LINE_FOOT, 50, 50))
    x, y = given["charger_front_edge_centre"]
    names = {charged.FRONT: "front", charged.FLANK: "flank", charged.REAR: "rear"}
    assert names[int(charged.zone_at(g.u[0], 20.0 + x, 20.0 + y))] == expect["zone"]


def check_repeated_shaken(given: Facts, expect: Facts) -> None:
    g = table(Stand(0, LINE_FOOT, 48, 20), Stand(1, LINE_FOOT, 48, 26, face=180), dice=(3, 3, 3, 3, 3, 3))
    for _ in range(given["shaken_results_this_step"]):
        fire.shoot(g, 0, 1, 0, 21)
    assert (g.u[1].shakes, g.u[1].mood) == (given["shaken_results_this_step"], SHAKEN)


def check_balance(given: Facts, expect: Facts) -> None:
    units = []
    for i, entry in enumerate(given["force"]):
        kind, sp = entry.split()
        units.append(battle_unit(str(i), CROWN, TroopType(kind), int(sp)))
    total = sum(unit.sp + setup.morale_of(unit, options_resolve({})) for unit in units)
    assert total == expect["morale_points"]


def with_general(given: Facts) -> Any:
    """One unit with a senior general or a brigadier."""
    rank = "senior" if given["general"] == "senior" else "brigadier"
    stands = Stand(0, LINE_FOOT, 48, 20), Stand(1, LINE_FOOT, 48, 50, face=180)
    return table(*stands, leaders=(leader("Fraser", rank=rank, with_unit="unit 0"),))


def check_shaken_with_general(given: Facts, expect: Facts) -> None:
    agree(expect, shares(shaken_outcomes(with_general(given))))


def check_rally_with_general(given: Facts, expect: Facts) -> None:
    g, found = with_general(given), []
    for die in D6:
        g.u[0].mood, g.u[0].sp = ROUTING, 5
        throw(g, die)
        morale.test_routing(g, 0)
        found.append("halt_shaken" if g.u[0].mood == SHAKEN else "keep_routing")
        assert g.u[0].sp == 5
    agree(expect, shares(found))


#: What becomes of a general, by his fate.
FATES_OF_GENERALS = {IN_FIELD: "none", KILLED: "dead", CAPTURED: "captured", DISABLED: "out"}


def general_fates(g: Any, function: Callable[[Any], None]) -> list[str]:
    """What each throw of two dice does to the first general."""
    found = []
    for dice in product(D6, D6):
        s = g.generals[0]
        s.fate, s.wounds, s.rate = IN_FIELD, 0, 18.0
        throw(g, *dice)
        function(g)
        found.append("light_wound" if s.wounds else FATES_OF_GENERALS[int(s.fate)])
    return found


def check_general_in_melee(given: Facts, expect: Facts) -> None:
    g = with_general({"general": "brigadier"})
    agree(expect, shares(general_fates(g, lambda g: generals.risk_in_melee(g, 0, 0))))


def check_general_under_fire(given: Facts, expect: Facts) -> None:
    g = with_general({"general": "brigadier"})
    once = shares(general_fates(g, lambda g: generals.risk_by_fire(g, 0)))
    g.generals[0].fate, g.generals[0].wounds = IN_FIELD, 1
    throw(g, 4, 5)
    generals.risk_by_fire(g, 0)
    assert g.generals[0].fate == DISABLED, "the second wound puts him out of action"
    chance = 1 - (1 - once["dead"]) ** 2 + once["light_wound"] ** 2
    assert chance == Fraction(expect["p_out_of_action"])


def check_wounded_general_rides(given: Facts, expect: Facts) -> None:
    g = with_general({"general": "brigadier"})
    generals.wound(g, 0)
    assert g.generals[0].rate == expect["inches"]


IRELAND, FORTY_FIVE = {"variant": "ireland_1798"}, {"variant": "jacobite_1745"}


def check_pikes(given: Facts, expect: Facts) -> None:
    pikes = Stand(0, TroopType.MILITIA, 48, 20, traits=("pikes",))
    g = table(pikes, Stand(1, TroopType.AMERICAN_LIGHT_CAVALRY, 48, 40), options=IRELAND)
    if "cavalry_modifier" in expect:
        modifier = charged.charged_modifier(g.u[0], charged.charger_flag(g.u[1]))
        assert modifier == expect["cavalry_modifier"]
    else:
        modifier = charged.charged_modifier(g.u[1], charged.charger_flag(g.u[0]))
        assert modifier == expect["non_cavalry_modifier"]


def check_charged_by_cavalry(given: Facts, expect: Facts) -> None:
    foot = Stand(0, TroopType.MILITIA, 48, 20)
    g = table(foot, Stand(1, TroopType.AMERICAN_LIGHT_CAVALRY, 48, 40), options=IRELAND)
    assert morale.basic_morale(g.u[0]) == given["basic_morale"]
    modifier = charged.charged_modifier(g.u[0], charged.charger_flag(g.u[1]))
    agree(expect, charge_chances(int(modifier), given["basic_morale"]))


def clans(inches: float, *, sp: int = 5, **more: Any) -> Any:
    """Highlanders, fired at, with a British battalion so many inches before them."""
    stand = Stand(0, LINE_FOOT, 48, 20, sp=sp, traits=("highlanders",))
    y = 20 + 2 * bases.HALF + inches
    g = table(stand, Stand(1, TroopType.BRITISH_LINE, 48, y, face=180), options=FORTY_FIVE, **more)
    g.u[0].under_fire = 1
    return g


def check_highland_morale(given: Facts, expect: Facts) -> None:
    assert morale.basic_morale(clans(20, sp=given["highlanders_sp"]).u[0]) == expect["basic_morale"]


def check_highland_charge(given: Facts, expect: Facts) -> None:
    begun = 0
    for die in D6:
        g = clans(given["enemy_inches"], dice=(die,))
        highland.test_highlanders(g)
        begun += int(g.u[0].highland_charge)
    assert Fraction(begun, 6) == Fraction(expect["p_highland_charge"])


def check_highland_move(given: Facts, expect: Facts) -> None:
    moved = []
    for die in D6:
        g = clans(30, dice=(die,))
        g.u[0].highland_charge = 1
        highland.move_highlanders(g)
        moved.append(round(float(g.u[0].y) - 20, 6))
    assert [min(moved), max(moved)] == expect["move_range_inches"]
    assert sum(moved) / 6 == float(Fraction(expect["mean"]))


def check_charged_by_highlanders(given: Facts, expect: Facts) -> None:
    g = clans(2)
    modifier = charged.charged_modifier(g.u[1], charged.charger_flag(g.u[0]))
    agree(expect, charge_chances(int(modifier), int(morale.basic_morale(g.u[1]))))


def check_highland_fire(given: Facts, expect: Facts) -> None:
    stand = Stand(1, LINE_FOOT, 48, 26, face=180, traits=("highlanders",))
    options = {**FORTY_FIVE, **given.get("options", {})}
    g = table(Stand(0, LINE_FOOT, 48, 20), stand, options=options)
    assert bool(sighting.can_fire(g.u[1])) == expect.get("may_fire", True)
    if "factor_total" in expect:
        factor = fire.fire_modifier(g, 1, 0, float(given["range"]))
        assert factor == expect["factor_total"]
        assert chance_of_hit(factor) == Fraction(expect["p_hit"])


def check_highland_charge_ends(given: Facts, expect: Facts) -> None:
    g = clans(5)
    g.u[0].highland_charge = int(given["in_highland_charge"])
    morale.lose_sp(g, 0, 1)
    assert (g.u[0].mood == STEADY, bool(g.u[0].highland_charge)) == (True, expect["in_highland_charge"])


def check_dragoons(given: Facts, expect: Facts) -> None:
    u = one(TroopType.EUROPEAN_LIGHT_CAVALRY, options=FORTY_FIVE).u[0]
    assert {"line": u.rate_line, "column": u.rate_column, "rout": u.rate_rout} == expect


def party(kind: TroopType, sp: int, full: int, task: int, charges: int = 1) -> Any:
    """A battalion at a work, with a wagon."""
    g = table(Stand(0, kind, 48, 21), Stand(0, TroopType.WAGON, 48, 16, sp=2))
    work_add(g, FIELDWORK, 46, 22, 50, 22, structure_add(g, FIELDWORK, sp, full))
    u = g.u[0]
    u.task, u.task_at, u.task_size = task, 0, charges
    return g


def check_building(given: Facts, expect: Facts) -> None:
    g, moves = party(LINE_FOOT, 0, given["build_sp"], BUILD), 0
    while g.structures[0].sp < given["build_sp"]:
        assert engineering.dig(g, 0)
        engineering.work_done(g)
        movement.new_phase(g)
        moves += 1
    assert moves == expect["moves"]
    assert moves * MINUTES_A_TURN == expect.get("minutes", moves * MINUTES_A_TURN)


def check_explosion(given: Facts, expect: Facts) -> None:
    sp, charges = given["sp"], given["charges"]
    g, moves = party(LINE_FOOT, sp, sp, DEMOLISH, charges), 0
    while g.u[0].laid < charges:
        assert engineering.lay_charge(g, 0)
        movement.new_phase(g)
        moves += 1
    assert moves == expect["laying_moves"]
    g.u[0].y, g.u[1].y = 5.0, 10.0
    found = []
    for dice in product(D6, repeat=expect["dice"]):
        g.u[0].task, g.u[0].laid, g.u[0].fuse, g.structures[0].sp = DEMOLISH, charges, 1, sp
        g.events_n = 0
        throw(g, *dice)
        engineering.explosions(g)
        assert g.cursor == expect["dice"]
        found.append("down" if g.structures[0].sp == 0 else "stands")
    assert shares(found).get("down", Fraction(0)) == Fraction(expect["p_destroyed"])
    assert charges - 1 + engineering.BLAST_RADIUS == expect["danger_radius"]


def ids(prefix: str, *numbers: str) -> list[str]:
    return [f"CHK-{prefix}-{number}" for number in numbers]


def all_of(prefix: str) -> list[str]:
    return [key for key in BY_ID if key.startswith(f"CHK-{prefix}-")]


def but(keys: list[str], *without: str) -> list[str]:
    return [key for key in keys if key not in without]


BUILT: list[tuple[Callable[[Facts, Facts], None], list[str]]] = [
    (check_strength, all_of("STR") + all_of("GUN")),
    (check_basic_morale, all_of("BM")),
    (check_shaken, ids("SHK", "05", "06", "08")),
    (check_rally, ids("RTT", "05")),
    (check_hit, all_of("HIT")),
    (check_fire, ids("FIRE", "02", "04", "05", "14", "16", "17", "18")),
    (check_volleys, ids("FIRE", "19", "20")),
    (check_firer, ids("FIRE", "21", "22", "24")),
    (check_range, all_of("RNG")),
    (check_long_range, ids("FIRE", "26")),
    (check_charged, [*FLAGS_OF_CHARGE, *ids("CHG", "13", "23", "34")]),
    (check_charger, ids("CHG", "24", "26", "27", "28")),
    (check_vacated_ground, ids("CHG", "29")),
    (check_routed_by_charge, ids("CHG", "32")),
    (check_surrender, all_of("SUR")),
    (check_melee, ids("MEL", "05", "07", "08", "10", "11", "12", "14", "15")),
    (check_melee_at_work, ids("MEL", "16")),
    (check_two_against_one, ids("MEL", "17")),
    (check_melee_columns, ids("MEL", "19")),
    (check_melee_result, ids("MEL", "21", "22")),
    (check_own_factor, ids("MEL", "23")),
    (check_overlap, ids("MEL", "24")),
    (check_depth, ids("MEL", "27")),
    (check_uphill, ids("MEL", "30")),
    (check_behind_wall_beaten, ids("MEL", "31", "32")),
    (check_abandoned_gun, ids("MEL", "33")),
    (check_charge_to_the_end, all_of("END")),
    (check_second_charge, all_of("CAV")),
    (check_rates, but(all_of("RATE"), "CHK-RATE-12")),
    (check_going, ids("MOV", "01", "02", "04", "05", "07", "09", "10", "12", "14", "38", "39")),
    (check_crossing, ids("MOV", "17", "20", "41")),
    (check_door, ids("MOV", "21", "22", "23")),
    (check_bridge, ids("MOV", "42")),
    (check_road_bonus, ids("MOV", "34", "35")),
    (check_falling_back, ids("MOV", "25")),
    (check_wheel, ids("MOV", "29", "30")),
    (check_pivot, ids("MOV", "31", "32")),
    (check_scale, ids("MOV", "36")),
    (check_wagon, ids("MOV", "37")),
    (check_change_to_line, ids("MOV", "43")),
    (check_stream_as_obstacle, ids("MOV", "45")),
    (check_facing, all_of("FAC")),
    (check_one_inch, ids("SEQ", "04")),
    (check_just_routed, ids("SEQ", "01")),
    (check_structure_cover, ids("STRC", "10", "11", "21", "22", "23")),
    (check_fortification, ids("STRC", "27", "28", "30")),
    (check_guns_at_structure, ids("STRC", "13", "15", "16")),
    (check_no_harm_to_structure, ids("STRC", "17")),
    (check_structure, ids("STRC", "01", "02", "04", "06", "08", "09")),
    (check_zone_in_building, ["CHK-GEO-12"]),
    (check_detection, all_of("WOOD")),
    (check_rout_move, all_of("ROU")),
    (check_base_in_arc, ids("GEO", "01", "04", "05")),
    (check_zone, ids("GEO", "06", "07", "08", "11")),
    (check_repeated_shaken, ids("SHK", "09")),
    (check_balance, all_of("BAL")),
    (check_shaken_with_general, ids("SHK", "03")),
    (check_rally_with_general, ids("RTT", "03")),
    (check_general_in_melee, ids("GEN", "05")),
    (check_general_under_fire, ids("GEN", "06")),
    (check_wounded_general_rides, ids("RATE", "12")),
    (check_pikes, ids("V98", "01", "02")),
    (check_charged_by_cavalry, ids("V98", "04")),
    (check_highland_morale, ids("V45", "01")),
    (check_highland_charge, ids("V45", "03")),
    (check_highland_move, ids("V45", "04")),
    (check_charged_by_highlanders, ids("V45", "06")),
    (check_dragoons, ids("V45", "09")),
    (check_highland_fire, ids("V45", "10", "11")),
    (check_highland_charge_ends, ids("V45", "12")),
    (check_building, all_of("ENG")),
    (check_explosion, all_of("EXP")),
]
CASES = [(key, function) for function, keys in BUILT for key in keys]


@pytest.mark.parametrize(("key", "function"), CASES, ids=[key for key, _ in CASES])
def test_worked_check(key: str, function: Callable[[Facts, Facts], None]) -> None:
    function(BY_ID[key]["given"], BY_ID[key]["expect"])


def test_every_tactical_check_is_played() -> None:
    assert set(BY_ID) == {key for key, _ in CASES}


def test_limbered_guns_march_at_their_column_rate_AWI_T_MOV_02() -> None:
    g = one(TroopType.EUROPEAN_ARTILLERY, gun_class=GunClass.MEDIUM)
    assert morale.rate(g.u[0]) == 2
    g.u[0].form = LIMBERED
    assert morale.rate(g.u[0]) == 6
