"""A newcomer's week, step by step; each step is told to a hand, whatever it works with."""

import re
from dataclasses import dataclass, replace
from typing import Any

from django.core import mail
from playwright.sync_api import Page, expect

from campaign.models import Campaign, Job, Seat, User
from campaign.rules.world.world import Position
from campaign.scenarios.reading import read_scenario
from campaign.services.seats.changes import seat_fill
from campaign.services.seats.invitations import invitation_make
from campaign.services.setup.campaigns import SeatPlan, campaign_create
from campaign.services.turns.days import day_advance
from campaign.services.turns.runs import advance_request
from campaign.tasks import run_job
from tests.journeys.walking import Finger, Hand

NAME, WORD = "burgoyne", "Gentleman Johnny of the lake"
SECRET = b"fair winds upon Lake Champlain.."


@dataclass
class Club:
    """A campaign on its second morning, its umpire, and the link of a seat that is still empty."""

    campaign: Campaign
    umpire: User
    link: str
    url: str

    @property
    def page(self) -> str:
        return f"{self.url}/campaigns/saratoga/"


def found(url: str, monkeypatch: Any) -> Club:
    """Fraser before Skenesborough, where Poor stands; the engine settles what they fight."""

    def changed(path: Any, chosen: Any) -> Any:
        scenario = read_scenario(path, chosen)
        columns = dict(scenario.world.formations)
        for name, place in (("advanced_corps", "castleton"), ("poors_brigade", "skenesborough")):
            columns[name] = replace(columns[name], position=Position(place=place))
        fair = {"1": "fair"}  # the second day
        return replace(scenario, world=replace(scenario.world, formations=columns, weather_set=fair))

    monkeypatch.setattr("campaign.services.setup.campaigns.read_scenario", changed)
    umpire = User.objects.create_user("carleton", is_staff=True)
    leaves, gates = (User.objects.create_user(name) for name in ("howe", "gates"))
    campaign = campaign_create(
        scenario="saratoga-1777",
        slug="saratoga",
        secret=SECRET,
        battle_policy="automatic",
        seats=(
            SeatPlan(Seat.Role.UMPIRE, title="The umpire", user=umpire),
            SeatPlan(Seat.Role.COMMANDER, "crown", "Lieutenant General Burgoyne", leaves),
            SeatPlan(Seat.Role.COMMANDER, "rebel", "Major General Gates", gates),
        ),
        actor=umpire,
    )
    day_advance(campaign=campaign, actor=umpire)
    campaign = Campaign.objects.select_related("head").get(pk=campaign.pk)
    seat = seat_fill(seat=campaign.seats.get(side="crown"), user=None, actor=umpire)
    _, token = invitation_make(campaign=campaign, seat=seat, actor=umpire)
    return Club(campaign, umpire, f"{url}/join/{token}/", url)


def signs_up(hand: Hand, club: Club, address: str = "") -> None:
    """From the link to the form of an account, filled in and sent."""
    page = hand.page
    page.goto(club.link)
    expect(page.locator("main")).to_contain_text("You command the side")
    hand.fits()
    hand.press(page.get_by_role("link", name="Sign up"))
    expect(page.locator("main")).to_contain_text("You are invited to Saratoga 1777")
    hand.fits()
    hand.write(page.get_by_label("Username"), NAME)
    if address:
        hand.write(page.get_by_label(re.compile("mail")), address)
    hand.write(page.get_by_label("Password", exact=True), WORD)
    hand.write(page.get_by_label("Password again"), WORD)
    hand.press(page.get_by_role("button", name="Sign up"))


def confirms(hand: Hand) -> None:
    """The letter has come, and its link is followed."""
    page = hand.page
    expect(page.locator("main")).to_contain_text("Your invitation to Saratoga 1777 waits for you")
    hand.fits()
    (link,) = re.findall(r"http://\S+", mail.outbox[-1].body)
    page.goto(link)
    expect(page.locator("main")).to_contain_text(f"the address of {NAME}")
    hand.press(page.get_by_role("button", name="Yes, confirm it"))


