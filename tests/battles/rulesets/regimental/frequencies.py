"""How often things come of the engine's own dice, thrown through the kernels, beside the exact chances."""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import log, sqrt
from typing import Any

from battles.engine.dice import draw_words, roll_d6
from battles.rulesets.regimental import charging, fire, leaders, maneuver
from battles.rulesets.regimental import records as r
from tests.battles.rulesets.regimental.checks.common import D6
from tests.battles.rulesets.regimental.forces import Unit, field

#: A sound die disagrees once in so many frequencies, however rare what is counted (Bernstein's inequality).
BY_CHANCE = 1_000_000
#: Words of dice that the record holds, and how many one act may use: a draw may be thrown again at will.
DRAWN, MOST = 128, 40

Spread = Mapping[Hashable, Fraction]


@dataclass(frozen=True)
class Roll:
    """What two dice of a record come to, and the exact chances of it."""

    g: Any
    of: Callable[[int, int], Hashable]

    @property
    def expected(self) -> Spread:
        """The exact chances, over all faces."""
        found: dict[Hashable, Fraction] = {}
        for one, two in product(D6, D6):
            what = self.of(one, two)
            found[what] = found.get(what, Fraction(0)) + Fraction(1, 36)
        return found


def frequencies(roll: Roll, rolls: int) -> Counter[Hashable]:
    """What came of a roll with fair dice."""
    g, found, seed = roll.g, Counter[Hashable](), 1777
    g.recording, g.dice_n, g.cursor = 0, DRAWN, DRAWN
    for _ in range(rolls):
        if g.cursor + MOST > DRAWN:
            g.dice[:DRAWN] = draw_words(seed, DRAWN)
            g.cursor, seed = 0, seed + 1
        found[roll.of(int(roll_d6(g)), int(roll_d6(g)))] += 1
    assert g.error == 0
    return found


def allowed(chance: Fraction, rolls: int) -> float:
    """How far off a frequency may be, so that this happens to a fair die once in BY_CHANCE at the most."""
    some = log(2 * BY_CHANCE) / rolls
    return some / 3 + sqrt((some / 3) ** 2 + 2 * float(chance * (1 - chance)) * some)


def verify(roll: Roll, rolls: int) -> float:
    """The frequencies agree with the chances; the largest share of what is allowed that one was off."""
    expected = roll.expected
    assert sum(expected.values()) == 1
    found = frequencies(roll, rolls)
    assert set(expected) >= set(found)
    worst = 0.0
    for one, chance in expected.items():
        off = abs(found[one] / rolls - chance) / allowed(chance, rolls)
        assert off <= 1, (one, found[one], rolls, chance)
        worst = max(worst, float(off))
    return worst


def _maneuver(order: int, modifier: int) -> Roll:
    g = field(Unit(order=order))
    return Roll(g, lambda one, two: int(maneuver.result_of(g.u[0], one, two, modifier)))


def _effect(rating: int, modifier: int, cannonade: bool) -> Roll:
    g = field(Unit())
    return Roll(g, lambda one, two: int(fire.effect_on(g, rating, one + two + modifier, cannonade)))


def _charge(lead: int) -> Roll:
    def of(one: int, two: int) -> Hashable:
        difference = one - two + lead
        result = charging.charge_result(difference)
        return int(result), int(charging.stands_of_defender(result, difference))

    return Roll(field(Unit()), of)


#: What is rolled, by name.
ROLLS: dict[str, Callable[[], Roll]] = {
    "a maneuver in good order": lambda: _maneuver(r.GOOD, -2),
    "a maneuver in disorder": lambda: _maneuver(r.DISORDERED, -3),
    "a maneuver of the best": lambda: _maneuver(r.GOOD, 6),
    "musketry at raw troops": lambda: _effect(r.RAW, 0, False),
    "cannonade at veterans": lambda: _effect(r.VETERAN, 2, True),
    "a charge of equals": lambda: _charge(0),
    "a charge of the better": lambda: _charge(4),
    "a leader in the press": lambda: Roll(
        field(Unit()), lambda one, two: int(leaders.find_leader_fate(one, two, 1))
    ),
}
