"""The ground of a battle file in the record, in inches of these rules (VBW-TER). No numba here.

Of a battle file's kinds of ground open woods are woods, dense woods are forest, rough ground is broken,
fences and walls are fences, fieldworks, stockades and redoubts are works; a small building is a village
block, a large one a farmstead or town block. Slopes count by their contours alone (VBW-TER-24), but
nobody climbs what the file calls impassable.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from battles.engine.cells import Grid, lie_of
from battles.engine.dtypes import BUILDING, FENCE, FIELDWORK
from battles.engine.raster import goings_verify, lines_write, structure_add, table_write, work_add
from battles.engine.survey import GroundSpot, Survey, survey_plain
from battles.files.schema import BattleFile, BattleGround, Feature, Point
from battles.ground.features import table_size
from battles.ground.shapes import is_inside_polygon
from battles.rulesets.volley_bayonet import records
from battles.rulesets.volley_bayonet.records import SUMMITS, VolleyBayonetRecordSize
from battles.rulesets.volley_bayonet.tables import BLOCK_HALVES, BLOCKS, GOING, KINDS, YARDS_PER_INCH
from battles.strength_conversion import FILE_YARDS

#: Inches of these rules to an inch of a battle file (VBW-GEN-03).
INCH = FILE_YARDS / YARDS_PER_INCH
#: Cells to which it is kept how far off anything grows.
MOST_CLEAR = 48
#: Rough areas of a battle file by number, the worse the higher.
ROUGH = {"crops": 1, "rough": 2, "marsh": 3, "swamp": 4}
#: What a spot's woods and roughness are here, by their numbers.
WOODS = ("open", "woods", "forest")
ROUGHNESS = ("open", "crops", "broken", "open", "swamp")
KIND_OF_WOOD = (records.OPEN, records.WOODS, records.FOREST)
KIND_OF_ROUGH = (records.OPEN, records.CROPS, records.BROKEN, records.MARSH, records.SWAMP)
IMPASSABLE, OPEN_WATER = 3, 1


def ground_write(g: Any, battle: BattleFile, size: VolleyBayonetRecordSize) -> None:
    """Write the table of a battle into a record of that size.

    Raises BattleFileError when there are more kinds of ground than codes.
    """
    width, depth = table_size(battle)
    table_write(g, width * INCH, depth * INCH, size.rows, size.columns)
    _going_write(g, 0, GroundSpot())
    ground = battle.ground
    if ground is None or not ground.features:
        return
    found = survey_plain(ground)
    _blocks_write(g, ground, found)
    lines_write(g, found, INCH)
    cells_write(g, ground, found, INCH, _going_write, "VBW-TER-01")
    summits_write(g, ground, INCH)


def cells_write(
    g: Any,
    ground: BattleGround,
    found: Survey,
    inch: float,
    going_write: Callable[[Any, int, GroundSpot], None],
    rule: str,
) -> None:
    """Every cell's code, and what each code is; crops and marsh have one for when they are trodden.

    `inch` is inches of the scale to one of the file; `going_write` writes what a combination of ground is.
    Raises BattleFileError of the rule named when there are more combinations than codes.
    """
    shape, cell = (int(g.rows), int(g.columns)), float(g.cell) / inch
    lie = lie_of(ground, found, shape, cell, ROUGH)
    codes = {spot: code for code, spot in enumerate(lie.spots)}
    trodden = {spot: spot._replace(rough=0) for spot in lie.spots if spot.rough == ROUGH["crops"]}
    trodden |= {spot: spot._replace(rubble=1) for spot in lie.spots if spot.rough == ROUGH["marsh"]}
    for spot in trodden.values():
        codes.setdefault(spot, len(codes))
    goings_verify(len(codes), rule)
    g.ground[: g.rows, : g.columns] = lie.cells
    g.goings_n = len(codes)
    g.growth = int(any(spot.wood or spot.rough == ROUGH["crops"] for spot in codes))
    if g.growth:
        grows = [code for spot, code in codes.items() if spot.wood or spot.rough == ROUGH["crops"]]
        g.clear[: g.rows, : g.columns] = cells_clear(np.isin(lie.cells, grows))
    for spot, code in codes.items():
        going_write(g, code, spot)
        g.going[code].fallen = codes[trodden[spot]] if spot in trodden else code
    grid, number = Grid(*shape, cell), 0
    for feature in ground.features:
        if feature.kind == "crops":
            number += 1
            g.fields[: g.rows, : g.columns][grid.mark_polygon(feature.points)] = number


def cells_clear(grown: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Of each cell, to how many cells from it along rows and columns nothing grows, MOST_CLEAR at the most.

    0 where something grows.
    """
    clear = np.zeros(grown.shape, dtype=np.int64)
    for _ in range(MOST_CLEAR):
        clear += ~grown
        for axis in (0, 1):
            across = np.moveaxis(grown, axis, 0)
            wider = across.copy()
            wider[1:] |= across[:-1]
            wider[:-1] |= across[1:]
            grown = np.moveaxis(wider, 0, axis)
    return clear


