"""Works, buildings and obstacles: what they are to a charge and to fire (AWI-T-FOR, AWI-T-TER-11)."""

from typing import Any

from battles.engine.bases import is_effective
from battles.engine.compile import jit
from battles.engine.dtypes import (
    BUILDING,
    OVER_BUILDING,
    OVER_NOTHING,
    OVER_OBSTACLE,
    OVER_WORKS,
)
from battles.engine.ground import (
    FORTIFIED_KINDS,
    code_at,
    find_work_crossing,
    near_work,
    rewrite_fallen_ground,
    within_inch,
    work_between,
    work_sp,
)
from battles.engine.recording import R_NONE, STRUCTURE_FALLS, STRUCTURE_HIT, note_event, note_plain

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
        return kind in FORTIFIED_KINDS
    return sp >= FORTIFICATION_SP


@jit
def find_barrier(g: Any, px: Any, py: Any, i: Any) -> Any:
    """The work that someone at (px, py) must charge over to reach unit i: one of the OVER_ kinds."""
    s = g.u[i].inside
    if s >= 0:
        return OVER_WORKS if is_fortification(g, BUILDING, g.structures[s].sp) else OVER_BUILDING
    k = work_between(g, px, py, i, g.o.works_by_kind)
    if k < 0:
        return OVER_NOTHING
    return OVER_WORKS if is_fortification(g, g.works[k].kind_, work_sp(g, k)) else OVER_OBSTACLE


@jit
def shelter_factor(g: Any, px: Any, py: Any, i: Any) -> Any:
    """Fire factor of the best cover of unit i against a shot from (px, py) (AWI-T-FIR-11)."""
    u = g.u[i]
    if u.inside >= 0:
        return -2 if g.o.building_flat == 1 else cover_factor(g.structures[u.inside].sp)
    k = work_between(g, px, py, i, 0)
    best = cover_factor(work_sp(g, k)) if k >= 0 else 0
    if best == 0 and g.plain == 0 and g.going[code_at(g, u.x, u.y)].soft == 1:
        best = -1
    return best


@jit
def find_shelter(g: Any, px: Any, py: Any, i: Any) -> Any:
    """(structure, x, y, half width, half depth) that a ball from (px, py) at unit i strikes (AWI-T-FOR-02).

    The building it is in, else a piece of works in the way, where the line crosses it; -1 for neither.
    Fences, walls and streams are no structures that guns harm.
    """
    u = g.u[i]
    if u.inside >= 0:
        b = g.structures[u.inside]
        return u.inside, b.x, b.y, b.half_width, b.half_depth
    k = work_between(g, px, py, i, 0) if g.works_n > 0 else -1
    s = g.works[k].structure if k >= 0 else -1
    if s < 0 or g.structures[s].solid == 0:
        return -1, 0.0, 0.0, 0.0, 0.0
    share = find_work_crossing(g, k, u.x, u.y, px, py)
    return s, u.x + (px - u.x) * share, u.y + (py - u.y) * share, 0.0, 0.0


@jit
def stands_at(g: Any, i: Any, s: Any) -> Any:
    """True for unit i in structure s, within its walls, or within an inch of one of them."""
    u = g.u[i]
    if u.inside == s:
        return True
    low_x, high_x, low_y, high_y = u.x, u.x, u.y, u.y
    for k in range(g.works_n):
        w = g.works[k]
        if w.structure != s:
            continue
        if near_work(u, w) and within_inch(u, w):
            return True
        low_x, high_x = min(low_x, w.low_x), max(high_x, w.high_x)
        low_y, high_y = min(low_y, w.low_y), max(high_y, w.high_y)
    return low_x < u.x and u.x < high_x and low_y < u.y and u.y < high_y


@jit
def is_manned(g: Any, side: Any, s: Any) -> Any:
    """True when a unit of a side that does not rout stands at structure s."""
    manned = False
    for i in range(g.n):
        if g.u[i].side == side and is_effective(g.u[i]):
            manned = manned or stands_at(g, i, s)
    return manned


@jit
def bring_down_structure(g: Any, s: Any) -> None:
    """Bring a structure to 0 SP: it is no obstacle any more, who was inside stands in the open."""
    g.structures[s].sp = 0
    note_plain(g, STRUCTURE_FALLS, -1, s)
    for i in range(g.n):
        if g.u[i].inside == s:
            g.u[i].inside = -1
    rewrite_fallen_ground(g, s)


@jit
def hit_structure(g: Any, s: Any) -> None:
    """Take an SP off a structure; its cover falls with it (AWI-T-FOR-02, AWI-T-FOR-03)."""
    b = g.structures[s]
    if b.sp <= 0:
        return
    b.sp -= 1
    note_event(g, STRUCTURE_HIT, -1, s, 0, 0, 0, b.sp, R_NONE)
    if b.sp == 0:
        bring_down_structure(g, s)
