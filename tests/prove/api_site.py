"""The site as it is served, on a database and in a folder of its own: gunicorn, a worker, no throttles."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import psycopg

from battles.engine.kernel_cache import cache_folder
from campaign.config.settings_test import SECRET_KEY
from tests.servers import free_port, own_database, rows_of, wait_for_port

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60.0
#: Nobody is turned away for asking too often.
PLENTY = str(10**9)
FIGURES = "figures"
#: What there is, by the names parameters and fields of the API have.
KNOWN = {
    ("job",): "SELECT id FROM campaign_job ORDER BY id DESC LIMIT 12",
    ("notice",): "SELECT id FROM campaign_notice ORDER BY id DESC LIMIT 12",
    ("battle",): "SELECT id FROM campaign_battle ORDER BY id DESC LIMIT 4",
    ("photo",): "SELECT id FROM campaign_battlephoto ORDER BY id DESC LIMIT 4",
    ("code", "answers"): "SELECT code FROM campaign_letter ORDER BY id DESC LIMIT 8",
    ("number", "last_paper"): "SELECT DISTINCT number FROM campaign_orderpaper ORDER BY number DESC LIMIT 12",
    ("record", "head"): "SELECT id FROM campaign_dayrecord ORDER BY id DESC LIMIT 12",
    ("seat", "to"): "SELECT id FROM campaign_seat",
    ("restoration",): "SELECT id FROM campaign_restoration ORDER BY id DESC LIMIT 6",
    ("day", "days_completed"): "SELECT DISTINCT day FROM campaign_campaign",
}


@contextlib.contextmanager
def seeded(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """A club's site (tests/factories/api_club.py) in a database of its own: address, and who is seated."""
    with own_database(folder) as database:
        served = {**os.environ, "SECRET_KEY": SECRET_KEY}
        served["DJANGO_SETTINGS_MODULE"] = "campaign.config.settings"
        gather = [sys.executable, "tools/house.py", "static"]  # with the names pages of the served site use
        subprocess.run(gather, cwd=ROOT, env=served, check=True, timeout=300)
        made = subprocess.run(
            [sys.executable, "-m", "tests.factories.api_club"],
            cwd=ROOT,
            env={**os.environ, "DATABASE_URL": database},
            stdout=subprocess.PIPE,
            check=True,
            timeout=900,
        )
        yield database, json.loads(made.stdout.splitlines()[-1])


@contextlib.contextmanager
def copied(database: str, folder: Path) -> Iterator[str]:
    """A database like one that nobody has open."""
    with own_database(folder) as copy:
        if copy.startswith("postgres"):
            server, _, name = copy.rpartition("/")
            with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
                connection.execute(f"DROP DATABASE {name}".encode())
                template = database.rpartition("/")[2]
                connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}".encode())
        else:
            shutil.copy(database.removeprefix("sqlite:///"), copy.removeprefix("sqlite:///"))
        yield copy


class ApiSite:
    """One installation that runs while the `with` does."""

    def __init__(self, database: str, folder: Path) -> None:
        self.database, self.folder = database, folder
        self.url = f"http://127.0.0.1:{free_port()}"
        folder.mkdir(parents=True, exist_ok=True)
        if (engine := cache_folder()).exists():
            (folder / "numba").symlink_to(engine)  # compiled already: the worker fights at once
        self.environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "campaign.config.settings",
            "SECRET_KEY": SECRET_KEY,  # the one sessions were made with
            "HTTPS": "false",
            "AWI_VAR": str(folder),
            "AWI_ENGINE_STEPS": "1",
            "AWI_BIND": self.url.removeprefix("http://"),
            "DATABASE_URL": database,
            "REDIS_URL": "",
            "LOG_LEVEL": "WARNING",
            "METRICS_TOKEN": FIGURES,
            "API_PERSON_A_MINUTE": PLENTY,
            "API_ADDRESS_A_MINUTE": PLENTY,
            "API_UNKNOWN_A_MINUTE": PLENTY,
        }
        self.processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        self._start("web", "gunicorn", "--config", "campaign/config/gunicorn.py")
        self._start("worker", "celery", "--quiet", "--app", "campaign.config", "worker", "--loglevel",
                    "warning", "--concurrency", "1", "--without-gossip", "--without-mingle",
                    "--without-heartbeat")  # fmt: skip
        wait_for_port(int(self.url.rpartition(":")[2]), PATIENCE)
        return self

    def __exit__(self, *_: object) -> None:
        for process in self.processes:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
        for process in self.processes:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:  # a worker in the midst of a fight
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def _start(self, name: str, *command: str) -> None:
        with (self.folder / f"{name}.log").open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", *command],
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.processes.append(process)

    def log(self, name: str) -> str:
        """What a process wrote."""
        return (self.folder / f"{name}.log").read_text(encoding="utf-8", errors="replace")

    def counted(self) -> int:
        """Requests the server itself has counted; those for this figure are not."""
        asked = urllib.request.Request(f"{self.url}/metrics", headers={"Authorization": f"Bearer {FIGURES}"})
        with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
            lines = answer.read().decode().splitlines()
        told = [each for each in lines if each.startswith("campaign_requests_total{")]
        return int(sum(float(each.rpartition(" ")[2]) for each in told if 'route="metrics"' not in each))

    def known(self) -> dict[str, list[Any]]:
        """What there is now (KNOWN)."""
        found: dict[str, list[Any]] = {}
        for names, query in KNOWN.items():
            rows = [row[0] for row in rows_of(self.database, query)]
            found |= dict.fromkeys(names, rows)
        return found
