"""The end of a battle, as every ruleset sees it: who is broken, who is there, who holds the field.

What a unit has lost, and whether it still counts, each ruleset says itself. A record has here `n` units
`u` with `side`, `place`, `due`, `lost` and `captured`, and the game turns of the day in `turns`.
"""

from typing import Any

from battles.engine.compile import jit
from battles.engine.dtypes import BROKEN, GOES_ON, NOTHING_LEFT, ON_TABLE, WAITING


@jit
def count_losses(g: Any, side: Any) -> Any:
    """Points that all units of a side have lost, prisoners counted."""
    total = 0
    for i in range(g.n):
        if g.u[i].side == side:
            total += g.u[i].lost + g.u[i].captured
    return total


@jit
def reaches_share(lost: Any, start: Any, percent: Any) -> Any:
    """True when so many points of those a side began with are the share at which it breaks off."""
    return start > 0 and lost * 100 >= percent * start


@jit
def judge_battle(broken0: Any, broken1: Any, there0: Any, there1: Any) -> Any:
    """(ending, holder) by which sides are broken and which have anybody left; GOES_ON for no end yet.

    Who alone is broken, or alone has nobody left, leaves the field to the other; else neither holds it.
    """
    holder = -1
    if broken0 or broken1:
        if broken0 and not broken1 and there1:
            holder = 1
        elif broken1 and not broken0 and there0:
            holder = 0
        return BROKEN, holder
    if there0 and there1:
        return GOES_ON, holder
    if there0:
        holder = 0
    elif there1:
        holder = 1
    return NOTHING_LEFT, holder


@jit
def withdraw_side(g: Any, side: Any, place: Any) -> None:
    """A side that gives up the field leaves it for `place` with what it has, and nobody comes on."""
    for i in range(g.n):
        u = g.u[i]
        if u.side == side and (u.place == ON_TABLE or u.place == WAITING):
            u.place = place


@jit
def has_units_to_come(g: Any) -> Any:
    """True when a unit is still to come on before the day ends."""
    count = 0
    for i in range(g.n):
        if g.u[i].place == WAITING and g.u[i].due <= g.turns:
            count += 1
    return count > 0


@jit
def is_at_objective(g: Any, u: Any, inches: Any) -> Any:
    """True for a unit whose centre lies within so many inches of the spot fought for."""
    dx, dy = u.x - g.objective_x, u.y - g.objective_y
    return dx * dx + dy * dy <= inches * inches
