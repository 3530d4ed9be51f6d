"""Jobs: asked for once, claimed by one worker at a time, finished once."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone
from django.utils.module_loading import import_string

from campaign import tasks
from campaign.models import Job, User
from campaign.rules.errors import RuleViolation
from campaign.services.jobs import jobs

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def queue_there(monkeypatch) -> None:
    """No queue was found away a moment ago, by another test."""
    monkeypatch.setattr(jobs, "_queue_away_until", float("-inf"))


@pytest.fixture
def sent(monkeypatch):
    """Job numbers handed to the broker."""
    numbers: list[int] = []

    def send_task(name: str, args: list[int]) -> None:
        assert name == "campaign.run_job"
        numbers.extend(args)

    monkeypatch.setattr(jobs.current_app, "send_task", send_task, raising=False)
    return numbers


def request(key="day/saratoga/1", **changes) -> Job:
    return jobs.job_request(**{"kind": "drill", "key": key, "payload": {"day": 1}, **changes})


def late(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def handle(monkeypatch, function) -> None:
    monkeypatch.setitem(tasks.HANDLERS, "drill", f"{__name__}.drill")
    monkeypatch.setitem(globals(), "drill", function)


def test_a_request_is_sent_after_commit(sent, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        job = request()
        assert sent == []
    assert sent == [job.pk]
    assert (job.state, job.attempts) == (Job.State.QUEUED, 0)


def test_a_request_undone_leaves_no_job_and_no_message(sent, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True), pytest.raises(LookupError), transaction.atomic():
        request()
        raise LookupError
    assert sent == []
    assert not Job.objects.exists()


def test_the_same_request_twice_is_one_job(sent, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        assert request().pk == request().pk
    assert len(sent) == 1


@pytest.mark.parametrize("changes", [{"kind": "settle"}, {"payload": {"day": 2}}])
def test_a_key_names_one_piece_of_work_only(changes):
    request()
    with pytest.raises(ValueError, match="already names another job"):
        request(**changes)


def test_a_broker_that_is_down_does_not_break_the_request(monkeypatch, django_capture_on_commit_callbacks):
    def send_task(*args: Any, **options: Any) -> None:
        raise ConnectionError("no broker")

    monkeypatch.setattr(jobs.current_app, "send_task", send_task, raising=False)
    with django_capture_on_commit_callbacks(execute=True):
        job = request()
    assert Job.objects.get(pk=job.pk).state == Job.State.QUEUED


def test_only_one_worker_claims_a_job():
    job = request()
    first, second = jobs.job_claim(job_id=job.pk), jobs.job_claim(job_id=job.pk)
    assert first is not None
    assert (first.state, first.attempts) == (Job.State.RUNNING, 1)
    assert second is None


def test_an_expired_lease_passes_to_another_worker_and_the_first_can_change_nothing():
    job = request()
    slow = jobs.job_claim(job_id=job.pk)
    late(slow)
    quick = jobs.job_claim(job_id=job.pk)
    assert quick.attempts == 2
    for write in (
        lambda: jobs.job_progress(job=slow, percent=90),
        lambda: jobs.job_finish(job=slow, result={"by": "slow"}),
        lambda: jobs.job_fail(job=slow, error="too late"),
    ):
        with pytest.raises(jobs.JobLost, match="no longer ours"):
            write()
    jobs.job_finish(job=quick, result={"by": "quick"})
    assert Job.objects.get(pk=job.pk).result == {"by": "quick"}


def test_the_effect_of_a_worker_that_lost_its_job_is_undone():
    slow = jobs.job_claim(job_id=request().pk)
    late(slow)
    jobs.job_claim(job_id=slow.pk)
    with pytest.raises(jobs.JobLost), transaction.atomic():
        User.objects.create(username="arnold")
        jobs.job_finish(job=slow)
    assert not User.objects.filter(username="arnold").exists()


def test_progress_renews_the_lease():
    job = jobs.job_claim(job_id=request().pk)
    late(job)
    jobs.job_progress(job=job, percent=140, note="day 3 of 7")
    job.refresh_from_db()
    assert (job.progress, job.note) == (100, "day 3 of 7")
    assert job.lease_until > timezone.now()


def test_a_failed_attempt_waits_and_is_tried_again_until_attempts_run_out(sent):
    job = request()
    for attempt in range(1, jobs.ATTEMPTS + 1):
        claimed = jobs.job_claim(job_id=job.pk)
        assert claimed.attempts == attempt
        jobs.job_fail(job=claimed, error="the disk is full")
    job.refresh_from_db()
    assert (job.state, job.error) == (Job.State.FAILED, "the disk is full")
    assert job.finished_at is not None
    assert jobs.job_claim(job_id=job.pk) is None


def test_pauses_between_attempts_are_those_of_work_asked_for_just_now_hr_job_02(sent):
    """However often it was asked for again, or put back behind other work of its kind."""
    pauses = []
    for _ in range(20):
        job = request()
        pauses.append([])
        for tried in range(jobs.ATTEMPTS):
            claimed = jobs.job_claim(job_id=job.pk)
            assert claimed is not None
            if tried == 0:
                for _ in range(3):
                    jobs.job_put_back(job=claimed)
                    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now())
                    claimed = jobs.job_claim(job_id=job.pk)
            jobs.job_fail(job=claimed, error="the disk is full")
            job.refresh_from_db()
            if job.lease_until is not None:
                pauses[-1].append(round((job.lease_until - timezone.now()).total_seconds()))
                Job.objects.filter(pk=job.pk).update(lease_until=timezone.now())
        assert job.state == Job.State.FAILED
    assert pauses[0] == [2**tried for tried in range(1, jobs.ATTEMPTS)]
    assert all(each == pauses[0] for each in pauses)


def test_what_is_told_of_a_failure_can_be_kept_whatever_it_says(sent):
    """PostgreSQL takes no zero byte: the attempt would hang until its lease ran out."""
    job = jobs.job_claim(job_id=request().pk)
    assert job is not None
    jobs.job_progress(job=job, percent=5, note="a\0b")
    assert job.note == "a�b"
    jobs.job_fail(job=job, error="a\0b\ud800" * 2000, final=True)
    assert job.error.startswith("a�b�a") and len(job.error) == jobs.LONGEST_ERROR


def test_asking_again_for_a_failed_job_queues_it_with_fresh_attempts(
    sent, django_capture_on_commit_callbacks
):
    job = jobs.job_claim(job_id=request().pk)
    jobs.job_fail(job=job, error="a battle is not settled", final=True)
    with django_capture_on_commit_callbacks(execute=True):
        again = request()
    assert (again.pk, again.state, again.error) == (job.pk, Job.State.QUEUED, "")
    assert (again.attempts, again.max_attempts) == (1, 1 + jobs.ATTEMPTS)
    assert sent == [job.pk]


@pytest.mark.parametrize("running", [False, True], ids=["queued", "running"])
def test_cancel_stops_a_job_and_its_worker(running):
    job = request()
    worker = jobs.job_claim(job_id=job.pk) if running else None
    assert jobs.job_cancel(job=job) is True
    assert job.state == Job.State.CANCELLED
    assert jobs.job_claim(job_id=job.pk) is None
    if worker is not None:
        with pytest.raises(jobs.JobLost):
            jobs.job_progress(job=worker, percent=50)


def test_what_is_done_cannot_be_cancelled():
    job = jobs.job_claim(job_id=request().pk)
    jobs.job_finish(job=job, result={"day": 1})
    assert jobs.job_cancel(job=job) is False
    assert job.state == Job.State.DONE


def test_the_sweep_sends_lost_jobs_again_and_leaves_the_others(sent, django_capture_on_commit_callbacks):
    fresh, unheard = request("fresh"), request("unheard")
    held, dead = jobs.job_claim(job_id=request("held").pk), jobs.job_claim(job_id=request("dead").pk)
    done = jobs.job_claim(job_id=request("done").pk)
    jobs.job_finish(job=done)
    late(unheard)
    late(dead)
    with django_capture_on_commit_callbacks(execute=True):
        assert jobs.jobs_requeue_expired() == 2
    assert sorted(sent) == sorted([unheard.pk, dead.pk])
    states = dict(Job.objects.values_list("key", "state"))
    assert states == {
        fresh.key: "queued",
        "unheard": "queued",
        held.key: "running",
        "dead": "queued",
        "done": "done",
    }
    assert jobs.jobs_requeue_expired() == 0, "a sweep must not send again what it has just sent"


def test_the_sweep_gives_up_on_a_job_that_kills_its_workers(sent):
    job = request()
    Job.objects.filter(pk=job.pk).update(attempts=jobs.ATTEMPTS - 1)
    late(jobs.job_claim(job_id=job.pk))
    assert jobs.jobs_requeue_expired() == 0
    job.refresh_from_db()
    assert job.state == Job.State.FAILED
    assert "worker died each time" in job.error


def test_run_job_calls_the_handler_of_the_kind_once(monkeypatch):
    days = []

    def drill(job, report):
        report(50, "half way")
        days.append(job.payload["day"])
        return {"days": 1}

    handle(monkeypatch, drill)
    job = request()
    tasks.run_job(job.pk)
    tasks.run_job(job.pk)
    job.refresh_from_db()
    assert days == [1]
    assert (job.state, job.progress, job.result) == (Job.State.DONE, 100, {"days": 1})


def test_run_job_lets_a_handler_finish_together_with_its_effect(monkeypatch):
    def drill(job, report):
        with transaction.atomic():
            User.objects.create(username="schuyler")
            jobs.job_finish(job=job, result={"made": "schuyler"})

    handle(monkeypatch, drill)
    job = request()
    tasks.run_job(job.pk)
    job.refresh_from_db()
    assert job.result == {"made": "schuyler"}


def test_run_job_writes_a_refusal_at_once_and_does_not_try_again(monkeypatch):
    def drill(job, report):
        raise RuleViolation("HR-CON-01", "A battle at Hubbardton is not settled; settle it first.")

    handle(monkeypatch, drill)
    job = request()
    tasks.run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.error) == (
        Job.State.FAILED,
        "A battle at Hubbardton is not settled; settle it first.",
    )


def test_run_job_tries_again_after_an_accident(monkeypatch, caplog):
    def drill(job, report):
        if job.attempts == 1:
            raise OSError("disk full")

    handle(monkeypatch, drill)
    job = request()
    tasks.run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.error) == (Job.State.QUEUED, "OSError: disk full")
    tasks.run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.attempts, job.error) == (Job.State.DONE, 2, "")


def test_every_kind_of_job_names_a_function():
    assert tasks.HANDLERS
    for kind, path in tasks.HANDLERS.items():
        assert callable(import_string(path)), kind


def test_run_job_refuses_a_kind_it_does_not_know_hr_job_01():
    job = request(kind="parley")
    tasks.run_job(job.pk)
    job.refresh_from_db()
    assert job.state == Job.State.FAILED
    assert "No job of kind parley" in job.error


def test_a_cancelled_job_stops_at_its_next_report(monkeypatch, caplog):
    monkeypatch.setattr(tasks, "REPORT_SECONDS", 0)
    reached = []

    def drill(job, report):
        jobs.job_cancel(job=Job.objects.get(pk=job.pk))
        report(10, "still marching")
        reached.append("too far")

    handle(monkeypatch, drill)
    job = request()
    tasks.run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, reached) == (Job.State.CANCELLED, [])
