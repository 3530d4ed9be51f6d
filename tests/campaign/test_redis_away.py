"""A Redis that is stopped, hangs or comes back: pages go on, what needs it says so, no work is lost."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as totp
from django.contrib.sessions.models import Session
from django.core.cache import caches
from django.test import Client

from campaign.config.settings import caches_of
from campaign.models import Job
from campaign.ops import site_cache
from campaign.ops.site_cache import CacheAway, get_shared_cache
from campaign.services.jobs.jobs import QUEUE_AWAY
from tests.campaign.api.program import Program, problem
from tests.campaign.test_jobs_worker import Site
from tests.conftest import left_out_here
from tests.factories.people import authenticator_shows
from tests.servers import Redis, ServerMissing, rows_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture
def redis() -> Iterator[Redis]:
    try:
        server = Redis()
    except ServerMissing as missing:
        left_out_here(str(missing))
    with server:
        yield server
        if server.process is None:
            server.start()


@pytest.fixture
def site(redis: Redis, settings, monkeypatch) -> Redis:
    """This process serves a site whose caches are in that Redis."""
    settings.REDIS_URL = redis.url
    settings.CACHES = caches_of(redis.url, Path("/nowhere"))
    monkeypatch.setattr(site_cache, "REST", 0.2)
    return redis


@pytest.fixture
def crown_program(burgoyne, saratoga) -> Program:
    return Program(burgoyne)


def hung(server: Redis) -> None:
    """It takes connections and answers none."""
    assert server.process is not None
    os.kill(server.process.pid, signal.SIGSTOP)


def goes_on(server: Redis) -> None:
    assert server.process is not None
    os.kill(server.process.pid, signal.SIGCONT)


def told(client: Client) -> dict[str, str]:
    answer = client.get("/ready/", headers={"Authorization": "Bearer of the figures"})
    lines = dict(line.split(": ", 1) for line in answer.content.decode().splitlines())
    assert (answer.status_code == 200) == (set(lines.values()) == {"ok"})
    return lines


def test_pages_go_on_while_it_is_away_and_it_is_not_ready(site, settings, crown, burgoyne, caplog):
    settings.METRICS_TOKEN = "of the figures"
    assert crown.get("/campaigns/saratoga/").status_code == 200
    assert told(Client())["cache"] == "ok"
    site.stop()
    for page in ("/", "/campaigns/saratoga/", "/campaigns/saratoga/journal/", "/campaigns/new/", "/account/"):
        assert crown.get(page, follow=True).status_code == 200, page
    assert crown.get("/campaigns/saratoga/").context["user"] == burgoyne
    new = Client()
    entered = {"login": "burgoyne", "password": "Gentleman Johnny"}
    assert new.post("/sign-in/", entered)["Location"] == "/"
    assert new.get("/campaigns/saratoga/").status_code == 200
    found = told(Client())
    assert found["cache"] == found["broker"] == "does not answer; the log says why"
    assert caplog.text.count("pages go on without it") == 1, "once a minute, not for each page"
    site.start()
    time.sleep(0.3)
    assert new.get("/campaigns/saratoga/").status_code == 200
    assert told(Client())["cache"] == "ok" and "answers again" in caplog.text


def test_one_that_hangs_holds_a_page_up_once(site, crown, monkeypatch):
    monkeypatch.setattr(site_cache, "REST", 30.0)
    crown.get("/campaigns/saratoga/")
    hung(site)
    try:
        began = time.monotonic()
        assert crown.get("/campaigns/saratoga/").status_code == 200
        assert time.monotonic() - began < 4 * site_cache.PATIENCE + 10
        began = time.monotonic()
        assert crown.get("/campaigns/saratoga/").status_code == 200
        assert time.monotonic() - began < site_cache.PATIENCE + 10
    finally:
        goes_on(site)


def test_who_signs_out_meanwhile_is_signed_out_when_it_is_back(site, crown, settings):
    crown.get("/campaigns/saratoga/")
    kept = crown.cookies[settings.SESSION_COOKIE_NAME].value
    again = Client()
    again.cookies[settings.SESSION_COOKIE_NAME] = kept
    assert caches["sessions"].get(f"django.contrib.sessions.cached_db{kept}")
    hung(site)
    try:
        crown.post("/sign-out/")
        assert not Session.objects.filter(pk=kept).exists()
        assert again.get("/campaigns/saratoga/").status_code == 302
    finally:
        goes_on(site)
    time.sleep(0.3)
    assert again.get("/campaigns/saratoga/").status_code == 302
    assert caches["sessions"].get(f"django.contrib.sessions.cached_db{kept}") is None


def test_what_is_counted_is_counted_by_each_process_meanwhile(site, settings, crown_program, one_minute):
    settings.API_PERSON_A_MINUTE = 3
    site.stop()
    found = [crown_program.get("me/").status_code for _ in range(6)]
    assert found[0] == 200 and found[-1] == 429


def test_a_code_is_taken_only_where_all_can_be_told_that_it_was_used(site, burgoyne, settings):
    secret = totp.generate_totp_secret()
    totp.TOTP.activate(burgoyne, secret)
    code = authenticator_shows(secret)
    client = Client()
    client.post("/sign-in/", {"login": "burgoyne", "password": "Gentleman Johnny"})
    site.stop()
    answer = client.post("/account/two-factor/authenticate/", {"code": code})
    assert answer.status_code == 200
    assert "a part of the site does not answer" in answer.content.decode()
    site.start()
    time.sleep(0.3)
    assert client.post("/account/two-factor/authenticate/", {"code": code}).status_code == 302
    assert Authenticator.objects.get(user=burgoyne).last_used_at is not None


def test_what_a_worker_must_find_is_refused_in_words(site, crown, crown_program, battle):
    site.stop()
    answer = crown.post(f"/campaigns/saratoga/battles/{battle.pk}/pack.pdf")
    assert answer.status_code == 503 and "does not answer just now" in answer.content.decode()
    given = crown.post(f"/campaigns/saratoga/battles/{battle.pk}/pack.pdf", headers={"HX-Request": "true"})
    assert (given.status_code, given["Content-Type"]) == (503, "text/plain; charset=utf-8")
    problem(crown_program.post(f"campaigns/saratoga/battles/{battle.pk}/pack/", {}), 503, "not-ready")
    with pytest.raises(CacheAway):
        get_shared_cache().set("anything", 1)
    assert not Job.objects.exists()


ASK = """
import django
django.setup()
from django.db import transaction
from campaign.models import Job
from campaign.services.jobs.jobs import job_request
from time import monotonic
began = monotonic()
for key in ("levy of Albany County", "levy of Tryon County"):
    with transaction.atomic():
        job_request(kind="slow levy", key=key, payload={"endless": False})
print(monotonic() - began)
"""


def test_work_asked_for_while_the_queue_is_away_is_kept_says_so_and_is_done(redis, tmp_path, new_database):
    club = Site(tmp_path, new_database(), redis.url)
    redis.stop()
    took = float(club.run("-c", ASK))
    assert set(rows_of(club.database_url, "SELECT state, note FROM campaign_job")) == {("queued", QUEUE_AWAY)}
    assert took < 30
    redis.start()
    with club.beat(), club.worker():
        club.wait("both", lambda jobs: {job.state for job in jobs.values()} == {"done"}, 180)
    assert QUEUE_AWAY not in {note for (note,) in rows_of(club.database_url, "SELECT note FROM campaign_job")}
