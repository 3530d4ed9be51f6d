"""Footprints of stands: massed and linear bases, markers of march column (RTG-GEN-04, RTG-MOV-07)."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.geometry import COS, SIN, is_overlapping, rectangle_gap
from battles.rulesets.volley_bayonet.records import (
    DETACHMENT,
    FORMED,
    HORSE,
    MASSED_BASE,
    ROAD_MARCH,
    SKIRMISH,
)
from battles.rulesets.volley_bayonet.rtg.fields import ROWS
from battles.rulesets.volley_bayonet.rtg.tables import BASES, MARKER

#: Half of a commander's base, and of a marker's front and depth.
COMMAND_HALF = BASES["commander"][0] / 2.0
MARKER_WIDTH, MARKER_DEPTH = MARKER[0] / 2.0, MARKER[1] / 2.0
_RIDING_SKIRMISHERS = ROWS["cavalry_skirmisher"]
#: Right, left and rear of a stand; its front is no side that wants cover.
RIGHT, LEFT, BACK = 0, 1, 2
#: What is nothing, and inches beyond the tolerance of contact that still touch.
LITTLE, BEYOND = 1.0e-6, 0.01


@jit
def is_skirmisher(u: Any) -> Any:
    """True for every open stand; all others are close order (RTG-GEN-04)."""
    return u.class_ == DETACHMENT or (u.class_ == HORSE and u.dice_row == _RIDING_SKIRMISHERS)


@jit
def find_base_column(u: Any) -> Any:
    """The column of the table of bases it stands by."""
    if is_skirmisher(u):
        return SKIRMISH
    return MASSED_BASE if u.massed == 1 else FORMED


@jit
def half_width(g: Any, u: Any) -> Any:
    """Half a base's front in inches; who is in a block has the block."""
    return (
        g.structures[u.inside].half_width if u.inside >= 0 else g.t.half_width[u.class_, find_base_column(u)]
    )


@jit
def half_depth(g: Any, u: Any) -> Any:
    """Half a base's depth in inches, or the block's that it is in."""
    return (
        g.structures[u.inside].half_depth if u.inside >= 0 else g.t.half_depth[u.class_, find_base_column(u)]
    )


@jit
def count_markers(u: Any) -> Any:
    """Markers a stand in march column trails (RTG-MOV-07), 0 for one in any other order."""
    return u.markers if u.form == ROAD_MARCH else 0


@jit
def gap_to(g: Any, u: Any, x: Any, y: Any, face: Any, width: Any, depth: Any) -> Any:
    """Inches from a stand, its markers included, to a rectangle by its halves."""
    inches = rectangle_gap(u.x, u.y, u.face, half_width(g, u), half_depth(g, u), x, y, face, width, depth)
    long = count_markers(u) * MARKER_DEPTH
    if long == 0.0:
        return inches
    back = half_depth(g, u) + long
    mx, my = u.x - SIN[u.face] * back, u.y - COS[u.face] * back
    behind = rectangle_gap(mx, my, u.face, MARKER_WIDTH, long, x, y, face, width, depth)
    return behind if behind < inches else inches


@jit
def measure_gap(g: Any, i: Any, j: Any) -> Any:
    """Inches between the nearest edges of two stands, markers included (RTG-CMD-01)."""
    a, b = g.u[i], g.u[j]
    inches = gap_to(g, a, b.x, b.y, b.face, half_width(g, b), half_depth(g, b))
    long = count_markers(b) * MARKER_DEPTH
    if long == 0.0:
        return inches
    back = half_depth(g, b) + long
    behind = gap_to(g, a, b.x - SIN[b.face] * back, b.y - COS[b.face] * back, b.face, MARKER_WIDTH, long)
    return behind if behind < inches else inches


@jit
def is_touching(g: Any, i: Any, j: Any) -> Any:
    """True when two stands touch, corners too (RTG-CMD-02)."""
    return measure_gap(g, i, j) <= g.o.contact + LITTLE


@jit
def leader_within(g: Any, k: Any, i: Any, inches: Any) -> Any:
    """True when a commander's base is so near to a stand, limits included."""
    e = g.leaders[k]
    return gap_to(g, g.u[i], e.x, e.y, 0, COMMAND_HALF, COMMAND_HALF) <= inches + LITTLE


@jit
def find_side_strip(g: Any, i: Any, side: Any, inches: Any) -> Any:
    """(x, y, half width, half depth) of the strip so many inches deep along a side of stand i's base."""
    u = g.u[i]
    w, h = half_width(g, u), half_depth(g, u)
    s, c = SIN[u.face], COS[u.face]
    if side == BACK:
        back = h + inches / 2.0
        return u.x - s * back, u.y - c * back, w, inches / 2.0
    aside = w + inches / 2.0
    if side == LEFT:
        aside = -aside
    return u.x + c * aside, u.y - s * aside, inches / 2.0, h


@jit
def lies_beside(g: Any, i: Any, j: Any, side: Any, inches: Any) -> Any:
    """True when some part of stand j's base lies within so many inches of a side of stand i's."""
    b = g.u[j]
    x, y, w, h = find_side_strip(g, i, side, inches)
    return is_overlapping(x, y, g.u[i].face, w, h, b.x, b.y, b.face, half_width(g, b), half_depth(g, b))


@jit
def touches_side(g: Any, i: Any, j: Any, side: Any) -> Any:
    """True when stand j's base touches a side of stand i's."""
    return lies_beside(g, i, j, side, g.o.contact + BEYOND)
