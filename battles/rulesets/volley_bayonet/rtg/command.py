"""Command status of stands, and rallying (RTG-CMD, RTG-RAL)."""

from typing import Any

from battles.engine.compile import jit
from battles.rulesets.volley_bayonet.records import COMMANDS, ROUTED
from battles.rulesets.volley_bayonet.rtg.bases import (
    LITTLE,
    is_skirmisher,
    is_touching,
    leader_within,
    measure_gap,
)
from battles.rulesets.volley_bayonet.rtg.fields import CHIEF, CORPS_COMMANDER, DIVISION_COMMANDER
from battles.rulesets.volley_bayonet.rtg.tables import COMMAND_RADIUS
from battles.rulesets.volley_bayonet.states import RALLY, change_order, is_standing

#: What a number in the core's place of a brigade or wing is for none.
NONE = -1


@jit
def is_above(g: Any, k: Any, i: Any) -> Any:
    """True when commander k is in the chain of command above stand i: division, corps, army."""
    e, u = g.leaders[k], g.u[i]
    if e.side != u.side or e.state != COMMANDS:
        return False
    if e.rank == DIVISION_COMMANDER:
        return e.brigade >= 0 and e.brigade == u.brigade
    return e.rank == CHIEF or (e.rank == CORPS_COMMANDER and u.wing == k)


@jit
def is_own_commander(g: Any, k: Any, i: Any) -> Any:
    """True when commander k is the one who puts stand i in command (RTG-CMD-01).

    Its division's; of a stand of no division its corps', of one of no corps either the army's. An option
    admits all above it.
    """
    if not is_above(g, k, i):
        return False
    e, u = g.leaders[k], g.u[i]
    if e.rank == DIVISION_COMMANDER or g.o.seniors_command == 1:
        return True
    if u.brigade != NONE:
        return False
    return e.rank == CORPS_COMMANDER or u.wing == NONE


@jit
def is_near_commander(g: Any, i: Any) -> Any:
    """True within six inches of its own commander, or a skirmisher's of any of its side (RTG-CMD-01, 03)."""
    u = g.u[i]
    for k in range(g.leaders_n):
        e = g.leaders[k]
        own = e.side == u.side and e.state == COMMANDS if is_skirmisher(u) else is_own_commander(g, k, i)
        if own and leader_within(g, k, i, COMMAND_RADIUS):
            return True
    return False


@jit
def hands_on(g: Any, j: Any, i: Any) -> Any:
    """True when stand j, in command, puts stand i in command (RTG-CMD-02, RTG-CMD-03).

    A formed stand of the same division by touch, a skirmisher by being within six inches.
    """
    u, b = g.u[i], g.u[j]
    if i == j or b.in_command == 0 or b.side != u.side:
        return False
    if is_skirmisher(u):
        return measure_gap(g, i, j) <= COMMAND_RADIUS + LITTLE
    return u.brigade != NONE and b.brigade == u.brigade and is_touching(g, i, j)


@jit
def determine_command(g: Any, side: Any) -> None:
    """Say of each stand of a side whether it is in command in this turn (RTG-CMD-01 to 03).

    Fixed before movement, and run from stand to stand until nothing changes. `leans` is the stand by
    whose touch alone one is in command. Routed stands feel nothing of it.
    """
    for i in range(g.n):
        u = g.u[i]
        if u.side == side:
            steady = is_standing(u) and u.state != ROUTED
            u.leans, u.in_command = -1, 1 if steady and is_near_commander(g, i) else 0
    again = True
    while again:
        again = False
        for i in range(g.n):
            u = g.u[i]
            if u.side != side or u.in_command == 1 or not is_standing(u) or u.state == ROUTED:
                continue
            for j in range(g.n):
                if hands_on(g, j, i):
                    u.in_command, again = 1, True
                    u.leans = NONE if is_skirmisher(u) else j
                    break


@jit
def keeps_touch(g: Any, i: Any) -> Any:
    """True at the end of movement for who still touches whoever put him in command, if any (RTG-CMD-02)."""
    return g.u[i].leans < 0 or is_touching(g, i, g.u[i].leans)


@jit
def may_rally(g: Any, k: Any, i: Any) -> Any:
    """True when commander k rallies routed stand i: of corps or army, above it and touching (RTG-RAL-01)."""
    u = g.u[i]
    if u.state != ROUTED or not is_standing(u) or g.leaders[k].rank < CORPS_COMMANDER:
        return False
    return is_above(g, k, i) and leader_within(g, k, i, g.o.contact)


@jit
def rally_all(g: Any, side: Any) -> Any:
    """Rally every routed stand of a side that such a commander touches; how many. No die (RTG-RAL-01 to 03).

    One keeps its red for good and fights in no combat of this turn.
    """
    count = 0
    for i in range(g.n):
        if g.u[i].side != side:
            continue
        for k in range(g.leaders_n):
            if may_rally(g, k, i):
                change_order(g, i, RALLY)
                g.u[i].rallied = 1
                count += 1
                break
    return count
