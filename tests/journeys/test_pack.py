"""A battle pack is read on a phone: a table that is wider slides by itself (HR-TAB-23)."""

import os

import pytest
from playwright.sync_api import Browser

from battles.rulesets import registry
from campaign.models import Battle
from tests.factories.people import signed_in

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

PHONE = {"width": 390, "height": 780}
#: Tables wider than what holds them that nobody can move by keys, or that have no name.
STUCK = """() => [...document.querySelectorAll('.pack table')]
    .filter(table => {
        const holder = table.closest('.scroll') ?? table.parentElement;
        const wide = table.scrollWidth > holder.clientWidth + 1;
        return wide && !(holder.tabIndex === 0 && holder.role === 'region' && holder.ariaLabel);
    })
    .map(table => table.caption?.textContent ?? 'a table without a caption')"""


@pytest.mark.parametrize("ruleset", [one.id for one in registry.RULESETS])
def test_a_pack_is_no_wider_than_a_phone_under_any_rules_hr_tab_23(
    live_server, browser: Browser, battle, carleton, ruleset
):
    Battle.objects.update(way="table", ruleset="" if ruleset == "awi" else ruleset)
    context = browser.new_context(viewport=PHONE, has_touch=True, locale="en-GB")  # type: ignore[arg-type]
    context.add_cookies(
        [
            {"name": one.key, "value": one.value, "url": live_server.url}
            for one in signed_in(carleton).cookies.values()
        ]
    )
    page = context.new_page()
    try:
        page.goto(f"{live_server.url}/campaigns/saratoga/battles/{battle.pk}/pack/")
        assert page.locator(".pack .reference table").count() > 1
        if out := os.environ.get("SHOTS"):
            page.screenshot(path=f"{out}/pack-{ruleset}-390.png", full_page=True)
        for width in (PHONE["width"], 360):
            page.set_viewport_size(PHONE | {"width": width})  # type: ignore[arg-type]
            assert page.evaluate(STUCK) == []
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        if out:
            page.set_viewport_size({"width": 1280, "height": 900})
            page.screenshot(path=f"{out}/pack-{ruleset}-1280.png", full_page=True)
    finally:
        context.close()
