"""The AWI-C worked checks of checks-awi.yaml, every one; the players are in `checks.py`."""

from typing import Any

import pytest

from tests.campaign.rules.checks import CHECKS, FAMILY, PLAYERS


def test_all_the_files_campaign_checks_are_here() -> None:
    assert len(CHECKS) >= 48


def test_every_player_plays() -> None:
    assert {FAMILY.find_player(check) for check in CHECKS} == set(PLAYERS)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: f"{check['id']}-{'-'.join(check['rules'])}")
def test_worked_check(check: dict[str, Any]) -> None:
    FAMILY.play(check)
