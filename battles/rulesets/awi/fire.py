"""Fire, step E (AWI-T-FIR)."""

import math
from typing import Any

from battles.engine.bases import (
    HALF,
    centre_gap2,
    half_depth,
    half_width,
)
from battles.engine.compile import jit
from battles.engine.dice import d6
from battles.engine.dtypes import (
    COLUMN,
    LINE,
    ON_TABLE,
    ROUTING,
    SHAKEN,
    STEADY,
)
from battles.engine.geometry import COS, SIN, point_gap2, ray_hits, rectangle_gap
from battles.engine.recording import (
    FIRE,
    R_HIT,
    R_MISS,
    R_NONE,
    ROUTED_BY_FIRE,
    SHOT_WASTED,
    WAVERS,
    note,
    note_plain,
)
from battles.rulesets.awi.generals import risk_by_fire
from battles.rulesets.awi.morale import basic_morale, is_deployed, lose_sp
from battles.rulesets.awi.retreat import away_from, rout
from battles.rulesets.awi.works import shelter

#: Chance in 36 that two dice show at least 0 to 13.
AT_LEAST = (36, 36, 36, 35, 33, 30, 26, 21, 15, 10, 6, 3, 1, 0)


@jit
def chance36(need: Any) -> Any:
    """Chances in 36 that 2d6 reach `need`."""
    if need <= 2:
        return 36
    return 0 if need > 12 else AT_LEAST[need]


@jit
def can_fire(u: Any) -> Any:
    """Infantry and deployed guns, steady or shaken (AWI-T-FIR-01)."""
    if u.place != ON_TABLE or u.mood == ROUTING or u.shoots == 0 or u.digging == 1:
        return False
    return u.gun == 0 or is_deployed(u)


@jit
def band(u: Any, inches: Any) -> Any:
    """1 short, 2 medium, 3 long, 0 out of range (AWI-T-FIR-04 to 07); boundaries count as nearer."""
    if inches <= u.short_max:
        return 1
    if inches >= u.medium_min and inches <= u.medium_max:
        return 2
    if u.long_max > 0.0 and inches > u.medium_max and inches <= u.long_max:
        return 3
    return 0


@jit
def strength_factor(sp: Any) -> Any:
    """Fire factor of the firer's strength (AWI-T-FIR-08)."""
    if sp >= 5:
        return 0
    return -1 if sp >= 3 else -2


@jit
def base_offset(u: Any, k: Any) -> Any:
    """(right, ahead) inches from a unit's centre to the centre of its base k, 0 or 1."""
    if u.form == LINE:
        return (HALF if k == 1 else -HALF), 0.0
    return 0.0, (HALF if k == 0 else -HALF)


@jit
def front_bases(u: Any) -> Any:
    """Bases that can fire ahead: both in line, the first otherwise."""
    return 2 if u.form == LINE else 1


@jit
def in_arc(fx: Any, fy: Any, face: Any, x: Any, y: Any, turned: Any) -> Any:
    """True when a whole base lies in the fan of a firing base's front edge (AWI-T-FIR-02).

    The edge has its centre at (fx, fy); the fan is what is straight ahead and up to 45 degrees
    to either side of it. The target base has its centre at (x, y) and heading `turned`.
    """
    s, c = SIN[face], COS[face]
    ts, tc = SIN[turned], COS[turned]
    for k in range(4):
        u = HALF if k % 2 == 0 else -HALF
        v = HALF if k < 2 else -HALF
        dx, dy = x + u * tc + v * ts - fx, y - u * ts + v * tc - fy
        right, front = dx * c - dy * s, dx * s + dy * c
        if front < 0.0 or abs(right) > HALF + front + 1.0e-9:
            return False
    return True


@jit
def edge_range(fx: Any, fy: Any, face: Any, x: Any, y: Any, turned: Any) -> Any:
    """Inches from a firing base's front edge to the nearest point of the target base."""
    return rectangle_gap(fx, fy, face, HALF, 0.0, x, y, turned, HALF, HALF)


