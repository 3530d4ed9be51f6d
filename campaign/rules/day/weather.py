"""The weather and the wind of a day, and what they do to marching (HR-WEA)."""

from dataclasses import dataclass
from datetime import date
from typing import Literal, get_args

from campaign.rules.errors import RuleViolation
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Theatre, WeatherPeriod, World
from rosters.domain.dice import DiceRoller, Roll

Weather = Literal["fair", "rain", "storm", "fog"]
WEATHERS: tuple[Weather, ...] = get_args(Weather)

RULE_WEATHER = "HR-WEA-01"
RULE_WIND = "HR-WEA-02"


@dataclass(frozen=True, slots=True)
class Conditions:
    """March conditions besides the road: today's weather and wind, and the days before.

    `wet_days` counts the days of rain or storm just past, today not counted (HR-MAR-07).
    """

    weather: Weather = "fair"
    foul_wind: bool = False
    wet_days: int = 0

    @property
    def contrary_on_water(self) -> bool:
        """Boats on open or tidal water are held up: a storm is as bad as a foul wind (HR-WAT-03)."""
        return self.foul_wind or self.weather == "storm"


#: What orders and plans reckon with, since nobody knows tomorrow's weather.
FAIR = Conditions()


@dataclass(frozen=True, slots=True)
class DayWeather:
    """Weather of one day; `recorded` days come from the scenario and have no `rolls`."""

    weather: Weather
    recorded: bool
    rolls: tuple[Roll, ...] = ()


def is_adverse_weather(weather: Weather) -> bool:
    """True if the weather adds 1 to the forced march die (AWI-C-MAR-03): all but fair (HR-WEA-03)."""
    return weather != "fair"


def is_wet_weather(weather: Weather) -> bool:
    """True if a day of this weather counts towards closing the fords (HR-MAR-07)."""
    return weather in ("rain", "storm")


def fire_in_rain(settings: RuleSettings, weather: Weather) -> int:
    """The modifier of rain to the fire of muskets and rifles (HR-WEA-04)."""
    return settings.rain_on_muskets if is_wet_weather(weather) else 0


def weather_on(theatre: Theatre, day: date, dice: DiceRoller) -> DayWeather:
    """Weather of `day` (HR-WEA-01): as recorded, else thrown for on the table of the half-month.

    Three ten-sided dice, read as the digits of a number from 000 to 999, against the period's
    thousandths in the order fair, rain, storm, fog. A day outside all periods is fair.
    Raises RuleViolation for a recorded weather that is none of the four.
    """
    recorded = theatre.recorded_weather.get(day)
    if recorded is not None:
        return DayWeather(parse_weather(recorded), recorded=True)
    period = next((item for item in theatre.weather if item.start <= day <= item.end), None)
    if period is None:
        return DayWeather("fair", recorded=True)
    rolls = tuple(dice.roll(RULE_WEATHER, "theatre", index, 10) for index in range(3))
    number = 0
    for roll in rolls:
        number = 10 * number + roll.value - 1
    return DayWeather(_weather_of(period, number), recorded=False, rolls=rolls)


def parse_weather(name: str) -> Weather:
    """The weather called `name`. Raises RuleViolation when there is none (HR-WEA-01)."""
    for weather in WEATHERS:
        if weather == name:
            return weather
    known = ", ".join(WEATHERS)
    raise RuleViolation(RULE_WEATHER, f"There is no weather called {name!r}; use one of {known}.")


def wind_on(settings: RuleSettings, dice: DiceRoller) -> tuple[bool, Roll]:
    """True if the wind is foul for boats today, and its die, one for the theatre (HR-WEA-02)."""
    roll = dice.roll(RULE_WIND, "theatre")
    return roll.value <= settings.lake_foul_wind_on, roll


def conditions_on(world: World, dice: DiceRoller) -> tuple[Conditions, DayWeather, Roll]:
    """Conditions of the world's present day, with the weather and the wind die they came from.

    What the umpire has decided counts first (HR-UMP-07).
    """
    decided = world.weather_set.get(str(world.day))
    if decided is not None:
        today = DayWeather(parse_weather(decided), recorded=True)
    else:
        today = weather_on(world.theatre, world.date, dice)
    foul, roll = wind_on(world.settings, dice)
    return Conditions(today.weather, foul, world.wet_days), today, roll


def _weather_of(period: WeatherPeriod, number: int) -> Weather:
    for weather in WEATHERS:
        number -= getattr(period, weather)
        if number < 0:
            return weather
    raise RuleViolation(
        RULE_WEATHER,
        f"The weather chances from {period.start} to {period.end} add up to less than 1000; correct them.",
    )
