"""Which rules and engine a day was played with."""

from typing import Any

from battles.engine.fighting import ENGINE_VERSION
from battles.rulesets.registry import get_ruleset

#: Raised whenever a change of the campaign rules would make an old day come out otherwise.
CAMPAIGN_RULES = 6


def versions_now(ruleset: str) -> dict[str, Any]:
    """The versions stored with a day: campaign rules, tactical ruleset, engine."""
    return {
        "campaign_rules": CAMPAIGN_RULES,
        "ruleset": ruleset,
        "ruleset_version": get_ruleset(ruleset).version,
        "engine_version": ENGINE_VERSION,
    }
