"""Targets of fire: range, fan of fire, woods that hide, lines of sight, fire over others."""

import math
from typing import Any

from battles.engine.bases import HALF, LITTLE, half_depth, half_width, measure_gap
from battles.engine.compile import jit
from battles.engine.dtypes import DENSE_WOODS, LINE, NO_WOOD, ON_TABLE, ROUTING
from battles.engine.geometry import COS, SIN, point_gap2, ray_hits
from battles.engine.ground import height_at, is_sight_open, wood_around
from battles.rulesets.awi.morale import is_deployed

#: How near a base is to a wall it fires out of: base and wall part by less than half a base.
TOUCHES_WALL = 1.6
#: How far units in between must be from gun and target (AWI-T-FIR-10).
OVERHEAD = 12.0
#: Besides how well a unit hides: woods do not count, and it cannot be seen at all (AWI-T-TER-07).
NOT_HIDDEN, HIDDEN = -1, -2
#: Inches beyond half a front edge and half a base that a fan can reach out to a unit's centre.
FAN = 3.5 * HALF
#: Inches between two units' centres beyond those between their nearest points, at the most.
BEYOND_RANGE = 4.0
#: Inches from an edge's middle and a base's centre within which their nearest points lie, together.
EDGE_TO_BASE = 2.2
#: Farthest from the line between two centres that a unit in the way of their fire can have its own:
#: lines start and end within 3.2 inches of the centres, and a unit reaches out 2.
BESIDE_LINE = 5.2
#: Inches allowed for rounding.
HAIR = 1.0e-6


@jit
def can_fire(u: Any) -> Any:
    """Infantry and deployed guns, steady or shaken (AWI-T-FIR-01)."""
    if u.place != ON_TABLE or u.mood == ROUTING or u.shoots == 0 or u.digging == 1:
        return False
    return u.gun == 0 or is_deployed(u)


@jit
def find_range_band(u: Any, inches: Any) -> Any:
    """1 short, 2 medium, 3 long, 0 out of range (AWI-T-FIR-04 to 07); boundaries count as nearer."""
    if inches <= u.short_max + LITTLE:
        return 1
    if inches >= u.medium_min - LITTLE and inches <= u.medium_max + LITTLE:
        return 2
    if u.long_max > 0.0 and inches > u.medium_max and inches <= u.long_max + LITTLE:
        return 3
    return 0


@jit
def longest_range(u: Any) -> Any:
    """The longest range of a unit's weapon in inches."""
    reach = u.short_max if u.short_max > u.medium_max else u.medium_max
    return reach if reach > u.long_max else u.long_max


@jit
def base_offset(u: Any, k: Any) -> Any:
    """(right, ahead) inches from a unit's centre to the centre of its base k, 0 or 1."""
    if u.form == LINE:
        return (HALF if k == 1 else -HALF), 0.0
    return 0.0, (HALF if k == 0 else -HALF)


@jit
def base_centre(u: Any, k: Any) -> Any:
    """(x, y) of the centre of a unit's base k."""
    right, front = base_offset(u, k)
    s, c = SIN[u.face], COS[u.face]
    return u.x + right * c + front * s, u.y - right * s + front * c


@jit
def alone_inside(g: Any, i: Any) -> Any:
    """True when unit i shares its building with nobody."""
    for k in range(g.n):
        if k != i and g.u[k].place == ON_TABLE and g.u[k].inside == g.u[i].inside:
            return False
    return True


@jit
def count_edges(u: Any) -> Any:
    """The number of edges a unit may fire from: both bases in line, the first otherwise, all walls inside."""
    if u.inside >= 0:
        return 8
    return 2 if u.form == LINE else 1


