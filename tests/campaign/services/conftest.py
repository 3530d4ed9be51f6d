"""Servers that notices are sent to."""

import pytest

from campaign.models import Seat
from campaign.services.seats.changes import seat_fill
from tests.factories.sinks import mail_sink, web_sink


@pytest.fixture
def post(settings):
    """A mail server that the site sends through."""
    with mail_sink() as sink:
        settings.EMAIL_BACKEND = "campaign.ops.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", sink.port, 5
        settings.DEFAULT_FROM_EMAIL = "The club <campaign@club.example.org>"
        yield sink


@pytest.fixture
def web(settings):
    """A web server that webhooks may reach."""
    settings.NOTICE_PRIVATE_ADDRESSES = True
    settings.NOTICE_SERVICES = ["discord", "json"]
    with web_sink() as sink:
        yield sink


@pytest.fixture
def empty(saratoga, carleton) -> Seat:
    """A commander's seat that nobody holds."""
    seat = Seat.objects.get(campaign=saratoga, role="commander", side="rebel")
    return seat_fill(seat=seat, user=None, actor=carleton)
