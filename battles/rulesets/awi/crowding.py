"""Troops who stand in each other's way: when an assault presses, they make room (HR-BAT-02)."""

from typing import Any

from battles.engine.bases import gap_from, measure_gap
from battles.engine.compile import jit
from battles.engine.dtypes import COLUMN, DEPLOYED, LINE, ON_TABLE, STEADY
from battles.engine.geometry import COS, SIN
from battles.engine.wayfinding import HAS_WAY
from battles.rulesets.awi.charge_modifiers import is_spent
from battles.rulesets.awi.morale import move_rate
from battles.rulesets.awi.movement import (
    change_formation,
    fall_back_facing,
    find_straight_inches,
    move_on,
    turn_on_spot,
    turn_to,
)
from battles.rulesets.awi.path import list_near

#: Inches that are worth going on straight.
FREE = 1.0
#: Inches before its front within which a friend is in a unit's way.
IN_WAY = 3.0
#: Degrees between the headings along which troops look for room.
STEP = 22


@jit
def may_make_room(g: Any, i: Any) -> Any:
    """True for a unit in order that has not moved and could."""
    u = g.u[i]
    if u.place != ON_TABLE or u.mood != STEADY or u.busy == 1 or u.moved == 1:
        return False
    return u.inside < 0 and u.form != DEPLOYED and u.wagon == 0


@jit
def move_aside(g: Any, k: Any, i: Any) -> Any:
    """Friend k goes ahead or aside to where it is farthest out of the way of unit i; True when gone."""
    b = g.u[k]
    old, best, most, inches = b.face, -1, measure_gap(g, k, i) + FREE, 0.0
    for n in range(-2, 3):
        face = (old + n * STEP) % 360
        if not turn_to(g, k, face):
            continue
        gone = find_straight_inches(g, k, face, move_rate(b))
        clear = gap_from(g, k, b.x + SIN[face] * gone, b.y + COS[face] * gone, face, i)
        b.face = old
        if gone >= FREE and clear > most:
            best, most, inches = face, clear, gone
    return best >= 0 and move_on(g, k, best, inches) > 0.0


@jit
def clear_front(g: Any, i: Any) -> Any:
    """Spent friends and guns right before the front of unit i move out of its way; True when one has.

    All others look for room themselves.
    """
    list_near(g, i, g.u[i].face, IN_WAY)
    near, cleared = g.near_n, False
    for n in range(g.n):
        listed = False
        for k in range(near):
            listed = listed or g.near[k] == n
        stays = is_spent(g.u[n]) or g.u[n].gun == 1
        if listed and stays and g.u[n].side == g.u[i].side and may_make_room(g, n):
            cleared = move_aside(g, n, i) or cleared
            list_near(g, i, g.u[i].face, IN_WAY)
            near = g.near_n
    return cleared


@jit
def turn_away(g: Any, i: Any) -> None:
    """Turn, as its whole move, to the nearest heading along which unit i could go (AWI-T-MOV-08)."""
    u = g.u[i]
    old = u.face
    for n in range(2, 16):
        face = (old + (n // 2) * STEP * (1 if n % 2 == 0 else -1)) % 360
        if not turn_to(g, i, face):
            continue
        free = find_straight_inches(g, i, face, move_rate(u)) >= FREE
        u.face = old
        if free:
            turn_on_spot(g, i, face)
            return


@jit
def forms_column(g: Any, i: Any) -> Any:
    """True when unit i was a line and has formed column, which turns where a line does not."""
    return g.u[i].form == LINE and change_formation(g, i, COLUMN) >= 0.0


@jit
def make_room(g: Any, i: Any) -> None:
    """Give a unit that cannot turn room: it forms column, goes on as it faces, goes back or turns away.

    The friends before its front are sent out of its way first. Spent troops stay where their own orders leave
    them, but move out of the way of others.
    """
    u = g.u[i]
    if is_spent(u) or not may_make_room(g, i):
        return
    most = move_rate(u)
    if u.has_way == HAS_WAY and forms_column(g, i):
        return
    if find_straight_inches(g, i, u.face, most) >= FREE or (
        clear_front(g, i) and find_straight_inches(g, i, u.face, most) >= FREE
    ):
        move_on(g, i, u.face, most)
    elif not forms_column(g, i) and fall_back_facing(g, i, most) <= 0.0:
        turn_away(g, i)
