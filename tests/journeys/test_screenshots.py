"""Photographs of the pages, to be looked at before a page is called done."""

import pytest
from django.conf import settings
from django.core.management import call_command
from playwright.sync_api import Browser

from campaign.models import Campaign, Seat

pytestmark = [pytest.mark.screenshots, pytest.mark.django_db(transaction=True)]

WIDTHS = (1280, 390)
FOLDER = settings.VAR_DIR / "screenshots"


@pytest.mark.parametrize("width", WIDTHS)
def test_photograph_the_pages(browser: Browser, live_server, client, width: int):
    call_command("loadscenario", "saratoga-1777", demo=True)
    campaign = Campaign.objects.get()
    FOLDER.mkdir(parents=True, exist_ok=True)
    visits = [("front", "/", None), ("sign-in", "/sign-in/", None)]
    for seat in Seat.objects.filter(campaign=campaign, user__isnull=False).select_related("user"):
        visits.append((f"campaign-{seat.user.username}", f"/campaigns/{campaign.slug}/", seat.user))
    for name, path, user in visits:
        context = browser.new_context(viewport={"width": width, "height": 900})
        if user is not None:
            client.force_login(user)
            session = client.cookies[settings.SESSION_COOKIE_NAME].value
            context.add_cookies(
                [{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}]
            )
        page = context.new_page()
        answer = page.goto(live_server.url + path, wait_until="networkidle")
        assert answer is not None
        assert answer.ok, f"{path} answers {answer.status}"
        page.screenshot(path=FOLDER / f"{name}-{width}.png", full_page=True)
        context.close()
