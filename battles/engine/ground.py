"""Ground in play: going, heights, woods, lines of sight, works in the way.

The host writes the ground once as cells of codes (`raster.py`); kernels look codes up in small
tables. A code of 0 is open, level ground, and cells off the table are never asked for.
"""

import math
from typing import Any

from battles.engine.bases import HALF_DIAGONAL, half_depth, half_width, inside_table, is_clear_of_units
from battles.engine.compile import jit
from battles.engine.dtypes import (
    BRIDGE,
    BUILDING,
    CLEAR,
    COLUMN,
    DENSE_WOODS,
    EVEN,
    FIELDWORK,
    FULL,
    LIMBERED,
    MANY,
    NEAR_WORK,
    NO_WOOD,
    ON_TABLE,
    OPEN_WOODS,
    REDOUBT,
    STOCKADE,
    WORKLESS,
    WORKS_AFTER,
    WORKS_BEFORE,
)
from battles.engine.geometry import COS, SIN, find_crossing, is_overlapping, ray_hits
from battles.engine.recording import MOVE, R_NONE, note_event

#: Inches between the spots of a line that are looked at, in cells.
STRIDE = 0.5
#: Works that are fortifications by their kind, and what puts them before all others (AWI-T-FOR-04).
FORTIFIED_KINDS, FORTIFIED_FIRST = (FIELDWORK, STOCKADE, REDOUBT), 1000


@jit
def cell_at(g: Any, x: Any, y: Any) -> Any:
    """(row, column) of the cell at a spot; spots off the table count as the cell nearest to them."""
    column, row = int(x * g.cells_per_inch), int(y * g.cells_per_inch)
    if column < 0:
        column = 0
    elif column >= g.columns:
        column = g.columns - 1
    if row < 0:
        row = 0
    elif row >= g.rows:
        row = g.rows - 1
    return row, column


@jit
def code_at(g: Any, x: Any, y: Any) -> Any:
    """Code of the cell at a spot."""
    row, column = cell_at(g, x, y)
    return g.ground[row, column]


@jit
def unpack_known_cells(g: Any, row: Any, column: Any, place: Any) -> Any:
    """One of the numbers of cells known of a cell, CLEAR to ALIKE."""
    return (g.known[row, column] >> place) & FULL


@jit
def even_around(g: Any, x: Any, y: Any, inches: Any) -> Any:
    """True when it is known that nothing within so many inches costs, bars or is in the way."""
    row, column = cell_at(g, x, y)
    return (unpack_known_cells(g, row, column, EVEN) - 1) * g.cell >= inches


@jit
def no_work_near(g: Any, x: Any, y: Any, inches: Any) -> Any:
    """True when it is known that no work's frame comes within so many inches of a spot along x and y."""
    if g.works_n == 0:
        return True
    row, column = cell_at(g, x, y)
    return (unpack_known_cells(g, row, column, WORKLESS) - 1) * g.cell > inches + 1.0e-6


@jit
def height_at(g: Any, x: Any, y: Any) -> Any:
    """Contours above the plain (AWI-T-TER-04)."""
    return g.going[code_at(g, x, y)].height if g.hills == 1 else 0


@jit
def wood_at(g: Any, x: Any, y: Any) -> Any:
    """Kind of woods at a spot (AWI-T-TER-06)."""
    return g.going[code_at(g, x, y)].wood if g.woods == 1 else NO_WOOD


@jit
def pace_at(g: Any, u: Any, x: Any, y: Any) -> Any:
    """Inches of allowance one inch costs a unit at a spot, 0.0 where it cannot go (AWI-T-TER-01).

    A column on a road pays for the road, not for what it runs through (AWI-T-TER-09).
    """
    if g.plain == 1:
        return 1.0
    on_road = 4 if u.form == COLUMN or u.form == LIMBERED else 0
    return g.cost[code_at(g, x, y), u.going + on_road]


