"""Photographs of the pages, to be looked at before a page is called done."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser

from campaign.models import Battle, Campaign, Seat, User
from campaign.rules.world import Order
from campaign.services.absences import absence_add
from campaign.services.battles import battle_settle_by_engine
from campaign.services.dry_run import dry_run_ask
from campaign.services.invitations import invitation_make
from campaign.services.letters import letter_send
from campaign.services.odds import odds_ask
from campaign.services.orders import order_submit
from campaign.services.seating import seat_offer, seat_open, spectators_set
from campaign.services.turns import day_advance
from campaign.tasks import run_job

pytestmark = [pytest.mark.screenshots, pytest.mark.django_db(transaction=True)]

WIDTHS = (1280, 390)
FOLDER = settings.VAR_DIR / "screenshots"
MARCHES = {
    "crown": [
        Order("advanced_corps", ("ticonderoga",), pace="double", stance="attack"),
        Order("british_1st_brigade", ("crown_point",)),
        Order("german_1st_brigade", ("crown_point",)),
        Order("artillery_park", ("crown_point",)),
    ],
    "rebel": [Order("poors_brigade", ("crown_point",), stance="attack")],
}


@pytest.fixture
def campaign(live_server) -> Campaign:
    """The demo, played to its first battle and beyond: one settled, the campaign a day further."""
    call_command("loadscenario", "saratoga-1777", demo=True, set=["supply=food"])
    campaign = Campaign.objects.get()
    for side, orders in MARCHES.items():
        for order in orders:
            order_submit(campaign=campaign, side=side, order=order, actor=None)
    return campaign


LETTERS = (
    "Sir,\n\nYour wounded of the seventh lie in the barn at Hubbardton. A surgeon of yours may pass our "
    "pickets to-morrow under a flag, with linen and wine.\n\nI am, Sir, your most humble servant",
    "Sir,\n\nI thank you. Surgeon Wood sets out at dawn with one sergeant and a cart.",
    "Gentlemen,\n\nthe table on Thursday begins at eight. Bring your own dice.",
)
ACCOUNT_PAGES = {"profile": "/account/", "email": "/account/email/", "two-factor": "/account/two-factor/"}


class Photographer:
    """Opens pages as people and keeps what they look like."""

    def __init__(self, browser: Browser, url: str, width: int) -> None:
        self.browser, self.url, self.width = browser, url, width

    def take(self, name: str, path: str, seat: Seat | None = None, scheme: str = "light") -> None:
        context = self.browser.new_context(viewport={"width": self.width, "height": 900}, color_scheme=scheme)
        if seat is not None and seat.user is not None:
            client = Client()
            client.force_login(seat.user)
            session = client.cookies[settings.SESSION_COOKIE_NAME].value
            context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": self.url}])
        page = context.new_page()
        answer = page.goto(self.url + path, wait_until="networkidle")
        assert answer is not None
        assert answer.ok, f"{path} answers {answer.status}"
        FOLDER.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=FOLDER / f"{name}-{self.width}.png", full_page=True)
        context.close()


@pytest.mark.parametrize("width", WIDTHS)
def test_photograph_the_pages(browser: Browser, live_server, campaign, width: int):
    camera = Photographer(browser, live_server.url, width)
    crown, umpire = (campaign.seats.get(side=side) for side in ("crown", ""))
    page = campaign.get_absolute_url()
    camera.take("front", "/")
    camera.take("sign-in", "/sign-in/")
    camera.take("sign-up", "/sign-up/")
    camera.take("forgotten", "/account/password/reset/")
    for name, path in ACCOUNT_PAGES.items():
        camera.take(name, path, crown)
    camera.take("orders", f"{page}?sheet=orders&formation=advanced_corps", crown)
    camera.take("orders-overview", f"{page}orders/overview/", crown)
    camera.take("orders-of", f"{page}orders/of/advanced_corps/", crown)
    camera.take("receipts", f"{page}receipts/", crown)
    camera.take("receipt", f"{page}receipts/{campaign.order_papers.filter(side='crown').first().pk}/", crown)
    camera.take("orders-dark", f"{page}?sheet=orders&formation=advanced_corps", crown, "dark")
    while not (waiting := day_advance(campaign=campaign, actor=None).battles_waiting):
        campaign.refresh_from_db()
    battle = waiting[0]
    address = f"{page}battles/{battle.pk}/"
    camera.take("day", page, umpire)
    camera.take("battle-waiting", address, umpire)
    run_job(odds_ask(battle=battle, actor=umpire.user, runs=200).pk)
    camera.take("battle-odds", address, umpire)
    camera.take("jobs", f"{page}jobs/", umpire)
    camera.take("battle-dark", address, crown, "dark")
    battle_settle_by_engine(battle=battle, actor=None)
    camera.take("battle-settled", address, crown)
    camera.take("replay", f"{address}replay/", crown)
    camera.take("replay-dark", f"{address}replay/", crown, "dark")
    while day_advance(campaign=campaign, actor=None).battles_waiting:
        for each in Battle.objects.filter(state=Battle.State.WAITING):
            battle_settle_by_engine(battle=each, actor=None)
    camera.take("map-past", f"{page}?day=3", crown)
    camera.take("map-past-dark", f"{page}?day=3", crown, "dark")
    camera.take("map-list", f"{page}map/list/", crown)
    for sheet in ("returns", "journal", "battles"):
        camera.take(sheet, f"{page}?sheet={sheet}", crown)
    camera.take("army", f"{page}army/", crown)
    camera.take("army-umpire", f"{page}army/?fold", umpire, "dark")
    camera.take("army-unit", f"{page}army/br_24_1/", crown)
    for sheet in ("standing", "supply"):
        camera.take(sheet, f"{page}?sheet={sheet}", crown)
    camera.take("journal-page", f"{page}journal/", crown)
    camera.take("journal-search", f"{page}journal/?kind=battles", crown, "dark")
    camera.take("journal-day", f"{page}journal/1/", crown)
    camera.take("gazette", f"{page}gazette/1/", crown)
    camera.take("gazette-dark", f"{page}gazette/1/", umpire, "dark")
    camera.take("rulebook", "/rulebook/")
    camera.take("rulebook-chapter", "/rulebook/?chapter=HR-MAR")
    camera.take("rule", f"/rulebook/HR-MAR-01/?campaign={campaign.slug}", crown)
    camera.take("rule-dark", f"/rulebook/AWI-C-ATT-01/?campaign={campaign.slug}", crown, "dark")
    run_job(dry_run_ask(campaign=campaign, actor=umpire.user).pk)
    camera.take("hand", f"{page}hand/", umpire)
    start = campaign.records.get(kind="start")
    camera.take("rewind", f"{page}hand/back/{start.pk}/", umpire)
    camera.take("umpire", f"{page}?sheet=journal", umpire, "dark")
    camera.take("proof", f"{page}proof/", crown)
    camera.take("home", "/", crown)
    camera.take("home-umpire", "/", umpire, "dark")
    take_letters(camera, campaign, crown, umpire)
    seat = seat_open(campaign=campaign, role="spectator", title="The press", actor=umpire.user)
    _, token = invitation_make(campaign=campaign, seat=seat, actor=umpire.user)
    camera.take("seats", f"{page}seats/", umpire)
    camera.take("invitation", f"/join/{token}/")
    take_of_seats(camera, campaign, crown, umpire)
    camera.take("admin", "/admin/campaign/campaign/", umpire)


def take_letters(camera: Photographer, campaign: Campaign, crown: Seat, umpire: Seat) -> None:
    """The sheet of letters, a thread and the umpire's boxes."""
    page, rebel = campaign.get_absolute_url(), campaign.seats.get(side="rebel")
    given = {"campaign": campaign, "subject": "The wounded at Hubbardton"}
    assert crown.user is not None and rebel.user is not None and umpire.user is not None
    first = letter_send(author=rebel.user, to=[crown.pk], text=LETTERS[0], **given)
    letter_send(author=crown.user, to=[rebel.pk], text=LETTERS[1], answers=first.pk, **given)
    letter_send(campaign=campaign, author=umpire.user, to=[crown.pk, rebel.pk], text=LETTERS[2], sealed=False)
    camera.take("letters", f"{page}?sheet=letters", crown)
    camera.take("letters-dark", f"{page}?sheet=letters&box=sent", crown, "dark")
    camera.take("letters-thread", f"{page}?sheet=letters&letter={first.pk}", crown)
    camera.take("letters-umpire", f"{page}?sheet=letters&box=others", umpire)


