"""Costs of ground on the way: going, obstacles, bridges and fords (AWI-T-TER-01, 02, 09)."""

from typing import Any

from battles.engine.bases import LITTLE, half_depth, half_width
from battles.engine.compile import jit
from battles.engine.dtypes import ALIKE, BITS, COLUMN, IN_COLUMN, LIMBERED, ON_TABLE, STREAM
from battles.engine.geometry import COS, SIN, find_crossing, point_gap2, rectangle_gap
from battles.engine.ground import (
    STRIDE,
    cell_at,
    code_at,
    even_around,
    find_work_crossing,
    keeps_road,
    no_work_near,
    unpack_known_cells,
    work_sp,
)

#: Share of a whole move that a fence, wall or work costs, by column of the terrain tables (AWI-T-TER-02).
OBSTACLE_SHARE = (0.5, 0.5, 1.0, 1.0)
#: The same for a stream or a ford.
STREAM_SHARE = (0.5, 0.5, 1.0, 2.0)
#: Inches from an obstacle at which a unit stops, within which it is in contact with it, and within
#: which two obstacles are crossed as one.
KEEP_OFF, CONTACT, AS_ONE = 0.1, 0.15, 0.3
#: Inches the road bonus adds, and within which an enemy forbids it (AWI-T-MOV-11).
ROAD_BONUS, ROAD_ENEMY = 3.0, 24.0
#: An allowance that is never spent.
ENDLESS = 1.0e9


@jit
def is_in_column_form(u: Any) -> Any:
    """True for columns, limbered guns and wagons, which keep to roads and bridges (AWI-T-TER-09)."""
    return u.form == COLUMN or u.form == LIMBERED


@jit
def next_obstacle(g: Any, u: Any, px: Any, py: Any, qx: Any, qy: Any, past: Any) -> Any:
    """(where, share of a move, which) of the nearest obstacle on the way from p to q beyond `past`.

    Where and `past` are shares of the way, 2.0 when there is none. A stream under a bridge is none
    for columns, limbered guns and wagons only (AWI-T-TER-09).
    """
    where, cost, which = 2.0, 0.0, -1
    if no_work_near(g, (px + qx) / 2.0, (py + qy) / 2.0, max(abs(qx - px), abs(qy - py)) / 2.0):
        return where, cost, which
    low_x, high_x = (px, qx) if px < qx else (qx, px)
    low_y, high_y = (py, qy) if py < qy else (qy, py)
    for k in range(g.works_n):
        w = g.works[k]
        if high_x < w.low_x or low_x > w.high_x or high_y < w.low_y or low_y > w.high_y:
            continue
        at = find_work_crossing(g, k, px, py, qx, qy)
        if at < 0.0 and w.gate >= 0 and not is_in_column_form(u):
            at = find_crossing(px, py, qx, qy, w.x0, w.y0, w.x1, w.y1)
        if at > past and at < where:
            where, which = at, k
            cost = STREAM_SHARE[u.going] if w.kind_ == STREAM else OBSTACLE_SHARE[u.going]
    return where, cost, which


@jit
def has_costly_obstacle(g: Any, u: Any, px: Any, py: Any, qx: Any, qy: Any) -> Any:
    """True when an obstacle that costs something lies on the way from p to q."""
    if g.works_n == 0 or even_around(g, px, py, abs(qx - px) + abs(qy - py)):
        return False
    _, cost, _ = next_obstacle(g, u, px, py, qx, qy, -0.5)
    return cost > 0.0


@jit
def edge_pace(g: Any, u: Any, x: Any, y: Any, dx: Any, dy: Any) -> Any:
    """(inches of allowance an inch costs, inches for which that holds) of an edge whose middle is (x, y).

    The first is 0.0 where it cannot go. Our ruling: the going under the middle and both corners (dx,
    dy to either side) is looked at and the worst counts, but a column on a road goes by the middle
    alone (AWI-T-TER-01, AWI-T-TER-09).
    """
    row, at = cell_at(g, x, y)
    code = g.ground[row, at]
    column, kind = u.going, u.going
    if is_in_column_form(u):
        column, kind = column + 4, IN_COLUMN
    pace = g.cost[code, column]
    if pace == 0.0 or keeps_road(g, u, code):
        return pace, 0.0
    place = ALIKE + kind * BITS
    room = unpack_known_cells(g, row, at, place) * g.cell
    if g.ground_changed == 1:
        room = 0.0
    aside = max(abs(dx), abs(dy))
    if room > aside + 2.0:
        return pace, room - aside  # both corners are well within ground that costs the same
    for k in range(2):
        sign = 1.0 - 2.0 * k
        row, at = cell_at(g, x + sign * dx, y + sign * dy)
        other = g.cost[g.ground[row, at], column]
        if other == 0.0:
            return 0.0, 0.0
        if other > pace:
            pace = other
        room = min(room, unpack_known_cells(g, row, at, place) * g.cell)
    return pace, room


