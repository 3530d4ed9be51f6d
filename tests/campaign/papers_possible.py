"""Every kind of paper that the rules allow a side on a morning, for tests that give them all."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice, permutations
from typing import Any

from campaign.rules.army.organisation import (
    Depot,
    Detach,
    Escort,
    Garrison,
    HandOver,
    Join,
    Organisation,
    Ration,
    Transfer,
    detachment_id,
    verify_organisation,
)
from campaign.rules.errors import RuleViolation
from campaign.rules.orders.orders import verify_order
from campaign.rules.returns.pools import Downgrade
from campaign.rules.returns.replacements import BalancingMove, LoyalistFill
from campaign.rules.returns.week import WeekChoices
from campaign.rules.scouting.knowledge import list_known_enemies
from campaign.rules.world.world import Order, Stage, Unit, World, present_units
from rosters.domain.vocabulary import TYPES, PoolArm

#: A formation with errands of its own, left out here.
BESIEGER = "st_leger_column"


def allowed(verify: Callable[[], Any]) -> bool:
    """Whether the rules let it pass."""
    try:
        verify()
    except RuleViolation:
        return False
    return True


def orders_possible(world: World, side: str) -> Iterator[tuple[str, Order]]:
    """Orders by kind that the rules allow the side's halted formations this morning."""
    known = [str(each.number) for each in list_known_enemies(world, side)][:3]
    units = present_units(world)
    for formation in sorted(world.formations.values(), key=lambda each: each.id):
        place = formation.position.place if formation.position is not None else ""
        if formation.side != side or not place or formation.garrison or formation.id == BESIEGER:
            continue
        if not units.get(formation.id) or all(unit.is_train for unit in units[formation.id]):
            continue
        for kind, order in _orders(world, formation.id, place, known):
            if allowed(lambda order=order: verify_order(world, order, side)):
                yield kind, order


def _orders(world: World, key: str, place: str, known: list[str]) -> Iterator[tuple[str, Order]]:
    atlas = world.theatre.atlas
    routes = sorted((route.id, route.b if route.a == place else route.a) for route in atlas.routes.values()
                    if place in (route.a, route.b))  # fmt: skip
    held = [there for _, there in routes if world.holders.get(there) == world.formations[key].side]
    for there in held:
        march = Order(key, (there,))
        yield "march", march
        yield "starts", replace(march, starts=120)
        yield "stages", replace(march, stages=(Stage((place,), wait=1, when="no_enemy", miles=6),))
        yield "by_water", replace(march, by_water=True)
        for pace in ("plus_half", "double"):
            yield pace, replace(march, pace=pace)
        for stance in ("attack", "delay", "avoid"):
            yield stance, replace(march, stance=stance)
    for number in known:
        yield "follow", Order(key, activity="follow", target=number, stance="avoid")
        yield "intercept", Order(key, activity="intercept", target=number)
    for work in ("rest", "entrench", "dismantle", "gather_boats"):
        yield work, Order(key, activity=work)
    for route, _ in routes:
        for work in ("break_bridge", "repair_bridge", "lay_bridge", "obstruct"):
            yield work, Order(key, activity=work, target=route)


def organisation_possible(world: World, side: str) -> Iterator[Organisation]:
    """Acts of organisation the rules allow the side this morning."""
    for act in _acts(world, side):
        if allowed(lambda act=act: verify_organisation(world, act, side)):
            yield act


def _acts(world: World, side: str) -> Iterator[Organisation]:
    units = present_units(world)
    own = [each for each in sorted(world.formations.values(), key=lambda each: each.id)
           if each.side == side and each.position is not None and each.id != BESIEGER]  # fmt: skip
    for formation in own:
        key, inside = formation.id, units.get(formation.id, [])
        if len(inside) > 2:
            new = detachment_id(world, key)
            yield Detach(key, (inside[0].id,), new, f"Detachment of {formation.name}")
        yield Garrison(key, not formation.garrison)
        yield Ration(key, True)
        yield Depot(key)
        for leader in sorted(world.generals):
            if world.generals[leader].formation == key and leader != formation.leader:
                yield HandOver(key, leader)
        for other in own:
            if other.id != key and other.position == formation.position:
                yield Escort(key, other.id)
                yield Join(key, other.id) if "-d" in key else Transfer((inside[0].id,), other.id)


def choices_possible(world: World, side: str) -> Iterator[tuple[str, WeekChoices]]:
    """Choices for the week's returns by kind, likely or not."""
    own = [unit for unit in world.units.values() if unit.side == side and not unit.is_train]
    for unit in sorted(own, key=lambda unit: unit.id):
        yield "first", WeekChoices(first=(unit.id,))
    for pool, points in sorted(world.pools.items()):
        nation, _, arm = pool.partition("/")
        below = {PoolArm.LINE: PoolArm.MILITIA, PoolArm.RIFLES: PoolArm.OPEN_ORDER}.get(PoolArm(arm))
        if below and points >= 5:
            yield "downgrades", WeekChoices(downgrades=(Downgrade(pool, f"{nation}/{below}", 5),))
        yield "raised", WeekChoices(raised=(pool,))
    yield from islice(_exchanges(own), 4000)


def _exchanges(own: list[Unit]) -> Iterator[tuple[str, WeekChoices]]:
    for giver, receiver in permutations(sorted(own, key=lambda unit: unit.id), 2):
        if giver.nation == "loyalist" and receiver.nation == "british":
            yield "fills", WeekChoices(fills=(LoyalistFill(giver.id, receiver.id, 5),))
        elif giver.regiment and giver.regiment == receiver.regiment and TYPES[giver.troop_type]:
            yield "balancing", WeekChoices(balancing=(BalancingMove(giver.id, receiver.id, 5),))
