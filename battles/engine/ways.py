"""Ways over the table that cost every ruleset its own: where troops come on, own edges, bridges and fords."""

import math
from typing import Any

from battles.engine.compile import jit
from battles.engine.geometry import COS, SIN, find_bearing
from battles.engine.ground import gate_open

#: Inches from the near end of a bridge or ford to the spot from which it is crossed, aside from its
#: middle and along it, within which one goes straight over.
BEFORE, ASIDE, ALONG = 2.0, 1.0, 1.0
#: Inches as far as anybody goes.
FARTHEST = 1.0e3


@jit
def is_off(g: Any, x: Any, y: Any) -> Any:
    """True for a centre beyond the table's edge."""
    return x < 0.0 or y < 0.0 or x > g.width or y > g.depth


@jit
def from_own_edge(g: Any, u: Any) -> Any:
    """Inches from a unit's centre to its own side's edge, by its heading home."""
    return u.y if u.home == 180 else g.depth - u.y


@jit
def entry_spot(g: Any, u: Any, number: Any, apart: Any) -> Any:
    """(x, y) of the spot tried as that number, from 0, for a unit that comes on.

    The first is where it enters, the others lie by turns to either side of it, so many inches apart, along
    the edge that is nearest.
    """
    offset = ((number + 1) // 2) * (apart if number % 2 == 1 else -apart)
    if min(u.y, g.depth - u.y) <= min(u.x, g.width - u.x):
        return u.x + offset, u.y
    return u.x, u.y + offset


@jit
def best_gate(g: Any, px: Any, py: Any, x: Any, y: Any) -> Any:
    """(which, inches) of the bridge or ford by which the way from p to a spot is shortest; -1 for none."""
    best, shortest = -1, 1.0e18
    for k in range(g.gates_n):
        t = g.gates[k]
        if not gate_open(g, k):
            continue
        ax, ay, bx, by = t.x - px, t.y - py, x - t.x, y - t.y
        way = math.sqrt(ax * ax + ay * ay) + math.sqrt(bx * bx + by * by)
        if way < shortest:
            best, shortest = k, way
    return best, shortest


@jit
def heading_over(g: Any, k: Any, x: Any, y: Any) -> Any:
    """The heading of gate k by which one comes over it towards a spot."""
    t = g.gates[k]
    over = t.heading % 360
    if COS[(find_bearing(x - t.x, y - t.y) - over) % 360] < 0.0:
        over = (over + 180) % 360
    return over


@jit
def leg_by_gate(g: Any, px: Any, py: Any, x: Any, y: Any) -> Any:
    """(heading, inches) of the next leg from p to a spot by the best bridge or ford, of which there is one.

    First to the spot before its near end, then as far as one can straight over.
    """
    k, _ = best_gate(g, px, py, x, y)
    t, over = g.gates[k], heading_over(g, k, x, y)
    s, c = SIN[over], COS[over]
    before = t.half_length + BEFORE
    dx, dy = t.x - px, t.y - py
    if abs(dx * c - dy * s) <= ASIDE and dx * s + dy * c <= before + ALONG:
        return over, FARTHEST
    dx, dy = t.x - before * s - px, t.y - before * c - py
    return find_bearing(dx, dy), math.sqrt(dx * dx + dy * dy)
