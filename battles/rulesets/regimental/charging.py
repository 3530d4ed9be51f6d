"""The charge table: modifiers, results, losses (REG-CHG-01 to 10)."""

from typing import Any

from battles.engine.compile import jit
from battles.rulesets.regimental.bases import is_within
from battles.rulesets.regimental.records import (
    BROKEN,
    DESPERATE,
    DISMOUNTED,
    DISORDERED,
    DRIVEN_BACK,
    EXTENDED,
    FALTER,
    FOOT,
    FRESH,
    GOOD,
    HARD_PRESSED,
    HORSE,
    LIMBERED,
    MARCH_COLUMN,
    ON_TABLE,
    RECOIL,
    REPULSED,
    SPENT,
    SWEPT,
)
from battles.rulesets.regimental.states import find_condition, is_silenced, is_troops
from battles.rulesets.regimental.tables import CHARGE, MORE_BEYOND, ROUTED_STANDS, SUPPORT

_AT = {name: place for place, name in enumerate(CHARGE)}
FRESH_AT, WORN_AT, SPENT_AT = _AT["fresh"], _AT["worn"], _AT["spent"]
TWICE, THRICE = _AT["outnumbered_2_to_1"], _AT["outnumbered_3_to_1"]
SUPPORTED, UNSUPPORTED = _AT["supported_guns"], _AT["unsupported_guns"]
LOOSE, CAUGHT = _AT["extended_line_or_militia"], _AT["outflanked_broken_march_column_or_limbered_guns"]
GROUND_AT, POSITION_AT = _AT["defending_favorable_ground"], _AT["strong_position_or_fortified"]
STEEL, LED = _AT["cold_steel_or_breakthrough_charge"], _AT["brave_colonel_or_leader_attached"]
HORSE_IN_OPEN = _AT["cavalry_charge_over_open_ground_not_mounted_infantry"]
SHAKEN_AT = _AT["disordered_troops_or_silenced_guns"]
#: What a defender stands on.
PLAIN, FAVORABLE, STRONG, BOTH = 0, 1, 2, 3


@jit
def has_support(g: Any, i: Any) -> Any:
    """True for guns with friendly troops in good order within 2 inches (REG-CHG-02)."""
    u = g.u[i]
    for j in range(g.first[u.side], g.past[u.side]):
        b = g.u[j]
        if b.side != u.side or j == i or b.place != ON_TABLE or not is_troops(b) or b.order_ != GOOD:
            continue
        if is_within(g, i, j, SUPPORT):
            return True
    return False


@jit
def ratio_of(own: Any, theirs: Any) -> Any:
    """1, 2 or 3 by how many times troops are outnumbered; guns alone have no troop stands (REG-CHG-02)."""
    if own <= 0 or theirs < 2 * own:
        return 1
    return 3 if theirs >= 3 * own else 2


@jit
def ground_worth(g: Any, ground: Any) -> Any:
    """Modifier of the ground defended: the better of the two lines, or both by the option (REG-CHG-02)."""
    if ground == BOTH:
        better = g.t.charge[POSITION_AT]
        return better + g.t.charge[GROUND_AT] if g.o.position_adds == 1 else better
    if ground == STRONG:
        return g.t.charge[POSITION_AT]
    return g.t.charge[GROUND_AT] if ground == FAVORABLE else 0


@jit
def is_mounted(u: Any) -> Any:
    """Horse in the saddle."""
    return u.class_ == HORSE and u.form != DISMOUNTED


@jit
def charge_modifier(
    g: Any, i: Any, ratio: Any, ground: Any, steel: Any, horse_in_open: Any, outflanked: Any, led: Any
) -> Any:
    """Modifiers of unit i in a charge combat, each line once (REG-CHG-02).

    `ratio` is by how many times its side is outnumbered, `steel` 1 with cold steel or in a breakthrough.
    """
    u, m = g.u[i], g.t.charge
    total = g.t.rating[u.rating] + ground_worth(g, ground)
    if is_troops(u):
        left = find_condition(g, u)
        if left == FRESH:
            total += m[FRESH_AT]
        elif left == SPENT:
            total += m[SPENT_AT]
        else:
            total += m[WORN_AT]
        if u.form in (EXTENDED, DISMOUNTED) or u.militia == 1:
            total += m[LOOSE]
    else:
        total += m[SUPPORTED] if has_support(g, i) else m[UNSUPPORTED]
    if ratio >= 3:
        total += m[THRICE]
    elif ratio == 2:
        total += m[TWICE]
    if outflanked == 1 or u.order_ == BROKEN or u.form in (MARCH_COLUMN, LIMBERED):
        total += m[CAUGHT]
    if steel == 1:
        total += m[STEEL]
    if led == 1:
        total += m[LED]
    if horse_in_open == 1 and is_mounted(u):
        total += m[HORSE_IN_OPEN]
    if u.order_ == DISORDERED or is_silenced(u):
        total += m[SHAKEN_AT]
    return total


@jit
def charge_result(difference: Any) -> Any:
    """The row for the attacker's total less the defender's (REG-CHG-01)."""
    if difference >= 6:
        return SWEPT
    if difference >= 3:
        return DRIVEN_BACK
    if difference >= 1:
        return HARD_PRESSED
    if difference == 0:
        return DESPERATE
    if difference >= -2:
        return FALTER
    return RECOIL if difference >= -5 else REPULSED


@jit
def count_routed_stands(difference: Any) -> Any:
    """Stands lost when swept or repulsed: two, and one for each point over seven (REG-CHG-04, REG-CHG-10)."""
    over = abs(difference) - MORE_BEYOND
    return ROUTED_STANDS + (over if over > 0 else 0)


@jit
def stands_of_defender(result: Any, difference: Any) -> Any:
    """Stands a result takes from a defender in good order who is neither outflanked nor beaten by horse."""
    if result == SWEPT:
        return count_routed_stands(difference)
    return 1 if result in (DRIVEN_BACK, DESPERATE) else 0


@jit
def stands_of_attacker(result: Any, difference: Any) -> Any:
    """Stands a result takes from an attacker in good order who is neither outflanked nor beaten by horse."""
    if result == REPULSED:
        return count_routed_stands(difference)
    return 1 if result in (RECOIL, DESPERATE) else 0


@jit
def may_use_steel(u: Any) -> Any:
    """True for who may declare cold steel: foot with bayonets that is not broken (REG-CHG-03, REG-SPC-02)."""
    return u.bayonets == 1 and u.class_ == FOOT and u.order_ != BROKEN
