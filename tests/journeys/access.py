"""Whether pages can be used by everybody, and ask nothing of the world: axe-core, the console, hosts."""

from collections.abc import Callable, Iterable

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser
from playwright.sync_api import Page as Sheet

from tests.factories.demo_course import DemoCourse
from tests.factories.every_page import STAGES, Page
from tests.journeys.camera import Camera

#: Faults of these weights count; what axe finds of less it only advises.
COUNTED = ("serious", "critical")
#: This axe takes what is folded away for drawn, over what follows it.
FOLDED = "details:not([open]) > :not(summary) { display: none }"


def faults(camera: Camera, page: Page, scheme: str = "light") -> list[str]:
    """What axe-core finds on a page, with the elements it is about. `camera` must bypass the policy."""
    assert camera.bypass, "Pages let axe in by the bypass only."
    with camera.open(page, scheme) as sheet:
        return [f"{page.name}, {scheme}, {camera.width} px: {each}" for each in found(sheet)]


def found(sheet: Sheet) -> list[str]:
    """Faults of an open page: the rule, the element, and what is to be done about it."""
    sheet.add_style_tag(content=FOLDED)
    return [
        f"{each['id']} ({each['impact']}): {node['html'][:160]} {node['failureSummary'][:300]}"
        for each in Axe().run(sheet).response["violations"]
        if each["impact"] in COUNTED
        for node in each["nodes"]
    ]


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
            plain = Camera(browser, url, course, width)
            let_in = Camera(browser, url, course, width, bypass=True)
            for page in chosen[stage]:
                with plain.open(page):
                    opened += 1
                for scheme in page.schemes:
                    wrong += faults(let_in, page, scheme)
            wrong += [f"{width} px, {each}" for each in plain.complaints]
    return opened, wrong
