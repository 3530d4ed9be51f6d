"""The danger zone of enemy artillery (VBW-MOR-02)."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.geometry import clip_to_strip, ray_hits
from battles.rulesets.volley_bayonet.bases import (
    far_apart,
    front_x,
    front_y,
    half_depth,
    half_width,
    is_surely_outside,
)
from battles.rulesets.volley_bayonet.combat import is_gun
from battles.rulesets.volley_bayonet.records import FORMED, ROUTED
from battles.rulesets.volley_bayonet.states import is_standing
from battles.rulesets.volley_bayonet.tables import DANGER_HALF_WIDTH, EDGE


@jit
def commands_zone(u: Any) -> Any:
    """True for a gun that has a danger zone: not limbered, routed or abandoned."""
    return is_gun(u) and is_standing(u) and u.form == FORMED and u.state != ROUTED


@jit
def depth_of_zone(g: Any, i: Any, j: Any) -> Any:
    """Inches from gun i to the part of stand j in its strip; -1.0 when none lies within short range."""
    a, b = g.u[i], g.u[j]
    if far_apart(g, i, j, g.t.short[a.weapon] + DANGER_HALF_WIDTH):
        return -1.0
    fx, fy = front_x(g, a), front_y(g, a)
    w, h = half_width(g, b), half_depth(g, b)
    inches, _, _ = clip_to_strip(fx, fy, a.face, DANGER_HALF_WIDTH + EDGE, b.x, b.y, b.face, w, h)
    if inches < 0.0 or inches > g.t.short[a.weapon] + 1.0e-9:
        return -1.0
    return inches


@jit
def is_screened(g: Any, i: Any, j: Any) -> Any:
    """True when a formed stand of either side stands between gun i and stand j; skirmishers do not screen."""
    a, b = g.u[i], g.u[j]
    fx, fy = front_x(g, a), front_y(g, a)
    left, right, low, high = min(fx, b.x), max(fx, b.x), min(fy, b.y), max(fy, b.y)
    for k in range(g.n):
        m = g.u[k]
        if (
            is_surely_outside(m, left, right, low, high)
            or k in (i, j)
            or not is_standing(m)
            or m.form != FORMED
        ):
            continue
        if m.inside >= 0 and m.inside in (a.inside, b.inside):
            continue  # all within a block have the block for a base
        if ray_hits(fx, fy, b.x, b.y, m.x, m.y, m.face, half_width(g, m), half_depth(g, m)):
            return True
    return False
