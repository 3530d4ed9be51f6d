"""Checks of a battle file's ground (AWI-T-TER).

Shapely answers what would else be asked of every edge against every other, so it is loaded with this module.
"""

import math
from collections.abc import Iterator, Sequence

from shapely import STRtree, box, linestrings, points
from shapely.geometry import LinearRing, LineString, Polygon
from shapely.geometry.base import BaseGeometry

from battles.errors import BattleFileError
from battles.files.limits import (
    LARGEST_REDOUBT,
    LONGEST,
    MAXIMUM_CROSSINGS,
    MAXIMUM_FEATURES,
    MAXIMUM_HEIGHT,
    MAXIMUM_MEETINGS,
    MAXIMUM_STRUCTURE_SP,
    SHORTEST,
    SMALLEST_REDOUBT,
)
from battles.files.schema import AREAS, LINES, SITES, BattleGround, Feature, Point
from battles.files.suggestions import suggest_names
from battles.ground.features import RIVER_WIDTH, STREAM_WIDTH, find_building_base, list_stretches
from battles.ground.names import describe_feature
from battles.ground.shapes import (
    ON_EDGE,
    Rectangle,
    crossing_point,
    find_clip_span,
    has_overlap,
    is_inside_polygon,
    is_inside_rectangle,
    list_edges,
    measure_span,
)
from battles.ground.waters import find_crossing_ground, waters_of

CHOICES: dict[str, tuple[str, ...]] = {
    "grade": ("level", "gentle", "steep", "impassable"),
    "road_grade": ("level", "gentle", "steep", "impassable"),
    "material": ("wood", "stone"),
    "size": ("small", "large"),
}
#: Half the breadth of what a bridge or ford leads over, inches.
HALF_WIDTHS = {"stream": STREAM_WIDTH / 2.0, "river": RIVER_WIDTH / 2.0, "water": 0.0}
#: Inches by which the middle of a crossing may miss the spot where road and water meet.
MISSES = 2.0


def ground_faults(ground: BattleGround) -> Iterator[BattleFileError]:
    """Ground that cannot be, with the JSON path of each fault.

    First its shapes alone: of ground that is none nothing more can be said.
    """
    yield from (shapes := list(_features_faults(ground)))
    if shapes:
        return
    yield from (crossings := list(_crossings_faults(ground)))
    if crossings:
        return
    yield from _buildings_faults(ground)
    yield from _ways_faults(ground)
    yield from _roads_faults(ground)


def _build_refusal(rule: str, path: str, message: str) -> BattleFileError:
    return BattleFileError(f"AWI-T-{rule}", message, path)


def _features_faults(ground: BattleGround) -> Iterator[BattleFileError]:
    for name, inches in (("width", ground.width), ("depth", ground.depth)):
        if not SHORTEST <= inches <= LONGEST:
            message = f"The table's {name} is {inches} inches; it must be {SHORTEST} to {LONGEST}."
            yield _build_refusal("SCA-02", f"ground.{name}", message)
    if len(ground.features) > MAXIMUM_FEATURES:
        message = f"{len(ground.features)} features are too many; the most is {MAXIMUM_FEATURES}."
        yield _build_refusal("TER-01", "ground.features", message)
        return
    seen: set[str] = set()
    for n, feature in enumerate(ground.features):
        path = f"ground.features[{n}]"
        shape = list(_shape_faults(feature, path))
        yield from shape
        yield from _values_faults(feature, path)
        if not shape:
            yield from _on_table(ground, feature, f"{path}.points")
        if feature.id and feature.id in seen:
            yield _build_refusal(
                "REC-01", f"{path}.id", f"{describe_feature(feature)} is there twice; give each its own id."
            )
        seen.add(feature.id)


