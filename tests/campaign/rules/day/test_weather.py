"""Weather and wind of a day (HR-WEA-01 to HR-WEA-03)."""

from dataclasses import replace
from datetime import date

import pytest

from campaign.rules.day.weather import (
    FAIR,
    Conditions,
    Weather,
    conditions_on,
    is_adverse_weather,
    is_wet_weather,
    weather_on,
    wind_on,
)
from campaign.rules.errors import RuleViolation
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Side, Theatre, WeatherPeriod, World
from rosters.domain.dice import AddressedDice
from tests.campaign.rules.maps import atlas, route
from tests.factories.scripted_dice import ScriptedDice

JULY = WeatherPeriod(date(1777, 7, 1), date(1777, 7, 15), fair=640, rain=180, storm=150, fog=30)
THEATRE = Theatre(
    "hudson",
    "The Hudson",
    date(1777, 7, 1),
    date(1777, 7, 31),
    atlas(route("albany", "half_moon")),
    (Side("crown", "Crown", "#800000"), Side("rebel", "Rebels", "#000080")),
    {},
    {},
    weather=(JULY,),
    recorded_weather={date(1777, 7, 8): "storm"},
)


@pytest.mark.parametrize(
    ("dice", "weather"),
    [
        ((1, 1, 1), "fair"),
        ((7, 4, 10), "fair"),  # 639
        ((7, 5, 1), "rain"),  # 640
        ((9, 2, 10), "rain"),  # 819
        ((9, 3, 1), "storm"),  # 820
        ((10, 7, 10), "storm"),  # 969
        ((10, 8, 1), "fog"),  # 970
        ((10, 10, 10), "fog"),  # 999
    ],
)
def test_hr_wea_01_three_dice_make_a_number_against_the_thousandths(
    dice: tuple[int, ...], weather: str
) -> None:
    today = weather_on(THEATRE, date(1777, 7, 2), ScriptedDice({"HR-WEA-01/theatre": dice}))
    assert today.weather == weather
    assert [roll.sides for roll in today.rolls] == [10, 10, 10]
    assert not today.recorded


def test_hr_wea_01_all_numbers_together_give_the_periods_chances() -> None:
    counts = dict.fromkeys(("fair", "rain", "storm", "fog"), 0)
    for number in range(1000):
        digits = [number // 100 + 1, number // 10 % 10 + 1, number % 10 + 1]
        counts[weather_on(THEATRE, date(1777, 7, 2), ScriptedDice(digits)).weather] += 1
    assert counts == {"fair": 640, "rain": 180, "storm": 150, "fog": 30}


def test_hr_wea_01_a_recorded_day_is_as_recorded_and_throws_no_die() -> None:
    today = weather_on(THEATRE, date(1777, 7, 8), ScriptedDice([]))
    assert (today.weather, today.recorded, today.rolls) == ("storm", True, ())


def test_hr_wea_01_a_day_outside_the_table_is_fair() -> None:
    assert weather_on(THEATRE, date(1777, 7, 20), ScriptedDice([])).weather == "fair"


def test_hr_wea_01_an_unknown_recorded_weather_is_refused() -> None:
    theatre = replace(THEATRE, recorded_weather={date(1777, 7, 2): "hail"})
    with pytest.raises(RuleViolation, match="no weather called 'hail'; use one of fair, rain"):
        weather_on(theatre, date(1777, 7, 2), ScriptedDice([]))


def test_hr_wea_01_chances_short_of_a_thousand_are_refused() -> None:
    theatre = replace(THEATRE, weather=(replace(JULY, fog=0),))
    with pytest.raises(RuleViolation, match="less than 1000"):
        weather_on(theatre, date(1777, 7, 2), ScriptedDice([10, 10, 10]))


@pytest.mark.parametrize(("die", "foul"), [(1, True), (2, True), (3, False), (6, False)])
def test_hr_wea_02_the_wind_is_foul_on_one_or_two(die: int, foul: bool) -> None:
    assert wind_on(RuleSettings(), ScriptedDice({"HR-WEA-02": [die]}))[0] is foul


@pytest.mark.parametrize(
    ("weather", "is_adverse", "is_wet", "holds_boats"),
    [
        ("fair", False, False, False),
        ("rain", True, True, False),
        ("storm", True, True, True),
        ("fog", True, False, False),
    ],
)
def test_hr_wea_03_what_the_weather_does(
    weather: Weather, is_adverse: bool, is_wet: bool, holds_boats: bool
) -> None:
    conditions = Conditions(weather)
    assert is_adverse_weather(conditions.weather) is is_adverse  # AWI-C-MAR-03
    assert is_wet_weather(conditions.weather) is is_wet  # HR-MAR-07
    assert conditions.contrary_on_water is holds_boats  # HR-WAT-03


def test_conditions_of_a_day_are_a_function_of_its_address() -> None:
    world = World(THEATRE, RuleSettings(), 3, {}, {}, {}, {}, wet_days=2)
    dice = AddressedDice(b"stillwater", "hudson", 0, 3)
    conditions, today, wind = conditions_on(world, dice)
    assert conditions_on(world, dice) == (conditions, today, wind)
    assert conditions == Conditions(today.weather, wind.value <= 2, 2)
    assert wind.address == "hudson/0/3/HR-WEA-02/theatre/0"
    assert Conditions() == FAIR
