"""Codes of what kernels record, and the recording itself, which is the engine's."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.recording import note_at as note_at
from battles.engine.recording import note_event as note_event
from battles.engine.recording import note_inches as note_inches
from battles.engine.recording import note_plain as note_plain
from battles.rulesets.volley_bayonet.events import CODE, RESULT

ARRIVES = CODE["arrives"]
MOVE = CODE["move"]
FALL_BACK = CODE["fall_back"]
TURN = CODE["turn"]
CHANGE_FORMATION = CODE["change_formation"]
RECOVERS = CODE["recovers"]
ENTERS = CODE["enters_building"]
LEAVES = CODE["leaves_building"]
MARSH_DIE = CODE["marsh_die"]
CHARGE = CODE["charge"]
FENCE_DIE = CODE["fence_die"]
CHECK = CODE["morale_check"]
SHAKEN = CODE["shaken"]
ROUTS = CODE["routs"]
ROUT_MOVE = CODE["rout_move"]
RETIRE = CODE["retire"]
RALLIES = CODE["rout_test"]
BREAKTHROUGH = CODE["breakthrough"]
OCCUPY = CODE["occupy"]
FIRE = CODE["fire"]
HIT_DIE = CODE["hit_die"]
SAVE_DIE = CODE["save_die"]
SP_LOST = CODE["sp_lost"]
ELIMINATED = CODE["eliminated"]
MELEE_ROLL = CODE["melee_roll"]
MELEE_DRAW = CODE["melee_draw"]
MELEE_LOST = CODE["melee_lost"]
MELEE_ROUTED = CODE["melee_routed"]
ROLL_OFF_DICE = CODE["roll_off"]
EXHAUSTED = CODE["exhausted"]
COLLAPSE_DIE = CODE["collapse_die"]
COLLAPSES = CODE["collapses"]
MARCHES_OFF = CODE["marches_off"]
GUN_CAPTURED = CODE["gun_captured"]
CARD_DRAWN = CODE["card_drawn"]
CARD = CODE["card"]
CARD_DIE = CODE["card_die"]
GENERAL_MOVES = CODE["general_moves"]
GENERAL_TAKEN = CODE["general_captured"]
GENERAL_DIE = CODE["general_die"]
BATTLE_ENDS = CODE["battle_ends"]
BREAKS_OFF = CODE["breaks_off"]
BURNING_DIE = CODE["burning_die"]
FIRE_OUT_DIE = CODE["fire_out_die"]
BREAKS_UP = CODE["breaks_up"]
DETACHES = CODE["detaches"]
JOINS = CODE["joins"]
FORMS_STAND = CODE["forms_stand"]
SKIRMISHES = CODE["skirmishes"]
CLOSES_UP = CODE["closes_up"]
MOUNTS = CODE["mounts"]
DISMOUNTS = CODE["dismounts"]
DRIVEN_BACK = CODE["driven_back"]
CHARGE_HALTS = CODE["charge_halts"]
FORMS_TO_FIGHT = CODE["forms_to_fight"]

R_NONE = RESULT["none"]
R_HIT, R_MISS = RESULT["hit"], RESULT["miss"]
R_RALLIED = RESULT["rallied"]
R_DAY_OVER = RESULT["day_over"]
R_PASSES, R_FAILS = RESULT["passes"], RESULT["fails"]


@jit
def note_begins(g: Any, what: Any, actor: Any, other: Any) -> Any:
    """Record what is rolled for before its dice; returns the event's number, for `note_came`."""
    number = g.events_n
    note_plain(g, what, actor, other)
    return number


@jit
def note_came(g: Any, number: Any, total: Any, result: Any) -> None:
    """Record what came of the dice of an event that was begun."""
    if g.recording == 1 and g.error == 0:
        g.events[number].total, g.events[number].result = total, result


@jit
def note_die(g: Any, what: Any, actor: Any, other: Any, die: Any, needs: Any, good: Any) -> None:
    """Record a die, what it needed, and whether that was good."""
    note_event(g, what, actor, other, die, 0, 0, needs, R_PASSES if good else R_FAILS)
