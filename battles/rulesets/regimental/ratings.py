"""Troops of a battle file: rating, arms and nation (REG-DEF-02). No numba here."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from battles.files.schema import BattleUnit
from battles.rulesets.regimental import records as r
from battles.rulesets.regimental.tables import (
    AMERICAN_SCORES,
    BRITISH_SCORES,
    CONTINENTAL_COLUMN,
    RATINGS,
    UNLISTED_SCORES,
)
from rosters.domain.vocabulary import TYPES, Arm, FormationOrder, GunClass, TroopType, Weapon

#: Ratings that hold in every year (REG-DEF-02).
RATED: dict[TroopType, str] = {
    TroopType.BRITISH_LINE: "veteran",
    TroopType.BRITISH_GRENADIERS: "elite",
    TroopType.BRITISH_LIGHT_INFANTRY: "elite",
    TroopType.EUROPEAN_LINE: "trained",
    TroopType.EUROPEAN_GRENADIERS: "veteran",
    TroopType.JAEGERS: "veteran",
    TroopType.LOYALIST_LINE: "trained",
    TroopType.RANGERS: "veteran",
    TroopType.AMERICAN_REGULAR_RIFLES: "veteran",
    TroopType.INDIANS: "trained",
    TroopType.EUROPEAN_LIGHT_CAVALRY: "veteran",
    TroopType.AMERICAN_LIGHT_CAVALRY: "trained",
    TroopType.EUROPEAN_ARTILLERY: "veteran",
    TroopType.AMERICAN_ARTILLERY: "trained",
    TroopType.WAGON: "raw",
}
#: Ratings before a year and from it on.
RATED_IN: dict[TroopType, tuple[str, int, str]] = {
    TroopType.CONTINENTAL_LINE: ("trained", 1778, "veteran"),
    TroopType.CONTINENTAL_LIGHT: ("veteran", 1779, "elite"),
}
#: Militia, poor or not.
MILITIA = {True: "raw", False: "trained"}

NATIONS: dict[TroopType, int] = {
    TroopType.BRITISH_LINE: r.BRITISH,
    TroopType.BRITISH_GRENADIERS: r.BRITISH,
    TroopType.BRITISH_LIGHT_INFANTRY: r.BRITISH,
    TroopType.EUROPEAN_LIGHT_CAVALRY: r.BRITISH,
    TroopType.EUROPEAN_ARTILLERY: r.BRITISH,
    TroopType.EUROPEAN_LINE: r.HESSIAN,
    TroopType.EUROPEAN_GRENADIERS: r.HESSIAN,
    TroopType.JAEGERS: r.HESSIAN,
    TroopType.LOYALIST_LINE: r.LOYALIST,
    TroopType.RANGERS: r.LOYALIST,
    TroopType.INDIANS: r.INDIAN,
}
CONTINENTALS = (TroopType.CONTINENTAL_LINE, TroopType.CONTINENTAL_LIGHT)
#: Weapon and carriage by class of a battery (REG-UNI-02); grasshoppers are gallopers on pack animals.
GUNS: dict[GunClass, tuple[int, int]] = {
    GunClass.LIGHT: (r.LIGHT_GUN, r.LIGHT),
    GunClass.GALLOPER: (r.GALLOPER, r.LIGHT),
    GunClass.GRASSHOPPER: (r.GALLOPER, r.LIGHT),
    GunClass.MEDIUM: (r.MEDIUM_GUN, r.ORDINARY),
    GunClass.HOWITZER: (r.HOWITZER, r.ORDINARY),
    GunClass.HEAVY: (r.HEAVY_GUN, r.HEAVY),
}
CLASSES = {Arm.FOOT: r.FOOT, Arm.MOUNTED: r.HORSE, Arm.WHEELED: r.GUNS}
WEAPONS = {Weapon.NONE: r.NO_WEAPON, Weapon.MUSKET: r.MUSKET, Weapon.RIFLE: r.RIFLE}

#: Victory points of a stand that is removed, by who it was (REG-VP-01).
WORTH: dict[TroopType, int] = {
    TroopType.BRITISH_LINE: AMERICAN_SCORES["line_infantry"],
    TroopType.BRITISH_GRENADIERS: AMERICAN_SCORES["grenadiers"],
    TroopType.BRITISH_LIGHT_INFANTRY: AMERICAN_SCORES["light_infantry"],
    TroopType.EUROPEAN_LINE: UNLISTED_SCORES["hessian_line"],
    TroopType.EUROPEAN_GRENADIERS: UNLISTED_SCORES["hessian_grenadiers_and_jagers"],
    TroopType.JAEGERS: UNLISTED_SCORES["hessian_grenadiers_and_jagers"],
    TroopType.CONTINENTAL_LINE: BRITISH_SCORES["continentals"],
    TroopType.CONTINENTAL_LIGHT: BRITISH_SCORES["continentals"],
    TroopType.LOYALIST_LINE: UNLISTED_SCORES["loyalist_line"],
    TroopType.RANGERS: UNLISTED_SCORES["loyalist_line"],
    TroopType.AMERICAN_REGULAR_RIFLES: UNLISTED_SCORES["riflemen"],
    TroopType.MILITIA: BRITISH_SCORES["militia"],
    TroopType.INDIANS: UNLISTED_SCORES["indians"],
    TroopType.EUROPEAN_LIGHT_CAVALRY: AMERICAN_SCORES["cavalry"],
    TroopType.AMERICAN_LIGHT_CAVALRY: UNLISTED_SCORES["american_cavalry"],
    TroopType.EUROPEAN_ARTILLERY: AMERICAN_SCORES["artillery"],
    TroopType.AMERICAN_ARTILLERY: BRITISH_SCORES["artillery"],
    TroopType.WAGON: 0,
}
#: And of those who are French: Europeans on the Americans' side (REG-VP-01, REG-DEF-02).
FRENCH_WORTH: dict[TroopType, int] = {
    TroopType.EUROPEAN_LINE: BRITISH_SCORES["french_infantry"],
    TroopType.EUROPEAN_GRENADIERS: BRITISH_SCORES["french_infantry"],
    TroopType.EUROPEAN_LIGHT_CAVALRY: UNLISTED_SCORES["french_cavalry"],
    TroopType.EUROPEAN_ARTILLERY: UNLISTED_SCORES["french_guns"],
}


@dataclass(frozen=True, slots=True)
class Troops:
    """The troops of a unit, by the codes of `records`.

    `columns` is True for foot of the line that may use field column (REG-SPC-02 to 05).
    `bayonets` is 1 for who may charge with cold steel, which horse may not (REG-CHG-03).
    """

    rating: int
    class_: int = r.FOOT
    nation: int = r.AMERICAN
    weapon: int = r.MUSKET
    carriage: int = r.ORDINARY
    marksmen: int = 0
    bayonets: int = 1
    militia: int = 0
    continental: int = 0
    buck_and_ball: int = 0
    worth: int = 1
    light: bool = False
    columns: bool = False

    @property
    def battalion_gun(self) -> int:
        """1 for light and galloper guns (REG-LDR-05)."""
        return int(self.class_ == r.GUNS and self.weapon in (r.LIGHT_GUN, r.GALLOPER))


def rating_of(unit: BattleUnit, year: int) -> str:
    """The name of a unit's rating in a year (REG-DEF-02)."""
    kind = unit.troop_type
    if kind is TroopType.MILITIA:
        return MILITIA[unit.poor_militia]
    if kind in RATED_IN:
        before, since, after = RATED_IN[kind]
        return after if year >= since else before
    return RATED[kind]


