"""Writes the ground into a state record: cells, structures, works, ways over water. No numba here."""

from typing import Any

from battles.engine.dtypes import FENCE, STREAM, WALL


def plain_write(g: Any, width: float, depth: float) -> None:
    """Write an open, level table of that many inches."""
    g.width, g.depth = width, depth
    g.plain = 1
    g.cell = max(1.0, width / g.ground.shape[1], depth / g.ground.shape[0])
    g.columns = max(1, int(-(-width // g.cell)))
    g.rows = max(1, int(-(-depth // g.cell)))
    g.goings_n = 1
    g.cost[0, :] = 1.0


def structure_add(g: Any, kind: int, sp: int, full: int, *, feature: int = -1) -> int:
    """Add a structure and return its place; fences and walls cannot be shot at (AWI-T-FOR-02)."""
    k = int(g.structures_n)
    s = g.structures[k]
    s.kind_, s.sp, s.sp_full, s.sp_start = kind, sp, full, sp
    s.solid = int(kind not in (FENCE, WALL))
    s.feature = feature
    g.structures_n = k + 1
    return k


def work_add(g: Any, kind: int, x0: float, y0: float, x1: float, y1: float, structure: int) -> int:
    """Add one straight work of a structure (-1 for a stream's) and return its place."""
    k = int(g.works_n)
    w = g.works[k]
    w.x0, w.y0, w.x1, w.y1, w.kind_ = x0, y0, x1, y1, kind
    w.low_x, w.high_x = min(x0, x1), max(x0, x1)
    w.low_y, w.high_y = min(y0, y1), max(y0, y1)
    w.structure = -1 if kind == STREAM else structure
    g.works_n = k + 1
    return k
