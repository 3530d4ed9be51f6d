"""The week's end of very many units: a figure of `make prove`."""

from time import process_time

import pytest

from tests.campaign.rules.returns.test_week import close_large_week
from tests.prove.conftest import Figure

pytestmark = pytest.mark.prove
MOST_SECONDS = 2.0


def test_a_week_of_ten_thousand_units_is_closed_in_two_seconds(figure: Figure) -> None:
    close_large_week(100)  # what is reckoned once
    begun = process_time()
    close_large_week(10_000)
    took = process_time() - begun
    figure("a week's end of 10,000 units", f"{took:.2f} s of CPU", f"at most {MOST_SECONDS:g} s")
    assert took <= MOST_SECONDS
