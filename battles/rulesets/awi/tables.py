"""Figures of the AWI rules that hang on troop types, guns and works. No numba here.

Each table stands once; kernels read what the host writes from here into a unit's fields.
"""

from dataclasses import dataclass
from fractions import Fraction

from battles.engine.dtypes import HIDES_WELL
from rosters.domain.vocabulary import TYPES, Arm, FormationOrder, GunClass, TroopType

#: Modifier of basic morale by type (AWI-T-MOR-01).
MORALE: dict[TroopType, int] = {
    TroopType.BRITISH_LINE: 1,
    TroopType.BRITISH_GRENADIERS: 2,
    TroopType.BRITISH_LIGHT_INFANTRY: 1,
    TroopType.EUROPEAN_LINE: 1,
    TroopType.EUROPEAN_GRENADIERS: 2,
    TroopType.JAEGERS: 1,
    TroopType.AMERICAN_REGULAR_RIFLES: -1,
    TroopType.MILITIA: -1,
    TroopType.INDIANS: -2,
    TroopType.EUROPEAN_LIGHT_CAVALRY: 1,
    TroopType.EUROPEAN_ARTILLERY: 1,
    TroopType.WAGON: -4,
}
#: Poor militia (AWI-T-MOR-02).
POOR_MILITIA_MORALE = -2

#: Highlanders (AWI-T-V45-02).
HIGHLAND_MORALE = 2

#: Modifier of fire by type of firer (AWI-T-FIR-08); British close order infantry and irregulars.
FIRE: dict[TroopType, int] = {
    TroopType.BRITISH_LINE: 1,
    TroopType.BRITISH_GRENADIERS: 1,
    TroopType.MILITIA: -1,
    TroopType.INDIANS: -1,
}

#: Die on which a unit surrenders (AWI-T-SUR-01).
SURRENDER_ON: dict[Arm, int] = {Arm.FOOT: 4, Arm.MOUNTED: 5, Arm.WHEELED: 4}


@dataclass(frozen=True, slots=True)
class Rates:
    """Inches a move: in line (deployed, for guns), in column (limbered), and in rout."""

    line: float
    column: float
    rout: float


#: AWI-T-MOV-01.
TROOP_RATES: dict[tuple[Arm, FormationOrder], Rates] = {
    (Arm.FOOT, FormationOrder.CLOSE): Rates(6, 9, 12),
    (Arm.FOOT, FormationOrder.OPEN): Rates(9, 12, 15),
    (Arm.MOUNTED, FormationOrder.CLOSE): Rates(15, 18, 21),
}
#: British dragoons of the Forty-Five (AWI-T-V45-11).
DRAGOON_LINE, DRAGOON_COLUMN = 12, 15
#: AWI-T-MOV-02, AWI-T-MOV-03; a howitzer has no row (AWI-T-MOV-04).
GUN_RATES: dict[GunClass, Rates] = {
    GunClass.LIGHT: Rates(3, 9, 12),
    GunClass.MEDIUM: Rates(2, 6, 12),
    GunClass.HEAVY: Rates(1, 3, 12),
    GunClass.GALLOPER: Rates(3, 12, 12),
    GunClass.GRASSHOPPER: Rates(3, 12, 12),
}


@dataclass(frozen=True, slots=True)
class Ranges:
    """Bands in inches: short to `short`, medium from `medium_from` to `medium`, long to `long`.

    A band that is not there ends at 0. A distance on a boundary belongs to the nearer band.
    """

    short: float
    medium_from: float = 0
    medium: float = 0
    long: float = 0


MUSKET = Ranges(6)  # AWI-T-FIR-04
RIFLE = Ranges(6, 6, 12)
GUN_RANGES: dict[GunClass, Ranges] = {
    GunClass.LIGHT: Ranges(12, 12, 24, 36),  # AWI-T-FIR-05
    GunClass.MEDIUM: Ranges(15, 15, 30, 45),
    GunClass.HEAVY: Ranges(18, 18, 36, 54),
    GunClass.GRASSHOPPER: Ranges(6, 6, 12, 18),
    GunClass.GALLOPER: Ranges(9, 9, 18, 21),  # AWI-T-FIR-06
    GunClass.HOWITZER: Ranges(9, 15, 24, 36),  # AWI-T-FIR-07
}
#: Factors at short, medium and long range (AWI-T-FIR-08, AWI-T-FIR-09).
MUSKET_FACTORS = (0, 0, 0)
RIFLE_FACTORS = (-1, -2, 0)
GUN_FACTORS = (1, -1, -2)
#: Highlanders with muskets (AWI-T-V45-06).
HIGHLAND_FACTORS = (-2, 0, 0)

