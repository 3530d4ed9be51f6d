"""Minutes of a march along one route, by the rules' rates."""

from campaign.rules.day.weather import FAIR, Conditions
from campaign.rules.map.atlas import Route
from campaign.rules.march.marching import MarchClass, find_obstacle, minutes_at, yards_per_day
from campaign.rules.world.settings import RuleSettings


def minutes_for(
    route: Route,
    origin: str,
    yards: int,
    march: MarchClass,
    settings: RuleSettings,
    conditions: Conditions = FAIR,
    *,
    light_order: bool = False,
) -> int:
    """Minutes to march `yards` of `route` coming from `origin`; raises what bars the way."""
    rate = yards_per_day(route, origin, march, settings, conditions, light_order=light_order)
    if rate is None:
        raise find_obstacle(route, origin, march, settings, conditions) or ValueError(route.id)
    return minutes_at(yards, rate, settings)