@jit
def firing_edge(g: Any, i: Any, m: Any) -> Any:
    """(x, y, heading) of the edge m a unit fires from; heading -1 when there is none (AWI-T-TER-10).

    In the open edges 0 and 1 are the fronts of its bases. Inside a building base m // 4 may fire out
    of the side m % 4 (front, right, rear, left) if it touches it; a unit alone touches front and rear.
    """
    a = g.u[i]
    if a.inside < 0:
        x, y = base_centre(a, m)
        return x + SIN[a.face] * HALF, y + COS[a.face] * HALF, a.face
    b = g.structures[a.inside]
    x, y = base_centre(a, m // 4)
    side = m % 4
    face = (b.face + 90 * side) % 360
    s, c = SIN[face], COS[face]
    out = (b.half_depth if side % 2 == 0 else b.half_width) - ((x - b.x) * s + (y - b.y) * c)
    if out > TOUCHES_WALL and (side % 2 == 1 or not alone_inside(g, i)):
        return x, y, -1
    # a hair before the wall, so that the building itself is not in the way
    return x + s * (out + 1.0e-6), y + c * (out + 1.0e-6), face


@jit
def in_arc(fx: Any, fy: Any, face: Any, x: Any, y: Any, turned: Any) -> Any:
    """True when a whole base lies in the fan of a firing base's front edge (AWI-T-FIR-02).

    The edge has its centre at (fx, fy); the fan is what is straight ahead and up to 45 degrees
    to either side of it. The target base has its centre at (x, y) and heading `turned`.
    """
    s, c = SIN[face], COS[face]
    ts, tc = SIN[turned], COS[turned]
    for k in range(4):
        u = HALF if k % 2 == 0 else -HALF
        v = HALF if k < 2 else -HALF
        dx, dy = x + u * tc + v * ts - fx, y - u * ts + v * tc - fy
        right, front = dx * c - dy * s, dx * s + dy * c
        if front < 0.0 or abs(right) > HALF + front + 1.0e-9:
            return False
    return True


@jit
def edge_range(fx: Any, fy: Any, face: Any, x: Any, y: Any, turned: Any, width: Any, depth: Any) -> Any:
    """Inches from a firing base's front edge to the nearest point of a rectangle ahead of it."""
    s, c = SIN[face], COS[face]
    best = point_gap2(fx + HALF * c, fy - HALF * s, x, y, turned, width, depth)
    other = point_gap2(fx - HALF * c, fy + HALF * s, x, y, turned, width, depth)
    if other < best:
        best = other
    s, c = SIN[turned], COS[turned]
    for k in range(4):
        u = width if k % 2 == 0 else -width
        v = depth if k < 2 else -depth
        other = point_gap2(x + u * c + v * s, y - u * s + v * c, fx, fy, face, HALF, 0.0)
        if other < best:
            best = other
    return math.sqrt(best)


@jit
def far_off(g: Any, i: Any, j: Any) -> Any:
    """True when unit j is certainly out of range or out of the fan of unit i; the cheap filter."""
    a, t = g.u[i], g.u[j]
    dx, dy = t.x - a.x, t.y - a.y
    reach = longest_range(a) + BEYOND_RANGE
    if dx * dx + dy * dy > reach * reach:
        return True
    if a.inside >= 0:
        return False
    s, c = SIN[a.face], COS[a.face]
    front = dx * s + dy * c - half_depth(a)
    return front < -1.0e-6 or abs(dx * c - dy * s) > front + FAN


@jit
def measure_extent(u: Any, dx: Any, dy: Any) -> Any:
    """A unit's reach from its centre along and across a direction, times the length of (dx, dy)."""
    s, c = SIN[u.face], COS[u.face]
    along, across = abs(s * dx + c * dy), abs(c * dx - s * dy)
    width, depth = half_width(u), half_depth(u)
    return width * across + depth * along, width * along + depth * across


@jit
def list_between(g: Any, i: Any, j: Any) -> None:
    """Note in `between` the units that may stand on a line from unit i to unit j."""
    a, t = g.u[i], g.u[j]
    dx, dy = t.x - a.x, t.y - a.y
    length2 = dx * dx + dy * dy
    length = math.sqrt(length2)
    reach = BESIDE_LINE * length
    # lines run from the front of unit i, or a wall of its building, to some spot of unit j
    aside, near, far = reach, -reach, length2 + reach
    if a.inside < 0 and t.inside < 0:
        ahead, wide = measure_extent(a, dx, dy)
        deep, broad = measure_extent(t, dx, dy)
        aside = max(wide, broad) + HAIR * length
        near, far = -ahead, length2 + deep
    count = 0
    for k in range(g.n):
        b = g.u[k]
        if k in (i, j) or b.place != ON_TABLE:
            continue
        ex, ey = b.x - a.x, b.y - a.y
        if abs(ex * dy - ey * dx) > reach:
            continue
        along = ex * dx + ey * dy
        if along < -reach or along > reach + length2:
            continue
        deep, broad = measure_extent(b, dx, dy)
        if abs(ex * dy - ey * dx) > aside + broad or along < near - deep or along > far + deep:
            continue
        g.between[count] = k
        count += 1
    g.between_n = count


@jit
def shoots_over(g: Any, i: Any, j: Any, k: Any) -> Any:
    """True when gun i may fire at unit j over unit k (AWI-T-FIR-10).

    Guns fire from or to ground higher than that of the unit between, howitzers over friends from
    anywhere; friends must be a foot from both. Canister, at short range, goes over nobody.
    """
    a, b = g.u[i], g.u[k]
    if a.gun == 0:
        return False
    friend = b.side == a.side
    if a.howitzer == 0 or not friend:
        if g.hills == 0:
            return False
        height = height_at(g, b.x, b.y)
        if height_at(g, a.x, a.y) <= height and height_at(g, g.u[j].x, g.u[j].y) <= height:
            return False
    if not friend:
        return True
    return measure_gap(g, i, k) >= OVERHEAD - LITTLE and measure_gap(g, k, j) >= OVERHEAD - LITTLE


@jit
def clear_line(
    g: Any, i: Any, j: Any, zone: Any, fx: Any, fy: Any, tx: Any, ty: Any, hides: Any, inside: Any
) -> Any:
    """True when neither units listed as between nor the ground bar a line of fire (AWI-T-FIR-02)."""
    for n in range(g.between_n):
        k = g.between[n]
        b = g.u[k]
        if ray_hits(fx, fy, tx, ty, b.x, b.y, b.face, half_width(b), half_depth(b)) and (
            zone == 1 or not shoots_over(g, i, j, k)
        ):
            return False
    if g.woods == 0 and g.hills == 0 and g.buildings_n == 0:
        return True
    return is_sight_open(g, fx, fy, tx, ty, hides, inside)


@jit
def sees_base(g: Any, i: Any, j: Any, zone: Any, fx: Any, fy: Any, x: Any, y: Any, hides: Any) -> Any:
    """True when the whole breadth of a target base is in sight: lines to its two outer corners."""
    t = g.u[j]
    ts, tc = SIN[t.face], COS[t.face]
    ax, ay, bx, by = x, y, x, y
    for k in range(4):
        u = HALF if k % 2 == 0 else -HALF
        v = HALF if k < 2 else -HALF
        cx, cy = x + u * tc + v * ts, y - u * ts + v * tc
        # leftmost and rightmost corner as seen from the firer, by the sign of the cross product
        if k == 0 or (ax - fx) * (cy - fy) - (ay - fy) * (cx - fx) > 0.0:
            ax, ay = cx, cy
        if k == 0 or (bx - fx) * (cy - fy) - (by - fy) * (cx - fx) < 0.0:
            bx, by = cx, cy
    return clear_line(g, i, j, zone, fx, fy, ax, ay, hides, t.inside) and clear_line(
        g, i, j, zone, fx, fy, bx, by, hides, t.inside
    )


@jit
def find_hiding(g: Any, i: Any, j: Any) -> Any:
    """A code of how well woods hide unit j from unit i on the line between (AWI-T-TER-07).

    A unit wholly in a wood is seen within the distance of its kind between the nearest points, or
    once it has fired or charged; then no wood on the line hides it. One that stands in the open is
    hidden by as much wood as lies between (our ruling).
    """
    if g.woods == 0:
        return NOT_HIDDEN
    t = g.u[j]
    wood = wood_around(g, t.x, t.y, t.face, half_width(t), half_depth(t))
    if wood == NO_WOOD:
        return t.hides
    if t.shown == 1:
        return NOT_HIDDEN
    seen = g.o.dense_seen[t.hides] if wood == DENSE_WOODS else g.o.open_seen[t.hides]
    return NOT_HIDDEN if measure_gap(g, i, j) <= seen + LITTLE else HIDDEN


@jit
def range_from(g: Any, i: Any, j: Any, m: Any, hides: Any, nearest: Any) -> Any:
    """Inches at which edge m of unit i can fire at unit j if that is less than `nearest`, or -1.0.

    One whole base of the target must be in range, in the fan and in sight; with HIDDEN for
    `hides` sight is not looked into.
    """
    fx, fy, face = firing_edge(g, i, m)
    if face < 0:
        return -1.0
    t = g.u[j]
    best = -1.0
    far = longest_range(g.u[i]) + EDGE_TO_BASE
    for k in range(2):
        x, y = base_centre(t, k)
        if (x - fx) * (x - fx) + (y - fy) * (y - fy) > far * far or not in_arc(fx, fy, face, x, y, t.face):
            continue
        inches = edge_range(fx, fy, face, x, y, t.face, HALF, HALF)
        zone = find_range_band(g.u[i], inches)
        if zone == 0 or inches >= nearest:
            continue
        if hides == HIDDEN or sees_base(g, i, j, zone, fx, fy, x, y, hides):
            best = nearest = inches
    return best


@jit
def nearest_edge(g: Any, i: Any, j: Any, hides: Any) -> Any:
    """Least inches from an edge of unit i that can fire at unit j, or -1.0."""
    best = -1.0
    for m in range(count_edges(g.u[i])):
        inches = range_from(g, i, j, m, hides, best if best >= 0.0 else 1.0e9)
        if inches >= 0.0:
            best = inches
    return best


@jit
def bare_range(g: Any, i: Any, j: Any) -> Any:
    """Inches at which unit i could fire at unit j if nothing barred the sight, or -1.0."""
    if far_off(g, i, j):
        return -1.0
    return nearest_edge(g, i, j, HIDDEN)


@jit
def seen_range(g: Any, i: Any, j: Any) -> Any:
    """Inches at which unit i can fire at unit j, or -1.0, for units not far off."""
    hides = find_hiding(g, i, j)
    if hides == HIDDEN:
        return -1.0
    list_between(g, i, j)
    return nearest_edge(g, i, j, hides)


@jit
def fire_range(g: Any, i: Any, j: Any) -> Any:
    """Inches at which unit i can fire at unit j, or -1.0 (AWI-T-FIR-02).

    One front base of the firer must have one whole base of the target in range, arc and sight.
    """
    return seen_range(g, i, j) if bare_range(g, i, j) >= 0.0 else -1.0
