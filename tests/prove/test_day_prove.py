"""A day of 2,000 units on a map of 2,000 places, and forecasts: figures of `make prove` and `make bench`."""

import os
import time
from dataclasses import replace

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from campaign.ledger.dice import dice_for
from campaign.ledger.journal import record_append
from campaign.ledger.world_rows import world_load, world_save
from campaign.models import Campaign, Seat, User
from campaign.rules.day.day import advance_day
from campaign.rules.scouting.intelligence import first_look
from campaign.rules.world.outcome import Completed
from campaign.rules.world.world import World
from campaign.rules.world.world_json import world_hash
from campaign.services.forecasts.forecasts import compute_forecast
from campaign.services.setup.campaigns import SeatPlan, campaign_create
from campaign.services.turns.days import day_advance
from tests.factories.large_war import large_orders, large_world
from tests.prove.conftest import Figure
from tests.prove.test_week_prove import plain_loop

pytestmark = [pytest.mark.prove, pytest.mark.django_db]


@pytest.fixture
def campaign(monkeypatch: pytest.MonkeyPatch) -> Campaign:
    """Saratoga with the large war in its rows, both sides commanded by people."""
    users = [User.objects.create_user(name) for name in ("howe", "washington")]
    campaign = campaign_create(
        scenario="saratoga-1777", slug="large", secret=b"d" * 32, battle_policy="automatic",
        seats=[SeatPlan(Seat.Role.COMMANDER, side, user=user)
               for side, user in zip(("crown", "rebel"), users, strict=True)],
    )  # fmt: skip
    small = world_load(campaign)
    large = large_world(small)
    monkeypatch.setattr("campaign.scenarios.theatres.theatre_load", lambda _: large.theatre)
    with transaction.atomic():
        large = first_look(_ordered(large), dice_for(campaign, 0))
        world_save(campaign, small, large)
        record_append(
            campaign=campaign, kind="day", happened_on=0, inputs={}, versions={}, events=[], world=large,
            actor=None,
        )  # fmt: skip
        campaign.save()
    return campaign


def _ordered(world: World) -> World:
    """The large war with every formation on its march."""
    orders = large_orders(world)
    return replace(
        world,
        formations={key: replace(body, order=orders.get(key)) for key, body in world.formations.items()},
    )


def advanced(campaign: Campaign) -> tuple[float, int]:
    """A day from rows to rows, undone afterwards: seconds, and the statements it took."""
    with transaction.atomic():
        started = time.perf_counter()
        with CaptureQueriesContext(connection) as queries:
            assert day_advance(campaign=campaign, actor=None).records
        seconds = time.perf_counter() - started
        transaction.set_rollback(True)
    campaign.refresh_from_db()
    return seconds, len(queries)


def test_advancing_a_day_of_2000_units_on_2000_places(campaign: Campaign, figure: Figure) -> None:
    world = world_load(campaign)
    assert (len(world.units), len(world.theatre.atlas.places)) == (2000, 2000)
    runs = [(*advanced(campaign), plain_loop()) for _ in range(5)]
    best, loop = min(run[0] for run in runs), min(run[2] for run in runs)
    dice = dice_for(campaign, world.day)
    times = []
    for _ in range(5):
        started = time.perf_counter()
        result = advance_day(world, {}, dice, {})
        times.append(time.perf_counter() - started)
        assert isinstance(result, Completed)
    figure(
        "a day of 2,000 units on 2,000 places, best of five",
        f"{best:.2f} s ({best / loop:.1f} plain loops), its rules {min(times):.2f} s", "under 1 s",
    )  # fmt: skip
    figure("its queries", str(runs[0][1]), "under 60")
    assert best < 1.0
    assert runs[0][1] < 60


def test_loading_a_world_takes_the_same_queries_however_large_it_is(
    campaign: Campaign, figure: Figure
) -> None:
    with CaptureQueriesContext(connection) as large:
        world = world_load(campaign)
    assert world_hash(world) == campaign.head.world_hash
    small = campaign_create(scenario="saratoga-1777", slug="small", secret=b"d" * 32)
    with CaptureQueriesContext(connection) as few:
        world_load(small)
    figure("queries to load 2,000 units, and Saratoga", f"{len(large)}, {len(few)}", "the same")
    assert len(large) == len(few)


def test_two_hundred_courses_of_four_weeks(figure: Figure) -> None:
    """200 runs by 4 weeks of Saratoga with the real engine, on the cores there are."""
    campaign = campaign_create(scenario="saratoga-1777", slug="forecast", secret=b"f" * 32)
    started = time.perf_counter()
    found = compute_forecast(campaign=campaign, weeks=4, runs=200)
    seconds = time.perf_counter() - started
    loop = plain_loop()
    figure(
        "forecast of 200 courses by 4 weeks",
        f"{seconds:.1f} s on {os.cpu_count()} cores, plain loop {loop:.2f} s",
        "under 60 s on two cores",
    )  # fmt: skip
    assert found["runs"] == 200
    assert seconds < 60
