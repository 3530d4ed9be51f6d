"""A battle file is fought under every ruleset in a real browser: asked for, watched, stopped, found again."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from battles.odds.odds import estimate_odds
from battles.rulesets import registry
from campaign import tasks
from campaign.models import Job, User
from tests.battles.rulesets.example.line import EXAMPLE, registered

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def two_rulesets(monkeypatch, settings) -> Iterator[None]:
    """The native rules and the example of the tests, which is compiled in no time.

    No lease is renewed meanwhile: that is another connection, which a database in memory bars for an instant.
    """
    settings.JOB_LEASE_SECONDS = 24 * 60 * 60
    monkeypatch.setattr(registry, "RULESETS", registry.RULESETS[:1])
    with registered():
        yield


@pytest.fixture(params=[1280, 390])
def page(request, browser: Browser, live_server) -> Iterator[Page]:
    client = Client()
    client.force_login(User.objects.create_user("stark"))
    window = browser.new_context(viewport={"width": request.param, "height": 844})
    name = settings.SESSION_COOKIE_NAME
    window.add_cookies([{"name": name, "value": client.cookies[name].value, "url": live_server.url}])
    page = window.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.goto(live_server.url)
    yield page
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert complaints == []
    window.close()


def ask(page: Page, runs: str) -> Job:
    """Ask as a person does who comes to the site."""
    page.get_by_role("link", name="Battle files").click()
    page.get_by_label("Oriskany").check()
    page.get_by_label("Fights under each ruleset").fill(runs)
    page.get_by_role("button", name="Fight it under every ruleset").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Oriskany")
    return Job.objects.filter(kind="comparison").latest("pk")


def column(page: Page, title: str) -> Any:
    return page.get_by_role("region", name=title)


def test_figures_come_as_they_are_done_and_are_there_after_a_reload(page: Page, monkeypatch):
    job = ask(page, "3")
    native, example = (column(page, one.title) for one in registry.RULESETS)
    expect(native).to_contain_text("It waits for its turn.")
    seen: list[str] = []

    def watched(file: Any, **how: Any) -> Any:
        if file.ruleset == EXAMPLE.id:
            expect(native.get_by_role("heading", name="Length")).to_be_attached()
            expect(example).to_contain_text("It is being fought.")
            seen.append(file.ruleset)
        return estimate_odds(file, **how)

    monkeypatch.setattr("campaign.services.battles.odds.estimate_odds", watched)
    tasks.run_job(job.pk)
    assert seen == [EXAMPLE.id]
    expect(example.get_by_role("heading", name="Length")).to_be_attached()
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    page.reload()
    for each in (native, example):
        expect(each.locator(".chance")).to_have_count(3)
        expect(each).to_contain_text("of 10 minutes")
    tops = [each.locator(".row").nth(4).bounding_box()["y"] for each in (native, example)]
    wide = page.viewport_size["width"] > 1000
    assert (abs(tops[0] - tops[1]) < 1) == wide, "side by side where there is room, else one below the other"
    page.get_by_role("link", name="Battle files").click()
    page.get_by_role("link", name="Oriskany").click()
    expect(native.locator(".chance")).to_have_count(3)


def test_it_is_stopped_and_gone_on_with(page: Page):
    job = ask(page, "2")
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("alert")).to_contain_text("Stopped")
    page.get_by_role("button", name="Fight the rest").click()
    expect(column(page, EXAMPLE.title)).to_contain_text("It waits for its turn.")
    tasks.run_job(job.pk)
    expect(column(page, EXAMPLE.title).locator(".chance")).to_have_count(3)
    expect(page.get_by_role("button", name="Fight the rest")).to_have_count(0)
