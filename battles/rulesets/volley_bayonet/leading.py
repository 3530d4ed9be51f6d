"""Commanders on the table: rides to where they are needed, and harm to them (VBW-DEF-13)."""

import math
from typing import Any

from battles.engine.compile import jit
from battles.engine.dice import roll_d6
from battles.engine.dtypes import FENCE, STREAM, WALL
from battles.rulesets.volley_bayonet.bases import leader_gap, leader_within
from battles.rulesets.volley_bayonet.command import commands_stand
from battles.rulesets.volley_bayonet.cover import code_at
from battles.rulesets.volley_bayonet.marching import is_crossing_line, is_marshy, lines_ahead
from battles.rulesets.volley_bayonet.morale import is_above
from battles.rulesets.volley_bayonet.recording import (
    GENERAL_DIE,
    GENERAL_MOVES,
    GENERAL_TAKEN,
    note_at,
    note_die,
    note_plain,
)
from battles.rulesets.volley_bayonet.records import (
    ARMY_COMMANDER,
    COMMANDERS,
    COMMANDS,
    FALLEN,
    GUNS,
    LOST,
    ROUTED,
    TRANSPORT,
    UNIT_COMMANDER,
    WING_COMMANDER,
)
from battles.rulesets.volley_bayonet.riding import begin_ride, pay_for_ride, ride_for_half, wade_marshy_stream
from battles.rulesets.volley_bayonet.states import is_standing
from battles.rulesets.volley_bayonet.tables import COMMANDER_RESCUE

#: Inches between the spots of a ride that are looked at.
STRIDE = 1.0
#: Inches from the enemy within which nobody rides out to a routed stand.
TOO_NEAR = 6.0
#: Die on which an army commander falls with his stand's loss (VBW-DEF-13).
FALLS_ON = 6


@jit
def is_here(g: Any, k: Any) -> Any:
    """True for a commander on the table who can command."""
    e = g.leaders[k]
    return e.state == COMMANDS and e.due <= g.turn


@jit
def line_stops(g: Any, k: Any, px: Any, py: Any, qx: Any, qy: Any) -> Any:
    """Pay for the lines a commander's step goes over; True when he cannot (VBW-TER-17, 31, 34, 46)."""
    e = g.leaders[k]
    for m in range(g.works_n):
        if not is_crossing_line(g, m, px, py, qx, qy):
            continue
        kind = g.works[m].kind_
        if kind in (FENCE, WALL):
            if not pay_for_ride(g, k, g.t.fence[COMMANDERS], 1.0):
                return True
        elif kind == STREAM and is_marshy(g, e.side, qx, qy):
            if not wade_marshy_stream(g, k):
                return True
        elif not ride_for_half(g, k):
            return True
    return False


@jit
def ride_to(g: Any, k: Any, x: Any, y: Any) -> Any:
    """Ride straight towards a spot as far as his move goes; True when he is there."""
    e = g.leaders[k]
    dx, dy = x - e.x, y - e.y
    length = math.sqrt(dx * dx + dy * dy)
    if length <= 1.0e-9:
        return True
    steps = int(length / STRIDE) + 1
    inches = length / steps
    lines = g.works_n > 0 and lines_ahead(g, e.x, e.y, x, y)
    for _ in range(steps):
        nx, ny = e.x + dx / steps, e.y + dy / steps
        cost = g.going[code_at(g, nx, ny)].costs[COMMANDERS]
        if cost == 0.0 or not pay_for_ride(g, k, inches, cost):
            return False
        if lines and line_stops(g, k, e.x, e.y, nx, ny):
            return False
        e.x, e.y = nx, ny
    return True


@jit
def enemy_near(g: Any, i: Any, inches: Any) -> Any:
    """True when an enemy who is not running stands within so many inches of stand i, by centres."""
    u = g.u[i]
    for j in range(g.first[1 - u.side], g.past[1 - u.side]):
        b = g.u[j]
        if b.side == u.side or not is_standing(b) or b.state == ROUTED:
            continue
        dx, dy = b.x - u.x, b.y - u.y
        if dx * dx + dy * dy <= inches * inches:
            return True
    return False


@jit
def can_rally(g: Any, k: Any, i: Any) -> Any:
    """True when commander k may rally stand i by touching it, as `command.may_rally` has it (VBW-RLY-02)."""
    e, u = g.leaders[k], g.u[i]
    if g.o.grand == 1 and (e.rank < WING_COMMANDER or not is_above(g, k, u)):
        return False  # RTG-RAL-01
    if e.rank == UNIT_COMMANDER or u.class_ == TRANSPORT or not commands_stand(g, k, i):
        return False
    return is_above(g, k, u) or (u.brigade < 0 and e.brigade < 0)


@jit
def routed_to_rally(g: Any, k: Any) -> Any:
    """The nearest routed stand he may rally, within a ride and not close to the enemy, or -1."""
    e = g.leaders[k]
    best, nearest = -1, e.rate * e.rate
    for i in range(g.first[e.side], g.past[e.side]):
        u = g.u[i]
        if u.side != e.side or u.state != ROUTED or not is_standing(u) or not can_rally(g, k, i):
            continue
        dx, dy = u.x - e.x, u.y - e.y
        distance = dx * dx + dy * dy
        if distance < nearest and not enemy_near(g, i, TOO_NEAR) and not is_served(g, k, i):
            best, nearest = i, distance
    return best


