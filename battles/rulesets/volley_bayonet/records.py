"""Layout of the state record `g` of a Volley & Bayonet battle, as `engine/dtypes.py` is for others.

All fields are i8 or f8. Lengths are inches of 25 yards (VBW-GEN-03), headings whole degrees clockwise
from the table's far edge, shares of a turn 0.0 to 1.0 (VBW-DEF-19). Stands stand under `u`, so that
the engine's recording of events finds them. Side 0 attacks and has the near edge; `crown` says which
side the Crown's is.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from battles.engine.dtypes import ON_TABLE as ON_TABLE
from battles.engine.dtypes import PROGRESS
from battles.engine.dtypes import WAITING as WAITING
from battles.engine.records import COURSE, ORDERS, last_fields, table_fields
from battles.rulesets.volley_bayonet.tables import DISTANCES


class VolleyBayonetRecordSize(NamedTuple):
    """Capacities of one state record."""

    stands: int
    battalions: int
    brigades: int
    leaders: int
    dice: int
    events: int
    structures: int
    works: int
    gates: int
    rows: int
    columns: int


SMALL = VolleyBayonetRecordSize(
    192, 96, 24, 64, 8192, 8192, structures=64, works=96, gates=8, rows=64, columns=112
)
LARGE = VolleyBayonetRecordSize(
    1536, 1024, 256, 1400, 131072, 262144, structures=256, works=512, gates=32, rows=192, columns=512
)
#: Cards a side may hold, and of the deck (VBW-CRD-03, VBW-CRD-10).
HAND, DECK = 12, 48
#: Hill tops a table may have.
SUMMITS = 32

#: Order states (VBW-DEF-01).
GOOD, DISORDERED, PERMANENT, ROUTED, REMOVED = 0, 1, 2, 3, 4
#: Classes of stands (VBW-STD-01); command stands are leaders, transport is nobody's fighter.
INFANTRY, DETACHMENT, GUNS, HORSE, TRANSPORT = 0, 1, 2, 3, 4
#: How a stand is formed: limbered guns are in road march (VBW-STD-07).
FORMED, SKIRMISH, ROAD_MARCH = 0, 1, 2
#: What it shoots with (VBW-HIT-01, VBW-HIT-02).
NO_WEAPON, MUSKET, RIFLE, NATIVE_ARMS, LIGHT_GUN, FIELD_GUN, HOWITZER, HEAVY_GUN = 0, 1, 2, 3, 4, 5, 6, 7
#: Three more of Road to Glory (RTG-RNG-01), and how many weapons there are in all.
VERY_LIGHT_GUN, SIEGE_GUN, DEDICATED, WEAPONS = 8, 9, 10, 11
#: Rows of the table of dice (VBW-COM-02 to 07).
D_REGULAR, D_POOR, D_DETACHMENT, D_GUNS, D_HORSE, D_NONE = 0, 1, 2, 3, 4, 5
#: Rows of the largest table of dice, entries of that of morale (RTG-CBT-10, RTG-MOR-09).
DICE_ROWS, MORALE_ENTRIES = 11, 15
#: Columns of the table of bases: formed, in skirmish order, massed (RTG-GEN-04).
MASSED_BASE, BASES_OF_CLASS = 2, 3
#: Columns of the terrain tables, the order of `tables.KINDS`.
FAST_FOOT, SLOW_FOOT, FOOT_SKIRMISHERS, RIDERS, RIDER_SKIRMISHERS, ROLLING = 0, 1, 2, 3, 4, 5
PACK, WHEELS, COMMANDERS = 6, 7, 8
#: Kinds of ground of a cell.
OPEN, FOREST, SWAMP, WOODS, MARSH, BROKEN, CROPS, CAMP, WATER = 0, 1, 2, 3, 4, 5, 6, 7, 8
#: Ranks (VBW-CMD-02), and what became of a commander.
UNIT_COMMANDER, BRIGADE_COMMANDER, WING_COMMANDER, ARMY_COMMANDER = 0, 1, 2, 3
COMMANDS, OUT_OF_PLAY, LOST, FALLEN = 0, 1, 2, 3
#: Edges of a base that a charge meets (VBW-DEF-05).
FRONT, FLANK, REAR = 0, 1, 2
#: Who pays and recruits a stand, for the cards.
BRITISH, LOYALIST, GERMAN, AMERICAN, FRENCH, NATIVE = 0, 1, 2, 3, 4, 5
#: Where a stand is that has left the table; else it is there or waits (`dtypes`).
GONE = 2
#: Readings of an option that are neither off nor on.
ROUND_NEAREST, ROUND_UP, ROUND_DOWN = 0, 1, 2

STAND = np.dtype(
    [
        # what every look round the table asks of a stand: together, so that it is read at once
        ("side", "i8"),
        ("place", "i8"),
        ("state", "i8"),
        ("x", "f8"),
        ("y", "f8"),
        ("form", "i8"),
        ("inside", "i8"),  # the block it occupies, or -1
        ("charges", "i8"),  # the stand it charges, or -1
        ("class_", "i8"),  # a dismounted stand is a detachment
        ("face", "i8"),
        ("charged", "i8"),  # moved into contact in this phase
        ("fought", "i8"),  # has taken part in this combat step
        ("aims", "i8"),  # the stand it fires at, or -1
        ("sp", "i8"),
        ("battalion", "i8"),
        ("brigade", "i8"),  # or -1
        # what it is
        ("wing", "i8"),  # its wing commander, a place in `leaders`, or -1
        ("weapon", "i8"),
        ("dice_row", "i8"),
        ("poorly_trained", "i8"),
        ("militia", "i8"),  # of a label or name (VBW-CRD-27)
        ("sharpshooter", "i8"),
        ("breaks_up", "i8"),  # SK
        ("in_detachments", "i8"),  # its unit is made of detachment stands
        ("shock", "i8"),
        ("no_elites", "i8"),
        ("weight", "i8"),  # of cavalry: 1 light, 2 medium, 3 heavy (VBW-ABL-06)
        ("rides", "i8"),  # 1 for mounted infantry, which is disordered in the saddle
        ("native", "i8"),
        ("slow", "i8"),
        ("pack", "i8"),  # of transport: 1 on pack animals, 0 on wheels
        ("morale", "i8"),  # of its label
        ("rate", "f8"),  # inches a turn as it is now
        ("rate_foot", "f8"),  # dismounted, or of gunners without guns
        ("rate_horse", "f8"),
        ("home", "i8"),  # heading to its own edge
        ("reserve", "i8"),  # kept back until needed
        ("outflanks", "i8"),  # of the weight that turns a flank
        ("spot_x", "f8"),  # where its side's plan wants it
        ("spot_y", "f8"),
        # how it stands
        ("sp_start", "i8"),  # those it had or was given as it broke up, less those it gave
        ("lost", "i8"),
        ("captured", "i8"),
        ("due", "i8"),
        ("partner", "i8"),  # the other half of its stand, there or not, or -1 (VBW-MOV-22)
        ("spare", "i8"),  # 1 for a half that is not there: its stand has not broken up
        ("waits", "i8"),  # turns in which it has tried to join its other half
        ("stationary", "i8"),
        ("guns_gone", "i8"),  # abandoned (VBW-DEF-22)
        ("gun_x", "f8"),
        ("gun_y", "f8"),
        ("in_marsh", "f8"),  # what an inch of the marsh it is in costs it, 0.0 outside
        ("in_command", "i8"),
        ("fired", "i8"),  # game turn in which it last fired or was in a melee
        # in this player phase
        ("left", "f8"),  # share of its turn that is left
        ("facings", "i8"),
        ("moved", "i8"),
        ("turned", "i8"),  # has made only its free facing change
        ("recovered", "i8"),
        ("left_march", "i8"),
        ("free_turn", "i8"),  # facing changes that leaving road march gave it
        ("rallied", "i8"),
        ("edge", "i8"),  # of that stand it meets
        ("from_x", "f8"),  # where its charge began
        ("from_y", "f8"),
        ("from_height", "i8"),  # contour it began on
        ("breaks", "i8"),  # breakthroughs it has made
        ("over_stream", "i8"),  # attacks over a defended stream
        ("over_fence", "i8"),
        ("bridges", "i8"),
        ("nerve", "i8"),  # modified morale of this morale step
        ("checked", "i8"),
        ("caller", "i8"),  # the enemy that calls its check, or -1
        ("rolled", "i8"),  # its hits before saves, in the combat being fought
        ("hits", "i8"),  # not saved, in the combat being fought
        ("hurt", "i8"),  # SP it has lost in this combat step
        ("attended", "i8"),  # 1 when its army commander was with it as the combat step began
        ("runs", "i8"),  # has routed and owes the move
        ("away", "i8"),  # its heading
        # of Road to Glory, but for its markers
        ("markers", "i8"),  # spacers it trails in road march (VBW-MOV-15, RTG-MOV-07)
        ("massed", "i8"),  # 1 for a massed brigade, 0 for a linear stand (RTG-GEN-04)
        ("battery", "i8"),  # 1 for half a battalion of guns (RTG-CBT-20)
        ("dedicated", "i8"),  # dedicated guns it has (RTG-CBT-22)
        ("gun_row", "i8"),  # the battalion that stands for its dedicated gun, or -1
        ("horse_guns", "i8"),  # horse artillery (RTG-MOV-02)
        ("hired", "i8"),  # PPA: guns that do not limber again (RTG-GEN-05)
        ("lancers", "i8"),
        ("firearm", "i8"),  # firearm cavalry (RTG-CBT-14)
        ("limbered", "i8"),  # guns on their limbers, in march column or not
        ("limbers", "i8"),  # has limbered or unlimbered in this phase (RTG-MOV-04)
        ("streams", "i8"),  # crossed in this phase (RTG-TER-17)
        ("climbed", "i8"),  # contours of a hill gone up or down in this phase (RTG-TER-10)
        ("secure", "i8"),  # cavalry-secure in this morale step (RTG-MIS-02)
        ("leans", "i8"),  # the stand whose touch alone puts it in command, or -1 (RTG-CMD-02)
        *PROGRESS,
    ]
)

BATTALION = np.dtype(
    [
        ("side", "i8"),
        ("brigade", "i8"),
        ("nation", "i8"),
        ("highland", "i8"),
        ("maryland", "i8"),  # or of Delaware (VBW-CRD-42)
        ("light", "i8"),
        ("lost_stands", "i8"),
        ("unit", "i8"),  # place among the battle file's units
        # what cards do to it
        ("die", "i8"),  # added to its morale dice for the rest of the turn
        ("step_die", "i8"),  # added in this morale step
        ("again", "i8"),  # rerolls failed checks of this step
        ("fire_again", "i8"),  # rerolls dice that missed
        ("extra_saves", "i8"),  # against its hits
        ("going", "f8"),  # inches of allowance gained, or lost
        ("free_ground", "i8"),  # crosses one piece of rough going without extra cost
    ]
)

BRIGADE = np.dtype(
    [
        ("side", "i8"),
        ("commander", "i8"),
        ("sp_start", "i8"),
        ("level", "i8"),  # 0 for what has none
        ("lost", "i8"),
        ("hits", "i8"),  # of this combat step
        ("exhausted", "i8"),
        ("collapsed", "i8"),
        ("lost_before", "i8"),  # SP lost when the player turn began (RTG-EXH-03)
    ]
)

LEADER = np.dtype(
    [
        ("side", "i8"),
        ("rank", "i8"),
        ("battalion", "i8"),  # of a unit commander
        ("brigade", "i8"),  # of a brigade commander
        ("superior", "i8"),  # a place in `leaders`, or -1
        ("named", "i8"),  # place among the battle file's leaders, or -1
        ("x", "f8"),
        ("y", "f8"),
        ("rate", "f8"),
        ("left", "f8"),
        ("state", "i8"),
        ("back", "i8"),  # game turn from which he commands again
        ("hit_in", "i8"),  # the side in whose phase he was hit, -1 for who only comes on later
        ("due", "i8"),
    ]
)

#: What the ground of a cell is; `costs` are inches of allowance for an inch, 0.0 where it is barred.
GOING = np.dtype(
    [
        ("kind_", "i8"),
        ("height", "i8"),
        ("road", "i8"),
        ("water", "i8"),  # 1 open, 2 under a bridge, 3 at a ford
        ("hill", "i8"),
        ("costs", "f8", (9,)),
        ("disorders", "i8", (9,)),
        # as the engine's writer of cells has them
        ("wood", "i8"),
        ("slope", "i8"),
        ("soft", "i8"),
        ("fallen", "i8"),
        ("terrain", "i8"),  # kind of Road to Glory's table of terrain (RTG-TER)
    ]
)

#: The middle of a hill's highest contour, through which its crest runs (VBW-TER-27).
SUMMIT = np.dtype([("x", "f8"), ("y", "f8"), ("height", "i8")])

#: A stretch of stream that a card has made marshy-banked (VBW-CRD-46).
MARSHY = np.dtype([("x", "f8"), ("y", "f8")])

#: The options as numbers, 0 and 1 for off and on unless told otherwise.
OPTIONS = np.dtype(
    [
        ("cards", "i8"),
        ("crown_second", "i8"),
        ("unit_radius", "f8"),
        ("contact", "f8"),
        ("facings", "i8"),
        ("mounted_skirmish", "i8"),
        ("break_up_any", "i8"),  # units organised in detachments need no label
        ("rallied_fight", "i8"),
        ("rear_is_flank", "i8"),
        ("routed_disordered", "i8"),
        ("weight", "i8"),
        ("native_drop", "i8"),
        ("native_shock", "i8"),
        ("battalion_fire", "i8"),
        ("save_on", "i8"),
        ("save_in_forest", "i8"),
        ("save_in_buildings", "i8"),
        ("tie_to_defender", "i8"),
        ("no_elites", "i8"),
        ("driven_back", "i8"),
        ("advance", "i8"),
        ("after_level", "i8"),  # exhausted only beyond the level
        ("arc_slope", "f8"),  # tangent of the arc beyond the front corners
        ("support_counts", "i8"),
        ("commander_dies", "i8"),
        ("hand", "i8"),
        # of Road to Glory
        ("grand", "i8"),  # 1 where a stand is a brigade, which has steps of its own (RTG-GEN-01)
        ("auto_checks", "i8"),  # a 1 passes and a 6 fails (RTG-MOR-02)
        ("battery_close", "i8"),  # least score of a battery at close range (RTG-CBT-20)
        ("horse_shock", "i8"),  # RTG-CBT-17
        ("linear_gun", "i8"),  # RTG-CBT-22
        ("saves_stack", "i8"),  # RTG-SAV-07
        ("seniors_command", "i8"),  # RTG-CMD-01
        ("field_harms_fort", "i8"),  # RTG-TER-07
        ("changes_form", "i8"),  # 1 where somebody breaks up or rides as mounted infantry
    ]
)

#: The tables as arrays.
TABLES = np.dtype(
    [
        ("dice", "i8", (DICE_ROWS, 2, 2)),  # row, stationary, fire or melee
        ("short", "f8", (WEAPONS,)),
        ("short_hit", "i8", (WEAPONS,)),
        ("long", "f8", (WEAPONS,)),
        ("long_hit", "i8", (WEAPONS,)),
        ("melee_hit", "i8", (WEAPONS,)),
        ("morale", "i8", (MORALE_ENTRIES,)),
        ("half_width", "f8", (5, BASES_OF_CLASS)),  # by class and column
        ("half_depth", "f8", (5, BASES_OF_CLASS)),
        ("rate_guns", "f8", (WEAPONS,)),
        ("fence", "f8", (9,)),
        ("gunners", "f8"),  # rate of gunners without guns
        ("commanders", "f8"),
        ("marsh_rate", "f8"),  # a commander's at a marshy bank
        ("quiet_turns", "i8"),  # without a shot, a contact or ground gained, after which both sides rest
        ("room", "i8"),  # room an infantry stand takes in a block
        ("crossed_block", "i8"),  # most room of a block that is in nobody's way (RTG-TER-22)
        *((name, "f8") for name in DISTANCES),
    ]
)


def build_record_dtype(size: VolleyBayonetRecordSize) -> np.dtype[Any]:
    """Dtype of a state record of the given capacities; what a battle changes comes first."""
    return np.dtype(
        [
            *COURSE,
            ("battalions_n", "i8"),
            ("deck_n", "i8"),  # cards face down
            ("deck", "i8", (DECK,)),
            ("discards_n", "i8"),
            ("discards", "i8", (DECK,)),
            ("hand_n", "i8", (2,)),
            ("hands", "i8", (2, HAND)),
            ("marshy_n", "i8"),
            ("marshy", MARSHY, (4,)),
            ("lit", "i8", (size.structures,)),  # game turn in which a block caught fire (RTG-TER-24)
            ("u", STAND, (size.stands,)),
            ("battalions", BATTALION, (size.battalions,)),
            ("brigades", BRIGADE, (size.brigades,)),
            ("leaders", LEADER, (size.leaders,)),
            # what a battle does not change
            *ORDERS,
            ("crown", "i8"),
            ("sp_start", "i8", (2,)),
            ("o", OPTIONS),
            ("t", TABLES),
            ("queue", "i8", (size.stands,)),
            ("order", "i8", (size.stands,)),
            ("value", "f8", (size.stands,)),  # what each enemy is worth to who chooses among them
            ("wooded", "i8", (size.stands,)),  # 1 for whom woods save, -1 for another, 0: not looked at
            *table_fields(size, GOING),
            ("stone", "i8", (size.structures,)),  # 1 for a block of stone (RTG-TER-23)
            ("summits_n", "i8"),
            ("summits", SUMMIT, (SUMMITS,)),
            ("fields", "i8", (size.rows, size.columns)),  # fields of crops by number, 0 for none
            ("clear", "i8", (size.rows, size.columns)),  # cells to the nearest in which something may grow
            *last_fields(size),
        ]
    )


def make_blank_state(size: VolleyBayonetRecordSize) -> NDArray[Any]:
    """A zeroed state as an array of one record, readable by field name in both modes."""
    return np.zeros(1, dtype=build_record_dtype(size)).view(np.recarray)
