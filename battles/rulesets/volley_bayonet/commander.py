"""The local commander: what each stand of the moving side does under its side's plan.

First all charges that are worth it, then everybody else's move, those nearest the enemy's edge first.
"""

from typing import Any

from battles.engine.commanding import flank_direction, goes_forward, plan_changes
from battles.engine.compile import jit
from battles.engine.dtypes import ADVANCE, ASSAULT, DELAY, HOLD, TURN_FLANK, WITHDRAW
from battles.engine.geometry import COS, SIN, point_gap2
from battles.engine.progress import (
    break_off_attack,
    closes_with_enemy,
    inches_to_go,
    is_ordered_back,
    is_pressing,
    note_progress,
    spell_begins,
)
from battles.engine.wayfinding import HAS_WAY, NO_WAY_THERE
from battles.engine.ways import from_own_edge
from battles.rulesets.volley_bayonet.allowance import HALF, LITTLE, begin_turn, find_turn_inches
from battles.rulesets.volley_bayonet.approach import (
    GAIN,
    close_to,
    column_of_road,
    fall_back_home,
    find_best_reach,
    go_home,
    go_to_spot,
    look_at,
    nearest_enemy,
    presses_on,
    step_along,
    turn_towards,
)
from battles.rulesets.volley_bayonet.bases import (
    far_from,
    find_extent,
    has_enemy_touching,
    in_reach,
    measure_gap,
)
from battles.rulesets.volley_bayonet.charging import may_charge
from battles.rulesets.volley_bayonet.choosing import NOTHING, best_of_queue
from battles.rulesets.volley_bayonet.combat import find_longest_range, fire_dice, is_foot, is_gun
from battles.rulesets.volley_bayonet.contact import charge_by, find_charge_way
from battles.rulesets.volley_bayonet.cover import behind_works, code_at
from battles.rulesets.volley_bayonet.exhaustion import is_exhausted
from battles.rulesets.volley_bayonet.flanks import inches_aside, line_end
from battles.rulesets.volley_bayonet.formations import go_stationary, leave_road_march, recover_order
from battles.rulesets.volley_bayonet.leading import enemy_near
from battles.rulesets.volley_bayonet.move_order import sort_moves
from battles.rulesets.volley_bayonet.moving import (
    ends_free,
    go_in,
    go_straight,
    has_room_for,
    is_block,
)
from battles.rulesets.volley_bayonet.recording import BREAKS_OFF, note_plain
from battles.rulesets.volley_bayonet.records import (
    DISORDERED,
    GOOD,
    HORSE,
    ON_TABLE,
    ROAD_MARCH,
    TRANSPORT,
)
from battles.rulesets.volley_bayonet.reforming import changes_first, changes_last, waits_to_join
from battles.rulesets.volley_bayonet.rtg.gunnery import limbers_up, serve_battery, step_back_from_contact
from battles.rulesets.volley_bayonet.rtg.impact import goes_through, may_charge_at
from battles.rulesets.volley_bayonet.sight import can_see
from battles.rulesets.volley_bayonet.states import is_standing
from battles.rulesets.volley_bayonet.worth import charge_worth

#: Least worth of a charge by kind of plan (the order of `dtypes`); who only advances never charges.
THRESHOLDS = (0.1, 0.35, 0.6, 0.9, 0.1, 9.0)
#: What it must be worth more to leave works for it, and to who is nearly gone.
LEAVES_WORKS, SPENT = 0.4, 0.5
#: Inches from its own edge that a stand keeps which falls back to come on again.
OFF_EDGE = 2.5
#: How many of the best charges are looked at.
TRIES = 4
#: The threshold of who is sent in at last, whatever it is worth.
SENT_IN = -99.0
#: A threshold that nobody has asked for yet.
NOT_WEIGHED = -1.0e9


@jit
def find_charge_threshold(g: Any, i: Any) -> Any:
    """Least worth of a charge of stand i under its plan and its commander's boldness."""
    u = g.u[i]
    if is_pressing(g, u.side, g.t.quiet_turns) and not is_spent(g, i):
        return SENT_IN
    least = THRESHOLDS[g.plan[u.side]] - g.plans[u.side].boldness
    j = nearest_enemy(g, i)
    if j >= 0 and behind_works(g, u, g.u[j].x, g.u[j].y):
        least += LEAVES_WORKS
    if u.sp == 1 and u.sp_start >= 3:
        least += SPENT
    return least


