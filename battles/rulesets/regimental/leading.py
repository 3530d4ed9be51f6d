"""Leaders on the table: join a unit, or ride where they reach the most of their men (REG-CMD-03)."""

import math
from typing import Any

from battles.engine.compile import jit
from battles.rulesets.regimental.bases import spot_gap
from battles.rulesets.regimental.command import attach_leader, is_dismounted, is_here, leader_x, leader_y
from battles.rulesets.regimental.recording import GENERAL_JOINS, GENERAL_MOVES, note_at, note_plain
from battles.rulesets.regimental.records import (
    BRIGADIER,
    BROKEN,
    L_DISMOUNTED,
    L_MOUNTED,
    ON_OPEN,
    ON_TABLE,
    WAGONS,
)
from battles.rulesets.regimental.tables import SHORT_RADIUS

#: Inches behind the middle of his men where a leader rides.
BEHIND = 1.5


@jit
def is_his(g: Any, k: Any, i: Any) -> Any:
    """True for a unit that leader k cares for: his brigade's, or any of his side."""
    e, u = g.leaders[k], g.u[i]
    if u.side != e.side or u.place != ON_TABLE or u.class_ == WAGONS or u.order_ == BROKEN:
        return False
    return e.rank != BRIGADIER or u.brigade == e.brigade


@jit
def middle_of_men(g: Any, k: Any) -> Any:
    """(x, y, units): the middle of those leader k cares for."""
    x, y, count = 0.0, 0.0, 0
    side = g.leaders[k].side
    for i in range(g.first[side], g.past[side]):
        if is_his(g, k, i):
            x, y, count = x + g.u[i].x, y + g.u[i].y, count + 1
    if count == 0:
        return 0.0, 0.0, 0
    return x / count, y / count, count


@jit
def unit_to_join(g: Any, k: Any) -> Any:
    """The unit from which a brigadier reaches all his men within 4 inches, or -1: there he is of more use."""
    e = g.leaders[k]
    if e.rank != BRIGADIER or e.colonel == 1:
        return -1
    x, y, count = middle_of_men(g, k)
    if count == 0:
        return -1
    best, nearest = -1, 1.0e18
    for i in range(g.first[e.side], g.past[e.side]):
        if is_his(g, k, i):
            dx, dy = g.u[i].x - x, g.u[i].y - y
            if dx * dx + dy * dy < nearest:
                best, nearest = i, dx * dx + dy * dy
    for i in range(g.first[e.side], g.past[e.side]):
        if is_his(g, k, i) and i != best and spot_gap(g, i, g.u[best].x, g.u[best].y) > SHORT_RADIUS:
            return -1
    rate = g.t.rate[L_DISMOUNTED if is_dismounted(g, k) else L_MOUNTED, ON_OPEN, 0]
    if best >= 0 and spot_gap(g, best, leader_x(g, k), leader_y(g, k)) > rate * 0.5:
        return -1
    return best


@jit
def attach_leaders(g: Any, side: Any) -> None:
    """Leaders of a side join units or leave them, at the start of the maneuver phase (REG-CMD-03)."""
    for k in range(g.leaders_n):
        e = g.leaders[k]
        if e.side != side or not is_here(g, k):
            continue
        if e.unit >= 0 and g.u[e.unit].place != ON_TABLE:
            e.unit = -1
        i = unit_to_join(g, k)
        if i == e.unit:
            continue
        attach_leader(g, k, i)
        if i >= 0 and e.named >= 0:
            note_plain(g, GENERAL_JOINS, i, e.named)


@jit
def ride_to_men(g: Any, side: Any) -> None:
    """Detached leaders ride to the middle of their men, a move at the most (REG-GEN-02, REG-MOV-01)."""
    for k in range(g.leaders_n):
        e = g.leaders[k]
        if e.side != side or not is_here(g, k) or e.unit >= 0:
            continue
        x, y, count = middle_of_men(g, k)
        if count == 0:
            continue
        y += -BEHIND if side == 0 else BEHIND
        y = min(max(y, 0.0), g.depth)
        dx, dy = x - e.x, y - e.y
        length = math.sqrt(dx * dx + dy * dy)
        if length <= 0.5:
            continue
        rate = g.t.rate[L_DISMOUNTED if is_dismounted(g, k) else L_MOUNTED, ON_OPEN, 0]
        share = min(1.0, rate / length)
        e.x, e.y = e.x + dx * share, e.y + dy * share
        if e.named >= 0 and e.colonel == 0:
            note_at(g, GENERAL_MOVES, e.named, e.x, e.y)
