"""Worked checks of morale, exhaustion, the Army Commander, ground, movement and charges."""

from fractions import Fraction
from itertools import product

from battles.files.schema import Feature
from battles.rulesets.volley_bayonet import allowance, formations, marching
from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.charging import may_charge
from battles.rulesets.volley_bayonet.rtg import (
    bases,
    buildings,
    chain,
    charging,
    chief,
    combat_step,
    exhaustion,
    impact,
    morale,
)
from battles.rulesets.volley_bayonet.rtg.fields import CHIEF
from battles.rulesets.volley_bayonet.rtg.terrain import FIELD_WORKS, OPEN
from tests.battles.checks.common import set_up
from tests.battles.rulesets.volley_bayonet.rtg.checks.common import D6, Facts
from tests.battles.rulesets.volley_bayonet.rtg.forces import (
    Leader,
    Stand,
    ahead_of,
    build,
    field,
    in_file,
    lay,
    throw,
)


def fails_at(nerve: int) -> Fraction:
    """Chance to fail a check at a modified morale."""
    g = field(Stand())
    failed = 0
    for die in D6:
        g.u[0].nerve = nerve
        throw(g, die)
        failed += not morale.roll_check(g, 0)
    return Fraction(failed, 6)


def check_morale(given: Facts, expect: Facts) -> None:
    assert fails_at(given["modified_morale"]) == Fraction(expect["p_fail"])


def _flanked() -> int:
    g = field(Stand(), Stand(1, y=22.0))
    flags = morale.charged_flags(g, g.u[0], g.u[1], r.FLANK, 0)
    return int(morale.nerve_of(g, g.u[0], flags, 0))


def _in_works() -> int:
    g = field(Stand(stationary=True, morale=4), Stand(1, y=22.0))
    u = g.u[0]
    flags = morale.charged_flags(g, u, g.u[1], r.FRONT, 0) | morale.defence_flags(u, 0, FIELD_WORKS)
    g.leaders_n = 1
    e = g.leaders[0]
    e.side, e.rank, (e.x, e.y) = 0, CHIEF, ahead_of(g, 0, 0.0)
    return int(morale.nerve_of(g, u, flags, chief.chief_with(g, 0) == 0))


def _at_guns() -> int:
    g = field(Stand(), Stand(1, "artillery_battalion", y=22.5))
    return int(morale.nerve_of(g, g.u[0], morale.charger_flags(g.u[0], g.u[1], r.FRONT), 0))


def _on_a_hill() -> int:
    g = field(Stand(), Stand(1, "artillery_battalion", y=24.0))
    return int(morale.nerve_of(g, g.u[0], morale.defence_flags(g.u[0], 1, OPEN), 0))


CASES = {
    "linear infantry, morale 5, meleed in flank by infantry (-2)": _flanked,
    (
        "stationary infantry morale 4 in field works, Army Commander attached, melee frontal by infantry"
    ): _in_works,
    "infantry morale 5 meleeing the front of unlimbered artillery": _at_guns,
    "non-stationary infantry morale 5 on a hill, close artillery fire from below": _on_a_hill,
}


def check_modified(given: Facts, expect: Facts) -> None:
    nerve = CASES[given["case"]]()
    assert nerve == expect["modified"]
    assert expect.get("note", "not stationary so no hill bonus") == "not stationary so no hill bonus"
    assert fails_at(nerve) == Fraction(expect["p_fail"])


def check_collapse(given: Facts, expect: Facts) -> None:
    set_up(given, division="exhausted")
    fallen = 0
    for die in D6:
        g = field(Stand(division=0))
        e = g.brigades[0]
        e.level, e.exhausted, e.lost, e.lost_before = 1, 1, 5, 5 - given["casualties_this_turn"]
        throw(g, die)
        fallen += exhaustion.exhaustion_phase(g)
    assert Fraction(fallen, 6) == Fraction(expect["p_collapse"])


def check_level(given: Facts, expect: Facts) -> None:
    parts = [Fraction(one["sp"] * one["morale"], 10) for one in given["stands"]]
    exact = " + ".join(f"{float(part):g}" for part in parts)
    assert f"{exact} = {float(sum(parts)):g}" == expect["note"]
    stands = [(stand["sp"], stand["morale"]) for stand in given["stands"]]
    assert chain.find_exhaustion_level(stands, "nearest_half_up") == expect["exhaustion_level"]


def check_chief(given: Facts, expect: Facts) -> None:
    """In each of two combats the stand he is with has lost something."""
    set_up(given, case="army commander attached, stand takes casualties in 2 combats")
    killed = 0
    for dice in product(D6, repeat=2):
        g = field(Stand(), leaders=(Leader(0, CHIEF, 0.0, 0.0),), dice=dice)
        g.leaders[0].x, g.leaders[0].y = ahead_of(g, 0, 0.0)
        for _ in range(2):
            k = chief.chief_with(g, 0)
            if k >= 0:
                chief.risk_chief(g, k, 0)
        killed += g.leaders[0].state == r.FALLEN
    assert Fraction(killed, 36) == Fraction(expect["p_killed"])


