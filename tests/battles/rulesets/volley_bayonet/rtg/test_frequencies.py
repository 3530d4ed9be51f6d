"""Frequencies over many rolls agree with the exact chances; `make prove` rolls a hundred thousand of each."""

import pytest

from battles.engine.compile import is_interpreted
from tests.battles.rulesets.volley_bayonet.frequencies import verify
from tests.battles.rulesets.volley_bayonet.rtg.frequencies import ROLLS

MANY = 300 if is_interpreted() else 3_000


@pytest.mark.parametrize("name", ROLLS)
def test_what_is_rolled_comes_as_often_as_it_should_RTG_CBT_10_RTG_SAV_01_RTG_MOR_02_RTG_EXH_03(
    name: str,
) -> None:
    verify(ROLLS[name](), MANY)
