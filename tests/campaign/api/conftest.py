"""Programs of the people of Saratoga."""

import pytest

from campaign.models import Seat, User
from tests.campaign.api.program import Program


@pytest.fixture
def crown_program(burgoyne, saratoga) -> Program:
    return Program(burgoyne)


@pytest.fixture
def rebel_program(gates, saratoga) -> Program:
    return Program(gates)


@pytest.fixture
def umpire_program(carleton, saratoga) -> Program:
    return Program(carleton)


@pytest.fixture
def spectator_program(saratoga) -> Program:
    walpole = User.objects.create_user("walpole")
    Seat.objects.create(campaign=saratoga, user=walpole, role=Seat.Role.SPECTATOR)
    saratoga.spectator_days = 0
    saratoga.save()
    return Program(walpole)


@pytest.fixture
def stranger_program(saratoga) -> Program:
    return Program(User.objects.create_user("howe"))
