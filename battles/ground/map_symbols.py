"""How each piece of ground is drawn: washes, water, roads, works and houses as SVG.

Ten units of the drawing are an inch; the far edge is at the top. Colours are attributes, so that a
drawing can be printed by itself; a page may set others by the classes.
"""

import math
from collections.abc import Iterable, Sequence

from battles.files.schema import AREAS, Feature, FeatureKind, Ground, Point
from battles.ground.features import BUILDING_HALVES, RIVER_WIDTH, ROAD_WIDTH, STREAM_WIDTH
from battles.ground.shapes import along, covers, edges
from battles.ground.waters import way_over

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


def ground_signs(ground: Ground) -> Iterable[str]:
    """Everything on the ground, from the hills up; strokes down the slopes lie over the woods."""
    layered = sorted(ground.features, key=lambda one: LAYERS.index(one.kind))
    hills = [one for one in layered if one.kind == "hill"]
    low = LAYERS.index("road")
    yield from (sign(ground, one) for one in layered if LAYERS.index(one.kind) < low)
    for number, hill in enumerate(hills):
        yield _strokes(ground, hill, hills[number + 1 :])
    above = [one for one in layered if LAYERS.index(one.kind) >= low]
    # the edges of all roads first, so that they open into each other
    yield from (_line(ground, one, "casing", INK, ROAD_WIDTH * UNIT) for one in above if one.kind == "road")
    yield from (sign(ground, one) for one in above)


def sign(ground: Ground, feature: Feature) -> str:
    """One feature; of a hill its wash alone."""
    kind = feature.kind
    if kind == "road":
        return _line(ground, feature, "road", _ROAD, ROAD_WIDTH * UNIT - 3.0)
    if kind in _BROAD:
        return _course(ground, feature)
    if kind in AREAS:
        return _area(ground, feature)
    if kind == "building":
        return _building(ground, feature)
    if kind in ("bridge", "ford"):
        return _way_over(ground, feature)
    return _work(ground, feature)


def slope_sign(ground: Ground, hill: Feature) -> str:
    """A hill's wash with its strokes."""
    return sign(ground, hill) + _strokes(ground, hill, ())


def _line(ground: Ground, feature: Feature, name: str, ink: str, broad: float) -> str:
    return (
        f'<path class="{name}" d="{course_path(ground, feature.points)}" fill="none" stroke="{ink}" '
        f'stroke-width="{n(broad)}" stroke-linejoin="round" stroke-linecap="square"/>'
    )


def _course(ground: Ground, feature: Feature) -> str:
    """A stream or river: its banks, and in a river lines along them."""
    broad = _BROAD[feature.kind]
    drawn = _line(ground, feature, feature.kind, _BANK, broad) + _line(
        ground, feature, "run", _WATER, broad - 3.0
    )
    if feature.kind == "river":
        drawn += _line(ground, feature, "run", "#c6d9da", broad - 18.0)
        drawn += _line(ground, feature, "run", "#d3e2e1", broad - 36.0)
    return drawn


def _area(ground: Ground, feature: Feature) -> str:
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


def _strokes(ground: Ground, hill: Feature, over: Sequence[Feature]) -> str:
    """Strokes down the slope from its edge inwards, none along the table's edge nor under hills over it."""
    if hill.grade == "level":
        return ""
    step, long = _STROKES[hill.grade]
    corners = hill.points
    turn = sum(p[0] * q[1] - q[0] * p[1] for p, q in edges(corners))
    inwards = 1.0 if turn > 0 else -1.0
    drawn = []
    for p, q in edges(corners):
        span = math.dist(p, q) * UNIT
        if span == 0.0 or _on_edge(ground, p, q):
            continue
        # the drawing's y runs down, so the normal's second part changes sign with it
        ax, ay = -(q[1] - p[1]) * inwards * UNIT / span, -(q[0] - p[0]) * inwards * UNIT / span
        count = max(1, round(span / step))
        for k in range(count):
            spot = along(p, q, (k + 0.5) / count)
            if any(covers(one.points, spot) for one in over):
                continue
            x, y = at(ground, spot)
            reach = long * (1.0, 0.7, 0.85)[k % 3]
            drawn.append(f"M{n(x)} {n(y)}l{n(ax * reach)} {n(ay * reach)}")
    return (
        f'<path class="slope" d="{"".join(drawn)}" stroke="{INK}" stroke-opacity=".55" stroke-width="1.1"/>'
        if drawn
        else ""
    )


