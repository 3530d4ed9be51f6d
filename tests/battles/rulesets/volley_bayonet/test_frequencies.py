"""Frequencies of dice, saves, checks, roll-offs and collapses over many rolls; `make prove` rolls more."""

import pytest

from battles.engine.compile import is_interpreted
from tests.battles.rulesets.volley_bayonet.frequencies import ROLLS, verify

MANY = 300 if is_interpreted() else 3_000


@pytest.mark.parametrize("name", ROLLS)
def test_what_is_rolled_comes_as_often_as_it_should_VBW_HIT_01_VBW_SAV_01_VBW_MOR_05_VBW_COL_05(
    name: str,
) -> None:
    verify(ROLLS[name](), MANY)