@jit
def weigh_charges(g: Any, i: Any) -> Any:
    """Queue the enemies in reach whom it is worth charging, and write how much; how many they are."""
    u, count = g.u[i], 0
    reach, least, grand = u.left * find_turn_inches(g, u), NOT_WEIGHED, g.o.grand == 1
    out = reach + find_extent(u)
    for j in range(g.first[1 - u.side], g.past[1 - u.side]):
        t = g.u[j]
        if t.side == u.side or not is_standing(t) or t.class_ == TRANSPORT:
            continue
        if far_from(u, t, out) or not in_reach(g, i, j, reach) or (grand and not may_charge_at(g, i, j)):
            continue
        if least == NOT_WEIGHED:
            least = find_charge_threshold(g, i)
        worth = charge_worth(g, i, j)
        if worth > least:
            g.queue[count], g.value[j] = j, worth
            count += 1
    return count


@jit
def best_charge(g: Any, i: Any) -> Any:
    """(enemy, way) of the charge that is worth most to stand i; (-1, -1) when none is worth it.

    The way, which takes long to look at, is looked at for the best few only.
    """
    count = weigh_charges(g, i)
    for _ in range(min(count, TRIES)):
        j = best_of_queue(g, count)
        way = find_charge_way(g, i, j)
        if way >= 0:
            return j, way
        g.value[j] = NOTHING
    return -1, -1


@jit
def charge_best_target(g: Any, i: Any) -> Any:
    """Stand i charges whom it is worth most to charge; True when it is in contact."""
    if g.plan[g.u[i].side] in (ADVANCE, WITHDRAW) or not may_charge(g, i):
        return False
    if g.o.changes_form == 1 and g.u[i].rides == 1 and g.u[i].class_ == HORSE:
        return False  # mounted infantry fights on foot
    j, way = best_charge(g, i)
    if j < 0 or not charge_by(g, i, j, way):
        return False
    if g.o.grand == 1:
        goes_through(g, i)
    return True


@jit
def gets_in_order(g: Any, i: Any) -> None:
    """Recover a disordered stand before it does anything else, if it can (VBW-MOV-09)."""
    u = g.u[i]
    if u.state == DISORDERED:
        recover_order(g, i, code_at(g, u.x, u.y), has_enemy_touching(g, i))


@jit
def breaks_contact(g: Any, i: Any) -> None:
    """Move a stand that touches an enemy and does not charge it back by at least an inch (VBW-DEF-10)."""
    u = g.u[i]
    if u.charged == 1 or u.left <= LITTLE or not has_enemy_touching(g, i):
        return
    if g.o.grand == 1 and step_back_from_contact(g, i):
        return
    inches = 1.0
    s, c = SIN[u.home], COS[u.home]
    while inches < g.t.gives_way and not ends_free(g, i, u.x + s * inches, u.y + c * inches):
        inches += 1.0
    fall_back_home(g, i, inches)


@jit
def serve_gun(g: Any, i: Any, j: Any, distance: Any) -> None:
    """Guns stay where they bear; an attacker's go up until they are at short range."""
    u = g.u[i]
    short = g.t.short[u.weapon] - g.t.guns_short
    attacks = g.plan[u.side] in (ASSAULT, TURN_FLANK, ADVANCE)
    if u.form == ROAD_MARCH:
        close_to(g, i, j, distance, g.t.march_to)
    elif attacks and distance > short:
        close_to(g, i, j, distance, short)
    else:
        look_at(g, i, j)


@jit
def fires_from(g: Any, u: Any) -> Any:
    """Inches at which a stand of foot stops to fire."""
    return max(find_longest_range(g, u) - g.t.in_range, 1.0)


@jit
def goes_up(g: Any, i: Any, j: Any, distance: Any) -> None:
    """An attacker's foot goes up to its range, on horseback too; horse to where it waits for its chance."""
    u = g.u[i]
    stop = fires_from(g, u)
    if is_pressing(g, u.side, g.t.quiet_turns):
        stop = g.t.stop_short
    elif u.class_ == HORSE and (u.rides == 0 or g.o.changes_form == 0):
        stop = g.t.horse_waits
    if distance <= stop + GAIN and not can_see(g, i, j):
        # a brigade that turned to him would turn off its way, and back to it in its next move
        on_its_way = g.o.grand == 1 and u.has_way == HAS_WAY
        if not on_its_way and presses_on(g, i, j, distance) > 0.0:
            return
        stop = g.t.stop_short  # something stands between them: it goes round
    p = g.plans[u.side]
    if p.goal == 1 and distance > g.t.goal_free:
        if go_to_spot(g, i, u.spot_x, u.spot_y, g.t.at_spot) > 0.0:
            return
        distance = measure_gap(g, i, j)  # it may have turned
    if distance <= stop or close_to(g, i, j, distance, stop) <= 0.0:
        look_at(g, i, j)


