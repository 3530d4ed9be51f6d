"""Random battle files of all sizes, for `make prove`: no crash, nobody lost from sight, every SP told."""

from random import Random

import pytest

from tests.battles.random_files import random_file
from tests.battles.test_random_files import verify_run
from tests.prove.conftest import Figure

pytestmark = pytest.mark.prove

FILES, PARTS = 20_000, 8
#: Units a side at most; one is drawn for each file.
MOST = (3, 6, 12, 12, 24, 48)


@pytest.mark.parametrize("part", range(PARTS))
def test_twenty_thousand_random_files_are_fought_to_an_end(part: int, figure: Figure) -> None:
    numbers = range(part * FILES // PARTS, (part + 1) * FILES // PARTS)
    for number in numbers:
        draw = Random(number)
        battle = random_file(draw, most=draw.choice(MOST))
        try:
            verify_run(battle, number)
        except Exception as fault:  # the number finds the file again
            raise AssertionError(f"random_file(Random({number})): {fault!r}") from fault
    figure(f"random files {numbers[0]} to {numbers[-1]}", f"{len(numbers)} fought to an end", "all, no fault")
