"""Real dice entered together (HR-UMP-12)."""

import pytest

from campaign.ledger.dice import load_entered_dice
from campaign.models import Campaign, DayRecord
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire.corrections import EnterDie
from campaign.services.turns.days import day_advance
from campaign.services.turns.dice import MOST, DieRefused, dice_enter

pytestmark = pytest.mark.django_db

SKY = [EnterDie("HR-WEA-01", "theatre", number, 4, 10) for number in range(3)]
WIND = EnterDie("HR-WEA-02", "theatre", 0, 2)
WHY = "Thrown at the table."


def test_several_dice_are_acts_of_one_reason_and_fall_on_the_day_hr_ump_12(saratoga, carleton):
    seen = saratoga.head_id
    records = dice_enter(campaign=saratoga, dice=[*SKY, WIND], reason=WHY, actor=carleton, seen=seen)
    assert [record.reason for record in records] == [WHY] * 4
    campaign = Campaign.objects.get(pk=saratoga.pk)
    assert sorted(load_entered_dice(campaign).values()) == [2, 4, 4, 4]
    again = dice_enter(campaign=saratoga, dice=[*SKY, WIND], reason=WHY, actor=carleton, seen=seen)
    assert [record.pk for record in again] == [record.pk for record in records]
    day_advance(campaign=campaign, actor=None)
    day = DayRecord.objects.get(campaign=saratoga, kind="day")
    assert len(day.inputs["entered"]) == 4


def test_one_that_cannot_be_leaves_all_out_hr_ump_12(saratoga, carleton):
    wrong = EnterDie("HR-WEA-02", "theatre", 0, 9)
    with pytest.raises(DieRefused, match="6 faces") as refused:
        dice_enter(campaign=saratoga, dice=[*SKY, wrong], reason=WHY, actor=carleton)
    assert refused.value.number == 3
    assert not DayRecord.objects.filter(kind="act").exists()


@pytest.mark.parametrize(
    ("dice", "reason", "told"),
    [([], WHY, "No die"), ([WIND] * (MOST + 1), WHY, "at the most"), ([WIND], " ", "Say why")],
)
def test_none_too_many_or_no_reason_is_refused_hr_ump_12(saratoga, carleton, dice, reason, told):
    with pytest.raises(RuleViolation, match=told) as refused:
        dice_enter(campaign=saratoga, dice=dice, reason=reason, actor=carleton)
    assert not isinstance(refused.value, DieRefused)
    assert not DayRecord.objects.filter(kind="act").exists()


def test_a_page_of_another_morning_is_refused_hr_ump_01(saratoga, carleton):
    seen = saratoga.head_id
    dice_enter(campaign=saratoga, dice=SKY, reason=WHY, actor=carleton, seen=seen)
    with pytest.raises(RuleViolation, match="has gone on since"):
        dice_enter(campaign=saratoga, dice=[WIND], reason=WHY, actor=carleton, seen=seen)
