"""What the journal says of food, generals and victory."""

from collections.abc import Callable, Mapping
from typing import Any

from battles.grammar import Subject, format_amount

#: An event's data, and what its ids are called; a fact an event lacks is "".
Facts = Mapping[str, Any]


def _get_side_subject(facts: Facts, key: str = "side") -> Subject:
    side = facts[key]
    return Subject(facts["names"].side(side) if side else "neither side")


def _describe_supply_cut(facts: Facts) -> str:
    """Where a line of food is cut."""
    if facts["source"]:
        return f"too little comes from {facts['names'].place(str(facts['source']))}"
    if not facts["broken"]:
        return "no magazine is near enough"
    return f"the enemy bars the way of the food at {facts['names'].place(str(facts['broken']))}"


def _line_open(facts: Facts) -> str:
    source = f" from {facts['names'].place(str(facts['source']))}" if facts["source"] else ""
    return f"food comes to {facts['formation']} again{source}"


def _describe_ration(facts: Facts) -> str:
    ration = "two-thirds ration" if facts["short"] else "the full ration"
    return f"{facts['formation']:is} put on {ration}"


def _describe_magazine_capture(facts: Facts) -> str:
    loser = _get_side_subject(facts, "from")
    rations = format_amount(facts["rations"] or 0, "ration")
    return f"{_get_side_subject(facts):takes} the magazine of {loser} {facts['where']}, {rations}"


def _general_arrives(facts: Facts) -> str:
    with_whom = f" and joins {facts['formation']}" if facts["formation"] else ""
    return f"{facts['name']} arrives{with_whom}"


def _format_side_points(facts: Facts) -> str:
    points = facts["points"] or {}
    return ", ".join(f"{facts['names'].side(side)} {points[side]}" for side in sorted(points))


def describe_campaign_end(facts: Facts) -> str:
    """How a campaign ended, who won, and the points."""
    winner = _get_side_subject(facts, "winner") if facts["winner"] else Subject()
    sides = facts["points"] or facts["names"].sides  # without goals nobody scores
    loser = Subject(
        next((facts["names"].side(side) for side in sides if side != facts["winner"]), "one side")
    )
    how = {
        "beaten": f"{loser:has} nothing left",
        "place": f"{winner:holds} what {winner:+it was} to seize",
        "army": f"the army of {loser} is destroyed",
        "conceded": f"{loser:concedes}",
        "terms": "terms are agreed",
        "umpire": "the umpire closes it",
    }.get(str(facts["cause"]), "")
    clear = "clearly " if facts["margin"] == "decisive" else ""
    won = f"{winner:has} {clear}won" if winner else "neither side has won" if facts["cause"] else ""
    told = "; ".join(part for part in (how, won) if part)
    points = f" ({_format_side_points(facts)} points)" if facts["points"] else ""
    return f"the campaign is over{': ' if told else ''}{told}{points}"


def _describe_chapter_end(facts: Facts) -> str:
    leads = f"{_get_side_subject(facts, 'leader'):leads}" if facts["leader"] else "neither side leads"
    return f"chapter {facts['chapter']} ends: {_format_side_points(facts)} points; {leads}"


def _describe_goal(facts: Facts) -> str:
    side = _get_side_subject(facts)
    what = {
        "hold": f"to hold {facts['place']} today",
        "strength": f"to have {side:+its} strength in the field",
        "reduce": "to reduce the enemy's army",
    }.get(str(facts["goal"]), f"to reach {side:+its} goal")
    done = f"reached, {format_amount(facts['points'] or 0, 'point')}" if facts["met"] else "missed"
    return f"{side:was} {what}: {done}"


def _describe_score(facts: Facts) -> str:
    side, points = _get_side_subject(facts), format_amount(facts["points"] or 0, "point")
    return f"{side:scores} {points} for the posts {side:+it holds}, {facts['total']} in all"


def _describe_arrival_date(facts: Facts) -> str:
    units, come = format_amount(facts["units"] or 0, "unit"), "comes" if facts["units"] == 1 else "come"
    due = f"due {facts['where']} on day {facts['due']}"
    return f"{units} of {facts['formation']} {due} {come} on day {facts['comes']}"


def _describe_terms_offer(facts: Facts) -> str:
    winner = (
        f"{_get_side_subject(facts, 'winner')} to have won" if facts["winner"] else "neither side to have won"
    )
    return f"{_get_side_subject(facts):offers} terms, {winner}: {str(facts['text']).rstrip('.')}"


def _describe_alternative(facts: Facts) -> str:
    comes = "comes about" if facts["comes"] else "does not come about"
    return f"what might have been, {str(facts['alternative']).replace('_', ' ')}, {comes}"


#: A sentence by kind of event, without its full stop, as in `campaign.text.event_sentences`.
ARMY_SENTENCES: dict[str, str | Callable[[Any], str]] = {
    # --- food ---
    "hungry": lambda facts: (
        f"{facts['formation']:lacks} {format_amount(facts['missing'] or 0, 'ration')}: "
        f"{_describe_supply_cut(facts)}"
    ),
    "hunger_loss": lambda facts: f"{facts['unit']:goes} hungry, for {_describe_supply_cut(facts)}",
    "line_broken": lambda facts: f"no more food comes to {facts['formation']}: {_describe_supply_cut(facts)}",
    "line_open": _line_open,
    "magazine_taken": _describe_magazine_capture,
    "ration_set": _describe_ration,
    "depot_laid": "{formation:lays} down a depot of {rations} rations {where}",
    # --- generals ---
    "general_captured": lambda facts: (
        f"{facts['name']}, a general of {_get_side_subject(facts)}, is taken prisoner with his force"
    ),
    "general_healed": "{name} has recovered and takes up his command again",
    "general_arrives": _general_arrives,
    "general_leaves": "{name} is called away and leaves the campaign",
    "command_passes": "{name} follows {was} in command of {formation}",
    "exchange_offered": lambda facts: (
        f"{_get_side_subject(facts):offers} {facts['for']} in exchange for {facts['name']}"
    ),
    "generals_exchanged": "{name} and {for} are exchanged and go home",
    # --- victory ---
    "campaign_ended": describe_campaign_end,
    "chapter_ends": _describe_chapter_end,
    "points_scored": _describe_score,
    "goal_reckoned": _describe_goal,
    "terms_offered": _describe_terms_offer,
    "terms_refused": lambda facts: f"{_get_side_subject(facts):refuses} the terms",
    "terms_withdrawn": lambda facts: f"{_get_side_subject(facts):withdraws its} terms",
    # --- hindsight ---
    "alternative": _describe_alternative,
    "date_settled": _describe_arrival_date,
}
