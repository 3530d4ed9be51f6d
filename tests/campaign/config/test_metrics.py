"""Figures for Prometheus: what they count, and who may read them."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import override_settings
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from campaign.models import Delivery, Heartbeat, Job, Notice, NoticeChannel, User, WorkTime
from campaign.services.jobs.jobs import job_claim, job_request
from campaign.services.jobs.work_times import _count_attempt as count
from campaign.services.setup.campaigns import campaign_create

pytestmark = pytest.mark.django_db
TOKEN = {"HTTP_AUTHORIZATION": "Bearer of the figures"}


@pytest.fixture(autouse=True)
def fresh(settings):
    settings.METRICS_TOKEN = "of the figures"
    cache.clear()


def figures(client) -> dict[tuple[str, ...], float]:
    answer = client.get("/metrics", **TOKEN)
    assert answer.status_code == 200 and answer["Content-Type"].startswith("text/plain")
    cache.clear()
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(answer.content.decode())
        for sample in family.samples
    }


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({}, 404),
        ({"REMOTE_ADDR": "10.1.2.3"}, 200),
        ({"REMOTE_ADDR": "10.2.0.1"}, 404),
        ({"REMOTE_ADDR": ""}, 404),
        ({"REMOTE_ADDR": "10.1.2.3", "HTTP_X_FORWARDED_FOR": "10.1.2.3"}, 404),
        ({"REMOTE_ADDR": "10.1.2.3", "HTTP_FORWARDED": "for=10.1.2.3"}, 404),
        ({"HTTP_AUTHORIZATION": "Bearer of the figures"}, 200),
        ({"HTTP_AUTHORIZATION": "Basic of the figures"}, 404),
        ({"HTTP_AUTHORIZATION": "Bearer öf"}, 404),
        ({"HTTP_AUTHORIZATION": "Bearer "}, 404),
    ],
)
def test_figures_are_for_named_networks_and_the_bearer_of_the_token(client, asked, status):
    with override_settings(METRICS_ADDRESSES=["10.1.0.0/16"]):
        answer = client.get("/metrics", **asked)
    assert answer.status_code == status


def test_behind_a_trusted_proxy_the_address_it_adds_counts(client):
    with override_settings(METRICS_ADDRESSES=["10.1.0.0/16"], TRUSTED_PROXY=True):
        told = {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "10.1.2.3, 192.0.2.7"}
        assert client.get("/metrics", **told).status_code == 404
        told["HTTP_X_FORWARDED_FOR"] = "192.0.2.7, 10.1.2.3"
        assert client.get("/metrics", **told).status_code == 200


def test_with_nothing_set_there_is_no_such_page_for_anybody(client, settings):
    settings.METRICS_TOKEN = ""
    assert client.get("/metrics", HTTP_AUTHORIZATION="Bearer ").status_code == 404
    assert client.get("/metrics", REMOTE_ADDR="127.0.0.1").status_code == 404


def test_requests_are_counted_by_route_and_status(client):
    client.force_login(User.objects.create_user("gates"))
    before = figures(client)
    client.get("/campaigns/there-is-none/")
    client.get("/campaigns/nor-this-one/")
    client.get("/wp-login.php?user=1")
    after = figures(client)
    name = "campaign_requests_total"
    missing = (name, "GET", "campaign", "404")
    assert after[missing] - before.get(missing, 0) == 2
    assert after[name, "GET", "unknown", "404"] - before.get((name, "GET", "unknown", "404"), 0) == 1
    timed = ("campaign_request_seconds_count", "campaign")
    assert after[timed] - before.get(timed, 0) == 2
    assert not [labels for labels in after if "wp-login" in str(labels) or "there-is-none" in str(labels)]


def test_the_site_is_counted_in_the_database(client):
    campaign_create(scenario="saratoga-1777", slug="saratoga")
    job_request(kind="battle_odds", key="a", payload={})
    job_claim(job_id=job_request(kind="battle_odds", key="b", payload={}).pk)
    Job.objects.filter(key="a").update(created_at=timezone.now() - timezone.timedelta(minutes=5))
    Heartbeat.objects.create(name="deadlines", beat_at=timezone.now() - timezone.timedelta(seconds=40))
    found = figures(client)
    assert found["campaign_campaigns", "running"] == 1 and found["campaign_days_played",] == 0
    assert found["campaign_jobs", "queued"] == 1 and found["campaign_jobs", "running"] == 1
    assert found["campaign_jobs", "failed"] == 0 == found["campaign_notices", "pending"]
    assert 300 <= found["campaign_queue_age_seconds",] < 360
    assert 40 <= found["campaign_clock_age_seconds", "deadlines"] < 100


def test_counting_is_not_done_again_at_once(client, django_assert_num_queries):
    client.get("/metrics", **TOKEN)
    with django_assert_num_queries(0):
        client.get("/metrics", **TOKEN)


def test_a_notice_that_is_due_and_not_sent_has_an_age(client, saratoga, burgoyne):
    """One that waits for its digest, or for another try, has none."""
    assert figures(client)[("campaign_notice_age_seconds",)] == 0
    made = {"campaign": saratoga, "user": burgoyne, "kind": "published", "subject": "record 1"}
    notice = Notice.objects.create(**made, state="sending")
    own = NoticeChannel.objects.create(user=burgoyne, kind="account")
    hour = timedelta(hours=1)
    Delivery.objects.create(notice=notice, channel=own, due_at=timezone.now() + hour)
    assert figures(client)[("campaign_notice_age_seconds",)] == 0
    Delivery.objects.update(due_at=timezone.now() - hour)
    assert 3600 <= figures(client)[("campaign_notice_age_seconds",)] < 3700


def test_work_is_timed_by_kind_and_how_it_ended(client):
    """Counted in the database by whichever worker did it, so it is the same whichever machine is asked."""
    for seconds in (0.2, 0.4, 30.0):
        count("battle_odds", WorkTime.Ended.DONE, seconds)
    count("battle_odds", WorkTime.Ended.FAILED, 40_000.0)
    found = figures(client)
    name = "campaign_work_seconds"
    bucket = (f"{name}_bucket", "done")
    within = {labels[-1]: value for labels, value in found.items() if labels[:2] == bucket}
    assert within["0.1"] == 0 and within["0.5"] == within["15.0"] == 2
    assert within["60.0"] == within["+Inf"] == found[f"{name}_count", "done", "battle_odds"] == 3
    assert found[f"{name}_sum", "done", "battle_odds"] == pytest.approx(30.6)
    assert found[f"{name}_count", "failed", "battle_odds"] == 1
