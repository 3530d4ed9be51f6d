"""Everything a side can open in the sixth week of Saratoga, read against what it has learned (HR-FOG-01)."""

import pytest

from tests.campaign.web.fog_addresses import OPENED
from tests.campaign.web.fog_of_all import SIDES, played
from tests.campaign.web.fog_of_programs import every, packs_print
from tests.campaign.web.test_fog_of_all import EVERY_SETTING, judge, people_make
from tests.factories.people import signed_in
from tests.prove.conftest import Figure

pytestmark = [pytest.mark.prove, pytest.mark.django_db]
DAYS = 38
#: Days played under each setting of fog, couriers and food.
DAYS_OF_EACH = 9


def test_every_page_of_both_sides_in_week_six(figure: Figure):
    people = people_make()
    campaign = played(people, DAYS, settings={"forecasts": "sides"})
    assert campaign.day >= 35
    printed = sum(packs_print(campaign, signed_in(people[side])) for side in SIDES)
    assert printed >= 2, "no pack to read"
    opened: set[str] = set()
    for reader, count in judge(campaign, people, 200, every, opened).items():
        figure(
            f"fog of all pages, day {campaign.day + 1}, {reader}", f"{count} answers read twice", "no secret"
        )
    assert sorted(OPENED - opened) == [], "the crawl passed these by"


@pytest.mark.parametrize("settings", EVERY_SETTING, ids=lambda each: " ".join(map(str, each.values())))
def test_every_answer_under_every_setting_of_fog_couriers_and_food(settings, figure: Figure):
    """A hidden fact replaced, every answer compared: pages, programs, files, and papers that are tried."""
    people = people_make()
    campaign = played(people, DAYS_OF_EACH, settings=settings)
    read = judge(campaign, people, 8, every)
    said = ", ".join(f"{name} {value}" for name, value in settings.items())
    figure(f"hidden facts replaced, {said}", f"{sum(read.values())} answers compared", "0 differences")
