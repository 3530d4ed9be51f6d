"""Health and readiness: 503 when a part fails; which one, only to those who may watch, without addresses."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db.migrations.recorder import MigrationRecorder
from django.test import override_settings
from django.utils import timezone

from campaign.config import health
from campaign.models import Heartbeat
from campaign.services.turns.outages import CLOCK, stroke_note
from tests.servers import free_port

pytestmark = pytest.mark.django_db
PARTS = ["database", "migrations", "broker", "cache", "disk", "clock"]


@pytest.fixture(autouse=True)
def watched(settings) -> None:
    settings.METRICS_TOKEN = "of the figures"


def told(client) -> tuple[int, dict[str, str]]:
    answer = client.get("/ready/", headers={"Authorization": "Bearer of the figures"})
    assert answer["Content-Type"] == "text/plain" and "no-store" in answer["Cache-Control"]
    return answer.status_code, dict(line.split(": ", 1) for line in answer.content.decode().splitlines())


def test_a_site_that_is_ready_says_so_of_each_part(client):
    assert told(client) == (200, dict.fromkeys(PARTS, "ok"))
    assert client.post("/ready/").status_code == 405


@pytest.mark.parametrize(("free", "status", "said"), [(1, 200, "ready\n"), (10**9, 503, "not ready\n")])
def test_strangers_hear_only_whether_it_is_ready_and_the_log_says_why(client, caplog, free, status, said):
    with override_settings(DISK_FREE_MB=free):
        for asked in ({}, {"headers": {"Authorization": "Bearer guessed"}}, {"HTTP_X_FORWARDED_FOR": "::1"}):
            answer = client.get("/ready/", **asked)
            assert (answer.status_code, answer.content.decode()) == (status, said)
    assert ("MB are free" in caplog.text) == (status == 503)


def test_the_networks_that_may_read_the_figures_are_told_too(client, settings):
    settings.METRICS_ADDRESSES = ["127.0.0.0/8"]
    assert "disk: ok" in client.get("/ready/").content.decode()


def test_a_migration_that_is_not_applied_is_counted(client):
    MigrationRecorder.Migration.objects.get(app="campaign", name="0041_armies_of_drafts").delete()
    status, parts = told(client)
    assert status == 503 and parts["migrations"] == "1 are not applied; run manage.py migrate"
    assert parts["database"] == "ok"


def test_a_database_of_the_replaced_migrations_is_ready_without_the_squashed_one(client):
    MigrationRecorder.Migration.objects.get(app="campaign", name__contains="_squashed_").delete()
    assert told(client)[0] == 200


def test_a_newer_release_beside_this_one_is_no_fault(client):
    MigrationRecorder.Migration.objects.create(app="campaign", name="9999_of_a_newer_release")
    assert told(client)[0] == 200


def test_a_broker_that_is_gone_is_told_without_its_address(client):
    port = free_port()
    with override_settings(REDIS_URL=f"redis://user:password@127.0.0.1:{port}/0"):
        status, parts = told(client)
    assert status == 503 and parts["broker"] == "does not answer; the log says why"
    assert str(port) not in str(parts) and "password" not in str(parts)


def test_a_queue_that_cannot_be_written_is_told(client, tmp_path):
    with override_settings(CELERY_BROKER_TRANSPORT_OPTIONS={"data_folder_out": str(tmp_path / "gone")}):
        assert told(client)[1]["broker"] == "its folder cannot be written"


def test_a_cache_that_forgets_and_a_full_disk_are_told(client, monkeypatch):
    monkeypatch.setattr(type(cache._connections["default"]), "get", lambda *_, **__: None)
    with override_settings(DISK_FREE_MB=10**9):
        status, parts = told(client)
    assert status == 503 and parts["cache"] == "forgets what it is given"
    assert "MB are free, of 1000000000 MB wanted" in parts["disk"]


def test_a_part_that_breaks_does_not_hide_the_others(client, monkeypatch):
    def broken() -> None:
        raise OSError("/secret/path")

    monkeypatch.setitem(health.PARTS, "database", broken)
    status, parts = told(client)
    assert status == 503 and parts["database"] == "does not answer; the log says why"
    assert [parts[name] for name in PARTS[1:]] == ["ok"] * 5


def test_monitors_are_answered_over_plain_http(client):
    with override_settings(SECURE_SSL_REDIRECT=True):
        assert client.get("/ready/").status_code == 200
        assert client.get("/health/").status_code == 200
        assert client.get("/metrics").status_code == 404
        assert client.get("/sign-in/").status_code == 301


@pytest.mark.parametrize(
    ("beat", "said"),
    [
        (-timedelta(hours=3), "The clock has been silent since"),
        (timedelta(hours=3), "which is still to come: the time of this machine was set back."),
    ],
    ids=["silent", "to come"],
)
def test_a_clock_that_stops_is_a_warning_and_keeps_nobody_out(client, beat, said):
    Heartbeat.objects.create(name=CLOCK, beat_at=timezone.now() + beat)
    status, parts = told(client)
    assert status == 200 and parts["clock"].startswith("warning: ") and said in parts["clock"]
    assert "Look whether beat and a worker run." in parts["clock"]
    assert client.get("/ready/").content.decode() == "ready, with warnings\n"


def test_a_time_that_was_set_back_is_told_for_a_day_although_the_clock_goes_on(client):
    stroke_note(now=timezone.now() + timedelta(hours=3))
    stroke_note(now=timezone.now())
    status, parts = told(client)
    assert status == 200
    assert "warning: The time of this machine was set back from" in parts["clock"]
    assert "Check that it is right (timedatectl)" in parts["clock"]
    Heartbeat.objects.filter(name__startswith="set back").update(beat_at=timezone.now() - timedelta(days=2))
    assert told(client)[1]["clock"] == "ok"
