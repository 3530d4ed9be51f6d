"""Through friends and sideways: passage of lines, march by the flank (REG-TRP-01, REG-TRP-03)."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.geometry import COS, SIN, find_bearing, turn_between
from battles.engine.wayfinding import HAS_WAY
from battles.rulesets.regimental.bases import ahead_of, can_stand_in_form, far_apart
from battles.rulesets.regimental.cover import is_rough_here
from battles.rulesets.regimental.moving import (
    STRIDE,
    measure_walk,
    move_allowance,
    room_ahead,
    room_past,
    wheel_cost,
)
from battles.rulesets.regimental.recording import BY_FLANK, MOVE, PASSES, note_inches, note_plain
from battles.rulesets.regimental.records import GOOD, MAY_BE_WELL, NOTHING, ON_TABLE, RAW
from battles.rulesets.regimental.states import disorder_troops, is_troops

#: Degrees from straight along its line within which a unit marches by the flank, and inches worth it.
ALONG, LEAST = 20, 1.0


@jit
def passage_disorders(g: Any, i: Any, j: Any) -> Any:
    """True when a passage of lines disorders both: one is so, or raw, or the ground is hard (REG-TRP-03)."""
    a, b = g.u[i], g.u[j]
    if a.order_ != GOOD or b.order_ != GOOD or a.rating == RAW or b.rating == RAW:
        return True
    return is_rough_here(g, a) or is_rough_here(g, b)


@jit
def pass_lines(g: Any, i: Any, j: Any) -> None:
    """Units i and j pass through each other, which the enemy sees (REG-TRP-03, REG-FIR-06)."""
    note_plain(g, PASSES, i, j)
    if passage_disorders(g, i, j):
        disorder_troops(g, i)
        disorder_troops(g, j)
    g.u[i].about_faced = g.u[j].about_faced = 1


@jit
def friend_ahead(g: Any, i: Any, heading: Any, inches: Any) -> Any:
    """(unit, inches): the first friend that stands in the way of unit i, (-1, inches) for none."""
    u = g.u[i]
    first, nearest = -1, inches
    for j in range(g.first[u.side], g.past[u.side]):
        b = g.u[j]
        if b.side != u.side or b.place != ON_TABLE or j == i or far_apart(g, i, j, nearest):
            continue
        way = ahead_of(u, heading, -0.01, b.x, b.y, b.face, b.half_width, b.half_depth)
        if way >= 0.0 and way < nearest:
            first, nearest = j, way
    return first, nearest


@jit
def inches_through(g: Any, i: Any, j: Any, at: Any, heading: Any, want: Any, left: Any) -> Any:
    """Inches unit i gets through unit j, which is `at` inches ahead of it; 0.0 without room beyond."""
    u = g.u[i]
    inches, _ = measure_walk(g, i, heading, room_past(g, i, j, heading, want), left, 0)
    while inches > at:
        if can_stand_in_form(g, i, u.x + SIN[heading] * inches, u.y + COS[heading] * inches, u.face):
            return inches
        inches -= STRIDE
    return 0.0


@jit
def lets_through(u: Any) -> Any:
    """True for troops that stand in the open and have not moved: who has is on its way too (REG-TRP-03).

    To overtake those would bring a line up piecemeal.
    """
    return is_troops(u) and u.inside < 0 and u.moved == 0 and u.countercharges == 0


@jit
def go_through(g: Any, i: Any, heading: Any, want: Any) -> Any:
    """Half a move along a heading through the friend that stands in the way; inches gone (REG-TRP-01).

    A commander has it done only where it costs nobody's order, by well-handled troops.
    """
    u = g.u[i]
    if u.may != MAY_BE_WELL or not is_troops(u) or u.order_ != GOOD or u.inside >= 0:
        return 0.0
    left = move_allowance(g, u, 0.5) - wheel_cost(u, heading)
    want = min(want, left)
    if want < LEAST or not can_stand_in_form(g, i, u.x, u.y, heading):
        return 0.0
    old, u.face = u.face, heading
    j, at = friend_ahead(g, i, heading, want)
    inches = 0.0
    if j >= 0 and lets_through(g.u[j]) and not passage_disorders(g, i, j):
        inches = inches_through(g, i, j, at, heading, want, left)
    if inches <= 0.0:
        u.face = old
        return 0.0
    pass_lines(g, i, j)
    u.x, u.y, u.moved, u.may = u.x + SIN[heading] * inches, u.y + COS[heading] * inches, 1, NOTHING
    note_inches(g, MOVE, i, inches)
    return inches


@jit
def by_flank(g: Any, i: Any, heading: Any, want: Any) -> Any:
    """March by the flank to a spot near by along the own line, facing as before; inches gone (REG-TRP-01).

    It is a well-handled unit's half move, which the enemy sees (REG-FIR-06).
    """
    u = g.u[i]
    side = (u.face + (90 if turn_between(u.face, heading) > 0 else 270)) % 360
    left = move_allowance(g, u, 0.5)
    if u.may != MAY_BE_WELL or not is_troops(u) or u.inside >= 0 or want < LEAST or want > left:
        return 0.0
    if abs(turn_between(side, heading)) > ALONG:
        return 0.0
    inches, _ = measure_walk(g, i, side, room_ahead(g, i, side, want), left, 0)
    x, y = u.x + SIN[side] * inches, u.y + COS[side] * inches
    if inches < LEAST or not can_stand_in_form(g, i, x, y, u.face):
        return 0.0
    u.x, u.y, u.moved, u.about_faced, u.may = x, y, 1, 1, NOTHING
    note_inches(g, BY_FLANK, i, inches)
    return inches


@jit
def by_flank_nearer(g: Any, i: Any, j: Any, want: Any) -> Any:
    """March by the flank out of a place too tight to wheel in, to its way or unit j; inches (REG-TRP-01)."""
    u, t = g.u[i], g.u[j]
    x, y = t.x, t.y
    if u.has_way == HAS_WAY:
        x, y = u.via_x, u.via_y
    to_right = turn_between(u.face, find_bearing(x - u.x, y - u.y)) > 0
    side = (u.face + (90 if to_right else 270)) % 360
    return by_flank(g, i, side, min(want, move_allowance(g, u, 0.5)))
