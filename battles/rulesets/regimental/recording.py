"""Codes of what kernels record, and the recording itself, which is the engine's."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.recording import note_at as note_at
from battles.engine.recording import note_event as note_event
from battles.engine.recording import note_inches as note_inches
from battles.engine.recording import note_plain as note_plain
from battles.rulesets.regimental.events import CODE, RESULT

ARRIVES = CODE["arrives"]
MANEUVER = CODE["maneuver"]
RECOVERS = CODE["recovers"]
SHAKES = CODE["shaken"]
ROUTS = CODE["routs"]
ROUT_MOVE = CODE["rout_move"]
RETIRE = CODE["retire"]
MOVE = CODE["move"]
TURN = CODE["turn"]
BY_FLANK = CODE["by_flank"]
PASSES = CODE["passes_lines"]
CHANGE_FORMATION = CODE["change_formation"]
LIMBER = CODE["limber"]
DEPLOY = CODE["deploy"]
HAULED = CODE["hauled"]
RALLIES_GUNS = CODE["rallies_guns"]
REPLENISHES = CODE["replenishes"]
ENTERS = CODE["enters_building"]
LEAVES = CODE["leaves_building"]
CHARGE = CODE["charge"]
COUNTER_CHARGE = CODE["counter_charge"]
FIRE = CODE["fire"]
FIRE_DICE = CODE["fire_dice"]
MASSED = CODE["massed"]
LOW_ON_AMMO = CODE["low_on_ammo"]
CHARGE_CHECKED = CODE["charge_checked"]
SP_LOST = CODE["sp_lost"]
SILENCED = CODE["silenced"]
DAMAGED = CODE["damaged"]
GUNS_LOST = CODE["guns_lost"]
ELIMINATED = CODE["eliminated"]
MELEE_ROLL = CODE["melee_roll"]
BREAKTHROUGH = CODE["breakthrough"]
OCCUPY = CODE["occupy"]
RECALLS = CODE["recalls"]
GENERAL_JOINS = CODE["general_joins"]
GENERAL_MOVES = CODE["general_moves"]
GENERAL_DIE = CODE["general_die"]
COLONEL_DIE = CODE["colonel_die"]
LEFT_TABLE = CODE["left_table"]
MARCHES_OFF = CODE["marches_off"]
GUN_CAPTURED = CODE["gun_captured"]
WAGON_CAPTURED = CODE["wagon_captured"]
BATTLE_ENDS = CODE["battle_ends"]
BREAKS_OFF = CODE["breaks_off"]

R_NONE = RESULT["none"]
R_HIT, R_MISS = RESULT["hit"], RESULT["miss"]
R_DAY_OVER = RESULT["day_over"]
#: Where results of maneuver checks, of fire and of charges begin, in the order of their codes.
R_MANEUVER, R_EFFECT, R_CHARGE = RESULT["double_quick"], RESULT["withering"], RESULT["swept"]
#: What comes of the dice for a leader, in the order of `records.UNHURT` and after.
FATES = (
    RESULT["none"],
    RESULT["horse_killed"],
    RESULT["knocked_down"],
    RESULT["wounded"],
    RESULT["disabled"],
    RESULT["killed"],
    RESULT["captured"],
)


@jit
def note_dice(
    g: Any, what: Any, actor: Any, other: Any, die1: Any, die2: Any, modifier: Any, total: Any, result: Any
) -> None:
    """Record two dice with their modifier, and what came of them."""
    note_event(g, what, actor, other, die1, die2, modifier, total, result)
