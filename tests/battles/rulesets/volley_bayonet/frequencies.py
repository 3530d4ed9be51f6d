"""How often things come of the engine's own dice, thrown through the kernels, beside the exact chances."""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import log, sqrt
from typing import Any

from battles.engine.dice import draw_words
from battles.rulesets.volley_bayonet import combat, exhaustion, melee, morale
from tests.battles.rulesets.volley_bayonet.checks.common import D6, Facts, binomial
from tests.battles.rulesets.volley_bayonet.forces import Stand, field

#: A sound die disagrees once in so many frequencies, however rare what is counted (Bernstein's inequality).
BY_CHANCE = 1_000_000
#: Words of dice that the record holds, and how many one act may use: a draw may be thrown again at will.
DRAWN, MOST = 128, 40

Spread = Mapping[Hashable, Fraction]
Act = Callable[[], Hashable]


@dataclass(frozen=True)
class Roll:
    """A position, what is thrown in it over and over, and the exact chances of what may come of it."""

    g: Any
    act: Act
    expected: Spread


def frequencies(roll: Roll, rolls: int) -> Counter[Hashable]:
    """What came of a roll with fair dice."""
    g, found, seed = roll.g, Counter[Hashable](), 1777
    g.recording, g.dice_n, g.cursor = 0, DRAWN, DRAWN
    for _ in range(rolls):
        if g.cursor + MOST > DRAWN:
            g.dice[:DRAWN] = draw_words(seed, DRAWN)
            g.cursor, seed = 0, seed + 1
        found[roll.act()] += 1
    assert g.error == 0
    return found


def allowed(chance: Fraction, rolls: int) -> float:
    """How far off a frequency may be, so that this happens to a fair die once in BY_CHANCE at the most."""
    some = log(2 * BY_CHANCE) / rolls
    return some / 3 + sqrt((some / 3) ** 2 + 2 * float(chance * (1 - chance)) * some)


def verify(roll: Roll, rolls: int) -> float:
    """The frequencies agree with the chances; the largest share of what is allowed that one was off."""
    assert sum(roll.expected.values()) == 1
    found = frequencies(roll, rolls)
    assert {one for one, chance in roll.expected.items() if chance} >= set(found)
    worst = 0.0
    for one, chance in roll.expected.items():
        off = abs(found[one] / rolls - chance) / allowed(chance, rolls)
        assert off <= 1, (one, found[one], rolls, chance)
        worst = max(worst, float(off))
    return worst


def fire(troops: Facts, inches: float, dice: int, score: int) -> Roll:
    """Hits of a stand's fire: so many dice, each a hit from that score."""
    g = field(Stand(**troops), Stand(1, y=40.0))
    return volley(g, combat.fire_dice(g, g.u[0]), combat.fire_score(g, g.u[0], inches), hits_of(dice, score))


def blows(troops: Facts, dice: int, score: int) -> Roll:
    """The same of a stand that has charged, in melee."""
    g = field(Stand(**troops), Stand(1, y=21.5))
    g.u[0].charged = 1
    at = combat.melee_score(g, g.u[0], g.u[1])
    return volley(g, combat.melee_dice(g, g.u[0], 1), at, hits_of(dice, score))


def hits_of(dice: int, score: int) -> Spread:
    return dict(enumerate(binomial(dice, Fraction(7 - score, 6))))


def volley(g: Any, dice: int, score: int, expected: Spread) -> Roll:
    """Hits of the dice and the score that the rules have told."""

    def act() -> Hashable:
        return int(combat.roll_hits(g, 0, 1, dice, score, 0))

    return Roll(g, act, expected)


def saves(attempts: int, save_on: int = 4, hits: int = 3) -> Roll:
    """Hits left of three when each has so many attempts to be saved (VBW-SAV-01)."""
    g = field(Stand(), options={"save_succeeds_on": save_on})

    def act() -> Hashable:
        return int(combat.roll_saves(g, 0, hits, attempts))

    return Roll(g, act, dict(enumerate(binomial(hits, Fraction(save_on - 1, 6) ** attempts))))


def check(nerve: int) -> Roll:
    """A morale check at a modified morale: a die of at most it passes, whatever it is (VBW-MOR-05)."""
    g = field(Stand())
    g.u[0].nerve = nerve
    chance = Fraction(min(max(nerve, 0), 6), 6)

    def act() -> Hashable:
        return bool(morale.roll_check(g, 0))

    return Roll(g, act, {True: chance, False: 1 - chance})


