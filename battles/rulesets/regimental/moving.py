"""Movement: rates, what ground costs, straight moves (REG-MOV, REG-TER, REG-DEF-05, REG-DEF-06)."""

import math
from typing import Any

from battles.engine.compile import jit
from battles.engine.dtypes import BUILDING, FENCE, STREAM, WALL
from battles.engine.geometry import COS, SIN, find_crossing, turn_between
from battles.engine.ground import code_at
from battles.rulesets.regimental.bases import LITTLE, ahead_of, can_stand_in_form
from battles.rulesets.regimental.cover import is_work
from battles.rulesets.regimental.recording import (
    MOVE,
    note_inches,
)
from battles.rulesets.regimental.records import (
    BARRED,
    BROKEN,
    DISMOUNTED,
    EXTENDED,
    FIELD_COLUMN,
    FOOT,
    G_FOOT,
    G_GALLOPER,
    G_SIEGE,
    GALLOPER,
    GARRISON,
    GUNS,
    H_BROKEN,
    H_DISMOUNTED,
    H_EXTENDED,
    H_FIELD_COLUMN,
    H_LINE,
    H_MARCH_COLUMN,
    HORSE,
    LIGHT,
    LIMBERED,
    MARCH_COLUMN,
    MASS,
    MAY_BE_WELL,
    ON_BROKEN,
    ON_OPEN,
    ON_ROAD,
    ON_ROUGH,
    ON_TABLE,
    R_BROKEN,
    R_EXTENDED,
    R_FIELD_COLUMN,
    R_LINE,
    R_MARCH_COLUMN,
    R_MASS,
    SIEGE_GUN,
    SIEGE_HOWITZER,
    UNLIMBERED,
    WAGONS,
)
from battles.rulesets.regimental.tables import HAND_HAUL, STOP_SHORT

#: Inches between the spots of a move that are looked at, and of a creek's width in inches of these rules.
STRIDE, CREEK = 0.5, 4.0 / 3.0
#: Inches of a hand haul.
BY_HAND, BY_HAND_GALLOPER = float(HAND_HAUL["normal"]), float(HAND_HAUL["galloper"])
#: What cannot be done costs this much.
NEVER = 1.0e9
#: Inches kept from friends and buildings.
FROM_FRIENDS = 0.05


@jit
def rate_row(u: Any) -> Any:
    """The row of the table of rates a unit moves by (REG-MOV-01)."""
    if u.class_ == WAGONS:
        return G_SIEGE
    if u.class_ == GUNS:
        if u.weapon == GALLOPER:
            return G_GALLOPER
        return G_SIEGE if u.weapon in (SIEGE_GUN, SIEGE_HOWITZER) else G_FOOT
    if u.class_ == HORSE:
        if u.order_ == BROKEN:
            return H_BROKEN
        if u.form == FIELD_COLUMN:
            return H_FIELD_COLUMN
        if u.form == EXTENDED:
            return H_EXTENDED
        if u.form == MARCH_COLUMN:
            return H_MARCH_COLUMN
        return H_DISMOUNTED if u.form == DISMOUNTED else H_LINE
    if u.order_ == BROKEN:
        return R_BROKEN
    if u.form == FIELD_COLUMN:
        return R_FIELD_COLUMN
    if u.form in (EXTENDED, GARRISON):
        return R_EXTENDED
    if u.form == MARCH_COLUMN:
        return R_MARCH_COLUMN
    return R_MASS if u.form == MASS else R_LINE


@jit
def move_allowance(g: Any, u: Any, share: Any) -> Any:
    """Inches of open ground in a share of its move, be it at the double quick (REG-MOV-01, REG-MOV-02)."""
    if u.class_ == GUNS and u.form == UNLIMBERED:
        return 0.0
    return g.t.rate[rate_row(u), ON_OPEN, u.quick] * share


@jit
def farthest_reach(g: Any, u: Any, left: Any) -> Any:
    """Inches that so much of the allowance may carry a unit, by road if it has a rate there (REG-TER-02)."""
    if not uses_road(u):
        return left
    row = rate_row(u)
    by_road = g.t.rate[row, ON_ROAD, u.quick]
    return left * by_road / g.t.rate[row, ON_OPEN, u.quick] if by_road > 0.0 else left


