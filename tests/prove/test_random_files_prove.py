"""Random battle files of all sizes, for `make prove`: no crash, nobody lost from sight, every SP told."""

from random import Random

import pytest

from battles.rulesets import registry
from tests.battles.any_rules import file_under
from tests.battles.tables import verify_table
from tests.battles.test_random_files import VERIFY
from tests.prove.conftest import Figure

pytestmark = pytest.mark.prove

PARTS = 8
#: Files of each ruleset whose replays are looked at.
RECORDED = 1_000
#: Files of each ruleset; of the first most, which has most kinds of ground and of works to stumble over.
FILES = {ruleset.id: 10_000 for ruleset in registry.RULESETS} | {"awi": 20_000}
#: Units a side at most; one is drawn for each file.
MOST = (3, 6, 12, 12, 24, 48)


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("ruleset", FILES)
def test_thousands_of_random_files_are_fought_to_an_end(ruleset: str, part: int, figure: Figure) -> None:
    files = FILES[ruleset]
    numbers = range(part * files // PARTS, (part + 1) * files // PARTS)
    for number in numbers:
        draw = Random(number)
        most = draw.choice(MOST)
        try:
            VERIFY[ruleset](file_under(draw, ruleset, most=most), number)
        except Exception as fault:  # the number finds the file again
            raise AssertionError(f"{ruleset}, most={most}, Random({number}): {fault!r}") from fault
    found = f"{len(numbers)} fought to an end"
    figure(f"{ruleset}: random files {numbers[0]} to {numbers[-1]}", found, "all, no fault")


@pytest.mark.parametrize("ruleset", FILES)
def test_the_replay_of_a_thousand_random_files_ends_as_the_fight(ruleset: str, figure: Figure) -> None:
    for number in range(RECORDED):
        draw = Random(number)
        most = draw.choice(MOST[:4])
        try:
            verify_table(file_under(draw, ruleset, most=most), number)
        except Exception as fault:  # the number finds the file again
            raise AssertionError(f"{ruleset}, most={most}, Random({number}): {fault!r}") from fault
    figure(f"{ruleset}: tables of replays and of the engine", f"{RECORDED} the same", "all, no fault")
