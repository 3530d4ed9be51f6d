"""A day that could not be played: the umpires are told, and the clock asks for it again (HR-DUE-14)."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from campaign.models import Battle, Campaign, Heartbeat, Job, Notice
from campaign.services.backups.backups import backup_ask_due
from campaign.services.jobs.jobs import job_claim, job_fail
from campaign.services.notifications.notifications import build_page_url, notice_text
from campaign.services.turns import runs
from campaign.services.turns.clock import clock_strike
from campaign.services.turns.runs import advance_request, battles_overdue_settle

pytestmark = pytest.mark.django_db

NOTICED = (
    "Day 1 could not be played: an unexpected error stopped it. The administrator has been notified. The "
    "site tries again by itself, for about a day. Background tasks show the error."
)
GIVEN_UP = (
    "Day 1 could not be played: an unexpected error stopped it. The administrator has been notified. The "
    "site does not try again by itself. Background tasks show the error, and there you can start the day "
    "again."
)
UNTIL_DUE = NOTICED.replace(", for about a day.", " when orders are due.")
REFUSED = (
    "Day 1 could not be played. The die of Howe is not one of six. The site does not try again by itself. "
    "Background tasks show the task, and there you can start the day again."
)


def due(campaign: Campaign, **more: object) -> None:
    deadline = timezone.now() - timedelta(minutes=1)
    Campaign.objects.filter(pk=campaign.pk).update(deadline=deadline, **more)


def fails(campaign: Campaign) -> Job:
    """The job of the coming day, failed as often as it is tried."""
    job = Job.objects.get(campaign=campaign, state="queued")
    while job.state != Job.State.FAILED:
        job = job_claim(job_id=job.pk)
        assert job is not None
        job_fail(job=job, error="RuntimeError: out of ink")
    return job


def later(monkeypatch, moment: datetime) -> None:
    monkeypatch.setattr(timezone, "now", lambda: moment)


def read_notices() -> list[tuple[str, str]]:
    rows = Notice.objects.filter(kind="overdue", subject__startswith="failed").order_by("pk")
    return [(row.user.username, notice_text(row)[1]) for row in rows]


def test_a_failed_day_is_asked_for_again_with_growing_pauses_and_an_end_hr_due_14(saratoga, monkeypatch):
    due(saratoga, advance_at_deadline=True)
    clock_strike()
    began, waits = timezone.now(), []
    while Job.objects.filter(state="queued").exists():
        failed = fails(saratoga).finished_at
        for wait in (14, 16, 31, 61, 121, 241, 481, 961, 5000):
            later(monkeypatch, failed + timedelta(minutes=wait))
            Heartbeat.objects.update(beat_at=timezone.now())  # it has struck all the while
            clock_strike()
            if Job.objects.get().state == "queued":
                waits.append(wait)
                break
    assert waits == [16, 31, 61, 121, 241, 481, 961], "each time as long as it has been tried for"
    assert timedelta(days=4) < timezone.now() - began < timedelta(days=6)


def test_umpires_are_told_once_that_it_failed_and_once_that_it_is_given_up_hr_due_14(saratoga, monkeypatch):
    due(saratoga, advance_at_deadline=True)
    clock_strike()
    assert read_notices() == []
    job = fails(saratoga)
    clock_strike()
    clock_strike()
    assert read_notices() == [("carleton", NOTICED)]
    Job.objects.filter(pk=job.pk).update(created_at=timezone.now() - timedelta(days=3))
    Campaign.objects.filter(pk=saratoga.pk).update(deadline=timezone.now() - timedelta(days=3))
    clock_strike()
    clock_strike()
    assert Job.objects.get().state == "failed"
    assert read_notices() == [("carleton", NOTICED), ("carleton", GIVEN_UP)]
    notice = Notice.objects.filter(kind="overdue").first()
    assert notice_text(notice)[0].endswith(": a day could not be played")
    assert build_page_url(notice) == "/campaigns/saratoga/jobs/"


@pytest.mark.parametrize("one_day", [True, False])
def test_a_day_asked_for_by_hand_is_told_and_left_to_the_umpire_hr_due_14(
    saratoga, carleton, monkeypatch, one_day
):
    """Days play themselves here, and orders are due: the clock would ask, had the umpire not."""
    due(saratoga, advance_at_deadline=True)
    advance_request(campaign=saratoga, actor=carleton, one_day=one_day)
    failed = fails(saratoga).finished_at
    for hours in (0, 1, 30):
        later(monkeypatch, failed + timedelta(hours=hours))
        Heartbeat.objects.update(beat_at=timezone.now())
        clock_strike()
        assert Job.objects.get().state == "failed"
    assert read_notices() == [("carleton", GIVEN_UP)]


def test_a_day_that_failed_before_orders_are_due_is_tried_again_then_for_a_day_hr_due_14(
    saratoga, monkeypatch
):
    """The clock asked for it when it had settled the last battle."""
    asked = timezone.now()
    deadline = asked + timedelta(days=5)
    Campaign.objects.filter(pk=saratoga.pk).update(deadline=deadline, advance_at_deadline=True)
    saratoga.refresh_from_db()
    advance_request(campaign=saratoga, actor=None)
    fails(saratoga)
    states = []
    for moment in (asked + timedelta(days=1), deadline - timedelta(minutes=1), deadline):
        later(monkeypatch, moment)
        Heartbeat.objects.update(beat_at=timezone.now())
        clock_strike()
        states.append(Job.objects.get().state)
    assert states == ["failed", "failed", "queued"] and read_notices() == [("carleton", UNTIL_DUE)]
    for minutes in (16, 33):  # as often as a day that was asked for then
        failed = fails(saratoga).finished_at
        later(monkeypatch, failed + timedelta(minutes=minutes))
        Heartbeat.objects.update(beat_at=timezone.now())
        clock_strike()
        assert Job.objects.get().state == "queued"


def test_a_day_that_was_refused_is_told_with_its_reason_and_not_repeated_hr_due_14(saratoga, monkeypatch):
    due(saratoga, advance_at_deadline=True)
    clock_strike()
    job = job_claim(job_id=Job.objects.get().pk)
    job_fail(job=job, error="The die of Howe is not one of six.", final=True)
    for hours in (0, 1, 30):
        later(monkeypatch, job.finished_at + timedelta(hours=hours))
        Heartbeat.objects.update(beat_at=timezone.now())
        clock_strike()
        assert Job.objects.get().state == "failed"
    assert read_notices() == [("carleton", REFUSED)]


def test_the_site_does_not_start_a_day_again_that_was_stopped_hr_due_14(saratoga):
    due(saratoga, advance_at_deadline=True)
    clock_strike()
    ago = timezone.now() - timedelta(hours=1)
    Job.objects.update(state="cancelled", created_at=ago, finished_at=ago)
    clock_strike()
    assert Job.objects.get().state == "cancelled" and read_notices() == []


def test_a_failure_of_a_time_to_come_waits_for_no_such_time_hr_due_14(saratoga):
    """The machine's time was set back since."""
    due(saratoga, advance_at_deadline=True)
    clock_strike()
    fails(saratoga)
    Job.objects.update(finished_at=timezone.now() + timedelta(days=300))
    clock_strike()
    assert Job.objects.get().state == "queued"