def _shape_faults(feature: Feature, path: str) -> Iterator[BattleFileError]:
    corners, kind = feature.points, feature.kind
    if kind not in (*AREAS, *LINES, *SITES):
        known = suggest_names(kind, (*AREAS, *LINES, *SITES))
        yield _build_refusal("TER-01", f"{path}.kind", f"There is no ground called “{kind}”; {known}.")
        return
    path = f"{path}.points"
    if not all(math.isfinite(value) and abs(value) <= 2 * LONGEST for point in corners for value in point):
        yield _build_refusal(
            "TER-01",
            path,
            f"{describe_feature(feature)} has a point that is nowhere near the table; move it.",
        )
        return
    if kind in SITES:
        if len(corners) != 1:
            message = (
                f"{describe_feature(feature)} has {len(corners)} points; give the one where its centre is."
            )
            yield _build_refusal("TER-10", path, message)
    elif kind in AREAS or (kind == "redoubt" and not feature.open_gorge):
        if len(corners) < 3:
            yield _build_refusal(
                "TER-01", path, f"{describe_feature(feature)} needs 3 or more corners, not {len(corners)}."
            )
            return
        if fault := _outline_fault(corners):
            yield _build_refusal("TER-01", path, f"{describe_feature(feature)} {fault}")
    elif not list_stretches(feature):
        yield _build_refusal("TER-01", path, f"{describe_feature(feature)} needs 2 or more different points.")
        return
    if kind == "redoubt" and measure_span(corners) < SMALLEST_REDOUBT:
        message = (
            f"{describe_feature(feature)} is less than {SMALLEST_REDOUBT} inches across, too small "
            "for anybody; "
        )
        yield _build_refusal("FOR-01", path, f"{message}draw it larger.")
    if kind == "redoubt" and measure_span(corners) > LARGEST_REDOUBT:
        message = (
            f"{describe_feature(feature)} is {measure_span(corners):.0f} inches across; a redoubt is "
            "one structure of "
            f"{LARGEST_REDOUBT} at most: draw a longer work as fieldworks."
        )
        yield _build_refusal("FOR-01", path, message)


def _outline_fault(corners: Sequence[Point]) -> str:
    """The fault of a polygon's outline, in words that follow its name; "" for none."""
    different = len(set(corners))
    if different < 3:
        return f"needs 3 or more different corners, not {different}."
    if corners[0] == corners[-1] and different == len(corners) - 1:
        return "names its first corner again at the end; leave the last one out."
    if not Polygon(corners).convex_hull.area:
        return "has no area: its corners lie on one line; move one."
    crosses = "crosses itself; name its corners in order round it, each once."
    return crosses if crosses_itself(corners) else ""


def crosses_itself(corners: Sequence[Point]) -> bool:
    """True when edges of a polygon meet elsewhere than at their common corner, or a corner is there twice."""
    return len(set(corners)) < len(corners) or not LinearRing(corners).is_simple


def _crossings_faults(ground: BattleGround) -> Iterator[BattleFileError]:
    """Edges that cross each other thousands of times: no table has them, and they take minutes to draw up."""
    pieces = [
        piece
        for feature in ground.features
        if feature.kind not in SITES
        for piece in (list_edges(feature.points) if feature.kind in AREAS else list_stretches(feature))
    ]
    if not pieces:
        return
    lines = linestrings(pieces)
    tree, meeting = STRtree(lines), 0
    for start in range(0, len(pieces), 100):
        meeting += tree.query(lines[start : start + 100], "intersects").shape[1]
        if meeting - 3 * len(pieces) > 2 * MAXIMUM_CROSSINGS:  # each meets itself and two neighbours
            message = (
                f"Edges on this ground cross each other more than {MAXIMUM_CROSSINGS:,} times. "
                "Draw its lines and areas simpler, or leave some out."
            )
            yield _build_refusal("TER-01", "ground.features", message)
            return


def _on_table(ground: BattleGround, feature: Feature, path: str) -> Iterator[BattleFileError]:
    """Sites lie on the table with all their ground, areas and lines with some of it."""
    size = f"the table of {ground.width:g} by {ground.depth:g} inches"
    if feature.kind in SITES:
        spots = find_building_base(feature).corners() if feature.kind == "building" else feature.points
        if not all(_is_on(ground, spot) for spot in spots):
            message = f"{describe_feature(feature)} does not lie on {size} with all its ground; move it."
            yield _build_refusal("TER-10" if feature.kind == "building" else "TER-09", path, message)
        return
    whole = Rectangle(ground.width / 2.0, ground.depth / 2.0, 0.0, ground.width / 2.0, ground.depth / 2.0)
    if any(_is_on(ground, spot) for spot in feature.points):
        return
    courses = [*list_stretches(feature), (feature.points[-1], feature.points[0])]
    around = feature.kind in AREAS and is_inside_polygon(feature.points, (whole.x, whole.y))
    if not around and all(find_clip_span(p, q, whole) is None for p, q in courses):
        yield _build_refusal(
            "TER-01", path, f"{describe_feature(feature)} lies off {size}; move it or leave it out."
        )


def _is_on(ground: BattleGround, spot: Point) -> bool:
    return 0.0 <= spot[0] <= ground.width and 0.0 <= spot[1] <= ground.depth


def _values_faults(feature: Feature, path: str) -> Iterator[BattleFileError]:
    for name, choices in CHOICES.items():
        if getattr(feature, name) not in choices:
            message = f"“{getattr(feature, name)}” is no {name} of the ground; take {', '.join(choices)}."
            yield _build_refusal("TER-04", f"{path}.{name}", message)
    if not 0 <= feature.height <= MAXIMUM_HEIGHT:
        message = (
            f"{describe_feature(feature)} is {feature.height} contours high; it must be 0 to "
            f"{MAXIMUM_HEIGHT}."
        )
        yield _build_refusal("TER-04", f"{path}.height", message)
    if feature.sp is not None and not 0 <= feature.sp <= MAXIMUM_STRUCTURE_SP:
        message = (
            f"{describe_feature(feature)} has {feature.sp} SP; a structure has 0 to {MAXIMUM_STRUCTURE_SP}."
        )
        yield _build_refusal("FOR-01", f"{path}.sp", message)


