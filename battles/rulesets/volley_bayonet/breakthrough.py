"""Breakthroughs after the checks of a morale step (VBW-BRK, VBW-NAT-05, VBW-DEF-12)."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.geometry import COS, SIN
from battles.rulesets.volley_bayonet.allowance import HALF, find_turn_inches
from battles.rulesets.volley_bayonet.approach import look_at, nearest_enemy
from battles.rulesets.volley_bayonet.bases import half_depth
from battles.rulesets.volley_bayonet.charging import may_charge
from battles.rulesets.volley_bayonet.commander import best_charge
from battles.rulesets.volley_bayonet.contact import charge_by
from battles.rulesets.volley_bayonet.forced import STEP, near_enemy, off_table
from battles.rulesets.volley_bayonet.morale_step import NOT_DUE, begin_step, check_all, has_met
from battles.rulesets.volley_bayonet.moving import ends_free
from battles.rulesets.volley_bayonet.recording import BREAKTHROUGH, OCCUPY, note_plain
from battles.rulesets.volley_bayonet.records import FRONT, HORSE, ROUTED
from battles.rulesets.volley_bayonet.states import INCIDENTAL, change_order, is_standing
from battles.rulesets.volley_bayonet.tables import NATIVE_BREAKTHROUGH

#: Breakthroughs of one stand in a step that the loop goes on for: no rule ends them (VBW-BRK-05).
MOST = 8


@jit
def in_melee(g: Any, i: Any) -> Any:
    """True when stand i is met by an enemy or meets one that stands."""
    for j in range(g.first[1 - g.u[i].side], g.past[1 - g.u[i].side]):
        if has_met(g, i, j) or has_met(g, j, i):
            return True
    return False


@jit
def has_broken_through(g: Any, i: Any) -> Any:
    """True for a charger whose target ran or is gone by its check, held by nobody else (VBW-BRK-01)."""
    u = g.u[i]
    if u.charged == 0 or u.charges < 0 or not is_standing(u) or u.state == ROUTED:
        return False
    t = g.u[u.charges]
    if is_standing(t) and t.state != ROUTED:
        return False
    return not in_melee(g, i)


@jit
def rides_on(g: Any, i: Any) -> Any:
    """True when horse has ridden down Native Americans, who are removed where they stood (VBW-NAT-05)."""
    u = g.u[i]
    return u.class_ == HORSE and g.u[u.charges].native == 1 and not is_standing(g.u[u.charges])


@jit
def takes_ground(g: Any, i: Any) -> None:
    """Option 1: onto the ground the enemy held, facing as it likes; it may fire (VBW-BRK-03).

    Whether winners of a melee advance is an option, this is none.
    """
    u = g.u[i]
    s, c = SIN[u.face], COS[u.face]
    inches = 2.0 * half_depth(g, g.u[u.charges])
    while inches > 0.0:
        x, y = u.x + s * inches, u.y + c * inches
        if ends_free(g, i, x, y) and not near_enemy(g, i, x, y, u.face) and not off_table(g, x, y):
            u.x, u.y = x, y
            note_plain(g, OCCUPY, i, -1)
            break
        inches -= STEP
    u.charges, u.charged, u.edge = -1, 0, FRONT
    j = nearest_enemy(g, i)
    if j >= 0:
        u.facings, u.free_turn = 0, 1
        look_at(g, i, j)
        u.free_turn = 0


@jit
def charges_on(g: Any, i: Any) -> Any:
    """Option 2: half a turn's move at another enemy, if that is worth it (VBW-BRK-04 to 06).

    The poorly trained are disordered by it, everybody by a second, and horse that has ridden Native
    Americans down by its twelve inches. Facing for it is free. True when it is in contact.
    """
    u = g.u[i]
    by_riding = rides_on(g, i)
    old_charges, old_left, old_stream = u.charges, u.left, u.over_stream
    u.charges, u.charged = -1, 0
    u.left = HALF
    if by_riding and find_turn_inches(g, u) > 0.0:
        u.left = NATIVE_BREAKTHROUGH / find_turn_inches(g, u)
    u.facings, u.free_turn = 0, 1
    reached = False
    if may_charge(g, i):
        j, way = best_charge(g, i)
        reached = j >= 0 and charge_by(g, i, j, way)
    if reached:
        u.breaks += 1
        note_plain(g, BREAKTHROUGH, i, u.charges)
        if (u.poorly_trained == 1 and g.o.grand == 0) or u.breaks > 1 or by_riding:
            change_order(g, i, INCIDENTAL)
    else:
        u.charges, u.charged = old_charges, 1
    # an attack over a defended stream tells for the whole phase (VBW-TER-32)
    u.over_stream = max(u.over_stream, old_stream)
    u.left, u.free_turn = old_left, 0
    return reached


@jit
def fresh_contact(g: Any, i: Any) -> None:
    """All who are in the new contact check in the ordinary way (VBW-BRK-04)."""
    g.u[i].checked = NOT_DUE
    for j in range(g.n):
        if has_met(g, i, j):
            g.u[j].checked = NOT_DUE


@jit
def morale_and_breakthroughs(g: Any) -> None:
    """The morale step of a player phase: checks, breakthroughs, their checks, until none is left."""
    begin_step(g)
    check_all(g)
    again = True
    while again:
        again = False
        for i in range(g.n):
            if g.u[i].side != g.mover or not has_broken_through(g, i):
                continue
            if g.u[i].breaks < MOST and charges_on(g, i):
                fresh_contact(g, i)
                again = True
            else:
                takes_ground(g, i)
        if again:
            check_all(g)
    for i in range(g.n):
        u = g.u[i]
        # a charge that met nobody any more is none in the combats
        if u.charged == 1 and not in_melee(g, i):
            u.charged, u.charges = 0, -1
