"""Invitations on the umpire's page of seats: made, shown, replaced, sent, taken back (HR-SET-13)."""

import re

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client

from campaign.models import Campaign, Invitation, Seat, User
from campaign.services.seats.changes import seat_fill
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


def test_from_an_emptied_seat_to_an_invitation_that_is_shown_while_it_is_good(empty, desk):
    shown = press(desk, "invite", empty, email="", days="7")
    (link,) = re.findall(r'value="http://testserver(/join/[^"]+)"', shown)
    assert "copy its link" in shown and "passed on by hand" in shown
    assert link not in words(desk.get(PAGE))
    again = f"{PAGE}?invitation={Invitation.objects.get().pk}"
    assert link in words(desk.get(again)), "shown again for as long as it can be used"
    assert "<svg" in words(desk.get(again)), "as a QR code too"
    assert "You are invited to take a seat" in words(Client().get(link, follow=True))
    given = {"kind": "take_back", "invitation": Invitation.objects.get().pk}
    again = words(desk.post(PAGE, given, follow=True))
    assert "its link opens nothing any more" in again and "None. Empty a seat" in again
    assert "/join/" not in words(desk.get(f"{PAGE}?invitation={given['invitation']}"))
    assert Invitation.objects.get().sealed == ""


def test_a_link_is_replaced_and_the_older_one_opens_nothing(empty, desk, burgoyne):
    shown = press(desk, "invite", empty, email="", days="7")
    (first,) = re.findall(r'value="http://testserver(/join/[^"]+)"', shown)
    given = {"kind": "replace", "invitation": Invitation.objects.get().pk}
    answer = words(desk.post(PAGE, given, follow=True))
    assert "The link is replaced; the older one opens nothing any more." in answer
    (second,) = re.findall(r'value="http://testserver(/join/[^"]+)"', answer)
    assert first != second
    assert "made a newer link" in words(Client().get(first, follow=True))
    assert "You are invited to take a seat" in words(Client().get(second, follow=True))
    assert "This invitation is taken back; invite to the seat again." in words(
        desk.post(PAGE, given, follow=True)
    )


def test_nobody_but_the_umpire_is_shown_a_link(empty, desk, crown):
    press(desk, "invite", empty, email="", days="7")
    answer = crown.get(f"{PAGE}?invitation={Invitation.objects.get().pk}")
    assert answer.status_code == 404 and "/join/" not in words(answer)


def test_an_invitation_of_an_older_version_is_replaced_not_shown(empty, desk):
    press(desk, "invite", empty, email="", days="7")
    Invitation.objects.update(sealed="")
    shown = words(desk.get(f"{PAGE}?invitation={Invitation.objects.get().pk}"))
    assert "/join/" not in shown and "Show link" not in shown and "Replace link" in shown


SAID = "Invitation links begin with the address of this computer, which nobody else can open."


@pytest.mark.parametrize(
    ("site", "host", "base", "warned"),
    [
        ("http://127.0.0.1:8000", "127.0.0.1:8000", "http://127.0.0.1:8000", True),
        ("http://localhost:8000", "localhost:8000", "http://localhost:8000", True),
        ("http://127.0.0.1:8000", "[::1]:8000", "http://[::1]:8000", True),
        ("http://127.0.0.1:8000", "192.168.1.20:8000", "http://192.168.1.20:8000", False),
        ("https://club.example.org", "127.0.0.1:8000", "https://club.example.org", False),
        ("https://club.example.org/", "club.example.org", "https://club.example.org", False),
    ],
)
def test_a_link_only_this_computer_can_open_says_so_before_it_is_copied(
    empty, desk, settings, site, host, base, warned
):
    settings.SITE_URL, settings.ALLOWED_HOSTS = site, ["*"]
    assert SAID not in words(desk.get(PAGE, headers={"host": host})), "there is no link to copy"
    form = {
        "kind": "invite",
        "seat": empty.pk,
        f"invite-{empty.pk}-email": "",
        f"invite-{empty.pk}-days": "7",
    }
    desk.post(PAGE, form)
    page = f"{PAGE}?invitation={Invitation.objects.get().pk}"
    shown = words(desk.get(page, headers={"host": host}))
    assert f'value="{base}/join/' in shown
    assert (SAID in shown) == warned
    if warned:
        assert shown.index(SAID) < shown.index("/join/")
        assert "make run LAN=192.168.1.20" in shown and "SITE_URL" in shown
    assert ("<svg" in shown) == (not warned), "no code that leads nowhere"


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


def test_an_invitation_to_a_seat_filled_otherwise_has_ended(saratoga, empty, desk):
    (link,) = re.findall(r'/join/[^"]+', press(desk, "invite", empty, email="", days="7"))
    stark = User.objects.create_user("stark")
    seat_fill(seat=empty, user=stark, actor=None)
    shown = words(desk.get(PAGE))
    assert "stark has taken the seat." in shown and "Take back the invitation" not in shown
    assert signed_in(stark).get(link, follow=True).redirect_chain[-1][0] == "/campaigns/saratoga/"
    press(desk, "fill", rebel(saratoga), user="")
    lincoln = signed_in(User.objects.create_user("lincoln"))
    assert "Is the seat to be yours" not in words(lincoln.get(link, follow=True))


def test_a_newer_link_is_the_one_that_opens_the_seat_hr_set_13(empty, desk):
    older, newer = (
        re.findall(r'/join/[^"]+', press(desk, "invite", empty, email="", days="7"))[0] for _ in range(2)
    )
    stark = signed_in(User.objects.create_user("stark"))
    assert "or made a newer link" in words(stark.get(older, follow=True))
    assert "Is the seat to be yours" in words(stark.get(newer, follow=True))
    assert words(desk.get(PAGE)).count("Take back the invitation") == 1


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
