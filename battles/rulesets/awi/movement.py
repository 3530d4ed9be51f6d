"""Voluntary movement, step C: straight moves, pivots, wheels, formation, limbering (AWI-T-MOV)."""

import math
from typing import Any

from battles.engine.bases import (
    BASE,
    clear_of_enemy,
    front_x,
    front_y,
    half_depth,
    half_width,
    home_heading,
    inside_table,
    is_alone,
    is_clear_of_units,
)
from battles.engine.compile import jit
from battles.engine.dtypes import DEPLOYED, LEFT_TABLE, LIMBERED, LINE, WHEELED
from battles.engine.geometry import COS, SIN, turn_between
from battles.engine.ground import can_stand, pace_at
from battles.engine.recording import (
    CHANGE_FORMATION,
    CROSSING,
    DEPLOY,
    FALL_BACK,
    LIMBER,
    MARCHES_OFF,
    MOVE,
    R_NONE,
    RECREW,
    TURN,
    WHEEL,
    note_event,
    note_plain,
)
from battles.rulesets.awi.crossing import STREAM_SHARE, edge_pace, has_costly_obstacle, measure_way
from battles.rulesets.awi.generals import leave_with
from battles.rulesets.awi.morale import move_rate
from battles.rulesets.awi.path import FACING_COST, allowance_left, find_straight_move
from battles.rulesets.awi.refuge import distance_home

#: Inches a base travels when a unit changes formation on the spot (AWI-T-MOV-05).
CHANGE_COST = BASE * 1.4142135623730951
#: Radius of the wheeling circle in inches (AWI-T-MOV-09).
WHEEL_RADIUS = 1.5
#: Inches a crew walks back to its gun in a move.
CREW_MOVE = 6.0
RADIANS = 0.017453292519943295


@jit
def new_phase(g: Any) -> None:
    """The moving side's units have their whole moves again.

    A crossing that takes two moves must be made in two that follow each other (AWI-T-TER-02).
    """
    g.asked.unit = -1
    for i in range(g.n):
        u = g.u[i]
        if u.side == g.mover and u.busy == 0:
            if u.moved == 0:
                u.owes_at = -1
            u.moved, u.turned, u.backed, u.spent = 0, 0, 0, 0.0


@jit
def wheel_cost(frontage: Any, degrees: Any) -> Any:
    """Inches the outside base covers in a wheel (AWI-T-MOV-09)."""
    return (WHEEL_RADIUS + frontage) * abs(degrees) * RADIANS


@jit
def book_move(u: Any, cost: Any) -> None:
    """Count the cost of a move; a unit that moves is hidden again (AWI-T-TER-07)."""
    u.spent += cost
    u.moved, u.shown, u.owes_at = 1, 0, -1


@jit
def find_straight_inches(g: Any, i: Any, heading: Any, want: Any) -> Any:
    """Inches unit i can go straight along `heading` (its face, or the reverse of it), at most `want`."""
    inches, _ = find_straight_move(g, i, heading, want)
    return inches


@jit
def step_along(g: Any, i: Any, heading: Any, want: Any) -> Any:
    """Go straight and pay for it; returns inches gone. A whole move may be spent on an obstacle."""
    u = g.u[i]
    done, cost = find_straight_move(g, i, heading, want)
    wades, owed = g.wades, u.owes if g.wades == u.owes_at else STREAM_SHARE[u.going]
    if done <= 0.0:
        return 0.0
    book_move(u, cost)
    if wades >= 0:
        u.owes_at, u.owes = wades, owed - 1.0
        note_plain(g, CROSSING, i, -1)
        return 0.0
    u.x += SIN[heading] * done
    u.y += COS[heading] * done
    return done


@jit
def turn_to(g: Any, i: Any, face: Any) -> Any:
    """Turn on the spot to a heading if nothing is in the way; True when done.

    The middle of the front may not come across an obstacle by a turn.
    """
    u = g.u[i]
    if u.face == face:
        return True
    width, depth = half_width(u), half_depth(u)
    alone = is_alone(g, i)
    if u.inside >= 0 or not (alone or is_clear_of_units(g, i, u.x, u.y, face, width, depth, -1)):
        return False
    if not can_stand(g, i, u.x, u.y, face, width, depth):
        return False
    if has_costly_obstacle(g, u, front_x(u), front_y(u), u.x + SIN[face] * depth, u.y + COS[face] * depth):
        return False
    if not alone and not clear_of_enemy(g, i, u.x, u.y, face) and clear_of_enemy(g, i, u.x, u.y, u.face):
        return False
    u.face = face
    return True


