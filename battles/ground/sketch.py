"""A ground as it grows: its features, what is taken already, and free spots for more. Inches."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from shapely.geometry import LineString, Polygon, box
from shapely.geometry import Point as Spot
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from battles.files.ground_checks import crosses_itself
from battles.files.schema import AREAS, Feature, FeatureKind, LineKind, Point
from rosters.domain.dice import draw_fraction

#: Depth of ground from an edge that is kept free for drawing up.
ZONE = 17.0
#: Half the widths of roads, streams and rivers (AWI-T-TER-08, 09).
ROAD_HALF, STREAM_HALF, RIVER_HALF = 1.0, 1.0, 3.0
#: Works and structures that a table should not exceed, so that the small state record holds it.
MOST_STRUCTURES, MOST_WORKS = 60, 90
#: Inches of a fieldwork, stockade or bridge that are one structure (AWI-T-FOR-01).
PIECE = 4.0
#: Inches: what is narrower may be folded by rounding to a tenth.
FOLD = 0.15


@dataclass
class GroundSketch:
    """A ground as it grows: features so far, and shapes that later ones must keep clear of.

    Each number has an address under the seed: the piece it is drawn for, and how many that piece has
    drawn before (HR-BAT-06). So what one piece draws, or that it is there at all, changes no other's.
    """

    seed: int
    width: float
    depth: float
    features: list[Feature] = field(default_factory=list)
    water: list[BaseGeometry] = field(default_factory=list)
    solid: list[BaseGeometry] = field(default_factory=list)
    used: list[BaseGeometry] = field(default_factory=list)
    high: list[BaseGeometry] = field(default_factory=list)
    road: LineString = field(default_factory=LineString)
    _piece: str = ""
    _drawn: int = 0

    def begin(self, piece: str) -> None:
        """The numbers drawn from here on are this piece's."""
        self._piece, self._drawn = piece, 0

    def draw(self) -> float:
        """The piece's next number, from 0 up to 1."""
        self._drawn += 1
        return draw_fraction(self.seed.to_bytes(8, "big"), f"{self._piece}/{self._drawn}")

    def between(self, low: float, high: float) -> float:
        """A length from `low` to `high`."""
        return low + (high - low) * self.draw()

    def chance(self, percent: float) -> bool:
        return self.draw() * 100.0 < percent

    def each(self, name: str, pieces: int, more: int = 0) -> Iterator[int]:
        """Numbers of the pieces of a name on a table of this size, now and then one more or less.

        `more` are there besides, on a table of any size. Each piece is begun before it is given.
        """
        self.begin(name)
        count = int(pieces * self.width * self.depth / (96.0 * 60.0) + self.draw()) if pieces else 0
        for number in range(count + more):
            self.begin(f"{name}/{number}")
            yield number

    def lay(self, kind: FeatureKind, points: Sequence[Point], **more: object) -> None:
        """Add a feature, its corners to a tenth of an inch and within the table.

        Rounding may fold an area over itself, most often along the table's edge: the fold is left out, and
        an area of which nothing is left.
        """
        number = sum(one.kind == kind for one in self.features) + 1
        corners = self._round_corners(points)
        if kind in AREAS and not is_simple_outline(corners):
            corners = self._round_corners(corners_of(Polygon(points).buffer(0.0).simplify(FOLD)))
            if not is_simple_outline(corners):
                return
        self.features.append(Feature(kind, corners, id=f"{kind}-{number}", **more))  # type: ignore[arg-type]

    def _round_corners(self, points: Sequence[Point]) -> tuple[Point, ...]:
        return tuple(
            dict.fromkeys(
                (min(self.width, max(0.0, round(x, 1))), min(self.depth, max(0.0, round(y, 1))))
                for x, y in points
            )
        )

    @property
    def table(self) -> Polygon:
        return box(0.0, 0.0, self.width, self.depth)

    def barrier(self, kind: LineKind, points: list[Point]) -> None:
        """A fence or wall, open where road, water or a building is; short remnants are left out."""
        gaps = unary_union([self.road.buffer(ROAD_HALF + 0.8), *self.water, *self.solid])
        line = LineString(points).intersection(self.table).difference(gaps)
        for piece in getattr(line, "geoms", [line]):
            room = count_structures(self.features)
            fits = room[0] < MOST_STRUCTURES and room[1] + len(piece.coords) - 1 <= MOST_WORKS
            if piece.geom_type == "LineString" and piece.length >= 4.0 and fits:
                self.lay(kind, list(piece.coords))
                self.solid.append(piece.buffer(0.5))

    def spot(self, radius: float, taken: list[BaseGeometry], number: int, *, barring: bool) -> Point | None:
        """A free centre for a round piece, in the near half for even numbers and the far for odd.

        What bars troops keeps to the ground between the lines; everything keeps off water.
        """
        low, high = (0.0, self.depth / 2.0) if number % 2 == 0 else (self.depth / 2.0, self.depth)
        if barring:
            margin = min(ZONE + radius, self.depth / 2.0)
            low, high = max(low, margin), min(high, self.depth - margin)
        for _ in range(20):
            x, y = self.between(radius * 0.6, self.width - radius * 0.6), self.between(low, high)
            around = Spot(x, y).buffer(radius * 0.9, quad_segs=4)
            if not any(around.intersects(shape) for shape in (*taken, *self._rivers())):
                return x, y
        return None

    def blob(self, spot: Point, radius: float) -> Polygon:
        """A rounded patch of ten corners around a spot, within the table."""
        flat = self.between(0.7, 1.0)
        corners = []
        for k in range(10):
            angle = math.tau * (k + self.between(-0.25, 0.25)) / 10.0
            reach = radius * self.between(0.8, 1.0)
            corners.append((spot[0] + reach * math.cos(angle), spot[1] + flat * reach * math.sin(angle)))
        return find_largest_polygon(Polygon(corners).intersection(self.table))

    def _rivers(self) -> list[BaseGeometry]:
        """Water too wide for a wood or hill to lie over; a brook may run through them."""
        wide = any(one.kind in ("river", "water") for one in self.features)
        return self.water if wide else []


def is_simple_outline(corners: Sequence[Point]) -> bool:
    """True when corners go round an area once."""
    return len(corners) >= 3 and not crosses_itself(corners)


def count_structures(features: Sequence[Feature]) -> tuple[int, int]:
    """Structures and works the features make up, reckoned high (AWI-T-FOR-01)."""
    structures = works = 0
    for one in features:
        if one.kind in ("building", "bridge"):
            structures += 1 if one.kind == "building" else 2
            continue
        if one.kind not in ("stream", "fence", "wall", "fieldwork", "stockade", "redoubt"):
            continue
        spans = [math.dist(a, b) for a, b in zip(one.points, one.points[1:], strict=False)]
        pieces = sum(math.ceil(span / PIECE) for span in spans)
        if one.kind in ("fieldwork", "stockade"):
            structures, works = structures + pieces, works + pieces
        else:
            structures += one.kind != "stream"
            works += len(spans) + 2 * (one.kind == "stream")
    return structures, works


def find_largest_polygon(shape: BaseGeometry) -> Polygon:
    """The largest polygon of a shape; an empty one when it has none."""
    parts = [part for part in getattr(shape, "geoms", [shape]) if part.geom_type == "Polygon"]
    return max(parts, key=lambda part: part.area, default=Polygon())


def corners_of(shape: BaseGeometry) -> list[Point]:
    """Corners of a polygon without the last, which repeats the first."""
    return [(x, y) for x, y in find_largest_polygon(shape).exterior.coords[:-1]]
