"""Voluntary movement, step C: straight moves, pivots, wheels, formation, limbering (AWI-T-MOV)."""

import math
from typing import Any

from battles.engine.bases import (
    BASE,
    clear_of_enemy,
    fits,
    gap,
    gap_from,
    half_depth,
    half_width,
    inside_table,
    obstacle_share,
)
from battles.engine.compile import jit
from battles.engine.dtypes import (
    DEPLOYED,
    LEFT_TABLE,
    LIMBERED,
    ON_TABLE,
    WHEELED,
)
from battles.engine.geometry import COS, SIN, overlap, turn_between
from battles.engine.ground import way_over
from battles.engine.recording import (
    CHANGE_FORMATION,
    DEPLOY,
    FALL_BACK,
    LIMBER,
    MARCHES_OFF,
    MOVE,
    R_NONE,
    RECREW,
    TURN,
    WHEEL,
    note,
    note_plain,
)
from battles.rulesets.awi.generals import leave_with
from battles.rulesets.awi.morale import rate
from battles.rulesets.awi.retreat import distance_home

#: Inches a base travels when a unit changes formation on the spot (AWI-T-MOV-05).
CHANGE_COST = BASE * 1.4142135623730951
#: Radius of the wheeling circle in inches (AWI-T-MOV-09).
WHEEL_RADIUS = 1.5
#: Inches that retiring with the face to the enemy costs foot, horse and guns (AWI-T-MOV-07).
FACING_COST = (3.0, 6.0, 1.0)
#: Inches that passing through a friend costs foot, horse, and limbered guns and wagons (AWI-T-MOV-10).
PASSING_COST = (3.0, 6.0, 3.0)
RADIANS = 0.017453292519943295


@jit
def wheel_cost(frontage: Any, degrees: Any) -> Any:
    """Inches the outside base covers in a wheel (AWI-T-MOV-09)."""
    return (WHEEL_RADIUS + frontage) * abs(degrees) * RADIANS


@jit
def pivot_cost(degrees: Any, allowance: Any) -> Any:
    """Inches a turn on the spot costs: none to 45 degrees, then the whole move (AWI-T-MOV-08)."""
    return 0.0 if abs(degrees) <= 45 else allowance


@jit
def passing_cost(u: Any) -> Any:
    """Inches lost for each friend passed through (AWI-T-MOV-10)."""
    return PASSING_COST[u.arm]


@jit
def falling_back(u: Any) -> Any:
    """Inches a unit may go backwards keeping its face (AWI-T-MOV-07)."""
    left = rate(u) - FACING_COST[u.arm]
    return left if left > 0.0 else 0.0


@jit
def list_near(g: Any, i: Any, heading: Any, want: Any) -> Any:
    """Write to g.near the units that may stand in the way; True when none does.

    Only what overlaps the swept rectangle counts, an inch wider for enemies (AWI-T-SEQ-03). An
    enemy already nearer than an inch does not bar a move that leads away from it.
    """
    u = g.u[i]
    g.near_n = 0
    half = want / 2.0
    hx, hy = SIN[heading], COS[heading]
    x, y = u.x + hx * half, u.y + hy * half
    width, depth = half_width(u), half_depth(u) + half
    for j in range(g.n):
        b = g.u[j]
        if j == i or b.place != ON_TABLE:
            continue
        dx, dy = b.x - x, b.y - y
        if dx * dx + dy * dy > (depth + 5.0) * (depth + 5.0):
            continue
        margin = 1.0 if b.side != u.side else 0.0
        if not overlap(
            x, y, heading, width + margin, depth + margin, b.x, b.y, b.face, half_width(b), half_depth(b)
        ):
            continue
        if b.side != u.side:
            start = gap(g, i, j)
            # distance between convex shapes is convex along a line: what grows at first grows on
            first = 0.25 if want > 0.25 else want
            if start < 1.0 and gap_from(g, i, u.x + hx * first, u.y + hy * first, u.face, j) > start:
                continue
        g.near[g.near_n] = j
        g.near_n += 1
    return g.near_n == 0


