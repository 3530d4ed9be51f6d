"""A campaign set up on a phone without scripts, left half-way, begun and played otherwise (HR-SET-15)."""

import pytest
from playwright.sync_api import Browser, Page, expect

from campaign.ledger.world_rows import world_load
from campaign.models import Campaign, User

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
PASSWORD = "Britons never lose ground"


def phone(browser: Browser, url: str) -> Page:
    """A new window, signed in."""
    context = browser.new_context(viewport={"width": 390, "height": 800}, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{url}/sign-in/")
    page.get_by_label("Username").fill("anna")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    return page


def go_on(page: Page, heading: str) -> None:
    page.get_by_role("button", name="Keep this and go on").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)


def test_a_campaign_is_set_up_on_a_phone_and_begun(browser, live_server):
    User.objects.create_user("anna", password=PASSWORD)
    page = phone(browser, live_server.url)
    page.get_by_role("link", name="Set up a new campaign").click()
    page.get_by_text("Saratoga 1777", exact=True).click()
    go_on(page, "What is it called?")
    page.get_by_label("Name").fill("Saratoga on Thursdays")
    go_on(page, "Who sits at the table?")
    crown = page.locator("section", has_text="Crown").first
    crown.get_by_label("Invited").first.select_option("by a link")
    go_on(page, "By which rules?")
    page.context.close()  # the telephone rings

    page = phone(browser, live_server.url)
    expect(page.locator("main")).to_contain_text("Saratoga on Thursdays")
    page.get_by_role("link", name="Go on with setting it up").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("By which rules?")
    page.get_by_text("Open map", exact=True).click()
    page.locator("#group-march > summary").click()
    page.get_by_label("By road", exact=True).fill("0")
    page.get_by_role("button", name="Keep this and go on").click()
    expect(page.locator("#error-road_miles")).to_contain_text("It is 1 to 300")
    page.get_by_label("By road", exact=True).fill("14")
    go_on(page, "When are orders due?")
    go_on(page, "How are battles fought?")
    page.get_by_text("Fight on the table").click()
    go_on(page, "Saratoga on Thursdays")
    expect(page.locator("main")).to_contain_text("14 miles a day instead of 12 miles a day")
    expect(page.locator(".setup-warnings")).to_contain_text("United States: nobody is asked to command")
    page.get_by_role("button", name="Begin the campaign").click()
    assert "/join/" in page.locator("input[type=url]").first.input_value()
    page.get_by_role("button", name="I have passed them on").click()
    campaign = Campaign.objects.get(title="Saratoga on Thursdays")
    settings = world_load(campaign).settings
    assert (settings.fog, settings.road_miles, campaign.battle_policy) == ("off", 14, "table")

    page.goto(f"{live_server.url}{campaign.get_absolute_url()}settings/")
    page.get_by_label("Units a side that fit your table").fill("16")
    page.get_by_label("Reason").first.fill("The small table.")
    page.get_by_role("button", name="Change it").click()
    expect(page.locator(".notice.success")).to_contain_text("It holds from now on")
    campaign.refresh_from_db()
    assert campaign.table_units == 16
    page.context.close()
