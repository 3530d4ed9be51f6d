"""Random assaults over the ground generator's countries, and whether an attacker could still gain ground.

The second question is answered apart from the engine: a search over a grid of the file's own shapes.
"""

import heapq
import itertools
import math
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, get_args

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from battles.engine.commanding import goes_forward
from battles.engine.dtypes import BROKEN, CLOSE, DAY_OVER, NOTHING_LEFT, ON_TABLE, STEADY
from battles.files.schema import BattleFile, BattleGround, BattleLeader, BattlePlan, BattleUnit, Point
from battles.ground.countries import BUILDINGS, COUNTRIES, Crossing, Season
from battles.ground.features import find_building_base
from battles.ground.landscape import FRONTAGE, ground_generate, table_width
from battles.ground.shapes import Rectangle
from battles.ground.sketch import RIVER_HALF
from battles.rulesets import registry
from battles.rulesets.regimental import records as regimental
from battles.rulesets.regimental.states import find_condition
from battles.rulesets.volley_bayonet import records as volley_bayonet
from battles.rulesets.volley_bayonet.exhaustion import is_exhausted
from rosters.domain.vocabulary import GunClass, TroopType
from tests.battles.grounds import FORTIFICATIONS

CROWN, CONGRESS = "crown", "congress"
#: Endings after which nobody could go on: the day is over, or a side is.
DECIDED = (NOTHING_LEFT, BROKEN, DAY_OVER)
TERRAINS = tuple(COUNTRIES)
#: Kinds of places and ways of the map, with all that bars a field.
KINDS = (*BUILDINGS, "highway", "road", "track", "trail", "river", "lake")
FOOT = {
    CROWN: (TroopType.BRITISH_LINE, TroopType.BRITISH_LIGHT_INFANTRY, TroopType.LOYALIST_LINE),
    CONGRESS: (TroopType.CONTINENTAL_LINE, TroopType.MILITIA, TroopType.RANGERS),
}
HORSE = {CROWN: TroopType.EUROPEAN_LIGHT_CAVALRY, CONGRESS: TroopType.AMERICAN_LIGHT_CAVALRY}
GUNS = {CROWN: TroopType.EUROPEAN_ARTILLERY, CONGRESS: TroopType.AMERICAN_ARTILLERY}


