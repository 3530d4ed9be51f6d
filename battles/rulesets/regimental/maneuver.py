"""The maneuver check: modifiers, the two dice, and what the table says (REG-MAN-01 to 05, 07, 09)."""

from typing import Any

from battles.engine.compile import jit
from battles.rulesets.regimental.bases import far_apart, is_behind_front, is_within, nearest_enemy
from battles.rulesets.regimental.command import command_status, is_led, wounds_of
from battles.rulesets.regimental.cover import has_linear_cover, in_growth
from battles.rulesets.regimental.records import (
    BROKEN,
    DOUBLE_QUICK,
    FALL_BACK,
    FIELD_COLUMN,
    FRESH,
    GARRISON,
    GOOD,
    GUNS,
    IN_COMMAND,
    INDIAN,
    LIMBERED,
    MARCH_COLUMN,
    ON_TABLE,
    OUT_OF_COMMAND,
    PANIC,
    RALLY,
    RALLY_WITH_ELAN,
    ROUT,
    SHAKEN,
    SPENT,
    TARDY,
    WAGONS,
    WAVERING,
    WELL_HANDLED,
)
from battles.rulesets.regimental.sight import can_see
from battles.rulesets.regimental.states import find_condition, is_formed, is_silenced, is_troops
from battles.rulesets.regimental.tables import (
    BATTALION_GUN,
    MANEUVER,
    OUTFLANKED,
    PANIC_BELOW,
    TARDY_FROM,
    WELL_FROM,
)

#: Places of the modifiers in the record, in the order of the sheet.
_AT = {name: place for place, name in enumerate(MANEUVER)}
LED, OUT, IN, FRESH_AT = (
    _AT["attached_leader_or_brave_colonel"],
    _AT["out_of_command"],
    _AT["in_command"],
    _AT["fresh_troops_or_artillery_battery"],
)
SPENT_AT, GUN_NEAR, HEAVY_LOSSES = (
    _AT["spent"],
    _AT["troops_with_battalion_gun_within_2in"],
    _AT["heavy_casualties"],
)
COLUMN_OR_COVER = _AT["field_or_march_column_garrison_limbered_gun_or_linear_cover"]
HARD_PRESSED_AT = _AT["outflanked_within_8in_or_broken"]
NATIVE_IN_WOODS, NATIVE_IN_OPEN = _AT["indians_in_woods_or_forest"], _AT["indians_in_open"]


@jit
def is_outflanked(g: Any, i: Any) -> Any:
    """True when a formed enemy in sight within 8 inches is behind the line of its front (REG-MAN-03)."""
    u = g.u[i]
    if u.inside >= 0:
        return False
    for j in range(g.first[1 - u.side], g.past[1 - u.side]):
        b = g.u[j]
        if b.side == u.side or not is_formed(b) or far_apart(g, i, j, OUTFLANKED):
            continue
        if is_behind_front(u, b.x, b.y) and is_within(g, i, j, OUTFLANKED) and can_see(g, i, j):
            return True
    return False


@jit
def has_battalion_gun(g: Any, i: Any) -> Any:
    """True when a light gun of its brigade that is not silenced is within 2 inches (REG-LDR-05)."""
    u = g.u[i]
    for j in range(g.first[u.side], g.past[u.side]):
        b = g.u[j]
        if b.battalion_gun == 0 or b.side != u.side or b.place != ON_TABLE or b.brigade != u.brigade:
            continue
        if not is_silenced(b) and is_within(g, i, j, BATTALION_GUN):
            return True
    return False


@jit
def brigade_is_hurt(g: Any, b: Any) -> Any:
    """True when more than half of a brigade's stands are lost or in spent or broken units (REG-MAN-04)."""
    e = g.brigades[b]
    gone = 0
    for i in range(g.first[e.side], g.past[e.side]):
        u = g.u[i]
        if u.brigade != b or not is_troops(u):
            continue
        gone += u.lost + u.captured
        if u.place == ON_TABLE and (u.order_ == BROKEN or find_condition(g, u) == SPENT):
            gone += u.stands
    return 2 * gone > e.stands_start


@jit
def in_column_or_cover(g: Any, i: Any) -> Any:
    """True for columns, garrisons, limbered guns, and who has a line before him (REG-MAN-03)."""
    u = g.u[i]
    if u.form in (FIELD_COLUMN, MARCH_COLUMN, GARRISON, LIMBERED) or u.inside >= 0:
        return True
    if g.works_n == 0:
        return False
    j = nearest_enemy(g, i)
    return j >= 0 and has_linear_cover(g, u, g.u[j].x, g.u[j].y)


@jit
def maneuver_modifier(g: Any, i: Any) -> Any:
    """The modifiers of unit i's maneuver check, each line once (REG-MAN-03)."""
    u, m = g.u[i], g.t.maneuver
    total = g.t.rating[u.rating] - wounds_of(g, i)
    if is_led(g, i):
        total += m[LED]
    command = command_status(g, i)
    if command == IN_COMMAND:
        total += m[IN]
    elif command == OUT_OF_COMMAND:
        total += m[OUT]
    if u.class_ == GUNS:
        if g.o.batteries_fresh == 1:
            total += m[FRESH_AT]
    elif is_troops(u):
        left = find_condition(g, u)
        if left == FRESH:
            total += m[FRESH_AT]
        elif left == SPENT:
            total += m[SPENT_AT]
        if has_battalion_gun(g, i):
            total += m[GUN_NEAR]
    if u.brigade >= 0 and g.brigades[u.brigade].heavy == 1:
        total += m[HEAVY_LOSSES]
    if in_column_or_cover(g, i):
        total += m[COLUMN_OR_COVER]
    if u.order_ == BROKEN or is_outflanked(g, i):
        total += m[HARD_PRESSED_AT]
    if u.nation == INDIAN and is_troops(u):
        total += m[NATIVE_IN_WOODS] if in_growth(g, u) > 0 else m[NATIVE_IN_OPEN]
    return total


@jit
def result_in_order(total: Any, doubles: Any) -> Any:
    """The column of good order and guns (REG-MAN-05, REG-MAN-06)."""
    if total >= WELL_FROM:
        return DOUBLE_QUICK
    if total >= TARDY_FROM:
        return WELL_HANDLED
    if total < PANIC_BELOW:
        return PANIC
    return FALL_BACK if doubles else TARDY


@jit
def result_in_disorder(total: Any, doubles: Any) -> Any:
    """The column of the disordered and broken (REG-MAN-07, REG-MAN-08)."""
    if total >= WELL_FROM:
        return RALLY_WITH_ELAN
    if total >= TARDY_FROM:
        return RALLY
    if total < PANIC_BELOW:
        return ROUT
    return WAVERING if doubles else SHAKEN


@jit
def result_of(u: Any, coloured: Any, white: Any, modifier: Any) -> Any:
    """The result of a unit's check; guns always use the column of good order (REG-MAN-01, REG-MAN-09)."""
    total, doubles = coloured - white + modifier, coloured == white
    if u.order_ == GOOD or u.class_ in (GUNS, WAGONS):
        return result_in_order(total, doubles)
    return result_in_disorder(total, doubles)


@jit
def stands_in_panic(coloured: Any, white: Any) -> Any:
    """Stands that the disordered lose in a panic: the difference of the dice as thrown (REG-MAN-07)."""
    return abs(coloured - white)
