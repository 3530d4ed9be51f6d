"""Charge combats as a whole: the dice, what they do to both sides, breakthroughs (REG-CHG-01 to 11)."""

import math
from typing import Any

from battles.engine.compile import jit
from battles.engine.dice import roll_d6
from battles.engine.geometry import COS, SIN, find_bearing, is_overlapping
from battles.engine.ways import is_off
from battles.rulesets.regimental.bases import can_stand_in_form, nearest_enemy
from battles.rulesets.regimental.beaten import (
    apply_struggle,
    attacking_stands,
    beat_attacker,
    beat_defender,
    credit_won_guns,
    first_attacker,
    is_attacking,
    own_stands,
)
from battles.rulesets.regimental.charging import (
    BOTH,
    FAVORABLE,
    PLAIN,
    STRONG,
    charge_modifier,
    charge_result,
    is_mounted,
    ratio_of,
)
from battles.rulesets.regimental.command import is_led
from battles.rulesets.regimental.contact import charge_along, find_charge_way, height_at
from battles.rulesets.regimental.cover import is_favorable, is_fortified
from battles.rulesets.regimental.maneuver import is_outflanked
from battles.rulesets.regimental.moving import move_allowance
from battles.rulesets.regimental.recording import (
    BREAKTHROUGH,
    ENTERS,
    MELEE_ROLL,
    OCCUPY,
    R_CHARGE,
    RECALLS,
    note_dice,
    note_plain,
)
from battles.rulesets.regimental.records import (
    BROKEN,
    DESPERATE,
    DRIVEN_BACK,
    FALTER,
    FOOT,
    GARRISON,
    HARD_PRESSED,
    ON_TABLE,
    RECOIL,
    REPULSED,
    SWEPT,
)
from battles.rulesets.regimental.retreating import back_off, in_close_range, out_of_close_range
from battles.rulesets.regimental.states import disorder_troops, write_footprint
from battles.rulesets.regimental.tables import SHORT_RETREAT, STOP_SHORT

#: Inches between the spots of an advance that are looked at, and the most rolls of one desperate struggle.
STEP, MOST_ROLLS = 0.25, 40


@jit
def find_charge_ground(g: Any, i: Any, j: Any) -> Any:
    """The ground of unit j against the charge of unit i, plain if it countercharges (REG-CHG-02)."""
    u, t = g.u[i], g.u[j]
    if t.countercharges == 1:
        return PLAIN
    good = is_favorable(g, t, u.from_x, u.from_y, height_at(g, u.from_x, u.from_y))
    strong = is_fortified(g, t, u.from_x, u.from_y)
    if good and strong:
        return BOTH
    if strong:
        return STRONG
    return FAVORABLE if good else PLAIN


@jit
def attack_modifier(g: Any, j: Any, second: Any, first_roll: Any) -> Any:
    """The best modifier among the attackers of unit j; what a struggle has used up does not count again."""
    ratio = ratio_of(attacking_stands(g, j, second), own_stands(g, j))
    best = -99
    for i in range(g.first[g.mover], g.past[g.mover]):
        u = g.u[i]
        if not is_attacking(g, i, j, second):
            continue
        steel = 1 if first_roll == 1 and (second == 1 or u.cold_steel == 1) else 0
        horse = 1 if first_roll == 1 and u.over_open == 1 else 0
        flank = 1 if is_outflanked(g, i) else 0
        led = 1 if is_led(g, i) else 0
        found = charge_modifier(g, i, ratio, PLAIN, steel, horse, flank, led)
        best = max(best, found)
    return best


@jit
def defence_modifier(g: Any, i: Any, j: Any, second: Any, first_roll: Any) -> Any:
    """Modifiers of unit j against the charge of unit i and those with it."""
    t = g.u[j]
    ratio = ratio_of(own_stands(g, j), attacking_stands(g, j, second))
    horse = 1 if first_roll == 1 and t.countercharges == 1 and t.over_open == 1 else 0
    flank = 1 if is_outflanked(g, j) else 0
    led = 1 if is_led(g, j) else 0
    return charge_modifier(g, j, ratio, find_charge_ground(g, i, j), 0, horse, flank, led)


