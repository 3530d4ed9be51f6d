"""The Forty-Five: Highland charges, and British foot of mixed quality (AWI-T-V45)."""

from typing import Any

from battles.engine.bases import LITTLE, measure_gap
from battles.engine.compile import jit
from battles.engine.dice import roll_d6
from battles.engine.dtypes import JACOBITE_1745, ON_TABLE, STEADY
from battles.engine.geometry import COS, find_bearing, turn_between
from battles.engine.recording import (
    FIRE_QUALITY,
    HIGHLAND_JOINS,
    HIGHLAND_MOVE,
    HIGHLAND_TEST,
    MORALE_QUALITY,
    R_HIGHLAND_CHARGE,
    R_NONE,
    note_event,
)
from battles.rulesets.awi.morale import move_rate, nearest_enemy
from battles.rulesets.awi.movement import find_straight_inches, move_on, turn_on_spot, turn_to

#: Inches of musket range, and within which a Highland charge spreads (AWI-T-V45-03, AWI-T-V45-09).
MUSKET_RANGE, SPREADS = 6.0, 12.0
#: Inches at 25 mm that stand for a centimetre on a 15 mm table (AWI-T-V45-04).
CENTIMETRE = 1.5 / 2.54


@jit
def british_quality(g: Any) -> None:
    """Before battle each British line unit rolls for its morale and its fire (AWI-T-V45-10).

    Grenadiers are picked men, no line unit of veterans and levies mixed (our ruling).
    """
    for i in range(g.n):
        u = g.u[i]
        if u.british_close == 0 or u.grenadier == 1:
            continue
        for k in range(2):
            die = roll_d6(g)
            better = 1 if die >= 4 else 0
            if k == 0:
                u.morale += better
            else:
                u.fire += better
            note_event(g, MORALE_QUALITY if k == 0 else FIRE_QUALITY, i, -1, die, 0, better, die, R_NONE)


@jit
def is_clan(g: Any, u: Any) -> Any:
    """True for a steady Highland unit of the moving side."""
    return u.highland == 1 and u.side == g.mover and u.place == ON_TABLE and u.mood == STEADY


@jit
def highland_need(inches: Any) -> Any:
    """Least die on which a unit so far from the enemy begins a Highland charge (AWI-T-V45-03)."""
    return 5 if inches <= MUSKET_RANGE + LITTLE else 6


@jit
def enemy_gap(g: Any, i: Any) -> Any:
    """Inches from unit i to the nearest enemy unit on the table."""
    best = 1.0e9
    for j in range(g.n):
        if g.u[j].side != g.u[i].side and g.u[j].place == ON_TABLE:
            inches = measure_gap(g, i, j)
            if inches < best:
                best = inches
    return best


@jit
def highland_test(g: Any, i: Any, what: Any, state: Any) -> None:
    """Roll whether a unit begins a Highland charge; `state` is what it then carries."""
    u = g.u[i]
    die = roll_d6(g)
    begins = die >= highland_need(enemy_gap(g, i))
    u.tested = 1
    if begins:
        u.highland_charge = state
    note_event(g, what, i, -1, die, 0, 0, die, R_HIGHLAND_CHARGE if begins else R_NONE)


@jit
def is_caught_up(g: Any, i: Any) -> Any:
    """True when a friend within 12 inches is already in a Highland charge (AWI-T-V45-09)."""
    for k in range(g.n):
        f = g.u[k]
        if f.highland_charge == 1 and f.side == g.u[i].side and measure_gap(g, i, k) <= SPREADS + LITTLE:
            return True
    return False


@jit
def end_highland_charges(g: Any) -> None:
    """End the Highland charge of units that are shaken, rout or are gone (AWI-T-V45-08).

    A loss of SP and a melee not won end it where they happen.
    """
    for i in range(g.n):
        u = g.u[i]
        if u.mood != STEADY or u.place != ON_TABLE:
            u.highland_charge = 0


@jit
def test_highlanders(g: Any) -> None:
    """At the end of step E: those fired at, then those near a Highland charge (AWI-T-V45-03, 09).

    Our ruling: a unit rolls once a turn, and who joins now carries others with it only next turn.
    """
    end_highland_charges(g)
    for i in range(g.n):
        u = g.u[i]
        u.tested = 0
        if is_clan(g, u) and u.highland_charge == 0 and u.under_fire == 1:
            highland_test(g, i, HIGHLAND_TEST, 1)
    for i in range(g.n):
        u = g.u[i]
        if is_clan(g, u) and u.highland_charge == 0 and u.tested == 0 and is_caught_up(g, i):
            highland_test(g, i, HIGHLAND_JOINS, 2)
    for i in range(g.n):
        if g.u[i].highland_charge == 2:
            g.u[i].highland_charge = 1


@jit
def highland_bonus(g: Any, die: Any) -> Any:
    """Inches a die adds to a Highland charge: so many inches, or centimetres at 15 mm (AWI-T-V45-04)."""
    return die * CENTIMETRE if g.o.metric == 1 else die * 1.0


@jit
def rush_towards(g: Any, i: Any, j: Any, inches: Any) -> None:
    """Go the full distance towards unit j, to an inch of the enemy, by the straightest open way."""
    u = g.u[i]
    old = u.face
    heading = find_bearing(g.u[j].x - u.x, g.u[j].y - u.y)
    if abs(turn_between(old, heading)) > 45:
        turn_on_spot(g, i, heading)
        return
    left = measure_gap(g, i, j) - 1.0
    want = left if left < inches else inches
    best, best_gain = heading, 0.0
    for k in range(5):
        offset = ((k + 1) // 2) * 20
        face = (heading + (offset if k % 2 == 1 else -offset)) % 360
        if abs(turn_between(old, face)) > 45 or not turn_to(g, i, face):
            continue
        gain = find_straight_inches(g, i, face, want) * COS[(face - heading) % 360]
        u.face = old
        if gain > best_gain + 0.1:
            best, best_gain = face, gain
    move_on(g, i, best, want)


@jit
def move_highlanders(g: Any) -> None:
    """In step C, before all others: units in a Highland charge rush at the nearest enemy (AWI-T-V45-04).

    They are busy until `release_highlanders`, so that nobody moves them again.
    """
    g.step = 3
    g.asked.unit = -1  # what was asked in an earlier turn holds no more
    for i in range(g.n):
        u = g.u[i]
        if u.highland_charge == 0 or not is_clan(g, u) or u.busy == 1:
            continue
        u.busy = 1
        j = nearest_enemy(g, i)
        if j < 0:
            continue
        die = roll_d6(g)
        bonus = highland_bonus(g, die)
        inches = move_rate(u) + bonus
        note_event(g, HIGHLAND_MOVE, i, j, die, 0, 0, int(inches * 100.0), R_NONE)
        u.spent, u.turned = -bonus, 0
        rush_towards(g, i, j, inches)


@jit
def release_highlanders(g: Any) -> None:
    """After step C: they may charge (AWI-T-V45-04)."""
    for i in range(g.n):
        if g.u[i].highland_charge == 1 and g.u[i].side == g.mover:
            g.u[i].busy = 0


@jit
def is_forty_five(g: Any) -> Any:
    """True when the variant of 1745 is played (AWI-T-V45-01)."""
    return g.o.variant == JACOBITE_1745
