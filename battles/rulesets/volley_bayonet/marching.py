"""Cost of a straight leg, spot by spot, and effects of crossing the ground (VBW-MOV, VBW-TER, VBW-DEF-20).

A leg is looked at along the line of the middle of the edge that goes first. Costs are shares of a turn.
"""

import math
from typing import Any

from battles.engine.compile import jit
from battles.engine.dtypes import FENCE, STREAM, WALL
from battles.engine.geometry import COS, SIN, clip_to_strip, find_crossing, point_gap2, turn_between
from battles.rulesets.volley_bayonet.allowance import (
    HALF,
    LITTLE,
    begins_to_move,
    contour_share,
    enter_ground,
    enter_marsh,
    ground_column,
    keeps_road,
    pay_for_leg,
    reach_of,
    share_of,
    spend_turn_share,
)
from battles.rulesets.volley_bayonet.bases import HAIR, half_depth, half_width
from battles.rulesets.volley_bayonet.cover import code_at
from battles.rulesets.volley_bayonet.records import (
    CROPS,
    DETACHMENT,
    GOOD,
    GUNS,
    HORSE,
    INFANTRY,
    MARSH,
    REMOVED,
    ROAD_MARCH,
    SKIRMISH,
    TRANSPORT,
)
from battles.rulesets.volley_bayonet.states import INCIDENTAL, change_order

#: The cost of what cannot be done, and the dearest marsh (VBW-TER-09).
NEVER, WORST_MARSH = 9.0, 4.0
#: Half the length of a stretch of stream that a card has made marshy (VBW-CRD-46).
MARSHY_REACH = 6.0
#: Water of a cell under a bridge.
UNDER_BRIDGE = 2


@jit
def depth_towards(g: Any, u: Any, heading: Any) -> Any:
    """Inches from a stand's centre to the edge of its base that goes first along a heading."""
    d = turn_between(u.face, heading) % 360
    return abs(COS[d]) * half_depth(g, u) + abs(SIN[d]) * half_width(g, u)


@jit
def width_towards(g: Any, u: Any, heading: Any) -> Any:
    """Half of the front its base has along a heading."""
    d = turn_between(u.face, heading) % 360
    return abs(COS[d]) * half_width(g, u) + abs(SIN[d]) * half_depth(g, u)


@jit
def is_foot_on_foot(u: Any) -> Any:
    """Foot, which crosses works and goes into blocks (VBW-TER-42, VBW-TER-48)."""
    return u.class_ == INFANTRY or u.class_ == DETACHMENT


@jit
def wheels_along(u: Any) -> Any:
    """Guns with their crews and transport."""
    return u.class_ == TRANSPORT or (u.class_ == GUNS and u.guns_gone == 0)


@jit
def is_marshy(g: Any, side: Any, x: Any, y: Any) -> Any:
    """True where a stream is marshy-banked to that side: the Crown, by a card (VBW-CRD-46).

    Not at a bridge or ford (VBW-TER-33, VBW-TER-37).
    """
    if side != g.crown:
        return False
    for k in range(g.gates_n):
        e = g.gates[k]
        if point_gap2(x, y, e.x, e.y, e.heading, e.half_width, e.half_length + g.t.stride) == 0.0:
            return False
    for k in range(g.marshy_n):
        dx, dy = g.marshy[k].x - x, g.marshy[k].y - y
        if dx * dx + dy * dy <= MARSHY_REACH * MARSHY_REACH:
            return True
    return False


@jit
def takes_disorder(u: Any, left: Any) -> Any:
    """True for a stand that crosses a bridge disordered, with so much of its turn left (VBW-TER-35).

    Its owner pays half the turn while that leaves something to march on with, and else takes the disorder.
    """
    return u.form != ROAD_MARCH and u.state == GOOD and left <= HALF + LITTLE


@jit
def bridge_share(u: Any, left: Any) -> Any:
    """A bridge is free in road march; else half the turn, or the order of who crosses (VBW-TER-35)."""
    return 0.0 if u.form == ROAD_MARCH or u.state != GOOD or takes_disorder(u, left) else HALF