@jit
def go_round_flank(g: Any, i: Any, j: Any, distance: Any) -> None:
    """The weight goes past the end of the enemy's line and turns in; the others pin."""
    u = g.u[i]
    if is_pressing(g, u.side, g.t.quiet_turns):
        goes_up(g, i, j, distance)
        return
    if u.outflanks == 0:
        if distance > g.t.pin:
            close_to(g, i, j, distance, g.t.pin)
        else:
            look_at(g, i, j)
        return
    way = flank_direction(g, u.side)
    ex, ey = line_end(g, u.side)
    x = min(max(ex + way * g.t.beyond_line, 1.0), g.width - 1.0)
    inward = -1.0 if u.side == 0 else 1.0
    y = ey + inward * g.t.turned_in
    beside = way * (u.x - x) >= -g.t.turned_in
    if beside or distance <= g.t.pin or go_to_spot(g, i, x, y, g.t.turned_in) <= 0.0:
        goes_up(g, i, j, measure_gap(g, i, j))


@jit
def garrison_building(g: Any, i: Any) -> Any:
    """Foot in good order goes into a block close by while the enemy is far; True when it is on its way."""
    u = g.u[i]
    if not is_foot(u) or u.state != GOOD or enemy_near(g, i, g.t.in_time):
        return False
    for k in range(g.buildings_n):
        e = g.structures[k]
        if not is_block(g, k) or not has_room_for(g, k, u):
            continue
        if point_gap2(u.x, u.y, e.x, e.y, e.face, e.half_width, e.half_depth) > g.t.garrison * g.t.garrison:
            continue
        if go_in(g, i, k):
            return True
        if go_to_spot(g, i, e.x, e.y, 0.0) > 0.0:
            go_in(g, i, k)
            return True
    return False


@jit
def hold_ground(g: Any, i: Any, j: Any) -> None:
    """Stand on its spot with its face to the enemy."""
    u = g.u[i]
    if u.inside >= 0:
        return
    if u.class_ == HORSE and enemy_near(g, i, g.t.pin):
        return
    if g.buildings_n > 0 and garrison_building(g, i):
        return
    if go_to_spot(g, i, u.spot_x, u.spot_y, g.t.at_spot) <= 0.0:
        look_at(g, i, j)


@jit
def delay_enemy(g: Any, i: Any, j: Any, distance: Any) -> None:
    """Fire from as far as it can, and fall back before the enemy is upon it."""
    u = g.u[i]
    if u.inside >= 0:
        return
    if distance <= g.t.delay_at:
        fall_back_home(g, i, g.t.delay_by)
    else:
        look_at(g, i, j)


@jit
def stays_back(g: Any, i: Any, distance: Any) -> Any:
    """A reserve waits behind its line until the enemy is near or its line wavers; then it is none."""
    u = g.u[i]
    troops, shaken = 0, 0
    for k in range(g.n):
        b = g.u[k]
        if b.side == u.side and b.place == ON_TABLE and b.reserve == 0 and b.class_ != TRANSPORT:
            troops += 1
            if b.state >= DISORDERED:
                shaken += 1
    sent_in = is_pressing(g, u.side, g.t.quiet_turns)
    if sent_in or distance <= g.t.near_reserve or shaken * 3 > troops or troops == 0:
        u.reserve = 0
        return False
    return True


@jit
def can_go_on(g: Any, i: Any) -> Any:
    """True for foot or horse in order that is to close with the enemy and is neither spent nor barred."""
    u = g.u[i]
    if not is_standing(u) or u.state != GOOD or u.class_ == TRANSPORT or is_gun(u) or u.in_command == 0:
        return False
    return closes_with_enemy(g.plan[u.side]) and not is_spent(g, i) and u.has_way != NO_WAY_THERE


@jit
def can_fall_back(g: Any, i: Any) -> Any:
    """True for a stand that goes back with an attack that came to a stand: not in a block or at its edge."""
    u = g.u[i]
    if u.inside >= 0 or not is_ordered_back(g, u.side) or not can_go_on(g, i):
        return False
    return from_own_edge(g, u) - OFF_EDGE >= GAIN


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
    """Stand i goes back with an attack that came to a stand (HR-BAT-02); False for who stays where it is."""
    u = g.u[i]
    if u.inside >= 0 or not is_ordered_back(g, u.side) or not can_go_on(g, i):
        return False
    most = min(from_own_edge(g, u) - OFF_EDGE, find_best_reach(g, u))
    if most >= GAIN and (not turn_towards(g, i, u.home) or step_along(g, i, u.home, most) <= 0.0):
        fall_back_home(g, i, most)
    return True


