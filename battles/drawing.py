"""A table drawn as SVG in ink and washes, for pages, replays and print-outs.

Ten units of the drawing are an inch; the far edge is at the top. Colours are attributes, so that a
drawing can be printed by itself; a page may set others by the classes.
"""

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from battles.ground_words import ground_caption
from battles.scenario import AREAS, BattleUnit, Feature, Ground, Point

UNIT = 10.0
#: Inches of 100 yards (AWI-T-SCA-02).
INCHES_PER_100_YARDS = 6.0
INK, PAPER = "#2a211c", "#f4ecdb"
WASHES: dict[str, str] = {
    "water": "#a9c3c8", "river": "#a9c3c8", "stream": "#7b9aa3", "marsh": "url(#bf-marsh)",
    "swamp": "url(#bf-swamp)", "rough": "url(#bf-rough)", "crops": "url(#bf-crops)",
    "open_woods": "url(#bf-open-woods)", "dense_woods": "url(#bf-dense-woods)",
}  # fmt: skip
SLOPES = {"level": "#efdfb8", "gentle": "#e6d2a6", "steep": "#d3b683", "impassable": "#b08f64"}
INKS = ("#9b2a2c", "#24427a", "#3f5e3a", "#8a5a12")
#: Inches of a unit of foot drawn up in line, and of any other.
FRONT, DEPTH = 3.5, 1.5

_PATTERNS = """<defs>
<pattern id="bf-open-woods" width="34" height="30" patternUnits="userSpaceOnUse"><rect class="wood" width="34" height="30" fill="#c4cfa4"/><g class="tree" fill="#7d9467" stroke="#4a5f3d" stroke-width=".8"><circle cx="8" cy="8" r="4.4"/><circle cx="25" cy="23" r="4.4"/></g></pattern>
<pattern id="bf-dense-woods" width="20" height="18" patternUnits="userSpaceOnUse"><rect class="wood" width="20" height="18" fill="#9fb081"/><g class="tree" fill="#5f7a50" stroke="#374a2e" stroke-width=".8"><circle cx="5" cy="5" r="4.6"/><circle cx="15" cy="14" r="4.6"/></g></pattern>
<pattern id="bf-marsh" width="26" height="16" patternUnits="userSpaceOnUse"><g class="mire" stroke="#5f8187" stroke-width="1" fill="none"><path d="M2 6h9M15 13h9M5 6v-3M7 6v-4M9 6v-3M18 13v-3M20 13v-4M22 13v-3"/></g></pattern>
<pattern id="bf-swamp" width="18" height="12" patternUnits="userSpaceOnUse"><rect width="18" height="12" fill="#b9c9b8"/><g class="mire" stroke="#4b6f70" stroke-width="1" fill="none"><path d="M1 5h7M10 11h7M3 5v-3M5 5v-4M12 11v-3M14 11v-4"/></g></pattern>
<pattern id="bf-rough" width="20" height="16" patternUnits="userSpaceOnUse"><g class="stone" stroke="#85735a" stroke-width="1" fill="none"><path d="M2 6l2-3 3 1 1 2zM12 14l2-3 3 1 1 2z"/></g></pattern>
<pattern id="bf-crops" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(20)"><rect width="8" height="8" fill="#ecd88f"/><path class="crop" d="M2 0v8M6 0v8" stroke="#b3933f" stroke-width="1" stroke-dasharray="3 1.5"/></pattern>
</defs>"""  # noqa: E501


