"""A commander's guns: where they unlimber, when they follow, when they get away."""

from typing import Any

from battles.engine.bases import centre_gap2, is_effective, measure_gap
from battles.engine.commanding import goes_forward
from battles.engine.compile import jit
from battles.engine.dtypes import DELAY, DEPLOYED
from battles.engine.geometry import turn_between
from battles.engine.progress import is_pressing
from battles.rulesets.awi.approach import approach_unit, heading_to
from battles.rulesets.awi.morale import move_rate, nearest_enemy
from battles.rulesets.awi.movement import limber, recrew_gun, turn_on_spot, unlimber
from battles.rulesets.awi.sighting import fire_range
from battles.rulesets.awi.tables import QUIET_TURNS

#: Guns unlimber in the middle of medium range, beyond canister; at canister when an assault presses.
HALF_WAY = 0.5
#: Inches from there within which guns stay where they have unlimbered, though they see nobody.
AT_STOP = 1.0


@jit
def has_shot(g: Any, i: Any) -> Any:
    """True when a gun has an enemy it could fire at from where it stands."""
    u = g.u[i]
    longest = u.long_max + 4.0
    for j in range(g.n):
        if g.u[j].side == u.side or not is_effective(g.u[j]) or centre_gap2(g, i, j) > longest * longest:
            continue
        if fire_range(g, i, j) >= 0.0:
            return True
    return False


@jit
def would_shoot(g: Any, i: Any) -> Any:
    """True when a limbered gun would have an enemy to fire at if it unlimbered where it stands."""
    u = g.u[i]
    old = u.form
    u.form = DEPLOYED
    shoots = has_shot(g, i)
    u.form = old
    return shoots


@jit
def saves_gun(g: Any, i: Any) -> Any:
    """True for a crew that goes back to its gun before its side withdraws: no enemy is nearer to it."""
    u = g.u[i]
    if u.gun_left == 0:
        return False
    dx, dy = u.gun_x - u.x, u.gun_y - u.y
    near = dx * dx + dy * dy
    for j in range(g.n):
        b = g.u[j]
        dx, dy = u.gun_x - b.x, u.gun_y - b.y
        if b.side != u.side and is_effective(b) and dx * dx + dy * dy <= near:
            return False
    recrew_gun(g, i)
    return u.moved == 1


@jit
def serve_guns(g: Any, i: Any) -> None:
    """Guns: unlimber within medium range, stay while there is a target, else follow the foot."""
    u = g.u[i]
    if u.gun_left == 1:
        recrew_gun(g, i)
        return
    j = nearest_enemy(g, i)
    if j < 0:
        return
    plan = g.plan[u.side]
    forward, stop = goes_forward(plan), HALF_WAY * (u.short_max + u.medium_max)
    if is_pressing(g, u.side, QUIET_TURNS):
        stop = u.short_max
    distance = measure_gap(g, i, j)
    heading = heading_to(g, i, j)
    off = abs(turn_between(u.face, heading))
    if u.form == DEPLOYED:
        if has_shot(g, i):
            return
        if distance <= u.long_max and off > 20 and turn_on_spot(g, i, heading):
            return
        if (forward and distance > stop + AT_STOP) or (plan == DELAY and distance > u.long_max):
            limber(g, i)
        return
    near = distance <= u.medium_max - 1.0
    if off <= 40 and near and (not forward or distance <= stop + AT_STOP or would_shoot(g, i)):
        unlimber(g, i)
    elif off > 40 and (not forward or distance <= stop + AT_STOP):
        turn_on_spot(g, i, heading)
    elif forward or distance > u.long_max:
        old_x, old_y = u.x, u.y
        approach_unit(g, i, j, stop, move_rate(u))
        if u.x == old_x and u.y == old_y and distance <= u.long_max and would_shoot(g, i):
            unlimber(g, i)
    else:
        unlimber(g, i)
