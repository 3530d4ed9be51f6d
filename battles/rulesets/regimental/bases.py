"""Units as rectangles on the table: gaps, arcs, who overlaps whom (REG-DEF-01, REG-DEF-03, REG-DEF-05)."""

import math
from typing import Any

from battles.engine.compile import jit
from battles.engine.dtypes import BUILDING
from battles.engine.geometry import (
    COS,
    SIN,
    clip_to_strip,
    is_overlapping,
    nearest_point,
    point_gap2,
    rectangle_gap,
    turn_between,
)
from battles.rulesets.regimental.records import ON_TABLE

#: What a limit reaches beyond itself, for roundings.
LITTLE = 1.0e-9


@jit
def far_apart(g: Any, i: Any, j: Any, inches: Any) -> Any:
    """True when two units are surely further apart: the cheap filter before exact distances."""
    a, b = g.u[i], g.u[j]
    dx, dy, most = a.x - b.x, a.y - b.y, inches + a.reach + b.reach
    return dx * dx + dy * dy > most * most


@jit
def measure_gap(g: Any, i: Any, j: Any) -> Any:
    """Inches between the nearest edges of two units (REG-DEF-03)."""
    a, b = g.u[i], g.u[j]
    return rectangle_gap(
        a.x, a.y, a.face, a.half_width, a.half_depth, b.x, b.y, b.face, b.half_width, b.half_depth
    )


@jit
def is_within(g: Any, i: Any, j: Any, inches: Any) -> Any:
    """True when two units are so near, the limit included."""
    return not far_apart(g, i, j, inches) and measure_gap(g, i, j) <= inches + LITTLE


@jit
def spot_gap(g: Any, i: Any, x: Any, y: Any) -> Any:
    """Inches from a spot, such as a leader's, to a unit."""
    u = g.u[i]
    return math.sqrt(point_gap2(x, y, u.x, u.y, u.face, u.half_width, u.half_depth))


@jit
def front_x(u: Any) -> Any:
    """Centre of a unit's front edge, x in inches."""
    return u.x + SIN[u.face] * u.half_depth


@jit
def front_y(u: Any) -> Any:
    """Centre of a unit's front edge, y in inches."""
    return u.y + COS[u.face] * u.half_depth


@jit
def is_behind_front(u: Any, x: Any, y: Any) -> Any:
    """True for a spot behind the line of a unit's front (REG-MAN-03)."""
    return (x - front_x(u)) * SIN[u.face] + (y - front_y(u)) * COS[u.face] < -LITTLE


@jit
def nearest_spot(u: Any, x: Any, y: Any) -> Any:
    """(x, y) of the point of a unit that is nearest to a spot."""
    return nearest_point(x, y, u.x, u.y, u.face, u.half_width, u.half_depth)


@jit
def nearest_enemy(g: Any, i: Any) -> Any:
    """The nearest enemy of unit i by centres; -1 for none."""
    u = g.u[i]
    best, nearest = -1, 1.0e18
    for j in range(g.first[1 - u.side], g.past[1 - u.side]):
        b = g.u[j]
        if b.side == u.side or b.place != ON_TABLE:
            continue
        dx, dy = b.x - u.x, b.y - u.y
        distance = dx * dx + dy * dy
        if distance < nearest:
            best, nearest = j, distance
    return best


@jit
def has_enemy_within(g: Any, i: Any, x: Any, y: Any, inches: Any) -> Any:
    """True when unit i at a spot, facing as it does, is within so many inches of an enemy."""
    u = g.u[i]
    for j in range(g.first[1 - u.side], g.past[1 - u.side]):
        b = g.u[j]
        if b.side == u.side or b.place != ON_TABLE:
            continue
        dx, dy, most = b.x - x, b.y - y, inches + u.reach + b.reach
        if dx * dx + dy * dy > most * most:
            continue
        apart = rectangle_gap(
            x, y, u.face, u.half_width, u.half_depth, b.x, b.y, b.face, b.half_width, b.half_depth
        )
        if apart <= inches + LITTLE:
            return True
    return False


@jit
def can_stand_at(g: Any, i: Any, x: Any, y: Any, face: Any, width: Any, depth: Any) -> Any:
    """True when a rectangle for unit i overlaps no other unit and no building (REG-DEF-05)."""
    own = math.sqrt(width * width + depth * depth)
    for j in range(g.n):
        b = g.u[j]
        if b.place != ON_TABLE or j == i:
            continue
        dx, dy, most = b.x - x, b.y - y, own + b.reach
        if dx * dx + dy * dy > most * most:
            continue
        if is_overlapping(x, y, face, width, depth, b.x, b.y, b.face, b.half_width, b.half_depth):
            return False
    return on_no_building(g, x, y, face, width, depth, -1)


@jit
def on_no_building(g: Any, x: Any, y: Any, face: Any, width: Any, depth: Any, but: Any) -> Any:
    """True when a rectangle overlaps no building but that one."""
    for k in range(g.buildings_n):
        e = g.structures[k]
        if e.kind_ != BUILDING or k == but:
            continue
        dx, dy, most = e.x - x, e.y - y, width + depth + e.half_width + e.half_depth
        if dx * dx + dy * dy > most * most:
            continue
        if is_overlapping(x, y, face, width, depth, e.x, e.y, e.face, e.half_width, e.half_depth):
            return False
    return True


@jit
def can_stand_in_form(g: Any, i: Any, x: Any, y: Any, face: Any) -> Any:
    """True when unit i as it is formed can stand at a spot (`can_stand_at`)."""
    u = g.u[i]
    return can_stand_at(g, i, x, y, face, u.half_width, u.half_depth)


@jit
def ahead_of(u: Any, heading: Any, more: Any, x: Any, y: Any, face: Any, w: Any, h: Any) -> Any:
    """Inches a unit goes along a heading until it meets a rectangle; -1.0 when it passes by.

    Its front is taken `more` broader to each side.
    """
    d = turn_between(u.face, heading) % 360
    lead = abs(COS[d]) * u.half_depth + abs(SIN[d]) * u.half_width
    half = abs(COS[d]) * u.half_width + abs(SIN[d]) * u.half_depth + more
    s, c = SIN[heading], COS[heading]
    dx, dy = x - u.x, y - u.y
    # what lies wholly aside of its way or behind it is seen at a glance
    if abs(dx * c - dy * s) > half + w + h or dx * s + dy * c < -(w + h):
        return -1.0
    inches, _, _ = clip_to_strip(u.x + s * lead, u.y + c * lead, heading, half, x, y, face, w, h)
    return inches
