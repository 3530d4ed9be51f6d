"""Seats through the API: the umpire's work on them, those that are taken and given up, invitations."""

from typing import Any

import pytest
from django.core import mail

from campaign.models import IdempotencyKey, Invitation, Seat, User
from campaign.services.jobs.idempotency import LOST_AFTER
from tests.campaign.api.program import Program, problem

pytestmark = pytest.mark.django_db
SEATS = "campaigns/saratoga/seats/"


@pytest.fixture
def fraser(saratoga) -> User:
    return User.objects.create_user("fraser")


def etag(program: Program, seat: int) -> str:
    answer = program.get(f"{SEATS}{seat}/")
    assert answer.status_code == 200, answer.content
    return str(answer["ETag"])


def test_nobody_but_the_umpire_works_on_seats_HR_SET_08(
    saratoga, crown_program, stranger_program, spectator_program
):
    helper = User.objects.create_user("helper")
    saratoga.seats.create(user=helper, role="assistant")
    seat = saratoga.seats.get(role="commander", side="crown").pk
    own: dict[str, Any] = {"If_Match": "*"}
    before = list(Seat.objects.order_by("pk").values())
    for program in (Program(helper), crown_program, stranger_program, spectator_program):
        problem(program.get(f"{SEATS}all/"), 404, "not-found")
        problem(program.get(f"{SEATS}{seat}/"), 404, "not-found")
        problem(program.post(f"{SEATS}all/", {"role": "reserve"}), 404, "not-found")
        problem(program.put(f"{SEATS}{seat}/holder/", {"user": ""}, **own), 404, "not-found")
        problem(program.put(f"{SEATS}{seat}/dates/", {"first": None}, **own), 404, "not-found")
        problem(program.put(f"{SEATS}{seat}/offer/", {"odd": True}, **own), 404, "not-found")
        problem(program.post(f"{SEATS}{seat}/pass/", {}), 404, "not-found")
        problem(program.delete(f"{SEATS}{seat}/", **own), 404, "not-found")
    assert list(Seat.objects.order_by("pk").values()) == before


def test_a_seat_is_opened_given_dated_offered_and_closed_HR_SET_04_HR_SET_07(
    umpire_program, fraser, saratoga
):
    column = {"role": "column", "side": "crown", "formations": ["advanced_corps"], "first": "1777-07-03"}
    made = umpire_program.post(f"{SEATS}all/", {**column, "user": "fraser"}, Idempotency_Key="one")
    assert made.status_code == 201, made.content
    again = umpire_program.post(f"{SEATS}all/", {**column, "user": "fraser"}, Idempotency_Key="one")
    assert again.json() == made.json() and saratoga.seats.filter(role="column").count() == 1
    row, number = made.json(), made.json()["number"]
    assert (row["user"], row["formations"]) == ("fraser", ["advanced_corps"])
    deputy = umpire_program.post(f"{SEATS}all/", {"role": "deputy", "stands_for": number}).json()
    assert (deputy["stands_for"], deputy["side"]) == (number, "crown")
    seen = etag(umpire_program, number)
    here = f"{SEATS}{number}/"
    problem(umpire_program.put(f"{here}holder/", {"user": ""}), 428, "unconditional")
    empty = umpire_program.put(f"{here}holder/", {"user": ""}, If_Match=seen)
    assert (empty.status_code, empty.json()["user"]) == (200, "")
    problem(umpire_program.put(f"{here}offer/", {"offered": True}, If_Match=seen), 412, "stale")
    offered = umpire_program.put(f"{here}offer/", {"offered": True}, If_Match=etag(umpire_program, number))
    assert offered.json()["offered"] is True
    days = {"first": "1777-07-05", "last": "1777-08-01"}
    dated = umpire_program.put(f"{here}dates/", days, If_Match=etag(umpire_program, number))
    start = saratoga.order_of_battle  # the first day is the scenario's
    assert start and dated.json()["until_day"] - dated.json()["from_day"] == 28
    assert umpire_program.delete(here, If_Match=etag(umpire_program, number)).status_code == 204
    assert not saratoga.seats.filter(role__in=("column", "deputy")).exists()


def test_command_passes_HR_SET_07(umpire_program, fraser, saratoga):
    seat = saratoga.seats.get(role="commander", side="crown")
    here = f"{SEATS}{seat.pk}/pass/"
    past = problem(umpire_program.post(here, {"user": "fraser", "morning": "1700-01-01"}), 422, "rule")
    assert (past["rule"], past["field"]) == ("HR-SET-07", "morning")
    unknown = problem(umpire_program.post(here, {"user": "nobody", "morning": "1777-07-20"}), 422, "rule")
    assert (unknown["rule"], unknown["field"]) == ("HR-SET-04", "user")
    assert Seat.objects.filter(role="commander").count() == 2
    old, new = umpire_program.post(here, {"user": "fraser", "morning": "1777-07-20"}).json()
    assert (old["number"], old["until_day"]) == (seat.pk, new["from_day"])
    assert (new["user"], new["state"]) == ("fraser", "come")


