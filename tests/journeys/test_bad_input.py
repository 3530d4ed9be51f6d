"""What goes wrong for people in a real browser: nothing is lost, and a sentence says what to do."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from campaign.models import Bulletin, Campaign, Invitation, Letter, OrderPaper, Seat, User
from campaign.services.seats.invitations import invitation_accept
from campaign.services.turns.days import day_advance
from tests.journeys.newcomers import Club, found, signs_up
from tests.journeys.walking import Finger, Hand, Keys, sat_down

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

REFUSED = "status of 40[349]"  # the browser's own line in its console about a page that says no
CUT = "net::ERR_"


@pytest.fixture
def club(live_server, monkeypatch) -> Club:
    cache.clear()
    return found(live_server.url, monkeypatch)


@pytest.fixture(params=[Hand, Finger])
def commander(request, browser, live_server, saratoga, burgoyne) -> Iterator[Hand]:
    """Burgoyne with the orders of the Advanced Corps before him, a march to Crown Point written."""
    url, expected = live_server.url, f"{REFUSED}|{CUT}"
    with sat_down(browser, url, request.param, user=burgoyne, expected=expected) as hand:
        writes(hand.page, f"{url}{saratoga.get_absolute_url()}")
        yield hand


def writes(page: Page, campaign: str, place: str = "crown_point") -> None:
    page.goto(f"{campaign}?sheet=orders&formation=advanced_corps")
    expect(page.locator("#map[data-ready]")).to_be_visible()
    page.get_by_label("March to").first.select_option(place)
    expect(page.locator("#pointing")).to_contain_text(" on 1")  # the day it comes there


def submits(hand: Hand, page: Page | None = None) -> None:
    page = page or hand.page
    type(hand)(page).press(page.get_by_role("button", name="Submit the order"))


def written(page: Page) -> str:
    return page.get_by_label("March to").first.input_value()


def test_an_invitation_too_old_or_used_leads_on(browser, club):
    with sat_down(browser, club.url, Finger, expected=REFUSED) as guest:
        signs_up(guest, club)
        expect(guest.page.locator("main")).to_contain_text("Is the seat to be yours?")
        Invitation.objects.update(expires_at=timezone.now() - timedelta(minutes=1))
        guest.press(guest.page.get_by_role("button", name="Take the seat"))
        told = guest.page.get_by_role("alert")
        expect(told).to_contain_text("This invitation expired on")
        expect(told).to_contain_text("Ask the umpire for a new link")
        assert Seat.objects.get(side="crown").user is None
        guest.press(guest.page.get_by_role("link", name="To your campaigns"))
        expect(guest.page.get_by_role("heading", level=1)).to_have_text("Your campaigns")

        Invitation.objects.update(expires_at=timezone.now() + timedelta(days=1))
        another = User.objects.create_user("fraser")
        invitation_accept(invitation=Invitation.objects.get(), user=another)
        guest.page.goto(club.link)
        expect(told).to_contain_text("This invitation has been used already. Ask the umpire for another.")
        guest.fits()
        assert Seat.objects.get(side="crown").user == another


def test_somebody_elses_campaign_is_a_page_with_a_way_out(browser, live_server, saratoga):
    stranger = User.objects.create_user("clinton")
    with sat_down(browser, live_server.url, Keys, user=stranger, expected=REFUSED) as hand:
        hand.page.goto(f"{live_server.url}{saratoga.get_absolute_url()}")
        expect(hand.page.locator("main")).to_contain_text("you have no seat in that campaign")
        hand.press(hand.page.get_by_role("link", name="To the front page"))
        expect(hand.page.get_by_role("heading", level=1)).to_have_text("Your campaigns")


def test_a_deadline_that_passes_while_the_form_is_open(commander):
    Campaign.objects.update(deadline=timezone.now() - timedelta(minutes=1))
    submits(commander)
    page = commander.page
    said = page.locator("#order-form > .error").first
    expect(said).to_contain_text("HR-CAL-04")
    expect(said).to_contain_text("What you wrote is kept as a draft.")
    expect(said).to_be_focused()
    expect(said).to_be_in_viewport()
    assert written(page) == "crown_point"
    expect(page.get_by_role("region", name="Drafts")).to_contain_text("Crown Point")
    assert [paper.state for paper in OrderPaper.objects.all()] == ["draft"]
    commander.fits()


def test_a_day_that_is_played_while_the_form_is_open(commander, saratoga):
    day_advance(campaign=saratoga, actor=None)
    submits(commander)
    page = commander.page
    said = page.locator("#main .notice.error")
    expect(said).to_contain_text("The day has been advanced meanwhile")
    expect(said).to_contain_text("What you wrote is kept as a draft.")
    expect(page.locator(".strip .date")).to_contain_text("16 June")
    expect(page.locator("#days")).to_contain_text("16 June")
    assert written(page) == "crown_point"
    expect(page.get_by_role("region", name="Drafts")).to_contain_text("Crown Point")


def test_two_tabs_that_submit(commander):
    first, second = commander.page, commander.page.context.new_page()
    writes(second, first.url.partition("?")[0], "bouquet_river")
    submits(commander)
    expect(first.locator(".notice.success")).to_contain_text("Receipt 1-1-")
    submits(commander, second)
    said = second.locator("#order-form > .error").first
    expect(said).to_contain_text("A newer order for Advanced Corps stands, version 1 from yourself")
    expect(said).to_contain_text("submit it again to replace that")
    assert written(second) == "bouquet_river"
    submits(commander, second)
    expect(second.locator(".notice.success")).to_contain_text("Receipt 1-2-")
    assert OrderPaper.objects.get(state="standing").body["via"] == ["bouquet_river"]
    first.reload()
    expect(first.locator(".papers")).to_contain_text(["Advanced Corps marches to Bouquet River"])


def test_a_line_cut_before_the_order_is_out(commander):
    page = commander.page
    page.context.set_offline(True)
    submits(commander)
    told = page.locator(".send-told")
    expect(told).to_contain_text("The order has not got through: the site does not answer.")
    expect(told).to_contain_text("press the button once more")
    assert written(page) == "crown_point" and not OrderPaper.objects.exists()
    page.context.set_offline(False)
    page.reload()  # as a telephone does by itself
    commander.press(page.get_by_role("button", name="Take it up again"))
    expect(page.get_by_label("March to").first).to_have_value("crown_point")
    expect(page.locator("#pointing")).to_contain_text(" on 1")  # the bar has grown; the button stands still
    submits(commander)
    expect(page.locator(".notice.success")).to_contain_text("Receipt 1-1-")


def test_a_line_cut_before_the_answer_is_in(commander):
    page, lost = commander.page, []

    def cut(route: Route) -> None:
        if lost:
            route.continue_()
            return
        lost.append(route.fetch(max_redirects=0).status)
        route.abort("connectionreset")

    page.route("**/orders/", cut)
    submits(commander)
    expect(page.locator(".send-told")).to_contain_text("sent twice it counts once")
    assert OrderPaper.objects.get().state == "standing" and lost == [204]
    assert written(page) == "crown_point"
    submits(commander)
    expect(page.locator(".notice.success").first).to_contain_text("Receipt 1-1-")
    assert OrderPaper.objects.count() == 1


# --- letters and forewords ---

LETTER = "The bridge at Skenesborough is down, and I have no bread. " * 40


@pytest.fixture(params=[Hand, Finger])
def correspondent(request, browser, live_server, saratoga, burgoyne) -> Iterator[Hand]:
    """Burgoyne with a long letter to the umpire written, not sent."""
    with sat_down(browser, live_server.url, request.param, user=burgoyne, expected=CUT) as hand:
        hand.page.goto(f"{live_server.url}{saratoga.get_absolute_url()}?sheet=letters")
        page = hand.page
        page.get_by_role("checkbox").first.check()
        page.get_by_label("About").fill("Bread")
        page.get_by_label("The letter").fill(LETTER)
        yield hand
        page.wait_for_load_state("networkidle")  # the map of the page led to is not asked for beyond the test


def posts(hand: Hand) -> None:
    hand.press(hand.page.get_by_role("button", name="Send the letter"))


def test_a_line_cut_before_the_letter_is_out(correspondent):
    page = correspondent.page
    page.context.set_offline(True)
    posts(correspondent)
    told = page.locator("#letter-form .send-told")
    expect(told).to_contain_text("The letter has not got through: the site does not answer.")
    expect(told).to_contain_text("What you wrote is still here.")
    expect(page.get_by_label("The letter")).to_have_value(LETTER)
    assert not Letter.objects.exists()
    page.context.set_offline(False)
    page.reload()
    expect(page.get_by_text("A letter you wrote here has not been sent.")).to_be_visible()
    correspondent.press(page.get_by_role("button", name="Take it up again"))
    expect(page.get_by_label("The letter")).to_have_value(LETTER)
    expect(page.get_by_label("About")).to_have_value("Bread")
    expect(page.get_by_role("checkbox").first).to_be_checked()
    correspondent.fits()
    posts(correspondent)
    expect(page.locator("#main .notice.success")).to_contain_text("The letter")
    assert Letter.objects.get().text == LETTER.strip()
    page.goto(page.url.partition("?")[0] + "?sheet=letters")
    expect(page.get_by_text("has not been sent")).to_have_count(0)


def test_a_letter_whose_answer_was_lost_is_sent_once(correspondent):
    """Pressed again, or taken up again in the page loaded anew."""
    page, lost = correspondent.page, []

    def cut(route: Route) -> None:
        if len(lost) == 2 or route.request.method != "POST":
            route.continue_()
            return
        lost.append(route.fetch(max_redirects=0).status)
        route.abort("connectionreset")

    page.route("**/letters/", cut)
    posts(correspondent)
    expect(page.locator("#letter-form .send-told")).to_contain_text("sent twice it counts once")
    posts(correspondent)
    expect(page.get_by_role("button", name="Send the letter")).to_be_enabled()
    expect(page.locator("#letter-form .send-told")).to_contain_text("sent twice it counts once")
    page.reload()
    correspondent.press(page.get_by_role("button", name="Take it up again"))
    posts(correspondent)
    expect(page.locator("#main .notice.success").first).to_contain_text("The letter")
    assert lost == [204, 204] and Letter.objects.count() == 1


def test_a_letter_that_is_refused_stays_as_it_was_written(correspondent):
    page = correspondent.page
    too_long = LETTER * 2
    page.get_by_label("The letter").fill(too_long)
    posts(correspondent)
    said = page.locator("#letter-form .error:not(:empty)").first
    expect(said).to_contain_text("or write two")
    expect(page.get_by_label("The letter")).to_have_value(too_long)
    assert not Letter.objects.exists()
    correspondent.fits()


def test_a_line_cut_while_the_foreword_is_sent(browser, live_server, saratoga, carleton):
    for _ in range(7):
        day_advance(campaign=saratoga, actor=None)
    with sat_down(browser, live_server.url, Hand, user=carleton, expected=CUT) as hand:
        page = hand.page
        page.goto(f"{live_server.url}{saratoga.get_absolute_url()}bulletins/1/")
        page.get_by_label("Foreword to this copy").fill(LETTER[:600])
        page.context.set_offline(True)
        hand.press(page.get_by_role("button", name="Keep the foreword"))
        told = page.locator("#foreword-form .send-told")
        expect(told).to_contain_text("The foreword has not got through: the site does not answer.")
        page.context.set_offline(False)
        page.reload()
        hand.press(page.get_by_role("button", name="Take it up again"))
        expect(page.get_by_label("Foreword to this copy")).to_have_value(LETTER[:600])
        hand.press(page.get_by_role("button", name="Keep the foreword"))
        expect(page.locator("#main .notice.success")).to_contain_text("The foreword is kept.")
        page.wait_for_load_state("networkidle")
        assert Bulletin.objects.get(week=1, foreword=LETTER[:600].strip()).state != "published"
