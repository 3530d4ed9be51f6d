"""Options of tactical rules that the umpire chooses for a campaign's battles (HR-UMP-18, HR-BAT-13).

They are kept by ruleset, and only what differs from the defaults. What facts of a day set is not chosen.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from battles.engine.choices import RuleOption
from battles.errors import BattleFileError
from battles.option_names import choice_words, option_words
from battles.rulesets import registry
from campaign.rules.battles.battle_inputs import FACTS, find_ruleset
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire.settings import OPTIONS

#: Choices by option, by ruleset.
Kept = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class OptionTold:
    """An option as a battle or a campaign has it, in words.

    `otherwise` says that it is not the default, `of_the_day` that its day sets it.
    """

    name: str
    choice: str
    rule: str
    otherwise: bool
    of_the_day: bool

    @property
    def short(self) -> str:
        """ "Save succeeds on: 5"."""
        return f"{self.name}: {self.choice}"


def list_offered_options(ruleset: str) -> dict[str, RuleOption]:
    """The options of a ruleset that can be chosen; none of one that is not installed."""
    rules = find_ruleset(ruleset)
    known = rules.options.items() if rules is not None else ()
    return {name: option for name, option in known if name not in FACTS}


def list_chosen_options(kept: Kept, ruleset: str) -> dict[str, Any]:
    """The chosen options of a ruleset, in the form of its battle files.

    A choice that its present version does not know any more is left out.
    """
    offered = list_offered_options(ruleset)
    return {
        name: value
        for name, value in kept.get(ruleset, {}).items()
        if name in offered and value in offered[name].choices
    }


def options_sound(kept: Kept) -> dict[str, dict[str, Any]]:
    """The chosen options of all installed rulesets, as `list_chosen_options` has them."""
    made = {ruleset: list_chosen_options(kept, ruleset) for ruleset in kept}
    return {ruleset: values for ruleset, values in made.items() if values}


def merge_options(present: Kept, chosen: Kept) -> dict[str, dict[str, Any]]:
    """The options kept when `chosen` take the place of those of the rulesets they name.

    What is left out of a ruleset that is named has its default. Raises RuleViolation for a ruleset, an option
    or a choice there is not, and for what facts of the day set; its field is `ruleset_options.` and names.
    """
    made = {ruleset: dict(values) for ruleset, values in present.items()}
    for ruleset, values in chosen.items():
        if ruleset not in present or present[ruleset] != values:
            made[ruleset] = _verify_choices(ruleset, values)
    return {ruleset: values for ruleset, values in sorted(made.items()) if values}


def _verify_choices(ruleset: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Choices that are not the default, each as the ruleset has it."""
    try:
        rules = registry.get_rules(ruleset)
    except BattleFileError as error:
        raise RuleViolation("HR-UMP-18", error.message, f"{OPTIONS}.{ruleset}") from error
    for name in values:
        if name in FACTS and name in rules.options:
            sentence = f"The option {name} is a fact of each battle's day and is not chosen; leave it out."
            raise RuleViolation("HR-BAT-13", sentence, f"{OPTIONS}.{ruleset}.{name}")
    for fault in rules.options_faults(values):
        name = fault.field.removeprefix("options.")
        raise RuleViolation(fault.rule_id, fault.message, f"{OPTIONS}.{ruleset}.{name}")
    return {
        name: next(choice for choice in option.choices if choice == values[name])
        for name, option in rules.options.items()
        if name in values and values[name] != option.default
    }


def list_option_descriptions(ruleset: str, chosen: Mapping[str, Any]) -> tuple[OptionTold, ...]:
    """All options of a ruleset with what is chosen; none of one that is not installed."""
    rules = find_ruleset(ruleset)
    return tuple(
        OptionTold(
            option_words(name),
            choice_words(value := chosen.get(name, option.default)),
            option.rule,
            value != option.default,
            name in FACTS,
        )
        for name, option in (rules.options.items() if rules is not None else ())
    )


def options_otherwise(ruleset: str, chosen: Mapping[str, Any]) -> tuple[OptionTold, ...]:
    """The chosen options of a ruleset that differ from the default."""
    return tuple(
        one for one in list_option_descriptions(ruleset, chosen) if one.otherwise and not one.of_the_day
    )


def iter_option_changes(before: Kept, after: Kept) -> Iterator[tuple[str, list[str]]]:
    """Differences between two sets, by ruleset: "Save succeeds on 5 instead of 4"."""
    for ruleset in sorted({*before, *after}):
        old, new, offered = before.get(ruleset, {}), after.get(ruleset, {}), list_offered_options(ruleset)
        told = []
        for name in dict.fromkeys([*offered, *old, *new]):
            usual = offered[name].default if name in offered else "default"
            was, value = old.get(name, usual), new.get(name, usual)
            if was != value:
                told.append(f"{option_words(name)} {choice_words(value)} instead of {choice_words(was)}")
        if told:
            yield ruleset, told
