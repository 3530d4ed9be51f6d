"""Units in and out of buildings (AWI-T-TER-02, AWI-T-TER-10).

A unit inside stands in line on the building's own ground and heading, which are nobody's front or
flank. Only foot may occupy one.
"""

from typing import Any

from battles.engine.bases import BASE, HALF, half_depth, half_width, inside_table, is_clear_of_units
from battles.engine.compile import jit
from battles.engine.dtypes import BUILDING, CLOSE, FOOT, LINE, ON_TABLE
from battles.engine.geometry import COS, SIN, rectangle_gap
from battles.engine.ground import can_stand
from battles.engine.recording import ENTERS_BUILDING, LEAVES_BUILDING, note_plain

#: Share of a whole move that entering costs, and leaving in close and in open order (AWI-T-TER-02).
ENTER_SHARE, LEAVE_CLOSE, LEAVE_OPEN = 0.5, 1.0, 0.5
#: Inches from a wall at which those who come out are set down.
OUTSIDE = 0.05


@jit
def leave_share(u: Any) -> Any:
    """Share of a whole move that leaving a building costs (AWI-T-TER-02)."""
    return LEAVE_CLOSE if u.order_ == CLOSE else LEAVE_OPEN


@jit
def is_building(g: Any, s: Any) -> Any:
    """True for a building that stands."""
    return g.structures[s].kind_ == BUILDING and g.structures[s].sp > 0


@jit
def has_room(g: Any, i: Any, s: Any) -> Any:
    """True when unit i may go into building s: foot, no enemy in it and a place left (AWI-T-TER-10)."""
    u = g.u[i]
    if u.arm != FOOT or u.gun == 1 or not is_building(g, s):
        return False
    count = 0
    for j in range(g.n):
        b = g.u[j]
        if b.place == ON_TABLE and b.inside == s and j != i:
            if b.side != u.side:
                return False
            count += 1
    return count < g.structures[s].capacity


@jit
def find_free_slot(g: Any, i: Any, s: Any) -> Any:
    """(x, y) of a free place for unit i in building s, -1.0 when there is none.

    In a large building the units stand one behind the other.
    """
    b = g.structures[s]
    if has_room(g, i, s):
        for k in range(2):
            off = 0.0 if b.capacity == 1 else (0.5 - k) * b.half_depth
            x, y = b.x + SIN[b.face] * off, b.y + COS[b.face] * off
            if is_clear_of_units(g, i, x, y, b.face, BASE, HALF, -1):
                return x, y
    return -1.0, -1.0


@jit
def put_inside(g: Any, i: Any, s: Any, x: Any, y: Any) -> None:
    """Put unit i into building s at a place that is free."""
    u = g.u[i]
    u.x, u.y, u.face, u.form, u.inside = x, y, g.structures[s].face, LINE, s
    note_plain(g, ENTERS_BUILDING, i, s)


@jit
def wall_gap(g: Any, i: Any, s: Any) -> Any:
    """Inches between unit i and building s."""
    u, b = g.u[i], g.structures[s]
    return rectangle_gap(
        u.x, u.y, u.face, half_width(u), half_depth(u), b.x, b.y, b.face, b.half_width, b.half_depth
    )


@jit
def way_out(g: Any, i: Any, heading: Any) -> Any:
    """(x, y) outside the building unit i is in, straight out along a heading; -1.0 when barred."""
    u = g.u[i]
    b = g.structures[u.inside]
    turn = (heading - b.face) % 360
    off = b.half_width * abs(SIN[turn]) + b.half_depth * abs(COS[turn]) + half_depth(u) + OUTSIDE
    x, y = b.x + SIN[heading] * off, b.y + COS[heading] * off
    if not inside_table(g, x, y) or not is_clear_of_units(g, i, x, y, heading, BASE, HALF, -1):
        return -1.0, -1.0
    if not can_stand(g, i, x, y, heading, BASE, HALF):
        return -1.0, -1.0
    return x, y


@jit
def put_outside(g: Any, i: Any, x: Any, y: Any, face: Any) -> None:
    """Set unit i down outside its building."""
    u = g.u[i]
    s = u.inside
    u.x, u.y, u.face, u.inside = x, y, face, -1
    note_plain(g, LEAVES_BUILDING, i, s)


@jit
def exit_heading(g: Any, i: Any, away: Any) -> Any:
    """The heading nearest to `away`, within 45 degrees, by which unit i can get out; -1 for none."""
    for k in range(7):
        offset = ((k + 1) // 2) * 15
        heading = (away + (offset if k % 2 == 1 else -offset)) % 360
        x, _ = way_out(g, i, heading)
        if x >= 0.0:
            return heading
    return -1


@jit
def get_out(g: Any, i: Any, away: Any) -> Any:
    """Leave the building as near to a heading as can be; True when out."""
    heading = exit_heading(g, i, away)
    if heading < 0:
        return False
    x, y = way_out(g, i, heading)
    put_outside(g, i, x, y, heading)
    return True
