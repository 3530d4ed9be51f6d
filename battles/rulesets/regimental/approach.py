"""Movement of a unit to a spot or an enemy, round what bars it, and home (REG-TRP-01, 04)."""

import math
from typing import Any

from battles.engine.compile import jit
from battles.engine.geometry import COS, SIN, find_bearing, is_overlapping, rectangle_gap, turn_between
from battles.engine.wayfinding import (
    HAS_WAY,
    TIGHT,
    bar_buildings,
    bar_line,
    blank_prices,
    looks_for_way,
    price_narrows,
    remaining_leg,
    take_way,
)
from battles.engine.ways import from_own_edge, is_off, leg_by_gate
from battles.rulesets.regimental.bases import LITTLE, can_stand_at, can_stand_in_form, measure_gap
from battles.rulesets.regimental.cover import is_work
from battles.rulesets.regimental.formations import halves_of
from battles.rulesets.regimental.moving import (
    NEVER,
    advance_straight,
    farthest_reach,
    going_at,
    inch_cost,
    move_allowance,
    rate_row,
    room_ahead,
    turns_to,
    wheel_cost,
)
from battles.rulesets.regimental.passing import go_through
from battles.rulesets.regimental.recording import (
    ENTERS,
    LEAVES,
    MARCHES_OFF,
    TURN,
    note_plain,
)
from battles.rulesets.regimental.records import (
    EXTENDED,
    FIRE_ONLY,
    FOOT,
    GARRISON,
    GOOD,
    GUNS,
    HORSE,
    INDIAN,
    LEFT,
    LINE,
    MAY_BE_TARDY,
    MAY_BE_WELL,
    NOTHING,
    ON_TABLE,
)
from battles.rulesets.regimental.states import take_off, write_footprint
from battles.rulesets.regimental.tables import STOP_SHORT, WHEEL

#: Inches between the spots of a way that are looked at for ground that bars.
LOOK = 1.5
#: Inches a unit must gain for a way to count as open, and of its way that are looked along.
GAIN, AHEAD = 0.7, 16.0
#: Inches that a passage of lines must bring more than the best way round a friend.
PASSAGE = 2.0
#: Inches from the own edge, beyond half its depth, at which a unit that goes home is off.
AT_EDGE = 0.6
#: Degrees that are no turn to speak of.
STRAIGHT = 12
#: Inches from the middle of a building within which a garrison looks for room outside.
FARTHEST_OUT = 8.0
#: Inches from a building at which foot may go in.
AT_DOOR = 1.0


@jit
def share_of_move(u: Any) -> Any:
    """The share of its move a unit may still make: all, half if tardy, none (REG-TRP-01, REG-TRP-04)."""
    if u.may == MAY_BE_WELL or (u.class_ == GUNS and u.may == MAY_BE_TARDY):
        return 1.0
    return 0.5 if u.may == MAY_BE_TARDY else 0.0


@jit
def bars_way(g: Any, i: Any, heading: Any, inches: Any) -> Any:
    """True when ground that a unit may not enter lies along a heading."""
    if g.goings_n <= 1:
        return False
    u = g.u[i]
    row = rate_row(u)
    steps = int(inches / LOOK) + 1
    for k in range(1, steps + 1):
        way = inches * k / steps
        x, y = u.x + SIN[heading] * way, u.y + COS[heading] * way
        if inch_cost(g, u, row, going_at(g, u, x, y)) >= NEVER * 0.5:
            return True
    return False


