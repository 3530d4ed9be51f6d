"""Moves of foot and horse in step C under each plan."""

import math
from typing import Any

from battles.engine.bases import centre_gap2, is_effective, measure_gap, measure_gap_up_to
from battles.engine.commanding import flank_direction, goes_forward
from battles.engine.compile import jit
from battles.engine.dtypes import (
    COLUMN,
    FOOT,
    HOLD,
    LINE,
    MOUNTED,
    ON_TABLE,
    ROUTING,
    STEADY,
    WHEELED,
)
from battles.engine.geometry import turn_between
from battles.engine.ground import is_sight_open
from battles.engine.progress import is_pressing
from battles.engine.wayfinding import HAS_WAY
from battles.rulesets.awi.approach import approach_unit, face_enemy, head_for_spot, heading_to
from battles.rulesets.awi.buildings import has_room
from battles.rulesets.awi.charge_modifiers import (
    charge_reach,
    charge_value,
    cover_given_up,
    find_charge_threshold,
    zone_at,
)
from battles.rulesets.awi.facing import is_pinned
from battles.rulesets.awi.flanks import BEYOND
from battles.rulesets.awi.garrison import enter_building, leave_towards
from battles.rulesets.awi.morale import move_rate, nearest_enemy
from battles.rulesets.awi.movement import change_formation, fall_back_facing, find_straight_inches, turn_to
from battles.rulesets.awi.path import allowance_left
from battles.rulesets.awi.refuge import distance_home
from battles.rulesets.awi.tables import QUIET_TURNS
from battles.rulesets.awi.works import find_barrier

#: Inches just beyond musket shot, from which a charge is one rush.
WAIT = 6.2
#: Inches from there at which a unit that the ground keeps from rushing goes in to fire.
NEAR_WAIT = 0.5
#: Inches at which foot stops to fire, muskets and rifles, and cavalry waits.
MUSKET_STAND, RIFLE_STAND, HORSE_STAND = 4.5, 9.0, 10.0
#: What a rush at an enemy who comes on must be worth more.
COMING = 0.35
#: Inches within which columns form line.
FORM_LINE = 16.0
#: Inches within which cavalry looks for the best to charge.
RIDE = 25.0
#: Inches at which those who pin the enemy keep off, and reserves; from where reserves are called.
PIN, RESERVE_GAP, NEAR_RESERVE = 8.0, 14.0, 16.0
#: Inches from its centre to those of the line before it that a reserve keeps; to either side that count.
BEHIND_LINE, LINE_WIDE = 4.0, 12.0
#: Inches to the nearest enemy beyond which an attacker with a goal makes for it.
GOAL_FREE = 18.0
#: Inches from its spot at which a unit is there.
SPOT = 2.5
#: Inches from its spot within which a unit that holds looks for a building.
GARRISON = 6.0
#: Inches at which those who delay fall back before cavalry, whom they cannot outrun.
DELAY_HORSE = 8.0


@jit
def stand_off(u: Any) -> Any:
    """Inches from the enemy at which a unit stops when it will not charge."""
    if u.arm == MOUNTED:
        return HORSE_STAND
    return RIFLE_STAND if u.medium_max > 0.0 else MUSKET_STAND


@jit
def worth_of(g: Any, i: Any, j: Any) -> Any:
    """The value of a charge of unit i on unit j from where they stand."""
    u = g.u[i]
    return charge_value(g, i, j, zone_at(g.u[j], u.x, u.y), find_barrier(g, u.x, u.y, j))


@jit
def ride_target(g: Any, i: Any) -> Any:
    """The enemy within a ride that cavalry would best charge, else the nearest; -1 for none."""
    best, best_value = -1, -1.0e9
    for j in range(g.n):
        t = g.u[j]
        if t.side == g.u[i].side or t.place != ON_TABLE or t.wagon == 1:
            continue
        distance2 = centre_gap2(g, i, j)
        if distance2 > RIDE * RIDE:
            continue
        value = worth_of(g, i, j) - math.sqrt(distance2) / RIDE
        if value > best_value:
            best, best_value = j, value
    return best if best >= 0 else nearest_enemy(g, i)


@jit
def target_of(g: Any, i: Any) -> Any:
    """The enemy a unit goes for: the nearest for foot, the best to charge for cavalry; -1 for none."""
    return ride_target(g, i) if g.u[i].arm == MOUNTED else nearest_enemy(g, i)


@jit
def line_allowance(g: Any, i: Any, distance: Any) -> Any:
    """Inches a unit may go now, having formed line if the enemy is near and its way is not narrow."""
    u = g.u[i]
    narrow = u.has_way == HAS_WAY and is_pressing(g, u.side, QUIET_TURNS)
    if u.form == COLUMN and distance <= FORM_LINE and u.arm != WHEELED and not narrow:
        left = change_formation(g, i, LINE)
        if left >= 0.0:
            return left
    return move_rate(u)


