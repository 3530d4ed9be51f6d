"""Charged units: the zone they are struck in, the factors of their test, and a charge's exact chances."""

import math
from typing import Any

import numpy as np

from battles.engine.bases import (
    front_x,
    front_y,
    half_depth,
    half_width,
)
from battles.engine.compile import jit
from battles.engine.dtypes import (
    CLOSE,
    FOOT,
    HOLD,
    MOUNTED,
    OVER_NOTHING,
    ROUTING,
    SHAKEN,
)
from battles.engine.geometry import COS, SIN
from battles.engine.ground import height_at
from battles.engine.progress import is_pressing
from battles.engine.recording import (
    R_MAY_COUNTER_CHARGE,
    R_ROUT,
    R_STAND,
)
from battles.rulesets.awi.melee import (
    BY_CAVALRY,
    BY_CLAN_CHARGE,
    BY_CLANS,
    BY_CLOSE,
    BY_PIKES,
    CHARGING,
    FORTIFIED,
    IN_FLANK,
    IN_REAR,
    OBSTACLE,
    UPHILL,
    form_flags,
    has_flag,
    melee_factor,
    work_flag,
    zone_flag,
)
from battles.rulesets.awi.morale import basic_morale
from battles.rulesets.awi.tables import QUIET_TURNS
from battles.rulesets.awi.works import find_barrier

FRONT, FLANK, REAR = 0, 1, 2
#: What foot without firearms takes off the value a charge must have: standing under fire is worse.
UNARMED = 0.5
#: Least value of a charge under each kind of plan; a commander who merely advances never charges.
THRESHOLDS = (0.05, 0.25, 0.5, 0.8, 0.05, 9.0)
#: What a charge must be worth more to a unit that holds works and would leave them for it.
LEAVES_WORKS = 0.4
#: The same for who is sent in at last, whatever it is worth.
SENT_IN = -9.0


@jit
def charge_reach(u: Any) -> Any:
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
def find_charge_zone(g: Any, i: Any, j: Any) -> Any:
    """Zone of unit j that holds most of unit i's front edge, the better for j when level.

    Units in buildings have neither flank nor rear (AWI-T-TER-10).
    """
    a, t = g.u[i], g.u[j]
    if t.inside >= 0:
        return FRONT
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
    """The circumstances a charger brings: cavalry, and close order, which cavalry also is.

    Pikes and Highlanders are only in the variants (AWI-T-V98-01, AWI-T-V45-07).
    """
    flags = 0
    if u.arm == MOUNTED:
        flags |= BY_CAVALRY
    if u.arm == MOUNTED or u.order_ == CLOSE:
        flags |= BY_CLOSE
    if u.pikes == 1:
        flags |= BY_PIKES
    if u.highland == 1:
        flags |= BY_CLAN_CHARGE if u.highland_charge == 1 else BY_CLANS
    return flags


@jit
def charged_modifier(u: Any, flags: Any) -> Any:
    """Factors of the test of a charged unit (AWI-T-CHG-03). Minus signs help it stand.

    Pikemen do not fear cavalry, and cavalry fears pikemen (AWI-T-V98-01); foot fears Highlanders
    (AWI-T-V45-07).
    """
    horse = u.arm == MOUNTED
    total = 0
    if not horse and u.pikes == 0 and has_flag(flags, BY_CAVALRY):
        total += 2
    if u.arm == FOOT and has_flag(flags, BY_CLANS | BY_CLAN_CHARGE):
        total += 2 if has_flag(flags, BY_CLAN_CHARGE) else 1
    if not horse and u.order_ != CLOSE and has_flag(flags, BY_CLOSE):
        total += 2
    if has_flag(flags, IN_REAR):
        total += 2
    if has_flag(flags, IN_FLANK):
        total += 1
    if u.mood == SHAKEN:
        total += 1
    if has_flag(flags, FORTIFIED):
        total -= 3
    elif has_flag(flags, OBSTACLE):
        total -= 2
    if horse and not has_flag(flags, BY_CAVALRY | BY_PIKES):
        total -= 2
    if (horse or u.order_ == CLOSE) and not has_flag(flags, BY_CLOSE):
        total -= 2
    return total


@jit
def charge_result(total: Any, morale: Any) -> Any:
    """Rout is looked at before the counter-charge (AWI-T-CHG-03)."""
    if total >= morale:
        return R_ROUT
    return R_MAY_COUNTER_CHARGE if total < 0 else R_STAND


@jit
def is_uphill(g: Any, i: Any, j: Any) -> Any:
    """True when unit j stands higher than unit i would in contact with it (AWI-T-MEL-07)."""
    if g.hills == 0:
        return False
    a, t = g.u[i], g.u[j]
    height = height_at(g, t.x, t.y)
    if height == 0:
        return False
    dx, dy = a.x - t.x, a.y - t.y
    away2, near = dx * dx + dy * dy, half_depth(a) + half_depth(t)
    share = near / math.sqrt(away2) if away2 > near * near else 1.0
    return height > height_at(g, t.x + dx * share, t.y + dy * share)


