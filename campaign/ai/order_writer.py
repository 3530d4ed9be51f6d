"""From what a staff intends to what it orders: the way there, and nothing when the order stands already."""

from dataclasses import dataclass

from campaign.ai.assessment import MarchTable, StaffBody, StaffSituation, march_table
from campaign.rules.errors import RuleViolation
from campaign.rules.march.marching import rest_is_due
from campaign.rules.orders.orders import checked_march
from campaign.rules.world.world import Order, Stance


@dataclass(frozen=True, slots=True)
class Intent:
    """A body's intent: be at `place` in `stance`, on a way clear of `shun`."""

    place: str
    stance: Stance = "give_battle"
    shun: frozenset[str] = frozenset()
    pressing: bool = False  # no time to rest


def draft_order(situation: StaffSituation, body: StaffBody, intent: Intent) -> Order | None:
    """The order that carries out an intent, or None when the standing one already does."""
    standing = body.formation.order
    halt = Order(body.id, stance=intent.stance)
    resting = not intent.pressing and rest_is_due(body.formation.marched, situation.world.settings)
    if (body.place == intent.place and not body.on_route) or resting:
        return _if_new(halt, standing)
    via = _choose_waypoints(situation, body, intent)
    if via is None:
        return _if_new(halt, standing)
    order = Order(body.id, via, stance=intent.stance)
    if not _is_allowed(situation, order):
        order = _in_parts(situation, body, intent) or halt
    return _if_new(order, standing)


def _is_allowed(situation: StaffSituation, order: Order) -> bool:
    try:
        checked_march(situation.world, order, situation.side, situation.present)
    except RuleViolation:
        return False
    return True


def _in_parts(situation: StaffSituation, body: StaffBody, intent: Intent) -> Order | None:
    """Return the order for the next part of the way, by water or by land, where boats are counted (HR-
    BOT-08).

    With too few boats at the water's edge they are gathered; with no more to be had there, None.
    """
    if situation.world.settings.boats != "counted":
        return None
    table = march_table(situation.world, body.march)
    way = _find_fastest_path(situation, table, body, intent.place, intent.shun - {intent.place}) or ()
    for by_water in (True, False):
        for place in reversed(way):
            part = Order(body.id, (place,), stance=intent.stance, by_water=by_water)
            if (place != body.place or body.on_route) and _is_allowed(situation, part):
                return part
    gather = Order(body.id, stance=intent.stance, activity="gather_boats")
    return gather if _is_allowed(situation, gather) else None


def _if_new(order: Order, standing: Order | None) -> Order | None:
    if standing is None:
        return None if not order.via and order.stance == "give_battle" else order
    return None if standing == order else order


def _choose_waypoints(situation: StaffSituation, body: StaffBody, intent: Intent) -> tuple[str, ...] | None:
    """Places to order: the goal alone where the fastest way will do, every place where it will not."""
    table = march_table(situation.world, body.march)
    free = _find_fastest_path(situation, table, body, intent.place, frozenset())
    clear = _find_fastest_path(situation, table, body, intent.place, intent.shun - {intent.place})
    return (intent.place,) if clear == free and clear is not None else clear


def _find_fastest_path(
    situation: StaffSituation, table: MarchTable, body: StaffBody, goal: str, shun: frozenset[str]
) -> tuple[str, ...] | None:
    """Places on the fastest way of a body to `goal`; part-way along a route it may go on or turn back."""
    position = body.formation.position
    if position is None or position.place:
        return table.path(body.place, goal, shun)
    whole = situation.world.theatre.atlas.routes[position.route].yards
    ways = []
    for end, yards in ((position.destination, whole - position.yards), (position.origin, position.yards)):
        path = None if end in shun else table.path(end, goal, shun)
        if path is not None:
            ahead = table.minutes(position.origin, position.destination) * yards // whole
            ways.append((ahead + table.minutes(end, goal), end, path))
    return (min(ways)[1], *min(ways)[2]) if ways else None
