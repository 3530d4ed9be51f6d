"""Saratoga with known dice and people in its seats, a staff alone, and a battle put to people."""

from dataclasses import asdict
from types import SimpleNamespace

import pytest
from django.core.cache import cache
from django.test import Client

from campaign.ledger.world_rows import world_load
from campaign.models import Battle, Campaign, Seat, User
from campaign.rules.umpire import corrections
from campaign.rules.world.world import Order, Position, World
from campaign.services.orders.march_orders import order_submit
from campaign.services.setup.campaigns import SeatPlan, campaign_create
from campaign.services.turns.days import day_advance
from campaign.services.umpire.corrections import act_perform
from tests.factories.five_battalions import five_battalions
from tests.factories.people import signed_in

SECRET = b"the dice of these tests, 32 byte"


@pytest.fixture(autouse=True)
def nothing_cached() -> None:
    """A test's rows are rolled back and their keys given again; what was cached by key must go with them."""
    cache.clear()


@pytest.fixture
def one_minute(monkeypatch) -> None:
    """All requests of a test fall into one minute of those that are counted, whenever it runs (HR-API-03)."""
    monkeypatch.setattr("campaign.ops.rate_limit.time", SimpleNamespace(time=lambda: 30.0))


@pytest.fixture
def burgoyne(db) -> User:
    return User.objects.create_user("burgoyne", password="Gentleman Johnny", first_name="John")


@pytest.fixture
def gates(db) -> User:
    return User.objects.create_user("gates")


@pytest.fixture
def carleton(db) -> User:
    """The umpire."""
    return User.objects.create_user("carleton")


@pytest.fixture
def saratoga(burgoyne, gates, carleton) -> Campaign:
    """Both sides commanded by people, battles put to them."""
    return campaign_create(
        scenario="saratoga-1777",
        slug="saratoga",
        secret=SECRET,
        seats=(
            SeatPlan(Seat.Role.UMPIRE, title="The umpire", user=carleton),
            SeatPlan(Seat.Role.COMMANDER, "crown", "Lieutenant General Burgoyne", burgoyne),
            SeatPlan(Seat.Role.COMMANDER, "rebel", "Major General Gates", gates),
        ),
        actor=carleton,
    )


@pytest.fixture
def staff_campaign(db) -> Campaign:
    """Nobody commands: the staff orders for both sides and the engine settles."""
    return campaign_create(scenario="saratoga-1777", slug="staff", secret=SECRET, battle_policy="automatic")


@pytest.fixture
def world(saratoga) -> World:
    return world_load(saratoga)


@pytest.fixture
def crown(burgoyne, saratoga) -> Client:
    return signed_in(burgoyne)


@pytest.fixture
def rebel(gates, saratoga) -> Client:
    return signed_in(gates)


@pytest.fixture
def desk(carleton, saratoga) -> Client:
    """The umpire's browser."""
    return signed_in(carleton)


@pytest.fixture
def stranger(saratoga) -> Client:
    """Somebody with an account and no seat."""
    return signed_in(User.objects.create_user("clinton", is_staff=True))


@pytest.fixture
def battle(saratoga, world) -> Battle:
    """Fraser's corps before Ticonderoga, unsettled."""
    file = five_battalions(world)
    return Battle.objects.create(
        campaign=saratoga,
        day=saratoga.day,
        contact="d0/ticonderoga/1",
        minute=11 * 60 + 40,
        place="ticonderoga",
        attacker="crown",
        defender="rebel",
        inputs={"contact": {"key": "d0/ticonderoga/1"}, "file": asdict(file)},
    )


@pytest.fixture
def meeting(saratoga, carleton, burgoyne) -> Campaign:
    """The first morning: Fraser at Castleton is to attack Poor at Hubbardton; Hamilton marches far off."""
    for name, place in (("advanced_corps", "castleton"), ("poors_brigade", "hubbardton")):
        act = corrections.PlaceFormation(name, Position(place=place))
        act_perform(campaign=saratoga, act=act, reason="The story begins here.", actor=carleton)
    for order in (
        Order("advanced_corps", ("hubbardton",), stance="attack"),
        Order("british_2nd_brigade", ("montreal",)),
    ):
        order_submit(campaign=saratoga, side="crown", order=order, actor=burgoyne)
    return Campaign.objects.select_related("head").get(pk=saratoga.pk)


@pytest.fixture
def waiting(meeting) -> Campaign:
    """The battle of Hubbardton has been opened and waits for Thursday's table."""
    day_advance(campaign=meeting, actor=None)
    return Campaign.objects.select_related("head").get(pk=meeting.pk)
