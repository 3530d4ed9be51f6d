"""The shape of the table of journal entries: a kind, how a newspaper prints it, a category of kinds.

The table itself is `campaign.text.event_table`, one module of `campaign.text.events` for each category.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from campaign.text.event_facts import EventFacts

#: A sentence without its full stop: a template over the facts of an event, or a function of them.
Sentence = str | Callable[[EventFacts], str]


#: Rules of a refusal: the event names the rule that refuses.
ANY_RULE: tuple[str, ...] = ()


class Readers(IntEnum):
    """The widest circle of sides that is told of an event, besides the umpire (HR-FOG-01)."""

    UMPIRE = 0
    ONE_SIDE = 1
    BOTH_SIDES = 2


@dataclass(frozen=True, slots=True)
class GazettePrint:
    """A kind in the week's newspaper.

    `column` is the id of a column of `campaign.text.gazette`, "" for none, and `rank` its weight there, 1
    for the heaviest. A `head` may head the paper, by `head_rank`. One of the `manners` of speaking is
    chosen for each entry; without any the journal's sentence is printed.
    """

    column: str = ""
    rank: int = 0
    head: str = ""
    head_rank: int = 0
    manners: tuple[str, ...] = ()
    #: It loses a unit men, for the table of losses.
    is_loss: bool = False
    #: A week prints only the latest of each body.
    is_latest_only: bool = False


@dataclass(frozen=True, slots=True)
class EventKind:
    """A kind of journal entry, and everything the product says of it.

    `rules` are the ids that make it happen. `cause` is its heading in the charts of strength, if it changes
    points (`campaign.selectors.army.strength_charts.CAUSES`). A `routine` kind stands with the small print of
    a day. `headline_weight` is 3 for what a person should hear of first after some days away, 0 for nothing.
    """

    code: str
    rules: tuple[str, ...]
    readers: Readers
    sentence: Sentence
    cause: str = "other"
    routine: bool = False
    headline_weight: int = 0
    gazette: GazettePrint | None = None


@dataclass(frozen=True, slots=True)
class EventCategory:
    """Kinds that tell of the same thing, under one heading of the journal's search."""

    id: str
    title: str
    kinds: tuple[EventKind, ...]
