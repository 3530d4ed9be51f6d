"""Works, buildings and obstacles: what they are to a charge and to fire (AWI-T-FOR, AWI-T-TER-11)."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.dtypes import (
    BUILDING,
    FIELDWORK,
    OVER_BUILDING,
    OVER_NOTHING,
    OVER_OBSTACLE,
    OVER_WORKS,
    REDOUBT,
    STOCKADE,
)
from battles.engine.ground import code_at, work_between, work_sp

#: SP from which a structure is a fortification (AWI-T-FOR-04).
FORTIFICATION_SP = 9


@jit
def cover_factor(sp: Any) -> Any:
    """Fire factor of a structure's SP (AWI-T-FOR-03, AWI-T-FIR-11)."""
    if sp >= 9:
        return -3
    if sp >= 5:
        return -2
    return -1 if sp >= 2 else 0


@jit
def is_fortification(g: Any, kind: Any, sp: Any) -> Any:
    """True for a structure that charges meet as a fortification (AWI-T-FOR-04)."""
    if g.o.works_by_kind == 1:
        return kind in (REDOUBT, FIELDWORK, STOCKADE)
    return sp >= FORTIFICATION_SP


@jit
def barrier(g: Any, px: Any, py: Any, i: Any) -> Any:
    """What someone at (px, py) must charge over to reach unit i: one of the OVER_ kinds."""
    s = g.u[i].inside
    if s >= 0:
        return OVER_WORKS if is_fortification(g, BUILDING, g.structures[s].sp) else OVER_BUILDING
    k = work_between(g, px, py, i)
    if k < 0:
        return OVER_NOTHING
    return OVER_WORKS if is_fortification(g, g.works[k].kind_, work_sp(g, k)) else OVER_OBSTACLE


@jit
def shelter(g: Any, px: Any, py: Any, i: Any) -> Any:
    """Fire factor of the best cover of unit i against a shot from (px, py) (AWI-T-FIR-11)."""
    u = g.u[i]
    if u.inside >= 0:
        return -2 if g.o.building_flat == 1 else cover_factor(g.structures[u.inside].sp)
    k = work_between(g, px, py, i)
    best = cover_factor(work_sp(g, k)) if k >= 0 else 0
    if best == 0 and g.plain == 0 and g.going[code_at(g, u.x, u.y)].soft == 1:
        best = -1
    return best
