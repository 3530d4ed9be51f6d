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
}
