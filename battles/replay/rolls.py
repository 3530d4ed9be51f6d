"""Every move and die of a fight as a line to read, with modifiers and totals."""

from dataclasses import replace

from battles.engine.events import GENERAL_KINDS, RESULTS, BattleEvent
from battles.engine.fighting import FightResult
from battles.files.schema import BattleFile
from battles.grammar import is_plural
from battles.printing.sheet_types import figure_size
from battles.replay.event_text import Telling
from battles.replay.words import BattleNames, describe_plan, is_guns
from battles.rulesets import registry

#: What happens in an event or is rolled for: `{a}` is who does it, `{t}` to whom, `{n}` its figure, `{on}`
#: on whom it is done, if on anybody.
#: Kinds not here are called by their name.
LINES = {
    "first_move": "which side moves first",
    "arrives": "{a} come on",
    "shaken_test": "{a}: test while shaken",
    "rout_test": "{a}: test while routing",
    "rout_move": "{a}: rout of {n} inches",
    "retire": "{a} retire {n} inches",
    "surrender_test": "{a} are caught by {t}",
    "sp_lost": "{a} lose {n} SP",
    "eliminated": "{a} are destroyed",
    "left_table": "{a} leave the table",
    "move": "{a} move {n} inches",
    "fall_back": "{a} fall back {n} inches",
    "turn": "{a} turn",
    "wheel": "{a} wheel",
    "change_formation": "{a} change formation",
    "limber": "{a} limber up",
    "deploy": "{a} unlimber",
    "recrew": "{a} man their guns again",
    "gun_captured": "the guns of {a} are taken by {t}",
    "wagon_captured": "{a} are taken by {t}",
    "change_facing": "{a} face {t}",
    "fire": "{a} fire at {t}",
    "shot_wasted": "{a} have no target left in {t}",
    "shaken": "{a} are shaken by {t}",
    "routed_by_fire": "{a} rout under the fire of {t}",
    "charge": "{a} charge {t}",
    "charge_test": "{a} test to stand the charge",
    "routs": "{a} rout before {t}",
    "routs_again": "{a} run on before {t}",
    "counter_charge": "{a} counter-charge {t}",
    "evade": "{a} evade {t}",
    "contact": "{a} reach {t}",
    "occupy": "{a} take the ground left to them",
    "fire_at_second_charge": "{a} fire at {t}, who charge again",
    "melee_roll": "{a} fight {t} hand to hand",
    "melee_draw": "{a} and {t} are even",
    "melee_lost": "{a} lose to {t} by {n}",
    "melee_routed": "{a} are routed by {t} by {n}",
    "melee_repulsed": "{a} are repulsed by {t} by {n}",
    "melee_retire": "{a} retire from the melee",
    "marches_off": "{a} march off the table",
    "battle_ends": "the battle ends",
    "turn_refused": "{a} try to turn towards {t}",
    "effectiveness": "how {a} feel that day",
    "crossing": "{a} halt at an obstacle",
    "enters_building": "{a} enter {t}",
    "leaves_building": "{a} leave {t}",
    "general_under_fire": "{t}, with {a}, under fire",
    "general_in_melee": "{t}, with {a}, in the press",
    "general_captured": "{t} is taken with {a}",
    "chain_shaken": "{a} are shaken by the loss of {t}",
    "general_joins": "{t} joins {a}",
    "general_moves": "{t} rides",
    "general_driven_off": "{t} is driven to {a}",
    "general_leaves": "{t} leaves with {a}",
    "builds": "{a} build at {t}, now of {n} SP",
    "dismantles": "{a} take down {t}, now of {n} SP",
    "digging_lost": "{a} lose half-done work at {t}",
    "lays_charge": "{a} lay charge {n} at {t}",
    "blast_dice": "the charges of {a} at {t}",
    "explosion": "{t}, of {n} SP, against the charges of {a}",
    "blast": "{a} near the blast of {t}",
    "morale_quality": "what spirit {a} are of",
    "fire_quality": "how well {a} shoot",
    "highland_test": "{a} test to begin a Highland charge",
    "highland_joins": "{a} test to join the Highland charge",
    "highland_move": "how far {a} rush",
    "fire_at_structure": "{a} fire at {t}",
    "structure_hit": "{t} is hit, now of {n} SP",
    "structure_falls": "{t} falls in ruins",
    "breaks_off": "{a} break off, to come on again",
    "first_move_level": "which side moves first, level and thrown again",
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
    "day_over": "the time for fighting is over",
    "nothing_left": "there is nothing left to oppose",
    "broken": "the losses are too great to fight on",
    "no_contact": "the firing dies away",
    "no_way": "the attackers find no way to the enemy",
    "hit": "a hit",
    "miss": "no hit",
    "disabled": "wounded a second time, out of the battle",
}


def telling_of(battle: BattleFile) -> Telling:
    """The event words of the battle's ruleset."""
    return registry.get_rules(battle.ruleset).telling


