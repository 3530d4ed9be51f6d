"""A fire combat as a whole: all who fire at one target, the dice, what they do (REG-FIR-01, 07 to 11)."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.dice import roll_d6
from battles.engine.geometry import find_bearing, turn_between
from battles.rulesets.regimental.bases import is_within
from battles.rulesets.regimental.fire import (
    bears_on,
    checks_charge,
    effect_on,
    firer_modifier,
    in_close_range_of,
    is_cannon,
    is_enfilading,
    is_keen,
    line_to,
    may_fire,
    next_lower_effect,
    points_modifier,
    stands_bearing,
    target_modifier,
)
from battles.rulesets.regimental.leaders import leaders_under_fire
from battles.rulesets.regimental.recording import (
    CHARGE_CHECKED,
    FIRE,
    FIRE_DICE,
    LOW_ON_AMMO,
    MASSED,
    R_EFFECT,
    R_HIT,
    R_MISS,
    note_dice,
    note_plain,
)
from battles.rulesets.regimental.records import (
    DESULTORY,
    DISORDERED,
    GALLING,
    GOOD,
    GUNS,
    LIVELY,
    MARCH_COLUMN,
    MASS,
    ON_TABLE,
    RAW,
    WITHERING,
)
from battles.rulesets.regimental.retreating import back_off
from battles.rulesets.regimental.states import (
    damage_one,
    disorder_troops,
    is_troops,
    lose_stands,
    silence_all,
    silence_stands,
    wreck_stands,
)
from battles.rulesets.regimental.tables import EXTRA_FROM, MASSED_BEHIND, SHORT_RETREAT

#: Stands that a withering fire takes, and the die that is doubled when ammunition runs low.
WITHERED, SIX = 2, 6
#: Degrees to each side of the line of fire in which somebody is behind the target.
BEHIND = 45


@jit
def hurt_troops(g: Any, j: Any, effect: Any, total: Any) -> Any:
    """Apply an effect to troops; 1 when it disordered a unit in good order (REG-FIR-07)."""
    u = g.u[j]
    if effect == DESULTORY:
        return 0
    if effect == GALLING and u.order_ != GOOD:
        lose_stands(g, j, 1)
        return 0
    fresh = disorder_troops(g, j)
    if effect == WITHERING:
        lose_stands(g, j, WITHERED + (1 if total >= EXTRA_FROM else 0))
    elif effect < GALLING:
        lose_stands(g, j, 1)
    return fresh


@jit
def hurt_guns(g: Any, j: Any, effect: Any, total: Any) -> None:
    """Apply an effect to a battery: wrecked, damaged or silenced stands (REG-FIR-07)."""
    if effect == DESULTORY:
        return
    if effect == WITHERING:
        wreck_stands(g, j, 1 + (1 if total >= EXTRA_FROM else 0))
        if g.u[j].place == ON_TABLE:
            silence_all(g, j)
    elif effect < GALLING:
        damage_one(g, j)
    elif effect in (GALLING, LIVELY):
        silence_stands(g, j, 1)


@jit
def hurt_unit(g: Any, j: Any, effect: Any, total: Any) -> Any:
    """Apply an effect to a unit; 1 when it disordered troops in good order (REG-FIR-07).

    A train is lost by what would cost troops a stand.
    """
    if is_troops(g.u[j]):
        return hurt_troops(g, j, effect, total)
    if g.u[j].class_ == GUNS:
        hurt_guns(g, j, effect, total)
    elif effect < GALLING:
        lose_stands(g, j, 1)
    return 0


@jit
def check_charge(g: Any, j: Any) -> None:
    """A charge that fire has stopped goes back 2 inches (REG-FIR-08)."""
    u = g.u[j]
    note_plain(g, CHARGE_CHECKED, j, u.charges)
    u.charges, u.checked = -1, 1
    if u.place == ON_TABLE:
        back_off(g, j, SHORT_RETREAT)


@jit
def is_massed(g: Any, j: Any) -> Any:
    """True for targets behind which others suffer: all, or by the option masses and columns (REG-FIR-09)."""
    return g.o.massed_only == 0 or g.u[j].form in (MASS, MARCH_COLUMN)


@jit
def hurt_behind(g: Any, j: Any, from_x: Any, from_y: Any, effect: Any, total: Any, cannonade: Any) -> None:
    """Units within 2 inches behind the target in the line of fire suffer the effect below (REG-FIR-09)."""
    less = next_lower_effect(effect)
    if less == LIVELY and not cannonade:
        less = DESULTORY
    if less == DESULTORY or not is_massed(g, j):
        return
    t = g.u[j]
    x, y, side = t.x, t.y, t.side
    line = find_bearing(x - from_x, y - from_y)
    for k in range(g.first[side], g.past[side]):
        b = g.u[k]
        if k == j or b.side != side or b.place != ON_TABLE or not is_within(g, j, k, MASSED_BEHIND):
            continue
        if abs(turn_between(line, find_bearing(b.x - x, b.y - y))) <= BEHIND:
            note_dice(g, MASSED, k, j, 0, 0, 0, 0, R_EFFECT + less)
            hurt_unit(g, k, less, 0)


@jit
def mark_low(g: Any, j: Any) -> None:
    """Double six: one gun stand, or a troop unit firing with half its stands or more, is low (REG-FIR-10).

    Its owner marks who is least the loss: troops in disorder, else the first that may be marked.
    """
    best = -1
    for i in range(g.n):
        u = g.u[i]
        if u.aim != j or u.points <= 0.0 or u.place != ON_TABLE:
            continue
        if u.low >= (u.stands if u.class_ == GUNS else 1):
            continue
        if u.class_ != GUNS and 2 * stands_bearing(g, i, j) < u.stands:
            continue
        if best < 0 or (u.order_ == DISORDERED and g.u[best].order_ != DISORDERED):
            best = i
    if best >= 0:
        g.u[best].low += 1
        note_plain(g, LOW_ON_AMMO, best, -1)


@jit
def fire_at(g: Any, side: Any, j: Any) -> Any:
    """All units of a side that aim at unit j fire; the effect, DESULTORY when nobody did (REG-FIR-01).

    Their points were reckoned when they aimed.
    """
    points, raw, keen, guns, along, x, y = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    first, close = -1, False
    for i in range(g.first[side], g.past[side]):
        u = g.u[i]
        if u.side != side or u.aim != j or u.points <= 0.0:
            continue
        if first < 0:
            first = i
        points += u.points
        x, y = x + u.x * u.points, y + u.y * u.points
        if u.rating == RAW:
            raw += u.points
        if is_keen(g, i, j):
            keen += u.points
        if is_cannon(u):
            guns += u.points
        if is_enfilading(g, i, j):
            along += u.points
        close = close or in_close_range_of(g, i, j)
    if first < 0:
        return DESULTORY
    x, y = x / points, y / points
    modifier = points_modifier(g, points) + firer_modifier(g, raw, keen, points)
    modifier += target_modifier(g, j, 2.0 * along >= points, close, x, y)
    die1, die2 = roll_d6(g), roll_d6(g)
    total = die1 + die2 + modifier
    cannonade = 2.0 * guns >= points
    effect = effect_on(g, g.u[j].rating, total, cannonade)
    note_fire(g, side, j, R_MISS if effect == DESULTORY else R_HIT)
    note_dice(g, FIRE_DICE, first, j, die1, die2, modifier, total, R_EFFECT + effect)
    if die1 == SIX and die2 == SIX:
        mark_low(g, j)
    take_effect(g, j, effect, total, die1 == die2, x, y, cannonade)
    return effect


@jit
def note_fire(g: Any, side: Any, j: Any, result: Any) -> None:
    """Record all who fire at unit j, and whether it told."""
    for i in range(g.first[side], g.past[side]):
        u = g.u[i]
        if u.side == side and u.aim == j and u.points > 0.0:
            note_dice(g, FIRE, i, j, 0, 0, 0, 0, result)


@jit
def take_effect(
    g: Any, j: Any, effect: Any, total: Any, doubles: Any, x: Any, y: Any, cannonade: Any
) -> None:
    """Let an effect work on its target, on those massed behind it, its leaders and its charge."""
    hurt_behind(g, j, x, y, effect, total, cannonade)
    fresh = hurt_unit(g, j, effect, total)
    if fresh == 1 and doubles:
        leaders_under_fire(g, j)
    u = g.u[j]
    if u.charges >= 0 and u.side == g.mover and checks_charge(effect, u.cold_steel):
        check_charge(g, j)
    elif u.charges >= 0 and u.place != ON_TABLE:
        u.charges = -1


@jit
def aim_unit(g: Any, i: Any, defends: Any) -> None:
    """Unit i chooses whom it fires at: its charger first, else who takes the most harm (REG-GEN-02).

    Guns fire in their own turn only if they chose to (REG-GUN-03); who charges with cold steel does not
    (REG-CHG-03), and who charges and fires does so at whom he charges.
    """
    u = g.u[i]
    u.aim, u.points = -1, 0.0
    if not may_fire(g, u):
        return
    if defends == 0 and ((u.class_ == GUNS and u.fires == 0) or (u.charges >= 0 and u.cold_steel == 1)):
        return
    best, most = -1, 0.0
    for j in range(g.first[1 - u.side], g.past[1 - u.side]):
        t = g.u[j]
        g.value[j] = 0.0
        if t.side == u.side or t.place != ON_TABLE:
            continue
        if u.charges >= 0 and u.charges != j:
            continue
        points = bears_on(g, i, j)
        if points > 0.0:
            g.value[j] = points * worth_of_target(g, i, j)
    while True:
        best, most = -1, 0.0
        for j in range(g.first[1 - u.side], g.past[1 - u.side]):
            if g.u[j].side != u.side and g.value[j] > most:
                best, most = j, g.value[j]
        if best < 0:
            return
        if line_to(g, i, best):
            u.aim, u.points = best, bears_on(g, i, best)
            return
        g.value[best] = 0.0


@jit
def worth_of_target(g: Any, i: Any, j: Any) -> Any:
    """The worth of a point of fire: more at a charger, a target of others, shaken or raw troops."""
    t = g.u[j]
    worth = 1.0
    if t.charges == i:
        worth += 2.0
    elif t.charges >= 0:
        worth += 1.0
    if t.order_ == DISORDERED:
        worth += 0.3
    elif t.order_ > DISORDERED:
        worth -= 0.6
    worth -= 0.1 * t.rating
    if not is_troops(t):
        worth -= 0.3
    worth += 0.2 * count_aimers(g, g.u[i].side, j)
    return worth


@jit
def count_aimers(g: Any, side: Any, j: Any) -> Any:
    """The number of a side's units that already aim at unit j, three at the most."""
    count = 0
    for i in range(g.first[side], g.past[side]):
        if g.u[i].side == side and g.u[i].aim == j and g.u[i].points > 0.0:
            count += 1
    return min(count, 3)


