"""Everything a side can open in the sixth week of Saratoga, read against what it has learned (HR-FOG-01)."""

import pytest

from tests.campaign.web.fog_of_all import SIDES, played
from tests.campaign.web.fog_of_programs import every, packs_print
from tests.campaign.web.test_fog_of_all import judge, people_make
from tests.factories.people import signed_in
from tests.prove.conftest import Figure

pytestmark = [pytest.mark.prove, pytest.mark.django_db]
DAYS = 38


def test_every_page_of_both_sides_in_week_six(figure: Figure):
    people = people_make()
    campaign = played(people, DAYS)
    assert campaign.day >= 35
    printed = sum(packs_print(campaign, signed_in(people[side])) for side in SIDES)
    assert printed >= 2, "no pack to read"
    for reader, count in judge(campaign, people, 200, every).items():
        figure(
            f"fog of all pages, day {campaign.day + 1}, {reader}", f"{count} answers read twice", "no secret"
        )
