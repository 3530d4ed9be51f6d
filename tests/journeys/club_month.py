"""A club's month, person by person: the umpire at his desk, the players at their telephones."""

import re
from datetime import timedelta

from django.test import override_settings
from django.utils import timezone
from playwright.sync_api import Locator, Page, Response, expect

from campaign.models import Campaign, Job
from campaign.tasks import run_job
from tests.journeys.walking import Hand

TITLE, SLUG = "A club month", "a-club-month"
SECRET = b"fair winds upon Lake Champlain.."
WORD = "Britons never lose ground"
#: Seats the umpire offers by a link: whose side, which of its places, its title, the formation it commands.
OFFERED = {
    "burgoyne": ("Crown", "Commander", "General Burgoyne", ""),
    "fraser": ("Crown", "Column 1", "General Fraser", "Advanced Corps"),
    "riedesel": ("Crown", "Column 2", "General Riedesel", "1st German Brigade"),
    "gates": ("United States", "Commander", "General Gates", ""),
    "poor": ("United States", "Column 1", "General Poor", "Poor"),
}

#: Whether the sign of a place is what one meets where it is drawn.
IN_SIGHT = """(place) => {
  const { left, right, top, bottom } = place.querySelector("svg").getBoundingClientRect();
  return place.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
}"""
#: What a page asks while it waits for a worker.
POLLS = re.compile("/jobs/[0-9]+/$")


def address(hand: Hand, part: str = "") -> str:
    """Of one of the campaign's pages, on the site the window is open at."""
    return f"{hand.page.url.split('/campaigns/')[0]}/campaigns/{SLUG}/{part}"


# --- set up ---


