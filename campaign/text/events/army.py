"""Organisation and arrivals in words."""

from battles.grammar import Subject, format_amount
from campaign.text.event_facts import EventFacts, format_reason
from campaign.text.event_kinds import ANY_RULE, EventCategory, EventKind, GazettePrint, Readers
from campaign.text.place_names import CampaignNames, join_names


def _describe_arrival_date(facts: EventFacts) -> str:
    units, come = format_amount(facts["units"] or 0, "unit"), "comes" if facts["units"] == 1 else "come"
    due = f"due {facts['where']} on day {facts['due']}"
    return f"{units} of {facts['formation']} {due} {come} on day {facts['comes']}"


def _describe_alternative(facts: EventFacts) -> str:
    comes = "comes about" if facts["comes"] else "does not come about"
    return f"what might have been, {str(facts['alternative']).replace('_', ' ')}, {comes}"


def _format_units(facts: EventFacts, key: str = "units") -> str:
    """Units by name, or how many they are when they are many."""
    names: CampaignNames = facts["names"]
    units = [names.unit(str(unit)) for unit in facts[key] or ()]
    return join_names(units) if len(units) <= 4 else f"{len(units)} units"


def _describe_transfer(facts: EventFacts) -> str:
    # several are listed, or counted
    bodies, several = _format_units(facts), len(facts["units"] or ()) != 1
    goes = f"{bodies} go" if several else f"{Subject(bodies):goes}"
    return f"{goes} over to {facts['formation']} {facts['where']}"


def _describe_junction(facts: EventFacts) -> str:
    names: CampaignNames = facts["names"]
    return f"{facts['formation']:joins} {names.formation(str(facts['into']))} {facts['where']}"


def _describe_garrison_duty(facts: EventFacts) -> str:
    done = "becomes the garrison" if facts["on"] else "is relieved of its garrison duty"
    return f"{facts['formation']:{done}} {facts['where']}"


CATEGORY = EventCategory(
    "army",
    "Organisation and arrivals",
    (
        EventKind(
            "detached",
            rules=("HR-ORG-02",),
            readers=Readers.ONE_SIDE,
            sentence=lambda facts: (
                f"{Subject(facts['name']):is} detached from {facts['formation']} {facts['where']}: "
                f"{_format_units(facts)}"
            ),
        ),
        EventKind(
            "transferred",
            rules=("HR-ORG-03",),
            readers=Readers.ONE_SIDE,
            sentence=_describe_transfer,
        ),
        EventKind(
            "escorted",
            rules=("HR-ORG-06",),
            readers=Readers.ONE_SIDE,
            sentence=lambda facts: (
                f"{facts['formation']:takes} {_format_units(facts)} under escort {facts['where']}"
            ),
        ),
        EventKind(
            "joined",
            rules=("HR-ORG-01",),
            readers=Readers.ONE_SIDE,
            sentence=_describe_junction,
        ),
        EventKind(
            "garrisoned",
            rules=("HR-ORG-05",),
            readers=Readers.ONE_SIDE,
            sentence=_describe_garrison_duty,
        ),
        EventKind(
            "organisation_refused",
            rules=ANY_RULE,
            readers=Readers.ONE_SIDE,
            sentence=lambda facts: (
                f"{facts['formation']} cannot be reorganised as ordered: {format_reason(facts)}"
            ),
        ),
        EventKind(
            "arrived",
            rules=("HR-ARR-01",),
            readers=Readers.ONE_SIDE,
            sentence="{unit:arrives} {where}",
            gazette=GazettePrint(
                "arrivals",
                rank=2,
                head="Arrival of {unit}",
                head_rank=11,
                manners=(
                    "{unit} arrived {where}.",
                    "{where_first} there arrived {unit}.",
                    "{unit} came in {where}.",
                ),
            ),
        ),
        EventKind(
            "arrival_waits",
            rules=("HR-ARR-01",),
            readers=Readers.ONE_SIDE,
            sentence="{unit:is} due {where} and {unit:+waits}: the enemy holds the place",
        ),
        EventKind(
            "alternative",
            rules=("HR-ARR-03",),
            readers=Readers.UMPIRE,
            sentence=_describe_alternative,
        ),
        EventKind(
            "date_settled",
            rules=("HR-ARR-02",),
            readers=Readers.UMPIRE,
            sentence=_describe_arrival_date,
        ),
    ),
)
