"""Settings that cannot be meant stop the start with one sentence; the others are taken as they were meant."""

import json
import os
import pwd
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from campaign.config.checked_values import CheckedEnv, host_names, site_address
from campaign.config.environment import verify_writable

ROOT = Path(__file__).resolve().parents[3]
START = "from campaign.config.wsgi import application"


def start(code: str, var: Path, **given: str) -> subprocess.CompletedProcess[str]:
    environment = {
        "PATH": os.environ["PATH"], "DJANGO_SETTINGS_MODULE": "campaign.config.settings",
        "AWI_VAR": str(var), "SECRET_KEY": "only for this test", **given,
    }  # fmt: skip
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=False,
        timeout=120,
    )  # fmt: skip


def sentence(var: Path, **given: str) -> str:
    """What a start that is refused prints."""
    done = start(START, var, **given)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    return done.stderr.strip()


def test_a_number_in_words_stops_the_start_with_a_sentence(tmp_path):
    assert (
        sentence(tmp_path, WORKERS="two") == "WORKERS is “two”; write a whole number of 0 or more, such as 2."
    )


def test_a_manage_command_says_the_same(tmp_path):
    code = "import runpy, sys; sys.argv = ['', 'check']; runpy.run_path('manage.py', run_name='__main__')"
    done = start(code, tmp_path, BACKUP_KEEP="many")
    assert (done.returncode, done.stderr.strip()) == (
        1, "BACKUP_KEEP is “many”; write a whole number of 0 or more, such as 14.",
    )  # fmt: skip


def test_the_server_says_the_same_of_its_own_numbers(tmp_path):
    done = start("import campaign.config.gunicorn", tmp_path, WEB_WORKERS="four")
    assert (done.returncode, done.stderr.strip()) == (
        1, "WEB_WORKERS is “four”; write a whole number of 0 or more, such as 1.",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "text", "default", "expected"),
    [
        ("int", "3", 2, 3),
        ("int", " 3 ", 2, 3),
        ("int", "", 2, 2),
        ("float", "0.5", 30.0, 0.5),
        ("float", "", 30.0, 30.0),
        ("bool", "Yes", False, True),
        ("bool", "off", True, False),
        ("bool", "", True, True),
        ("int", "2.5", 2, "X is “2.5”; write a whole number of 0 or more, such as 2."),
        ("int", "-1", 2, "X is “-1”; write a whole number of 0 or more, such as 2."),
        ("float", "nan", 30.0, "X is “nan”; write a number of 0 or more, such as 30.0."),
        ("float", "inf", 30.0, "X is “inf”; write a number of 0 or more, such as 30.0."),
        ("float", "soon", 30.0, "X is “soon”; write a number of 0 or more, such as 30.0."),
        ("bool", "flase", True, "X is “flase”; write true or false."),
    ],
)
def test_numbers_and_switches(monkeypatch, kind, text, default, expected):
    monkeypatch.setenv("X", text)
    if isinstance(expected, str):
        with pytest.raises(ImproperlyConfigured) as refused:
            getattr(CheckedEnv(), kind)("X", default=default)
        assert str(refused.value) == expected
    else:
        assert getattr(CheckedEnv(), kind)("X", default=default) == expected


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("DATABASE_URL", "postgres://gates:sara#toga@db/campaign"),
        ("REDIS_URL", "redis://:sara#toga@redis:6379/0"),
        ("EMAIL_URL", "smtp+tls://club:password#toga@mail.example.org:587"),
    ],
)
def test_a_hash_in_a_password_is_to_be_percent_encoded(tmp_path, name, url):
    told = sentence(tmp_path, **{name: url})
    assert told.startswith(
        f"{name} holds a “#”, which ends an address. Percent-encode it in the password, as %23; likewise"
    )
    assert "toga" not in told


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("DATABASE_URL", "postgres://gates:sara/toga@db:x/campaign"),
        ("DATABASE_URL", "saratoga"),
        ("REDIS_URL", "saratoga:6379"),
        ("REDIS_URL", "redis://:sara/toga@redis"),
        ("EMAIL_URL", "mail.saratoga.example:587"),
        ("EMAIL_URL", "smtp://club:password/toga@mail:25"),
    ],
)
def test_an_address_that_is_none_is_named_without_its_password(tmp_path, name, url):
    told = sentence(tmp_path, **{name: url})
    assert told.startswith(f"{name} is no address that can be used.")
    assert "toga" not in told


SHOW = """
import json
from django.conf import settings as s
print(json.dumps([s.ALLOWED_HOSTS, s.SITE_URL, s.DATABASES["default"].get("PASSWORD")]))
"""


