"""The umpire's corrections in words."""

import json
from datetime import datetime
from typing import Any

from battles.grammar import Subject, format_amount
from campaign.rules.battles.ruleset_options import iter_option_changes
from campaign.rules.umpire.settings import OPTIONS, SPECTATORS
from campaign.rules.world.options import list_options
from campaign.text.battle_measures import rules_title
from campaign.text.event_facts import EventFacts, format_reason
from campaign.text.event_kinds import EventCategory, EventKind, GazettePrint, Readers
from campaign.text.place_names import CampaignNames


def describe_correction_event(facts: EventFacts) -> str:
    """A correction by its `act` and its `reason`."""
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
    return f"the umpire {acts.get(str(facts['act']), 'acts')}: {format_reason(facts)}"


def _describe_new_name(facts: EventFacts) -> str:
    what = "the formation" if facts["formation"] else "the unit"
    return f"{what} {facts['was']} is called {facts['name']} from now on"


def _describe_order_change(facts: EventFacts) -> str:
    goal = f" to march to {facts['place']}" if facts["place"] else ""
    return f"{facts['formation']:is} ordered anew by the umpire{goal}"


def _describe_order_cancellation(facts: EventFacts) -> str:
    papers = {"activity": "order", "organise": "order of organisation", "returns": "choices for the returns"}
    whose = f" for {facts['formation']}" if facts["formation"] else ""
    return f"the {papers.get(str(facts['paper']), 'paper')}{whose} is struck by the umpire"


def _describe_deadline_change(facts: EventFacts) -> str:
    told = str(facts["until"])
    if told:  # a fact an event lacks is ""
        names: CampaignNames = facts["names"]
        told = names.moment(datetime.fromisoformat(told))
    shorter = ", earlier than was said" if facts["earlier"] else ""
    return f"orders are taken until {told}{shorter}: {format_reason(facts)}"


def _describe_schedule(facts: EventFacts) -> str:
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
    return f"from now on {told}: {format_reason(facts)}"


def _describe_rule_changes(facts: EventFacts) -> str:
    told = []
    for row in facts["changes"] or ():
        option = list_options().get(str(row["name"]))
        if option is None:  # of a version that had other settings
            told.append(f"{row['name']} {row['value']} instead of {row['was']}")
        else:
            was = str(row["was"]) if option.unit else option.format_text(str(row["was"]))
            told.append(f"“{option.label}” {option.format_text(str(row['value']))} instead of {was}")
    return f"from now on other rules hold: {'; '.join(told)}: {format_reason(facts)}"


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


def _describe_conduct_changes(facts: EventFacts) -> str:
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
    return f"from now on {'; '.join(told)}: {format_reason(facts)}"


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


def _describe_rewind(facts: EventFacts) -> str:
    days = facts["days"]
    undone = f"{days} {'day is' if days == 1 else 'days are'} undone" if days else "the morning is begun anew"
    dice = ", with new dice" if facts["new_dice"] else ""
    count = len(facts.get("anew", ()))
    again = (
        f", the result of {'one battle' if count == 1 else f'{count} battles'} is taken back" if count else ""
    )
    return f"the campaign goes back; {undone}{dice}{again}: {format_reason(facts)}"


def _describe_general_change(facts: EventFacts) -> str:
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


