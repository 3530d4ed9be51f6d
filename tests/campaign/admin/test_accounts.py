"""The administrators' pages: people and work that failed, and nothing of what happens in a campaign."""

import pytest
from axes.models import AccessAttempt
from django.contrib import admin
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django_celery_results.models import TaskResult

from campaign.models import Job, Notice, Seat, User, WorkTime
from campaign.services.notifications.notifications import notice_text
from rosters.models import Unit
from tests.factories.people import signed_in


@pytest.fixture
def howe(db) -> User:
    return User.objects.create_superuser("howe", password="philadelphia")


@pytest.fixture
def failed(saratoga) -> Job:
    return Job.objects.create(kind="forecast", key="f", campaign=saratoga, state="failed", error="It broke.")


def test_campaigns_and_their_armies_are_no_more_there(howe, saratoga):
    labels = {model._meta.label for model in admin.site._registry}
    assert "campaign.User" in labels and "campaign.Job" in labels
    assert not {label for label in labels if label.startswith("rosters.")}
    assert "campaign.Campaign" not in labels and "campaign.Battle" not in labels
    text = signed_in(howe).get("/admin/").content.decode()
    assert "Users" in text and Unit.objects.first().name not in text


def test_an_administrator_sees_what_failed_and_changes_nothing(howe, failed):
    client = signed_in(howe)
    page = reverse("admin:campaign_job_change", args=[failed.pk])
    assert "It broke." in client.get(page).content.decode()
    assert client.post(page, {"state": "done"}).status_code == 403
    assert client.get(reverse("admin:campaign_job_changelist"), {"state__exact": "failed"}).status_code == 200
    for query in ({"campaign__secret__gt": "a"}, {"payload__side": "crown"}):
        assert client.get(reverse("admin:campaign_job_changelist"), query).status_code in (302, 400)


def test_times_of_work_are_told_in_seconds_one_can_read(howe):
    WorkTime.objects.create(
        kind="drill", ended="done", count=3, seconds=1.0, longest=0.9172753950006154, last_at=timezone.now()
    )
    shown = signed_in(howe).get("/admin/campaign/worktime/").content.decode()
    assert "0.33" in shown and "0.92" in shown and "0.917" not in shown


def test_an_administrator_who_plays_is_told_nothing_of_that_campaigns_work(howe, failed, saratoga):
    """HR-SET-04: what is worked out for the enemy would be a second seat."""
    Seat.objects.create(
        campaign=saratoga, user=howe, role="column", side="rebel", formations=["poors_brigade"]
    )
    client = signed_in(howe)
    assert not client.get(reverse("admin:campaign_job_changelist")).context["cl"].queryset.exists()
    assert client.get(reverse("admin:campaign_job_change", args=[failed.pk])).status_code == 302


def test_umpires_and_players_are_not_let_in(desk, crown, saratoga):
    for client in (desk, crown, Client()):
        assert client.get("/admin/").status_code == 302


def test_the_desk_alone_and_the_administrators_pages_may_evaluate(desk, crown, saratoga):
    policy = desk.get("/umpire/")["Content-Security-Policy"]
    assert "'unsafe-eval'" in policy and "script-src 'self' 'unsafe-eval'" in policy
    assert "unsafe" not in desk.get("/campaigns/saratoga/")["Content-Security-Policy"]
    assert "unsafe" not in crown.get("/umpires/")["Content-Security-Policy"]


def test_the_administrator_opens_the_door_to_who_was_shut_out(burgoyne):
    for _ in range(7):
        cache.clear()
        shut = Client().post("/sign-in/", {"login": "burgoyne", "password": "Gates"})
    assert shut.status_code == 429
    admin = signed_in(User.objects.create_superuser("administrator"))
    page = admin.get("/admin/axes/accessattempt/").content.decode()
    assert "burgoyne" in page and "127.0.0.1" in page
    (row,) = AccessAttempt.objects.all()
    assert admin.get(f"/admin/axes/accessattempt/{row.pk}/change/").status_code == 200
    admin.post(f"/admin/axes/accessattempt/{row.pk}/delete/", {"post": "yes"})
    right = {"login": "burgoyne", "password": "Gentleman Johnny"}
    assert Client().post("/sign-in/", right).status_code == 302


