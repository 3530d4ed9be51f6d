"""Ground laid by hand for tests of the rules: cells, works and buildings where a case needs them."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from battles.engine.dtypes import BUILDING, FENCE, LINE, STREAM
from battles.engine.raster import structure_add, work_add
from battles.ground.shapes import ON_EDGE, Point, gap2_to

#: Works a place may have.
FORTIFICATIONS = ("none", "fieldworks", "stockade", "fort", "fortress")

#: Inches of allowance an inch costs close foot, open foot, horse and wheels (AWI-T-TER-01).
ROUGH = (1.5, 1.0, 1.5, 3.0)
STEEP = (3.0, 1.5, 3.0, 0.0)
OPEN_WOODS = (1.5, 1.0, 1.5, 1.5)
DENSE_WOODS = (3.0, 1.5, 0.0, 0.0)
SWAMP = (1.5, 1.0, 0.0, 0.0)
WATER = (0.0, 0.0, 0.0, 0.0)
LEVEL = (1.0, 1.0, 1.0, 1.0)


def is_near_course(course: Sequence[Point], point: Point, inches: float) -> bool:
    """True when a point lies within so many inches of a course, measured leg by leg."""
    reach = (inches + ON_EDGE) ** 2
    return any(gap2_to(point, p, q) <= reach for p, q in pairwise(course))


def lay(
    g: Any,
    costs: tuple[float, ...],
    near: float = 0,
    far: float = 96,
    left: float = 0,
    right: float = 160,
    **going: int,
) -> int:
    """Cells from `near` to `far` and `left` to `right` inches become one new kind of ground; its code.

    `going` sets fields of the kind; with `road` a column pays as on open ground.
    """
    code = int(g.goings_n)
    g.goings_n = code + 1
    g.plain = 0
    g.cost[code, :4] = costs
    g.cost[code, 4:] = LEVEL if going.get("road") or going.get("water") == 2 else costs
    for name, value in going.items():
        setattr(g.going[code], name, value)
    for k, cost in enumerate(costs):
        if cost == 0.0:
            g.bars[k] = 1
    g.woods = max(int(g.woods), int(going.get("wood", 0) > 0))
    g.hills = max(int(g.hills), int(going.get("height", 0) > 0))
    inches = float(g.cell)
    rows = slice(int(near / inches), min(int(far / inches), int(g.rows)))
    g.ground[rows, int(left / inches) : min(int(right / inches), int(g.columns))] = code
    return code


def fence(g: Any, y: float, left: float = 0, right: float = 96, kind: int = FENCE) -> int:
    """A fence across the table, or another work."""
    return work_add(g, kind, left, y, right, y, -1 if kind == STREAM else structure_add(g, kind, 3, 3))


def stream(g: Any, y: float, left: float = 0, right: float = 96) -> int:
    """A stream across the table."""
    return fence(g, y, left, right, STREAM)


def house(g: Any, x: float, y: float, face: int = 0, *, large: bool = False, sp: int = 4) -> int:
    """A building of 50 by 100 mm, or 100 by 100; its place among the structures (AWI-T-TER-10)."""
    k = structure_add(g, BUILDING, sp, sp)
    b = g.structures[k]
    b.capacity = 2 if large else 1
    b.x, b.y, b.face = x, y, face
    b.half_width, b.half_depth = 50 / 25.4, (50 if large else 25) / 25.4
    return k


def inside(g: Any, i: int, s: int, ahead: float = 0.0) -> None:
    """Put a unit into a building, `ahead` inches before its centre."""
    b, u = g.structures[s], g.u[i]
    u.inside, u.x, u.y, u.face, u.form = s, b.x, b.y + ahead, b.face, LINE


def woods(g: Any, wood: int, near: float, far: float) -> int:
    """Woods of a kind right across the table."""
    return lay(g, LEVEL, near, far, wood=wood, soft=1)


def hill(g: Any, near: float, far: float, height: int = 1) -> int:
    """A ridge right across the table."""
    return lay(g, LEVEL, near, far, height=height)


def field_work(g: Any, kind: int, sp: int, *, y: float, left: float = 30.0, right: float = 66.0) -> int:
    """A straight work of a structure of that SP; its place, -1 for a stream."""
    s = -1 if kind == STREAM else structure_add(g, kind, sp, sp)
    work_add(g, kind, left, y, right, y, s)
    return s
