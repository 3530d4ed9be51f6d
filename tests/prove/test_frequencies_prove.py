"""Frequencies of every system over a hundred thousand rolls, for `make prove`."""

from collections.abc import Callable
from functools import partial

import pytest

from rosters.domain.vocabulary import TroopType
from tests.battles.rulesets.regimental import frequencies as regimental
from tests.battles.rulesets.volley_bayonet import frequencies as volley_bayonet
from tests.battles.rulesets.volley_bayonet.rtg import frequencies as road_to_glory
from tests.battles.test_frequencies import CHARGES, SIGMAS, verify_charge
from tests.prove.conftest import Figure

pytestmark = pytest.mark.prove

MANY = 100_000
#: What is rolled, and how far off it was as a share of what is allowed.
ROLLS: dict[str, Callable[[], float]] = {
    **{
        name: partial(lambda roll: volley_bayonet.verify(roll(), MANY), roll)
        for name, roll in (volley_bayonet.ROLLS | road_to_glory.ROLLS).items()
    },
    **{
        name: partial(lambda roll: regimental.verify(roll(), MANY), roll)
        for name, roll in regimental.ROLLS.items()
    },
}


@pytest.mark.parametrize("name", ROLLS)
def test_what_is_rolled_comes_as_often_as_it_should(name: str, figure: Figure) -> None:
    figure(
        f"{name}, {MANY:,} rolls",
        f"{ROLLS[name]():.2f} of what is allowed",
        f"1 or less; more once in {volley_bayonet.BY_CHANCE:,}",
    )


@pytest.mark.parametrize(("key", "kind"), CHARGES)
def test_a_charge_of_awi_ends_as_often_as_it_should(key: str, kind: TroopType, figure: Figure) -> None:
    verify_charge(key, kind, MANY)
    figure(f"awi: {key}, {MANY:,} rolls", "as the worked check has it", f"within {SIGMAS} deviations")
