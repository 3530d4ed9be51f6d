"""A browser that opens the pages of the list as people do, and keeps what it complains about."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpResponse
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Request, Route
from playwright.sync_api import Page as Sheet

from campaign.ops.demo import TOKEN, doors_token
from tests.factories.demo_course import DemoCourse
from tests.factories.every_page import Page

WIDTHS = (1280, 390)
#: Milliseconds in which a script has drawn its page, on a busy machine too.
DRAWN_IN = 120_000


@dataclass
class Camera:
    """Opens pages at one width."""

    browser: Browser
    url: str
    course: DemoCourse
    width: int
    complaints: list[str] = field(default_factory=list)

    @contextmanager
    def open(self, page: Page, scheme: str = "light") -> Iterator[Sheet]:
        """The page as its person sees it, all loaded, what is folded unfolded where it asks for that."""
        context = self.browser.new_context(
            viewport={"width": self.width, "height": 900},
            color_scheme=scheme,
            locale="en-GB",
        )  # type: ignore[arg-type]
        try:
            given = page.answer(self.course) if page.by else None
            self._signed_in(context, page)
            sheet = context.new_page()
            if given is not None:
                sheet.route(self.url + page.path(self.course), lambda route: _fulfil(route, given))
            sheet.emulate_media(media=page.media)  # type: ignore[arg-type]
            self._watched(sheet, page)
            answer = sheet.goto(self.url + page.path(self.course), wait_until="networkidle")
            assert answer is not None
            assert answer.status == page.status, f"{page.name} answers {answer.status}"
            if page.drawn:
                sheet.locator(page.drawn).first.wait_for(timeout=DRAWN_IN)
            if page.opened:
                sheet.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
            yield sheet
        finally:
            context.close()

    def _signed_in(self, context: BrowserContext, page: Page) -> None:
        """With the cookies of the person's browser in the course."""
        kept = self.course.people[page.who].cookies.values()
        cookies = [(one.key, one.value) for one in kept if one.value]
        if settings.DEMO:  # as in a browser that opened the address `make run` prints
            cookies.append((TOKEN, doors_token()))
        context.add_cookies([{"name": name, "value": value, "url": self.url} for name, value in cookies])

    def _watched(self, sheet: Sheet, page: Page) -> None:
        """Keep errors, refusals of the policy and requests to elsewhere."""

        def console(message: ConsoleMessage) -> None:
            own = f"status of {page.status}" in message.text and page.status >= 400
            if message.type in ("error", "warning") and not own:
                self.complaints.append(f"{page.name}, console: {message.text}")

        def request(asked: Request) -> None:
            parts = urlsplit(asked.url)
            if parts.scheme not in ("data", "blob") and parts.netloc != urlsplit(self.url).netloc:
                self.complaints.append(f"{page.name}, another host: {asked.url}")

        sheet.on("console", console)
        sheet.on("pageerror", lambda error: self.complaints.append(f"{page.name}, script: {error}"))
        sheet.on("request", request)


def _fulfil(route: Route, answer: HttpResponse) -> None:
    """Answer a browser what Django has answered the test already."""
    route.fulfill(status=answer.status_code, headers=dict(answer.items()), body=answer.content)
