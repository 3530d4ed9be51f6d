"""A battle fought under other rules than it was made for: what of it they know. No numba here."""

from collections.abc import Mapping
from typing import Any

from battles.ground.names import join_names
from battles.rulesets import registry
from battles.rulesets.rules import RulesetRules

#: The rules of a file that names none.
USUAL = "awi"


def document_under(data: Any, ruleset: str) -> tuple[Any, list[str]]:
    """A document under a ruleset asked for, with a warning of what is left out; "" asks for its own.

    Options and traits belong to the rules a file was made for, so a file that names these very rules is
    left as it is. Raises BattleFileError for a ruleset there is not.
    """
    if not ruleset or not isinstance(data, Mapping) or data.get("ruleset", USUAL) == ruleset:
        return data, []
    return adapt_document(data, ruleset)


def adapt_document(data: Mapping[str, Any], ruleset: str) -> tuple[dict[str, Any], list[str]]:
    """A document, or a frozen battle file, with only those options and traits that a ruleset knows.

    Raises BattleFileError for a ruleset there is not.
    """
    title, system = registry.get_ruleset(ruleset).title, registry.get_rules(ruleset)
    made, left = {**data, "ruleset": ruleset}, []
    options = data.get("options")
    if isinstance(options, Mapping):
        made["options"] = {name: value for name, value in options.items() if name in system.options}
        if unknown := [name for name in options if name not in system.options]:
            more = "s" * (len(unknown) > 1)
            left.append(f"{title} has no option{more} {join_names(unknown)}; left out (AWI-T-SCA-01).")
    traits = _list_known_traits(system, made.get("options"))
    units = data.get("units")
    if isinstance(units, list | tuple):
        made["units"] = [_drop_unknown_traits(unit, traits) for unit in units]
        having: dict[str, list[str]] = {}
        for unit in units:
            for trait in _list_unit_traits(unit):
                if trait not in traits:
                    having.setdefault(trait, []).append(str(unit.get("name", unit.get("id"))))
        for trait, names in sorted(having.items()):
            left.append(f"{title} has no {trait}; left out of {join_names(names)} (AWI-T-SCA-01).")
    return made, left


def _list_known_traits(system: RulesetRules, options: Any) -> tuple[str, ...]:
    chosen = options if isinstance(options, Mapping) else {}
    return system.traits({name: option.default for name, option in system.options.items()} | dict(chosen))


def _list_unit_traits(unit: Any) -> tuple[str, ...]:
    """The traits of a unit as it is written; what cannot be any is refused elsewhere."""
    traits = unit.get("traits") if isinstance(unit, Mapping) else None
    return tuple(one for one in traits if isinstance(one, str)) if isinstance(traits, list | tuple) else ()


def _drop_unknown_traits(unit: Any, traits: tuple[str, ...]) -> Any:
    if not any(trait not in traits for trait in _list_unit_traits(unit)):
        return unit
    return {**unit, "traits": [trait for trait in unit["traits"] if trait in traits]}


def options_of(ruleset: str, facts: Mapping[str, int]) -> dict[str, int]:
    """The facts of a day as options of a ruleset: for each figure the nearest choice it knows."""
    known = registry.get_rules(ruleset).options
    return {
        name: min(known[name].choices, key=lambda choice: abs(choice - value))
        for name, value in facts.items()
        if name in known
    }