@jit
def line_share(g: Any, i: Any, k: Any, x: Any, y: Any, left: Any) -> Any:
    """The share stand i pays to cross line k at a spot (VBW-TER-17 to 19, 31, 33, 35 to 37, 46, 48).

    `left` is the share of its turn before the step.
    """
    u, w = g.u[i], g.works[k]
    if w.kind_ in (FENCE, WALL):
        return share_of(g, u, g.t.fence[ground_column(u)], 1.0, 0)
    if w.kind_ == STREAM:
        if w.gate >= 0:
            return bridge_share(u, left)
        if (wheels_along(u) or u.class_ == HORSE) and is_marshy(g, u.side, x, y):
            return NEVER
        return HALF
    if g.o.grand == 1:
        return 0.0  # works cost nobody anything there (RTG-TER-04)
    return HALF if is_foot_on_foot(u) else NEVER


@jit
def lines_ahead(g: Any, px: Any, py: Any, qx: Any, qy: Any) -> Any:
    """True when a line of the ground lies across the way from p to q."""
    for k in range(g.works_n):
        w = g.works[k]
        if (w.low_x > px and w.low_x > qx) or (w.high_x < px and w.high_x < qx):
            continue
        if (w.low_y > py and w.low_y > qy) or (w.high_y < py and w.high_y < qy):
            continue
        if find_crossing(px, py, qx, qy, w.x0, w.y0, w.x1, w.y1) >= 0.0:
            return True
    return False


@jit
def lines_beside(g: Any, px: Any, py: Any, qx: Any, qy: Any) -> Any:
    """(first, past) of the lines whose frames meet that of the way from p to q; none if none lies across."""
    if g.works_n == 0 or not lines_ahead(g, px, py, qx, qy):
        return 0, 0
    first, past = g.works_n, 0
    left, right, low, high = min(px, qx) - HAIR, max(px, qx) + HAIR, min(py, qy) - HAIR, max(py, qy) + HAIR
    for k in range(g.works_n):
        w = g.works[k]
        if w.low_x <= right and w.high_x >= left and w.low_y <= high and w.high_y >= low:
            first, past = min(first, k), k + 1
    return first, past


@jit
def is_crossing_line(g: Any, k: Any, px: Any, py: Any, qx: Any, qy: Any) -> Any:
    """True when the step from p to q goes over line k; one that ends on it has not gone over it yet."""
    w = g.works[k]
    if (w.low_x > px and w.low_x > qx) or (w.high_x < px and w.high_x < qx):
        return False
    if (w.low_y > py and w.low_y > qy) or (w.high_y < py and w.high_y < qy):
        return False
    share = find_crossing(px, py, qx, qy, w.x0, w.y0, w.x1, w.y1)
    return share >= 0.0 and share < 1.0


@jit
def step_share(
    g: Any,
    i: Any,
    from_code: Any,
    code: Any,
    px: Any,
    py: Any,
    qx: Any,
    qy: Any,
    first: Any,
    past: Any,
    left: Any,
) -> Any:
    """Share of a turn that the step from p to q takes stand i; NEVER where it may not go (VBW-DEF-20).

    `left` is the share of its turn before the step. The codes are those of the ground at p and at q; the
    lines looked at are the first to before the past.

    A road is free of all it runs through for who is in road march on it (VBW-TER-28). A marsh that is not
    diced for yet counts as its worst.
    """
    u = g.u[i]
    e, before = g.going[code], g.going[from_code]
    dx, dy = qx - px, qy - py
    inches = math.sqrt(dx * dx + dy * dy)
    if keeps_road(u, e.road):
        return share_of(g, u, inches, 1.0, 1)
    factor = e.costs[ground_column(u)]
    if factor == 0.0:
        return NEVER
    if e.kind_ == MARSH and not ignores_marsh(u):
        factor = max(factor, u.in_marsh if u.in_marsh > 0.0 else WORST_MARSH)
    if factor > 1.0 and g.battalions[u.battalion].free_ground == 1:
        factor = 1.0
    share = share_of(g, u, inches, factor, 0)
    if e.height != before.height:
        share += contour_share(u, before.height - u.from_height, e.height - u.from_height, e.road)
    if e.water == UNDER_BRIDGE and before.water != UNDER_BRIDGE:
        share += bridge_share(u, left)
    for k in range(first, past):
        if is_crossing_line(g, k, px, py, qx, qy):
            share += line_share(g, i, k, qx, qy, left)
    return share