def _on_edge(ground: Ground, p: Point, q: Point) -> bool:
    """True for a piece along the edge of the table."""
    x, y = {p[0], q[0]}, {p[1], q[1]}
    return x in ({0.0}, {ground.width}) or y in ({0.0}, {ground.depth})


def _work(ground: Ground, feature: Feature) -> str:
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
        f'stroke-width="{n(broad)}"{f""" stroke-dasharray="{dashes}" """.rstrip() if dashes else ""}/>'
        for ink, broad, dashes in inks
    )


def _building(ground: Ground, feature: Feature) -> str:
    half_width, half_depth = (UNIT * half for half in BUILDING_HALVES[feature.size])
    fill = "#8f8378" if feature.material == "stone" else "#9b5a45"
    return (
        f'<g class="building {feature.material}" {_turned(ground, feature.points[0], feature.heading)}>'
        f'<rect x="{n(-half_width)}" y="{n(-half_depth)}" width="{n(2 * half_width)}" '
        f'height="{n(2 * half_depth)}" fill="{fill}" stroke="{INK}" stroke-width="1.6"/>'
        f'<path d="M{n(-half_width)} 0h{n(2 * half_width)}" stroke="{INK}" stroke-width=".9"/></g>'
    )


def _way_over(ground: Ground, feature: Feature) -> str:
    """A bridge or ford from bank to bank."""
    way = way_over(ground, feature)
    broad, half = way.half_width * UNIT, way.half_depth * UNIT
    turned = _turned(ground, (way.x, way.y), way.heading)
    if feature.kind == "ford":
        return (
            f'<g class="ford" {turned}><rect x="{n(-broad)}" y="{n(-half)}" width="{n(2 * broad)}" '
            f'height="{n(2 * half)}" fill="{_ROAD}" fill-opacity=".55"/>'
            f'<path d="M{n(-broad)} {n(-half)}v{n(2 * half)}M{n(broad)} {n(-half)}v{n(2 * half)}" '
            f'stroke="{INK}" stroke-width="1.8" stroke-dasharray="3 3"/></g>'
        )
    return (
        f'<g class="bridge" {turned}><rect x="{n(-broad)}" y="{n(-half - 1)}" width="{n(2 * broad)}" '
        f'height="{n(2 * half + 2)}" fill="{_ROAD}"/>'
        f'<path d="M{n(-broad - 4)} {n(-half - 4)}l4 4v{n(2 * half)}l-4 4M{n(broad + 4)} {n(-half - 4)}'
        f'l-4 4v{n(2 * half)}l4 4" fill="none" stroke="{INK}" stroke-width="2.6"/></g>'
    )


def _turned(ground: Ground, point: Point, heading: float) -> str:
    x, y = at(ground, point)
    return f'transform="translate({n(x)} {n(y)}) rotate({n(heading)})"'


def at(ground: Ground, point: Point) -> Point:
    """A point of the table in units of the drawing."""
    return point[0] * UNIT, (ground.depth - point[1]) * UNIT


def course_path(
    ground: Ground, points: Sequence[Point], *, closed: bool = False, rounded: bool = True
) -> str:
    """A polyline or polygon as path data, its corners rounded a little unless they lie on the edge."""
    spots = [at(ground, point) for point in points]
    if not rounded or len(spots) < 3:
        return f"M{'L'.join(_spot(spot) for spot in spots)}{'Z' if closed else ''}"
    pairs = list(zip([spots[-1], *spots], spots, [*spots[1:], spots[0]], strict=False))
    drawn = [] if closed else [_spot(spots[0])]
    for before, corner, after in pairs if closed else pairs[1:-1]:
        x, y = corner
        if x in (0.0, ground.width * UNIT) or y in (0.0, ground.depth * UNIT):
            drawn.append(_spot(corner))
            continue
        start, end = _towards(corner, before), _towards(corner, after)
        drawn.append(f"{_spot(start)}Q{_spot(corner)} {_spot(end)}")
    if not closed:
        drawn.append(_spot(spots[-1]))
    return f"M{'L'.join(drawn)}{'Z' if closed else ''}"


def _towards(corner: Point, other: Point) -> Point:
    span = math.dist(corner, other)
    return along(corner, other, min(0.5, _ROUND / span)) if span else corner


def _spot(point: Point) -> str:
    return f"{n(point[0])} {n(point[1])}"


def n(value: float) -> str:
    """A number as short as it can be written."""
    short = f"{value:.1f}".rstrip("0").rstrip(".")
    return "0" if short == "-0" else short
