"""Drawing of each piece of ground: washes, water, roads, works and houses as SVG.

Ten units of the drawing are an inch; the far edge is at the top. Colours are attributes, so that a
drawing can be printed by itself; a page may set others by the classes.
"""

import math
from collections.abc import Iterable, Sequence

from battles.files.schema import AREAS, BattleGround, Feature, FeatureKind, Point
from battles.ground.features import BUILDING_HALVES, RIVER_WIDTH, ROAD_WIDTH, STREAM_WIDTH
from battles.ground.shapes import find_point_along, is_inside_polygon, list_edges
from battles.ground.waters import find_crossing_ground

UNIT = 10.0
INK, PAPER = "#2a211c", "#f4ecdb"
#: As they are drawn, the lowest first: roads dip under water, which bridges and fords cross.
LAYERS: tuple[FeatureKind, ...] = (
    "hill", "marsh", "swamp", "rough", "crops", "open_woods", "dense_woods", "road", "stream", "river",
    "water", "ford", "bridge", "fence", "wall", "fieldwork", "stockade", "redoubt", "building",
)  # fmt: skip
_BANK, _WATER, _ROAD, _EARTH = "#5f8187", "#b4ccd0", "#f9f2e2", "#b5966a"
_SLOPES = {"level": "#f0e2bf", "gentle": "#e8d6ad", "steep": "#d6bb8a", "impassable": "#b3946a"}
#: Units from stroke to stroke down a slope, and their length.
_STROKES = {"gentle": (8.0, 11.0), "steep": (5.0, 13.0), "impassable": (3.2, 12.0)}
#: Units by which a corner of wood, hill or course is rounded: less than a fifth of an inch is lost.
_ROUND = 10.0
_BROAD = {"stream": STREAM_WIDTH * UNIT, "river": RIVER_WIDTH * UNIT}

PATTERNS = """<defs>
<g id="bf-tree"><ellipse cx="2.4" cy="4.4" rx="5.2" ry="1.8" fill="#2a211c" opacity=".28"/><path d="M-4.6 2.6a3 3 0 0 1 .5-4.8 3.8 3.8 0 0 1 7-.9 3.3 3.3 0 0 1 1.2 5.7z" stroke="#3d5233" stroke-width=".8"/></g>
<pattern id="bf-open_woods" width="40" height="34" patternUnits="userSpaceOnUse"><rect width="40" height="34" fill="#c3d0a0" fill-opacity=".62"/><g fill="#8ba470"><use href="#bf-tree" x="10" y="9"/><use href="#bf-tree" x="30" y="26"/></g></pattern>
<pattern id="bf-dense_woods" width="24" height="20" patternUnits="userSpaceOnUse"><rect width="24" height="20" fill="#9bb07c" fill-opacity=".75"/><g fill="#5f7d50"><use href="#bf-tree" x="7" y="6"/><use href="#bf-tree" x="18" y="15"/></g></pattern>
<pattern id="bf-marsh" width="28" height="18" patternUnits="userSpaceOnUse"><rect width="28" height="18" fill="#cfdcd2" fill-opacity=".5"/><path d="M2 7h10M16 15h10M5 7v-4M7 7v-5M9 7v-4M19 15v-4M21 15v-5M23 15v-4" stroke="#55797f" fill="none"/></pattern>
<pattern id="bf-swamp" width="18" height="12" patternUnits="userSpaceOnUse"><rect width="18" height="12" fill="#b2c6b4" fill-opacity=".85"/><path d="M1 5h7M10 11h7M3 5v-3M5 5v-4M12 11v-3M14 11v-4" stroke="#3f6465" fill="none"/></pattern>
<pattern id="bf-rough" width="22" height="18" patternUnits="userSpaceOnUse"><rect width="22" height="18" fill="#ddcfb0" fill-opacity=".6"/><path d="M2 7l2-4 4 1 1 3zM13 16l3-4 3 2 1 2z" stroke="#7a6850" fill="#cbb78f"/></pattern>
<pattern id="bf-crops" width="9" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(20)"><rect width="9" height="8" fill="#eddb98" fill-opacity=".85"/><path d="M2.2 0v8M6.7 0v8" stroke="#a98a3a" stroke-dasharray="3 1.5"/></pattern>
</defs>"""  # noqa: E501


def ground_signs(ground: BattleGround) -> Iterable[str]:
    """Everything on the ground, from the hills up; strokes down the slopes lie over the woods."""
    layered = sorted(ground.features, key=lambda one: LAYERS.index(one.kind))
    hills = [one for one in layered if one.kind == "hill"]
    low = LAYERS.index("road")
    yield from (render_sign(ground, one) for one in layered if LAYERS.index(one.kind) < low)
    for number, hill in enumerate(hills):
        yield _render_strokes(ground, hill, hills[number + 1 :])
    above = [one for one in layered if LAYERS.index(one.kind) >= low]
    # the edges of all roads first, so that they open into each other
    yield from (
        _render_line(ground, one, "casing", INK, ROAD_WIDTH * UNIT) for one in above if one.kind == "road"
    )
    yield from (render_sign(ground, one) for one in above)