@jit
def is_served(g: Any, k: Any, i: Any) -> Any:
    """True when another commander already touches a routed stand and will rally it."""
    for m in range(g.leaders_n):
        if m != k and is_here(g, m) and can_rally(g, m, i) and leader_within(g, m, i, g.o.contact):
            return True
    return False


@jit
def middle_stand(g: Any, k: Any) -> Any:
    """The stand nearest to the middle of those he commands, or -1: with it he reaches the most."""
    side = g.leaders[k].side
    x, y, count = 0.0, 0.0, 0
    for i in range(g.first[side], g.past[side]):
        u = g.u[i]
        if is_standing(u) and u.state != ROUTED and is_his(g, k, i):
            x, y, count = x + u.x, y + u.y, count + 1
    if count == 0:
        return -1
    x, y = x / count, y / count
    best, nearest = -1, 1.0e18
    for i in range(g.first[side], g.past[side]):
        u = g.u[i]
        if not is_standing(u) or u.state == ROUTED or not is_his(g, k, i):
            continue
        dx, dy = u.x - x, u.y - y
        if dx * dx + dy * dy < nearest:
            best, nearest = i, dx * dx + dy * dy
    return best


@jit
def is_his(g: Any, k: Any, i: Any) -> Any:
    """True for a stand of the body he leads: his unit, brigade, wing or army."""
    e, u = g.leaders[k], g.u[i]
    if u.class_ == TRANSPORT:
        return False
    if u.class_ == GUNS and e.rank != ARMY_COMMANDER:
        return e.brigade >= 0 and e.brigade == u.brigade and e.rank != UNIT_COMMANDER
    return commands_stand(g, k, i)


@jit
def ride_commanders(g: Any) -> None:
    """The commanders of the moving side ride: to rally, else to be with the middle of their men."""
    for k in range(g.leaders_n):
        e = g.leaders[k]
        if e.side != g.mover or not is_here(g, k):
            continue
        begin_ride(g, k)
        i = routed_to_rally(g, k) if e.rank != UNIT_COMMANDER else -1
        if i < 0:
            i = middle_stand(g, k)
        if i >= 0:
            ride_to(g, k, g.u[i].x, g.u[i].y)
            note_ride(g, k)


@jit
def note_ride(g: Any, k: Any) -> None:
    """Record where a commander of the battle file has ridden to."""
    e = g.leaders[k]
    if e.named >= 0 and g.recording == 1:
        note_at(g, GENERAL_MOVES, e.named, e.x, e.y)


@jit
def count_touching_stands(g: Any, k: Any, side: Any) -> Any:
    """Stands of a side that touch commander k."""
    count = 0
    for i in range(g.first[side], g.past[side]):
        u = g.u[i]
        if u.side == side and is_standing(u) and leader_within(g, k, i, g.o.contact):
            count += 1
    return count


@jit
def record_army_commanders(g: Any) -> None:
    """As a combat step begins, keep which stands have their army commander with them (VBW-DEF-13).

    The combats may part them.
    """
    for i in range(g.n):
        g.u[i].attended = 0
    for k in range(g.leaders_n):
        e = g.leaders[k]
        if e.rank != ARMY_COMMANDER or e.state != COMMANDS or e.due > g.turn:
            continue
        for i in range(g.first[e.side], g.past[e.side]):
            u = g.u[i]
            if u.side == e.side and is_standing(u) and leader_within(g, k, i, g.o.contact):
                u.attended = 1


@jit
def has_suffered(g: Any, side: Any) -> Any:
    """True when a stand that had its army commander with it has lost SP in this combat step."""
    for i in range(g.first[side], g.past[side]):
        u = g.u[i]
        if u.side == side and u.attended == 1 and u.hurt > 0:
            return True
    return False


@jit
def commanders_in_harm(g: Any) -> None:
    """A commander whom only the enemy touches gets away to his men, or is taken (VBW-DEF-13).

    With the option the army commander falls on a 6 when the stand he is with loses SP.
    """
    for k in range(g.leaders_n):
        e = g.leaders[k]
        if e.state in (LOST, FALLEN) or e.due > g.turn:
            continue
        enemy = count_touching_stands(g, k, 1 - e.side)
        may_fall = g.o.commander_dies == 1 and e.rank == ARMY_COMMANDER
        if enemy == 0 and not may_fall:
            continue
        if enemy > 0 and count_touching_stands(g, k, e.side) == 0:
            get_away(g, k)
        elif may_fall and has_suffered(g, e.side):
            die = roll_d6(g)
            note_die(g, GENERAL_DIE, -1, e.named, die, FALLS_ON, die < FALLS_ON)
            if die >= FALLS_ON:
                e.state = FALLEN


@jit
def get_away(g: Any, k: Any) -> None:
    """Move a commander to the nearest stand of his command, or take him off if it is too far.

    So does one whom a card keeps from commanding.
    """
    e = g.leaders[k]
    state, e.state = e.state, COMMANDS
    best, nearest = -1, COMMANDER_RESCUE + 1.0e-9
    for i in range(g.n):
        if not is_standing(g.u[i]) or not commands_stand(g, k, i):
            continue
        inches = leader_gap(g, k, i)
        if inches <= nearest:
            best, nearest = i, inches
    e.state = state if best >= 0 else LOST
    if best < 0 and e.named >= 0:
        note_plain(g, GENERAL_TAKEN, -1, e.named)
    if best >= 0:
        e.x, e.y = g.u[best].x, g.u[best].y