def take_of_seats(camera: Photographer, campaign: Campaign, crown: Seat, umpire: Seat) -> None:
    """What those see who have no desk, and those who are away."""
    page, today = campaign.get_absolute_url(), timezone.now().date()
    given = {"campaign": campaign, "actor": umpire.user}
    people = [User.objects.create_user(name, first_name=name.title()) for name in ("anna", "bert", "carl")]
    reserve = seat_open(role="reserve", user=people[0], **given)
    spectator = seat_open(role="spectator", user=people[1], **given)
    seat_open(role="deputy", stands_for=crown, user=people[2], **given)
    column = seat_open(role="column", side="crown", formations=["advanced_corps"], title="Fraser", **given)
    seat_offer(seat=column, offered=True, actor=umpire.user)
    assert crown.user is not None
    absence_add(user=crown.user, first=today - timedelta(1), last=today + timedelta(9), word="hiking")
    camera.take("away", "/account/away/", crown)
    camera.take("public", f"{page}public/", reserve)
    camera.take("letters-reserve", f"{page}letters/", reserve)
    camera.take("standing-away", f"{page}?sheet=standing", crown)
    spectators_set(campaign=campaign, days=1, side="", actor=umpire.user)
    camera.take("spectator", page, spectator)
    camera.take("spectator-standing", f"{page}?sheet=standing", spectator)
