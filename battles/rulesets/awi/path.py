"""Straight moves in step C: how far a unit can go, and the cost (AWI-T-MOV-07, 10, AWI-T-SEQ-03)."""

from typing import Any

from battles.engine.bases import (
    HALF_DIAGONAL,
    clear_of_enemy,
    gap_from,
    half_depth,
    half_width,
    inside_table,
    is_clear_of_units,
    measure_gap,
)
from battles.engine.compile import jit
from battles.engine.dtypes import DEPLOYED, ON_TABLE
from battles.engine.geometry import COS, SIN, is_overlapping, rectangle_gap
from battles.engine.ground import can_stand
from battles.rulesets.awi.buildings import is_building
from battles.rulesets.awi.crossing import measure_way, road_bonus
from battles.rulesets.awi.morale import move_rate

#: Inches that retiring with the face to the enemy costs foot, horse and guns (AWI-T-MOV-07).
FACING_COST = (3.0, 6.0, 1.0)
#: Inches that passing through a friend costs foot, horse, and limbered guns and wagons (AWI-T-MOV-10).
PASSING_COST = (3.0, 6.0, 3.0)


@jit
def passing_cost(u: Any) -> Any:
    """Inches lost for each friend passed through (AWI-T-MOV-10)."""
    return PASSING_COST[u.arm]


@jit
def allowance_left(u: Any) -> Any:
    """Inches of its move a unit has left in this step C (AWI-T-MOV-01)."""
    left = move_rate(u) - u.spent
    return left if left > 0.0 else 0.0


@jit
def backward_allowance(u: Any) -> Any:
    """Inches a unit may go backwards keeping its face; once a phase that costs more (AWI-T-MOV-07)."""
    left = allowance_left(u) - (0.0 if u.backed == 1 else FACING_COST[u.arm])
    return left if left > 0.0 else 0.0


@jit
def list_near(g: Any, i: Any, heading: Any, want: Any) -> Any:
    """Write to g.near the units and buildings that may stand in the way; True when none does.

    Only what overlaps the swept rectangle counts, an inch wider for enemies (AWI-T-SEQ-03). An
    enemy already nearer than an inch does not bar a move that leads away from it.
    """
    u = g.u[i]
    half = want / 2.0
    hx, hy = SIN[heading], COS[heading]
    x, y = u.x + hx * half, u.y + hy * half
    width, depth = half_width(u), half_depth(u) + half
    count = 0
    for j in range(g.n):
        b = g.u[j]
        if j == i or b.place != ON_TABLE:
            continue
        dx, dy = b.x - x, b.y - y
        margin = 1.0 if b.side != u.side else 0.0
        if abs(dx * hy - dy * hx) > width + margin + HALF_DIAGONAL:
            continue
        if abs(dx * hx + dy * hy) > depth + margin + HALF_DIAGONAL:
            continue
        if not is_overlapping(
            x, y, heading, width + margin, depth + margin, b.x, b.y, b.face, half_width(b), half_depth(b)
        ):
            continue
        if b.side != u.side:
            start = measure_gap(g, i, j)
            # distance between convex shapes is convex along a line: what grows at first grows on
            first = 0.25 if want > 0.25 else want
            if start < 1.0 and gap_from(g, i, u.x + hx * first, u.y + hy * first, u.face, j) > start:
                continue
        g.near[count] = j
        count += 1
    for s in range(g.buildings_n):
        if is_building(g, s):
            t = g.structures[s]
            if is_overlapping(x, y, heading, width, depth, t.x, t.y, t.face, t.half_width, t.half_depth):
                g.near[count] = g.n + s
                count += 1
    g.near_n = count
    return count == 0


@jit
def room_to(g: Any, i: Any, x: Any, y: Any, k: Any) -> Any:
    """Inches unit i at (x, y) may still go towards entry k of g.near before it is in its way."""
    j = g.near[k]
    u = g.u[i]
    if j < g.n:
        return gap_from(g, i, x, y, u.face, j) - (1.0 if g.u[j].side != u.side else 0.02)
    t = g.structures[j - g.n]
    return (
        rectangle_gap(
            x, y, u.face, half_width(u), half_depth(u), t.x, t.y, t.face, t.half_width, t.half_depth
        )
        - 0.02
    )


@jit
def pass_friend(g: Any, i: Any, heading: Any, done: Any, limit: Any, friend: Any) -> Any:
    """Inches from the start at which unit i is clear beyond a friend, or -1.0 (AWI-T-MOV-10)."""
    u, b = g.u[i], g.u[friend]
    if u.form == DEPLOYED:
        return -1.0
    hx, hy = SIN[heading], COS[heading]
    turn = (b.face - heading) % 360
    reach = half_depth(b) * abs(COS[turn]) + half_width(b) * abs(SIN[turn])
    beyond = (b.x - u.x) * hx + (b.y - u.y) * hy + reach + half_depth(u) + 0.05
    if beyond <= done or beyond > limit:
        return -1.0
    x, y = u.x + hx * beyond, u.y + hy * beyond
    if not inside_table(g, x, y) or not is_clear_of_units(
        g, i, x, y, u.face, half_width(u), half_depth(u), -1
    ):
        return -1.0
    middle = (done + beyond) / 2.0
    if not clear_of_enemy(g, i, x, y, u.face):
        return -1.0
    if not clear_of_enemy(g, i, u.x + hx * middle, u.y + hy * middle, u.face):
        return -1.0
    return beyond


