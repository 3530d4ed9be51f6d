"""What people see first: no serious fault of access, nothing in the console, no request to elsewhere."""

import pytest
from playwright.sync_api import Browser

from tests.factories.every_page import Page
from tests.journeys.access import faults, found, walked
from tests.journeys.camera import WIDTHS

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def test_axe_finds_what_is_wrong(browser: Browser):
    """So that an empty list of faults means something."""
    sheet = browser.new_page()
    sheet.set_content(
        '<html lang="en"><title>x</title><main><h1>x</h1><button></button><img src="data:,"></main>'
    )
    assert {each.split()[0] for each in found(sheet)} == {"button-name", "image-alt"}
    sheet.close()


def test_axe_finds_what_is_wrong_in_the_dark_alone_whatever_the_policy_forbids(browser: Browser):
    """A page that was drawn in the light is looked at in the dark as it is then."""
    sheet = browser.new_page()
    sheet.set_content(
        '<html lang="en"><meta http-equiv="Content-Security-Policy" content="script-src data:">'
        "<title>x</title>"
        "<style>p { color: #000; background: #fff; transition: color 9s }"
        "@media (prefers-color-scheme: dark) { p { color: #888; background: #777 } }</style>"
        "<main><h1>x</h1><p>Who reads this?</p></main>"
    )
    seen = faults(sheet, Page("x", "front", chief=True), 1280)
    assert [each.partition(" (")[0] for each in seen] == ["x, dark, 1280 px: color-contrast"]
    sheet.close()


def test_what_people_see_first_can_be_used_by_everybody(browser: Browser, live_server, settings):
    settings.DEMO = True  # the front page with its doors
    opened, wrong = walked(browser, live_server.url, WIDTHS, lambda page: page.chief)
    assert not wrong, "\n".join(wrong)
    assert opened >= 10
