"""A battle is watched in a real browser: by keys and buttons, wide and narrow, to its end."""

import re

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from campaign.services.battles.settlement import battle_settle_by_engine
from tests.journeys.camera import WIDTHS

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


#: Whether no style of another page changes how deep a base is.
DRAWN_AS_SAID = """(bases) => bases.length > 3 &&
  bases.every((one) => Math.abs(one.getBBox().height - Number(one.getAttribute("height"))) < 0.1)"""


def watch(browser: Browser, live_server, fight, user, width: int, **context) -> Page:
    client = Client()
    client.force_login(user)
    window = browser.new_context(viewport={"width": width, "height": 844}, **context)
    name = settings.SESSION_COOKIE_NAME
    window.add_cookies([{"name": name, "value": client.cookies[name].value, "url": live_server.url}])
    page = window.new_page()
    page.complaints = []
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on("console", lambda said: page.complaints.append(said.text) if said.type == "error" else None)
    page.goto(f"{live_server.url}/campaigns/saratoga/battles/{fight.pk}/replay/")
    return page


def test_a_battle_is_watched_to_its_end(browser: Browser, live_server, battle, burgoyne):
    battle_settle_by_engine(battle=battle, actor=None)
    for width in WIDTHS:
        watch_to_its_end(watch(browser, live_server, battle, burgoyne, width))


def watch_to_its_end(page: Page) -> None:
    """By keys and buttons; nothing complains and nothing is wider than the window."""
    root = page.locator(".replay.ready")
    expect(root).to_be_visible()
    frames = int(root.get_attribute("data-frames") or 0)
    expect(page.locator(".piece:not(.away)").nth(3)).to_be_visible()
    assert page.locator(".piece .base").evaluate_all(DRAWN_AS_SAID)
    headline = page.locator(".moment .headline")
    page.keyboard.press("ArrowRight")
    expect(root).to_have_attribute("data-frame", "1")
    expect(headline).to_contain_text("moves first")
    expect(page.locator(".die").first).to_be_visible()
    expect(page.locator("[data-live]")).to_contain_text("moves first")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect(root).to_have_attribute("data-frame", "1")
    page.keyboard.press("Shift+ArrowRight")
    expect(root).to_have_attribute("data-frame", re.compile("^([2-9]|[1-9][0-9]+)$"))
    page.get_by_label("Speed").select_option("4")
    page.get_by_role("heading", name="Battle of Ticonderoga").click()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause the battle")).to_be_visible()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play the battle")).to_be_visible()
    page.keyboard.press("End")
    expect(root).to_have_attribute("data-frame", str(frames))
    expect(headline).to_contain_text("The battle ends")
    expect(page.get_by_role("button", name="Step forward")).to_be_disabled()
    page.get_by_role("button", name="Close view").click()
    page.locator(".roll summary").click()
    expect(page.locator("[data-roll] tr").nth(3)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.complaints == []
    page.context.close()


def test_a_battle_of_stands_is_watched_stand_by_stand(browser: Browser, live_server, battle, burgoyne):
    battle.inputs["file"]["ruleset"] = "vb_wing"
    battle.save()
    battle_settle_by_engine(battle=battle, actor=None)
    for width in WIDTHS:
        watch_stand_by_stand(watch(browser, live_server, battle, burgoyne, width))


def watch_stand_by_stand(page: Page) -> None:
    """Both stands of a unit are named and drawn, to the end of the battle."""
    root = page.locator(".replay.ready")
    expect(root).to_be_visible()
    expect(page.locator("[data-roll] th", has_text="right stand").first).to_be_attached()
    assert page.locator(".piece .base").evaluate_all(DRAWN_AS_SAID)
    shape = "(base) => Number(base.getAttribute('width')) / Number(base.getAttribute('height'))"
    assert page.locator(".piece .base").first.evaluate(shape) == pytest.approx(2.0)
    expect(page.locator(".replay-legend")).to_contain_text("disordered")
    page.get_by_role("heading", name="Battle of Ticonderoga").click()
    page.keyboard.press("End")
    expect(root).to_have_attribute("data-frame", root.get_attribute("data-frames"))
    expect(page.locator(".moment .headline")).to_contain_text("The battle ends")
    page.get_by_role("button", name="Close view").click()
    page.locator(".roll summary").click()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.complaints == []
    page.context.close()


def test_it_plays_by_itself_and_without_motion_where_none_is_wanted(
    browser: Browser, live_server, battle, burgoyne
):
    battle_settle_by_engine(battle=battle, actor=None)
    page = watch(browser, live_server, battle, burgoyne, 1280, reduced_motion="reduce")
    root = page.locator(".replay.ready")
    expect(root).to_be_visible()
    page.get_by_label("Speed").select_option("4")
    last = int(root.get_attribute("data-frames") or 0)
    slider = page.get_by_label("Moment of the battle")
    slider.fill(str(last - 4))
    page.get_by_role("button", name="Play the battle").click()
    expect(root).to_have_attribute("data-frame", str(last))
    expect(page.get_by_role("button", name="Play the battle")).to_be_visible()
    expect(page.locator(".replay-layer.moving")).to_have_count(0)
    assert page.complaints == []
    page.context.close()


def test_without_a_script_the_battle_is_read(browser: Browser, live_server, battle, burgoyne):
    battle_settle_by_engine(battle=battle, actor=None)
    page = watch(browser, live_server, battle, burgoyne, 390, java_script_enabled=False)
    expect(page.get_by_role("heading", name="What happened")).to_be_visible()
    expect(page.locator(".controls")).to_be_hidden()
    assert page.locator(".event").count() > 5
    page.context.close()
