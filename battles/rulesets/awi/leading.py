"""Generals in their own side's step C: rides, and the units they join (AWI-T-GEN-03)."""

import math
from typing import Any

from battles.engine.bases import HALF, centre_gap2, half_depth, half_width, is_effective
from battles.engine.compile import jit
from battles.engine.dtypes import BRIGADIER, HORSE, ON_TABLE, ROUTING, SHAKEN, STEADY
from battles.engine.geometry import COS, SIN, point_gap2, ray_hits
from battles.engine.ground import code_at, find_work_crossing, no_work_near
from battles.engine.recording import GENERAL_JOINS, GENERAL_MOVES, note_at, note_plain
from battles.engine.ways import best_gate
from battles.rulesets.awi.approach import is_way_barred
from battles.rulesets.awi.generals import (
    in_chain,
    is_general_free,
    is_general_on_table,
    nearest_friend,
    place_of,
)

#: Inches between the spots of a ride that are looked at.
STRIDE = 0.5
#: Inches from an obstacle at which a ride begins that goes over it.
AT_OBSTACLE = 1.0
#: Inches from the near end of a bridge or ford at which he goes on over it.
AT_GATE = 0.1
#: Place in the costs of the ground of horse in column, which may use the road.
HORSE_COLUMN = HORSE + 4
#: Inches behind his troops where a senior general keeps, and how far off he may be before he rides.
BEHIND, SLACK = 8.0, 6.0
#: Inches from the enemy at which a unit is under fire or soon to be charged.
NEAR = 12.0
#: Game turns after which a brigadier thinks again where he is needed, when nothing calls him away.
THINKS_AGAIN = 3
#: What keeps a general from riding to and fro between units in like need.
STAY = 1.5


@jit
def way_clear(g: Any, side: Any, px: Any, py: Any, x: Any, y: Any) -> Any:
    """True when a ride of that side straight from p to (x, y) keeps an inch from enemies (AWI-T-SEQ-03)."""
    mx, my = (px + x) / 2.0, (py + y) / 2.0
    half = math.sqrt((x - px) * (x - px) + (y - py) * (y - py)) / 2.0 + 4.0
    for j in range(g.n):
        b = g.u[j]
        if b.side == side or b.place != ON_TABLE:
            continue
        if (b.x - mx) * (b.x - mx) + (b.y - my) * (b.y - my) > half * half:
            continue
        width, depth = half_width(b) + 1.0, half_depth(b) + 1.0
        # one who already has an enemy at his elbow may ride away from him
        if point_gap2(px, py, b.x, b.y, b.face, width, depth) > 0.0 and ray_hits(
            px, py, x, y, b.x, b.y, b.face, width, depth
        ):
            return False
    return True


@jit
def over_work(g: Any, px: Any, py: Any, qx: Any, qy: Any) -> Any:
    """The first work that the way from p to q goes over, or -1."""
    low_x, high_x = (px, qx) if px < qx else (qx, px)
    low_y, high_y = (py, qy) if py < qy else (qy, py)
    if no_work_near(g, (px + qx) / 2.0, (py + qy) / 2.0, max(high_x - low_x, high_y - low_y) / 2.0):
        return -1
    for k in range(g.works_n):
        w = g.works[k]
        if high_x < w.low_x or low_x > w.high_x or high_y < w.low_y or low_y > w.high_y:
            continue
        if find_work_crossing(g, k, px, py, qx, qy) >= 0.0:
            return k
    return -1


