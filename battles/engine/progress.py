"""Whether troops under orders to go forward gain ground, and for how long nothing has come of a battle.

A battle in which nobody fires or charges is let go after some turns, but not while an attacker is on his
way: only turns count in which nobody under such orders has come nearer to the enemy than ever since the last
shot. An attack that comes to a stand though troops could go on falls back and comes on again before that.
"""

import math
from typing import Any

from battles.engine.commanding import goes_forward
from battles.engine.compile import jit
from battles.engine.dtypes import ASSAULT, GOES_ON, NO_CONTACT, NO_WAY, ON_TABLE, TURN_FLANK
from battles.engine.ending import has_units_to_come
from battles.engine.wayfinding import FAR, HAS_WAY, NEARER, NO_NEED, NO_WAY_THERE, remaining_way

#: Game turns for which an attack that has come to a stand falls back, and how often in a day it does.
FALLS_BACK, MOST_TRIES = 3, 2


@jit
def turn_begins(g: Any) -> None:
    """A game turn begins, the next without a shot until somebody fires."""
    g.turn += 1
    g.quiet += 1
    g.gained = 0


@jit
def turn_ends(g: Any) -> None:
    """A game turn was idle when nobody fired, charged, gained ground or fell back to come on again."""
    busy = g.quiet == 0 or g.gained == 1
    if g.turn == g.back_until:
        for i in range(g.n):
            g.u[i].nearest = 0.0  # it gains ground from where it is now
    g.idle = 0 if busy or g.turn <= g.back_until else g.idle + 1


@jit
def inches_to_go(g: Any, i: Any, aside: Any) -> Any:
    """Inches unit i has left to the nearest enemy, by the way it follows if it follows one.

    `aside` are those to where its side's plan sends it first; they count twice, for on its way there it may
    have to go away from the enemy.
    """
    u = g.u[i]
    if u.has_way == HAS_WAY:
        return remaining_way(u) + 2.0 * aside
    nearest = FAR
    for j in range(g.n):
        b = g.u[j]
        if b.side == u.side or b.place != ON_TABLE:
            continue
        dx, dy = b.x - u.x, b.y - u.y
        nearest = min(nearest, dx * dx + dy * dy)
    return math.sqrt(nearest) + 2.0 * aside


@jit
def spell_begins(g: Any, i: Any, inches: Any) -> None:
    """Unit i is so many inches from the enemy before its move: from there it gains ground after a shot."""
    if g.quiet == 1 or g.u[i].nearest == 0.0:
        g.u[i].nearest = inches


@jit
def note_progress(g: Any, i: Any, inches: Any) -> None:
    """Unit i is so many inches from the enemy after its move: has it gained ground?

    Who has found or lost a way in this move is counted from where it is now.
    """
    u = g.u[i]
    if inches < u.nearest - NEARER:
        if u.nearest < FAR:
            g.gained = 1
        u.nearest = inches


@jit
def closes_with_enemy(plan: Any) -> Any:
    """True for plans under which troops go on until they are at grips."""
    return plan in (ASSAULT, TURN_FLANK)


@jit
def is_pressing(g: Any, side: Any, most: Any) -> Any:
    """True when a side that is to close with the enemy has gained no ground for half of so many game turns.

    Before both sides rest it sends in who only waits: horse for its chance, reserves, and who was to pin.
    """
    return 2 * g.idle >= most and closes_with_enemy(g.plan[side])


@jit
def is_ordered_back(g: Any, side: Any) -> Any:
    """True while an attack that came to a stand falls back to come on again (HR-BAT-02)."""
    return g.turn <= g.back_until and closes_with_enemy(g.plan[side])


@jit
def break_off_attack(g: Any, able: Any) -> Any:
    """Order an attack that has come to a stand back some turns, to come on again; False when it is let go.

    `able` is the number of attackers who could go on. Whoever jams there looks for his way anew. So near
    the end of the day that nobody could come on again the attack goes on as it is.
    """
    if able == 0 or g.broken_off >= MOST_TRIES:
        return False
    if g.turn + FALLS_BACK < g.turns:
        g.broken_off += 1
        g.back_until, g.idle = g.turn + FALLS_BACK, 0
        for i in range(g.n):
            u = g.u[i]
            u.has_way, u.stuck, u.least_left = NO_NEED, 0, FAR
    return True


@jit
def attacks_later(g: Any) -> Any:
    """True when a side that does not go forward now is ordered to before the day ends."""
    count = 0
    for side in range(2):
        p = g.plans[side]
        changes = p.until >= g.turn and p.until < g.turns
        if changes and goes_forward(p.then_) and not goes_forward(g.plan[side]):
            count += 1
    return count > 0


@jit
def nothing_comes_of_it(g: Any, most: Any) -> Any:
    """The ending of a battle that has been idle for so many game turns; GOES_ON before that.

    It is another when attackers have looked for a way to the enemy and none of them has one.
    """
    if g.idle < most or has_units_to_come(g) or attacks_later(g):
        return GOES_ON
    barred = 0
    for i in range(g.n):
        u = g.u[i]
        if u.place != ON_TABLE or not goes_forward(g.plan[u.side]):
            continue
        if u.has_way == HAS_WAY:
            return NO_CONTACT
        if u.has_way == NO_WAY_THERE:
            barred += 1
    return NO_WAY if barred > 0 else NO_CONTACT
