"""Whom an undecided battle holds up, and how far its ground reaches (HR-CAL-10)."""

from dataclasses import replace

import pytest

from campaign.rules.army.organisation import Detach
from campaign.rules.day.locks import Today, build_footprints, lock_formations
from campaign.rules.day.provisional import run_on
from campaign.rules.day.weather import Conditions
from campaign.rules.world.world import Order
from tests.factories.little_wars import day_dice, little_world, orders, place, way
from tests.factories.two_wars import BOTH_ATTACK, ROUTE, two_wars

DAYS = 3


def test_a_footprint_is_the_way_of_the_day_and_no_more():
    world = two_wars(60)
    prints = build_footprints(world, BOTH_ATTACK)
    assert prints["ward"].places == ("west", "gap")
    assert prints["xavier"].places == ("gap",)
    ((route, yards),) = prints["rider"].stops
    assert (route, yards) == (ROUTE, 12 * 1760)
    assert prints["rider"].far == 0


@pytest.mark.parametrize("activity", ["follow", "intercept"])
def test_who_chases_may_go_anywhere_within_a_days_march(activity):
    world = two_wars(60)
    chase = Order("rider", activity=activity)
    assert build_footprints(world, orders(chase))["rider"].far > 24 * 1760


def test_the_lock_of_a_battle_on_a_route_reaches_along_it():
    world = two_wars(60)
    contact = run_on(world, BOTH_ATTACK, day_dice(world), {}).contacts[0]
    on_road = replace(
        contact, place="", route="gap--middle--road", yards=30 * 1760, participants=(), units=()
    )
    part = lock_formations(world, {}, on_road)
    assert part.formations == ()
    assert part.zone.routes == {"gap--middle--road"}


def test_hr_cal_10_who_has_spent_his_light_order_counts_with_the_march_he_makes_without_it():
    world = two_wars(20)
    march = orders(*BOTH_ATTACK.values(), Order("rider", ("east",), light_order=True))
    tired = replace(world.formations["rider"], light_days=3)
    world = replace(world, formations={**world.formations, "rider": tired})
    ahead = run_on(world, march, day_dice(world), {})
    assert build_footprints(world, march)["rider"].stops == ((ROUTE, 12 * 1760),)
    assert "rider" in ahead.locked_formations  # his twelve miles bring him within thirteen of the east


def test_hr_cal_10_who_detaches_troops_counts_with_the_way_he_sends_them():
    world = two_wars(20)
    two = replace(world.units["rider_1"], id="rider_2")
    world = replace(world, units={**world.units, "rider_2": two})
    march = orders(*BOTH_ATTACK.values(), Order("rider"))
    away = Order("rider-d1", ("east",), pace="double")
    detach = Detach("rider", ("rider_2",), "rider-d1", "Patrol", order=away)
    assert "rider" not in run_on(world, march, day_dice(world), {}).locked_formations
    ahead = run_on(world, march, day_dice(world), {}, organisation=[detach])
    assert "rider" in ahead.locked_formations
    assert "rider-d1" not in ahead.world.formations


def test_hr_cal_10_a_way_that_only_the_days_weather_opens_counts_too():
    """In fair weather he would go by the lake to the north; the wind is foul, and the road leads east."""
    lake = way("middle", "north", 18, "lake")
    world = little_world(
        [place("middle", port="lake"), place("north", port="lake"), place("east")],
        [lake, way("middle", "east", 10), way("east", "north", 10)],
        {"rider": ("rebel", "middle", 1)},
    )
    march = orders(Order("rider", ("north",)))
    assert "east" not in build_footprints(world, march)["rider"].places
    foul = Today(Conditions(foul_wind=True))
    assert {"north", "east"} <= set(build_footprints(world, march, foul)["rider"].places)
