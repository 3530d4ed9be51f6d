"""How many SP and stands a unit of a battle file has, and what its losses are in the file's SP again.

This is the one place of that mapping and of its inverse. The file's strength points stand for as many
men as its own rules say (50 close order foot, 24 open order, 16 horse, four guns to five SP); here a
point is 50 men or one gun (VBW-GEN-03). Losses come back as differences: what a unit has lost is counted in
this battle's points and turned into the file's by one rounding, so that a unit that lost nothing loses
nothing, one that lost all loses all, and no man is made or lost by the way.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from battles.mustering import Mustered, came_back
from battles.rulesets.volley_bayonet.chain import brigades_of
from battles.rulesets.volley_bayonet.labels import Label
from battles.rulesets.volley_bayonet.ratings import NATIONS, label_of
from battles.rulesets.volley_bayonet.records import BRITISH
from battles.rulesets.volley_bayonet.tables import MEN_PER_SP
from battles.scenario import BattleFile, BattleUnit
from rosters.domain.vocabulary import TYPES, Arm, Order, TroopType

#: Men, or guns, of a strength point of a battle file.
FILE_MEN = {(Arm.FOOT, Order.CLOSE): 50, (Arm.FOOT, Order.OPEN): 24, (Arm.MOUNTED, Order.CLOSE): 16}
FILE_GUNS = Fraction(4, 5)
#: Most SP of an infantry stand or a battery's; detachments and horse have one (VBW-ORG-01, 09, 14, 15).
MOST_SP = 3


def points_of(unit: BattleUnit) -> int:
    """SP a unit has in these rules, halves up, and at least one for who is there at all."""
    if unit.troop_type is TroopType.WAGON or unit.sp == 0:
        return 0
    facts = TYPES[unit.troop_type]
    if facts.arm is Arm.WHEELED:
        exact = unit.sp * FILE_GUNS
    else:
        exact = Fraction(unit.sp * FILE_MEN[facts.arm, facts.order], MEN_PER_SP)
    return max(1, int(exact + Fraction(1, 2)))


def stands_of(sp: int, label: Label) -> tuple[int, ...]:
    """SP of each stand of a unit, as even as goes, the larger first (VBW-ORG).

    Horse and detachments stand by single points; of others a stand has three at the most, so that one to
    three points are one stand and four to six are two. Transport has a stand and no SP.
    """
    if sp == 0:
        return (0,)
    most = 1 if label.is_detachment or label.kind in ("LC", "MC", "MI") else MOST_SP
    count = -(-sp // most)
    return tuple(sp // count + (1 if k < sp % count else 0) for k in range(count))


def has_commander(unit: BattleUnit, stands: int, label: Label) -> bool:
    """True for a unit with a unit commander (VBW-ORG-03, 05, 07, 12, 14).

    From three stands, from two of British regulars and of cavalry; militia and light troops have none.
    """
    if unit.troop_type is TroopType.MILITIA or label.is_detachment:
        return False
    if label.kind in ("LC", "MC", "MI"):
        return stands >= 2
    if TYPES[unit.troop_type].arm is not Arm.FOOT:
        return False
    return stands >= (2 if NATIONS.get(unit.troop_type) == BRITISH else 3)


def lost_in_file(unit: BattleUnit, lost: int, points: int) -> int:
    """SP of the file that so many of `points` SP of this battle are: none for none, all for all.

    Raises ValueError for more than there were.
    """
    if not 0 <= lost <= points:
        raise ValueError(f"{unit.name} cannot lose {lost} of {points} SP.")
    if points == 0:
        return 0
    return (2 * lost * unit.sp + points) // (2 * points)


def losses_table(unit: BattleUnit, points: int) -> NDArray[np.int64]:
    """`lost_in_file` of every number of SP that a unit may lose, 0 to all."""
    return np.array([lost_in_file(unit, lost, points) for lost in range(points + 1)], dtype=np.int64)


def losses_in_file(unit: BattleUnit, lost: int, captured: int, points: int) -> tuple[int, int]:
    """SP of the file lost and captured; both together are rounded once, so that they never exceed it."""
    lost_in_file(unit, lost + captured, points)  # refuses more than there were
    return came_back(losses_table(unit, points).tolist(), lost, captured)


def muster(battle: BattleFile, options: Mapping[str, Any]) -> tuple[Mustered, ...]:
    """How the units that fight stand: points, stands, brigade, and what each loss is in the file's SP."""
    units = [unit for unit in battle.units if unit.sp > 0]
    guns = {k for k, unit in enumerate(units) if TYPES[unit.troop_type].arm is Arm.WHEELED}
    brigades = enumerate(brigades_of(battle, units, guns), 1)
    brigade = {k: number for number, one in brigades for k in one.units}
    return tuple(
        Mustered(
            unit=unit.id,
            sp=unit.sp,
            points=points_of(unit),
            stands=stands_of(points_of(unit), label_of(unit, options)),
            brigade=brigade.get(k, 0),
            back=tuple(losses_table(unit, points_of(unit)).tolist()),
        )
        for k, unit in enumerate(units)
    )
