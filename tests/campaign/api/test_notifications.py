"""Notices, ways and the calendar of a person through the API (HR-DUE-07 to HR-DUE-10)."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from campaign.models import AuditEntry, CalendarFeed, IdempotencyKey, Notice, NoticeChannel, Seat, User
from campaign.services.notifications.channels import TRIES, channel_own
from campaign.services.notifications.notifications import notices_write
from campaign.services.setup.campaigns import SeatPlan, campaign_create
from tests.campaign.api.program import Program, problem

pytestmark = pytest.mark.django_db
WAYS = "me/ways/"
MAIL = {"kind": "mail", "address": "johnny@example.org", "label": "The club"}


def test_notices_are_read_by_their_person_alone(crown_program, rebel_program, saratoga, burgoyne):
    notices_write(campaign=saratoga, kind=Notice.Kind.PUBLISHED, subject="1", users=[burgoyne])
    [row] = crown_program.get("me/notices/").json()["results"]
    assert (row["kind"], row["campaign"], row["read_at"]) == ("published", "saratoga", None)
    assert row["words"] and row["page"].startswith("/campaigns/saratoga/")
    assert rebel_program.get("me/notices/").json()["count"] == 0
    problem(Program(burgoyne, ("read",)).post("me/notices/read/"), 403, "scope")
    assert crown_program.post("me/notices/read/", Idempotency_Key="a").json() == {"read": 1}
    assert crown_program.post("me/notices/read/", Idempotency_Key="a").json() == {"read": 1}
    assert crown_program.post("me/notices/read/").json() == {"read": 0}
    problem(Program(None).get("me/notices/"), 401, "signed-out")


def test_a_way_is_added_proved_set_and_removed_HR_DUE_07(crown_program, rebel_program, burgoyne):
    made = crown_program.post(WAYS, MAIL, Idempotency_Key="one")
    assert made.status_code == 201, made.content
    assert crown_program.post(WAYS, MAIL, Idempotency_Key="one").json() == made.json()
    way = made.json()["way"]
    assert (way["address"], way["proved"], made.json()["secret"]) == ("j…@example.org", False, "")
    here = f"{WAYS}{way['number']}/"
    for program in (rebel_program,):  # another's is nobody's
        problem(program.get(here), 404, "not-found")
        problem(program.put(here, {"kinds": [], "daily_at": None}, If_Match="*"), 404, "not-found")
        problem(program.delete(here), 404, "not-found")
        for act in ("test", "secret"):
            problem(program.post(f"{here}{act}/"), 404, "not-found")
        problem(program.post(f"{here}confirm/", {"code": "1"}), 404, "not-found")
    assert crown_program.post(f"{here}test/", Idempotency_Key="two").status_code == 200
    assert crown_program.post(f"{here}test/", Idempotency_Key="two").status_code == 200
    assert len(mail.outbox) == 1
    code = re.search(r"\d{6}", mail.outbox[0].body)
    assert code is not None
    assert crown_program.post(f"{here}confirm/", {"code": code[0]}).json()["proved"] is True
    seen = crown_program.get(here)
    carried = {"kinds": ["due", "battle"], "daily_at": "18:00", "label": "Evenings"}
    problem(crown_program.put(here, carried), 428, "unconditional")
    done = crown_program.put(here, carried, If_Match=seen["ETag"])
    assert (done.json()["kinds"], done.json()["daily_at"]) == (["due", "battle"], "18:00")
    for odd in ("12:55:00.46-01:14", "18:00:30", "24:00", "evening"):
        problem(crown_program.put(here, carried | {"daily_at": odd}, If_Match="*"), 400, "invalid")
    problem(crown_program.put(here, carried, If_Match=seen["ETag"]), 412, "stale")
    problem(crown_program.put(here, carried | {"kinds": ["odd"]}, If_Match="*"), 400, "invalid")
    assert problem(crown_program.post(f"{here}secret/"), 422, "rule")["rule"] == "HR-DUE-07"
    assert crown_program.delete(here).status_code == 204
    assert not NoticeChannel.objects.filter(kind="mail").exists()


def test_a_webhooks_secret_is_not_kept_with_the_key_HR_API_02(crown_program):
    webhook = {"kind": "webhook", "address": "https://example.org/hook"}
    secret = crown_program.post(WAYS, webhook, Idempotency_Key="one").json()["secret"]
    assert secret
    assert secret not in str(IdempotencyKey.objects.get(key="one").answer)
    assert crown_program.post(WAYS, webhook, Idempotency_Key="one").json()["secret"] == ""


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ({"kind": "mail", "address": "nobody"}, 422, "address"),
        ({"kind": "webhook", "address": "ftp://x"}, 422, "address"),
        ({"kind": "service", "address": "odd://x"}, 422, "address"),
        ({"kind": "account", "address": "a@example.org"}, 400, "kind"),
        ({"kind": "mail", "address": "x" * 501}, 400, "address"),
        ({"kind": "mail"}, 400, "address"),
    ],
)
def test_what_is_no_way_is_refused(crown_program, body, status, field):
    found = problem(crown_program.post(WAYS, body), status, "rule" if status == 422 else "invalid")
    assert found["field" if status == 422 else "errors"] in (field, [*found.get("errors", [])])
    assert not NoticeChannel.objects.exclude(kind="account").exists()


def test_where_no_mail_is_sent_no_way_by_letter_is_added_HR_DUE_07(crown_program, burgoyne, settings):
    number = crown_program.post(WAYS, MAIL).json()["way"]["number"]
    settings.MAIL_IS_SENT = False
    assert "sends no mail" in crown_program.get(f"{WAYS}{number}/").json()["troubled"]
    refused = problem(crown_program.post(WAYS, MAIL | {"address": "a@example.org"}), 422, "rule")
    assert refused["field"] == "kind" and "sends no mail" in refused["detail"]
    assert "sends no mail" in problem(crown_program.post(f"{WAYS}{number}/test/"), 422, "rule")["detail"]
    assert NoticeChannel.objects.filter(kind="mail").count() == 1 and not mail.outbox


def test_guesses_of_a_code_count_with_a_key_too_HR_DUE_07(crown_program):
    number = crown_program.post(WAYS, MAIL).json()["way"]["number"]
    crown_program.post(f"{WAYS}{number}/test/")
    for guess in range(TRIES):
        wrong = {"code": f"x{guess}"}
        problem(
            crown_program.post(f"{WAYS}{number}/confirm/", wrong, Idempotency_Key=f"{guess}"), 422, "rule"
        )
    assert NoticeChannel.objects.get(pk=number).code_tries == TRIES
    code = re.search(r"\d{6}", mail.outbox[0].body)
    assert code is not None
    problem(crown_program.post(f"{WAYS}{number}/confirm/", {"code": code[0]}), 422, "rule")


def test_a_webhooks_secret_is_told_once_HR_DUE_07(crown_program, settings):
    hook = {"kind": "webhook", "address": "https://club.example.org/hook"}
    made = crown_program.post(WAYS, hook).json()
    assert len(made["secret"]) > 40
    here = f"{WAYS}{made['way']['number']}/secret/"
    first = crown_program.post(here, Idempotency_Key="k").json()["secret"]
    assert first and first != made["secret"]
    assert crown_program.post(here, Idempotency_Key="k").json() == {"secret": ""}


def test_the_calendars_address_is_made_and_ended_HR_DUE_10(crown_program, saratoga, burgoyne):
    assert crown_program.get("me/calendar/").json() == {"made_at": None}
    made = crown_program.post("me/calendar/", Idempotency_Key="k").json()
    assert [row["campaign"] for row in made["addresses"]] == ["", "saratoga"]
    assert crown_program.post("me/calendar/", Idempotency_Key="k").json() == {"addresses": []}
    for row in made["addresses"]:
        assert Client().get(row["url"]).content.startswith(b"BEGIN:VCALENDAR")
    assert crown_program.delete("me/calendar/").status_code == 204
    assert Client().get(made["addresses"][0]["url"]).status_code == 404
    assert not CalendarFeed.objects.exists()


def test_the_umpire_sees_who_is_not_reached_HR_DUE_08(
    umpire_program, crown_program, stranger_program, saratoga, burgoyne, gates
):
    here = "campaigns/saratoga/umpire/unreached/"
    for program in (crown_program, stranger_program):
        problem(program.get(here), 404, "not-found")
    User.objects.filter(pk=burgoyne.pk).update(email="johnny@example.org")
    notices_write(campaign=saratoga, kind=Notice.Kind.DUE, subject="1", users=[burgoyne])
    Notice.objects.update(state=Notice.State.FAILED)
    assert umpire_program.get(here).json() == {"missed": ["John"], "without": ["gates"]}
    Notice.objects.update(created_at=timezone.now() - timedelta(days=15))
    assert umpire_program.get(here).json()["missed"] == []


def test_a_person_changes_his_name_and_clock(crown_program, burgoyne):
    seen = crown_program.get("me/")
    mine = {"name": "Gentleman Johnny", "time_zone": "Europe/London"}
    assert crown_program.put("me/", mine, If_Match=seen["ETag"]).json()["name"] == "Gentleman Johnny"
    problem(crown_program.put("me/", mine, If_Match=seen["ETag"]), 412, "stale")
    wrong = problem(crown_program.put("me/", mine | {"time_zone": "Mars"}, If_Match="*"), 422, "rule")
    assert (wrong["rule"], wrong["field"]) == ("HR-SET-04", "time_zone")
    burgoyne.refresh_from_db()
    assert burgoyne.time_zone == "Europe/London"


NOTICES = "campaigns/saratoga/umpire/notices/"


@pytest.fixture
def failed(saratoga, burgoyne) -> Notice:
    """A letter to a commander that could not be sent."""
    facts: dict[str, Any] = {"kind": "due", "subject": "1777-06-20T18:00:00+00:00", "state": "failed"}
    row = Notice.objects.create(campaign=saratoga, user=burgoyne, attempts=5, error="No such box.", **facts)
    row.deliveries.create(channel=channel_own(user=burgoyne), state="failed", error="No such box.")
    return row


@pytest.fixture
def sent(saratoga, gates) -> Notice:
    return Notice.objects.create(campaign=saratoga, user=gates, kind="published", subject="1", state="sent")


def test_the_umpire_has_the_list_his_page_has(umpire_program, failed, sent, django_assert_max_num_queries):
    with django_assert_max_num_queries(15):
        told = umpire_program.get(NOTICES).json()
    assert [row["number"] for row in told["results"]] == [sent.pk, failed.pk]
    row = told["results"][1]
    assert (row["to"], row["kind"], row["state"], row["attempts"]) == (str(failed.user), "due", "failed", 5)
    assert row["error"] == "No such box." and row["ways"] == [{"kind": "account", "state": "failed"}]
    assert [each["may_again"] for each in told["results"]] == [False, True]
    for query, found in (("state=failed", [failed.pk]), ("kind=published", [sent.pk]), ("state=kept", [])):
        assert [
            each["number"] for each in umpire_program.get(f"{NOTICES}?{query}").json()["results"]
        ] == found
    assert "johnny@" not in str(told)


def test_one_that_failed_is_sent_again_and_no_other_hr_due_06(umpire_program, failed, sent):
    assert (
        umpire_program.post(f"{NOTICES}{failed.pk}/again/", Idempotency_Key="a").json()["state"] == "pending"
    )
    again = umpire_program.post(f"{NOTICES}{failed.pk}/again/", Idempotency_Key="a").json()
    assert (again["state"], again["attempts"], again["ways"][0]["state"]) == ("pending", 0, "pending")
    for row in (failed, sent):
        assert problem(umpire_program.post(f"{NOTICES}{row.pk}/again/"), 422, "rule")["rule"] == "HR-DUE-06"
    [line] = AuditEntry.objects.filter(kind="umpire", what__contains="sent again")
    assert line.user is not None and line.user.username == "carleton"


def test_it_is_the_umpires_and_his_assistants_hr_due_06(
    crown_program, rebel_program, spectator_program, stranger_program, saratoga, failed, carleton
):
    for program in (crown_program, rebel_program, spectator_program, stranger_program):
        problem(program.get(NOTICES), 404, "not-found")
        problem(program.post(f"{NOTICES}{failed.pk}/again/"), 404, "not-found")
    problem(Program(carleton, ("read", "order")).post(f"{NOTICES}{failed.pk}/again/"), 403, "scope")
    helper = User.objects.create_user("phillips")
    Seat.objects.create(campaign=saratoga, user=helper, role=Seat.Role.ASSISTANT)
    assert Program(helper).get(NOTICES).json()["count"] == 1
    assert Program(helper).post(f"{NOTICES}{failed.pk}/again/").status_code == 200


def test_another_campaigns_are_not_there(umpire_program, failed, gates):
    seats = (SeatPlan(Seat.Role.UMPIRE, user=gates),)
    elsewhere = campaign_create(scenario="saratoga-1777", slug="elsewhere", seats=seats)
    Notice.objects.filter(pk=failed.pk).update(campaign=elsewhere)
    assert umpire_program.get(NOTICES).json()["count"] == 0
    problem(umpire_program.post(f"{NOTICES}{failed.pk}/again/"), 404, "not-found")
