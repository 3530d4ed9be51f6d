"""Order states of a stand, what changes them, the loss of strength (VBW-DEF-01, 02); whose phase is first."""

from typing import Any

import numpy as np

from battles.engine.compile import jit
from battles.rulesets.volley_bayonet.recording import (
    ELIMINATED,
    R_NONE,
    R_RALLIED,
    RALLIES,
    ROUTS,
    SHAKEN,
    SP_LOST,
    note_event,
    note_plain,
)
from battles.rulesets.volley_bayonet.records import (
    DISORDERED,
    GONE,
    GOOD,
    GUNS,
    HORSE,
    ON_TABLE,
    PERMANENT,
    REMOVED,
    ROUTED,
)
from battles.rulesets.volley_bayonet.tables import ROUT_SP

#: What can happen to a stand's order.
FAIL_MORALE, LOSE_MELEE, COLLAPSE, INCIDENTAL, RECOVER, RALLY = 0, 1, 2, 3, 4, 5
#: The state after an event, by event and state: good, disordered, permanent, routed, removed.
AFTER = np.array(
    [
        (DISORDERED, ROUTED, ROUTED, REMOVED, REMOVED),
        (DISORDERED, ROUTED, ROUTED, REMOVED, REMOVED),
        (PERMANENT, ROUTED, ROUTED, REMOVED, REMOVED),
        (DISORDERED, DISORDERED, PERMANENT, ROUTED, REMOVED),
        (GOOD, GOOD, PERMANENT, ROUTED, REMOVED),
        (GOOD, DISORDERED, PERMANENT, PERMANENT, REMOVED),
    ]
)


@jit
def is_disordered_by_nature(u: Any) -> Any:
    """True for who counts as disordered without a marker.

    Infantry in the saddle (VBW-COM-07), and who attacks over a defended stream (VBW-TER-32).
    """
    return (u.rides == 1 and u.class_ == HORSE) or u.over_stream == 1


@jit
def is_disordered(u: Any) -> Any:
    """True for every stand that is not in good order, by its marker or its nature (VBW-DEF-01)."""
    return u.state != GOOD or is_disordered_by_nature(u)


@jit
def state_now(u: Any) -> Any:
    """The state that an event finds: who is treated as disordered is no better than that."""
    return DISORDERED if u.state == GOOD and is_disordered_by_nature(u) else u.state


@jit
def find_next_state(event: Any, state: Any) -> Any:
    """The state after an event (VBW-DEF-01)."""
    return AFTER[event, state]


@jit
def is_standing(u: Any) -> Any:
    """On the table, whatever its order."""
    return u.place == ON_TABLE and u.state != REMOVED


@jit
def count_loss(g: Any, u: Any, points: Any) -> None:
    """Book SP a stand has lost; its brigade counts them, whatever took them (VBW-EXH-02)."""
    u.sp -= points
    u.lost += points
    u.hurt += points
    if u.brigade >= 0:
        g.brigades[u.brigade].lost += points


@jit
def remove_stand(g: Any, i: Any) -> None:
    """Take a stand off the table; what SP it has are lost (VBW-EXH-02).

    A native band is the poorer for it (VBW-NAT-02).
    """
    u = g.u[i]
    if u.state == REMOVED:
        return
    count_loss(g, u, u.sp)
    u.state, u.place, u.stationary, u.charges = REMOVED, GONE, 0, -1
    note_plain(g, ELIMINATED, i, -1)
    g.battalions[u.battalion].lost_stands += 1


@jit
def lose_strength(g: Any, i: Any, points: Any) -> Any:
    """Take SP off a stand, which is removed without any left; returns those taken (VBW-DEF-02)."""
    u = g.u[i]
    taken = points if points < u.sp else u.sp
    count_loss(g, u, taken)
    note_event(g, SP_LOST, i, -1, 0, 0, 0, taken, R_NONE)
    if u.sp <= 0:
        remove_stand(g, i)
    return taken


@jit
def abandon_guns(u: Any) -> None:
    """Gunners leave their guns for good and go on foot (VBW-MOR-08, VBW-DEF-22)."""
    if u.class_ == GUNS and u.guns_gone == 0:
        u.guns_gone, u.gun_x, u.gun_y = 1, u.x, u.y
        u.rate = u.rate_foot


@jit
def change_order(g: Any, i: Any, event: Any) -> Any:
    """Let an event work on a stand's order; returns its new state (VBW-DEF-01).

    Who routs loses an SP, its stationary status and its guns (VBW-MOR-07, VBW-MOR-08) and owes its rout
    move; a stand that is removed is off the table.
    """
    u = g.u[i]
    harm = event in (FAIL_MORALE, LOSE_MELEE, COLLAPSE)
    state = find_next_state(event, state_now(u) if harm else u.state)
    if state == REMOVED:
        remove_stand(g, i)
        return REMOVED
    routs = state == ROUTED and u.state != ROUTED
    if state != GOOD and u.state == GOOD and not routs:
        note_plain(g, SHAKEN, i, -1)
    u.state = state
    if event == RALLY:
        u.runs = 0
        note_event(g, RALLIES, i, -1, 0, 0, 0, 0, R_RALLIED)
    if routs:
        u.stationary, u.runs = 0, 1
        note_plain(g, ROUTS, i, -1)
        abandon_guns(u)
        lose_strength(g, i, ROUT_SP)
    return u.state


@jit
def first_side(g: Any) -> Any:
    """The side whose phase comes first: the Crown's, or the Rebels' by the option (VBW-SEQ-01)."""
    return 1 - g.crown if g.o.crown_second == 1 else g.crown