def troops_of(unit: BattleUnit, options: Mapping[str, Any], *, french: bool = False) -> Troops:
    """The troops of a unit of a battle file; a rifle makes a marksman without a bayonet (REG-SPC-02).

    With `french` it is on the Americans' side, where Europeans are worth what the French are (REG-VP-01).
    """
    kind = unit.troop_type
    worth = FRENCH_WORTH.get(kind, WORTH[kind]) if french else WORTH[kind]
    facts, nation = TYPES[kind], NATIONS.get(kind, r.AMERICAN)
    rating = RATINGS.index(rating_of(unit, options["year"]))
    if facts.arm is Arm.WHEELED:
        weapon, carriage = GUNS.get(unit.gun_class, GUNS[GunClass.MEDIUM])
        if kind is TroopType.WAGON:
            return Troops(rating, r.WAGONS, nation, r.NO_WEAPON, r.HEAVY, bayonets=0, worth=0)
        return Troops(rating, r.GUNS, nation, weapon, carriage, bayonets=0, worth=worth)
    rifles, militia = facts.weapon is Weapon.RIFLE, kind is TroopType.MILITIA
    loads = options["buck_and_ball"] == "american" and nation == r.AMERICAN
    return Troops(
        rating,
        CLASSES[facts.arm],
        nation,
        WEAPONS[facts.weapon],
        marksmen=int(rifles),
        bayonets=int(facts.arm is Arm.FOOT and not (rifles or militia or nation == r.INDIAN)),
        militia=int(militia),
        continental=int(kind in CONTINENTALS),
        buck_and_ball=int(loads and facts.weapon is Weapon.MUSKET),
        worth=worth,
        light=facts.order is FormationOrder.OPEN,
        columns=facts.arm is Arm.FOOT
        and not (rifles or militia or nation == r.INDIAN)
        and (kind not in CONTINENTALS or options["year"] >= CONTINENTAL_COLUMN),
    )
