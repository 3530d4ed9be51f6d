"""The local commander: what each unit of the moving side does in step C under its side's plan."""

from typing import Any

from battles.engine.bases import centre_gap2, effective, gap, home_heading
from battles.engine.compile import jit
from battles.engine.dtypes import (
    ASSAULT,
    COLUMN,
    DELAY,
    DEPLOYED,
    LINE,
    MOUNTED,
    ON_TABLE,
    STEADY,
    WITHDRAW,
)
from battles.engine.geometry import COS, bearing, turn_between
from battles.rulesets.awi.charged import charge_value, reach, threshold
from battles.rulesets.awi.facing import faces, pinned
from battles.rulesets.awi.fire import fire_range
from battles.rulesets.awi.leading import lead
from battles.rulesets.awi.morale import nearest_enemy, rate
from battles.rulesets.awi.movement import (
    change_formation,
    deploy,
    fall_back,
    limber,
    march_off,
    move_on,
    new_phase,
    recrew,
    run,
    turn,
    turn_to,
    wheel,
)
from battles.rulesets.awi.refuge import distance_home
from battles.rulesets.awi.retreat import captures
from battles.rulesets.awi.works import barrier

#: Inches just beyond musket shot, from which a charge is one rush.
WAIT = 6.2
#: Inches at which foot stops to fire, muskets and rifles, and cavalry waits.
MUSKET_STAND, RIFLE_STAND, HORSE_STAND = 4.5, 9.0, 10.0


@jit
def heading_to(g: Any, i: Any, j: Any) -> Any:
    """Heading from unit i to unit j."""
    return bearing(g.u[j].x - g.u[i].x, g.u[j].y - g.u[i].y)


