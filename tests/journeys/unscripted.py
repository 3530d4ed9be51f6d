"""A newcomer's week in a browser that runs no scripts: all but the map itself."""

import re

from playwright.sync_api import expect

from tests.journeys.newcomers import Club, day_passes, reads_the_list, signs_up, takes_the_seat
from tests.journeys.walking import Hand


def reads_where_all_stand(hand: Hand) -> None:
    page = hand.page
    hand.press(page.get_by_role("link", name="Read the map as a list"))
    reads_the_list(hand)
    hand.press(page.get_by_role("link", name="Back to the map"))


def orders_by_the_form(hand: Hand) -> None:
    """The march is worked out by a button, refused beside the field, mended and submitted."""
    page = hand.page
    hand.choose(page.get_by_label("Formation").first, "Advanced Corps")
    hand.choose(page.get_by_label("March to").first, "Skenesborough")
    hand.choose(page.get_by_label("Pace").first, "Forced march, up to half")
    hand.choose(page.get_by_label("If it meets the enemy").first, "Attack")
    hand.press(page.get_by_role("button", name="Work out the march"))
    expect(page.locator("#order-preview")).to_contain_text("Skenesborough at")
    expect(page.locator("#order-preview")).to_contain_text("expect to lose about")
    hand.fits()
    hand.press(page.get_by_role("button", name="Submit the order"))
    expect(page.locator(".notice.success")).to_contain_text("Receipt")

    hand.choose(page.get_by_label("Formation").first, "Artillery Park")
    hand.choose(page.get_by_label("March to").first, "Unadilla")
    hand.press(page.get_by_role("button", name="Submit the order"))
    field = page.get_by_label("March to").first
    expect(page.locator("#error-destination")).to_contain_text("HR-")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_be_focused()
    hand.fits()
    hand.choose(field, "Crown Point")
    hand.press(page.get_by_role("button", name="Submit the order"))
    expect(page.locator(".notice.success")).to_contain_text("Receipt")


def reads_the_receipt(hand: Hand) -> None:
    page = hand.page
    order = page.locator(".papers li", has_text="Advanced Corps marches to Skenesborough")
    hand.press(order.get_by_role("link", name=re.compile("receipt")))
    expect(page.get_by_role("heading", level=1)).to_contain_text("Receipt")
    hand.fits()


def reads_the_morning(hand: Hand, club: Club) -> None:
    page = hand.page
    page.goto(club.url)
    news = page.locator(".own-campaign")
    expect(news).to_contain_text("since you looked in")
    hand.press(news.get_by_role("link", name="journal"))
    expect(page.locator("#desk")).to_contain_text("came into battle")
    hand.fits()
    hand.open_menu()
    hand.press(page.get_by_role("link", name="Army", exact=True))
    why = page.locator("details.why").first
    hand.press(why.locator("summary"))
    hand.press(why.get_by_role("link", name="Why: its entries of the week"))
    roll = page.get_by_role("region", name="In week 1")
    expect(roll.get_by_role("link", name=re.compile("AWI-")).first).to_be_visible()
    expect(roll.locator(".dice").first).to_be_visible()
    hand.fits()


def reads_the_battle(hand: Hand, club: Club) -> None:
    """The replay is a list of what happened, die by die, a page at a time."""
    page = hand.page
    page.goto(f"{club.page}?sheet=battles")
    hand.press(page.locator("#desk .papers").get_by_role("link").first)
    hand.press(page.get_by_role("link", name="Watch the battle"))
    expect(page.get_by_role("heading", name="What happened")).to_be_visible()
    expect(page.locator(".controls")).to_be_hidden()
    expect(page.locator(".event").nth(3)).to_be_visible()
    expect(page.locator(".events")).to_contain_text("Dice")
    hand.fits()


def walk(hand: Hand, club: Club) -> None:
    signs_up(hand, club)
    takes_the_seat(hand)
    reads_where_all_stand(hand)
    orders_by_the_form(hand)
    reads_the_receipt(hand)
    day_passes(club)
    reads_the_morning(hand, club)
    reads_the_battle(hand, club)
