"""Settings of a running campaign: its name, how battles are fought, what spectators see (HR-UMP-18)."""

from collections.abc import Mapping, Sequence
from typing import Any

from battles.errors import BattleFileError
from battles.rulesets.registry import get_ruleset
from campaign.models import Campaign, DayRecord, User
from campaign.rules.battles.ruleset_options import merge_options
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire.settings import (
    CONDUCT,
    OPTIONS,
    SPECTATORS,
    Conduct,
    SettingChange,
    conduct_text,
    conduct_value,
    verify_conduct_is_current,
)
from campaign.services.seats.assignment import verify_actor


def conduct_set(campaign: Campaign, act: Conduct, actor: User | None) -> None:
    """Change the settings of a campaign. The caller saves it. Raises RuleViolation.

    What spectators see goes with the seats: who may not give those may not set it (HR-SET-08, HR-SET-12).
    """
    for change in act.changes:
        if change.name in SPECTATORS:
            verify_actor(campaign, actor)
        verify_conduct_is_current(getattr(campaign, change.name), change)
        if change.name == "ruleset":
            ruleset_verify(change.value)
        value = conduct_value(change, change.value)
        if change.name == OPTIONS:
            merged = merge_options(campaign.ruleset_options, value)
            value = {ruleset: chosen for ruleset, chosen in merged.items() if ruleset in value}
        setattr(campaign, change.name, value)


def conduct_to(campaign: Campaign, values: Mapping[str, Any]) -> Conduct:
    """The act that leads from how a campaign is conducted to `values`; what is not named stays.

    So do options of rulesets that are not named. Raises RuleViolation for options that cannot be chosen.
    """
    if OPTIONS in values:
        values = {**values, OPTIONS: merge_options(campaign.ruleset_options, values[OPTIONS])}
    pairs = (
        (name, conduct_text(getattr(campaign, name)), conduct_text(values[name]))
        for name in CONDUCT
        if name in values
    )
    return Conduct(tuple(SettingChange(name, was, value) for name, was, value in pairs if was != value))


def conduct_undo(campaign: Campaign, undone: Sequence[DayRecord]) -> None:
    """Take back what acts now undone changed; `undone` has the latest first. The caller saves it.

    What spectators see stays: a delay set because something leaked must not end with the days it leaked on.
    """
    for record in undone:
        act = record.inputs["act"] if record.kind == DayRecord.Kind.ACT else {}
        for row in act.get("changes", ()) if act.get("kind") == "conduct" else ():
            change = SettingChange(**row)
            if change.name in SPECTATORS:
                continue
            setattr(campaign, change.name, conduct_value(change, change.was))


def ruleset_verify(ruleset: str) -> None:
    """Refuses a ruleset there is not. Raises RuleViolation (HR-UMP-18)."""
    try:
        get_ruleset(ruleset)
    except BattleFileError as error:
        raise RuleViolation("HR-UMP-18", str(error), "ruleset") from error