@jit
def ignores_marsh(u: Any) -> Any:
    """Foot in skirmish order (VBW-TER-08)."""
    return u.form == SKIRMISH and u.class_ != HORSE


@jit
def apply_step(
    g: Any,
    i: Any,
    from_code: Any,
    code: Any,
    px: Any,
    py: Any,
    qx: Any,
    qy: Any,
    first: Any,
    past: Any,
    left: Any,
) -> None:
    """Apply the step from p to q to stand i and to the ground: order, crops, lines crossed.

    `left` is the share of its turn before the step.
    """
    u = g.u[i]
    e, before = g.going[code], g.going[from_code]
    if keeps_road(u, e.road):
        u.in_marsh = 0.0
        return
    if code != from_code:
        enter_ground(g, i, code)
    if e.kind_ != MARSH:
        u.in_marsh = 0.0
    else:
        tread_marsh(g, qx, qy)
    if e.kind_ == CROPS and u.form != SKIRMISH:
        tread_down(g, qx, qy)
    start = u.from_height
    if not wheels_along(u) and contour_share(u, before.height - start, e.height - start, e.road) > 0.0:
        change_order(g, i, INCIDENTAL)
    if e.water == UNDER_BRIDGE:
        u.over_stream = 1
        if before.water != UNDER_BRIDGE and takes_disorder(u, left):
            change_order(g, i, INCIDENTAL)
    for k in range(first, past):
        if not is_crossing_line(g, k, px, py, qx, qy):
            continue
        kind = g.works[k].kind_
        if kind in (FENCE, WALL):
            u.over_fence = 1
        elif kind == STREAM:
            u.over_stream = 1
            if g.works[k].gate >= 0 and takes_disorder(u, left):
                change_order(g, i, INCIDENTAL)
            if g.o.grand == 1 and g.works[k].gate < 0:
                u.streams += 1
                if u.streams > 1:  # RTG-TER-17
                    change_order(g, i, INCIDENTAL)
        elif g.o.grand == 0 or u.class_ == HORSE:
            change_order(g, i, INCIDENTAL)  # VBW-TER-46, RTG-TER-04


@jit
def tread_down(g: Any, x: Any, y: Any) -> None:
    """The field of crops about a spot hides nobody any more (VBW-TER-13)."""
    column = min(max(int(x * g.cells_per_inch), 0), g.columns - 1)
    row = min(max(int(y * g.cells_per_inch), 0), g.rows - 1)
    field = g.fields[row, column]
    g.ground_changed = 1
    if field == 0:
        g.ground[row, column] = g.going[g.ground[row, column]].fallen
        return
    for r in range(g.rows):
        for c in range(g.columns):
            if g.fields[r, c] == field and g.going[g.ground[r, c]].kind_ == CROPS:
                g.ground[r, c] = g.going[g.ground[r, c]].fallen


@jit
def rolls_for_marsh(g: Any, i: Any, code: Any) -> None:
    """A stand dices as it goes into a marsh; whoever follows finds it trodden (VBW-TER-09, VBW-TER-10)."""
    u, e = g.u[i], g.going[code]
    if e.kind_ != MARSH or u.in_marsh > 0.0 or keeps_road(u, e.road):
        return
    begins_to_move(g, i)
    enter_marsh(g, i, 1 if e.fallen == code else 0)


