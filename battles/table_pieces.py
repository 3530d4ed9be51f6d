"""Pieces on the table of a battle under its rules: one for all that counts, names or enters them.

Where rules pool units, a brigade of several is one piece, called by its first unit. Guns that go with the
foot of a brigade have no stand of their own, and are gone whole or not at all. No numba.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from battles.files.schema import BattleFile
from battles.printing.sheet_types import GOES_WITH, UnitTerms
from battles.rulesets.rules import RulesetRules
from battles.strength_conversion import ConvertedStrength, pooled_file


@dataclass(frozen=True, slots=True)
class TablePiece:
    """A piece of the table: units that stand as one, of which the first of `units` stands for it.

    `sp` are its strength points in the file and `points` those under the rules, `stands` how many each of
    its stands has where they count in these. `kind` is what its card calls it, "" where its unit's own says
    it. `apart` is for what has no stand: wagons, and guns that go with the foot of the piece `goes_with`.
    """

    unit: str
    side: str
    units: tuple[str, ...]
    sp: int
    points: int
    stands: tuple[int, ...] = ()
    kind: str = ""
    apart: bool = False
    goes_with: str = ""


class Counted(Protocol):
    """The fields of a piece that are counted."""

    @property
    def side(self) -> str: ...
    @property
    def units(self) -> tuple[str, ...]: ...
    @property
    def apart(self) -> bool: ...
    @property
    def goes_with(self) -> str: ...


@dataclass(frozen=True, slots=True)
class PieceGroup:
    """Units that come to the table together or not at all: a piece with the guns that go with it."""

    side: str
    units: tuple[str, ...]
    stands: bool


def piece_alone(unit: str, side: str, sp: int, *, apart: bool = False) -> TablePiece:
    """A unit that stands by itself, with its SP of the file."""
    return TablePiece(unit, side, (unit,), sp, sp, apart=apart)


def pieces_of(
    battle: BattleFile, rules: RulesetRules, mustered: Iterable[ConvertedStrength] | None = None
) -> tuple[TablePiece, ...]:
    """All of a battle, in the file's order. In a muster a brigade's guns come right after its foot.

    `mustered` is its muster where that is known already.
    """
    if mustered is None:
        mustered = rules.muster(battle) if rules.muster else ()
    sides = {unit.id: unit.side for unit in battle.units}
    cards = rules.pooled(battle) if rules.pooled else {}
    found: dict[str, TablePiece] = {}
    foot = ""
    for one in mustered:
        card = cards.get(one.unit)
        along = card is not None and _goes_with(card)
        foot = foot if along else one.unit
        found[one.unit] = TablePiece(
            unit=one.unit,
            side=sides[one.unit],
            units=one.units,
            sp=one.sp,
            points=one.points,
            stands=one.stands,
            kind=card.kind if card else "",
            apart=along,
            goes_with=foot if along else "",
        )
    standing = {unit for piece in found.values() for unit in piece.units}
    for unit in battle.units:
        if unit.id not in standing:
            apart = rules.muster is not None
            found[unit.id] = piece_alone(unit.id, unit.side, unit.sp, apart=apart)
    return tuple(found[unit.id] for unit in battle.units if unit.id in found)


def _goes_with(card: UnitTerms) -> bool:
    return any(label == GOES_WITH for label, _ in card.facts)


def standing_file(battle: BattleFile, whole: BattleFile, rules: RulesetRules) -> BattleFile:
    """The battle with one unit for each piece that has a stand, mustered as the `whole` file has it."""
    apart = {piece.unit for piece in pieces_of(whole, rules) if piece.apart}
    pooled = pooled_file(battle, rules.muster(whole) if rules.muster else ())
    return replace(pooled, units=tuple(unit for unit in pooled.units if unit.id not in apart))


def list_piece_groups(pieces: Sequence[TablePiece]) -> tuple[PieceGroup, ...]:
    """The groups that come to the table together, in the order of the pieces."""
    along: dict[str, tuple[str, ...]] = {}
    for piece in pieces:
        if piece.goes_with:
            along[piece.goes_with] = (*along.get(piece.goes_with, ()), *piece.units)
    return tuple(
        PieceGroup(piece.side, (*piece.units, *along.get(piece.unit, ())), not piece.apart)
        for piece in pieces
        if not piece.goes_with
    )


def stand_count(pieces: Iterable[Counted], side: str) -> int:
    """The number of a side's pieces on the table."""
    return sum(piece.side == side and not piece.apart for piece in pieces)


def has_pooled_pieces(pieces: Iterable[Counted]) -> bool:
    """True when some units stand as one, or guns go with others."""
    return any(len(piece.units) > 1 or piece.goes_with for piece in pieces)


def describe_piece_count(pieces: Iterable[Counted], side: str) -> str:
    """ "11 units", "4 brigades of 11 units" where units are pooled."""
    own = [piece for piece in pieces if piece.side == side]
    units = _format_count(sum(len(piece.units) for piece in own), "unit")
    return (
        f"{_format_count(stand_count(own, side), 'brigade')} of {units}" if has_pooled_pieces(own) else units
    )


def _format_count(number: int, word: str) -> str:
    """In figures, as in a table; `words.format_count` writes small numbers out."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
