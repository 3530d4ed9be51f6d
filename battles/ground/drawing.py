"""A table drawn as SVG in ink and washes, for pages, replays and print-outs: frame, names and legend.

Lettering has room to be half as large again as it is written, for a page on a small screen.
"""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import pairwise
from typing import NamedTuple

from battles.files.schema import SITES, BattleUnit, Feature, Ground, Point
from battles.ground.features import footprint
from battles.ground.map_symbols import (
    INK,
    LAYERS,
    PAPER,
    PATTERNS,
    UNIT,
    at,
    ground_signs,
    n,
    sign,
    slope_sign,
)
from battles.ground.names import ground_caption, sign_of

#: Inches of 100 yards (AWI-T-SCA-02), and from tick to tick along the frame.
INCHES_PER_100_YARDS, TICK = 6.0, 6.0
INKS = ("#9b2a2c", "#24427a", "#3f5e3a", "#8a5a12")
#: Height of letters on a table of 96 inches, how much larger a page may set them, breadth of one.
_LETTERS, _LARGER, _BREADTH = 19.0, 1.5, 0.45
_FACE = "EB Garamond, Georgia, Palatino, serif"


class Box(NamedTuple):
    """A rectangle of the drawing that lettering takes up."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "Box") -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )


def ground_svg(
    ground: Ground,
    units: Iterable[BattleUnit] | None = None,
    *,
    near: str = "",
    far: str = "",
    zone: float = 0.0,
    inks: Mapping[str, str] | None = None,
    explained: bool = True,
    marks: Iterable[str] = (),
    inch: float = 1.0,
) -> str:
    """The table as one SVG document. `near` and `far` are written along those edges.

    `zone` is the inches from an edge within which a side is drawn up. Of `units` those are drawn that
    have a place on the table, in `inks` by side. The legend is left out unless it is `explained`.
    `marks` are drawn over the ground and the troops. `inch` is how many inches of the table that is told of
    are one of the ground's.
    """
    width, depth = ground.width * UNIT, ground.depth * UNIT
    letters = _LETTERS * max(ground.width, 60.0) / 96.0
    line = letters * _LARGER * 1.25
    standing = [unit for unit in units or () if unit.x is not None and unit.y is not None]
    legend, below = _legend(ground, zone, letters, depth + 3.3 * line, inch)
    if not explained:
        legend, below = "", depth + 2.5 * line
    left, top = 1.6 * line, 2.0 * line
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="battlefield" role="img" '
        f'viewBox="{n(-left)} {n(-top)} {n(width + left + 0.6 * line)} {n(top + below)}" '
        f'font-family="{_FACE}" font-size="{n(letters)}" fill="{INK}">',
        f"<title>The ground</title><desc>{escape(ground_caption(ground, inch))}</desc>",
        PATTERNS,
        f'<clipPath id="bf-table"><rect width="{n(width)}" height="{n(depth)}"/></clipPath>',
        '<g clip-path="url(#bf-table)">',
        f'<rect class="land" width="{n(width)}" height="{n(depth)}" fill="{PAPER}"/>',
        *ground_signs(ground),
        *(_zone_line(ground, y) for y in (zone, ground.depth - zone) if zone),
        *_blocks(ground, standing, inks or {}),
        *marks,
        "</g>",
        '<g class="lettering">',
        *_frame(ground, letters, inch),
        _edge_words(width, -0.95 * line, far, letters, down=True),
        _edge_words(width, depth + 1.9 * line, near, letters, down=False),
        *_names(ground, standing, letters),
        legend,
        "</g></svg>",
    ]
    return "\n".join(part for part in parts if part)


# --- the frame ---


def _frame(ground: Ground, letters: float, inch: float) -> Iterable[str]:
    """A line round the table, a band of six-inch steps round that, and the inches by the foot."""
    width, depth = ground.width * UNIT, ground.depth * UNIT
    broad = 6.0
    yield (
        f'<rect class="frame" width="{n(width)}" height="{n(depth)}" fill="none" stroke="{INK}" '
        f'stroke-width="1.6"/><rect x="{n(-broad)}" y="{n(-broad)}" width="{n(width + 2 * broad)}" '
        f'height="{n(depth + 2 * broad)}" fill="none" stroke="{INK}" stroke-width="1.2"/>'
    )
    half, step = broad / 2.0, TICK * UNIT
    yield (
        f'<path class="ticks" d="M0 {n(-half)}H{n(width)}M0 {n(depth + half)}H{n(width)}'
        f'M{n(-half)} {n(depth)}V0M{n(width + half)} {n(depth)}V0" fill="none" stroke="{INK}" '
        f'stroke-width="{n(broad)}" stroke-dasharray="{n(step)} {n(step)}"/>'
    )
    small = letters * _LARGER * 0.75
    for inches in range(0, int(ground.width) + 1, 12):
        yield _text(inches * UNIT, depth + broad + small, f"{inches * inch:g}", size=0.75)
    for inches in range(12, int(ground.depth) + 1, 12):
        y = depth - inches * UNIT + small * 0.35
        yield _text(-broad - 5.0, max(y, small * 0.7), f"{inches * inch:g}", "end", size=0.75)


def _edge_words(width: float, y: float, words: str, letters: float, *, down: bool) -> str:
    """Who stands at an edge, between arrows that show where he faces."""
    if not words:
        return ""
    away = _breadth(words, letters * _LARGER * 1.1) / 2.0 + letters
    tall = letters * 0.55 * (-1.0 if down else 1.0)
    middle = y - letters * 0.35
    arrows = "".join(
        f"M{n(x - 6)} {n(middle + tall)}L{n(x)} {n(middle - tall)}l6 {n(2 * tall)}l-6 {n(-tall * 0.6)}z"
        for x in (width / 2.0 - away, width / 2.0 + away)
    )
    return _text(width / 2.0, y, words, size=1.1) + f'<path class="front" d="{arrows}"/>'


def _zone_line(ground: Ground, inches: float) -> str:
    _, y = at(ground, (0.0, inches))
    return (
        f'<path class="zone" d="M0 {n(y)}H{n(ground.width * UNIT)}" stroke="{INK}" stroke-opacity=".5" '
        f'stroke-width="1.4" stroke-dasharray="14 5 2 5"/>'
    )


# --- troops and names ---


def _blocks(ground: Ground, units: Sequence[BattleUnit], inks: Mapping[str, str]) -> Iterable[str]:
    sides = list(dict.fromkeys(unit.side for unit in units))
    for unit in units:
        assert unit.x is not None and unit.y is not None
        x, y = at(ground, (unit.x, unit.y))
        ink = inks.get(unit.side, INKS[sides.index(unit.side) % len(INKS)])
        base = footprint(unit, unit.x, unit.y, unit.facing or 0)
        wide, deep = base.half_width * UNIT, base.half_depth * UNIT
        yield (
            f'<g class="unit" transform="translate({n(x)} {n(y)}) rotate({unit.facing or 0})">'
            f"<title>{escape(unit.name)}, {unit.sp} SP</title>"
            f'<rect x="{n(-wide)}" y="{n(-deep)}" width="{n(2 * wide)}" height="{n(2 * deep)}" '
            f'fill="{escape(ink)}" stroke="{INK}"/>'
            f'<path d="M{n(-wide)} {n(-deep)}L0 {n(-deep - 5)}L{n(wide)} {n(-deep)}" fill="none" '
            f'stroke="{escape(ink)}" stroke-width="1.6"/></g>'
        )


def _names(ground: Ground, units: Sequence[BattleUnit], letters: float) -> Iterable[str]:
    """Names of the ground, the largest pieces first, then of troops, each only where there is room."""
    taken = [_around(at(ground, (unit.x or 0.0, unit.y or 0.0)), 22.0, 14.0) for unit in units]
    taken += [_around(at(ground, one.points[0]), 24.0, 24.0) for one in ground.features if one.kind in SITES]
    named = [one for one in ground.features if one.name]
    named.sort(key=lambda one: LAYERS.index(one.kind))
    once = {one.name: one for one in reversed(named)}
    for feature in reversed(once.values()):
        yield _placed(ground, feature.name, _spots(ground, feature, letters), taken, letters, 1.0)
    for unit in units:
        x, y = at(ground, (unit.x or 0.0, unit.y or 0.0))
        away = 14.0 + letters
        spots = [(x, y + away), (x, y - away)]
        yield _placed(ground, unit.name, spots, taken, letters, 0.62)


def _spots(ground: Ground, feature: Feature, letters: float) -> list[Point]:
    """Where a feature's name may stand, the best first."""
    points = [at(ground, point) for point in feature.points]
    if feature.kind in SITES:
        x, y = points[0]
        return [(x, y + 2.6 * letters), (x, y - 2.6 * letters)]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    low, high = min(ys), max(ys)
    middle = sum(xs) / len(xs), sum(ys) / len(ys)
    if feature.kind in ("road", "stream", "river", "fence", "wall", "fieldwork", "stockade", "redoubt"):
        courses = [((p[0] + q[0]) / 2, (p[1] + q[1]) / 2) for p, q in pairwise(points)]
        return [(x, y + away) for x, y in courses for away in (2.0 * letters, -1.8 * letters)]
    steps = (0.0, 0.18, -0.18, 0.32, -0.32)
    inside = [(middle[0], middle[1] + share * (high - low)) for share in steps]
    return [*inside, (middle[0], high + 1.4 * letters), (middle[0], low - 1.2 * letters)]