@jit
def go_to_spot(g: Any, i: Any) -> Any:
    """Back to where the plan wants the unit; True when it went."""
    u = g.u[i]
    dx, dy = u.spot_x - u.x, u.spot_y - u.y
    if dx * dx + dy * dy <= SPOT * SPOT:
        return False
    head_for_spot(g, i, u.spot_x, u.spot_y, 0.0, move_rate(u))
    return True


@jit
def comes_up(g: Any, i: Any, j: Any, distance: Any, inches: Any) -> Any:
    """True when unit i can be within charge reach of unit j after this move, over the ground as it is."""
    u = g.u[i]
    need = distance - charge_reach(u) + 0.2
    if need > inches:
        return False
    if g.plain == 1 and g.works_n == 0:
        return True
    old, heading = u.face, heading_to(g, i, j)
    if abs(turn_between(old, heading)) > 45 or not turn_to(g, i, heading):
        return False
    gone = find_straight_inches(g, i, heading, need)
    u.face = old
    return gone >= need - 0.2


@jit
def close_with(g: Any, i: Any) -> None:
    """Assault: let a coming enemy walk into the fire, rush who is weak enough, else close to fire."""
    u = g.u[i]
    j = target_of(g, i)
    if j < 0:
        return
    t = g.u[j]
    distance = measure_gap_up_to(g, i, j, GOAL_FREE)
    if distance > GOAL_FREE and g.plans[u.side].goal == 1:
        if not go_to_spot(g, i):
            face_enemy(g, i, j)
        return
    inches = line_allowance(g, i, distance)
    stop = stand_off(u)
    if distance > GOAL_FREE:
        if distance - inches > (stop if stop > WAIT else WAIT):
            approach_unit(g, i, j, stop, inches)  # too far for it to matter where it would stop
            return
        distance = measure_gap(g, i, j)
    value, least = worth_of(g, i, j), find_charge_threshold(g, i)
    exposed = t.shoots == 1 and t.mood != ROUTING
    if u.arm != MOUNTED and distance > 6.0 and t.came_on == 1:
        # an enemy who comes on walks into our fire: only a rush that is worth much does not wait for him
        least += COMING
        if exposed and stop < WAIT:
            stop = WAIT
    if value >= least:
        if distance <= 6.0 or not exposed or comes_up(g, i, j, distance, inches):
            stop = 1.0
        elif distance > WAIT + NEAR_WAIT and stop < WAIT:
            stop = WAIT  # too far to charge this turn: no use in standing under fire before the rush
    if is_pressing(g, u.side, QUIET_TURNS):
        stop = 1.0
    if (
        g.buildings_n > 0
        and distance <= stop + NEAR_WAIT
        and not is_sight_open(g, u.x, u.y, t.x, t.y, -1, t.inside)
    ):
        stop = 1.0  # no use in standing where a house hides the enemy
    approach_unit(g, i, j, stop, inches)


@jit
def pin_enemy(g: Any, i: Any) -> None:
    """Keep the enemy busy from beyond musket shot; fight when he comes to it."""
    u = g.u[i]
    j = nearest_enemy(g, i)
    if j < 0:
        return
    distance = measure_gap(g, i, j)
    if distance <= 6.0 or is_pressing(g, u.side, QUIET_TURNS):
        close_with(g, i)
        return
    inches = line_allowance(g, i, distance)
    stop = stand_off(u)
    approach_unit(g, i, j, stop if stop > PIN else PIN, inches)


@jit
def turn_the_flank(g: Any, i: Any) -> None:
    """The weight goes round the end of the enemy's line and in; the others pin him until it is there."""
    u = g.u[i]
    if u.wing == 0:
        if g.flank_met == 1:
            close_with(g, i)
        else:
            pin_enemy(g, i)
        return
    j = nearest_enemy(g, i)
    if j < 0:
        return
    way = flank_direction(g, u.side)
    if (u.x - g.flank_x) * way >= BEYOND or centre_gap2(g, i, j) <= 110.0:
        close_with(g, i)
        return
    x = g.flank_x + 6.0 * way
    if x < 3.0:
        x = 3.0
    elif x > g.width - 3.0:
        x = g.width - 3.0
    back = -6.0 if u.side == 0 else 6.0
    if abs(x - u.x) < 2.0:
        close_with(g, i)
    else:
        head_for_spot(g, i, x, g.flank_y + back, 0.0, move_rate(u))


@jit
def is_needed(g: Any, i: Any) -> Any:
    """True when the fight calls for a reserve: the enemy is near, or a friend before it is not steady."""
    u = g.u[i]
    for k in range(g.n):
        b = g.u[k]
        if b.place != ON_TABLE or b.wagon == 1 or k == i:
            continue
        if b.side != u.side:
            if b.mood != ROUTING and centre_gap2(g, i, k) <= 100.0:
                return True
        elif b.mood != STEADY and centre_gap2(g, i, k) <= NEAR_RESERVE * NEAR_RESERVE:
            return True
    return False


