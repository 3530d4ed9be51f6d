"""What of a battle a viewer may see before and after the campaign's end."""

from datetime import timedelta

from django.utils import timezone

from campaign.fog.battles import sees_whole_battle, select_known_plans
from campaign.fog.viewers import Viewer
from campaign.models import Battle, Campaign, DayRecord, User


def test_hr_prf_02_plans_and_whole_battles_open_when_the_end_can_no_more_be_undone(saratoga):
    def opens() -> tuple[bool, bool]:
        campaign = Campaign.objects.get(pk=saratoga.pk)
        viewer = Viewer(campaign, User(), "commander", "crown", "")
        battle = Battle(campaign=campaign, plans={"rebel": {"posture": "hold"}})
        return sees_whole_battle(viewer), bool(select_known_plans(viewer, battle))

    assert opens() == (False, False)
    Campaign.objects.update(state=Campaign.State.ENDED)
    assert opens() == (False, False)
    DayRecord.objects.update(created_at=timezone.now() - timedelta(days=1))
    assert opens() == (True, True)