def check_marsh(given: Facts, expect: Facts) -> None:
    set_up(given, case="artillery battalion, second stand through (+2)")
    found: dict[float, Fraction] = {}
    for die in D6:
        g = field(Stand(kind="artillery_battalion"), dice=(die,))
        cost = float(allowance.enter_marsh(g, 0, 1))
        assert (int(g.u[0].state) == r.DISORDERED) is (cost == 4.0)
        found[cost] = found.get(cost, Fraction(0)) + Fraction(1, 6)
    named = {1.0: "p_no_effect", 2.0: "p_double", 4.0: "p_quadruple_and_disordered"}
    assert set(found) <= set(named)
    for cost, name in named.items():
        assert found.get(cost, Fraction(0)) == Fraction(expect[name])


def check_fire_out(given: Facts, expect: Facts) -> None:
    place = buildings.TOWN_PLACE if "town" in given["case"] else buildings.VILLAGE_PLACE
    rolls = 2 if "two rolls" in given["case"] else 1
    out = sum(any(buildings.goes_out(place, die) for die in dice) for dice in product(D6, repeat=rolls))
    assert Fraction(out, 6**rolls) == Fraction(expect["p_out"])


def check_town(given: Facts, expect: Facts) -> None:
    set_up(given, case="stationary infantry brigade in a town, melee on all four sides (6 dice)")
    g = field(Stand(kind="infantry_brigade", stationary=True))
    total = int(g.t.dice[g.u[0].dice_row, 1, 1])
    g.u[0].inside = build(g, 30.0, 20.0)
    assert combat_step.on_one_side(g, g.u[0], total) == expect["dice_per_side"]
    assert total == expect["total_dice"]


#: Movers by the words of the checks.
MOVERS: dict[str, Facts] = {
    "linear infantry": {},
    "infantry": {"kind": "infantry_brigade"},
    "infantry brigade": {"kind": "infantry_brigade"},
    "slow infantry": {"traits": ("slow",)},
    "light cavalry": {"kind": "cavalry_brigade", "weight": "light"},
    "medium cavalry": {"kind": "cavalry_brigade", "weight": "medium"},
    "heavy cavalry": {"kind": "cavalry_brigade", "weight": "heavy"},
    "medium cavalry with dedicated gun": {
        "kind": "cavalry_brigade",
        "weight": "medium",
        "traits": ("dedicated_gun",),
    },
}


def check_move(given: Facts, expect: Facts) -> None:
    g = field(Stand(**MOVERS[given["unit"]]))
    u, mode = g.u[0], given["mode"]
    if "streams" in mode:
        # as good as no ground between the two, which are all the move is spent on
        lay(g, *(Feature("stream", in_file((0.0, 10.0 + y), (31.0, 10.0 + y)), f"{y}") for y in (3e-9, 6e-9)))
        u.x, u.y = 16.0, 10.0 - bases.half_depth(g, u)
        assert marching.walk_straight(g, 0, 0, 1e-8) > 0.0
        order = "disordered" if u.state == r.DISORDERED else "in order"
        assert f"{allowance.reach_of(g, u, 1.0, 0):g} left, {order}" == expect["inches"]
        return
    if "march column" in mode:
        assert formations.enter_road_march(g, 0)
    if "out of command" in mode:
        u.in_command = 0
        allowance.begin_turn(g, u)
    assert allowance.reach_of(g, u, 1.0, int(mode.startswith("road"))) == expect["inches"]


#: Targets of charges by the words of the checks: the stand, the edge that is met.
TARGETS: dict[str, tuple[Facts, int]] = {
    "artillery from the flank": ({"kind": "artillery_battalion"}, r.FLANK),
    "infantry brigade in march column": ({"kind": "infantry_brigade", "form": r.ROAD_MARCH}, r.FRONT),
}


def check_charge(given: Facts, expect: Facts) -> None:
    target, edge = TARGETS[given["target"]]
    set_up(given, charger="cavalry skirmisher")
    face = 0 if edge == r.FLANK else 180
    g = field(Stand(kind="cavalry_skirmisher"), Stand(1, y=24.0, face=face, **target))
    assert may_charge(g, 0)
    assert bool(impact.may_charge_at(g, 0, 1)) is expect["allowed"]


def check_skirmisher(given: Facts, expect: Facts) -> None:
    """Foot skirmishers, charged by cavalry, seven inches before a brigade of their own."""
    set_up(given, charger="cavalry brigade")
    set_up(given, target="infantry skirmisher of 16-inch infantry, friendly brigade 7 inches off")
    g = field(
        Stand(kind="cavalry_brigade"),
        Stand(1, "infantry_skirmisher", y=24.0),
        Stand(1, y=24.0 + 0.75 + 7.0 + 0.75),
    )
    cover, heading, _, _ = impact.find_cover(g, 1)
    assert (cover, heading) == (7.0, 0)
    assert charging.met_by_cavalry(g.u[0], g.u[1], OPEN, cover) == charging.TO_COVER
    assert expect["result"] == "retreats to the brigade"
