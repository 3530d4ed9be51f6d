"""What one works with lies in sight: the chosen column, the whole map, places near each other."""

from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, Locator, Page, expect

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

#: What of the page is drawn over the middle of the chosen column's blocks, or nothing.
HIDDEN = """() => {
  const { left, right, top, bottom } = document.querySelector(".block.chosen").getBoundingClientRect();
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  const over = document.elementsFromPoint(x, y).filter((one) => one.closest("#pointing, .days, .legend"));
  const sheet = document.querySelector("#map").getBoundingClientRect();
  const out = x < sheet.left || x > sheet.right || y < sheet.top || y > sheet.bottom;
  return out ? "out of the sheet" : over.map((one) => one.className).join();
}"""
REMEMBERED = "([key, view]) => sessionStorage.setItem(key, JSON.stringify(view))"


@pytest.fixture
def page(browser: Browser, live_server, saratoga, burgoyne) -> Any:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    client = Client()
    client.force_login(burgoyne)
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}])
    page = context.new_page()
    page.on("pageerror", lambda error: pytest.fail(f"script error: {error}"))
    yield page
    context.close()


def opened(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_selector("#map[data-ready]")
    page.wait_for_load_state("networkidle")


def middle(drawn: Locator) -> tuple[float, float]:
    box = drawn.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize("across", [-0.4, 0.0, 0.4, 0.9])
@pytest.mark.parametrize("down", [-0.35, 0.35])
def test_the_chosen_column_is_brought_out_from_under_the_panels(
    page: Page, live_server, saratoga, across, down
):
    """Wherever the remembered view has it: when the page comes, and when another is chosen in the form."""
    site, address = live_server.url, saratoga.get_absolute_url()
    opened(page, site + address)
    chambly = {"lat": 45.45 + down, "lng": -73.28 + across}
    page.evaluate(REMEMBERED, [f"map {saratoga.slug}", {"centre": chambly, "zoom": 9.5}])
    opened(page, f"{site}{address}?sheet=orders&formation=prinz_friedrich")
    assert page.evaluate(HIDDEN) == ""
    others = page.locator("#id_formation option").evaluate_all("all => all.map(one => one.value)")
    for other in [value for value in others if value][:2]:
        with page.expect_response(lambda answer: answer.url.endswith("/orders/preview/")):
            page.locator("#id_formation").select_option(other)
        page.wait_for_function(f"({HIDDEN})() === ''")  # also once its march is told


#: Whether the march drawn lies on the sheet from its beginning to its end.
SEEN = """() => {
  const drawn = document.querySelector(".march-preview")?.getBoundingClientRect();
  const sheet = document.querySelector("#map").getBoundingClientRect();
  return Boolean(drawn?.width) && drawn.left >= sheet.left && drawn.right <= sheet.right
    && drawn.top >= sheet.top && drawn.bottom <= sheet.bottom;
}"""


def test_a_far_place_chosen_in_the_form_is_shown_with_the_whole_march(page: Page, live_server, saratoga):
    """One that is tapped lies in sight, and the view stays."""
    opened(page, f"{live_server.url}{saratoga.get_absolute_url()}?sheet=orders&formation=advanced_corps")
    for _ in range(2):
        page.get_by_role("button", name="Zoom in").click()
    with page.expect_response(lambda answer: answer.url.endswith("/orders/preview/")):
        page.locator("#id_destination").select_option("albany")
    page.wait_for_function(SEEN)
    assert page.evaluate(HIDDEN) == ""


def test_the_whole_map_comes_back_at_a_key(page: Page, live_server, saratoga):
    opened(page, live_server.url + saratoga.get_absolute_url())
    place = page.locator(".place[title='Albany'] svg")
    before = middle(place)
    for _ in range(2):
        page.get_by_role("button", name="Zoom in").click()
    assert middle(place) != before
    whole = page.get_by_role("button", name="Whole map")
    whole.focus()
    page.keyboard.press("Enter")
    assert middle(place) == pytest.approx(before, abs=1.5)


def test_of_two_places_upon_each_other_both_are_reached(page: Page, live_server, saratoga):
    """Mount Independence lies by Ticonderoga: the greater is above, a tap asks which is meant."""
    site, address = live_server.url, saratoga.get_absolute_url()
    opened(page, site + address)
    view = {"centre": {"lat": 43.84, "lng": -73.39}, "zoom": 8.75}
    page.evaluate(REMEMBERED, [f"map {saratoga.slug}", view])
    opened(page, site + address)
    place = "() => document.elementFromPoint(%f, %f).closest('.place')?.title"
    x, y = middle(page.locator(".place[title='Ticonderoga'] svg"))
    assert page.evaluate(place % (x, y)) == "Ticonderoga"
    for name in ("Ticonderoga", "Mount Independence"):
        page.mouse.click(x, y)
        card = page.get_by_role("dialog", name="Which place?")
        card.get_by_role("button", name=name).click()
        expect(page.get_by_role("dialog", name=name)).to_be_visible()
        page.keyboard.press("Escape")
    opened(page, f"{site}{address}?sheet=orders&formation=advanced_corps")
    page.evaluate(REMEMBERED, [f"map {saratoga.slug}", view])
    opened(page, f"{site}{address}?sheet=orders&formation=advanced_corps")
    sign = page.locator(".place[title='Ticonderoga'] svg")
    page.mouse.click(*middle(sign))
    page.get_by_role("dialog", name="Which place?").get_by_role("button", name="Mount Independence").click()
    expect(page.locator("#id_destination")).to_have_value("mount_independence")
