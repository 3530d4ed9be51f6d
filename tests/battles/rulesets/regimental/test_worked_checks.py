"""The worked checks of the Regimental rules; the players are in `checks/`."""

import pytest

from tests.battles.rulesets.regimental.books import CHECKS, RULES
from tests.battles.rulesets.regimental.checks.players import FAMILY, PLAYERS


@pytest.mark.parametrize("key", CHECKS)
def test_worked_check(key: str) -> None:
    FAMILY.play(CHECKS[key])


def test_every_check_is_of_a_rule_and_every_player_plays() -> None:
    assert len(CHECKS) == 143
    assert {FAMILY.find_player(check) for check in CHECKS.values()} == set(PLAYERS)
    assert {check["rule"] for check in CHECKS.values()} <= set(RULES)
