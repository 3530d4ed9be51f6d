"""The local commander: what each unit of the moving side does in step C under its side's plan."""

from typing import Any

from battles.engine.commanding import goes_forward, plan_changes
from battles.engine.compile import jit
from battles.engine.dtypes import (
    ADVANCE,
    ASSAULT,
    DELAY,
    NO_TASK,
    ON_TABLE,
    STEADY,
    TURN_FLANK,
    WITHDRAW,
)
from battles.engine.progress import (
    break_off_attack,
    closes_with_enemy,
    inches_to_go,
    is_ordered_back,
    is_pressing,
    note_progress,
    spell_begins,
)
from battles.engine.recording import BREAKS_OFF, note_plain
from battles.engine.wayfinding import NO_WAY_THERE
from battles.rulesets.awi.approach import go_home
from battles.rulesets.awi.charge_modifiers import is_spent
from battles.rulesets.awi.crowding import make_room, turn_away
from battles.rulesets.awi.flanks import find_flank, inches_aside
from battles.rulesets.awi.guns import saves_gun, serve_guns
from battles.rulesets.awi.leading import direct_generals
from battles.rulesets.awi.morale import move_rate
from battles.rulesets.awi.movement import new_phase
from battles.rulesets.awi.plans import (
    close_with,
    give_ground,
    hold_ground,
    leave_building_forward,
    stays_back,
    turn_the_flank,
    walk_at,
)
from battles.rulesets.awi.refuge import distance_home
from battles.rulesets.awi.retreat import capture_prizes
from battles.rulesets.awi.sappers import do_task, follow_party
from battles.rulesets.awi.tables import QUIET_TURNS

#: Inches nearer to the enemy's edge from which a unit is seen to come on.
CAME_ON = 0.5
#: Moves from its own edge within which a unit that falls back to come on again stays where it is.
MOVES_TO_EDGE = 2.0


@jit
def can_go_on(g: Any, i: Any) -> Any:
    """True for foot or horse that is to close with the enemy and is neither shaken, spent nor barred."""
    u = g.u[i]
    if u.place != ON_TABLE or u.mood != STEADY or u.gun == 1 or u.wagon == 1:
        return False
    return closes_with_enemy(g.plan[u.side]) and not is_spent(u) and u.has_way != NO_WAY_THERE


@jit
def can_fall_back(g: Any, i: Any) -> Any:
    """True for a unit that goes back with an attack: neither in a building nor near its own edge."""
    u = g.u[i]
    if u.inside >= 0 or not is_ordered_back(g, u.side) or not can_go_on(g, i):
        return False
    return distance_home(g, i, u.y) > MOVES_TO_EDGE * move_rate(u)


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
    if can_fall_back(g, i):
        go_home(g, i)
        if u.moved == 0:
            turn_away(g, i)
    return True


@jit
def command_unit(g: Any, i: Any) -> None:
    """The move of one unit."""
    u = g.u[i]
    plan = g.plan[u.side]
    if u.task != NO_TASK and do_task(g, i):
        return
    if u.wagon == 1 and follow_party(g, i):
        return
    if fall_back_to_come_on(g, i):
        return
    if plan == WITHDRAW:
        if not saves_gun(g, i):
            go_home(g, i)
    elif u.wagon == 1:
        return
    elif u.gun == 1:
        serve_guns(g, i)
    elif u.inside >= 0 and goes_forward(plan):
        leave_building_forward(g, i)
    elif plan == ADVANCE:
        walk_at(g, i)
    elif u.reserve == 1 and u.committed == 0 and stays_back(g, i):
        return
    elif plan == DELAY or is_spent(u):
        give_ground(g, i)
    elif plan == ASSAULT:
        close_with(g, i)
    elif plan == TURN_FLANK:
        turn_the_flank(g, i)
    else:
        hold_ground(g, i)


@jit
def is_leaving(plan: Any) -> Any:
    """True for plans whose rearmost units go first."""
    return plan in (DELAY, WITHDRAW)


@jit
def note_move(g: Any, i: Any, before: Any, forward: Any) -> None:
    """Note whether unit i, so many inches from its own edge before its move, came on and gained ground."""
    u = g.u[i]
    if forward and g.quiet > 0 and u.wagon == 0:
        note_progress(g, i, inches_to_go(g, i, inches_aside(g, i)))
    if distance_home(g, i, u.y) > before + CAME_ON:
        u.came_on = 1


@jit
def step_c(g: Any) -> None:
    """C: free movement, the units nearest the enemy's edge first."""
    g.step = 3
    new_phase(g)
    plan_changes(g, g.mover)
    direct_generals(g)
    if g.plan[g.mover] == TURN_FLANK:
        find_flank(g)
    count = 0
    sign = -1.0 if is_leaving(g.plan[g.mover]) or is_ordered_back(g, g.mover) else 1.0
    for i in range(g.n):
        u = g.u[i]
        if u.side != g.mover:
            continue
        u.came_on = 0
        if u.place != ON_TABLE or u.busy == 1 or u.mood != STEADY:
            continue
        key = sign * distance_home(g, i, u.y)
        k = count
        while k > 0:
            other = g.queue[k - 1]
            if sign * distance_home(g, other, g.u[other].y) >= key:
                break
            g.queue[k] = other
            k -= 1
        g.queue[k] = i
        count += 1
    forward = goes_forward(g.plan[g.mover])
    for k in range(count):
        i = g.queue[k]
        before = distance_home(g, i, g.u[i].y)
        if forward:
            spell_begins(g, i, inches_to_go(g, i, inches_aside(g, i)))
        command_unit(g, i)
        note_move(g, i, before, forward)
    if forward and is_pressing(g, g.mover, QUIET_TURNS):
        for k in range(count - 1, -1, -1):  # the rearmost first: who stands before them has room then
            i = g.queue[k]
            before = distance_home(g, i, g.u[i].y)
            make_room(g, i)
            note_move(g, i, before, forward)
    capture_prizes(g)
