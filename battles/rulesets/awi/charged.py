"""Charged units: the zone they are struck in, the factors of their test, and a charge's exact chances."""

from typing import Any

from battles.engine.bases import (
    front_x,
    front_y,
    half_depth,
    half_width,
)
from battles.engine.compile import jit
from battles.engine.dtypes import (
    CLOSE,
    MOUNTED,
    OVER_WORKS,
    ROUTING,
    SHAKEN,
)
from battles.engine.geometry import COS, SIN
from battles.engine.recording import (
    R_MAY_COUNTER_CHARGE,
    R_ROUT,
    R_STAND,
)
from battles.rulesets.awi.melee import (
    BY_CAVALRY,
    BY_CLOSE,
    CHARGING,
    FORTIFIED,
    IN_FLANK,
    IN_REAR,
    OBSTACLE,
    has,
    melee_factor,
    work_flag,
    zone_flag,
)
from battles.rulesets.awi.morale import basic_morale

FRONT, FLANK, REAR = 0, 1, 2
#: Least value of a charge under each kind of plan; a commander who merely advances never charges.
THRESHOLDS = (0.05, 0.25, 0.5, 0.8, 0.05, 9.0)


@jit
def reach(u: Any) -> Any:
    """Inches within which a unit may charge (AWI-T-CHG-01)."""
    return 6.0 if u.arm == MOUNTED else 3.0


@jit
def zone_at(t: Any, x: Any, y: Any) -> Any:
    """Zone of unit t in which a point lies: front and rear splay 45 degrees (AWI-T-CHG-04)."""
    dx, dy = x - t.x, y - t.y
    s, c = SIN[t.face], COS[t.face]
    right, front = abs(dx * c - dy * s) - half_width(t), dx * s + dy * c
    depth = half_depth(t)
    if front >= depth and right <= front - depth + 1.0e-9:
        return FRONT
    if front <= -depth and right <= -front - depth + 1.0e-9:
        return REAR
    return FLANK


@jit
def zone_of(g: Any, i: Any, j: Any) -> Any:
    """Zone of unit j that holds most of unit i's front edge, the better for j when level."""
    a, t = g.u[i], g.u[j]
    s, c = SIN[a.face], COS[a.face]
    fx, fy, width = front_x(a), front_y(a), half_width(a)
    front, flank, rear = 0, 0, 0
    for k in range(9):
        u = width * (k - 4) / 4.0
        zone = zone_at(t, fx + u * c, fy - u * s)
        if zone == FRONT:
            front += 1
        elif zone == FLANK:
            flank += 1
        else:
            rear += 1
    if front >= flank and front >= rear:
        return FRONT
    return FLANK if flank >= rear else REAR


@jit
def charger_flag(u: Any) -> Any:
    """What a charger is to the charged: cavalry, and close order, which cavalry also is."""
    flags = 0
    if u.arm == MOUNTED:
        flags |= BY_CAVALRY
    if u.arm == MOUNTED or u.order_ == CLOSE:
        flags |= BY_CLOSE
    return flags


@jit
def charged_modifier(u: Any, flags: Any) -> Any:
    """Factors of the test of a charged unit (AWI-T-CHG-03). Minus signs help it stand."""
    horse = u.arm == MOUNTED
    total = 0
    if not horse and has(flags, BY_CAVALRY):
        total += 2
    if not horse and u.order_ != CLOSE and has(flags, BY_CLOSE):
        total += 2
    if has(flags, IN_REAR):
        total += 2
    if has(flags, IN_FLANK):
        total += 1
    if u.mood == SHAKEN:
        total += 1
    if has(flags, FORTIFIED):
        total -= 3
    elif has(flags, OBSTACLE):
        total -= 2
    if horse and not has(flags, BY_CAVALRY):
        total -= 2
    if (horse or u.order_ == CLOSE) and not has(flags, BY_CLOSE):
        total -= 2
    return total


@jit
def charge_result(total: Any, morale: Any) -> Any:
    """Rout is looked at before the counter-charge (AWI-T-CHG-03)."""
    if total >= morale:
        return R_ROUT
    return R_MAY_COUNTER_CHARGE if total < 0 else R_STAND


@jit
def charge_value(g: Any, i: Any, j: Any, zone: Any, over: Any) -> Any:
    """What a charge of unit i on unit j is worth, -1 to 1, by the exact chances of the tables.

    A rout of the target counts 1, a target thrown back 0.5, and the same against the charger.
    """
    a, t = g.u[i], g.u[j]
    if t.mood == ROUTING or t.immobile == 1:
        return 0.8
    struck = zone_flag(zone)
    modifier = charged_modifier(t, charger_flag(a) | struck | work_flag(over))
    runs = 7 - (basic_morale(t) - modifier)
    if runs < 0:
        runs = 0
    elif runs > 6:
        runs = 6
    flags = CHARGING | work_flag(over)
    lead = melee_factor(g, a, flags) - melee_factor(g, t, struck)
    value = 0.0
    for difference in range(-5, 6):
        result = lead + difference
        weight = (6 - abs(difference)) / 36.0
        if result >= 2:
            value += weight
        elif result == 1:
            value += 0.5 * weight
        elif result == -1:
            value -= 0.5 * weight
        elif result <= -2:
            value -= weight
    stand = (6 - runs) / 6.0
    return runs / 6.0 + stand * value


@jit
def threshold(g: Any, i: Any) -> Any:
    """Least value at which a commander charges under his plan."""
    side = g.u[i].side
    return THRESHOLDS[g.plan[side]] - g.plans[side].boldness


@jit
def circumstances(g: Any, j: Any) -> Any:
    """Circumstances in which unit j is charged, from all its chargers; -1 for none."""
    flags, count, over = 0, 0, OVER_WORKS
    for i in range(g.n):
        if g.u[i].charges == j:
            count += 1
            flags |= charger_flag(g.u[i]) | zone_flag(g.u[i].zone)
            if g.u[i].over < over:
                over = g.u[i].over
    if count == 0:
        return -1
    return flags | work_flag(over)


@jit
def charger_of(g: Any, j: Any) -> Any:
    """The charger of unit j that strikes its front, else any; -1 for none."""
    found = -1
    for i in range(g.n):
        if g.u[i].charges == j and (found < 0 or (g.u[i].zone == FRONT and g.u[found].zone != FRONT)):
            found = i
    return found
