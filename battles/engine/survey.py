"""Structures, works and ways over water that stand on the table. No numba here.

Found from the battle file alone, so that a layout large enough can be chosen before it is filled.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple, Protocol

from battles.engine.dtypes import (
    BRIDGE,
    BUILDING,
    BY_BRIDGE,
    BY_FORD,
    FENCE,
    FIELDWORK,
    REDOUBT,
    STOCKADE,
    STREAM,
    WALL,
)
from battles.files.schema import BattleGround, Feature, Point
from battles.ground.features import CAPACITY, PIECE, find_building_base, list_stretches, road_strips
from battles.ground.shapes import Rectangle, iter_pieces, left_over
from battles.ground.waters import find_crossing_ground, waters_of

KIND_CODES = {"fence": FENCE, "wall": WALL, "fieldwork": FIELDWORK, "stockade": STOCKADE, "redoubt": REDOUBT}


class GroundSpot(NamedTuple):
    """The ground at one spot: the combination that has one code and one set of costs.

    `rough` is 1 for rough ground and crops, 2 for swamp and marsh; `wood` 1 open, 2 dense; `grade` of
    the slope and one more than the grade of a `road`, both 1 gentle, 2 steep, 3 impassable; `water` 1
    open, 2 under a bridge, 3 at a ford.
    """

    height: int = 0
    grade: int = 0
    rough: int = 0
    wood: int = 0
    road: int = 0
    water: int = 0
    rubble: int = 0


@dataclass(frozen=True, slots=True)
class Terrain:
    """A ruleset's figures for the ground.

    `costs` gives the inches of allowance an inch costs each of the four classes spread out and then on
    a road in column, 0.0 where it cannot go; `strength` the full SP of a structure, by the piece of
    100 mm for works and bridges; with `ford_free` a ford costs nothing.
    """

    costs: Callable[[GroundSpot], tuple[float, ...]]
    strength: Callable[[Feature], int]
    ford_free: bool = False


class Structure(NamedTuple):
    """A thing with SP; `ground` is None for works, whose lines say where they are."""

    kind: int
    sp: int
    full: int
    feature: int
    ground: Rectangle | None = None
    capacity: int = 0


class StraightWork(NamedTuple):
    """A straight obstacle of a structure, or -1 for a stream's; `gate` is the bridge over it, or -1."""

    kind: int
    start: Point
    end: Point
    structure: int
    gate: int = -1


class Gate(NamedTuple):
    """A bridge, with the first and number of its structures, or a ford."""

    kind: int
    ground: Rectangle
    structure: int = -1
    pieces: int = 0


class Room(Protocol):
    """Capacities of a state record, of whatever ruleset."""

    @property
    def dice(self) -> int: ...
    @property
    def events(self) -> int: ...
    @property
    def structures(self) -> int: ...
    @property
    def works(self) -> int: ...
    @property
    def gates(self) -> int: ...
    @property
    def rows(self) -> int: ...
    @property
    def columns(self) -> int: ...


@dataclass(slots=True)
class Survey:
    """All that stands on a table; buildings come first among the structures."""

    structures: list[Structure] = field(default_factory=list)
    works: list[StraightWork] = field(default_factory=list)
    gates: list[Gate] = field(default_factory=list)

    def fits(self, size: Room) -> bool:
        """True when a layout has room for it all, and for the work of the defender's start line."""
        return (
            len(self.structures) < size.structures
            and len(self.works) < size.works
            and len(self.gates) <= size.gates
        )


def survey_plain(ground: BattleGround | None) -> Survey:
    """The survey under rules that batter nothing down and count a ford as a stream."""
    terrain = Terrain(costs=lambda spot: (), strength=lambda feature: 1)
    return survey_ground(ground, terrain) if ground is not None else Survey()


