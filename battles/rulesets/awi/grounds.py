"""The ground of a battle in its record, rastered once for all who fight on it. No numba here."""

from typing import Any

import numpy as np

from battles.engine.dtypes import AwiRecordSize
from battles.engine.raster import plain_write, raster_write
from battles.engine.rows import RecordRow
from battles.files.schema import BattleFile, BattleGround
from battles.ground.features import table_size
from battles.rulesets.awi.options import options_resolve
from battles.rulesets.awi.terrain import terrain_for

#: Fields of a record that the ground alone decides.
OF_THE_GROUND = (
    "width", "depth", "plain", "cell", "rows", "columns", "cells_per_inch", "goings_n", "cost", "going",
    "ground", "known", "woods", "hills", "bars", "structures_n", "structures", "buildings_n", "works_n",
    "works", "gates_n", "gates",
)  # fmt: skip
#: Tables kept, since odds and forecasts come back to the same ground with other troops.
TABLES_KEPT = 64
_tables: dict[tuple[Any, ...], dict[str, Any]] = {}


def ground_write(g: Any, battle: BattleFile, size: AwiRecordSize) -> None:
    """Write the battle's table into a record of that size; the same cells in either."""
    if battle.ground is None:
        plain_write(g, *table_size(battle))
    else:
        for name, value in _table_of(battle, battle.ground, size, g.dtype).items():
            setattr(g, name, value)


def _table_of(battle: BattleFile, ground: BattleGround, size: AwiRecordSize, layout: Any) -> dict[str, Any]:
    """The ground as written into a record of a layout; the last few tables are kept."""
    key = (ground, repr(sorted(battle.options.items())), size, layout.itemsize)
    try:
        return _tables[key]
    except KeyError:
        scratch = np.zeros(1, dtype=np.dtype((np.void, layout)))
        terrain = terrain_for(options_resolve(battle.options))
        raster_write(RecordRow(scratch[0]), ground, terrain, size)
        table = {name: scratch[name][0].copy() for name in OF_THE_GROUND}
        if len(_tables) >= TABLES_KEPT:
            _tables.clear()
        _tables[key] = table
        return table
