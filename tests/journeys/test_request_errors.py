"""What a script asks for and does not get is told on the page, and taken away once it comes after all."""

import pytest
from playwright.sync_api import Browser, expect

from tests.factories.people import signed_in

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

PAGES = ["", "army/", "desk/", "jobs/", "battles/{battle}/", "battles/{battle}/way/"]
LOST = "The site does not answer. See whether you are online, then load the page again."


@pytest.mark.parametrize("place", PAGES)
def test_a_failed_and_a_cut_off_request_are_told(live_server, browser: Browser, battle, carleton, place):
    context = browser.new_context(viewport={"width": 390, "height": 780}, locale="en-GB")
    for one in signed_in(carleton).cookies.values():
        context.add_cookies([{"name": one.key, "value": one.value, "url": live_server.url}])
    page = context.new_page()
    page.goto(f"{live_server.url}/campaigns/saratoga/{place.format(battle=battle.pk)}")
    page.wait_for_function("window.htmx !== undefined")
    # The desk asks for its week itself, and an answer takes the message away.
    page.wait_for_load_state("networkidle")
    told = page.locator("#went-wrong")
    page.evaluate("htmx.ajax('GET', '/campaigns/saratoga/nothing-here/', {target: 'body', swap: 'none'})")
    expect(told).to_have_text("The site could not answer (404). Load the page again and try once more.")
    context.set_offline(True)
    page.evaluate("htmx.ajax('GET', '/health/', {target: 'body', swap: 'none'}).catch(() => 0)")
    expect(told).to_have_text(LOST)
    context.set_offline(False)
    page.evaluate("htmx.ajax('GET', '/health/', {target: 'body', swap: 'none'})")
    expect(told).to_have_count(0)
    context.close()
