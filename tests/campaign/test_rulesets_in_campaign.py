"""A week with a battle under each system: points add up to the last one (HR-BAT-13).

`make prove` plays all eighteen weeks.
"""

import pytest

from battles.rulesets.registry import RULESETS, get_rules
from campaign.models import Battle, Campaign
from campaign.services.proof.database import campaign_verify
from campaign.services.turns.days import day_advance
from tests.campaign.reconciled import reckoned

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.mark.parametrize("ruleset", [ruleset.id for ruleset in RULESETS])
def test_a_week_under_each_system_adds_up_hr_bat_13(meeting: Campaign, ruleset: str) -> None:
    """Losses are applied as differences by AWI-C-BAT-01 to 04; no unit gains or loses a point otherwise."""
    Campaign.objects.update(ruleset=ruleset, battle_policy="automatic")
    for _ in range(7):
        day_advance(campaign=Campaign.objects.get(), actor=None)
    found = reckoned(Campaign.objects.get())
    assert not found.wrong
    assert found.points_last == found.points_first + found.changed
    assert found.battles and found.sp_lost
    for battle in Battle.objects.all():
        assert battle.inputs["file"]["ruleset"] == ruleset
        assert ("muster" in (battle.settlement or {})) == (get_rules(ruleset).muster is not None)
    verified = campaign_verify(campaign=Campaign.objects.get())
    assert (verified.days, verified.replayed) == (7, 7)
