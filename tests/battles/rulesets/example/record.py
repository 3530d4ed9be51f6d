"""The example's record `g`, and a battle file written into it (docs/add-a-ruleset.md, step 3)."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from battles.engine.dtypes import EVENT
from battles.engine.records import COURSE
from battles.files.initial_positions import InitialPositions, UnitStanding
from battles.files.schema import BattleFile, BattleUnit
from battles.strength_conversion import fighting_units


class Size(NamedTuple):
    """Capacities of the record."""

    units: int
    dice: int
    events: int


SIZE = Size(units=1024, dice=65536, events=65536)
UNIT = np.dtype(
    [("side", "i8"), ("due", "i8"), ("sp", "i8"), ("lost", "i8"), ("x", "f8"), ("y", "f8"), ("face", "i8")]
)
#: Inches from his own edge at which a side stands in line, and between its units.
LINE, APART = 12.0, 5.0


def layout(size: Size) -> np.dtype[Any]:
    """What a battle changes comes first, what is written before it is read last."""
    return np.dtype(
        [
            *COURSE,
            ("lost", "i8", (2,)),
            ("u", UNIT, (size.units,)),
            ("turns", "i8"),
            ("hits_on", "i8"),
            ("break_at", "i8", (2,)),
            ("structures_n", "i8"),
            ("ground", "i8", (1, 1)),
            ("dice", "i8", (size.dice,)),
            ("events", EVENT, (size.events,)),
        ]
    )


def blank(size: Size) -> NDArray[Any]:
    """A zeroed record, readable by field name compiled and interpreted."""
    return np.zeros(1, dtype=layout(size)).view(np.recarray)


def prepare(battle: BattleFile, options: Mapping[str, Any]) -> Any:
    """A fresh record with the battle drawn up, without dice."""
    state = blank(SIZE)
    g = state[0]
    units = fighting_units(battle)
    g.n, g.turns, g.holder, g.hits_on = len(units), battle.turns, -1, options["hits_on"]
    for i, (unit, stands) in enumerate(zip(units, standing(battle).units, strict=True)):
        u = g.u[i]
        u.side, u.due, u.sp = int(unit.side != battle.attacker), unit.arrives, unit.sp
        u.x, u.y, u.face = stands.x, stands.y, stands.face
    for k, side in enumerate((battle.attacker, battle.defender)):
        percent = battle.break_points.get(side, battle.break_percent)
        g.break_at[k] = -(-sum(unit.sp for unit in units if unit.side == side) * percent // 100)
    return state


def standing(battle: BattleFile) -> InitialPositions:
    """How a battle stands drawn up: where the file says, else each side in one line."""
    width, depth = (battle.ground.width, battle.ground.depth) if battle.ground else (96.0, 60.0)
    units = fighting_units(battle)
    places: dict[str, int] = {}

    def stands(unit: BattleUnit) -> UnitStanding:
        place = places[unit.side] = places.get(unit.side, 0) + 1
        attacks = unit.side == battle.attacker
        x = (place * APART) % width if unit.x is None else unit.x
        y = (LINE if attacks else depth - LINE) if unit.y is None else unit.y
        return UnitStanding(unit.id, unit.sp, x, y, 0 if attacks else 180, "line", due=unit.arrives)

    return InitialPositions(width, depth, tuple(stands(unit) for unit in units))
