"""Moves a commander orders: turning, going straight without contact, in and out of blocks (VBW-MOV)."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.dtypes import BUILDING
from battles.engine.geometry import COS, SIN, find_bearing, turn_between
from battles.rulesets.volley_bayonet.allowance import OBLIQUE, enter_block
from battles.rulesets.volley_bayonet.bases import (
    can_stand_at,
    far_from,
    find_extent,
    gap_to,
    half_depth,
    half_width,
    lies_on,
    stop_short,
    who_is_there,
)
from battles.rulesets.volley_bayonet.charging import find_pivot_centre
from battles.rulesets.volley_bayonet.facing import change_facing
from battles.rulesets.volley_bayonet.forced import near_enemy, on_block
from battles.rulesets.volley_bayonet.marching import ahead_of, depth_towards, walk_straight
from battles.rulesets.volley_bayonet.recording import (
    ENTERS,
    FALL_BACK,
    LEAVES,
    MOVE,
    TURN,
    note_inches,
    note_plain,
)
from battles.rulesets.volley_bayonet.records import INFANTRY
from battles.rulesets.volley_bayonet.sight import comes_nearer, nears_enemy
from battles.rulesets.volley_bayonet.states import is_standing

#: Inches by which a move is made shorter until it ends on nobody, and kept from a block.
SHORTER, FROM_BLOCK = 0.5, 0.05
#: Inches from a block at which foot may go in.
AT_BLOCK = 0.6
#: Degrees between the headings to which a turn is tried.
SLANT = 20


@jit
def is_block(g: Any, k: Any) -> Any:
    """A block of buildings; bridges and works are among the structures too."""
    return g.structures[k].kind_ == BUILDING


@jit
def is_in_the_way(g: Any, k: Any) -> Any:
    """A block that stops who is outside; a village of Road to Glory is gone through (RTG-TER-22)."""
    return is_block(g, k) and g.structures[k].capacity > g.t.crossed_block


@jit
def room_ahead(g: Any, i: Any, heading: Any, want: Any) -> Any:
    """Inches of a leg until a stand would come to the enemy, a block or the table's edge.

    Nobody but a charger comes nearer to an enemy than a quarter of an inch.
    """
    u, short = g.u[i], stop_short(g)
    room, out = want, 2.0 * short + find_extent(u)
    for j in range(g.first[1 - u.side], g.past[1 - u.side]):
        b = g.u[j]
        if b.side == u.side or not is_standing(b) or far_from(u, b, room + out):
            continue
        w, h = half_width(g, b), half_depth(g, b)
        inches = ahead_of(g, i, heading, room + short, short - 1.0e-6, b.x, b.y, b.face, w, h)
        if inches >= 0.0 and inches - short < room:
            room = inches - short
    for k in range(g.buildings_n):
        e = g.structures[k]
        if k == u.inside or not is_in_the_way(g, k):
            continue
        inches = ahead_of(
            g, i, heading, room + FROM_BLOCK, -0.01, e.x, e.y, e.face, e.half_width, e.half_depth
        )
        if inches >= 0.0 and inches - FROM_BLOCK < room:
            room = inches - FROM_BLOCK
    lead = depth_towards(g, u, heading)
    s, c = SIN[heading], COS[heading]
    if s > 1.0e-6 and (g.width - lead - u.x) / s < room:
        room = (g.width - lead - u.x) / s
    elif s < -1.0e-6 and (lead - u.x) / s < room:
        room = (lead - u.x) / s
    if c > 1.0e-6 and (g.depth - lead - u.y) / c < room:
        room = (g.depth - lead - u.y) / c
    elif c < -1.0e-6 and (lead - u.y) / c < room:
        room = (lead - u.y) / c
    return room if room > 0.0 else 0.0


@jit
def ends_free(g: Any, i: Any, x: Any, y: Any) -> Any:
    """True when stand i may end a move at a spot: on nobody and in no block (VBW-MOV-05, VBW-DEF-21)."""
    return can_stand_at(g, i, x, y, g.u[i].face) and not on_block(g, x, y)


@jit
def go_straight(g: Any, i: Any, heading: Any, want: Any) -> Any:
    """Go along a heading through friends to a free spot, at most so many inches; returns inches gone.

    Out of command nobody goes nearer to an enemy he sees (VBW-CMD-12).
    """
    u = g.u[i]
    if u.inside >= 0 and not leave_block(g, i, heading):
        return 0.0
    return go_within(g, i, heading, room_ahead(g, i, heading, want))


@jit
def go_within(g: Any, i: Any, heading: Any, room: Any) -> Any:
    """`go_straight` where there is so much room ahead."""
    u = g.u[i]
    s, c = SIN[heading], COS[heading]
    there = -1
    while room > 0.0:
        x, y = u.x + s * room, u.y + c * room
        # who was in the way a step ahead mostly is here too
        if there < 0 or not lies_on(g, i, x, y, u.face, there):
            there = who_is_there(g, i, x, y, u.face)
            if there < 0 and not on_block(g, x, y):
                break
        room -= SHORTER
    if room <= 0.0:
        return 0.0
    if u.in_command == 0 and nears_enemy(g, i, heading, room, SHORTER):
        return 0.0
    old_x, old_y = u.x, u.y
    gone = walked = walk_straight(g, i, heading, room)
    # only a charge suffers from what it has come over
    u.over_fence = u.over_stream = 0
    # the turn may have ended on a friend: back along the way to where there is room
    while gone > 0.0 and gone < room and not ends_free(g, i, u.x, u.y):
        gone = gone - SHORTER if gone > SHORTER else 0.0
        u.x, u.y = old_x + s * gone, old_y + c * gone
    if walked > 0.0:
        # also to say that it is back where it was: what befell it on its way was told where it was by then
        ahead = abs(turn_between(u.face, heading)) <= OBLIQUE
        note_inches(g, MOVE if ahead else FALL_BACK, i, gone)
    return gone


@jit
def has_room_at(g: Any, i: Any, x: Any, y: Any, face: Any) -> Any:
    """True when stand i may turn to a spot and a heading.

    Out of command no corner is turned nearer to an enemy he sees (VBW-CMD-12).
    """
    u = g.u[i]
    if not can_stand_at(g, i, x, y, face) or x < 0.0 or y < 0.0 or x > g.width or y > g.depth:
        return False
    if near_enemy(g, i, x, y, face) and not near_enemy(g, i, u.x, u.y, u.face):
        return False
    return u.in_command == 1 or not comes_nearer(g, i, x, y, face)


@jit
def turn_to(g: Any, i: Any, x: Any, y: Any, face: Any) -> Any:
    """Pay for a turn and make it; False when it cannot be paid."""
    u = g.u[i]
    if not change_facing(g, i):
        return False
    u.x, u.y, u.face = x, y, face
    note_plain(g, TURN, i, -1)
    return True


@jit
def face_to(g: Any, i: Any, face: Any) -> Any:
    """Turn to a heading on the front corner that leaves room; False when it may not be."""
    u = g.u[i]
    if face == u.face or u.inside >= 0:
        return True
    right_first = 1 if turn_between(u.face, face) > 0 else 0
    for k in range(2):
        x, y = find_pivot_centre(g, i, face, right_first if k == 0 else 1 - right_first)
        if has_room_at(g, i, x, y, face):
            return turn_to(g, i, x, y, face)
    return False


@jit
def face_for_spot(g: Any, i: Any, to_x: Any, to_y: Any) -> Any:
    """Turn so that a spot lies before the front, and as near as may be; False when no turn does that.

    A turn on a corner moves the stand, so that the heading to the spot is another after it.
    """
    u = g.u[i]
    if u.inside >= 0:
        return True
    best_x, best_y, best, nearest = u.x, u.y, -1, 1.0e18
    first = find_bearing(to_x - u.x, to_y - u.y)
    for n in range(360 // SLANT):
        face = (first + n * SLANT) % 360
        for right in range(2):
            x, y = find_pivot_centre(g, i, face, right)
            dx, dy = to_x - x, to_y - y
            gap2 = dx * dx + dy * dy
            if gap2 >= nearest or abs(turn_between(face, find_bearing(dx, dy))) > OBLIQUE:
                continue
            if has_room_at(g, i, x, y, face):
                best_x, best_y, best, nearest = x, y, face, gap2
    return best >= 0 and turn_to(g, i, best_x, best_y, best)


@jit
def room_in(g: Any, k: Any) -> Any:
    """Room left in a block, in detachments (VBW-TER-39, VBW-TER-40)."""
    room = g.structures[k].capacity
    for j in range(g.n):
        b = g.u[j]
        if b.inside == k and is_standing(b):
            room -= g.t.room if b.class_ == INFANTRY else 1
    return room


@jit
def occupied_by(g: Any, k: Any, side: Any) -> Any:
    """True when a side's troops are in a block."""
    count = 0
    for j in range(g.n):
        if g.u[j].inside == k and g.u[j].side == side and is_standing(g.u[j]):
            count += 1
    return count > 0


