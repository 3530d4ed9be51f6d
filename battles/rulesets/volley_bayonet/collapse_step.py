"""The last step of a phase: brigades of both sides tire and collapse (VBW-SEQ-03, VBW-COL)."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.geometry import find_bearing
from battles.rulesets.volley_bayonet.exhaustion import collapse_brigade, roll_collapse, tire_brigade
from battles.rulesets.volley_bayonet.forced import FROM_CHECK, rout_moves
from battles.rulesets.volley_bayonet.sight import can_see
from battles.rulesets.volley_bayonet.states import is_standing


@jit
def nearest_in_sight(g: Any, i: Any) -> Any:
    """The nearest enemy that stand i sees, by centres, or -1."""
    u = g.u[i]
    best, nearest = -1, 1.0e18
    for j in range(g.n):
        b = g.u[j]
        if b.side == u.side or not is_standing(b):
            continue
        dx, dy = b.x - u.x, b.y - u.y
        if dx * dx + dy * dy < nearest and can_see(g, i, j):
            best, nearest = j, dx * dx + dy * dy
    return best


@jit
def runs_from_nearest(g: Any, i: Any) -> None:
    """A stand of a collapsed brigade runs from the nearest enemy in sight, else home (VBW-COL-06)."""
    u = g.u[i]
    j = nearest_in_sight(g, i)
    u.runs = FROM_CHECK
    u.away = u.home if j < 0 else find_bearing(u.x - g.u[j].x, u.y - g.u[j].y)


@jit
def collapse_step(g: Any) -> Any:
    """Both sides' brigades: who is exhausted now, and who of them collapses; how many collapse.

    A brigade that becomes exhausted counts the hits of this very combat step (VBW-COL-04).
    """
    count = 0
    for b in range(g.brigades_n):
        tire_brigade(g, b)
        if not roll_collapse(g, b):
            continue
        count += 1
        collapse_brigade(g, b)
        for i in range(g.n):
            u = g.u[i]
            if u.brigade == b and u.runs > 0 and is_standing(u):
                runs_from_nearest(g, i)
        rout_moves(g)
    # SP lost in those routs may exhaust a brigade that is not yet: it rolls in the next step
    for b in range(g.brigades_n):
        tire_brigade(g, b)
    return count
