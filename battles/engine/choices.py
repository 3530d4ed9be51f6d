"""Options of a ruleset: readings of its rules that a battle file may choose between. No numba here."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from battles.errors import BattleFileError, refuse_all
from battles.files.suggestions import suggest_names


@dataclass(frozen=True, slots=True)
class RuleOption:
    """One option of a ruleset: its default, its choices and the rule it changes."""

    default: Any
    choices: tuple[Any, ...]
    rule: str


def format_choice(choice: Any) -> str:
    """A choice as a file writes it; texts have no quotation marks."""
    return choice if isinstance(choice, str) else json.dumps(choice, ensure_ascii=False)


def chosen_resolve(chosen: Mapping[str, Any], known: Mapping[str, RuleOption], rule: str) -> dict[str, Any]:
    """All known options with the chosen ones set.

    Raises BattleFileError for options or choices that are not known, under `rule` for an option.
    """
    refuse_all(chosen_faults(chosen, known, rule))
    return {name: option.default for name, option in known.items()} | dict(chosen)


def chosen_faults(
    chosen: Mapping[str, Any], known: Mapping[str, RuleOption], rule: str
) -> Iterator[BattleFileError]:
    """Options and choices that are not known."""
    for name, value in chosen.items():
        option = known.get(name)
        if option is None:
            message = f"The engine has no option “{name}”; {suggest_names(name, known)}."
            yield BattleFileError(rule, message, f"options.{name}")
        # true is no 1
        elif value not in option.choices or isinstance(value, bool):
            yield BattleFileError(option.rule, _describe_refusal(name, value, option), f"options.{name}")


def _describe_refusal(name: str, value: Any, option: RuleOption) -> str:
    """The reason why an option cannot have a value, with a hint where a text looks like a choice."""
    if isinstance(value, str) and value in map(format_choice, option.choices):
        return f"The option {name} cannot be the text “{value}”; write {value} without quotation marks."
    return (
        f"The option {name} cannot be {format_choice(value)[:60]}; "
        f"{suggest_names(value, map(format_choice, option.choices))}."
    )