@jit
def keeps_road(g: Any, u: Any, code: Any) -> Any:
    """True for a column, limbered gun or wagon whose middle is on a road or bridge (AWI-T-TER-09)."""
    if u.form != COLUMN and u.form != LIMBERED:
        return False
    return g.going[code].road == 1 or g.going[code].water == 2


@jit
def can_stand(g: Any, i: Any, x: Any, y: Any, face: Any, width: Any, depth: Any) -> Any:
    """True when no part of a rectangle for unit i lies on ground or in a building that bars it.

    Corners, edge middles and the centre are looked at: what slips between is narrower than a base.
    Of a column on a road or bridge its middle line alone, so that it need not stand dead straight.
    """
    if even_around(g, x, y, HALF_DIAGONAL):
        return True
    u = g.u[i]
    if g.bars[u.going] == 1:
        s, c = SIN[face], COS[face]
        for k in range(3):
            mx, my = x + (k - 1) * depth * s, y + (k - 1) * depth * c
            if pace_at(g, u, mx, my) == 0.0:
                return False
            if keeps_road(g, u, code_at(g, mx, my)):
                continue
            if pace_at(g, u, mx + width * c, my - width * s) == 0.0:
                return False
            if pace_at(g, u, mx - width * c, my + width * s) == 0.0:
                return False
    for k in range(g.buildings_n):
        b = g.structures[k]
        if b.kind_ != BUILDING or b.sp <= 0 or u.inside == k:
            continue
        dx, dy = b.x - x, b.y - y
        if dx * dx + dy * dy > 25.0:
            continue
        if is_overlapping(x, y, face, width, depth, b.x, b.y, b.face, b.half_width, b.half_depth):
            return False
    return True


@jit
def has_room_at(g: Any, i: Any, x: Any, y: Any, face: Any, width: Any, depth: Any, but: Any) -> Any:
    """True when a rectangle for unit i is free of others, unit `but` left out, and may stand there."""
    return is_clear_of_units(g, i, x, y, face, width, depth, but) and can_stand(
        g, i, x, y, face, width, depth
    )


@jit
def work_sp(g: Any, k: Any) -> Any:
    """SP of the structure a work belongs to; 0 for a stream, which has none."""
    s = g.works[k].structure
    return g.structures[s].sp if s >= 0 else 0


@jit
def gate_open(g: Any, k: Any) -> Any:
    """True for a ford, and for a bridge of which no piece has fallen (AWI-T-FOR-01)."""
    e = g.gates[k]
    down = 0
    for s in range(e.structure, e.structure + e.pieces):
        down += 1 if g.structures[s].sp <= 0 else 0
    return down == 0


@jit
def find_work_crossing(g: Any, k: Any, px: Any, py: Any, qx: Any, qy: Any) -> Any:
    """The share of the way from p to q at which it crosses work k; -1.0 when it does not.

    A work that has been shot or pulled down is not in the way any more, nor is a stream under a bridge
    that stands.
    """
    w = g.works[k]
    if (px < w.low_x and qx < w.low_x) or (px > w.high_x and qx > w.high_x):
        return -1.0
    if (py < w.low_y and qy < w.low_y) or (py > w.high_y and qy > w.high_y):
        return -1.0
    if w.structure >= 0 and g.structures[w.structure].sp <= 0:
        return -1.0
    if w.gate >= 0 and gate_open(g, w.gate):
        return -1.0
    return find_crossing(px, py, qx, qy, w.x0, w.y0, w.x1, w.y1)


@jit
def near_work(u: Any, w: Any) -> Any:
    """True when a work may be within an inch of a unit at all."""
    if u.x < w.low_x - NEAR_WORK or u.x > w.high_x + NEAR_WORK:
        return False
    return u.y >= w.low_y - NEAR_WORK and u.y <= w.high_y + NEAR_WORK


