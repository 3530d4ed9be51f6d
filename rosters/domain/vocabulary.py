"""The standing vocabulary of the war: nations, troop types, arms, mobility.

A troop type is one line of the AWI catalogue (`troop_types`). Only what describes the troops
stands here; the figures a tactical system hangs on a type stand with that system's code.
"""

from dataclasses import dataclass
from enum import StrEnum


class Nation(StrEnum):
    """The nation that pays and recruits a unit."""

    BRITISH = "british"
    GERMAN = "german"
    LOYALIST = "loyalist"
    CANADIAN = "canadian"
    CONTINENTAL = "continental"
    AMERICAN_MILITIA = "american_militia"
    FRENCH = "french"
    SPANISH = "spanish"
    NATIVE = "native"


class PoolNation(StrEnum):
    """Owner of a replacement pool (AWI-C-POL-01): Germans are one, Loyalists stand apart.

    Continentals and American militia are one nation with two types of pool, because line points
    may be moved down to militia (AWI-C-POL-02).
    """

    BRITISH = "british"
    GERMAN = "german"
    LOYALIST = "loyalist"
    CANADIAN = "canadian"
    AMERICAN = "american"
    FRENCH = "french"
    SPANISH = "spanish"
    NATIVE = "native"


POOL_NATION: dict[Nation, PoolNation] = {
    Nation.BRITISH: PoolNation.BRITISH,
    Nation.GERMAN: PoolNation.GERMAN,
    Nation.LOYALIST: PoolNation.LOYALIST,
    Nation.CANADIAN: PoolNation.CANADIAN,
    Nation.CONTINENTAL: PoolNation.AMERICAN,
    Nation.AMERICAN_MILITIA: PoolNation.AMERICAN,
    Nation.FRENCH: PoolNation.FRENCH,
    Nation.SPANISH: PoolNation.SPANISH,
    Nation.NATIVE: PoolNation.NATIVE,
}

#: Nations whose home is overseas (AWI-C-EUR-01), as pools.
EUROPEAN: tuple[PoolNation, ...] = (
    PoolNation.BRITISH,
    PoolNation.GERMAN,
    PoolNation.FRENCH,
    PoolNation.SPANISH,
)


class PoolArm(StrEnum):
    """The types a pool is kept for (AWI-C-POL-01); grenadiers pool with line."""

    ARTILLERY = "artillery"
    CAVALRY = "cavalry"
    LINE = "line"
    MILITIA = "militia"
    OPEN_ORDER = "open_order"
    RIFLES = "rifles"


class Arm(StrEnum):
    FOOT = "foot"
    MOUNTED = "mounted"
    WHEELED = "wheeled"


class FormationOrder(StrEnum):
    CLOSE = "close"
    OPEN = "open"
    ARTILLERY = "artillery"


class Weapon(StrEnum):
    NONE = "none"
    MUSKET = "musket"
    RIFLE = "rifle"
    GUN = "gun"


class GunClass(StrEnum):
    """Class of a battery (AWI-T-STR-04); NONE for everything that is not one."""

    NONE = "none"
    LIGHT = "light"
    MEDIUM = "medium"
    HEAVY = "heavy"
    GALLOPER = "galloper"
    GRASSHOPPER = "grasshopper"
    HOWITZER = "howitzer"


class Mobility(StrEnum):
    """The kind of march of a unit on the map (HR-MAR-01)."""

    FOOT = "foot"
    LIGHT = "light"
    MOUNTED = "mounted"
    GUNS = "guns"
    WAGONS = "wagons"


class TroopType(StrEnum):
    BRITISH_LINE = "british_line"
    BRITISH_GRENADIERS = "british_grenadiers"
    BRITISH_LIGHT_INFANTRY = "british_light_infantry"
    EUROPEAN_LINE = "european_line"
    EUROPEAN_GRENADIERS = "european_grenadiers"
    JAEGERS = "jaegers"
    CONTINENTAL_LINE = "continental_line"
    CONTINENTAL_LIGHT = "continental_light"
    LOYALIST_LINE = "loyalist_line"
    RANGERS = "rangers"
    AMERICAN_REGULAR_RIFLES = "american_regular_rifles"
    MILITIA = "militia"
    INDIANS = "indians"
    EUROPEAN_LIGHT_CAVALRY = "european_light_cavalry"
    AMERICAN_LIGHT_CAVALRY = "american_light_cavalry"
    EUROPEAN_ARTILLERY = "european_artillery"
    AMERICAN_ARTILLERY = "american_artillery"
    WAGON = "wagon"


