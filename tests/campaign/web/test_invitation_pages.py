"""An invitation's link: looked at, kept through signing up and confirming, taken up, or refused."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from campaign.models import Invitation, InvitationKept, Seat, User
from campaign.services.seats.changes import seat_fill
from campaign.services.seats.invitations import invitation_accept, invitation_make, invitation_take_back
from tests.factories.people import signed_in

PAGE = "/campaigns/saratoga/"
GOOD = "The lake is wide at Crown Point"
STARK = {"username": "stark", "email": "stark@example.org", "password1": GOOD, "password2": GOOD}


@pytest.fixture(autouse=True)
def nobody_tried_before() -> None:
    cache.clear()


@pytest.fixture
def empty(saratoga, carleton) -> Seat:
    return seat_fill(seat=saratoga.seats.get(side="rebel"), user=None, actor=carleton)


@pytest.fixture
def link(empty, carleton) -> str:
    _, token = invitation_make(campaign=empty.campaign, seat=empty, actor=carleton)
    return f"/join/{token}/"


def text(response) -> str:
    return response.content.decode()


def test_the_link_says_which_seat_and_leads_to_signing_up(link):
    client = Client()
    page = client.get(link, follow=True)
    assert "Saratoga 1777" in text(page) and "Major General Gates" in text(page)
    assert "You command the side" in text(page)
    (address,) = re.findall(r'href="(/sign-up/\?next=[^"]+)"', text(page))
    assert "You are invited to Saratoga 1777" in text(client.get(address))
    assert Seat.objects.get(side="rebel").user is None


def test_from_the_link_through_signing_up_to_the_seat(link):
    client = Client()
    client.get(link)
    page = client.post("/sign-up/", STARK, follow=True)
    assert "Is the seat to be yours?" in text(page)
    address = page.redirect_chain[-1][0]
    taken = client.post(address, follow=True)
    assert taken.redirect_chain[-1][0] == PAGE
    assert "You have taken your seat: Major General Gates." in text(taken)
    assert Seat.objects.get(side="rebel").user.username == "stark"
    assert not InvitationKept.objects.exists()
    again = client.post(address)
    assert again["Location"] == PAGE  # a second click


def test_the_invitation_survives_confirming_in_another_browser(link, settings):
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    client = Client()
    client.get(link)
    waits = client.post("/sign-up/", STARK, follow=True)
    assert "Your invitation to Saratoga 1777 waits" in text(waits)
    (confirm,) = re.findall(r"http://testserver(/\S+)", mail.outbox[0].body)
    telephone = Client()
    telephone.post(confirm)
    page = telephone.post("/sign-in/", {"login": "stark", "password": GOOD}, follow=True)
    assert "Is the seat to be yours?" in text(page)
    assert "You are invited to Saratoga 1777" in text(telephone.get("/"))


def test_who_has_an_account_signs_in_and_is_led_to_the_invitation(link):
    User.objects.create_user("stark", password=GOOD)
    client = Client()
    client.get(link)
    page = client.post("/sign-in/", {"login": "stark", "password": GOOD}, follow=True)
    assert "Is the seat to be yours?" in text(page)


def test_an_invitation_another_has_opened_is_not_to_be_had_by_its_number(link, db):
    Client().get(link)
    invitation = Invitation.objects.get()
    stranger = signed_in(User.objects.create_user("lincoln"))
    assert stranger.get(f"/invitations/{invitation.pk}/").status_code == 404
    assert stranger.post(f"/invitations/{invitation.pk}/").status_code == 404
    assert Seat.objects.get(side="rebel").user is None


def test_a_link_nobody_made_is_a_page_with_a_sentence(saratoga):
    page = Client().get("/join/nonsense/")
    assert page.status_code == 404
    assert "This link leads to no invitation" in text(page)


def test_an_expired_invitation_says_so(link):
    Invitation.objects.update(expires_at=timezone.now() - timedelta(hours=1))
    page = Client().get(link, follow=True)
    assert page.status_code == 409
    assert "expired on" in text(page) and "Ask the umpire for a new link" in text(page)
    assert "<form" not in text(page).partition("<main")[2]


def test_an_invitation_taken_back_says_so(link, carleton):
    invitation_take_back(invitation=Invitation.objects.get(), actor=carleton)
    assert "taken this invitation back" in text(Client().get(link, follow=True))


def test_a_seat_taken_meanwhile_says_so_and_nothing_is_written(link, empty, carleton):
    first, second = (signed_in(User.objects.create_user(name)) for name in ("stark", "lincoln"))
    for client in (first, second):
        client.get(link)
    address = f"/invitations/{Invitation.objects.get().pk}/"
    assert first.post(address)["Location"] == PAGE
    late = second.post(address)
    assert late.status_code == 409
    assert "This invitation has been used" in text(late)
    assert Seat.objects.get(side="rebel").user.username == "stark"


def test_of_two_clicks_at_one_moment_the_second_leads_to_the_seat_too(link, monkeypatch):
    client = signed_in(User.objects.create_user("stark"))
    client.get(link)

    def twice(**given):
        for _ in range(2):
            seat = invitation_accept(**given)
        return seat

    monkeypatch.setattr("campaign.web.seats.invitations.invitation_accept", twice)
    answer = client.post(f"/invitations/{Invitation.objects.get().pk}/")
    assert (answer.status_code, answer.headers.get("Location")) == (302, PAGE)
    assert Seat.objects.get(side="rebel").user.username == "stark"


def test_who_has_a_seat_is_told_that_he_takes_no_second(link, crown):
    page = crown.get(link, follow=True)
    assert "You have a seat of this campaign already: Lieutenant General Burgoyne" in text(page)


def test_signed_out_nothing_is_taken(link):
    client = Client()
    client.get(link)
    client.post(f"/invitations/{Invitation.objects.get().pk}/")
    assert Seat.objects.get(side="rebel").user is None
