"""Orders by pointing in a real browser: at both widths, by keyboard, with the line cut in the middle."""

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from campaign.models import OrderPaper
from campaign.rules.world.world import Order
from campaign.services.orders.march_orders import order_submit

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

SIZES = {1280: 900, 390: 844}


@pytest.fixture(params=SIZES)
def page(request, browser: Browser, live_server, saratoga, burgoyne) -> Iterator[Page]:
    """The commander's orders at a width; a script's error fails the test."""
    context = browser.new_context(
        viewport={"width": request.param, "height": SIZES[request.param]}, reduced_motion="reduce"
    )
    client = Client()
    client.force_login(burgoyne)
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}])
    page = context.new_page()
    page.on("pageerror", lambda error: pytest.fail(f"script error: {error}"))
    page.goto(f"{live_server.url}{saratoga.get_absolute_url()}?sheet=orders&formation=advanced_corps")
    page.wait_for_selector("#map[data-ready]")
    page.wait_for_load_state("networkidle")
    yield page
    context.close()


def tap(page: Page, place: str) -> None:
    """Choose a place on the map by the keyboard, as a tap would."""
    marker = page.locator(f".place[title='{place}']")
    marker.focus()
    page.keyboard.press("Enter")


def stops(page: Page) -> list[str]:
    names = ("by_1", "by_2", "by_3", "destination")
    return [value for name in names if (value := page.locator(f"#id_{name}").input_value())]


def test_places_pointed_at_in_turn_become_the_order(page: Page):
    bar = page.locator("#pointing")
    expect(bar).to_contain_text("Advanced Corps")
    expect(page.locator("path.reach-1").first).to_be_attached()
    shaded = page.locator("path.reach").count()
    tap(page, "Crown Point")
    tap(page, "Ticonderoga")
    assert stops(page) == ["crown_point", "ticonderoga"]
    expect(bar).to_contain_text("By Crown Point to Ticonderoga on")
    expect(page.locator(".march-end")).to_have_count(1)
    nights = page.locator(".march-night").count()
    bar.get_by_label("Pace").select_option("double")
    expect(page.locator("#id_pace")).to_have_value("double")
    expect(bar).to_contain_text("Expect to lose about")
    expect(page.locator("#order-preview")).to_contain_text("in 6, ")
    expect(page.locator(".march-mark .loss").first).to_be_attached()
    assert page.locator(".march-night").count() < nights
    page.wait_for_function(f"document.querySelectorAll('path.reach').length !== {shaded}")
    bar.get_by_role("button", name="Undo last place").click()
    assert stops(page) == ["crown_point"]
    bar.get_by_role("button", name="Clear").click()
    assert stops(page) == []
    expect(page.locator(".march-end")).to_have_count(0)
    tap(page, "Bouquet River")
    expect(bar).to_contain_text("To Bouquet River on")
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]  # type: ignore[index]
    bar.get_by_role("button", name="Submit", exact=True).click()
    expect(page.locator(".notice.success")).to_contain_text("Receipt")
    assert OrderPaper.objects.get(state="standing").body["via"] == ["bouquet_river"]


def test_looking_instead_of_pointing_opens_the_card_of_a_place(page: Page):
    page.get_by_role("button", name="Point on the map").click()
    expect(page.locator("path.reach")).to_have_count(0)
    tap(page, "Crown Point")
    expect(page.locator(".map-card")).to_contain_text("Crown Point")
    assert stops(page) == []


def test_a_cut_line_and_another_window_lose_nothing(page: Page, saratoga):
    tap(page, "Crown Point")
    expect(page.locator("#pointing")).to_contain_text("To Crown Point on")
    send = page.get_by_role("button", name="Submit the order")
    page.context.set_offline(True)
    send.click()
    expect(page.locator(".send-told")).to_contain_text("has not got through")
    assert stops(page) == ["crown_point"] and not OrderPaper.objects.exists()
    page.context.set_offline(False)
    order_submit(
        campaign=saratoga, side="crown", order=Order("advanced_corps", ("bouquet_river",)), actor=None
    )
    send.click()
    expect(page.locator("#order-form")).to_contain_text("A newer order for Advanced Corps stands, version 1")
    assert stops(page) == ["crown_point"]
    send.click()
    expect(page.locator(".notice.success")).to_contain_text("Receipt 1-2-")
    assert OrderPaper.objects.get(state="standing").body["via"] == ["crown_point"]