def render_sign(ground: BattleGround, feature: Feature) -> str:
    """One feature; of a hill its wash alone."""
    kind = feature.kind
    if kind == "road":
        return _render_line(ground, feature, "road", _ROAD, ROAD_WIDTH * UNIT - 3.0)
    if kind in _BROAD:
        return _render_course(ground, feature)
    if kind in AREAS:
        return _render_area(ground, feature)
    if kind == "building":
        return _render_building(ground, feature)
    if kind in ("bridge", "ford"):
        return _render_crossing(ground, feature)
    return _render_work(ground, feature)


def slope_sign(ground: BattleGround, hill: Feature) -> str:
    """A hill's wash with its strokes."""
    return render_sign(ground, hill) + _render_strokes(ground, hill, ())


def _render_line(ground: BattleGround, feature: Feature, name: str, ink: str, broad: float) -> str:
    return (
        f'<path class="{name}" d="{course_path(ground, feature.points)}" fill="none" stroke="{ink}" '
        f'stroke-width="{format_number(broad)}" stroke-linejoin="round" stroke-linecap="square"/>'
    )


def _render_course(ground: BattleGround, feature: Feature) -> str:
    """A stream or river: its banks, and in a river lines along them."""
    broad = _BROAD[feature.kind]
    drawn = _render_line(ground, feature, feature.kind, _BANK, broad) + _render_line(
        ground, feature, "run", _WATER, broad - 3.0
    )
    if feature.kind == "river":
        drawn += _render_line(ground, feature, "run", "#c6d9da", broad - 18.0)
        drawn += _render_line(ground, feature, "run", "#d3e2e1", broad - 36.0)
    return drawn


def _render_area(ground: BattleGround, feature: Feature) -> str:
    kind = feature.kind
    sharp = kind == "crops" or (kind == "water" and len(feature.points) < 5)
    path = course_path(ground, feature.points, closed=True, rounded=not sharp)
    if kind == "hill":
        return f'<path class="hill {feature.grade}" d="{path}" fill="{_SLOPES[feature.grade]}"/>'
    if kind == "water":
        return f'<path class="water" d="{path}" fill="{_WATER}" stroke="{_BANK}" stroke-width="2"/>'
    return (
        f'<path class="{kind.replace("_", "-")}" d="{path}" fill="url(#bf-{kind})" stroke="#7a6850" '
        f'stroke-width="1.2" stroke-dasharray="2 3"/>'
    )


def _render_strokes(ground: BattleGround, hill: Feature, over: Sequence[Feature]) -> str:
    """Strokes down the slope from its edge inwards, none along the table's edge nor under hills over it."""
    if hill.grade == "level":
        return ""
    step, long = _STROKES[hill.grade]
    corners = hill.points
    turn = sum(p[0] * q[1] - q[0] * p[1] for p, q in list_edges(corners))
    inwards = 1.0 if turn > 0 else -1.0
    drawn = []
    for p, q in list_edges(corners):
        span = math.dist(p, q) * UNIT
        if span == 0.0 or _on_edge(ground, p, q):
            continue
        # the drawing's y runs down, so the normal's second part changes sign with it
        ax, ay = -(q[1] - p[1]) * inwards * UNIT / span, -(q[0] - p[0]) * inwards * UNIT / span
        count = max(1, round(span / step))
        for k in range(count):
            spot = find_point_along(p, q, (k + 0.5) / count)
            if any(is_inside_polygon(one.points, spot) for one in over):
                continue
            x, y = to_drawing_point(ground, spot)
            reach = long * (1.0, 0.7, 0.85)[k % 3]
            drawn.append(
                f"M{format_number(x)} {format_number(y)}l{format_number(ax * reach)} "
                f"{format_number(ay * reach)}"
            )
    return (
        f'<path class="slope" d="{"".join(drawn)}" stroke="{INK}" stroke-opacity=".55" stroke-width="1.1"/>'
        if drawn
        else ""
    )


def _on_edge(ground: BattleGround, p: Point, q: Point) -> bool:
    """True for a piece along the edge of the table."""
    x, y = {p[0], q[0]}, {p[1], q[1]}
    return x in ({0.0}, {ground.width}) or y in ({0.0}, {ground.depth})


def _render_work(ground: BattleGround, feature: Feature) -> str:
    closed = feature.kind == "redoubt" and not feature.open_gorge
    path = course_path(ground, feature.points, closed=closed, rounded=False)
    inks = {
        "fence": (("#5d4630", 2.2, "8 2"),),
        "wall": (("#4f463c", 6.0, ""), ("#b9ad98", 3.4, "5 1.6")),
        "fieldwork": ((INK, 9.0, ""), (_EARTH, 5.0, "")),
        "stockade": ((INK, 2.0, ""), (INK, 7.0, "3.4 2.2")),
        "redoubt": ((INK, 14.0, ""), (_EARTH, 9.0, ""), (INK, 1.4, "")),
    }[feature.kind]
    return "".join(
        f'<path class="work {feature.kind}" d="{path}" fill="none" stroke="{ink}" '
        f'stroke-width="{format_number(broad)}'
        f'"{f""" stroke-dasharray="{dashes}" """.rstrip() if dashes else ""}/>'
        for ink, broad, dashes in inks
    )


