"""Days that were undone are played again in one job, up to a battle that waits (HR-UMP-14)."""

import pytest

from campaign.models import Battle, Campaign
from campaign.rules.errors import RuleViolation
from campaign.services.turns.days import day_advance
from campaign.services.turns.rewind import campaign_rewind
from campaign.services.turns.runs import find_undone_day, rerun_request
from campaign.tasks import run_job

pytestmark = pytest.mark.django_db


def now(campaign: Campaign) -> Campaign:
    return Campaign.objects.get(pk=campaign.pk)


@pytest.fixture
def gone_back(saratoga) -> Campaign:
    """Four days played, and back to the first morning."""
    start = saratoga.head
    for _ in range(4):
        day_advance(campaign=now(saratoga), actor=None)
    campaign_rewind(campaign=now(saratoga), record=start, reason="A slip.", actor=None)
    return now(saratoga)


def test_the_days_are_played_again_as_they_fell_hr_ump_14(gone_back):
    then = gone_back.records.filter(revision=1, kind="day").order_by("day").last().world_hash
    assert find_undone_day(gone_back) == 4
    job = rerun_request(campaign=gone_back, actor=None, until=4, day=0)
    assert rerun_request(campaign=gone_back, actor=None, until=4, day=0).pk == job.pk
    run_job(job.pk)
    again = now(gone_back)
    assert (again.day, again.head.world_hash) == (4, then)
    run_job(job.pk)
    assert now(gone_back).day == 4
    with pytest.raises(RuleViolation, match="no undone days left"):
        rerun_request(campaign=again, actor=None, until=4)


def test_a_turn_of_one_day_and_its_contacts_do_not_end_it_hr_ump_14(gone_back):
    Campaign.objects.filter(pk=gone_back.pk).update(run_until=Campaign.RunUntil.SIGHTING, days_a_turn=1)
    run_job(rerun_request(campaign=now(gone_back), actor=None, until=3).pk)
    assert now(gone_back).day == 3


def test_a_battle_stops_it_and_nobody_runs_on_beside_hr_ump_14(saratoga, battle):
    start = saratoga.head
    campaign_rewind(campaign=now(saratoga), record=start, reason="A slip.", actor=None)
    Campaign.objects.filter(pk=saratoga.pk).update(run_on_days=3)
    with pytest.raises(RuleViolation, match="no undone days left"):
        rerun_request(campaign=now(saratoga), actor=None, until=1)  # the day had only begun
    assert Battle.objects.filter(revision=1).exists()


@pytest.mark.parametrize("until", [0, 5, 99])
def test_not_further_than_it_had_been_played_hr_ump_14(gone_back, until):
    with pytest.raises(RuleViolation, match="no undone days left"):
        rerun_request(campaign=gone_back, actor=None, until=until)
    assert not gone_back.jobs.exists()


def test_an_old_page_or_a_rest_is_refused(gone_back):
    with pytest.raises(RuleViolation, match="has not come yet; days played so far: 0"):
        rerun_request(campaign=gone_back, actor=None, until=4, day=3)
    Campaign.objects.filter(pk=gone_back.pk).update(paused="Christmas")
    with pytest.raises(RuleViolation, match="rests"):
        rerun_request(campaign=now(gone_back), actor=None, until=4, day=0)