@jit
def find_leg_end(g: Any, k: Any, px: Any, py: Any, x: Any, y: Any, left: Any) -> Any:
    """The end of general k's ride from p straight towards (x, y): (x, y, allowance left, 1 if there).

    He pays horse's costs (AWI-T-TER-01). A work costs the whole move, as it does horse (AWI-T-TER-02):
    he halts before it and goes over in the next move. An enemy in the way keeps him where he is.
    """
    s = g.generals[k]
    dx, dy = x - px, y - py
    length = math.sqrt(dx * dx + dy * dy)
    if length <= 1.0e-9:
        return x, y, left, 1
    if not way_clear(g, s.side, px, py, x, y):
        return px, py, 0.0, 0
    if g.plain == 1 and g.works_n == 0:
        share = 1.0 if length <= left else left / length
        return px + dx * share, py + dy * share, left - length * share, 1 if length <= left else 0
    steps = int(length / STRIDE) + 1
    step = length / steps
    ex, ey, whole = px, py, left >= s.rate
    for n in range(1, steps + 1):
        share = n / steps
        nx, ny = px + dx * share, py + dy * share
        pace = 1.0 if g.plain == 1 else g.cost[code_at(g, nx, ny), HORSE_COLUMN]
        if pace == 0.0 or step * pace > left:
            return ex, ey, 0.0, 0
        left -= step * pace
        if g.works_n > 0 and over_work(g, ex, ey, nx, ny) >= 0:
            if share * length > AT_OBSTACLE or not whole:
                return ex, ey, 0.0, 0
            return nx, ny, 0.0, 1 if n == steps else 0
        ex, ey = nx, ny
    return x, y, left, 1


@jit
def find_ride_end(g: Any, k: Any, x: Any, y: Any) -> Any:
    """The end of a ride towards (x, y): (x, y, 1 if there); over water by bridge or ford (AWI-T-TER-08)."""
    px, py = place_of(g, k)
    left, there = g.generals[k].rate, 1
    if g.gates_n > 0 and is_way_barred(g, HORSE_COLUMN, px, py, x, y):
        m, _ = best_gate(g, px, py, x, y)
        if m >= 0:
            t = g.gates[m]
            s, c = SIN[t.heading % 360], COS[t.heading % 360]
            if (x - t.x) * s + (y - t.y) * c < 0.0:
                s, c = -s, -c
            ends = t.half_length + 1.0
            along, aside = (px - t.x) * s + (py - t.y) * c, (px - t.x) * c - (py - t.y) * s
            if along < -ends - AT_GATE or abs(aside) > t.half_width:
                px, py, left, there = find_leg_end(g, k, px, py, t.x - ends * s, t.y - ends * c, left)
            if there == 1:
                px, py, left, there = find_leg_end(g, k, px, py, t.x + ends * s, t.y + ends * c, left)
    if there == 1:
        px, py, left, there = find_leg_end(g, k, px, py, x, y, left)
    return px, py, there


@jit
def join_unit(g: Any, k: Any, i: Any) -> Any:
    """Ride to a unit of the own side until his base touches it; False when he cannot this move."""
    s, u = g.generals[k], g.u[i]
    if s.unit == i:
        return True
    if u.side != s.side or u.place != ON_TABLE:
        return False
    px, py = place_of(g, k)
    gap = math.sqrt(point_gap2(px, py, u.x, u.y, u.face, half_width(u), half_depth(u))) - HALF
    if gap > s.rate:
        return False
    if gap > 0.0:
        dx, dy = u.x - px, u.y - py
        share = gap / math.sqrt(dx * dx + dy * dy)
        x, y = px + dx * share, py + dy * share
        _, _, there = find_ride_end(g, k, x, y)
        if there == 0:
            return False
    s.unit = i
    note_plain(g, GENERAL_JOINS, i, k)
    return True


@jit
def move_general(g: Any, k: Any, x: Any, y: Any) -> Any:
    """Leave his unit and ride towards a spot as far as the move goes; False when he cannot stir."""
    if x < 0.0 or y < 0.0 or x > g.width or y > g.depth:
        return False
    s = g.generals[k]
    px, py = place_of(g, k)
    ex, ey, _ = find_ride_end(g, k, x, y)
    if ex == px and ey == py:
        return False
    s.unit, s.x, s.y = -1, ex, ey
    note_at(g, GENERAL_MOVES, k, ex, ey)
    return True


@jit
def enemy_gap2(g: Any, i: Any) -> Any:
    """Squared inches from unit i to the nearest effective enemy, by centres."""
    nearest = 1.0e18
    for j in range(g.n):
        b = g.u[j]
        if b.side != g.u[i].side and is_effective(b):
            distance = centre_gap2(g, i, j)
            if distance < nearest:
                nearest = distance
    return nearest


