"""The local commander: what each unit does with the maneuver it has, under its side's plan.

First the charges of a group that are worth it, then everybody else's move, the foremost first.
"""

from typing import Any

from battles.engine.commanding import flank_direction, goes_forward, plan_changes
from battles.engine.compile import jit
from battles.engine.dtypes import ADVANCE, ASSAULT, BUILDING, DELAY, HOLD, TURN_FLANK, WITHDRAW
from battles.engine.geometry import find_bearing, turn_between
from battles.engine.progress import (
    break_off_attack,
    closes_with_enemy,
    inches_to_go,
    is_ordered_back,
    is_pressing,
    note_progress,
    spell_begins,
)
from battles.engine.wayfinding import NO_WAY_THERE
from battles.engine.ways import from_own_edge
from battles.rulesets.regimental.approach import (
    close_to,
    fall_back_home,
    go_home,
    go_in,
    go_to_spot,
    look_at,
    step_along,
)
from battles.rulesets.regimental.bases import far_apart, measure_gap, nearest_enemy, spot_gap
from battles.rulesets.regimental.charging import may_use_steel
from battles.rulesets.regimental.columns import forms_up, stops_at, takes_column
from battles.rulesets.regimental.contact import (
    charge_allowance,
    countercharge,
    declare_charge,
    find_charge_way,
    may_charge,
)
from battles.rulesets.regimental.cover import is_fortified
from battles.rulesets.regimental.flanks import BEYOND, TURNED_IN, inches_aside, line_end
from battles.rulesets.regimental.gunnery import serve_guns
from battles.rulesets.regimental.maneuver_step import check_group, is_ready
from battles.rulesets.regimental.passing import by_flank, by_flank_nearer, friend_ahead, go_through
from battles.rulesets.regimental.recording import BREAKS_OFF, REPLENISHES, note_plain
from battles.rulesets.regimental.records import (
    FIRE_ONLY,
    FOOT,
    FRESH,
    GOOD,
    GUNS,
    HORSE,
    MAY_BE_WELL,
    NO_WEAPON,
    NOTHING,
    ON_TABLE,
    SPENT,
    VETERAN,
    WAGONS,
)
from battles.rulesets.regimental.sight import can_see
from battles.rulesets.regimental.states import find_condition, is_troops
from battles.rulesets.regimental.tables import QUIET_TURNS, STOP_SHORT, WHEEL
from battles.rulesets.regimental.worth import charge_worth

#: Least worth of a charge by kind of plan (the order of `dtypes`); who only advances never charges.
THRESHOLDS = (0.0, 1.5, 2.5, 99.0, 0.0, 99.0)
#: What boldness of one step takes off it, what leaving works adds, and what being spent adds.
BOLD, LEAVES_WORKS, IS_SPENT = 10.0, 1.5, 2.0
#: How many of the best charges are looked at.
TRIES = 3
#: The threshold of who is sent in at last, whatever it is worth.
SENT_IN = -99.0
#: A unit that is no better than this to charge.
NOTHING_WORTH = -1.0e9
#: Inches short of its range at which a unit stops to fire, and at which horse and reserves wait.
IN_RANGE, HORSE_WAITS, RESERVE_WAITS = 0.5, 12.0, 12.0
#: Inches from the enemy from which those who delay fall back, beyond a charge, and at which it is too late.
DELAY_FROM, TOO_LATE = 17.0, 9.0
#: Inches from the own edge within which who delays has nowhere to fall back to.
NO_FARTHER = 3.0
#: Inches at which those who pin an enemy keep off.
PIN = 9.0
#: Inches from its spot at which a unit is there, and to the enemy beyond which an attacker makes for a goal.
SPOT, GOAL_FREE = 1.5, 14.0
#: Inches to the enemy at which ammunition is seen to, and short of him at which a unit relieves another.
SEE_TO_AMMUNITION, RELIEF = 5.0, 1.5
#: Inches a turn towards an enemy close by who is out of sight.
FEELS_ON = 2.0
#: Inches that who is wedged in goes straight on, or back.
BACK_A_LITTLE = 4.0
#: Inches a unit keeps from the enemy when it has no firearm.
KEEPS_OFF = 6.0
#: Inches to the middle of a building within which a holder goes in, and to the enemy while he has the time.
CLOSE_BY, IN_TIME = 5.0, 14.0


