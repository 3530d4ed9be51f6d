"""Frequencies of maneuvers, fire, charges and leaders over many rolls."""

import pytest

from tests.battles.rulesets.regimental.frequencies import ROLLS, verify


@pytest.mark.parametrize("name", ROLLS)
def test_what_is_rolled_comes_as_often_as_it_should_REG_MAN_01_REG_FIR_07_REG_CHG_01_REG_LDR_01(
    name: str,
) -> None:
    verify(ROLLS[name](), 2_000)
