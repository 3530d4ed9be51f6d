"""Stands as rectangles on the table: sizes, gaps, arcs, who touches whom (VBW-STD-12, VBW-DEF-03, 04)."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.geometry import COS, SIN, is_overlapping, rectangle_gap, turn_between
from battles.rulesets.volley_bayonet.records import FORMED, ROAD_MARCH, SKIRMISH
from battles.rulesets.volley_bayonet.states import is_standing
from battles.rulesets.volley_bayonet.tables import BASES

#: Half of a spacer behind a stand in road march (VBW-MOV-15), of which a brigade has several (RTG-MOV-07).
SPACER_WIDTH, SPACER_DEPTH = BASES["road_march_spacer"][0] / 2.0, BASES["road_march_spacer"][1] / 2.0
#: Half of a commander's base.
COMMAND_HALF = BASES["command"][0] / 2.0
#: Inches beyond the tolerance of contact that are none.
BEYOND = 0.01
#: Inches that roundings may add up to along a way.
HAIR = 1.0e-6
#: Farthest that any footprint reaches from a stand's centre: with a spacer behind it or a block about it,
#: in skirmish order, and formed. No square root is taken of what is further off than that.
REACH, SKIRMISH_REACH, FORMED_REACH = 5.0, 2.2, 1.7


@jit
def half_width(g: Any, u: Any) -> Any:
    """Half a base's front in inches; skirmish order has a larger base, who is in a block has the block.

    So whoever touches the block touches all within (VBW-TER-45).
    """
    if u.inside >= 0:
        return g.structures[u.inside].half_width
    return g.t.half_width[u.class_, SKIRMISH if u.form == SKIRMISH else FORMED]


@jit
def half_depth(g: Any, u: Any) -> Any:
    """Half a base's depth in inches, or the block's that it is in."""
    if u.inside >= 0:
        return g.structures[u.inside].half_depth
    return g.t.half_depth[u.class_, SKIRMISH if u.form == SKIRMISH else FORMED]


@jit
def least_half(g: Any, u: Any) -> Any:
    """Half of the shorter edge of a base: so far it reaches to all sides of its centre."""
    w, h = half_width(g, u), half_depth(g, u)
    return w if w < h else h


@jit
def front_x(g: Any, u: Any) -> Any:
    """Centre of a stand's front edge, x in inches."""
    return u.x + SIN[u.face] * half_depth(g, u)


@jit
def front_y(g: Any, u: Any) -> Any:
    """Centre of a stand's front edge, y in inches."""
    return u.y + COS[u.face] * half_depth(g, u)


@jit
def gap_to(g: Any, u: Any, x: Any, y: Any, face: Any, width: Any, depth: Any) -> Any:
    """Inches from a stand, its spacer included (VBW-MOV-15), to a rectangle by its halves."""
    inches = rectangle_gap(u.x, u.y, u.face, half_width(g, u), half_depth(g, u), x, y, face, width, depth)
    if u.form == ROAD_MARCH and u.markers > 0:
        long = SPACER_DEPTH * u.markers
        back = half_depth(g, u) + long
        behind = rectangle_gap(
            u.x - SIN[u.face] * back, u.y - COS[u.face] * back, u.face, SPACER_WIDTH, long,
            x, y, face, width, depth,
        )  # fmt: skip
        if behind < inches:
            return behind
    return inches


@jit
def measure_gap(g: Any, i: Any, j: Any) -> Any:
    """Inches between the nearest edges of two stands (VBW-DEF-03)."""
    a, b = g.u[i], g.u[j]
    inches = gap_to(g, a, b.x, b.y, b.face, half_width(g, b), half_depth(g, b))
    if b.form == ROAD_MARCH and b.markers > 0:
        long = SPACER_DEPTH * b.markers
        back = half_depth(g, b) + long
        x, y = b.x - SIN[b.face] * back, b.y - COS[b.face] * back
        behind = gap_to(g, a, x, y, b.face, SPACER_WIDTH, long)
        if behind < inches:
            return behind
    return inches


@jit
def find_extent(u: Any) -> Any:
    """Inches beyond which nothing of a stand's footprint lies."""
    if u.form != ROAD_MARCH and u.inside < 0:
        return SKIRMISH_REACH if u.form == SKIRMISH else FORMED_REACH
    return REACH if u.markers <= 1 else REACH + 2.0 * SPACER_DEPTH * (u.markers - 1)


@jit
def is_compact(u: Any) -> Any:
    """True for a stand without a spacer behind it or a block about it: all of it is near its centre."""
    return (u.form != ROAD_MARCH) & (u.inside < 0)


@jit
def is_surely_beyond(b: Any, dx: Any, dy: Any, inches: Any) -> Any:
    """True when stand b, its centre so far away, surely lies wholly further than so many inches.

    Looks round the table ask this of everybody, so that for nearly all one comparison must decide: what a
    stand's form is makes no difference to it.
    """
    apart2, most = dx * dx + dy * dy, inches + SKIRMISH_REACH
    if apart2 <= most * most:
        return False
    if is_compact(b):
        return True
    most = inches + find_extent(b)
    return apart2 > most * most


@jit
def is_surely_outside(b: Any, left: Any, right: Any, low: Any, high: Any) -> Any:
    """True when stand b surely lies wholly outside a frame, as `beyond` asks of a circle."""
    out = SKIRMISH_REACH
    if not ((b.x < left - out) | (b.x > right + out) | (b.y < low - out) | (b.y > high + out)):
        return False
    if is_compact(b):
        return True
    out = find_extent(b)
    return (b.x < left - out) | (b.x > right + out) | (b.y < low - out) | (b.y > high + out)


