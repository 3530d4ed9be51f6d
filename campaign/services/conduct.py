"""How a campaign is conducted: its name and how its battles are fought (HR-UMP-18)."""

from collections.abc import Sequence

from battles.errors import BattleFileError
from battles.rulesets.registry import get
from campaign.models import Campaign, DayRecord
from campaign.rules.changes import Change, Conduct, conduct_value, verify_conducted
from campaign.rules.errors import RuleViolation


def conduct_set(campaign: Campaign, act: Conduct) -> None:
    """Conduct a campaign otherwise. The caller saves it. Raises RuleViolation."""
    for change in act.changes:
        verify_conducted(getattr(campaign, change.name), change)
        if change.name == "ruleset":
            _verify_ruleset(change.value)
        setattr(campaign, change.name, conduct_value(change, change.value))


def conduct_undo(campaign: Campaign, undone: Sequence[DayRecord]) -> None:
    """Take back what acts now undone changed; `undone` has the latest first. The caller saves it."""
    for record in undone:
        act = record.inputs["act"] if record.kind == DayRecord.Kind.ACT else {}
        for row in act.get("changes", ()) if act.get("kind") == "conduct" else ():
            change = Change(**row)
            setattr(campaign, change.name, conduct_value(change, change.was))


def _verify_ruleset(ruleset: str) -> None:
    try:
        get(ruleset)
    except BattleFileError as error:
        raise RuleViolation("HR-UMP-18", str(error), "ruleset") from error
