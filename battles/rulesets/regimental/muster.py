"""How many stands a unit of a battle file has, and what its losses are in the file's SP again.

This is the one place of that mapping and of its inverse. The file's strength points stand for as many
men as its own rules say (50 close order foot, 24 open order, 16 horse, four guns to five SP); here a
stand is 40 men or two guns (REG-GEN-01). What a unit has lost is counted in stands and turned into the
file's points by one rounding: none for none and all for all.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from battles.mustering import Mustered, came_back
from battles.rulesets.regimental.chain import brigades_of
from battles.rulesets.regimental.tables import GUNS_PER_STAND, MEN_PER_STAND
from battles.scenario import BattleFile, BattleUnit
from rosters.domain.vocabulary import TYPES, Arm, Order, TroopType

#: Men, or guns, of a strength point of a battle file.
FILE_MEN = {(Arm.FOOT, Order.CLOSE): 50, (Arm.FOOT, Order.OPEN): 24, (Arm.MOUNTED, Order.CLOSE): 16}
FILE_GUNS = Fraction(4, 5)


def fighting_units(battle: BattleFile) -> list[BattleUnit]:
    """The units that come to the table, in the file's order."""
    return [unit for unit in battle.units if unit.sp > 0]


def stands_of(unit: BattleUnit) -> int:
    """Stands of a unit, halves up, and at least one for who is there at all; a wagon train has one."""
    if unit.sp == 0:
        return 0
    if unit.troop_type is TroopType.WAGON:
        return 1
    facts = TYPES[unit.troop_type]
    if facts.arm is Arm.WHEELED:
        exact = unit.sp * FILE_GUNS / GUNS_PER_STAND
    else:
        exact = Fraction(unit.sp * FILE_MEN[facts.arm, facts.order], MEN_PER_STAND)
    return max(1, int(exact + Fraction(1, 2)))


def lost_in_file(unit: BattleUnit, lost: int, stands: int) -> int:
    """SP of the file that so many of `stands` stands are: none for none, all for all.

    Raises ValueError for more than there were.
    """
    if not 0 <= lost <= stands:
        raise ValueError(f"{unit.name} cannot lose {lost} of {stands} stands.")
    if stands == 0:
        return 0
    return (2 * lost * unit.sp + stands) // (2 * stands)


def losses_table(unit: BattleUnit) -> NDArray[np.int64]:
    """`lost_in_file` of every number of stands that a unit may lose, 0 to all."""
    stands = stands_of(unit)
    return np.array([lost_in_file(unit, lost, stands) for lost in range(stands + 1)], dtype=np.int64)


def losses_in_file(unit: BattleUnit, lost: int, captured: int) -> tuple[int, int]:
    """SP of the file lost and captured; both together are rounded once, so that they never exceed it."""
    lost_in_file(unit, lost + captured, stands_of(unit))  # refuses more than there were
    return came_back(losses_table(unit).tolist(), lost, captured)


def muster(battle: BattleFile, options: Mapping[str, Any]) -> tuple[Mustered, ...]:
    """How the units that fight stand: stands, brigade, and what each loss is in the file's SP."""
    units = fighting_units(battle)
    brigade = {k: number for number, one in enumerate(brigades_of(battle, units), 1) for k in one.units}
    return tuple(
        Mustered(
            unit=unit.id,
            sp=unit.sp,
            points=stands_of(unit),
            stands=(1,) * stands_of(unit),
            brigade=brigade.get(k, 0),
            back=tuple(losses_table(unit).tolist()),
        )
        for k, unit in enumerate(units)
    )