def _going_write(g: Any, code: int, spot: GroundSpot) -> None:
    """Write the kind, cost and disorder of a combination of ground: the dearest of its parts (VBW-DEF-20)."""
    e = g.going[code]
    e.kind_ = KIND_OF_WOOD[spot.wood] if spot.wood else KIND_OF_ROUGH[spot.rough]
    # a road does not carry anyone through a river (VBW-TER-30)
    road = spot.road > 0 and spot.water != OPEN_WATER
    e.height, e.road, e.water = spot.height, int(road), spot.water
    parts = [GOING[WOODS[spot.wood]], GOING[ROUGHNESS[spot.rough]]]
    if spot.water:
        parts = [GOING["water" if spot.water == OPEN_WATER else "open"]]
        e.kind_ = records.WATER if spot.water == OPEN_WATER else records.OPEN
    for k, kind in enumerate(KINDS):
        costs = [part.costs[k] for part in parts]
        barred = spot.grade == IMPASSABLE or None in costs
        e.costs[k] = 0.0 if barred else max(cost for cost in costs if cost is not None)
        e.disorders[k] = int(any(kind in part.disorders for part in parts))


def _blocks_write(g: Any, ground: BattleGround, found: Survey) -> None:
    """Blocks of buildings in the sizes of these rules (VBW-TER-39, 40); works and bridges are listed too."""
    for one in found.structures:
        k = structure_add(g, one.kind, 1, 1, feature=one.feature)
        e, feature = g.structures[k], ground.features[one.feature]
        if one.kind != BUILDING:
            continue
        e.x, e.y = feature.points[0][0] * INCH, feature.points[0][1] * INCH
        e.face, e.capacity = feature.heading % 360, BLOCKS[feature.size]
        e.half_width, e.half_depth = BLOCK_HALVES[feature.size]


def middle_of(feature: Feature) -> tuple[float, float]:
    """The centroid of an area, in inches of the file."""
    twice, x, y = 0.0, 0.0, 0.0
    points = feature.points
    for (px, py), (qx, qy) in zip(points, (*points[1:], points[0]), strict=True):
        cross = px * qy - qx * py
        twice, x, y = twice + cross, x + (px + qx) * cross, y + (py + qy) * cross
    if twice == 0.0:
        return points[0]
    return x / (3.0 * twice), y / (3.0 * twice)


def _is_on(feature: Feature, spot: Point) -> bool:
    xs, ys = zip(*feature.points, strict=True)
    in_frame = min(xs) <= spot[0] <= max(xs) and min(ys) <= spot[1] <= max(ys)
    return in_frame and is_inside_polygon(feature.points, spot)


def summits_write(g: Any, ground: BattleGround, inch: float) -> None:
    """The middles of the highest contours, through which a hill's crest runs (VBW-TER-27).

    A contour on which a higher one rises is not the topmost, wherever on it that one lies.
    """
    hills = [(feature, middle_of(feature)) for feature in ground.features if feature.kind == "hill"]
    for hill, spot in hills:
        if any(
            other.height > hill.height and (_is_on(other, spot) or _is_on(hill, top)) for other, top in hills
        ):
            continue
        if g.summits_n < SUMMITS:
            e = g.summits[int(g.summits_n)]
            e.x, e.y, e.height = spot[0] * inch, spot[1] * inch, hill.height
            g.summits_n += 1


def cover_write(g: Any, left: float, right: float, y: float, cover: str) -> None:
    """The work before the defender's first line that a file without a ground of its own asks for."""
    kind = {"soft": FENCE, "hard": FIELDWORK, "fortified": FIELDWORK}.get(cover)
    if kind is not None:
        work_add(g, kind, left, y, right, y, structure_add(g, kind, 1, 1))