CATEGORY = EventCategory(
    "umpire",
    "The umpire",
    (
        EventKind(
            "umpire_act",
            rules=("HR-UMP-01",),
            readers=Readers.UMPIRE,
            sentence=describe_correction_event,
        ),
        EventKind(
            "placed",
            rules=("HR-UMP-02",),
            readers=Readers.ONE_SIDE,
            sentence="{formation:is} put down {where} by the umpire",
        ),
        EventKind(
            "unit_added",
            rules=("HR-UMP-03",),
            readers=Readers.ONE_SIDE,
            sentence=lambda facts: f"{Subject(facts['name']):is} added to {facts['formation']} by the umpire",
        ),
        EventKind(
            "points_changed",
            rules=("HR-UMP-05", "HR-UMP-19"),
            readers=Readers.ONE_SIDE,
            sentence="the umpire changes the points of {unit}{pool}",
        ),
        EventKind(
            "renamed",
            rules=("HR-UMP-06",),
            readers=Readers.ONE_SIDE,
            sentence=_describe_new_name,
        ),
        EventKind(
            "order_changed",
            rules=("HR-UMP-08",),
            readers=Readers.ONE_SIDE,
            sentence=_describe_order_change,
        ),
        EventKind(
            "order_cancelled",
            rules=("HR-UMP-08",),
            readers=Readers.ONE_SIDE,
            sentence=lambda facts: (
                f"the order of {facts['formation']} is cancelled by the umpire; "
                f"{facts['formation']:+it halts}"
            ),
        ),
        EventKind(
            "paper_struck",
            rules=("HR-UMP-08",),
            readers=Readers.ONE_SIDE,
            sentence=_describe_order_cancellation,
        ),
        EventKind(
            "campaign_paused",
            rules=("HR-UMP-10",),
            readers=Readers.BOTH_SIDES,
            sentence=lambda facts: f"the campaign rests: {format_reason(facts)}",
            gazette=GazettePrint("notices", rank=5),
        ),
        EventKind(
            "campaign_resumed",
            rules=("HR-UMP-10",),
            readers=Readers.BOTH_SIDES,
            sentence=lambda facts: f"the campaign goes on: {format_reason(facts)}",
            gazette=GazettePrint("notices", rank=6),
        ),
        EventKind(
            "deadline_moved",
            rules=("HR-UMP-11",),
            readers=Readers.BOTH_SIDES,
            sentence=_describe_deadline_change,
            gazette=GazettePrint("notices", rank=7),
        ),
        EventKind(
            "deadline_dropped",
            rules=("HR-UMP-11",),
            readers=Readers.BOTH_SIDES,
            sentence=lambda facts: f"there is no deadline any more: {format_reason(facts)}",
            gazette=GazettePrint("notices", rank=8),
        ),
        EventKind(
            "rhythm_changed",
            rules=("HR-DUE-01",),
            readers=Readers.BOTH_SIDES,
            sentence=_describe_schedule,
        ),
        EventKind(
            "rules_changed",
            rules=("HR-UMP-17",),
            readers=Readers.BOTH_SIDES,
            sentence=_describe_rule_changes,
        ),
        EventKind(
            "conduct_changed",
            rules=("HR-UMP-18",),
            readers=Readers.BOTH_SIDES,
            sentence=_describe_conduct_changes,
        ),
        EventKind(
            "die_entered",
            rules=("HR-UMP-12",),
            readers=Readers.UMPIRE,
            sentence="a real die stands for die {index} of {rule}, {subject}: {value}",
        ),
        EventKind(
            "rewound",
            rules=("HR-UMP-14",),
            readers=Readers.BOTH_SIDES,
            sentence=_describe_rewind,
            gazette=GazettePrint("notices", rank=3),
        ),
        EventKind(
            "general_set",
            rules=("HR-UMP-20",),
            readers=Readers.ONE_SIDE,
            sentence=_describe_general_change,
        ),
        EventKind(
            "holder_set",
            rules=("HR-UMP-21",),
            readers=Readers.BOTH_SIDES,
            sentence=lambda facts: (
                f"by the umpire's word {facts['place']} is held by "
                f"{facts['names'].side(facts['side']) if facts['side'] else 'nobody'}"
            ),
        ),
        EventKind(
            "food_set",
            rules=("HR-UMP-22",),
            readers=Readers.ONE_SIDE,
            sentence=lambda facts: (
                f"by the umpire's word {Subject(facts['formation'] or 'the store ' + facts['where']):has} "
                f"{format_amount(facts['rations'] or 0, 'ration')}"
                + (f", not {facts['was']}" if facts["was"] != "" else "")
            ),
        ),
    ),
)
