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
    """Return the wording of battles under a ruleset."""
    rules = find_ruleset(ruleset)
    return Telling(steps={}) if rules is None else rules.telling


def rules_title(ruleset: str) -> str:
    """Return the title of a ruleset; its id where it is not installed."""
    return registry.get_ruleset(ruleset).title if find_ruleset(ruleset) else ruleset


def counts_otherwise(ruleset: str) -> bool:
    """True when a ruleset counts strength in points of its own (HR-BAT-13)."""
    rules = find_ruleset(ruleset)
    return rules is not None and rules.muster is not None


def figures_matter(file: Mapping[str, Any]) -> bool:
    """True when the layout of a battle depends on the size of the figures."""
    rules = find_ruleset(file["ruleset"])
    battle = decode_battle(file)
    return rules is not None and len({rules.sheets.table(battle, size) for size in FIGURES}) > 1


def find_table_measures(file: Mapping[str, Any]) -> Measured:
    """Return the inches a battle is laid out in on the table, and the rules they belong to."""
    rules = find_ruleset(file["ruleset"])
    if rules is None:
        return Measured()
    battle = decode_battle(file)
    terms = rules.sheets.table(battle, figure_size(battle.options))
    return Measured(terms.inch, f"{rules_title(file['ruleset'])}, {terms.distances}")