@jit
def best_heading(g: Any, i: Any, heading: Any, want: Any) -> Any:
    """The heading within a free pivot that brings a unit furthest towards `heading`; -1 for none.

    The straight way is taken when it is open; only then are others tried.
    """
    u = g.u[i]
    old = u.face
    best, best_gain = -1, 0.2
    for k in range(5):
        offset = ((k + 1) // 2) * 22
        face = (heading + (offset if k % 2 == 1 else -offset)) % 360
        turned = turn_between(old, face)
        if turned > 45:
            face = (old + 45) % 360
        elif turned < -45:
            face = (old + 315) % 360
        if turn_to(g, i, face):
            gain = run(g, i, face, want) * COS[(face - heading) % 360]
            u.face = old
            if gain > best_gain:
                best, best_gain = face, gain
            if k == 0 and gain >= 0.7 * want:
                break
    return best


@jit
def approach(g: Any, i: Any, j: Any, stop: Any, allowance: Any) -> None:
    """Go towards unit j until `stop` inches from it, turning as the rules allow."""
    u = g.u[i]
    heading = heading_to(g, i, j)
    off = turn_between(u.face, heading)
    if abs(off) > 60:
        if not turn(g, i, heading):
            wheel(g, i, off)
        return
    want = gap(g, i, j) - stop
    if want > allowance:
        want = allowance
    if want <= 0.1:
        if abs(off) <= 45 and abs(off) >= 5:
            turn(g, i, heading)
        return
    face = best_heading(g, i, heading, want)
    if face >= 0:
        move_on(g, i, face, want)
    elif abs(off) > 15:
        wheel(g, i, off)


@jit
def face_enemy(g: Any, i: Any, j: Any) -> None:
    """Stand, turned to the enemy."""
    if not faces(g, i, j):
        turn(g, i, heading_to(g, i, j))


@jit
def go_home(g: Any, i: Any) -> None:
    """March off the table by the own edge."""
    u = g.u[i]
    if u.form == DEPLOYED and u.gun_left == 0:
        limber(g, i)
        return
    if march_off(g, i):
        return
    home = home_heading(g, i)
    if abs(turn_between(u.face, home)) > 45:
        if not turn(g, i, home):
            fall_back(g, i, rate(u))
        return
    face = best_heading(g, i, home, rate(u))
    if face >= 0:
        move_on(g, i, face, rate(u))


@jit
def give_ground(g: Any, i: Any, j: Any) -> None:
    """Fire and fall back: keep out of charge reach, facing the enemy."""
    u = g.u[i]
    danger = 8.0 if g.u[j].arm == MOUNTED else 4.5
    if gap(g, i, j) <= danger and distance_home(g, i, u.y) > 4.0:
        fall_back(g, i, rate(u))
    else:
        face_enemy(g, i, j)


@jit
def stand_off(u: Any) -> Any:
    """Inches from the enemy at which a unit stops when it will not charge."""
    if u.arm == MOUNTED:
        return HORSE_STAND
    return RIFLE_STAND if u.medium_max > 0.0 else MUSKET_STAND


@jit
def prey(g: Any, i: Any) -> Any:
    """The enemy within a ride that cavalry would best charge, else the nearest; -1 for none."""
    best, best_value = -1, -1.0e9
    for j in range(g.n):
        t = g.u[j]
        if t.side == g.u[i].side or t.place != ON_TABLE or t.wagon == 1:
            continue
        distance2 = centre_gap2(g, i, j)
        if distance2 > 625.0:
            continue
        value = charge_value(g, i, j, 0, barrier(g, g.u[i].x, g.u[i].y, j)) - distance2 / 2500.0
        if value > best_value:
            best, best_value = j, value
    return best if best >= 0 else nearest_enemy(g, i)


@jit
def go_forward(g: Any, i: Any) -> None:
    """Assault: close with the enemy when a charge is good enough, else into range of fire."""
    u = g.u[i]
    j = prey(g, i) if u.arm == MOUNTED else nearest_enemy(g, i)
    if j < 0:
        return
    allowance = rate(u)
    if u.form == COLUMN and gap(g, i, j) <= 16.0:
        left = change_formation(g, i, LINE)
        if left >= 0.0:
            allowance = left
    value = charge_value(g, i, j, 0, barrier(g, u.x, u.y, j))
    stop = 1.0 if value >= threshold(g, i) else stand_off(u)
    distance = gap(g, i, j)
    if stop < 6.0 and distance > 6.0 and distance - allowance > reach(u) - 0.2 and g.u[j].shoots == 1:
        stop = WAIT  # too far to charge this turn: no use in standing under fire before the rush
    approach(g, i, j, stop, allowance)


@jit
def hold_ground(g: Any, i: Any) -> None:
    """Hold: stand and fire, turn to threats, strike at what is weak and near."""
    u = g.u[i]
    j = prey(g, i) if u.arm == MOUNTED else nearest_enemy(g, i)
    if j < 0:
        return
    distance = gap(g, i, j)
    if u.form == COLUMN and distance <= 16.0 and change_formation(g, i, LINE) >= 0.0:
        return
    near = 15.0 if u.arm == MOUNTED else 6.0
    if distance <= near and charge_value(g, i, j, 0, barrier(g, u.x, u.y, j)) >= threshold(g, i) + 0.1:
        approach(g, i, j, 1.0, rate(u))
    elif distance <= 14.0 and not pinned(g, i):
        face_enemy(g, i, j)


@jit
def has_shot(g: Any, i: Any) -> Any:
    """True when a gun has an enemy it could fire at from where it stands."""
    for j in range(g.n):
        if g.u[j].side != g.u[i].side and effective(g.u[j]) and fire_range(g, i, j) >= 0.0:
            return True
    return False


@jit
def serve_guns(g: Any, i: Any) -> None:
    """Guns: unlimber within medium range, stay while there is a target, else follow the foot."""
    u = g.u[i]
    if u.gun_left == 1:
        recrew(g, i)
        return
    j = nearest_enemy(g, i)
    if j < 0:
        return
    distance = gap(g, i, j)
    heading = heading_to(g, i, j)
    if u.form == DEPLOYED:
        if has_shot(g, i):
            return
        if distance <= u.long_max and abs(turn_between(u.face, heading)) > 20:
            turn(g, i, heading)
        elif g.plan[u.side] == ASSAULT and distance > u.short_max:
            limber(g, i)
        return
    off = abs(turn_between(u.face, heading))
    if off <= 40 and distance <= u.medium_max - 1.0:
        deploy(g, i)
    elif off > 40:
        turn(g, i, heading)
    elif g.plan[u.side] == ASSAULT or distance > u.long_max:
        old_x, old_y = u.x, u.y
        approach(g, i, j, u.short_max, rate(u))
        if u.x == old_x and u.y == old_y and distance <= u.long_max:
            deploy(g, i)
    else:
        deploy(g, i)


@jit
def command(g: Any, i: Any) -> None:
    """The move of one unit."""
    u = g.u[i]
    plan = g.plan[u.side]
    if plan == WITHDRAW:
        go_home(g, i)
    elif u.wagon == 1:
        return
    elif u.gun == 1:
        serve_guns(g, i)
    elif plan == DELAY or (u.sp == 1 and u.sp_start >= 3):
        j = nearest_enemy(g, i)
        if j >= 0:
            give_ground(g, i, j)
    elif plan == ASSAULT:
        go_forward(g, i)
    else:
        hold_ground(g, i)


@jit
def step_c(g: Any) -> None:
    """C: free movement, the units nearest the enemy's edge first."""
    g.step = 3
    new_phase(g)
    lead(g)
    count = 0
    for i in range(g.n):
        u = g.u[i]
        if u.side != g.mover or u.place != ON_TABLE or u.busy == 1 or u.mood != STEADY:
            continue
        key = distance_home(g, i, u.y)
        if g.plan[u.side] >= DELAY:
            key = -key
        k = count
        while k > 0:
            other = g.queue[k - 1]
            there = distance_home(g, other, g.u[other].y)
            if g.plan[u.side] >= DELAY:
                there = -there
            if there >= key:
                break
            g.queue[k] = other
            k -= 1
        g.queue[k] = i
        count += 1
    for k in range(count):
        command(g, g.queue[k])
    captures(g)
