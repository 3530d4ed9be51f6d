"""How a campaign is conducted: its name, how battles are fought, what spectators see (HR-UMP-18)."""

from collections.abc import Sequence

from battles.errors import BattleFileError
from battles.rulesets.registry import get
from campaign.models import Campaign, DayRecord, User
from campaign.rules.changes import SPECTATORS, Change, Conduct, conduct_value, verify_conducted
from campaign.rules.errors import RuleViolation
from campaign.services.seats import verify_actor


def conduct_set(campaign: Campaign, act: Conduct, actor: User | None) -> None:
    """Conduct a campaign otherwise. The caller saves it. Raises RuleViolation.

    What spectators see goes with the seats: who may not give those may not set it (HR-SET-08, HR-SET-12).
    """
    for change in act.changes:
        if change.name in SPECTATORS:
            verify_actor(campaign, actor)
        verify_conducted(getattr(campaign, change.name), change)
        if change.name == "ruleset":
            _verify_ruleset(change.value)
        setattr(campaign, change.name, conduct_value(change, change.value))


def conduct_undo(campaign: Campaign, undone: Sequence[DayRecord]) -> None:
    """Take back what acts now undone changed; `undone` has the latest first. The caller saves it.

    What spectators see stays: a delay set because something leaked must not end with the days it leaked on.
    """
    for record in undone:
        act = record.inputs["act"] if record.kind == DayRecord.Kind.ACT else {}
        for row in act.get("changes", ()) if act.get("kind") == "conduct" else ():
            change = Change(**row)
            if change.name in SPECTATORS:
                continue
            setattr(campaign, change.name, conduct_value(change, change.was))


def _verify_ruleset(ruleset: str) -> None:
    try:
        get(ruleset)
    except BattleFileError as error:
        raise RuleViolation("HR-UMP-18", str(error), "ruleset") from error
