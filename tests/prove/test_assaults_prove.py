"""Random assaults on every country of the ground generator, for `make prove PART=assaults`.

None ends undecided with an attacker who could still gain ground (HR-BAT-02). AWI_ASSAULTS says how many are
fought under each ruleset; the default is small, for a machine that is shared.
"""

import os
from random import Random

import pytest

from battles.rulesets import registry
from tests.battles.assaults import TERRAINS, could_gain_ground, random_assault
from tests.prove.conftest import Figure

pytestmark = pytest.mark.prove

ASSAULTS = int(os.environ.get("AWI_ASSAULTS", "900"))


@pytest.mark.parametrize("ruleset", [one.id for one in registry.RULESETS])
def test_no_assault_ends_undecided_while_ground_could_be_gained(ruleset: str, figure: Figure) -> None:
    faults = []
    for terrain in TERRAINS:
        for number in range(ASSAULTS // len(TERRAINS)):
            name = f"{terrain}/{number}"
            told = could_gain_ground(random_assault(Random(name), ruleset, terrain), number)
            if told:
                faults.append(f"{name}: {told}")
    figure(f"{ruleset}: random assaults", f"{len(faults)} of {ASSAULTS} left off too soon", "0")
    assert not faults, "\n".join(faults)