def test_hosts_and_the_site_s_address_are_taken_with_or_without_a_scheme(tmp_path):
    done = start(
        SHOW, tmp_path, ALLOWED_HOSTS="https://campaign.example.org/, club.example.org:8000",
        SITE_URL="campaign.example.org", DATABASE_URL="postgres://gates:sara%23toga@db/campaign",
    )  # fmt: skip
    assert json.loads(done.stdout) == [
        ["campaign.example.org", "club.example.org"], "https://campaign.example.org", "sara#toga",
    ], done.stderr  # fmt: skip


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("campaign.example.org", "campaign.example.org"),
        ("HTTPS://campaign.example.org", "campaign.example.org"),
        ("http://campaign.example.org:8000/path", "campaign.example.org"),
        (".example.org", ".example.org"),
        ("*", "*"),
        ("[::1]", "[::1]"),
        ("http://[::1]:8000", "[::1]"),
        ("192.168.1.20:8000", "192.168.1.20"),
    ],
)
def test_names_of_hosts(given, name):
    assert host_names([given]) == [name]


@pytest.mark.parametrize(
    ("given", "https", "address"),
    [
        ("campaign.example.org", True, "https://campaign.example.org"),
        ("192.168.1.20:8000", False, "http://192.168.1.20:8000"),
        ("http://127.0.0.1:8000/", True, "http://127.0.0.1:8000"),
        ("https://example.org/club/", True, "https://example.org/club"),
    ],
)
def test_the_address_of_the_site(given, https, address):
    assert site_address(given, https) == address


@pytest.mark.parametrize("given", ["ftp://example.org", "https://", "the club"])
def test_an_address_of_the_site_that_is_none(given):
    with pytest.raises(ImproperlyConfigured, match="write the address of the site, such as https://"):
        site_address(given, True)


def test_a_mark_at_the_beginning_of_the_env_file_is_passed_over(tmp_path):
    code = """
import pathlib, sys
import campaign.config.checked_values
found = pathlib.Path(sys.argv[1])
real = pathlib.Path.is_file
from unittest.mock import patch
with patch("pathlib.Path.resolve", lambda path, **_: found / "a" / "b" / "c.py"):
    from campaign.config.environment import env
print(env.str("FIRST"), env.int("WORKERS"))
"""
    (tmp_path / ".env").write_bytes(b"\xef\xbb\xbfFIRST=one\r\nWORKERS=3\r\n")
    done = start(code.replace("sys.argv[1]", repr(str(tmp_path))), tmp_path / "var")
    assert done.stdout.split() == ["one", "3"], done.stderr


@pytest.fixture
def locked_out(monkeypatch):
    """Call it with a path that this account cannot use, and with the number of the account it belongs to."""

    def lock(path, owner):
        access = os.access
        monkeypatch.setattr(os, "access", lambda asked, mode: Path(asked) != path and access(asked, mode))
        monkeypatch.setattr(os, "geteuid", lambda: owner)

    return lock


@pytest.mark.parametrize("name", [".", "db.sqlite3", "broker/queue/message"])
def test_after_a_run_with_sudo_the_command_that_gives_files_back_is_named(tmp_path, locked_out, name):
    var = tmp_path / "the var"
    path = var / name
    var.mkdir()
    path.parent.mkdir(parents=True, exist_ok=True)
    if path != var:
        path.write_text("x")
    locked_out(path, path.stat().st_uid + 4_000_000)
    me = path.stat().st_uid + 4_000_000
    with pytest.raises(ImproperlyConfigured) as refused:
        verify_writable(var)
    owner = pwd.getpwuid(path.stat().st_uid).pw_name
    assert str(refused.value) == (
        f"{path} belongs to {owner}, as after a run with sudo, and {me} cannot write it. "
        f"Give it back: sudo chown -R {me} '{var}'"
    )


def test_a_file_of_one_s_own_that_cannot_be_written(tmp_path, locked_out):
    file = tmp_path / "db.sqlite3"
    file.write_text("x")
    locked_out(file, file.stat().st_uid)
    with pytest.raises(ImproperlyConfigured) as refused:
        verify_writable(tmp_path)
    assert str(refused.value) == f"{file} cannot be written. Allow it: chmod -R u+rwX {tmp_path}"


def test_what_a_disk_or_a_keeper_of_backups_has_of_its_own_is_left_alone(tmp_path, locked_out):
    (tmp_path / "lost+found").mkdir()
    (tmp_path / "backups").mkdir()
    (tmp_path / "backups" / "campaign.zip").write_text("x")
    locked_out(tmp_path / "lost+found", 1)
    locked_out(tmp_path / "backups" / "campaign.zip", 1)
    verify_writable(tmp_path)


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("x")
    told = sentence(tmp_path / "file" / "var")
    assert told == (
        f"The folder {tmp_path}/file/var cannot be made (Not a directory). "
        "Name another in AWI_VAR, or allow it there."
    )


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437"])
def test_a_terminal_without_utf_8_shows_what_it_can(tmp_path, encoding):
    code = (
        "import runpy, sys; sys.argv = ['', 'shell', '--no-imports', '-c', 'print(chr(0x201c), 42)']"
        "; runpy.run_path('manage.py', run_name='__main__')"
    )
    done = start(code, tmp_path, PYTHONIOENCODING=encoding)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[-1] == "42"
