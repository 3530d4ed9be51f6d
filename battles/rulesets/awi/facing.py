"""Change of facing by the firing side, step D (AWI-T-FAC)."""

from typing import Any

from battles.engine.bases import (
    centre_gap2,
    half_depth,
    half_width,
    is_clear_of_units,
    is_effective,
    measure_unit_ahead,
)
from battles.engine.compile import jit
from battles.engine.dice import roll_d6
from battles.engine.dtypes import (
    MOUNTED,
    ON_TABLE,
    ROUTING,
    WHEELED,
)
from battles.engine.geometry import COS, SIN, find_bearing, ray_hits
from battles.engine.ground import can_stand
from battles.engine.progress import is_pressing
from battles.engine.recording import CHANGE_FACING, R_NONE, TURN_REFUSED, note_event
from battles.engine.wayfinding import HAS_WAY
from battles.rulesets.awi.morale import is_deployed
from battles.rulesets.awi.tables import QUIET_TURNS


@jit
def is_pinned(g: Any, i: Any) -> Any:
    """True when an enemy straight ahead within reach forbids a turn (AWI-T-FAC-01)."""
    for j in range(g.n):
        b = g.u[j]
        if b.side == g.u[i].side or b.place != ON_TABLE or b.mood == ROUTING or b.arm == WHEELED:
            continue
        if centre_gap2(g, i, j) > 121.0:
            continue
        reach = 6.0 if b.arm == MOUNTED or g.o.pin_flat_6 == 1 else 3.0
        inches, _, _ = measure_unit_ahead(g, i, j)
        if inches >= 0.0 and inches <= reach + 1.0e-9:
            return True
    return False


@jit
def find_threat(g: Any, i: Any) -> Any:
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
        if g.u[j].side == u.side or not is_effective(g.u[j]):
            continue
        distance = centre_gap2(g, i, j)
        if distance < best_gap and distance <= (longest + 2.0) * (longest + 2.0):
            best, best_gap = j, distance
    return best


@jit
def is_facing(g: Any, i: Any, j: Any) -> Any:
    """True when unit j's centre is in the fan of unit i's front."""
    a, b = g.u[i], g.u[j]
    s, c = SIN[a.face], COS[a.face]
    dx, dy = b.x - a.x, b.y - a.y
    right, front = dx * c - dy * s, dx * s + dy * c - half_depth(a)
    return front > 0.0 and abs(right) <= half_width(a) + 0.8 * front


@jit
def on_work(g: Any, i: Any, face: Any) -> Any:
    """True when unit i with that heading would stand on an obstacle it does not stand on now."""
    u = g.u[i]
    width, depth = half_width(u), half_depth(u)
    for k in range(g.works_n):
        w = g.works[k]
        if w.structure >= 0 and g.structures[w.structure].sp <= 0:
            continue
        if w.low_x > u.x + 2.0 or w.high_x < u.x - 2.0 or w.low_y > u.y + 2.0 or w.high_y < u.y - 2.0:
            continue
        if ray_hits(w.x0, w.y0, w.x1, w.y1, u.x, u.y, face, width, depth) and not ray_hits(
            w.x0, w.y0, w.x1, w.y1, u.x, u.y, u.face, width, depth
        ):
            return True
    return False


@jit
def may_face(g: Any, i: Any, face: Any) -> Any:
    """True when neither a unit, a building, barred ground nor an obstacle is in the way (AWI-T-FAC-02)."""
    u = g.u[i]
    width, depth = half_width(u), half_depth(u)
    return (
        is_clear_of_units(g, i, u.x, u.y, face, width, depth, -1)
        and can_stand(g, i, u.x, u.y, face, width, depth)
        and not on_work(g, i, face)
    )


@jit
def is_going_round(g: Any, u: Any) -> Any:
    """True for a unit that follows a way round when an assault presses; a turn would take it off that way."""
    return u.has_way == HAS_WAY and is_pressing(g, u.side, QUIET_TURNS)


@jit
def turn_in_place(g: Any, i: Any) -> None:
    """Turn one unit of the firing side to its threat if it may (AWI-T-FAC-01, 02, 03).

    A unit in a building fires and fights out of any side and need not turn (AWI-T-TER-10).
    """
    u = g.u[i]
    if u.inside >= 0:
        return
    j = find_threat(g, i)
    if j < 0 or is_facing(g, i, j) or is_pinned(g, i) or is_going_round(g, u):
        return
    face = find_bearing(g.u[j].x - u.x, g.u[j].y - u.y)
    if not may_face(g, i, face):
        return
    die = 0
    if u.gun == 1 and g.o.guns_dice_to_turn == 1:
        die = roll_d6(g)
        if die < u.turn_on:
            note_event(g, TURN_REFUSED, i, j, die, 0, 0, die, R_NONE)
            return
    u.face = face
    note_event(g, CHANGE_FACING, i, j, die, 0, 0, die, R_NONE)


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
