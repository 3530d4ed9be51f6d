"""Lines of sight and firing lanes (VBW-VIS, VBW-LAN, VBW-TER-05, 07, 12, 27)."""

import math
from typing import Any

from battles.engine.compile import jit
from battles.engine.dtypes import BUILDING
from battles.engine.geometry import COS, SIN, nearest_point, point_gap2, ray_hits
from battles.engine.ground import cell_at
from battles.rulesets.volley_bayonet.bases import (
    HAIR,
    far_apart,
    find_extent,
    half_depth,
    half_width,
    in_arc,
    is_surely_outside,
    measure_gap,
)
from battles.rulesets.volley_bayonet.combat import find_longest_range, fire_dice, is_gun
from battles.rulesets.volley_bayonet.cover import code_at, height_of
from battles.rulesets.volley_bayonet.records import CROPS, FOREST, SKIRMISH, WOODS
from battles.rulesets.volley_bayonet.states import is_standing
from battles.rulesets.volley_bayonet.tables import OBSTACLE_FROM_LOWER


@jit
def is_sight_blocked(viewer: Any, target: Any, top: Any, to_viewer: Any, to_target: Any) -> Any:
    """True when an obstacle as high as `top` bars sight between two stands' contours (VBW-VIS-02 to 04).

    `to_viewer` and `to_target` are inches from it to the nearest edge of each.
    """
    high, low = (viewer, target) if viewer >= target else (target, viewer)
    if top <= low:
        return False
    to_high, to_low = (to_viewer, to_target) if viewer >= target else (to_target, to_viewer)
    if high - top == 1:
        return to_high >= to_low - HAIR
    if high - top >= 2:
        return to_low < OBSTACLE_FROM_LOWER - HAIR
    return True


@jit
def nearest_spot(g: Any, u: Any, x: Any, y: Any) -> Any:
    """(x, y) of the point of a stand's base that is nearest to a spot."""
    return nearest_point(x, y, u.x, u.y, u.face, half_width(g, u), half_depth(g, u))


@jit
def line_between(g: Any, a: Any, b: Any) -> Any:
    """(x, y, x, y): the line between the nearest points of two bases (VBW-VIS-05)."""
    px, py = nearest_spot(g, a, b.x, b.y)
    qx, qy = nearest_spot(g, b, px, py)
    px, py = nearest_spot(g, a, qx, qy)
    qx, qy = nearest_spot(g, b, px, py)
    return px, py, qx, qy


@jit
def is_sight_blocked_at(g: Any, a: Any, b: Any, top: Any, share: Any, length: Any) -> Any:
    """`hides` for an obstacle at that share of the line between stands a and b."""
    return is_sight_blocked(height_of(g, a), height_of(g, b), top, share * length, (1.0 - share) * length)


@jit
def crest_bars(g: Any, a: Any, b: Any, px: Any, py: Any, qx: Any, qy: Any) -> Any:
    """True when a hill's crest lies between: across its middle, square to the line (VBW-TER-27)."""
    dx, dy = qx - px, qy - py
    length2 = dx * dx + dy * dy
    if length2 == 0.0:
        return False
    for k in range(g.summits_n):
        e = g.summits[k]
        share = ((e.x - px) * dx + (e.y - py) * dy) / length2
        if share <= 0.0 or share >= 1.0:
            continue
        if g.going[code_at(g, px + dx * share, py + dy * share)].height != e.height:
            continue
        if is_sight_blocked_at(g, a, b, e.height, share, math.sqrt(length2)):
            return True
    return False


