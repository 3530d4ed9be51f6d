"""The order in which stands of the moving side are moved."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.dtypes import DELAY, WITHDRAW
from battles.engine.progress import is_ordered_back
from battles.engine.ways import from_own_edge
from battles.rulesets.volley_bayonet.records import ROUTED
from battles.rulesets.volley_bayonet.states import is_standing


@jit
def is_leaving(plan: Any) -> Any:
    """True for plans whose rearmost stands go first."""
    return plan in (DELAY, WITHDRAW)


@jit
def sort_moves(g: Any) -> Any:
    """Fill the queue with the moving side's stands that can move, the foremost first; how many."""
    count = 0
    sign = -1.0 if is_leaving(g.plan[g.mover]) or is_ordered_back(g, g.mover) else 1.0
    for i in range(g.first[g.mover], g.past[g.mover]):
        u = g.u[i]
        if u.side != g.mover or not is_standing(u) or u.state == ROUTED:
            continue
        key = sign * from_own_edge(g, u)
        k = count
        while k > 0:
            if sign * from_own_edge(g, g.u[g.order[k - 1]]) >= key:
                break
            g.order[k] = g.order[k - 1]
            k -= 1
        g.order[k] = i
        count += 1
    return count