@jit
def is_served(g: Any, k: Any, i: Any) -> Any:
    """True when another general of as high a rank is with unit i, so that k would add nothing."""
    for m in range(g.generals_n):
        s = g.generals[m]
        if m != k and s.unit == i and is_general_on_table(g, m) and s.rank >= g.generals[k].rank:
            return True
    return False


@jit
def weigh_need(g: Any, k: Any, i: Any) -> Any:
    """The need of unit i for general k; 0.0 and less is none at all.

    Routing and rallied units come first, but none about to run off the table or be ridden down.
    Seniors do not share the fire with steady units.
    """
    u = g.u[i]
    if u.mood == ROUTING:
        inward = u.y if u.side == 0 else g.depth - u.y
        if inward <= u.rate_rout or u.immobile == 1 or enemy_gap2(g, i) <= NEAR * NEAR:
            return 0.0
        return 6.0 + u.sp
    if u.mood == SHAKEN:
        return 6.0 + 0.5 * u.sp
    if g.generals[k].rank != BRIGADIER:
        return 0.0
    worth = 1.0 + 0.25 * (6 - u.sp - u.morale) + u.under_fire
    distance = enemy_gap2(g, i)
    if distance <= NEAR * NEAR:
        worth += 2.0
    elif distance <= 4.0 * NEAR * NEAR:
        worth += 1.0
    return worth


@jit
def choose_unit(g: Any, k: Any) -> Any:
    """The unit of his chain within a ride that general k should be with, or -1."""
    s = g.generals[k]
    px, py = place_of(g, k)
    best, most = -1, 0.0
    for i in range(g.n):
        u = g.u[i]
        if u.side != s.side or u.place != ON_TABLE or u.wagon == 1 or not in_chain(g, k, i):
            continue
        dx, dy = u.x - px, u.y - py
        if dx * dx + dy * dy > (s.rate + 2.5) * (s.rate + 2.5) or is_served(g, k, i):
            continue
        worth = weigh_need(g, k, i) + (STAY if i == s.unit else 0.0)
        if worth > most:
            best, most = i, worth
    return best


@jit
def is_calm(g: Any, k: Any) -> Any:
    """True when the units of general k's chain are all steady, and he is with one if a brigadier."""
    s = g.generals[k]
    if s.rank == BRIGADIER and (s.unit < 0 or g.turn % THINKS_AGAIN == 1):
        return False
    for i in range(g.n):
        u = g.u[i]
        if u.mood != STEADY and u.place == ON_TABLE and in_chain(g, k, i):
            return False
    return True


@jit
def keep_behind(g: Any, k: Any) -> None:
    """A general whom no unit needs keeps behind the middle of his troops."""
    s = g.generals[k]
    x, y, count = 0.0, 0.0, 0
    for i in range(g.n):
        if is_effective(g.u[i]) and in_chain(g, k, i):
            x, y, count = x + g.u[i].x, y + g.u[i].y, count + 1
    if count == 0:
        i = nearest_friend(g, k)
        if i >= 0 and i != s.unit and not join_unit(g, k, i):
            move_general(g, k, g.u[i].x, g.u[i].y)
        return
    x, y = x / count, y / count + (-BEHIND if s.side == 0 else BEHIND)
    if y < 1.0:
        y = 1.0
    elif y > g.depth - 1.0:
        y = g.depth - 1.0
    px, py = place_of(g, k)
    if (x - px) * (x - px) + (y - py) * (y - py) > SLACK * SLACK:
        move_general(g, k, x, y)


@jit
def direct_generals(g: Any) -> None:
    """The generals of the moving side go where they are needed most, before their troops move."""
    for k in range(g.generals_n):
        s = g.generals[k]
        if s.side != g.mover or not is_general_on_table(g, k):
            continue
        if is_general_free(g, k) and s.unit >= 0:
            s.x, s.y = g.u[s.unit].x, g.u[s.unit].y
            s.unit = -1
        calm = is_calm(g, k)
        if calm and s.rank == BRIGADIER:
            continue
        i = -1 if calm else choose_unit(g, k)
        if i >= 0:
            join_unit(g, k, i)
        elif s.rank != BRIGADIER or s.unit < 0 or g.u[s.unit].mood == ROUTING:
            keep_behind(g, k)
