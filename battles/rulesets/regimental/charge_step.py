"""Charge combats as a whole: the dice, what they do to both sides, breakthroughs (REG-CHG-01 to 11)."""

import math
from typing import Any

from battles.engine.compile import jit
from battles.engine.dice import d6
from battles.engine.geometry import COS, SIN, bearing, overlap
from battles.engine.ways import is_off
from battles.rulesets.regimental.bases import fits_here, nearest_enemy
from battles.rulesets.regimental.beaten import (
    attacker_beaten,
    attacking_stands,
    attacks,
    defender_beaten,
    first_attacker,
    guns_won,
    own_stands,
    struggle,
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
from battles.rulesets.regimental.contact import charge_along, height_at, way_to
from battles.rulesets.regimental.cover import is_favorable, is_fortified
from battles.rulesets.regimental.maneuver import outflanked
from battles.rulesets.regimental.moving import allowance
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
from battles.rulesets.regimental.states import (
    disorder,
    reform,
)
from battles.rulesets.regimental.tables import SHORT_RETREAT, STOP_SHORT

#: Inches between the spots of an advance that are looked at, and the most rolls of one desperate struggle.
STEP, MOST_ROLLS = 0.25, 40


@jit
def ground_of(g: Any, i: Any, j: Any) -> Any:
    """What unit j stands on against the charge of unit i, nothing if it countercharges (REG-CHG-02)."""
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
        if not attacks(g, i, j, second):
            continue
        steel = 1 if first_roll == 1 and (second == 1 or u.cold_steel == 1) else 0
        horse = 1 if first_roll == 1 and u.over_open == 1 else 0
        flank = 1 if outflanked(g, i) else 0
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
    flank = 1 if outflanked(g, j) else 0
    led = 1 if is_led(g, j) else 0
    return charge_modifier(g, j, ratio, ground_of(g, i, j), 0, horse, flank, led)


@jit
def carry(g: Any, i: Any, x: Any, y: Any) -> None:
    """An attacker goes up to where the defender stood, short of other enemies (REG-CHG-05)."""
    u = g.u[i]
    dx, dy = x - u.x, y - u.y
    want = math.sqrt(dx * dx + dy * dy)
    if want <= 0.0:
        return
    heading = bearing(dx, dy)
    s, c = SIN[heading], COS[heading]
    best, way = 0.0, STEP
    while way <= want + 1.0e-9:
        px, py = u.x + s * way, u.y + c * way
        if is_off(g, px, py) or comes_too_near(g, i, px, py):
            break
        if fits_here(g, i, px, py, u.face):
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
    return overlap(x, y, u.face, wide, deep, b.x, b.y, b.face, b.half_width, b.half_depth)


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
    reform(g, i)
    note_plain(g, ENTERS, i, k)
    return True


@jit
def loses_order(g: Any, i: Any, second: Any) -> None:
    """Who carries a position over rough ground, as horse, or in a second combat is disordered by it."""
    u = g.u[i]
    if u.over_rough == 1 or is_mounted(u) or second == 1:
        disorder(g, i)


@jit
def takes_ground(g: Any, i: Any, second: Any, x: Any, y: Any, house: Any) -> None:
    """An attacker who has won carries the position, and may lose its order by it (REG-CHG-04 to 06)."""
    if house < 0 or not goes_in(g, i, house):
        carry(g, i, x, y)
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
    heading, inches = way_to(g, i, j, allowance(g, u, 0.5))
    if heading >= 0:
        note_plain(g, BREAKTHROUGH, i, j)
        charge_along(g, i, j, heading, inches)
        u.fought = 1
    u.quick = quick
    return heading >= 0


@jit
def breakthroughs(g: Any) -> None:
    """Who must break through does so after all charge combats, or carries the position (REG-CHG-11)."""
    for i in range(g.first[g.mover], g.past[g.mover]):
        u = g.u[i]
        if u.breaks == 0:
            continue
        u.breaks = 0
        if not breaks_through(g, i):
            takes_ground(g, i, 0, u.won_x, u.won_y, u.won_house)


@jit
def victors(g: Any, j: Any, result: Any, second: Any, held: Any, x: Any, y: Any, house: Any) -> None:
    """Who has won carries the position, leaves works that hold, or is to break through (REG-CHG-04)."""
    for i in range(g.first[g.mover], g.past[g.mover]):
        u = g.u[i]
        if not attacks(g, i, j, second):
            continue
        u.charges = -1
        if held:
            back_off(g, i, SHORT_RETREAT)
        elif second == 0 and must_break_through(g, i, result):
            u.breaks, u.won_x, u.won_y, u.won_house = 1, x, y, house
        else:
            takes_ground(g, i, second, x, y, house)


@jit
def combat(g: Any, j: Any, second: Any) -> Any:
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
        die1, die2 = d6(g), d6(g)
        difference = die1 + attack - die2 - defence
        result = charge_result(difference)
        note_dice(g, MELEE_ROLL, lead, j, die1, die2, attack - defence, difference, R_CHARGE + result)
        if result != DESPERATE:
            break
        struggle(g, j, second)
        first_roll = 0
    conclude(g, j, result, difference, second, strong, x, y, house, lost_before)
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
def conclude(
    g: Any, j: Any, result: Any, difference: Any, second: Any, strong: Any, x: Any, y: Any, house: Any,
    lost_before: Any,
) -> None:  # fmt: skip
    """Losses, retreats and ground won after a combat, and the guns that were lost in it (REG-DEF-07)."""
    t = g.u[j]
    if t.place != ON_TABLE:
        if first_attacker(g, j, second) >= 0:
            guns_won(g, j, lost_before)
        victors(g, j, DESPERATE, second, False, x, y, house)
    elif result in (SWEPT, DRIVEN_BACK, HARD_PRESSED):
        defender_beaten(g, j, result, difference, second, strong)
        held = strong and result == HARD_PRESSED and t.place == ON_TABLE
        if not held:
            guns_won(g, j, lost_before)
        victors(g, j, result, second, held, x, y, house)
    else:
        by_horse = is_mounted(t)
        if result in (FALTER, RECOIL, REPULSED):
            for i in range(g.first[g.mover], g.past[g.mover]):
                if attacks(g, i, j, second):
                    attacker_beaten(g, i, result, difference, second, by_horse)
            if by_horse and t.place == ON_TABLE:
                disorder(g, j)
                recalls_victors(g, j)
        for i in range(g.first[g.mover], g.past[g.mover]):
            if attacks(g, i, j, second):
                g.u[i].charges = -1
    t.countercharges = 0


@jit
def combats(g: Any, second: Any) -> None:
    """All charge combats, the first ones or those after breakthroughs."""
    for j in range(g.first[1 - g.mover], g.past[1 - g.mover]):
        t = g.u[j]
        if t.side != g.mover and t.place == ON_TABLE and first_attacker(g, j, second) >= 0:
            combat(g, j, second)


@jit
def charge_phase(g: Any) -> None:
    """All charge combats, then breakthroughs, then their combats (REG-GEN-02, REG-CHG-11)."""
    combats(g, 0)
    breakthroughs(g)
    combats(g, 1)
    for i in range(g.n):
        u = g.u[i]
        u.charges, u.countercharges, u.fought = -1, 0, 0
