"""Working parties and their wagons in step C (AWI-T-ENG-01, AWI-T-EXP-01)."""

from typing import Any

from battles.engine.bases import centre_gap2, is_effective
from battles.engine.compile import jit
from battles.engine.dtypes import BUILD, DEMOLISH, NO_TASK, ON_TABLE
from battles.engine.geometry import find_bearing
from battles.rulesets.awi.approach import head_for_spot, step_towards
from battles.rulesets.awi.engineering import (
    AT_WORK,
    BLAST_RADIUS,
    dig,
    lay_charge,
    structure_gap,
    structure_spot,
    wagon_for,
)
from battles.rulesets.awi.morale import move_rate
from battles.rulesets.awi.movement import fall_back_facing

#: Inches at which the enemy is so near that a party takes up its arms.
ALARM = 9.0
#: Inches between centres that a wagon keeps behind the party it serves.
BEHIND_PARTY = 4.0


@jit
def enemy_near(g: Any, i: Any) -> Any:
    """True when an effective enemy is so near that unit i fights instead."""
    for j in range(g.n):
        b = g.u[j]
        if b.side != g.u[i].side and is_effective(b) and centre_gap2(g, i, j) <= ALARM * ALARM:
            return True
    return False


@jit
def has_wagon(g: Any, side: Any, powder: Any) -> Any:
    """True while a side has a wagon that can serve a party."""
    for w in range(g.n):
        u = g.u[w]
        here = u.wagon == 1 and u.side == side and u.place == ON_TABLE and u.immobile == 0
        if here and (powder == 0 or u.powder > 0):
            return True
    return False


@jit
def has_laid_all(g: Any, i: Any) -> Any:
    """True when unit i has laid its charges, or as many as there were."""
    u = g.u[i]
    return u.laid >= u.task_size or (u.laid > 0 and not has_wagon(g, u.side, 1))


@jit
def is_done(g: Any, i: Any) -> Any:
    """True when nothing is left to do of unit i's task, or nothing to do it with."""
    u = g.u[i]
    b = g.structures[u.task_at]
    if u.task == BUILD:
        return b.sp >= b.sp_full or not has_wagon(g, u.side, 0)
    if b.sp <= 0:
        return True
    return u.laid == 0 and not has_wagon(g, u.side, 1 if u.task == DEMOLISH else 0)


@jit
def leave_charges(g: Any, i: Any, x: Any, y: Any) -> None:
    """Move away from the charges; once the unit has, they go off in the next step E (AWI-T-EXP-01).

    It goes on until it is clear of the blast, or leaves it at one move when the enemy is near.
    """
    u = g.u[i]
    old_x, old_y, old_face = u.x, u.y, u.face
    if fall_back_facing(g, i, move_rate(u)) <= 0.0:
        step_towards(g, i, find_bearing(u.x - x, u.y - y), move_rate(u))
    distance = structure_gap(g, i, u.task_at)
    stuck = u.x == old_x and u.y == old_y and u.face == old_face
    if distance <= AT_WORK:
        return
    if stuck or distance > BLAST_RADIUS + u.laid - 1.0 or enemy_near(g, i):
        u.fuse = 1


@jit
def do_task(g: Any, i: Any) -> Any:
    """The move of a unit with a task: to the structure, work, away. False when it is free to fight."""
    u = g.u[i]
    if is_done(g, i):
        u.task, u.laid = NO_TASK, 0
        return False
    s = u.task_at
    x, y = structure_spot(g, s)
    if u.task == DEMOLISH and has_laid_all(g, i):
        leave_charges(g, i, x, y)
        return True
    if enemy_near(g, i):
        return False
    distance = structure_gap(g, i, s)
    if distance > AT_WORK:
        want = move_rate(u)
        step_towards_work(g, i, x, y, distance if distance < want else want)
    elif u.task == DEMOLISH:
        lay_charge(g, i)
    else:
        dig(g, i)
    return True


@jit
def step_towards_work(g: Any, i: Any, x: Any, y: Any, want: Any) -> None:
    """Go to the structure, by a bridge or ford when water bars the way; the last of it straight."""
    if want >= move_rate(g.u[i]):
        head_for_spot(g, i, x, y, 0.0, want)
    else:
        step_towards(g, i, find_bearing(x - g.u[i].x, y - g.u[i].y), want)


@jit
def follow_party(g: Any, w: Any) -> Any:
    """A wagon goes with the nearest party of its side that still needs one; False when none does."""
    best, nearest = -1, 1.0e18
    for i in range(g.n):
        u = g.u[i]
        if u.side != g.u[w].side or u.place != ON_TABLE or u.task == NO_TASK:
            continue
        if centre_gap2(g, w, i) < nearest:
            best, nearest = i, centre_gap2(g, w, i)
    if best < 0:
        return False
    if wagon_for(g, best, 1 if g.u[best].task == DEMOLISH else 0) != w:
        head_for_spot(g, w, g.u[best].x, g.u[best].y, BEHIND_PARTY, move_rate(g.u[w]))
    return True
