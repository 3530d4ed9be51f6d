"""The scenarios as they were shipped, kept for ever: a campaign goes on only with the files it began with.

Who mends a shipped scenario ships it under another id, or keeps the old files for campaigns that run; a
campaign of it would else stop with the release (HR-SET-03). Titles, sources and pictures may change freely.
"""

import pytest

from campaign.scenarios.reading import SCENARIOS, scenario_digest

SHIPPED = {
    "new_jersey_1776": "a20642510f71379fc4679b2d4f7d1cbe5a0f706f875ded5847075e7211547ac0",
    "saratoga_1777": "e6f92a3cbdc0f2486dbe88b767ba2187e5ef89b707972ee24722b3909c20508c",
}


@pytest.mark.parametrize("folder", SHIPPED)
def test_a_shipped_scenario_is_the_one_running_campaigns_began_with_hr_set_03(folder: str) -> None:
    assert scenario_digest(SCENARIOS / folder) == SHIPPED[folder]


def test_every_shipped_scenario_is_kept() -> None:
    heads = SCENARIOS.glob("[!_]*/scenario.toml")
    assert {head.parent.name for head in heads} == SHIPPED.keys()
