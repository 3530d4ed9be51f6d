"""A database that is locked for long: reading goes on, the rest is told to come again (503)."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import OperationalError, ProgrammingError
from psycopg import errors

from campaign.ops.database_locks import is_database_busy
from tests.servers import copy_migrated_file

ROOT = Path(__file__).resolve().parents[3]
#: On a file of its own, as sites have it: a database in memory knows no such locks.
SCRIPT = """
import json, sqlite3
from django.conf import settings
settings.DATABASES["default"]["OPTIONS"]["timeout"] = 0.2
settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
import django
django.setup()
from django.db import OperationalError, connection
from django.test import Client
from campaign.models import ApiToken, User
from campaign.services.accounts.tokens import token_make

person = User.objects.create_user("schuyler", password="a pass of Saratoga")
_, sent = token_make(user=person, name="bot", scopes=["read", "order"])
bearer = {"Authorization": "Bearer " + sent, "Host": "127.0.0.1"}
people, program = Client(headers={"Host": "127.0.0.1"}), Client(headers=bearer)
people.raise_request_exception = program.raise_request_exception = False
people.force_login(person)
path = settings.DATABASES["default"]["NAME"]
found = {}

def told(name, answer):
    found[name] = [answer.status_code, answer.get("Retry-After", ""), answer.get("Content-Type", ""),
                   answer.content.decode()[-400:] if answer.status_code >= 400 else ""]

def ask():
    told("page", people.get("/account/"))
    told("api", program.get("/api/v1/campaigns/"))
    told("page writes", people.post("/account/", {"name": "Philip Schuyler", "time_zone": "UTC"}))
    told("fragment writes", people.post("/account/", {"name": "P", "time_zone": "UTC"},
                                        headers={"HX-Request": "true"}))
    told("sign in", Client(headers={"Host": "127.0.0.1"}, raise_request_exception=False).post(
        "/sign-in/", {"login": "schuyler", "password": "wrong"}))
    body = json.dumps({"kind": "odds"})
    told("api writes", program.post("/api/v1/fights/", body, content_type="application/json",
                                    headers={"Idempotency-Key": "12345678-1234-1234-1234-123456789abc"}))

other = sqlite3.connect(path, isolation_level=None, timeout=0.2)
other.execute("BEGIN IMMEDIATE")
ask()
found["noted"] = ApiToken.objects.get().last_used_at is not None
other.execute("ROLLBACK")
writers = dict(found)
found.clear()
told("api", program.get("/api/v1/campaigns/"))
writers["noted after"] = ApiToken.objects.get().last_used_at is not None
writers["patience after"] = connection.connection.execute("PRAGMA busy_timeout").fetchone()[0]

def locked(*_):
    cause = sqlite3.OperationalError("database is locked")
    cause.sqlite_errorname = "SQLITE_BUSY_RECOVERY"
    raise OperationalError("database is locked") from cause

found.clear()
with connection.execute_wrapper(locked):  # not even reading: while a log is recovered, say
    ask()
print(json.dumps([writers, found]))
"""


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("locked")
    copy_migrated_file(folder / "db.sqlite3")
    given = {
        "PATH": os.environ["PATH"], "AWI_VAR": str(folder), "SECRET_KEY": "only for this test",
        "DJANGO_SETTINGS_MODULE": "campaign.config.settings", "HTTPS": "false", "NUMBA_DISABLE_JIT": "1",
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=ROOT, env=given, capture_output=True, text=True, check=False,
        timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.slow
def test_while_somebody_writes_for_long_reading_goes_on_and_a_token_s_use_is_noted_later(answers):
    found = answers[0]
    assert (found["page"][0], found["api"][0], found["noted"]) == (200, 200, False)
    assert (found["noted after"], found["patience after"]) == (True, 200)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["page writes", "sign in"])
def test_a_page_that_would_write_is_told_to_come_again(answers, name):
    status, retry, kind, text = answers[0][name]
    assert (status, retry, kind) == (503, "60", "text/html; charset=utf-8")
    assert "The database is busy and did not answer in time." in text


@pytest.mark.slow
def test_a_fragment_and_the_api_say_it_in_their_own_way(answers):
    status, retry, kind, text = answers[0]["fragment writes"]
    assert (status, retry, kind) == (503, "60", "text/plain; charset=utf-8")
    assert (
        text == "The database is busy and did not answer in time. Nothing was changed; try again in a minute."
    )
    status, retry, kind, text = answers[0]["api writes"]
    assert (status, retry, kind) == (503, "60", "application/problem+json")
    assert json.loads(text)["type"] == "/api/v1/problems/not-ready/"


@pytest.mark.slow
def test_where_not_even_reading_is_possible_everything_says_so(answers):
    for name, (status, retry, _kind, _text) in answers[1].items():
        assert (name, status, retry) == (name, 503, "60")


@pytest.mark.parametrize(
    ("error", "cause", "busy"),
    [
        (OperationalError, errors.LockNotAvailable(), True),
        (OperationalError, errors.DeadlockDetected(), True),
        (OperationalError, errors.TooManyConnections(), True),
        (OperationalError, errors.AdminShutdown(), True),
        (OperationalError, errors.OperationalError("connection refused"), True),
        (ProgrammingError, errors.UndefinedTable(), False),
        (OperationalError, errors.DiskFull(), False),
        (OperationalError, None, False),
        (ValueError, None, False),
    ],
)
def test_what_postgresql_says_of_locks_and_its_own_absence_is_no_fault_of_the_site(error, cause, busy):
    raised = error("x")
    raised.__cause__ = cause
    assert is_database_busy(raised) is busy