#: Die on which a gun turns when guns dice for it (AWI-T-FAC-03).
TURN_ON: dict[GunClass, int] = {
    GunClass.LIGHT: 2,
    GunClass.GALLOPER: 2,
    GunClass.GRASSHOPPER: 2,
    GunClass.MEDIUM: 3,
    GunClass.HOWITZER: 3,
    GunClass.HEAVY: 4,
}

#: Inches within which foot and horse charge (AWI-T-CHG-01).
REACH: dict[Arm, int] = {Arm.FOOT: 3, Arm.MOUNTED: 6}
#: Inches within which a general's units feel his loss (AWI-T-GEN-02).
CHAIN = 18

#: Game turns after which a battle is let go in which nobody fires, charges or gains ground (HR-BAT-02).
QUIET_TURNS = 8
#: Inches from the spot fought for within which unbroken troops have it.
AT_OBJECTIVE = 12.0

#: Structure SP that stand for each class of cover on a start line (AWI-T-FOR-01, AWI-T-FOR-03):
#: a rail fence, a timber fieldwork, a redoubt.
COVER_SP: dict[str, int] = {"none": 0, "soft": 3, "hard": 6, "fortified": 10}

#: Explosive charges a wagon holds (AWI-T-EXP-01).
CHARGES_PER_WAGON = 6

#: How well a type hides in woods when it is not by its order (AWI-T-TER-07).
HIDES: dict[TroopType, int] = {TroopType.RANGERS: HIDES_WELL, TroopType.INDIANS: HIDES_WELL}
#: Inches at which those who hide badly, well and best are seen in woods (AWI-T-TER-07).
DENSE_SEEN = (4.0, 2.0, 1.0)
OPEN_SEEN = (12.0, 6.0, 3.0)
#: Inches that stand for no limit.
UNLIMITED = 1.0e9

SCALES: dict[str, Fraction] = {"25mm": Fraction(1), "15mm": Fraction(2, 3)}


def scale_inches(inches: Fraction | int, scale: str = "25mm") -> Fraction:
    """Inches on the table for a distance written at 25 mm (AWI-T-SCA-02).

    Every distance scales alike, bases and table too, so the engine plays all battles at 25 mm.
    """
    return inches * SCALES[scale]


def own_melee(troop_type: TroopType) -> int:
    """Sum of the melee factors that hang on the type alone (AWI-T-MEL-02, AWI-T-MEL-04)."""
    facts = TYPES[troop_type]
    total = 1 if facts.european_regular else 0
    if facts.arm is Arm.MOUNTED:
        total += 2
    elif facts.order in (FormationOrder.OPEN, FormationOrder.ARTILLERY):
        total -= 2
    return total + (2 if troop_type is TroopType.INDIANS else 0)


def strength_fire(sp: int) -> int:
    """Factor of fire of a firer with so many SP (AWI-T-FIR-08)."""
    if sp >= 5:
        return 0
    return -1 if sp >= 3 else -2


def sp_of_men(men: int, men_per_sp: int) -> int:
    """SP of a number of men, to the nearest, halves up (AWI-T-STR-01)."""
    return (2 * men + men_per_sp) // (2 * men_per_sp)


#: Men of one SP (AWI-T-STR-01).
MEN_PER_SP = {"close_order_foot": 50, "open_order_foot": 24, "cavalry": 16}


def gun_class_of(pounder: int) -> GunClass:
    """Class of a field piece by the weight of its ball in pounds (AWI-T-STR-04)."""
    if pounder <= 5:
        return GunClass.LIGHT
    return GunClass.MEDIUM if pounder < 12 else GunClass.HEAVY
