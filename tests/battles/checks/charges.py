"""Worked checks of charges, the test of the charged, zones and surrender."""

from fractions import Fraction

from battles.engine import bases
from battles.engine.dtypes import ROUTING, SHAKEN
from battles.engine.recording import STEP_G
from battles.rulesets.awi import charge, charged, charges, melee, morale, retreat
from rosters.domain.vocabulary import TroopType
from tests.battles.checks.common import D6, IRELAND, LINE_FOOT, TYPE_OF_CLASS, Facts, agree, one, shares
from tests.battles.checks.melees import melee_chances
from tests.battles.forces import Stand, table


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


def check_just_routed(given: Facts, expect: Facts) -> None:
    g = one(LINE_FOOT)
    g.mover, g.step = 1, STEP_G
    retreat.rout(g, 0, 180, 0, 0, 1)
    g.player_turn, g.mover, place = g.player_turn + 1, 0, (float(g.u[0].x), float(g.u[0].y))
    morale.step_a(g)
    retreat.step_b(g)
    assert (g.cursor > 0) == expect["tests_in_A"]
    assert ((float(g.u[0].x), float(g.u[0].y)) != place) == expect["moves_in_B"]


def check_vacated_ground(given: Facts, expect: Facts) -> None:
    g = table(Stand(0, LINE_FOOT, 48, 27), Stand(1, LINE_FOOT, 48, 31, face=180), dice=(6, 6))
    charges.charges(g)
    assert g.u[1].mood == ROUTING
    assert (float(g.u[0].x), float(g.u[0].y)) == (48, 31), expect["charger_moves_to"]


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


def check_zone(given: Facts, expect: Facts) -> None:
    g = table(Stand(0, LINE_FOOT, 20, 20), Stand(1, LINE_FOOT, 50, 50))
    x, y = given["charger_front_edge_centre"]
    names = {charged.FRONT: "front", charged.FLANK: "flank", charged.REAR: "rear"}
    assert names[int(charged.zone_at(g.u[0], 20.0 + x, 20.0 + y))] == expect["zone"]


def check_charged_by_cavalry(given: Facts, expect: Facts) -> None:
    foot = Stand(0, TroopType.MILITIA, 48, 20)
    g = table(foot, Stand(1, TroopType.AMERICAN_LIGHT_CAVALRY, 48, 40), options=IRELAND)
    assert morale.basic_morale(g.u[0]) == given["basic_morale"]
    modifier = charged.charged_modifier(g.u[0], charged.charger_flag(g.u[1]))
    agree(expect, charge_chances(int(modifier), given["basic_morale"]))
