"""How people work a page: with a mouse, a finger, or keys alone; each watched for what must not happen."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Request, expect

from campaign.models import User

TALL = {1280: 900, 390: 844}
STOPS = 400  # of the tabulator; whoever has not come to a thing by then is lost
PATIENCE = 20_000  # milliseconds, for a page to come
SMALLEST = 24  # pixels: what a finger still meets
#: What is to be pressed and is smaller than SMALLEST both ways, but for words in a running text.
SMALL = """least => [...document.querySelectorAll('a, button, select, summary, input')].filter((one) => {
  const box = one.getBoundingClientRect();
  const inText =
    getComputedStyle(one).display === 'inline' && one.parentElement.matches('p, li, td, dd, span');
  return one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && box.width > 1
    && box.height < least - 0.5 && !inText && !one.closest('.unseen, .skip')
    && one.type !== 'checkbox' && one.type !== 'radio' && one.type !== 'range';
}).map((one) => `${one.outerHTML.slice(0, 80)} ${Math.round(one.getBoundingClientRect().height)}`)"""
#: Where the cursor is, whether that is the thing wanted, whether it lies before it, and whether one sees it.
CURSOR = """(wanted) => {
  const at = document.activeElement ?? document.body;
  const ring = (one) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
    return one.getBoundingClientRect().width > 0
      && ((outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none');
  };
  const put = at === document.body || at.tabIndex < 0; // by the page, at the head of what has come
  const seen = put || ring(at) || [...at.querySelectorAll('*')].some(ring);
  const before = Boolean(wanted.compareDocumentPosition(at) & Node.DOCUMENT_POSITION_FOLLOWING);
  const skip = at === document.body && Boolean(wanted.closest('#main'));
  return { there: at === wanted, before, seen, skip, what: at.cloneNode().outerHTML.slice(0, 120) };
}"""


class Watched:
    """Complaints of a window's pages and what they ask of other hosts."""

    def __init__(self, context: BrowserContext, host: str) -> None:
        self.host = host
        self.complaints: list[str] = []
        context.on("weberror", lambda failed: self.complaints.append(str(failed.error)))
        context.on("console", lambda said: said.type == "error" and self.complaints.append(said.text))
        context.on("request", self.asked)

    def asked(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme in ("http", "https", "ws", "wss") and parts.netloc != self.host:
            self.complaints.append(f"asks another host: {request.url}")


class Hand:
    """A newcomer with a mouse. Others work the same page by other means."""

    width, phone = 1280, False

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, thing: Locator) -> None:
        thing.click()

    def point(self, marker: Locator) -> None:
        """Press what is drawn for a marker of the map; the marker itself is a point without size."""
        self.press(marker.locator(".stack-inner, svg").first)

    def tick(self, box: Locator) -> None:
        self.press(box)

    def write(self, field: Locator, text: str) -> None:
        field.fill(text)

    def choose(self, field: Locator, label: str) -> None:
        """Choose the option that begins with these words."""
        field.select_option(label=self.option(field, label))

    def slide(self, slider: Locator, steps: int) -> None:
        slider.fill(str(int(slider.input_value()) + steps))

    def option(self, field: Locator, label: str) -> str:
        expect(field).to_be_enabled()
        labels = [text.strip() for text in field.locator("option").all_text_contents()]
        return next(text for text in labels if text.startswith(label))

    def open_menu(self) -> None:
        """On a phone the pages of a campaign are behind a button."""
        if self.phone:
            self.press(self.page.get_by_role("banner").get_by_role("button", name="Menu"))

    def fits(self) -> None:
        """Nothing is wider than the window, and on a phone nothing is too small for a finger."""
        wide = self.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= self.width, f"{self.page.url} is {wide} px wide"
        if self.phone:
            small = self.page.evaluate(SMALL, SMALLEST)
            assert not small, f"{self.page.url}: {small}"


class Finger(Hand):
    """A newcomer with a telephone."""

    width, phone = 390, True

    def press(self, thing: Locator) -> None:
        thing.tap()


class Keys(Hand):
    """A newcomer without a mouse: the tabulator, the arrows, Enter. He sees where he is on all his way."""

    def press(self, thing: Locator) -> None:
        self.reach(thing)
        self.page.keyboard.press("Enter")

    def point(self, marker: Locator) -> None:
        self.press(marker)

    def tick(self, box: Locator) -> None:
        self.reach(box)
        self.page.keyboard.press("Space")

    def write(self, field: Locator, text: str) -> None:
        self.reach(field)
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.type(text)

    def choose(self, field: Locator, label: str) -> None:
        self.reach(field)
        wanted = self.option(field, label)
        self.page.keyboard.type(wanted)
        expect(field.locator("option:checked")).to_have_text(re.compile(rf"^\s*{re.escape(wanted)}\s*$"))

    def slide(self, slider: Locator, steps: int) -> None:
        self.reach(slider)
        for _ in range(abs(steps)):
            self.page.keyboard.press("ArrowRight" if steps > 0 else "ArrowLeft")

    def skip(self) -> None:
        """Past the head of a page to its papers, by the link that comes first."""
        self.page.keyboard.press("Tab")
        expect(self.page.locator(".skip")).to_be_focused()
        expect(self.page.locator(".skip")).to_be_in_viewport()
        self.page.keyboard.press("Enter")
        expect(self.page.locator("#main")).to_be_focused()

    def reach(self, thing: Locator) -> None:
        """Go by the tabulator to a thing, forward or back, whichever way it lies."""
        expect(thing).to_be_attached()
        way = []
        for _ in range(STOPS):
            cursor = thing.evaluate(CURSOR)
            assert cursor["seen"], f"nothing shows that the cursor is at {cursor['what']}"
            if cursor["there"]:
                return
            if cursor["skip"] and not way:
                self.skip()
                continue
            way.append(cursor["what"])
            self.page.keyboard.press("Shift+Tab" if cursor["before"] else "Tab")
        raise AssertionError(f"{thing} is not reached; last stops: {way[-6:]}")


@contextmanager
def sat_down(
    browser: Browser,
    url: str,
    hand: type[Hand] = Hand,
    *,
    user: User | None = None,
    expected: str = "",
    **context: Any,
) -> Iterator[Hand]:
    """A person at a window of his own, signed in if he is a user.

    At the end nothing has complained, but of what is `expected` (a pattern), and nobody else was asked.
    """
    window = browser.new_context(
        viewport={"width": hand.width, "height": TALL[hand.width]},
        has_touch=hand.phone,
        is_mobile=hand.phone,
        reduced_motion="reduce",
        locale="en-GB",
        timezone_id="Europe/London",
        **context,
    )
    window.set_default_timeout(PATIENCE)
    if user is not None:
        client = Client()
        client.force_login(user)
        name = settings.SESSION_COOKIE_NAME
        window.add_cookies([{"name": name, "value": client.cookies[name].value, "url": url}])
    watched = Watched(window, urlsplit(url).netloc)
    yield hand(window.new_page())
    window.close()
    faults = [said for said in watched.complaints if not (expected and re.search(expected, said))]
    assert faults == []
