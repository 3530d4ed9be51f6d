"""With neither database nor Redis to be reached every address still answers in the site's own words."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers import free_port

ROOT = Path(__file__).resolve().parents[3]
pytestmark = pytest.mark.slow

#: Each is asked as by somebody who has a session, who must be looked up.
ASK = """
import json, sys
import django
django.setup()
from django.conf import settings
from django.test import Client
client = Client(raise_request_exception=False)
client.cookies[settings.SESSION_COOKIE_NAME] = "a" * 32
found = {}
for path in sys.argv[1:]:
    answer = client.get(path, headers={"Host": "localhost"})
    found[path] = answer.status_code, answer["Content-Type"], answer.content.decode()
print(json.dumps(found))
"""
PAGE = "text/html; charset=utf-8"
PROBLEM = "application/problem+json"


@pytest.fixture(scope="module")
def found(tmp_path_factory) -> dict[str, list]:
    """What the served site answers, by address."""
    folder, port = tmp_path_factory.mktemp("site"), free_port()
    environment = {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "campaign.config.settings",
        "SECRET_KEY": "only for this test",
        "HTTPS": "false",
        "AWI_VAR": str(folder),
        "DATABASE_URL": f"postgres://nobody:nothing@127.0.0.1:{port}/nowhere",
        "REDIS_URL": f"redis://127.0.0.1:{port}/0",
    }
    paths = ["/no/such/page/", "/", "/api/v1/nothing/", "/api/v1/me/", "/api/nothing", "/health/", "/ready/"]
    done = subprocess.run(
        [sys.executable, "-c", ASK, *paths],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


def test_an_unknown_address_is_the_page_that_says_so(found):
    status, kind, body = found["/no/such/page/"]
    assert (status, kind) == (404, PAGE)
    assert "There is no such page" in body and "Traceback" not in body


def test_a_page_is_the_one_that_says_the_fault_is_ours(found):
    status, kind, body = found["/"]
    assert (status, kind) == (503, PAGE)
    assert "Traceback" not in body and "127.0.0.1" not in body


def test_programs_get_problems(found):
    for path, status, code in (
        ("/api/v1/nothing/", 404, "not-found"),
        ("/api/nothing", 404, "not-found"),
        ("/api/v1/me/", 503, "not-ready"),
    ):
        assert found[path][:2] == [status, PROBLEM], path
        assert json.loads(found[path][2])["type"] == f"/api/v1/problems/{code}/"
        assert "127.0.0.1" not in found[path][2]


def test_it_is_not_ready(found):
    assert found["/ready/"] == [503, "text/plain", "not ready\n"]
    assert found["/health/"][0] == 503
