"""Target choice of shooters in the combat step of the active side (VBW-DEF-06, VBW-LAN-01)."""

from typing import Any

from battles.engine.compile import jit
from battles.rulesets.volley_bayonet.bases import far_from, find_extent, in_arc, measure_gap
from battles.rulesets.volley_bayonet.choosing import NOTHING, best_of_queue
from battles.rulesets.volley_bayonet.combat import find_longest_range, fire_dice, fire_score
from battles.rulesets.volley_bayonet.cover import behind_works, in_woods
from battles.rulesets.volley_bayonet.records import LIGHT_GUN, SKIRMISH
from battles.rulesets.volley_bayonet.sight import is_clear
from battles.rulesets.volley_bayonet.states import is_disordered, is_standing

#: How much a save lessens a shot's worth.
SAVED = 0.5
#: What a stand near its end is worth more, and what every inch takes off.
WEAK, PER_INCH = 0.3, 0.002


@jit
def is_wooded(g: Any, j: Any) -> Any:
    """True when woods save stand j; looked at once in a step, whoever may aim at it (VBW-SAV-03)."""
    if g.wooded[j] == 0:
        g.wooded[j] = 1 if in_woods(g, g.u[j]) else -1
    return g.wooded[j] == 1


@jit
def shot_worth(g: Any, i: Any, j: Any, inches: Any) -> Any:
    """The worth of a shot to a commander: likely hits, counted higher when the target is nearly gone."""
    u, t = g.u[i], g.u[j]
    worth = fire_dice(g, u) * (7.0 - fire_score(g, u, inches)) / 6.0
    if t.form == SKIRMISH:
        worth *= SAVED
    if u.weapon < LIGHT_GUN and is_wooded(g, j):
        worth *= SAVED
    if behind_works(g, t, u.x, u.y):
        worth *= SAVED
    if is_disordered(t):
        worth *= 1.0 + WEAK
    if t.sp <= 1:
        worth *= 1.0 + WEAK
    return worth - PER_INCH * inches


@jit
def choose_aim(g: Any, i: Any) -> Any:
    """The enemy stand i would best shoot at, or -1; sight and lane are looked at for the best first."""
    u = g.u[i]
    if fire_dice(g, u) == 0 or u.charges >= 0:
        return -1
    reach, count = find_longest_range(g, u), 0
    out = reach + find_extent(u)
    for j in range(g.first[1 - u.side], g.past[1 - u.side]):
        t = g.u[j]
        if t.side == u.side or not is_standing(t) or far_from(u, t, out) or not in_arc(g, i, j):
            continue
        inches = measure_gap(g, i, j)
        if inches <= reach + 1.0e-9:
            g.queue[count], g.value[j] = j, shot_worth(g, i, j, inches)
            count += 1
    for _ in range(count):
        j = best_of_queue(g, count)
        if is_clear(g, i, j):
            return j
        g.value[j] = NOTHING
    return -1


@jit
def aim_stands(g: Any) -> None:
    """All of the active side choose whom they fire at."""
    for j in range(g.first[1 - g.mover], g.past[1 - g.mover]):
        g.wooded[j] = 0
    for i in range(g.first[g.mover], g.past[g.mover]):
        u = g.u[i]
        if u.side == g.mover and is_standing(u):
            u.aims = choose_aim(g, i)