@jit
def count_passed_friends(g: Any, i: Any, heading: Any, done: Any, beyond: Any) -> Any:
    """The number of friends in g.near that unit i passes between two distances (AWI-T-MOV-10)."""
    u = g.u[i]
    hx, hy = SIN[heading], COS[heading]
    middle, half = (done + beyond) / 2.0, (beyond - done) / 2.0
    x, y = u.x + hx * middle, u.y + hy * middle
    width, depth = half_width(u), half_depth(u) + half
    count = 0
    for k in range(g.near_n):
        j = g.near[k]
        if j >= g.n or g.u[j].side != u.side:
            continue
        b = g.u[j]
        if is_overlapping(x, y, heading, width, depth, b.x, b.y, b.face, half_width(b), half_depth(b)):
            count += 1
    return count


@jit
def measure_advance(g: Any, i: Any, heading: Any, limit: Any, left: Any) -> Any:
    """(inches, allowance left for the ground) past friends and up to what stops unit i (AWI-T-SEQ-03).

    Advances by the distance to whatever is nearest until nothing of `limit` is left.
    """
    u = g.u[i]
    if list_near(g, i, heading, limit):
        return limit, left
    hx, hy = SIN[heading], COS[heading]
    done = 0.0
    for _ in range(60):
        room = limit - done
        if room <= 0.0:
            break
        x, y = u.x + hx * done, u.y + hy * done
        step, blocker = room, -1
        for k in range(g.near_n):
            free = room_to(g, i, x, y, k)
            if free < step:
                step, blocker = free, g.near[k]
        if blocker >= 0 and step < 0.02:
            if blocker >= g.n or g.u[blocker].side != u.side:
                break
            beyond = pass_friend(g, i, heading, done, limit, blocker)
            if beyond < 0.0:
                break
            # once for each friend that is passed, two abreast too
            paid = left - passing_cost(u) * count_passed_friends(g, i, heading, done, beyond)
            paid_limit, _ = measure_way(g, i, heading, limit, paid, move_rate(u))
            if paid <= 0.0 or beyond > paid_limit:
                break
            left, limit, done = paid, paid_limit, beyond
        else:
            done += step
    return done, left


@jit
def rest_on(g: Any, i: Any, heading: Any, done: Any) -> Any:
    """The inches of `done` at whose end unit i stands on ground that bears it."""
    u = g.u[i]
    width, depth = half_width(u), half_depth(u)
    first = done
    while done > 0.0:
        x, y = u.x + SIN[heading] * done, u.y + COS[heading] * done
        if can_stand(g, i, x, y, u.face, width, depth) and (
            done == first or is_clear_of_units(g, i, x, y, u.face, width, depth, -1)
        ):
            return done
        done -= 0.25
    return 0.0


@jit
def find_straight_move(g: Any, i: Any, heading: Any, want: Any) -> Any:
    """(inches, allowance spent) of unit i going straight along its face or the reverse of it.

    At most `want` inches; less for its allowance, the ground, works, friends it passes through, and
    whatever stops it. Nothing is moved. With g.wades set it only begins to cross (AWI-T-TER-02).
    Asked the same again, as a commander asks before he moves, it is not reckoned again.
    """
    u, w = g.u[i], g.asked
    if (
        w.unit == i and w.heading == heading and w.want == want
        and w.x == u.x and w.y == u.y and w.face == u.face and w.form == u.form and w.spent == u.spent
    ):  # fmt: skip
        g.wades = w.wades
        return w.inches, w.cost
    inches, cost = calculate_straight_move(g, i, heading, want)
    w.unit, w.heading, w.want = i, heading, want
    w.x, w.y, w.face, w.form, w.spent = u.x, u.y, u.face, u.form, u.spent
    w.wades, w.inches, w.cost = g.wades, inches, cost
    return inches, cost


@jit
def calculate_straight_move(g: Any, i: Any, heading: Any, want: Any) -> Any:
    """The result of `find_straight_move`, calculated afresh."""
    u = g.u[i]
    left = allowance_left(u) if heading == u.face else backward_allowance(u)
    g.wades = -1
    if u.inside >= 0 or want <= 0.0 or left <= 0.0:
        return 0.0, 0.0
    if g.o.road_bonus == 1 and u.spent == 0.0:
        left += road_bonus(g, i, heading, move_rate(u), want)
    full, whole = move_rate(u), left
    first, rest = measure_way(g, i, heading, want, left, full)
    if g.wades >= 0:
        return first, whole
    limit = first
    while limit > 0.0 and not inside_table(g, u.x + SIN[heading] * limit, u.y + COS[heading] * limit):
        limit -= 0.5
    if limit <= 0.0:
        return 0.0, 0.0
    done, left = measure_advance(g, i, heading, limit, left)
    if g.plain == 0 or g.buildings_n > 0:
        done = rest_on(g, i, heading, done)
    if done == first and left == whole:
        return done, whole - rest
    going, left = measure_way(g, i, heading, done, left, full)
    g.wades = -1
    return (going if going < done else done), whole - left
