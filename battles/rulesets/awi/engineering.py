"""Field engineering and explosive charges (AWI-T-ENG-01, AWI-T-EXP-01, AWI-T-EXP-02).

The workers stand at the structure, and a wagon within a wagon's move of them gives tools or powder
(our ruling on where it must be).
"""

import math
from typing import Any

from battles.engine.bases import LITTLE, half_depth, half_width, measure_gap
from battles.engine.compile import jit
from battles.engine.dice import roll_d6
from battles.engine.dtypes import (
    BRIDGE,
    BUILD,
    BUILDING,
    DEMOLISH,
    DISMANTLE,
    NO_TASK,
    ON_TABLE,
    STEADY,
)
from battles.engine.geometry import find_bearing, rectangle_gap
from battles.engine.recording import (
    BLAST,
    BLAST_DICE,
    BUILDS,
    DIGGING_LOST,
    DISMANTLES,
    EXPLOSION,
    LAYS_CHARGE,
    R_HIT,
    R_MISS,
    R_NONE,
    note_event,
    note_plain,
)
from battles.rulesets.awi.fire import apply_fire_result
from battles.rulesets.awi.works import bring_down_structure, shelter_factor

#: Inches within which workers touch a structure, and within which a wagon serves them.
AT_WORK, WAGON_REACH = 0.6, 6.0
#: Inches about one charge in which bystanders are rolled for, one more for each further charge.
BLAST_RADIUS = 3.0


@jit
def gap_to_work(g: Any, i: Any, k: Any) -> Any:
    """Inches from unit i to a straight work, as a rectangle without depth."""
    u, w = g.u[i], g.works[k]
    dx, dy = w.x1 - w.x0, w.y1 - w.y0
    length = math.sqrt(dx * dx + dy * dy)
    x, y = (w.x0 + w.x1) / 2.0, (w.y0 + w.y1) / 2.0
    return rectangle_gap(
        u.x, u.y, u.face, half_width(u), half_depth(u), x, y, find_bearing(dx, dy), 0.0, length / 2.0
    )


@jit
def structure_gap(g: Any, i: Any, s: Any) -> Any:
    """Inches from unit i to the nearest point of structure s."""
    u, b = g.u[i], g.structures[s]
    if u.inside == s:
        return 0.0
    if b.kind_ == BUILDING or b.kind_ == BRIDGE:
        return rectangle_gap(
            u.x, u.y, u.face, half_width(u), half_depth(u), b.x, b.y, b.face, b.half_width, b.half_depth
        )
    best = 1.0e9
    for k in range(g.works_n):
        if g.works[k].structure == s:
            distance = gap_to_work(g, i, k)
            if distance < best:
                best = distance
    return best


@jit
def structure_spot(g: Any, s: Any) -> Any:
    """(x, y) of the middle of a structure."""
    b = g.structures[s]
    if b.kind_ == BUILDING or b.kind_ == BRIDGE:
        return b.x, b.y
    x, y, count = 0.0, 0.0, 0
    for k in range(g.works_n):
        w = g.works[k]
        if w.structure == s:
            x, y, count = x + w.x0 + w.x1, y + w.y0 + w.y1, count + 2
    return (x / count, y / count) if count > 0 else (b.x, b.y)


@jit
def wagon_for(g: Any, i: Any, powder: Any) -> Any:
    """A wagon that has tools free for unit i, or powder, and stands near enough; -1 for none."""
    for w in range(g.n):
        u = g.u[w]
        if u.wagon == 0 or u.side != g.u[i].side or u.place != ON_TABLE:
            continue
        if u.immobile == 1 or u.mood != STEADY or (u.powder if powder == 1 else u.tools) == 0:
            continue
        if measure_gap(g, i, w) <= WAGON_REACH + LITTLE:
            return w
    return -1


@jit
def may_work(g: Any, i: Any) -> Any:
    """Steady, its move before it, and at the structure it is to work on."""
    u = g.u[i]
    if u.place != ON_TABLE or u.mood != STEADY or u.busy == 1 or u.moved == 1 or u.spent > 0.0:
        return False
    return structure_gap(g, i, u.task_at) <= AT_WORK + LITTLE


@jit
def use_move(g: Any, i: Any) -> None:
    """The whole move goes into the work; a field where men dig is not quiet."""
    g.u[i].spent = g.u[i].rate_line + g.u[i].rate_column
    g.quiet = 0


