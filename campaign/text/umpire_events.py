"""Journal sentences on the umpire's corrections."""

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from battles.grammar import Subject, format_amount
from campaign.rules.battles.ruleset_options import iter_option_changes
from campaign.rules.umpire.settings import OPTIONS, SPECTATORS
from campaign.rules.world.options import list_options
from campaign.text.battle_measures import rules_title
from campaign.text.place_names import CampaignNames

#: An event's data, and what its ids are called; a fact an event lacks is "".
Facts = Mapping[str, Any]


def _format_reason(facts: Facts) -> str:
    return str(facts["reason"]).rstrip(".")


def _describe_correction(facts: Facts) -> str:
    acts = {
        "place": "puts a formation elsewhere",
        "add": "adds a unit",
        "split": "splits a formation",
        "reinforce": "changes a unit's points",
        "rename": "gives a new name",
        "weather": "decides the weather",
        "command": "changes an order",
        "strike": "strikes a paper",
        "rumour": "spreads a rumour",
        "pause": "pauses the campaign or lets it go on",
        "deadline": "moves the deadline",
        "rhythm": "changes the rhythm of deadlines",
        "die": "enters a real die",
        "rewind": "goes back",
        "exchange": "exchanges two prisoners",
        "end": "ends the campaign",
        "rules": "changes rules of the campaign",
        "conduct": "changes how the campaign is conducted",
        "battle_way": "says how a battle is to be settled",
        "battle_adjust": "adjusts a battle before it is fought",
        "battle_take_back": "takes an adjustment of a battle back",
        "battle_split": "chooses what of a battle is for the table",
        "pool": "changes a pool's points",
        "general": "says how a general is",
        "holder": "says who holds a place",
        "food": "changes rations",
    }
    return f"the umpire {acts.get(str(facts['act']), 'acts')}: {_format_reason(facts)}"


def _describe_new_name(facts: Facts) -> str:
    what = "the formation" if facts["formation"] else "the unit"
    return f"{what} {facts['was']} is called {facts['name']} from now on"


def _describe_weather_decision(facts: Facts) -> str:
    sky = f"is to be {facts['weather']}" if facts["weather"] else "falls as its dice say"
    return f"the weather of day {facts['day']} {sky}"


def _describe_order_change(facts: Facts) -> str:
    goal = f" to march to {facts['place']}" if facts["place"] else ""
    return f"{facts['formation']:is} ordered anew by the umpire{goal}"


def _describe_order_cancellation(facts: Facts) -> str:
    papers = {"activity": "order", "organise": "order of organisation", "returns": "choices for the returns"}
    whose = f" for {facts['formation']}" if facts["formation"] else ""
    return f"the {papers.get(str(facts['paper']), 'paper')}{whose} is struck by the umpire"


def _describe_deadline_change(facts: Facts) -> str:
    told = str(facts["until"])
    if told:  # a fact an event lacks is ""
        names: CampaignNames = facts["names"]
        told = names.moment(datetime.fromisoformat(told))
    shorter = ", earlier than was said" if facts["earlier"] else ""
    return f"orders are taken until {told}{shorter}: {_format_reason(facts)}"


def _describe_schedule(facts: Facts) -> str:
    days, turn = facts["cadence_days"], facts["days_a_turn"]
    cadence = f"orders are due every {days} days" if days else "each deadline is set by hand"
    if days == 1:
        cadence = "orders are due every day"
    until = {
        "contact": "until a contact",
        "sighting": "until an enemy is sighted",
        "week": "until the week's end",
    }.get(str(facts["run_until"]), f"for {turn} day{'' if turn == 1 else 's'}")
    late = "kept for the next day" if facts["late_orders"] == "queue" else "refused"
    missed = {"halt": "halts", "staff": "is ordered by the staff"}.get(
        str(facts["missed_orders"]), "carries on"
    )
    told = f"{cadence}, a turn is played {until}, late orders are {late} and a side without orders {missed}"
    return f"from now on {told}: {_format_reason(facts)}"


def _describe_rule_changes(facts: Facts) -> str:
    told = []
    for row in facts["changes"] or ():
        option = list_options().get(str(row["name"]))
        if option is None:  # of a version that had other settings
            told.append(f"{row['name']} {row['value']} instead of {row['was']}")
        else:
            was = str(row["was"]) if option.unit else option.format_text(str(row["was"]))
            told.append(f"“{option.label}” {option.format_text(str(row['value']))} instead of {was}")
    return f"from now on other rules hold: {'; '.join(told)}: {_format_reason(facts)}"


