"""How a ruleset speaks of a battle on paper: the terms of a unit, and tables to play from. Plain data."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from battles.scenario import BattleFile, BattleLeader, BattleUnit

#: Sizes of figures a table is laid for (AWI-T-SCA-02).
Figures = Literal["25mm", "15mm"]
FIGURES: tuple[Figures, ...] = ("25mm", "15mm")
#: The turn of arrival of troops of which it is not told.
UNKNOWN = -1


@dataclass(frozen=True, slots=True)
class Track:
    """A figure that falls with a unit's strength: one value for each SP left, full strength first."""

    label: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UnitTerms:
    """A unit as a card has it: what it is, what falls with its strength, and what stays."""

    kind: str
    arm: str
    tracks: tuple[Track, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ReferenceTable:
    """A table of the quick reference with the rules it is taken from; `note` stands below it."""

    title: str
    rules: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    head: tuple[str, ...] = ()
    note: str = ""


class SheetTerms(Protocol):
    """What a ruleset's module of sheets offers. Distances are told for the size of figures asked for."""

    def kind(self, unit: BattleUnit) -> str:
        """What troops a unit is."""

    def unit_terms(self, unit: BattleUnit, options: Mapping[str, Any], figures: Figures) -> UnitTerms:
        """The terms of a unit."""

    def leader_terms(self, leader: BattleLeader, options: Mapping[str, Any], figures: Figures) -> UnitTerms:
        """The terms of a general; he has no tracks."""

    def reference(self, battle: BattleFile, figures: Figures) -> tuple[ReferenceTable, ...]:
        """Everything a player looks up while he plays."""

    def endings(self, battle: BattleFile, figures: Figures) -> tuple[str, ...]:
        """Sentences on when the battle is over and who then holds the field."""

    def base(self, figures: Figures) -> tuple[float, float]:
        """Millimetres of front and depth of a unit in line: the size of a blind."""
