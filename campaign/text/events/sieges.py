"""Sieges, summonses and surrenders in words."""

from campaign.text.event_facts import EventFacts, find_side_subject
from campaign.text.event_kinds import EventCategory, EventKind, GazettePrint, Readers


def _describe_siege_start(facts: EventFacts) -> str:
    return f"{facts['place']} is invested"


def _describe_bombardment(facts: EventFacts) -> str:
    guns = "the battery on the height batters" if facts["from_height"] else "siege guns batter"
    return f"{guns} the works of {facts['place']}: {facts['lost']} SP are down, {facts['left']} stand"


def _describe_summons(facts: EventFacts) -> str:
    answer = "the garrison lays down its arms" if facts["accepted"] else "the garrison refuses"
    return f"{find_side_subject(facts, 'side'):summons} {facts['place']}: {answer}"


def _describe_surrender_talks(facts: EventFacts) -> str:
    return f"the force of {find_side_subject(facts, 'side')} {facts['where']} is shut in and treats for terms"


def _describe_talks_failure(facts: EventFacts) -> str:
    return f"the force of {find_side_subject(facts, 'side')} {facts['where']} breaks off the treaty"


CATEGORY = EventCategory(
    "sieges",
    "Sieges and surrenders",
    (
        EventKind(
            "siege_laid",
            rules=("HR-SIE-01",),
            readers=Readers.BOTH_SIDES,
            sentence=_describe_siege_start,
            headline_weight=2,
            gazette=GazettePrint(
                "war",
                rank=8,
                head="The siege of {place}",
                head_rank=7,
                manners=("{place} is invested.", "The siege of {place} is begun."),
            ),
        ),
        EventKind(
            "siege_raised",
            rules=("HR-SIE-01",),
            readers=Readers.BOTH_SIDES,
            sentence="the siege of {place} is raised",
            headline_weight=3,
            gazette=GazettePrint(
                "war",
                rank=7,
                head="The siege of {place} raised",
                head_rank=6,
                manners=("The siege of {place} is raised.", "We hear that the siege of {place} is given up."),
            ),
        ),
        EventKind(
            "works_battered",
            rules=("HR-SIE-02",),
            readers=Readers.BOTH_SIDES,
            sentence=_describe_bombardment,
            gazette=GazettePrint("war", rank=20),
        ),
        EventKind(
            "summons",
            rules=("HR-SIE-03",),
            readers=Readers.BOTH_SIDES,
            sentence=_describe_summons,
            gazette=GazettePrint("war", rank=6),
        ),
        EventKind(
            "terms_begun",
            rules=("HR-SUR-02",),
            readers=Readers.BOTH_SIDES,
            sentence=_describe_surrender_talks,
            headline_weight=3,
            gazette=GazettePrint("war", rank=10),
        ),
        EventKind(
            "terms_broken",
            rules=("HR-SUR-02",),
            readers=Readers.BOTH_SIDES,
            sentence=_describe_talks_failure,
            headline_weight=2,
            gazette=GazettePrint("war", rank=11),
        ),
    ),
)
