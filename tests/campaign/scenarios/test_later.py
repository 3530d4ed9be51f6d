"""A scenario some years later, for a new season (HR-SET-06)."""

from datetime import date

import pytest

from campaign.scenarios.making import scenario_later
from campaign.scenarios.reading import read_scenario, scenario_path


@pytest.fixture(autouse=True)
def own(settings, tmp_path):
    settings.VAR_DIR = tmp_path


def test_a_scenario_still_to_come_is_itself_hr_set_06():
    assert scenario_later("saratoga-1777", date(1777, 6, 14)) == "saratoga-1777"


@pytest.mark.parametrize("end", [date(1777, 6, 15), date(1778, 6, 14)])
def test_one_whose_first_day_has_gone_by_is_made_a_year_later_hr_set_06(end):
    name = scenario_later("saratoga-1777", end)
    assert name == "saratoga-1778" and scenario_later("saratoga-1777", end) == name
    old, new = (read_scenario(scenario_path(each)) for each in ("saratoga-1777", name))
    assert new.theatre.start == date(1778, 6, 15) and new.theatre.end == date(1778, 10, 18)
    assert (new.theatre.id, new.theatre.title) == ("saratoga-1778", "Saratoga 1778")
    assert {key: unit.arrives for key, unit in new.world.units.items()} == {
        key: unit.arrives for key, unit in old.world.units.items()
    }
    assert [each.fair for each in new.theatre.weather] == [each.fair for each in old.theatre.weather]
    assert new.theatre.schedule == old.theatre.schedule


def test_another_wars_winter_follows_the_autumn_hr_set_06():
    name = scenario_later("new-jersey-1776", date(1777, 10, 17))
    assert read_scenario(scenario_path(name)).theatre.start == date(1777, 12, 8)