@jit
def dig(g: Any, i: Any) -> Any:
    """Work with a wagon's tools for this move; the unit does not fire. False when it cannot."""
    w = wagon_for(g, i, 0) if may_work(g, i) else -1
    if w < 0:
        return False
    g.u[w].tools, g.u[i].digging = 0, 1
    use_move(g, i)
    return True


@jit
def lay_charge(g: Any, i: Any) -> Any:
    """Lay one charge of a wagon's powder, which takes the whole move. False when it cannot."""
    w = wagon_for(g, i, 1) if may_work(g, i) else -1
    if w < 0:
        return False
    g.u[w].powder -= 1
    g.u[i].laid += 1
    note_event(g, LAYS_CHARGE, i, g.u[i].task_at, 0, 0, 0, g.u[i].laid, R_NONE)
    use_move(g, i)
    return True


@jit
def apply_digging(g: Any, i: Any) -> None:
    """Apply an undisturbed move of work: half an SP built, or one pulled down."""
    u = g.u[i]
    b = g.structures[u.task_at]
    if u.task == DISMANTLE and b.sp > 0:
        b.sp -= 1
        note_event(g, DISMANTLES, i, u.task_at, 0, 0, 0, b.sp, R_NONE)
        if b.sp == 0:
            bring_down_structure(g, u.task_at)
    elif u.task == BUILD and b.sp < b.sp_full:
        b.sp += u.laid
        u.laid = 1 - u.laid
        note_event(g, BUILDS, i, u.task_at, 0, 0, u.laid, b.sp, R_NONE)


@jit
def count_work(g: Any) -> None:
    """Count the moving side's work of its last turn before it moves again (AWI-T-ENG-01).

    Who was shaken or charged since has stopped digging, and a half-done SP is lost.
    """
    g.step = 3
    for i in range(g.n):
        u = g.u[i]
        if u.side != g.mover:
            continue
        if u.wagon == 1:
            u.tools = 1
        if u.task != BUILD and u.task != DISMANTLE:
            continue
        if u.digging == 1 and u.place == ON_TABLE:
            apply_digging(g, i)
        elif u.laid == 1:
            u.laid = 0
            note_plain(g, DIGGING_LOST, i, u.task_at)
        u.digging = 0


@jit
def blast_units(g: Any, s: Any, radius: Any) -> None:
    """Every unit within the radius is rolled for as if fired at, with no factor but cover."""
    x, y = structure_spot(g, s)
    for j in range(g.n):
        u = g.u[j]
        if u.place != ON_TABLE or structure_gap(g, j, s) > radius + LITTLE:
            continue
        modifier = shelter_factor(g, x, y, j)
        one = roll_d6(g)
        two = roll_d6(g)
        total = one + two + modifier
        note_event(g, BLAST, j, s, one, two, modifier, total, R_HIT if total >= 7 else R_MISS)
        apply_fire_result(g, j, -1, total)


@jit
def explode_charges(g: Any, i: Any) -> None:
    """Set off all charges unit i has laid: more than the structure's SP on the dice destroys it."""
    u = g.u[i]
    s, charges = u.task_at, u.laid
    u.laid, u.fuse = 0, 0
    b = g.structures[s]
    if b.sp <= 0:
        return
    one = roll_d6(g)
    two = roll_d6(g)
    total = one + two
    note_event(g, BLAST_DICE, i, s, one, two, 0, total, R_NONE)
    for _ in range(charges - 1):
        die = roll_d6(g)
        total += die
        note_event(g, BLAST_DICE, i, s, die, 0, 0, total, R_NONE)
    destroyed = total > b.sp
    note_event(g, EXPLOSION, i, s, 0, 0, 0, b.sp, R_HIT if destroyed else R_MISS)
    blast_units(g, s, BLAST_RADIUS + (charges - 1))
    if destroyed:
        b.sp = 0
        u.task = NO_TASK
        bring_down_structure(g, s)


@jit
def explode_due_charges(g: Any) -> None:
    """Charges whose layers have moved away go off in the firing phase that follows (AWI-T-EXP-01)."""
    for i in range(g.n):
        u = g.u[i]
        if u.fuse == 1 and u.side == g.mover and u.task == DEMOLISH:
            explode_charges(g, i)