@jit
def inch_cost(g: Any, u: Any, row: Any, going: Any) -> Any:
    """Inches of the open allowance that an inch on a kind of ground costs (REG-MOV-01)."""
    if going == ON_OPEN:
        return 1.0
    if going == BARRED:
        return NEVER
    there = g.t.rate[row, going, u.quick]
    if there == 0.0:
        return 1.0 if going == ON_ROAD else NEVER
    return g.t.rate[row, ON_OPEN, u.quick] / there


@jit
def uses_road(u: Any) -> Any:
    """True for units with a rate by road where there is one: columns, guns and the broken (REG-TER-02)."""
    return u.form in (MARCH_COLUMN, LIMBERED) or u.order_ == BROKEN


@jit
def going_at(g: Any, u: Any, x: Any, y: Any) -> Any:
    """The column of the table of rates that holds for a unit at a spot (REG-TER-01, REG-TER-02)."""
    e = g.going[code_at(g, x, y)]
    if e.road == 1 and e.water != 1:
        return ON_ROAD if uses_road(u) else ON_OPEN
    return e.going


@jit
def count_crossed_lines(g: Any, px: Any, py: Any, qx: Any, qy: Any) -> Any:
    """(fences and walls, creeks, works) that the way from p to q goes over."""
    fences, creeks, works = 0, 0, 0
    for k in range(g.works_n):
        w = g.works[k]
        if (w.low_x > px and w.low_x > qx) or (w.high_x < px and w.high_x < qx):
            continue
        if (w.low_y > py and w.low_y > qy) or (w.high_y < py and w.high_y < qy):
            continue
        share = find_crossing(px, py, qx, qy, w.x0, w.y0, w.x1, w.y1)
        # who ends on a line has not gone over it yet
        if share < 0.0 or share >= 1.0:
            continue
        if w.kind_ == FENCE or w.kind_ == WALL:
            fences += 1
        elif w.kind_ == STREAM:
            creeks += 1 if w.gate < 0 else 0
        elif is_work(w.kind_):
            works += 1
    return fences, creeks, works


@jit
def measure_walk(g: Any, i: Any, heading: Any, want: Any, left: Any, scales: Any) -> Any:
    """(inches, cost) of unit i along a heading: at most `want` inches, with that allowance left.

    Ground is looked at along its middle. A move over a fence is a move on broken ground throughout
    (REG-TER-03); works stop who does not scale them, which takes half the move (REG-TRP-01).
    """
    u = g.u[i]
    if g.goings_n <= 1 and g.works_n == 0:
        inches = min(want, left)
        return inches, inches
    s, c = SIN[heading], COS[heading]
    row = rate_row(u)
    fences, creeks, works = 0, 0, 0
    if g.works_n > 0:
        fences, creeks, works = count_crossed_lines(g, u.x, u.y, u.x + s * want, u.y + c * want)
    if g.goings_n <= 1 and fences + creeks + works == 0:
        inches = min(want, left)
        return inches, inches
    if works > 0 and scales == 1:
        left, works = left * 0.5, 0
    hard = inch_cost(g, u, row, ON_BROKEN) if fences > 0 else 0.0
    done, cost = 0.0, 0.0
    while done < want - LITTLE:
        step = min(STRIDE, want - done)
        px, py = u.x + s * done, u.y + c * done
        qx, qy = px + s * step, py + c * step
        each = max(inch_cost(g, u, row, going_at(g, u, qx, qy)), hard)
        price = each * step
        if creeks + works > 0:
            _, here, at_works = count_crossed_lines(g, px, py, qx, qy)
            if at_works > 0:
                break
            if here > 0:
                price += CREEK * (inch_cost(g, u, row, ON_ROUGH) - 1.0)
        if cost + price > left + LITTLE:
            if creeks == 0 and each < NEVER:
                part = (left - cost) / each
                done, cost = done + part, left
            break
        done, cost = done + step, cost + price
    return done, cost


@jit
def room_ahead(g: Any, i: Any, heading: Any, want: Any) -> Any:
    """Inches of a leg until a unit would come to others, to a building or to the table's edge."""
    return room_past(g, i, -1, heading, want)


