"""Moves nobody wants: rout, retreat, friends in the way; and the winner's advance (VBW-MEL-05 to 14)."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.dtypes import BUILDING
from battles.engine.geometry import COS, SIN, find_bearing, is_overlapping, point_gap2
from battles.rulesets.volley_bayonet.allowance import HALF, enter_ground, ground_column
from battles.rulesets.volley_bayonet.bases import (
    can_stand_at,
    far_apart,
    find_extent,
    half_depth,
    half_width,
    is_surely_beyond,
    lies_on,
    stop_short,
)
from battles.rulesets.volley_bayonet.cover import behind_works, code_at, kind_at
from battles.rulesets.volley_bayonet.recording import DRIVEN_BACK, RETIRE, ROUT_MOVE, note_inches, note_plain
from battles.rulesets.volley_bayonet.records import (
    GUNS,
    MARSH,
    REMOVED,
    ROUTED,
)
from battles.rulesets.volley_bayonet.states import (
    INCIDENTAL,
    LOSE_MELEE,
    abandon_guns,
    change_order,
    is_disordered,
    is_standing,
    remove_stand,
)
from battles.rulesets.volley_bayonet.tables import DISORDER_ZONE

#: Why a stand is moved: it has routed from a check or a collapse, or in a melee; it retreats; it retires.
FROM_CHECK, FROM_MELEE, RETREATS, RETIRES = 1, 2, 3, 4
#: Inches of a forced move between the spots that are looked at.
STEP = 0.25
#: What a rout has of its move in which it carries friends along (VBW-MOR-07).
FIRST_HALF = 0.5


@jit
def off_table(g: Any, x: Any, y: Any) -> Any:
    """True for a centre beyond the table's edge (VBW-DEF-14)."""
    return x < 0.0 or y < 0.0 or x > g.width or y > g.depth


@jit
def has_overlap_at(g: Any, i: Any, x: Any, y: Any, j: Any) -> Any:
    """True when stand i's base at a spot would overlap stand j's."""
    return lies_on(g, i, x, y, g.u[i].face, j)


@jit
def passes_through(g: Any, i: Any, j: Any, heading: Any, inches: Any) -> Any:
    """True when the base of stand i comes over friend j within so many inches of its way."""
    u = g.u[i]
    steps = int(inches / STEP + 0.5)
    for k in range(1, steps + 1):
        way = inches * k / steps
        if has_overlap_at(g, i, u.x + SIN[heading] * way, u.y + COS[heading] * way, j):
            return True
    return False


@jit
def find_friend_zone(why: Any, inches: Any) -> Any:
    """Inches of a forced move in which friends suffer: none of a retirement (VBW-SAV-08)."""
    if why == RETREATS:
        return DISORDER_ZONE
    return inches * FIRST_HALF if why in (FROM_CHECK, FROM_MELEE) else 0.0


@jit
def strike_friend(g: Any, j: Any, why: Any, heading: Any) -> Any:
    """Apply passing through a friend; 1 when it is driven back ahead (VBW-MOR-07, VBW-MEL-06, 09).

    One in good order is disordered. One already disordered is let alone by a rout from a check; a retreat
    drives it back, and a rout from a melee routs it, unless the option says otherwise.
    """
    b = g.u[j]
    if not is_disordered(b):
        change_order(g, j, INCIDENTAL)
        return 0
    if g.o.driven_back == 0 or b.state == ROUTED:
        return 0
    if why == FROM_MELEE:
        change_order(g, j, LOSE_MELEE)
        b.runs, b.away = FROM_MELEE, heading
        return 0
    return 1 if why == RETREATS else 0


@jit
def is_stopped_by_ground(g: Any, i: Any, x: Any, y: Any, why: Any) -> Any:
    """True where who is driven back stops before ground he may not enter (VBW-MEL-07, VBW-TER-30).

    For horse and guns that is much, for foot water. Who routs ignores all terrain, but a brigade none that
    is prohibited to it (RTG-ROU-01).
    """
    u = g.u[i]
    if why in (FROM_CHECK, FROM_MELEE) and g.o.grand == 0:
        return False
    return g.going[code_at(g, x, y)].costs[ground_column(u)] == 0.0


