"""Following and intercepting an enemy, with a side's own knowledge only (HR-ORD-03, HR-ORD-04)."""

from collections.abc import Iterable
from dataclasses import dataclass

from campaign.rules.day.weather import Conditions
from campaign.rules.errors import RuleViolation
from campaign.rules.map.atlas import Atlas
from campaign.rules.map.paths import Leg, MarchPlan, path_find
from campaign.rules.march.marching import FOOT, MarchClass, find_obstacle, minutes_at, yards_per_day
from campaign.rules.scouting.knowledge import Sighting, list_known_enemies, side_view
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Order, Position, World


@dataclass(frozen=True, slots=True)
class _Hunt:
    """A formation on the march after somebody: where it stands, and on what terms it marches."""

    atlas: Atlas
    position: Position
    march: MarchClass
    settings: RuleSettings
    conditions: Conditions
    light: bool


def verify_target(world: World, order: Order, side: str) -> Sighting:
    """The enemy an order is about. Raises RuleViolation (`target`) if the side has no report of such."""
    for enemy in list_known_enemies(world, side):
        if str(enemy.number) == order.target:
            return enemy
    rule = "HR-ORD-03" if order.activity == "follow" else "HR-ORD-04"
    raise RuleViolation(
        rule, "There is no report of such an enemy; choose one that is on your map.", "target"
    )


def plan_pursuit(
    world: World,
    atlas: Atlas,
    order: Order,
    position: Position,
    side: str,
    march: MarchClass,
    conditions: Conditions,
) -> MarchPlan:
    """Today's march after an order's enemy; no legs at the place where it was last known.

    Follow goes to where he was; intercept, if he is on a route, to where he can be met. Raises
    RuleViolation as `path_find`, and `verify_target`.
    """
    quarry = verify_target(world, order, side)
    hunt = _Hunt(atlas, position, march, world.settings, conditions, order.light_order)
    if order.activity == "intercept":
        plan = _head_off(world, hunt, quarry, side)
        if plan is not None:
            return plan
    return _plan_follow(hunt, quarry.position)


def _plan_follow(hunt: _Hunt, goal: Position) -> MarchPlan:
    if goal.place:
        return _plan_march_to(hunt, goal.place)
    route = hunt.atlas.routes[goal.route]
    if hunt.position.route == goal.route:
        here, there = _get_yard_from_a(hunt.atlas, hunt.position), _get_yard_from_a(hunt.atlas, goal)
        if here == there:
            return MarchPlan()
        return MarchPlan(
            (_build_leg_along(hunt, goal.route, route.a if here < there else route.b, hunt.position),)
        )
    ways: list[tuple[int, MarchPlan]] = []
    refused: RuleViolation | None = None
    for end, yards in ((goal.origin, goal.yards), (goal.destination, route.yards - goal.yards)):
        try:
            first, last = _plan_march_to(hunt, end), _build_leg_along(hunt, goal.route, end)
        except RuleViolation as violation:
            refused = refused or violation
            continue
        minutes = first.minutes + minutes_at(yards, last.rate, hunt.settings)
        ways.append((minutes, MarchPlan((*first.legs, last))))
    if not ways:
        assert refused is not None
        raise refused
    return min(ways, key=lambda way: way[0])[1]


def _head_off(world: World, hunt: _Hunt, quarry: Sighting, side: str) -> MarchPlan | None:
    """The way to the first place that can be reached ahead of the enemy, and on towards it.

    He is taken to go on along his route and then, at a normal day's march on foot, to the nearest
    place of value that the side itself holds. None if nothing ahead of him is reached in time.
    """
    goal = quarry.position
    if goal.place or hunt.position.route == goal.route:
        return None
    route = hunt.atlas.routes[goal.route]
    rate = yards_per_day(route, goal.origin, FOOT, hunt.settings)
    if rate is None:
        return None
    spent = minutes_at(route.yards - goal.yards, rate, hunt.settings)
    spent -= max(0, world.day - quarry.day) * hunt.settings.march_minutes
    plan = _in_time(hunt, goal.destination, spent)
    if plan is not None:
        return MarchPlan((*plan.legs, _build_leg_along(hunt, goal.route, goal.destination)))
    for leg in _bound_for(world, hunt, goal.destination, side):
        spent += leg.minutes
        plan = _in_time(hunt, leg.destination, spent)
        if plan is not None:
            return plan
    return None


def _in_time(hunt: _Hunt, place: str, minutes: int) -> MarchPlan | None:
    try:
        plan = _plan_march_to(hunt, place)
    except RuleViolation:
        return None
    return plan if plan.minutes <= minutes else None


def _bound_for(world: World, hunt: _Hunt, start: str, side: str) -> Iterable[Leg]:
    """The way the enemy is assumed to go from `start`: to the side's nearest place of value."""
    held = side_view(world, side).holders
    valued = {each.place for each in world.theatre.objectives} | set(world.theatre.supply.get(side, ()))
    plans = []
    for place in sorted(valued & {key for key, holder in held.items() if holder == side}):
        try:
            plans.append(path_find(hunt.atlas, Position(place=start), (place,), FOOT, hunt.settings))
        except RuleViolation:
            continue
    return min(plans, key=lambda plan: plan.minutes, default=MarchPlan()).legs


def _plan_march_to(hunt: _Hunt, place: str) -> MarchPlan:
    return path_find(
        hunt.atlas,
        hunt.position,
        (place,),
        hunt.march,
        hunt.settings,
        hunt.conditions,
        light_order=hunt.light,
    )


def _build_leg_along(hunt: _Hunt, route_id: str, origin: str, here: Position | None = None) -> Leg:
    """The rest of a route from `origin`, or from `here` on it. Raises RuleViolation if it is closed."""
    route = hunt.atlas.routes[route_id]
    rate = yards_per_day(route, origin, hunt.march, hunt.settings, hunt.conditions, light_order=hunt.light)
    if rate is None:
        closed = find_obstacle(route, origin, hunt.march, hunt.settings, hunt.conditions, atlas=hunt.atlas)
        raise closed or ValueError(route_id)
    start = 0
    if here is not None:
        start = here.yards if here.origin == origin else route.yards - here.yards
    yards = route.yards - start
    minutes = minutes_at(yards, rate, hunt.settings)
    return Leg(route.id, origin, route.other(origin), start, yards, minutes, rate)


def _get_yard_from_a(atlas: Atlas, position: Position) -> int:
    """Yards from end `a` of the position's route."""
    route = atlas.routes[position.route]
    return position.yards if position.origin == route.a else route.yards - position.yards
