"""Frequencies of Volley & Bayonet over a hundred thousand rolls, for `make prove`."""

import pytest

from tests.battles.rulesets.volley_bayonet.frequencies import BY_CHANCE, ROLLS, verify
from tests.prove.conftest import Figure

pytestmark = pytest.mark.prove

MANY = 100_000


@pytest.mark.parametrize("name", ROLLS)
def test_what_is_rolled_comes_as_often_as_it_should(name: str, figure: Figure) -> None:
    off = verify(ROLLS[name](), MANY)
    figure(
        f"{name}, {MANY:,} rolls", f"{off:.2f} of what is allowed", f"1 or less; more once in {BY_CHANCE:,}"
    )
