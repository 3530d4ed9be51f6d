"""Writes the ground into a state record: cells, structures, works, ways over water. No numba here.

A cell is an inch of ground or more where the table is larger than the layout (`cells.py`).
"""

from typing import Any

import numpy as np

from battles.engine.cells import Cells, Grid, Marks, lie_of
from battles.engine.dtypes import (
    ALIKE,
    BITS,
    BUILDING,
    CLEAR,
    EVEN,
    FENCE,
    FULL,
    GOINGS,
    IN_COLUMN,
    MANY,
    NEAR_WORK,
    STREAM,
    WALL,
    WORKLESS,
    WORKS_AFTER,
    WORKS_BEFORE,
    AwiRecordSize,
)
from battles.engine.survey import GroundSpot, Structure, Survey, Terrain, survey_ground
from battles.errors import BattleFileError
from battles.files.schema import BattleGround

#: Cells to which the distance to woods and heights is told.
FARTHEST_CLEAR = 24


def table_write(g: Any, width: float, depth: float, rows: int, columns: int) -> None:
    """Write a table of that many inches with one kind of ground, in at most so many cells."""
    g.width, g.depth = width, depth
    g.cell = max(1.0, width / columns, depth / rows)
    # a rounding may make one more of them than there is room for
    g.columns = min(max(1, int(-(-width // g.cell))), columns)
    g.rows = min(max(1, int(-(-depth // g.cell))), rows)
    g.cells_per_inch = 1.0 / g.cell
    g.goings_n = 1


def plain_write(g: Any, width: float, depth: float, size: AwiRecordSize | None = None) -> None:
    """Write an open, level table of that many inches; the cells of `size`, else of g's own layout."""
    rows, columns = g.ground.shape if size is None else (size.rows, size.columns)
    table_write(g, width, depth, rows, columns)
    g.plain = 1
    g.cost[0, :] = 1.0


def raster_write(g: Any, ground: BattleGround, terrain: Terrain, size: AwiRecordSize | None = None) -> None:
    """Write a table with all that lies on it (AWI-T-TER-01 to 11).

    Raises BattleFileError when there are more kinds of ground than codes.
    """
    plain_write(g, ground.width, ground.depth, size)
    found = survey_ground(ground, terrain)
    for structure in found.structures:
        _structure_write(g, structure)
    lines_write(g, found)
    for e, gate in zip(g.gates, found.gates, strict=False):
        e.structure, e.pieces = gate.structure, gate.pieces
    if ground.features:
        _cells_write(g, ground, found, terrain)


def lines_write(g: Any, found: Survey, inch: float = 1.0) -> None:
    """Write all works, bridges and fords, in records of so many inches to one of the file.

    Here no bridge falls: a ruleset whose bridges do says of what structures they are.
    """
    for work in found.works:
        (x0, y0), (x1, y1) = work.start, work.end
        k = work_add(g, work.kind, x0 * inch, y0 * inch, x1 * inch, y1 * inch, work.structure)
        g.works[k].gate = work.gate
    for gate in found.gates:
        e, where = g.gates[int(g.gates_n)], gate.ground
        e.kind_, e.structure = gate.kind, -1
        e.x, e.y, e.heading = where.x * inch, where.y * inch, int(where.heading)
        e.half_width, e.half_length = where.half_width * inch, where.half_depth * inch
        g.gates_n += 1


def goings_verify(count: int, rule: str) -> None:
    """Raise BattleFileError, under that rule, when there are more combinations of ground than codes."""
    if count > GOINGS:
        raise BattleFileError(
            rule,
            f"The ground has {count} different combinations; the most is {GOINGS}. Leave some out.",
            "ground.features",
        )


def structure_add(g: Any, kind: int, sp: int, full: int, *, feature: int = -1) -> int:
    """Add a structure and return its place; fences and walls cannot be shot at (AWI-T-FOR-02)."""
    k = int(g.structures_n)
    s = g.structures[k]
    s.kind_, s.sp, s.sp_full, s.sp_start = kind, sp, full, sp
    s.solid = int(kind not in (FENCE, WALL))
    s.feature = feature
    g.structures_n = k + 1
    if kind == BUILDING:
        g.buildings_n = k + 1
    return k


def _structure_write(g: Any, found: Structure) -> None:
    k = structure_add(g, found.kind, found.sp, found.full, feature=found.feature)
    s = g.structures[k]
    s.capacity = found.capacity
    if found.ground is not None:
        s.x, s.y, s.face, s.half_width, s.half_depth = found.ground


def work_add(g: Any, kind: int, x0: float, y0: float, x1: float, y1: float, structure: int) -> int:
    """Add one straight work of a structure (-1 for a stream's) and return its place."""
    k = int(g.works_n)
    w = g.works[k]
    w.x0, w.y0, w.x1, w.y1, w.kind_ = x0, y0, x1, y1, kind
    w.low_x, w.high_x = min(x0, x1), max(x0, x1)
    w.low_y, w.high_y = min(y0, y1), max(y0, y1)
    w.structure = -1 if kind == STREAM else structure
    w.gate = -1
    g.works_n = k + 1
    return k


def find_fallen_spot(spot: GroundSpot, *, building: bool) -> GroundSpot | None:
    """The ground of a spot after the bridge or building on it falls; None when it stays as it is.

    A building is rubble: rough ground with soft cover (AWI-T-FOR-02). Under a bridge is water.
    """
    if spot.water == 2:
        return GroundSpot(height=spot.height, water=1)
    if building and spot.water == 0:
        return GroundSpot(height=spot.height, grade=spot.grade, rough=1, rubble=1)
    return None


def _cells_write(g: Any, ground: BattleGround, found: Survey, terrain: Terrain) -> None:
    cells, spots, under = lie_of(ground, found, (int(g.rows), int(g.columns)), float(g.cell))
    becomes = [find_fallen_spot(spot, building=place in under) for place, spot in enumerate(spots)]
    codes = {spot: code for code, spot in enumerate(spots)}
    for spot in becomes:
        if spot is not None:
            codes.setdefault(spot, len(codes))
    goings_verify(len(codes), "AWI-T-TER-03")
    g.ground[: g.rows, : g.columns] = cells
    g.goings_n = len(codes)
    for spot, code in codes.items():
        _going_write(g, code, spot, terrain)
    for code, after in enumerate(becomes):
        g.going[code].fallen = codes[after] if after is not None else 0
    _summary_write(g, list(codes), len(spots))
    _clear_write(g)
    _alike_write(g)


def _clear_write(g: Any) -> None:
    """Say how far every cell is from woods and heights, so that lines of sight skip what is open."""
    codes = np.asarray(g.ground[: g.rows, : g.columns])
    open_here = (g.going["wood"][codes] == 0) & (g.going["height"][codes] == 0)
    _known_write(g, CLEAR, _measure_marked_reach(open_here))


def _alike_write(g: Any) -> None:
    """Say how far round every cell going costs the same, so that ways are reckoned in longer steps."""
    codes = np.asarray(g.ground[: g.rows, : g.columns])
    used = slice(int(g.goings_n))
    going = np.column_stack((g.cost[used], g.going["road"][used], g.going["water"][used]))
    for k in range(IN_COLUMN + 1):
        _, kinds = np.unique(going[:, k] if k < IN_COLUMN else going, axis=0, return_inverse=True)
        _known_write(g, ALIKE + k * BITS, _measure_marked_reach(_same_around(kinds.reshape(-1)[codes])))


def _known_write(g: Any, place: int, known: Cells, most: int = FULL) -> None:
    """Write one part of what is known of every cell."""
    cells = g.known[: g.rows, : g.columns]
    cells &= ~(most << place)
    cells |= known << place


def _measure_marked_reach(marks: Marks) -> Any:
    """Cells on every side of a marked cell within which all are marked, itself counted; 0 for others."""
    reach = marks.astype(np.int64)
    for _ in range(FARTHEST_CLEAR - 1):
        if not marks.any():
            break
        wide = marks.copy()
        wide[1:] &= marks[:-1]
        wide[:-1] &= marks[1:]
        marks = wide.copy()
        marks[:, 1:] &= wide[:, :-1]
        marks[:, :-1] &= wide[:, 1:]
        reach += marks
    return reach


def even_write(g: Any) -> None:
    """Say how far every cell is from ground that costs, from works and structures, once all are written.

    Units move over even ground without looking at every spot of it.
    """
    grid = Grid(int(g.rows), int(g.columns), float(g.cell))
    codes = np.asarray(g.ground[: g.rows, : g.columns])
    free = np.asarray((g.cost == 1.0).all(axis=1) & (g.going["water"] == 0))
    uneven = ~free[codes]
    margin = float(g.cell)
    for w in g.works[: g.works_n]:
        uneven |= grid.mark_near(((float(w.x0), float(w.y0)), (float(w.x1), float(w.y1))), margin)
    for s in g.structures[: g.structures_n]:
        if s.half_width > 0.0:
            far = float(s.half_width + s.half_depth)
            uneven |= grid.mark_near(((float(s.x), float(s.y)), (float(s.x), float(s.y))), far + margin)
    _known_write(g, EVEN, _measure_marked_reach(~uneven))
    _works_near_write(g)


def _works_near_write(g: Any) -> None:
    """Say how far every cell is from the frames of works and which are near it, to look at few of them."""
    count = int(g.works_n)
    free = np.ones((int(g.rows), int(g.columns)), dtype=np.bool_)
    before, after = np.full(free.shape, count), np.full(free.shape, count)
    for k, w in enumerate(g.works[:count]):
        free[_cells_of_work(g, w, 0.0)] = False
        near = _cells_of_work(g, w, NEAR_WORK)
        before[near] = np.minimum(before[near], k)
        after[near] = count - k - 1
    _known_write(g, WORKLESS, _measure_marked_reach(free))
    _known_write(g, WORKS_BEFORE, before, MANY)
    _known_write(g, WORKS_AFTER, after, MANY)


def _cells_of_work(g: Any, w: Any, margin: float) -> tuple[slice, slice]:
    """Rows and columns of the cells of a work's frame, made larger by a margin, as `cell_at` reckons them."""
    spans = []
    for low, high, count in ((w.low_y, w.high_y, g.rows), (w.low_x, w.high_x, g.columns)):
        first, last = (int(edge * g.cells_per_inch) for edge in (low - margin, high + margin))
        most = int(count) - 1
        spans.append(slice(min(max(first, 0), most), min(max(last, 0), most) + 1))
    return spans[0], spans[1]


def _same_around(kinds: Cells) -> Marks:
    """Cells all of whose neighbours are of their own kind."""
    rows, columns = kinds.shape
    wide = np.pad(kinds, 1, mode="edge")
    same = np.ones_like(kinds, dtype=bool)
    for row in range(3):
        for column in range(3):
            same &= wide[row : row + rows, column : column + columns] == kinds
    return same


def _going_write(g: Any, code: int, spot: GroundSpot, terrain: Terrain) -> None:
    e = g.going[code]
    e.wood, e.height, e.slope, e.water = spot.wood, spot.height, spot.grade, spot.water
    e.road = int(spot.road > 0)
    e.soft = int(spot.wood > 0 or spot.rubble > 0)
    g.cost[code, :] = terrain.costs(spot)


def _summary_write(g: Any, spots: list[GroundSpot], lying: int) -> None:
    """Write flags that say whether there is anything to look up; `lying` codes lie on the table."""
    g.woods = int(any(spot.wood for spot in spots))
    g.hills = int(any(spot.height for spot in spots))
    costs = g.cost[: len(spots)]
    for k in range(4):
        g.bars[k] = int((costs[:, k] == 0.0).any() or (costs[:, k + 4] == 0.0).any())
    same = bool((costs[:lying] == 1.0).all()) and not any(spot.wood or spot.road for spot in spots)
    g.plain = int(same and not g.hills)
