"""A newcomer's way in a real browser: the umpire's link, signing up, and the seat taken."""

import re

import pytest
from django.core.cache import cache
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from campaign.models import Campaign, Seat, User
from campaign.services.setup.campaigns import SeatPlan, campaign_create

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
PASSWORD = "Britons never lose ground"


@pytest.fixture
def campaign(live_server) -> Campaign:
    cache.clear()
    umpire = User.objects.create_user("carleton", password=PASSWORD, is_staff=True)
    return campaign_create(
        scenario="saratoga-1777",
        slug="saratoga",
        secret=b"fair winds upon Lake Champlain..",
        seats=(SeatPlan(Seat.Role.UMPIRE, title="The umpire", user=umpire),),
        actor=umpire,
    )


def watched(browser: Browser, width: int, zone: str) -> Page:
    """A window whose complaints fail the test."""
    context = browser.new_context(viewport={"width": width, "height": 800}, timezone_id=zone)
    page = context.new_page()
    page.on("pageerror", lambda error: pytest.fail(f"script error: {error}"))
    page.on("console", lambda said: pytest.fail(said.text) if said.type == "error" else None)
    return page


def test_from_the_umpires_link_to_the_seat(browser, live_server, campaign):
    umpire = watched(browser, 1280, "Europe/London")
    umpire.goto(f"{live_server.url}/sign-in/")
    umpire.get_by_label("Username").fill("carleton")
    umpire.get_by_label("Password").fill(PASSWORD)
    umpire.get_by_role("button", name="Sign in").click()
    umpire.get_by_role("link", name="Saratoga 1777").click()
    umpire.get_by_role("link", name="Give seats, set their dates").click()
    umpire.locator("li", has_text="Crown").get_by_role("button", name="Open its commander").click()
    seat = umpire.locator(".seat-list li", has_text="Crown").first
    seat.locator("summary").click()
    seat.get_by_role("button", name="Make the link").click()
    link = umpire.get_by_label(re.compile("The link for")).input_value()

    guest = watched(browser, 390, "America/New_York")
    guest.goto(link)
    expect(guest.locator("main")).to_contain_text("You command the side")
    guest.get_by_role("link", name="Sign up").click()
    expect(guest.locator("main")).to_contain_text("You are invited to Saratoga 1777")
    guest.get_by_label("Username").fill("burgoyne")
    guest.get_by_label("Password", exact=True).fill("Gentleman Johnny of the lake")
    guest.get_by_label("Password again").fill("Gentleman Johnny of the lake")
    guest.keyboard.press("Enter")
    expect(guest.locator("main")).to_contain_text("Is the seat to be yours?")
    guest.get_by_role("button", name="Take the seat").click()
    expect(guest.locator("#map[data-ready]")).to_be_visible()
    expect(guest.locator(".notice").first).to_contain_text("You have taken your seat")
    user = Seat.objects.get(role="commander", side="crown").user
    assert user is not None
    assert (user.username, user.time_zone) == ("burgoyne", "America/New_York")

    guest.get_by_role("link", name="Your campaigns").click()
    expect(guest.locator("main")).to_contain_text("No orders of yours are in.")
    guest.wait_for_load_state()  # the words are there before the sheet that fits the picture above them
    assert guest.evaluate("document.documentElement.scrollWidth") <= 390
    assert Client().get(link.removeprefix(live_server.url)).status_code == 302  # and then is told it is used
