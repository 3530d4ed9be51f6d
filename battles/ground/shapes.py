"""Points, courses, polygons and rectangles on the table, in plain Python: for checks and for drawing up.

Inches, headings in degrees clockwise from the far edge (+y). The engine's kernels have their own in
`engine/geometry.py`; these load neither numpy nor numba.
"""

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from battles.files.schema import Point

#: What lies this near an edge lies on it.
ON_EDGE = 1.0e-9


@lru_cache(maxsize=1024)
def _find_axes(heading: float) -> tuple[float, float]:
    return math.sin(math.radians(heading)), math.cos(math.radians(heading))


class Rectangle(NamedTuple):
    """A rectangle by centre, heading, and half its breadth and depth."""

    x: float
    y: float
    heading: float
    half_width: float
    half_depth: float

    def axes(self) -> tuple[float, float]:
        """Sine and cosine of the heading."""
        return _find_axes(self.heading)

    def spot(self, right: float, ahead: float) -> Point:
        """The point so far to the right of the centre and ahead of it."""
        s, c = self.axes()
        return self.x + right * c + ahead * s, self.y - right * s + ahead * c

    def seen_from(self, point: Point) -> Point:
        """The inches from the centre to a point: to the right, and ahead."""
        s, c = self.axes()
        dx, dy = point[0] - self.x, point[1] - self.y
        return dx * c - dy * s, dx * s + dy * c

    def corners(self) -> tuple[Point, Point, Point, Point]:
        """The corners in order round it."""
        w, d = self.half_width, self.half_depth
        return self.spot(w, d), self.spot(-w, d), self.spot(-w, -d), self.spot(w, -d)

    def spots(self, share: float = 1.0) -> list[Point]:
        """Corners, middles of the edges and the centre, of the rectangle shrunk to that share."""
        w, d = self.half_width * share, self.half_depth * share
        return [self.spot(i * w, j * d) for i in (-1, 0, 1) for j in (-1, 0, 1)]


def measure_span(points: Sequence[Point]) -> float:
    """The longer side of the upright rectangle round some points."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return max(max(xs) - min(xs), max(ys) - min(ys))


def is_inside_rectangle(rectangle: Rectangle, point: Point) -> bool:
    """True when a point lies in a rectangle or on its edge."""
    right, ahead = rectangle.seen_from(point)
    return abs(right) <= rectangle.half_width + ON_EDGE and abs(ahead) <= rectangle.half_depth + ON_EDGE


def has_overlap(one: Rectangle, two: Rectangle) -> bool:
    """True when two rectangles share ground."""
    for a, b in ((one, two), (two, one)):
        seen = [a.seen_from(corner) for corner in b.corners()]
        for axis, half in ((0, a.half_width), (1, a.half_depth)):
            if min(s[axis] for s in seen) >= half - ON_EDGE or max(s[axis] for s in seen) <= ON_EDGE - half:
                return False
    return True


def find_clip_span(p: Point, q: Point, rectangle: Rectangle) -> tuple[float, float] | None:
    """From which share of the way from p to q to which it runs inside a rectangle; None when nowhere."""
    (pu, pv), (qu, qv) = rectangle.seen_from(p), rectangle.seen_from(q)
    enter, leave = 0.0, 1.0
    for start, end, half in ((pu, qu, rectangle.half_width), (pv, qv, rectangle.half_depth)):
        if start == end:
            if abs(start) >= half:
                return None
            continue
        one, two = sorted(((-half - start) / (end - start), (half - start) / (end - start)))
        enter, leave = max(enter, one), min(leave, two)
    return (enter, leave) if enter < leave else None


def find_point_along(p: Point, q: Point, share: float) -> Point:
    """The point at that share of the way from p to q."""
    return p[0] + (q[0] - p[0]) * share, p[1] + (q[1] - p[1]) * share


def left_over(p: Point, q: Point, cut: Sequence[Rectangle]) -> list[tuple[Point, Point]]:
    """The parts of the way from p to q that no rectangle of `cut` covers."""
    pieces, start = [], 0.0
    for enter, leave in sorted(span for r in cut if (span := find_clip_span(p, q, r)) is not None):
        if enter > start:
            pieces.append((find_point_along(p, q, start), find_point_along(p, q, enter)))
        start = max(start, leave)
    if start < 1.0:
        pieces.append((find_point_along(p, q, start), q))
    return pieces


def _find_turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _is_between(a: Point, b: Point, c: Point) -> bool:
    return min(a[0], b[0]) <= c[0] <= max(a[0], b[0]) and min(a[1], b[1]) <= c[1] <= max(a[1], b[1])


def is_meeting(p: Point, q: Point, a: Point, b: Point) -> bool:
    """True when two straight pieces cross or touch."""
    one, two, three, four = _find_turn(a, b, p), _find_turn(a, b, q), _find_turn(p, q, a), _find_turn(p, q, b)
    if ((one > 0) != (two > 0)) and ((three > 0) != (four > 0)) and one and two and three and four:
        return True
    return (
        (one == 0 and _is_between(a, b, p))
        or (two == 0 and _is_between(a, b, q))
        or (three == 0 and _is_between(p, q, a))
        or (four == 0 and _is_between(p, q, b))
    )


def crossing_point(p: Point, q: Point, a: Point, b: Point) -> Point:
    """The point where two straight pieces that meet do so; between p and q when they run along each other."""
    one, two = _find_turn(a, b, p), _find_turn(a, b, q)
    return find_point_along(p, q, one / (one - two) if one != two else 0.5)


def list_edges(corners: Sequence[Point]) -> list[tuple[Point, Point]]:
    """The edges of a polygon, the last back to the first corner."""
    return [*pairwise(corners), (corners[-1], corners[0])]


def gap2_to(point: Point, p: Point, q: Point) -> float:
    """Squared inches from a point to the straight piece from p to q."""
    dx, dy = q[0] - p[0], q[1] - p[1]
    length2 = dx * dx + dy * dy
    share = ((point[0] - p[0]) * dx + (point[1] - p[1]) * dy) / length2 if length2 else 0.0
    x, y = find_point_along(p, q, min(1.0, max(0.0, share)))
    return (point[0] - x) ** 2 + (point[1] - y) ** 2


def is_inside_polygon(corners: Sequence[Point], point: Point) -> bool:
    """True when a point lies in a polygon or on its edge."""
    x, y = point
    within = False
    for p, q in list_edges(corners):
        if gap2_to(point, p, q) <= ON_EDGE**2:
            return True
        if (p[1] > y) != (q[1] > y) and x < p[0] + (q[0] - p[0]) * (y - p[1]) / (q[1] - p[1]):
            within = not within
    return within


def measure_length(course: Sequence[Point]) -> float:
    """Inches along a course."""
    return sum(math.dist(p, q) for p, q in pairwise(course))


def iter_pieces(course: Sequence[Point], inches: float) -> Iterator[list[Point]]:
    """A course cut in equal pieces as near to so many inches as goes, each with its bends."""
    whole = measure_length(course)
    count = max(1, int(whole / inches + 0.5))
    piece, done, n = [course[0]], 0.0, 1
    for p, q in pairwise(course):
        step = math.dist(p, q)
        while n < count and done + step > whole * n / count + ON_EDGE:
            cut = find_point_along(p, q, (whole * n / count - done) / step)
            piece.append(cut)
            yield piece
            piece, n = [cut], n + 1
        done += step
        piece.append(q)
    yield piece
