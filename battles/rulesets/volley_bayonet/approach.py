"""Moves that bring a stand to a place: towards a spot or an enemy, round obstacles, home."""

import math
from typing import Any

from battles.engine.compile import jit
from battles.engine.dtypes import FENCE, STREAM, WALL
from battles.engine.geometry import COS, SIN, find_bearing, turn_between
from battles.engine.wayfinding import (
    HAS_WAY,
    TIGHT,
    bar_building,
    bar_line,
    blank_prices,
    looks_for_way,
    price_narrows,
    remaining_leg,
    take_way,
)
from battles.engine.ways import from_own_edge, leg_by_gate
from battles.rulesets.volley_bayonet.allowance import (
    LITTLE,
    OBLIQUE,
    find_march_factor,
    find_turn_inches,
    ground_column,
    keeps_road,
)
from battles.rulesets.volley_bayonet.bases import half_depth, half_width, has_enemy_touching
from battles.rulesets.volley_bayonet.cover import code_at
from battles.rulesets.volley_bayonet.facing import change_facing
from battles.rulesets.volley_bayonet.formations import enter_road_march, leave_road_march
from battles.rulesets.volley_bayonet.marching import is_foot_on_foot
from battles.rulesets.volley_bayonet.moving import (
    face_for_spot,
    face_to,
    go_straight,
    go_within,
    is_in_the_way,
    room_ahead,
)
from battles.rulesets.volley_bayonet.recording import MARCHES_OFF, note_plain
from battles.rulesets.volley_bayonet.records import GONE, ROAD_MARCH, ROUTED, SKIRMISH
from battles.rulesets.volley_bayonet.sight import can_see, nearest_spot
from battles.rulesets.volley_bayonet.states import is_standing

#: Inches between the spots of a way that are looked at for ground that bars.
LOOK = 1.5
#: Inches a stand must gain for a way to count as open, and of its way that are looked along.
GAIN, AHEAD = 1.0, 16.0
#: Inches from the own edge at which a stand that goes home is off.
AT_EDGE = 1.6


@jit
def nearest_enemy(g: Any, i: Any) -> Any:
    """The nearest enemy of stand i by centres, those who run last of all; -1 for none."""
    u = g.u[i]
    best, nearest = -1, 1.0e18
    for j in range(g.first[1 - u.side], g.past[1 - u.side]):
        b = g.u[j]
        if b.side == u.side or not is_standing(b):
            continue
        dx, dy = b.x - u.x, b.y - u.y
        distance = dx * dx + dy * dy
        if b.state == ROUTED:
            distance *= 4.0
        if distance < nearest:
            best, nearest = j, distance
    return best


@jit
def find_best_reach(g: Any, u: Any) -> Any:
    """Inches that are left of its turn where it goes best: on open ground, by road in road march."""
    return u.left * find_turn_inches(g, u) * find_march_factor(u, 1)


@jit
def may_be_barred(g: Any, column: Any) -> Any:
    """True when some ground of the table bars who is of that column."""
    count = 0
    for code in range(g.goings_n):
        if g.going[code].costs[column] == 0.0:
            count += 1
    return count > 0


@jit
def bars_way(g: Any, u: Any, heading: Any, inches: Any) -> Any:
    """True when ground that a stand may not enter lies along a heading.

    Who is in road march takes a road through it (VBW-TER-28).
    """
    column = ground_column(u)
    if not may_be_barred(g, column):
        return False
    steps = int(inches / LOOK) + 1
    for k in range(1, steps + 1):
        way = inches * k / steps
        e = g.going[code_at(g, u.x + SIN[heading] * way, u.y + COS[heading] * way)]
        if e.costs[column] == 0.0 and not keeps_road(u, e.road):
            return True
    return False


@jit
def turn_towards(g: Any, i: Any, heading: Any) -> Any:
    """Be able to go along a heading: facing change if it slants too far; False when none may be made."""
    u = g.u[i]
    if abs(turn_between(u.face, heading)) <= OBLIQUE:
        return True
    return face_to(g, i, heading)


