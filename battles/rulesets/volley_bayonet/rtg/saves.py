"""The number of times a hit may be saved, and hits without any effect (RTG-SAV, RTG-TER-07, RTG-TER-23)."""

from typing import Any

from battles.engine.compile import jit
from battles.rulesets.volley_bayonet.records import DETACHMENT, FIELD_GUN, GUNS, HORSE, INFANTRY, SIEGE_GUN
from battles.rulesets.volley_bayonet.rtg.bases import (
    LEFT,
    RIGHT,
    half_width,
    is_skirmisher,
    lies_beside,
)
from battles.rulesets.volley_bayonet.rtg.dice import is_close, is_heavy, is_small_arm
from battles.rulesets.volley_bayonet.rtg.ground import saved_from_fire, saved_from_melee
from battles.rulesets.volley_bayonet.rtg.terrain import FORT, FORTRESS
from battles.rulesets.volley_bayonet.states import is_disordered, is_standing


@jit
def by_firer(u: Any) -> Any:
    """Saves that who has hit gives by his kind and order, in fire and in melee (RTG-SAV-02, RTG-SAV-06).

    Foot skirmishers (RTG-CBT-12), batteries that are not stationary (RTG-CBT-20), the disordered.
    """
    count = 1 if is_disordered(u) else 0
    if u.class_ == DETACHMENT or (u.battery == 1 and u.stationary == 0):
        count += 1
    return count


@jit
def count_save_attempts(g: Any, count: Any) -> Any:
    """Attempts a hit gets: one for each condition, or one however many by an option (RTG-SAV-07)."""
    return count if g.o.saves_stack == 1 or count < 1 else 1


@jit
def has_open_space(g: Any, i: Any) -> Any:
    """True for a stand with room of its own base's width to friends on both sides (RTG-SAV-03)."""
    u = g.u[i]
    room = 2.0 * half_width(g, u)
    for j in range(g.n):
        if j == i or g.u[j].side != u.side or not is_standing(g.u[j]):
            continue
        if lies_beside(g, i, j, RIGHT, room) or lies_beside(g, i, j, LEFT, room):
            return False
    return True


@jit
def from_fire(g: Any, i: Any, j: Any, weapon: Any, inches: Any, kind: Any, retires: Any) -> Any:
    """Attempts stand j, on a kind of ground, has to save each hit of a weapon of stand i (RTG-SAV-02 to 07).

    That is its own or its dedicated gun. `retires` is 1 when cavalry goes back for it (RTG-SAV-05).
    """
    a, t = g.u[i], g.u[j]
    count = by_firer(a)
    if is_skirmisher(t) and has_open_space(g, j):
        count += 1
    if t.class_ == GUNS and t.limbered == 0 and not is_small_arm(weapon) and not is_heavy(weapon):
        count += 1
    if t.class_ == HORSE:
        count += retires
    close = is_close(g, weapon, inches)
    count += saved_from_fire(kind, t, is_small_arm(weapon), weapon == SIEGE_GUN, close)
    return count_save_attempts(g, count)


@jit
def from_melee(g: Any, i: Any, j: Any, kind: Any) -> Any:
    """Attempts stand j, on a kind of ground, has to save each hit of stand i in melee (RTG-SAV-02, 06)."""
    a = g.u[i]
    by_infantry = a.class_ == INFANTRY or a.class_ == DETACHMENT
    return count_save_attempts(g, by_firer(a) + saved_from_melee(kind, g.u[j], by_infantry))


@jit
def harms_fort(g: Any, weapon: Any, inches: Any) -> Any:
    """True when a weapon has an effect on a fort: siege guns, and heavy ones close to (RTG-TER-07).

    Field guns are as good as heavy ones by an option.
    """
    if weapon == SIEGE_GUN:
        return True
    if not is_close(g, weapon, inches):
        return False
    return is_heavy(weapon) or (g.o.field_harms_fort == 1 and weapon == FIELD_GUN)


@jit
def has_effect(g: Any, weapon: Any, inches: Any, kind: Any, stone: Any) -> Any:
    """True when a weapon can do anything to who is on a kind of ground.

    `stone` is 1 for occupants of stone buildings, to whom small arms do nothing (RTG-TER-23).
    """
    if kind in (FORT, FORTRESS):
        return harms_fort(g, weapon, inches)
    return not (stone == 1 and is_small_arm(weapon))
