"""Layout of the state record `g` that every kernel is given whole.

All fields are i8 or f8: narrower types compute differently compiled and interpreted. Lengths are
inches at the 25 mm scale, headings whole degrees clockwise from the table's far edge (+y), strength
in strength points. Shapes are part of the type, so there are only two sizes. What a battle changes
comes first in the record and what it does not change after it, so that the next run of the same
battle copies back only the beginning.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from battles.engine.orders import OPTIONS, PLAN


class AwiRecordSize(NamedTuple):
    """Capacities of one state record."""

    units: int
    dice: int
    events: int
    generals: int
    structures: int
    works: int
    gates: int
    rows: int
    columns: int


SMALL = AwiRecordSize(96, 8192, 8192, generals=32, structures=64, works=96, gates=8, rows=96, columns=160)
LARGE = AwiRecordSize(
    1024, 131072, 131072, generals=256, structures=256, works=512, gates=32, rows=256, columns=768
)

#: Morale of a unit on the table (AWI-T-STA-01).
STEADY, SHAKEN, ROUTING = 0, 1, 2
#: Where a unit is.
ON_TABLE, WAITING, ELIMINATED, SURRENDERED, LEFT_TABLE = 0, 1, 2, 3, 4
#: Formations (AWI-T-UNI-02); wagons are always limbered.
LINE, COLUMN, LIMBERED, DEPLOYED = 0, 1, 2, 3
FOOT, MOUNTED, WHEELED = 0, 1, 2
CLOSE, OPEN, ARTILLERY = 0, 1, 2
#: Plans of a side's commander; turning a flank is an assault with a flank named.
ASSAULT, HOLD, DELAY, WITHDRAW, TURN_FLANK, ADVANCE = 0, 1, 2, 3, 4, 5
#: Columns of the terrain tables (AWI-T-TER-01); grasshoppers march as close order foot.
CLOSE_FOOT, OPEN_FOOT, HORSE, WHEELS = 0, 1, 2, 3
#: Woods of a cell.
NO_WOOD, OPEN_WOODS, DENSE_WOODS = 0, 1, 2
#: How well a unit hides in woods (AWI-T-TER-07).
HIDES_BADLY, HIDES, HIDES_WELL = 0, 1, 2
#: Kinds of works, which are lines, and of structures.
FENCE, WALL, STREAM, FIELDWORK, STOCKADE, REDOUBT, BUILDING, BRIDGE = 0, 1, 2, 3, 4, 5, 6, 7
#: Farthest from a unit's centre that a work within an inch of it can be: half its diagonal and the inch.
NEAR_WORK = 3.0
#: Places of five bits in what is known of a cell: cells on every side within which nothing bars sight,
#: nothing costs or is in the way, no work's frame lies, and all going costs the same, itself counted; 0 is
#: unknown. The last is five places: for each class spread out, and for all in column, to whom roads matter.
CLEAR, EVEN, WORKLESS, ALIKE, IN_COLUMN = 0, 5, 10, 15, 4
BITS, FULL = 5, 31
#: Places of ten bits: how many works come before the first within NEAR_WORK of the cell, and after the last.
WORKS_BEFORE, WORKS_AFTER, MANY = 40, 50, 1023
#: Ways over water.
BY_BRIDGE, BY_FORD = 0, 1
#: Ranks of generals, and what became of them.
BRIGADIER, SENIOR, COMMANDER = 0, 1, 2
IN_FIELD, DISABLED, KILLED, CAPTURED, GONE_HOME = 0, 1, 2, 3, 4
#: Engineering tasks (AWI-T-ENG-01, AWI-T-EXP-01).
NO_TASK, BUILD, DISMANTLE, DEMOLISH = 0, 1, 2, 3
#: Variants of the rules (AWI-T-V98-01, AWI-T-V45-01).
NO_VARIANT, IRELAND_1798, JACOBITE_1745 = 0, 1, 2
#: Reasons why a run is void.
NO_ERROR, DICE_OVERRUN, EVENT_OVERRUN = 0, 1, 2
#: Ends of a battle.
GOES_ON, DAY_OVER, NOTHING_LEFT, BROKEN, NO_CONTACT, NO_WAY = 0, 1, 2, 3, 4, 5

#: Fields of a unit that tell how it gets on towards where it is sent (`wayfinding`, `progress`).
PROGRESS: list[tuple[str, str]] = [
    ("nearest", "f8"),  # inches it had left to the enemy when it had fewest, while nobody fired
    ("least_left", "f8"),  # the same to where it was last sent, fire or none
    ("asked_in", "i8"),  # game turn in which that was last looked at
    ("stuck", "i8"),  # moves in which it has come no nearer
    ("has_way", "i8"),  # round barred ground: not needed, found, or none (`wayfinding`)
    ("via_x", "f8"),  # where the leg of that way ends
    ("via_y", "f8"),
    ("via_left", "f8"),  # inches from there, dearer ground counted as more
]

UNIT = np.dtype(
    [
        # what it is
        ("side", "i8"),
        ("arm", "i8"),
        ("order_", "i8"),
        ("european", "i8"),
        ("grenadier", "i8"),
        ("militia", "i8"),
        ("indian", "i8"),
        ("wagon", "i8"),
        ("gun", "i8"),  # 1 for a battery
        ("howitzer", "i8"),
        ("shoots", "i8"),  # has a musket, rifle or gun
        ("morale", "i8"),  # modifier of basic morale
        ("fire", "i8"),  # modifier of its fire
        ("surrender_on", "i8"),
        ("turn_on", "i8"),  # die a gun needs to turn when guns dice for it
        ("going", "i8"),  # its column of the terrain tables
        ("hides", "i8"),  # how well it hides in woods
        ("british_close", "i8"),  # British line or grenadiers
        ("pikes", "i8"),
        ("highland", "i8"),
        ("brigade", "i8"),  # its brigadier, a place in `generals`, or -1
        ("reserve", "i8"),  # kept back until needed
        ("task", "i8"),  # engineering it is told to do
        ("task_at", "i8"),  # structure it does it on, or -1
        ("task_size", "i8"),  # charges it is to lay
        ("tools", "i8"),  # a wagon's tools, for one unit
        ("due", "i8"),  # game turn in which it comes on
        ("rate_line", "f8"),  # deployed, for guns
        ("rate_column", "f8"),  # limbered, for guns
        ("rate_rout", "f8"),
        ("short_max", "f8"),
        ("medium_min", "f8"),
        ("medium_max", "f8"),
        ("long_max", "f8"),
        ("short_factor", "i8"),
        ("medium_factor", "i8"),
        ("long_factor", "i8"),
        # how it stands
        ("sp_start", "i8"),
        ("sp", "i8"),
        ("lost", "i8"),
        ("captured", "i8"),
        ("place", "i8"),
        ("mood", "i8"),
        ("form", "i8"),
        ("x", "f8"),
        ("y", "f8"),
        ("face", "i8"),
        ("post_x", "f8"),  # where it was drawn up
        ("post_y", "f8"),
        ("gun_left", "i8"),  # crew has run from its gun
        ("gun_x", "f8"),
        ("gun_y", "f8"),
        ("gun_going", "i8"),  # its column of the terrain tables when the crew has its gun back
        ("immobile", "i8"),  # wagon that has routed
        ("rout_turn", "i8"),  # player turn of its last rout
        ("inside", "i8"),  # structure it occupies, or -1
        ("shown", "i8"),  # has fired or charged since it last moved (AWI-T-TER-07)
        ("owes", "f8"),  # share of a whole move it still owes at an obstacle (AWI-T-TER-02)
        ("owes_at", "i8"),  # the work it is crossing, or -1
        ("powder", "i8"),  # explosive charges a wagon holds
        ("laid", "i8"),  # charges laid, or half an SP dug
        ("fuse", "i8"),  # 1 when it has moved away from its charges
        ("highland_charge", "i8"),  # in a Highland charge (AWI-T-V45-03)
        ("committed", "i8"),  # a reserve that has been sent in
        ("came_on", "i8"),  # went forward in its last step C
        ("wing", "i8"),  # of the weight that goes round the flank (plan turn_flank)
        ("spot_x", "f8"),  # where its plan wants it to stand
        ("spot_y", "f8"),
        # what it does in this player turn
        ("busy", "i8"),  # may not act in step C
        ("retires", "i8"),
        ("target", "i8"),
        ("aim", "i8"),  # fire modifier of the declared shot
        ("had_target", "i8"),
        ("shakes", "i8"),
        ("target2", "i8"),  # of the second base of a unit in a building, or -1 (AWI-T-TER-10)
        ("aim2", "i8"),
        ("at_structure", "i8"),  # structure a gun fires at, or -1 (AWI-T-FOR-02)
        ("under_fire", "i8"),  # was shot at in this step E
        ("fired", "i8"),  # fired in the last step E
        ("digging", "i8"),  # works with tools and does not fire (AWI-T-ENG-01)
        ("moved", "i8"),  # moved in this step C
        ("turned", "i8"),  # has made its one turn on the spot of this step C (AWI-T-MOV-08)
        ("backed", "i8"),  # has fallen back in this step C, which it pays for once (AWI-T-MOV-07)
        ("spent", "f8"),  # inches of its allowance spent in this step C
        ("charges", "i8"),  # unit charged, or -1
        ("zone", "i8"),  # zone of the target it strikes
        ("reach", "f8"),  # inches to its target when it declared
        ("over", "i8"),  # what it charges over: 0 or OVER_OBSTACLE, OVER_BUILDING, OVER_WORKS
        ("old_x", "f8"),  # where its target stood
        ("old_y", "f8"),
        ("contact", "i8"),
        ("counter", "i8"),
        ("won", "i8"),
        ("score", "i8"),
        ("tested", "i8"),
        ("fought", "i8"),
        *PROGRESS,
    ]
)

#: What a charge must cross to reach its target, the worst of it (AWI-T-MEL-07, AWI-T-FOR-04).
OVER_NOTHING, OVER_OBSTACLE, OVER_BUILDING, OVER_WORKS = 0, 1, 2, 3

#: A general (AWI-T-GEN). While he is with a unit his place is the unit's.
GENERAL = np.dtype(
    [
        ("side", "i8"),
        ("rank", "i8"),
        ("superior", "i8"),  # a place in `generals`, or -1
        ("unit", "i8"),  # the unit he is with, or -1
        ("wounds", "i8"),
        ("fate", "i8"),
        ("due", "i8"),  # game turn in which he comes on
        ("x", "f8"),
        ("y", "f8"),
        ("rate", "f8"),  # inches a move
    ]
)

#: A thing with structure SP (AWI-T-FOR-01): a rectangle for buildings and bridges, else the works'.
STRUCTURE = np.dtype(
    [
        ("kind_", "i8"),
        ("sp", "i8"),
        ("sp_full", "i8"),
        ("sp_start", "i8"),
        ("solid", "i8"),  # can be shot at; fences and walls cannot
        ("capacity", "i8"),  # units a building holds
        ("feature", "i8"),  # place in the battle file's list of features
        ("x", "f8"),
        ("y", "f8"),
        ("face", "i8"),
        ("half_width", "f8"),
        ("half_depth", "f8"),
    ]
)

#: A straight piece of an obstacle; its structure's SP give its class of cover (AWI-T-FOR-03).
WORK = np.dtype(
    [
        ("x0", "f8"),
        ("y0", "f8"),
        ("x1", "f8"),
        ("y1", "f8"),
        ("low_x", "f8"),
        ("high_x", "f8"),
        ("low_y", "f8"),
        ("high_y", "f8"),
        ("kind_", "i8"),
        ("structure", "i8"),  # place in `structures`, or -1 for a stream
        ("gate", "i8"),  # the bridge over this piece of a stream, or -1
    ]
)

#: A bridge or ford; `heading` is the way over it.
GATE = np.dtype(
    [
        ("kind_", "i8"),
        ("x", "f8"),
        ("y", "f8"),
        ("heading", "i8"),
        ("half_width", "f8"),
        ("half_length", "f8"),
        ("structure", "i8"),  # the first of a bridge's pieces, or -1
        ("pieces", "i8"),  # of a bridge, by 100 mm; it is cut when one of them falls
    ]
)

#: What the ground of a cell is, besides its costs.
GOING = np.dtype(
    [
        ("wood", "i8"),
        ("height", "i8"),
        ("road", "i8"),
        ("water", "i8"),  # 1 open, 2 under a bridge, 3 at a ford
        ("slope", "i8"),  # 1 gentle, 2 steep, 3 impassable
        ("soft", "i8"),  # soft cover: woods and rubble
        ("fallen", "i8"),  # what the cell becomes when the structure on it falls, 0 if nothing
    ]
)
#: Room for kinds of going; columns of costs are the four classes spread out, then on a road in column.
GOINGS = 256
#: The last way a commander asked for, and what he was told.
ASKED = np.dtype(
    [
        ("unit", "i8"),
        ("heading", "i8"),
        ("want", "f8"),
        ("x", "f8"),
        ("y", "f8"),
        ("face", "i8"),
        ("form", "i8"),
        ("spent", "f8"),
        ("wades", "i8"),
        ("inches", "f8"),
        ("cost", "f8"),
    ]
)
EVENT = np.dtype(
    [
        ("turn", "i8"),
        ("mover", "i8"),
        ("step", "i8"),
        ("what", "i8"),
        ("actor", "i8"),
        ("other", "i8"),
        ("die1", "i8"),
        ("die2", "i8"),
        ("modifier", "i8"),
        ("total", "i8"),
        ("result", "i8"),
        ("face", "i8"),
        ("x", "f8"),
        ("y", "f8"),
    ]
)


def build_record_dtype(size: AwiRecordSize) -> np.dtype[Any]:
    """Dtype of a state record of the given capacities."""
    return np.dtype(
        [
            # what a battle changes
            ("n", "i8"),
            ("turn", "i8"),
            ("player_turn", "i8"),
            ("mover", "i8"),
            ("first", "i8"),
            ("step", "i8"),
            ("error", "i8"),
            ("ending", "i8"),
            ("holder", "i8"),
            ("quiet", "i8"),  # game turns since the last shot or charge
            ("idle", "i8"),  # of these, those since anybody under orders to go forward gained ground
            ("gained", "i8"),  # somebody has gained ground in this game turn
            ("broken_off", "i8"),  # attacks that came to a stand and fell back to come on again
            ("back_until", "i8"),  # the last game turn in which they fall back
            ("cursor", "i8"),
            ("recording", "i8"),
            ("events_n", "i8"),
            ("near_n", "i8"),
            ("wades", "i8"),  # work that takes the unit last asked for more than this move, or -1
            ("generals_n", "i8"),
            ("structures_n", "i8"),
            ("ground_changed", "i8"),  # rubble or a cut bridge: the cells must be written again
            ("plain", "i8"),  # 1 when no cell differs from open ground
            ("dice_n", "i8"),  # dice words there are
            ("plan", "i8", (2,)),  # the kind of plan now in force
            ("asked", ASKED),
            ("flank_x", "f8"),  # the end of the enemy's line that the mover means to turn
            ("flank_y", "f8"),
            ("flank_met", "i8"),  # the mover's weight is within musket shot of the enemy
            ("u", UNIT, (size.units,)),
            ("generals", GENERAL, (size.generals,)),
            ("structures", STRUCTURE, (size.structures,)),
            # what it does not change
            ("turns", "i8"),
            ("width", "f8"),
            ("depth", "f8"),
            ("plans", PLAN, (2,)),
            ("break_at", "i8", (2,)),  # percent of its SP at which a side breaks off
            ("sp_start", "i8", (2,)),
            ("objective", "i8"),
            ("objective_x", "f8"),
            ("objective_y", "f8"),
            ("o", OPTIONS),
            ("near", "i8", (size.units + size.structures,)),  # structures follow the units
            ("queue", "i8", (size.units,)),
            ("buildings_n", "i8"),  # buildings come first among the structures
            ("works_n", "i8"),
            ("works", WORK, (size.works,)),
            ("gates_n", "i8"),
            ("gates", GATE, (size.gates,)),
            ("woods", "i8"),  # 1 when there are woods
            ("hills", "i8"),  # 1 when there are heights
            ("bars", "i8", (4,)),  # 1 when some cell bars the class
            ("cell", "f8"),  # inches of a cell's side
            ("rows", "i8"),
            ("columns", "i8"),
            ("cost", "f8", (GOINGS, 8)),  # allowance spent per inch; 0 where it cannot go
            ("going", GOING, (GOINGS,)),
            ("goings_n", "i8"),
            ("ground", "i8", (size.rows, size.columns)),  # code of each cell, row 0 at the near edge
            ("known", "i8", (size.rows, size.columns)),  # of the ground round each cell, packed: see CLEAR
            ("cells_per_inch", "f8"),
            # what is written before it is read
            ("dice", "i8", (size.dice,)),
            ("events", EVENT, (size.events,)),
            ("between_n", "i8"),
            ("between", "i8", (size.units,)),  # units that may be in the way of a shot
            ("worth", "f8", (size.units,)),  # of a shot at each unit, if nothing hides it
        ]
    )


def make_blank_state(size: AwiRecordSize) -> NDArray[Any]:
    """A zeroed state as an array of one record, readable by field name in both modes."""
    return np.zeros(1, dtype=build_record_dtype(size)).view(np.recarray)
