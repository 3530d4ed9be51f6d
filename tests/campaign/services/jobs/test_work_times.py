"""Attempts at work are timed and counted, however they end."""

import pytest
from django.db import DatabaseError

from campaign import tasks
from campaign.models import User, WorkTime
from campaign.rules.errors import RuleViolation
from campaign.services.jobs import jobs, work_times
from campaign.services.jobs.work_times import time_work
from tests.factories.people import signed_in

pytestmark = pytest.mark.django_db


def counted() -> dict[tuple[str, str], int]:
    return {(row.kind, row.ended): row.count for row in WorkTime.objects.all()}


@pytest.fixture
def clock(monkeypatch) -> list[float]:
    """What the seconds stand at: taken from the front, one for each look."""
    seconds: list[float] = []
    monkeypatch.setattr(work_times.time, "monotonic", lambda: seconds.pop(0))
    return seconds


def test_attempts_are_counted_within_the_least_bound_they_kept(clock):
    for took in (0.05, 0.1, 3.0, 20_000.0):
        clock.extend((100.0, 100.0 + took))
        with time_work(kind="drill"):
            pass
    row = WorkTime.objects.get()
    assert (row.count, row.longest) == (4, 20_000.0)
    assert row.seconds == pytest.approx(20_003.15)
    assert sum(row.within.values()) == 4 and row.within["5.0"] == row.within["+Inf"] == 1


@pytest.mark.parametrize(
    ("ending", "ended"),
    [
        (None, "done"),
        (RuleViolation("HR-CON-01", "No."), "refused"),
        (OSError("disk full"), "failed"),
        (jobs.JobLost, "left"),
        (jobs.JobPutBack, "left"),
    ],
)
def test_every_ending_of_a_job_is_counted(monkeypatch, ending, ended):
    def drill(job, report):
        if ending is not None:
            raise ending(job) if isinstance(ending, type) else ending

    monkeypatch.setitem(tasks.HANDLERS, "drill", f"{__name__}.drill")
    monkeypatch.setitem(globals(), "drill", drill)
    job = jobs.job_request(kind="drill", key="drill", payload={})
    tasks.run_job(job.pk)
    assert counted() == {("drill", ended): 1}


def test_what_the_clock_asks_for_is_counted_too(monkeypatch):
    tasks.requeue_expired()
    monkeypatch.setattr(tasks, "clock_strike", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        tasks.strike_clock()
    assert counted() == {("requeue_expired", "done"): 1, ("strike_clock", "failed"): 1}


def test_work_stands_that_could_not_be_counted(monkeypatch, caplog):
    def away(**_: object) -> None:
        raise DatabaseError("away")

    monkeypatch.setattr(WorkTime.objects, "select_for_update", away)
    with time_work(kind="drill"):
        User.objects.create(username="schuyler")
    assert User.objects.filter(username="schuyler").exists() and not counted()
    assert "An attempt at drill could not be counted" in caplog.text


def test_administrators_read_them(saratoga, burgoyne):
    with time_work(kind="drill"):
        pass
    keeper = User.objects.create_superuser("clinton")
    assert "drill" in signed_in(keeper).get("/admin/campaign/worktime/").content.decode()
    assert signed_in(burgoyne).get("/admin/campaign/worktime/").status_code == 302
