"""Charges on the table: who can be reached, how, and the move into contact (VBW-MOV-07, VBW-DEF-10, 11)."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.dtypes import STREAM
from battles.engine.geometry import COS, SIN, find_bearing, point_gap2
from battles.rulesets.volley_bayonet.allowance import LITTLE, find_turn_inches, share_of
from battles.rulesets.volley_bayonet.bases import (
    can_stand_at,
    far_apart,
    far_from,
    find_extent,
    front_x,
    front_y,
    half_depth,
    half_width,
)
from battles.rulesets.volley_bayonet.charging import find_pivot_centre, may_charge
from battles.rulesets.volley_bayonet.facing import change_facing, turn_share
from battles.rulesets.volley_bayonet.forced import off_table
from battles.rulesets.volley_bayonet.marching import NEVER, ahead_of, walk_share, walk_straight
from battles.rulesets.volley_bayonet.morale import find_edge_of_contact
from battles.rulesets.volley_bayonet.moving import SHORTER, ends_free, is_in_the_way
from battles.rulesets.volley_bayonet.recording import (
    CHARGE,
    MOVE,
    R_NONE,
    note_event,
    note_inches,
)
from battles.rulesets.volley_bayonet.records import HORSE
from battles.rulesets.volley_bayonet.sight import can_see, nearest_spot
from battles.rulesets.volley_bayonet.states import is_standing

#: Inches left between bases in contact, lest they overlap by a rounding; by which a charge may fall short.
APART, SHORT = 0.02, 0.06
#: Inches beyond the ends of every table.
AS_FAR = 1.0e9
#: Inches from the middle of a stream at which a stand defends its bank (VBW-TER-32).
AT_BANK = 1.2


@jit
def inches_to(g: Any, i: Any, j: Any) -> Any:
    """Inches stand i goes straight ahead until it touches stand j; -1.0 when it passes by."""
    u, t = g.u[i], g.u[j]
    return ahead_of(g, i, u.face, AS_FAR, 0.0, t.x, t.y, t.face, half_width(g, t), half_depth(g, t))


@jit
def is_barred(g: Any, i: Any, j: Any, inches: Any) -> Any:
    """True when another enemy or a block lies before stand j on so many inches straight ahead."""
    u, t = g.u[i], g.u[j]
    out = inches + find_extent(u)
    for k in range(g.first[1 - u.side], g.past[1 - u.side]):
        b = g.u[k]
        if k == j or b.side == u.side or not is_standing(b):
            continue
        if far_from(u, b, out):
            continue
        w, h = half_width(g, b), half_depth(g, b)
        before = ahead_of(g, i, u.face, inches, 0.0, b.x, b.y, b.face, w, h)
        if before >= 0.0 and before < inches - g.o.contact:
            return True
    for k in range(g.buildings_n):
        e = g.structures[k]
        if k in (t.inside, u.inside) or not is_in_the_way(g, k):
            continue
        before = ahead_of(g, i, u.face, inches, -0.01, e.x, e.y, e.face, e.half_width, e.half_depth)
        if before >= 0.0 and before < inches:
            return True
    return False


@jit
def ends_in_contact(g: Any, i: Any, inches: Any) -> Any:
    """True when there is room on the table for stand i's base where a charge of so many inches ends."""
    u = g.u[i]
    way = inches - APART
    x, y = u.x + SIN[u.face] * way, u.y + COS[u.face] * way
    return not off_table(g, x, y) and can_stand_at(g, i, x, y, u.face)


@jit
def charge_inches(g: Any, i: Any, j: Any, spent: Any) -> Any:
    """Inches of a charge straight ahead that nobody and no lack of room bars; -1.0 if it cannot be.

    On the best ground there is: none is easier than a road.
    """
    u = g.u[i]
    inches = inches_to(g, i, j)
    if inches < 0.0 or share_of(g, u, inches, 1.0, 1) > u.left - spent + LITTLE:
        return -1.0
    if is_barred(g, i, j, inches) or not ends_in_contact(g, i, inches):
        return -1.0
    return inches


@jit
def can_pay(g: Any, i: Any, inches: Any, spent: Any) -> Any:
    """True when the turn lasts for so many inches straight ahead over the ground there, and what is spent."""
    u = g.u[i]
    return walk_share(g, i, front_x(g, u), front_y(g, u), u.face, inches, u.left - spent) < NEVER


@jit
def face_for(g: Any, i: Any, j: Any) -> Any:
    """Heading from stand i's centre to the nearest point of stand j."""
    u = g.u[i]
    x, y = nearest_spot(g, g.u[j], u.x, u.y)
    return find_bearing(x - u.x, y - u.y)