@jit
def forced_move(g: Any, i: Any, heading: Any, inches: Any, why: Any) -> Any:
    """Move a stand straight along a heading, terrain costs ignored; returns inches gone.

    Friends on the first part suffer. It slides on until it stands on nobody, and is lost beyond the
    table's edge (VBW-DEF-14). Who routs ends facing away; who retreats or retires keeps his face.
    """
    u = g.u[i]
    zone = find_friend_zone(why, inches)
    u.stationary, u.inside = 0, -1
    count = 0
    for j in range(g.n):
        if j == i or g.u[j].side != u.side or not is_standing(g.u[j]) or far_apart(g, i, j, zone):
            continue
        if zone > 0.0 and passes_through(g, i, j, heading, zone) and strike_friend(g, j, why, heading) == 1:
            g.queue[count] = j
            count += 1
    way, s, c = 0.0, SIN[heading], COS[heading]
    while way < inches - 1.0e-9:
        step = min(STEP, inches - way)
        if is_stopped_by_ground(g, i, u.x + s * (way + step), u.y + c * (way + step), why):
            break
        way += step
    if g.o.grand == 1 and why in (FROM_CHECK, FROM_MELEE) and way < inches - 1.0e-9:
        u.runs = 0
        remove_stand(g, i)  # it has nowhere to run (RTG-ROU-01)
        return way
    if why in (FROM_CHECK, FROM_MELEE):
        u.face = heading  # before it looks for room, which its base takes as it will stand
    way += find_clear_distance(g, i, heading, way, count)
    u.x, u.y = u.x + s * way, u.y + c * way
    u.runs, u.charges = 0, -1
    note_inches(g, RETIRE if why in (RETREATS, RETIRES) else ROUT_MOVE, i, way)
    if kind_at(g, u.x, u.y) != MARSH:
        u.in_marsh = 0.0
    if off_table(g, u.x, u.y):
        remove_stand(g, i)
        return way
    for k in range(count):
        drive_back(g, g.queue[k], i, heading)
    return way


@jit
def find_clear_distance(g: Any, i: Any, heading: Any, way: Any, count: Any) -> Any:
    """Inches further until stand i is clear of all but those it drives before it (VBW-MOR-07).

    Or off the table: however deep the press, it ends on nobody (VBW-DEF-21).
    """
    u = g.u[i]
    further = 0.0
    own = find_extent(u)
    while True:
        x, y = u.x + SIN[heading] * (way + further), u.y + COS[heading] * (way + further)
        free = True
        for j in range(g.n):
            b = g.u[j]
            if (
                is_surely_beyond(b, b.x - x, b.y - y, own)
                or j == i
                or not is_standing(b)
                or not has_overlap_at(g, i, x, y, j)
            ):
                continue
            driven = False
            for k in range(count):
                driven = driven or g.queue[k] == j
            free = free and driven
        if free or off_table(g, x, y):
            return further
        further += STEP


@jit
def drive_back(g: Any, j: Any, by: Any, heading: Any) -> None:
    """Move a friend the same way until it stands just beyond the one that retreats (VBW-MEL-06).

    Its state is the same and it loses nothing.
    """
    b, u = g.u[j], g.u[by]
    s, c = SIN[heading], COS[heading]
    b.inside = -1
    while (b.x - u.x) * s + (b.y - u.y) * c <= 0.0 or has_overlap_at(g, j, b.x, b.y, by):
        b.x, b.y = b.x + s * STEP, b.y + c * STEP
    b.stationary = 0
    while not can_stand_at(g, j, b.x, b.y, b.face) and not off_table(g, b.x, b.y):
        b.x, b.y = b.x + s * STEP, b.y + c * STEP
    note_plain(g, DRIVEN_BACK, j, by)
    if off_table(g, b.x, b.y):
        remove_stand(g, j)