@pytest.mark.parametrize(
    ("body", "status", "rule", "field"),
    [
        ({"role": "king"}, 400, None, ""),
        ({"role": "column", "side": "crown"}, 422, "HR-SET-05", "formations"),
        ({"role": "column", "side": "france", "formations": ["x"]}, 422, "HR-SET-04", "side"),
        ({"role": "deputy"}, 422, "HR-SET-09", "stands_for"),
        ({"role": "guest", "side": "crown", "battle": 99}, 422, "HR-SET-11", "battle"),
        ({"role": "reserve", "user": "nobody"}, 422, "HR-SET-04", "user"),
        ({"role": "reserve", "first": "1777-08-01", "last": "1777-07-01"}, 422, "HR-SET-07", "last"),
        ({"role": "commander", "side": "crown", "first": "9999-12-31"}, 422, "HR-SET-07", "first"),
        ({"role": "reserve", "first": "1777-13-01"}, 400, None, ""),
        ({"role": "reserve", "stands_for": -1}, 400, None, ""),
    ],
)
def test_what_cannot_be_opens_no_seat(umpire_program, saratoga, body, status, rule, field):
    found = problem(umpire_program.post(f"{SEATS}all/", body), status, "rule" if rule else "invalid")
    assert (found.get("rule"), found.get("field", "")) == (rule, field)
    assert saratoga.seats.count() == 3


def test_the_reserve_takes_a_seat_and_gives_one_up_HR_SET_10(umpire_program, fraser, saratoga, crown_program):
    waits = Seat.objects.create(campaign=saratoga, user=fraser, role="reserve")
    column = saratoga.seats.create(role="column", side="crown", formations=["advanced_corps"], title="Fraser")
    program = Program(fraser)
    public = program.get("campaigns/saratoga/public/").json()
    assert (public["offers"], [row["may_leave"] for row in public["mine"]]) == ([], [True])
    refused = problem(program.post(f"{SEATS}{column.pk}/take/"), 422, "rule")
    assert refused["rule"] == "HR-SET-10" and "Fraser" not in refused["detail"]
    umpire_program.put(f"{SEATS}{column.pk}/offer/", {"offered": True}, If_Match="*")
    problem(crown_program.post(f"{SEATS}{column.pk}/take/"), 422, "rule")
    assert [row["number"] for row in program.get("campaigns/saratoga/public/").json()["offers"]] == [
        column.pk
    ]
    assert crown_program.get("campaigns/saratoga/public/").json()["offers"] == []
    problem(program.post(f"{SEATS}99999/take/"), 404, "not-found")
    assert program.post(f"{SEATS}{column.pk}/take/").json()["role"] == "column"
    problem(program.post(f"{SEATS}{column.pk}/leave/"), 404, "not-found")  # a command is the umpire's to take
    assert not Seat.objects.filter(pk=waits.pk).exists()


def test_a_seat_given_up_is_given_up_once(fraser, saratoga, stranger_program):
    seat = Seat.objects.create(campaign=saratoga, user=fraser, role="spectator")
    problem(stranger_program.post(f"{SEATS}{seat.pk}/leave/"), 404, "not-found")
    for _ in range(2):  # the second time he has no seat any more, and is told the same
        answer = Program(fraser).post(f"{SEATS}{seat.pk}/leave/", Idempotency_Key="left")
        assert answer.status_code == 204
    problem(Program(fraser).get("campaigns/saratoga/public/"), 404, "not-found")


def test_an_invitation_is_sent_opened_and_taken_up_HR_SET_13(umpire_program, fraser, saratoga, settings):
    settings.MAIL_IS_SENT = True
    column = saratoga.seats.create(role="column", side="crown", formations=["advanced_corps"], title="Corps")
    asked = {"seat": column.pk, "email": "fraser@example.org"}
    made = umpire_program.post("campaigns/saratoga/invitations/", asked, Idempotency_Key="k").json()
    assert made["sent"] is True and len(mail.outbox) == 1
    again = umpire_program.post("campaigns/saratoga/invitations/", asked, Idempotency_Key="k").json()
    assert again == {**made, "link": ""} and len(mail.outbox) == 1
    token = made["link"].rstrip("/").rpartition("/")[2]
    program = Program(fraser)
    problem(program.post("me/invitations/", {"token": "nothing"}), 404, "not-found")
    number = Invitation.objects.get().pk
    problem(program.post(f"me/invitations/{number}/accept/"), 404, "not-found")  # not opened
    assert program.post("me/invitations/", {"token": token}).json()["number"] == number
    assert [row["title"] for row in program.get("me/invitations/").json()] == ["Corps"]
    taken = program.post(f"me/invitations/{number}/accept/", Idempotency_Key="take")
    assert taken.json()["number"] == column.pk
    assert program.post(f"me/invitations/{number}/accept/", Idempotency_Key="take").json() == taken.json()
    late = problem(
        Program(User.objects.create_user("howe")).post("me/invitations/", {"token": token}), 422, "rule"
    )
    assert late["rule"] == "HR-SET-13"


def test_a_request_in_work_is_not_done_beside_itself_HR_API_02(umpire_program, saratoga):
    """An invitation may wait for a mail server, so its key is claimed before it is done."""
    column = saratoga.seats.create(role="column", side="crown", title="Corps")
    asked = {"seat": column.pk}
    umpire_program.post("campaigns/saratoga/invitations/", asked, Idempotency_Key="k")
    key = IdempotencyKey.objects.get()
    IdempotencyKey.objects.update(status=None, answer=None)  # as its worker left it when it was killed
    answer = umpire_program.post("campaigns/saratoga/invitations/", asked, Idempotency_Key="k")
    problem(answer, 409, "in-work")
    assert answer["Retry-After"] == "5" and Invitation.objects.count() == 1
    IdempotencyKey.objects.update(made_at=key.made_at - 2 * LOST_AFTER)
    assert (
        umpire_program.post("campaigns/saratoga/invitations/", asked, Idempotency_Key="k").status_code == 201
    )
    refused = umpire_program.post("campaigns/saratoga/invitations/", {"seat": 10**9}, Idempotency_Key="l")
    problem(refused, 404, "not-found")
    assert not IdempotencyKey.objects.filter(key="l").exists()
