"""What the players of worked checks share: exact chances over all faces of two dice."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

Facts = dict[str, Any]
D6 = range(1, 7)
RATINGS = ("elite", "veteran", "trained", "raw")


def chances(of: Callable[[int, int], str]) -> dict[str, Fraction]:
    """The chance of each thing that may come of two dice."""
    found: dict[str, Fraction] = {}
    for one, two in product(D6, D6):
        name = of(one, two)
        found[name] = found.get(name, Fraction(0)) + Fraction(1, 36)
    return found


def mean(of: Callable[[int, int], int]) -> Fraction:
    """What comes of two dice on the average."""
    return Fraction(sum(of(one, two) for one, two in product(D6, D6)), 36)


def agree(expected: Facts, found: dict[str, Fraction]) -> None:
    """Every chance of the check is what was counted, and nothing else can happen."""
    assert {name: Fraction(chance) for name, chance in expected.items()} == found
    assert sum(found.values()) == 1
