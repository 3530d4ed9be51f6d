"""Saratoga as it is read, and a copy of its folder to spoil."""

import shutil
from pathlib import Path

import pytest

from campaign.scenarios.reading import Scenario, read_scenario, scenario_path

SARATOGA = scenario_path("saratoga-1777")


@pytest.fixture(scope="module")
def saratoga() -> Scenario:
    return read_scenario(SARATOGA)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    folder = tmp_path / "saratoga_1777"
    shutil.copytree(SARATOGA, folder)
    return folder