@jit
def houses_bar(g: Any, a: Any, b: Any, px: Any, py: Any, qx: Any, qy: Any) -> Any:
    """True when a block of buildings that neither is in stands between (VBW-VIS-01, VBW-TER-45)."""
    length = math.sqrt((qx - px) * (qx - px) + (qy - py) * (qy - py))
    for k in range(g.structures_n):
        e = g.structures[k]
        if e.kind_ != BUILDING or a.inside == k or b.inside == k or e.capacity <= g.t.crossed_block:
            continue
        if not ray_hits(px, py, qx, qy, e.x, e.y, e.face, e.half_width, e.half_depth):
            continue
        to_a = math.sqrt(point_gap2(px, py, e.x, e.y, e.face, e.half_width, e.half_depth))
        to_b = math.sqrt(point_gap2(qx, qy, e.x, e.y, e.face, e.half_width, e.half_depth))
        top = g.going[code_at(g, e.x, e.y)].height + 1
        if length > 0.0 and is_sight_blocked(height_of(g, a), height_of(g, b), top, to_a, to_b):
            return True
    return False


@jit
def growth_of(kind: Any) -> Any:
    """The growth that bars sight on a kind of ground: 0 nothing, 1 woods, 2 forest, 3 standing crops."""
    if kind == WOODS:
        return 1
    if kind == FOREST:
        return 2
    return 3 if kind == CROPS else 0


@jit
def growth_bars(g: Any, a: Any, b: Any, px: Any, py: Any, qx: Any, qy: Any) -> Any:
    """True when woods, forest or crops bar the line (VBW-TER-05, 07, 12).

    Nobody sees through from outside to outside but over the tops. Who is inside sees out, and is seen,
    only at the edge, within an inch of ground where nothing grows. Two inside see each other so far.
    """
    dx, dy = qx - px, qy - py
    length = math.sqrt(dx * dx + dy * dy)
    steps = int(length / g.t.stride) + 2
    start, end, top, crops, limit = -1.0, 0.0, 0, True, g.t.seen_in_woods
    k = -1
    while k < steps:
        k += 1
        share = k / steps
        row, column = cell_at(g, px + dx * share, py + dy * share)
        if start < 0.0 and g.clear[row, column] > 1:
            # nothing grows on the spots up to that many cells on, but for the last
            k += int((g.clear[row, column] - 1) * g.cell * steps / (length + HAIR))
            continue
        e = g.going[g.ground[row, column]]
        growth = growth_of(e.kind_)
        if growth > 0:
            if start < 0.0:
                start, top, crops = share, 0, True
            end = share
            top = max(top, e.height + 1)
            crops = crops and growth == 3
            if growth == 2:
                limit = g.t.seen_in_forest
        if start >= 0.0 and (growth == 0 or k == steps):
            over = crops and height_of(g, a) >= top
            if start == 0.0 and growth > 0:
                return length > limit + HAIR
            if start == 0.0 or growth > 0:
                # it reaches one of the two: he is at the edge, or too deep inside
                if (end - start) * length > g.t.edge_of_growth and not over:
                    return True
            elif not over:
                to_a, to_b = start * length, (1.0 - end) * length
                if is_sight_blocked(height_of(g, a), height_of(g, b), top, to_a, to_b):
                    return True
            start = -1.0
    return False


@jit
def can_see(g: Any, i: Any, j: Any) -> Any:
    """True when the ground leaves stand j in sight of stand i; other stands hide nothing (VBW-VIS-05)."""
    if g.summits_n == 0 and g.buildings_n == 0 and g.growth == 0:
        return True
    px, py, qx, qy = line_between(g, g.u[i], g.u[j])
    return sees_along(g, i, j, px, py, qx, qy)


@jit
def sees_along(g: Any, i: Any, j: Any, px: Any, py: Any, qx: Any, qy: Any) -> Any:
    """`sees` along the line between the two."""
    a, b = g.u[i], g.u[j]
    if g.summits_n > 0 and crest_bars(g, a, b, px, py, qx, qy):
        return False
    if g.buildings_n > 0 and houses_bar(g, a, b, px, py, qx, qy):
        return False
    return g.growth == 0 or not growth_bars(g, a, b, px, py, qx, qy)


