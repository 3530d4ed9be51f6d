"""Returns of a week as plain data."""

import pytest

from campaign.ledger.world_rows import world_load
from campaign.models import Campaign, DayRecord
from campaign.rules.umpire.corrections import Reinforce
from campaign.selectors.returns.tables import week_returns
from campaign.services.turns.days import day_advance
from campaign.services.turns.rewind import campaign_rewind
from campaign.services.umpire.corrections import act_perform

pytestmark = pytest.mark.django_db


def week(campaign: Campaign) -> DayRecord:
    return [day_advance(campaign=campaign, actor=None) for _ in range(7)][-1].records[-1]


def points(returns: dict, side: str) -> int:
    return next(row["points"] for row in returns["sides"] if row["side"] == side)


def test_a_week_undone_keeps_its_own_returns_hr_ump_14(saratoga, carleton):
    start = saratoga.head
    first = week(saratoga)
    told = week_returns(first)
    campaign_rewind(campaign=saratoga, record=start, reason="Anew.", actor=carleton)
    world = world_load(saratoga)
    unit = next(
        key
        for key, each in world.units.items()
        if each.side == "crown" and each.points > 50 and each.status == "present"
    )
    saratoga.refresh_from_db()
    act_perform(campaign=saratoga, act=Reinforce(unit, -30), reason="Fewer.", actor=carleton)
    second = week(saratoga)
    assert week_returns(DayRecord.objects.get(pk=first.pk)) == told
    again = week_returns(second)
    assert points(again, "crown") < points(told, "crown")
    (crown,) = [row for row in again["sides"] if row["side"] == "crown"]
    assert crown["reasons"]["HR-UMP-05"] == -30 and crown["arrivals"] == next(
        row["arrivals"] for row in told["sides"] if row["side"] == "crown"
    )
