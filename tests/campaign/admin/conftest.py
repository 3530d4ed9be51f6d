"""People in every role of a campaign, one who umpires another, and administrators."""

from dataclasses import dataclass

import pytest
from django.test import Client

from campaign.models import Campaign, Seat, User
from campaign.services.setup.campaigns import SeatPlan, campaign_create
from tests.factories.people import signed_in

Role = Seat.Role


@dataclass
class People:
    """Browsers by role."""

    clients: dict[str, Client]

    def __getitem__(self, role: str) -> Client:
        return self.clients[role]


#: Roles that have no desk at all, and one who has that of another campaign.
WITHOUT = (
    "player", "column", "deputy", "guest", "spectator", "reserve", "former", "stranger", "administrator",
    "administrator who plays",
)  # fmt: skip
ELSEWHERE = ("umpire of another", "assistant of another", "administrator who umpires another")


@pytest.fixture
def people(waiting: Campaign, burgoyne: User) -> People:
    """Everybody, in the campaign that has a battle waiting."""
    battle = waiting.battles.get()
    other = campaign_create(
        scenario="saratoga-1777",
        slug="elsewhere",
        title="Quite another war",
        seats=(SeatPlan(Role.UMPIRE, user=_user("umpire of another")),),
    )
    commander = waiting.seats.get(role=Role.COMMANDER, side="crown")
    for role, more in {
        "column": {"side": "crown", "formations": ["advanced_corps"]},
        "deputy": {"side": "crown", "stands_for": commander},
        "guest": {"side": "crown", "battle": battle},
        "spectator": {},
        "reserve": {},
        "assistant": {},
    }.items():
        Seat.objects.create(campaign=waiting, user=_user(role), role=role, **more)
    Seat.objects.create(campaign=waiting, user=_user("former"), role="assistant", from_day=5, until_day=6)
    Seat.objects.create(campaign=other, user=_user("assistant of another"), role="assistant")
    both = User.objects.create_superuser("administrator who plays")
    Seat.objects.create(
        campaign=waiting, user=both, role="column", side="rebel", formations=["poors_brigade"]
    )
    elsewhere = User.objects.create_superuser("administrator who umpires another")
    Seat.objects.create(campaign=other, user=elsewhere, role="assistant")
    clients = {user.username: signed_in(user) for user in User.objects.exclude(username="carleton")}
    clients["player"], clients["anonymous"] = clients.pop("burgoyne"), Client()
    clients["stranger"] = signed_in(_user("stranger"))
    clients["administrator"] = signed_in(User.objects.create_superuser("administrator"))
    return People(clients)


def _user(name: str) -> User:
    return User.objects.create_user(name)
