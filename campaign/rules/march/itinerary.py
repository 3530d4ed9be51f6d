"""A march plan day by day: where each day ends, when each place is reached, and how likely (HR-MAR-09)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from campaign.rules.day.weather import FAIR, WEATHERS, Conditions, Weather, is_wet_weather, parse_weather
from campaign.rules.errors import RuleViolation
from campaign.rules.map.atlas import Atlas
from campaign.rules.map.paths import Leg, MarchPlan
from campaign.rules.march.marching import (
    MIDNIGHT,
    MarchClass,
    day_minutes,
    find_obstacle,
    formation_mobility,
    march_percent,
    minutes_at,
    yards_at,
    yards_per_day,
)
from campaign.rules.orders.orders import plan_march
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Order, Pace, Position, World, present_units


@dataclass(frozen=True, slots=True)
class PlaceArrival:
    """A place reached at `minute` of `day`; day 0 is the first day of the march."""

    place: str
    day: int
    minute: int


@dataclass(frozen=True, slots=True)
class DayMarch:
    """One day of a march: `minutes` marched, and where the formation stands at the end.

    `percent_over` is what the day counts for the forced march die (`marching.march_percent`),
    `marching` which day of marching since the last rest it is, 1 the first.
    """

    day: int
    minutes: int
    percent_over: int
    light_order: bool
    end: Position
    marching: int


@dataclass(frozen=True, slots=True)
class Schedule:
    """Days of a march and its arrivals, both in turn; both empty for a plan without legs."""

    days: tuple[DayMarch, ...] = ()
    arrivals: tuple[PlaceArrival, ...] = ()


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of a march: the leg under way, yards done of it, minutes marched today."""

    leg: int = 0
    yards: int = 0
    minutes: int = 0


def build_schedule(
    atlas: Atlas,
    plan: MarchPlan,
    pace: Pace,
    march: MarchClass,
    settings: RuleSettings,
    conditions: Conditions = FAIR,
    *,
    light_order: bool = False,
    light_days: int = 0,
    marched: int = 0,
    starts: int = 0,
    rest: bool = False,
) -> Schedule:
    """Day-by-day arrival times of a formation that marches `plan` at `pace`.

    `light_days` and `marched` are the formation's counters on the first morning. Light order ends
    by itself after its last permitted day (HR-MAR-03). `starts` delays the first day of marching
    (HR-ORD-05). With `rest` day 0 is one of rest, which is not among the days of the march and sets
    both counters back (HR-MAR-05). The same conditions are taken for all days.
    Raises RuleViolation when a route of the plan is closed under them.
    """
    days: list[DayMarch] = []
    arrivals: list[PlaceArrival] = []
    state = Progress()
    rated: dict[bool, list[Leg]] = {}
    if rest:
        light_days = marched = 0
    while state.leg < len(plan.legs):
        before = len(days)
        day = before + rest
        light = light_order and light_days + before < settings.light_order_days
        if light not in rated:  # in light order first, then without; what lies behind is not asked again
            ahead = plan.legs[state.leg :]
            rated[light] = [_at_rate(atlas, leg, march, settings, conditions, light) for leg in ahead]
        legs = rated[light][len(rated[light]) - len(plan.legs) + state.leg :]
        morning = state
        late = 0 if days else starts
        state, reached = march_day(legs, state, marching_minutes(pace, settings, late), settings)
        if (state.leg, state.yards) == (morning.leg, morning.yards):
            raise RuleViolation("HR-MAR-09", "The campaign's marching hours are too short to march.", "via")
        arrivals += [
            PlaceArrival(place, day, settings.march_starts + late + minutes) for place, minutes in reached
        ]
        over = march_percent(state.minutes, marched + before, settings)
        end = _find_day_end(legs, state.leg - morning.leg, state.yards)
        days.append(DayMarch(day, state.minutes, over, light, end, marched + before + 1))
    return Schedule(tuple(days), tuple(arrivals))


def marching_minutes(pace: Pace, settings: RuleSettings, late: int) -> int:
    """Minutes a formation can march in a day on which it starts `late` minutes after the others."""
    return max(0, min(day_minutes(pace, settings), MIDNIGHT - settings.march_starts - late))


def _at_rate(
    atlas: Atlas,
    leg: Leg,
    march: MarchClass,
    settings: RuleSettings,
    conditions: Conditions,
    light_order: bool,
) -> Leg:
    """The leg at the rate of these terms. Fords were judged when the path was found."""
    route, dry = atlas.routes[leg.route], replace(conditions, wet_days=0)
    rate = yards_per_day(route, leg.origin, march, settings, dry, light_order=light_order)
    if rate is None:
        raise find_obstacle(route, leg.origin, march, settings, dry, atlas=atlas) or ValueError(leg.route)
    return replace(leg, rate=rate, minutes=minutes_at(leg.yards, rate, settings))


def march_day(
    legs: list[Leg], state: Progress, budget: int, settings: RuleSettings
) -> tuple[Progress, list[tuple[str, int]]]:
    """One day's march of at most `budget` minutes, with the minutes marched at each place reached."""
    done, minutes, number = state.yards, 0, 0
    reached: list[tuple[str, int]] = []
    for leg in legs:
        needed = minutes_at(leg.yards - done, leg.rate, settings)
        if minutes + needed > budget:
            done += yards_at(budget - minutes, leg.rate, settings)
            return Progress(state.leg + number, done, budget), reached
        minutes, done, number = minutes + needed, 0, number + 1
        reached.append((leg.destination, minutes))
    return Progress(state.leg + number, 0, minutes), reached


def _find_day_end(legs: list[Leg], finished: int, yards: int) -> Position:
    """The position at the end of a day, `yards` into the leg after the `finished` ones."""
    if finished < len(legs):
        return legs[finished].position(yards)
    return Position(place=legs[-1].destination)


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