@jit
def step_along(g: Any, i: Any, heading: Any, want: Any) -> Any:
    """Go up to so many inches along a heading, a little aside where that is barred; inches gone."""
    u = g.u[i]
    if not turn_towards(g, i, heading):
        return 0.0
    want = min(want, find_best_reach(g, u))
    best, gain, free = heading, -1.0, 0.0
    for k in range(5):
        offset = ((k + 1) // 2) * 20
        way = (heading + (offset if k % 2 == 1 else 360 - offset)) % 360
        if k > 0 and abs(turn_between(u.face, way)) > OBLIQUE:
            continue
        if bars_way(g, u, way, min(want, AHEAD)):
            continue
        ahead = room_ahead(g, i, way, want)
        room = ahead * COS[(way - heading) % 360]
        if room > gain + GAIN:
            best, gain, free = way, room, ahead
        if k == 0 and room >= want - GAIN:
            break
    if gain <= 0.0:
        return 0.0
    if u.inside >= 0:
        return go_straight(g, i, best, want)  # there is more room when it has come out
    return go_within(g, i, best, free)


@jit
def prices_for(g: Any, i: Any) -> Any:
    """1.0 for each cell of the table that stand i can go over, more in narrows.

    Works bar all but foot; in Road to Glory they bar nobody, and villages are gone through (RTG-TER-22).
    """
    u = g.u[i]
    prices, column = blank_prices(g), ground_column(u)
    for row in range(g.rows):
        for k in range(g.columns):
            e = g.going[g.ground[row, k]]
            if keeps_road(u, e.road) or e.costs[column] > 0.0:
                prices[row, k] = 1.0
    if g.o.grand == 0 and not is_foot_on_foot(u):
        for k in range(g.works_n):
            w = g.works[k]
            if w.kind_ not in (FENCE, WALL, STREAM):
                bar_line(g, prices, w.x0, w.y0, w.x1, w.y1)
    price_narrows(g, prices, half_width(g, u), TIGHT)
    for k in range(g.buildings_n):
        if k != u.inside and g.structures[k].sp > 0 and is_in_the_way(g, k):
            bar_building(g, prices, k, half_width(g, u))
    return prices


@jit
def goes_by_way(g: Any, i: Any, x: Any, y: Any, near: Any) -> Any:
    """Inches a stand goes by the way it finds, when it has come no nearer for some turns; -1.0 for none."""
    u = g.u[i]
    if g.goings_n <= 1 and g.buildings_n == 0 and g.works_n == 0:
        return -1.0
    if looks_for_way(g, u, x, y):
        take_way(g, prices_for(g, i), u, x, y, near, half_depth(g, u))
    if u.has_way != HAS_WAY:
        return -1.0
    heading = find_bearing(u.via_x - u.x, u.via_y - u.y)
    if abs(turn_between(u.face, heading)) > OBLIQUE and face_for_spot(g, i, u.via_x, u.via_y):
        heading = find_bearing(u.via_x - u.x, u.via_y - u.y)
    return step_along(g, i, heading, remaining_leg(u))


@jit
def go_to_spot(g: Any, i: Any, x: Any, y: Any, stop: Any) -> Any:
    """Go towards a spot until `stop` inches from it, by a bridge or ford where water bars; inches gone."""
    u = g.u[i]
    dx, dy = x - u.x, y - u.y
    distance = math.sqrt(dx * dx + dy * dy)
    want = distance - stop
    if want <= 0.05:
        return 0.0
    gone = goes_by_way(g, i, x, y, stop + g.cell)
    if gone >= 0.0:
        return gone
    heading = find_bearing(dx, dy)
    if g.gates_n > 0 and bars_way(g, u, heading, distance):
        heading, want = leg_by_gate(g, u.x, u.y, x, y)
    return step_along(g, i, heading, want)


@jit
def close_to(g: Any, i: Any, j: Any, apart: Any, stop: Any) -> Any:
    """Go towards stand j, who is so far apart, until `stop` inches lie between the bases; inches gone."""
    u, t = g.u[i], g.u[j]
    want = apart - stop
    if want <= 0.1:
        return 0.0
    dx, dy = t.x - u.x, t.y - u.y
    distance = math.sqrt(dx * dx + dy * dy)
    return go_to_spot(g, i, t.x, t.y, distance - want if distance > want else 0.0)


@jit
def look_at(g: Any, i: Any, j: Any) -> None:
    """Face an enemy whom the arc of fire does not hold."""
    u, t = g.u[i], g.u[j]
    if u.form == SKIRMISH or u.inside >= 0:
        return
    heading = find_bearing(t.x - u.x, t.y - u.y)
    if abs(turn_between(u.face, heading)) > OBLIQUE:
        face_to(g, i, heading)


@jit
def presses_on(g: Any, i: Any, j: Any, distance: Any) -> Any:
    """Straight on at an enemy close by whom woods or a crest hide, until he is in sight; inches gone.

    Nobody charges or fires at what he does not see (VBW-MOV-07, VBW-VIS-05).
    """
    u = g.u[i]
    x, y = nearest_spot(g, g.u[j], u.x, u.y)
    heading = find_bearing(x - u.x, y - u.y)
    if heading != u.face and not face_to(g, i, heading):
        return 0.0
    x, y, way, most = u.x, u.y, 0.0, distance - g.t.stop_short
    while way < most:
        way = min(way + g.t.edge_of_growth, most)
        u.x, u.y = x + SIN[heading] * way, y + COS[heading] * way
        if can_see(g, i, j):
            break
    u.x, u.y = x, y
    return go_straight(g, i, heading, way)


@jit
def fall_back_home(g: Any, i: Any, inches: Any) -> Any:
    """Go back home-ward with the face to the enemy, for a facing change (VBW-MOV-06); inches gone."""
    u = g.u[i]
    if abs(turn_between(u.face, u.home)) > OBLIQUE and not change_facing(g, i):
        return 0.0
    return go_straight(g, i, u.home, min(inches, find_best_reach(g, u)))


@jit
def go_home(g: Any, i: Any) -> None:
    """March off by the own edge, with what SP it has."""
    u = g.u[i]
    if from_own_edge(g, u) <= AT_EDGE and u.left > LITTLE:
        u.place, u.stationary = GONE, 0
        note_plain(g, MARCHES_OFF, i, -1)
        return
    if not turn_towards(g, i, u.home):
        fall_back_home(g, i, find_best_reach(g, u))
        return
    if step_along(g, i, u.home, find_best_reach(g, u)) <= 0.0:
        return
    if from_own_edge(g, u) <= AT_EDGE:
        u.place, u.stationary = GONE, 0
        note_plain(g, MARCHES_OFF, i, -1)


@jit
def column_of_road(g: Any, i: Any, distance: Any) -> None:
    """Go into road march far from the enemy, and come out of it in time (VBW-MOV-11 to 14, RTG-MOV-06)."""
    u = g.u[i]
    if u.form == ROAD_MARCH:
        if distance <= g.t.march_to:
            leave_road_march(g, i, has_enemy_touching(g, i))
    elif distance > g.t.march_from and u.form != SKIRMISH and u.inside < 0:
        enter_road_march(g, i)
