"""The engine compiled and interpreted: many fights of every ruleset event by event, and all its tests."""

import pytest

from tests.battles.any_rules import IDS
from tests.battles.test_both_ways import verify_both_ways, verify_tests_other_way
from tests.prove.conftest import Figure

pytestmark = pytest.mark.prove

#: Fights of AWI, and of each other ruleset: those play stand by stand, which takes longer in plain Python.
FIGHTS, FEW = 100, 50


@pytest.mark.parametrize("ruleset", IDS)
def test_fights_are_the_same_compiled_and_interpreted(ruleset: str, figure: Figure) -> None:
    fights = FIGHTS if ruleset == "awi" else FEW
    same = verify_both_ways(ruleset, fights)
    figure(f"{ruleset}: compiled and interpreted alike", f"{same} random files", f"{fights}, every event")


def test_all_tests_of_the_engine_pass_the_other_way_too(figure: Figure) -> None:
    passed = verify_tests_other_way(seconds=3600)
    assert passed > 5000
    figure("the engine's tests, the other way", f"{passed} passed", "all, but those of whole battles")