@jit
def sight_line(g: Any, i: Any, j: Any, fx: Any, fy: Any, tx: Any, ty: Any) -> Any:
    """True when no other unit stands on the line of fire; howitzers fire over friends (AWI-T-FIR-10)."""
    mx, my = (fx + tx) / 2.0, (fy + ty) / 2.0
    half = math.sqrt((tx - fx) * (tx - fx) + (ty - fy) * (ty - fy)) / 2.0 + 2.1
    for k in range(g.n):
        b = g.u[k]
        if k in (i, j) or b.place != ON_TABLE:
            continue
        dx, dy = b.x - mx, b.y - my
        if dx * dx + dy * dy > half * half:
            continue
        if ray_hits(fx, fy, tx, ty, b.x, b.y, b.face, half_width(b), half_depth(b)):
            if g.u[i].howitzer == 1 and b.side == g.u[i].side:
                near = point_gap2(fx, fy, b.x, b.y, b.face, half_width(b), half_depth(b))
                far = point_gap2(tx, ty, b.x, b.y, b.face, half_width(b), half_depth(b))
                if near >= 144.0 and far >= 144.0:
                    continue
            return False
    return True


@jit
def sees_base(g: Any, i: Any, j: Any, fx: Any, fy: Any, x: Any, y: Any) -> Any:
    """True when the whole breadth of a target base is in sight: lines to its two outer corners."""
    t = g.u[j]
    ts, tc = SIN[t.face], COS[t.face]
    ax, ay, bx, by = x, y, x, y
    first = True
    for k in range(4):
        u = HALF if k % 2 == 0 else -HALF
        v = HALF if k < 2 else -HALF
        cx, cy = x + u * tc + v * ts, y - u * ts + v * tc
        if first:
            ax, ay, bx, by = cx, cy, cx, cy
            first = False
            continue
        # leftmost and rightmost corner as seen from the firer, by the sign of the cross product
        if (ax - fx) * (cy - fy) - (ay - fy) * (cx - fx) > 0.0:
            ax, ay = cx, cy
        if (bx - fx) * (cy - fy) - (by - fy) * (cx - fx) < 0.0:
            bx, by = cx, cy
    return sight_line(g, i, j, fx, fy, ax, ay) and sight_line(g, i, j, fx, fy, bx, by)


@jit
def fire_range(g: Any, i: Any, j: Any) -> Any:
    """Inches at which unit i can fire at unit j, or -1.0 (AWI-T-FIR-02).

    One front base of the firer must have one whole base of the target in range, arc and sight.
    """
    a, t = g.u[i], g.u[j]
    longest = a.long_max
    if a.medium_max > longest:
        longest = a.medium_max
    if a.short_max > longest:
        longest = a.short_max
    if centre_gap2(g, i, j) > (longest + 4.0) * (longest + 4.0):
        return -1.0
    best = -1.0
    for m in range(front_bases(a)):
        right, front = base_offset(a, m)
        front += HALF
        s, c = SIN[a.face], COS[a.face]
        fx, fy = a.x + right * c + front * s, a.y - right * s + front * c
        for k in range(2):
            right, front = base_offset(t, k)
            ts, tc = SIN[t.face], COS[t.face]
            x, y = t.x + right * tc + front * ts, t.y - right * ts + front * tc
            if not in_arc(fx, fy, a.face, x, y, t.face):
                continue
            inches = edge_range(fx, fy, a.face, x, y, t.face)
            if band(a, inches) == 0 or (best >= 0.0 and inches >= best):
                continue
            if sees_base(g, i, j, fx, fy, x, y):
                best = inches
    return best


