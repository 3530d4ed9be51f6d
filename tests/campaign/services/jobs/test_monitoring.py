"""The watch over the machinery: every fault is told once, and is over when it is mended (HR-JOB-04)."""

from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone

from campaign.models import Campaign, Fault, Heartbeat, Job, MailWaiting, Notice, User
from campaign.services.backups.backups import backup_ask_due
from campaign.services.jobs import heartbeat, jobs
from campaign.services.jobs.jobs import job_claim, jobs_requeue_expired
from campaign.services.jobs.monitoring import GONE, KEPT, STUCK, watch_keep, worker_beat, worker_leave
from campaign.services.turns.clock import clock_strike, find_clock_silence
from campaign.services.turns.outages import CLOCK
from tests.factories.people import signed_in

pytestmark = pytest.mark.django_db

LONG_AGO = timedelta(days=1)


@pytest.fixture
def job(saratoga) -> Job:
    return jobs.job_request(kind="drill", key="drill", payload={}, campaign=saratoga)


def told(**changes) -> list[str]:
    return [fault.kind for fault in watch_keep(**changes)]


def test_nothing_amiss_is_nothing_told(job):
    assert told() == []


def test_work_nobody_takes_up_is_told_once_and_over_when_it_is_done_hr_job_04(job, settings, caplog):
    settings.FAULT_MAIL = ["keeper@example.org"]
    later = timezone.now() + STUCK * 2
    assert told(now=later) == ["stuck"]
    assert told(now=later) == []
    (letter,) = mail.outbox
    assert letter.to == ["keeper@example.org"] and f"No worker takes up job {job.pk} (drill)" in letter.body
    assert "Amiss: No worker takes up" in caplog.text
    jobs.job_finish(job=jobs.job_claim(job_id=job.pk))
    assert told(now=later) == []
    assert Fault.objects.get().over_at == later
    assert "Over: No worker takes up" in caplog.text


def test_a_fault_that_comes_back_is_told_again(job):
    later = timezone.now() + STUCK * 2
    assert told(now=later) == ["stuck"]
    assert told() == []  # over
    assert told(now=later) == ["stuck"]


def test_work_whose_worker_died_and_that_no_sweep_sends_again_is_stuck(job):
    jobs.job_claim(job_id=job.pk)
    Job.objects.update(lease_until=timezone.now() - STUCK * 2)
    assert told() == ["stuck"]


def test_work_that_failed_is_told_without_what_it_said(job):
    mine = jobs.job_claim(job_id=job.pk)
    jobs.job_fail(job=mine, error="The secret plan is unreadable.", final=True)
    (fault,) = watch_keep()
    assert (fault.kind, fault.campaign) == ("failed", job.campaign)
    assert "failed at attempt 1" in fault.said and "secret" not in fault.said


def test_parts_are_told_with_the_whole(job):
    part = jobs.job_request(kind="drill", key="part", payload={}, parent=job)
    jobs.job_fail(job=jobs.job_claim(job_id=part.pk), error="lost", final=True)
    assert told() == []


def test_an_overdue_campaign_is_told_unless_it_rests(saratoga):
    Campaign.objects.update(deadline=timezone.now() - 2 * LONG_AGO)
    assert told() == ["overdue"]
    Campaign.objects.update(paused="Haymaking.")
    assert told() == [] and Fault.objects.get().over_at is not None


def test_a_silent_clock_is_noticed_by_a_worker_hr_job_04(saratoga):
    Heartbeat.objects.create(name=CLOCK, beat_at=timezone.now() - LONG_AGO)
    worker_beat(name="celery@north")
    assert Fault.objects.get().kind == "clock"
    assert "The clock has been silent since" in Fault.objects.get().said


def test_a_silent_worker_is_told_until_it_ends_in_order_or_is_gone_for_good_hr_job_04(desk):
    worker_beat(name="celery@north")
    assert told() == []
    Heartbeat.objects.update(beat_at=timezone.now() - LONG_AGO / 2)
    assert told() == ["worker"]
    assert "A worker has been silent since" in desk.get("/umpire/").content.decode()
    worker_leave(name="celery@north")
    assert told() == [] and not Fault.objects.filter(over_at=None).exists()
    worker_beat(name="celery@south")
    assert told(now=timezone.now() + GONE * 2) == []
    assert not Heartbeat.objects.exists()


def test_workers_with_long_names_are_told_apart_hr_job_04(db):
    """Machines of one cloud often have names that differ at their ends only."""
    north, south = (f"celery@{'a-machine-of-the-club.' * 11}{end}.example" for end in ("north", "south"))
    worker_beat(name=north)
    Heartbeat.objects.update(beat_at=timezone.now() - LONG_AGO / 2)
    worker_beat(name=south)
    (fault,) = watch_keep()
    assert fault.kind == "worker" and north in fault.said and south not in fault.said
    assert fault.said.endswith("Look whether it still runs.")
    worker_leave(name=north)
    assert told() == [] and Heartbeat.objects.get().name == f"worker {south}"


