"""Change of facing by the firing side, step D (AWI-T-FAC)."""

from typing import Any

from battles.engine.bases import (
    ahead,
    centre_gap2,
    effective,
    fits,
    half_depth,
    half_width,
)
from battles.engine.compile import jit
from battles.engine.dice import d6
from battles.engine.dtypes import (
    MOUNTED,
    ON_TABLE,
    ROUTING,
    WHEELED,
)
from battles.engine.geometry import COS, SIN, bearing
from battles.engine.recording import (
    CHANGE_FACING,
    R_NONE,
    TURN_REFUSED,
    note,
    note_plain,
)
from battles.rulesets.awi.morale import is_deployed


@jit
def pinned(g: Any, i: Any) -> Any:
    """True when an enemy straight ahead within reach forbids a turn (AWI-T-FAC-01)."""
    for j in range(g.n):
        b = g.u[j]
        if b.side == g.u[i].side or b.place != ON_TABLE or b.mood == ROUTING or b.arm == WHEELED:
            continue
        if centre_gap2(g, i, j) > 121.0:
            continue
        reach = 6.0 if b.arm == MOUNTED or g.o.pin_flat_6 == 1 else 3.0
        inches, _, _ = ahead(g, i, j)
        if inches >= 0.0 and inches <= reach + 1.0e-9:
            return True
    return False


@jit
def threat(g: Any, i: Any) -> Any:
    """The enemy a unit should face: nearest in charge reach, else nearest in fire range; -1 for none."""
    u = g.u[i]
    longest = u.short_max
    if u.medium_max > longest:
        longest = u.medium_max
    if u.long_max > longest:
        longest = u.long_max
    if longest < 8.0:
        longest = 8.0
    best, best_gap = -1, 1.0e18
    for j in range(g.n):
        if g.u[j].side == u.side or not effective(g.u[j]):
            continue
        distance = centre_gap2(g, i, j)
        if distance < best_gap and distance <= (longest + 2.0) * (longest + 2.0):
            best, best_gap = j, distance
    return best


@jit
def faces(g: Any, i: Any, j: Any) -> Any:
    """True when unit j's centre is in the fan of unit i's front."""
    a, b = g.u[i], g.u[j]
    s, c = SIN[a.face], COS[a.face]
    dx, dy = b.x - a.x, b.y - a.y
    right, front = dx * c - dy * s, dx * s + dy * c - half_depth(a)
    return front > 0.0 and abs(right) <= half_width(a) + 0.8 * front


@jit
def turn_in_place(g: Any, i: Any) -> None:
    """Turn one unit of the firing side to its threat if it may (AWI-T-FAC-01, 02, 03)."""
    u = g.u[i]
    j = threat(g, i)
    if j < 0 or faces(g, i, j) or pinned(g, i):
        return
    face = bearing(g.u[j].x - u.x, g.u[j].y - u.y)
    if not fits(g, i, u.x, u.y, face, half_width(u), half_depth(u), -1):
        return
    if u.gun == 1 and g.o.guns_dice_to_turn == 1:
        die = d6(g)
        if die < u.turn_on:
            note(g, TURN_REFUSED, i, j, die, 0, 0, die, R_NONE)
            return
    u.face = face
    note_plain(g, CHANGE_FACING, i, j)


@jit
def step_d(g: Any) -> None:
    """D: the firing side turns to fire or to meet a charge."""
    g.step = 4
    for i in range(g.n):
        u = g.u[i]
        if u.side == g.mover or u.place != ON_TABLE or u.mood == ROUTING or u.wagon == 1:
            continue
        if u.gun == 1 and not is_deployed(u):
            continue
        turn_in_place(g, i)
