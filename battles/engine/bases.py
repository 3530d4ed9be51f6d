"""Units as rectangles on the table: footprints, bases, gaps, what stands in the way."""

import math
from typing import Any

from battles.engine.compile import jit
from battles.engine.dtypes import LINE, ON_TABLE, ROUTING
from battles.engine.geometry import COS, SIN, clip_to_strip, is_overlapping, rectangle_gap

#: Side of a base in inches: 45 mm (AWI-T-UNI-01).
BASE = 45.0 / 25.4
HALF = BASE / 2.0
#: Farthest that a unit of two bases reaches from its centre, in inches.
HALF_DIAGONAL = 2.0
#: Inches that roundings may add to a distance: a limit is included, whichever way the units face.
LITTLE = 1.0e-9
#: Squared inches between centres within which units can touch, and can be within an inch of each other.
NEAR_UNIT2, NEAR_ENEMY2 = 16.0, 30.0


@jit
def half_width(u: Any) -> Any:
    """Half a unit's frontage in inches: two bases abreast in line, one otherwise (AWI-T-UNI-01)."""
    return BASE if u.form == LINE else HALF


@jit
def half_depth(u: Any) -> Any:
    """Half a unit's depth in inches."""
    return HALF if u.form == LINE else BASE


@jit
def is_standing(u: Any) -> Any:
    """On the table, whatever its morale."""
    return u.place == ON_TABLE


@jit
def is_effective(u: Any) -> Any:
    """On the table, not routing, and not a wagon."""
    return u.place == ON_TABLE and u.mood != ROUTING and u.wagon == 0


@jit
def centre_gap2(g: Any, i: Any, j: Any) -> Any:
    """Squared inches between two units' centres: the cheap filter before exact distances."""
    dx, dy = g.u[i].x - g.u[j].x, g.u[i].y - g.u[j].y
    return dx * dx + dy * dy


@jit
def measure_gap(g: Any, i: Any, j: Any) -> Any:
    """Inches between the nearest points of two units."""
    a, b = g.u[i], g.u[j]
    return rectangle_gap(
        a.x, a.y, a.face, half_width(a), half_depth(a), b.x, b.y, b.face, half_width(b), half_depth(b)
    )


@jit
def measure_gap_up_to(g: Any, i: Any, j: Any, enough: Any) -> Any:
    """Inches between the nearest points of two units, or fewer when they are surely more than `enough`."""
    least = math.sqrt(centre_gap2(g, i, j)) - 2.0 * HALF_DIAGONAL
    return least if least > enough else measure_gap(g, i, j)


@jit
def gap_from(g: Any, i: Any, x: Any, y: Any, face: Any, j: Any) -> Any:
    """Inches to unit j if unit i stood at (x, y) with that heading."""
    a, b = g.u[i], g.u[j]
    return rectangle_gap(
        x, y, face, half_width(a), half_depth(a), b.x, b.y, b.face, half_width(b), half_depth(b)
    )


@jit
def is_alone(g: Any, i: Any) -> Any:
    """True when unit i can turn where it stands without meeting a unit or an enemy's inch."""
    u = g.u[i]
    for j in range(g.n):
        b = g.u[j]
        dx, dy = b.x - u.x, b.y - u.y
        near = dx * dx + dy * dy
        if near > NEAR_ENEMY2 or (near > NEAR_UNIT2 and b.side == u.side):
            continue
        if b.place == ON_TABLE and j != i:
            return False
    return True


@jit
def is_clear_of_units(g: Any, i: Any, x: Any, y: Any, face: Any, width: Any, depth: Any, but: Any) -> Any:
    """True when a rectangle for unit i overlaps no other unit on the table; `but` is left out."""
    for j in range(g.n):
        if j in (i, but):
            continue
        b = g.u[j]
        if b.place != ON_TABLE:
            continue
        dx, dy = b.x - x, b.y - y
        if dx * dx + dy * dy > NEAR_UNIT2:
            continue
        if is_overlapping(x, y, face, width, depth, b.x, b.y, b.face, half_width(b), half_depth(b)):
            return False
    return True


@jit
def clear_of_enemy(g: Any, i: Any, x: Any, y: Any, face: Any) -> Any:
    """True when unit i at that place keeps the inch from every enemy (AWI-T-SEQ-03)."""
    for j in range(g.n):
        b = g.u[j]
        if b.side == g.u[i].side or b.place != ON_TABLE:
            continue
        dx, dy = b.x - x, b.y - y
        if dx * dx + dy * dy > NEAR_ENEMY2:
            continue
        if gap_from(g, i, x, y, face, j) < 1.0 - 1.0e-9:
            return False
    return True


@jit
def front_x(u: Any) -> Any:
    """Centre of a unit's front edge, x in inches."""
    return u.x + SIN[u.face] * half_depth(u)


@jit
def front_y(u: Any) -> Any:
    """Centre of a unit's front edge, y in inches."""
    return u.y + COS[u.face] * half_depth(u)


@jit
def measure_unit_ahead(g: Any, i: Any, j: Any) -> Any:
    """(inches, left, right) of unit j in the strip straight ahead of unit i; -1 when not there."""
    a, b = g.u[i], g.u[j]
    return clip_to_strip(
        front_x(a), front_y(a), a.face, half_width(a), b.x, b.y, b.face, half_width(b), half_depth(b)
    )


@jit
def inside_table(g: Any, x: Any, y: Any) -> Any:
    """True when a centre at (x, y) leaves the unit on the table."""
    return x >= 1.0 and x <= g.width - 1.0 and y >= 0.9 and y <= g.depth - 0.9


@jit
def home_heading(g: Any, i: Any) -> Any:
    """Heading to the unit's own table edge: side 0 has the near edge, side 1 the far one."""
    return 180 if g.u[i].side == 0 else 0
