"""Programs of the people of Saratoga."""

import pytest

from campaign.models import Seat, User
from campaign.services.archive.export import campaign_export
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


@pytest.fixture
def keeper(saratoga) -> User:
    """Who keeps the site, and has no seat."""
    return User.objects.create_superuser("clinton")


@pytest.fixture
def keeper_program(keeper) -> Program:
    return Program(keeper)


@pytest.fixture
def archive(saratoga, tmp_path) -> bytes:
    """Saratoga on its first morning, with the secret of its dice."""
    campaign_export(campaign=saratoga, path=tmp_path / "a.zip", with_secret=True)
    return (tmp_path / "a.zip").read_bytes()
