"""A living worker keeps what it has in hand, however long a step of it takes; a dead one does not."""

import threading
import time
from collections.abc import Callable
from queue import Queue

import pytest
from django.db import DatabaseError, connection
from django.utils import timezone

from campaign import tasks
from campaign.models import Job
from campaign.services.jobs import jobs, leases, parts
from campaign.services.jobs.leases import keep_lease

pytestmark = pytest.mark.django_db(transaction=True)

LEASE = 2


@pytest.fixture(autouse=True)
def short(settings):
    settings.JOB_LEASE_SECONDS = LEASE


@pytest.fixture
def silence(monkeypatch) -> Callable[[], None]:
    """A step in which work says nothing for longer than a lease; it ends as the keeper has spoken."""
    renew, kept = leases.lease_renew, Queue[float]()

    def renewed(*, job):
        still = renew(job=job)
        kept.put(time.monotonic())
        return still

    def step() -> None:
        over = time.monotonic() + LEASE
        while kept.get(timeout=60) <= over:
            continue

    monkeypatch.setattr(leases, "lease_renew", renewed)
    return step


def asked(key: str = "drill", **given) -> Job:
    return jobs.job_request(kind="drill", key=key, payload={}, **given)


def keepers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name.startswith("lease of job")]


def drilled(monkeypatch, drill) -> None:
    monkeypatch.setitem(tasks.HANDLERS, "drill", f"{__name__}.drill")
    monkeypatch.setitem(globals(), "drill", drill)


def test_work_that_says_nothing_for_longer_than_its_lease_is_not_given_to_another(monkeypatch, silence):
    job, others = asked(), []

    def drill(job, report):
        silence()
        others.append((jobs.jobs_requeue_expired(), jobs.job_claim(job_id=job.pk)))

    drilled(monkeypatch, drill)
    tasks.run_job(job.pk)
    job.refresh_from_db()
    assert others == [(0, None)]
    assert (job.state, job.attempts) == ("done", 1)
    assert keepers() == []


def test_neither_is_the_whole_nor_the_part_its_worker_is_at_hr_job_03(silence):
    whole = jobs.job_claim(job_id=asked().pk)
    part = asked("a part", parent=whole)
    others = []

    def work(part, tell):
        silence()
        others.append((jobs.jobs_requeue_expired(), jobs.job_claim(job_id=part.pk)))
        return {"men": 7}

    with keep_lease(whole):
        found = parts.parts_work(job=whole, keys=[part.pk], work=work, told=lambda percent: None)
    assert found == [{"men": 7}]
    assert others == [(0, None)]
    assert keepers() == []


def test_work_that_hangs_has_its_lease_run_out_all_the_same(monkeypatch):
    monkeypatch.setattr(leases, "SILENT", 0.0)
    job = jobs.job_claim(job_id=asked().pk)
    with keep_lease(job):
        time.sleep(LEASE + 0.1)
        assert jobs.job_claim(job_id=job.pk).attempts == 2


def test_what_was_stopped_is_not_kept():
    job = jobs.job_claim(job_id=asked().pk)
    with keep_lease(job):
        assert jobs.job_cancel(job=Job.objects.get(pk=job.pk))
        for keeper in keepers():
            keeper.join(60)
        assert keepers() == []
    job.refresh_from_db()
    assert (job.state, job.lease_until) == ("cancelled", None)


def test_a_database_that_is_away_for_a_while_loses_no_lease(monkeypatch, silence):
    job, faults = jobs.job_claim(job_id=asked().pk), ["away"]
    renew = leases.lease_renew

    def renewed(*, job):
        if faults:
            raise DatabaseError(faults.pop())
        return renew(job=job)

    monkeypatch.setattr(leases, "lease_renew", renewed)
    with keep_lease(job):
        silence()
        job.refresh_from_db()
        assert not faults and job.lease_until > timezone.now()
    assert connection.is_usable()
