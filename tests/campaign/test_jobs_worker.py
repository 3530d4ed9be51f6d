"""A worker killed in the middle of a job: the job runs again and its effect stands once.

Real workers and a real beat, on the file broker and on Redis, with a database file of their own.
"""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60.0

pytestmark = pytest.mark.slow

REQUEST = """
import django
django.setup()
from django.db import transaction
from campaign.services.jobs import job_request
with transaction.atomic():
    for key in {keys!r}:
        job_request(kind="slow levy", key=key, payload={{}})
"""


class JobRow(NamedTuple):
    key: str
    state: str
    progress: int
    attempts: int
    error: str


class Site:
    """One installation in a folder of its own, seen from outside."""

    def __init__(self, folder: Path, redis_url: str) -> None:
        self.database = folder / "db.sqlite3"
        self.log = folder / "log"
        self.environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "campaign.config.settings",
            "SECRET_KEY": "only for this test",
            "AWI_VAR": str(folder),
            "DATABASE_URL": f"sqlite:///{self.database}",
            "REDIS_URL": redis_url,
            "JOB_LEASE_SECONDS": "3",
            "JOB_RESEND_SECONDS": "3",
            "JOB_SWEEP_SECONDS": "1",
        }
        self.run("manage.py", "migrate", "--skip-checks", "--verbosity", "0")

    def run(self, *arguments: str) -> None:
        subprocess.run([sys.executable, *arguments], cwd=ROOT, env=self.environment, check=True, timeout=120)

    def request(self, *keys: str) -> None:
        """Ask for jobs, as a page would, from a process that ends at once."""
        self.run("-c", REQUEST.format(keys=keys))

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

    def read(self, query: str) -> list[tuple]:
        connection = sqlite3.connect(f"file:{self.database}?mode=ro", uri=True, timeout=20)
        try:
            return connection.execute(query).fetchall()
        finally:
            connection.close()

    def jobs(self) -> dict[str, JobRow]:
        rows = self.read("SELECT key, state, progress, attempts, error FROM campaign_job")
        return {row[0]: JobRow(*row) for row in rows}

    def levies(self) -> list[str]:
        return [name for (name,) in self.read("SELECT username FROM campaign_user ORDER BY username")]

    def wait(self, what: str, condition) -> None:
        deadline = time.monotonic() + PATIENCE
        while not condition(self.jobs()):
            if time.monotonic() > deadline:
                log = self.log.read_text() if self.log.exists() else ""
                pytest.fail(f"{what} did not happen in {PATIENCE:.0f} s: {self.jobs()}\n{log[-4000:]}")
            time.sleep(0.1)


def kill(process: subprocess.Popen[bytes]) -> None:
    """SIGKILL to the worker and its children at once, as a power cut would."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@pytest.fixture(params=["files", "redis"])
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Site:
    redis_url = request.getfixturevalue("redis_url") if request.param == "redis" else ""
    return Site(tmp_path, redis_url)


def test_a_job_whose_worker_is_killed_runs_again_and_its_effect_stands_once(site: Site):
    with site.beat():
        with site.worker() as first:
            site.request("levy of Tryon County")
            site.wait("work", lambda jobs: jobs["levy of Tryon County"].progress >= 20)
            kill(first)
        assert site.jobs()["levy of Tryon County"].state == "running"
        assert site.levies() == []
        with site.worker():
            site.wait("the second attempt", lambda jobs: jobs["levy of Tryon County"].state == "done")
            # A second message for the same job, as a sweep or a second click would send, is harmless.
            site.request("levy of Tryon County", "levy of Albany County")
            site.wait("the next job", lambda jobs: jobs["levy of Albany County"].state == "done")
    assert site.levies() == ["levy of Albany County, attempt 1", "levy of Tryon County, attempt 2"]
    jobs = site.jobs()
    assert (jobs["levy of Tryon County"].attempts, jobs["levy of Tryon County"].error) == (2, "")
    assert jobs["levy of Albany County"].attempts == 1


def test_a_job_asked_for_while_no_worker_runs_is_done_when_one_comes(site: Site):
    site.request("levy of Charlotte County")
    with site.worker():
        site.wait("the job", lambda jobs: jobs["levy of Charlotte County"].state == "done")
    assert site.levies() == ["levy of Charlotte County, attempt 1"]
