"""The ladder of order, what a rout does to a stand, who may follow it up (RTG-MOR-14 to 16, RTG-ROU)."""

from typing import Any

from battles.engine.compile import jit
from battles.rulesets.volley_bayonet.records import GUNS, HORSE, REMOVED, ROUTED
from battles.rulesets.volley_bayonet.rtg.bases import is_skirmisher
from battles.rulesets.volley_bayonet.states import FAIL_MORALE, change_order, is_standing, remove_stand


@jit
def drop_order(g: Any, i: Any, event: Any) -> Any:
    """One level down for a failed check or a lost melee; returns the new state (RTG-MOR-14, RTG-ROU-01).

    Who routs loses an SP and its dedicated guns and owes a full move; unlimbered guns are lost whole.
    """
    u = g.u[i]
    in_action = u.class_ == GUNS and u.limbered == 0
    before, rate = u.state, u.rate
    state = change_order(g, i, event)
    if state != ROUTED or before == ROUTED:
        return state
    u.dedicated = 0
    if u.class_ == GUNS:  # on their limbers they are taken along, where the core leaves all guns behind
        u.guns_gone, u.rate = 0, rate
    if in_action and is_standing(u):
        remove_stand(g, i)
        return REMOVED
    return u.state


@jit
def collapse_drop(g: Any, i: Any) -> Any:
    """A stand of a collapsing division drops one level as by a failed check (RTG-EXH-04)."""
    return drop_order(g, i, FAIL_MORALE)


@jit
def may_break_through(u: Any) -> Any:
    """True for a charging cavalry brigade whose target has routed: half a move at another (RTG-ROU-02)."""
    return u.class_ == HORSE and not is_skirmisher(u) and u.charged == 1 and u.state != ROUTED