def ground_svg(
    ground: Ground,
    units: Iterable[BattleUnit] | None = None,
    *,
    near: str = "",
    far: str = "",
    inks: Mapping[str, str] | None = None,
) -> str:
    """The table as one SVG document. `near` and `far` are written along those edges.

    Of `units` those are drawn that have a place on the table, in `inks` by side.
    """
    width, depth = ground.width * UNIT, ground.depth * UNIT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="battlefield" role="img" '
        f'viewBox="-14 -34 {_n(width + 28)} {_n(depth + 96)}">',
        f"<title>The ground</title><desc>{escape(ground_caption(ground))}</desc>",
        _PATTERNS,
        f'<rect class="land" width="{_n(width)}" height="{_n(depth)}" fill="{PAPER}"/>',
        *(_feature(ground, feature) for feature in ground.features),
        *_units(ground, units or (), inks or {}),
        f'<rect class="frame" width="{_n(width)}" height="{_n(depth)}" fill="none" '
        f'stroke="{INK}" stroke-width="2.5"/>',
        _text(width / 2.0, -12.0, far),
        _text(width / 2.0, depth + 24.0, near),
        _scale(depth + 34.0),
        "</svg>",
    ]
    return "\n".join(part for part in parts if part)


def _feature(ground: Ground, feature: Feature) -> str:
    kind = feature.kind
    if kind == "hill":
        return _hill(ground, feature)
    if kind in AREAS or kind in ("river", "stream"):
        return _wash(ground, feature)
    if kind == "road":
        path = _path(ground, feature.points)
        return (
            f'<path class="casing" d="{path}" fill="none" stroke="#6b5239" stroke-width="13"/>'
            f'<path class="road" d="{path}" fill="none" stroke="#f7efdd" stroke-width="10"/>'
        )
    if kind in ("bridge", "ford", "building"):
        return _site(ground, feature)
    return _work(ground, feature)


def _wash(ground: Ground, feature: Feature) -> str:
    kind, wash = feature.kind, WASHES[feature.kind]
    name = kind.replace("_", "-")
    if kind in AREAS:
        edge = "#5f8187" if kind == "water" else "#85735a"
        path = _path(ground, feature.points, closed=True)
        dashes = "" if kind == "water" else ' stroke-dasharray="2 3"'
        return f'<path class="{name}" d="{path}" fill="{wash}" stroke="{edge}" stroke-width="1.2"{dashes}/>'
    broad = 60.0 if kind == "river" else 20.0
    return (
        f'<path class="{name}" d="{_path(ground, feature.points)}" fill="none" stroke="{wash}" '
        f'stroke-width="{_n(broad)}" stroke-linejoin="round"/>'
    )


def _hill(ground: Ground, feature: Feature) -> str:
    """A wash by its grade, and strokes down the slope along its edge."""
    path = _path(ground, feature.points, closed=True)
    dense = {"level": "0", "gentle": "1 5", "steep": "1.4 2.6", "impassable": "2 1.4"}[feature.grade]
    strokes = ""
    if feature.grade != "level":
        strokes = (
            f'<path class="slope" d="{path}" fill="none" stroke="{INK}" stroke-opacity=".45" '
            f'stroke-width="11" stroke-dasharray="{dense}"/>'
        )
    return f'<path class="hill {feature.grade}" d="{path}" fill="{SLOPES[feature.grade]}"/>{strokes}'


def _work(ground: Ground, feature: Feature) -> str:
    path = _path(ground, feature.points)
    style = {
        "fence": 'stroke="#6b5239" stroke-width="2" stroke-dasharray="7 2"',
        "wall": 'stroke="#5d5348" stroke-width="4" stroke-dasharray="4 1"',
        "fieldwork": f'stroke="{INK}" stroke-width="5"',
        "stockade": f'stroke="{INK}" stroke-width="6" stroke-dasharray="4 1.5"',
        "redoubt": f'stroke="{INK}" stroke-width="9" stroke-linejoin="miter"',
    }[feature.kind]
    closed = feature.kind == "redoubt" and not feature.open_gorge
    path = _path(ground, feature.points, closed=closed)
    return f'<path class="work {feature.kind}" d="{path}" fill="none" {style}/>'


