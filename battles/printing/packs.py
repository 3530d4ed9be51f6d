"""Contents of a pack: the occasion, orders of battle, cards, map and tables. Plain data."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from battles.printing.blinds import Blind
from battles.printing.sheet_types import (
    BrigadeTerms,
    CardTerms,
    Figures,
    ReferenceTable,
    TableTerms,
    UnitTerms,
)


@dataclass(frozen=True, slots=True)
class Occasion:
    """The facts of a pack besides the battle file: its place in the campaign, time and weather.

    `copy` says whose it is; `formations` and `tints` name them. `minute` of the day is when the battle opens,
    `address` where its result is entered, `notes` are paragraphs of the umpire's or the ruling's.
    """

    campaign: str = ""
    copy: str = ""
    date: str = ""
    minute: int | None = None
    weather: str = ""
    address: str = ""
    footing: str = ""
    notes: tuple[str, ...] = ()
    formations: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Hidden:
    """A side's hidden set-up: its blinds, who sets out first, when a blind is turned up."""

    blinds: tuple[Blind, ...]
    told: str = ""
    turned_up: str = ""


@dataclass(frozen=True, slots=True)
class UnitSheet:
    """A unit in an order of battle and on its card; `terms` is None for one of which only this is known.

    `sp` are those it has on the table. `taken_whole`: it is gone whole or not at all.
    """

    id: str
    name: str
    kind: str
    formation: str
    commander: str
    sp: int
    arrives: str
    terms: UnitTerms | None = None
    taken_whole: bool = False


@dataclass(frozen=True, slots=True)
class LeaderSheet:
    """A general on his card."""

    id: str
    name: str
    terms: UnitTerms
    commands: str
    starts: str


@dataclass(frozen=True, slots=True)
class ForceSheet:
    """One side. `own`: its cards are in this copy, and its `brigades` where the rules have them tire.

    `counted` says how many stand there, in words; `key` tells what stands under its blinds.
    """

    side: str
    name: str
    role: str
    own: bool
    units: tuple[UnitSheet, ...]
    leaders: tuple[LeaderSheet, ...]
    sp: int
    counted: str
    brigades: tuple[BrigadeTerms, ...] = ()
    key: tuple[tuple[str, str], ...] = ()
    hidden: str = ""
    turned_up: str = ""


@dataclass(frozen=True, slots=True)
class MapSheet:
    """The ground: the drawing, what lies on it, how large it is for whom."""

    svg: str
    words: str
    sizes: tuple[tuple[str, str], ...]
    arrivals: tuple[tuple[str, str], ...]
    set_out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pack:
    """All contents of one copy. `counted` says what its SP are, where the rules have SP of their own."""

    title: str
    occasion: Occasion
    figures: Figures
    ruleset: str
    facts: tuple[tuple[str, str], ...]
    endings: tuple[str, ...]
    ground: MapSheet | None
    forces: tuple[ForceSheet, ...]
    reference: tuple[ReferenceTable, ...]
    cards: tuple[CardTerms, ...]
    table: TableTerms
    minutes: int
    qr: str
    counted: str = ""

    def to_json(self) -> dict[str, Any]:
        """The contents as plain data for the template."""
        return asdict(self)
