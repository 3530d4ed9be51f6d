"""The end of the line that a side means to turn, and how far troops are from where their plan sends them."""

import math
from typing import Any

from battles.engine.bases import centre_gap2, is_effective
from battles.engine.commanding import flank_direction
from battles.engine.compile import jit
from battles.engine.dtypes import ASSAULT, MOUNTED, TURN_FLANK

#: Inches beyond the end of the enemy's line at which the weight turns in.
BEYOND = 3.0


@jit
def find_flank(g: Any) -> None:
    """Find the end of the enemy's line the mover means to turn, and whether its weight has met him."""
    way = flank_direction(g, g.mover)
    end = -1.0e9
    g.flank_met = 0
    for j in range(g.n):
        t = g.u[j]
        if t.side == g.mover or not is_effective(t) or t.arm == MOUNTED:
            continue
        if t.x * way > end:
            end = t.x * way
            g.flank_x, g.flank_y = t.x, t.y
    for i in range(g.n):
        u = g.u[i]
        if u.side != g.mover or u.wing == 0 or not is_effective(u):
            continue
        for j in range(g.n):
            if g.u[j].side != g.mover and is_effective(g.u[j]) and centre_gap2(g, i, j) < 90.0:
                g.flank_met = 1
                return


@jit
def inches_aside(g: Any, i: Any) -> Any:
    """Inches to where its side's plan sends unit i before it goes for the enemy; 0.0 when it is there."""
    u = g.u[i]
    if g.plan[u.side] == TURN_FLANK and u.wing == 1:
        way = flank_direction(g, u.side)
        beyond = (u.x - g.flank_x) * way
        return BEYOND - beyond if beyond < BEYOND else 0.0
    if g.plan[u.side] == ASSAULT and g.plans[u.side].goal == 1:
        dx, dy = u.spot_x - u.x, u.spot_y - u.y
        return math.sqrt(dx * dx + dy * dy)
    return 0.0