@jit
def within_inch(u: Any, w: Any) -> Any:
    """True when the line of work w runs within an inch of unit u (AWI-T-TER-11)."""
    # distance of the work's line from the unit's centre, against the unit's reach to it and an inch
    dx, dy = w.x1 - w.x0, w.y1 - w.y0
    s, c = SIN[u.face], COS[u.face]
    across = abs((u.x - w.x0) * dy - (u.y - w.y0) * dx)
    reach = half_depth(u) * abs(dy * s - dx * c) + half_width(u) * abs(dy * c + dx * s)
    return across <= reach + math.sqrt(dx * dx + dy * dy)


@jit
def work_between(g: Any, px: Any, py: Any, i: Any, by_kind: Any) -> Any:
    """The work that someone at (px, py) must shoot or charge over to reach unit i, or -1.

    The work must lie before the unit: within an inch of its near face (AWI-T-TER-11). Of several the
    one with the most SP counts; `by_kind` of 1 puts works of a fortified kind first (AWI-T-FOR-04).
    """
    u = g.u[i]
    best, most = -1, -1
    row, column = cell_at(g, u.x, u.y)
    near = g.known[row, column]
    for k in range((near >> WORKS_BEFORE) & MANY, g.works_n - ((near >> WORKS_AFTER) & MANY)):
        w = g.works[k]
        if not near_work(u, w):
            continue
        worth = work_sp(g, k)
        if by_kind == 1 and w.kind_ in FORTIFIED_KINDS:
            worth += FORTIFIED_FIRST
        if worth <= most or find_work_crossing(g, k, u.x, u.y, px, py) < 0.0:
            continue
        if within_inch(u, w):
            best, most = k, worth
    return best


@jit
def wood_around(g: Any, x: Any, y: Any, face: Any, width: Any, depth: Any) -> Any:
    """The woods a rectangle lies wholly in, by its centre; NO_WOOD if a corner stands outside."""
    if g.woods == 0:
        return NO_WOOD
    s, c = SIN[face], COS[face]
    for k in range(4):
        right = width if k % 2 == 0 else -width
        ahead = depth if k < 2 else -depth
        if wood_at(g, x + right * c + ahead * s, y - right * s + ahead * c) == NO_WOOD:
            return NO_WOOD
    return wood_at(g, x, y)


@jit
def is_sight_open(g: Any, fx: Any, fy: Any, tx: Any, ty: Any, hides: Any, inside: Any) -> Any:
    """True when the ground leaves the line from f to t open (AWI-T-FIR-02, AWI-T-TER-07).

    Ground higher than both ends bars it, so does a building (but the one the target is `inside`), and
    so do woods deeper than a target that hides as well as this one can be seen through them; `hides`
    of -1 is one that has shown itself, whom woods do not hide. Works and streams bar nothing (ours).
    """
    for k in range(g.buildings_n):
        b = g.structures[k]
        if b.kind_ != BUILDING or b.sp <= 0 or k == inside:
            continue
        # most stand far to one side of the line
        far = b.half_width + b.half_depth
        if max(fx, tx) < b.x - far or min(fx, tx) > b.x + far:
            continue
        if max(fy, ty) < b.y - far or min(fy, ty) > b.y + far:
            continue
        if ray_hits(fx, fy, tx, ty, b.x, b.y, b.face, b.half_width, b.half_depth):
            return False
    if g.hills == 0 and (g.woods == 0 or hides < 0):
        return True
    row, column = cell_at(g, (fx + tx) / 2.0, (fy + ty) / 2.0)
    if max(abs(tx - fx), abs(ty - fy)) / 2.0 < (unpack_known_cells(g, row, column, CLEAR) - 1) * g.cell:
        return True  # neither woods nor heights on the whole line
    if fx > tx or (fx == tx and fy > ty):
        # the same spots are looked at from either end, so whoever sees is seen
        fx, fy, tx, ty = tx, ty, fx, fy
    dx, dy = tx - fx, ty - fy
    length = math.sqrt(dx * dx + dy * dy)
    steps = int(length / (g.cell * STRIDE)) + 1
    top = height_at(g, fx, fy)
    if height_at(g, tx, ty) > top:
        top = height_at(g, tx, ty)
    thick, step = 0.0, length / steps
    k = 1
    while k < steps:
        share = k / steps
        row, column = cell_at(g, fx + dx * share, fy + dy * share)
        clear = unpack_known_cells(g, row, column, CLEAR)
        if clear > 1:
            # nothing that bars lies on the next spots, which are less than half a cell apart
            k += 2 * clear - 2
            continue
        k += 1
        spot = g.going[g.ground[row, column]]
        if spot.height > top:
            return False
        if spot.wood == OPEN_WOODS and hides >= 0:
            thick += step / g.o.open_seen[hides]
        elif spot.wood == DENSE_WOODS and hides >= 0:
            thick += step / g.o.dense_seen[hides]
        if thick > 1.0:
            return False
    return True


