"""The map of the week's desk in a real browser: what is under orders is inside its frame."""

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, Page

from campaign.rules.world.world import Order
from campaign.services.orders.march_orders import order_submit

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

#: What of the ordered marches and their labels lies outside the frame of the map.
OUTSIDE = """() => {
  const frame = document.querySelector("#map").getBoundingClientRect();
  return [...document.querySelectorAll(".march-mark > div, path.march")]
    .filter((one) => one.getClientRects().length && getComputedStyle(one).visibility === "visible")
    .filter((one) => {
      const box = one.getBoundingClientRect();
      const across = box.left < frame.left || box.right > frame.right;
      return across || box.top < frame.top || box.bottom > frame.bottom;
    }).map((one) => `${one.getAttribute("class")} ${one.textContent}`);
}"""


@pytest.fixture(params=[(1280, 900), (390, 844)], ids=["1280", "390"])
def page(request, browser: Browser, live_server, carleton) -> Iterator[Page]:
    client = Client()
    client.force_login(carleton)
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    width, height = request.param
    context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}])
    yield context.new_page()
    context.close()


@pytest.mark.parametrize(
    "orders",
    [
        [("crown", "british_2nd_brigade", "new_york")],
        [("rebel", "poors_brigade", "crown_point"), ("crown", "british_2nd_brigade", "montreal")],
        [("rebel", "poors_brigade", "kingston")],
    ],
)
def test_ordered_marches_and_their_labels_are_in_the_frame(page: Page, live_server, saratoga, orders):
    """Also those of an order that came after one has looked closer."""
    for side, formation, target in orders:
        order_submit(campaign=saratoga, side=side, order=Order(formation, (target,)), actor=None)
        page.goto(f"{live_server.url}{saratoga.get_absolute_url()}desk/")
        page.wait_for_selector("#map[data-ready]")
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.querySelectorAll('.march-end').length") >= 1
        assert page.evaluate(OUTSIDE) == []
        page.get_by_role("button", name="Zoom in").click()
