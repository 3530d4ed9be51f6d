"""A march plan laid out day by day: where each day ends, when each place is reached (HR-MAR-09)."""

from dataclasses import dataclass, replace

from campaign.rules.day.weather import FAIR, Conditions
from campaign.rules.errors import RuleViolation
from campaign.rules.map.atlas import Atlas
from campaign.rules.map.paths import Leg, MarchPlan
from campaign.rules.march.marching import (
    MIDNIGHT,
    MarchClass,
    day_minutes,
    find_obstacle,
    march_percent,
    minutes_at,
    yards_at,
    yards_per_day,
)
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Pace, Position


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
    """How far a march has come: the leg under way, yards done of it, minutes marched today."""

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
    """When a formation arrives that marches `plan` at `pace`, day after day.

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
    """Where the day ends, `yards` into the leg after the `finished` ones."""
    if finished < len(legs):
        return legs[finished].position(yards)
    return Position(place=legs[-1].destination)