def _melee_worth(lead: int, *, works: bool) -> float:
    value = 0.0
    for difference in range(-5, 6):
        result = lead + difference
        worth = 0.0 if result == 0 else 0.5 if abs(result) == 1 else 1.0
        if result < 0:
            worth = -0.75 if result < -1 and works else -worth
        value += worth * (6 - abs(difference)) / 36.0
    return value


#: A lead that no dice make up for: a greater one is worth no more.
MOST_LEAD = 7
#: Worth of a melee by what is charged over, nothing or works, and by the charger's lead from the least.
MELEE_WORTH = np.array(
    [[_melee_worth(lead, works=w) for lead in range(-MOST_LEAD, MOST_LEAD + 1)] for w in (False, True)]
)


@jit
def melee_value(lead: Any, over: Any) -> Any:
    """Worth of a melee to its charger, -1 to 1, whose factors are `lead` better than the other's.

    A rout counts 1, an enemy thrown back 0.5, and the same against the charger, but that before a work
    it is thrown back, not routed, which counts 0.75 (AWI-T-MEL-08, AWI-T-MEL-09).
    """
    lead = min(max(lead, -MOST_LEAD), MOST_LEAD)
    return MELEE_WORTH[0 if over == OVER_NOTHING else 1, lead + MOST_LEAD]


@jit
def charge_value(g: Any, i: Any, j: Any, zone: Any, over: Any) -> Any:
    """The value of a charge of unit i alone on unit j, -1 to 1, by the exact chances of the tables.

    A target that runs on the test counts 1. Generals change nothing: no table of a charge has them.
    """
    a, t = g.u[i], g.u[j]
    if t.mood == ROUTING or t.immobile == 1:
        return 0.8
    struck = 0 if t.inside >= 0 else zone_flag(zone)
    modifier = charged_modifier(t, charger_flag(a) | struck | work_flag(over))
    runs = 7 - (basic_morale(t) - modifier)
    if runs < 0:
        runs = 0
    elif runs > 6:
        runs = 6
    flags = CHARGING | work_flag(over) | form_flags(g, a, t, 1, 1)
    if is_uphill(g, i, j):
        flags |= UPHILL
    lead = melee_factor(g, a, flags) - melee_factor(g, t, struck | form_flags(g, t, a, 1, 0))
    return runs / 6.0 + (6 - runs) / 6.0 * melee_value(lead, over)


@jit
def is_spent(u: Any) -> Any:
    """True for a unit that has lost so much that it only keeps out of the way."""
    return u.sp == 1 and u.sp_start >= 3


@jit
def find_charge_threshold(g: Any, i: Any) -> Any:
    """Least value at which a commander charges under his plan; foot that cannot fire takes worse odds."""
    u = g.u[i]
    if is_pressing(g, u.side, QUIET_TURNS) and not is_spent(u):
        return SENT_IN
    least = THRESHOLDS[g.plan[u.side]] - g.plans[u.side].boldness
    return least - UNARMED if u.shoots == 0 and u.arm == FOOT else least


@jit
def lesser_work(known: Any, over: Any) -> Any:
    """The lesser of two works in the way; -1 is none known yet."""
    return over if known < 0 or over < known else known


@jit
def find_charge_circumstances(g: Any, j: Any) -> Any:
    """Circumstances in which unit j is charged, from all its chargers; -1 for none.

    It is behind an obstacle when all who charge one and the same face must cross it (AWI-T-TER-11).
    """
    flags, front, left, right, rear = 0, -1, -1, -1, -1
    s, c = SIN[g.u[j].face], COS[g.u[j].face]
    for i in range(g.n):
        a = g.u[i]
        if a.charges != j:
            continue
        flags |= charger_flag(a) | zone_flag(a.zone)
        if a.zone == FRONT:
            front = lesser_work(front, a.over)
        elif a.zone == REAR:
            rear = lesser_work(rear, a.over)
        elif (front_x(a) - g.u[j].x) * c > (front_y(a) - g.u[j].y) * s:
            right = lesser_work(right, a.over)
        else:
            left = lesser_work(left, a.over)
    over = max(front, left, right, rear)
    return flags | work_flag(over) if over >= 0 else -1


@jit
def cover_given_up(g: Any, i: Any, j: Any) -> Any:
    """The value a charge needs above the usual when unit i, told to hold, leaves its works for it."""
    if g.works_n == 0 or g.plan[g.u[i].side] != HOLD:
        return 0.0
    return LEAVES_WORKS if find_barrier(g, g.u[j].x, g.u[j].y, i) != OVER_NOTHING else 0.0


@jit
def charger_of(g: Any, j: Any) -> Any:
    """The charger of unit j that strikes its front, else any; -1 for none."""
    found = -1
    for i in range(g.n):
        if g.u[i].charges == j and (found < 0 or (g.u[i].zone == FRONT and g.u[found].zone != FRONT)):
            found = i
    return found
