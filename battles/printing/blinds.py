"""Blinds: what stands on the table for troops that are not seen yet, and the key to them (HR-TAB-21)."""

import random
from dataclasses import dataclass
from string import ascii_uppercase

from battles.files.schema import BattleFile

DUMMY = "dummy"


@dataclass(frozen=True, slots=True)
class Blind:
    """A blind with the letter on its face; `unit` is the id of the unit under it, "" for a dummy."""

    mark: str
    unit: str


def format_letters(number: int) -> str:
    """A, B, ... Z, AA, AB, ..."""
    word = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, len(ascii_uppercase))
        word = ascii_uppercase[rest] + word
    return word


def under_blinds(battle: BattleFile, side: str) -> tuple[str, ...]:
    """Units of a side that stand there at the start, in a file of what has a stand (`standing_file`)."""
    return tuple(unit.id for unit in battle.units if unit.side == side and unit.sp > 0 and not unit.arrives)


def blinds_of(battle: BattleFile, side: str, dummies: int, seed: int) -> tuple[Blind, ...]:
    """A blind for each unit that stands there at the start, and so many dummies, shuffled.

    The same seed gives the same key, so that a pack can be printed again.
    """
    under = [*under_blinds(battle, side), *([""] * dummies)]
    random.Random(seed).shuffle(under)
    return tuple(Blind(format_letters(number), unit) for number, unit in enumerate(under))
