"""The end of the line that a side means to turn, and how far troops are from where their plan sends them."""

import math
from typing import Any

from battles.engine.commanding import flank_direction
from battles.engine.compile import jit
from battles.engine.dtypes import TURN_FLANK
from battles.rulesets.regimental.records import BROKEN, ON_TABLE, WAGONS

#: Inches beyond the end of his line where a flank is turned in.
BEYOND, TURNED_IN = 4.0, 3.0


@jit
def line_end(g: Any, side: Any) -> Any:
    """(x, y): the end of the enemy's line on the flank a side means to turn."""
    way = flank_direction(g, side)
    x, y, most = g.width / 2.0, g.depth / 2.0, -1.0e9
    for j in range(g.first[1 - side], g.past[1 - side]):
        b = g.u[j]
        if b.side == side or b.place != ON_TABLE or b.order_ == BROKEN or b.class_ == WAGONS:
            continue
        if way * b.x > most:
            x, y, most = b.x, b.y, way * b.x
    return x, y


@jit
def inches_aside(g: Any, i: Any) -> Any:
    """Inches to where its side's plan sends unit i before it goes for the enemy; 0.0 when it is there."""
    u = g.u[i]
    if g.plan[u.side] == TURN_FLANK and u.outflanks == 1:
        ex, _ = line_end(g, u.side)
        way = flank_direction(g, u.side)
        return max(min(max(ex + way * BEYOND, 1.0), g.width - 1.0) * way - u.x * way - TURNED_IN, 0.0)
    if g.plans[u.side].goal == 1:
        dx, dy = u.spot_x - u.x, u.spot_y - u.y
        return math.sqrt(dx * dx + dy * dy)
    return 0.0
