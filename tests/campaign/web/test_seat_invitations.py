"""Invitations on the umpire's page of seats: made, shown once, sent, taken back (HR-SET-13)."""

import re

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client

from campaign.models import Campaign, Invitation, Seat, User
from tests.factories.people import signed_in

PAGE = "/campaigns/saratoga/seats/"


@pytest.fixture(autouse=True)
def nobody_tried_before() -> None:
    cache.clear()


def words(response) -> str:
    return " ".join(response.content.decode().split())


def press(desk: Client, kind: str, seat: Seat | None = None, **given) -> str:
    """Post one of the page's forms, its fields named as the page names them."""
    prefix = f"{kind}-{seat.pk}-" if seat else f"{kind}-"
    data = {f"{prefix}{name}": value for name, value in given.items()}
    return words(desk.post(PAGE, {"kind": kind, "seat": seat.pk if seat else "", **data}, follow=True))


def rebel(campaign: Campaign) -> Seat:
    return campaign.seats.get(role="commander", side="rebel")


@pytest.fixture
def empty(saratoga, desk) -> Seat:
    press(desk, "fill", rebel(saratoga), user="")
    assert rebel(saratoga).user is None
    return rebel(saratoga)


def test_from_an_emptied_seat_to_an_invitation_that_is_shown_once(empty, desk):
    shown = press(desk, "invite", empty, email="", days="7")
    (link,) = re.findall(r'value="http://testserver(/join/[^"]+)"', shown)
    assert "copy its link now" in shown and "passed on by hand" in shown
    assert link not in words(desk.get(PAGE))
    assert "You are invited to take a seat" in words(Client().get(link, follow=True))
    given = {"kind": "take_back", "invitation": Invitation.objects.get().pk}
    again = words(desk.post(PAGE, given, follow=True))
    assert "its link opens nothing any more" in again and "None. Empty a seat" in again


def test_an_invitation_with_an_address_is_sent(empty, desk, settings):
    settings.MAIL_IS_SENT = True
    shown = press(desk, "invite", empty, email="john@example.org", days="14")
    assert "The invitation is sent to john@example.org." in shown
    assert mail.outbox[0].to == ["john@example.org"]


def test_without_a_mail_server_no_letter_is_said_to_be_sent(empty, desk, settings):
    """EMAIL_URL is not set: what would go to the log reaches nobody, so the umpire hands the link on."""
    settings.MAIL_IS_SENT = False
    assert "no mail goes out from here" in words(desk.get(PAGE))
    shown = press(desk, "invite", empty, email="dora@example.org", days="14")
    assert "No mail goes out from here (EMAIL_URL); hand on this link to dora@example.org yourself" in shown
    assert "is sent to" not in shown and "Sent to" not in shown and "/join/" in shown
    assert not mail.outbox


def test_an_invitation_to_a_seat_filled_by_another_link_has_ended(saratoga, empty, desk):
    links = []
    for _ in range(2):
        links += re.findall(r'/join/[^"]+', press(desk, "invite", empty, email="", days="7"))
    stark = signed_in(User.objects.create_user("stark"))
    first, other = (stark.get(link)["Location"] for link in links)
    stark.post(first)
    shown = words(desk.get(PAGE))
    assert "stark has taken the seat." in shown and "Take back the invitation" not in shown
    assert stark.get(links[1])["Location"] == other
    assert stark.get(other)["Location"] == "/campaigns/saratoga/"
    press(desk, "fill", rebel(saratoga), user="")
    lincoln = signed_in(User.objects.create_user("lincoln"))
    assert "Is the seat to be yours" not in words(lincoln.get(links[1], follow=True))


@pytest.mark.parametrize(
    ("given", "sentence"),
    [({"email": "nonsense", "days": "7"}, "e-mail"), ({"email": "", "days": "90"}, "from 1 to 60")],
)
def test_a_bad_invitation_is_refused_beside_its_field_and_nothing_is_made(empty, desk, given, sentence):
    shown = press(desk, "invite", empty, **given)
    assert sentence in shown
    assert f'<li id="seat-{empty.pk}"><details open>' in shown
    assert not Invitation.objects.exists()


def test_to_a_seat_that_somebody_holds_nobody_is_invited(saratoga, desk):
    assert "Make the link" not in words(desk.get(PAGE))
    assert "is held; empty the seat before you invite" in press(
        desk, "invite", rebel(saratoga), email="", days="7"
    )


def test_a_side_without_a_commander_gets_a_seat_to_invite_to(saratoga, desk):
    Seat.objects.filter(side="rebel").delete()
    assert "led by the staff" in words(desk.get(PAGE))
    press(desk, "open", role="commander", side="rebel")
    assert rebel(saratoga).user is None
    assert "Make the link" in words(desk.get(PAGE))


def test_the_invited_sits_down_by_the_link_of_the_page(saratoga, empty, desk):
    shown = press(desk, "invite", empty, email="", days="7")
    (link,) = re.findall(r'value="http://testserver(/join/[^"]+)"', shown)
    stark = User.objects.create_user("stark")
    client = signed_in(stark)
    client.post(client.get(link)["Location"])
    assert rebel(saratoga).user == stark


def test_players_neither_invite_nor_take_back(saratoga, empty, desk, crown):
    press(desk, "invite", empty, email="", days="7")
    for kind in ("invite", "take_back"):
        given = {"kind": kind, "seat": empty.pk, "invitation": Invitation.objects.get().pk}
        assert crown.post(PAGE, given).status_code == 404
    assert Invitation.objects.get().state == "open"
