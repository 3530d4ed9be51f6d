"""The site's settings are safe by default, demo doors open on demos only, and headers are strict."""

import getpass
import json
import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import RequestFactory, override_settings

from campaign.ops.demo import doors_open, doors_token

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


def test_two_clones_of_the_same_files_have_one_digest(tmp_path):
    digest = runpy.run_path(str(HOUSE))["digest"]
    found = []
    for clone in (tmp_path / "here", tmp_path / "there" / "deeper"):
        files = [clone / "static" / "a.css", clone / "b.txt"]
        for file in files:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(file.name)
        found += [digest(files, clone), digest(files[::-1], clone)]
    assert len(set(found)) == 1
    files[1].rename(clone / "c.txt")
    assert digest([files[0], clone / "c.txt"], clone) != found[0]
    assert digest([HOUSE]) == digest([HOUSE], ROOT) != digest([HOUSE], HOUSE.parent)


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
        "CELERY_BROKER_URL": "folder://localhost",
        "engine": "sqlite3",
        "database": str(tmp_path / "db.sqlite3"),
        "cache": "FileCache",
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


def test_a_club_s_network_is_never_a_demo(tmp_path):
    shown = settings_with(tmp_path, AWI_DEMO="1", AWI_LAN="1", HTTPS="false", ALLOWED_HOSTS="192.168.1.20")
    assert shown["DEMO"] is False and shown["ALLOWED_HOSTS"] == ["192.168.1.20"]
    assert shown["SESSION_COOKIE_SECURE"] is False, "phones of the club come by plain http"


def test_a_database_named_on_purpose_is_never_a_demo(tmp_path):
    shown = settings_with(tmp_path, AWI_DEMO="1", DATABASE_URL=f"sqlite:///{tmp_path / 'club.sqlite3'}")
    assert shown["DEMO"] is False
    assert shown["SECURE_SSL_REDIRECT"] is True


def test_postgresql_and_redis_by_their_addresses_alone(tmp_path):
    redis = "redis://127.0.0.1:6379/0"
    shown = settings_with(tmp_path, DATABASE_URL="postgres://gates@db/campaign", REDIS_URL=redis)
    assert (shown["engine"], shown["database"]) == ("postgresql", "campaign")
    assert (shown["CELERY_BROKER_URL"], shown["cache"]) == (redis, "CountedCache")


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


@pytest.mark.slow
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
        ({"HTTP_COOKIE": ""}, False),
        ({"HTTP_COOKIE": "demo=guessed"}, False),
        ({"SERVER_PROTOCOL": "HTTP/1.0"}, False),  # nginx speaks it to whom it serves, browsers never
        *(
            ({f"HTTP_{name}": "something"}, False)
            for name in (
                "FORWARDED", "X_FORWARDED_FOR", "X_FORWARDED_HOST", "X_FORWARDED_PROTO", "X_FORWARDED_PORT",
                "X_FORWARDED_SERVER", "X_FORWARDED_SSL", "X_REAL_IP", "VIA", "CF_CONNECTING_IP", "CF_RAY",
                "CDN_LOOP", "TRUE_CLIENT_IP", "X_CLIENT_IP", "X_CLUSTER_CLIENT_IP", "X_ORIGINAL_HOST",
                "X_ORIGINATING_IP", "X_REQUEST_START", "X_ENVOY_EXTERNAL_ADDRESS", "FASTLY_CLIENT_IP",
                "FLY_CLIENT_IP", "X_AMZN_TRACE_ID", "X_AMZ_CF_ID", "X_AZURE_CLIENTIP", "X_ARR_SSL",
                "TAILSCALE_USER_LOGIN", "X_SCHEME", "FRONT_END_HTTPS", "PROXY_CONNECTION", "X_PROXYUSER_IP",
            )
        ),
    ],
)  # fmt: skip
def test_demo_doors_open_on_loopback_without_any_sign_of_a_proxy_and_with_the_token(change, open_):
    with override_settings(DEMO=True):
        token = {"HTTP_COOKIE": f"demo={doors_token()}"}
        assert doors_open(RequestFactory().get("/", **{**LOCAL, **token, **change})) is open_