#: What the umpire may change besides the rules, with its values.
CONDUCT: dict[str, Any] = {
    "title": "the campaign is called {}",
    "battle_policy": {
        "ask": "the umpire decides how each battle is fought",
        "automatic": "the engine fights the battles",
        "table": "battles are fought on the table",
    },
    "table_units": "the table takes {} units a side",
    "ruleset": "battles are fought by {}",
}


def _describe_conduct_changes(facts: Facts) -> str:
    told = []
    for row in facts["changes"] or ():
        words = CONDUCT.get(str(row["name"]), str(row["name"]) + " is {}")
        value = str(row["value"])
        if row["name"] in SPECTATORS:
            told.append(_describe_spectators(str(row["name"]), value, facts["names"]))
            continue
        if row["name"] == OPTIONS:
            told += _describe_option_changes(str(row["was"]), value)
            continue
        value = rules_title(value) if row["name"] == "ruleset" else value
        told.append(words.get(value, value) if isinstance(words, dict) else words.format(value))
    return f"from now on {'; '.join(told)}: {_format_reason(facts)}"


def _describe_option_changes(was: str, value: str) -> list[str]:
    """Options of tactical rules, a part of the sentence for each ruleset."""
    return [
        f"battles by {rules_title(ruleset)} have {', '.join(told)}"
        for ruleset, told in iter_option_changes(json.loads(was), json.loads(value))
    ]


def _describe_spectators(name: str, value: str, names: CampaignNames) -> str:
    if name == "spectator_side":
        known = names.side(value) if value else "the umpire"
        return f"spectators see what is known to {known}"
    if not value:
        return "spectators see nothing"
    return f"spectators see what happens {value} campaign day{'' if value == '1' else 's'} late"


def _describe_annulment(facts: Facts) -> str:
    names = facts["names"]
    sides = " and ".join(names.side(facts[key]) for key in ("attacker", "defender") if facts[key])
    result = "; its result does not count" if facts["settled"] else ""
    day = f" on day {facts['day']}"
    return f"the battle of {sides} {facts['where']}{day} falls away: {_format_reason(facts)}{result}"


def _describe_kept_result(facts: Facts) -> str:
    by = {"engine": "the engine's", "table": "the table's", "umpire": "the umpire's"}
    holder = facts["names"].side(facts["held_by"]) if facts["held_by"] else "neither side"
    losses = [
        f"{row['unit']} {row['lost']} SP lost, {row['captured']} captured"
        + ("" if row["fate"] == "present" else f" ({row['fate'].replace('_', ' ')})")
        for row in facts["losses"] or ()
    ]
    generals = [f"{row['name']} {row['fate']}" for row in facts["generals"] or ()]
    listed = "; ".join([f"{holder} held the field", *losses, *generals])
    whose = by.get(str(facts["source"]), "the")
    return f"{whose} result of the battle {facts['where']} that fell away is kept here: {listed}"


def _describe_rewind(facts: Facts) -> str:
    days = facts["days"]
    undone = f"{days} {'day is' if days == 1 else 'days are'} undone" if days else "the morning is begun anew"
    dice = ", with new dice" if facts["new_dice"] else ""
    count = len(facts.get("anew", ()))
    again = (
        f", the result of {'one battle' if count == 1 else f'{count} battles'} is taken back" if count else ""
    )
    return f"the campaign goes back; {undone}{dice}{again}: {_format_reason(facts)}"


def _format_battle_name(facts: Facts) -> str:
    """Name a battle by its sides and its place."""
    names = facts["names"]
    sides = " and ".join(names.side(facts[key]) for key in ("attacker", "defender") if facts[key])
    return f"the battle of {sides} {facts['where']}"


def _battle_way(facts: Facts) -> str:
    ways = {
        "engine": "is to be fought out by the engine",
        "table": "is to be fought on the table",
        "word": "is to be settled by the umpire's word",
    }
    chosen = str(facts["ruleset"] or "")
    rules = f", by {rules_title(chosen)}" if chosen else ""
    anew = "; what was entered of it is taken back, to be entered anew" if facts["anew"] else ""
    return (
        f"{_format_battle_name(facts)} "
        f"{ways.get(str(facts['way']), 'waits for the umpire to say how')}{rules}{anew}"
    )


#: What an adjustment changes, in words.
ADJUSTED = {
    "ground": "the ground",
    "arrivals": "when troops come up",
    "rain": "the rain",
    "plan": "how a side fights",
}


