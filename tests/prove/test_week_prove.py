"""A week's end for 10,000 units: the figures of `make prove` and `make bench`."""

import time
from dataclasses import replace

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from campaign.ledger.dice import dice_for
from campaign.ledger.journal import record_append
from campaign.ledger.versions import versions_now
from campaign.ledger.world_rows import world_load, world_save
from campaign.models import Campaign
from campaign.rules.returns.week import WeekChoices, close_week
from campaign.rules.world.world import UnitStatus, World
from campaign.rules.world.world_json import world_hash
from campaign.services.setup.campaigns import campaign_create
from tests.prove.conftest import Figure

pytestmark = [pytest.mark.prove, pytest.mark.django_db]

UNITS = 10_000


def large(world: World) -> World:
    """Saratoga's present units over and over, on the morning after the first week."""
    present = [unit for unit in world.units.values() if unit.status is UnitStatus.PRESENT]
    copies = {
        f"{unit.id}-{number}": replace(unit, id=f"{unit.id}-{number}", static=False)
        for number in range(UNITS // len(present) + 1)
        for unit in present
    }
    return replace(world, day=7, units={**world.units, **dict(list(copies.items())[:UNITS])})


def plain_loop() -> float:
    """A fixed piece of work, to tell a slow machine from slow code."""
    started = time.perf_counter()
    total = 0
    for number in range(5_000_000):
        total += number & 7
    assert total == 17_500_000
    return time.perf_counter() - started


def close_and_save(campaign: Campaign) -> float:
    """One week's end from rows to rows, undone afterwards; seconds."""
    with transaction.atomic():
        started = time.perf_counter()
        world = world_load(campaign)
        assert world_hash(world) == campaign.head.world_hash
        closed = close_week(world, WeekChoices(), dice_for(campaign, world.day - 1))
        with transaction.atomic():
            world_save(campaign, world, closed.world)
            record_append(
                campaign=campaign, kind="week", happened_on=6, inputs={"choices": {}},
                versions=versions_now("awi"), events=closed.events, world=closed.world, actor=None,
            )  # fmt: skip
            campaign.save()
        seconds = time.perf_counter() - started
        transaction.set_rollback(True)
    campaign.refresh_from_db()
    return seconds


def test_closing_a_week_of_10000_units_takes_under_2_seconds(figure: Figure):
    campaign = campaign_create(scenario="saratoga-1777", slug="large", secret=b"w" * 32)
    small = world_load(campaign)
    with transaction.atomic():
        world_save(campaign, small, large(small))
        record_append(
            campaign=campaign, kind="day", happened_on=6, inputs={}, versions={}, events=[],
            world=large(small), actor=None,
        )  # fmt: skip
        campaign.save()
    with CaptureQueriesContext(connection) as queries:
        close_and_save(campaign)
    runs = [(close_and_save(campaign), plain_loop()) for _ in range(5)]
    best, loop = min(run[0] for run in runs), min(run[1] for run in runs)
    figure(
        f"week's end of {UNITS} units, best of five", f"{best:.2f} s, {best / loop:.1f} plain loops",
        "under 2 s",
    )  # fmt: skip
    figure("its queries", str(len(queries)), "under 80")
    assert best < 2.0
    assert len(queries) < 80
