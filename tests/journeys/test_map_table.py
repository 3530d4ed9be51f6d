"""The map as a table to work at, in a real browser: layers, cards, days, at both widths and by keyboard."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, Page, Response, expect
from whitenoise.compress import Compressor

from campaign.models import Campaign, Seat, User
from campaign.rules.world.world import Order
from campaign.scenarios.reading import read_scenario
from campaign.services.battles.settlement import battle_settle_by_word
from campaign.services.orders.march_orders import order_submit
from campaign.services.setup.campaigns import SeatPlan, campaign_create
from campaign.services.turns.days import day_advance
from tests.campaign.web.posed import SETTINGS, posed_world
from tests.factories.long_campaign import long_campaign

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

SIZES = {1280: 900, 390: 844}


@pytest.fixture
def war(live_server, monkeypatch) -> Campaign:
    """A corps before Ticonderoga, beaten on the second day; the third morning."""

    def changed(path: Any, chosen: Any) -> Any:
        scenario = read_scenario(path, chosen)
        return replace(scenario, world=posed_world(scenario.world))

    monkeypatch.setattr("campaign.services.setup.campaigns.read_scenario", changed)
    campaign = campaign_create(
        scenario="saratoga-1777",
        slug="war",
        secret=b"fair winds upon Lake Champlain..",
        settings=SETTINGS,
        seats=(SeatPlan(Seat.Role.COMMANDER, "crown", "Burgoyne", User.objects.create_user("burgoyne")),),
    )
    assault = Order("provincial_corps", ("mount_independence",), stance="attack")
    order_submit(campaign=campaign, side="crown", order=assault, actor=None)
    for _ in range(2):
        while waiting := day_advance(campaign=campaign, actor=None).battles_waiting:
            for battle in waiting:
                battle_settle_by_word(
                    battle=battle, field_held_by=battle.attacker, percent_lost={}, actor=None
                )
        campaign.refresh_from_db()
    return campaign


@pytest.fixture(params=SIZES)
def page(request, browser: Browser, live_server, war: Campaign) -> Iterator[Page]:
    """The commander's map at a width; a script's error fails the test."""
    context = browser.new_context(
        viewport={"width": request.param, "height": SIZES[request.param]}, reduced_motion="reduce"
    )
    context.add_cookies([session(war, live_server.url)])
    page = context.new_page()
    page.on("pageerror", lambda error: pytest.fail(f"script error: {error}"))
    page.on("console", lambda line: line.type == "error" and pytest.fail(f"console: {line.text}"))
    page.goto(live_server.url + war.get_absolute_url())
    expect(page.locator("#map[data-ready]")).to_be_visible()
    yield page
    context.close()


def session(war: Campaign, url: str) -> dict[str, str]:
    client = Client()
    client.force_login(war.seats.get(side="crown").user)
    return {"name": settings.SESSION_COOKIE_NAME, "value": client.cookies["sessionid"].value, "url": url}


def test_a_layer_put_away_stays_away(page: Page):
    def shown(selection: str) -> int:
        return page.locator("#map").locator(selection).count()

    layers = {
        "Columns and garrisons": ".block:not(.seen)",
        "Battles": ".battle-mark",
        "Objectives": ".objective",
        "Depots, boats, works": ".sign",
        "Roads and paths": ".way-road",
        "Ways by water": ".way-lake",
    }
    page.locator(".layers > summary").click()
    for name, selection in layers.items():
        assert shown(selection), name
        page.get_by_role("checkbox", name=name).uncheck()
        assert not shown(selection), name
    page.get_by_role("checkbox", name="Names of places").uncheck()
    expect(page.locator(".place .label").first).to_be_hidden()
    page.reload()
    expect(page.locator("#map[data-ready]")).to_be_visible()
    assert not any(shown(selection) for selection in layers.values())
    page.locator(".layers > summary").click()
    page.get_by_role("checkbox", name="Battles").check()
    assert shown(".battle-mark")


def test_a_card_tells_of_a_column_and_gives_the_cursor_back(page: Page):
    block = page.locator(".leaflet-marker-icon.stack").first
    block.focus()
    page.keyboard.press("Enter")
    card = page.get_by_role("dialog")
    expect(card).to_be_visible()
    expect(card.locator("h3")).to_be_focused()
    if card.locator("ul").count():
        card.locator("ul button").first.click()
    expect(card.locator("dl")).to_contain_text("Strength")
    expect(card.get_by_role("link", name="Returns")).to_be_visible()
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    expect(block).to_be_focused()


def test_a_place_says_who_holds_it_and_who_stands_there(page: Page):
    place = page.get_by_role("button", name="Ticonderoga", exact=True)
    place.focus()
    page.keyboard.press("Enter")
    card = page.get_by_role("dialog", name="Ticonderoga")
    expect(card).to_contain_text("Fortress, lake landing")
    expect(card).to_contain_text("Held by")
    box = card.bounding_box()
    assert box is not None
    frame = page.locator(".map-frame").bounding_box()
    assert frame is not None
    assert box["y"] + box["height"] <= frame["y"] + frame["height"] + 1
    if frame["width"] < 400:  # a sheet from below
        assert box["width"] == frame["width"]
    card.get_by_role("button", name="Close").click()
    expect(card).to_be_hidden()


def test_the_tabulator_stops_at_what_is_seen_of_the_sheet(page: Page):
    stops = page.locator(".place[tabindex='0']:not(.place-covered)")  # a block may stand on a place
    for place in stops.all():
        expect(place).to_be_in_viewport()
        expect(place.locator("svg")).to_be_visible()
    for _ in range(4):
        page.get_by_role("button", name="Zoom in").click()
    expect(page.locator(".far")).to_have_count(0)
    expect(page.locator(".place-minor[tabindex='0']").first).to_be_attached()
    assert stops.count() < page.locator(".place").count()


def test_the_days_are_looked_through_and_played(page: Page):
    notice = page.locator("#looking-back")
    expect(notice).to_be_hidden()
    page.get_by_role("button", name="The morning before").click()
    expect(notice).to_contain_text("You look back to the morning of Monday, 16 June 1777")
    expect(page.locator("#map")).to_have_attribute("data-day", "2")
    slider = page.get_by_role("slider", name="Morning shown on the map")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#map")).to_have_attribute("data-day", "1")
    expect(page.locator(".block.seen").first).to_be_attached()  # the enemy he then stood before
    expect(page.locator(".battle-mark")).to_have_count(0)
    expect(slider).to_have_attribute("aria-valuetext", "15 June, day 1")
    page.get_by_role("button", name="Play the days").click()
    expect(page.locator("#map")).to_have_attribute("data-day", "3")
    expect(notice).to_be_hidden()
    expect(page.locator(".battle-mark").first).to_be_attached()
    expect(page.get_by_role("button", name="Play the days")).to_be_visible()


def test_nothing_on_the_map_stands_out_of_its_frame(page: Page):
    page.locator(".layers > summary").click()
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= page.viewport_size["width"]
    for part in (".layers", ".days", ".legend:not(.layers)"):
        box = page.locator(part).bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= page.viewport_size["width"], part


def test_without_javascript_the_map_is_a_list(browser: Browser, live_server, war: Campaign):
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    context.add_cookies([session(war, live_server.url)])
    page = context.new_page()
    page.goto(live_server.url + war.get_absolute_url())
    page.get_by_role("link", name="Read the map as a list").click()
    expect(page.get_by_role("heading", name="The enemy, as reported")).to_be_visible()
    page.get_by_label("Morning of").select_option("1")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_text("You look back")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_role("link", name="Back to the map").click()
    expect(page).to_have_url(f"{live_server.url}{war.get_absolute_url()}?day=1")
    context.close()


def test_the_first_view_of_the_map_is_light(browser: Browser, live_server, war: Campaign):
    weigh_first_view(browser, live_server.url, war)


def test_the_first_view_of_the_map_of_a_long_campaign_is_light(browser: Browser, live_server, monkeypatch):
    weigh_first_view(browser, live_server.url, long_campaign(monkeypatch).campaign)


def weigh_first_view(browser: Browser, site: str, campaign: Campaign) -> None:
    """All that a browser fetches to show the map for the first time is under 400 KB."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.add_cookies([session(campaign, site)])
    page = context.new_page()
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    page.goto(site + campaign.get_absolute_url(), wait_until="networkidle")
    expect(page.locator("#map[data-ready]")).to_be_visible()
    weight = {answer.url.removeprefix(site): sent(answer) for answer in answers}
    assert all(answer.url.startswith(site) for answer in answers)
    assert sum(weight.values()) < 400 * 1024, sorted(weight.items(), key=lambda each: -each[1])
    context.close()


def sent(answer: Response) -> int:
    """Bytes of an answer's body as they came over the line.

    Files are packed here by what packs them where they are served; this server sends them as they are.
    """
    body, path = answer.body(), urlsplit(answer.url).path
    if path.startswith("/static/"):
        packer = Compressor()
        return len(packer.compress_gzip(body)) if packer.should_compress(path) else len(body)
    return answer.request.sizes()["responseBodySize"]