@jit
def find_charge_threshold(g: Any, i: Any, j: Any) -> Any:
    """Least worth of a charge of unit i under its plan and its commander's boldness."""
    u = g.u[i]
    if is_pressing(g, u.side, QUIET_TURNS) and find_condition(g, u) != SPENT:
        return SENT_IN
    least = THRESHOLDS[g.plan[u.side]] - BOLD * g.plans[u.side].boldness
    if g.works_n > 0 and is_fortified(g, u, g.u[j].x, g.u[j].y):
        least += LEAVES_WORKS
    if find_condition(g, u) == SPENT:
        least += IS_SPENT
    return least


@jit
def charge_best_target(g: Any, i: Any) -> Any:
    """Unit i charges whom it is worth most to charge; True when it does."""
    u = g.u[i]
    if g.plan[u.side] in (ADVANCE, WITHDRAW) or not may_charge(u) or u.reserve == 1:
        return False
    left = charge_allowance(g, u)
    count = 0
    for j in range(g.first[1 - u.side], g.past[1 - u.side]):
        t = g.u[j]
        g.worth[j] = NOTHING_WORTH
        if t.side == u.side or t.place != ON_TABLE or far_apart(g, i, j, left):
            continue
        worth = charge_worth(g, i, j)
        if worth > find_charge_threshold(g, i, j):
            g.worth[j] = worth
            count += 1
    for _ in range(min(count, TRIES)):
        j = -1
        for k in range(g.first[1 - u.side], g.past[1 - u.side]):
            if g.u[k].side != u.side and g.worth[k] > NOTHING_WORTH and (j < 0 or g.worth[k] > g.worth[j]):
                j = k
        if j < 0:
            return False
        g.worth[j] = NOTHING_WORTH
        heading, inches = find_charge_way(g, i, j, left)
        if heading < 0:
            continue
        if countercharge(g, i, j):
            heading, inches = find_charge_way(g, i, j, left)
            if heading < 0:
                u.may = NOTHING
                return True
            g.u[j].charges = i
        declare_charge(g, i, j, heading, inches, uses_steel(u))
        return True
    return False


@jit
def uses_steel(u: Any) -> Any:
    """1 for who goes in with cold steel: troops good enough to do without fire (REG-CHG-03)."""
    return 1 if may_use_steel(u) and u.rating <= VETERAN else 0


@jit
def replenish_ammunition(g: Any, i: Any, distance: Any) -> Any:
    """Replenish a unit low on ammunition when well handled and not at grips (REG-TRP-01, REG-FIR-10)."""
    u = g.u[i]
    if u.low == 0 or u.may != MAY_BE_WELL or distance < SEE_TO_AMMUNITION:
        return False
    u.low, u.may = 0, NOTHING
    note_plain(g, REPLENISHES, i, -1)
    return True


@jit
def fires_from(g: Any, u: Any) -> Any:
    """Inches at which troops stop: where they fire from, or out of the way for who has no firearm."""
    if u.class_ == HORSE:
        return HORSE_WAITS
    if u.weapon == NO_WEAPON:
        return KEEPS_OFF
    return max(g.t.longest[u.weapon] - IN_RANGE, 1.0)