def test_one_battle_that_cannot_be_settled_does_not_hold_up_others_hr_cal_13(
    saratoga, staff_campaign, monkeypatch
):
    for campaign in (saratoga, staff_campaign):
        Campaign.objects.filter(pk=campaign.pk).update(settle_after_days=0)
        Battle.objects.create(
            campaign=campaign, day=0, contact="d0/x/1", minute=600, attacker="crown", defender="rebel",
            inputs={"file": {"title": "Battle"}},
        )  # fmt: skip
    tried = []

    def broken(*, battle, actor):
        tried.append(battle.campaign.slug)
        raise RuntimeError("out of ink")

    monkeypatch.setattr(runs, "battle_settle_by_engine", broken)
    assert battles_overdue_settle() == 0
    assert sorted(tried) == sorted([saratoga.slug, staff_campaign.slug])


def test_a_backup_that_failed_is_asked_for_again_in_a_few_hours(db, settings, monkeypatch):
    settings.BACKUP_HOURS = 24
    assert backup_ask_due() is not None
    now = timezone.now()
    Job.objects.update(state="failed", finished_at=now)
    later(monkeypatch, now + timedelta(hours=1))
    assert backup_ask_due() is None
    later(monkeypatch, now + timedelta(hours=7))
    assert backup_ask_due() is not None
    later(monkeypatch, now + timedelta(hours=14))
    assert backup_ask_due() is None, "queued or done, it counts for the day"
