"""Rivers and open water as one shape each, asked for many spots, and ways over them. No numba here."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

import shapely
from shapely.geometry import MultiLineString, Polygon
from shapely.ops import unary_union

from battles.files.schema import BattleGround, Feature, Point
from battles.ground.features import (
    BRIDGE_WIDTH,
    FARTHEST,
    FORD_WIDTH,
    RIVER_WIDTH,
    STEP,
    STREAM_REACH,
    list_stretches,
)
from battles.ground.shapes import ON_EDGE, Rectangle

WET = ("river", "water")
#: Inches from the middle of a way at which its bank is looked for.
REACHES = [STEP * n for n in range(1, int(FARTHEST / STEP))]


class Waters:
    """The water of a table that bars everyone: rivers by their breadth, and open water with its edge.

    A stream is an obstacle and not water. A question costs a few microseconds however many corners there are.
    """

    def __init__(self, features: Iterable[Feature]) -> None:
        every = list(features)
        courses = [piece for one in every if one.kind == "river" for piece in list_stretches(one)]
        self.rivers = MultiLineString(courses) if courses else None
        ponds = [Polygon(one.points) for one in every if one.kind == "water"]
        self.ponds = unary_union(ponds) if ponds else None
        for shape in (self.rivers, self.ponds):
            if shape is not None:
                shapely.prepare(shape)
        self._ways: dict[Feature, Rectangle] = {}

    def hold(self, point: Point) -> bool:
        """True when a point is wet."""
        return self.hold_each([point])[0]

    def hold_each(self, points: Sequence[Point]) -> list[bool]:
        """Of each point whether it is wet."""
        spots = shapely.points(points)
        wet = shapely.is_missing(spots)  # none is
        for shape, near in ((self.rivers, RIVER_WIDTH / 2.0), (self.ponds, 0.0)):
            if shape is not None:
                wet |= shapely.dwithin(shape, spots, near + ON_EDGE)
        found: list[bool] = wet.tolist()
        return found

    def way(self, feature: Feature) -> Rectangle:
        """The ground of a bridge or ford over these waters, found once."""
        if feature not in self._ways:
            self._ways[feature] = self._way(feature)
        return self._ways[feature]

    def _way(self, feature: Feature) -> Rectangle:
        width = BRIDGE_WIDTH if feature.kind == "bridge" else FORD_WIDTH
        here = Rectangle(*feature.points[0], feature.heading % 360, width / 2.0, 0.0)
        ends = []
        for sign in (1.0, -1.0):
            wet = self.hold_each([here.spot(0.0, sign * reach) for reach in REACHES])
            bank = next((reach for reach, is_wet in zip(REACHES, wet, strict=True) if not is_wet), FARTHEST)
            ends.append(max(bank, STREAM_REACH))
        ahead, back = ends
        middle = here.spot(0.0, (ahead - back) / 2.0)
        return Rectangle(*middle, here.heading, width / 2.0, (ahead + back) / 2.0)


@lru_cache(maxsize=8)
def _build_waters(features: tuple[Feature, ...]) -> Waters:
    return Waters(features)


def waters_of(ground: BattleGround) -> Waters:
    """The waters of a ground; those of the last few are kept."""
    return _build_waters(tuple(feature for feature in ground.features if feature.kind in WET))


def find_crossing_ground(ground: BattleGround, feature: Feature) -> Rectangle:
    """The ground of a bridge or ford, from bank to bank along its heading, about their middle."""
    return waters_of(ground).way(feature)