@jit
def goes_up(g: Any, i: Any, j: Any, distance: Any) -> None:
    """An attacker goes up to where it fires from, horse to where it waits for its chance.

    Towards whom woods or hills hide it feels its way on: nobody charges or fires at what he does not see.
    """
    u = g.u[i]
    stop = stops_at(u, distance, fires_from(g, u))
    if is_pressing(g, u.side, QUIET_TURNS):
        stop = STOP_SHORT
    if distance <= stop + FEELS_ON and not can_see(g, i, j):
        close_to(g, i, j, max(distance - FEELS_ON, 0.0))
        return
    p = g.plans[u.side]
    if p.goal == 1 and distance > GOAL_FREE and go_to_spot(g, i, u.spot_x, u.spot_y, SPOT) > 0.0:
        return
    if (distance <= stop or close_to(g, i, j, stop) <= 0.0) and not relieve_friend(g, i, j, distance):
        look_at(g, i, j)


@jit
def relieve_friend(g: Any, i: Any, j: Any, distance: Any) -> Any:
    """A unit goes through a friend who has suffered more and stands before the enemy; True when it does."""
    u, t = g.u[i], g.u[j]
    if u.may != MAY_BE_WELL or u.class_ != FOOT or find_condition(g, u) != FRESH or distance > GOAL_FREE:
        return False
    heading = find_bearing(t.x - u.x, t.y - u.y)
    if abs(turn_between(u.face, heading)) > WHEEL:
        return False
    before, _ = friend_ahead(g, i, heading, distance)
    if before < 0 or find_condition(g, g.u[before]) == FRESH:
        return False
    return go_through(g, i, heading, distance - RELIEF) > 0.0


@jit
def go_round_flank(g: Any, i: Any, j: Any, distance: Any) -> None:
    """The weight goes past the end of the enemy's line and turns in; the others pin."""
    u = g.u[i]
    if is_pressing(g, u.side, QUIET_TURNS):
        goes_up(g, i, j, distance)
        return
    if u.outflanks == 0:
        stop = stops_at(u, distance, PIN)
        if distance > stop:
            close_to(g, i, j, stop)
        else:
            look_at(g, i, j)
        return
    way = flank_direction(g, u.side)
    ex, ey = line_end(g, u.side)
    x = min(max(ex + way * BEYOND, 1.0), g.width - 1.0)
    y = ey + (-TURNED_IN if u.side == 0 else TURNED_IN)
    beside = way * (u.x - x) >= -TURNED_IN
    if beside or distance <= PIN or go_to_spot(g, i, x, y, TURNED_IN) <= 0.0:
        goes_up(g, i, j, distance)


@jit
def may_gain(g: Any, u: Any) -> Any:
    """True for who is under orders to go forward and in order."""
    return u.side == g.mover and u.place == ON_TABLE and u.order_ == GOOD and goes_forward(g.plan[u.side])


@jit
def garrison_building(g: Any, i: Any, distance: Any) -> Any:
    """Foot goes into a building close by while the enemy is far; True when it is on its way (REG-UNI-04)."""
    u = g.u[i]
    if u.class_ != FOOT or u.order_ != GOOD or distance < IN_TIME:
        return False
    for k in range(g.buildings_n):
        e = g.structures[k]
        if e.kind_ != BUILDING or spot_gap(g, i, e.x, e.y) > CLOSE_BY:
            continue
        held = 0
        for m in range(g.n):
            if g.u[m].place == ON_TABLE and g.u[m].inside == k:
                held += 1
        if held < e.capacity and (go_in(g, i, k) or go_to_spot(g, i, e.x, e.y, 0.0) > 0.0):
            return True
    return False


@jit
def hold_ground(g: Any, i: Any, j: Any, distance: Any) -> None:
    """Stand on its spot with its face to the enemy."""
    u = g.u[i]
    if u.inside >= 0 or (g.buildings_n > 0 and garrison_building(g, i, distance)):
        return
    dx, dy = u.spot_x - u.x, u.spot_y - u.y
    away = (dx * dx + dy * dy) ** 0.5
    gone = 0.0
    if distance > PIN and away > SPOT:
        gone = by_flank(g, i, find_bearing(dx, dy), away)
        if gone <= 0.0:
            gone = go_to_spot(g, i, u.spot_x, u.spot_y, 0.2)
    if gone <= 0.0:
        look_at(g, i, j)


