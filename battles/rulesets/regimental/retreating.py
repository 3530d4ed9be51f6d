"""Moves nobody wants: out of close range, full retreats, going back (REG-DEF-04, REG-MAN-05 to 08)."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.geometry import COS, SIN, find_bearing
from battles.engine.ways import is_off
from battles.rulesets.regimental.bases import LITTLE, can_stand_in_form, has_enemy_within, nearest_enemy
from battles.rulesets.regimental.moving import NEVER, STRIDE, going_at, inch_cost, rate_row
from battles.rulesets.regimental.recording import LEFT_TABLE, RETIRE, ROUT_MOVE, note_inches, note_plain
from battles.rulesets.regimental.records import EXTENDED, FOOT, GUNS, LEFT, LIMBERED, LINE, ON_OPEN
from battles.rulesets.regimental.states import take_off, write_footprint
from battles.rulesets.regimental.tables import CLOSE_RANGE

#: Inches looked along for a spot where a retreat stands on nobody.
SLIDE = 120.0


@jit
def heading_away(g: Any, i: Any) -> Any:
    """Directly away from the nearest enemy, or home where there is none (REG-MAN-05)."""
    u = g.u[i]
    j = nearest_enemy(g, i)
    return u.home if j < 0 else find_bearing(u.x - g.u[j].x, u.y - g.u[j].y)


@jit
def retreat(g: Any, i: Any, heading: Any, want: Any, until_clear: Any, away: Any) -> Any:
    """Move a unit where it does not want to go; returns the inches gone (REG-DEF-04).

    It goes `want` inches of the open allowance, or with `until_clear` only until it is out of close range
    of every enemy. With `away` it ends facing that way. It passes friends, stops before ground that
    bars it and slides on until it stands on nobody; beyond the edge it has left the table.
    """
    u = g.u[i]
    inside, form = u.inside, u.form
    if inside >= 0:
        u.inside, u.form = -1, LINE if u.class_ == FOOT and u.marksmen == 0 else EXTENDED
        write_footprint(g, i)
    s, c = SIN[heading], COS[heading]
    face = heading if away == 1 else u.face
    row = rate_row(u)
    quick, u.quick = u.quick, 0
    way, cost, last = 0.0, 0.0, -1.0
    free = can_stand_in_form(g, i, u.x, u.y, face)
    while way < SLIDE:
        x, y = u.x + s * way, u.y + c * way
        if is_off(g, x, y):
            break
        free = can_stand_in_form(g, i, x, y, face)
        if free:
            last = way
        done = cost >= want - LITTLE
        if until_clear == 1 and not done:
            done = not has_enemy_within(g, i, x, y, CLOSE_RANGE)
        if done and free:
            break
        price = inch_cost(g, u, row, going_at(g, u, x + s * STRIDE, y + c * STRIDE)) * STRIDE
        if price >= NEVER * STRIDE * 0.5:
            break
        way, cost = way + STRIDE, cost + price
    u.quick = quick
    if is_off(g, u.x + s * way, u.y + c * way):
        note_plain(g, LEFT_TABLE, i, -1)
        take_off(g, i, LEFT)
        return way
    if last < 0.0:
        # nowhere to go: it stays where it is, as it was
        u.inside, u.form = inside, form
        write_footprint(g, i)
        return 0.0
    u.x, u.y, u.face, u.moved = u.x + s * last, u.y + c * last, face, 1
    note_inches(g, ROUT_MOVE if away == 1 else RETIRE, i, last)
    return last


@jit
def full_retreat(g: Any, i: Any) -> Any:
    """A full move directly away from the nearest enemy, ending face about (REG-MAN-05)."""
    u = g.u[i]
    if u.class_ == GUNS:
        u.form = LIMBERED
    return retreat(g, i, heading_away(g, i), g.t.rate[rate_row(u), ON_OPEN, 0], 0, 1)


@jit
def out_of_close_range(g: Any, i: Any) -> Any:
    """Retreat beyond 4 inches of every enemy, a full move at the most (REG-MAN-06, REG-MAN-08)."""
    u = g.u[i]
    return retreat(g, i, heading_away(g, i), g.t.rate[rate_row(u), ON_OPEN, 0], 1, 0)


@jit
def back_off(g: Any, i: Any, inches: Any) -> Any:
    """Retreat so many inches from the nearest enemy (REG-FIR-08, REG-CHG-06, REG-CHG-08)."""
    return retreat(g, i, heading_away(g, i), inches, 0, 0)


@jit
def in_close_range(g: Any, i: Any) -> Any:
    """True when an enemy is within 4 inches (REG-GEN-03)."""
    u = g.u[i]
    return has_enemy_within(g, i, u.x, u.y, CLOSE_RANGE)