def describe_event(
    battle: BattleFile, names: BattleNames, event: BattleEvent, *, briefly: bool = False
) -> str:
    """The words for an event, without its dice; `briefly` beneath what it belongs to."""
    telling = telling_of(battle)
    if event.kind in telling.whole:
        event = replace(event, actor=telling.unit_of(event.actor))
    actor, target = names.actor(event), names.target(event)
    line = telling.brief.get(event.kind) if briefly else None
    line = line or telling.lines.get(event.kind) or LINES.get(event.kind)
    if line is None:
        words = event.kind.replace("_", " ")
        return " ".join(part for part in (f"{actor}:" if actor else "", words, target) if part)
    if event.kind == "gun_captured" and is_guns(actor):
        line = LINES["wagon_captured"]
    if event.kind == "rout_move" and event.total == 0:
        line = "{a}: routing, without moving"
    figure = telling.figure(battle, event) if "{n}" in line else ""
    other = "a commander" if event.kind in GENERAL_KINDS else "the enemy"
    on = f" on {actor}" if actor else ""
    return line.format(a=actor or "nobody", t=target or other, n=figure, on=on)


def _format_dice_sum(event: BattleEvent, telling: Telling) -> str:
    """The dice as they fell, the modifier and what both make."""
    dice = " and ".join(map(str, event.dice))
    if event.kind in telling.each:
        return ", ".join(map(str, event.dice))
    if event.kind in telling.compared:
        return dice
    if event.kind == "blast_dice":
        return f"{dice}, {event.total} so far"
    total = find_dice_total(event, telling)
    if event.modifier:
        return f"{dice}, {event.modifier:+d}, makes {total}"
    return f"{dice} makes {total}" if len(event.dice) > 1 else dice


def find_dice_total(event: BattleEvent, telling: Telling) -> int:
    """The total of dice and modifier; elsewhere an event's total may be the score that was needed."""
    return sum(event.dice) + event.modifier if event.kind in telling.needed else event.total


def _format_event_line(battle: BattleFile, names: BattleNames, event: BattleEvent) -> str:
    side = battle.side_name(event.side)
    telling = telling_of(battle)
    said = f"{telling.clock(event.turn)}, {side}, step {event.step}: {describe_event(battle, names, event)}"
    if event.dice:
        said += f": {_format_dice_sum(event, telling)}"
    if came := describe_result(battle, event):
        said += f": {came}"
    return f"{said} ({event.rule})."


def describe_result(battle: BattleFile, event: BattleEvent) -> str:
    """The words for an event's result, if there is more to say than its kind does."""
    if event.kind == "first_move":
        return battle.side_name((battle.attacker, battle.defender)[event.total])
    if event.kind == "shaken" and event.modifier:
        return f"{event.total} is more than their morale of {event.modifier}"
    if event.kind == "surrender_test" and event.result == "stand":
        return "they do not surrender"
    own = telling_of(battle).came(event)
    if own is not None:
        return own
    if event.result and event.result in RESULTS:
        return RESULT_WORDS.get(event.result, event.result.replace("_", " "))
    return ""


def list_roll_lines(battle: BattleFile, result: FightResult) -> list[str]:
    """Each roll in order: dice, modifier, total, what came of it, and the rule; who is shaken by it."""
    telling = telling_of(battle)
    names = BattleNames(telling.pieces(battle), battle)
    events = telling.explained(battle, result.events)
    rolled = [event for event in events if event.dice or event.kind in telling.by_rolls]
    return [
        *list_choice_lines(battle, result),
        *(_format_event_line(battle, names, event) for event in telling.merge_events(rolled)),
    ]


def list_choice_lines(battle: BattleFile, result: FightResult) -> list[str]:
    """Lines on the plans that commanders weighed, one for each plan with its worth, 0 to 1."""
    told = []
    for choice in result.choices:
        side = battle.side_name(choice.side)
        s = "" if is_plural(side) else "s"
        for tried in choice.tried:
            chosen = f", and choose{s} it" if tried.plan == choice.plan else ""
            plan = describe_plan(tried.plan, side, telling_of(battle).turn_told(tried.plan.until))
            told.append(f"Before the battle, {side} weigh{s} {plan}: worth {tried.worth:.2f}{chosen}.")
    return told


def list_log_lines(battle: BattleFile, result: FightResult) -> list[str]:
    """Everything that happened in order, rolls among it, with the place where the actor then stood."""
    telling = telling_of(battle)
    names = BattleNames(telling.pieces(battle), battle)
    events = telling.merge_events(telling.explained(battle, result.events))
    inch = registry.get_rules(battle.ruleset).sheets.table(battle, figure_size(battle.options)).inch
    happened = [_format_event_line(battle, names, event) + _describe_place(event, inch) for event in events]
    return [*list_choice_lines(battle, result), *happened]


def _describe_place(event: BattleEvent, inch: float) -> str:
    """The actor's place in inches of the table, or the general's where an event has no actor."""
    facing = f", facing {event.face}" if event.actor else ""
    x, y = round(event.x * inch, 2), round(event.y * inch, 2)
    return f" At {x:g}, {y:g}{facing}." if event.actor or event.x or event.y else ""
