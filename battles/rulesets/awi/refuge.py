"""Refuge of beaten troops: friends, woods, buildings, home; and who sees them (AWI-T-ROU-01)."""

from typing import Any

from battles.engine.bases import half_depth, is_effective
from battles.engine.compile import jit
from battles.engine.dtypes import CLEAR, NO_WOOD
from battles.engine.geometry import COS, SIN
from battles.engine.ground import cell_at, is_sight_open, unpack_known_cells, wood_at
from battles.rulesets.awi.buildings import has_room

#: Inches from a wall at which a unit stands at the door.
DOOR = 0.02


@jit
def distance_home(g: Any, i: Any, y: Any) -> Any:
    """Inches from `y` to the own table edge of unit i."""
    return y if g.u[i].side == 0 else g.depth - y


@jit
def wood_ahead(g: Any, i: Any, heading: Any, most: Any) -> Any:
    """Inches along the heading until unit i is in woods it is not in now, `most` if none is nearer."""
    u = g.u[i]
    hx, hy = SIN[heading], COS[heading]
    row, column = cell_at(g, u.x + hx * most / 2.0, u.y + hy * most / 2.0)
    if (unpack_known_cells(g, row, column, CLEAR) - 1) * g.cell > most / 2.0:
        return most
    inside = wood_at(g, u.x, u.y) != NO_WOOD
    k, last = 1, int(most / g.cell)
    while k <= last:
        inches = k * g.cell
        row, column = cell_at(g, u.x + hx * inches, u.y + hy * inches)
        if g.going[g.ground[row, column]].wood == NO_WOOD:
            inside = False
            # no woods lie on the next spots, a cell apart
            clear = unpack_known_cells(g, row, column, CLEAR)
            if clear > 2:
                k += clear - 2
        elif not inside:
            deep = inches + half_depth(u)
            return deep if deep < most else most
        k += 1
    return most


@jit
def door_ahead(g: Any, i: Any, heading: Any, s: Any) -> Any:
    """Inches along the heading until unit i touches building s, -1.0 if it does not come to it."""
    u, t = g.u[i], g.structures[s]
    dx, dy = t.x - u.x, t.y - u.y
    along = dx * SIN[heading] + dy * COS[heading]
    if along <= 0.0 or abs(dx * COS[heading] - dy * SIN[heading]) > 1.5:
        return -1.0
    turn = (heading - t.face) % 360
    return along - t.half_width * abs(SIN[turn]) - t.half_depth * abs(COS[turn]) - half_depth(u) - DOOR


@jit
def cover_ahead(g: Any, i: Any, heading: Any) -> Any:
    """(inches, building) to the nearest friendly cover along the heading (AWI-T-ROU-01).

    That is behind a friend, into woods or a building that takes the unit in, or the own edge.
    """
    u = g.u[i]
    hx, hy = SIN[heading], COS[heading]
    pace = hy if u.side == 1 else -hy
    best, building = 1.0e9, -1
    if pace > 0.0:
        best = distance_home(g, i, u.y) / pace
    for j in range(g.n):
        b = g.u[j]
        if j == i or b.side != u.side or not is_effective(b) or b.inside >= 0:
            continue
        dx, dy = b.x - u.x, b.y - u.y
        along = dx * hx + dy * hy
        if along > 0.0 and abs(dx * hy - dy * hx) <= 2.0 and along + 3.5 < best:
            best = along + 3.5
    if g.woods == 1:
        far = u.rate_rout + half_depth(u)
        most = far if far < best else best
        wood = wood_ahead(g, i, heading, most)
        if wood < most:
            best = wood
    for s in range(g.buildings_n):
        door = door_ahead(g, i, heading, s)
        if door >= 0.0 and door < best and has_room(g, i, s):
            best, building = door, s
    return best, building


@jit
def in_view(g: Any, i: Any, j: Any) -> Any:
    """True when the ground lets unit i see unit j."""
    if g.plain == 1 and g.buildings_n == 0:
        return True
    u, b = g.u[i], g.u[j]
    return is_sight_open(g, u.x, u.y, b.x, b.y, b.hides, b.inside)