@jit
def has_turned_to(g: Any, i: Any, face: Any) -> Any:
    """True when unit i has just asked for its way with that heading, so that it can turn to it."""
    u, w = g.u[i], g.asked
    return w.unit == i and w.face == face and w.x == u.x and w.y == u.y and w.form == u.form


@jit
def turn_on_spot(g: Any, i: Any, face: Any) -> Any:
    """Turn on the spot: freely to 45 degrees, else as the whole move (AWI-T-MOV-08); True when done."""
    u = g.u[i]
    old = u.face
    if old == face:
        return True
    wide = abs(turn_between(old, face)) > 45
    if u.turned == 1 or (wide and u.spent > 0.0) or not turn_to(g, i, face):
        return False
    u.turned = 1
    if wide:
        book_move(u, move_rate(u))
    note_plain(g, TURN, i, -1)
    return True


@jit
def move_on(g: Any, i: Any, face: Any, want: Any) -> Any:
    """Pivot up to 45 degrees, then go straight ahead; returns inches gone, -1.0 if it cannot pivot."""
    u = g.u[i]
    old = u.face
    if abs(turn_between(old, face)) > 45 or (old != face and u.turned == 1):
        return -1.0
    if not has_turned_to(g, i, face) and not turn_to(g, i, face):
        return -1.0
    u.face = face
    if old != face:
        u.turned = 1
    done = step_along(g, i, face, want)
    if done > 0.0:
        note_event(g, MOVE, i, -1, 0, 0, turn_between(old, face), int(done * 100.0), R_NONE)
    elif old != face:
        note_plain(g, TURN, i, -1)
    return done


@jit
def fall_back_facing(g: Any, i: Any, want: Any) -> Any:
    """Go straight back keeping the face (AWI-T-MOV-07); returns inches gone."""
    u = g.u[i]
    done = step_along(g, i, (u.face + 180) % 360, want)
    if done > 0.0:
        book_move(u, 0.0 if u.backed == 1 else FACING_COST[u.arm])
        u.backed = 1
        note_event(g, FALL_BACK, i, -1, 0, 0, 0, int(done * 100.0), R_NONE)
    return done


@jit
def wheel(g: Any, i: Any, degrees: Any) -> Any:
    """Wheel by whole degrees, clockwise positive, as far as the allowance goes (AWI-T-MOV-09).

    The inner front corner follows a circle of 1.5 inches radius; the worst going under the front
    before and after counts. Nobody wheels over an obstacle, and deployed guns do not wheel.
    Returns inches spent, 0.0 when the wheel cannot be made.
    """
    u = g.u[i]
    if u.form == DEPLOYED or degrees == 0 or u.inside >= 0:
        return 0.0
    width, depth = half_width(u), half_depth(u)
    inward = (width + WHEEL_RADIUS) * (1.0 if degrees > 0 else -1.0)
    s, c = SIN[u.face], COS[u.face]
    px, py = u.x + s * depth + c * inward, u.y + c * depth - s * inward
    pace = front_pace(g, u, px - c * inward, py + s * inward, u.face)
    # the going at the end is only known once the wheel is: with worse going there it ends sooner
    for _ in range(2):
        most = int(allowance_left(u) / (wheel_cost(2.0 * width, 1) * pace) + 1.0e-9)
        if abs(degrees) > most:
            degrees = most if degrees > 0 else -most
        face = (u.face + degrees) % 360
        s, c = SIN[face], COS[face]
        fx, fy = px - c * inward, py + s * inward
        there = front_pace(g, u, fx, fy, face)
        if there <= pace:
            break
        pace = there
    x, y = fx - s * depth, fy - c * depth
    cost = wheel_cost(2.0 * width, degrees) * pace
    if (
        cost == 0.0
        or cost > allowance_left(u) + 1.0e-9
        or has_costly_obstacle(g, u, front_x(u), front_y(u), fx, fy)
    ):
        return 0.0
    if not inside_table(g, x, y) or not is_clear_of_units(g, i, x, y, face, width, depth, -1):
        return 0.0
    if not can_stand(g, i, x, y, face, width, depth) or not clear_of_enemy(g, i, x, y, face):
        return 0.0
    u.x, u.y, u.face = x, y, face
    book_move(u, cost)
    note_event(g, WHEEL, i, -1, 0, 0, degrees, int(cost * 100.0), R_NONE)
    return cost


