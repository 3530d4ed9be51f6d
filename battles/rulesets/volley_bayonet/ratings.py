"""Ratings of a battle file's troops under these rules: labels by troop type and year (VBW-RAT).

The typical ratings; of the labels that only selected units have (VBW-RAT-07) those that a battle file
names by a trait: light troops in stands that may break up, and mounted infantry. A battle file's troop
types name no nation where two have the same: European line is rated as Germans, whose figures the French
line shares, and so are European grenadiers, who are 5 (VBW-RAT-03).
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from battles.engine.chain import CROWN
from battles.files.schema import BattleUnit
from battles.rulesets.volley_bayonet.labels import Ability, Kind, StandLabel
from battles.rulesets.volley_bayonet.records import AMERICAN, BRITISH, GERMAN, LOYALIST, NATIVE
from rosters.domain.vocabulary import TYPES, Arm, GunClass, TroopType, Weapon

#: From this year American light infantry is rated as of the late war (VBW-RAT-04).
LATE_WAR = 1779


def _build_label(kind: Kind, morale: int, *abilities: Ability) -> StandLabel:
    return StandLabel(kind, morale, frozenset(abilities))


#: Ratings that hold in every year; guns get their kind from their class.
RATINGS: dict[TroopType, StandLabel] = {
    TroopType.BRITISH_LINE: _build_label("FI", 5),  # VBW-RAT-01
    TroopType.BRITISH_GRENADIERS: _build_label("FI", 6, "Sh"),
    TroopType.BRITISH_LIGHT_INFANTRY: _build_label("FI", 6, "detachments"),
    TroopType.EUROPEAN_LIGHT_CAVALRY: _build_label("LC", 6),
    TroopType.EUROPEAN_ARTILLERY: _build_label("Fd", 6),
    TroopType.LOYALIST_LINE: _build_label("SI", 5),  # VBW-RAT-02
    TroopType.RANGERS: _build_label("FI", 5, "detachments"),
    TroopType.EUROPEAN_LINE: _build_label("SI", 5),  # VBW-RAT-03
    TroopType.EUROPEAN_GRENADIERS: _build_label("SI", 5, "Sh"),
    # a battle file's Jaegers carry rifles, which is the scenario's word for it that the ruling asks for
    TroopType.JAEGERS: _build_label("FI", 6, "detachments", "R"),
    TroopType.AMERICAN_LIGHT_CAVALRY: _build_label("LC", 6),  # VBW-RAT-04
    TroopType.AMERICAN_ARTILLERY: _build_label("Fd", 5),
    TroopType.AMERICAN_REGULAR_RIFLES: _build_label("FI", 5, "detachments", "R", "SS"),  # VBW-RAT-06
    TroopType.INDIANS: _build_label("FI", 6, "native"),
    TroopType.WAGON: _build_label("wheels", 0),
}
#: Continentals before and from the year of reform, light infantry before and in the late war, militia and
#: raw militia (VBW-RAT-04). Of the earlier light infantry nothing is said; ours is legion infantry's rating.
CONTINENTALS = (_build_label("SI", 5, "PT"), _build_label("FI", 5))
LIGHT_INFANTRY = (_build_label("FI", 5, "detachments"), _build_label("FI", 6, "Sh", "detachments"))
MILITIA = (_build_label("SI", 4, "PT"), _build_label("SI", 4, "MIL"))
#: Militia of the Crown's (VBW-RAT-02).
LOYALIST_MILITIA = (_build_label("SI", 4, "NE", "PT"), _build_label("SI", 4, "MIL"))

#: Kinds of pieces by the classes of a battle file: a galloper is a light gun, and so is a grasshopper,
#: which goes on pack animals in the file's own rules and by hand here.
GUN_KINDS: dict[GunClass, Kind] = {
    GunClass.LIGHT: "Lt",
    GunClass.GALLOPER: "Lt",
    GunClass.GRASSHOPPER: "Lt",
    GunClass.MEDIUM: "Fd",
    GunClass.HOWITZER: "Ho",
    GunClass.HEAVY: "Hv",
}
NATIONS: dict[TroopType, int] = {
    TroopType.BRITISH_LINE: BRITISH,
    TroopType.BRITISH_GRENADIERS: BRITISH,
    TroopType.BRITISH_LIGHT_INFANTRY: BRITISH,
    TroopType.EUROPEAN_LIGHT_CAVALRY: BRITISH,
    TroopType.EUROPEAN_ARTILLERY: BRITISH,
    TroopType.EUROPEAN_LINE: GERMAN,
    TroopType.EUROPEAN_GRENADIERS: GERMAN,
    TroopType.JAEGERS: GERMAN,
    TroopType.LOYALIST_LINE: LOYALIST,
    TroopType.RANGERS: LOYALIST,
    TroopType.INDIANS: NATIVE,
}


def may_break_up(unit: BattleUnit) -> bool:
    """Light troops, whose units are made of detachments or of stands with SK (VBW-RAT-07, VBW-ORG-10)."""
    return unit.troop_type is TroopType.CONTINENTAL_LIGHT or (
        unit.troop_type in RATINGS and RATINGS[unit.troop_type].has("detachments")
    )


def may_ride(unit: BattleUnit) -> bool:
    """Foot that may be mounted infantry: all but Native Americans (VBW-ORG-13, VBW-STD-10)."""
    return TYPES[unit.troop_type].arm is Arm.FOOT and unit.troop_type is not TroopType.INDIANS


def label_of(unit: BattleUnit, options: Mapping[str, Any]) -> StandLabel:
    """The label of a unit's stands in the year chosen, with what its traits make of it."""
    label = _find_typical_label(unit, options)
    if "mounted" in unit.traits and may_ride(unit):
        return replace(label, kind="MI", abilities=label.abilities - {"detachments"})
    if "breaks_up" in unit.traits and may_break_up(unit):
        return replace(label, abilities=label.abilities - {"detachments"} | {"SK", "formed"})
    return label


def _find_typical_label(unit: BattleUnit, options: Mapping[str, Any]) -> StandLabel:
    """The label of a troop type; guns of which no more is known are field guns."""
    year = options["year"]
    if unit.troop_type is TroopType.CONTINENTAL_LINE:
        return CONTINENTALS[year >= options["continental_army_reform_year"]]
    if unit.troop_type is TroopType.CONTINENTAL_LIGHT:
        return LIGHT_INFANTRY[year >= LATE_WAR]
    if unit.troop_type is TroopType.MILITIA:
        return (LOYALIST_MILITIA if unit.side in CROWN else MILITIA)[unit.poor_militia]
    label = RATINGS[unit.troop_type]
    if TYPES[unit.troop_type].weapon is Weapon.GUN:
        return StandLabel(GUN_KINDS.get(unit.gun_class, label.kind), label.morale, label.abilities)
    return label


def nation_of(unit: BattleUnit) -> int:
    """The nation of a unit, for the cards; the Crown's militia are Loyalists (VBW-RAT-02)."""
    if unit.troop_type is TroopType.MILITIA and unit.side in CROWN:
        return LOYALIST
    return NATIONS.get(unit.troop_type, AMERICAN)
