"""Marches, posts and what holds them up, in words."""

from campaign.rules.march.marching import LEAST_PERCENT_OVER
from campaign.text.event_facts import EventFacts, find_side_subject, format_reason
from campaign.text.event_kinds import ANY_RULE, EventCategory, EventKind, GazettePrint, Readers
from campaign.text.place_names import CampaignNames


def _forced_march(facts: EventFacts) -> str:
    """A tired day within the normal march counts as hardly over it, and the event says no more than that."""
    if facts["percent_over"] != LEAST_PERCENT_OVER:
        return f"{facts['unit']:was} pressed {facts['percent_over']} % beyond a normal day's march"
    return (
        f"{facts['unit']} marched on when a day's rest was due, or hardly beyond a normal day's march: "
        "either counts as a forced march (HR-MAR-05)"
    )


def _describe_halt(facts: EventFacts) -> str:
    names: CampaignNames = facts["names"]
    towards = names.place(str(facts["towards"]))
    return f"{facts['formation']:halts} {facts['where']}, bound for {towards}"


def _describe_place_capture(facts: EventFacts) -> str:
    taken = f" from {find_side_subject(facts, 'from')}" if facts["from"] else ""
    return f"{find_side_subject(facts, 'side'):takes} {facts['place']}{taken}"


CATEGORY = EventCategory(
    "marches",
    "Marches and posts",
    (
        EventKind(
            "arrives",
            rules=("HR-MAR-09",),
            readers=Readers.ONE_SIDE,
            sentence="{formation:arrives} at {place}",
            headline_weight=1,
            gazette=GazettePrint(
                "marches",
                rank=1,
                is_latest_only=True,
                head="{formation} at {place}",
                head_rank=12,
                manners=(
                    "{formation} arrived at {place}.",
                    "We learn of the arrival of {formation} at {place}.",
                    "{formation} came to {place}.",
                ),
            ),
        ),
        EventKind(
            "passes",
            rules=("HR-MAR-09",),
            readers=Readers.ONE_SIDE,
            sentence="{formation:passes} {place}",
            routine=True,
        ),
        EventKind(
            "halts",
            rules=("HR-MAR-09",),
            readers=Readers.ONE_SIDE,
            sentence=_describe_halt,
            routine=True,
        ),
        EventKind(
            "march_held_up",
            rules=ANY_RULE,
            readers=Readers.ONE_SIDE,
            sentence=lambda facts: f"{facts['formation']:is} held up: {format_reason(facts)}",
        ),
        EventKind(
            "order_refused",
            rules=ANY_RULE,
            readers=Readers.ONE_SIDE,
            sentence=lambda facts: f"{facts['formation']} cannot do as ordered: {format_reason(facts)}",
            headline_weight=1,
        ),
        EventKind(
            "place_taken",
            rules=("HR-CON-13",),
            readers=Readers.BOTH_SIDES,
            sentence=_describe_place_capture,
            headline_weight=2,
            gazette=GazettePrint(
                "war",
                rank=12,
                head="{place} taken",
                head_rank=8,
                manners=(
                    "{side_name:has} taken {place}.",
                    "{place} is in the hands of {side_name}.",
                    "By the latest advices {place} has been taken by {side_name}.",
                ),
            ),
        ),
        EventKind(
            "forced_march",
            rules=("AWI-C-MAR-01", "AWI-C-MAR-02"),
            readers=Readers.ONE_SIDE,
            cause="march",
            sentence=_forced_march,
            gazette=GazettePrint(is_loss=True),
        ),
        EventKind(
            "rejoined",
            rules=("HR-FOR-01",),
            readers=Readers.ONE_SIDE,
            sentence=lambda facts: (
                f"{facts['formation']:rejoins} {facts['names'].formation(facts['parent'])} {facts['where']}"
            ),
            routine=True,
        ),
        EventKind(
            "no_trace",
            rules=("HR-ORD-03",),
            readers=Readers.ONE_SIDE,
            sentence=(
                "{formation:stands} where the enemy was last known and {formation:+finds} no trace of him"
            ),
        ),
        EventKind(
            "crossing_broken",
            rules=("HR-BRG-01",),
            readers=Readers.ONE_SIDE,
            sentence=lambda facts: (
                f"{facts['formation']:finds} the crossing of {facts['route']} broken"
                + f" and {facts['formation']:{'+halts' if facts['closed'] else '+fords it'}}"
            ),
        ),
        EventKind(
            "road_found_felled",
            rules=("HR-OBS-01",),
            readers=Readers.ONE_SIDE,
            sentence="{formation:finds} {route} felled and broken, and must clear {formation:+its} way",
        ),
        EventKind(
            "road_cleared",
            rules=("HR-OBS-01",),
            readers=Readers.ONE_SIDE,
            sentence="{formation:is} through the felled part of {route}; the road is open",
            gazette=GazettePrint("marches", rank=8),
        ),
    ),
)
