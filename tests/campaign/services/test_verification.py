"""verifycampaign: passes an honest campaign, names the first day of a forged one."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from campaign.models import Campaign, DayRecord, JournalEntry
from campaign.services.turns import day_advance
from campaign.services.verification import NotVerified, campaign_verify
from rosters.models import Unit

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(staff_campaign) -> Campaign:
    for _ in range(8):
        day_advance(campaign=staff_campaign, actor=None)
    staff_campaign.refresh_from_db()
    return staff_campaign


def test_an_honest_campaign_verifies(played):
    verified = campaign_verify(campaign=played)
    assert (verified.days, verified.replayed) == (8, 8)
    out = io.StringIO()
    call_command("verifycampaign", played.slug, stdout=out)
    assert out.getvalue().startswith("8 days verified")


def test_a_changed_die_is_found(played):
    entry = JournalEntry.objects.filter(campaign=played, record__kind="week").exclude(rolls=[]).first()
    entry.rolls[0]["value"] = entry.rolls[0]["value"] % 6 + 1
    entry.save()
    with pytest.raises(NotVerified, match="journal of day 7") as caught:
        campaign_verify(campaign=played)
    assert caught.value.day == 7


def test_changed_points_are_found_and_the_command_exits_1(played):
    unit = Unit.objects.filter(order_of_battle=played.order_of_battle, points__gt=20).first()
    Unit.objects.filter(pk=unit.pk).update(points=unit.points - 1)
    with pytest.raises(CommandError) as caught:
        call_command("verifycampaign", played.slug)
    assert caught.value.returncode == 1


def test_a_removed_entry_is_found(played):
    JournalEntry.objects.filter(campaign=played, day=3).first().delete()
    with pytest.raises(NotVerified, match="journal of day 4"):
        campaign_verify(campaign=played)


def test_changed_orders_break_the_chain(played):
    record = DayRecord.objects.get(campaign=played, day=2, kind="day")
    record.inputs = json.loads(json.dumps(record.inputs).replace("normal", "double")) | {"more": 1}
    record.save()
    with pytest.raises(NotVerified, match="Day 2 does not follow"):
        campaign_verify(campaign=played)


def test_another_secret_is_found(played):
    Campaign.objects.filter(pk=played.pk).update(secret=b"y" * 32)
    played.refresh_from_db()
    with pytest.raises(NotVerified, match="published"):
        campaign_verify(campaign=played)


def test_days_of_other_rules_count_as_recorded(played):
    """Their chain is checked, but they are not played again with rules they did not have."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("campaign.services.verification.versions_now", lambda ruleset: {"campaign_rules": 99})
        verified = campaign_verify(campaign=played)
    assert (verified.days, verified.replayed) == (8, 0)