def _buildings_faults(ground: BattleGround) -> Iterator[BattleFileError]:
    """No building stands on another or in the water (AWI-T-TER-10)."""
    built: list[tuple[Rectangle, Feature]] = []
    waters = waters_of(ground)
    for n, feature in enumerate(ground.features):
        if feature.kind != "building":
            continue
        where, path = find_building_base(feature), f"ground.features[{n}].points"
        other = next((one for stands, one in built if meet_close(where, stands)), None)
        if other is not None:
            message = (
                f"{describe_feature(feature)} stands on the same ground as "
                f"{describe_feature(other, 'the')}; move one of them."
            )
            yield _build_refusal("TER-10", path, message)
        if waters.hold((where.x, where.y)):
            yield _build_refusal(
                "TER-10", path, f"{describe_feature(feature)} stands in the water; move it to a bank."
            )
        built.append((where, feature))


def meet_close(one: Rectangle, two: Rectangle) -> bool:
    """True when two rectangles share ground; those far apart are told at once."""
    reach = one.half_width + one.half_depth + two.half_width + two.half_depth
    return abs(one.x - two.x) <= reach and abs(one.y - two.y) <= reach and has_overlap(one, two)


def _ways_faults(ground: BattleGround) -> Iterator[BattleFileError]:
    """A bridge or ford has water under it (AWI-T-TER-09)."""
    ways = [(n, way) for n, way in enumerate(ground.features) if way.kind in ("bridge", "ford")]
    wet = _over_water(ground, [way.points[0] for _, way in ways]) if ways else ()
    for k, (n, way) in enumerate(ways):
        if k not in wet:
            message = (
                f"{describe_feature(way)} has no water under it; put its centre on a stream, a river "
                "or other water."
            )
            yield _build_refusal("TER-09", f"ground.features[{n}].points", message)


def _over_water(ground: BattleGround, spots: Sequence[Point]) -> set[int]:
    """Those of the spots that lie on water or near enough to a course."""
    found: set[int] = set()
    for kind, half in HALF_WIDTHS.items():
        shapes: list[BaseGeometry] = [
            Polygon(course.points) if kind == "water" else LineString(course.points)
            for course in ground.features
            if course.kind == kind
        ]
        near = ON_EDGE if kind == "water" else half + MISSES + ON_EDGE
        found.update(STRtree(shapes).query(points(spots), "dwithin", near)[0].tolist())
    return found


def _roads_faults(ground: BattleGround) -> Iterator[BattleFileError]:
    """Wherever a road meets a stream or river there is a bridge or a ford (AWI-T-TER-09)."""
    courses = [f for f in ground.features if f.kind in ("stream", "river")]
    pieces = [(k, piece) for k, course in enumerate(courses) for piece in list_stretches(course)]
    roads = [(n, road) for n, road in enumerate(ground.features) if road.kind == "road"]
    if not pieces or not roads:
        return
    ways = [find_crossing_ground(ground, f) for f in ground.features if f.kind in ("bridge", "ford")]
    ways = [w._replace(half_width=w.half_width + MISSES, half_depth=w.half_depth + MISSES) for w in ways]
    tree = STRtree(linestrings([piece for _, piece in pieces]))
    table = box(0.0, 0.0, ground.width, ground.depth)
    for n, road in roads:
        path, legs = f"ground.features[{n}].points", list_stretches(road)
        found = tree.query(linestrings(legs), "intersects").T.tolist()
        if len(found) > MAXIMUM_MEETINGS:
            message = f"{describe_feature(road)} meets streams and rivers {len(found):,} times; "
            yield _build_refusal("TER-09", path, f"{message}the most is {MAXIMUM_MEETINGS}. Draw it simpler.")
            continue
        # in the order of the courses, as they stand in the file
        for k, leg, piece in sorted((pieces[piece][0], leg, piece) for leg, piece in found):
            (p, q), (a, b), course = legs[leg], pieces[piece][1], courses[k]
            x, y = crossing_point(p, q, a, b)
            if not any(is_inside_rectangle(way, (x, y)) for way in ways) and table.covers(points(x, y)):
                message = (
                    f"{describe_feature(road)} meets {describe_feature(course, 'the')} at {x:.1f}, {y:.1f}; "
                    "put a bridge or a ford there."
                )
                yield _build_refusal("TER-09", path, message)
