"""Notices as the umpire has them: the list, and those that failed sent again (HR-DUE-06)."""

from typing import Any

import pytest

from campaign.models import AuditEntry, Notice, Seat, User
from campaign.services.notifications.channels import channel_own
from campaign.services.setup.campaigns import SeatPlan, campaign_create
from tests.campaign.api.program import Program, problem

pytestmark = pytest.mark.django_db
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
