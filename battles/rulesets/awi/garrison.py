"""Going into buildings and coming out of them in step C (AWI-T-TER-02, AWI-T-TER-10)."""

from typing import Any

from battles.engine.bases import BASE, HALF, clear_of_enemy, inside_table, is_clear_of_units
from battles.engine.compile import jit
from battles.engine.geometry import COS, SIN, find_bearing, rectangle_gap, turn_between
from battles.engine.ground import can_stand
from battles.rulesets.awi.buildings import (
    ENTER_SHARE,
    find_free_slot,
    leave_share,
    put_inside,
    put_outside,
    wall_gap,
    way_out,
)
from battles.rulesets.awi.morale import move_rate
from battles.rulesets.awi.movement import book_move, turn_to
from battles.rulesets.awi.path import allowance_left, find_straight_move

#: Inches from a wall within which a unit touches it.
AT_WALL = 0.1
#: Inches added to what a unit asks for, so that nothing but the wall stops it.
BEYOND = 4.0


@jit
def comes_up(g: Any, i: Any, s: Any) -> Any:
    """Inches of allowance that coming straight up to building s costs unit i; -1.0 if it cannot.

    The building must lie within a free pivot of its face. The unit is left as it was.
    """
    u = g.u[i]
    old, x, y = u.face, u.x, u.y
    face = find_bearing(g.structures[s].x - x, g.structures[s].y - y)
    if abs(turn_between(old, face)) > 45 or (face != old and u.turned == 1) or not turn_to(g, i, face):
        return -1.0
    inches, cost = find_straight_move(g, i, face, wall_gap(g, i, s) + BEYOND)
    u.x, u.y = x + SIN[face] * inches, y + COS[face] * inches
    touches = g.wades < 0 and wall_gap(g, i, s) <= AT_WALL
    u.x, u.y, u.face = x, y, old
    return cost if touches else -1.0


@jit
def enter_building(g: Any, i: Any, s: Any) -> Any:
    """Go straight up to building s and into it, which costs half a move more (AWI-T-TER-02).

    True when the unit is inside; else nothing has changed. No enemy may be within an inch of its
    place there (AWI-T-SEQ-03).
    """
    u = g.u[i]
    if u.inside >= 0:
        return False
    x, y = find_free_slot(g, i, s)
    if x < 0.0:
        return False
    cost = 0.0 if wall_gap(g, i, s) <= AT_WALL else comes_up(g, i, s)
    price = cost + ENTER_SHARE * move_rate(u)
    if (
        cost < 0.0
        or price > allowance_left(u) + 1.0e-9
        or not clear_of_enemy(g, i, x, y, g.structures[s].face)
    ):
        return False
    book_move(u, price)
    u.turned = 1
    put_inside(g, i, s, x, y)
    return True


@jit
def leave_building(g: Any, i: Any, x: Any, y: Any, face: Any) -> Any:
    """Come out of a building to a place in line that touches it, facing any way; True when done.

    Close order spends its whole move, open order half of it (AWI-T-TER-02).
    """
    u = g.u[i]
    if u.inside < 0:
        return False
    b = g.structures[u.inside]
    price = leave_share(u) * move_rate(u)
    off = rectangle_gap(x, y, face, BASE, HALF, b.x, b.y, b.face, b.half_width, b.half_depth)
    if price > allowance_left(u) + 1.0e-9 or off == 0.0 or off > AT_WALL:
        return False
    if not inside_table(g, x, y) or not is_clear_of_units(g, i, x, y, face, BASE, HALF, -1):
        return False
    if not can_stand(g, i, x, y, face, BASE, HALF) or not clear_of_enemy(g, i, x, y, face):
        return False
    book_move(u, price)
    u.turned = 1
    put_outside(g, i, x, y, face)
    return True


@jit
def leave_towards(g: Any, i: Any, heading: Any) -> Any:
    """Come out of a building on the side a heading leads to, facing that way; True when done."""
    if g.u[i].inside < 0:
        return False
    x, y = way_out(g, i, heading)
    return x >= 0.0 and leave_building(g, i, x, y, heading)
