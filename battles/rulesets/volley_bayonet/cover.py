"""Ground at a stand's place: under its base, works before it, contours (VBW-TER, VBW-DEF-16)."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.dtypes import FIELDWORK, REDOUBT, STOCKADE
from battles.engine.geometry import COS, SIN, find_crossing
from battles.engine.ground import code_at as code_at
from battles.rulesets.volley_bayonet.bases import front_x, front_y, half_depth, half_width
from battles.rulesets.volley_bayonet.records import FOREST, WOODS

#: Inches within which a base touches the inner side of works (VBW-MOR-12).
AT_WORKS = 1.0


@jit
def kind_at(g: Any, x: Any, y: Any) -> Any:
    """Kind of ground at a spot."""
    return g.going[code_at(g, x, y)].kind_


@jit
def height_of(g: Any, u: Any) -> Any:
    """The contour a stand is on: that of its front-edge centre (VBW-DEF-16)."""
    return g.going[code_at(g, front_x(g, u), front_y(g, u))].height


@jit
def touches_kind(g: Any, u: Any, kind: Any, other: Any) -> Any:
    """True when some part of a base lies on either kind of ground: corners, edge middles and the centre."""
    s, c = SIN[u.face], COS[u.face]
    w, h = half_width(g, u), half_depth(g, u)
    for k in range(9):
        right, ahead = (k % 3 - 1) * w, (k // 3 - 1) * h
        found = kind_at(g, u.x + right * c + ahead * s, u.y - right * s + ahead * c)
        if found in (kind, other):
            return True
    return False


@jit
def in_woods(g: Any, u: Any) -> Any:
    """True when woods save a stand from small arms (VBW-SAV-03, VBD-SAV-03)."""
    if g.growth == 0:
        return False
    return touches_kind(g, u, WOODS, FOREST if g.o.save_in_forest == 1 else WOODS)


@jit
def behind_works(g: Any, u: Any, x: Any, y: Any) -> Any:
    """True when fortified works lie between a stand at their inner side and someone at a spot.

    Buildings do not count, nor do fences and walls (VBW-MOR-12, VBW-SAV-05).
    """
    for k in range(g.works_n):
        w = g.works[k]
        if w.kind_ not in (FIELDWORK, STOCKADE, REDOUBT):
            continue
        share = find_crossing(u.x, u.y, x, y, w.x0, w.y0, w.x1, w.y1)
        if share < 0.0:
            continue
        dx, dy = (x - u.x) * share, (y - u.y) * share
        reach = half_width(g, u) if half_width(g, u) > half_depth(g, u) else half_depth(g, u)
        if dx * dx + dy * dy <= (reach + AT_WORKS) * (reach + AT_WORKS):
            return True
    return False
