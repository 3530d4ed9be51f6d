"""Terms of a ruleset's printed sheets: those of a unit, and tables to play from. Plain data."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from battles.files.schema import BattleFile, BattleLeader, BattleUnit

#: Sizes of figures a table is laid for (AWI-T-SCA-02).
Figures = Literal["25mm", "15mm"]
FIGURES: tuple[Figures, ...] = ("25mm", "15mm")
#: The turn of arrival of troops of which it is not told.
UNKNOWN = -1
#: A fact of the card of who has no stand of its own: with whom it goes.
GOES_WITH = "Goes with"


def figure_size(options: Mapping[str, Any]) -> Figures:
    """The size of figures a battle is laid out for by the options of its file (AWI-T-SCA-02)."""
    asked = options.get("scale")
    return next((size for size in FIGURES if size == asked), FIGURES[0])


@dataclass(frozen=True, slots=True)
class Track:
    """A figure that falls with a unit's strength: one value for each SP left, full strength first."""

    label: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UnitTerms:
    """A unit as a card has it: what it is, its boxes, what falls with its strength, and what stays.

    `arm` is empty where `kind` says it. `boxes` are what stands before boxes to tick, and how many: of a
    unit its SP, all in one or by stands.
    """

    kind: str
    arm: str
    boxes: tuple[tuple[str, int], ...] = ()
    tracks: tuple[Track, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class BrigadeTerms:
    """A brigade that tires: what it is called, its side, its units by id, its SP and at what loss it does."""

    name: str
    side: str
    units: tuple[str, ...]
    sp: int
    tires_at: int


@dataclass(frozen=True, slots=True)
class ReferenceTable:
    """A table of the quick reference with the rules it is taken from; `note` stands below it."""

    title: str
    rules: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    head: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class CardTerms:
    """A card to cut out: whose it is, when it is played, what it does, its rule, and how many there are."""

    name: str
    whose: str
    when: str
    does: str
    rule: str
    copies: int = 1


@dataclass(frozen=True, slots=True)
class TableTerms:
    """The measures by which a battle file becomes a table of miniatures.

    `inch` is how many inches of the table one of the file is, `distances` what distances are told for.
    `base` is millimetres of front and depth of what `based` names: the size of a blind, which moves as
    `moves_as`. `first_move` says who begins, `late` how and where on their edge troops come on later.
    """

    inch: float
    distances: str
    base: tuple[float, float]
    based: str
    moves_as: str
    first_move: str
    late: str


class SheetTerms(Protocol):
    """The interface of a ruleset's printed sheets. Distances are for the size of figures asked for."""

    def table(self, battle: BattleFile, figures: Figures) -> TableTerms:
        """The layout of the battle."""

    def kind(self, unit: BattleUnit, options: Mapping[str, Any]) -> str:
        """The kind of troops of a unit."""

    def unit_terms(self, unit: BattleUnit, options: Mapping[str, Any], figures: Figures) -> UnitTerms:
        """The terms of a unit."""

    def leader_terms(self, leader: BattleLeader, options: Mapping[str, Any], figures: Figures) -> UnitTerms:
        """The terms of a general; his boxes are what may become of him."""

    def reference(self, battle: BattleFile, figures: Figures) -> tuple[ReferenceTable, ...]:
        """Everything a player looks up while he plays."""

    def cards(self, battle: BattleFile) -> tuple[CardTerms, ...]:
        """The deck that both sides draw from; empty where none is played with."""

    def endings(self, battle: BattleFile, figures: Figures) -> tuple[str, ...]:
        """Sentences on when the battle is over and who then holds the field."""