def signs_in(hand: Hand, url: str, name: str) -> None:
    page = hand.page
    page.goto(f"{url}/sign-in/")
    hand.write(page.get_by_label("Username"), name)
    hand.write(page.get_by_label("Password"), WORD)
    hand.press(page.get_by_role("button", name="Sign in"))
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def sets_up(hand: Hand) -> dict[str, str]:
    """From the umpire's own page through the seven of the set-up; the links he is to pass on, by person."""
    page = hand.page
    hand.press(page.get_by_role("link", name="Set up a new campaign"))
    hand.tick(page.get_by_role("radio", name=re.compile("Saratoga")))
    _goes_on(hand)
    hand.write(page.get_by_label("Name"), TITLE)
    hand.write(page.get_by_label("Address"), SLUG)
    _goes_on(hand)
    _offers_seats(hand)
    hand.fits()
    _goes_on(hand)
    hand.fits()
    _goes_on(hand)  # by the scenario's rules
    due = timezone.now() + timedelta(days=7)
    page.get_by_label("The club's time zone").select_option("Europe/London")
    page.get_by_label("The first orders are due").fill(f"{due:%Y-%m-%dT20:00}")
    hand.choose(page.get_by_label("Late orders are"), "kept for the next day")
    hand.choose(page.get_by_label("Whoever misses the deadline"), "is ordered by the staff")
    _goes_on(hand)
    hand.tick(page.get_by_role("radio", name=re.compile("Ask each time")))
    _goes_on(hand)
    expect(page.locator(".setup-review")).to_contain_text("General Riedesel")
    expect(page.locator(".setup-review")).to_contain_text("Ask each time")
    hand.fits()
    hand.press(page.get_by_role("button", name="Begin the campaign"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("stands on its first morning")
    links = {
        name: page.get_by_label(re.compile(title)).input_value() for name, (_, _, title, _) in OFFERED.items()
    }
    hand.press(page.get_by_role("button", name="I have passed them on"))
    expect(page.get_by_role("heading", level=1)).to_contain_text(TITLE)
    return links


def _goes_on(hand: Hand) -> None:
    hand.press(hand.page.get_by_role("button", name="Keep this and go on"))


def _offers_seats(hand: Hand) -> None:
    page = hand.page
    for side, place, title, formation in OFFERED.values():
        section = page.get_by_role("region", name=side, exact=True)
        seat = section.get_by_role("group", name=place, exact=True)
        if place == "Column 1":
            hand.press(section.locator("summary"))
        elif place == "Column 2":
            hand.press(section.get_by_role("button", name="Another column"))
        hand.write(seat.get_by_label("Title"), title)
        if formation:
            hand.choose(seat.get_by_label("Commands"), formation)
        hand.choose(seat.get_by_label("Invited"), "by a link")
    expect(page.get_by_role("group", name="Column 2")).to_have_count(1)


# --- seats ---


def takes_a_seat(hand: Hand, link: str, name: str) -> None:
    """By the link he has been sent, with an account of his own, on a telephone."""
    page = hand.page
    page.goto(link)
    expect(page.locator("main")).to_contain_text(OFFERED[name][2])
    hand.fits()
    hand.press(page.get_by_role("link", name="Sign up"))
    hand.write(page.get_by_label("Username"), name)
    hand.write(page.get_by_label("Password", exact=True), WORD)
    hand.write(page.get_by_label("Password again"), WORD)
    hand.press(page.get_by_role("button", name="Sign up"))
    hand.press(page.get_by_role("button", name="Take the seat"))
    expect(page.locator(".notice").first).to_contain_text("You have taken your seat")
    expect(page.locator("#map[data-ready]")).to_be_visible()


# --- orders ---


def is_trial(answer: Response) -> bool:
    """Whether an answer is the trial of an order to attack; the tests' database takes one thing at a time."""
    return "/orders/preview/" in answer.url and "stance=attack" in (answer.request.post_data or "")


def marches_by_pointing(hand: Hand, formation: str, place: str, pace: str) -> None:
    """From the column's block on the map to the place, with the finger."""
    page = hand.page
    hand.point(page.locator(f".leaflet-marker-icon.stack[title*='{formation}']"))
    card = page.get_by_role("dialog")
    expect(card.get_by_role("heading").first).to_be_focused()
    if card.get_by_role("button", name=formation).count():
        hand.press(card.get_by_role("button", name=formation))
    hand.press(card.get_by_role("link", name="Give orders"))
    bar = page.locator("#pointing")
    expect(bar.get_by_role("heading", name=formation)).to_be_focused()
    page.wait_for_load_state("networkidle")  # what came first, the map or the march, moved the sheet
    there = page.locator(f".place[title='{place}']")
    while not there.evaluate(IN_SIGHT):  # beyond the edge of a telephone's sheet
        hand.press(page.get_by_role("button", name="Zoom out"))
    hand.point(there)
    asked, told = page.get_by_role("dialog", name="Which place?"), bar.get_by_text(f"To {place} on")
    expect(asked.or_(told).first).to_be_visible()
    if asked.is_visible():  # from so far that another place lies by it
        hand.press(asked.get_by_role("button", name=place, exact=True))
    expect(told).to_be_visible()
    hand.choose(bar.get_by_label("Pace"), pace)
    with page.expect_response(is_trial):
        hand.choose(bar.get_by_label("If it meets the enemy"), "Attack")
    hand.press(bar.get_by_role("button", name="Submit", exact=True))
    expect(page.locator(".notice.success")).to_contain_text("Receipt")


def marches_by_the_form(
    hand: Hand,
    formation: str,
    place: str,
    pace: str = "Normal",
    *,
    told: str = "Receipt",
) -> None:
    page = hand.page
    page.goto(address(hand, "?sheet=orders"))
    expect(page.locator("#map[data-ready]")).to_be_visible()
    hand.choose(page.get_by_label("Formation").first, formation)
    hand.choose(page.get_by_label("March to").first, place)
    hand.choose(page.get_by_label("Pace").first, pace)
    with page.expect_response(is_trial):
        hand.choose(page.get_by_label("If it meets the enemy").first, "Attack")
    expect(page.locator("#order-preview")).to_contain_text(place)
    hand.fits()
    hand.press(page.get_by_role("button", name="Submit the order"))
    expect(page.locator(".notice.success")).to_contain_text(told)


def deadline_passes() -> None:
    """The club's clock strikes: what was due a week hence was due an hour ago."""
    Campaign.objects.update(deadline=timezone.now() - timedelta(hours=1))


# --- the week's desk ---


def looks_at_the_desk(hand: Hand) -> None:
    page = hand.page
    page.goto(address(hand, "desk/"))
    expect(page.get_by_role("heading", name="The week\u2019s desk")).to_be_visible()
    hand.fits()


def sees_who_missed(hand: Hand, side: str) -> None:
    """A side of which nothing had come in at the deadline (HR-DUE-02)."""
    looks_at_the_desk(hand)
    row = hand.page.locator(".waits > div").filter(has_text=side)
    expect(row).to_contain_text("missed the deadline")


def plays_on(hand: Hand) -> None:
    """From the desk; this test is the worker that plays the days, and the page notices."""
    looks_at_the_desk(hand)
    hand.press(hand.page.locator("form[action$='/advance/'] button:not([name=one])"))
    is_worked(hand.page, hand.page.locator("progress.job"))


def is_worked(page: Page, waits: Locator) -> None:
    """A worker does what was asked for, and the page that waits for it goes on: what says so goes away."""
    # What the page asks meanwhile is not answered: the tests' database takes one at a time.
    page.route(POLLS, lambda asked: asked.fulfill(status=204))
    expect(waits).to_be_visible()
    page.wait_for_load_state("networkidle")
    run_job(Job.objects.get(state=Job.State.QUEUED).pk)
    page.unroute(POLLS)
    expect(waits).to_have_count(0)
    page.wait_for_load_state("networkidle")


def opens_the_battle(hand: Hand, title: str) -> None:
    looks_at_the_desk(hand)
    hand.press(hand.page.get_by_role("link", name=f"Settle the {title}"))
    expect(hand.page.locator("main h1")).to_contain_text(title)


def says_how(hand: Hand, title: str, way: str) -> None:
    """The umpire says how a battle is settled."""
    page = hand.page
    opens_the_battle(hand, title)
    hand.press(page.get_by_role("link", name=re.compile("how it is settled|Choose", re.I)).first)
    hand.tick(page.get_by_role("radio", name=way))
    hand.press(page.get_by_role("button", name="So it shall be settled"))
    expect(page.locator(".notice").first).to_be_visible()
    hand.fits()


@override_settings(SITE_URL="https://club.example.org")  # a site that phones reach: the pack has its code
def prints_the_pack(hand: Hand) -> bytes:
    """From the battle's page; what comes is the PDF of one's own copy."""
    page = hand.page
    hand.press(page.get_by_role("link", name="Battle pack for the table"))
    expect(page.locator("figure.qr")).to_be_visible()
    hand.fits()
    hand.press(page.get_by_role("button", name="Make the PDF"))
    expect(page.locator("progress.job")).to_be_visible()
    # The page would load itself again meanwhile; the tests' database takes one at a time.
    here = page.url
    page.route(here, lambda asked: asked.fulfill(status=204))
    run_job(Job.objects.get(state=Job.State.QUEUED).pk)
    page.unroute(here)
    page.goto(here)
    answer = page.request.get(
        page.url.split("/campaigns/")[0]
        + str(page.get_by_role("link", name="PDF to print").get_attribute("href"))
    )
    assert answer.ok and answer.body().startswith(b"%PDF"), answer.status
    return answer.body()


# --- the table ---


def opens_his_battle(hand: Hand, title: str) -> None:
    """A player's way to a battle, from the map."""
    page = hand.page
    page.goto(address(hand, "?sheet=battles"))
    hand.press(page.locator("#desk").get_by_role("link", name=title).first)
    expect(page.locator("main h1")).to_contain_text(title)


def enters_the_result(hand: Hand, lost: dict[str, int], holder: str) -> None:
    """On the telephone, tap by tap: SP lost by unit, who holds the field."""
    page = hand.page
    hand.press(page.get_by_role("link", name="Enter the table\u2019s result"))
    expect(page.locator("#result-form.stepped")).to_be_visible()
    for side in page.locator("details.side").all():
        if side.get_attribute("open") is None:
            hand.press(side.locator("summary"))
    for unit, points in lost.items():
        hand.press(page.get_by_role("button", name=f"{unit}: {points} SP lost"))
    hand.tick(page.get_by_role("group", name="Who holds the field").get_by_label(holder, exact=True))
    hand.fits()
    hand.press(page.get_by_role("button", name="Enter the result"))
    expect(page.locator(".notice").first).to_contain_text("The result is entered. The umpire confirms it.")


def confirms(hand: Hand, title: str, unit: str, pick: str, mended: dict[str, int] | None = None) -> None:
    """The umpire decides where the entries differ, mends what both had wrong, sees what it costs."""
    page = hand.page
    opens_the_battle(hand, title)
    differing = page.locator(".differing li")
    expect(differing).to_have_count(1)
    expect(differing).to_contain_text(unit)
    hand.tick(differing.get_by_role("radio", name=pick))
    costs = page.locator("#casualties")
    if mended:
        hand.press(page.locator("details.agreed > summary", has_text="unit"))
        for name, points in mended.items():
            field = page.get_by_label(f"SP lost by {name}", exact=True)
            hand.write(field, str(points))
            field.blur()
            expect(costs.get_by_role("row", name=name).get_by_role("cell").nth(2)).to_have_text(str(points))
    expect(costs).to_contain_text("again today")
    hand.fits()
    with page.expect_navigation():
        hand.press(page.get_by_role("button", name="Confirm the result"))
    expect(page.locator(".notice").first).to_contain_text("The result is confirmed")


def reads_what_was_lost(hand: Hand, title: str, unit: str, points: int) -> None:
    opens_his_battle(hand, title)
    row = hand.page.locator("#forces").locator("..").get_by_role("row", name=unit)
    expect(row.get_by_role("cell").nth(2)).to_have_text(str(points))


def goes_back(hand: Hand, morning: str, title: str, reason: str) -> None:
    """The umpire takes the campaign back to a morning, and that battle's result with it."""
    page = hand.page
    looks_at_the_desk(hand)
    hand.press(page.locator("#back li").filter(has_text=morning).get_by_role("link").first)
    hand.write(page.get_by_label("Reason, which both sides read"), reason)
    hand.tick(page.get_by_role("checkbox", name=re.compile(title)))
    hand.fits()
    hand.press(page.get_by_role("button", name="Go back"))
    expect(page.locator(".notice").first).to_contain_text("The campaign has gone back")
    hand.press(page.get_by_role("button", name=re.compile("Play on to the morning")))
    is_worked(hand.page, hand.page.locator("progress.job"))


def has_it_fought(hand: Hand) -> None:
    """By the engine, from the page of how a battle is settled."""
    hand.press(hand.page.get_by_role("button", name="Fight it here"))
    is_worked(hand.page, hand.page.locator("progress.job"))


# --- the bulletin ---


def publishes(hand: Hand, week: int, copy: str, foreword: str) -> None:
    """All copies of a week, with a foreword to one of them."""
    page = hand.page
    looks_at_the_desk(hand)
    hand.open_menu()
    hand.press(page.get_by_role("banner").get_by_role("link", name="Bulletins"))
    row = page.get_by_role("listitem").filter(has_text=f"Week {week}")
    hand.press(row.get_by_role("link", name=copy))
    hand.write(page.get_by_label(re.compile("Foreword to this copy")), foreword)
    hand.press(page.get_by_role("button", name="Keep the foreword"))
    expect(page.get_by_label(re.compile("Foreword to this copy"))).to_have_value(foreword)
    hand.press(page.get_by_role("button", name=f"Publish all copies of week {week}"))
    expect(page.locator(".notice").first).to_contain_text("3 copies are out")
    hand.fits()


def reads_the_bulletin(hand: Hand, week: int, told: str) -> None:
    page = hand.page
    page.goto(address(hand))
    hand.open_menu()
    hand.press(page.get_by_role("banner").get_by_role("link", name="Bulletins"))
    row = page.get_by_role("listitem").filter(has_text=f"Week {week}")
    hand.press(row.get_by_role("link").first)
    expect(page.locator(".bulletin")).to_contain_text(told)
    hand.fits()
