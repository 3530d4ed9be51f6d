"""Small theatres for tests of the day: places in a row or a ring, columns of full battalions."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from campaign.rules.army.organisation import Organisation
from campaign.rules.contact.casualties import UnitLoss
from campaign.rules.contact.contact import Contact, Settlement
from campaign.rules.day.day import advance_day
from campaign.rules.map.atlas import Atlas, Fortification, Place, Port, Route, RouteKind, route_id
from campaign.rules.world.events import Event
from campaign.rules.world.outcome import Completed, Pending
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Formation, Order, Position, Side, Theatre, Unit, World
from rosters.domain.dice import AddressedDice, DiceRoller
from rosters.domain.vocabulary import Nation, TroopType

MILE = 1760
SIDES = (Side("crown", "Crown", "#a02020"), Side("rebel", "United States", "#204080"))


def place(name: str, works: Fortification = "none", port: Port = "none") -> Place:
    return Place(name, name.title(), 43.0, -73.5, "village", "farmland", works, port)


def way(a: str, b: str, miles: int, kind: RouteKind = "road", **facts: Any) -> Route:
    return Route(route_id(a, b, kind), a, b, kind, miles * MILE, "farmland", **facts)


def battalion(key: str, side: str, formation: str, points: int = 100, **facts: Any) -> Unit:
    crown = side == "crown"
    unit = Unit(
        id=key,
        name=key.replace("_", " ").title(),
        side=side,
        nation=Nation.BRITISH if crown else Nation.CONTINENTAL,
        troop_type=TroopType.BRITISH_LINE if crown else TroopType.CONTINENTAL_LINE,
        points=points,
        formation=formation,
    )
    return replace(unit, **facts)


def little_world(
    places: Iterable[Place],
    routes: Iterable[Route],
    forces: Mapping[str, tuple[str, str | Position, int]],
    *,
    holders: Mapping[str, str] | None = None,
    supply: Mapping[str, tuple[str, ...]] | None = None,
    settings: RuleSettings | None = None,
    weather: str = "fair",
    days: int = 100,
) -> World:
    """`forces`: formation id -> (side, where it stands, number of battalions of 100 points)."""
    start = date(1777, 6, 15)
    formations, units = {}, {}
    for name, (side, where, count) in forces.items():
        position = where if isinstance(where, Position) else Position(place=where)
        formations[name] = Formation(name, name.title(), side, position)
        for number in range(1, count + 1):
            unit = battalion(f"{name}_{number}", side, name)
            units[unit.id] = unit
    end = date.fromordinal(start.toordinal() + days - 1)
    theatre = Theatre(
        id="little-war",
        title="A little war",
        start=start,
        end=end,
        atlas=Atlas.of(places, routes),
        sides=SIDES,
        musters={},
        supply=supply or {},
        recorded_weather={date.fromordinal(start.toordinal() + day): weather for day in range(days)},
        holders=dict(holders or {}),
        order_of_battle=units,
    )
    return World(
        theatre=theatre,
        settings=settings or RuleSettings(),
        day=0,
        units=units,
        formations=formations,
        holders=dict(holders or {}),
        pools={},
    )


def day_dice(world: World, **entered: int) -> AddressedDice:
    return AddressedDice(b"a little war", "test", 1, world.day, entered)


def orders(*given: Order) -> dict[str, Order]:
    return {order.formation: order for order in given}


def pending(world: World, given: Mapping[str, Order], dice: DiceRoller, *settled: Settlement) -> Contact:
    """The contact a day waits for."""
    result = advance_day(world, given, dice, {each.contact: each for each in settled})
    assert isinstance(result, Pending)
    return result.contacts[0]


def completed(
    world: World,
    given: Mapping[str, Order],
    dice: DiceRoller,
    *settled: Settlement,
    organisation: Iterable[Organisation] = (),
) -> Completed:
    result = advance_day(world, given, dice, {each.contact: each for each in settled}, organisation)
    assert isinstance(result, Completed), result
    return result


def held_by(contact: Contact, side: str, lost: Mapping[str, int] | None = None) -> Settlement:
    """A settlement with so many SP lost by unit."""
    sp = {fighter.unit: fighter.sp for fighter in contact.units}
    losses = tuple(UnitLoss(unit, sp[unit], count) for unit, count in sorted((lost or {}).items()))
    return Settlement(contact.key, side, losses, "umpire", 60)


def told(events: Iterable[Event], kind: str) -> list[Event]:
    return [event for event in events if event.kind == kind]
