"""The ground for the printer: the same drawing in black and white, with a grid of feet, arrivals, the goal.

Grounds are told apart by hatching, never by colour alone, so that any printer and copier will do.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape

from battles.files.schema import BattleGround, Point
from battles.ground.drawing import ground_svg
from battles.ground.map_symbols import INK, PATTERNS, UNIT, format_number, to_drawing_point

#: Inches of the grid, and from the edge to the head of the arrow of those who arrive.
GRID, ARROW = 12.0, 5.0
#: What each ink and wash of the coloured drawing is in print.
GREYS: Mapping[str, str] = {
    "#2a211c": "#000000",  # ink
    "#f4ecdb": "#ffffff",  # paper
    "#f9f2e2": "#ffffff",  # roads
    "#5f8187": "#333333",  # banks
    "#b4ccd0": "#d9d9d9",  # water
    "#c6d9da": "#ffffff",
    "#d3e2e1": "#d9d9d9",
    "#b5966a": "#999999",  # earth
    "#f0e2bf": "#f4f4f4",  # slopes
    "#e8d6ad": "#e9e9e9",
    "#d6bb8a": "#d6d6d6",
    "#b3946a": "#b8b8b8",
    "#7a6850": "#444444",  # edges of woods and fields
    "#5d4630": "#000000",  # fences
    "#4f463c": "#000000",  # walls
    "#b9ad98": "#ffffff",
    "#8f8378": "#555555",  # stone houses
    "#9b5a45": "#a8a8a8",  # wooden houses
}
#: Grounds hatched: woods by trees, marsh and swamp by reeds, broken ground by crosses, crops by rows.
PRINT_PATTERNS = """<defs>
<g id="bf-tree"><path d="M-4.6 2.6a3 3 0 0 1 .5-4.8 3.8 3.8 0 0 1 7-.9 3.3 3.3 0 0 1 1.2 5.7z" stroke="#000000" stroke-width="1"/></g>
<pattern id="bf-open_woods" width="40" height="34" patternUnits="userSpaceOnUse"><g fill="#ffffff"><use href="#bf-tree" x="10" y="9"/><use href="#bf-tree" x="30" y="26"/></g></pattern>
<pattern id="bf-dense_woods" width="24" height="20" patternUnits="userSpaceOnUse"><rect width="24" height="20" fill="#cfcfcf"/><g fill="#777777"><use href="#bf-tree" x="7" y="6"/><use href="#bf-tree" x="18" y="15"/></g></pattern>
<pattern id="bf-marsh" width="28" height="18" patternUnits="userSpaceOnUse"><path d="M2 7h10M16 15h10M5 7v-4M7 7v-5M9 7v-4M19 15v-4M21 15v-5M23 15v-4" stroke="#000000" stroke-width=".9" fill="none"/></pattern>
<pattern id="bf-swamp" width="18" height="12" patternUnits="userSpaceOnUse"><rect width="18" height="12" fill="#e2e2e2"/><path d="M1 5h7M10 11h7M3 5v-3M5 5v-4M12 11v-3M14 11v-4" stroke="#000000" stroke-width=".9" fill="none"/></pattern>
<pattern id="bf-rough" width="22" height="18" patternUnits="userSpaceOnUse"><path d="M3 2l5 5M8 2l-5 5M14 11l5 5M19 11l-5 5" stroke="#000000" stroke-width="1" fill="none"/></pattern>
<pattern id="bf-crops" width="9" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(20)"><path d="M2.2 0v8M6.7 0v8" stroke="#000000" stroke-width=".8" stroke-dasharray="3 1.5"/></pattern>
<pattern id="bf-water" width="16" height="10" patternUnits="userSpaceOnUse"><rect width="16" height="10" fill="#e6e6e6"/><path d="M0 3q4-2.4 8 0t8 0M0 8q4-2.4 8 0t8 0" stroke="#444444" stroke-width=".7" fill="none"/></pattern>
</defs>"""  # noqa: E501
_PAINT = re.compile("|".join(map(re.escape, sorted(GREYS))))
_WATER = re.compile(r'(<path class="(?:water|stream|river)"[^>]*?)fill="#d9d9d9"')


@dataclass(frozen=True, slots=True)
class ArrivalMark:
    """An arrival arrow: a spot at the table's edge, and the words beside it."""

    point: Point
    heading: int
    words: str


