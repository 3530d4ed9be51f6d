"""Order of troops, state of guns, loss of stands, and the rectangle a unit is (REG-UNI-01 to 04)."""

import math
from typing import Any

from battles.engine.compile import jit
from battles.rulesets.regimental.footprints import ranks_of
from battles.rulesets.regimental.recording import (
    DAMAGED,
    ELIMINATED,
    R_NONE,
    RECOVERS,
    ROUTS,
    SHAKES,
    SILENCED,
    SP_LOST,
    note_event,
    note_plain,
)
from battles.rulesets.regimental.records import (
    BROKEN,
    DISORDERED,
    FOOT,
    FRESH,
    GOOD,
    GUNS,
    HORSE,
    ON_TABLE,
    REMOVED,
    SPENT,
    WORN,
)


@jit
def is_troops(u: Any) -> Any:
    """Foot or horse."""
    return u.class_ == FOOT or u.class_ == HORSE


@jit
def is_formed(u: Any) -> Any:
    """Troops on the table that are not broken."""
    return u.place == ON_TABLE and u.order_ != BROKEN and (u.class_ == FOOT or u.class_ == HORSE)


#: (stands abreast, stands deep, places abreast) of a number of stands in a formation.
ranks = jit(ranks_of)


@jit
def write_footprint(g: Any, i: Any) -> None:
    """Write the rectangle a unit has now: of its stands in formation, or its building's (REG-DEF-01)."""
    u = g.u[i]
    if u.inside >= 0:
        u.half_width, u.half_depth = g.structures[u.inside].half_width, g.structures[u.inside].half_depth
    else:
        stands = u.stands if u.stands > 0 else 1
        _, deep, places = ranks(stands, u.form)
        u.half_width, u.half_depth = places * u.front * 0.5, deep * u.depth_ * 0.5
    u.reach = math.sqrt(u.half_width * u.half_width + u.half_depth * u.half_depth)


@jit
def find_condition(g: Any, u: Any) -> Any:
    """FRESH, WORN or SPENT by the stands that are left; who began with one is fresh (REG-UNI-03)."""
    if u.stands_start <= 1:
        return FRESH
    if u.stands * g.o.spent_bottom <= u.stands_start * g.o.spent_top:
        return SPENT
    if u.stands * g.o.worn_bottom <= u.stands_start * g.o.worn_top:
        return WORN
    return FRESH


@jit
def take_off(g: Any, i: Any, place: Any) -> None:
    """Take a unit off the table; leaders with it stay where it was."""
    u = g.u[i]
    for k in range(g.leaders_n):
        if g.leaders[k].unit == i:
            g.leaders[k].unit, g.leaders[k].x, g.leaders[k].y = -1, u.x, u.y
    u.place, u.charges, u.inside = place, -1, -1


@jit
def lose_stands(g: Any, i: Any, count: Any) -> Any:
    """Take stands off troops; what it has not got is ignored (REG-FIR-07). Returns how many were taken."""
    u = g.u[i]
    taken = count if count < u.stands else u.stands
    if taken <= 0:
        return 0
    u.stands -= taken
    u.lost += taken
    note_event(g, SP_LOST, i, -1, 0, 0, 0, taken, R_NONE)
    if u.stands == 0:
        note_plain(g, ELIMINATED, i, -1)
        take_off(g, i, REMOVED)
    else:
        write_footprint(g, i)
    return taken


@jit
def disorder_troops(g: Any, i: Any) -> Any:
    """Disorder troops in good order; 1 when they were, 0 for all others (REG-UNI-02)."""
    u = g.u[i]
    if not is_troops(u) or u.order_ != GOOD or u.place != ON_TABLE:
        return 0
    u.order_ = DISORDERED
    note_plain(g, SHAKES, i, -1)
    return 1


@jit
def break_troops(g: Any, i: Any) -> None:
    """Troops break: they neither fire nor charge nor hold ground any more (REG-UNI-02)."""
    u = g.u[i]
    u.charges = -1
    if is_troops(u) and u.order_ != BROKEN and u.place == ON_TABLE:
        u.order_ = BROKEN
        note_plain(g, ROUTS, i, -1)


@jit
def restore_order(g: Any, i: Any, order: Any) -> None:
    """Bring troops back to an order (REG-MAN-07, REG-MAN-08)."""
    u = g.u[i]
    if u.order_ != order:
        u.order_ = order
        note_plain(g, RECOVERS if order == GOOD else SHAKES, i, -1)


@jit
def count_sound_stands(u: Any) -> Any:
    """Gun stands that are neither damaged nor silenced."""
    return u.stands - u.damaged - u.silent - u.silent_damaged


@jit
def count_bearing_stands(u: Any) -> Any:
    """Gun stands that are not silenced."""
    return u.stands - u.silent - u.silent_damaged


@jit
def is_silenced(u: Any) -> Any:
    """True for a battery of which no stand may fire."""
    return u.class_ == GUNS and count_bearing_stands(u) == 0


@jit
def wreck_stands(g: Any, i: Any, count: Any) -> Any:
    """Remove gun stands, the least useful first; returns how many were taken (REG-UNI-02)."""
    u = g.u[i]
    taken = count if count < u.stands else u.stands
    for _ in range(taken):
        if u.silent_damaged > 0:
            u.silent_damaged -= 1
        elif u.damaged > 0:
            u.damaged -= 1
        elif u.silent > 0:
            u.silent -= 1
        u.stands -= 1
        u.lost += 1
    if taken > 0:
        if u.low > u.stands:
            u.low = u.stands
        note_event(g, SP_LOST, i, -1, 0, 0, 0, taken, R_NONE)
        if u.stands == 0:
            note_plain(g, ELIMINATED, i, -1)
            take_off(g, i, REMOVED)
        else:
            write_footprint(g, i)
    return taken


@jit
def damage_one(g: Any, i: Any) -> None:
    """Damage one gun stand, which is silenced too; damaged twice it is wrecked (REG-FIR-07, REG-UNI-02)."""
    u = g.u[i]
    if count_sound_stands(u) > 0:
        u.silent_damaged += 1
    elif u.silent > 0:
        u.silent -= 1
        u.silent_damaged += 1
    else:
        wreck_stands(g, i, 1)
        return
    note_plain(g, DAMAGED, i, -1)


@jit
def silence_stands(g: Any, i: Any, count: Any) -> Any:
    """Silence gun stands, sound ones first; returns how many (REG-FIR-07)."""
    u = g.u[i]
    done = 0
    while done < count and count_bearing_stands(u) > 0:
        if count_sound_stands(u) > 0:
            u.silent += 1
        else:
            u.damaged -= 1
            u.silent_damaged += 1
        done += 1
    if done > 0:
        note_event(g, SILENCED, i, -1, 0, 0, 0, done, R_NONE)
    return done


@jit
def silence_all(g: Any, i: Any) -> Any:
    """Silence every gun stand that may still fire."""
    return silence_stands(g, i, g.u[i].stands)


@jit
def rally_guns(u: Any) -> None:
    """Silenced stands may fire again (REG-GUN-01)."""
    u.damaged += u.silent_damaged
    u.silent = u.silent_damaged = 0