def plain(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel that calls no other, as plain Python: none of its compiled code may be called from here."""
    function: Callable[..., Any] = getattr(kernel, "py_func", kernel)
    return function


def random_assault(draw: Random, ruleset: str, terrain: str) -> BattleFile:
    """An attacker under orders to assault and a defender who holds, as a campaign would write them."""
    counts = {CROWN: draw.randint(2, 9), CONGRESS: draw.randint(1, 7)}
    most = max(counts.values())
    holding = counts[CONGRESS]
    ground = ground_generate(
        terrain=terrain,
        kind=draw.choice(KINDS),
        crossing=draw.choice((*get_args(Crossing), "none", "none")),
        fortification=draw.choice((*FORTIFICATIONS, "none", "none", "none")),
        season=draw.choice(get_args(Season)),
        wet=draw.random() < 0.2,
        shore=draw.random() < 0.1,
        seed=draw.getrandbits(64),
        width=table_width(most),
        front=(-(-2 * holding // 3) if holding > 6 else holding) * FRONTAGE + 1.0,
    )
    units = tuple(unit for side, count in counts.items() for unit in _units(draw, side, count))
    return BattleFile(
        title=f"Assault in {terrain}",
        attacker=CROWN,
        defender=CONGRESS,
        units=units,
        plans={
            CROWN: BattlePlan(draw.choice(("assault", "assault", "turn_flank"))),
            CONGRESS: BattlePlan("hold"),
        },
        turns=draw.randint(30, 60),
        ruleset=ruleset,
        leaders=leaders_of(units),
        ground=ground,
    )


def _units(draw: Random, side: str, count: int) -> list[BattleUnit]:
    units = []
    for number in range(count):
        chance = draw.random()
        kind = HORSE[side] if chance < 0.1 else GUNS[side] if chance < 0.2 else draw.choice(FOOT[side])
        if number == 0:
            kind = FOOT[side][0]
        gun = GunClass.LIGHT if kind is GUNS[side] else GunClass.NONE
        units.append(
            BattleUnit(f"{side} {number}", f"{side} {number}", side, kind, draw.randint(2, 6), gun_class=gun)
        )
    return units


def leaders_of(units: tuple[BattleUnit, ...]) -> tuple[BattleLeader, ...]:
    """A brigadier to every four units, and a senior over more than one."""
    leaders: list[BattleLeader] = []
    for side in (CROWN, CONGRESS):
        own = [unit.id for unit in units if unit.side == side]
        brigades = [
            BattleLeader(
                f"{side} b{start}", f"{side} b{start}", side, "brigadier", tuple(own[start : start + 4])
            )
            for start in range(0, len(own), 4)
        ]
        leaders += brigades
        if len(brigades) > 1:
            names = tuple(one.id for one in brigades)
            leaders.append(BattleLeader(f"{side} s", f"{side} s", side, "senior", names))
    return tuple(leaders)


#: What bars close foot in each ruleset, by the words of a battle file; slopes called impassable bar all.
BARS_FOOT: dict[str, frozenset[str]] = {
    "awi": frozenset({"water", "river"}),
    "regimental": frozenset({"water", "river"}),
    "vb_wing": frozenset({"water", "river"}),
    "vb_division": frozenset({"water", "river"}),
    "vb_rtg": frozenset({"water", "river", "swamp"}),
}
#: What leads over water.
WAYS = ("bridge", "ford")
#: Inches of a file's table that half a front needs beside what bars.
CLEAR = 1.0
#: The same from the enemy at which foot has come as near as it need: its shot, or as near as the rules let
#: anybody who does not charge, and the depth of two bases.
AT_ENEMY = {"awi": 10.0, "regimental": 12.0, "vb_wing": 14.0, "vb_division": 14.0, "vb_rtg": 17.0}


def way_lengths(battle: BattleFile, enemies: Sequence[Point]) -> NDArray[np.float64]:
    """Inches of the shortest passable way from each inch of the table to an enemy, by a plain search."""
    ground = battle.ground
    assert ground is not None
    shut = _shut(battle, ground)
    rows, columns = shut.shape
    far = np.full(shut.shape, np.inf)
    todo: list[tuple[float, int, int]] = []
    for x, y in enemies:
        row, column = min(int(y), rows - 1), min(int(x), columns - 1)
        far[row, column] = 0.0
        heapq.heappush(todo, (0.0, row, column))
    while todo:
        inches, row, column = heapq.heappop(todo)
        if inches > far[row, column]:
            continue
        for r, c in itertools.product(range(row - 1, row + 2), range(column - 1, column + 2)):
            if not (0 <= r < rows and 0 <= c < columns) or shut[r, c] or shut[row, c] or shut[r, column]:
                continue
            there = inches + math.hypot(r - row, c - column)
            if there < far[r, c]:
                far[r, c] = there
                heapq.heappush(todo, (there, r, c))
    return far


def _shut(battle: BattleFile, ground: BattleGround) -> NDArray[np.bool_]:
    """True for each inch of the table that bars close foot, or leaves no room for its base."""
    kinds = BARS_FOOT[battle.ruleset]
    bars: list[BaseGeometry] = []
    for one in ground.features:
        if one.kind in ("river", "stream"):
            if one.kind in kinds:
                bars.append(LineString(one.points).buffer(RIVER_HALF))
        elif one.kind == "building":
            bars.append(Polygon(find_building_base(one).corners()))
        elif one.kind in kinds or (one.kind == "hill" and one.grade == "impassable"):
            bars.append(Polygon(one.points))
    ways = [shapely.Point(one.points[0]).buffer(4.0) for one in ground.features if one.kind in WAYS]
    whole = unary_union([shape.buffer(CLEAR) for shape in bars]).difference(unary_union(ways))
    xs, ys = np.meshgrid(np.arange(0.5, ground.width), np.arange(0.5, ground.depth))
    return np.asarray(shapely.contains_xy(whole, xs, ys))


def could_gain_ground(battle: BattleFile, seed: int) -> list[str]:
    """Attackers of close foot who could still gain ground when a fight ended undecided, each with its way.

    Empty for a fight that was decided, or to which night put an end before both sides rested.
    """
    fights = registry.get_ruleset(battle.ruleset).load()
    state, _, _ = fights.ready(battle).run(seed, record=False)
    g, inch = state[0], getattr(fights, "inch", 1.0)
    if g.holder >= 0 or g.ending in DECIDED or not plain(goes_forward)(g.plan[0]):
        return []
    there = [u for u in g.u[: g.n] if u.place == ON_TABLE]
    enemies = [(float(u.x) / inch, float(u.y) / inch) for u in there if u.side == 1]
    able = [u for u in there if u.side == 0 and ABLE[battle.ruleset](g, u)]
    if not able or not enemies:
        return []
    far = way_lengths(battle, enemies)
    told = []
    for u in able:
        x, y = float(u.x) / inch, float(u.y) / inch
        inches = far[min(int(y), far.shape[0] - 1), min(int(x), far.shape[1] - 1)]
        if AT_ENEMY[battle.ruleset] < inches < np.inf:
            told.append(f"at {x:.1f}, {y:.1f}: {inches:.0f} inches to go")
    return told


def _awi(g: Any, u: Any) -> bool:
    fresh = u.sp > 1 or u.sp_start < 3
    return bool(u.arm == 0 and u.order_ == CLOSE and u.mood == STEADY and u.shoots == 1 and fresh)


def _regimental(g: Any, u: Any) -> bool:
    foot = u.class_ == regimental.FOOT and u.order_ == regimental.GOOD and u.inside < 0
    return bool(foot and u.weapon != regimental.NO_WEAPON and plain(find_condition)(g, u) != regimental.SPENT)


def _volley_bayonet(g: Any, u: Any) -> bool:
    foot = u.class_ == volley_bayonet.INFANTRY and u.state == volley_bayonet.GOOD and u.inside < 0
    fresh = u.sp > 1 or u.sp_start < 3
    able = foot and u.in_command == 1 and u.spare == 0 and fresh and not plain(is_exhausted)(g, u)
    return bool(able and not _has_come_up(g, u))


def _has_come_up(g: Any, u: Any) -> bool:
    """Whether a stand is as near to an enemy as the rules let anybody who does not charge.

    By bases, for those of brigades are broad: centres may lie far apart. Nobody charges whom he does not see.
    """
    enemies = [b for b in g.u[: g.n] if b.place == ON_TABLE and b.side != u.side]
    own, most = _base(g, u), float(g.t.stop_short) + 0.1
    return any(own.distance(_base(g, b)) <= most for b in enemies)


def _base(g: Any, u: Any) -> Polygon:
    if u.inside >= 0:
        halves = g.structures[u.inside].half_width, g.structures[u.inside].half_depth
    else:
        form = volley_bayonet.SKIRMISH if u.form == volley_bayonet.SKIRMISH else volley_bayonet.FORMED
        halves = g.t.half_width[u.class_, form], g.t.half_depth[u.class_, form]
    return Polygon(Rectangle(float(u.x), float(u.y), int(u.face), *map(float, halves)).corners())


#: Who is able to go forward, by ruleset: close foot in order, neither spent nor out of command.
ABLE = {
    "awi": _awi,
    "regimental": _regimental,
    **dict.fromkeys(("vb_wing", "vb_division", "vb_rtg"), _volley_bayonet),
}
