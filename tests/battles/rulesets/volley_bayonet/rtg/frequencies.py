"""What is rolled in Road to Glory, thrown through its kernels, beside the exact chances.

How a frequency is counted and how far it may be off is the core's (`frequencies.Roll`, `verify`).
"""

from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import Any

from battles.rulesets.volley_bayonet import allowance, combat
from battles.rulesets.volley_bayonet import melee as core
from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.rtg import buildings, chief, dice, exhaustion, morale
from battles.rulesets.volley_bayonet.rtg.fields import CHIEF
from tests.battles.rulesets.volley_bayonet.frequencies import Roll
from tests.battles.rulesets.volley_bayonet.rtg.checks.combat import wins_off
from tests.battles.rulesets.volley_bayonet.rtg.checks.common import Facts, binomial
from tests.battles.rulesets.volley_bayonet.rtg.forces import Leader, Stand, field


def fire(troops: Facts, inches: float, score: int, count: int) -> Roll:
    """Hits of a stand's own fire."""
    g = field(Stand(**troops), Stand(1, y=40.0))
    assert (dice.own_fire_dice(g, g.u[0], inches), dice.fire_score(g, g.u[0], inches, 0)) == (count, score)
    return _hits(g, count, score)


def blows(troops: Facts, score: int, count: int) -> Roll:
    """Hits of a stand in melee."""
    g = field(Stand(**troops), Stand(1, y=22.0))
    assert (dice.melee_dice(g, g.u[0], 1), dice.melee_score(g, g.u[0], g.u[1])) == (count, score)
    return _hits(g, count, score)


def _hits(g: Any, count: int, score: int) -> Roll:
    def act() -> Hashable:
        return int(combat.roll_hits(g, 0, 1, count, score, 0))

    return Roll(g, act, dict(enumerate(binomial(count, Fraction(7 - score, 6)))))


def saves(attempts: int) -> Roll:
    """Hits left of three when each has so many attempts to be saved."""
    g = field(Stand())

    def act() -> Hashable:
        return int(combat.roll_saves(g, 0, 3, attempts))

    return Roll(g, act, dict(enumerate(binomial(3, Fraction(1, 2) ** attempts))))


def check(nerve: int) -> Roll:
    """A morale check at a modified morale."""
    g = field(Stand())
    g.u[0].nerve = nerve
    chance = Fraction(min(max(nerve, 0), 6), 6)

    def act() -> Hashable:
        return bool(morale.roll_check(g, 0))

    return Roll(g, act, {True: chance, False: 1 - chance})


def roll_off(lead: int) -> Roll:
    """A drawn melee rolled off, equal totals again."""
    g = field(Stand())

    def act() -> Hashable:
        return bool(core.roll_off(g, 5 + lead, 5) == core.ATTACKER_WINS)

    return Roll(g, act, {True: wins_off(lead), False: 1 - wins_off(lead)})


def collapse(casualties: int) -> Roll:
    """An exhausted division with so many casualties in this turn."""
    g = field(Stand(division=0))
    e = g.brigades[0]
    chance = Fraction(min(casualties, 6), 6)

    def act() -> Hashable:
        e.level, e.exhausted, e.collapsed, e.lost, e.lost_before = 1, 1, 0, 9, 9 - casualties
        g.u[0].state, g.u[0].place, g.u[0].sp = r.GOOD, r.ON_TABLE, 3
        return bool(exhaustion.exhaustion_phase(g))

    return Roll(g, act, {True: chance, False: 1 - chance})


def killed() -> Roll:
    """An Army Commander with a stand that has lost something."""
    g = field(Stand(), leaders=(Leader(0, CHIEF, 30.0, 22.0),))

    def act() -> Hashable:
        g.leaders[0].state = r.COMMANDS
        return bool(chief.risk_chief(g, 0, 0))

    return Roll(g, act, {True: Fraction(1, 6), False: Fraction(5, 6)})


