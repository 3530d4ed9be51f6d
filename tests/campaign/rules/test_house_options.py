"""House rules that are always so by default, and otherwise by a setting."""

from dataclasses import replace
from typing import Any

import pytest

from campaign.rules.contact.casualties import forced_march_distribution
from campaign.rules.contact.retreat import way_back
from campaign.rules.day.arrivals import play_morning
from campaign.rules.day.field import DayState
from campaign.rules.day.weather import FAIR, Conditions
from campaign.rules.errors import RuleViolation
from campaign.rules.march.columns import Column
from campaign.rules.march.marching import FOOT, MarchClass, find_obstacle, yards_per_day
from campaign.rules.orders.orders import verify_order
from campaign.rules.scouting.sighting import get_sight_distances
from campaign.rules.supply.supply import daily_need, days_of_food
from campaign.rules.world.markers import Provision
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Order, UnitStatus, World
from tests.campaign.rules.allowed import is_allowed
from tests.campaign.rules.maps import atlas, route
from tests.factories.little_wars import MILE, battalion, completed, day_dice, little_world, place, told, way


def with_settings(world: World, **chosen: Any) -> World:
    return replace(world, settings=replace(world.settings, **chosen))


def test_hr_arr_01_by_the_setting_who_cannot_land_waits() -> None:
    world = little_world(
        (place("albany"), place("bennington")),
        (way("albany", "bennington", 5),),
        {"gates": ("rebel", "albany", 1), "burgoyne": ("crown", "bennington", 1)},
        holders={"albany": "rebel", "bennington": "crown"},
    )
    late = replace(
        battalion("late", "crown", "burgoyne", home="albany", arrives=0), status=UnitStatus.EXPECTED
    )
    world = replace(world, units={**world.units, "late": late})
    came, _ = play_morning(world, day_dice(world))
    assert came.units["late"].status is UnitStatus.PRESENT
    waits, events = play_morning(with_settings(world, arrivals_shut_out="wait"), day_dice(world))
    assert waits.units["late"].status is UnitStatus.EXPECTED
    assert told(events, "arrival_waits")


@pytest.mark.parametrize(("wheels", "found"), [("lost", True), ("kept", False)])
def test_hr_ret_02_by_the_setting_guns_are_kept_and_the_trail_is_closed(wheels: Any, found: bool) -> None:
    world = little_world(
        (place("albany"), place("bennington")),
        (way("albany", "bennington", 9, "trail", wheeled=False),),
        {"burgoyne": ("crown", "albany", 2)},
        supply={"crown": ("bennington",)},
        settings=RuleSettings(retreat_wheels=wheels),
    )
    field = DayState(world, day_dice(world), FAIR)
    assert _way(field, world, MarchClass(wheels=True)) is found
    assert _way(field, world, FOOT)


def _way(field: DayState, world: World, march: MarchClass) -> bool:
    body = world.formations["burgoyne"]
    column = Column(body, ("burgoyne_1",), march, 10, "give_battle", place="albany")
    field.columns.clear()
    field.at_place.clear()
    field.add(column)
    return way_back(field, column, 600) is not None


def test_hr_wat_01_by_the_setting_a_portage_takes_whole_days() -> None:
    carry = route("fort_stanwix", "wood_creek", "portage", 3)
    miles, day = RuleSettings(), RuleSettings(portage_days=1)
    assert yards_per_day(carry, "wood_creek", FOOT, miles) == 8 * MILE
    assert yards_per_day(carry, "wood_creek", FOOT, day) == 3 * MILE
    assert yards_per_day(carry, "wood_creek", FOOT, day, Conditions("storm")) == 3 * MILE
    assert yards_per_day(carry, "wood_creek", FOOT, RuleSettings(portage_days=2)) == 3 * MILE // 2


def test_hr_wat_03_by_the_setting_a_foul_wind_only_slows_on_tidal_water() -> None:
    tide = route("albany", "kingston", "river", 50, flow="tidal")
    foul = Conditions(foul_wind=True)
    refused = find_obstacle(tide, "albany", FOOT, RuleSettings(), foul)
    assert refused is not None and refused.rule_id == "HR-WAT-03"
    slow = RuleSettings(tidal_foul_miles=10)
    assert yards_per_day(tide, "albany", FOOT, slow, foul) == 10 * MILE


@pytest.mark.parametrize("command", [True, False])
def test_hr_wat_04_by_the_setting_works_do_not_command_the_water(command: bool) -> None:
    world = little_world(
        (place("ticonderoga", "fort", "lake"), place("skenesborough", port="lake")),
        (way("ticonderoga", "skenesborough", 20, "lake"),),
        {"burgoyne": ("crown", "ticonderoga", 4), "gates": ("rebel", "ticonderoga", 1)},
        holders={"ticonderoga": "rebel"},
        settings=RuleSettings(works_command_water=command),
    )
    assert (
        is_allowed(verify_order, world, Order("burgoyne", ("skenesborough",), by_water=True), "crown")
        is not command
    )


def test_hr_fog_01_by_the_setting_woods_hide_more_or_less() -> None:
    ground = atlas(route("albany", "bennington", miles=3, terrain="wooded"))

    def far(percent: int) -> int:
        seen = get_sight_distances(ground, RuleSettings(sight_woods_percent=percent), True)
        return dict(seen.near("albany"))["bennington"]

    assert (far(50), far(100), far(75)) == (6 * MILE, 3 * MILE, 4 * MILE)
    seen = get_sight_distances(ground, RuleSettings(sight_woods_percent=50), False)
    assert dict(seen.near("albany"))["bennington"] == 3 * MILE


def test_hr_sup_04_by_the_setting_a_short_ration_stretches_further() -> None:
    assert (daily_need(600, True), daily_need(600, True, 200), daily_need(600, False, 200)) == (400, 300, 600)
    world = little_world((place("albany"),), (), {"burgoyne": ("crown", "albany", 1)})
    body = replace(world.formations["burgoyne"], rations=2500)
    world = replace(world, formations={"burgoyne": body}, provisions={"burgoyne": Provision(0, short=True)})
    assert days_of_food(world, "burgoyne") == 15
    assert days_of_food(with_settings(world, short_ration_percent=200), "burgoyne") == 20


@pytest.mark.parametrize("weather", ["fair", "rain", "storm", "fog"])
def test_hr_wea_03_weather_adds_to_the_forced_march_die(weather: str) -> None:
    """AWI-C-MAR-03: all but fair weather adds one to the die of a forced march."""
    world = little_world(
        (place("albany"), place("bennington")),
        (way("albany", "bennington", 30, "highway"),),
        {"burgoyne": ("crown", "albany", 1)},
        weather=weather,
    )
    done = completed(world, {"burgoyne": Order("burgoyne", ("bennington",), "double")}, day_dice(world))
    (event,) = told(done.events, "forced_march")
    added = sum(value for _, value in event.modifiers)
    assert added == (0 if weather == "fair" else 1)
    assert forced_march_distribution(100, False, True) != forced_march_distribution(100, False, False)


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("arrivals_shut_out", "swim"),
        ("retreat_wheels", "carried"),
        ("rain_on_muskets", 1),
        ("sight_woods_percent", 0),
    ],
)
def test_hr_set_01_no_other_choice_is_taken(setting: str, value: Any) -> None:
    with pytest.raises(RuleViolation) as refused:
        RuleSettings.from_json({setting: value})
    assert (refused.value.rule_id, refused.value.field) == ("HR-SET-01", setting)