@jit
def step_along(g: Any, i: Any, heading: Any, want: Any) -> Any:
    """Go up to so many inches along a heading, a little aside where that is barred; inches gone.

    It wheels up to 45 degrees as part of its move. For more a well-handled unit changes front, which
    leaves it half a move (REG-TRP-01).
    """
    u = g.u[i]
    share = share_of_move(u)
    if share <= 0.0:
        return 0.0
    if u.inside >= 0:
        return come_out_of_building(g, i, heading)
    turn = turn_between(u.face, heading)
    if abs(turn) > WHEEL:
        if u.may == MAY_BE_WELL:
            return change_front(g, i, heading, want)
        if u.class_ != GUNS:
            heading = (u.face + (WHEEL if turn > 0 else 360 - WHEEL)) % 360
    left = move_allowance(g, u, share)
    want = min(want, farthest_reach(g, u, left))
    best, gain = -1, 0.05
    old = u.face
    for k in range(5):
        offset = ((k + 1) // 2) * 20
        way = (heading + (offset if k % 2 == 1 else 360 - offset)) % 360
        if k > 0 and abs(turn_between(old, way)) > WHEEL:
            continue
        if bars_way(g, i, way, min(want, AHEAD)):
            continue
        room = way_along(g, i, way, want, left) * COS[(way - heading) % 360]
        if room > gain + GAIN or (best < 0 and room > gain):
            best, gain = way, room
        if k == 0 and room >= want - wheel_cost(u, way) - GAIN:
            break
    if gain + PASSAGE < min(want, 0.5 * left):
        inches = go_through(g, i, heading, want)
        if inches > 0.0:
            return inches
    if best < 0:
        return 0.0
    spent = wheel_cost(u, best)
    if not turns_to(g, i, best):
        return 0.0
    inches = advance_straight(g, i, best, want, left - spent)
    if inches > 0.0:
        u.may = NOTHING
    elif best != old:
        u.may = NOTHING
        note_plain(g, TURN, i, -1)
    return inches


@jit
def come_out_of_building(g: Any, i: Any, heading: Any) -> Any:
    """A garrison forms up outside its building, towards a heading if it can; inches gone (REG-UNI-04)."""
    u = g.u[i]
    form = EXTENDED if u.marksmen == 1 or u.nation == INDIAN else LINE
    wide, deep = halves_of(u, form)
    for k in range(8):
        offset = ((k + 1) // 2) * 45
        way = (heading + (offset if k % 2 == 1 else 360 - offset)) % 360
        out = 0.0
        while out < FARTHEST_OUT:
            out += LOOK * 0.5
            x, y = u.x + SIN[way] * out, u.y + COS[way] * out
            if is_off(g, x, y) or bars_way(g, i, way, out):
                break
            if can_stand_at(g, i, x, y, way, wide, deep) and not_near(g, i, x, y, way, wide, deep):
                house = u.inside
                u.x, u.y, u.face, u.inside, u.form, u.may, u.moved = x, y, way, -1, form, NOTHING, 1
                write_footprint(g, i)
                note_plain(g, LEAVES, i, house)
                return out
    return 0.0


@jit
def go_in(g: Any, i: Any, k: Any) -> Any:
    """Foot close to a building with room goes in as its garrison; True when it is in (REG-UNI-04)."""
    u, e = g.u[i], g.structures[k]
    if u.class_ != FOOT or u.order_ != GOOD or u.may in (NOTHING, FIRE_ONLY):
        return False
    if rectangle_gap(
        u.x, u.y, u.face, u.half_width, u.half_depth, e.x, e.y, e.face, e.half_width, e.half_depth
    ) > AT_DOOR:  # fmt: skip
        return False
    held = 0
    for j in range(g.n):
        b = g.u[j]
        if b.place != ON_TABLE or b.inside != k:
            continue
        if b.side != u.side:
            return False
        held += 1
    if held >= e.capacity:
        return False
    u.inside, u.form, u.x, u.y, u.face, u.may, u.moved = k, GARRISON, e.x, e.y, e.face, NOTHING, 1
    write_footprint(g, i)
    note_plain(g, ENTERS, i, k)
    return True


@jit
def not_near(g: Any, i: Any, x: Any, y: Any, face: Any, wide: Any, deep: Any) -> Any:
    """True when a rectangle for unit i keeps a quarter of an inch from every enemy (REG-DEF-05)."""
    u = g.u[i]
    w, h = wide + STOP_SHORT, deep + STOP_SHORT
    for j in range(g.first[1 - u.side], g.past[1 - u.side]):
        b = g.u[j]
        if b.side == u.side or b.place != ON_TABLE:
            continue
        if is_overlapping(x, y, face, w, h, b.x, b.y, b.face, b.half_width, b.half_depth):
            return False
    return True


@jit
def way_along(g: Any, i: Any, heading: Any, want: Any, left: Any) -> Any:
    """Inches of room a unit has along a heading once it has wheeled to it; 0.0 when it cannot wheel."""
    u = g.u[i]
    spent = wheel_cost(u, heading)
    if spent >= left:
        return 0.0
    if heading != u.face and not can_stand_in_form(g, i, u.x, u.y, heading):
        return 0.0
    old, u.face = u.face, heading
    room = room_ahead(g, i, heading, min(want, farthest_reach(g, u, left - spent)))
    u.face = old
    return room


@jit
def change_front(g: Any, i: Any, heading: Any, want: Any) -> Any:
    """A well-handled unit faces anew and has half a move (REG-TRP-01); inches gone."""
    u = g.u[i]
    if not turns_to(g, i, heading):
        return 0.0
    note_plain(g, TURN, i, -1)
    left = move_allowance(g, u, 0.5)
    inches = advance_straight(g, i, heading, min(want, farthest_reach(g, u, left)), left)
    u.may = NOTHING
    return inches


@jit
def prices_for(g: Any, i: Any) -> Any:
    """1.0 for each cell of the table that unit i can go over, more in narrows.

    Works bar who cannot scale them (REG-TRP-01).
    """
    u = g.u[i]
    prices, row = blank_prices(g), rate_row(u)
    for r in range(g.rows):
        for c in range(g.columns):
            going = going_at(g, u, (c + 0.5) * g.cell, (r + 0.5) * g.cell)
            if inch_cost(g, u, row, going) < NEVER * 0.5:
                prices[r, c] = 1.0
    if u.class_ not in (FOOT, HORSE):
        for k in range(g.works_n):
            w = g.works[k]
            if is_work(w.kind_):
                bar_line(g, prices, w.x0, w.y0, w.x1, w.y1)
    price_narrows(g, prices, u.half_width, TIGHT)
    bar_buildings(g, prices, u.inside, u.half_width)
    return prices


@jit
def goes_by_way(g: Any, i: Any, x: Any, y: Any, near: Any) -> Any:
    """Inches a unit goes by the way it finds, when it has come no nearer for some turns; -1.0 for none."""
    u = g.u[i]
    if g.goings_n <= 1 and g.buildings_n == 0 and g.works_n == 0:
        return -1.0
    if looks_for_way(g, u, x, y):
        take_way(g, prices_for(g, i), u, x, y, near, u.half_depth)
    if u.has_way != HAS_WAY:
        return -1.0
    return step_along(g, i, find_bearing(u.via_x - u.x, u.via_y - u.y), remaining_leg(u))


@jit
def go_to_spot(g: Any, i: Any, x: Any, y: Any, stop: Any) -> Any:
    """Go towards a spot until `stop` inches from it, by a bridge or ford where water bars; inches gone."""
    u = g.u[i]
    dx, dy = x - u.x, y - u.y
    distance = math.sqrt(dx * dx + dy * dy)
    want = distance - stop
    if want <= 0.1:
        return 0.0
    gone = goes_by_way(g, i, x, y, stop + LOOK)
    if gone >= 0.0:
        return gone
    heading = find_bearing(dx, dy)
    if g.gates_n > 0 and bars_way(g, i, heading, distance):
        heading, want = leg_by_gate(g, u.x, u.y, x, y)
    return step_along(g, i, heading, want)


@jit
def close_to(g: Any, i: Any, j: Any, stop: Any) -> Any:
    """Go towards unit j until `stop` inches lie between the two; inches gone."""
    u, t = g.u[i], g.u[j]
    want = measure_gap(g, i, j) - stop
    if want <= 0.1:
        return 0.0
    dx, dy = t.x - u.x, t.y - u.y
    distance = math.sqrt(dx * dx + dy * dy)
    return go_to_spot(g, i, t.x, t.y, distance - want if distance > want else 0.0)


@jit
def look_at(g: Any, i: Any, j: Any) -> None:
    """Face an enemy: by wheeling, or by a change of front when well handled (REG-TRP-01)."""
    u, t = g.u[i], g.u[j]
    if u.may in (NOTHING, FIRE_ONLY) or u.inside >= 0:
        return
    heading = find_bearing(t.x - u.x, t.y - u.y)
    turn = turn_between(u.face, heading)
    if abs(turn) <= STRAIGHT:
        return
    if abs(turn) > WHEEL and u.may != MAY_BE_WELL:
        heading = (u.face + (WHEEL if turn > 0 else 360 - WHEEL)) % 360
    if turns_to(g, i, heading):
        note_plain(g, TURN, i, -1)
        u.may = NOTHING


@jit
def fall_back_home(g: Any, i: Any, inches: Any) -> Any:
    """Face by the rear rank and go half a move home-ward; inches gone (REG-TRP-01, REG-TRP-04).

    A tardy unit only faces about. Whoever has been seen to face about is the easier to hit (REG-FIR-06).
    """
    u = g.u[i]
    if u.may in (NOTHING, FIRE_ONLY):
        return 0.0
    if u.inside >= 0:
        return come_out_of_building(g, i, u.home)
    share = 0.5
    if abs(turn_between(u.face, u.home)) > WHEEL:
        if not turns_to(g, i, u.home):
            return 0.0
        u.about_faced = 1
        note_plain(g, TURN, i, -1)
        if u.may == MAY_BE_TARDY:
            u.may = NOTHING
            return 0.0
    elif not turns_to(g, i, u.home):
        return 0.0
    else:
        share = share_of_move(u)
    left = move_allowance(g, u, share)
    gone = advance_straight(g, i, u.home, min(inches, farthest_reach(g, u, left)), left)
    u.may = NOTHING
    return gone


@jit
def go_home(g: Any, i: Any) -> None:
    """March off by the own edge with the stands it has (REG-DEF-04)."""
    u = g.u[i]
    share = share_of_move(u)
    if share <= 0.0:
        return
    if at_home(g, u):
        leave_table(g, i)
        return
    if abs(turn_between(u.face, u.home)) > WHEEL and u.class_ != GUNS:
        fall_back_home(g, i, LITTLE + 1.0e3)
    else:
        step_along(g, i, u.home, 1.0e3)
    if at_home(g, u):
        leave_table(g, i)


@jit
def at_home(g: Any, u: Any) -> Any:
    """True for a unit at its own edge."""
    return from_own_edge(g, u) <= AT_EDGE + u.half_depth


@jit
def leave_table(g: Any, i: Any) -> None:
    """Leave the table in order."""
    note_plain(g, MARCHES_OFF, i, -1)
    take_off(g, i, LEFT)
