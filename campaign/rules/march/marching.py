"""March rates, ways and arrival times of formations (HR-MAR, HR-WAT).

A normal day's march takes `settings.march_minutes` whatever the way, so minutes marched are the
common measure of roads, trails and water, and a forced march is told in percent of them. Rates are
whole yards a day; nothing here is a float. Minutes are rounded up, yards down: nobody gains.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from campaign.rules.contact.casualties import forced_march_distribution, percent_over
from campaign.rules.day.weather import FAIR, Conditions
from campaign.rules.errors import RuleViolation
from campaign.rules.map.atlas import WATER_KINDS, Atlas, Route
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import PACE_PERCENT, YARDS_PER_MILE, Pace, Unit
from rosters.domain.vocabulary import Mobility

#: A day over the normal one is a forced march, however little it is over (AWI-C-MAR-01).
LEAST_PERCENT_OVER = 1

MIDNIGHT = 24 * 60

#: From slow to fast: the slowest unit sets the pace of its formation (HR-MAR-02).
SLOWEST_FIRST = (Mobility.WAGONS, Mobility.GUNS, Mobility.FOOT, Mobility.LIGHT, Mobility.MOUNTED)


@dataclass(frozen=True, slots=True)
class MarchClass:
    """A formation's march class: its slowest unit's `mobility`, and what rolls along with it.

    `wheels` are guns or wagons, barred from routes without `wheeled`; `heavy` are wagons or heavy
    guns, which cannot march in light order (HR-MAR-03).
    """

    mobility: Mobility = Mobility.FOOT
    wheels: bool = False
    heavy: bool = False


FOOT = MarchClass()


def formation_mobility(units: Iterable[Unit]) -> MarchClass:
    """March class of units that march together (HR-MAR-02); infantry if there are none."""
    found = {unit.mobility for unit in units}
    slowest = next((mobility for mobility in SLOWEST_FIRST if mobility in found), Mobility.FOOT)
    heavy = Mobility.WAGONS in found
    return MarchClass(slowest, wheels=heavy or Mobility.GUNS in found, heavy=heavy)


# --- rates ---


def yards_per_day(
    route: Route,
    origin: str,
    march: MarchClass,
    settings: RuleSettings,
    conditions: Conditions = FAIR,
    *,
    light_order: bool = False,
) -> int | None:
    """Yards of a normal day's march along `route`, starting from its end `origin`.

    None when the formation cannot go that way now: wheels on a route that carries none (HR-MAR-02),
    a closed ford (HR-MAR-07), a foul wind on tidal water (HR-WAT-03). `obstacle` says which.
    """
    if find_obstacle(route, origin, march, settings, conditions) is not None:
        return None
    return _find_march_rate(route, origin, march, settings, conditions, light_order)


def find_obstacle(
    route: Route,
    origin: str,
    march: MarchClass,
    settings: RuleSettings,
    conditions: Conditions = FAIR,
    *,
    atlas: Atlas | None = None,
) -> RuleViolation | None:
    """The reason why a formation cannot take `route` from `origin` now, or None.

    HR-MAR-02 and HR-BRG-01 are lasting; HR-MAR-07 and HR-WAT-03 pass with the weather
    (`passes_with_weather`).
    With an `atlas` the sentence calls places by their names.
    """
    if route.broken and route.crossing == "ferry":
        rule, reason = "HR-BRG-01", "The ferry on {way} is gone; mend it or go another way."
    elif route.broken and march.wheels and route.whole.wheeled:
        rule = "HR-BRG-01"
        reason = "The bridge on {way} is broken and guns and wagons cannot ford; mend it or go another way."
    elif march.wheels and route.bars_wheels:
        rule = "HR-MAR-02"
        reason = "Guns and wagons cannot use {way}; order another way, one that carries wheels."
    elif _is_ford_closed(route, settings, conditions):
        rule, days = "HR-MAR-07", conditions.wet_days
        reason = f"The ford on {{way}} is closed after {days} wet days; wait or go another way."
    elif _find_march_rate(route, origin, march, settings, conditions, False) >= 1:
        return None
    elif route.kind in WATER_KINDS and conditions.contrary_on_water:
        rule, reason = "HR-WAT-03", "The wind is foul on {way}; wait or go another way."
    else:
        rule, reason = "HR-MAR-01", "The campaign's march rates close {way}; go another way."
    ends = [atlas.places[key].name if atlas else key for key in (origin, route.other(origin))]
    return RuleViolation(rule, reason.format(way=f"the {route.kind} from {ends[0]} to {ends[1]}"), "via")


def passes_with_weather(violation: RuleViolation) -> bool:
    """True if a refused formation may simply wait for better weather (HR-MAR-08)."""
    return violation.rule_id in ("HR-MAR-07", "HR-WAT-03")


def _is_ford_closed(route: Route, settings: RuleSettings, conditions: Conditions) -> bool:
    limit = settings.wet_days_close_fords
    ford = route.crossing == "ford" or (route.broken and route.crossing == "bridge")
    return ford and 0 < limit <= conditions.wet_days


def _find_march_rate(
    route: Route,
    origin: str,
    march: MarchClass,
    settings: RuleSettings,
    conditions: Conditions,
    light_order: bool,
) -> int:
    if settings.march_minutes < 1 or settings.march_starts >= MIDNIGHT:
        return 0
    if route.kind in WATER_KINDS:
        return _water_miles(route, origin, settings, conditions) * YARDS_PER_MILE
    if route.kind == "portage" and settings.portage_days:
        return max(1, route.yards // settings.portage_days)
    if route.kind == "portage":  # boats and stores are carried over, and everybody waits for them
        miles, percents = settings.portage_miles, [_weather_percent(settings, conditions)]
    else:
        miles = _land_miles(route, settings)
        percents = [_mobility_percent(march.mobility, settings), _weather_percent(settings, conditions)]
        if light_order:
            percents.append(settings.light_order_percent)
    if route.terrain == "mountain":
        percents.append(settings.mountain_percent)
    rate, whole = miles * YARDS_PER_MILE, 1
    for percent in percents:
        rate, whole = rate * percent, whole * 100
    rate //= whole  # rounded once, at the end
    return _find_clearing_rate(route, rate, settings) if route.felled and has_to_clear(march) else rate


def has_to_clear(march: MarchClass) -> bool:
    """True if a formation must clear a felled road to pass; light troops slip through (HR-OBS-01)."""
    return march.mobility is not Mobility.LIGHT


def _find_clearing_rate(route: Route, rate: int, settings: RuleSettings) -> int:
    """The rate over the whole of a route of which a part is to be cleared (HR-OBS-01)."""
    slow = min(rate, settings.clearing_yards)
    if slow < 1:
        return 0
    return route.yards * rate * slow // (route.felled * rate + (route.yards - route.felled) * slow)


def _land_miles(route: Route, settings: RuleSettings) -> int:
    """Miles a day for infantry by land (HR-MAR-01)."""
    return {
        "highway": settings.highway_miles,
        "road": settings.road_miles,
        "track": settings.track_miles,
        "trail": settings.trail_miles,
    }[route.kind]


def _mobility_percent(mobility: Mobility, settings: RuleSettings) -> int:
    """Percent of the infantry rate (HR-MAR-01). Field guns keep up with infantry."""
    if mobility is Mobility.WAGONS:
        return settings.wagons_percent
    if mobility is Mobility.LIGHT:
        return settings.light_troops_percent
    return settings.mounted_percent if mobility is Mobility.MOUNTED else 100


def _weather_percent(settings: RuleSettings, conditions: Conditions) -> int:
    """Share of the fair day's rate on land (HR-MAR-06). Fog hides but does not hinder."""
    return {"rain": settings.rain_percent, "storm": settings.storm_percent}.get(conditions.weather, 100)


