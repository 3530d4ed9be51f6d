"""A club's site as its people's programs meet it: a web server and a worker, on a database of its own."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import requests

from tests.servers import free_port, wait_for_port

ROOT = Path(__file__).resolve().parents[2]
CAMPAIGN = "saratoga"
WORD = "Gentleman Johnny 1777"
PEOPLE = {"umpire": "carleton", "crown": "burgoyne", "rebel": "gates"}
#: Seconds for anything a program does here; these machines may be busy.
PATIENCE = 240.0

MADE = """
import django
django.setup()
from django.core.management import call_command
from campaign.models import User
people = {people!r}
for name in people.values():
    User.objects.create_user(name, password={word!r})
call_command(
    "loadscenario", "saratoga-1777", slug={campaign!r}, umpire=people["umpire"],
    commander=[f"{{side}}={{people[side]}}" for side in ("crown", "rebel")],
)
"""


class Club:
    """The site; `token` is made as a player makes it, on the page of his profile."""

    def __init__(self, folder: Path, database_url: str) -> None:
        self.port, self.log = free_port(), folder / "log"
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "tests.programs.settings",
            "SECRET_KEY": "only for this test",
            "HTTPS": "false",
            "ALLOWED_HOSTS": "127.0.0.1",
            "SITE_URL": self.url,
            "AWI_BIND": f"127.0.0.1:{self.port}",
            "AWI_VAR": str(folder),
            "DATABASE_URL": database_url,
        }
        made = MADE.format(people=PEOPLE, word=WORD, campaign=CAMPAIGN)
        self.run("-c", made)

    def run(self, *arguments: str, **environment: str) -> str:
        """What a Python program of this repository prints; it must end well."""
        process = subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env={**self.environment, **environment},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert not process.returncode, process.stdout + process.stderr
        return process.stdout

    @contextmanager
    def started(self, *arguments: str, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
        """A program that goes on beside the test, its output in the log; ended with the test."""
        with self.log.open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, *arguments],
                cwd=ROOT,
                env={**self.environment, **environment},
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):  # with what it started; nothing here is about its end
                os.killpg(process.pid, signal.SIGKILL)
            process.wait(30)

    @contextmanager
    def open(self) -> Iterator["Club"]:
        """The web server and a worker."""
        with ExitStack() as both:
            both.enter_context(self.started("-m", "gunicorn", "--config", "campaign/config/gunicorn.py"))
            celery = ("-m", "celery", "--quiet", "--app", "campaign.config", "worker", "--concurrency", "1")
            both.enter_context(self.started(*celery, "--without-gossip", "--without-mingle"))
            wait_for_port(self.port, PATIENCE)
            yield self

    def token(self, seat: str, *scopes: str) -> str:
        """A token of the holder of a seat, from the page where he makes it."""
        browser = requests.Session()
        sign_in, page = f"{self.url}/account/login/", f"{self.url}/account/tokens/"
        browser.get(sign_in, timeout=PATIENCE).raise_for_status()
        self._send(browser, sign_in, {"login": PEOPLE[seat], "password": WORD})
        told = self._send(browser, page, {"name": "my bot", "scopes": scopes, "days": 7})
        found = re.search(r'value="(awi_[^"]+)"', told)
        assert found, told
        return found[1]

    def _send(self, browser: requests.Session, address: str, form: dict) -> str:
        answer = browser.post(
            address,
            {**form, "csrfmiddlewaretoken": browser.cookies["csrftoken"]},
            headers={"Referer": address},
            timeout=PATIENCE,
        )
        answer.raise_for_status()
        return answer.text

    def said(self) -> str:
        """All that web server, worker and programs have printed."""
        return self.log.read_text(errors="replace")


def until(what: str, found, club: Club) -> None:
    """Return once `found` gives something true."""
    deadline = time.monotonic() + PATIENCE
    while not found():
        assert time.monotonic() < deadline, f"{what}: never\n{club.said()}"
        time.sleep(0.3)
