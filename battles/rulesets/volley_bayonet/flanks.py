"""The end of the line that a side means to turn, and how far stands are from where their plan sends them."""

import math
from typing import Any

from battles.engine.commanding import flank_direction
from battles.engine.compile import jit
from battles.engine.dtypes import TURN_FLANK
from battles.rulesets.volley_bayonet.records import ROUTED, TRANSPORT
from battles.rulesets.volley_bayonet.states import is_standing


@jit
def line_end(g: Any, side: Any) -> Any:
    """(x, y): the end of the enemy's line on the flank a side means to turn."""
    way = flank_direction(g, side)
    x, y, most = g.width / 2.0, g.depth / 2.0, -1.0e9
    for j in range(g.n):
        b = g.u[j]
        if b.side == side or not is_standing(b) or b.state == ROUTED or b.class_ == TRANSPORT:
            continue
        if way * b.x > most:
            x, y, most = b.x, b.y, way * b.x
    return x, y


@jit
def inches_aside(g: Any, i: Any) -> Any:
    """Inches to where its side's plan sends stand i before it goes for the enemy; 0.0 when it is there."""
    u = g.u[i]
    if g.plan[u.side] == TURN_FLANK and u.outflanks == 1:
        ex, _ = line_end(g, u.side)
        way = flank_direction(g, u.side)
        x = min(max(ex + way * g.t.beyond_line, 1.0), g.width - 1.0)
        return max(way * (x - u.x) - g.t.turned_in, 0.0)
    if g.plans[u.side].goal == 1:
        dx, dy = u.spot_x - u.x, u.spot_y - u.y
        return math.sqrt(dx * dx + dy * dy)
    return 0.0