def _placed(
    ground: Ground, words: str, spots: Iterable[Point], taken: list[Box], letters: float, size: float
) -> str:
    """The words at the first spot that is free, pushed inside the frame; nothing when none is."""
    rows = _broken(words)
    room = letters * _LARGER * size
    half = max(_breadth(row, room) for row in rows) / 2.0
    tall = 1.05 * room * len(rows)
    for x, y in spots:
        x = min(max(x, half + 6.0), ground.width * UNIT - half - 6.0)
        y = min(max(y, tall / 2.0 + 4.0), ground.depth * UNIT - tall / 2.0 - 4.0)
        box = _around((x, y), half, tall / 2.0)
        if any(box.meets(other) for other in taken):
            continue
        taken.append(box)
        first = y - (len(rows) - 1) * 0.5 * 1.05 * letters * size + 0.3 * letters * size
        return "".join(
            _text(x, first + k * 1.05 * letters * size, row, size=size, halo=True)
            for k, row in enumerate(rows)
        )
    return ""


def _broken(words: str) -> list[str]:
    """Long words in two rows, broken at the gap nearest the middle."""
    gaps = [k for k, letter in enumerate(words) if letter == " "]
    if len(words) < 15 or not gaps:
        return [words]
    gap = min(gaps, key=lambda k: abs(k - len(words) / 2))
    return [words[:gap], words[gap + 1 :]]