def takes_the_seat(hand: Hand) -> None:
    page = hand.page
    expect(page.locator("main")).to_contain_text("Is the seat to be yours?")
    hand.fits()
    hand.press(page.get_by_role("button", name="Take the seat"))
    expect(page.locator(".notice").first).to_contain_text("You have taken your seat")


def reads_the_map(hand: Hand, club: Club) -> None:
    """The card of a column, the layers, an earlier morning, and the same as a list."""
    page = hand.page
    expect(page.locator("#map[data-ready]")).to_be_visible()
    hand.fits()
    hand.press(page.locator(".layers > summary"))
    names = page.locator(".place .label:not(.crowded)").first
    hand.tick(page.get_by_role("checkbox", name="Names of places"))
    expect(names).to_be_hidden()
    hand.tick(page.get_by_role("checkbox", name="Names of places"))
    expect(names).to_be_visible()
    hand.press(page.locator(".layers > summary"))
    slider = page.get_by_role("slider", name="Morning shown on the map")
    hand.slide(slider, -1)
    expect(page.locator("#looking-back")).to_contain_text("You look back to the morning of")
    hand.press(page.get_by_role("button", name="To the latest morning"))
    expect(page.locator("#looking-back")).to_be_hidden()
    hand.press(page.get_by_role("link", name="Read as a list"))
    reads_the_list(hand)
    hand.press(page.get_by_role("link", name="Back to the map"))
    expect(page.locator("#map[data-ready]")).to_be_visible()


def reads_the_list(hand: Hand) -> None:
    page = hand.page
    columns = page.get_by_role("region", name="Your columns and garrisons")
    expect(columns.get_by_role("row", name=re.compile("Advanced Corps"))).to_contain_text("Castleton")
    expect(page.get_by_role("heading", name="The enemy, as reported")).to_be_visible()
    places = page.get_by_role("region", name="Places")
    expect(places.get_by_role("row", name=re.compile("Skenesborough"))).to_contain_text("objective")
    hand.fits()


def marches_by_pointing(hand: Hand) -> None:
    """A column is shown where to go; the page says when it comes there and what it risks."""
    page = hand.page
    hand.point(page.locator(".leaflet-marker-icon.stack[title*='Advanced Corps']"))
    card = page.get_by_role("dialog")
    expect(card.get_by_role("heading").first).to_be_focused()
    if card.get_by_role("button", name="Advanced Corps").count():
        hand.press(card.get_by_role("button", name="Advanced Corps"))
    expect(card).to_contain_text("Simon Fraser")
    hand.press(card.get_by_role("link", name="Give orders"))
    bar = page.locator("#pointing")
    expect(bar.get_by_role("heading", name="Advanced Corps")).to_be_focused()
    hand.point(page.locator(".place[title='Skenesborough']"))
    expect(bar).to_contain_text("To Skenesborough on 17 June")
    hand.choose(bar.get_by_label("Pace"), "Forced march, up to half")
    expect(bar).to_contain_text("To Skenesborough on 16 June")
    expect(bar).to_contain_text("Expect to lose about")
    expect(page.locator("#order-preview")).to_contain_text("2 in 6")
    hand.choose(bar.get_by_label("If it meets the enemy"), "Attack")
    hand.fits()
    send = bar.get_by_role("button", name="Submit", exact=True)
    expect(send).to_be_in_viewport()
    hand.press(send)
    is_receipted(page)


def is_receipted(page: Page) -> None:
    """The answer is what one sees, and where one reads on."""
    said = page.locator(".notice.success")
    expect(said).to_contain_text("Receipt")
    expect(said).to_be_focused()
    expect(said).to_be_in_viewport(ratio=1)


