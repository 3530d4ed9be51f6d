"""The chance that a march is over before dark, whatever the weather of the coming days may be."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from campaign.rules.day.weather import WEATHERS, Conditions, Weather, is_wet_weather, parse_weather
from campaign.rules.map.atlas import Atlas
from campaign.rules.map.paths import Leg
from campaign.rules.march.itinerary import Progress, march_day, marching_minutes
from campaign.rules.march.marching import MarchClass, formation_mobility, minutes_at, yards_per_day
from campaign.rules.orders.orders import plan_march
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Order, World, present_units

#: Days looked ahead; nobody plans by the weather of the next week.
DAYS = 3


@dataclass(frozen=True, slots=True)
class ArrivalChance:
    """The chance that a march has reached its goal before dark of campaign day `day` (0 is the first)."""

    day: int
    chance: Fraction


def arrival_odds(world: World, order: Order, days: int = DAYS) -> tuple[ArrivalChance, ...]:
    """Chances of arriving at the last place of `order.via` by the evening of each of the coming days.

    Exact, over the weather that is not yet known: as decided, recorded, or by the table of its
    half-month. Nobody is met on the way; who finds a ford closed waits before it. An order to rest
    first marches from the second day (HR-MAR-05). From the first
    day on which he may have arrived to the one on which he must have. Raises RuleViolation as
    planning the march does.
    """
    formation = world.formations[order.formation]
    units = present_units(world).get(formation.id, [])
    legs = plan_march(world, formation, order, units).legs
    march, settings = formation_mobility(units), world.settings
    chances: dict[tuple[Progress, int], Fraction] = {(Progress(), world.wet_days): Fraction(1)}
    arrived, found = Fraction(0), list[ArrivalChance]()
    rest = order.activity == "rest"
    light_days = -1 if rest else formation.light_days  # a day of rest sets the count back
    for number in range(days):
        late = order.starts if number == 0 else 0
        budget = 0 if rest and number == 0 else marching_minutes(order.pace, settings, late)
        light = order.light_order and light_days + number < settings.light_order_days
        evening: dict[tuple[Progress, int], Fraction] = {}
        late_comers = Fraction(0)
        for (state, wet_days), chance in chances.items():
            for weather, share in weather_chances(world, world.day + number).items():
                conditions = Conditions(weather, wet_days=wet_days)
                passable = _list_open_legs(
                    world.theatre.atlas, legs[state.leg :], march, settings, conditions, light
                )
                after, _ = march_day(passable, state, budget, settings)
                if after.leg < len(legs):
                    key = (replace(after, minutes=0), wet_days + 1 if is_wet_weather(weather) else 0)
                    evening[key] = evening.get(key, Fraction(0)) + chance * share
                elif settings.march_starts + late + after.minutes <= settings.dark:
                    arrived += chance * share
                else:
                    late_comers += chance * share
        if arrived:
            found.append(ArrivalChance(world.day + number, arrived))
        if arrived == 1:
            break
        chances, arrived = evening, arrived + late_comers
    return tuple(found)


def weather_chances(world: World, day: int) -> Mapping[Weather, Fraction]:
    """The weather a campaign day may have, with the chance of each (HR-WEA-01)."""
    theatre = world.theatre
    date = theatre.start.fromordinal(theatre.start.toordinal() + day)
    known = world.weather_set.get(str(day)) or theatre.recorded_weather.get(date)
    period = next((each for each in theatre.weather if each.start <= date <= each.end), None)
    if known is not None or period is None:
        return {parse_weather(known or "fair"): Fraction(1)}
    chances = {weather: Fraction(getattr(period, weather), 1000) for weather in WEATHERS}
    return {weather: chance for weather, chance in chances.items() if chance}


def _list_open_legs(
    atlas: Atlas,
    legs: Iterable[Leg],
    march: MarchClass,
    settings: RuleSettings,
    conditions: Conditions,
    light: bool,
) -> list[Leg]:
    """The legs at the day's rates, up to the first that is closed."""
    found = []
    for leg in legs:
        rate = yards_per_day(
            atlas.routes[leg.route], leg.origin, march, settings, conditions, light_order=light
        )
        if not rate:
            break
        found.append(replace(leg, rate=rate, minutes=minutes_at(leg.yards, rate, settings)))
    return found