def _describe_battle_adjustment(facts: Facts) -> str:
    names = facts["names"]
    if facts["what"] == "arrivals":
        turns = [f"in turn {turn}" if turn else "at once" for turn in facts["turns"] or ()]
        told = [f"{names.unit(key)} {turn}" for key, turn in zip(facts["units"] or (), turns, strict=False)]
        return f"{_format_battle_name(facts)}: by the umpire's word there come up {', '.join(told)}"
    if facts["what"] == "rain":
        sky = {"none": "no rain", "rain": "rain", "storm": "heavy rain"}.get(str(facts["rain"]), "the rain")
        return (
            f"{_format_battle_name(facts)} is fought in {sky}, as the umpire says"
            if facts["rain"] != "none"
            else (f"{_format_battle_name(facts)} is fought in the dry, as the umpire says")
        )
    if facts["what"] == "plan":
        return (
            f"{_format_battle_name(facts)}: the umpire has laid down how "
            f"{Subject(names.side(facts['side'])):fights}"
        )
    return f"{_format_battle_name(facts)} is fought on ground the umpire has had drawn anew"


def _describe_adjustment_undo(facts: Facts) -> str:
    what = ADJUSTED.get(str(facts["what"]), "something")
    return f"{_format_battle_name(facts)}: what the umpire changed of {what} does not count any more"


def _describe_sector(facts: Facts) -> str:
    units = facts["units"]
    if not units:
        return f"{_format_battle_name(facts)} is fought whole"
    fight = "1 unit fights" if units == 1 else f"{units} units fight"
    return f"{_format_battle_name(facts)} is split: {fight} on the table, and the engine fights beside it"


def _describe_general_change(facts: Facts) -> str:
    """His own side reads with whom he is and for how long; the enemy, of a prisoner, no more than that."""
    states = {
        "captured": "is a prisoner",
        "free": "is a prisoner no more",
        "wounded": f"is wounded and will be away for {_format_weeks(facts['weeks'])}",
    }
    state = str(facts["state"])
    told = f"by the umpire's word {facts['name']} {states.get(state, f'is {state}')}"
    if state not in ("well", "wounded"):
        return told
    return f"{told}, with {facts['formation'] or 'no formation'}"


def _format_weeks(weeks: int) -> str:
    return "a week" if weeks == 1 else f"{weeks} weeks"


#: A sentence by kind of event, without its full stop, as in `campaign.text.event_sentences`.
UMPIRE_SENTENCES: dict[str, str | Callable[[Any], str]] = {
    "umpire_act": _describe_correction,
    "placed": "{formation:is} put down {where} by the umpire",
    "unit_added": lambda facts: f"{Subject(facts['name']):is} added to {facts['formation']} by the umpire",
    "points_changed": "the umpire changes the points of {unit}{pool}",
    "renamed": _describe_new_name,
    "general_set": _describe_general_change,
    "food_set": lambda facts: (
        f"by the umpire's word {Subject(facts['formation'] or 'the store ' + facts['where']):has} "
        f"{format_amount(facts['rations'] or 0, 'ration')}"
        + (f", not {facts['was']}" if facts["was"] != "" else "")
    ),
    "holder_set": lambda facts: (
        f"by the umpire's word {facts['place']} is held by "
        f"{facts['names'].side(facts['side']) if facts['side'] else 'nobody'}"
    ),
    "weather_decided": _describe_weather_decision,
    "order_changed": _describe_order_change,
    "order_cancelled": lambda facts: (
        f"the order of {facts['formation']} is cancelled by the umpire; {facts['formation']:+it halts}"
    ),
    "paper_struck": _describe_order_cancellation,
    "rumour": "it is said: {text}",
    "campaign_paused": lambda facts: f"the campaign rests: {_format_reason(facts)}",
    "campaign_resumed": lambda facts: f"the campaign goes on: {_format_reason(facts)}",
    "deadline_moved": _describe_deadline_change,
    "deadline_dropped": lambda facts: f"there is no deadline any more: {_format_reason(facts)}",
    "rhythm_changed": _describe_schedule,
    "rules_changed": _describe_rule_changes,
    "conduct_changed": _describe_conduct_changes,
    "die_entered": "a real die stands for die {index} of {rule}, {subject}: {value}",
    "rewound": _describe_rewind,
    "battle_annulled": _describe_annulment,
    "result_kept": _describe_kept_result,
    "battle_way": _battle_way,
    "battle_adjusted": _describe_battle_adjustment,
    "adjustment_undone": _describe_adjustment_undo,
    "battle_split": _describe_sector,
}
