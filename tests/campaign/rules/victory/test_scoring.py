"""Points of a scenario, HR-VIC-01."""

from dataclasses import replace

import pytest

from campaign.rules.victory.scoring import objective_points, scenario_points
from tests.factories.small_war import small_world


def test_hr_vic_01_a_place_listed_twice_counts_once_at_the_larger_points() -> None:
    assert objective_points(small_world({}).theatre) == {
        "ticonderoga": 10,
        "albany": 20,
        "bennington": 2,
        "saratoga": 4,
    }


@pytest.mark.parametrize(
    ("holders", "points"),
    [
        ({}, {"crown": 0, "rebel": 0}),
        ({"ticonderoga": "crown", "saratoga": "rebel"}, {"crown": 10, "rebel": 4}),
        ({"albany": "crown", "montreal": "crown", "bennington": "crown"}, {"crown": 22, "rebel": 0}),
        ({"fort_edward": "rebel"}, {"crown": 0, "rebel": 0}),
    ],
)
def test_hr_vic_01_a_side_has_the_points_of_what_it_holds(
    holders: dict[str, str], points: dict[str, int]
) -> None:
    assert scenario_points(replace(small_world({}), holders=holders)) == points


def test_hr_vic_01_held_points_of_both_sides_never_exceed_what_there_is() -> None:
    world = small_world({})
    assert sum(scenario_points(world).values()) <= sum(objective_points(world.theatre).values())