def roll_off(attack: int, defence: int, tie: str = "reroll") -> Roll:
    """Who wins a drawn melee with these morales (VBW-MEL-03)."""
    g = field(Stand(), Stand(1), options={"tie_after_rolloff": tie})
    leads = [a + attack - d - defence for a, d in product(D6, D6)]
    won, lost = (sum(lead > 0 for lead in leads), sum(lead < 0 for lead in leads))
    chance = Fraction(won, won + lost if tie == "reroll" else 36)

    def act() -> Hashable:
        return int(melee.roll_off(g, attack, defence))

    return Roll(g, act, {melee.ATTACKER_WINS: chance, melee.DEFENDER_WINS: 1 - chance})


def collapse(hits: int) -> Roll:
    """An exhausted brigade that was hit so often in the step (VBW-COL-05)."""
    g = field(Stand(brigade=0))
    g.brigades[0].exhausted, g.brigades[0].hits = 1, hits
    chance = Fraction(min(hits, 6), 6)

    def act() -> Hashable:
        return bool(exhaustion.roll_collapse(g, 0))

    return Roll(g, act, {True: chance, False: 1 - chance})


_RIFLES: Facts = {"abilities": ("detachments", "R")}
_SHARP: Facts = {"abilities": ("detachments", "R", "SS")}
_NATIVE: Facts = {"abilities": ("native",), "morale": 5, "sp": 1}
#: Every kind of roll by what it is, with the rule it is of.
ROLLS: dict[str, Callable[[], Roll]] = {
    "VBW-HIT-01: muskets at 8 inches": lambda: fire({}, 8.0, 3, 6),
    "VBW-COM-02: muskets that stand still": lambda: fire({"stationary": True}, 8.0, 5, 6),
    "VBW-COM-03: poorly trained": lambda: fire({"kind": "SI", "abilities": ("PT",)}, 8.0, 2, 6),
    "VBW-HIT-01: rifles at 12 inches": lambda: fire(_RIFLES, 12.0, 1, 6),
    "VBW-HIT-03: sharpshooters": lambda: fire(_SHARP, 12.0, 1, 5),
    "VBW-HIT-01: Native Americans at 6 inches": lambda: fire(_NATIVE, 6.0, 1, 6),
    "VBW-HIT-02: light guns, short": lambda: fire({"kind": "Lt"}, 12.0, 1, 5),
    "VBW-HIT-02: light guns, long": lambda: fire({"kind": "Lt"}, 48.0, 1, 6),
    "VBW-HIT-02: field guns, short": lambda: fire({"kind": "Fd"}, 16.0, 1, 4),
    "VBW-COM-05: field guns that stand still": lambda: fire({"kind": "Fd", "stationary": True}, 16.0, 2, 4),
    "VBW-HIT-02: field guns, long": lambda: fire({"kind": "Fd"}, 64.0, 1, 6),
    "VBW-HIT-02: howitzers, short": lambda: fire({"kind": "Ho"}, 12.0, 1, 5),
    "VBW-HIT-02: howitzers, long": lambda: fire({"kind": "Ho"}, 64.0, 1, 6),
    "VBW-HIT-02: heavy guns, short": lambda: fire({"kind": "Hv"}, 20.0, 1, 4),
    "VBW-HIT-02: heavy guns, long": lambda: fire({"kind": "Hv"}, 80.0, 1, 6),
    "VBW-HIT-01: foot in melee": lambda: blows({}, 3, 6),
    "VBW-HIT-04: shock troops in melee": lambda: blows({"abilities": ("Sh",)}, 3, 5),
    "VBW-HIT-02: field guns in melee": lambda: blows({"kind": "Fd"}, 1, 4),
    "VBW-HIT-01: horse in melee": lambda: blows({"kind": "LC"}, 2, 6),
    **{f"VBW-SAV-01: {n} saves a hit": lambda n=n: saves(n) for n in (1, 2, 3)},
    **{f"VBW-SAV-01: a save on {n}": lambda n=n: saves(1, n) for n in (3, 5)},
    **{f"VBW-MOR-05: morale {n}": lambda n=n: check(n) for n in range(-1, 9)},
    **{f"VBW-MEL-03: roll-off, {n:+d}": lambda n=n: roll_off(5 + n, 5) for n in range(-5, 6)},
    "VBW-MEL-03: roll-off, level to the defender": lambda: roll_off(5, 5, "defender_wins"),
    **{f"VBW-COL-05: collapse, {n} hits": lambda n=n: collapse(n) for n in range(8)},
}
