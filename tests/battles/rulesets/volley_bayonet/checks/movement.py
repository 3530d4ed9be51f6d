"""Worked checks of movement, marsh, command and geometry."""

from fractions import Fraction
from typing import Any

import pytest

from battles.engine.dtypes import FENCE, FIELDWORK, STREAM
from battles.rulesets.volley_bayonet import allowance, command, danger, formations, riding, sight
from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.bases import front_x, front_y, leader_gap
from battles.rulesets.volley_bayonet.labels import StandLabel, rate_of
from battles.rulesets.volley_bayonet.tables import BLOCKS, MARSH
from tests.battles.checks.common import set_up
from tests.battles.rulesets.volley_bayonet.books import SCALES
from tests.battles.rulesets.volley_bayonet.checks.common import D6, STATES, Facts, one
from tests.battles.rulesets.volley_bayonet.forces import (
    Leader,
    Stand,
    climb,
    cross,
    facings_for,
    field,
    lane_open,
)

STANDS: dict[str, Facts] = {
    "fast infantry": {"kind": "FI"},
    "infantry skirmishers": {"kind": "FI", "abilities": ("detachments",), "form": r.SKIRMISH},
    "slow infantry": {"kind": "SI"},
    "slow poorly trained": {"kind": "SI", "abilities": ("PT",)},
    "light dragoons": {"kind": "LC"},
    "heavy artillery": {"kind": "Hv"},
    "mounted infantry": {"kind": "MI"},
    "wagon": {"kind": "wheels", "sp": 0},
    "infantry, good": {"kind": "FI"},
}
AREAS = {"woods": r.WOODS, "forest": r.FOREST, "camp": r.CAMP, "broken ground": r.BROKEN}


def stand_of(words: str, scale: str) -> Any:
    name = next((name for name in STANDS if words.startswith(name)), words)
    g = one(scale, **STANDS[name])
    if "out of command" in words:
        g.u[0].in_command = 0
        allowance.begin_turn(g, g.u[0])
    if "road march" in words and "not in" not in words:
        g.u[0].form = r.ROAD_MARCH
    return g


LINES = {"stream": STREAM, "bridge": STREAM, "fence": FENCE, "works": FIELDWORK}


def walk(g: Any, step: str) -> None:
    """Pay for one leg of a check's path."""
    u = g.u[0]
    if step in LINES:
        assert cross(g, LINES[step], gate=0 if step == "bridge" else -1)
    elif step == "enter a town block":
        assert allowance.enter_block(g, 0)
    elif step == "dismount":
        assert formations.dismount(g, 0)
    elif step.startswith("climb"):
        assert climb(g, int(step.split()[1]))
    elif " in of " in step:
        inches, _, area = step.partition(" in of ")
        code = AREAS[area]
        allowance.enter_ground(g, 0, code)
        factor = float(g.going[code].costs[allowance.ground_column(u)])
        assert allowance.pay_for_leg(g, 0, float(inches), factor, 0)
    elif step.endswith(" in open") or step.endswith(" in mounted"):
        assert allowance.pay_for_leg(g, 0, float(step.split()[0]), 1.0, 0)
    else:
        assert step.startswith("open ground")
        allowance.begins_to_move(g, 0)


def check_movement(given: Facts, expect: Facts, scale: str) -> None:
    if "block" in given:
        sizes = {"town 6x4": "large", "village 3x2": "small"}
        rooms = {"infantry stands": int(one(scale).t.room), "detachment": 1}
        for words, held in zip(given["block"], expect["capacity"], strict=True):
            count, _, kind = held.partition(" ")
            assert BLOCKS[sizes[words]] // rooms[kind] == int(count)
        assert BLOCKS["small"] < rooms["infantry stands"], "no whole stand goes into a small block"
        return
    if given["stand"].startswith("line, 8 in"):
        assert [facings_for(45), facings_for(60)] == expect["facing_changes_counted"]
        return
    if "labelled FI" in given["stand"]:
        rules = SCALES[scale]
        label = StandLabel("FI", 5, frozenset({"PT"}))
        assert rate_of(label, rules.tables, rules.options_resolve({})) == expect["rate_in"]
        return
    if given["stand"].startswith("commander"):
        set_up(given, path=["marshy-banked stream"])
        ride(expect, scale)
        return
    g = stand_of(given["stand"], scale)
    u = g.u[0]
    if "max_in" in expect:
        code = AREAS[given["path"][0].split()[0]]
        factor = float(g.going[code].costs[allowance.ground_column(u)])
        assert allowance.reach_of(g, u, factor, 0) == pytest.approx(float(Fraction(expect["max_in"])))
        return
    if "choice" in given:  # with a whole turn left its owner pays for a bridge
        set_up(given, choice="pay")
    for step in given.get("path", ()):
        walk(g, step)
    for _ in range(given.get("facing_changes", 0)):
        assert allowance.change_facing(g, 0)
    if "charge" in given:
        if given["charge"].startswith("leave road march"):
            assert formations.leave_road_march(g, 0, False)
            reached = allowance.pay_for_leg(g, 0, 8.0, 1.0, 0)
        else:
            reached = cross(g, FENCE) and allowance.pay_for_leg(g, 0, 10.0, 1.0, 0)
        assert bool(reached) is expect["reaches"]
    if "turn_left" in expect:
        assert u.left == pytest.approx(float(Fraction(expect["turn_left"])))
    if "inches_left_in_open" in expect:
        left = allowance.reach_of(g, u, 1.0, 0)
        assert left == pytest.approx(float(Fraction(expect["inches_left_in_open"])))
    after = expect.get("state_after", expect.get("state_after_moving"))
    if after:
        assert u.state == STATES[after]


