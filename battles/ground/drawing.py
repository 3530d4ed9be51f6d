"""A table drawn as SVG in ink and washes, for pages, replays and print-outs: frame, names and legend.

Lettering has room to be half as large again as it is written, for a page on a small screen.
"""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import pairwise
from typing import NamedTuple

from battles.files.schema import SITES, BattleGround, BattleUnit, Feature, Point
from battles.ground.features import find_footprint
from battles.ground.map_symbols import (
    INK,
    LAYERS,
    PAPER,
    PATTERNS,
    UNIT,
    format_number,
    ground_signs,
    render_sign,
    slope_sign,
    to_drawing_point,
)
from battles.ground.names import ground_caption, sign_of

#: Inches of 100 yards (AWI-T-SCA-02), and from tick to tick along the frame.
INCHES_PER_100_YARDS, TICK = 6.0, 6.0
INKS = ("#9b2a2c", "#24427a", "#3f5e3a", "#8a5a12")
#: Height of letters on a table of 96 inches, how much larger a page may set them, breadth of one.
_LETTERS, _LARGER, _BREADTH = 19.0, 1.5, 0.45
_FACE = "EB Garamond, Georgia, Palatino, serif"


class LetteringBox(NamedTuple):
    """A rectangle of the drawing that lettering takes up."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "LetteringBox") -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )


def ground_svg(
    ground: BattleGround,
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
    legend, below = _render_key(ground, zone, letters, depth + 3.3 * line, inch)
    if not explained:
        legend, below = "", depth + 2.5 * line
    left, top = 1.6 * line, 2.0 * line
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="battlefield" role="img" '
        f'viewBox="{format_number(-left)} {format_number(-top)} '
        f'{format_number(width + left + 0.6 * line)} {format_number(top + below)}" '
        f'font-family="{_FACE}" font-size="{format_number(letters)}" fill="{INK}">',
        f"<title>The ground</title><desc>{escape(ground_caption(ground, inch))}</desc>",
        PATTERNS,
        f'<clipPath id="bf-table"><rect width="{format_number(width)}" '
        f'height="{format_number(depth)}"/></clipPath>',
        '<g clip-path="url(#bf-table)">',
        f'<rect class="land" width="{format_number(width)}" height="{format_number(depth)}" fill="{PAPER}"/>',
        *ground_signs(ground),
        *(_zone_line(ground, y) for y in (zone, ground.depth - zone) if zone),
        *_render_blocks(ground, standing, inks or {}),
        *marks,
        "</g>",
        '<g class="lettering">',
        *_render_frame(ground, letters, inch),
        _edge_words(width, -0.95 * line, far, letters, down=True),
        _edge_words(width, depth + 1.9 * line, near, letters, down=False),
        *_render_names(ground, standing, letters),
        legend,
        "</g></svg>",
    ]
    return "\n".join(part for part in parts if part)


# --- the frame ---


def _render_frame(ground: BattleGround, letters: float, inch: float) -> Iterable[str]:
    """A line round the table, a band of six-inch steps round that, and the inches by the foot."""
    width, depth = ground.width * UNIT, ground.depth * UNIT
    broad = 6.0
    yield (
        f'<rect class="frame" width="{format_number(width)}" height="{format_number(depth)}" '
        f'fill="none" stroke="{INK}" '
        f'stroke-width="1.6"/><rect x="{format_number(-broad)}" y="{format_number(-broad)}" '
        f'width="{format_number(width + 2 * broad)}" '
        f'height="{format_number(depth + 2 * broad)}" fill="none" stroke="{INK}" stroke-width="1.2"/>'
    )
    half, step = broad / 2.0, TICK * UNIT
    yield (
        f'<path class="ticks" d="M0 {format_number(-half)}H{format_number(width)}M0 '
        f"{format_number(depth + half)}H{format_number(width)}"
        f"M{format_number(-half)} {format_number(depth)}V0M{format_number(width + half)} "
        f'{format_number(depth)}V0" fill="none" stroke="{INK}" '
        f'stroke-width="{format_number(broad)}" stroke-dasharray="{format_number(step)} '
        f'{format_number(step)}"/>'
    )
    small = letters * _LARGER * 0.75
    for inches in range(0, int(ground.width) + 1, 12):
        yield _render_text(inches * UNIT, depth + broad + small, f"{inches * inch:g}", size=0.75)
    for inches in range(12, int(ground.depth) + 1, 12):
        y = depth - inches * UNIT + small * 0.35
        yield _render_text(-broad - 5.0, max(y, small * 0.7), f"{inches * inch:g}", "end", size=0.75)


def _edge_words(width: float, y: float, words: str, letters: float, *, down: bool) -> str:
    """The label of a side at its edge, between arrows that show its facing."""
    if not words:
        return ""
    away = _estimate_breadth(words, letters * _LARGER * 1.1) / 2.0 + letters
    tall = letters * 0.55 * (-1.0 if down else 1.0)
    middle = y - letters * 0.35
    arrows = "".join(
        f"M{format_number(x - 6)} {format_number(middle + tall)}L{format_number(x)} "
        f"{format_number(middle - tall)}l6 {format_number(2 * tall)}l-6 {format_number(-tall * 0.6)}z"
        for x in (width / 2.0 - away, width / 2.0 + away)
    )
    return _render_text(width / 2.0, y, words, size=1.1) + f'<path class="front" d="{arrows}"/>'


def _zone_line(ground: BattleGround, inches: float) -> str:
    _, y = to_drawing_point(ground, (0.0, inches))
    return (
        f'<path class="zone" d="M0 {format_number(y)}H{format_number(ground.width * UNIT)}" '
        f'stroke="{INK}" stroke-opacity=".5" '
        f'stroke-width="1.4" stroke-dasharray="14 5 2 5"/>'
    )


# --- troops and names ---


def _render_blocks(
    ground: BattleGround, units: Sequence[BattleUnit], inks: Mapping[str, str]
) -> Iterable[str]:
    sides = list(dict.fromkeys(unit.side for unit in units))
    for unit in units:
        assert unit.x is not None and unit.y is not None
        x, y = to_drawing_point(ground, (unit.x, unit.y))
        ink = inks.get(unit.side, INKS[sides.index(unit.side) % len(INKS)])
        base = find_footprint(unit, unit.x, unit.y, unit.facing or 0)
        wide, deep = base.half_width * UNIT, base.half_depth * UNIT
        yield (
            f'<g class="unit" transform="translate({format_number(x)} {format_number(y)}) '
            f'rotate({unit.facing or 0})">'
            f"<title>{escape(unit.name)}, {unit.sp} SP</title>"
            f'<rect x="{format_number(-wide)}" y="{format_number(-deep)}" '
            f'width="{format_number(2 * wide)}" height="{format_number(2 * deep)}" '
            f'fill="{escape(ink)}" stroke="{INK}"/>'
            f'<path d="M{format_number(-wide)} {format_number(-deep)}L0 '
            f'{format_number(-deep - 5)}L{format_number(wide)} {format_number(-deep)}" fill="none" '
            f'stroke="{escape(ink)}" stroke-width="1.6"/></g>'
        )


def _render_names(ground: BattleGround, units: Sequence[BattleUnit], letters: float) -> Iterable[str]:
    """Names of the ground, the largest pieces first, then of troops, each only where there is room."""
    taken = [
        _find_lettering_box(to_drawing_point(ground, (unit.x or 0.0, unit.y or 0.0)), 22.0, 14.0)
        for unit in units
    ]
    taken += [
        _find_lettering_box(to_drawing_point(ground, one.points[0]), 24.0, 24.0)
        for one in ground.features
        if one.kind in SITES
    ]
    named = [one for one in ground.features if one.name]
    named.sort(key=lambda one: LAYERS.index(one.kind))
    once = {one.name: one for one in reversed(named)}
    for feature in reversed(once.values()):
        yield _render_name(
            ground, feature.name, _list_name_spots(ground, feature, letters), taken, letters, 1.0
        )
    for unit in units:
        x, y = to_drawing_point(ground, (unit.x or 0.0, unit.y or 0.0))
        away = 14.0 + letters
        spots = [(x, y + away), (x, y - away)]
        yield _render_name(ground, unit.name, spots, taken, letters, 0.62)


def _list_name_spots(ground: BattleGround, feature: Feature, letters: float) -> list[Point]:
    """Spots where a feature's name may stand, the best first."""
    points = [to_drawing_point(ground, point) for point in feature.points]
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


