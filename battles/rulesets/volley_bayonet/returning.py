"""Return fire (VBW-RTF, VBD-ABS-03)."""

from typing import Any

from battles.engine.compile import jit
from battles.rulesets.volley_bayonet.morale import is_linked
from battles.rulesets.volley_bayonet.morale_step import has_met
from battles.rulesets.volley_bayonet.states import is_standing


@jit
def may_return(g: Any, i: Any, under_fire: Any) -> Any:
    """True when fire at one stand lets stand i of its battalion shoot back.

    It is that stand, or joined to it by touching stands of the battalion; at division level that stand
    alone. Not one that has fought in this step, or is in a melee.
    """
    u, t = g.u[i], g.u[under_fire]
    if not is_standing(u) or u.fought == 1 or u.charges >= 0:
        return False
    if i != under_fire and (g.o.battalion_fire == 0 or u.battalion != t.battalion):
        return False
    for k in range(g.n):
        if has_met(g, k, i):
            return False
    if i == under_fire:
        return True
    g.queue[0] = under_fire
    return is_linked(g, i, 1)
