"""Photographs of every page, to be looked at before a page is called done."""

import pytest
from django.conf import settings
from playwright.sync_api import Browser

from tests.factories.demo_course import DemoCourse
from tests.factories.every_page import STAGES
from tests.journeys.camera import WIDTHS, Camera

pytestmark = [pytest.mark.screenshots, pytest.mark.django_db(transaction=True)]

FOLDER = settings.VAR_DIR / "screenshots"


def test_photograph_the_pages(browser: Browser, live_server, settings):
    settings.DEMO = True  # the front page with its doors
    FOLDER.mkdir(parents=True, exist_ok=True)
    course = DemoCourse(runs=200)
    cameras = [Camera(browser, live_server.url, course, width) for width in WIDTHS]
    for stage, pages in STAGES.items():
        course.go(stage)
        for page in pages:
            for camera in cameras:
                for scheme in page.schemes:
                    name = page.name if scheme == "light" else f"{page.name}-dark"
                    with camera.open(page, scheme) as sheet:
                        sheet.screenshot(path=FOLDER / f"{name}-{camera.width}.png", full_page=True)
    complaints = [each for camera in cameras for each in camera.complaints]
    assert not complaints, "\n".join(complaints)
