"""Other rules, another name, battles fought or spectators served otherwise (HR-UMP-17, HR-UMP-18)."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from campaign.rules.errors import RuleViolation
from campaign.rules.world.events import Event
from campaign.rules.world.options import format_setting, list_changed_settings, option_of, verify_hours
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import World
from rosters.domain.text import name_fault

#: How a campaign is conducted besides its rules: fields of the campaign, no part of a world.
CONDUCT = ("title", "battle_policy", "table_units", "ruleset", "ruleset_options")
#: The same with what never changes, and its course: for these the records of the chain vouch (HR-PRF-03).
CONDUCTED = (*CONDUCT, "scenario", "scenario_digest", "armies", "published", "revision", "dice_revision")
#: The one of them that is an object: choices by option, by ruleset. Its text is JSON.
OPTIONS = "ruleset_options"
#: What spectators see (HR-SET-12); the umpire's own to set, as seats are, and no going back undoes it.
SPECTATORS = ("spectator_days", "spectator_side")
POLICIES = ("ask", "automatic", "table")
#: The fewest and the most units a side that fit a table, and the longest title.
LEAST_UNITS, MOST_UNITS, LONGEST_TITLE = 2, 200, 200
#: The most campaign days spectators may lag behind.
LONGEST_DELAY = 120


@dataclass(frozen=True, slots=True)
class SettingChange:
    """One thing changed, with its value and the one it had, both as texts (`options.written`)."""

    name: str
    was: str
    value: str


@dataclass(frozen=True, slots=True)
class ChangeRules:
    """Settings other than before, from the coming morning on (HR-UMP-17)."""

    changes: tuple[SettingChange, ...]


@dataclass(frozen=True, slots=True)
class Conduct:
    """The campaign's name, how its battles are fought, what spectators see: other than before (HR-UMP-18)."""

    changes: tuple[SettingChange, ...]


def build_change_rules(before: RuleSettings, after: RuleSettings) -> ChangeRules:
    """The act that leads from some settings to others."""
    return ChangeRules(
        tuple(
            SettingChange(name, format_setting(getattr(before, name)), format_setting(getattr(after, name)))
            for name in list_changed_settings(before, after)
        )
    )


def settings_after(settings: RuleSettings, changes: Sequence[SettingChange]) -> RuleSettings:
    """Settings with some changed. Raises RuleViolation with the setting as its field."""
    rule, values = "HR-UMP-17", dict[str, Any]()
    for change in changes:
        option = option_of(change.name)
        if option.fixed:
            raise RuleViolation(
                rule, f"{option.label}: this cannot change any more. {option.fixed}", change.name
            )
        _verify_was(format_setting(getattr(settings, change.name)), change, rule, option.label)
        values[change.name] = option.read(change.value)
    after = replace(settings, **values)
    verify_hours(after)
    return after


def rules_change(world: World, act: ChangeRules, reason: str) -> tuple[World, list[Event]]:
    """The world under other settings; both sides read which, and why."""
    _verify_some(act.changes, "HR-UMP-17")
    after = replace(world, settings=settings_after(world.settings, act.changes))
    return after, [_build_change_event(world, "rules_changed", "HR-UMP-17", act.changes, reason)]


def conduct_change(world: World, act: Conduct, reason: str) -> tuple[World, list[Event]]:
    """Events for a change of conduct. The caller checks the old value and saves the new one."""
    _verify_some(act.changes, "HR-UMP-18")
    for change in act.changes:
        if change.name in SPECTATORS:
            verify_spectators(change.name, change.value, [side.id for side in world.theatre.sides])
        else:
            verify_conduct(change.name, change.value)
    return world, [_build_change_event(world, "conduct_changed", "HR-UMP-18", act.changes, reason)]


def verify_conduct(name: str, value: str) -> None:
    """Raises RuleViolation (HR-UMP-18) for a value that cannot be."""
    rule = "HR-UMP-18"
    if name not in CONDUCT:
        raise RuleViolation(rule, f"There is nothing called {name} to change.", name)
    if name == "title" and (not value.strip() or name_fault(value, LONGEST_TITLE)):
        raise RuleViolation(rule, f"A campaign's name is one line of at most {LONGEST_TITLE} letters.", name)
    if name == "battle_policy" and value not in POLICIES:
        raise RuleViolation(
            rule, "Battles are asked about, settled by the engine, or fought on a table.", name
        )
    if name == "table_units":
        sound = value.isascii() and value.isdecimal() and len(value) <= 4
        if not sound or not LEAST_UNITS <= int(value) <= MOST_UNITS:
            raise RuleViolation(
                rule, f"A table takes {LEAST_UNITS} to {MOST_UNITS} units a side; give a whole number.", name
            )
    if name == OPTIONS and _parse_options(value) is None:
        raise RuleViolation(rule, "Options are choices by option, by ruleset; look at the page again.", name)


def _parse_options(text: str) -> dict[str, dict[str, Any]] | None:
    """Choices by option, by ruleset; None for a text that says something else."""
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if has_options_shape(found) else None


def has_options_shape(value: Any) -> bool:
    """True if a JSON value is an object of objects, the form in which options are stored."""
    return isinstance(value, dict) and all(isinstance(each, dict) for each in value.values())


def verify_spectators(name: str, value: str, sides: Collection[str]) -> None:
    """Raises RuleViolation (HR-SET-12) for days late, "" for nothing shown, or a side that cannot be."""
    rule = "HR-SET-12"
    if name == "spectator_side" and value and value not in sides:
        raise RuleViolation(rule, f"There is no side {value}; choose one of the list.", name)
    if name == "spectator_days" and value:
        sound = value.isascii() and value.isdecimal() and len(value) <= 4
        if not sound or int(value) > LONGEST_DELAY:
            raise RuleViolation(rule, f"Spectators lag 0 to {LONGEST_DELAY} campaign days behind.", name)


def conduct_value(change: SettingChange, text: str) -> Any:
    """The stored value of a changed text."""
    if change.name == "spectator_days":
        return int(text) if text else None
    if change.name == OPTIONS:
        return _parse_options(text) or {}
    return int(text) if change.name == "table_units" else text


def conduct_text(value: Any) -> str:
    """The text under which the campaign records a changed value."""
    if isinstance(value, Mapping):
        return json.dumps(value, ensure_ascii=False, sort_keys=True)
    return "" if value is None else str(value)


def verify_conduct_is_current(present: Any, change: SettingChange) -> None:
    """Refuses a change of what is no longer as it was when the page was opened."""
    _verify_was(conduct_text(present), change, "HR-UMP-18", change.name.replace("_", " ").capitalize())


def _verify_was(present: str, change: SettingChange, rule: str, label: str) -> None:
    if present != change.was:
        raise RuleViolation(
            rule, f"{label} has been changed meanwhile; look at the page again, then change it.", change.name
        )
    if change.value == change.was:
        raise RuleViolation(rule, f"{label} is so already.", change.name)


def _verify_some(changes: Sequence[SettingChange], rule: str) -> None:
    if not changes:
        raise RuleViolation(rule, "Nothing is changed; change something or leave it.")
    names = [change.name for change in changes]
    if len(set(names)) < len(names):
        raise RuleViolation(rule, "Something is changed twice; name it once.", names[0])


def _build_change_event(
    world: World, kind: str, rule: str, changes: Sequence[SettingChange], reason: str
) -> Event:
    rows = [{"name": each.name, "was": each.was, "value": each.value} for each in changes]
    sides = tuple(side.id for side in world.theatre.sides)
    return Event(kind, 0, rule, sides, data={"changes": rows, "reason": reason})