def survey_ground(ground: BattleGround, terrain: Terrain) -> Survey:
    """Structures, works and gates on the ground, in the order of the battle file with buildings first."""
    found = Survey()
    listed = list(enumerate(ground.features))
    for n, feature in listed:
        if feature.kind == "building":
            full, sp = _find_strengths(feature, terrain)
            where = find_building_base(feature)
            found.structures.append(Structure(BUILDING, sp, full, n, where, CAPACITY[feature.size]))
    for n, feature in listed:
        if feature.kind in ("bridge", "ford"):
            _add_gate(found, n, feature, ground, terrain)
    roads = road_strips(ground)
    for n, feature in listed:
        if feature.kind in ("fence", "wall"):
            _add_line(found, n, feature, roads, terrain)
        elif feature.kind in ("fieldwork", "stockade"):
            _add_pieces(found, n, feature, terrain)
        elif feature.kind == "redoubt":
            _add_line(found, n, feature, [], terrain)
        elif feature.kind == "stream":
            _add_stream(found, feature, terrain)
    return found


def _find_strengths(feature: Feature, terrain: Terrain) -> tuple[int, int]:
    full = terrain.strength(feature)
    return full, full if feature.sp is None else feature.sp


def _add_line(found: Survey, n: int, feature: Feature, roads: list[Rectangle], terrain: Terrain) -> None:
    """One structure however long; a road goes through a fence or wall by a gap (our ruling)."""
    kind = KIND_CODES[feature.kind]
    full, sp = _find_strengths(feature, terrain)
    k = len(found.structures)
    found.structures.append(Structure(kind, sp, full, n))
    for p, q in list_stretches(feature):
        found.works += [StraightWork(kind, start, end, k) for start, end in left_over(p, q, roads)]


def _add_pieces(found: Survey, n: int, feature: Feature, terrain: Terrain) -> None:
    """A structure for every 100 mm, as near as equal pieces come (AWI-T-FOR-01)."""
    kind = KIND_CODES[feature.kind]
    full, sp = _find_strengths(feature, terrain)
    for course in iter_pieces(feature.points, PIECE):
        k = len(found.structures)
        found.structures.append(Structure(kind, sp, full, n))
        found.works += [StraightWork(kind, p, q, k) for p, q in pairwise(course) if p != q]


def _add_gate(found: Survey, n: int, feature: Feature, ground: BattleGround, terrain: Terrain) -> None:
    """A bridge with a structure for every 100 mm of its length, or a ford.

    A ford through a river costs what a stream costs (AWI-T-TER-09): it gets a stream's line across.
    """
    where = find_crossing_ground(ground, feature)
    if feature.kind == "bridge":
        full, sp = _find_strengths(feature, terrain)
        count = max(1, -int(-(2.0 * where.half_depth - 0.01) // PIECE))
        found.gates.append(Gate(BY_BRIDGE, where, len(found.structures), count))
        half = where.half_depth / count
        for k in range(count):
            x, y = where.spot(0.0, (2 * k + 1 - count) * half)
            piece = Rectangle(x, y, where.heading, where.half_width, half)
            found.structures.append(Structure(BRIDGE, sp, full, n, piece))
        return
    found.gates.append(Gate(BY_FORD, where))
    if not terrain.ford_free and waters_of(ground).hold((where.x, where.y)):
        reach = where.half_width + 1.0
        found.works.append(StraightWork(STREAM, where.spot(-reach, 0.0), where.spot(reach, 0.0), -1))


def _add_stream(found: Survey, feature: Feature, terrain: Terrain) -> None:
    """A stream's straight pieces; those under a bridge name it, those at a free ford are left out."""
    fords = [gate.ground for gate in found.gates if gate.kind == BY_FORD and terrain.ford_free]
    bridges = [(k, gate.ground) for k, gate in enumerate(found.gates) if gate.kind == BY_BRIDGE]
    for p, q in list_stretches(feature):
        for start, end in left_over(p, q, [*fords, *(where for _, where in bridges)]):
            found.works.append(StraightWork(STREAM, start, end, -1))
        for k, where in bridges:
            span = left_over(p, q, [where])
            if span == [(p, q)]:
                continue
            first = span[0][1] if span and span[0][0] == p else p
            last = span[-1][0] if span and span[-1][1] == q else q
            found.works.append(StraightWork(STREAM, first, last, -1, k))
