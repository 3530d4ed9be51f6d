"""SP and stands of a battle file's units, and their losses in the file's SP again.

A point is 50 men or one gun (VBW-GEN-03). Losses come back as differences: what a unit has lost is counted in
this battle's points and turned into the file's by one rounding (`battles/strength_conversion.py`), so
that a unit
that lost nothing loses nothing, one that lost all loses all, and no man is made or lost by the way.
"""

from collections.abc import Mapping
from typing import Any

from battles.files.schema import BattleFile, BattleUnit, Fate
from battles.rulesets.volley_bayonet.chain import brigades_of
from battles.rulesets.volley_bayonet.labels import StandLabel
from battles.rulesets.volley_bayonet.ratings import NATIONS, label_of
from battles.rulesets.volley_bayonet.records import BRITISH
from battles.rulesets.volley_bayonet.tables import GUNS_PER_SP, MEN_PER_SP
from battles.strength_conversion import (
    ConvertedStrength,
    back_of,
    fighting_units,
    losses_in_file,
    points_by_men,
)
from rosters.domain.vocabulary import TYPES, Arm, TroopType

#: Most SP of an infantry stand or a battery's; detachments and horse have one (VBW-ORG-01, 09, 14, 15).
MOST_SP = 3


def count_points(unit: BattleUnit) -> int:
    """SP a unit has in these rules, halves up, and at least one for who is there at all."""
    if unit.troop_type is TroopType.WAGON:
        return 0
    return points_by_men(unit, MEN_PER_SP, GUNS_PER_SP)


def losses_of(unit: BattleUnit, lost: int, captured: int, fate: Fate) -> tuple[int, int]:
    """SP of the file that a unit's points lost and captured are (`mustering.losses_in_file`).

    Wagons, which have no points here, are lost whole when they are gone, and else not at all.
    """
    points = count_points(unit)
    if points == 0:
        return (unit.sp if fate == "eliminated" else 0), 0
    return losses_in_file(unit, lost, captured, points)


def split_stands(sp: int, label: StandLabel) -> tuple[int, ...]:
    """SP of each stand of a unit, as even as goes, the larger first (VBW-ORG).

    Horse and detachments stand by single points; of others a stand has three at the most, so that one to
    three points are one stand and four to six are two. Transport has a stand and no SP.
    """
    if sp == 0:
        return (0,)
    most = 1 if label.is_detachment or label.kind in ("LC", "MC", "MI") else MOST_SP
    count = -(-sp // most)
    return tuple(sp // count + (1 if k < sp % count else 0) for k in range(count))


def has_half(sp: int, label: StandLabel) -> bool:
    """True for a stand that makes two of it when it breaks up (VBW-MOV-22)."""
    return sp > 1 and label.has("SK")


def has_commander(unit: BattleUnit, stands: int, label: StandLabel) -> bool:
    """True for a unit with a unit commander (VBW-ORG-03, 05, 07, 12, 14).

    From three stands, from two of British regulars and of cavalry; militia and light troops have none,
    whether they stand in stands that break up or ride (VBW-ORG-10, VBW-ORG-13).
    """
    light = label.is_detachment or label.has("SK") or label.kind == "MI"
    if unit.troop_type is TroopType.MILITIA or light:
        return False
    if label.kind in ("LC", "MC"):
        return stands >= 2
    if TYPES[unit.troop_type].arm is not Arm.FOOT:
        return False
    return stands >= (2 if NATIONS.get(unit.troop_type) == BRITISH else 3)


def convert_strengths(battle: BattleFile, options: Mapping[str, Any]) -> tuple[ConvertedStrength, ...]:
    """Strengths of the units that fight: points, stands, brigade, and each loss in the file's SP."""
    units = fighting_units(battle)
    guns = {k for k, unit in enumerate(units) if TYPES[unit.troop_type].arm is Arm.WHEELED}
    brigades = enumerate(brigades_of(battle, units, guns), 1)
    brigade = {k: number for number, one in brigades for k in one.units}
    return tuple(
        ConvertedStrength(
            unit=unit.id,
            sp=unit.sp,
            points=count_points(unit),
            stands=split_stands(count_points(unit), label_of(unit, options)),
            brigade=brigade.get(k, 0),
            back=back_of(unit, count_points(unit)),
        )
        for k, unit in enumerate(units)
    )