@jit
def canister_barred(g: Any, i: Any) -> Any:
    """True when a friend stands in a gun's fan out to its short range (AWI-T-FIR-09)."""
    a = g.u[i]
    s, c = SIN[a.face], COS[a.face]
    fx, fy = a.x + s * half_depth(a), a.y + c * half_depth(a)
    for j in range(g.n):
        b = g.u[j]
        if j == i or b.side != a.side or b.place != ON_TABLE:
            continue
        if centre_gap2(g, i, j) > (a.short_max + 5.0) * (a.short_max + 5.0):
            continue
        width, depth = half_width(b), half_depth(b)
        bs, bc = SIN[b.face], COS[b.face]
        for k in range(9):
            u, v = (k % 3 - 1) * width, (k // 3 - 1) * depth
            dx, dy = b.x + u * bc + v * bs - fx, b.y - u * bs + v * bc - fy
            right, front = dx * c - dy * s, dx * s + dy * c
            if front > 0.0 and abs(right) < HALF + front and dx * dx + dy * dy <= a.short_max * a.short_max:
                return True
    return False


@jit
def fire_modifier(g: Any, i: Any, j: Any, inches: Any) -> Any:
    """Sum of the fire factors (AWI-T-FIR-08, 09, 11), or -99 when this shot cannot be fired."""
    a = g.u[i]
    total = a.fire + strength_factor(a.sp)
    if a.form == COLUMN:
        total -= 2
    if a.mood == SHAKEN:
        total -= 1
    zone = band(a, inches)
    if zone == 1:
        if a.gun == 1 and canister_barred(g, i):
            if a.howitzer == 1:
                return -99
            total += g.o.ball_factor
        else:
            total += a.short_factor
    elif zone == 2:
        total += a.medium_factor
    else:
        total += a.long_factor
    return total + shelter(g, a.x, a.y, j)


@jit
def shot_worth(g: Any, i: Any, j: Any, modifier: Any, inches: Any) -> Any:
    """How much a commander wants this shot: harm it may do, and how near the target is."""
    t = g.u[j]
    worth = float(chance36(7 - modifier))
    if t.mood == STEADY:
        worth += 0.7 * chance36(t.sp + t.morale + 1 - modifier)
    if t.mood == ROUTING or t.wagon == 1:
        worth *= 0.4
    if t.gun == 1:
        worth *= 1.1
    if inches <= 4.0:
        worth += 6.0
    return worth + 1.0 / (1.0 + inches)


@jit
def choose_target(g: Any, i: Any) -> Any:
    """The best shot of unit i as (target, modifier), (-1, 0) for none worth firing, and 1 for any legal."""
    best, best_modifier, best_worth, legal = -1, 0, 0.0, 0
    for j in range(g.n):
        if g.u[j].side == g.u[i].side or g.u[j].place != ON_TABLE:
            continue
        inches = fire_range(g, i, j)
        if inches < 0.0:
            continue
        modifier = fire_modifier(g, i, j, inches)
        if modifier == -99:
            continue
        legal = 1
        if modifier < -5:
            continue
        worth = shot_worth(g, i, j, modifier, inches)
        if worth > best_worth:
            best, best_modifier, best_worth = j, modifier, worth
    return best, best_modifier, legal


@jit
def shoot(g: Any, i: Any, j: Any, modifier: Any, what: Any) -> None:
    """One roll of fire and its effect (AWI-T-FIR-08)."""
    one = d6(g)
    two = d6(g)
    total = one + two + modifier
    note(g, what, i, j, one, two, modifier, total, R_HIT if total >= 7 else R_MISS)
    struck(g, j, i, total)


@jit
def struck(g: Any, j: Any, i: Any, total: Any) -> None:
    """What a roll of fire does to the strength and morale of unit j (AWI-T-FIR-12).

    `i` is who fired, -1 for an explosion.
    """
    t = g.u[j]
    limit = basic_morale(t)
    if total >= 7:
        lose_sp(g, j, 1)
        risk_by_fire(g, j)
        if t.place != ON_TABLE:
            return
        if g.o.before_loss == 0:
            limit = basic_morale(t)
    if total > limit and t.mood != ROUTING:
        t.mood = SHAKEN
        t.shakes += 1
        note(g, WAVERS, j, i, 0, 0, 0, total, R_NONE)
        if g.o.shakes_to_rout > 0 and t.shakes >= g.o.shakes_to_rout:
            note_plain(g, ROUTED_BY_FIRE, j, i)
            rout(g, j, away_from(g, j, i), 0, 0, i)


@jit
def step_e(g: Any) -> None:
    """E: the firing side fires. All shots are declared, then settled target by target (AWI-T-FIR-03)."""
    g.step = 5
    shots = 0
    for i in range(g.n):
        u = g.u[i]
        u.target, u.had_target, u.shakes = -1, 0, 0
        if u.side == g.mover or not can_fire(u):
            continue
        target, modifier, legal = choose_target(g, i)
        # a unit that would not fire may not fire at a second charge instead (AWI-T-CAV-01)
        u.target, u.aim, u.had_target = target, modifier, legal
        if target >= 0:
            shots += 1
            if g.o.one_at_a_time == 1:
                u.target = -1
                shoot(g, i, target, modifier, FIRE)
    if shots == 0:
        return
    g.quiet = 0
    if g.o.one_at_a_time == 1:
        return
    for j in range(g.n):
        for i in range(g.n):
            if g.u[i].target != j:
                continue
            if g.u[j].place == ON_TABLE:
                shoot(g, i, j, g.u[i].aim, FIRE)
            else:
                note_plain(g, SHOT_WASTED, i, j)
