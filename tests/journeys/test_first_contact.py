"""The journey a club takes first, in a real browser: orders, a day, contact, a table, the returns."""

import re
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest
from playwright.sync_api import Browser, Page, Response, expect

from campaign.models import Battle, Campaign, Seat, User
from campaign.rules.world.world import Order
from campaign.services.orders.march_orders import order_submit
from campaign.services.setup.campaigns import SeatPlan, campaign_create
from tests.journeys.club_month import is_worked

SECRET = b"fair winds upon Lake Champlain.."
PASSWORD = "Britons never lose ground"
DAYS_TO_CONTACT = 6

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def club(live_server) -> SimpleNamespace:
    """The campaign, its people, and the site's address."""
    people = {
        name: User.objects.create_user(name, password=PASSWORD, is_staff=name == "carleton")
        for name in ("burgoyne", "gates", "carleton")
    }
    campaign = campaign_create(
        scenario="saratoga-1777",
        slug="saratoga",
        secret=SECRET,
        seats=(
            SeatPlan(Seat.Role.UMPIRE, title="The umpire", user=people["carleton"]),
            SeatPlan(Seat.Role.COMMANDER, "crown", "Lieutenant General Burgoyne", people["burgoyne"]),
            SeatPlan(Seat.Role.COMMANDER, "rebel", "Major General Gates", people["gates"]),
        ),
        actor=people["carleton"],
    )
    return SimpleNamespace(
        campaign=campaign, people=people, url=live_server.url, page=f"{live_server.url}/campaigns/saratoga/"
    )


@pytest.fixture
def windows(browser: Browser) -> Iterator[list]:
    """Browser windows of this test, closed at its end."""
    opened: list = []
    yield opened
    for context in opened:
        context.close()