@jit
def tread_marsh(g: Any, x: Any, y: Any) -> None:
    """Mark the spot of a marsh that a stand has gone over."""
    column = min(max(int(x * g.cells_per_inch), 0), g.columns - 1)
    row = min(max(int(y * g.cells_per_inch), 0), g.rows - 1)
    code = g.ground[row, column]
    if g.going[code].kind_ == MARSH and g.going[code].fallen != code:
        g.ground[row, column] = g.going[code].fallen
        g.ground_changed = 1


@jit
def walk_share(g: Any, i: Any, x: Any, y: Any, heading: Any, want: Any, most: Any) -> Any:
    """Share of a turn of a leg whose first edge begins at a spot; NEVER when it is more than `most`."""
    u = g.u[i]
    s, c = SIN[heading], COS[heading]
    first, past = lines_beside(g, x, y, x + s * want, y + c * want)
    if g.goings_n <= 1 and past == 0:
        share = share_of(g, u, want, 1.0, 0)
        return share if share <= most + LITTLE else NEVER
    total, done, before = 0.0, 0.0, code_at(g, x, y)
    while done < want - 1.0e-9:
        step = min(g.t.stride, want - done)
        px, py = x + s * done, y + c * done
        qx, qy = px + s * step, py + c * step
        code = code_at(g, qx, qy)
        total += step_share(g, i, before, code, px, py, qx, qy, first, past, most - total)
        if total > most + LITTLE:
            return NEVER
        done, before = done + step, code  # a hair from where the next step begins: enough for a plan
    return total


@jit
def walk_straight(g: Any, i: Any, heading: Any, want: Any) -> Any:
    """Go straight along a heading as far as the turn lasts, up to `want` inches; returns inches gone.

    Who is in the way is the caller's to see to.
    """
    u = g.u[i]
    s, c = SIN[heading], COS[heading]
    lead = depth_towards(g, u, heading)
    x, y = u.x + s * lead, u.y + c * lead
    first, past = lines_beside(g, x, y, x + s * want, y + c * want)
    if g.goings_n <= 1 and past == 0:
        inches = min(want, reach_of(g, u, 1.0, 0))
        if inches <= 1.0e-9 or not pay_for_leg(g, i, inches, 1.0, 0):
            return 0.0
        u.x, u.y = u.x + s * inches, u.y + c * inches
        return inches
    done = 0.0
    while done < want - 1.0e-9:
        step = min(g.t.stride, want - done)
        px, py = x + s * done, y + c * done
        qx, qy = px + s * step, py + c * step
        # crops it has trodden down are others than it came to
        before, code = code_at(g, px, py), code_at(g, qx, qy)
        rolls_for_marsh(g, i, code)
        left = u.left
        share = step_share(g, i, before, code, px, py, qx, qy, first, past, left)
        if share > u.left + LITTLE or u.state == REMOVED:
            break
        begins_to_move(g, i)
        spend_turn_share(u, share)
        u.x, u.y = u.x + s * step, u.y + c * step
        apply_step(g, i, before, code, px, py, qx, qy, first, past, left)
        done += step
    return done


@jit
def ahead_of(
    g: Any, i: Any, heading: Any, most: Any, more: Any, x: Any, y: Any, face: Any, w: Any, h: Any
) -> Any:
    """Inches that stand i's base goes along a heading until it meets a rectangle; -1.0 when it passes by.

    So it is when it would meet it only beyond `most` inches. Its front is taken `more` broader to each side.
    """
    u = g.u[i]
    lead, half = depth_towards(g, u, heading), width_towards(g, u, heading) + more
    s, c = SIN[heading], COS[heading]
    dx, dy = x - u.x, y - u.y
    # what lies wholly aside of its way, behind it or too far ahead is seen at a glance
    ahead = dx * s + dy * c
    if abs(dx * c - dy * s) > half + w + h or ahead < -(w + h) or ahead > most + lead + w + h:
        return -1.0
    fx, fy = u.x + s * lead, u.y + c * lead
    inches, _, _ = clip_to_strip(fx, fy, heading, half, x, y, face, w, h)
    return inches