@jit
def rewrite_cells(g: Any, x: Any, y: Any, face: Any, width: Any, depth: Any, water: Any) -> None:
    """Rewrite the cells of that `water` in a rectangle, once the structure on them has fallen."""
    reach = math.sqrt(width * width + depth * depth)
    s, c = SIN[face], COS[face]
    for row in range(max(0, int((y - reach) / g.cell)), min(g.rows, int((y + reach) / g.cell) + 1)):
        for column in range(max(0, int((x - reach) / g.cell)), min(g.columns, int((x + reach) / g.cell) + 1)):
            dx, dy = (column + 0.5) * g.cell - x, (row + 0.5) * g.cell - y
            if abs(dx * c - dy * s) > width + 1.0e-9 or abs(dx * s + dy * c) > depth + 1.0e-9:
                continue
            now = g.going[g.ground[row, column]]
            if now.water == water and now.fallen > 0:
                g.ground[row, column] = now.fallen
                g.ground_changed, g.plain = 1, 0


@jit
def to_bank(g: Any, i: Any, k: Any) -> None:
    """Set a unit that stood on a bridge down on the nearer bank where there is room (our ruling)."""
    u, e = g.u[i], g.gates[k]
    s, c = SIN[e.heading], COS[e.heading]
    ahead = (u.x - e.x) * s + (u.y - e.y) * c
    near = 1.0 if ahead >= 0.0 else -1.0
    for n in range(48):
        way = (near if n % 2 == 0 else -near) * (e.half_length + half_depth(u) + 0.5 * (n // 2))
        x, y = e.x + s * way, e.y + c * way
        if inside_table(g, x, y) and has_room_at(g, i, x, y, u.face, half_width(u), half_depth(u), -1):
            u.x, u.y = x, y
            note_event(g, MOVE, i, -1, 0, 0, 0, int(abs(way - ahead) * 100.0), R_NONE)
            return


@jit
def rewrite_fallen_ground(g: Any, s: Any) -> None:
    """Write the ground again after structure s has come to 0 SP (AWI-T-FOR-01, AWI-T-FOR-02).

    A building is rubble, under a bridge is water, works are simply not in the way any more. The next
    run starts with the cells as they were, because `ground_changed` is set.
    """
    b = g.structures[s]
    if b.kind_ == BUILDING:
        rewrite_cells(g, b.x, b.y, b.face, b.half_width, b.half_depth, 0)
    elif b.kind_ == BRIDGE:
        for k in range(g.gates_n):
            e = g.gates[k]
            if s < e.structure or s >= e.structure + e.pieces:
                continue
            rewrite_cells(g, e.x, e.y, e.heading, e.half_width + g.cell, e.half_length + g.cell, 2)
            for i in range(g.n):
                u = g.u[i]
                if u.place == ON_TABLE and g.going[code_at(g, u.x, u.y)].water == 1:
                    to_bank(g, i, k)