def _render_name(
    ground: BattleGround,
    words: str,
    spots: Iterable[Point],
    taken: list[LetteringBox],
    letters: float,
    size: float,
) -> str:
    """The words at the first spot that is free, pushed inside the frame; nothing when none is."""
    rows = _break_words(words)
    room = letters * _LARGER * size
    half = max(_estimate_breadth(row, room) for row in rows) / 2.0
    tall = 1.05 * room * len(rows)
    for x, y in spots:
        x = min(max(x, half + 6.0), ground.width * UNIT - half - 6.0)
        y = min(max(y, tall / 2.0 + 4.0), ground.depth * UNIT - tall / 2.0 - 4.0)
        box = _find_lettering_box((x, y), half, tall / 2.0)
        if any(box.meets(other) for other in taken):
            continue
        taken.append(box)
        first = y - (len(rows) - 1) * 0.5 * 1.05 * letters * size + 0.3 * letters * size
        return "".join(
            _render_text(x, first + k * 1.05 * letters * size, row, size=size, halo=True)
            for k, row in enumerate(rows)
        )
    return ""


def _break_words(words: str) -> list[str]:
    """Long words in two rows, broken at the gap nearest the middle."""
    gaps = [k for k, letter in enumerate(words) if letter == " "]
    if len(words) < 15 or not gaps:
        return [words]
    gap = min(gaps, key=lambda k: abs(k - len(words) / 2))
    return [words[:gap], words[gap + 1 :]]


