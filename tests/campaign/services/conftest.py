"""A campaign of Saratoga with known dice, and its people."""

import pytest

from campaign.models import Campaign, Seat, User
from campaign.services.campaigns import SeatPlan, campaign_create

SECRET = b"the dice of these tests, 32 bytes"[:32]


@pytest.fixture
def burgoyne(db) -> User:
    return User.objects.create_user("burgoyne")


@pytest.fixture
def gates(db) -> User:
    return User.objects.create_user("gates")


@pytest.fixture
def umpire(db) -> User:
    return User.objects.create_user("carleton", is_staff=True)


@pytest.fixture
def saratoga(burgoyne, gates, umpire) -> Campaign:
    """Both sides commanded by people, battles put to them."""
    return campaign_create(
        scenario="saratoga-1777",
        slug="saratoga",
        secret=SECRET,
        seats=(
            SeatPlan(Seat.Role.UMPIRE, user=umpire),
            SeatPlan(Seat.Role.COMMANDER, "crown", "Burgoyne", burgoyne),
            SeatPlan(Seat.Role.COMMANDER, "rebel", "Gates", gates),
        ),
        actor=umpire,
    )


@pytest.fixture
def staff_campaign(db) -> Campaign:
    """Nobody commands: the staff orders for both sides and the engine settles."""
    return campaign_create(scenario="saratoga-1777", slug="staff", secret=SECRET, battle_policy="automatic")
