"""What the players of worked checks share: exact chances from single dice, troops by their words."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from typing import Any

from battles.rulesets.volley_bayonet import combat
from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.returning import may_return
from battles.rulesets.volley_bayonet.sight import can_fire_at
from tests.battles.rulesets.volley_bayonet.forces import Stand, field, throw

Facts = dict[str, Any]
D6 = range(1, 7)
#: Troops by the words of the checks: kind of label, abilities.
TROOPS: dict[str, Facts] = {
    "regular_infantry": {"kind": "FI"},
    "poorly_trained_infantry": {"kind": "SI", "abilities": ("PT",)},
    "militia (MIL)": {"kind": "SI", "abilities": ("MIL",)},
    "infantry_detachment": {"kind": "FI", "abilities": ("detachments",)},
    "light_artillery": {"kind": "Lt"},
    "field_artillery": {"kind": "Fd"},
    "heavy_artillery": {"kind": "Hv"},
    "light_dragoons": {"kind": "LC"},
    "mounted_infantry": {"kind": "MI"},
}


def hit_chance(g: Any, score: int, again: int = 0) -> Fraction:
    """Chance of one die to hit, both throws of a reroll counted."""
    hits = 0
    for one, two in product(D6, D6):
        throw(g, one, two)
        hits += combat.roll_hits(g, 0, 0, 1, score, again)
    return Fraction(hits, 36)


def save_chance(g: Any, attempts: int) -> Fraction:
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
            (spread[k] if k < len(spread) else 0) * (1 - chance) + (spread[k - 1] * chance if k else 0)
            for k in range(len(spread) + 1)
        ]
    return [Fraction(one) for one in spread]


def mean(spread: Iterable[Fraction]) -> Fraction:
    return sum((k * chance for k, chance in enumerate(spread)), Fraction(0))


def agree(expected: Facts, found: dict[Any, Fraction]) -> None:
    """Every chance of the check is what was counted, and nothing else can happen."""
    for name, chance in expected.items():
        assert found.get(name, Fraction(0)) == Fraction(chance), name
    assert sum(found.values()) == 1
    assert {name for name, chance in found.items() if chance} <= set(expected)


STATES = {
    "good": r.GOOD,
    "disordered": r.DISORDERED,
    "permanent": r.PERMANENT,
    "routed": r.ROUTED,
    "removed": r.REMOVED,
}


def one(scale: str, **more: Any) -> Any:
    """A record with one stand of side 0 and one line far off."""
    return field(Stand(**more), Stand(1, y=60.0), scale=scale)


def returns_at(g: Any, i: int, under_fire: int, firer: int) -> float:
    """Inches of the shot with which stand i answers a firer; -1.0 when it may not (VBW-RTF-01)."""
    return float(can_fire_at(g, i, firer)) if may_return(g, i, under_fire) else -1.0