@jit
def aim_units(g: Any, side: Any, defends: Any) -> Any:
    """Choose targets for all units of a side; returns the number of units that have one."""
    count = 0
    for i in range(g.first[side], g.past[side]):
        if g.u[i].side == side:
            g.u[i].aim, g.u[i].points = -1, 0.0
    for i in range(g.first[side], g.past[side]):
        if g.u[i].side == side and g.u[i].place == ON_TABLE:
            aim_unit(g, i, defends)
            if g.u[i].aim >= 0:
                count += 1
    return count


@jit
def fire_all(g: Any, side: Any) -> None:
    """Every target of a side is fired at, in the order of the record."""
    for j in range(g.first[1 - side], g.past[1 - side]):
        if g.u[j].side == side or g.u[j].place != ON_TABLE:
            continue
        aimed = count_aimers(g, side, j)
        if aimed > 0:
            g.quiet = 0
            fire_at(g, side, j)
    for i in range(g.first[side], g.past[side]):
        if g.u[i].side == side:
            g.u[i].aim = -1


@jit
def fire_phase(g: Any) -> None:
    """Musketry and cannonade: the opponent's defensive fire, then offensive fire (REG-GEN-02).

    Defensive fire takes effect at once, unless the option makes both fires one.
    """
    mover, other = g.mover, 1 - g.mover
    aim_units(g, other, 1)
    if g.o.together == 1:
        aim_units(g, mover, 0)
        fire_all(g, other)
        fire_all(g, mover)
        return
    fire_all(g, other)
    if aim_units(g, mover, 0) > 0:
        fire_all(g, mover)
