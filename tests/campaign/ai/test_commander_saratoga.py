"""The staff at Saratoga with the tactical engine: the short version of tests/prove/test_bots_prove.py."""

import functools

import pytest

from campaign.rules.day.play import Played
from campaign.rules.victory.victory import scenario_points
from campaign.rules.world.world import UnitStatus, World
from tests.factories.headless import against_random, campaign_played, contested_on

TICONDEROGA = frozenset({"ticonderoga", "mount_independence"})
SEEDS = (1, 2, 1777)
WEEKS = 5

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("headless")]


@functools.cache
def five_weeks(seed: int) -> Played:
    return campaign_played(seed, WEEKS)


def points_of(world: World, side: str) -> int:
    return sum(
        unit.points
        for unit in world.units.values()
        if unit.side == side and unit.status is UnitStatus.PRESENT
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_ticonderoga_is_contested_by_week_four(seed: int) -> None:
    day = contested_on(five_weeks(seed), TICONDEROGA)
    assert day is not None
    assert day < 28


@pytest.mark.parametrize("seed", SEEDS)
def test_hr_bot_03_no_army_stays_behind_in_canada(seed: int) -> None:
    """By the end of week five Burgoyne's brigades are on the upper Hudson or the way to it."""
    world = five_weeks(seed).world
    canada = {"quebec", "sorel", "montreal", "la_prairie", "chambly", "st_johns", "isle_aux_noix"}
    brigades = ("advanced_corps", "british_1st_brigade", "british_2nd_brigade", "reserve_corps")
    for name in brigades:
        position = world.formations[name].position
        assert position is not None
        assert not canada & {position.place, position.origin, position.destination} - {""}, name


@pytest.mark.parametrize("seed", SEEDS)
def test_hr_bot_04_neither_staff_throws_its_army_away(seed: int) -> None:
    """Five weeks of fighting cost neither side a third of the points it began with."""
    played = five_weeks(seed)
    for side in ("crown", "rebel"):
        assert points_of(played.world, side) > points_of(played.mornings[0], side) * 2 // 3


def test_the_same_seed_is_the_same_war_and_another_seed_another() -> None:
    again = campaign_played(1, 2)
    assert again.mornings == five_weeks(1).mornings[:15]
    assert again.world != five_weeks(2).mornings[14]


@pytest.mark.parametrize(("side", "seed"), [("crown", 3), ("rebel", 13)])
def test_hr_vic_01_a_staff_beats_random_orders(side: str, seed: int) -> None:
    other = "rebel" if side == "crown" else "crown"
    points = scenario_points(campaign_played(seed, 18, against_random(side)).world)
    assert points[side] > points[other]


@pytest.mark.parametrize("seed", SEEDS)
def test_orders_of_both_staffs_are_never_refused(seed: int) -> None:
    """An order the turn refuses would leave an army standing for want of one.

    Levies may go home between the order and the march (HR-LEV-01): then nobody is there to march.
    """
    refused = [
        event
        for day in five_weeks(seed).events
        for event in day
        if event.kind == "order_refused" and event.rule != "HR-FOR-04"
    ]
    assert refused == []