# --- the legend ---


def _render_key(
    ground: BattleGround, zone: float, letters: float, top: float, inch: float
) -> tuple[str, float]:
    """The scale, and every sign that occurs with its name; with it the y of its end."""
    seen: dict[str, Feature] = {}
    for feature in sorted(ground.features, key=lambda one: LAYERS.index(one.kind)):
        seen.setdefault(sign_of(feature), feature)
    drawn = [(words, _render_sample(feature)) for words, feature in seen.items()]
    if zone:
        drawn.append(("drawn up to here", _zone_line(BattleGround(5.0, 3.0), 1.5)))
    large = letters * _LARGER
    row, box = 1.55 * large, 62.0 * letters / _LETTERS
    widest = max((_estimate_breadth(words, large) for words, _ in drawn), default=0.0) + box + 0.8 * large
    columns = max(1, int(ground.width * UNIT // widest))
    room = ground.width * UNIT / columns
    parts = [_render_scale_bar(top, letters, inch)]
    top += 2.1 * large
    for number, (words, sample) in enumerate(drawn):
        x, y = room * (number % columns), top + row * (number // columns)
        share = letters / _LETTERS
        parts.append(
            f'<g class="sign"><svg x="{format_number(x)}" y="{format_number(y)}" '
            f'width="{format_number(50 * share)}" height="{format_number(30 * share)}" '
            f'viewBox="0 0 50 30">{sample}<rect width="50" height="30" fill="none" stroke="{INK}" '
            f'stroke-opacity=".5"/></svg></g>' + _render_text(x + box, y + 21.0 * share, words, "start")
        )
    rows = -(-len(drawn) // columns)
    return f'<g class="signs">{"".join(parts)}</g>', top + row * rows


def _render_sample(feature: Feature) -> str:
    """A piece of the same kind on five by three inches."""
    ground = BattleGround(5.0, 3.0)
    if feature.kind == "hill":
        corners = ((-1.0, -1.0), (6.0, -1.0), (6.0, 2.6), (-1.0, 2.6))
        return slope_sign(ground, _copy_feature(feature, corners))
    if feature.kind in SITES:
        if feature.kind == "building":
            return render_sign(ground, _copy_feature(feature, ((2.5, 1.5),)))
        stream = Feature("stream", ((2.5, -1.0), (2.5, 4.0)))
        return render_sign(ground, stream) + render_sign(
            ground, _copy_feature(feature, ((2.5, 1.5),), heading=90)
        )
    if feature.kind in LAYERS[LAYERS.index("marsh") : LAYERS.index("road")] or feature.kind == "water":
        return render_sign(
            ground, _copy_feature(feature, ((-1.0, -1.0), (6.0, -1.0), (6.0, 4.0), (-1.0, 4.0)))
        )
    course = _copy_feature(feature, ((-1.0, 1.5), (6.0, 1.5)))
    casing = f'<path d="M0 15H50" stroke="{INK}" stroke-width="20"/>' if feature.kind == "road" else ""
    return casing + render_sign(ground, course)


def _copy_feature(feature: Feature, points: tuple[Point, ...], heading: int = 0) -> Feature:
    return Feature(
        feature.kind, points, grade=feature.grade, material=feature.material, heading=heading, open_gorge=True
    )


def _render_scale_bar(y: float, letters: float, inch: float) -> str:
    """A bar of 200 yards, which are a foot of the ground's inches."""
    words = f"200 yards, {2.0 * INCHES_PER_100_YARDS * inch:g} inches"
    half, tall = INCHES_PER_100_YARDS * UNIT, letters * 0.4
    return (
        f'<g class="scale" transform="translate(0 {format_number(y)})">'
        f'<rect width="{format_number(half)}" height="{format_number(tall)}" stroke="{INK}"/>'
        f'<rect x="{format_number(half)}" width="{format_number(half)}" '
        f'height="{format_number(tall)}" fill="{PAPER}" stroke="{INK}"/></g>'
        + _render_text(2.0 * half + letters, y + 0.6 * letters, words, "start")
    )


# --- letters ---


def _render_text(
    x: float, y: float, words: str, anchor: str = "middle", *, size: float = 1.0, halo: bool = False
) -> str:
    large = "" if size == 1.0 else f' font-size="{size}em"'
    ring = f' stroke="{PAPER}" stroke-width="4" paint-order="stroke" stroke-linejoin="round"' if halo else ""
    name = ' class="name"' if halo else ""
    return (
        f'<text{name} x="{format_number(x)}" y="{format_number(y)}" text-anchor="{anchor}" '
        f'font-style="italic"{large}{ring}>'
        f"{escape(words)}</text>"
    )


def _estimate_breadth(words: str, letters: float) -> float:
    """The approximate breadth of words, in units of the drawing."""
    return len(words) * letters * _BREADTH


def _find_lettering_box(point: Point, half_width: float, half_height: float) -> LetteringBox:
    x, y = point
    return LetteringBox(x - half_width, y - half_height, x + half_width, y + half_height)
