"""For each role the API shows what the page's selectors give, and is closed where the page is."""

import json
from typing import Any

import pytest
from django.test import Client
from rest_framework.utils.encoders import JSONEncoder

from campaign.api.jobs import JobShape
from campaign.api.seats.seats import SeatShape, TenureShape
from campaign.api.setup.campaigns import CampaignShape, build_campaign_answer
from campaign.models import Seat, User
from campaign.selectors.campaign_context import Reading
from campaign.selectors.jobs import job_rows
from campaign.selectors.seats import seat_rows, tenure_rows
from campaign.services.jobs.jobs import job_request
from tests.campaign.api.program import Program

pytestmark = pytest.mark.django_db
ROLES = ("umpire", "crown", "rebel", "spectator", "reserve", "stranger")
#: Pages and what of the API shows the same.
PAIRS = (
    ("?sheet=standing", ""),
    ("?sheet=standing", "seats/"),
    ("jobs/", "jobs/"),
    ("proof/", "days/"),
    ("journal/", "journal/"),
    ("bulletins/", "bulletins/"),
)


@pytest.fixture
def people(waiting, burgoyne, gates, carleton) -> dict[str, User]:
    found = {"umpire": carleton, "crown": burgoyne, "rebel": gates}
    for role in ("spectator", "reserve"):
        found[role] = User.objects.create_user(role)
        Seat.objects.create(campaign=waiting, user=found[role], role=role)
    waiting.spectator_days = 0
    waiting.save()
    found["stranger"] = User.objects.create_user("howe")
    battle = waiting.battles.get()
    for side in ("", "crown"):
        job_request(
            kind="battle_odds",
            key=f"odds-{side}",
            payload={"battle": battle.pk, "side": side},
            campaign=waiting,
            actor=carleton,
        )
    return found


@pytest.mark.parametrize("role", ROLES)
def test_the_api_opens_where_the_page_does(people, role):
    browser, program = Client(), Program(people[role])
    browser.force_login(people[role])
    for page, address in PAIRS:
        opened = browser.get(f"/campaigns/saratoga/{page}").status_code == 200
        assert (program.get(f"campaigns/saratoga/{address}").status_code == 200) == opened, (page, address)


@pytest.mark.parametrize("role", ROLES[:4])
def test_the_api_shows_what_the_selectors_of_the_pages_give(people, role):
    reading = Reading.of(people[role], "saratoga", also=(Seat.Role.SPECTATOR,))
    program, start = Program(people[role]), reading.world.theatre.start
    assert program.get("campaigns/saratoga/").json() == plain(
        CampaignShape(build_campaign_answer(reading)).data
    )
    seats = program.get("campaigns/saratoga/seats/").json()
    assert seats["seats"] == plain(SeatShape(seat_rows(reading.viewer, start), many=True).data)
    assert seats["past"] == plain(TenureShape(tenure_rows(reading.viewer, start), many=True).data)
    if role != "spectator":
        jobs = program.get("campaigns/saratoga/jobs/").json()["jobs"]
        assert jobs == plain(JobShape(job_rows(reading.viewer), many=True).data)
        assert len(jobs) == {"umpire": 2, "crown": len(jobs), "rebel": 0}[role]


def plain(data: Any) -> Any:
    """As it is when it has been sent."""

    return json.loads(json.dumps(data, cls=JSONEncoder))
