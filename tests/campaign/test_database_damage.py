"""A full disk and a damaged database: one sentence for people, the way back for the site's keeper."""

import errno
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import DatabaseError, OperationalError, connection
from django.test import Client
from psycopg import errors

from campaign.models import User
from campaign.ops.database_locks import is_database_damaged, is_disk_full
from campaign.ops.site_cache import FileCache
from tests.servers import copy_migrated_file

ROOT = Path(__file__).resolve().parents[2]


def refuse(name, words, kind):
    """A wrapper of queries under which the database fails as SQLite's `name`; full, it still reads."""

    def run(execute, sql, params, many, context):
        if name == "SQLITE_FULL" and sql.lstrip().upper().startswith(
            ("SELECT", "SAVEPOINT", "RELEASE", "ROLL")
        ):
            return execute(sql, params, many, context)
        cause = sqlite3.DatabaseError(words)
        cause.sqlite_errorname = name
        raise kind(words) from cause

    return run


@pytest.fixture
def browser(db):
    person = User.objects.create_user("schuyler", password="a pass of Saratoga")
    browser = Client(raise_request_exception=False)
    browser.force_login(person)
    return browser


FULL = (
    "The disk of the site is full. Nothing was changed, and you can still read pages. "
    "Ask whoever runs the site to free some space."
)


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}], ids=["page", "fragment"])
def test_on_a_full_disk_writing_is_refused_with_one_sentence_and_reading_goes_on(browser, headers):
    form = {"name": "Philip Schuyler", "time_zone": "UTC"}
    with connection.execute_wrapper(refuse("SQLITE_FULL", "database or disk is full", OperationalError)):
        assert browser.get("/account/").status_code == 200
        answer = browser.post("/account/", form, headers=headers)
    assert answer.status_code == 503
    assert FULL in answer.content.decode()
    assert "HX-Request" not in headers or answer.content.decode() == FULL


def test_a_cache_in_files_keeps_nothing_on_a_full_disk_and_stops_nobody(tmp_path, monkeypatch):
    def full(*_args, **_options):
        raise OSError(errno.ENOSPC, "No space left on device")

    cache = FileCache(str(tmp_path / "cache"), {})
    monkeypatch.setattr("tempfile.mkstemp", full)
    cache.set("key", "value")
    assert cache.get("key") is None


def test_a_damaged_database_is_told_people_in_a_sentence_and_the_keeper_with_the_newest_backup(
    browser, settings, tmp_path, caplog
):
    settings.BACKUP_DIR = tmp_path
    for day in ("20261101", "20261103", "20261102"):
        (tmp_path / f"campaign-{day}T000000Z.zip").touch()
    with connection.execute_wrapper(refuse("SQLITE_CORRUPT", "disk image is malformed", DatabaseError)):
        page = browser.get("/account/")
    assert page.status_code == 503
    told = "The database of the site is damaged. Ask whoever runs the site to restore the newest backup."
    assert told in page.content.decode()
    assert str(tmp_path) not in page.content.decode()
    assert f"manage.py restore {tmp_path}/campaign-20261103T000000Z.zip" in caplog.text


@pytest.mark.parametrize(
    ("error", "cause", "full", "damaged"),
    [
        (OperationalError, errors.DiskFull(), True, False),
        (OperationalError, errors.LockNotAvailable(), False, False),
        (DatabaseError, errors.DataCorrupted(), False, True),
        (DatabaseError, errors.IndexCorrupted(), False, True),
        (DatabaseError, None, False, False),
        (ValueError, errors.DiskFull(), False, False),
    ],
)
def test_what_postgresql_says(error, cause, full, damaged):
    raised = error("x")
    raised.__cause__ = cause
    assert (is_disk_full(raised), is_database_damaged(raised)) == (full, damaged)


def test_files_may_find_the_disk_full_too():
    assert is_disk_full(OSError(errno.ENOSPC, "No space left on device"))
    assert not is_disk_full(OSError(errno.EACCES, "Permission denied"))


def surroundings(var):
    return {"PATH": os.environ["PATH"], "AWI_VAR": str(var), "SECRET_KEY": "only for this test"}


def manage(var, *arguments):
    return subprocess.run(
        [sys.executable, "manage.py", *arguments], cwd=ROOT, capture_output=True, text=True, check=False,
        env=surroundings(var), timeout=300,
    )  # fmt: skip


@pytest.mark.slow
def test_the_way_back_from_a_damaged_database_that_a_command_names_is_one_that_works(tmp_path):
    var = tmp_path / "the var"
    var.mkdir()
    copy_migrated_file(var / "db.sqlite3")
    assert manage(var, "backup").returncode == 0
    (backup,) = (var / "backups").glob("campaign-*.zip")
    for file in var.glob("db.sqlite3*"):
        file.write_bytes(b"no database at all " * 1000)
    refused = manage(var, "migrate")
    assert refused.returncode == 1 and "Traceback" not in refused.stderr
    sentence, _, way = refused.stderr.strip().partition(" backup: ")
    assert sentence.startswith(
        f"The database {var}/db.sqlite3 is damaged. Stop the site, move the file aside"
    )
    assert way.endswith(f"restore '{backup}'")
    done = subprocess.run(
        ["sh", "-c", way.replace("python ", f"{sys.executable} ")], cwd=ROOT, capture_output=True, text=True,
        env=surroundings(var), timeout=300,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0 and "Restored." in done.stdout, done.stderr
    assert manage(var, "migrate", "--check").returncode == 0