@jit
def far_from(u: Any, b: Any, inches: Any) -> Any:
    """True when stand b surely lies wholly beyond so many inches from stand u's centre."""
    return is_surely_beyond(b, u.x - b.x, u.y - b.y, inches)


@jit
def far_apart(g: Any, i: Any, j: Any, inches: Any) -> Any:
    """True when two stands are surely further apart: the cheap filter before exact distances."""
    return far_from(g.u[i], g.u[j], inches + find_extent(g.u[i]))


@jit
def in_reach(g: Any, i: Any, j: Any, inches: Any) -> Any:
    """True when no more than so many inches lie between two stands; exact where centres leave it open."""
    a, b = g.u[i], g.u[j]
    if far_from(a, b, inches + find_extent(a)):
        return False
    dx, dy, near = a.x - b.x, a.y - b.y, inches + least_half(g, a) + least_half(g, b) - BEYOND
    return dx * dx + dy * dy <= near * near or measure_gap(g, i, j) <= inches + HAIR


@jit
def is_touching(g: Any, i: Any, j: Any) -> Any:
    """True when two stands touch, corners too (VBW-CMD-08)."""
    return not far_apart(g, i, j, g.o.contact) and measure_gap(g, i, j) <= g.o.contact + 1.0e-9


@jit
def has_enemy_touching(g: Any, i: Any) -> Any:
    """True when an enemy's stand touches stand i."""
    u = g.u[i]
    near = find_extent(u) + g.o.contact
    for j in range(g.first[1 - u.side], g.past[1 - u.side]):
        b = g.u[j]
        if not far_from(u, b, near) and b.side != u.side and is_standing(b) and is_touching(g, i, j):
            return True
    return False


@jit
def stop_short(g: Any) -> Any:
    """Inches from an enemy at which who does not charge stops: never so near that it would be contact."""
    return g.t.stop_short if g.o.contact < g.t.stop_short else g.o.contact + BEYOND


@jit
def leader_gap(g: Any, k: Any, i: Any) -> Any:
    """Inches between a commander's base and a stand."""
    e = g.leaders[k]
    return gap_to(g, g.u[i], e.x, e.y, 0, COMMAND_HALF, COMMAND_HALF)


@jit
def leader_within(g: Any, k: Any, i: Any, inches: Any) -> Any:
    """True when a commander is so near to a stand, limits included; who is far off is seen at a glance."""
    e, u = g.leaders[k], g.u[i]
    dx, dy, most = e.x - u.x, e.y - u.y, inches + find_extent(u) + COMMAND_HALF * 2.0
    if dx * dx + dy * dy > most * most:
        return False
    return leader_gap(g, k, i) <= inches + 1.0e-9


@jit
def in_arc(g: Any, i: Any, j: Any) -> Any:
    """True when some part of stand j's base is in the arc of fire of stand i (VBW-DEF-04).

    The arc opens outward from both front corners; skirmishers and who is in a building fire all round.
    """
    a, b = g.u[i], g.u[j]
    if a.form == SKIRMISH or a.inside >= 0:
        return True
    s, c = SIN[a.face], COS[a.face]
    ahead, wide = half_depth(g, a), half_width(g, a)
    w, h = half_width(g, b), half_depth(g, b)
    dx, dy = b.x - a.x, b.y - a.y
    # who lies wholly behind the front is seen at a glance
    if dx * s + dy * c + w + h < ahead - BEYOND:
        return False
    bs, bc = SIN[b.face], COS[b.face]
    for k in range(9):
        right, front = (k % 3 - 1) * w, (k // 3 - 1) * h
        x, y = dx + right * bc + front * bs, dy - right * bs + front * bc
        aside, before = abs(x * c - y * s) - wide, x * s + y * c - ahead
        if before >= -1.0e-9 and aside <= before * g.o.arc_slope + 1.0e-9:
            return True
    return False


@jit
def lies_on(g: Any, i: Any, x: Any, y: Any, face: Any, j: Any) -> Any:
    """True when stand i's base at a spot would overlap stand j's."""
    a, b = g.u[i], g.u[j]
    dx, dy, most = b.x - x, b.y - y, find_extent(a) + find_extent(b)
    if dx * dx + dy * dy > most * most:
        return False
    return is_overlapping(
        x, y, face, half_width(g, a), half_depth(g, a), b.x, b.y, b.face, half_width(g, b), half_depth(g, b)
    )


@jit
def who_is_there(g: Any, i: Any, x: Any, y: Any, face: Any) -> Any:
    """A stand that stand i's base would overlap there, or -1 (VBW-DEF-21)."""
    own = find_extent(g.u[i])
    for j in range(g.n):
        b = g.u[j]
        if is_surely_beyond(b, b.x - x, b.y - y, own) or j == i or not is_standing(b):
            continue
        if lies_on(g, i, x, y, face, j):
            return j
    return -1


@jit
def can_stand_at(g: Any, i: Any, x: Any, y: Any, face: Any) -> Any:
    """True when stand i's base there overlaps no other stand's (VBW-DEF-21)."""
    return who_is_there(g, i, x, y, face) < 0


@jit
def faces_alike(a: Any, b: Any) -> Any:
    """True when two stands face the same way, within 45 degrees (VBW-DEF-15)."""
    return abs(turn_between(a.face, b.face)) <= 45
