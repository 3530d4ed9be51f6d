"""A worker killed in the middle of a job: the job runs again and its effect stands once.

Real workers and a real beat, on the file broker and on Redis, with a database of their own.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.servers import rows_of

ROOT = Path(__file__).resolve().parents[2]
#: Seconds for anything a worker does here; the machine may be busy.
PATIENCE = 240.0
#: The first attempt at this job never ends by itself; it is there to be killed.
TRYON = "levy of Tryon County"

pytestmark = [pytest.mark.slow, pytest.mark.together]

REQUEST = """
import django
django.setup()
from django.db import transaction
from campaign.services.jobs.jobs import job_request
with transaction.atomic():
    for key in {keys!r}:
        job_request(kind="slow levy", key=key, payload={{"endless": key == {endless!r}}})
"""


class JobRow(NamedTuple):
    key: str
    state: str
    progress: int
    attempts: int
    error: str


class Site:
    """One installation in a folder of its own, seen from outside."""

    def __init__(self, folder: Path, database_url: str, redis_url: str) -> None:
        self.database_url = database_url
        self.log = folder / "log"
        self.environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "campaign.config.settings",
            "SECRET_KEY": "only for this test",
            "AWI_VAR": str(folder),
            "DATABASE_URL": database_url,
            "REDIS_URL": redis_url,
            "JOB_LEASE_SECONDS": "3",
            "JOB_RESEND_SECONDS": "3",
            "JOB_SWEEP_SECONDS": "1",
        }

    def run(self, *arguments: str) -> str:
        """What a Python program of the site prints; it must end well."""
        command = [sys.executable, *arguments]
        given = {"cwd": ROOT, "env": self.environment, "timeout": PATIENCE}
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **given).stdout

    def request(self, *keys: str) -> None:
        """Ask for jobs, as a page would, from a process that ends at once."""
        self.run("-c", REQUEST.format(keys=keys, endless=TRYON))

    @contextmanager
    def celery(self, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
        """A process of Celery in a group of its own; the group is killed at the end."""
        with self.log.open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "celery", "--app", "tests.campaign.worker_app", *arguments],
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            yield process
        finally:
            kill(process)

    def worker(self):
        """A worker of one process."""
        return self.celery("worker", "--concurrency", "1", "--without-gossip", "--without-mingle")

    def beat(self):
        """The clock that asks for the sweep each second."""
        return self.celery("beat", "--pidfile=", "--max-interval", "1")

    def jobs(self) -> dict[str, JobRow]:
        query = "SELECT key, state, progress, attempts, error FROM campaign_job"
        return {row[0]: JobRow(*row) for row in rows_of(self.database_url, query)}

    def levies(self) -> list[str]:
        query = "SELECT username FROM campaign_user ORDER BY username"
        return [name for (name,) in rows_of(self.database_url, query)]

    def wait(self, what: str, condition, patience: float = PATIENCE) -> None:
        deadline = time.monotonic() + patience
        while not condition(self.jobs()):
            if time.monotonic() > deadline:
                log = self.log.read_text() if self.log.exists() else ""
                pytest.fail(f"{what} did not happen in {patience:.0f} s: {self.jobs()}\n{log[-4000:]}")
            time.sleep(0.1)


def kill(process: subprocess.Popen[bytes]) -> None:
    """SIGKILL to the worker and its children at once, as a power cut would."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@pytest.fixture(params=["files", "redis"])
def site(request: pytest.FixtureRequest, tmp_path: Path, database_url: str) -> Site:
    redis_url = request.getfixturevalue("redis_url") if request.param == "redis" else ""
    return Site(tmp_path, database_url, redis_url)


def test_a_job_whose_worker_is_killed_runs_again_and_its_effect_stands_once(site: Site):
    with site.beat():
        with site.worker() as first:
            site.request(TRYON)
            site.wait("work", lambda jobs: jobs[TRYON].progress >= 20)
            kill(first)
        assert site.jobs()[TRYON].state == "running"
        assert site.levies() == []
        with site.worker():
            site.wait("the second attempt", lambda jobs: jobs[TRYON].state == "done")
            # A second message for the same job, as a sweep or a second click would send, is harmless.
            site.request(TRYON, "levy of Albany County")
            site.wait("the next job", lambda jobs: jobs["levy of Albany County"].state == "done")
    assert site.levies() == ["levy of Albany County, attempt 1", "levy of Tryon County, attempt 2"]
    jobs = site.jobs()
    assert (jobs[TRYON].attempts, jobs[TRYON].error) == (2, "")
    assert jobs["levy of Albany County"].attempts == 1


def test_a_job_asked_for_while_no_worker_runs_is_done_when_one_comes(site: Site):
    site.request("levy of Charlotte County")
    with site.worker():
        site.wait("the job", lambda jobs: jobs["levy of Charlotte County"].state == "done")
    assert site.levies() == ["levy of Charlotte County, attempt 1"]


def test_a_worker_gives_signs_of_life_and_its_end_in_order_is_none_hr_job_04(site: Site):
    def pulses() -> list[tuple]:
        return rows_of(site.database_url, "SELECT name FROM campaign_heartbeat WHERE name LIKE 'worker %'")

    with site.worker() as worker:
        site.wait("a sign of life", lambda jobs: pulses())
        worker.terminate()
        site.wait("its leaving", lambda jobs: not pulses())
