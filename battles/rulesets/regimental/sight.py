"""Lines of sight over the ground, and of fire among other units (REG-TER-01, REG-FIR-01, REG-DEF-03)."""

import math
from typing import Any

from battles.engine.compile import jit
from battles.engine.dtypes import BUILDING
from battles.engine.geometry import ray_hits
from battles.engine.ground import code_at
from battles.rulesets.regimental.bases import nearest_spot
from battles.rulesets.regimental.cover import height_of
from battles.rulesets.regimental.records import ON_TABLE, WOODS

#: Inches between the spots of a line that are looked at.
STRIDE = 0.5


@jit
def ground_open(g: Any, px: Any, py: Any, qx: Any, qy: Any, one: Any, two: Any) -> Any:
    """True when the ground leaves the line from p to q open; `one` and `two` are buildings to look into.

    Ground higher than both ends bars it, and growth deeper than one sees in it (REG-TER-01).
    """
    for k in range(g.buildings_n):
        e = g.structures[k]
        if e.kind_ != BUILDING or k in (one, two):
            continue
        if ray_hits(px, py, qx, qy, e.x, e.y, e.face, e.half_width, e.half_depth):
            return False
    if g.hills == 0 and g.growth == 0:
        return True
    if px > qx or (px == qx and py > qy):
        # the same spots are looked at from either end, so whoever sees is seen
        px, py, qx, qy = qx, qy, px, py
    dx, dy = qx - px, qy - py
    length = math.sqrt(dx * dx + dy * dy)
    steps = int(length / STRIDE) + 1
    top = max(g.going[code_at(g, px, py)].height, g.going[code_at(g, qx, qy)].height)
    thick = 0.0
    for k in range(1, steps):
        share = k / steps
        e = g.going[code_at(g, px + dx * share, py + dy * share)]
        if e.height > top:
            return False
        if e.growth > 0:
            thick += length / steps / g.t.seen[e.growth]
            if thick > 1.0:
                return False
    return True


@jit
def can_see(g: Any, i: Any, j: Any) -> Any:
    """True when unit i has unit j in sight; other units hide nothing."""
    if g.hills == 0 and g.growth == 0 and g.buildings_n == 0:
        return True
    a, b = g.u[i], g.u[j]
    px, py = nearest_spot(a, b.x, b.y)
    qx, qy = nearest_spot(b, px, py)
    return ground_open(g, px, py, qx, qy, a.inside, b.inside)


@jit
def through_dense(g: Any, px: Any, py: Any, qx: Any, qy: Any) -> Any:
    """True when a line goes through dense woods, orchards counted with them unless the option says no."""
    if g.growth == 0:
        return False
    dx, dy = qx - px, qy - py
    steps = int(math.sqrt(dx * dx + dy * dy) / STRIDE) + 1
    for k in range(steps + 1):
        share = k / steps
        growth = g.going[code_at(g, px + dx * share, py + dy * share)].growth
        if growth == WOODS or (growth > 0 and g.o.dense_only == 0):
            return True
    return False


@jit
def line_clear(g: Any, i: Any, j: Any, px: Any, py: Any, qx: Any, qy: Any) -> Any:
    """True when no unit stands in the line of fire from p, where unit i is, to q of unit j (REG-DEF-03)."""
    a, b = g.u[i], g.u[j]
    for k in range(g.n):
        m = g.u[k]
        if m.place != ON_TABLE or k in (i, j):
            continue
        far = m.reach
        if (m.x < px - far and m.x < qx - far) or (m.x > px + far and m.x > qx + far):
            continue
        if (m.y < py - far and m.y < qy - far) or (m.y > py + far and m.y > qy + far):
            continue
        if m.inside >= 0 and (m.inside == a.inside or m.inside == b.inside):
            continue
        if not ray_hits(px, py, qx, qy, m.x, m.y, m.face, m.half_width, m.half_depth):
            continue
        top = height_of(g, m)
        if height_of(g, a) <= top and height_of(g, b) <= top:
            return False
    return True
