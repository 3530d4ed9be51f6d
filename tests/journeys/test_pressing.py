"""Nothing moves away under a finger: what comes of its own accord waits until a press is over."""

import pytest
from playwright.sync_api import expect

from tests.journeys.walking import Hand, sat_down

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def test_the_preview_waits_until_the_button_is_let_go(browser, live_server, saratoga, burgoyne):
    """Its refusal stands above the button: put there between touch and click it lost the press."""
    with sat_down(browser, live_server.url, Hand, user=burgoyne) as hand:
        page = hand.page
        page.goto(f"{live_server.url}{saratoga.get_absolute_url()}?sheet=orders&formation=artillery_park")
        expect(page.locator("#map[data-ready]")).to_be_visible()
        button = page.get_by_role("button", name="Submit the order")
        button.hover()
        before = button.bounding_box()
        page.mouse.down()
        with page.expect_response("**/orders/preview/"):
            page.get_by_label("March to").first.select_option("unadilla")
        page.wait_for_timeout(300)
        expect(page.locator("#error-destination")).to_have_text("")
        assert button.bounding_box() == before
        page.mouse.up()
        expect(page.locator("#error-destination")).to_contain_text("HR-")
        expect(page.get_by_label("March to").first).to_be_focused()


def test_what_waited_is_asked_for_again(browser, live_server, saratoga, burgoyne):
    with sat_down(browser, live_server.url, Hand, user=burgoyne) as hand:
        page = hand.page
        page.goto(f"{live_server.url}{saratoga.get_absolute_url()}?sheet=orders&formation=artillery_park")
        expect(page.locator("#map[data-ready]")).to_be_visible()
        page.get_by_role("term").filter(has_text="orders due").hover()
        page.mouse.down()
        with page.expect_response("**/orders/preview/"):
            page.get_by_label("March to").first.select_option("unadilla")
        expect(page.locator("#error-destination")).to_have_text("")
        page.mouse.up()
        expect(page.locator("#error-destination")).to_contain_text("HR-")
