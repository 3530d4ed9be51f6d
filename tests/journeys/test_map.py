"""The map in a real browser: names on it cover neither each other nor the troops."""

import time

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Route, expect

from campaign.models import Campaign, Seat, User
from campaign.services.setup.campaigns import SeatPlan, campaign_create
from tests.journeys.camera import WIDTHS

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

#: Pairs of what is shown of two selections that cover each other, as their words.
CLASHES = """() => {
  const shown = (selection) => [...document.querySelectorAll(selection)].filter(
    (one) => getComputedStyle(one).visibility === "visible" && one.getClientRects().length > 0);
  const names = shown(".place .label");
  const others = [...names, ...shown(".stack-inner .block, .days, .legend, .leaflet-control")];
  const clash = (a, b) => {
    const [p, q] = [a.getBoundingClientRect(), b.getBoundingClientRect()];
    return p.left < q.right && q.left < p.right && p.top < q.bottom && q.top < p.bottom;
  };
  return names.flatMap((one) => others.filter((other) => other !== one && clash(one, other))
    .map((other) => `${one.textContent} / ${other.textContent}`));
}"""


def umpires(browser: Browser, url: str, width: int, scenario: str) -> tuple[BrowserContext, str]:
    """The browser of the umpire of a campaign on its first morning, and the campaign's address."""
    campaign = first_morning(scenario)
    return window_of_umpire(browser, url, width), url + campaign.get_absolute_url()


def first_morning(scenario: str) -> Campaign:
    """A campaign of the umpire Carleton's."""
    umpire = User.objects.create_user("carleton")
    return campaign_create(
        scenario=scenario,
        slug="war",
        secret=b"fair winds upon Lake Champlain..",
        seats=(SeatPlan(Seat.Role.UMPIRE, title="The umpire", user=umpire),),
        actor=umpire,
    )


def window_of_umpire(browser: Browser, url: str, width: int) -> BrowserContext:
    """A browser in which he is signed in."""
    client = Client()
    client.force_login(User.objects.get(username="carleton"))
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    context = browser.new_context(viewport={"width": width, "height": 900}, reduced_motion="reduce")
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": url}])
    return context


@pytest.mark.parametrize("scenario", ["saratoga-1777", "new-jersey-1776"])
def test_names_cover_neither_each_other_nor_troops(browser: Browser, live_server, scenario: str):
    address = live_server.url + first_morning(scenario).get_absolute_url()
    for width in WIDTHS:
        verify_names_are_clear(window_of_umpire(browser, live_server.url, width), address)


def verify_names_are_clear(context: BrowserContext, address: str) -> None:
    """At three zooms, and where the map is moved to."""
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("#map[data-ready]")
    page.wait_for_load_state("networkidle")  # the site's own face is there
    for zoom_in in range(3):
        if zoom_in:
            page.get_by_role("button", name="Zoom in").click()
        assert page.evaluate(CLASHES) == []
        names = page.evaluate("[...document.querySelectorAll('.place .label:not(.crowded)')].length")
        assert names >= 8
    page.locator("#map").focus()
    for key in ("ArrowUp", "ArrowRight"):
        page.keyboard.press(key)
    expect(page.locator(".leaflet-pan-anim")).to_have_count(0)  # the sheet slides no more
    assert page.evaluate(CLASHES) == []
    context.close()


def test_the_map_says_that_it_is_being_drawn(browser: Browser, live_server):
    """Until what lies on it has come; a plain field looks broken."""
    context, address = umpires(browser, live_server.url, 390, "saratoga-1777")
    page = context.new_page()
    held: list[Route] = []
    page.route("**/map.geojson", lambda route: held.append(route))  # it asks for a function of Python's
    page.goto(address)
    words = page.get_by_text("The map is being drawn.")
    expect(words).to_be_visible()
    until = time.monotonic() + 20
    while not held and time.monotonic() < until:
        page.wait_for_timeout(50)
    held[0].continue_()
    page.wait_for_selector("#map[data-ready]")
    expect(words).to_have_count(0)
    context.close()


#: Drawn links and buttons of the strip that lie beyond the window, by name.
CUT = """() => [...document.querySelectorAll(".strip :is(a, button)")].filter((one) => {
  const { width, left, right, top, bottom } = one.getBoundingClientRect();
  return width && (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight);
}).map((one) => one.textContent)"""


