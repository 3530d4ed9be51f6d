"""The ground of a battle file in inches of these rules (REG-TER, REG-DEF-09). No numba here."""

from typing import Any

from battles.engine.cells import lie_of
from battles.engine.dtypes import BUILDING, FENCE, FIELDWORK, WALL
from battles.engine.raster import goings_verify, lines_write, structure_add, table_write, work_add
from battles.engine.survey import GroundSpot, Survey, survey_plain
from battles.files.schema import BattleFile, BattleGround
from battles.ground.features import table_size
from battles.rulesets.regimental.records import (
    BARE,
    BARRED,
    NO_COVER,
    ON_BROKEN,
    ON_OPEN,
    ON_ROUGH,
    ORCHARD,
    PARTIAL,
    WOODS,
    RegimentalRecordSize,
)
from battles.rulesets.regimental.tables import FILE_GROUND, GROUND, YARDS_PER_INCH
from battles.strength_conversion import FILE_YARDS

#: Inches of these rules to an inch of a battle file (REG-GEN-01).
INCH = FILE_YARDS / YARDS_PER_INCH
#: Rough areas of a battle file by number, the worse the higher.
ROUGH = {"crops": 1, "rough": 2, "marsh": 3, "swamp": 4}
#: What a spot's woods and roughness are in the words of a battle file, by their numbers.
WOOD_NAMES = ("", "open_woods", "dense_woods")
ROUGH_NAMES = ("", *ROUGH)
GROWTH = (BARE, ORCHARD, WOODS)
GOINGS_BY_NAME = {"none": ON_OPEN, "broken": ON_BROKEN, "rough": ON_ROUGH}
COVERS = {"open": NO_COVER, "none": NO_COVER, "partial": PARTIAL}
IMPASSABLE, OPEN_WATER = 3, 1


def ground_write(g: Any, battle: BattleFile, size: RegimentalRecordSize) -> None:
    """Write the table of a battle into a record of that size.

    Raises BattleFileError when there are more kinds of ground than codes.
    """
    width, depth = table_size(battle)
    table_write(g, width * INCH, depth * INCH, size.rows, size.columns)
    going_write(g, 0, GroundSpot())
    ground = battle.ground
    if ground is None or not ground.features:
        return
    found = survey_plain(ground)
    for one in found.structures:
        k = structure_add(g, one.kind, 1, 1, feature=one.feature)
        if one.kind == BUILDING and one.ground is not None:
            e = g.structures[k]
            e.capacity = one.capacity
            where = one.ground
            e.x, e.y, e.face = where.x * INCH, where.y * INCH, int(where.heading)
            e.half_width, e.half_depth = where.half_width * INCH, where.half_depth * INCH
    lines_write(g, found, INCH)
    _cells_write(g, ground, found)


def _cells_write(g: Any, ground: BattleGround, found: Survey) -> None:
    """Every cell's code, and what each code is."""
    lie = lie_of(ground, found, (int(g.rows), int(g.columns)), float(g.cell) / INCH, ROUGH)
    goings_verify(len(lie.spots), "REG-TER-01")
    g.ground[: g.rows, : g.columns] = lie.cells
    g.goings_n = len(lie.spots)
    g.growth = int(any(spot.wood for spot in lie.spots))
    g.hills = int(any(spot.height for spot in lie.spots))
    for code, spot in enumerate(lie.spots):
        going_write(g, code, spot)


def going_write(g: Any, code: int, spot: GroundSpot) -> None:
    """Write a combination of ground: the worst going and the best cover of its parts (REG-TER-01)."""
    e = g.going[code]
    rows = [GROUND[FILE_GROUND[name]] for name in (WOOD_NAMES[spot.wood], ROUGH_NAMES[spot.rough]) if name]
    e.growth, e.height, e.water = GROWTH[spot.wood], spot.height, spot.water
    e.road = int(spot.road > 0)
    if spot.water:
        e.going, e.growth = BARRED if spot.water == OPEN_WATER else ON_OPEN, BARE
        return
    e.going = max((GOINGS_BY_NAME[row.movement] for row in rows), default=ON_OPEN)
    e.cover = max((COVERS[row.cover] for row in rows), default=NO_COVER)
    e.heart = int(any(row.heart for row in rows))
    if spot.grade == IMPASSABLE:
        e.going = BARRED


def cover_write(g: Any, left: float, right: float, y: float, cover: str) -> None:
    """The line before the defender's first line that a file without a ground of its own asks for."""
    kind = {"soft": FENCE, "hard": WALL, "fortified": FIELDWORK}.get(cover)
    if kind is not None:
        work_add(g, kind, left, y, right, y, structure_add(g, kind, 1, 1))
