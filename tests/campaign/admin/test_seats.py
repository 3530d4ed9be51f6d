"""The list of seats: what is done about them is the umpire's own, by the services (HR-SET-07 to 13)."""

import html
import re

import pytest
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core import mail
from django.urls import reverse

from campaign.models import Invitation, Notice, Seat, User
from campaign.services.seats.changes import seat_open
from campaign.services.seats.invitations import invitation_make, invitations_open

PAGE = "/umpire/campaign/seat/"


def do(client, action, rows, **given):
    data = {"action": action, ACTION_CHECKBOX_NAME: [row.pk for row in rows], "confirmed": "1", **given}
    return client.post(PAGE, data, follow=True)


@pytest.fixture
def empty(saratoga, carleton) -> Seat:
    """A deputy's seat nobody has."""
    held = saratoga.seats.get(role="commander", side="crown")
    return seat_open(campaign=saratoga, role="deputy", stands_for=held, actor=carleton)


def test_a_seat_is_invited_to_again_and_the_first_link_is_void_hr_set_13(desk, empty, carleton, settings):
    settings.SITE_URL = "https://club.example"
    first, _ = invitation_make(campaign=empty.campaign, seat=empty, actor=carleton)
    asked = desk.post(PAGE, {"action": "invite", ACTION_CHECKBOX_NAME: [empty.pk]}).content.decode()
    assert "Good for days" in asked and "Reason" not in asked and str(empty) in asked
    text = html.unescape(do(desk, "invite", [empty], email="", days="5").content.decode())
    link = re.search(r'href="https://club.example(/[^"]+)"', text)
    assert link is not None and desk.get(link[1]).status_code in (200, 302)
    first.refresh_from_db()
    assert first.taken_back_at is not None and invitations_open(empty.campaign).count() == 1
    assert "taken back" in do(desk, "take_back", [empty]).content.decode()
    assert not invitations_open(empty.campaign).exists()


def test_an_invitation_goes_by_letter_where_letters_go_hr_set_13(desk, empty, settings):
    settings.MAIL_IS_SENT = True
    text = do(desk, "invite", [empty], email="tryon@example.org", days="5").content.decode()
    assert "sent to tryon@example.org" in text and mail.outbox[0].to == ["tryon@example.org"]


def test_dates_of_command_are_given_hr_set_07(desk, saratoga, empty):
    do(desk, "dates", [empty], first="1777-06-20", last="1777-06-29")
    empty.refresh_from_db()
    assert (empty.from_day, empty.until_day) == (5, 15)
    wrong = do(desk, "dates", [empty], first="1777-06-29", last="1777-06-20")
    assert wrong.status_code == 422 and "ends on a later morning" in wrong.content.decode()
    assert "ends on a later" in str(wrong.context["question"].errors["last"])
    early = do(desk, "dates", [empty], first="1701-01-01", last="")
    assert early.status_code == 422
    empty.refresh_from_db()
    assert (empty.from_day, empty.until_day) == (5, 15)


def test_seats_are_offered_emptied_and_taken_away_hr_set_10(desk, saratoga, empty):
    Seat.objects.create(
        campaign=saratoga, role="reserve", user=User.objects.create_user("anna", email="a@b.example")
    )
    command = saratoga.seats.get(role="commander", side="crown")
    assert "offered to the reserve" in do(desk, "offer", [empty]).content.decode()
    assert Notice.objects.filter(kind="offered").count() == 1
    do(desk, "keep", [empty])
    empty.refresh_from_db()
    assert not empty.offered
    do(desk, "empty", [command])
    command.refresh_from_db()
    assert command.user is None
    refused = do(desk, "close", [command, empty])
    assert refused.status_code == 422 and "cannot be closed while it is held" in refused.content.decode()
    assert Seat.objects.filter(pk=empty.pk).exists()
    do(desk, "close", [empty])
    assert not Seat.objects.filter(pk=empty.pk).exists()


@pytest.mark.parametrize("action", ["invite", "take_back", "dates", "offer", "keep", "empty", "close"])
def test_an_assistant_looks_and_gives_no_seats_hr_set_08(people, waiting, carleton, action):
    column = waiting.seats.get(role="column", side="crown")
    before = list(Seat.objects.order_by("pk").values())
    assistant = people["assistant"]
    text = assistant.get(PAGE).content.decode()
    assert str(column) in text and f'value="{action}"' not in text
    do(assistant, action, [column], days="5", first="", last="")
    # one who umpires another campaign has the actions there, and here none
    Seat.objects.create(
        campaign=waiting, role="assistant", user=User.objects.get(username="umpire of another"), from_day=0
    )
    answer = do(people["umpire of another"], action, [column], days="5", first="", last="")
    assert "Only the umpire can give seats; ask the umpire" in answer.content.decode()
    assert list(Seat.objects.order_by("pk").values())[:-1] == before and not Invitation.objects.exists()
    assert reverse("seats", args=["saratoga"]) not in text