def test_the_strip_above_the_map_leaves_a_phone_its_room_and_has_the_umpires_pages(
    browser: Browser, live_server
):
    context, address = umpires(browser, live_server.url, 390, "saratoga-1777")
    page = context.new_page()
    page.goto(address)
    strip = page.locator(".strip")
    box = strip.bounding_box()
    assert box is not None and box["height"] < 150, "four lines"
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert not page.evaluate(CUT), "links beyond the edge"
    for name in ("Seats", "How it is played", "Rulebook", "Notices"):
        link = strip.get_by_role("link", name=name, exact=True)
        if name != "Notices":
            expect(link).to_be_hidden()
            strip.get_by_role("button", name="Menu").click()
            expect(strip.get_by_role("button", name="Sign out")).to_be_visible()
            assert not page.evaluate(CUT), "links beyond the edge"
        link.click()
        expect(page.get_by_role("heading", name=name).first).to_be_visible()
        page.goto(address)
    context.close()


def test_a_wide_strip_has_all_pages_without_a_menu(browser: Browser, live_server):
    context, address = umpires(browser, live_server.url, 1280, "saratoga-1777")
    page = context.new_page()
    page.goto(address)
    strip = page.locator(".strip")
    expect(strip.get_by_role("button", name="Menu")).to_be_hidden()
    expect(strip.get_by_role("button", name="Sign out")).to_be_visible()
    strip.get_by_role("link", name="Rulebook", exact=True).click()
    expect(page.get_by_role("heading", name="Rulebook").first).to_be_visible()
    context.close()


#: What a finger put on the middle of a block or of a place's sign takes instead, as their names. Blocks may
#: lie on signs, as the names of greater places do.
TAKEN_INSTEAD = """() => {
  const frame = document.querySelector("#map").getBoundingClientRect();
  const wrong = (one, marker, over) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    if (x < frame.left || x > frame.right || y < frame.top || y > frame.bottom) return [];
    const there = document.elementsFromPoint(x, y).filter((each) => !each.closest(".label"));
    if (there[0]?.closest(".map-tools, .leaflet-control, .days")) return [];
    const first = there.map((each) => each.closest(over)).find(Boolean);
    return first === one.closest(marker) ? [] : [`${one.closest(marker).title} / ${first?.title}`];
  };
  const drawn = (selection) => [...document.querySelectorAll(selection)].filter(
    (one) => getComputedStyle(one).visibility === "visible");
  return [...drawn(".stack .block").flatMap((one) => wrong(one, ".stack", ".stack, .place")),
    ...drawn(".place svg").flatMap((one) => wrong(one, ".place", ".place"))];
}"""
#: Pairs of signs that are drawn nearer than a finger can tell, as their names.
TOO_NEAR = """() => {
  const drawn = [...document.querySelectorAll(".far .place svg")]
    .filter((one) => getComputedStyle(one).visibility === "visible")
    .map((one) => {
      const { x, y, width, height } = one.getBoundingClientRect();
      return { name: one.closest(".place").title, x: x + width / 2, y: y + height / 2 };
    });
  return drawn.flatMap((a, i) => drawn.slice(0, i)
    .filter((b) => Math.hypot(a.x - b.x, a.y - b.y) < 14).map((b) => `${a.name} / ${b.name}`));
}"""


def test_on_a_phone_what_is_drawn_can_be_tapped(browser: Browser, live_server):
    """Between Ticonderoga and Albany signs lay upon each other, and which was tapped was luck."""
    context, address = umpires(browser, live_server.url, 390, "saratoga-1777")
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("#map.far[data-ready]")
    page.wait_for_load_state("networkidle")
    assert page.evaluate(TOO_NEAR) == []
    assert page.evaluate(TAKEN_INSTEAD) == []
    context.close()


def test_a_long_name_stays_in_view_on_a_phone(browser: Browser, live_server):
    context, _ = umpires(browser, live_server.url, 390, "saratoga-1777")
    User.objects.update(first_name="Maximilian-Ferdinand-von", last_name="Riedesel-Freiherr-zu-Eisenbach")
    page = context.new_page()
    for path in ("/", "/account/", "/notices/", "/account/notices/"):
        page.goto(live_server.url + path)
        for link in page.locator(".person nav > *").all():
            box = link.bounding_box()
            assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 390, (path, box)
        assert page.evaluate("document.documentElement.scrollWidth") == 390
    context.close()
