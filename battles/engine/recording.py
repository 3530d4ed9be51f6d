"""Recording of events into the state record; decoded later by events.py, without numba."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.dtypes import EVENT_OVERRUN
from battles.engine.events import CODE, RESULT

STEP_G, STEP_H, STEP_I, STEP_J, STEP_K = 7, 8, 9, 10, 11

FIRST_MOVE = CODE["first_move"]
ARRIVES = CODE["arrives"]
SHAKEN_TEST = CODE["shaken_test"]
ROUT_TEST = CODE["rout_test"]
ROUT_MOVE = CODE["rout_move"]
RETIRE = CODE["retire"]
SURRENDER_TEST = CODE["surrender_test"]
SP_LOST = CODE["sp_lost"]
REMOVED = CODE["eliminated"]
LEAVES_TABLE = CODE["left_table"]
MOVE = CODE["move"]
FALL_BACK = CODE["fall_back"]
TURN = CODE["turn"]
WHEEL = CODE["wheel"]
CHANGE_FORMATION = CODE["change_formation"]
LIMBER = CODE["limber"]
DEPLOY = CODE["deploy"]
RECREW = CODE["recrew"]
GUN_CAPTURED = CODE["gun_captured"]
WAGON_CAPTURED = CODE["wagon_captured"]
CHANGE_FACING = CODE["change_facing"]
FIRE = CODE["fire"]
SHOT_WASTED = CODE["shot_wasted"]
WAVERS = CODE["shaken"]
ROUTED_BY_FIRE = CODE["routed_by_fire"]
CHARGE = CODE["charge"]
CHARGE_TEST = CODE["charge_test"]
ROUTS = CODE["routs"]
ROUTS_AGAIN = CODE["routs_again"]
COUNTER_CHARGE = CODE["counter_charge"]
EVADE = CODE["evade"]
CONTACT = CODE["contact"]
OCCUPY = CODE["occupy"]
FIRE_AT_SECOND_CHARGE = CODE["fire_at_second_charge"]
MELEE_ROLL = CODE["melee_roll"]
MELEE_DRAW = CODE["melee_draw"]
MELEE_LOST = CODE["melee_lost"]
MELEE_ROUTED = CODE["melee_routed"]
MELEE_REPULSED = CODE["melee_repulsed"]
MELEE_RETIRE = CODE["melee_retire"]
MARCHES_OFF = CODE["marches_off"]
BATTLE_ENDS = CODE["battle_ends"]
TURN_REFUSED = CODE["turn_refused"]
EFFECTIVENESS = CODE["effectiveness"]
CROSSING = CODE["crossing"]
ENTERS_BUILDING = CODE["enters_building"]
LEAVES_BUILDING = CODE["leaves_building"]
GENERAL_UNDER_FIRE = CODE["general_under_fire"]
GENERAL_IN_MELEE = CODE["general_in_melee"]
GENERAL_TAKEN = CODE["general_captured"]
CHAIN_SHAKEN = CODE["chain_shaken"]
GENERAL_JOINS = CODE["general_joins"]
GENERAL_MOVES = CODE["general_moves"]
GENERAL_DRIVEN = CODE["general_driven_off"]
GENERAL_GOES = CODE["general_leaves"]
BUILDS = CODE["builds"]
DISMANTLES = CODE["dismantles"]
DIGGING_LOST = CODE["digging_lost"]
LAYS_CHARGE = CODE["lays_charge"]
BLAST_DICE = CODE["blast_dice"]
EXPLOSION = CODE["explosion"]
BLAST = CODE["blast"]
MORALE_QUALITY = CODE["morale_quality"]
FIRE_QUALITY = CODE["fire_quality"]
HIGHLAND_TEST = CODE["highland_test"]
HIGHLAND_JOINS = CODE["highland_joins"]
HIGHLAND_MOVE = CODE["highland_move"]
FIRE_AT_STRUCTURE = CODE["fire_at_structure"]
STRUCTURE_HIT = CODE["structure_hit"]
STRUCTURE_FALLS = CODE["structure_falls"]
FIRST_MOVE_LEVEL = CODE["first_move_level"]
BREAKS_OFF = CODE["breaks_off"]

R_NONE = RESULT["none"]
R_CARRY_ON = RESULT["carry_on"]
R_RETIRE = RESULT["retire"]
R_ROUT = RESULT["rout"]
R_KEEP_ROUTING = RESULT["keep_routing"]
R_RALLIED = RESULT["rallied"]
R_STAND = RESULT["stand"]
R_MAY_COUNTER_CHARGE = RESULT["may_counter_charge"]
R_SURRENDERED = RESULT["surrendered"]
R_HIT = RESULT["hit"]
R_MISS = RESULT["miss"]
R_DAY_OVER = RESULT["day_over"]
R_NOTHING_LEFT = RESULT["nothing_left"]
R_BROKEN = RESULT["broken"]
R_NO_CONTACT = RESULT["no_contact"]
R_WOUNDED = RESULT["wounded"]
R_DISABLED = RESULT["disabled"]
R_KILLED = RESULT["killed"]
R_CAPTURED = RESULT["captured"]
R_HIGHLAND_CHARGE = RESULT["highland_charge"]


@jit
def note_event(
    g: Any, what: Any, actor: Any, other: Any, die1: Any, die2: Any, modifier: Any, total: Any, result: Any
) -> None:
    """Record one event when the battle is recorded; where the actor stands is added."""
    if g.recording == 0:
        return
    if g.events_n >= g.events.shape[0]:
        g.error = EVENT_OVERRUN
        return
    e = g.events[g.events_n]
    g.events_n += 1
    e.turn = g.turn
    e.mover = g.mover
    e.step = g.step
    e.what = what
    e.actor = actor
    e.other = other
    e.die1 = die1
    e.die2 = die2
    e.modifier = modifier
    e.total = total
    e.result = result
    # the room of events is used again without being zeroed: every field is written
    e.x, e.y, e.face = 0.0, 0.0, 0
    if actor >= 0:
        e.x, e.y, e.face = g.u[actor].x, g.u[actor].y, g.u[actor].face


@jit
def step_begins(g: Any, step: Any) -> None:
    """Stamp what follows with its step; F to J played again for horse is all step K (AWI-T-SEQ-01)."""
    if g.step != STEP_K:
        g.step = step


@jit
def note_plain(g: Any, what: Any, actor: Any, other: Any) -> None:
    """Record an event without dice."""
    note_event(g, what, actor, other, 0, 0, 0, 0, 0)


@jit
def note_inches(g: Any, what: Any, actor: Any, inches: Any) -> None:
    """Record a move of so many inches, in hundredths."""
    note_event(g, what, actor, -1, 0, 0, 0, int(inches * 100.0 + 0.5), 0)


@jit
def note_at(g: Any, what: Any, other: Any, x: Any, y: Any) -> None:
    """Record an event without an actor that happens at a spot, such as a general's ride."""
    note_plain(g, what, -1, other)
    if g.recording == 1 and g.error == 0:
        g.events[g.events_n - 1].x, g.events[g.events_n - 1].y = x, y