@dataclass(frozen=True, slots=True)
class TypeFacts:
    """The facts of a troop type, whatever rules it is played with."""

    arm: Arm
    order: FormationOrder
    weapon: Weapon
    pool: PoolArm
    european_regular: bool = False
    grenadier: bool = False


_FOOT, _MOUNTED, _WHEELED = Arm.FOOT, Arm.MOUNTED, Arm.WHEELED
_CLOSE, _OPEN, _GUNS = FormationOrder.CLOSE, FormationOrder.OPEN, FormationOrder.ARTILLERY

TYPES: dict[TroopType, TypeFacts] = {
    TroopType.BRITISH_LINE: TypeFacts(_FOOT, _CLOSE, Weapon.MUSKET, PoolArm.LINE, european_regular=True),
    TroopType.BRITISH_GRENADIERS: TypeFacts(
        _FOOT, _CLOSE, Weapon.MUSKET, PoolArm.LINE, european_regular=True, grenadier=True
    ),
    TroopType.BRITISH_LIGHT_INFANTRY: TypeFacts(
        _FOOT, _OPEN, Weapon.MUSKET, PoolArm.OPEN_ORDER, european_regular=True
    ),
    TroopType.EUROPEAN_LINE: TypeFacts(_FOOT, _CLOSE, Weapon.MUSKET, PoolArm.LINE, european_regular=True),
    TroopType.EUROPEAN_GRENADIERS: TypeFacts(
        _FOOT, _CLOSE, Weapon.MUSKET, PoolArm.LINE, european_regular=True, grenadier=True
    ),
    TroopType.JAEGERS: TypeFacts(_FOOT, _OPEN, Weapon.RIFLE, PoolArm.RIFLES, european_regular=True),
    TroopType.CONTINENTAL_LINE: TypeFacts(_FOOT, _CLOSE, Weapon.MUSKET, PoolArm.LINE),
    TroopType.CONTINENTAL_LIGHT: TypeFacts(_FOOT, _OPEN, Weapon.MUSKET, PoolArm.OPEN_ORDER),
    TroopType.LOYALIST_LINE: TypeFacts(_FOOT, _CLOSE, Weapon.MUSKET, PoolArm.LINE),
    TroopType.RANGERS: TypeFacts(_FOOT, _OPEN, Weapon.MUSKET, PoolArm.OPEN_ORDER),
    TroopType.AMERICAN_REGULAR_RIFLES: TypeFacts(_FOOT, _OPEN, Weapon.RIFLE, PoolArm.RIFLES),
    TroopType.MILITIA: TypeFacts(_FOOT, _CLOSE, Weapon.MUSKET, PoolArm.MILITIA),
    TroopType.INDIANS: TypeFacts(_FOOT, _OPEN, Weapon.MUSKET, PoolArm.OPEN_ORDER),
    TroopType.EUROPEAN_LIGHT_CAVALRY: TypeFacts(
        _MOUNTED, _CLOSE, Weapon.NONE, PoolArm.CAVALRY, european_regular=True
    ),
    TroopType.AMERICAN_LIGHT_CAVALRY: TypeFacts(_MOUNTED, _CLOSE, Weapon.NONE, PoolArm.CAVALRY),
    TroopType.EUROPEAN_ARTILLERY: TypeFacts(
        _WHEELED, _GUNS, Weapon.GUN, PoolArm.ARTILLERY, european_regular=True
    ),
    TroopType.AMERICAN_ARTILLERY: TypeFacts(_WHEELED, _GUNS, Weapon.GUN, PoolArm.ARTILLERY),
    TroopType.WAGON: TypeFacts(_WHEELED, _GUNS, Weapon.NONE, PoolArm.ARTILLERY),
}


def mobility_of(troop_type: TroopType, gun_class: GunClass) -> Mobility:
    """March class of a unit (HR-MAR-01): heavy guns go at the pace of wagons."""
    facts = TYPES[troop_type]
    if troop_type is TroopType.WAGON or gun_class is GunClass.HEAVY:
        return Mobility.WAGONS
    if facts.arm is Arm.WHEELED:
        return Mobility.GUNS
    if facts.arm is Arm.MOUNTED:
        return Mobility.MOUNTED
    return Mobility.LIGHT if facts.order is FormationOrder.OPEN else Mobility.FOOT
