"""Generals in words: losses, absences, exchanges, commands."""

from battles.grammar import format_amount
from campaign.text.event_facts import EventFacts, find_side_subject
from campaign.text.event_kinds import EventCategory, EventKind, GazettePrint, Readers


def _general_arrives(facts: EventFacts) -> str:
    with_whom = f" and joins {facts['formation']}" if facts["formation"] else ""
    return f"{facts['name']} arrives{with_whom}"


def _describe_general_loss(facts: EventFacts) -> str:
    # how badly and for how long only his own side hears, as `general_away`; days of older rules say it here
    fates = {"killed": "is killed", "captured": "is taken prisoner", "disabled": "is wounded"}
    fate = fates.get(str(facts["fate"]), f"is {facts['fate']}")
    return f"{facts['name']}, a general of {find_side_subject(facts, 'side')}, {fate}"


CATEGORY = EventCategory(
    "generals",
    "Generals",
    (
        EventKind(
            "general_lost",
            rules=("HR-GEN-01",),
            readers=Readers.BOTH_SIDES,
            sentence=_describe_general_loss,
            headline_weight=3,
            gazette=GazettePrint("war", rank=4, head="The loss of {name}", head_rank=5),
        ),
        EventKind(
            "general_away",
            rules=("HR-GEN-01",),
            readers=Readers.ONE_SIDE,
            sentence=lambda facts: (
                f"{facts['name']}'s wound is {'grave' if facts['fate'] == 'disabled' else 'not grave'}: "
                f"he will be away for {format_amount(facts['weeks'] or 0, 'week')}"
            ),
        ),
        EventKind(
            "general_captured",
            rules=("HR-LDR-05",),
            readers=Readers.BOTH_SIDES,
            sentence=lambda facts: (
                f"{facts['name']}, a general of {find_side_subject(facts)}, is taken prisoner with his force"
            ),
            gazette=GazettePrint("war", rank=5, head="{name} taken prisoner", head_rank=4),
        ),
        EventKind(
            "general_healed",
            rules=("HR-LDR-02",),
            readers=Readers.ONE_SIDE,
            sentence="{name} has recovered and takes up his command again",
            gazette=GazettePrint(
                "arrivals", rank=6, manners=("{name} is recovered, and has taken up his command again.",)
            ),
        ),
        EventKind(
            "general_arrives",
            rules=("HR-LDR-01",),
            readers=Readers.ONE_SIDE,
            sentence=_general_arrives,
            gazette=GazettePrint("arrivals", rank=1),
        ),
        EventKind(
            "general_leaves",
            rules=("HR-LDR-01",),
            readers=Readers.ONE_SIDE,
            sentence="{name} is called away and leaves the campaign",
            gazette=GazettePrint("departures", rank=6),
        ),
        EventKind(
            "command_passes",
            rules=("HR-LDR-03",),
            readers=Readers.ONE_SIDE,
            sentence="{name} follows {was} in command of {formation}",
        ),
        EventKind(
            "command_taken",
            rules=("HR-ORG-04",),
            readers=Readers.ONE_SIDE,
            sentence="{name} takes command of {formation}",
        ),
        EventKind(
            "exchange_offered",
            rules=("HR-LDR-05",),
            readers=Readers.BOTH_SIDES,
            sentence=lambda facts: (
                f"{find_side_subject(facts):offers} {facts['for']} in exchange for {facts['name']}"
            ),
            gazette=GazettePrint("notices", rank=12),
        ),
        EventKind(
            "generals_exchanged",
            rules=("HR-LDR-05",),
            readers=Readers.BOTH_SIDES,
            sentence="{name} and {for} are exchanged and go home",
            gazette=GazettePrint("notices", rank=11),
        ),
    ),
)
