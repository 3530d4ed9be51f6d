"""What the journal says of food, generals and victory."""

from collections.abc import Callable, Mapping
from typing import Any

from battles.grammar import Subject, amount

#: An event's data, and what its ids are called; a fact an event lacks is "".
Facts = Mapping[str, Any]


def _side(facts: Facts, key: str = "side") -> Subject:
    side = facts[key]
    return Subject(facts["names"].side(side) if side else "neither side")


def _cut(facts: Facts) -> str:
    """Where a line of food is cut."""
    if facts["source"]:
        return f"too little comes from {facts['names'].place(str(facts['source']))}"
    if not facts["broken"]:
        return "no magazine is near enough"
    return f"the enemy bars the way of the food at {facts['names'].place(str(facts['broken']))}"


def _line_open(facts: Facts) -> str:
    source = f" from {facts['names'].place(str(facts['source']))}" if facts["source"] else ""
    return f"food comes to {facts['formation']} again{source}"


def _ration_set(facts: Facts) -> str:
    ration = "two-thirds ration" if facts["short"] else "the full ration"
    return f"{facts['formation']:is} put on {ration}"


def _magazine_taken(facts: Facts) -> str:
    loser = _side(facts, "from")
    rations = amount(facts["rations"] or 0, "ration")
    return f"{_side(facts):takes} the magazine of {loser} {facts['where']}, {rations}"


def _general_arrives(facts: Facts) -> str:
    with_whom = f" and joins {facts['formation']}" if facts["formation"] else ""
    return f"{facts['name']} arrives{with_whom}"


def _points(facts: Facts) -> str:
    points = facts["points"] or {}
    return ", ".join(f"{facts['names'].side(side)} {points[side]}" for side in sorted(points))


def campaign_ended(facts: Facts) -> str:
    """How a campaign ended, who won, and the points."""
    winner = _side(facts, "winner") if facts["winner"] else Subject()
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
    points = f" ({_points(facts)} points)" if facts["points"] else ""
    return f"the campaign is over{': ' if told else ''}{told}{points}"


def _chapter(facts: Facts) -> str:
    leads = f"{_side(facts, 'leader'):leads}" if facts["leader"] else "neither side leads"
    return f"chapter {facts['chapter']} ends: {_points(facts)} points; {leads}"


def _goal(facts: Facts) -> str:
    side = _side(facts)
    what = {
        "hold": f"to hold {facts['place']} today",
        "strength": f"to have {side:+its} strength in the field",
        "reduce": "to reduce the enemy's army",
    }.get(str(facts["goal"]), f"to reach {side:+its} goal")
    done = f"reached, {amount(facts['points'] or 0, 'point')}" if facts["met"] else "missed"
    return f"{side:was} {what}: {done}"


def _points_scored(facts: Facts) -> str:
    side, points = _side(facts), amount(facts["points"] or 0, "point")
    return f"{side:scores} {points} for the posts {side:+it holds}, {facts['total']} in all"


def _date_settled(facts: Facts) -> str:
    units, come = amount(facts["units"] or 0, "unit"), "comes" if facts["units"] == 1 else "come"
    due = f"due {facts['where']} on day {facts['due']}"
    return f"{units} of {facts['formation']} {due} {come} on day {facts['comes']}"


def _terms(facts: Facts) -> str:
    winner = f"{_side(facts, 'winner')} to have won" if facts["winner"] else "neither side to have won"
    return f"{_side(facts):offers} terms, {winner}: {str(facts['text']).rstrip('.')}"


def _alternative(facts: Facts) -> str:
    comes = "comes about" if facts["comes"] else "does not come about"
    return f"what might have been, {str(facts['alternative']).replace('_', ' ')}, {comes}"


#: A sentence by kind of event, without its full stop, as in `campaign.text.event_sentences`.
ARMY_SENTENCES: dict[str, str | Callable[[Any], str]] = {
    # --- food ---
    "hungry": lambda facts: (
        f"{facts['formation']:lacks} {amount(facts['missing'] or 0, 'ration')}: {_cut(facts)}"
    ),
    "hunger_loss": lambda facts: f"{facts['unit']:goes} hungry, for {_cut(facts)}",
    "line_broken": lambda facts: f"no more food comes to {facts['formation']}: {_cut(facts)}",
    "line_open": _line_open,
    "magazine_taken": _magazine_taken,
    "ration_set": _ration_set,
    "depot_laid": "{formation:lays} down a depot of {rations} rations {where}",
    # --- generals ---
    "general_captured": lambda facts: (
        f"{facts['name']}, a general of {_side(facts)}, is taken prisoner with his force"
    ),
    "general_healed": "{name} has recovered and takes up his command again",
    "general_arrives": _general_arrives,
    "general_leaves": "{name} is called away and leaves the campaign",
    "command_passes": "{name} follows {was} in command of {formation}",
    "exchange_offered": lambda facts: f"{_side(facts):offers} {facts['for']} in exchange for {facts['name']}",
    "generals_exchanged": "{name} and {for} are exchanged and go home",
    # --- victory ---
    "campaign_ended": campaign_ended,
    "chapter_ends": _chapter,
    "points_scored": _points_scored,
    "goal_reckoned": _goal,
    "terms_offered": _terms,
    "terms_refused": lambda facts: f"{_side(facts):refuses} the terms",
    "terms_withdrawn": lambda facts: f"{_side(facts):withdraws its} terms",
    # --- hindsight ---
    "alternative": _alternative,
    "date_settled": _date_settled,
}
