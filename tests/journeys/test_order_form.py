"""The order form in a browser offers what fits its choices."""

import re

import pytest
from playwright.sync_api import expect

from tests.journeys.walking import Hand, sat_down

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def test_only_what_the_activity_is_about_at_the_formations_place_is_offered(
    browser, live_server, saratoga, burgoyne
):
    with sat_down(browser, live_server.url, Hand, user=burgoyne) as hand:
        page = hand.page
        page.goto(f"{live_server.url}{saratoga.get_absolute_url()}?sheet=orders")
        formation, activity = page.locator("#id_formation"), page.locator("#id_activity")
        formation.select_option(index=1)
        place = formation.evaluate("field => field.selectedOptions[0].dataset.place")
        activity.select_option("obstruct")
        offered = page.locator("#id_target option[data-fits]:not([disabled])")
        expect(offered.first).to_have_attribute("data-fits", re.compile(rf"\bobstruct@{place}\b"))
        told = offered.evaluate_all("options => options.map((each) => each.dataset.fits)")
        assert all(f"obstruct@{place}" in each.split() for each in told)
        page.locator("#id_target").select_option(index=offered.first.evaluate("each => each.index"))
        activity.select_option("repair_bridge")
        expect(page.locator("#id_target")).to_have_value("")
        assert not any(
            f"obstruct@{place}" in each.split() and f"repair_bridge@{place}" not in each.split()
            for each in offered.evaluate_all("options => options.map((each) => each.dataset.fits)")
        )
