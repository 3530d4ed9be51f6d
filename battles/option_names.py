"""Options of rulesets in words: their names as files have them, made readable. No numba here."""

from collections.abc import Mapping
from typing import Any

from battles.engine.choices import format_choice
from battles.replay.words import capitalize_first

#: What choices are called that are sides of a battle.
_SIDES = {"crown": "the Crown", "rebel": "the Rebels", "attacker": "the attacker", "defender": "the defender"}
#: Units that names of options end with.
_UNITS = {"_in": ", inches", "_deg": ", degrees"}


def option_words(name: str) -> str:
    """An option's name in plain words: `save_succeeds_on` is "Save succeeds on"."""
    for ending, unit in _UNITS.items():
        if name.endswith(ending):
            return capitalize_first(_replace_underscores(name.removesuffix(ending))) + unit
    return capitalize_first(_replace_underscores(name))


def choice_words(choice: Any) -> str:
    """A choice in plain words: `by_strength` is "by strength", `{"dense": 4}` "dense 4"."""
    if isinstance(choice, Mapping):
        return ", ".join(
            f"{_replace_underscores(str(key))} {choice_words(value)}" for key, value in choice.items()
        )
    return (
        _SIDES.get(choice, _replace_underscores(choice)) if isinstance(choice, str) else format_choice(choice)
    )


def _replace_underscores(text: str) -> str:
    return text.replace("_", " ")
