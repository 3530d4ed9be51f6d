"""Target choice of shooters, and return fire (RTG-RNG, RTG-CBT-01)."""

from typing import Any

from battles.engine.compile import jit
from battles.rulesets.volley_bayonet.bases import far_apart, far_from, find_extent, in_arc, measure_gap
from battles.rulesets.volley_bayonet.choosing import best_of_queue
from battles.rulesets.volley_bayonet.combat import find_longest_range, fire_dice
from battles.rulesets.volley_bayonet.records import DEDICATED, GUNS
from battles.rulesets.volley_bayonet.rtg import saves
from battles.rulesets.volley_bayonet.rtg.dice import (
    fire_score,
    gun_dice,
    gun_fire_dice,
    gun_score,
    own_fire_dice,
)
from battles.rulesets.volley_bayonet.rtg.ground import kind_towards
from battles.rulesets.volley_bayonet.rtg.zone import straight_ahead
from battles.rulesets.volley_bayonet.sight import lane_along, line_between, sees_along
from battles.rulesets.volley_bayonet.states import is_disordered, is_standing

#: How much a save lessens a shot's worth, and what a stand that wavers or is nearly gone is worth more.
SAVED, WEAK = 0.5, 0.3
#: Of what every inch takes off, and of a shot that cannot be.
PER_INCH, NO_SHOT = 0.01, -1.0
#: No stand.
NONE = -1


@jit
def reach_of(g: Any, u: Any) -> Any:
    """Inches a stand fires at most, its dedicated guns too; 0.0 for who cannot fire (RTG-CBT-22)."""
    reach = 0.0
    if u.limbered == 0 and fire_dice(g, u) > 0:
        reach = find_longest_range(g, u)
    if gun_fire_dice(g, u, 0.0) > 0 and g.t.long[DEDICATED] > reach:
        reach = g.t.long[DEDICATED]
    return reach


@jit
def is_in_arc(g: Any, i: Any, j: Any) -> Any:
    """True when stand j lies in the arc of stand i: of guns straight ahead (RTG-MOR-01)."""
    if g.u[i].class_ == GUNS and g.u[i].inside < 0:
        return straight_ahead(g, i, j) >= 0.0
    return in_arc(g, i, j)


@jit
def shot_inches(g: Any, i: Any, j: Any) -> Any:
    """Inches of a shot that stand i may fire at stand j, NO_SHOT when it may not (RTG-RNG-02)."""
    a, b = g.u[i], g.u[j]
    if a.side == b.side or not is_standing(a) or not is_standing(b):
        return NO_SHOT
    reach = reach_of(g, a)
    if reach == 0.0 or far_apart(g, i, j, reach) or not is_in_arc(g, i, j):
        return NO_SHOT
    inches = measure_gap(g, i, j)
    if inches > reach + 1.0e-9:
        return NO_SHOT
    px, py, qx, qy = line_between(g, a, b)
    if not lane_along(g, i, j, px, py, qx, qy) or not sees_along(g, i, j, px, py, qx, qy):
        return NO_SHOT
    return inches


@jit
def is_stone(g: Any, u: Any) -> Any:
    """1 for who holds buildings of stone, else 0 (RTG-TER-23)."""
    return g.stone[u.inside] if u.inside >= 0 else 0


@jit
def shot_worth(g: Any, i: Any, j: Any, inches: Any) -> Any:
    """Hits that a shot is likely to make, more on who wavers or is nearly gone."""
    u, t = g.u[i], g.u[j]
    kind, stone, worth = kind_towards(g, t, u.x, u.y), is_stone(g, t), 0.0
    if saves.has_effect(g, u.weapon, inches, kind, stone):
        own = own_fire_dice(g, u, inches) * (7.0 - fire_score(g, u, inches, stone)) / 6.0
        worth += own * SAVED ** saves.from_fire(g, i, j, u.weapon, inches, kind, 0)
    if gun_dice(g, u) > 0 and saves.has_effect(g, DEDICATED, inches, kind, stone):
        own = gun_fire_dice(g, u, inches) * (7.0 - gun_score(g)) / 6.0
        worth += own * SAVED ** saves.from_fire(g, i, j, DEDICATED, inches, kind, 0)
    if is_disordered(t):
        worth *= 1.0 + WEAK
    if t.sp <= 1:
        worth *= 1.0 + WEAK
    return worth - PER_INCH * inches


@jit
def choose_aim(g: Any, i: Any) -> Any:
    """The enemy stand i would best shoot at, or NONE."""
    u = g.u[i]
    if u.charges >= 0:
        return NONE
    reach, count = reach_of(g, u), 0
    if reach == 0.0:
        return NONE
    out = reach + find_extent(u)
    for j in range(g.first[1 - u.side], g.past[1 - u.side]):
        t = g.u[j]
        if t.side == u.side or not is_standing(t) or far_from(u, t, out):
            continue
        inches = shot_inches(g, i, j)
        if inches >= 0.0:
            g.queue[count], g.value[j] = j, shot_worth(g, i, j, inches)
            count += 1
    return best_of_queue(g, count) if count > 0 else NONE


@jit
def aim_stands(g: Any) -> None:
    """All of the active side choose whom they fire at; who touches an enemy does not fire."""
    for i in range(g.first[g.mover], g.past[g.mover]):
        u = g.u[i]
        if u.side == g.mover and is_standing(u):
            u.aims = choose_aim(g, i)


@jit
def nearest_attacker(g: Any, j: Any) -> Any:
    """The nearest of those who aim at stand j and at whom it may fire back, or NONE (RTG-CBT-01).

    Nothing answers who fires out of stone: small arms have no effect on it, and guns do not fire at it in its
    holders' turn (RTG-TER-23).
    """
    best, nearest = NONE, 0.0
    for i in range(g.first[g.mover], g.past[g.mover]):
        u = g.u[i]
        if u.side != g.mover or u.aims != j or u.charges >= 0 or not is_standing(u):
            continue
        if is_stone(g, u) == 1:
            continue
        inches = shot_inches(g, j, i)
        if inches >= 0.0 and (best == NONE or inches < nearest):
            best, nearest = i, inches
    return best