@jit
def delay_enemy(g: Any, i: Any, j: Any, distance: Any) -> None:
    """Fall back before the enemy comes within a charge; whom he has reached turns and fires.

    Who could only face about would be charged in the back: he keeps his front (REG-TRP-04).
    """
    u = g.u[i]
    if u.inside >= 0:
        return
    goes = u.may == MAY_BE_WELL or abs(turn_between(u.face, u.home)) <= WHEEL
    if goes and TOO_LATE < distance <= DELAY_FROM and from_own_edge(g, u) > NO_FARTHER:
        fall_back_home(g, i, DELAY_FROM)
    else:
        look_at(g, i, j)


@jit
def stays_back(g: Any, i: Any, distance: Any) -> Any:
    """A reserve waits behind its line until the enemy is near or its line wavers; then it is none."""
    u = g.u[i]
    troops, shaken = 0, 0
    for k in range(g.first[u.side], g.past[u.side]):
        b = g.u[k]
        if b.side == u.side and b.place == ON_TABLE and b.reserve == 0 and is_troops(b):
            troops += 1
            if b.order_ != GOOD:
                shaken += 1
    sent_in = is_pressing(g, u.side, QUIET_TURNS)
    if sent_in or distance <= RESERVE_WAITS or shaken * 3 > troops or troops == 0:
        u.reserve = 0
        return False
    return True


@jit
def can_go_on(g: Any, i: Any) -> Any:
    """True for foot or horse in order that is to close with the enemy and is neither spent nor barred."""
    u = g.u[i]
    if u.place != ON_TABLE or u.order_ != GOOD or (u.class_ != FOOT and u.class_ != HORSE):
        return False
    able = closes_with_enemy(g.plan[u.side]) and u.has_way != NO_WAY_THERE
    return able and find_condition(g, u) != SPENT


@jit
def can_fall_back(g: Any, i: Any) -> Any:
    """True for a unit that goes back with an attack: neither in a building nor near its own edge."""
    u = g.u[i]
    if u.inside >= 0 or not is_ordered_back(g, u.side) or not can_go_on(g, i):
        return False
    return from_own_edge(g, u) > DELAY_FROM


@jit
def order_attack_back(g: Any, holder: Any) -> Any:
    """Order an attack that came to a stand back, to come on again (HR-BAT-02); False when nobody could.

    The `holder` alone stands at the spot fought for, -1 for neither side: attackers there stay.
    """
    if holder >= 0 and closes_with_enemy(g.plan[holder]):
        return False
    able = 0
    for i in range(g.n):
        if can_go_on(g, i):
            able += 1
    if not break_off_attack(g, able):
        return False
    for i in range(g.n):
        if can_fall_back(g, i):
            g.mover = g.u[i].side
            note_plain(g, BREAKS_OFF, i, -1)
    return True


@jit
def fall_back_to_come_on(g: Any, i: Any) -> Any:
    """Unit i goes back with an attack that came to a stand (HR-BAT-02); False for who stays where it is."""
    u = g.u[i]
    if u.inside >= 0 or not is_ordered_back(g, u.side) or not can_go_on(g, i):
        return False
    most = from_own_edge(g, u) - DELAY_FROM
    if can_fall_back(g, i):
        if abs(turn_between(u.face, u.home)) > WHEEL:
            fall_back_home(g, i, most)
        else:
            step_along(g, i, u.home, most)
    return True


