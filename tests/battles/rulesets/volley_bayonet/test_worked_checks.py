"""The worked checks of checks-vb.yaml, each at every scale it holds for; the players are in `checks/`."""

import pytest

from tests.battles.rulesets.volley_bayonet.books import CHECKS
from tests.battles.rulesets.volley_bayonet.checks.players import FAMILY, PLAYERS

CASES = [(key, scale) for key, check in CHECKS.items() for scale in check["rulesets"]]


@pytest.mark.parametrize(("key", "scale"), CASES)
def test_worked_check(key: str, scale: str) -> None:
    FAMILY.play(CHECKS[key] | {"rulesets": [scale]})


def test_every_player_plays() -> None:
    assert {FAMILY.find_player(check) for check in CHECKS.values()} == set(PLAYERS)