def _site(ground: Ground, feature: Feature) -> str:
    """Bridges, fords and buildings, turned to their heading."""
    x, y = _at(ground, feature.points[0])
    turn = f'transform="translate({_n(x)} {_n(y)}) rotate({feature.heading})"'
    if feature.kind == "building":
        broad, deep = 40.0, 40.0 if feature.size == "large" else 20.0
        fill = "#8a6d62" if feature.material == "stone" else "#9b5a45"
        turn = f'transform="translate({_n(x)} {_n(y)}) rotate({feature.heading - 90})"'
        return (
            f'<g class="building {feature.material}" {turn}><rect x="{_n(-broad / 2)}" y="{_n(-deep / 2)}" '
            f'width="{_n(broad)}" height="{_n(deep)}" fill="{fill}" stroke="{INK}" stroke-width="1.6"/>'
            f'<path d="M{_n(-broad / 2)} 0h{_n(broad)}" stroke="{INK}" stroke-width=".8"/></g>'
        )
    over_river = any(one.kind == "river" for one in ground.features)
    half = 38.0 if over_river else 16.0
    if feature.kind == "ford":
        return (
            f'<path class="ford" {turn} d="M-7 {_n(-half)}V{_n(half)}M7 {_n(-half)}V{_n(half)}" fill="none" '
            f'stroke="{INK}" stroke-width="1.6" stroke-dasharray="3 3"/>'
        )
    return (
        f'<g class="bridge" {turn}><rect x="-10" y="{_n(-half)}" width="20" height="{_n(2 * half)}" '
        f'fill="#d9c49a"/><path d="M-10 {_n(-half)}V{_n(half)}M10 {_n(-half)}V{_n(half)}" '
        f'stroke="{INK}" stroke-width="2.4"/></g>'
    )


def _units(ground: Ground, units: Iterable[BattleUnit], inks: Mapping[str, str]) -> Iterable[str]:
    sides: list[str] = []
    for unit in units:
        if unit.side not in sides:
            sides.append(unit.side)
        if unit.x is None or unit.y is None:
            continue
        x, y = _at(ground, (unit.x, unit.y))
        ink = inks.get(unit.side, INKS[sides.index(unit.side) % len(INKS)])
        broad, deep = (FRONT * UNIT, DEPTH * UNIT)
        if unit.posture in ("column", "limbered"):
            broad, deep = broad / 2.0, deep * 2.0
        yield (
            f'<rect class="unit" x="{_n(-broad / 2)}" y="{_n(-deep / 2)}" width="{_n(broad)}" '
            f'height="{_n(deep)}" fill="{escape(ink)}" stroke="{INK}" stroke-width="1" '
            f'transform="translate({_n(x)} {_n(y)}) rotate({unit.facing or 0})">'
            f"<title>{escape(unit.name)}, {unit.sp} SP</title></rect>"
        )


def _scale(y: float) -> str:
    """A bar of 200 yards."""
    half = INCHES_PER_100_YARDS * UNIT
    return (
        f'<g class="scale" transform="translate(0 {_n(y)})">'
        f'<rect width="{_n(half)}" height="6" fill="{INK}" stroke="{INK}"/>'
        f'<rect x="{_n(half)}" width="{_n(half)}" height="6" fill="none" stroke="{INK}"/></g>'
        + _text(0.0, y + 22.0, "0", "start")
        + _text(half, y + 22.0, "100")
        + _text(2.0 * half, y + 22.0, "200 yards", "start")
    )


def _text(x: float, y: float, words: str, anchor: str = "middle") -> str:
    if not words:
        return ""
    return (
        f'<text x="{_n(x)}" y="{_n(y)}" text-anchor="{anchor}" fill="{INK}" font-size="17" '
        f'font-style="italic" font-family="EB Garamond, Georgia, Palatino, serif">{escape(words)}</text>'
    )


def _at(ground: Ground, point: Point) -> Point:
    return point[0] * UNIT, (ground.depth - point[1]) * UNIT


def _path(ground: Ground, points: Sequence[Point], *, closed: bool = False) -> str:
    corners = "L".join(f"{_n(x)} {_n(y)}" for x, y in (_at(ground, point) for point in points))
    return f"M{corners}{'Z' if closed else ''}"


def _n(value: float) -> str:
    """A number as short as it can be written."""
    return f"{value:.1f}".rstrip("0").rstrip(".")