def is_refused_and_mends(hand: Hand) -> None:
    """Guns are sent over a trail; the refusal stands beside the field; mended, the order is taken."""
    page = hand.page
    hand.choose(page.get_by_label("Formation").first, "Artillery Park")
    hand.choose(page.get_by_label("March to").first, "Unadilla")
    hand.press(page.get_by_role("button", name="Submit the order"))
    field = page.get_by_label("March to").first
    said = page.locator("#error-destination")
    expect(said).to_contain_text("HR-")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_attribute("aria-describedby", re.compile("error-destination"))
    expect(field).to_be_focused()
    expect(said).to_be_in_viewport()
    hand.fits()
    hand.choose(field, "Crown Point")
    expect(page.locator("#order-preview")).to_contain_text("Crown Point at")
    expect(said).to_be_empty()
    hand.press(page.get_by_role("button", name="Submit the order"))
    is_receipted(page)


def reads_the_receipt(hand: Hand) -> None:
    page = hand.page
    order = page.locator(".papers li", has_text="Advanced Corps marches to Skenesborough")
    hand.press(order.get_by_role("link", name=re.compile("receipt")))
    expect(page.get_by_role("heading", level=1)).to_contain_text("Receipt")
    expect(page.locator("main")).to_contain_text("Seal")
    hand.fits()
    hand.press(page.get_by_role("link", name="Saratoga 1777"))


def day_passes(club: Club) -> None:
    """The umpire asks for a day, and a worker plays it."""
    campaign = Campaign.objects.select_related("head").get(pk=club.campaign.pk)
    run_job(advance_request(campaign=campaign, actor=club.umpire).pk)
    assert Job.objects.get().state == Job.State.DONE
    assert Campaign.objects.get().day == club.campaign.day + 1


def reads_the_morning(hand: Hand, club: Club) -> None:
    """What befell: from one's own page to the journal, and in the army to the rule and the die."""
    page = hand.page
    page.goto(club.url)
    news = page.locator(".own-campaign")
    expect(news).to_contain_text("since you looked in")
    hand.fits()
    hand.press(news.get_by_role("link", name="journal"))
    expect(page.locator("#desk")).to_contain_text("came into battle")
    hand.fits()
    hand.press(page.get_by_role("link", name="The gazette"))
    expect(page.locator(".gazette")).to_contain_text("Saratoga 1777 begins.")
    hand.fits()
    hand.open_menu()
    hand.press(page.get_by_role("link", name="Army", exact=True))
    why = page.locator("details.why").first
    hand.press(why.locator("summary"))
    expect(why.get_by_role("link", name=re.compile("AWI-")).first).to_be_visible()
    expect(why.locator(".dice").first).to_be_visible()
    hand.fits()


def watches_the_battle(hand: Hand, club: Club) -> None:
    page = hand.page
    page.goto(f"{club.page}?sheet=battles")
    hand.press(page.locator("#desk .papers").get_by_role("link").first)
    expect(page.locator("main")).to_contain_text("holds the field")
    hand.fits()
    hand.press(page.get_by_role("link", name="Watch the battle"))
    root = page.locator(".replay.ready")
    expect(root).to_be_visible()
    hand.press(page.get_by_role("button", name="Step forward"))
    expect(root).to_have_attribute("data-frame", "1")
    expect(page.locator(".moment .headline")).to_contain_text("moves first")
    expect(page.locator(".die").first).to_be_visible()
    hand.choose(page.get_by_label("Speed"), "fourfold")
    hand.press(page.get_by_role("button", name="Play the battle"))
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(root).not_to_have_attribute("data-frame", "1")
    hand.press(page.get_by_role("button", name="Pause"))
    expect(page.get_by_role("button", name="Play the battle")).to_be_visible()
    hand.fits()


def walk(hand: Hand, club: Club, address: str = "") -> None:
    """All of it, from the link to the battle."""
    signs_up(hand, club, address)
    if address:
        confirms(hand)
    takes_the_seat(hand)
    reads_the_map(hand, club)
    marches_by_pointing(hand)
    is_refused_and_mends(hand)
    reads_the_receipt(hand)
    day_passes(club)
    reads_the_morning(hand, club)
    watches_the_battle(hand, club)


__all__ = ["Club", "Finger", "found", "walk"]
