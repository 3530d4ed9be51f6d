"""The house: settings safe by default, demo doors, security headers, set-up steps."""

import ast
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import RequestFactory, override_settings

from campaign.config.demo import doors_open
from tests.conftest import free_port

ROOT = Path(__file__).resolve().parents[1]
HOUSE = ROOT / "tools" / "house.py"

PRINT_SETTINGS = """
import json
from django.conf import settings
names = ["DEBUG", "DEMO", "ALLOWED_HOSTS", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE",
         "SECURE_SSL_REDIRECT", "SECURE_HSTS_SECONDS", "CELERY_BROKER_URL"]
shown = {name: getattr(settings, name) for name in names}
shown["engine"] = settings.DATABASES["default"]["ENGINE"].rpartition(".")[2]
shown["database"] = str(settings.DATABASES["default"]["NAME"])
shown["cache"] = settings.CACHES["default"]["BACKEND"].rpartition(".")[2]
print(json.dumps(shown))
"""


def python(code: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `code` with the real settings, nothing set but what is given."""
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={
            "PATH": os.environ["PATH"],
            "DJANGO_SETTINGS_MODULE": "campaign.config.settings",
            "AWI_VAR": str(folder),
            **environment,
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def settings_with(folder: Path, **environment: str) -> dict:
    process = python(PRINT_SETTINGS, folder, **{"SECRET_KEY": "a key", **environment})
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout)


# --- settings ---


def test_with_nothing_set_the_site_is_shut_tight(tmp_path):
    shown = settings_with(tmp_path)
    assert shown == {
        "DEBUG": False,
        "DEMO": False,
        "ALLOWED_HOSTS": ["127.0.0.1", "localhost", "[::1]"],
        "SESSION_COOKIE_SECURE": True,
        "CSRF_COOKIE_SECURE": True,
        "SECURE_SSL_REDIRECT": True,
        "SECURE_HSTS_SECONDS": 365 * 24 * 3600,
        "CELERY_BROKER_URL": "filesystem://localhost",
        "engine": "sqlite3",
        "database": str(tmp_path / "db.sqlite3"),
        "cache": "FileBasedCache",
    }


def test_without_a_secret_key_the_site_does_not_start_and_says_what_to_do(tmp_path):
    process = python("from django.conf import settings; settings.DEBUG", tmp_path)
    assert process.returncode != 0
    assert "There is no SECRET_KEY. Set it in the environment, or run `make secret`" in process.stderr


def test_a_demo_speaks_plain_http_on_loopback(tmp_path):
    shown = settings_with(tmp_path, AWI_DEMO="1")
    assert shown["DEMO"] is True
    assert shown["SECURE_SSL_REDIRECT"] is False
    assert shown["SESSION_COOKIE_SECURE"] is False


def test_a_database_named_on_purpose_is_never_a_demo(tmp_path):
    shown = settings_with(tmp_path, AWI_DEMO="1", DATABASE_URL=f"sqlite:///{tmp_path / 'club.sqlite3'}")
    assert shown["DEMO"] is False
    assert shown["SECURE_SSL_REDIRECT"] is True


def test_postgresql_and_redis_by_their_addresses_alone(tmp_path):
    redis = "redis://127.0.0.1:6379/0"
    shown = settings_with(tmp_path, DATABASE_URL="postgres://gates@db/campaign", REDIS_URL=redis)
    assert (shown["engine"], shown["database"]) == ("postgresql", "campaign")
    assert (shown["CELERY_BROKER_URL"], shown["cache"]) == (redis, "RedisCache")


def test_sqlite_writes_ahead_waits_and_keeps_foreign_keys(tmp_path):
    code = """
import django
django.setup()
from django.db import connection
with connection.cursor() as cursor:
    for name in ("journal_mode", "busy_timeout", "foreign_keys"):
        print(cursor.execute(f"PRAGMA {name}").fetchone()[0])
print(connection.transaction_mode)
"""
    process = python(code, tmp_path, SECRET_KEY="a key")
    assert process.stdout.split() == ["wal", "20000", "1", "IMMEDIATE"], process.stderr


def test_pages_and_commands_that_do_not_fight_do_not_load_the_compiler(tmp_path):
    code = """
import sys
import django
django.setup()
import campaign.config.urls, campaign.tasks
print([name for name in ("numba", "llvmlite") if name in sys.modules])
"""
    process = python(code, tmp_path, SECRET_KEY="a key")
    assert process.stdout.strip() == "[]", process.stderr


# --- demo doors ---

LOCAL = {"REMOTE_ADDR": "127.0.0.1", "HTTP_HOST": "127.0.0.1:8000"}


@pytest.mark.parametrize(
    ("change", "open_"),
    [
        ({}, True),
        ({"HTTP_HOST": "localhost:8000"}, True),
        ({"REMOTE_ADDR": "::1", "HTTP_HOST": "[::1]:8000"}, True),
        ({"REMOTE_ADDR": "192.168.1.20"}, False),
        ({"REMOTE_ADDR": ""}, False),
        ({"HTTP_HOST": "club.example.org"}, False),
        ({"HTTP_HOST": "127.0.0.1.example.org"}, False),
        ({"HTTP_HOST": ""}, False),
        ({"HTTP_X_FORWARDED_FOR": "203.0.113.9"}, False),
        ({"HTTP_FORWARDED": "for=203.0.113.9"}, False),
    ],
)
def test_demo_doors_open_on_loopback_only(change, open_):
    request = RequestFactory().get("/", **{**LOCAL, **change})
    with override_settings(DEMO=True):
        assert doors_open(request) is open_


def test_demo_doors_stay_shut_on_a_database_that_is_no_demo():
    with override_settings(DEMO=False):
        assert doors_open(RequestFactory().get("/", **LOCAL)) is False


# --- what every answer carries ---


def policy(response) -> dict[str, str]:
    parts = response["Content-Security-Policy"].split("; ")
    return dict(part.partition(" ")[::2] for part in parts)


@pytest.mark.django_db
def test_health_answers_when_the_database_does(client):
    response = client.get("/health/")
    assert (response.status_code, response.content) == (200, b"ok\n")
    assert client.post("/health/").status_code == 405


@pytest.mark.django_db
def test_pages_allow_scripts_and_styles_of_this_site_only(client):
    sources = policy(client.get("/health/"))
    assert sources["default-src"] == "'none'"
    assert sources["script-src"] == "'self'"
    assert sources["style-src"] == "'self'"
    assert sources["frame-ancestors"] == "'none'"


@pytest.mark.django_db
def test_the_admin_alone_may_evaluate_scripts(client):
    umpire = get_user_model().objects.create_superuser("carleton", password="quebec")
    client.force_login(umpire)
    response = client.get("/admin/")
    assert response.status_code == 200
    sources = policy(response)
    assert sources["script-src"] == "'self' 'unsafe-eval'"
    assert "'unsafe-inline'" in sources["style-src"]
    assert sources["default-src"] == "'none'"


@pytest.mark.django_db
def test_the_user_model_is_the_campaigns_own():
    assert get_user_model()._meta.label == "campaign.User"
    assert "campaign_user" in connection.introspection.table_names()


@pytest.mark.django_db
def test_the_icon_of_the_site_stands_in_the_admin_too(client):
    assert client.get("/favicon.ico").headers["Location"] == "/static/img/favicon.svg"
    client.force_login(get_user_model().objects.create_superuser("carleton", password="quebec"))
    assert '<link rel="icon" href="/static/img/favicon.svg"' in client.get("/admin/").content.decode()


# --- the files of the house ---

OURS = ("rosters", "battles", "campaign", "tests")


def imports(file: Path) -> set[str]:
    """Top-level names that `file` imports, at its head or inside functions."""
    return {
        ((node.module or "") if isinstance(node, ast.ImportFrom) else alias.name).split(".")[0]
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Import) or (isinstance(node, ast.ImportFrom) and not node.level)
        for alias in node.names
    }


def test_every_requirement_is_pinned_exactly():
    lines = [
        line
        for line in (ROOT / "requirements.txt").read_text().splitlines()
        if line and not line.startswith("#")
    ]
    assert lines
    assert [line for line in lines if not re.fullmatch(r"[A-Za-z0-9_.-]+(\[\w+\])?==[\w.]+", line)] == []


def test_every_package_imported_is_pinned():
    pinned = {
        re.split(r"[\[=]", line)[0].lower().replace("_", "-")
        for line in (ROOT / "requirements.txt").read_text().splitlines()
        if "==" in line
    }
    installed = packages_distributions()
    files = [file for folder in OURS for file in (ROOT / folder).rglob("*.py")]
    imported = set().union(*(imports(file) for file in files)) - sys.stdlib_module_names - {*OURS}
    assert imported
    missing = {
        name
        for name in imported
        if not any(each.lower().replace("_", "-") in pinned for each in installed.get(name, [name]))
    }
    assert missing == set()


def test_package_files_are_empty_but_for_the_celery_application():
    full = [
        str(file.relative_to(ROOT))
        for package in ("rosters", "battles", "campaign")
        for file in sorted((ROOT / package).rglob("__init__.py"))
        if file.read_text().strip()
    ]
    assert full == ["campaign/config/__init__.py"]


def test_help_lists_every_target_with_a_line():
    makefile = (ROOT / "Makefile").read_text()
    declared = re.search(r"^\.PHONY: (.+)$", makefile, re.MULTILINE)
    assert declared is not None
    listed = subprocess.run(
        [sys.executable, HOUSE, "targets"], capture_output=True, text=True, check=True
    ).stdout
    names = [line.split()[1] for line in listed.splitlines()]
    assert set(names) == set(declared[1].split()) - {"prepare", "port"}
    assert all(len(line.split()) > 3 for line in listed.splitlines())


def test_the_set_up_tool_needs_nothing_but_python_itself():
    assert imports(HOUSE) <= sys.stdlib_module_names


def test_the_secret_key_is_written_once_and_for_its_owner_only(tmp_path):
    environment = {"PATH": os.environ["PATH"], "AWI_VAR": str(tmp_path / "var")}
    keys = []
    for _ in range(2):
        subprocess.run([sys.executable, HOUSE, "secret"], env=environment, check=True)
        keys.append((tmp_path / "var" / "secret-key").read_text())
    assert keys[0] == keys[1]
    assert len(keys[0]) > 50
    assert (tmp_path / "var" / "secret-key").stat().st_mode & 0o777 == 0o600


def test_a_process_that_dies_is_started_again_and_one_told_to_stop_is_not(tmp_path):
    log = tmp_path / "starts"
    code = f"""
import os, signal, time
with open({str(log)!r}, "a") as log:
    log.write("start\\n")
if open({str(log)!r}).read().count("start") == 1:
    os.kill(os.getpid(), signal.SIGKILL)
time.sleep(60)
"""
    keeper = subprocess.Popen([sys.executable, HOUSE, "keep", sys.executable, "-c", code])
    try:
        deadline = time.monotonic() + 20
        while not (log.exists() and log.read_text().count("start") == 2):
            assert time.monotonic() < deadline, "the process was not started again"
            time.sleep(0.05)
        keeper.send_signal(signal.SIGTERM)
        keeper.wait(timeout=10)
    finally:
        keeper.kill()
        keeper.wait()
    assert log.read_text().count("start") == 2


# --- serving ---


def test_a_port_in_use_is_told_in_a_sentence_and_nothing_is_started():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        number = taken.getsockname()[1]
        process = subprocess.run(
            ["make", "run", f"PORT={number}"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
    assert process.returncode != 0
    assert f"The site cannot open at 127.0.0.1:{number} (Address already in use)" in process.stderr
    assert "Campaign" not in process.stdout and "started" not in process.stdout


@pytest.mark.parametrize("bind", ["127.0.0.1:ninety", "127.0.0.1:0", "127.0.0.1:99999"])
def test_a_port_that_is_none_is_told(bind):
    process = subprocess.run(
        [sys.executable, HOUSE, "port"],
        env={**os.environ, "AWI_BIND": bind},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 1
    assert "is no port; choose one from 1 to 65535" in process.stderr


@pytest.mark.parametrize("bind", ["127.0.0.1:{}", "0.0.0.0:{}", "unix:/run/campaign.sock"])
def test_a_free_port_is_taken(bind):
    environment = {**os.environ, "AWI_BIND": bind.format(free_port())}
    subprocess.run([sys.executable, HOUSE, "port"], env=environment, check=True)


SLEEPER = """
import os, sys, time
open(f"up-{os.getpid()}", "w").close()
print("up", flush=True)
time.sleep(120)
"""


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("end", ["the pipe closes", "told to stop"])
def test_serving_leaves_no_process_behind(tmp_path, end):
    (tmp_path / "sleeper.py").write_text(SLEEPER)
    start = f"exec {sys.executable} sleeper.py"
    (tmp_path / "Procfile").write_text(f"web: {start}\nbeat: {start}\n")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    serving = subprocess.Popen(
        [sys.executable, HOUSE, "serve"],
        cwd=tmp_path,
        env={**os.environ, "PATH": path, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
    )
    try:
        assert serving.stdout is not None
        printed = b""
        while printed.count(b"up\n") < 2:
            line = serving.stdout.readline()
            assert line, "it ended by itself"
            printed += line
        children = [int(file.name.removeprefix("up-")) for file in tmp_path.glob("up-*")]
        assert len(children) == 2 and all(alive(child) for child in children)
        # From here on nobody prints anything: the closed pipe must be noticed all the same.
        if end == "the pipe closes":
            serving.stdout.close()
        else:
            serving.terminate()
        serving.wait(timeout=15)
    finally:
        serving.terminate()
        serving.wait(timeout=15)
    assert [child for child in children if alive(child)] == []
