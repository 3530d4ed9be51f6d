"""The map in a real browser: names on it cover neither each other nor the troops."""

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, expect

from campaign.models import Seat, User
from campaign.services.campaigns import SeatPlan, campaign_create

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


@pytest.mark.parametrize("scenario", ["saratoga-1777", "new-jersey-1776"])
@pytest.mark.parametrize("width", [1280, 390])
def test_names_cover_neither_each_other_nor_troops(browser: Browser, live_server, width: int, scenario: str):
    umpire = User.objects.create_user("carleton")
    campaign = campaign_create(
        scenario=scenario,
        slug="war",
        secret=b"fair winds upon Lake Champlain..",
        seats=(SeatPlan(Seat.Role.UMPIRE, title="The umpire", user=umpire),),
        actor=umpire,
    )
    client = Client()
    client.force_login(umpire)
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    context = browser.new_context(viewport={"width": width, "height": 900}, reduced_motion="reduce")
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}])
    page = context.new_page()
    page.goto(live_server.url + campaign.get_absolute_url())
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