def ride(expect: Facts, scale: str) -> None:
    g = field(Stand(), scale=scale, leaders=(Leader(0, r.BRIGADE_COMMANDER, 30.0, 18.0, brigade=0),))
    riding.begin_ride(g, 0)
    assert riding.wade_marshy_stream(g, 0)
    e = g.leaders[0]
    assert (e.rate, Fraction(e.left)) == (expect["rate_in"], Fraction(expect["turn_left"]))
    assert e.left * e.rate == float(expect["inches_left_in_open"])


def check_marsh(given: Facts, expect: Facts, scale: str) -> None:
    g = one(scale, kind="Fd")
    trodden = int("another has crossed" in given["stand"])
    bonus = allowance.marsh_die(g.u[0], trodden)
    assert bonus == given["die_modifier"]
    rows = [int(allowance.marsh_row(die + bonus)) for die in D6]
    found = {name: Fraction(rows.count(k), 6) for k, name in enumerate(("normal", "x2", "x4_disordered"))}
    assert found == {name: Fraction(chance) for name, chance in expect.items()}
    assert [row[1:] for row in MARSH] == [(1, False), (2, False), (4, True)]


def check_command(given: Facts, expect: Facts, scale: str) -> None:
    if "action" in given:
        g = field(Stand(y=20.0), Stand(1, y=41.5), scale=scale)
        set_up(given, stand="line, out of command, visible enemy 20 in north")
        set_up(given, action=["move 4 in south", "move 4 in north"])
        moves = [sight.comes_nearer(g, 0, 30.0, 20.0 + far, 0) for far in (-4.0, 4.0)]
        assert [not nearer for nearer in moves] == expect["allowed"]
        return
    if "unit" in given:
        apart = 1.0 if "1 in from B" in given["unit"] else 0.0
        leader = Leader(0, r.BRIGADE_COMMANDER, 30.0 - 1.5 - 5.0 - 0.75, 20.0, brigade=0)
        g = field(
            Stand(x=30.0, unit="own", brigade=0),
            Stand(x=33.0, unit="own", brigade=0),
            Stand(x=36.0 + apart, unit="own", brigade=0),
            scale=scale,
            leaders=(leader,),
        )
        gaps = {f"BC to {n}": round(float(leader_gap(g, 0, i)), 9) for i, n in enumerate("ABC")}
        assert gaps == given["distances_in"]
        command.determine_command(g, 0)
        assert {n: bool(g.u[i].in_command) for i, n in enumerate("ABC")} == expect["in_command"]
        return
    ((who, inches),) = given["distances_in"].items()
    kind = "Fd" if given["stand"].startswith("artillery") else "FI"
    half = 0.75 if kind == "Fd" else 1.5
    x = 30.0 - half - 0.75 - inches
    if "UC" in who:
        leader = Leader(0, r.UNIT_COMMANDER, x, 20.0, unit=0 if who == "own UC" else 1)
    elif who.startswith("WC"):
        leader = Leader(0, r.WING_COMMANDER, x, 20.0)
    else:
        leader = Leader(0, r.BRIGADE_COMMANDER, x, 20.0, brigade=1 if "another" in who or "2" in who else 0)
    g = field(Stand(kind=kind, brigade=0, wing=1), Stand(x=90.0, brigade=1), scale=scale, leaders=(leader,))
    command.determine_command(g, 0)
    assert bool(g.u[0].in_command) is expect["in_command"]


def check_geometry(given: Facts, expect: Facts, scale: str) -> None:
    if "gun" in given:
        set_up(given, gun="heavy, front centre (0,0), facing +y")
        found = []
        for x, y in given["target_nearest_points"]:
            # that point of it is nearest to the gun: its left front corner, or the middle of its front
            aside = x + 1.5 if x > 0 else x
            g = field(
                Stand(kind="Hv", x=30.0, y=10.0), Stand(1, x=30.0 + aside, y=11.5 + y + 0.75), scale=scale
            )
            assert (front_x(g, g.u[0]), front_y(g, g.u[0])) == (30.0, 11.5)
            found.append(bool(danger.depth_of_zone(g, 0, 1) >= 0.0))
        assert found == expect["in_danger_zone"]
        return
    if "enemy_skirmishers_in_lane" in given:
        set_up(given, enemy_skirmishers_in_lane=True)
        set_up(expect, musket_target="skirmishers")
        screen = Stand(1, y=24.0, abilities=("detachments",), form=r.SKIRMISH)
        behind = Stand(1, y=24.0 + given["formed_enemy_behind_in"])
        muskets = field(Stand(y=18.0), screen, behind, scale=scale)
        assert (lane_open(muskets, 0, 2), lane_open(muskets, 0, 1)) == (False, True)
        guns = field(Stand(kind="Fd", y=18.0), screen, behind, scale=scale)
        assert lane_open(guns, 0, 2) is expect["artillery_may_choose_formed"]
        return
    set_up(given, obstacle="woods on contour 0 (height 1)")
    viewer, target = given["viewer_contour"], given["target_contour"]
    if "distance_obstacle_to_target_in" in given:
        near = given["distance_obstacle_to_viewer_in"]
        found = [
            bool(sight.is_sight_blocked(viewer, target, 1, near, far))
            for far in given["distance_obstacle_to_target_in"]
        ]
        assert found == expect["blocked"]
        return
    assert bool(sight.is_sight_blocked(viewer, target, 1, 5.0, 5.0)) is expect["blocked"]
