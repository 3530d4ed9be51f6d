"""The staff outside: two programs command both sides over HTTP, and order as the staff inside does."""

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

from tests.programs.club import CAMPAIGN, Club, until
from tests.programs.umpiring import PATH, day_of, day_played, settled_by_word

pytestmark = pytest.mark.slow

#: What the staff inside orders on each morning, and what came in for it, from the site's own database.
COMPARE = f"""
import json
import django
django.setup()
from campaign.ai.commander import staff_orders
from campaign.models import Campaign, DayRecord, OrderPaper
from campaign.rules.world.world_json import order_to_json
from campaign.ledger.world_rows import snapshot_unpack, theatre_load

campaign = Campaign.objects.get(slug={CAMPAIGN!r})
theatre = theatre_load(campaign)
told = []
for record in DayRecord.objects.filter(campaign=campaign).order_by("pk"):
    world = snapshot_unpack(bytes(record.snapshot), theatre)
    for side in ("crown", "rebel"):
        papers = OrderPaper.objects.filter(campaign=campaign, side=side, day=world.day, kind="activity")
        inside = [order_to_json(order) for order in staff_orders(world, side)]
        outside = [paper.body for paper in papers.order_by("number")]
        told.append([world.day, side, inside, outside, record.kind])
print("TOLD " + json.dumps(told))
"""


def test_two_staffs_outside_order_as_those_inside_over_a_week(club: Club, examples: Path) -> None:
    awi: Any = importlib.import_module("awi_client")
    umpire = awi.Client(club.url, club.token("umpire", "read", "order", "umpire"))
    seat = ("manage.py", "playseat", club.url, CAMPAIGN, "--weeks", "1", "--every", "0.5")
    tokens = [club.token(side, "read", "order") for side in ("crown", "rebel")]
    outside = {**club.environment, "DATABASE_URL": "postgres://nobody@127.0.0.1:1/nowhere"}  # it opens none
    with (
        club.started("-u", *seat, **outside, AWI_TOKEN=tokens[0]) as crown,
        club.started("-u", *seat, **outside, AWI_TOKEN=tokens[1]) as rebel,
    ):
        for _ in range(7):
            date = umpire.get(PATH)["calendar"]["date"]
            until("both staffs", lambda day=date: club.said().count(f"{day}: ordered") >= 2, club)
            while waiting := day_played(umpire):
                for number in waiting:
                    settled_by_word(umpire, number)
        assert (crown.wait(120), rebel.wait(120)) == (0, 0), club.said()
    assert day_of(umpire) == 7
    said = club.said()
    assert said.count("7 days were played.") == 2 and "Traceback" not in said, said

    told = json.loads(club.run("-c", COMPARE).partition("TOLD ")[2])
    mornings = {(day, side): (inside, papers) for day, side, inside, papers, _ in told if day < 7}
    assert len(mornings) == 14
    plain = {"version"}
    ordered = 0
    for (day, side), (inside, papers) in mornings.items():
        came = [{name: value for name, value in body.items() if name not in plain} for body in papers]
        assert came == inside, (day, side)
        ordered += len(came)
    assert ordered > 10
