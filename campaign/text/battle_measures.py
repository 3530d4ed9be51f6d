"""A battle in the measures of its rules: what they are called, their turns, and their inches on the table.

Where rules are not installed, as of an old archive, they are those of a battle file.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from battles.files.reading import battle_thaw
from battles.printing.sheet_types import FIGURES, figure_size
from battles.replay.event_text import Telling
from battles.rulesets import registry
from campaign.rules.battles.battle_inputs import rules_known


@dataclass(frozen=True, slots=True)
class Measured:
    """Inches of the table that an inch of a battle file is, and of what rules and figures they are."""

    inch: float = 1.0
    told: str = ""


def telling_under(ruleset: str) -> Telling:
    """How battles under a ruleset are told."""
    rules = rules_known(ruleset)
    return Telling(steps={}) if rules is None else rules.telling


def rules_title(ruleset: str) -> str:
    """What a ruleset is called; its id where it is not installed."""
    return registry.get(ruleset).title if rules_known(ruleset) else ruleset


def counts_otherwise(ruleset: str) -> bool:
    """Whether a ruleset counts strength in points of its own (HR-BAT-13)."""
    rules = rules_known(ruleset)
    return rules is not None and rules.muster is not None


def figures_matter(file: Mapping[str, Any]) -> bool:
    """Whether a battle is laid out otherwise for figures of another size."""
    rules = rules_known(file["ruleset"])
    battle = battle_thaw(file)
    return rules is not None and len({rules.sheets.table(battle, size) for size in FIGURES}) > 1


def measured(file: Mapping[str, Any]) -> Measured:
    """In what inches a battle is laid out on the table."""
    rules = rules_known(file["ruleset"])
    if rules is None:
        return Measured()
    battle = battle_thaw(file)
    terms = rules.sheets.table(battle, figure_size(battle.options))
    return Measured(terms.inch, f"{rules_title(file['ruleset'])}, {terms.distances}")
