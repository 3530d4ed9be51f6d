"""Gunicorn with several workers: figures of all of them, a log of JSON alone, nothing left behind."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers import copy_migrated_file, free_port, wait_for_port

ROOT = Path(__file__).resolve().parents[3]
#: Seconds for anything the server does; the machine may be busy.
PATIENCE = 240.0
pytestmark = pytest.mark.slow


class Site:
    """A site with a database of its own, served by two workers."""

    def __init__(self, folder: Path) -> None:
        self.port, self.temporary = free_port(), folder / "temporary"
        self.temporary.mkdir()
        self.environment = {
            "PATH": os.environ["PATH"],
            "TMPDIR": str(self.temporary),
            "SECRET_KEY": "only for this test",
            "AWI_VAR": str(folder),
            "AWI_BIND": f"127.0.0.1:{self.port}",
            "WEB_WORKERS": "2",
            "LOG_FORMAT": "json",
            "METRICS_TOKEN": "figures",
            "NUMBA_DISABLE_JIT": "1",
        }
        copy_migrated_file(folder / "db.sqlite3")

    def get(self, path: str) -> str:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", headers={"Authorization": "Bearer figures"}
        )
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return str(answer.read().decode())

    def workers(self) -> int:
        """How many workers have counted a request."""
        return len(list(self.temporary.glob("campaign-metrics-*/counter_*.db")))


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    found = Site(tmp_path)
    with (tmp_path / "log").open("wb") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "--config", "campaign/config/gunicorn.py"],
            cwd=ROOT,
            env=found.environment,
            stdout=subprocess.DEVNULL,
            stderr=log,
        )
        try:
            wait_for_port(found.port, PATIENCE)
            yield found
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(timeout=PATIENCE)
    assert list(found.temporary.iterdir()) == [], "the figures' folder ends with the server"


def test_figures_are_of_every_worker_and_lines_of_the_log_are_json(site: Site, tmp_path: Path):
    until, asked_for = time.monotonic() + PATIENCE, 0
    while asked_for < 30 or site.workers() < 2:  # which of the two answers is the system's to choose
        assert time.monotonic() < until, "one worker answers all"
        assert site.get("/health/") == "ok\n"
        asked_for += 1
    asked = [sys.executable, "deploy/ready.py"]
    found = subprocess.run(
        asked, cwd=ROOT, env=site.environment, capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert (found.returncode, found.stdout.splitlines()[1]) == (0, "migrations: ok")
    told = site.get("/metrics")
    answered = re.search(r'campaign_requests_total{method="GET",route="health",status="200"} (.*)', told)
    assert answered and float(answered[1]) == asked_for
    assert 'campaign_jobs{state="queued"} 0.0' in told
    assert site.workers() == 2
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    finished = [line for line in lines if line["event"] == "request_finished"]
    assert len(finished) == asked_for + 2 == len({line["request_id"] for line in finished})


def test_requests_that_are_never_finished_leave_the_site_to_others(site: Site):
    """As many as stopped it in 0.9.2, twice over for two processes: none of them takes a thread."""
    begun = []
    for _ in range(32):
        for sent in (
            b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n",
            b"POST /sign-in/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\nu",
        ):
            client = socket.create_connection(("127.0.0.1", site.port), timeout=PATIENCE)
            client.sendall(sent)
            begun.append(client)
    for _ in range(8):
        assert site.get("/health/") == "ok\n"
    for client in begun:
        client.close()
