"""The figures of one unit under the AWI rules: morale, moves, ranges, factors of fire. No numba here."""

from typing import Any

from battles.files.schema import BattleUnit
from battles.rulesets.awi import tables, variants
from rosters.domain.vocabulary import TYPES, Arm, GunClass, TroopType, Weapon


def morale_of(unit: BattleUnit, options: dict[str, Any]) -> int:
    """Modifier of basic morale of a unit (AWI-T-MOR-01, AWI-T-MOR-02, AWI-T-V45-02)."""
    if variants.is_highland(unit):
        return tables.HIGHLAND_MORALE
    if unit.troop_type is TroopType.MILITIA:
        return tables.POOR_MILITIA_MORALE if unit.poor_militia else int(options["militia_morale"])
    return tables.MORALE.get(unit.troop_type, 0)


def rates_of(unit: BattleUnit, options: dict[str, Any]) -> tables.Rates:
    """Inches a move by formation (AWI-T-MOV-01 to 04)."""
    facts = TYPES[unit.troop_type]
    if unit.troop_type is TroopType.WAGON:
        return tables.Rates(options["wagon_move"], options["wagon_move"], 0)
    if variants.is_dragoon(unit, options):
        return variants.dragoon_rates(options)
    if facts.arm is not Arm.WHEELED:
        return tables.TROOP_RATES[facts.arm, facts.order]
    if unit.gun_class is GunClass.HOWITZER:
        return tables.GUN_RATES[GunClass(options["howitzer_move_class"])]
    rates = tables.GUN_RATES[unit.gun_class]
    if unit.gun_class is GunClass.GRASSHOPPER:
        moves = options["grasshopper_moves"]
        return tables.Rates(moves["deployed"], rates.column, moves["rout"])
    return rates


def ranges_of(unit: BattleUnit, options: dict[str, Any]) -> tables.Ranges | None:
    """Bands of range of a unit's weapon, None when it does not fire (AWI-T-FIR-01, 04 to 07)."""
    weapon = TYPES[unit.troop_type].weapon
    if weapon is Weapon.NONE or variants.is_unarmed(unit, options):
        return None
    if weapon is Weapon.MUSKET:
        return tables.MUSKET
    if weapon is Weapon.RIFLE:
        return tables.RIFLE
    ranges = tables.GUN_RANGES[unit.gun_class]
    if unit.gun_class is GunClass.GALLOPER:
        return tables.Ranges(ranges.short, ranges.medium_from, ranges.medium, options["galloper_long_max"])
    return ranges


def factors_of(unit: BattleUnit, options: dict[str, Any]) -> tuple[int, int, int]:
    """Fire factors at short, medium and long range (AWI-T-FIR-08, AWI-T-FIR-13)."""
    weapon = TYPES[unit.troop_type].weapon
    if variants.is_highland(unit):
        return tables.HIGHLAND_FACTORS
    if weapon is Weapon.RIFLE:
        return tables.RIFLE_FACTORS
    if weapon is Weapon.GUN:
        extra = options["long_range_extra_minus"]
        short, medium, long = tables.GUN_FACTORS
        return short, medium + extra, long + extra
    return tables.MUSKET_FACTORS