@jit
def has_room_for(g: Any, k: Any, u: Any) -> Any:
    """True for a block that no enemy is in, that has room for a stand and does not burn (RTG-TER-24)."""
    need = g.t.room if u.class_ == INFANTRY else 1
    return room_in(g, k) >= need and not occupied_by(g, k, 1 - u.side) and g.lit[k] <= 0


@jit
def go_in(g: Any, i: Any, k: Any) -> Any:
    """Go into a block that it stands before; False when it may not (VBW-TER-41, 42, 44)."""
    u, e = g.u[i], g.structures[k]
    if u.inside >= 0 or not has_room_for(g, k, u):
        return False
    if gap_to(g, u, e.x, e.y, e.face, e.half_width, e.half_depth) > AT_BLOCK:
        return False
    if not enter_block(g, i):
        return False
    go_in_from(g, i, k)
    return True


@jit
def go_in_from(g: Any, i: Any, k: Any) -> None:
    """Stand i is in a block now, wherever it was."""
    u, e = g.u[i], g.structures[k]
    u.inside, u.x, u.y, u.face = k, e.x, e.y, e.face
    note_plain(g, ENTERS, i, k)


@jit
def leave_block(g: Any, i: Any, heading: Any) -> Any:
    """Come out of a block on the side of a heading, facing it; False when there is no room (VBW-TER-41)."""
    u = g.u[i]
    e = g.structures[u.inside]
    k = u.inside
    u.inside = -1
    deep = half_depth(g, u)
    d = turn_between(e.face, heading) % 360
    out = abs(COS[d]) * e.half_depth + abs(SIN[d]) * e.half_width + deep + FROM_BLOCK
    x, y = e.x + SIN[heading] * out, e.y + COS[heading] * out
    off = x < 0.0 or y < 0.0 or x > g.width or y > g.depth
    if off or not can_stand_at(g, i, x, y, heading) or near_enemy(g, i, x, y, heading):
        u.inside = k
        return False
    enter_block(g, i)
    u.x, u.y, u.face = x, y, heading
    note_plain(g, LEAVES, i, k)
    return True
