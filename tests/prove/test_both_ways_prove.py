"""Fifty fights of every ruleset compiled and interpreted, event by event, for `make prove`."""

import pytest

from tests.battles.any_rules import IDS
from tests.battles.test_both_ways import verify_both_ways
from tests.prove.conftest import Figure

pytestmark = pytest.mark.prove

FIGHTS = 50


@pytest.mark.parametrize("ruleset", IDS)
def test_fifty_fights_are_the_same_compiled_and_interpreted(ruleset: str, figure: Figure) -> None:
    same = verify_both_ways(ruleset, FIGHTS)
    figure(f"{ruleset}: compiled and interpreted alike", f"{same} random files", f"{FIGHTS}, every event")