@jit
def move_unit(g: Any, i: Any) -> None:
    """The move of one unit that has not charged."""
    u = g.u[i]
    plan = g.plan[u.side]
    if u.may == FIRE_ONLY:
        u.fires = 1
        return
    if plan == WITHDRAW:
        if u.inside >= 0 or u.class_ == GUNS:
            serve_guns(g, i, plan)
        if u.may != NOTHING:
            go_home(g, i)
        return
    if fall_back_to_come_on(g, i):
        return
    j = nearest_enemy(g, i)
    if u.class_ == WAGONS or j < 0:
        return
    if u.class_ == GUNS:
        serve_guns(g, i, plan)
        return
    distance = measure_gap(g, i, j)
    if forms_up(g, i, distance, plan in (HOLD, DELAY)) or replenish_ammunition(g, i, distance):
        if u.may == NOTHING:
            return
    elif plan in (ASSAULT, TURN_FLANK, ADVANCE) and u.reserve == 0:
        takes_column(g, i, distance)
    if u.reserve == 1 and stays_back(g, i, distance):
        look_at(g, i, j)
    elif plan == DELAY:
        delay_enemy(g, i, j, distance)
    elif plan == HOLD or find_condition(g, u) == SPENT:
        hold_ground(g, i, j, distance)
    elif plan == TURN_FLANK:
        go_round_flank(g, i, j, distance)
    else:
        goes_up(g, i, j, distance)


@jit
def gets_free(g: Any, i: Any) -> None:
    """Move a unit that cannot turn: on as it faces, by the flank to the enemy, or back a little."""
    u = g.u[i]
    j = nearest_enemy(g, i)
    stays = not is_troops(u) or u.inside >= 0 or find_condition(g, u) == SPENT
    if stays or u.moved == 1 or j < 0 or measure_gap(g, i, j) <= fires_from(g, u):
        return
    if step_along(g, i, u.face, BACK_A_LITTLE) <= 0.0 and by_flank_nearer(g, i, j, BACK_A_LITTLE) <= 0.0:
        fall_back_home(g, i, BACK_A_LITTLE)


@jit
def sort_group_moves(g: Any, count: Any) -> None:
    """Sort the group in `order`: the foremost first, those who leave the rearmost first."""
    side = g.mover
    leaves = g.plan[side] in (DELAY, WITHDRAW) or is_ordered_back(g, side)
    sign = -1.0 if leaves else 1.0
    for k in range(1, count):
        i = g.order[k]
        key = sign * from_own_edge(g, g.u[i])
        m = k
        while m > 0 and sign * from_own_edge(g, g.u[g.order[m - 1]]) < key:
            g.order[m] = g.order[m - 1]
            m -= 1
        g.order[m] = i


@jit
def maneuver_group(g: Any, head: Any) -> None:
    """One group's check, its charges, then its moves (REG-GEN-02)."""
    count = check_group(g, head)
    sort_group_moves(g, count)
    for k in range(count):
        i = g.order[k]
        if is_ready(g.u[i]) and g.u[i].may != FIRE_ONLY and is_troops(g.u[i]):
            charge_best_target(g, i)
    for k in range(count):
        i = g.order[k]
        if is_ready(g.u[i]) and g.u[i].charges < 0:
            move_unit(g, i)
            if is_pressing(g, g.mover, QUIET_TURNS) and g.u[i].may != FIRE_ONLY:
                gets_free(g, i)


@jit
def run_maneuver_phase(g: Any) -> None:
    """The maneuver phase but for leaders: group by group until all have checked (REG-GEN-02, REG-MAN-02)."""
    plan_changes(g, g.mover)
    for i in range(g.first[g.mover], g.past[g.mover]):
        if may_gain(g, g.u[i]):
            spell_begins(g, i, inches_to_go(g, i, inches_aside(g, i)))
    for i in range(g.first[g.mover], g.past[g.mover]):
        u = g.u[i]
        if u.side == g.mover and u.place == ON_TABLE and u.result < 0:
            maneuver_group(g, i)
    for i in range(g.first[g.mover], g.past[g.mover]):
        if g.quiet > 0 and may_gain(g, g.u[i]):
            note_progress(g, i, inches_to_go(g, i, inches_aside(g, i)))
