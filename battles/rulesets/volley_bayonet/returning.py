"""Return fire (VBW-RTF, VBD-ABS-03)."""

from typing import Any

from battles.engine.compile import jit
from battles.rulesets.volley_bayonet.morale import linked
from battles.rulesets.volley_bayonet.morale_step import is_met
from battles.rulesets.volley_bayonet.records import ON_TABLE
from battles.rulesets.volley_bayonet.sight import can_fire_at
from battles.rulesets.volley_bayonet.states import stands


@jit
def may_return(g: Any, i: Any, under_fire: Any) -> Any:
    """True when fire at one stand lets stand i of its battalion shoot back.

    It is that stand, or joined to it by touching stands of the battalion; at division level that stand
    alone. Not one that has fought in this step, or is in a melee.
    """
    u, t = g.u[i], g.u[under_fire]
    if not stands(u) or u.place != ON_TABLE or u.fought == 1 or u.charges >= 0:
        return False
    for k in range(g.n):
        if is_met(g, k, i):
            return False
    if i == under_fire:
        return True
    if g.o.battalion_fire == 0 or u.battalion != t.battalion:
        return False
    g.queue[0] = under_fire
    return linked(g, i, 1)


@jit
def returns_at(g: Any, i: Any, under_fire: Any, firer: Any) -> Any:
    """Inches of the shot with which stand i answers a firer; -1.0 when it may not (VBW-RTF-01)."""
    return can_fire_at(g, i, firer) if may_return(g, i, under_fire) else -1.0