@jit
def carry_position(g: Any, i: Any, x: Any, y: Any) -> None:
    """An attacker goes up to where the defender stood, short of other enemies (REG-CHG-05)."""
    u = g.u[i]
    dx, dy = x - u.x, y - u.y
    want = math.sqrt(dx * dx + dy * dy)
    if want <= 0.0:
        return
    heading = find_bearing(dx, dy)
    s, c = SIN[heading], COS[heading]
    best, way = 0.0, STEP
    while way <= want + 1.0e-9:
        px, py = u.x + s * way, u.y + c * way
        if is_off(g, px, py) or comes_too_near(g, i, px, py):
            break
        if can_stand_in_form(g, i, px, py, u.face):
            best = way
        way += STEP
    if best > 0.0:
        u.x, u.y = u.x + s * best, u.y + c * best
    note_plain(g, OCCUPY, i, -1)


@jit
def comes_too_near(g: Any, i: Any, x: Any, y: Any) -> Any:
    """True when going to a spot brings unit i within a quarter of an inch of an enemy (REG-DEF-05)."""
    u = g.u[i]
    for j in range(g.first[1 - u.side], g.past[1 - u.side]):
        b = g.u[j]
        if b.side == u.side or b.place != ON_TABLE:
            continue
        dx, dy, most = b.x - x, b.y - y, u.reach + b.reach + 2.0 * STOP_SHORT
        if dx * dx + dy * dy <= most * most and is_near(u, b, x, y) and not is_near(u, b, u.x, u.y):
            return True
    return False


@jit
def is_near(u: Any, b: Any, x: Any, y: Any) -> Any:
    """True when a unit at a spot is within a quarter of an inch of another."""
    wide, deep = u.half_width + STOP_SHORT - 1.0e-6, u.half_depth + STOP_SHORT - 1.0e-6
    return is_overlapping(x, y, u.face, wide, deep, b.x, b.y, b.face, b.half_width, b.half_depth)


@jit
def goes_in(g: Any, i: Any, k: Any) -> Any:
    """Foot that has carried a building holds it, when nobody else does (REG-UNI-04)."""
    u = g.u[i]
    if u.class_ != FOOT:
        return False
    for j in range(g.n):
        if g.u[j].place == ON_TABLE and g.u[j].inside == k:
            return False
    e = g.structures[k]
    u.inside, u.form, u.x, u.y, u.face = k, GARRISON, e.x, e.y, e.face
    write_footprint(g, i)
    note_plain(g, ENTERS, i, k)
    return True


@jit
def loses_order(g: Any, i: Any, second: Any) -> None:
    """Disorder a victor that crossed rough ground, is horse, or fought a second combat."""
    u = g.u[i]
    if u.over_rough == 1 or is_mounted(u) or second == 1:
        disorder_troops(g, i)


@jit
def takes_ground(g: Any, i: Any, second: Any, x: Any, y: Any, house: Any) -> None:
    """An attacker who has won carries the position, and may lose its order by it (REG-CHG-04 to 06)."""
    if house < 0 or not goes_in(g, i, house):
        carry_position(g, i, x, y)
    loses_order(g, i, second)


@jit
def must_break_through(g: Any, i: Any, result: Any) -> Any:
    """True for who has to go on: all who have swept, horse that has driven back too (REG-CHG-05, REG-CHG-11).

    Disorder excuses nobody: the broken alone may not charge (REG-UNI-02).
    """
    u = g.u[i]
    if u.order_ == BROKEN:
        return False
    return (result == SWEPT and g.o.must_break_through == 1) or (result == DRIVEN_BACK and is_mounted(u))


@jit
def breaks_through(g: Any, i: Any) -> Any:
    """Unit i goes on at the nearest enemy; True when it reaches him (REG-CHG-11).

    It has half a move at the double quick.
    """
    u = g.u[i]
    j = nearest_enemy(g, i)
    if j < 0:
        return False
    quick, u.quick = u.quick, 1
    heading, inches = find_charge_way(g, i, j, move_allowance(g, u, 0.5))
    if heading >= 0:
        note_plain(g, BREAKTHROUGH, i, j)
        charge_along(g, i, j, heading, inches)
        u.fought = 1
    u.quick = quick
    return heading >= 0


@jit
def make_breakthroughs(g: Any) -> None:
    """Make breakthroughs after all charge combats; units that cannot carry the position (REG-CHG-11)."""
    for i in range(g.first[g.mover], g.past[g.mover]):
        u = g.u[i]
        if u.breaks == 0:
            continue
        u.breaks = 0
        if not breaks_through(g, i):
            takes_ground(g, i, 0, u.won_x, u.won_y, u.won_house)


