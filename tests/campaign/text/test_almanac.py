"""Sun and moon of the calendar."""

from datetime import date

import pytest

from campaign.text.almanac import compute_sky


@pytest.mark.parametrize(
    ("when", "moon"),
    [
        (date(1776, 12, 25), "full"),  # Washington crossed the Delaware by a moon that was full that day
        (date(1778, 6, 24), "new"),  # an eclipse of the sun
        (date(2000, 1, 21), "full"),  # an eclipse of the moon
        (date(2024, 4, 8), "new"),  # an eclipse of the sun
    ],
)
def test_the_moon_is_where_history_had_it(when: date, moon: str):
    assert compute_sky(when, 43).moon == moon


def test_the_sun_of_midsummer_and_midwinter():
    summer, winter = compute_sky(date(1777, 6, 21), 44), compute_sky(date(1776, 12, 25), 40)
    assert (summer.sunrise + summer.sunset, winter.sunrise + winter.sunset) == (1440, 1440)
    assert abs(summer.sunset - (19 * 60 + 42)) <= 5
    assert abs(winter.sunset - (16 * 60 + 40)) <= 5
    assert winter.sun == f"7:{winter.sunrise % 60:02d} to 16:{winter.sunset % 60:02d}"


def test_the_sun_that_never_sets():
    assert compute_sky(date(1777, 6, 21), 80).sunrise == 0
    assert compute_sky(date(1777, 12, 21), 80).sunrise == 720
