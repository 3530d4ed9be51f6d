"""Worlds that differ only in what one side has not learned, and all that the side is shown of each."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import Any

from campaign.ai.assessment import assess_situation
from campaign.ai.commander import staff_orders
from campaign.rules.army.leaders import GeneralLoss
from campaign.rules.army.organisation import Organisation
from campaign.rules.contact.contact import Contact, Settlement
from campaign.rules.day.day import advance_day
from campaign.rules.returns.week import WeekChoices, close_week
from campaign.rules.scouting.intelligence import first_look
from campaign.rules.scouting.knowledge import build_reported_world, side_view
from campaign.rules.world.events import Event
from campaign.rules.world.outcome import Pending
from campaign.rules.world.world import Activity, Formation, Order, Position, UnitStatus, World
from campaign.text.event_sentences import narrate
from campaign.text.place_names import names_of
from rosters.domain.dice import AddressedDice
from tests.factories.little_wars import battalion, held_by, little_world, place, way

#: A road of posts; the side that is watched stands in the west, what it cannot know of in the far east.
ROW = ("albany", "bennington", "castleton", "dorset", "easton", "fairfax", "granville", "hubbardton")
EAST = ("granville", "hubbardton")
SECRET = b"nobody is told of what lies east"


@dataclass(frozen=True, slots=True)
class Hidden:
    """An enemy the watched side has never seen: where, how strong, what he is called, and what he does."""

    place: str
    battalions: int
    points: int
    name: str
    order: tuple[str, ...] = ()
    activity: Activity = "march"


def road(hidden: Sequence[Hidden] = (), holders: Mapping[str, str] | None = None, **facts: Any) -> World:
    """Posts 12 miles apart; Burgoyne and Fraser against Gates, and the hidden far behind him."""
    world = little_world(
        (place(name) for name in ROW),
        (way(a, b, 12) for a, b in pairwise(ROW)),
        {
            "burgoyne": ("crown", "albany", 3),
            "fraser": ("crown", "bennington", 1),
            "gates": ("rebel", "dorset", 2),
        },
        holders=holders
        or {"albany": "crown", "bennington": "crown", "dorset": "rebel", "granville": "rebel"},
        supply={"crown": ("albany",), "rebel": ("hubbardton",)},
        **facts,
    )
    formations, units = dict(world.formations), dict(world.units)
    for number, one in enumerate(hidden):
        key = f"hidden_{number}"
        formations[key] = Formation(key, one.name, "rebel", Position(place=one.place))
        for count in range(one.battalions):
            unit = battalion(f"{key}_{count}", "rebel", key, one.points)
            units[unit.id] = unit
    return replace(world, formations=formations, units=units)


def dice_of(world: World) -> AddressedDice:
    return AddressedDice(SECRET, "fog", 1, world.day)


def settle(contact: Contact, winner: str, generals: Sequence[GeneralLoss] = ()) -> Settlement:
    """A fight that costs each side a point of strength, and generals."""
    first = {fighter.side: fighter.unit for fighter in contact.units}
    fought = held_by(contact, winner, dict.fromkeys(first.values(), 1))
    return replace(fought, generals=tuple(generals))


def played(
    world: World,
    orders: Mapping[int, Sequence[Order]],
    days: int,
    winner: str = "crown",
    organisation: Sequence[Organisation] = (),
    choices: WeekChoices | None = None,
    generals: Sequence[GeneralLoss] = (),
) -> tuple[World, list[tuple[Event, ...]]]:
    """So many days from a first look round on, with the weeks' ends; orders by day."""
    if not world.watches:
        world = first_look(world, dice_of(world))
    told: list[tuple[Event, ...]] = []
    for day in range(days):
        if world.ended:
            break
        given = {order.formation: order for order in orders.get(day, ())}
        acts = organisation if day == 0 else ()
        outcomes: dict[str, Settlement] = {}
        dice = dice_of(world)
        while isinstance(result := advance_day(world, given, dice, outcomes, acts), Pending):
            for contact in result.contacts:
                outcomes[contact.key] = settle(contact, winner, () if outcomes else generals)
        events, world = result.events, result.world
        if world.week_is_over and not world.ended:
            closed = close_week(world, choices or WeekChoices(), dice)
            events, world = (*events, *closed.events), closed.world
        told.append(events)
    return world, told


def shown(world: World, told: Sequence[Sequence[Event]], side: str) -> dict[str, Any]:
    """Everything the rules hand to `side`: its view, its journal in words and in facts, its staff's mind."""
    view = side_view(world, side)
    names = names_of(world)
    situation = assess_situation(world, side)
    own = [replace(one, order=None) for one in view.own]
    return {
        "own": [asdict(one) for one in own],
        "enemies": [asdict(one) for one in view.enemies],
        "holders": dict(view.holders),
        "visible": sorted(view.visible),
        "units": [
            asdict(unit) for unit in build_reported_world(world, side).units.values() if unit.side == side
        ],
        "journal": [
            {**asdict(event), "text": narrate(event, names)}
            for day in told
            for event in day
            if side in event.sides
        ],
        "staff": [asdict(order) for order in staff_orders(world, side)],
        "staff_sees": [asdict(enemy) for enemy in situation.enemies],
    }


def present(world: World, side: str) -> int:
    """Points a side has on the map."""
    units = world.units.values()
    return sum(unit.points for unit in units if unit.side == side and unit.status is UnitStatus.PRESENT)