def printed_ground(
    ground: BattleGround,
    *,
    near: str,
    far: str,
    zone: float,
    arrivals: Iterable[ArrivalMark] = (),
    objective: Point | None = None,
    inch: float = 1.0,
) -> str:
    """The table as an SVG for the printer; `near`, `far`, `zone` and `inch` as in `ground_svg`."""
    marks = [*_render_grid(ground), *(_render_arrow(ground, one) for one in arrivals)]
    if objective is not None:
        marks.append(_render_goal(ground, objective))
    drawn = ground_svg(ground, near=near, far=far, zone=zone, marks=marks, inch=inch)
    drawn = drawn.replace(PATTERNS, PRINT_PATTERNS)
    drawn = drawn.replace(
        f'stroke="{INK}" stroke-opacity=".5" stroke-width="1.4"', f'stroke="{INK}" stroke-width="2"'
    )
    drawn = drawn.replace('stroke-width="4" paint-order', 'stroke-width="7" paint-order')
    drawn = _PAINT.sub(lambda found: GREYS[found.group()], drawn)
    return _WATER.sub(r'\1fill="url(#bf-water)"', drawn)


def _render_grid(ground: BattleGround) -> Iterable[str]:
    """Lines a foot apart from the near left corner."""
    width, depth = ground.width * UNIT, ground.depth * UNIT
    across = [k * GRID * UNIT for k in range(1, int(-(-ground.width // GRID)))]
    along = [depth - k * GRID * UNIT for k in range(1, int(-(-ground.depth // GRID)))]
    path = "".join(f"M{format_number(x)} 0V{format_number(depth)}" for x in across) + "".join(
        f"M0 {format_number(y)}H{format_number(width)}" for y in along
    )
    yield f'<path class="grid" d="{path}" fill="none" stroke="#777777" stroke-dasharray="1 5"/>'


def _render_arrow(ground: BattleGround, arrival: ArrivalMark) -> str:
    """An arrow from the edge inwards with its words beside it."""
    x, y = to_drawing_point(ground, arrival.point)
    length = ARROW * UNIT
    neck = format_number(16.0 - length)
    turned = f'transform="translate({format_number(x)} {format_number(y)}) rotate({arrival.heading})"'
    size = 16.0 * max(ground.width, 60.0) / 96.0
    down = arrival.heading % 360 == 180
    words_y = y + (0.75 * length if down else -0.5 * length)
    return (
        f'<path class="arrival" {turned} d="M-6 0V{neck}H-14L0 {format_number(-length)}L14 {neck}H6V0z" '
        f'fill="#000000" stroke="#ffffff" stroke-width="2"/>'
        f'<text x="{format_number(x + 22)}" y="{format_number(words_y)}" '
        f'font-size="{format_number(size)}" font-weight="600" stroke="#ffffff" '
        f'stroke-width="4" paint-order="stroke" stroke-linejoin="round">{escape(arrival.words)}</text>'
    )


def _render_goal(ground: BattleGround, point: Point) -> str:
    """The spot that is fought for: a ringed cross."""
    x, y = to_drawing_point(ground, point)
    return (
        f'<g class="goal" transform="translate({format_number(x)} {format_number(y)})" fill="none" '
        'stroke="#000000" stroke-width="3">'
        '<circle r="17" fill="#ffffff" fill-opacity=".75"/><path d="M-17 0H17M0 -17V17"/></g>'
    )