def _water_miles(route: Route, origin: str, settings: RuleSettings, conditions: Conditions) -> int:
    """Miles a day by boat (HR-WAT-02); everything travels alike, guns and wagons too."""
    if route.kind == "sea" or route.flow == "tidal":
        return settings.tidal_foul_miles if conditions.contrary_on_water else settings.tidal_miles
    if route.kind == "lake":
        return settings.lake_foul_miles if conditions.contrary_on_water else settings.lake_miles
    if route.flow == "none":  # slack water, sheltered
        return settings.lake_miles
    down = route.flow.startswith("ab") == (origin == route.a)
    if route.flow.endswith("rapids"):
        return settings.rapids_down_miles if down else settings.rapids_up_miles
    return settings.river_down_miles if down else settings.river_up_miles


# --- minutes and yards ---


def minutes_at(yards: int, rate: int, settings: RuleSettings) -> int:
    """Minutes to march `yards` at `rate` yards a normal day, rounded up."""
    return -(-yards * settings.march_minutes // rate)


def yards_at(minutes: int, rate: int, settings: RuleSettings) -> int:
    """Yards marched in `minutes` at `rate` yards a normal day, rounded down."""
    return minutes * rate // settings.march_minutes


def day_minutes(pace: Pace, settings: RuleSettings) -> int:
    """Minutes a formation may march in one day at `pace` (AWI-C-MAR-01, AWI-C-MAR-02)."""
    return minutes_of_day(PACE_PERCENT[pace], settings)


def minutes_of_day(percent: int, settings: RuleSettings) -> int:
    """Minutes of `percent` of a normal day's march, at most until midnight (HR-MAR-04)."""
    return max(0, min(settings.march_minutes * percent // 100, MIDNIGHT - settings.march_starts))


# --- forced marches, rest, light order ---


def march_percent(minutes: int, marched: int, settings: RuleSettings) -> int:
    """Percent over the normal day that a march of `minutes` counts for the forced march die.

    `marched` counts the days marched since the last rest: on the day that should be one, any
    march counts as up to half over (HR-MAR-05). One die a day, on the harder of the two tables.
    """
    over = percent_over(settings.march_minutes, minutes)
    if minutes > 0 and rest_is_due(marched, settings):
        return max(over, LEAST_PERCENT_OVER)
    return over


def rest_is_due(marched: int, settings: RuleSettings) -> bool:
    """True if today is a day of rest after `marched` days (HR-MAR-05). 0 in the settings turns it off."""
    return 0 < settings.rest_every_days <= marched + 1


@cache
def forced_march_risk(percent: int, militia: bool, adverse: bool) -> tuple[Fraction, Fraction]:
    """Chance that a unit loses points, and the points it may expect to lose (AWI-C-MAR-01..03)."""
    chances = forced_march_distribution(percent, militia, adverse)
    return 1 - chances.get(0, Fraction(0)), sum(
        (loss * chance for loss, chance in chances.items()), Fraction(0)
    )


def verify_light_order(march: MarchClass, light_days: int, settings: RuleSettings) -> None:
    """Refuses light order to wagons and heavy guns, and after too many days of it (HR-MAR-03).

    `light_days` counts the days already spent in light order since the last rest.
    """
    if march.heavy:
        raise RuleViolation(
            "HR-MAR-03",
            "Wagons and heavy guns cannot march in light order; order a march with tents and wagons.",
            "light_order",
        )
    if light_days >= settings.light_order_days:
        raise RuleViolation(
            "HR-MAR-03",
            f"The formation has been {light_days} days in light order and {settings.light_order_days} "
            "is the limit; rest a day or march with tents and wagons.",
            "light_order",
        )
