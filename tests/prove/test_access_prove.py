"""Every page at both widths: no serious fault of access, a quiet console, no host but the site's."""

import pytest
from playwright.sync_api import Browser

from tests.factories.every_page import PAGES
from tests.journeys.access import walked
from tests.journeys.camera import WIDTHS
from tests.prove.conftest import Figure

pytestmark = [pytest.mark.prove, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("width", WIDTHS)
def test_every_page_can_be_used_by_everybody(
    browser: Browser, live_server, settings, width: int, figure: Figure
):
    settings.DEMO = True
    opened, wrong = walked(browser, live_server.url, [width], PAGES.__contains__)
    found = f"{opened} pages, {len(wrong)} faults"
    figure(f"access, console, hosts at {width} px", found, "no serious fault, console quiet, own host only")
    assert not wrong, "\n".join(wrong)
    assert opened == len(PAGES)