def test_demo_doors_stay_shut_on_a_database_that_is_no_demo():
    with override_settings(DEMO=False):
        token = {"HTTP_COOKIE": f"demo={doors_token()}"}
        assert doors_open(RequestFactory().get("/", **LOCAL, **token)) is False


def test_the_token_of_the_demo_doors_is_this_installation_s():
    here = doors_token()
    assert len(here) >= 20 and here == doors_token()
    with override_settings(SECRET_KEY="another"):
        assert doors_token() != here


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


@pytest.mark.parametrize("existing", [False, True], ids=["new", "left open by an older release"])
def test_what_is_in_var_is_its_owner_s_alone(tmp_path, existing):
    var = tmp_path / "var"
    if existing:
        (var / "backups").mkdir(parents=True, mode=0o755)
        for name in ("db.sqlite3", "media.jpg", "backups/campaign.zip"):
            (var / name).write_text("")
            (var / name).chmod(0o644)
        var.chmod(0o755)
    code = """
import os
os.umask(0o022)
import django
django.setup()
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import connection
connection.cursor().execute("CREATE TABLE x (y)")
default_storage.save("photographs/one.jpg", ContentFile(b"x"))
print("done")
"""
    process = python(code, var, SECRET_KEY="a key")
    assert process.stdout.strip() == "done", process.stderr
    made = [var, *var.rglob("*")]
    assert {var / "db.sqlite3", var / "media/photographs/one.jpg"} <= set(made)
    assert [str(path) for path in made if path.stat().st_mode & 0o077] == []


def test_gathering_static_files_says_how_far_it_is():
    """Nothing was printed for minutes, and one thought it hung."""
    house = runpy.run_path(str(HOUSE))
    lines = [f"Copying '/static/{at}.css'" for at in range(150)] + ["Found another file"] * 3
    lines += [f"Post-processed '{at}.css' as '{at}.f00.css'" for at in range(160)]
    assert house["GATHERED"] == 100
    assert list(house["report_gathering"](lines)) == [
        "  100 static files copied, 0 named and compressed",
        "  150 static files copied, 50 named and compressed",
        "  150 static files copied, 150 named and compressed",
        "  150 static files copied, 160 named and compressed: done",
    ]


def test_static_files_are_left_to_every_account(tmp_path):
    code = """
import os, sys
sys.argv = ["manage.py", "collectstatic"]
os.umask(0o022)
import campaign.config.environment
print(oct(os.umask(0)))
"""
    assert python(code, tmp_path, SECRET_KEY="a key").stdout.strip() == "0o22"


@pytest.mark.parametrize(("step", "lists"), [("environment", 1), ("tests", 2)])
def test_running_needs_one_list_of_packages_and_tests_both(tmp_path, step, lists):
    """`make run` installs what a site needs, `make test` the rest; the second time neither does anything."""
    (tmp_path / "tools").mkdir()
    names = ("requirements.txt", "requirements-tests.txt")
    for name in ("tools/house.py", *names):
        shutil.copy(ROOT / name, tmp_path / name)
    told = tmp_path / "told"
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\necho "$@" >> {told}\n')
    python.chmod(0o755)
    for _ in range(2):
        subprocess.run([sys.executable, tmp_path / "tools" / "house.py", step], check=True, timeout=60)
    [line] = told.read_text().splitlines()
    assert [name for name in names if f"-r {tmp_path / name}" in line] == list(names[:lists])


def test_folders_of_another_account_are_told_with_the_command_that_gives_them_back(tmp_path):
    """After one run with sudo. Whoever runs this may be root, to whom every folder is open."""
    code = (
        "import os, sys; sys.path.insert(0, 'tools'); import house; os.access = lambda *_: False; "
        "house.verify_owner(__import__('pathlib').Path(sys.argv[1]))"
    )
    process = subprocess.run(
        [sys.executable, "-c", code, tmp_path],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert process.returncode == 1
    assert process.stderr.startswith(f"{tmp_path} belongs to another account")
    assert process.stderr.rstrip().endswith(f"sudo chown -R {getpass.getuser()} {tmp_path}")