def sit_down(browser: Browser, windows: list, club: SimpleNamespace, name: str) -> Page:
    """Sign in on the site's own page; complaints of the browser's console fail the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    windows.append(context)
    page = context.new_page()
    page.on("pageerror", lambda error: pytest.fail(f"script error: {error}"))
    page.on("console", lambda said: pytest.fail(said.text) if "Content Security" in said.text else None)
    sign_in(page, club, name)
    return page


def sign_in(page: Page, club: SimpleNamespace, name: str) -> None:
    page.goto(f"{club.url}/sign-in/?next=/campaigns/saratoga/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("#map[data-ready]")).to_be_visible()


def give_order(page: Page, formation: str, place: str, pace: str, stance: str) -> None:
    page.get_by_label("Formation").first.select_option(formation)
    page.get_by_label("March to").first.select_option(place)
    page.get_by_label("Pace").first.select_option(pace)
    page.get_by_label("If it meets the enemy").first.select_option(stance)


def tried(formation: str) -> Callable[[Response], bool]:
    """Whether an answer is the trial of an order for a formation."""
    return lambda answer: (
        answer.url.endswith("/orders/preview/")
        and f"formation={formation}" in (answer.request.post_data or "")
    )


def advance_a_day(page: Page, club: SimpleNamespace) -> None:
    """The umpire asks for a day; this test is the worker that plays it, and the page notices."""
    page.goto(f"{club.page}?sheet=day")
    # its words say what would be played
    page.locator("form[action$='/advance/'] button:not([name=one])").click()
    is_worked(page, page.locator("[id^=job-]"))


def test_burgoyne_marches_meets_the_enemy_and_counts_his_losses(browser, windows, club):
    crown = sit_down(browser, windows, club, "burgoyne")
    expect(crown.locator("h1")).to_contain_text("Saratoga 1777")

    # Refused once: the guns cannot follow a trail to the Susquehanna, and the form says why.
    give_order(crown, "artillery_park", "unadilla", "normal", "give_battle")
    expect(crown.locator("#error-destination")).to_contain_text("HR-")
    crown.get_by_role("button", name="Submit the order").click()
    expect(crown.locator("#error-destination")).to_contain_text("HR-")
    expect(crown.get_by_label("March to").first).to_have_value("unadilla")

    # Given: the Advanced Corps goes up the lake for Ticonderoga; the page shows the way, then a receipt.
    give_order(crown, "advanced_corps", "ticonderoga", "double", "attack")
    expect(crown.locator("#order-preview")).to_contain_text("Ticonderoga at")
    expect(crown.locator("path.march-preview")).to_have_count(1)
    crown.get_by_role("button", name="Submit the order").click()
    expect(crown.locator(".notice.success")).to_contain_text("Receipt 1-1-")
    expect(crown.locator(".papers")).to_contain_text(["Advanced Corps marches to Ticonderoga"])

    # Gates comes to meet him.
    order_submit(
        campaign=club.campaign,
        side="rebel",
        order=Order("poors_brigade", ("crown_point",), stance="attack"),
        actor=club.people["gates"],
    )

    umpire = sit_down(browser, windows, club, "carleton")
    for _ in range(DAYS_TO_CONTACT):
        advance_a_day(umpire, club)
        if Battle.objects.filter(state=Battle.State.WAITING).exists():
            break
    battle = Battle.objects.get(state=Battle.State.WAITING)
    title = battle.inputs["file"]["title"]
    expect(umpire.locator("#desk")).to_contain_text(title)

    # The commander enters what came of it on the table, first without saying who holds the field.
    units = [unit for unit in battle.inputs["file"]["units"] if unit["side"] == "crown"]
    hit = max(units, key=lambda unit: unit["sp"])
    crown.goto(f"{club.page}?sheet=battles")
    crown.get_by_role("link", name=title).click()
    crown.get_by_role("link", name="Enter the table").click()
    crown.get_by_role("button", name=f"{hit['name']}: 2 SP lost", exact=True).click()
    expect(crown.locator(".saving")).to_contain_text("Kept.")
    crown.get_by_role("button", name="Enter the result").click()
    top = crown.locator(".to-mend")
    expect(top).to_contain_text("Say who holds the field")
    expect(top).to_be_in_viewport()
    expect(top).to_be_focused()
    top.get_by_role("link").first.click()
    expect(crown.locator("#held")).to_be_in_viewport()
    crown.locator("#held").get_by_text("Crown", exact=True).click()
    crown.get_by_role("button", name="Enter the result").click()
    expect(crown.locator(".notice").first).to_contain_text("The result is entered. The umpire confirms it.")

    # The umpire sees what it costs, and confirms.
    umpire.goto(f"{club.page}?sheet=day")
    umpire.get_by_role("link", name="Look and confirm").click()
    expect(umpire.locator("#casualties")).to_contain_text("AWI-C-BAT-01")
    umpire.get_by_role("button", name="Confirm the result").click()
    expect(umpire.locator(".notice").first).to_contain_text("The result is confirmed")

    # The umpire goes on with the day; the casualties stand in the returns.
    advance_a_day(umpire, club)
    assert not Battle.objects.filter(pk=battle.pk, state=Battle.State.WAITING).exists()
    crown.goto(f"{club.page}?sheet=returns")
    line = crown.locator("tr", has_text=hit["name"]).first
    expect(line).to_contain_text("\N{MINUS SIGN}10")
    expect(line).to_contain_text("AWI-C-BAT-01")
    crown.get_by_role("link", name="Journal").click()
    expect(crown.locator("#desk")).to_contain_text(re.compile("came into battle"))
    assert Campaign.objects.get().day > battle.day


def test_the_map_fills_the_order_form(browser, windows, club):
    page = sit_down(browser, windows, club, "burgoyne")
    page.locator(".stack-inner", has_text="51").click()
    card = page.locator(".map-card")
    expect(card).to_contain_text("Simon Fraser")
    card.get_by_role("button", name="Advanced Corps").click()
    card.get_by_role("link", name="Give orders").click()
    expect(page.get_by_label("Formation").first).to_have_value("advanced_corps")
    expect(page.locator(".block.chosen")).to_have_count(1)
    page.get_by_role("button", name="Point on the map").click()
    page.get_by_role("button", name="St Johns", exact=True).click()
    page.get_by_role("link", name="March here").click()
    expect(page.get_by_label("March to").first).to_have_value("st_johns")
    expect(page.locator("#order-preview")).to_contain_text("St Johns at")


def test_an_old_page_says_so_and_an_ended_session_leads_to_the_sign_in_page(browser, windows, club):
    page = sit_down(browser, windows, club, "burgoyne")
    page.context.clear_cookies(name="csrftoken")
    page.get_by_label("Formation").first.select_option("advanced_corps")
    expect(page.locator("#order-preview")).to_contain_text("This page is old")
    page.get_by_role("button", name="Submit the order").click()
    expect(page.locator(".send-told")).to_contain_text("This page is old")
    page.reload()
    with page.expect_response(tried("advanced_corps")):  # else it is the trial that finds the session ended
        page.get_by_role("button", name="Take it up again").click()
    expect(page.get_by_label("Formation").first).to_have_value("advanced_corps")
    expect(page.locator("#map[data-ready]")).to_be_visible()
    page.context.clear_cookies(name="sessionid")
    page.get_by_label("Formation").first.select_option("advanced_corps")
    expect(page).to_have_url(re.compile("/sign-in/"))
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_an_order_that_was_not_sent_is_kept_from_who_sits_at_the_window_next(browser, windows, club):
    page = sit_down(browser, windows, club, "burgoyne")
    page.context.clear_cookies(name="csrftoken")
    page.get_by_label("Formation").first.select_option("advanced_corps")
    page.get_by_role("button", name="Submit the order").click()
    expect(page.locator(".send-told")).to_contain_text("This page is old")
    page.context.clear_cookies()
    sign_in(page, club, "gates")
    page.wait_for_function("!Object.keys(sessionStorage).some((key) => key.startsWith('order not sent'))")
    expect(page.locator("#order-kept")).to_have_count(0)


def test_the_map_shows_the_formation_an_order_is_written_for(browser, windows, club):
    page = sit_down(browser, windows, club, "gates")
    for _ in range(4):
        page.get_by_role("button", name="Zoom in").click()
    for formation in ("mcdougalls_brigade", "poors_brigade"):  # at Peekskill, and at Ticonderoga
        page.get_by_label("Formation").first.select_option(formation)
        expect(page.locator(".block.chosen")).to_be_in_viewport()
    page.goto(f"{club.page}?sheet=orders&formation=mcdougalls_brigade")
    expect(page.locator("#map[data-ready]")).to_be_visible()
    expect(page.locator(".block.chosen")).to_be_in_viewport()


def test_papers_work_without_javascript(browser, windows, club):
    context = browser.new_context(java_script_enabled=False, viewport={"width": 360, "height": 740})
    windows.append(context)
    page = context.new_page()
    page.goto(f"{club.url}/sign-in/?next=/campaigns/saratoga/")
    page.get_by_label("Username").fill("burgoyne")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    give_order(page, "advanced_corps", "crown_point", "normal", "give_battle")
    page.get_by_role("button", name="Work out the march").click()
    expect(page.locator("#order-preview")).to_contain_text("Crown Point at")
    page.get_by_role("button", name="Submit the order").click()
    expect(page.locator(".notice.success")).to_contain_text("Receipt")
    page.get_by_role("button", name="Withdraw the order for Advanced Corps").click()
    expect(page.locator(".notice.success")).to_contain_text("withdrawn")
    for name in ("Returns", "Journal", "Battles"):
        page.get_by_role("link", name=name, exact=True).click()
        expect(page.locator("#desk h2").first).to_be_visible()


def test_nothing_is_wider_than_a_small_phone(browser, windows, club):
    context = browser.new_context(viewport={"width": 360, "height": 740})
    windows.append(context)
    page = context.new_page()
    page.goto(f"{club.url}/sign-in/?next=/campaigns/saratoga/")
    page.get_by_label("Username").fill("burgoyne")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    for sheet in ("orders", "returns", "journal", "battles"):
        page.goto(f"{club.page}?sheet={sheet}")
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= 360, f"{sheet} is {width} px wide"


def test_the_umpires_page_of_a_campaign_is_no_wider_than_a_phone(browser, windows, club):
    """Its commitment is one word of 64 letters."""
    context = browser.new_context(viewport={"width": 390, "height": 840})
    windows.append(context)
    page = context.new_page()
    page.goto(f"{club.url}/sign-in/?next=/umpire/campaign/campaign/")
    page.get_by_label("Username").fill("carleton")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="Saratoga 1777").first.click()
    expect(page.locator(".fingerprint")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