def test_notices_that_reach_nobody_are_told(saratoga, gates):
    Notice.objects.create(
        campaign=saratoga, user=gates, kind=Notice.Kind.DUE, subject="x", state=Notice.State.FAILED
    )
    (fault,) = watch_keep()
    assert (fault.kind, fault.campaign) == ("notice", saratoga)
    assert "gates" not in fault.said


def test_a_mail_server_that_is_down_does_not_stop_the_watch(job, settings):
    settings.FAULT_MAIL = ["keeper@example.org"]
    settings.EMAIL_BACKEND, settings.EMAIL_PORT = "campaign.ops.smtp.EmailBackend", 1
    assert told(now=timezone.now() + STUCK * 2) == ["stuck"]
    assert MailWaiting.objects.exists(), "sent when the mail server works again"


def test_faults_long_over_are_forgotten(job):
    Fault.objects.create(kind="clock", subject="clock", said="Once.", over_at=timezone.now() - KEPT * 2)
    watch_keep()
    assert not Fault.objects.exists()


def test_administrators_read_faults_but_none_of_a_campaign_they_play_in(saratoga, gates):
    Fault.objects.create(kind="clock", subject="clock", said="The clock is silent.")
    Fault.objects.create(kind="stuck", subject="job 1", said="Job 1 is stuck.", campaign=saratoga)
    User.objects.filter(pk=gates.pk).update(is_staff=True, is_superuser=True)
    gates.refresh_from_db()
    player = signed_in(gates).get("/admin/campaign/fault/").content.decode()
    assert "The clock is silent." in player and "Job 1 is stuck." not in player
    keeper = User.objects.create_superuser("clinton")
    assert "The clock is silent." in signed_in(keeper).get("/admin/campaign/fault/").content.decode()


def test_a_worker_gives_signs_of_life_and_leaves_in_order(monkeypatch):
    seen = []
    monkeypatch.setattr(heartbeat.connection, "close", lambda: None)

    def wait(seconds: float) -> None:
        seen.append(list(Heartbeat.objects.values_list("name", flat=True)))
        heartbeat.pulse_end()

    monkeypatch.setattr(heartbeat, "_over", event := heartbeat.Event())
    monkeypatch.setattr(event, "wait", wait)
    heartbeat.send_heartbeats("celery@north")
    assert seen == [["worker celery@north"]]
    assert not Heartbeat.objects.exists()


def test_a_time_set_back_is_noticed_told_and_no_deadline_waits_for_it(saratoga):
    """The clock goes on, and what workers and mail had put off is not put off for longer."""
    ahead = timezone.now() + timedelta(days=3)
    Heartbeat.objects.create(name=CLOCK, beat_at=ahead)
    assert find_clock_silence() == ahead
    deadline = timezone.now() - timedelta(minutes=1)
    type(saratoga).objects.update(deadline=deadline, advance_at_deadline=True)
    clock_strike()
    assert Job.objects.get().kind == "advance_day"
    assert find_clock_silence() is None
    watch_keep()
    fault = Fault.objects.get()
    assert fault.kind == "clock" and fault.said.startswith("The time of this machine was set back from ")
    watch_keep()
    assert Fault.objects.count() == 1
    watch_keep(now=timezone.now() + timedelta(days=2))
    fault.refresh_from_db()
    assert fault.over_at is not None and not Heartbeat.objects.filter(name__startswith="set back").exists()


def test_work_of_a_worker_that_died_before_time_was_set_back_is_sent_again(job):
    ahead = timezone.now() + timedelta(days=1)
    Job.objects.filter(pk=job.pk).update(state="running", lease_until=ahead, attempts=1)
    assert job_claim(job_id=job.pk) is not None
    Job.objects.filter(pk=job.pk).update(state="running", lease_until=ahead)
    assert jobs_requeue_expired() == 1
    near = timezone.now() + timedelta(seconds=50)
    Job.objects.filter(pk=job.pk).update(state="running", lease_until=near)
    assert jobs_requeue_expired() == 0 and job_claim(job_id=job.pk) is None


def test_a_backup_of_a_time_to_come_does_not_stand_in_for_todays(settings, db):
    settings.BACKUP_HOURS = 24
    made = backup_ask_due()
    Job.objects.update(created_at=timezone.now() + timedelta(days=3), key="backup/of-later", state="done")
    assert backup_ask_due() not in (None, made)
    assert backup_ask_due() is None
