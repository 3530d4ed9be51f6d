"""Effects of a maneuver check on a unit, and the dice of a brigade (REG-MAN-01, 02, 05 to 08)."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.dice import roll_d6
from battles.rulesets.regimental.bases import nearest_enemy
from battles.rulesets.regimental.cover import is_fortified
from battles.rulesets.regimental.maneuver import (
    brigade_is_hurt,
    maneuver_modifier,
    result_of,
    stands_in_panic,
)
from battles.rulesets.regimental.recording import MANEUVER, R_MANEUVER, note_dice
from battles.rulesets.regimental.records import (
    BROKEN,
    DISORDERED,
    DOUBLE_QUICK,
    FALL_BACK,
    FIRE_ONLY,
    FIXED,
    GOOD,
    GUNS,
    HEAVY,
    INDIAN,
    MAY_BE_TARDY,
    MAY_BE_WELL,
    NOTHING,
    ON_TABLE,
    PANIC,
    RALLY,
    RALLY_WITH_ELAN,
    ROUT,
    SHAKEN,
    TARDY,
    UNLIMBERED,
    WAGONS,
    WAVERING,
    WELL_HANDLED,
)
from battles.rulesets.regimental.retreating import full_retreat, in_close_range, out_of_close_range
from battles.rulesets.regimental.states import (
    break_troops,
    disorder_troops,
    lose_stands,
    restore_order,
    silence_all,
    wreck_stands,
)


@jit
def may_hold(g: Any, i: Any) -> Any:
    """True for a unit that need not give way: out of close range, or fortified (REG-MAN-06 to 08)."""
    if not in_close_range(g, i):
        return True
    j = nearest_enemy(g, i)
    return g.works_n > 0 and is_fortified(g, g.u[i], g.u[j].x, g.u[j].y)


@jit
def guns_flee(g: Any, i: Any) -> None:
    """Guns limber and make a full retreat silenced (REG-MAN-05, REG-MAN-06)."""
    silence_all(g, i)
    full_retreat(g, i)


@jit
def falls_back(g: Any, i: Any) -> None:
    """Fall Back: hold and fire only, or retreat out of close range in disorder (REG-MAN-06)."""
    u = g.u[i]
    if may_hold(g, i):
        u.may, u.fires = FIRE_ONLY, 1
    elif u.class_ == GUNS:
        if u.form == UNLIMBERED and u.carriage in (HEAVY, FIXED):
            wreck_stands(g, i, u.stands)
        else:
            guns_flee(g, i)
    elif u.class_ == WAGONS:
        full_retreat(g, i)
    else:
        disorder_troops(g, i)
        out_of_close_range(g, i)


@jit
def apply_panic(g: Any, i: Any) -> None:
    """Panic in good order: troops run broken, guns get away silenced, fixed ones are lost (REG-MAN-05)."""
    u = g.u[i]
    if u.class_ == GUNS:
        if u.carriage == FIXED:
            wreck_stands(g, i, u.stands)
        else:
            guns_flee(g, i)
    else:
        break_troops(g, i)
        full_retreat(g, i)


@jit
def apply_rout(g: Any, i: Any, stands: Any) -> None:
    """Panic of the disordered or broken: they lose the difference of the dice and run (REG-MAN-07)."""
    lose_stands(g, i, stands)
    if g.u[i].place == ON_TABLE:
        break_troops(g, i)
        full_retreat(g, i)


@jit
def apply_result(g: Any, i: Any, result: Any, coloured: Any, white: Any) -> None:
    """Let the result of a check happen to unit i, and say what it may still do (REG-MAN-05 to 08)."""
    u = g.u[i]
    u.result, u.may, u.quick = result, NOTHING, 0
    if result == DOUBLE_QUICK:
        u.may, u.quick = MAY_BE_WELL, 1
    elif result == WELL_HANDLED:
        u.may = MAY_BE_WELL
    elif result == TARDY:
        u.may = MAY_BE_TARDY
    elif result == FALL_BACK:
        falls_back(g, i)
    elif result == PANIC:
        apply_panic(g, i)
    elif result == RALLY_WITH_ELAN:
        restore_order(g, i, GOOD)
        u.may = MAY_BE_WELL
    elif result == RALLY:
        restore_order(g, i, GOOD)
        u.may = MAY_BE_TARDY
    elif result == ROUT:
        apply_rout(g, i, stands_in_panic(coloured, white))
    elif result in (SHAKEN, WAVERING):
        restore_order(g, i, GOOD if result == SHAKEN else DISORDERED)
        if may_hold(g, i):
            u.may = FIRE_ONLY
        else:
            out_of_close_range(g, i)


@jit
def rolls_alone(g: Any, u: Any) -> Any:
    """True for units that roll alone: Indians, those of no brigade, all by option (REG-MAN-02, REG-
    SPC-05).
    """
    return u.nation == INDIAN or u.brigade < 0 or g.o.rolls_once == 0


@jit
def is_of_group(g: Any, i: Any, head: Any) -> Any:
    """True for who shares the dice of unit `head`: its brigade's troops, or its guns (REG-MAN-02)."""
    u, h = g.u[i], g.u[head]
    if i == head:
        return True
    if u.side != h.side or u.place != ON_TABLE or u.brigade != h.brigade:
        return False
    if rolls_alone(g, u) or rolls_alone(g, h):
        return False
    return (u.class_ in (GUNS, WAGONS)) == (h.class_ in (GUNS, WAGONS))


@jit
def check_group(g: Any, head: Any) -> Any:
    """One pair of dice for the group of unit `head`, each unit with modifiers of its own (REG-MAN-02).

    All are reckoned before any of them moves. Returns how many have checked; they stand in `order`.
    """
    coloured, white = roll_d6(g), roll_d6(g)
    count = 0
    side = g.u[head].side
    for i in range(g.first[side], g.past[side]):
        if g.u[i].place == ON_TABLE and g.u[i].result < 0 and is_of_group(g, i, head):
            g.order[count] = i
            g.value[count] = maneuver_modifier(g, i)
            count += 1
    for k in range(count):
        i = g.order[k]
        modifier = int(g.value[k])
        result = result_of(g.u[i], coloured, white, modifier)
        total = coloured - white + modifier
        note_dice(g, MANEUVER, i, -1, coloured, white, modifier, total, R_MANEUVER + result)
        apply_result(g, i, result, coloured, white)
    return count


@jit
def begin_turn(g: Any, side: Any) -> None:
    """Forget what units of a side did in their last turn; reckon heavy casualties (REG-MAN-04)."""
    for i in range(g.first[side], g.past[side]):
        u = g.u[i]
        if u.side != side:
            continue
        u.result, u.may, u.quick, u.moved, u.fires, u.about_faced = -1, NOTHING, 0, 0, 0, 0
        u.cold_steel, u.countercharges, u.checked, u.charges = 0, 0, 0, -1
        u.over_rough, u.over_open, u.fought = 0, 0, 0
    for b in range(g.brigades_n):
        if g.brigades[b].side == side:
            g.brigades[b].heavy = 1 if brigade_is_hurt(g, b) else 0


@jit
def is_ready(u: Any) -> Any:
    """True for who may still do something in this turn."""
    return u.place == ON_TABLE and u.order_ != BROKEN and u.may != NOTHING
