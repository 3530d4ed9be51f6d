"""The posed campaign and its people's browsers."""

from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from campaign.models import Campaign, Seat
from campaign.scenarios.reading import scenario_read
from campaign.services.campaigns import SeatPlan, campaign_create
from tests.campaign.conftest import SECRET
from tests.campaign.web.posed import SETTINGS, posed_world
from tests.factories.people import signed_in


@pytest.fixture
def posed(burgoyne, gates, carleton, monkeypatch) -> Campaign:
    def changed(path: Any, settings: Any) -> Any:
        scenario = scenario_read(path, settings)
        return replace(scenario, world=posed_world(scenario.world))

    monkeypatch.setattr("campaign.services.campaigns.scenario_read", changed)
    return campaign_create(
        scenario="saratoga-1777",
        slug="posed",
        secret=SECRET,
        settings=SETTINGS,
        seats=(
            SeatPlan(Seat.Role.UMPIRE, user=carleton),
            SeatPlan(Seat.Role.COMMANDER, "crown", "Burgoyne", burgoyne),
            SeatPlan(Seat.Role.COMMANDER, "rebel", "Gates", gates),
        ),
    )


@pytest.fixture
def player(posed, burgoyne) -> Client:
    return signed_in(burgoyne)


@pytest.fixture
def opponent(posed, gates) -> Client:
    return signed_in(gates)


@pytest.fixture
def umpire(posed, carleton) -> Client:
    return signed_in(carleton)
