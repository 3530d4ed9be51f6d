"""The ground of a battle file in inches of these rules (REG-TER, REG-DEF-09). No numba here."""

from typing import Any

from battles.engine.cells import lie_of
from battles.engine.dtypes import BUILDING, FENCE, FIELDWORK, GOINGS, WALL
from battles.engine.raster import structure_add, work_add
from battles.engine.survey import Spot, Survey, Terrain, survey
from battles.errors import BattleFileError
from battles.features import table_size
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
    Size,
)
from battles.rulesets.regimental.tables import FILE_GROUND, GROUND, YARDS_PER_INCH
from battles.scenario import BattleFile, Ground

#: Inches of these rules to an inch of a battle file: of 16⅔ yards, of 25 here (REG-GEN-01).
INCH = 50.0 / 3.0 / YARDS_PER_INCH
#: Rough areas of a battle file by number, the worse the higher.
ROUGH = {"crops": 1, "rough": 2, "marsh": 3, "swamp": 4}
#: What a spot's woods and roughness are in the words of a battle file, by their numbers.
WOOD_NAMES = ("", "open_woods", "dense_woods")
ROUGH_NAMES = ("", *ROUGH)
GROWTH = (BARE, ORCHARD, WOODS)
GOINGS_BY_NAME = {"none": ON_OPEN, "broken": ON_BROKEN, "rough": ON_ROUGH}
COVERS = {"open": NO_COVER, "none": NO_COVER, "partial": PARTIAL}
IMPASSABLE, OPEN_WATER = 3, 1


def _terrain() -> Terrain:
    """What the survey of a table asks: nothing here is battered down, a ford is a creek's."""
    return Terrain(costs=lambda spot: (), strength=lambda feature: 1)


def survey_of(ground: Ground) -> Survey:
    """What stands on a table, in inches of the file."""
    return survey(ground, _terrain())


def ground_write(g: Any, battle: BattleFile, size: Size) -> None:
    """Write the table of a battle into a record of that size.

    Raises BattleFileError when there are more kinds of ground than codes.
    """
    width, depth = table_size(battle)
    g.width, g.depth = width * INCH, depth * INCH
    g.cell = max(1.0, g.width / size.columns, g.depth / size.rows)
    g.cells_per_inch = 1.0 / g.cell
    # a table larger than the layout has all its cells, and by a rounding might have one more
    g.columns = min(max(1, int(-(-g.width // g.cell))), size.columns)
    g.rows = min(max(1, int(-(-g.depth // g.cell))), size.rows)
    going_write(g, 0, Spot())
    g.goings_n = 1
    ground = battle.ground
    if ground is None or not ground.features:
        return
    found = survey_of(ground)
    for one in found.structures:
        k = structure_add(g, one.kind, 1, 1, feature=one.feature)
        if one.kind == BUILDING and one.ground is not None:
            e = g.structures[k]
            e.capacity = one.capacity
            where = one.ground
            e.x, e.y, e.face = where.x * INCH, where.y * INCH, int(where.heading)
            e.half_width, e.half_depth = where.half_width * INCH, where.half_depth * INCH
    for work in found.works:
        (x0, y0), (x1, y1) = work.start, work.end
        k = work_add(g, work.kind, x0 * INCH, y0 * INCH, x1 * INCH, y1 * INCH, work.structure)
        g.works[k].gate = work.gate
    for gate in found.gates:
        e = g.gates[int(g.gates_n)]
        e.kind_, e.structure = gate.kind, -1
        where = gate.ground
        e.x, e.y, e.heading = where.x * INCH, where.y * INCH, int(where.heading)
        e.half_width, e.half_length = where.half_width * INCH, where.half_depth * INCH
        g.gates_n += 1
    _cells_write(g, ground, found)


def _cells_write(g: Any, ground: Ground, found: Survey) -> None:
    """Every cell's code, and what each code is."""
    shape = (int(g.rows), int(g.columns))
    lie = lie_of(ground, found, shape, float(g.cell) / INCH, ROUGH)
    if len(lie.spots) > GOINGS:
        raise BattleFileError(
            "REG-TER-01",
            f"The ground has {len(lie.spots)} different combinations; the most is {GOINGS}. Leave some out.",
            "ground.features",
        )
    g.ground[: g.rows, : g.columns] = lie.cells
    g.goings_n = len(lie.spots)
    g.growth = int(any(spot.wood for spot in lie.spots))
    g.hills = int(any(spot.height for spot in lie.spots))
    for code, spot in enumerate(lie.spots):
        going_write(g, code, spot)


def going_write(g: Any, code: int, spot: Spot) -> None:
    """What a combination of ground is: of its parts the worst going and the best cover (REG-TER-01)."""
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
