"""Everything a side can open in the sixth week of Saratoga, read against what it has learned (HR-FOG-01)."""

import pytest

from tests.campaign.web.fog_of_all import played
from tests.campaign.web.test_fog_of_all import judge, people_make
from tests.prove.conftest import Figure

pytestmark = [pytest.mark.prove, pytest.mark.django_db]
DAYS = 38


def test_every_page_of_both_sides_in_week_six(figure: Figure):
    people = people_make()
    campaign = played(people, DAYS)
    assert campaign.day >= 35
    for reader, count in judge(campaign, people, 200).items():
        figure(
            f"fog of all pages, day {campaign.day + 1}, {reader}", f"{count} answers read twice", "no secret"
        )