@jit
def line_home(g: Any, i: Any) -> Any:
    """Inches from its own edge of the rearmost foot or gun of the line before reserve i; -1.0 for none.

    The line before it is whoever fights within `LINE_WIDE` inches to either side, else the whole side's.
    """
    u = g.u[i]
    near, whole = 1.0e9, 1.0e9
    for k in range(g.n):
        b = g.u[k]
        waits = b.reserve == 1 and b.committed == 0
        if b.side != u.side or not is_effective(b) or b.arm == MOUNTED or waits:
            continue
        home = distance_home(g, k, b.y)
        whole = min(whole, home)
        if abs(b.x - u.x) <= LINE_WIDE:
            near = min(near, home)
    if near < 1.0e9:
        return near
    return whole if whole < 1.0e9 else -1.0


@jit
def stays_back(g: Any, i: Any) -> Any:
    """A reserve keeps behind its side's line and out of range until it is needed; False from then on.

    It follows a line that goes forward, and stays at its spot when its side means to stand.
    """
    u = g.u[i]
    plan, line = g.plan[u.side], line_home(g, i)
    if line < 0.0 or is_needed(g, i) or is_pressing(g, u.side, QUIET_TURNS):
        u.committed = 1
        return False
    if plan == HOLD:
        go_to_spot(g, i)
    elif goes_forward(plan):
        j = nearest_enemy(g, i)
        room = line - BEHIND_LINE - distance_home(g, i, u.y)
        if j >= 0 and room > 0.5 and measure_gap(g, i, j) > RESERVE_GAP:
            inches = move_rate(u)
            approach_unit(g, i, j, RESERVE_GAP, room if room < inches else inches)
    return True


@jit
def building_for(g: Any, i: Any) -> Any:
    """The empty building nearest to where the plan wants unit i to stand, if near enough; -1 for none."""
    u = g.u[i]
    best, shortest = -1, GARRISON * GARRISON
    for s in range(g.buildings_n):
        b = g.structures[s]
        dx, dy = b.x - u.spot_x, b.y - u.spot_y
        if dx * dx + dy * dy < shortest and has_room(g, i, s):
            best, shortest = s, dx * dx + dy * dy
    return best


@jit
def occupy_building(g: Any, i: Any) -> Any:
    """Go to a building near its spot and into it; True for a unit that is inside or on its way."""
    u = g.u[i]
    if u.inside >= 0:
        return True
    if u.arm != FOOT:
        return False
    s = building_for(g, i)
    if s < 0:
        return False
    if not enter_building(g, i, s):
        if u.form == COLUMN:
            change_formation(g, i, LINE)
        head_for_spot(g, i, g.structures[s].x, g.structures[s].y, 0.0, allowance_left(u))
        enter_building(g, i, s)
    return True


@jit
def leave_building_forward(g: Any, i: Any) -> None:
    """Leave a building to go forward, unless there is an enemy to fire at from it."""
    j = nearest_enemy(g, i)
    if j >= 0 and measure_gap(g, i, j) > 6.0:
        leave_towards(g, i, heading_to(g, i, j))


@jit
def hold_ground(g: Any, i: Any) -> None:
    """Hold: stand and fire, turn to threats, strike at what is weak and near."""
    u = g.u[i]
    j = target_of(g, i)
    if j < 0:
        return
    distance = measure_gap(g, i, j)
    if g.buildings_n > 0 and (u.inside >= 0 or distance > FORM_LINE) and occupy_building(g, i):
        return
    if u.form == COLUMN and distance <= FORM_LINE and change_formation(g, i, LINE) >= 0.0:
        return
    near = 15.0 if u.arm == MOUNTED else 6.0
    if distance <= near and worth_of(g, i, j) >= find_charge_threshold(g, i) + 0.1 + cover_given_up(g, i, j):
        approach_unit(g, i, j, 1.0, move_rate(u))
    elif distance > FORM_LINE and go_to_spot(g, i):
        return
    elif distance <= 14.0 and not is_pinned(g, i):
        face_enemy(g, i, j)


@jit
def give_ground(g: Any, i: Any) -> None:
    """Fire and fall back, facing the enemy, before he can come up and charge in one move."""
    u = g.u[i]
    j = nearest_enemy(g, i)
    if j < 0 or u.inside >= 0:
        return
    t = g.u[j]
    danger = DELAY_HORSE if t.arm == MOUNTED else t.rate_line + charge_reach(t)
    if measure_gap(g, i, j) <= danger and distance_home(g, i, u.y) > 4.0:
        fall_back_facing(g, i, move_rate(u))
    else:
        face_enemy(g, i, j)


@jit
def walk_at(g: Any, i: Any) -> None:
    """Advance: at the nearest enemy until within range of fire; no thought, no charge."""
    u = g.u[i]
    j = nearest_enemy(g, i)
    if j < 0:
        return
    inches = line_allowance(g, i, measure_gap(g, i, j))
    approach_unit(g, i, j, stand_off(u), inches)
