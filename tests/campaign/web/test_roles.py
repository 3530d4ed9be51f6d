"""What each role is shown: roles and pages in a table, spectators who see nothing new (HR-SET-07 to 12)."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from campaign.models import Battle, Campaign, DayRecord, JournalEntry, Seat, User
from campaign.rules.world.world import Order
from campaign.services.orders.march_orders import order_submit
from campaign.services.seats.absences import absence_add
from campaign.services.seats.assignment import seat_give
from campaign.services.seats.changes import seat_dates_set, seat_offer, seat_open, spectators_set
from campaign.services.turns.days import day_advance
from tests.factories.people import signed_in

pytestmark = pytest.mark.django_db
Role = Seat.Role
PAGE = "/campaigns/saratoga/"
PUBLIC = f"{PAGE}public/"


def person(name: str) -> User:
    return User.objects.create_user(name)


def seated(campaign: Campaign, role: str, **more: Any) -> Client:
    user = person(f"a_{role}")
    seat_open(campaign=campaign, role=role, user=user, actor=None, **more)
    return signed_in(user)


def command(campaign: Campaign, side: str = "crown") -> Seat:
    return Seat.objects.get(campaign=campaign, role=Role.COMMANDER, side=side)


@pytest.fixture
def roles(saratoga, battle, crown, desk, stranger) -> dict[str, Client]:
    """A browser for each role; the spectator sees without delay."""
    spectators_set(campaign=saratoga, days=0, side="", reason="Late enough.", actor=None)
    past = seated(saratoga, Role.ASSISTANT, until_day=5)
    Seat.objects.filter(role=Role.ASSISTANT).update(from_day=4)  # its time has not come
    people = {
        "umpire": desk,
        "not yet": past,
        "commander": crown,
        "column": seated(saratoga, Role.COLUMN, side="crown", formations=["advanced_corps"]),
        "deputy": seated(saratoga, Role.DEPUTY, stands_for=command(saratoga)),
        "guest": seated(saratoga, Role.GUEST, side="crown", battle=battle),
        "reserve": seated(saratoga, Role.RESERVE),
        "spectator": seated(saratoga, Role.SPECTATOR),
        "stranger": stranger,
    }
    helper = person("helper")
    seat_open(campaign=saratoga, role=Role.ASSISTANT, user=helper, actor=None)
    return {**people, "assistant": signed_in(helper)}


#: For each page whom it opens to; the others get 404, or are led to the public page where it says so.
WHOLE = {"umpire", "assistant", "commander", "column", "deputy"}
PAGES = {
    "": WHOLE | {"spectator"},
    "map.geojson": WHOLE | {"spectator"},
    "map/list/": WHOLE | {"spectator"},
    "public/": WHOLE | {"spectator", "guest", "reserve", "not yet"},
    "receipts/": WHOLE,
    "orders/overview/": WHOLE,
    "orders/of/advanced_corps/": WHOLE,
    "reach.geojson": WHOLE,
    "jobs/": WHOLE,
    "army/": WHOLE,
    "army.csv": WHOLE,
    "journal/": WHOLE | {"spectator"},
    "journal/1/": WHOLE | {"spectator"},
    "gazette/1/": WHOLE | {"spectator"},
    "proof/": WHOLE,
    "proof/crown.json": WHOLE,
    "proof/rebel.json": {"umpire", "assistant"},
    "forecast/": {"umpire", "assistant"},
    "desk/": {"umpire", "assistant"},
    "desk/?part=week": {"umpire", "assistant"},
    "desk/map.geojson": {"umpire", "assistant"},
    "desk/back/{start}/": {"umpire"},
    "battles/{battle}/": WHOLE | {"guest"},
    "battles/{battle}/pack/": WHOLE | {"guest"},
    "battles/{battle}/pack.pdf": WHOLE | {"guest"},
    "battles/{battle}/pack/?copy=rebel": {"umpire", "assistant"},
    "battles/{battle}/pack.pdf?copy=": {"umpire", "assistant"},
    "battles/{battle}/result/": WHOLE - {"deputy"} | {"guest"},
    "battles/{battle}/result/compare/": {"umpire", "assistant"},
    "seats/": {"umpire"},
}


def test_who_has_no_desk_writes_to_the_umpires_alone_hr_let_01(roles, saratoga):
    umpires = {str(seat.pk) for seat in saratoga.seats.in_force().filter(side="", user__isnull=False)}
    umpires -= {str(seat.pk) for seat in saratoga.seats.filter(role__in=("reserve", "spectator"))}
    for role, address in (
        ("guest", "letters/"), ("reserve", "letters/"), ("spectator", "letters/"),
        ("spectator", "?sheet=letters"),
    ):  # fmt: skip
        page = roles[role].get(f"{PAGE}{address}").content.decode()
        assert set(re.findall(r'name="to" value="(\d+)"', page)) == umpires, role
    assert roles["not yet"].get(f"{PAGE}letters/").headers["Location"] == PUBLIC
    assert roles["stranger"].get(f"{PAGE}letters/").status_code == 404


def test_each_page_opens_to_its_roles_and_to_nobody_else(roles, saratoga, battle):
    start = DayRecord.objects.get(campaign=saratoga, kind="start").pk
    for page, opens in PAGES.items():
        address = PAGE + page.format(battle=battle.pk, start=start)
        for role, browser in roles.items():
            answer = browser.get(address)
            expected = 200 if role in opens else 404
            if page == "" and role in ("guest", "reserve", "not yet"):
                assert answer.headers["Location"] == PUBLIC, (role, page)
                expected = 302
            if "pack.pdf" in page and expected == 200:
                expected = 302  # to the pack's page: it is made when it is asked for
            assert answer.status_code == expected, (role, page)


#: Forms, and who may send them; a deputy only while he acts.
FORMS = {
    "orders/": {"commander", "column", "deputy"},
    "orders/repeat/": {"commander", "column", "deputy"},
    "orders/submit-drafts/": {"commander", "column", "deputy"},
    "organisation/": {"commander", "column", "deputy"},
    "choices/": {"commander", "column", "deputy", "umpire", "assistant"},
    "treaties/": {"commander", "umpire", "assistant"},
    "advance/": {"umpire", "assistant"},
    "deadline/": {"umpire", "assistant"},
    "schedule/": {"umpire", "assistant"},
    "hand/": {"umpire", "assistant"},
    "desk/": {"umpire", "assistant"},
    "desk/dry-run/": {"umpire", "assistant"},
    "desk/dice/": {"umpire", "assistant"},
    "desk/again/": {"umpire", "assistant"},
    "battles/{battle}/settle/engine/": {"umpire", "assistant"},
    "battles/{battle}/settle/word/": {"umpire", "assistant"},
    "battles/{battle}/settle/table/": set(),
    "battles/{battle}/result/": {"umpire", "assistant", "commander", "column", "guest"},
    "battles/{battle}/result/compare/": {"umpire", "assistant"},
    "battles/{battle}/photos/1/remove/": {"umpire", "assistant", "commander", "column", "guest"},
    "seats/": {"umpire"},
}


@pytest.mark.parametrize("form", FORMS)
def test_forms_of_other_roles_are_not_there(roles, battle, form):
    for role, browser in roles.items():
        if role not in FORMS[form]:
            answer = browser.post(PAGE + form.format(battle=battle.pk), {"kind": "concede", "day": "0"})
            assert answer.status_code in (403, 404), (role, form)
    battle.refresh_from_db()
    assert battle.state == Battle.State.WAITING


# --- deputies ---


def test_a_deputy_is_shown_forms_only_while_the_commander_is_away_hr_set_09(saratoga, burgoyne):
    deputy = seated(saratoga, Role.DEPUTY, stands_for=command(saratoga))
    orders = f"{PAGE}?sheet=orders"
    text = deputy.get(orders).content.decode()
    assert "Submit the order" not in text and "You read what the commander reads" in text
    today = timezone.now().date()
    absence_add(user=burgoyne, first=today - timedelta(days=1), last=today + timedelta(days=1), word="hiking")
    text = deputy.get(orders).content.decode()
    assert "Submit the order" in text and "You are in command" in text
    assert "Concede" not in deputy.get(f"{PAGE}?sheet=standing").content.decode()
    data = {"formation": "advanced_corps", "activity": "march", "destination": "crown_point"}
    data |= {"pace": "normal", "stance": "give_battle", "submit": "1"}
    assert deputy.post(f"{PAGE}orders/", data).status_code == 302
    assert "a_deputy" in deputy.get(f"{PAGE}receipts/").content.decode()


def test_who_is_away_is_told_to_his_own_side_and_the_umpire_hr_set_09(saratoga, burgoyne, crown, rebel, desk):
    seated(saratoga, Role.DEPUTY, stands_for=command(saratoga))
    today = timezone.now().date()
    absence_add(user=burgoyne, first=today - timedelta(days=1), last=today + timedelta(days=1), word="hiking")
    standing = f"{PAGE}?sheet=standing"
    for browser in (crown, desk):
        text = browser.get(standing).content.decode()
        assert "hiking" in text and "a_deputy acts" in text
    assert "hiking" in desk.get(PAGE).content.decode()
    other = rebel.get(standing).content.decode()
    assert "John" in other and "hiking" not in other and "a_deputy" not in other


# --- guests ---


def test_a_guest_chooses_his_sides_plan_from_the_page_of_his_battle_hr_set_11(saratoga, battle):
    guest = seated(saratoga, Role.GUEST, side="crown", battle=battle)
    address = f"{PAGE}battles/{battle.pk}/"
    data = {"plan-kind": "turn_flank", "plan-flank": "right", "plan-reserve": "25", "plan-boldness": "1"}
    data |= {"plan-until": "9", "plan-then": "hold"}
    text = guest.get(address).content.decode()
    assert "plan-kind" in text and "Enter the table" in text and "Fight it here" not in text
    assert guest.post(f"{address}plan/", data).headers["Location"] == address
    battle.refresh_from_db()
    assert set(battle.plans) == {"crown"}
    other = Battle.objects.get(pk=battle.pk)
    other.pk, other.contact = None, "d0/elsewhere/1"
    other.save()
    assert guest.get(f"{PAGE}battles/{other.pk}/").status_code == 404
    assert guest.post(f"{PAGE}battles/{other.pk}/plan/", data).status_code == 404


# --- the reserve ---


def test_the_reserve_takes_a_seat_that_is_offered_hr_set_10(saratoga, carleton):
    reserve = seated(saratoga, Role.RESERVE)
    assert "Take this seat" not in reserve.get(PUBLIC).content.decode()
    seat = seat_give(campaign=saratoga, role=Role.COMMANDER, side="rebel", user=None, actor=carleton)
    seat_offer(seat=seat, offered=True, actor=carleton)
    assert "Take this seat" in reserve.get(PUBLIC).content.decode()
    late = signed_in(person("late"))
    seat_open(campaign=saratoga, role=Role.RESERVE, user=User.objects.get(username="late"), actor=None)
    assert reserve.post(f"{PUBLIC}{seat.pk}/take/").headers["Location"] == PAGE
    assert reserve.get(PAGE).status_code == 200
    answer = late.post(f"{PUBLIC}{seat.pk}/take/", follow=True)
    assert "no longer to be had" in answer.content.decode()


def test_a_seat_ends_on_its_morning_and_opens_nothing_any_more_hr_set_07(saratoga, burgoyne, crown):
    assert crown.get(PAGE).status_code == 200
    seat_dates_set(seat=command(saratoga), from_day=0, until_day=1, actor=None)
    Campaign.objects.filter(pk=saratoga.pk).update(day=1)
    assert crown.get(PAGE).headers["Location"] == PUBLIC
    assert "Its time is over" in crown.get(PUBLIC).content.decode()
    assert crown.get(f"{PAGE}map.geojson").status_code == 404


def test_a_spectator_gives_his_seat_up(saratoga):
    spectator = seated(saratoga, Role.SPECTATOR)
    seat = Seat.objects.get(role=Role.SPECTATOR)
    spectator.post(f"{PUBLIC}{seat.pk}/leave/")
    assert spectator.get(PAGE).status_code == 404


# --- spectators ---


SHEETS = ("journal", "battles", "standing", "orders", "returns")
LOOKED_AT = ("", *(f"?sheet={sheet}" for sheet in SHEETS), "map.geojson", "map.geojson?day=1", "map/list/")


def shown(browser: Client) -> str:
    """All a spectator is shown, without what every request draws anew."""
    text = "".join(browser.get(PAGE + page).content.decode() for page in LOOKED_AT)
    text = re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"|"X-CSRFToken": "[^"]*"', "", text)
    return re.sub(r'(hx-headers|nonce)=([\'"]).*?\2', "", text)


@pytest.mark.parametrize("side", ["", "crown"])
def test_spectators_see_nothing_newer_than_their_morning_hr_set_12(saratoga, burgoyne, side):
    """What is ordered, fought and entered today changes nothing a spectator reads."""
    spectators_set(campaign=saratoga, days=2, side=side, reason="Late enough.", actor=None)
    browser = seated(saratoga, Role.SPECTATOR)
    assert browser.get(PAGE).headers["Location"] == PUBLIC
    assert "nothing that old yet" in browser.get(PUBLIC).content.decode()
    for day in range(2):
        order = Order("advanced_corps", (("crown_point",), ("ticonderoga",))[day])
        order_submit(campaign=saratoga, side="crown", order=order, actor=burgoyne)
        day_advance(campaign=saratoga, actor=None)
        saratoga.refresh_from_db()
    first = shown(browser)
    assert "15 June 1777" in first and "16 June 1777" not in first
    assert browser.get(f"{PAGE}map.geojson?day=2").status_code == 404
    assert browser.get(f"{PAGE}map/list/?day=3").status_code == 404
    order = Order("advanced_corps", ("montreal",))
    order_submit(campaign=saratoga, side="crown", order=order, actor=burgoyne)
    assert shown(browser) == first
    newest = JournalEntry.objects.filter(campaign=saratoga).order_by("-pk").first()
    JournalEntry.objects.filter(pk=newest.pk).update(kind="weather", data={"weather": "hail"})
    assert shown(browser) == first
    assert "receipt" not in first and "Submit" not in first and "marches to" not in first


def test_a_spectator_sees_no_battle_of_days_to_come_and_all_after_the_end_hr_set_12(saratoga, battle):
    spectators_set(campaign=saratoga, days=0, side="", reason="Late enough.", actor=None)
    browser = seated(saratoga, Role.SPECTATOR)
    address = f"{PAGE}battles/{battle.pk}/"
    assert browser.get(address).status_code == 404
    assert "Ticonderoga," not in browser.get(f"{PAGE}?sheet=battles").content.decode()
    Campaign.objects.filter(pk=saratoga.pk).update(state="ended", spectator_days=99)
    assert browser.get(PAGE).status_code == 302  # an end may be undone for a day (HR-PRF-02)
    DayRecord.objects.filter(campaign=saratoga).update(created_at=timezone.now() - timedelta(days=2))
    assert browser.get(PAGE).status_code == 200
    assert browser.get(address).status_code == 200


def test_spectators_may_be_shown_nothing_hr_set_12(saratoga):
    spectators_set(campaign=saratoga, days=None, side="", reason="Late enough.", actor=None)
    browser = seated(saratoga, Role.SPECTATOR)
    assert browser.get(PAGE).headers["Location"] == PUBLIC
    assert "shown nothing" in browser.get(PUBLIC).content.decode()
