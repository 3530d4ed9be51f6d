"""The ground under a unit and the lines before it: cover, favourable ground (REG-TER-01, REG-DEF-09)."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.dtypes import FENCE, FIELDWORK, REDOUBT, STOCKADE, STREAM, WALL
from battles.engine.geometry import find_crossing
from battles.engine.ground import code_at
from battles.rulesets.regimental.records import (
    FORTIFIED,
    FULL,
    NO_COVER,
    ON_OPEN,
    PARTIAL,
)

#: Inches from a unit's edge within which a line is before it.
AT_LINE = 1.0


@jit
def height_of(g: Any, u: Any) -> Any:
    """Contours above the plain under a unit's centre."""
    return g.going[code_at(g, u.x, u.y)].height if g.hills == 1 else 0


@jit
def in_growth(g: Any, u: Any) -> Any:
    """The growth at a unit's place: nothing, orchards or woods."""
    return g.going[code_at(g, u.x, u.y)].growth if g.growth == 1 else 0


@jit
def is_rough_here(g: Any, u: Any) -> Any:
    """True on broken or rough ground (REG-TRP-02, REG-TRP-03)."""
    if g.goings_n <= 1:
        return False
    e = g.going[code_at(g, u.x, u.y)]
    return e.going != ON_OPEN and e.water == 0


@jit
def is_work(kind: Any) -> Any:
    """True for what fortifies: fieldworks, stockades and redoubts."""
    return kind in (FIELDWORK, STOCKADE, REDOUBT)


@jit
def line_before(g: Any, k: Any, u: Any, x: Any, y: Any) -> Any:
    """True when line k runs close before a unit and what comes from a spot comes over it."""
    w = g.works[k]
    far = u.reach + AT_LINE
    if u.x < w.low_x - far or u.x > w.high_x + far or u.y < w.low_y - far or u.y > w.high_y + far:
        return False
    share = find_crossing(u.x, u.y, x, y, w.x0, w.y0, w.x1, w.y1)
    if share < 0.0:
        return False
    dx, dy = (x - u.x) * share, (y - u.y) * share
    return dx * dx + dy * dy <= far * far


@jit
def is_fortified(g: Any, u: Any, x: Any, y: Any) -> Any:
    """True when works lie close before a unit against a spot (REG-TER-01)."""
    found = False
    for k in range(g.works_n):
        found = found or (is_work(g.works[k].kind_) and line_before(g, k, u, x, y))
    return found


@jit
def has_linear_cover(g: Any, u: Any, x: Any, y: Any) -> Any:
    """True when a wall, fence or work lies close before a unit against a spot (REG-MAN-03)."""
    for k in range(g.works_n):
        kind = g.works[k].kind_
        if kind != STREAM and line_before(g, k, u, x, y):
            return True
    return False


@jit
def cover_from(g: Any, u: Any, x: Any, y: Any) -> Any:
    """The best cover a unit has from a spot: of its ground, its building or a line before it (REG-FIR-06)."""
    if u.inside >= 0:
        return FULL
    best = g.going[code_at(g, u.x, u.y)].cover if g.goings_n > 1 else NO_COVER
    for k in range(g.works_n):
        kind = g.works[k].kind_
        worth = NO_COVER
        if is_work(kind):
            worth = FORTIFIED
        elif kind == WALL:
            worth = FULL
        elif kind == STREAM:
            worth = PARTIAL
        if worth > best and line_before(g, k, u, x, y):
            best = worth
    return best


@jit
def is_favorable(g: Any, u: Any, x: Any, y: Any, height: Any) -> Any:
    """True when a unit charged from a spot of that height has favourable ground (REG-CHG-02, REG-TER-01)."""
    if u.inside >= 0:
        return True
    e = g.going[code_at(g, u.x, u.y)]
    if e.heart == 1 or (g.hills == 1 and e.height > height):
        return True
    for k in range(g.works_n):
        kind = g.works[k].kind_
        if (kind in (FENCE, WALL, STREAM)) and line_before(g, k, u, x, y):
            return True
    return False
