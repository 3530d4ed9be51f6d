"""Worked checks of charges, the test of the charged, zones and surrender."""

from fractions import Fraction
from itertools import product

from battles.engine import bases
from battles.engine.dtypes import CLOSE, ROUTING, SHAKEN, STEADY
from battles.engine.recording import STEP_G
from battles.rulesets.awi import (
    charge_declaration,
    charge_modifiers,
    charge_resolution,
    melee,
    morale,
    retreat,
    works,
)
from rosters.domain.vocabulary import TroopType
from tests.battles.checks.common import (
    D6,
    IRELAND,
    LINE_FOOT,
    TYPE_OF_CLASS,
    Facts,
    agree,
    one,
    require_word,
    set_up,
    shares,
)
from tests.battles.checks.words import read_charged
from tests.battles.forces import Stand, events, table
from tests.battles.grounds import stream


def charge_chances(modifier: int, basic: int) -> dict[str, Fraction]:
    names = {3: "rout", 6: "stand", 7: "may_counter_charge"}
    return shares([names[int(charge_modifiers.charge_result(die + modifier, basic))] for die in D6])


def check_charged(given: Facts, expect: Facts) -> None:
    """The modifier of the charged comes of who and where he is, and what each die then does."""
    kind, sp, flags, shaken = read_charged(given["charged"])
    g = one(kind, sp=sp)
    g.u[0].mood = SHAKEN if shaken else STEADY
    modifier, basic = int(charge_modifiers.charged_modifier(g.u[0], flags)), int(morale.basic_morale(g.u[0]))
    assert (modifier, basic) == (given["modifier"], given["basic_morale"])
    agree(expect, charge_chances(modifier, basic))


def check_no_counter_charge(given: Facts, expect: Facts) -> None:
    """Who is in works, and guns, stand where others with such a total might charge (AWI-T-CHG-03)."""
    in_works = {"unit in fortification": True, "deployed gun": False}[given["charged"]]
    kind = LINE_FOOT if in_works else TroopType.AMERICAN_ARTILLERY
    for other in (kind, LINE_FOOT):
        g = table(Stand(0, LINE_FOOT, 48, 20), Stand(1, other, 48, 23, face=180), dice=(1,))
        g.u[0].charges, g.u[1].morale, g.u[1].order_ = 1, 20, CLOSE
        # nothing else makes a total so low: the gun is charged by nobody in close order
        flags = melee.FORTIFIED | melee.BY_CLOSE if in_works and other == kind else 0
        if in_works and other != kind:
            continue
        assert 1 + charge_modifiers.charged_modifier(g.u[1], flags) == given["total"]
        charge_declaration.test_charged_unit(g, 1, flags)
        if other == kind:
            assert bool(g.u[1].counter) == expect["counter_charge"]
            assert (g.u[1].mood, g.u[1].y) == (STEADY, 23)
            assert expect.get("result", "stand") == "stand"
        else:
            assert g.u[1].counter == 1, "a battalion in the gun's place may"


def check_charger(given: Facts, expect: Facts) -> None:
    shaken = given["charger"].startswith("shaken ")
    word = given["charger"].removeprefix("shaken ")
    kind = {**TYPE_OF_CLASS, "deployed gun": TroopType.EUROPEAN_ARTILLERY}[word]
    aside = 0 if given.get("directly_ahead", True) else 10
    g = table(Stand(0, kind, 48, 20), Stand(1, LINE_FOOT, 48 + aside, 40, face=180))
    u = g.u[0]
    g.u[1].y = u.y + bases.half_depth(u) + float(given["target_inches"]) + bases.HALF
    if shaken:
        u.mood = SHAKEN
    legal = charge_declaration.may_charge(u) and charge_declaration.charge_distance(g, 0, 1) >= 0
    assert legal == expect["legal"]


def check_surrender(given: Facts, expect: Facts) -> None:
    if "arm" in given:
        kind = {"foot": LINE_FOOT, "mounted": TroopType.AMERICAN_LIGHT_CAVALRY}[given["arm"]]
    else:
        set_up(given, charged="American battery 5 SP by cavalry in rear")
        kind = TroopType.AMERICAN_ARTILLERY  # it routs on any die, so only the surrender roll counts
        flags = melee.BY_CAVALRY | melee.BY_CLOSE | melee.IN_REAR
        modifier = charge_modifiers.charged_modifier(one(kind).u[0], flags)
        assert charge_chances(modifier, 5) == {"rout": Fraction(1)}
    taken = Fraction(sum(die >= one(kind).u[0].surrender_on for die in D6), 6)
    assert taken == Fraction(expect["p_surrender"])


#: Ends of a charge by the words of events, and who comes to them.
ENDS = {"routs": "routs", "melee_routed": "routs", "melee_lost": "beaten", "melee_draw": "draw"}
SIDES = {"unit 0": "charger", "unit 1": "target"}
CHARGERS = {
    "British line 5 SP": TroopType.BRITISH_LINE,
    "American cavalry": TroopType.AMERICAN_LIGHT_CAVALRY,
}


