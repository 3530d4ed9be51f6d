"""Stands of a unit of a battle file, and its losses turned back into the file's SP.

A stand is 40 men or two guns (REG-GEN-01). What a unit has lost is counted in stands and turned into the
file's points by one rounding (`battles/strength_conversion.py`).
"""

from collections.abc import Mapping
from typing import Any

from battles.files.schema import BattleFile, BattleUnit
from battles.rulesets.regimental.chain import brigades_of
from battles.rulesets.regimental.tables import GUNS_PER_STAND, MEN_PER_STAND
from battles.strength_conversion import ConvertedStrength, back_of, fighting_units, points_by_men
from rosters.domain.vocabulary import TroopType


def count_stands(unit: BattleUnit) -> int:
    """Stands of a unit, halves up, and at least one for who is there at all; a wagon train has one."""
    if unit.sp and unit.troop_type is TroopType.WAGON:
        return 1
    return points_by_men(unit, MEN_PER_STAND, GUNS_PER_STAND)


def convert_strengths(battle: BattleFile, options: Mapping[str, Any]) -> tuple[ConvertedStrength, ...]:
    """The converted strengths of the units that fight: stands, brigade, and each loss in the file's SP.

    A stand is a point here, so a unit is one row of them.
    """
    units = fighting_units(battle)
    brigade = {k: number for number, one in enumerate(brigades_of(battle, units), 1) for k in one.units}
    return tuple(
        ConvertedStrength(
            unit=unit.id,
            sp=unit.sp,
            points=count_stands(unit),
            stands=(count_stands(unit),),
            brigade=brigade.get(k, 0),
            back=back_of(unit, count_stands(unit)),
        )
        for k, unit in enumerate(units)
    )
