"""Command status of stands, and rallying (VBW-CMD, VBW-RLY)."""

from typing import Any

from battles.engine.compile import jit
from battles.rulesets.volley_bayonet.bases import is_touching, leader_within
from battles.rulesets.volley_bayonet.morale import is_above
from battles.rulesets.volley_bayonet.records import (
    COMMANDS,
    GUNS,
    ROUTED,
    TRANSPORT,
    UNIT_COMMANDER,
)
from battles.rulesets.volley_bayonet.states import RALLY, change_order, is_standing
from battles.rulesets.volley_bayonet.tables import SUPERIOR_RADIUS


@jit
def find_command_radius(g: Any, rank: Any) -> Any:
    """Inches at which a commander puts in command, the limit included (VBW-CMD-01, VBD-CMD-01)."""
    return g.o.unit_radius if rank == UNIT_COMMANDER else SUPERIOR_RADIUS


@jit
def commands_stand(g: Any, k: Any, i: Any) -> Any:
    """True when commander k may put stand i in command at all (VBW-CMD-03 to 07).

    A unit commander only his own unit's stands. Artillery and transport any commander of its side.
    """
    e, u = g.leaders[k], g.u[i]
    if e.side != u.side or e.state != COMMANDS:
        return False
    if u.class_ in (GUNS, TRANSPORT):
        return True
    if e.rank == UNIT_COMMANDER:
        return e.battalion == u.battalion
    return is_above(g, k, u)


@jit
def in_radius(g: Any, i: Any) -> Any:
    """True when a commander's distance alone puts stand i in command (VBW-CMD-01)."""
    for k in range(g.leaders_n):
        if commands_stand(g, k, i) and leader_within(g, k, i, find_command_radius(g, g.leaders[k].rank)):
            return True
    return False


@jit
def determine_command(g: Any, side: Any) -> None:
    """Say of each stand of a side whether it is in command in this phase (VBW-CMD-01, VBW-CMD-08).

    Command runs from stand to touching stand of one unit. Routed stands feel nothing of it (VBW-CMD-15).
    """
    count = 0
    for i in range(g.first[side], g.past[side]):
        u = g.u[i]
        if u.side != side:
            continue
        u.in_command = 0
        if is_standing(u) and in_radius(g, i):
            u.in_command = 1
            g.queue[count] = i
            count += 1
    done = 0
    while done < count:
        i = g.queue[done]
        done += 1
        for j in range(g.first[side], g.past[side]):
            b = g.u[j]
            if b.battalion != g.u[i].battalion or b.in_command == 1 or not is_standing(b):
                continue
            if is_touching(g, i, j):
                b.in_command = 1
                g.queue[count] = j
                count += 1


@jit
def may_rally(g: Any, k: Any, i: Any) -> Any:
    """True when commander k, touching it, rallies stand i (VBW-RLY-02, VBW-RLY-06).

    Never a unit commander. For artillery without a brigade any commander of wing or army of its side.
    """
    e, u = g.leaders[k], g.u[i]
    if e.rank == UNIT_COMMANDER or not leader_within(g, k, i, g.o.contact):
        return False
    if is_above(g, k, u):
        return True
    own_side = e.side == u.side and e.state == COMMANDS
    return own_side and u.class_ == GUNS and u.brigade < 0 and e.brigade < 0


@jit
def rally_one(g: Any, i: Any) -> None:
    """A routed stand is rallied: red stays for good, and it may only face (VBW-RLY-04, VBW-RLY-05)."""
    change_order(g, i, RALLY)
    g.u[i].rallied = 1


@jit
def rally_all(g: Any, side: Any) -> Any:
    """Rally every routed stand that a superior touches, one commander as many as he touches; how many.

    No die is rolled (VBW-RLY-02, VBW-RLY-03).
    """
    count = 0
    for i in range(g.n):
        u = g.u[i]
        if u.side != side or u.state != ROUTED or not is_standing(u):
            continue
        for k in range(g.leaders_n):
            if may_rally(g, k, i):
                rally_one(g, i)
                count += 1
                break
    return count
