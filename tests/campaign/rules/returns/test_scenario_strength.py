"""Strength as the scenario dates it."""

from dataclasses import replace

import pytest

from campaign.rules.returns.scenario_strength import Drift, list_drifts, schedule_of
from campaign.rules.world.world import UnitStatus
from campaign.scenarios.reading import read_scenario, scenario_path
from tests.factories.little_wars import battalion


def test_points_come_and_go_on_their_dates_hr_rec_08():
    units = [
        battalion("a", "crown", "x", 100),
        battalion("b", "crown", "x", 60, arrives=2),
        battalion("c", "rebel", "y", 50, departs=1),
    ]
    assert schedule_of(units, ("crown", "rebel"), 4) == {
        "crown": (100, 100, 160, 160),
        "rebel": (50, 50, 0, 0),
    }


@pytest.mark.parametrize(
    ("scheduled", "actual", "percent", "far"),
    [(100, 115, 15, False), (100, 116, 16, True), (100, 84, -16, True), (0, 5, 0, False)],
)
def test_beyond_15_percent_is_far_hr_rec_08(scheduled, actual, percent, far):
    drift = Drift("crown", scheduled, actual)
    assert (drift.percent, drift.far) == (percent, far)


def test_saratoga_begins_on_its_schedule_hr_rec_08():
    world = read_scenario(scenario_path("saratoga-1777")).world
    assert [drift.percent for drift in list_drifts(world)] == [0, 0]
    doubled = {
        key: replace(unit, points=2 * unit.points) if unit.status is UnitStatus.PRESENT else unit
        for key, unit in world.units.items()
    }
    assert [drift.far for drift in list_drifts(replace(world, units=doubled))] == [True, True]
