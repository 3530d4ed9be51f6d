"""Exact chances from single dice thrown through the kernels, over all faces."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from typing import Any

from battles.rulesets.volley_bayonet import combat
from tests.battles.rulesets.volley_bayonet.rtg.forces import throw

Facts = dict[str, Any]
D6 = range(1, 7)


def hit_chance(g: Any, score: int) -> Fraction:
    """Chance of one die to hit."""
    hits = 0
    for die in D6:
        throw(g, die)
        hits += combat.roll_hits(g, 0, 0, 1, score, 0)
    return Fraction(hits, 6)


def stays_chance(g: Any, attempts: int) -> Fraction:
    """Chance that a hit gets through so many attempts to save it."""
    through = 0
    for dice in product(D6, repeat=attempts):
        throw(g, *dice)
        through += combat.roll_saves(g, 0, 1, attempts)
    return Fraction(through, 6**attempts)


def binomial(dice: int, chance: Fraction) -> list[Fraction]:
    """Chances of 0 to `dice` successes."""
    spread = [Fraction(1)]
    for _ in range(dice):
        spread = [
            (spread[k] if k < len(spread) else Fraction(0)) * (1 - chance)
            + (spread[k - 1] * chance if k else Fraction(0))
            for k in range(len(spread) + 1)
        ]
    return spread


def mean(spread: Iterable[Fraction]) -> Fraction:
    return sum((k * chance for k, chance in enumerate(spread)), Fraction(0))