@jit
def move_stand(g: Any, i: Any) -> None:
    """The move of one stand that has not charged."""
    u = g.u[i]
    plan = g.plan[u.side]
    if plan == WITHDRAW:
        if g.o.grand == 1:
            limbers_up(g, i)
        go_home(g, i)
        return
    j = nearest_enemy(g, i)
    if u.class_ == TRANSPORT or j < 0:
        return
    if has_enemy_touching(g, i):
        breaks_contact(g, i)
        return
    if fall_back_to_come_on(g, i):
        return
    distance, form = measure_gap(g, i, j), u.form
    if g.o.changes_form == 1 and waits_to_join(g, i, j, distance):
        return
    if plan in (ASSAULT, TURN_FLANK, ADVANCE):
        column_of_road(g, i, distance)
    elif u.form == ROAD_MARCH:
        leave_road_march(g, i, has_enemy_touching(g, i))
    if u.form != form:
        distance = measure_gap(g, i, j)  # a column of march is longer
    if is_gun(u) and g.o.grand == 1:
        serve_battery(g, i, j, distance)
    elif is_gun(u):
        serve_gun(g, i, j, distance)
    elif u.guns_gone == 1:
        fall_back_home(g, i, g.t.delay_by)
    elif u.reserve == 1 and stays_back(g, i, distance):
        look_at(g, i, j)
    elif plan == DELAY:
        delay_enemy(g, i, j, distance)
    elif plan == HOLD or is_spent(g, i):
        hold_ground(g, i, j)
    elif plan == TURN_FLANK:
        go_round_flank(g, i, j, distance)
    else:
        goes_up(g, i, j, distance)


@jit
def gets_free(g: Any, i: Any) -> None:
    """Move a stand that has no room to turn on as it faces, or back a little."""
    u = g.u[i]
    if u.class_ == TRANSPORT or is_spent(g, i):  # they stay where their own orders leave them
        return
    j = nearest_enemy(g, i)
    if u.moved == 1 or u.inside >= 0 or is_gun(u) or j < 0:
        return
    if measure_gap(g, i, j) > fires_from(g, u) and go_straight(g, i, u.face, g.t.gives_way) <= 0.0:
        fall_back_home(g, i, g.t.gives_way)


@jit
def is_spent(g: Any, i: Any) -> Any:
    """True for a stand whose brigade is exhausted, or that has lost nearly all: it goes no nearer."""
    u = g.u[i]
    return is_exhausted(g, u) or (u.sp == 1 and u.sp_start >= 3)


@jit
def run_movement_step(g: Any) -> None:
    """The movement step of the active side (VBW-SEQ-03): charges, moves, then who stands still."""
    plan_changes(g, g.mover)
    for i in range(g.first[g.mover], g.past[g.mover]):
        if g.u[i].side == g.mover and is_standing(g.u[i]):
            begin_turn(g, g.u[i])
            if g.u[i].leans >= 0:
                g.u[i].left = HALF  # it might lose touch, and have gone too far (RTG-CMD-02)
    if g.o.changes_form == 1:
        changes_first(g)
    count = sort_moves(g)
    forward = goes_forward(g.plan[g.mover])
    for k in range(count):
        i = g.order[k]
        if forward:
            spell_begins(g, i, inches_to_go(g, i, inches_aside(g, i)))
    for k in range(count):
        gets_in_order(g, g.order[k])
    for k in range(count):
        charge_best_target(g, g.order[k])
    for k in range(count):
        i = g.order[k]
        if is_standing(g.u[i]) and g.u[i].charged == 0:
            move_stand(g, i)
            if is_pressing(g, g.mover, g.t.quiet_turns):
                gets_free(g, i)
        if g.o.changes_form == 1 and g.u[i].charged == 0:
            changes_last(g, i)
    for k in range(count):
        i = g.order[k]
        u = g.u[i]
        if forward and g.quiet > 0 and is_standing(u):
            note_progress(g, i, inches_to_go(g, i, inches_aside(g, i)))
        if is_standing(u) and fire_dice(g, u) > 0:
            go_stationary(g, i, code_at(g, u.x, u.y), is_exhausted(g, u))