@jit
def front_pace(g: Any, u: Any, x: Any, y: Any, face: Any) -> Any:
    """Inches an inch costs a front edge with its middle at (x, y); 1.0 where it cannot be at all."""
    if g.plain == 1:
        return 1.0
    pace, _ = edge_pace(g, u, x, y, COS[face] * half_width(u), -SIN[face] * half_width(u))
    return pace if pace > 0.0 else 1.0


@jit
def change_formation(g: Any, i: Any, form: Any) -> Any:
    """Line to column or back (AWI-T-MOV-05). Returns inches left of the line move, -1.0 if barred.

    The base that moves pays for the ground it stands on spread out.
    """
    u = g.u[i]
    old = u.form
    if old == form or u.arm == WHEELED or u.inside >= 0:
        return -1.0
    u.form = LINE
    cost = CHANGE_COST * front_pace(g, u, front_x(u), front_y(u), u.face)
    u.form = form
    width, depth = half_width(u), half_depth(u)
    if (
        u.spent + cost > u.rate_line
        or not is_clear_of_units(g, i, u.x, u.y, u.face, width, depth, -1)
        or not can_stand(g, i, u.x, u.y, u.face, width, depth)
        or not clear_of_enemy(g, i, u.x, u.y, u.face)
    ):
        u.form = old
        return -1.0
    # the whole phase has the line's allowance
    u.spent += cost + move_rate(u) - u.rate_line
    u.moved = 1
    note_plain(g, CHANGE_FORMATION, i, -1)
    return allowance_left(u)


@jit
def whole_move(u: Any) -> Any:
    """Spend the whole move on something else; False when part of it is spent already."""
    if u.spent > 0.0:
        return False
    u.spent = u.rate_line + u.rate_column
    u.moved = 1
    return True


@jit
def limber(g: Any, i: Any) -> Any:
    """Limber up, which takes the whole move (AWI-T-MOV-06); True when done."""
    u = g.u[i]
    if u.form != DEPLOYED or u.gun_left == 1 or not whole_move(u):
        return False
    u.form = LIMBERED
    note_plain(g, LIMBER, i, -1)
    return True


@jit
def unlimber(g: Any, i: Any) -> Any:
    """Unlimber, which takes the whole move (AWI-T-MOV-06); True when done.

    Not where the guns could not go but by road or bridge.
    """
    u = g.u[i]
    if u.gun == 0 or u.form != LIMBERED or u.spent > 0.0:
        return False
    u.form = DEPLOYED
    if not can_stand(g, i, u.x, u.y, u.face, half_width(u), half_depth(u)):
        u.form = LIMBERED
        return False
    whole_move(u)
    note_plain(g, DEPLOY, i, -1)
    return True


@jit
def recrew_gun(g: Any, i: Any) -> None:
    """A rallied crew goes back to its gun at up to six inches a move, as foot (AWI-T-MOV-02)."""
    u = g.u[i]
    dx, dy = u.gun_x - u.x, u.gun_y - u.y
    reach = CREW_MOVE
    if g.plain == 0 and pace_at(g, u, u.x, u.y) > 1.0:
        reach = CREW_MOVE / pace_at(g, u, u.x, u.y)
    if has_costly_obstacle(g, u, u.x, u.y, u.gun_x, u.gun_y):
        reach *= 0.5
    distance2 = dx * dx + dy * dy
    share = 1.0 if distance2 <= reach * reach else reach / math.sqrt(distance2)
    x, y = u.x + dx * share, u.y + dy * share
    width, depth = half_width(u), half_depth(u)
    if not is_clear_of_units(g, i, x, y, u.face, width, depth, -1) or not clear_of_enemy(g, i, x, y, u.face):
        return
    if share < 1.0 and not can_stand(g, i, x, y, u.face, width, depth):
        return
    u.x, u.y, u.moved = x, y, 1
    if share == 1.0:
        u.gun_left, u.going = 0, u.gun_going
        note_plain(g, RECREW, i, -1)


@jit
def march_off(g: Any, i: Any) -> Any:
    """Leave over the own edge if it is within this move; True when gone."""
    u = g.u[i]
    need = distance_home(g, i, u.y) - half_depth(u)
    if u.inside >= 0 or need > allowance_left(u):
        return False
    if need > 0.0:
        inches, _ = measure_way(g, i, home_heading(g, i), need, allowance_left(u), move_rate(u))
        if g.wades >= 0 or inches < need - 1.0e-9:
            return False
    u.place = LEFT_TABLE
    note_plain(g, MARCHES_OFF, i, -1)
    leave_with(g, i)
    return True