@jit
def lane_along(g: Any, i: Any, j: Any, px: Any, py: Any, qx: Any, qy: Any) -> Any:
    """True when no stand in the lane from p to q keeps stand i from firing at j (VBW-LAN-01).

    Skirmishers of either side do not stop artillery; enemy ones must be the target of small arms.
    Formed friends stop artillery unless it or its target stands higher; formed enemies stop both.
    """
    a, b = g.u[i], g.u[j]
    left, right, low, high = min(px, qx), max(px, qx), min(py, qy), max(py, qy)
    for k in range(g.n):
        m = g.u[k]
        if is_surely_outside(m, left, right, low, high) or k in (i, j) or not is_standing(m):
            continue
        if m.inside >= 0 and m.inside in (a.inside, b.inside):
            continue  # all within a block have the block for a base
        if not ray_hits(px, py, qx, qy, m.x, m.y, m.face, half_width(g, m), half_depth(g, m)):
            continue
        if not is_gun(a):
            return False
        if m.form == SKIRMISH:
            continue
        over = height_of(g, a) > height_of(g, m) or height_of(g, b) > height_of(g, m)
        if m.side != a.side or not over:
            return False
    return True


@jit
def is_clear(g: Any, i: Any, j: Any) -> Any:
    """True when neither other stands nor the ground keep stand i from a shot at stand j."""
    px, py, qx, qy = line_between(g, g.u[i], g.u[j])
    return lane_along(g, i, j, px, py, qx, qy) and sees_along(g, i, j, px, py, qx, qy)


@jit
def can_fire_at(g: Any, i: Any, j: Any) -> Any:
    """Inches of a shot that stand i may fire at stand j; -1.0 when it may not (VBW-DEF-03, VBW-DEF-04)."""
    a, b = g.u[i], g.u[j]
    if a.side == b.side or not is_standing(a) or not is_standing(b) or fire_dice(g, a) == 0:
        return -1.0
    if far_apart(g, i, j, find_longest_range(g, a)) or not in_arc(g, i, j):
        return -1.0
    inches = measure_gap(g, i, j)
    return inches if inches <= find_longest_range(g, a) + 1.0e-9 and is_clear(g, i, j) else -1.0


@jit
def is_nearer(g: Any, i: Any, j: Any, before: Any, x: Any, y: Any, face: Any) -> Any:
    """True when stand i at a spot, facing so, is nearer to stand j than the inches it was before."""
    u, b = g.u[i], g.u[j]
    dx, dy, most = b.x - x, b.y - y, before + find_extent(u) + find_extent(b)
    if dx * dx + dy * dy > most * most:
        return False
    old_x, old_y, old_face = u.x, u.y, u.face
    u.x, u.y, u.face = x, y, face
    inches = measure_gap(g, i, j)
    u.x, u.y, u.face = old_x, old_y, old_face
    return inches < before - 1.0e-9


@jit
def comes_nearer(g: Any, i: Any, x: Any, y: Any, face: Any) -> Any:
    """True when going to a spot, facing so, brings a stand nearer to an enemy it sees now (VBW-CMD-12)."""
    u = g.u[i]
    for j in range(g.first[1 - u.side], g.past[1 - u.side]):
        if g.u[j].side == u.side or not is_standing(g.u[j]):
            continue
        if is_nearer(g, i, j, measure_gap(g, i, j), x, y, face) and can_see(g, i, j):
            return True
    return False


@jit
def nears_enemy(g: Any, i: Any, heading: Any, want: Any, step: Any) -> Any:
    """`comes_nearer` at some spot of a leg, looked at every `step` inches: the turn may end at any."""
    u = g.u[i]
    for j in range(g.first[1 - u.side], g.past[1 - u.side]):
        if g.u[j].side == u.side or not is_standing(g.u[j]):
            continue
        before, way = measure_gap(g, i, j), 0.0
        while way < want:
            way = min(way + step, want)
            if is_nearer(g, i, j, before, u.x + SIN[heading] * way, u.y + COS[heading] * way, u.face):
                if can_see(g, i, j):
                    return True
                break  # wherever it goes, it does not see him now
    return False