@jit
def rout_moves(g: Any) -> Any:
    """Every stand that has routed makes its move, and those it routs after it; how many moved.

    A full turn's move, straight away from what routed it (VBW-MOR-07, VBW-MEL-09).
    """
    count, again = 0, True
    while again:
        again = False
        for i in range(g.n):
            u = g.u[i]
            if u.runs == 0:
                continue
            if not is_standing(u):
                u.runs = 0
                continue
            forced_move(g, i, u.away, u.rate, u.runs)
            count += 1
            again = True
    return count


@jit
def flees_from(g: Any, i: Any, x: Any, y: Any, why: Any) -> None:
    """Say from where a stand that has routed runs: from a spot, through its own centre."""
    u = g.u[i]
    if u.runs > 0:
        u.runs, u.away = why, find_bearing(u.x - x, u.y - y)


@jit
def lose_melee(g: Any, i: Any, x: Any, y: Any) -> None:
    """Apply a lost melee to a stand, the winners being about a spot (VBW-MEL-04 to 11).

    In good order it is disordered and goes back half a turn's move; already disordered it routs; routed it
    runs and is then removed. Guns emplaced in works are left behind (VBW-MEL-08).
    """
    u = g.u[i]
    away = find_bearing(u.x - x, u.y - y)
    if u.state == ROUTED:
        forced_move(g, i, away, u.rate, FROM_MELEE)
        remove_stand(g, i)
        return
    emplaced = u.class_ == GUNS and behind_works(g, u, x, y)
    state = change_order(g, i, LOSE_MELEE)
    if state == REMOVED:
        return
    if state == ROUTED:
        u.runs, u.away = FROM_MELEE, away
        return
    if emplaced:
        abandon_guns(u)
    forced_move(g, i, away, u.rate * HALF, RETREATS)


@jit
def advance_winner(g: Any, i: Any, heading: Any, wanted: Any) -> Any:
    """A winner goes forward onto the ground he has won; returns inches gone (VBW-MEL-12 to 14).

    He stops a quarter of an inch short of enemies, and on nobody.
    """
    u = g.u[i]
    if g.o.advance == 0 or not is_standing(u) or u.state == ROUTED:
        return 0.0
    s, c = SIN[heading], COS[heading]
    best, k = 0.0, 1
    while k * STEP <= wanted + 1.0e-9:
        way = k * STEP
        x, y = u.x + s * way, u.y + c * way
        if near_enemy(g, i, x, y, u.face) or off_table(g, x, y):
            break
        if g.going[code_at(g, x, y)].costs[ground_column(u)] == 0.0:
            break
        if can_stand_at(g, i, x, y, u.face) and not on_block(g, x, y):
            best = way
        k += 1
    if best > 0.0:
        u.x, u.y = u.x + s * best, u.y + c * best
        enter_ground(g, i, code_at(g, u.x, u.y))
    return best


@jit
def on_block(g: Any, x: Any, y: Any) -> Any:
    """True for a spot in a block of buildings."""
    for k in range(g.buildings_n):
        e = g.structures[k]
        if e.kind_ != BUILDING or e.capacity <= g.t.crossed_block:
            continue
        if point_gap2(x, y, e.x, e.y, e.face, e.half_width, e.half_depth) == 0.0:
            return True
    return False


@jit
def near_enemy(g: Any, i: Any, x: Any, y: Any, face: Any) -> Any:
    """True when stand i would there be nearer to an enemy than who does not charge may be (VBW-MEL-14)."""
    u, short = g.u[i], stop_short(g)
    own = find_extent(u) + 2.0 * short
    for j in range(g.first[1 - u.side], g.past[1 - u.side]):
        b = g.u[j]
        if is_surely_beyond(b, b.x - x, b.y - y, own) or b.side == u.side or not is_standing(b):
            continue
        w, h = half_width(g, u) + short - 1.0e-6, half_depth(g, u) + short - 1.0e-6
        if is_overlapping(x, y, face, w, h, b.x, b.y, b.face, half_width(g, b), half_depth(g, b)):
            return True
    return False
