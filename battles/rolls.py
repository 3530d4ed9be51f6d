"""Every move and die of a fight as a line to read, with modifiers and totals."""

from battles.engine.events import RESULTS, Event
from battles.engine.fighting import FightResult
from battles.scenario import BattleFile
from battles.wording import Names, clock

#: What was rolled for, `{a}` the one who rolls and `{t}` the other; kinds not here are called by their name.
ROLLED = {
    "first_move": "which side moves first",
    "shaken_test": "{a} test, shaken",
    "rout_test": "{a} test, routing",
    "surrender_test": "{a} are caught by {t}",
    "turn_refused": "{a} try to turn towards {t}",
    "fire": "{a} fire at {t}",
    "fire_at_second_charge": "{a} fire at {t}, who charge again",
    "fire_at_structure": "{a} fire at {t}",
    "charge_test": "{a} test to stand the charge",
    "melee_roll": "{a} fight {t} hand to hand",
    "effectiveness": "how {a} feel that day",
    "general_under_fire": "{t}, with {a}, under fire",
    "general_in_melee": "{t}, with {a}, in the press",
    "morale_quality": "what spirit {a} are of",
    "fire_quality": "how well {a} shoot",
    "highland_test": "{a} test to begin a Highland charge",
    "highland_joins": "{a} test to join the Highland charge",
    "highland_move": "how far {a} rush",
    "blast_dice": "the charges of {a} at {t}",
    "explosion": "the charges of {a} at {t}",
    "blast": "{a} by the blast of {t}",
}
RESULT_WORDS = {
    "carry_on": "they carry on",
    "retire": "they retire",
    "rout": "they rout",
    "keep_routing": "they run on",
    "rallied": "they rally",
    "stand": "they stand",
    "may_counter_charge": "they stand, and may counter-charge",
    "surrendered": "they surrender",
    "highland_charge": "they charge",
    "hit": "a hit",
    "miss": "no hit",
    "disabled": "wounded a second time, out of the battle",
}


def _name(names: Names, event: Event) -> str:
    actor, target = names.actor(event), names.target(event)
    if event.kind in ROLLED and (event.dice or event.kind == "first_move"):
        return ROLLED[event.kind].format(a=actor or "Nobody", t=target or "the enemy")
    words = event.kind.replace("_", " ")
    return " ".join(part for part in (f"{actor}:" if actor else "", words, target) if part)


def _sum(event: Event) -> str:
    """The dice as they fell, the modifier and what both make."""
    dice = " and ".join(map(str, event.dice))
    if event.kind == "first_move":
        return dice
    if event.modifier:
        return f"{dice}, {event.modifier:+d}, makes {event.total}"
    return f"{dice} makes {event.total}" if len(event.dice) > 1 else dice


def _line(battle: BattleFile, names: Names, event: Event) -> str:
    side = battle.side_name(event.side)
    said = f"{clock(event.turn)}, {side}, step {event.step}: {_name(names, event)}"
    if event.dice:
        said += f": {_sum(event)}"
    if event.kind == "first_move":
        said += f": {battle.side_name((battle.attacker, battle.defender)[event.total])}"
    elif event.result and event.result in RESULTS:
        said += f": {RESULT_WORDS.get(event.result, event.result.replace('_', ' '))}"
    return f"{said} ({event.rule})."


def rolls(battle: BattleFile, result: FightResult) -> list[str]:
    """Each roll in order: dice, modifier, total, what came of it, and the rule."""
    names = Names(battle)
    return [_line(battle, names, event) for event in result.events if event.dice]


def log(battle: BattleFile, result: FightResult) -> list[str]:
    """Everything that happened in order, rolls among it, with the place where the actor then stood."""
    names = Names(battle)
    return [
        _line(battle, names, event)
        + (f" At {event.x:g}, {event.y:g}, facing {event.face}." if event.actor else "")
        for event in result.events
    ]
