"""Cavalry security: whose flanks and rear are covered (RTG-MIS-02)."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.geometry import turn_between
from battles.rulesets.volley_bayonet.cover import code_at
from battles.rulesets.volley_bayonet.records import HORSE, RIDERS, ROUTED
from battles.rulesets.volley_bayonet.rtg.bases import (
    BACK,
    LEFT,
    RIGHT,
    find_side_strip,
    is_skirmisher,
    lies_beside,
    touches_side,
)
from battles.rulesets.volley_bayonet.rtg.morale import is_foot
from battles.rulesets.volley_bayonet.rtg.tables import COVERED_WITHIN
from battles.rulesets.volley_bayonet.states import is_standing

#: Degrees between two facings from which stands are back to back.
OPPOSITE = 135


@jit
def can_cover_side(g: Any, j: Any, i: Any) -> Any:
    """True for a formed friend that can cover a side of stand i, one that has not routed."""
    b = g.u[j]
    formed = not is_skirmisher(b) and b.state != ROUTED
    return j != i and b.side == g.u[i].side and is_standing(b) and formed


@jit
def barred_beside(g: Any, i: Any, side: Any) -> Any:
    """True when the table ends on a side, or ground there is prohibited to cavalry."""
    x, y, _, _ = find_side_strip(g, i, side, COVERED_WITHIN)
    if x < 0.0 or y < 0.0 or x > g.width or y > g.depth:
        return True
    return g.going[code_at(g, x, y)].costs[RIDERS] == 0.0


@jit
def is_covered(g: Any, i: Any, side: Any) -> Any:
    """True when a side of stand i has a formed friend within an inch, or ground cavalry cannot use."""
    covered = barred_beside(g, i, side)
    for j in range(g.n):
        covered = covered or (can_cover_side(g, j, i) and lies_beside(g, i, j, side, COVERED_WITHIN))
    return covered


@jit
def back_to_back(g: Any, i: Any) -> Any:
    """True when the back of stand i touches that of other infantry of its side."""
    for j in range(g.n):
        if not can_cover_side(g, j, i) or not is_foot(g.u[j]):
            continue
        if abs(turn_between(g.u[i].face, g.u[j].face)) < OPPOSITE:
            continue
        if touches_side(g, i, j, BACK) and touches_side(g, j, i, BACK):
            return True
    return False


@jit
def is_secure(g: Any, i: Any) -> Any:
    """True for infantry that is cavalry-secure: back to back, or covered all round (RTG-MIS-02)."""
    if not is_foot(g.u[i]):
        return False
    if back_to_back(g, i):
        return True
    return is_covered(g, i, RIGHT) and is_covered(g, i, LEFT) and is_covered(g, i, BACK)


@jit
def note_security(g: Any) -> None:
    """Say of every stand whether it is secure in this morale step."""
    for i in range(g.n):
        g.u[i].secure = 1 if is_standing(g.u[i]) and is_secure(g, i) else 0


@jit
def is_asked(g: Any) -> Any:
    """True when anybody may ask who is secure: only against horse."""
    riders = 0
    for i in range(g.n):
        if g.u[i].class_ == HORSE and is_standing(g.u[i]):
            riders += 1
    return riders > 0
