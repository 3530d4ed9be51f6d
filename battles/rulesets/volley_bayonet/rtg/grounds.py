"""The ground of a battle file for brigades, in inches of a hundred yards (RTG-TER). No numba here.

Of a battle file's kinds of ground dense woods are forest and open woods are orchards, which is what they do
(ours): horse is held up in them, foot is not. Rough ground is broken; walls are low walls, fences are
nothing; fieldworks, stockades and redoubts are field works. A small building is a village, a large one a
town block; of stone or of wood as the file says. Slopes count by their contours (RTG-TER-10), but nobody
climbs what the file calls impassable.
"""

from typing import Any

from battles.engine.dtypes import BUILDING
from battles.engine.raster import lines_write, structure_add, table_write
from battles.engine.survey import GroundSpot, Survey, survey_plain
from battles.files.schema import BattleFile, BattleGround
from battles.ground import features
from battles.rulesets.volley_bayonet import grounds, records
from battles.rulesets.volley_bayonet.grounds import IMPASSABLE, OPEN_WATER, cells_write, summits_write
from battles.rulesets.volley_bayonet.records import VolleyBayonetRecordSize
from battles.rulesets.volley_bayonet.rtg.tables import (
    BLOCK_HALVES,
    TOWN_ROOM,
    VILLAGE_ROOM,
    YARDS_PER_INCH,
)
from battles.rulesets.volley_bayonet.rtg.terrain import (
    ARTY,
    CAV_BDE,
    CAV_SKIRM,
    CMDR,
    FOURFOLD,
    INF_BDE,
    INF_SKIRM,
    INSIDE,
    KINDS,
    MOVES,
    PROHIBITED,
    TWICE,
)
from battles.rulesets.volley_bayonet.tables import YARDS_PER_INCH as YARDS_OF_WING

#: What an inch of wing scale is here, and inches here to one of a battle file (RTG-GEN-01).
OF_WING = YARDS_OF_WING / YARDS_PER_INCH
INCH = grounds.INCH * OF_WING
#: Cells to an inch at most: they are as large on the ground as those of wing scale.
CELLS_PER_INCH = int(1 / OF_WING)
#: Kinds of the table of terrain by a spot's woods and roughness, and of the core for sight.
WOODS = ("open", "orchard", "forest")
ROUGHNESS = ("open", "crops", "broken", "marsh", "swamp")
#: Columns of the core's terrain tables (`records`) as columns of the card, in their order.
COLUMNS = (INF_BDE, INF_BDE, INF_SKIRM, CAV_BDE, CAV_SKIRM, ARTY, ARTY, ARTY, CMDR)
#: By how much the table of a file without a ground is larger than for battalions.
WIDER, DEEPER = 5.0 / 3.0, 3.0 / 2.0
ROOM = {"small": VILLAGE_ROOM, "large": TOWN_ROOM}


def table_size(battle: BattleFile) -> tuple[float, float]:
    """Breadth and depth of the table, in inches of these rules.

    A file without a ground of its own has more of it here: brigades are drawn up further apart.
    """
    width, depth = features.table_size(battle)
    if battle.ground is None:
        width, depth = width * WIDER, depth * DEEPER
    return width * INCH, depth * INCH


def ground_write(g: Any, battle: BattleFile, size: VolleyBayonetRecordSize) -> None:
    """Write the table of a battle into a record of that size.

    Raises BattleFileError when there are more kinds of ground than codes.
    """
    width, depth = table_size(battle)
    table_write(g, width * CELLS_PER_INCH, depth * CELLS_PER_INCH, size.rows, size.columns)
    g.width, g.depth, g.cell = width, depth, g.cell / CELLS_PER_INCH
    g.cells_per_inch = 1.0 / g.cell
    _going_write(g, 0, GroundSpot())
    ground = battle.ground
    if ground is None or not ground.features:
        return
    found = survey_plain(ground)
    _blocks_write(g, ground, found)
    lines_write(g, found, INCH)
    cells_write(g, ground, found, INCH, _going_write, "RTG-TER-00")
    summits_write(g, ground, INCH)


def kinds_of(spot: GroundSpot) -> tuple[str, ...]:
    """Kinds of the table of terrain that lie on a spot, the one that shelters first."""
    if spot.water:
        return ("river",) if spot.water == OPEN_WATER else ("open",)
    return WOODS[spot.wood], ROUGHNESS[spot.rough]


def _going_write(g: Any, code: int, spot: GroundSpot) -> None:
    """Write the kind, cost and disorder of a combination of ground: the dearest of its parts (VBW-DEF-20)."""
    e = g.going[code]
    kinds = kinds_of(spot)
    e.terrain = KINDS.index(next((kind for kind in kinds if kind != "open"), "open"))
    e.kind_ = grounds.KIND_OF_WOOD[spot.wood] if spot.wood else grounds.KIND_OF_ROUGH[spot.rough]
    if spot.water:
        e.kind_ = records.WATER if spot.water == OPEN_WATER else records.OPEN
    e.height, e.road, e.water = spot.height, int(spot.road > 0 and spot.water != OPEN_WATER), spot.water
    for k, column in enumerate(COLUMNS):
        effects = [MOVES[kind][column] for kind in kinds]
        barred = spot.grade == IMPASSABLE or any(effect & PROHIBITED for effect in effects)
        e.costs[k] = 0.0 if barred else max(cost_of(effect) for effect in effects)
        e.disorders[k] = int(any(effect & INSIDE for effect in effects))


def cost_of(effects: int) -> float:
    """Inches of the move an inch of such ground costs; marsh is diced for."""
    if effects & FOURFOLD:
        return 4.0
    return 2.0 if effects & TWICE else 1.0


def _blocks_write(g: Any, ground: BattleGround, found: Survey) -> None:
    """Villages and town blocks, each of the size of whom it holds (RTG-TER-20, 22, 23)."""
    for one in found.structures:
        k = structure_add(g, one.kind, 1, 1, feature=one.feature)
        e, feature = g.structures[k], ground.features[one.feature]
        if one.kind != BUILDING:
            continue
        e.x, e.y = feature.points[0][0] * INCH, feature.points[0][1] * INCH
        e.face, e.capacity = feature.heading % 360, ROOM[feature.size]
        e.half_width, e.half_depth = BLOCK_HALVES[feature.size]
        g.stone[k] = int(feature.material == "stone")