@jit
def measure_way(g: Any, i: Any, heading: Any, want: Any, left: Any, full: Any) -> Any:
    """(inches, allowance left) of unit i going straight along a heading, at most `want` inches.

    `left` is the allowance it may spend and `full` the whole move of which obstacles take their
    share. The leading edge pays for its ground, distance over factor, and for each obstacle its
    middle comes to. With too little left the unit stops at the obstacle. One in contact with an
    obstacle that costs all it has is set down touching the far side; if it costs still more
    g.wades names it and the inches are half of that way (AWI-T-TER-02). Ground that bars it stops it.
    """
    u = g.u[i]
    g.wades = -1
    if g.plain == 1 and g.works_n == 0:
        inches = want if want < left else left
        return inches, left - inches
    hx, hy = SIN[heading], COS[heading]
    reach, side = half_depth(u), half_width(u)
    length = want + KEEP_OFF
    half = (reach + length) / 2.0
    if even_around(g, u.x + hx * half, u.y + hy * half, half + side):
        inches = want if want < left else left
        return inches, left - inches
    px, py = u.x + hx * reach, u.y + hy * reach
    qx, qy = px + hx * length, py + hy * length
    stride = want if g.plain == 1 else g.cell * STRIDE
    where, cost, which = next_obstacle(g, u, px, py, qx, qy, -1.0)
    done, pace, alike = 0.0, 1.0, -1.0
    while done < want - 1.0e-9:
        at = where * length
        if at <= done + 1.0e-9 or at <= CONTACT:
            due = cost * full
            if which == u.owes_at:
                due = u.owes * full
            over = 2.0 * reach + at + KEEP_OFF
            if due >= left - 1.0e-9 and at <= CONTACT and cost > 0.0 and left >= full and want >= 2.0 * reach:
                if due <= left + 1.0e-9:
                    return over, 0.0
                g.wades = which
                return over / 2.0, 0.0
            if due > left - 1.0e-9 and cost > 0.0:
                break
            left -= due
            where, cost, which = next_obstacle(g, u, px, py, qx, qy, where + AS_ONE / length)
            continue
        step = stride if stride < want - done else want - done
        if at - done < step:
            step = at - done
        if g.plain == 0:
            middle = done + 0.5 * step
            if middle > alike:
                x, y = px + hx * middle, py + hy * middle
                pace, room = edge_pace(g, u, x, y, hy * side, -hx * side)
                # so far on it pays the same, less a hair for rounding
                alike = middle + room - 1.0e-6
        if pace == 0.0:
            break
        if step * pace > left:
            done += left / pace
            left = 0.0
            break
        left -= step * pace
        done += step
    stop = where * length - KEEP_OFF
    if cost > 0.0 and done > stop:
        stop = stop if stop > 0.0 else 0.0
        left += (done - stop) * pace
        done = stop
    return done, left


@jit
def in_open(g: Any, i: Any) -> Any:
    """Not in woods, cover or a building, nor within an inch of works (AWI-T-MOR-04)."""
    u = g.u[i]
    if u.inside >= 0 or (g.plain == 0 and g.going[code_at(g, u.x, u.y)].soft == 1):
        return False
    for k in range(g.works_n):
        if work_sp(g, k) < 2:
            continue
        w = g.works[k]
        dx, dy = w.x1 - w.x0, w.y1 - w.y0
        share = ((u.x - w.x0) * dx + (u.y - w.y0) * dy) / (dx * dx + dy * dy)
        share = 0.0 if share < 0.0 else (1.0 if share > 1.0 else share)
        x, y = w.x0 + dx * share, w.y0 + dy * share
        if point_gap2(x, y, u.x, u.y, u.face, half_width(u), half_depth(u)) <= 1.0 + LITTLE:
            return False
    return True


@jit
def road_bonus(g: Any, i: Any, heading: Any, whole: Any, want: Any) -> Any:
    """Optional: 3 inches more for a column that keeps to a road far from the enemy (AWI-T-MOV-11).

    `whole` is its full move, of which nothing is spent yet.
    """
    u = g.u[i]
    if g.plain == 1 or not is_in_column_form(u) or want <= whole or heading != u.face:
        return 0.0
    far = whole + ROAD_BONUS
    if want < far:
        far = want
    hx, hy = SIN[heading], COS[heading]
    for k in range(int(far) + 2):
        inches = 1.0 * k if k < far else far
        if g.going[code_at(g, u.x + hx * inches, u.y + hy * inches)].road == 0:
            return 0.0
    half = far / 2.0
    x, y, width, depth = u.x + hx * half, u.y + hy * half, half_width(u), half_depth(u) + half
    for j in range(g.n):
        b = g.u[j]
        if b.side == u.side or b.place != ON_TABLE:
            continue
        if (
            rectangle_gap(x, y, heading, width, depth, b.x, b.y, b.face, half_width(b), half_depth(b))
            <= ROAD_ENEMY + LITTLE
        ):
            return 0.0
    return ROAD_BONUS
