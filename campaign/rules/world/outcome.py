"""The result of a campaign step: a finished world, or the contacts it waits for."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from campaign.rules.world.events import Event
from campaign.rules.world.world import World

if TYPE_CHECKING:
    from campaign.rules.contact.contact import Contact


@dataclass(frozen=True, slots=True)
class Completed:
    """The step is done: the next world, and everything that happened on the way to it."""

    world: World
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Pending:
    """The day waits: none of these contacts has an outcome yet. `settled` were earlier that day."""

    contacts: "tuple[Contact, ...]"
    settled: "tuple[Contact, ...]" = ()