# --- the legend ---


def _legend(ground: Ground, zone: float, letters: float, top: float, inch: float) -> tuple[str, float]:
    """The scale, and every sign that occurs with its name; with it the y of its end."""
    seen: dict[str, Feature] = {}
    for feature in sorted(ground.features, key=lambda one: LAYERS.index(one.kind)):
        seen.setdefault(sign_of(feature), feature)
    drawn = [(words, _sample(feature)) for words, feature in seen.items()]
    if zone:
        drawn.append(("drawn up to here", _zone_line(Ground(5.0, 3.0), 1.5)))
    large = letters * _LARGER
    row, box = 1.55 * large, 62.0 * letters / _LETTERS
    widest = max((_breadth(words, large) for words, _ in drawn), default=0.0) + box + 0.8 * large
    columns = max(1, int(ground.width * UNIT // widest))
    room = ground.width * UNIT / columns
    parts = [_scale(top, letters, inch)]
    top += 2.1 * large
    for number, (words, sample) in enumerate(drawn):
        x, y = room * (number % columns), top + row * (number // columns)
        share = letters / _LETTERS
        parts.append(
            f'<g class="sign"><svg x="{n(x)}" y="{n(y)}" width="{n(50 * share)}" height="{n(30 * share)}" '
            f'viewBox="0 0 50 30">{sample}<rect width="50" height="30" fill="none" stroke="{INK}" '
            f'stroke-opacity=".5"/></svg></g>' + _text(x + box, y + 21.0 * share, words, "start")
        )
    rows = -(-len(drawn) // columns)
    return f'<g class="signs">{"".join(parts)}</g>', top + row * rows


def _sample(feature: Feature) -> str:
    """A piece of the same kind on five by three inches."""
    ground = Ground(5.0, 3.0)
    if feature.kind == "hill":
        corners = ((-1.0, -1.0), (6.0, -1.0), (6.0, 2.6), (-1.0, 2.6))
        return slope_sign(ground, _like(feature, corners))
    if feature.kind in SITES:
        if feature.kind == "building":
            return sign(ground, _like(feature, ((2.5, 1.5),)))
        stream = Feature("stream", ((2.5, -1.0), (2.5, 4.0)))
        return sign(ground, stream) + sign(ground, _like(feature, ((2.5, 1.5),), heading=90))
    if feature.kind in LAYERS[LAYERS.index("marsh") : LAYERS.index("road")] or feature.kind == "water":
        return sign(ground, _like(feature, ((-1.0, -1.0), (6.0, -1.0), (6.0, 4.0), (-1.0, 4.0))))
    course = _like(feature, ((-1.0, 1.5), (6.0, 1.5)))
    casing = f'<path d="M0 15H50" stroke="{INK}" stroke-width="20"/>' if feature.kind == "road" else ""
    return casing + sign(ground, course)


def _like(feature: Feature, points: tuple[Point, ...], heading: int = 0) -> Feature:
    return Feature(
        feature.kind, points, grade=feature.grade, material=feature.material, heading=heading, open_gorge=True
    )


def _scale(y: float, letters: float, inch: float) -> str:
    """A bar of 200 yards, which are a foot of the ground's inches."""
    words = f"200 yards, {2.0 * INCHES_PER_100_YARDS * inch:g} inches"
    half, tall = INCHES_PER_100_YARDS * UNIT, letters * 0.4
    return (
        f'<g class="scale" transform="translate(0 {n(y)})">'
        f'<rect width="{n(half)}" height="{n(tall)}" stroke="{INK}"/>'
        f'<rect x="{n(half)}" width="{n(half)}" height="{n(tall)}" fill="{PAPER}" stroke="{INK}"/></g>'
        + _text(2.0 * half + letters, y + 0.6 * letters, words, "start")
    )


# --- letters ---


def _text(
    x: float, y: float, words: str, anchor: str = "middle", *, size: float = 1.0, halo: bool = False
) -> str:
    large = "" if size == 1.0 else f' font-size="{size}em"'
    ring = f' stroke="{PAPER}" stroke-width="4" paint-order="stroke" stroke-linejoin="round"' if halo else ""
    name = ' class="name"' if halo else ""
    return (
        f'<text{name} x="{n(x)}" y="{n(y)}" text-anchor="{anchor}" font-style="italic"{large}{ring}>'
        f"{escape(words)}</text>"
    )


def _breadth(words: str, letters: float) -> float:
    """How broad words are, about."""
    return len(words) * letters * _BREADTH


def _around(point: Point, half_width: float, half_height: float) -> Box:
    x, y = point
    return Box(x - half_width, y - half_height, x + half_width, y + half_height)
