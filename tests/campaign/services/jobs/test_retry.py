"""Work that failed, asked for again: refused where asking for it anew would be (HR-JOB-02)."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from campaign.fog.viewers import viewer_of
from campaign.models import AuditEntry, Battle, Campaign, DayRecord, Job, User
from campaign.rules.errors import RuleViolation
from campaign.selectors.jobs import job_row
from campaign.services.archive.jobs import archive_ask
from campaign.services.battles.methods import battle_way_choose
from campaign.services.battles.odds import odds_ask
from campaign.services.battles.settlement import battle_settle_ask
from campaign.services.forecasts.forecasts import forecast_ask
from campaign.services.jobs.jobs import job_request
from campaign.services.jobs.retry import work_again
from campaign.services.turns.day_preview import dry_run_ask
from campaign.services.turns.days import day_advance

pytestmark = pytest.mark.django_db


def failed(job: Job) -> Job:
    Job.objects.filter(pk=job.pk).update(state="failed", attempts=5, error="Its worker died.")
    return Job.objects.get(pk=job.pk)


def refused(job: Job, actor: User, rule: str) -> str:
    """The sentence; the work has failed as before, and nothing stands in the audit."""
    noted = AuditEntry.objects.count()
    with pytest.raises(RuleViolation) as caught:
        work_again(job=job, actor=actor)
    assert caught.value.rule_id == rule
    assert Job.objects.get(pk=job.pk).state == "failed" and AuditEntry.objects.count() == noted
    return caught.value.message


def forecast(campaign: Campaign, actor: User, **given: Any) -> Job:
    return forecast_ask(campaign=campaign, actor=actor, **{"side": "", "weeks": 1, "runs": 1, **given})


def test_a_forecast_keeps_its_limits_hr_frc_01(saratoga, carleton):
    first = failed(forecast(saratoga, carleton))
    second = forecast(saratoga, carleton, weeks=2)
    assert "worked out already" in refused(first, carleton, "HR-FRC-01")
    failed(second)
    assert work_again(job=first, actor=carleton).state == "queued"
    failed(first)
    Campaign.objects.update(state="ended")
    assert "has ended" in refused(first, carleton, "HR-FRC-01")


def test_a_forecast_of_a_morning_gone_by_is_asked_for_anew_hr_frc_01(saratoga, carleton):
    first = failed(forecast(saratoga, carleton))
    day_advance(campaign=saratoga, actor=None)
    assert "has gone on since" in refused(first, carleton, "HR-FRC-01")


def test_an_archive_of_a_morning_gone_by_is_asked_for_anew_hr_arc_02(saratoga, carleton):
    first = failed(archive_ask(campaign=saratoga, actor=carleton))
    assert work_again(job=first, actor=carleton).state == "queued"
    failed(first)
    day_advance(campaign=saratoga, actor=None)
    assert "has gone on since" in refused(first, carleton, "HR-ARC-02")


def test_the_day_is_tried_out_once_at_a_time_and_not_after_the_end_hr_ump_13(saratoga, carleton):
    first = failed(dry_run_ask(campaign=saratoga, actor=carleton))
    second = dry_run_ask(campaign=saratoga, actor=carleton)
    assert second != first and "tried out already" in refused(first, carleton, "HR-JOB-02")
    failed(second)
    Campaign.objects.update(state="ended")
    assert "has ended" in refused(first, carleton, "HR-CAL-02")


def test_odds_of_a_battle_that_is_settled_or_has_fallen_away_hr_bat_08(battle, carleton):
    odds = failed(odds_ask(battle=battle, actor=carleton))
    Battle.objects.update(state="settled")
    assert "is settled" in refused(odds, carleton, "HR-BAT-08")
    Battle.objects.all().delete()
    assert "fallen away" in refused(odds, carleton, "HR-CAL-14")


def test_the_engine_is_not_set_to_what_is_the_tables_by_now_hr_tab_11(waiting, carleton):
    battle = waiting.battles.get()
    settle = failed(battle_settle_ask(battle=battle, actor=carleton))
    battle_way_choose(battle=battle, way="table", reason="We meet after all.", actor=carleton)
    assert "on the table" in refused(settle, carleton, "HR-TAB-11")
    battle_way_choose(battle=battle, way="engine", reason="Nobody came.", actor=carleton)
    assert work_again(job=settle, actor=carleton).state == "queued"


def test_what_is_under_way_already_is_not_made_twice(waiting, carleton):
    battle = waiting.battles.get()
    for kind, given in (("battle_confirm", {"battle": battle.pk}), ("campaign_book", {})):
        asked = [
            job_request(kind=kind, key=f"{kind}{at}", payload={**given, "at": at}, campaign=waiting)
            for at in (1, 2)
        ]
        refused(failed(asked[0]), carleton, "HR-JOB-02")
        failed(asked[1])
        assert work_again(job=asked[0], actor=carleton).state == "queued"


def test_it_stays_the_work_of_who_asked_for_it_first_hr_job_02(saratoga, carleton, gates):
    """An umpire who helps does not take a player's book off his list."""
    Campaign.objects.update(state="ended")
    DayRecord.objects.update(created_at=timezone.now() - timedelta(days=3))
    saratoga = Campaign.objects.select_related("head").get()
    book = job_request(kind="book_print", key="b", payload={"paper": "a4"}, campaign=saratoga, actor=gates)
    player = viewer_of(gates, saratoga)
    assert job_row(player, book.pk) is not None
    assert work_again(job=failed(book), actor=carleton).requested_by == gates
    assert job_row(player, book.pk) is not None
    Job.objects.filter(pk=book.pk).update(requested_by=None)  # he has left the site
    assert work_again(job=failed(book), actor=carleton).requested_by == carleton


def test_what_has_not_failed_is_not_asked_for_again_hr_job_02(saratoga, carleton):
    with pytest.raises(RuleViolation, match="not failed"):
        work_again(job=forecast(saratoga, carleton), actor=carleton)
