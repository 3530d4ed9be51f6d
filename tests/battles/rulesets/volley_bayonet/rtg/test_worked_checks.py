"""The worked checks of checks-rtg.yaml, played against the kernels; the players are in `checks/`."""

import pytest

from tests.battles.rulesets.volley_bayonet.rtg.books import CHECKS, RULES
from tests.battles.rulesets.volley_bayonet.rtg.checks.players import FAMILY, PLAYERS


@pytest.mark.parametrize("key", CHECKS)
def test_worked_check(key: str) -> None:
    FAMILY.play(CHECKS[key])


def test_every_check_is_of_a_rule_and_every_player_plays() -> None:
    assert {check["rule"] for check in CHECKS.values()} <= set(RULES)
    assert {FAMILY.find_player(check) for check in CHECKS.values()} == set(PLAYERS)
    assert len(CHECKS) == 59
