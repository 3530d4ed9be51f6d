"""The front page: the demo doors."""

import pytest
from django.test import Client, override_settings

from campaign.models import Campaign
from campaign.ops.demo import doors_token

PAGE = "/campaigns/saratoga/"


@pytest.fixture
def browser() -> Client:
    """A browser of this machine that has opened the address `make run` prints."""
    client = Client(headers={"Host": "127.0.0.1"})
    with override_settings(DEMO=True):
        assert client.get(f"/?demo={doors_token()}")["Location"] == "/"
    return client


def test_demo_doors_open_on_a_demo_on_this_machine_only(saratoga, browser):
    seat = saratoga.seats.get(side="rebel")
    Campaign.objects.update(demo=True)
    assert "Enter as" not in browser.get("/").content.decode()
    assert browser.post("/demo/enter/", {"seat": seat.pk}).status_code == 404
    with override_settings(DEMO=True):
        assert f"Enter as {seat.title}" in browser.get("/").content.decode()
        assert browser.post("/demo/enter/", {"seat": "x"}).status_code == 404
        assert browser.post("/demo/enter/", {"seat": seat.pk})["Location"] == PAGE
        assert browser.get(PAGE).status_code == 200
        assert "Enter as" in browser.get("/").content.decode(), "who is in may take another seat"


@pytest.mark.parametrize("address", ["/", "/?demo=", "/?demo=guessed"])
def test_demo_doors_open_only_by_the_address_that_was_printed(saratoga, address):
    seat = saratoga.seats.get(side="rebel")
    Campaign.objects.update(demo=True)
    client = Client(headers={"Host": "127.0.0.1"})
    with override_settings(DEMO=True):
        answer = client.get(address)
        assert answer.status_code == 200 and "demo" not in answer.cookies
        shown = answer.content.decode()
        assert "Enter as" not in shown and "Open the address that “make run” printed" in shown
        assert client.post("/demo/enter/", {"seat": seat.pk}).status_code == 404


def test_the_token_is_taken_on_a_demo_of_this_machine_only(saratoga):
    token = doors_token()
    near, far = Client(headers={"Host": "127.0.0.1"}), Client(headers={"Host": "127.0.0.1", "Via": "1.1 x"})
    assert "demo" not in near.get(f"/?demo={token}").cookies
    with override_settings(DEMO=True):
        answer = far.get(f"/?demo={token}")
        assert "demo" not in answer.cookies and "make run" not in answer.content.decode()
        cookie = near.get(f"/?demo={token}").cookies["demo"]
    assert cookie["httponly"] and cookie["samesite"] == "Lax"


def test_demo_doors_lead_to_demo_campaigns_only(saratoga, browser):
    with override_settings(DEMO=True):
        assert browser.post("/demo/enter/", {"seat": saratoga.seats.first().pk}).status_code == 404


def test_demo_doors_open_no_account_somebody_has_made_for_himself(saratoga, burgoyne, browser):
    assert burgoyne.has_usable_password()
    Campaign.objects.update(demo=True)
    with override_settings(DEMO=True):
        shown = browser.get("/").content.decode()
        assert "Burgoyne" not in shown
        assert "Enter as" in shown
        seat = saratoga.seats.get(side="crown")
        assert browser.post("/demo/enter/", {"seat": seat.pk}).status_code == 404
