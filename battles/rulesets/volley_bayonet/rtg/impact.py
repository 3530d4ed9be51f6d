"""Troops a charge meets, and how it goes on: skirmishers and fugitives before it (RTG-CHG-02, 05 to 07)."""

import math
from typing import Any

from battles.engine.compile import jit
from battles.engine.geometry import COS, SIN, find_bearing
from battles.rulesets.volley_bayonet.bases import measure_gap
from battles.rulesets.volley_bayonet.contact import can_pay, charge_by, charge_inches
from battles.rulesets.volley_bayonet.cover import code_at
from battles.rulesets.volley_bayonet.forced import RETIRES, forced_move, rout_moves
from battles.rulesets.volley_bayonet.moving import go_in_from, has_room_for, is_in_the_way
from battles.rulesets.volley_bayonet.records import FLANK, FRONT, ROUTED
from battles.rulesets.volley_bayonet.rtg.bases import is_skirmisher
from battles.rulesets.volley_bayonet.rtg.charging import (
    DESTROYED,
    FIGHTS,
    NO_COVER,
    RETREATS,
    ROUTS_AGAIN,
    TO_COVER,
    give_way,
    is_brigade,
    may_charge_kind,
    met_by_cavalry,
    rout_again,
)
from battles.rulesets.volley_bayonet.rtg.tables import HALF
from battles.rulesets.volley_bayonet.rtg.terrain import FOREST
from battles.rulesets.volley_bayonet.sight import can_see
from battles.rulesets.volley_bayonet.states import INCIDENTAL, change_order, is_standing, remove_stand
from battles.rulesets.volley_bayonet.worth import charge_worth, from_behind

#: How many one charge may go through, and none.
MOST_MET, NONE = 6, -1
#: Headings that are looked along for forest, and inches between the spots looked at.
WAYS, LOOK = 16, 0.5


@jit
def may_charge_at(g: Any, i: Any, j: Any) -> Any:
    """True when stand i may charge stand j from where it is (RTG-CHG-02)."""
    return may_charge_kind(g.u[i], g.u[j], FLANK if from_behind(g, i, j) else FRONT)


@jit
def forest_near(g: Any, u: Any, inches: Any) -> Any:
    """(inches, heading) to the nearest forest within so many inches, (NO_COVER, 0) for none."""
    way = LOOK
    while way <= inches:
        for k in range(WAYS):
            heading = k * 360 // WAYS
            x, y = u.x + SIN[heading] * way, u.y + COS[heading] * way
            if 0.0 <= x <= g.width and 0.0 <= y <= g.depth and g.going[code_at(g, x, y)].terrain == FOREST:
                return way, heading
        way += LOOK
    return NO_COVER, 0


@jit
def find_cover(g: Any, j: Any) -> Any:
    """(inches, heading, inches to go, block) of the nearest cover of a skirmisher (RTG-CHG-06).

    A town block with room (a village is none), forest, or a friendly brigade that has not routed, behind
    which it goes; the inches are NO_COVER without any within half its move, the block is NONE for other
    cover.
    """
    t = g.u[j]
    most = t.rate * HALF
    best, heading = forest_near(g, t, most)
    way, block = best, NONE
    for i in range(g.n):
        b = g.u[i]
        if i == j or b.side != t.side or not is_standing(b) or b.state == ROUTED or not is_brigade(b):
            continue
        inches = measure_gap(g, i, j)
        if inches <= most and (best < 0.0 or inches < best):
            dx, dy = b.x - t.x, b.y - t.y
            best, heading, block = inches, find_bearing(dx, dy), NONE
            way = math.sqrt(dx * dx + dy * dy)
    for k in range(g.buildings_n):
        e = g.structures[k]
        dx, dy = e.x - t.x, e.y - t.y
        inches = math.sqrt(dx * dx + dy * dy)
        if is_in_the_way(g, k) and inches <= most and (best < 0.0 or inches < best) and has_room_for(g, k, t):
            best, heading, way, block = inches, find_bearing(dx, dy), inches, k
    return best, heading, way, block


@jit
def takes_cover(g: Any, j: Any, heading: Any, way: Any, block: Any) -> None:
    """A skirmisher goes to its cover, past friends."""
    if block != NONE:
        go_in_from(g, j, block)
    else:
        forced_move(g, j, heading, way, RETIRES)


@jit
def next_ahead(g: Any, i: Any, met: Any) -> Any:
    """The nearest enemy straight ahead whom it is worth going on to with what move is left, or NONE.

    Not `met`, who has just given way.
    """
    u = g.u[i]
    best, nearest = NONE, 0.0
    for j in range(g.first[1 - u.side], g.past[1 - u.side]):
        if j == met or g.u[j].side == u.side or not is_standing(g.u[j]) or not may_charge_at(g, i, j):
            continue
        inches = charge_inches(g, i, j, 0.0)
        if inches < 0.0 or (best != NONE and inches >= nearest) or not can_see(g, i, j):
            continue
        if can_pay(g, i, inches, 0.0) and charge_worth(g, i, j) > 0.0:
            best, nearest = j, inches
    return best


@jit
def gives_way(g: Any, i: Any, j: Any) -> Any:
    """Let stand j give way to the charge of stand i if it must; False when it stands and fights."""
    u, t = g.u[i], g.u[j]
    inches, heading, way, block = NO_COVER, 0, 0.0, NONE
    if is_skirmisher(t) and t.state != ROUTED:
        inches, heading, way, block = find_cover(g, j)
    what = met_by_cavalry(u, t, g.going[code_at(g, t.x, t.y)].terrain, inches)
    if what == FIGHTS or t.inside >= 0:
        return False
    if what == ROUTS_AGAIN:
        rout_again(g, j, u.face)
        rout_moves(g)
    elif what == RETREATS:
        give_way(g, j, u.face)
    elif what == TO_COVER:
        takes_cover(g, j, heading, way, block)
    elif what == DESTROYED:
        remove_stand(g, j)
    return True


@jit
def goes_through(g: Any, i: Any) -> None:
    """A charge that has come into contact: whoever gives way does, and it goes on (RTG-CHG-05 to 07).

    Who has come over a defended stream has lost its order first (RTG-TER-01, RTG-TER-17).
    """
    u = g.u[i]
    for _ in range(MOST_MET):
        if u.over_stream == 1:
            change_order(g, i, INCIDENTAL)
            u.over_stream = 0
        met = u.charges
        if not is_standing(u) or met < 0 or not gives_way(g, i, met):
            return
        u.charges, u.charged = NONE, 0
        j = next_ahead(g, i, met)
        if j == NONE or not charge_by(g, i, j, 0):
            return