@jit
def advance_victors(g: Any, j: Any, result: Any, second: Any, held: Any, x: Any, y: Any, house: Any) -> None:
    """Let victors carry the position, leave works that hold, or mark them to break through (REG-CHG-04)."""
    for i in range(g.first[g.mover], g.past[g.mover]):
        u = g.u[i]
        if not is_attacking(g, i, j, second):
            continue
        u.charges = -1
        if held:
            back_off(g, i, SHORT_RETREAT)
        elif second == 0 and must_break_through(g, i, result):
            u.breaks, u.won_x, u.won_y, u.won_house = 1, x, y, house
        else:
            takes_ground(g, i, second, x, y, house)


@jit
def fight_charge(g: Any, j: Any, second: Any) -> Any:
    """Fight the charge on unit j to its end; the result, seen from the attacker (REG-CHG-01, REG-CHG-07)."""
    t = g.u[j]
    x, y, house, lost_before = t.x, t.y, t.inside, t.lost
    first_roll, result, difference = 1, DESPERATE, 0
    lead = first_attacker(g, j, second)
    strong = is_fortified(g, t, g.u[lead].from_x, g.u[lead].from_y)
    g.quiet = 0
    for _ in range(MOST_ROLLS):
        lead = first_attacker(g, j, second)
        if lead < 0 or t.place != ON_TABLE:
            break
        attack = attack_modifier(g, j, second, first_roll)
        defence = defence_modifier(g, lead, j, second, first_roll)
        die1, die2 = roll_d6(g), roll_d6(g)
        difference = die1 + attack - die2 - defence
        result = charge_result(difference)
        note_dice(g, MELEE_ROLL, lead, j, die1, die2, attack - defence, difference, R_CHARGE + result)
        if result != DESPERATE:
            break
        apply_struggle(g, j, second)
        first_roll = 0
    conclude_combat(g, j, result, difference, second, strong, x, y, house, lost_before)
    return result


@jit
def recalls_victors(g: Any, j: Any) -> None:
    """Horse that has beaten a charge by its countercharge recalls from enemies in close range (REG-CHG-08).

    It is in disorder, and the position that it might carry instead is where it has met the attacker.
    """
    if g.u[j].countercharges == 1 and in_close_range(g, j):
        note_plain(g, RECALLS, j, -1)
        out_of_close_range(g, j)


@jit
def conclude_combat(
    g: Any, j: Any, result: Any, difference: Any, second: Any, strong: Any, x: Any, y: Any, house: Any,
    lost_before: Any,
) -> None:  # fmt: skip
    """Losses, retreats and ground won after a combat, and the guns that were lost in it (REG-DEF-07)."""
    t = g.u[j]
    if t.place != ON_TABLE:
        if first_attacker(g, j, second) >= 0:
            credit_won_guns(g, j, lost_before)
        advance_victors(g, j, DESPERATE, second, False, x, y, house)
    elif result in (SWEPT, DRIVEN_BACK, HARD_PRESSED):
        beat_defender(g, j, result, difference, second, strong)
        held = strong and result == HARD_PRESSED and t.place == ON_TABLE
        if not held:
            credit_won_guns(g, j, lost_before)
        advance_victors(g, j, result, second, held, x, y, house)
    else:
        by_horse = is_mounted(t)
        if result in (FALTER, RECOIL, REPULSED):
            for i in range(g.first[g.mover], g.past[g.mover]):
                if is_attacking(g, i, j, second):
                    beat_attacker(g, i, result, difference, second, by_horse)
            if by_horse and t.place == ON_TABLE:
                disorder_troops(g, j)
                recalls_victors(g, j)
        for i in range(g.first[g.mover], g.past[g.mover]):
            if is_attacking(g, i, j, second):
                g.u[i].charges = -1
    t.countercharges = 0


@jit
def fight_charges(g: Any, second: Any) -> None:
    """All charge combats, the first ones or those after breakthroughs."""
    for j in range(g.first[1 - g.mover], g.past[1 - g.mover]):
        t = g.u[j]
        if t.side != g.mover and t.place == ON_TABLE and first_attacker(g, j, second) >= 0:
            fight_charge(g, j, second)


@jit
def charge_phase(g: Any) -> None:
    """All charge combats, then breakthroughs, then their combats (REG-GEN-02, REG-CHG-11)."""
    fight_charges(g, 0)
    make_breakthroughs(g)
    fight_charges(g, 1)
    for i in range(g.n):
        u = g.u[i]
        u.charges, u.countercharges, u.fought = -1, 0, 0