def marsh(more: int) -> Roll:
    """What an inch of marsh costs a stand where so many have gone before."""
    g = field(Stand())
    expected: dict[Hashable, Fraction] = {}
    for die in range(1, 7):
        total = die + more
        cost = 1.0 if total <= 2 else 2.0 if total <= 4 else 4.0
        expected[cost] = expected.get(cost, Fraction(0)) + Fraction(1, 6)

    def act() -> Hashable:
        return float(allowance.enter_marsh(g, 0, more))

    return Roll(g, act, expected)


def out(place: int, chance: Fraction) -> Roll:
    """A fire that may go out."""
    g = field(Stand())

    def act() -> Hashable:
        return bool(buildings.goes_out(place, combat.roll_d6(g)))

    return Roll(g, act, {True: chance, False: 1 - chance})


def catches() -> Roll:
    """Wood that may catch fire."""
    g = field(Stand())

    def act() -> Hashable:
        return bool(buildings.catches_fire(combat.roll_d6(g)))

    return Roll(g, act, {True: Fraction(1, 6), False: Fraction(5, 6)})


def _guns(gun: str, **more: Any) -> Facts:
    return {"kind": "artillery_battalion", "gun": gun, **more}


_SHARP: Facts = {"kind": "infantry_skirmisher", "traits": ("sharpshooter",)}
_MASSED: Facts = {"kind": "infantry_brigade"}
#: Every kind of roll by what it is, with the rule it is of.
ROLLS: dict[str, Callable[[], Roll]] = {
    "RTG-CBT-10: a line fires": lambda: fire({}, 2.0, 6, 2),
    "RTG-CBT-10: a line that stands still": lambda: fire({"stationary": True}, 2.0, 6, 4),
    "RTG-CBT-11: poor musketry that stands still": lambda: fire(
        {"stationary": True, "traits": ("poor_musketry",)}, 2.0, 6, 3
    ),
    "RTG-CBT-12: sharpshooters": lambda: fire(_SHARP, 2.0, 5, 1),
    "RTG-CBT-15: very light guns, close": lambda: fire(_guns("very_light_guns"), 3.0, 5, 1),
    "RTG-CBT-15: field guns, close": lambda: fire(_guns("field_guns"), 4.0, 4, 1),
    "RTG-CBT-15: field guns that stand still": lambda: fire(_guns("field_guns", stationary=True), 4.0, 4, 2),
    "RTG-CBT-15: field guns, long": lambda: fire(_guns("field_guns"), 10.0, 6, 1),
    "RTG-CBT-20: a battery, close": lambda: fire({"kind": "artillery_battery"}, 4.0, 6, 1),
    "RTG-CBT-10: a massed brigade in melee": lambda: blows(_MASSED, 6, 4),
    "RTG-CBT-10: one that stands still": lambda: blows({**_MASSED, "stationary": True}, 6, 6),
    "RTG-CBT-13: cavalry in melee": lambda: blows({"kind": "cavalry_brigade"}, 6, 2),
    **{f"RTG-SAV-07: {n} saves a hit": lambda n=n: saves(n) for n in (1, 2, 3)},
    **{f"RTG-MOR-02: morale {n}": lambda n=n: check(n) for n in range(-1, 8)},
    **{f"RTG-MEL-02: roll-off, {n:+d}": lambda n=n: roll_off(n) for n in range(-5, 6)},
    **{f"RTG-EXH-03: collapse, {n} casualties": lambda n=n: collapse(n) for n in range(8)},
    "RTG-MIS-01: the Army Commander": killed,
    **{f"RTG-TER-11: marsh, {n} before": lambda n=n: marsh(n) for n in range(4)},
    "RTG-TER-24: fire": catches,
    "RTG-TER-24: fire in a village goes out": lambda: out(buildings.VILLAGE_PLACE, Fraction(1, 3)),
    "RTG-TER-24: fire in a town goes out": lambda: out(buildings.TOWN_PLACE, Fraction(1, 6)),
}
