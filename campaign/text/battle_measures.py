"""A battle in the measures of its rules: what they are called, their turns, and their inches on the table.

Where rules are not installed, as of an old archive, they are those of a battle file.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from battles.files.reading import decode_battle
from battles.printing.sheet_types import FIGURES, figure_size
from battles.replay.event_text import Telling
from battles.rulesets import registry
from campaign.rules.battles.battle_inputs import find_ruleset


@dataclass(frozen=True, slots=True)
class Measured:
    """Inches of the table that an inch of a battle file is, and of what rules and figures they are."""

    inch: float = 1.0
    told: str = ""


def telling_under(ruleset: str) -> Telling:
    """How battles under a ruleset are told."""
    rules = find_ruleset(ruleset)
    return Telling(steps={}) if rules is None else rules.telling


def rules_title(ruleset: str) -> str:
    """What a ruleset is called; its id where it is not installed."""
    return registry.get_ruleset(ruleset).title if find_ruleset(ruleset) else ruleset


def counts_otherwise(ruleset: str) -> bool:
    """Whether a ruleset counts strength in points of its own (HR-BAT-13)."""
    rules = find_ruleset(ruleset)
    return rules is not None and rules.muster is not None


def figures_matter(file: Mapping[str, Any]) -> bool:
    """Whether a battle is laid out otherwise for figures of another size."""
    rules = find_ruleset(file["ruleset"])
    battle = decode_battle(file)
    return rules is not None and len({rules.sheets.table(battle, size) for size in FIGURES}) > 1


def find_table_measures(file: Mapping[str, Any]) -> Measured:
    """In what inches a battle is laid out on the table."""
    rules = find_ruleset(file["ruleset"])
    if rules is None:
        return Measured()
    battle = decode_battle(file)
    terms = rules.sheets.table(battle, figure_size(battle.options))
    return Measured(terms.inch, f"{rules_title(file['ruleset'])}, {terms.distances}")
