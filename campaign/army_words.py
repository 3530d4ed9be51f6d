"""What the journal says of food, generals and victory."""

from collections.abc import Callable, Mapping
from typing import Any

#: An event's data, and what its ids are called; a fact an event lacks is "".
Facts = Mapping[str, Any]


def _side(facts: Facts, key: str = "side") -> str:
    side = facts[key]
    return str(facts["names"].side(side)) if side else "neither side"


def _cut(facts: Facts) -> str:
    """Where a line of food is cut."""
    if not facts["broken"]:
        return "no magazine is near enough"
    return f"the enemy bars the way of its food at {facts['names'].place(str(facts['broken']))}"


def _line_open(facts: Facts) -> str:
    source = f" from {facts['names'].place(str(facts['source']))}" if facts["source"] else ""
    return f"food comes to {facts['formation']} again{source}"


def _ration_set(facts: Facts) -> str:
    ration = "two-thirds ration" if facts["short"] else "the full ration"
    return f"{facts['formation']} is put on {ration}"


def _magazine_taken(facts: Facts) -> str:
    loser = _side(facts, "from")
    return f"{_side(facts)} takes the magazine of {loser} {facts['where']}, {facts['rations']} rations"


def _general_arrives(facts: Facts) -> str:
    with_whom = f" and joins {facts['formation']}" if facts["formation"] else ""
    return f"{facts['name']} arrives{with_whom}"


#: A sentence by kind of event, without its full stop, as in `campaign.narration`.
ARMY_SENTENCES: dict[str, str | Callable[[Any], str]] = {
    # --- food ---
    "hungry": lambda facts: f"{facts['formation']} lacks {facts['missing']} rations: {_cut(facts)}",
    "hunger_loss": lambda facts: f"{facts['unit']} goes hungry, for {_cut(facts)}",
    "line_broken": lambda facts: f"no more food comes to {facts['formation']}: {_cut(facts)}",
    "line_open": _line_open,
    "magazine_taken": _magazine_taken,
    "ration_set": _ration_set,
    "depot_laid": "{formation} lays down a depot of {rations} rations {where}",
    # --- generals ---
    "general_captured": lambda facts: (
        f"{facts['name']}, a general of {_side(facts)}, is taken prisoner with his force"
    ),
    "general_healed": "{name} has recovered and takes up his command again",
    "general_arrives": _general_arrives,
    "general_leaves": "{name} is called away and leaves the campaign",
    "command_passes": "{name} follows {was} in command of {formation}",
    "exchange_offered": lambda facts: f"{_side(facts)} offers {facts['for']} in exchange for {facts['name']}",
    "generals_exchanged": "{name} and {for} are exchanged and go home",
}