def test_what_the_machinery_wrote_down_is_read_and_groups_there_are_none(howe):
    """Celery's results could be added and changed by hand, and groups open nothing."""
    client = signed_in(howe)
    labels = {model._meta.label for model in admin.site._registry}
    assert not labels & {"auth.Group", "django_celery_results.GroupResult"}
    text = client.get("/admin/").content.decode()
    assert "/admin/django_celery_results/taskresult/" in text
    assert "/admin/django_celery_results/taskresult/add/" not in text
    row = TaskResult.objects.create(task_id="a", task_name="campaign.tick", result='{"side": "hidden"}')
    page = reverse("admin:django_celery_results_taskresult_change", args=[row.pk])
    shown = client.get(page).content.decode()
    assert "campaign.tick" in shown and "hidden&quot;" not in shown and "&quot;side" not in shown
    assert client.post(page, {"task_name": "another"}).status_code == 403
    assert client.get(reverse("admin:django_celery_results_taskresult_add")).status_code == 403
    person = client.get(reverse("admin:campaign_user_change", args=[howe.pk])).content.decode()
    assert 'name="is_staff"' in person
    assert 'name="groups"' not in person


def test_work_is_named_with_its_campaign_and_more_rows_ask_no_more(howe, saratoga):
    client, page = signed_in(howe), reverse("admin:campaign_job_changelist")

    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            text = client.get(page).content.decode()
        assert saratoga.title in text
        return len(queries)

    Job.objects.create(kind="forecast", key="0", campaign=saratoga, state="failed")
    Job.objects.create(kind="fight", key="none", state="failed")
    asked()
    few = asked()
    for number in range(1, 6):
        Job.objects.create(kind="forecast", key=str(number), campaign=saratoga, state="failed")
    assert asked() == few


def test_deleting_a_person_closes_the_account_and_takes_no_seats_hr_set_16(howe, saratoga, burgoyne):
    client, address = signed_in(howe), reverse("admin:campaign_user_delete", args=[burgoyne.pk])
    asked = client.get(address).content.decode()
    assert "Lieutenant General Burgoyne, Saratoga 1777" in asked
    assert "cannot be undone" in asked and "Close account" in asked and "Keep account" in asked
    assert client.post(address, {"post": "yes"}).status_code == 302
    burgoyne.refresh_from_db()
    assert (burgoyne.username, burgoyne.is_active) == (f"closed-{burgoyne.pk}", False)
    assert Seat.objects.filter(campaign=saratoga).count() == 3
    assert client.post(address, {"post": "yes"}).status_code == 403, "closed once and for all"
    change = reverse("admin:campaign_user_change", args=[burgoyne.pk])
    assert client.post(change, {"is_active": "on"}).status_code == 403


def test_the_umpire_of_a_running_campaign_is_not_deleted_hr_set_16(howe, saratoga, carleton):
    address = reverse("admin:campaign_user_delete", args=[carleton.pk])
    answer = signed_in(howe).post(address, {"post": "yes"}, follow=True).content.decode()
    assert "umpire of these running campaigns" in answer and "Saratoga 1777" in answer
    carleton.refresh_from_db()
    assert carleton.username == "carleton"


def test_the_only_administrator_is_told_to_make_another_first_hr_set_16(howe):
    address = reverse("admin:campaign_user_delete", args=[howe.pk])
    answer = signed_in(howe).post(address, {"post": "yes"}, follow=True).content.decode()
    assert "howe is the only administrator of this site" in answer


def test_a_deactivated_commander_is_told_to_the_umpire_hr_set_16(howe, saratoga, burgoyne, carleton):
    address = reverse("admin:campaign_user_change", args=[burgoyne.pk])
    sent = {"username": "burgoyne", "date_joined_0": "2026-01-01", "date_joined_1": "10:00:00"}
    answer = signed_in(howe).post(address, sent)
    assert answer.status_code == 302, answer.context["errors"]
    burgoyne.refresh_from_db()
    assert not burgoyne.is_active
    ((_, sentence),) = [notice_text(notice) for notice in Notice.objects.filter(user=carleton)]
    assert "the account of its holder was deactivated" in sentence