def _render_building(ground: BattleGround, feature: Feature) -> str:
    half_width, half_depth = (UNIT * half for half in BUILDING_HALVES[feature.size])
    fill = "#8f8378" if feature.material == "stone" else "#9b5a45"
    return (
        f'<g class="building {feature.material}" '
        f"{_format_rotation(ground, feature.points[0], feature.heading)}>"
        f'<rect x="{format_number(-half_width)}" y="{format_number(-half_depth)}" '
        f'width="{format_number(2 * half_width)}" '
        f'height="{format_number(2 * half_depth)}" fill="{fill}" stroke="{INK}" stroke-width="1.6"/>'
        f'<path d="M{format_number(-half_width)} 0h{format_number(2 * half_width)}" stroke="{INK}" '
        'stroke-width=".9"/></g>'
    )


def _render_crossing(ground: BattleGround, feature: Feature) -> str:
    """A bridge or ford from bank to bank."""
    way = find_crossing_ground(ground, feature)
    broad, half = way.half_width * UNIT, way.half_depth * UNIT
    turned = _format_rotation(ground, (way.x, way.y), way.heading)
    if feature.kind == "ford":
        return (
            f'<g class="ford" {turned}><rect x="{format_number(-broad)}" y="{format_number(-half)}" '
            f'width="{format_number(2 * broad)}" '
            f'height="{format_number(2 * half)}" fill="{_ROAD}" fill-opacity=".55"/>'
            f'<path d="M{format_number(-broad)} '
            f"{format_number(-half)}v{format_number(2 * half)}M{format_number(broad)} "
            f'{format_number(-half)}v{format_number(2 * half)}" '
            f'stroke="{INK}" stroke-width="1.8" stroke-dasharray="3 3"/></g>'
        )
    return (
        f'<g class="bridge" {turned}><rect x="{format_number(-broad)}" y="{format_number(-half - 1)}" '
        f'width="{format_number(2 * broad)}" '
        f'height="{format_number(2 * half + 2)}" fill="{_ROAD}"/>'
        f'<path d="M{format_number(-broad - 4)} {format_number(-half - 4)}l4 '
        f"4v{format_number(2 * half)}l-4 4M{format_number(broad + 4)} {format_number(-half - 4)}"
        f'l-4 4v{format_number(2 * half)}l4 4" fill="none" stroke="{INK}" stroke-width="2.6"/></g>'
    )


def _format_rotation(ground: BattleGround, point: Point, heading: float) -> str:
    x, y = to_drawing_point(ground, point)
    return f'transform="translate({format_number(x)} {format_number(y)}) rotate({format_number(heading)})"'


def to_drawing_point(ground: BattleGround, point: Point) -> Point:
    """A point of the table in units of the drawing."""
    return point[0] * UNIT, (ground.depth - point[1]) * UNIT


def course_path(
    ground: BattleGround, points: Sequence[Point], *, closed: bool = False, rounded: bool = True
) -> str:
    """A polyline or polygon as path data, its corners rounded a little unless they lie on the edge."""
    spots = [to_drawing_point(ground, point) for point in points]
    if not rounded or len(spots) < 3:
        return f"M{'L'.join(_format_spot(spot) for spot in spots)}{'Z' if closed else ''}"
    pairs = list(zip([spots[-1], *spots], spots, [*spots[1:], spots[0]], strict=False))
    drawn = [] if closed else [_format_spot(spots[0])]
    for before, corner, after in pairs if closed else pairs[1:-1]:
        x, y = corner
        if x in (0.0, ground.width * UNIT) or y in (0.0, ground.depth * UNIT):
            drawn.append(_format_spot(corner))
            continue
        start, end = _find_rounding_point(corner, before), _find_rounding_point(corner, after)
        drawn.append(f"{_format_spot(start)}Q{_format_spot(corner)} {_format_spot(end)}")
    if not closed:
        drawn.append(_format_spot(spots[-1]))
    return f"M{'L'.join(drawn)}{'Z' if closed else ''}"


def _find_rounding_point(corner: Point, other: Point) -> Point:
    span = math.dist(corner, other)
    return find_point_along(corner, other, min(0.5, _ROUND / span)) if span else corner


def _format_spot(point: Point) -> str:
    return f"{format_number(point[0])} {format_number(point[1])}"


def format_number(value: float) -> str:
    """A number as short as it can be written."""
    short = f"{value:.1f}".rstrip("0").rstrip(".")
    return "0" if short == "-0" else short