@jit
def works_limit(g: Any, i: Any, heading: Any, want: Any, allowance: Any) -> Any:
    """Inches of `want` that are left once works on the way are paid for (AWI-T-TER-02)."""
    u = g.u[i]
    hx, hy = SIN[heading], COS[heading]
    reach = half_depth(u)
    px, py = u.x + hx * reach, u.y + hy * reach
    for k in range(g.works_n):
        share = way_over(g, k, px, py, px + hx * want, py + hy * want)
        if share < 0.0:
            continue
        before = share * want
        cost = obstacle_share(u) * allowance
        if before <= 0.15 and cost >= want:
            return 2.0 * reach + before + 0.1
        if want - cost <= before:
            return before - 0.1 if before > 0.1 else 0.0
        want -= cost
    return want


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
    if beyond <= done or beyond + passing_cost(u) > limit:
        return -1.0
    x, y = u.x + hx * beyond, u.y + hy * beyond
    if not inside_table(g, x, y) or not fits(g, i, x, y, u.face, half_width(u), half_depth(u), -1):
        return -1.0
    middle = (done + beyond) / 2.0
    if not clear_of_enemy(g, i, x, y, u.face):
        return -1.0
    if not clear_of_enemy(g, i, u.x + hx * middle, u.y + hy * middle, u.face):
        return -1.0
    return beyond


@jit
def run(g: Any, i: Any, heading: Any, want: Any) -> Any:
    """Inches unit i can go straight along `heading` (its face, or the reverse of it), at most `want`.

    Advances by the distance to whatever is nearest until nothing is left (AWI-T-SEQ-03).
    """
    u = g.u[i]
    want = works_limit(g, i, heading, want, rate(u))
    if want <= 0.0:
        return 0.0
    hx, hy = SIN[heading], COS[heading]
    while want > 0.0 and not inside_table(g, u.x + hx * want, u.y + hy * want):
        want -= 0.5
    if want <= 0.0:
        return 0.0
    if list_near(g, i, heading, want):
        return want
    done, limit = 0.0, want
    for _ in range(60):
        room = limit - done
        if room <= 0.0:
            break
        x, y = u.x + hx * done, u.y + hy * done
        step, blocker = room, -1
        for k in range(g.near_n):
            j = g.near[k]
            margin = 1.0 if g.u[j].side != u.side else 0.02
            free = gap_from(g, i, x, y, u.face, j) - margin
            if free < step:
                step, blocker = free, j
        if blocker >= 0 and step < 0.02:
            if g.u[blocker].side != u.side:
                break
            beyond = pass_friend(g, i, heading, done, limit, blocker)
            if beyond < 0.0:
                break
            limit -= passing_cost(u)
            done = beyond
        else:
            done += step
    return done


@jit
def turn_to(g: Any, i: Any, face: Any) -> Any:
    """Turn on the spot to a heading if nothing is in the way; True when done."""
    u = g.u[i]
    if u.face == face:
        return True
    if not fits(g, i, u.x, u.y, face, half_width(u), half_depth(u), -1):
        return False
    if not clear_of_enemy(g, i, u.x, u.y, face) and clear_of_enemy(g, i, u.x, u.y, u.face):
        return False
    u.face = face
    return True


@jit
def turn(g: Any, i: Any, face: Any) -> Any:
    """Turn on the spot by any angle and do nothing else (AWI-T-MOV-08)."""
    old = g.u[i].face
    if not turn_to(g, i, face):
        return False
    if old != face:
        note_plain(g, TURN, i, -1)
    return True


@jit
def move_on(g: Any, i: Any, face: Any, want: Any) -> Any:
    """Pivot up to 45 degrees, then go straight ahead; returns inches gone, -1.0 if it cannot pivot."""
    u = g.u[i]
    if abs(turn_between(u.face, face)) > 45:
        return -1.0
    old = u.face
    if not turn_to(g, i, face):
        return -1.0
    done = run(g, i, face, want)
    u.x += SIN[face] * done
    u.y += COS[face] * done
    if done > 0.0:
        note(g, MOVE, i, -1, 0, 0, turn_between(old, face), int(done * 100.0), R_NONE)
    elif old != face:
        note_plain(g, TURN, i, -1)
    return done


