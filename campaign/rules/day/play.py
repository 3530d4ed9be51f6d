"""A whole campaign in memory, without a database: for proofs, forecasts and tests."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from campaign.rules.contact.contact import Contact, Settlement
from campaign.rules.day.day import advance_day
from campaign.rules.returns.week import WeekChoices, close_week
from campaign.rules.world.events import Event
from campaign.rules.world.outcome import Completed
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Order, World
from rosters.domain.dice import DiceRoller

OrderGiver = Callable[[World, str, DiceRoller], Iterable[Order]]
Settle = Callable[[World, Contact, DiceRoller], Settlement]


@dataclass(frozen=True, slots=True)
class FoughtBattle:
    """A battle: the campaign day, the forces that met, and how it was settled."""

    day: int
    contact: Contact
    settlement: Settlement


@dataclass(frozen=True, slots=True)
class Played:
    """The world in which play stopped, every day's events in order, and the battles of the days kept.

    `mornings` holds the world of each morning, and the last; `events[n]` happened on `mornings[n].day`,
    a week's close included.
    """

    world: World
    mornings: tuple[World, ...]
    events: tuple[tuple[Event, ...], ...]
    battles: tuple[FoughtBattle, ...]


def may_forecast(settings: RuleSettings, side: str) -> bool:
    """True if a side may ask for forecasts; the umpire ("") always may (HR-FRC-01)."""
    return not side or settings.forecasts == "sides"


def play_campaign(
    world: World,
    dice_of: Callable[[int], DiceRoller],
    order_givers: Mapping[str, OrderGiver],
    settle: Settle,
    weeks: int,
) -> Played:
    """Play `weeks` weeks from the morning of `world`, or until the campaign ends.

    `dice_of(day)` gives the dice of a campaign day; `order_givers` give the day's orders by side, a
    side without one stands on its orders; `settle` decides every battle.
    """
    mornings: list[World] = [world]
    events: list[tuple[Event, ...]] = []
    battles: list[FoughtBattle] = []
    last = world.day + 7 * weeks
    while world.day < last and not world.ended:
        dice = dice_of(world.day)
        orders = {
            order.formation: order
            for side in sorted(order_givers)
            for order in order_givers[side](world, side, dice)
        }
        day, fought = _play_day(world, orders, dice, settle)
        happened, world = list(day.events), day.world
        if world.week_is_over:
            closed = close_week(world, WeekChoices(), dice)
            happened += closed.events
            world = closed.world
        mornings.append(world)
        events.append(tuple(happened))
        battles += fought
    return Played(world, tuple(mornings), tuple(events), tuple(battles))


def _play_day(
    world: World, orders: Mapping[str, Order], dice: DiceRoller, settle: Settle
) -> tuple[Completed, Sequence[FoughtBattle]]:
    """One day played to its end, each battle settled as its window closes."""
    fought: list[FoughtBattle] = []

    def settle_contact(contact: Contact) -> Settlement:
        fought.append(FoughtBattle(world.day, contact, settle(world, contact, dice)))
        return fought[-1].settlement

    result = advance_day(world, orders, dice, {}, settle=settle_contact)
    assert isinstance(result, Completed)  # nothing is waited for
    return result, sorted(fought, key=lambda each: each.contact.key)
