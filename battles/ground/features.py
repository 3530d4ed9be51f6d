"""Sizes of things on the ground, and the shapes they make (AWI-T-TER-08 to 10). No numba here."""

import math
from itertools import pairwise

from battles.files.schema import BattleFile, BattleGround, BattleUnit, Feature, Point
from battles.ground.shapes import Rectangle
from rosters.domain.vocabulary import TYPES, Arm

#: Inches across (AWI-T-TER-08, AWI-T-TER-09). Of fords nothing is said; ours let a line through.
STREAM_WIDTH, RIVER_WIDTH, ROAD_WIDTH, BRIDGE_WIDTH, FORD_WIDTH = 2.0, 6.0, 2.0, 2.0, 4.0
#: 100 mm, the piece of a work or bridge that has its own SP (AWI-T-FOR-01), in inches.
PIECE = 100.0 / 25.4
#: Half breadth and half depth in inches of buildings of 100 by 50 and 100 by 100 mm (AWI-T-TER-10).
BUILDING_HALVES = {"small": (PIECE / 2.0, PIECE / 4.0), "large": (PIECE / 2.0, PIECE / 2.0)}
CAPACITY = {"small": 1, "large": 2}
#: Inches from the middle of a stream to the end of a bridge or ford.
STREAM_REACH = 1.5
#: Inches of a table without a ground of its own, and the breadth a unit drawn up in a line takes.
TABLE_WIDTH, TABLE_DEPTH, SLOT = 96.0, 60.0, 4.25
#: Half a base and a base of 45 mm in inches (AWI-T-UNI-01).
HALF_BASE, WHOLE_BASE = 45.0 / 50.8, 45.0 / 25.4
#: Inches from a unit's centre to the table's edge, at least (left and right, near and far).
EDGE_X, EDGE_Y = 1.0, 0.9

#: Fields that only some kinds of feature have, and which do.
FIELDS_OF: dict[str, tuple[str, ...]] = {
    "height": ("hill",),
    "grade": ("hill",),
    "road_grade": ("road",),
    "material": ("bridge", "building"),
    "size": ("building",),
    "heading": ("bridge", "ford", "building"),
    "open_gorge": ("redoubt",),
    "sp": ("fence", "wall", "fieldwork", "stockade", "redoubt", "bridge", "building"),
}

#: Inches between the spots that are looked at to find the banks, and how far they are looked for.
STEP, FARTHEST = 0.25, 60.0


def find_building_base(feature: Feature) -> Rectangle:
    """The ground a building stands on."""
    return Rectangle(*feature.points[0], feature.heading % 360, *BUILDING_HALVES[feature.size])


def list_stretches(feature: Feature) -> list[tuple[Point, Point]]:
    """The straight pieces of a line; a redoubt's close on themselves unless its gorge is open."""
    points = list(feature.points)
    if feature.kind == "redoubt" and not feature.open_gorge and len(points) > 2:
        points.append(points[0])
    return [(p, q) for p, q in pairwise(points) if p != q]


def road_strips(ground: BattleGround) -> list[Rectangle]:
    """The ground of all roads, straight piece by straight piece."""
    return [
        build_strip(p, q, ROAD_WIDTH / 2.0)
        for feature in ground.features
        if feature.kind == "road"
        for p, q in list_stretches(feature)
    ]


def build_strip(p: Point, q: Point, half: float) -> Rectangle:
    """The strip of so many inches to each side of the way from p to q."""
    dx, dy = q[0] - p[0], q[1] - p[1]
    heading = math.degrees(math.atan2(dx, dy))
    return Rectangle((p[0] + q[0]) / 2.0, (p[1] + q[1]) / 2.0, heading, half, (dx * dx + dy * dy) ** 0.5 / 2)


def table_size(battle: BattleFile) -> tuple[float, float]:
    """Breadth and depth of the table in inches.

    Without a ground it grows beyond 96 inches so that a side stands in three lines at most.
    """
    if battle.ground is not None:
        return battle.ground.width, battle.ground.depth
    most = max(sum(unit.side == side for unit in battle.units) for side in (battle.attacker, battle.defender))
    return max(TABLE_WIDTH, 8.0 + SLOT * -(-most // 3)), TABLE_DEPTH


def is_in_line(unit: BattleUnit) -> bool:
    """True when a unit is drawn up with its two bases abreast (AWI-T-UNI-02)."""
    if TYPES[unit.troop_type].arm is Arm.WHEELED or unit.posture == "column":
        return False
    return unit.posture == "line" or unit.arrives == 0


def find_footprint(unit: BattleUnit, x: float, y: float, facing: float) -> Rectangle:
    """The ground a unit covers where it is drawn up."""
    halves = (WHOLE_BASE, HALF_BASE) if is_in_line(unit) else (HALF_BASE, WHOLE_BASE)
    return Rectangle(x, y, facing, *halves)


def facing_of(battle: BattleFile, unit: BattleUnit) -> int:
    """The heading a unit is drawn up with: towards the enemy's edge unless told otherwise."""
    if unit.facing is not None:
        return unit.facing % 360
    return 0 if unit.side == battle.attacker else 180
