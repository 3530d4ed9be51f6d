"""Layout of the state record `g` of a Regimental battle, as `engine/dtypes.py` is for others.

All fields are i8 or f8. Lengths are inches of 25 yards (REG-GEN-01), headings whole degrees clockwise
from the table's far edge. Units stand under `u`, so that the engine's recording of events finds
them: a unit is one piece, the rectangle of its stands (REG-DEF-01). Side 0 attacks and has the near edge.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from battles.engine.dtypes import ON_TABLE as ON_TABLE
from battles.engine.dtypes import PROGRESS
from battles.engine.dtypes import WAITING as WAITING
from battles.engine.records import COURSE, ORDERS, last_fields, table_fields


class RegimentalRecordSize(NamedTuple):
    """Capacities of one state record."""

    units: int
    brigades: int
    leaders: int
    dice: int
    events: int
    structures: int
    works: int
    gates: int
    rows: int
    columns: int


SMALL = RegimentalRecordSize(96, 48, 48, 4096, 8192, structures=64, works=96, gates=8, rows=64, columns=112)
LARGE = RegimentalRecordSize(
    1024, 768, 768, 65536, 131072, structures=256, works=512, gates=32, rows=192, columns=512
)

#: Order of a troop unit (REG-UNI-02); guns are always in good order, their stands damaged or silenced.
GOOD, DISORDERED, BROKEN = 0, 1, 2
#: What a unit is.
FOOT, HORSE, GUNS, WAGONS = 0, 1, 2, 3
#: Formations (REG-UNI-04).
LINE, FIELD_COLUMN, EXTENDED, MASS, MARCH_COLUMN, GARRISON = 0, 1, 2, 3, 4, 5
DISMOUNTED, LIMBERED, UNLIMBERED = 6, 7, 8
#: Ratings (REG-UNI-01), as `tables.RATINGS`.
ELITE, VETERAN, TRAINED, RAW = 0, 1, 2, 3
#: What is left of a unit (REG-UNI-03).
FRESH, WORN, SPENT = 0, 1, 2
#: What it shoots with; guns in the order of `tables.CANNON`.
NO_WEAPON, MUSKET, RIFLE, SIEGE_GUN, HEAVY_GUN, MEDIUM_GUN, LIGHT_GUN, GALLOPER = 0, 1, 2, 3, 4, 5, 6, 7
SIEGE_HOWITZER, HOWITZER = 8, 9
#: Carriages of guns (REG-UNI-02).
LIGHT, ORDINARY, HEAVY, FIXED = 0, 1, 2, 3
#: Rows of the table of rates, as `figures.RATE_ROWS`.
R_LINE, R_FIELD_COLUMN, R_EXTENDED, R_MASS, R_MARCH_COLUMN, R_BROKEN = 0, 1, 2, 3, 4, 5
H_LINE, H_FIELD_COLUMN, H_EXTENDED, H_MARCH_COLUMN, H_DISMOUNTED, H_BROKEN = 6, 7, 8, 9, 10, 11
G_SIEGE, G_FOOT, G_GALLOPER, L_MOUNTED, L_DISMOUNTED = 12, 13, 14, 15, 16
#: Columns of that table.
ON_OPEN, ON_BROKEN, ON_ROUGH, ON_ROAD, BARRED = 0, 1, 2, 3, 4
#: Cover (REG-TER-01, REG-FIR-06).
NO_COVER, PARTIAL, FULL, FORTIFIED = 0, 1, 2, 3
#: Woods of a cell: none, orchards, woods.
BARE, ORCHARD, WOODS = 0, 1, 2
#: In command, provisional, out (REG-CMD-02).
IN_COMMAND, PROVISIONAL, OUT_OF_COMMAND = 0, 1, 2
#: Results of a maneuver check (REG-MAN-05 to 08).
DOUBLE_QUICK, WELL_HANDLED, TARDY, FALL_BACK, PANIC = 0, 1, 2, 3, 4
RALLY_WITH_ELAN, RALLY, SHAKEN, WAVERING, ROUT = 5, 6, 7, 8, 9
#: What a unit may still do in this turn: nothing, fire alone, a tardy or a well-handled maneuver.
NOTHING, FIRE_ONLY, MAY_BE_TARDY, MAY_BE_WELL = 0, 1, 2, 3
#: Effects of fire (REG-FIR-07).
WITHERING, CHECKED, COLD_STEEL, HOME, GALLING, LIVELY, DESULTORY = 0, 1, 2, 3, 4, 5, 6
#: Results of a charge combat (REG-CHG-04 to 10).
SWEPT, DRIVEN_BACK, HARD_PRESSED, DESPERATE, FALTER, RECOIL, REPULSED = 0, 1, 2, 3, 4, 5, 6
#: Ranks of leaders, and what has become of one (REG-LDR-01); a colonel leads in the place of one who fell.
BRIGADIER, SENIOR, COMMANDER = 0, 1, 2
LEADS, AWAY, OUT_OF_BATTLE, KILLED, CAPTURED, WOUNDED = 0, 1, 2, 3, 4, 5
#: What comes of two dice for him.
UNHURT, HORSE_SHOT, KNOCKED_DOWN, FLESH_WOUND, BADLY_WOUNDED, DEAD, TAKEN = 0, 1, 2, 3, 4, 5, 6
#: Where a unit is that is not on the table any more; else it is there or waits (`dtypes`).
LEFT, REMOVED = 2, 3
#: Whose troops a unit is, where the rules ask.
BRITISH, HESSIAN, LOYALIST, AMERICAN, INDIAN = 0, 1, 2, 3, 4

UNIT = np.dtype(
    [
        # what every look round the table asks of a unit: together, so that it is read at once
        ("side", "i8"),
        ("place", "i8"),
        ("x", "f8"),
        ("y", "f8"),
        ("face", "i8"),
        ("half_width", "f8"),  # of its rectangle, written by `states.reform`
        ("half_depth", "f8"),
        ("reach", "f8"),  # from its centre to a corner
        ("order_", "i8"),
        ("class_", "i8"),
        ("form", "i8"),
        ("inside", "i8"),  # the building it holds, or -1
        ("charges", "i8"),  # the unit it charges, or -1
        ("aim", "i8"),  # the unit it fires at, or -1
        ("stands", "i8"),  # left of it
        ("brigade", "i8"),
        # what it is
        ("rating", "i8"),
        ("nation", "i8"),
        ("weapon", "i8"),
        ("carriage", "i8"),
        ("marksmen", "i8"),
        ("bayonets", "i8"),
        ("militia", "i8"),
        ("continental", "i8"),
        ("buck_and_ball", "i8"),
        ("battalion_gun", "i8"),  # light or galloper guns
        ("worth", "i8"),  # victory points of a stand (REG-VP-01)
        ("front", "f8"),  # of a stand
        ("depth_", "f8"),
        ("home", "i8"),  # heading to its own edge
        ("due", "i8"),
        ("reserve", "i8"),
        ("outflanks", "i8"),  # of the weight that turns a flank
        ("spot_x", "f8"),  # where its side's plan wants it
        ("spot_y", "f8"),
        # how it stands
        ("colonel", "i8"),  # has a brave colonel (REG-LDR-04)
        ("colonel_back", "i8"),  # game turn from which he is with it again
        ("stands_start", "i8"),
        ("lost", "i8"),
        ("captured", "i8"),
        ("damaged", "i8"),  # gun stands that are damaged and may fire
        ("silent", "i8"),  # sound but silenced
        ("silent_damaged", "i8"),
        ("low", "i8"),  # low on ammunition: 1, or so many gun stands (REG-FIR-10)
        # in this player turn
        ("result", "i8"),  # of its maneuver check
        ("may", "i8"),  # what it may still do
        ("quick", "i8"),  # at the double quick
        ("moved", "i8"),
        ("fires", "i8"),  # guns that chose to fire (REG-GUN-03)
        ("about_faced", "i8"),  # by the rear rank, by the flank or through friends (REG-FIR-06)
        ("cold_steel", "i8"),
        ("countercharges", "i8"),
        ("checked", "i8"),  # its charge has come to nothing
        ("over_rough", "i8"),  # charged over broken or rough ground
        ("over_open", "i8"),  # charged over open ground alone
        ("from_x", "f8"),  # where its charge began
        ("from_y", "f8"),
        ("points", "f8"),  # fire points at its aim
        ("fought", "i8"),  # 1 in its second combat, after a breakthrough
        ("breaks", "i8"),  # 1 while it has won and has a breakthrough to make (REG-CHG-11)
        ("won_x", "f8"),  # where the enemy stood whom it has beaten
        ("won_y", "f8"),
        ("won_house", "i8"),  # the building he held, or -1
        *PROGRESS,
    ]
)

BRIGADE = np.dtype(
    [
        ("side", "i8"),
        ("leader", "i8"),  # a place in `leaders`, or -1
        ("stands_start", "i8"),
        ("heavy", "i8"),  # heavy casualties (REG-MAN-04), as of this turn
    ]
)

LEADER = np.dtype(
    [
        ("side", "i8"),
        ("rank", "i8"),
        ("brigade", "i8"),  # of a brigadier, or -1
        ("superior", "i8"),  # a place in `leaders`, or -1
        ("named", "i8"),  # place among the battle file's leaders, or -1
        ("unit", "i8"),  # the unit he is attached to, or -1
        ("x", "f8"),
        ("y", "f8"),
        ("state", "i8"),
        ("back", "i8"),  # game turn in which he is there again
        ("walks_until", "i8"),  # the last game turn in which he is dismounted
        ("wounded", "i8"),  # flesh wound: -1 to maneuver for the rest of the battle
        ("colonel", "i8"),  # a colonel leads in his place (REG-CMD-03)
        ("fate", "i8"),  # of the man the battle file names, LEADS to CAPTURED
        ("due", "i8"),
    ]
)

#: What the ground of a cell is; `going` is a column of the table of rates.
GOING = np.dtype(
    [
        ("going", "i8"),
        ("cover", "i8"),
        ("heart", "i8"),
        ("growth", "i8"),
        ("height", "i8"),
        ("road", "i8"),
        ("water", "i8"),  # 1 open, 2 under a bridge, 3 at a ford
    ]
)

#: The options as numbers, 0 and 1 for off and on unless told otherwise.
OPTIONS = np.dtype(
    [
        ("defender_first", "i8"),
        ("together", "i8"),
        ("worn_top", "i8"),  # worn at stands * bottom <= start * top
        ("worn_bottom", "i8"),
        ("spent_top", "i8"),
        ("spent_bottom", "i8"),
        ("dense_only", "i8"),
        ("poor_light", "i8"),
        ("replaced", "i8"),
        ("rolls_once", "i8"),
        ("batteries_fresh", "i8"),
        ("multiply", "i8"),
        ("lines_add", "i8"),
        ("buck_and_ball", "i8"),
        ("massed_only", "i8"),
        ("position_adds", "i8"),
        ("must_break_through", "i8"),
        ("leaders_for_both", "i8"),
        ("year", "i8"),
    ]
)

#: The tables as arrays.
TABLES = np.dtype(
    [
        ("rate", "f8", (17, 4, 2)),  # row, ground, double quick; 0.0 where there is none
        ("rating", "i8", (4,)),
        ("condition", "i8", (3,)),
        ("maneuver", "i8", (17,)),
        ("fire", "i8", (8,)),
        ("charge", "i8", (19,)),
        ("reach", "f8", (10, 6)),  # upper end of each range column by weapon
        ("points", "f8", (10, 6)),  # fire points of a stand there
        ("longest", "f8", (10,)),
        ("step", "f8", (10,)),  # least fire points of each modifier
        ("step_worth", "i8", (10,)),
        ("effect", "i8", (4, 16)),  # by rating and total, 0 to 15
        ("seen", "f8", (3,)),  # inches seen in or through growth
    ]
)


def build_record_dtype(size: RegimentalRecordSize) -> np.dtype[Any]:
    """Dtype of a state record of the given capacities; what a battle changes comes first."""
    return np.dtype(
        [
            *COURSE,
            ("u", UNIT, (size.units,)),
            ("brigades", BRIGADE, (size.brigades,)),
            ("leaders", LEADER, (size.leaders,)),
            # what a battle does not change
            *ORDERS,
            ("british", "i8"),  # the side whose losses American scores count
            ("stands_start", "i8", (2,)),
            ("o", OPTIONS),
            ("t", TABLES),
            ("queue", "i8", (size.units,)),
            ("order", "i8", (size.units,)),
            ("value", "f8", (size.units,)),  # what each enemy is worth to who fires; modifiers of a group
            ("worth", "f8", (size.units,)),  # and to who charges
            *table_fields(size, GOING),
            ("hills", "i8"),  # 1 where there are heights
            *last_fields(size),
        ]
    )


def make_blank_state(size: RegimentalRecordSize) -> NDArray[Any]:
    """A zeroed state as an array of one record, readable by field name in both modes."""
    return np.zeros(1, dtype=build_record_dtype(size)).view(np.recarray)
