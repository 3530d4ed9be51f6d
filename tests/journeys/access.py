"""Whether pages can be used by everybody, and ask nothing of the world: axe-core, the console, hosts."""

from collections.abc import Callable, Iterable
from contextlib import closing
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser
from playwright.sync_api import Page as Sheet

from tests.factories.demo_course import DemoCourse
from tests.factories.every_page import STAGES, Page
from tests.journeys.camera import Camera

#: Faults of these weights count; what axe finds of less it only advises.
COUNTED = ("serious", "critical")
#: This axe takes what is folded away for drawn, over what follows it; and colours on their way for kept.
STYLES = """
    details:not([open]) > :not(summary) { display: none }
    *, ::before, ::after { transition: none !important; animation: none !important }
"""
#: A sheet of styles that is made, not sent, which no page's policy is asked about.
STYLED = """styles => {
    const made = new CSSStyleSheet();
    made.replaceSync(styles);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, made];
}"""


def faults(sheet: Sheet, page: Page, width: int) -> list[str]:
    """What axe-core finds on a page that is open, in each scheme of its, with the elements it is about."""
    sheet.evaluate(STYLED, STYLES)
    found: list[str] = []
    with closing(_Axe(sheet)) as axe:
        for scheme in page.schemes:
            sheet.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            found += [f"{page.name}, {scheme}, {width} px: {each}" for each in axe.run()]
    return found


def found(sheet: Sheet) -> list[str]:
    """Faults of an open page: the rule, the element, and what is to be done about it."""
    with closing(_Axe(sheet)) as axe:
        return axe.run()


class _Axe:
    """axe-core in an open page, by the browser's own console, which the page's policy lets do all."""

    def __init__(self, sheet: Sheet) -> None:
        self.console = sheet.context.new_cdp_session(sheet)
        self._evaluate(AXE_SCRIPT)

    def run(self) -> list[str]:
        """Faults that count: the rule, the element, and what is to be done about it."""
        answer = self._evaluate("axe.run({resultTypes: ['violations']}).then(found => found.violations)")
        return [
            f"{each['id']} ({each['impact']}): {node['html'][:160]} {node['failureSummary'][:300]}"
            for each in answer["value"]
            if each["impact"] in COUNTED
            for node in each["nodes"]
        ]

    def close(self) -> None:
        self.console.detach()

    def _evaluate(self, script: str) -> dict[str, Any]:
        asked = {"expression": script, "awaitPromise": True, "returnByValue": True}
        answer = self.console.send("Runtime.evaluate", asked)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return dict(answer["result"])


def walked(
    browser: Browser, url: str, widths: Iterable[int], wanted: Callable[[Page], bool]
) -> tuple[int, list[str]]:
    """How many pages were opened of the wanted ones at these widths, and all that is wrong with them."""
    course, opened, wrong = DemoCourse(), 0, []
    chosen = {stage: [page for page in pages if wanted(page)] for stage, pages in STAGES.items()}
    last = max(number for number, pages in enumerate(chosen.values()) if pages)
    for stage in list(chosen)[: last + 1]:
        course.go(stage)
        for width in widths:
            camera = Camera(browser, url, course, width)
            for page in chosen[stage]:
                with camera.open(page) as sheet:
                    opened += 1
                    wrong += faults(sheet, page, width)
            wrong += [f"{width} px, {each}" for each in camera.complaints]
    return opened, wrong