@jit
def fall_back(g: Any, i: Any, want: Any) -> Any:
    """Go straight back keeping the face (AWI-T-MOV-07); returns inches gone."""
    u = g.u[i]
    allowed = falling_back(u)
    done = run(g, i, (u.face + 180) % 360, allowed if allowed < want else want)
    u.x -= SIN[u.face] * done
    u.y -= COS[u.face] * done
    if done > 0.0:
        note(g, FALL_BACK, i, -1, 0, 0, 0, int(done * 100.0), R_NONE)
    return done


@jit
def wheel(g: Any, i: Any, degrees: Any) -> Any:
    """Wheel by whole degrees, clockwise positive, as far as the allowance goes (AWI-T-MOV-09).

    The inner front corner follows a circle of 1.5 inches radius. Deployed guns do not wheel.
    Returns inches spent, 0.0 when the wheel cannot be made.
    """
    u = g.u[i]
    if u.form == DEPLOYED or degrees == 0:
        return 0.0
    width, depth = half_width(u), half_depth(u)
    most = int(rate(u) / wheel_cost(2.0 * width, 1))
    if abs(degrees) > most:
        degrees = most if degrees > 0 else -most
    inward = (width + WHEEL_RADIUS) * (1.0 if degrees > 0 else -1.0)
    s, c = SIN[u.face], COS[u.face]
    px, py = u.x + s * depth + c * inward, u.y + c * depth - s * inward
    face = (u.face + degrees) % 360
    s, c = SIN[face], COS[face]
    x, y = px - s * depth - c * inward, py - c * depth + s * inward
    if not inside_table(g, x, y) or not fits(g, i, x, y, face, width, depth, -1):
        return 0.0
    if not clear_of_enemy(g, i, x, y, face):
        return 0.0
    u.x, u.y, u.face = x, y, face
    cost = wheel_cost(2.0 * width, degrees)
    note(g, WHEEL, i, -1, 0, 0, degrees, int(cost * 100.0), R_NONE)
    return cost


@jit
def change_formation(g: Any, i: Any, form: Any) -> Any:
    """Line to column or back (AWI-T-MOV-05). Returns inches left of the line move, -1.0 if barred."""
    u = g.u[i]
    old = u.form
    if old == form or u.arm == WHEELED:
        return -1.0
    u.form = form
    if not fits(g, i, u.x, u.y, u.face, half_width(u), half_depth(u), -1) or not clear_of_enemy(
        g, i, u.x, u.y, u.face
    ):
        u.form = old
        return -1.0
    note_plain(g, CHANGE_FORMATION, i, -1)
    return u.rate_line - CHANGE_COST


@jit
def limber(g: Any, i: Any) -> None:
    """Limber up, which takes the whole move (AWI-T-MOV-06)."""
    g.u[i].form = LIMBERED
    note_plain(g, LIMBER, i, -1)


@jit
def deploy(g: Any, i: Any) -> None:
    """Unlimber, which takes the whole move (AWI-T-MOV-06)."""
    g.u[i].form = DEPLOYED
    note_plain(g, DEPLOY, i, -1)


@jit
def recrew(g: Any, i: Any) -> None:
    """A rallied crew goes back to its gun at up to six inches a move (AWI-T-MOV-02)."""
    u = g.u[i]
    dx, dy = u.gun_x - u.x, u.gun_y - u.y
    distance2 = dx * dx + dy * dy
    share = 1.0 if distance2 <= 36.0 else 6.0 / math.sqrt(distance2)
    x, y = u.x + dx * share, u.y + dy * share
    if not fits(g, i, x, y, u.face, half_width(u), half_depth(u), -1):
        return
    if not clear_of_enemy(g, i, x, y, u.face):
        return
    u.x, u.y = x, y
    if share == 1.0:
        u.gun_left = 0
        note_plain(g, RECREW, i, -1)


@jit
def march_off(g: Any, i: Any) -> Any:
    """Leave over the own edge if it is within this move; True when gone."""
    u = g.u[i]
    if distance_home(g, i, u.y) > rate(u) + half_depth(u):
        return False
    u.place = LEFT_TABLE
    note_plain(g, MARCHES_OFF, i, -1)
    leave_with(g, i)
    return True