def check_charge_to_the_end(given: Facts, expect: Facts) -> None:
    """A charge played from its declaration to the end of its melee, for every throw of its dice."""
    require_word(given, "charged", ("Continental line 5 SP, front", "Continental-type foot 5 SP, front"))
    kind, found = CHARGERS[given["charger"]], []
    for dice in product(D6, repeat=3):
        g = table(Stand(0, kind, 48, 26), Stand(1, LINE_FOOT, 48, 30, face=180), dice=(*dice, 1, 1, 1))
        charge_resolution.run_charge_steps(g)
        # what ends the first charge; horse that has won may declare another
        end = next(one for one in events(g) if one.kind in ENDS)
        found.append(ENDS[end.kind] if end.kind == "melee_draw" else f"{SIDES[end.actor]}_{ENDS[end.kind]}")
    chances = shares(found)
    won = chances["target_routs"] + chances["target_beaten"]
    agree(
        {name.removeprefix("p_"): chance for name, chance in expect.items()},
        {**chances, "second_charge_available": won},
    )


def check_second_charge(given: Facts, expect: Facts) -> None:
    set_up(given, charge="drawn melee")
    g = table(
        Stand(0, TroopType.AMERICAN_LIGHT_CAVALRY, 48, 28.2),
        Stand(1, LINE_FOOT, 48, 30, face=180),
        dice=(1, 3),
    )
    g.u[0].charges, g.u[0].contact = 1, 1
    melee.step_j(g)
    assert (charge_declaration.declare_charges(g, 1) > 0) == expect["second_charge"]


def check_just_routed(given: Facts, expect: Facts) -> None:
    set_up(given, routed="enemy previous turn, step G-J")
    g = one(LINE_FOOT)
    g.mover, g.step = 1, STEP_G
    retreat.rout(g, 0, 180, 0, 0, 1)
    g.player_turn, g.mover, place = g.player_turn + 1, 0, (float(g.u[0].x), float(g.u[0].y))
    morale.step_a(g)
    retreat.step_b(g)
    assert (g.cursor > 0) == expect["tests_in_A"]
    assert ((float(g.u[0].x), float(g.u[0].y)) != place) == expect["moves_in_B"]


def check_vacated_ground(given: Facts, expect: Facts) -> None:
    set_up(given, target="routed out of reach")
    set_up(expect, charger_moves_to="ground vacated by target")
    g = table(Stand(0, LINE_FOOT, 48, 27), Stand(1, LINE_FOOT, 48, 31, face=180), dice=(6, 6))
    charge_resolution.run_charge_steps(g)
    assert g.u[1].mood == ROUTING
    assert (float(g.u[0].x), float(g.u[0].y)) == (48, 31)


def check_stream_as_obstacle(given: Facts, expect: Facts) -> None:
    set_up(given, target="behind stream")
    g = table(Stand(0, TYPE_OF_CLASS[given["charger"]], 48, 28), Stand(1, LINE_FOOT, 48, 31, face=180))
    stream(g, 29.6)
    assert works.shelter_factor(g, 48.0, 28.0, 1) == expect["fire_cover"]
    assert charge_declaration.charge_distance(g, 0, 1) >= 0.0
    g.u[0].over = charge_declaration.find_barrier(g, 48.0, 28.0 + bases.HALF, 1)
    assert (
        charge_modifiers.charged_modifier(g.u[1], melee.BY_CLOSE | melee.work_flag(g.u[0].over))
        == given["charge_test"]
    )
    flags = melee.attacker_flags(g, 0, 1, 1)
    assert melee.melee_factor(g, g.u[0], flags) == expect["charger_melee_factor"]


def check_routed_by_charge(given: Facts, expect: Facts) -> None:
    g = table(Stand(0, LINE_FOOT, 48, 27), Stand(1, LINE_FOOT, 48, 31, 180, given["target_sp"]), dice=(6,))
    g.u[0].charges = 1
    charge_declaration.test_charged_unit(g, 1, melee.BY_CLOSE)
    set_up(given, result="rout")
    assert g.u[1].sp == expect["sp"]
    assert (not bases.is_standing(g.u[1])) == expect["removed"]


def check_zone(given: Facts, expect: Facts) -> None:
    g = table(Stand(0, LINE_FOOT, 20, 20), Stand(1, LINE_FOOT, 50, 50))
    set_up(given, target="line, centre (0,0), facing +y, 90mm x 45mm")
    x, y = given["charger_front_edge_centre"]
    names = {charge_modifiers.FRONT: "front", charge_modifiers.FLANK: "flank", charge_modifiers.REAR: "rear"}
    assert names[int(charge_modifiers.zone_at(g.u[0], 20.0 + x, 20.0 + y))] == expect["zone"]


def check_charged_by_cavalry(given: Facts, expect: Facts) -> None:
    set_up(given, charged="musket militia 5 SP by cavalry")
    foot = Stand(0, TroopType.MILITIA, 48, 20)
    g = table(foot, Stand(1, TroopType.AMERICAN_LIGHT_CAVALRY, 48, 40), options=IRELAND)
    assert morale.basic_morale(g.u[0]) == given["basic_morale"]
    modifier = charge_modifiers.charged_modifier(g.u[0], charge_modifiers.charger_flag(g.u[1]))
    agree(expect, charge_chances(int(modifier), given["basic_morale"]))
