"""The staff over many campaigns of Saratoga: the long version, for `make prove` (HR-BOT-01)."""

import pytest

from campaign.rules.victory.victory import scenario_points
from tests.factories.headless import against_random, campaign_played, contested_on
from tests.prove.conftest import Figure

pytestmark = pytest.mark.prove

TICONDEROGA = frozenset({"ticonderoga", "mount_independence"})
WEEKS = 18


def test_ticonderoga_is_contested_by_week_four_in_fifteen_of_twenty_seeds(figure: Figure) -> None:
    days = [contested_on(campaign_played(seed, 4), TICONDEROGA) for seed in range(1, 21)]
    contested = sum(day is not None and day < 28 for day in days)
    figure("Ticonderoga contested by week 4", f"{contested} of 20 seeds", "15 or more")
    assert contested >= 15, days


def test_hr_vic_01_a_staff_beats_random_orders_in_seventeen_of_twenty_seeds(figure: Figure) -> None:
    """Ten seeds each way round, a whole campaign each."""
    results = []
    for side, other, seeds in (("crown", "rebel", range(1, 11)), ("rebel", "crown", range(11, 21))):
        for seed in seeds:
            points = scenario_points(campaign_played(seed, WEEKS, against_random(side)).world)
            results.append((side, seed, points[side], points[other]))
    won = sum(own > enemy for _, _, own, enemy in results)
    figure("staff beats random orders", f"{won} of 20 seeds", "17 or more")
    assert won >= 17, results


def test_a_campaign_of_two_staffs_fights_at_least_three_battles(figure: Figure) -> None:
    played = campaign_played(1777, WEEKS)
    assert len(played.events) == WEEKS * 7 or played.world.ended
    battles = sum(not fought.contact.tiny for fought in played.battles)
    figure("battles of two staffs in a campaign", str(battles), "3 or more")
    assert battles >= 3
