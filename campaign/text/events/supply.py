"""Supply in words: hunger, lines, magazines, rations."""

from battles.grammar import format_amount
from campaign.text.event_facts import EventFacts, find_side_subject
from campaign.text.event_kinds import EventCategory, EventKind, GazettePrint, Readers


def _describe_supply_cut(facts: EventFacts) -> str:
    """Describe the place where a line of food is cut."""
    if facts["source"]:
        return f"too little comes from {facts['names'].place(str(facts['source']))}"
    if not facts["broken"]:
        return "no magazine is near enough"
    return f"the enemy bars the way of the food at {facts['names'].place(str(facts['broken']))}"


def _line_open(facts: EventFacts) -> str:
    source = f" from {facts['names'].place(str(facts['source']))}" if facts["source"] else ""
    return f"food comes to {facts['formation']} again{source}"


def _describe_ration(facts: EventFacts) -> str:
    ration = "two-thirds ration" if facts["short"] else "the full ration"
    return f"{facts['formation']:is} put on {ration}"


def _describe_magazine_capture(facts: EventFacts) -> str:
    loser = find_side_subject(facts, "from")
    rations = format_amount(facts["rations"] or 0, "ration")
    return f"{find_side_subject(facts):takes} the magazine of {loser} {facts['where']}, {rations}"


CATEGORY = EventCategory(
    "food",
    "Food",
    (
        EventKind(
            "hungry",
            rules=("HR-SUP-03",),
            readers=Readers.ONE_SIDE,
            sentence=lambda facts: (
                f"{facts['formation']:lacks} {format_amount(facts['missing'] or 0, 'ration')}: "
                f"{_describe_supply_cut(facts)}"
            ),
            gazette=GazettePrint("departures", rank=5),
        ),
        EventKind(
            "hunger_loss",
            rules=("HR-SUP-03",),
            readers=Readers.ONE_SIDE,
            cause="hunger",
            sentence=lambda facts: f"{facts['unit']:goes} hungry, for {_describe_supply_cut(facts)}",
            gazette=GazettePrint(is_loss=True),
        ),
        EventKind(
            "line_broken",
            rules=("HR-SUP-02",),
            readers=Readers.ONE_SIDE,
            sentence=lambda facts: (
                f"no more food comes to {facts['formation']}: {_describe_supply_cut(facts)}"
            ),
        ),
        EventKind(
            "line_open",
            rules=("HR-SUP-02",),
            readers=Readers.ONE_SIDE,
            sentence=_line_open,
        ),
        EventKind(
            "magazine_taken",
            rules=("HR-SUP-06",),
            readers=Readers.BOTH_SIDES,
            sentence=_describe_magazine_capture,
            gazette=GazettePrint("war", rank=9),
        ),
        EventKind(
            "ration_set",
            rules=("HR-SUP-04",),
            readers=Readers.ONE_SIDE,
            sentence=_describe_ration,
        ),
        EventKind(
            "depot_laid",
            rules=("HR-SUP-05",),
            readers=Readers.ONE_SIDE,
            sentence="{formation:lays} down a depot of {rations} rations {where}",
            gazette=GazettePrint("marches", rank=10),
        ),
    ),
)