@jit
def find_charge_way(g: Any, i: Any, j: Any) -> Any:
    """The way stand i can charge stand j: 0 straight, 1 turned on its left corner, 2 on its right, -1 none.

    Straight on where it can; else it turns at the start of the move, once (VBW-MOV-07).
    """
    u, t = g.u[i], g.u[j]
    if u.left <= LITTLE or u.inside >= 0:
        return -1
    if not is_standing(t) or far_apart(g, i, j, u.left * find_turn_inches(g, u) + 2.0 * find_extent(u)):
        return -1
    seen = False
    inches = charge_inches(g, i, j, 0.0)
    if inches >= 0.0:
        seen = can_see(g, i, j)
        if not seen:
            return -1
        if can_pay(g, i, inches, 0.0):
            return 0
    spent, face = turn_share(g, u), face_for(g, i, j)
    if spent > u.left or face == u.face:
        return -1
    old_x, old_y, old_face = u.x, u.y, u.face
    way = -1
    for right in range(2):
        if way >= 0:
            break
        x, y = find_pivot_centre(g, i, face, right)
        if x < 0.0 or y < 0.0 or x > g.width or y > g.depth:
            continue
        u.x, u.y, u.face = x, y, face
        inches = charge_inches(g, i, j, spent)
        if inches >= 0.0 and can_pay(g, i, inches, spent):
            way = 1 + right
        u.x, u.y, u.face = old_x, old_y, old_face
    # what costs most to find out is asked last
    return way if way < 0 or seen or can_see(g, i, j) else -1


@jit
def turn_for(g: Any, i: Any, j: Any, way: Any) -> Any:
    """Make the facing change of a charge, whoever stands there: it goes on at once."""
    u = g.u[i]
    face = face_for(g, i, j)
    x, y = find_pivot_centre(g, i, face, way - 1)
    if not change_facing(g, i):
        return False
    u.x, u.y, u.face = x, y, face
    return True


@jit
def make_charge(g: Any, i: Any, j: Any) -> Any:
    """Stand i charges stand j if it can; True when they are in contact."""
    if not may_charge(g, i):
        return False
    way = find_charge_way(g, i, j)
    if way < 0:
        return False
    return charge_by(g, i, j, way)


@jit
def charge_by(g: Any, i: Any, j: Any, way: Any) -> Any:
    """Charge as `find_charge_way` has found it; False when the ground holds it up, as a marsh may."""
    u = g.u[i]
    u.over_fence = u.over_stream = 0
    start_x, start_y, start_face = u.x, u.y, u.face
    if way > 0 and not turn_for(g, i, j, way):
        return False
    u.from_x, u.from_y = u.x, u.y
    want = inches_to(g, i, j) - APART
    if want < 0.0:
        want = 0.0
    old_x, old_y = u.x, u.y
    gone = walked = walk_straight(g, i, u.face, want)
    if not is_standing(u) or gone < want - SHORT:
        while gone > 0.0 and not ends_free(g, i, u.x, u.y):
            gone = gone - SHORTER if gone > SHORTER else 0.0
            u.x, u.y = old_x + SIN[u.face] * gone, old_y + COS[u.face] * gone
        if is_standing(u) and not ends_free(g, i, u.x, u.y):
            # it has not come off the spot where it turned on top of a friend
            u.x, u.y, u.face = start_x, start_y, start_face
        u.over_fence = u.over_stream = 0
        if is_standing(u) and (walked > 0.0 or way > 0):
            note_inches(g, MOVE, i, gone)  # what befell it on its way was told where it was by then
        return False
    u.charged, u.charges, u.moved, u.stationary = 1, j, 1, 0
    u.edge = find_edge_of_contact(g, i, j)
    if u.over_stream == 1 and not defends_bank(g, i, j):
        u.over_stream = 0
    if u.class_ != HORSE:
        u.over_fence = 0
    g.quiet = 0
    note_event(g, CHARGE, i, j, 0, 0, u.edge, 0, R_NONE)
    return True


@jit
def defends_bank(g: Any, i: Any, j: Any) -> Any:
    """True when stand j is at a stream, bridge or ford and faces where i comes from (VBW-TER-32, 36, 37)."""
    u, t = g.u[i], g.u[j]
    fx, fy = front_x(g, t), front_y(g, t)
    dx, dy = u.from_x - fx, u.from_y - fy
    if dx * SIN[t.face] + dy * COS[t.face] <= 0.0:
        return False
    for k in range(g.works_n):
        w = g.works[k]
        if w.kind_ != STREAM:
            continue
        ex, ey = w.x1 - w.x0, w.y1 - w.y0
        length2 = ex * ex + ey * ey
        share = ((fx - w.x0) * ex + (fy - w.y0) * ey) / length2 if length2 > 0.0 else 0.0
        share = min(max(share, 0.0), 1.0)
        gx, gy = w.x0 + ex * share - fx, w.y0 + ey * share - fy
        if gx * gx + gy * gy <= AT_BANK * AT_BANK:
            return True
    for k in range(g.gates_n):
        e = g.gates[k]
        if point_gap2(fx, fy, e.x, e.y, e.heading, e.half_width, e.half_length) <= AT_BANK * AT_BANK:
            return True
    return False
