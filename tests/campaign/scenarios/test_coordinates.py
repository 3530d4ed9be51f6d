"""Places beside their base map are told with what was probably meant."""

import pytest

from campaign.scenarios.coordinates import coordinate_fault, map_bounds, misplaced_places
from campaign.scenarios.reading import Scenario

BESIDE = "lies outside the base map eastern-america"


def test_a_base_map_reaches_as_far_as_the_coarse_one_around_it() -> None:
    assert map_bounds("eastern-america") == (-86.0, 30.0, -63.0, 47.6)
    assert map_bounds("upper-hudson") == (-81.0, 38.6, -66.5, 47.6)


@pytest.mark.parametrize(
    ("lat", "lon", "fault"),
    [
        (43.0, -73.6, ""),
        (
            43.0,
            73.6,
            f"43, 73.6 {BESIDE}: the longitude lacks its minus (west is negative); write 43, -73.6.",
        ),
        (-73.6, 43.0, f"-73.6, 43 {BESIDE}: latitude and longitude are swapped; write 43, -73.6."),
        (73.6, 43.0, f"73.6, 43 {BESIDE}: latitude and longitude are swapped; write 43, -73.6."),
        (
            53.3,
            -6.3,
            f"53.3, -6.3 {BESIDE} (30 to 47.6 north, 63 to 86 west); correct it or choose another map.",
        ),
    ],
)
def test_the_likely_cause_is_named(lat: float, lon: float, fault: str) -> None:
    assert coordinate_fault(lat, lon, "eastern-america") == fault


def test_no_place_of_a_shipped_scenario_lies_beside_its_map(saratoga: Scenario) -> None:
    assert misplaced_places(saratoga.theatre.atlas, saratoga.theatre.base_map) == {}
