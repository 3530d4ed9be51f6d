"""Whether the rules let something pass, for tests that ask of many things."""

from collections.abc import Callable
from typing import Any

from campaign.rules.errors import RuleViolation


def is_allowed(verify: Callable[..., object], *asked: Any) -> bool:
    """Whether `verify` of what is asked raises no RuleViolation."""
    try:
        verify(*asked)
    except RuleViolation:
        return False
    return True