@jit
def room_past(g: Any, i: Any, through: Any, heading: Any, want: Any) -> Any:
    """`room_ahead` as if unit `through` were not there, -1 for none.

    Nobody but a charger comes nearer to an enemy than a quarter of an inch (REG-DEF-05), and friends are not
    crossed without passage of lines, but by limbered guns (REG-TRP-03).
    """
    u = g.u[i]
    room = want
    for j in range(g.n):
        b = g.u[j]
        if b.place != ON_TABLE or j in (i, through):
            continue
        dx, dy, most = b.x - u.x, b.y - u.y, room + u.reach + b.reach + STOP_SHORT
        if dx * dx + dy * dy > most * most:
            continue
        if b.side == u.side:
            if u.form == LIMBERED:
                continue
            inches = ahead_of(u, heading, -0.01, b.x, b.y, b.face, b.half_width, b.half_depth) - FROM_FRIENDS
        else:
            more = STOP_SHORT - 1.0e-6
            inches = ahead_of(u, heading, more, b.x, b.y, b.face, b.half_width, b.half_depth) - STOP_SHORT
        if inches > -1.0 + LITTLE and inches < room:
            room = inches
    for k in range(g.buildings_n):
        e = g.structures[k]
        if e.kind_ != BUILDING or k == u.inside:
            continue
        inches = ahead_of(u, heading, -0.01, e.x, e.y, e.face, e.half_width, e.half_depth)
        if inches >= 0.0 and inches - FROM_FRIENDS < room:
            room = inches - FROM_FRIENDS
    return min(room, edge_ahead(g, u, heading)) if room > 0.0 else 0.0


@jit
def edge_ahead(g: Any, u: Any, heading: Any) -> Any:
    """Inches along a heading until a unit's front would leave the table."""
    d = turn_between(u.face, heading) % 360
    lead = abs(COS[d]) * u.half_depth + abs(SIN[d]) * u.half_width
    s, c = SIN[heading], COS[heading]
    room = 1.0e9
    if s > 1.0e-6:
        room = min(room, (g.width - lead - u.x) / s)
    elif s < -1.0e-6:
        room = min(room, (lead - u.x) / s)
    if c > 1.0e-6:
        room = min(room, (g.depth - lead - u.y) / c)
    elif c < -1.0e-6:
        room = min(room, (lead - u.y) / c)
    return room if room > 0.0 else 0.0


@jit
def wheel_cost(u: Any, heading: Any) -> Any:
    """Inches of its move that wheeling to a heading takes: what the outer end goes (REG-DEF-06)."""
    if u.form in (EXTENDED, DISMOUNTED, LIMBERED):
        return 0.0
    return abs(turn_between(u.face, heading)) * (math.pi / 180.0) * u.half_width


@jit
def turns_to(g: Any, i: Any, heading: Any) -> Any:
    """Face a heading where a unit stands; False without room."""
    u = g.u[i]
    if heading == u.face:
        return True
    if not can_stand_in_form(g, i, u.x, u.y, heading):
        return False
    u.face = heading
    return True


@jit
def advance_straight(g: Any, i: Any, heading: Any, want: Any, left: Any) -> Any:
    """Go straight along a heading, as far as room and allowance reach; returns inches gone.

    Well-handled troops scale works in their way (REG-TRP-01).
    """
    u = g.u[i]
    room = room_ahead(g, i, heading, want)
    if room <= 0.0 or left <= 0.0:
        return 0.0
    scales = 1 if u.may == MAY_BE_WELL and (u.class_ == FOOT or u.class_ == HORSE) else 0
    inches, _ = measure_walk(g, i, heading, room, left, scales)
    s, c = SIN[heading], COS[heading]
    # limbered guns pass friends, and end on none
    while inches > 0.0 and not can_stand_in_form(g, i, u.x + s * inches, u.y + c * inches, u.face):
        inches -= STRIDE
    if inches <= 0.05:
        return 0.0
    u.x, u.y, u.moved = u.x + s * inches, u.y + c * inches, 1
    note_inches(g, MOVE, i, inches)
    return inches


@jit
def hand_haul(g: Any, i: Any, heading: Any) -> Any:
    """Gunners draw a light piece 2 inches, a galloper 4, unlimbered; inches gone (REG-GUN-01)."""
    u = g.u[i]
    if u.class_ != GUNS or u.form != UNLIMBERED or u.carriage != LIGHT:
        return 0.0
    want = BY_HAND_GALLOPER if u.weapon == GALLOPER else BY_HAND
    inches, _ = measure_walk(g, i, heading, room_ahead(g, i, heading, want), want, 0)
    if inches <= 0.0 or not can_stand_in_form(
        g, i, u.x + SIN[heading] * inches, u.y + COS[heading] * inches, u.face
    ):
        return 0.0
    u.x, u.y = u.x + SIN[heading] * inches, u.y + COS[heading] * inches
    return inches
