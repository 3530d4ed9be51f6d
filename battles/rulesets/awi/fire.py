"""Fire, step E (AWI-T-FIR): factors, choice of targets, declared shots and what they do."""

from typing import Any

from battles.engine.bases import (
    HALF,
    HALF_DIAGONAL,
    centre_gap2,
    front_x,
    front_y,
    half_depth,
    half_width,
    home_heading,
)
from battles.engine.compile import jit
from battles.engine.dice import roll_d6
from battles.engine.dtypes import COLUMN, ON_TABLE, ROUTING, SHAKEN, STEADY
from battles.engine.geometry import COS, SIN, fan_holds
from battles.engine.recording import (
    FIRE,
    FIRE_AT_STRUCTURE,
    GENERAL_UNDER_FIRE,
    R_HIT,
    R_MISS,
    R_NONE,
    ROUTED_BY_FIRE,
    SHOT_WASTED,
    WAVERS,
    note_event,
    note_plain,
)
from battles.rulesets.awi.generals import risk_generals
from battles.rulesets.awi.morale import basic_morale, deduct_strength
from battles.rulesets.awi.retreat import away_from, rout
from battles.rulesets.awi.sighting import (
    BEYOND_RANGE,
    HIDDEN,
    bare_range,
    can_fire,
    clear_line,
    edge_range,
    far_off,
    find_hiding,
    find_range_band,
    firing_edge,
    list_between,
    longest_range,
    range_from,
    seen_range,
)
from battles.rulesets.awi.works import find_shelter, hit_structure, is_manned, shelter_factor, stands_at

#: Modifier of a shot that cannot be fired, and the least with which one can do harm.
NO_SHOT, LEAST = -99, -5
#: Chance in 36 that two dice show at least 0 to 13.
AT_LEAST = (36, 36, 36, 35, 33, 30, 26, 21, 15, 10, 6, 3, 1, 0)


@jit
def chances_in_36(need: Any) -> Any:
    """Chances in 36 that 2d6 reach `need`."""
    if need <= 2:
        return 36
    return 0 if need > 12 else AT_LEAST[need]


@jit
def strength_factor(sp: Any) -> Any:
    """Fire factor of the firer's strength (AWI-T-FIR-08)."""
    if sp >= 5:
        return 0
    return -1 if sp >= 3 else -2


@jit
def is_canister_barred(g: Any, i: Any) -> Any:
    """True when any part of a friend is in a gun's fan out to its short range (AWI-T-FIR-09)."""
    a = g.u[i]
    fx, fy = front_x(a), front_y(a)
    s, c = SIN[a.face], COS[a.face]
    for j in range(g.n):
        b = g.u[j]
        if j == i or b.side != a.side or b.place != ON_TABLE:
            continue
        dx, dy = b.x - fx, b.y - fy
        ahead = dx * s + dy * c
        if ahead <= -HALF_DIAGONAL or ahead >= a.short_max + HALF_DIAGONAL:
            continue
        if abs(dx * c - dy * s) >= HALF + ahead + 1.5 * HALF_DIAGONAL:
            continue
        if fan_holds(fx, fy, a.face, HALF, a.short_max, b.x, b.y, b.face, half_width(b), half_depth(b)):
            return True
    return False


@jit
def fires_ball(g: Any, i: Any, zone: Any) -> Any:
    """1 for a gun that fires ball: beyond short range, and where canister is barred (AWI-T-FIR-09)."""
    return 1 if g.u[i].gun == 1 and (zone != 1 or is_canister_barred(g, i)) else 0


@jit
def own_factors(g: Any, i: Any, zone: Any, ball: Any) -> Any:
    """Sum of the fire factors but for cover (AWI-T-FIR-08, 09), or NO_SHOT."""
    a = g.u[i]
    total = a.fire + strength_factor(a.sp)
    if a.form == COLUMN:
        total -= 2
    if a.mood == SHAKEN:
        total -= 1
    if zone == 1:
        if ball == 0:
            return total + a.short_factor
        return NO_SHOT if a.howitzer == 1 else total + g.o.ball_factor
    return total + (a.medium_factor if zone == 2 else a.long_factor)


@jit
def fire_modifier(g: Any, i: Any, j: Any, inches: Any) -> Any:
    """Sum of the fire factors (AWI-T-FIR-08, 09, 11), or NO_SHOT when this shot cannot be fired."""
    zone = find_range_band(g.u[i], inches)
    total = own_factors(g, i, zone, fires_ball(g, i, zone))
    return total if total == NO_SHOT else total + shelter_factor(g, g.u[i].x, g.u[i].y, j)


@jit
def shot_worth(g: Any, i: Any, j: Any, modifier: Any, inches: Any) -> Any:
    """The worth of a shot to a commander: the harm it may do, and how near the target is."""
    if modifier < LEAST:
        return 0.0
    t = g.u[j]
    worth = float(chances_in_36(7 - modifier))
    if t.mood == STEADY:
        worth += 0.7 * chances_in_36(t.sp + t.morale + 1 - modifier)
    if t.mood == ROUTING or t.wagon == 1:
        worth *= 0.4
    if t.gun == 1:
        worth *= 1.1
    if inches <= 4.0:
        worth += 6.0
    return worth + 1.0 / (1.0 + inches)


@jit
def choose_target(g: Any, i: Any) -> Any:
    """The best shot of unit i as (target, inches) and 1 if any is legal; target -1 for none worth firing.

    Sight costs most to look into, so shots are taken in the order of what they would be worth if
    nothing were in the way, until no later one can be better than the best in sight.
    """
    best, best_worth, best_inches, legal, candidates = -1, 0.0, 0.0, 0, 0
    reach = longest_range(g.u[i]) + BEYOND_RANGE
    for j in range(g.n):
        if g.u[j].side == g.u[i].side or g.u[j].place != ON_TABLE or centre_gap2(g, i, j) > reach * reach:
            continue
        inches = bare_range(g, i, j)
        if inches < 0.0:
            continue
        modifier = fire_modifier(g, i, j, inches)
        if modifier != NO_SHOT:
            g.worth[j] = shot_worth(g, i, j, modifier, inches)
            g.queue[candidates] = j
            candidates += 1
    for _ in range(candidates):
        pick = g.queue[0]
        for k in range(1, candidates):
            if g.worth[g.queue[k]] > g.worth[pick]:
                pick = g.queue[k]
        promise = g.worth[pick]
        if best >= 0 and (promise < best_worth or (promise == best_worth and pick > best)):
            break
        if promise <= 0.0 and legal == 1:
            break
        g.worth[pick] = -1.0
        inches = seen_range(g, i, pick)
        if inches < 0.0:
            continue
        legal = 1
        worth = shot_worth(g, i, pick, fire_modifier(g, i, pick, inches), inches)
        if worth > best_worth or (worth == best_worth and pick < best):
            best, best_worth, best_inches = pick, worth, inches
    return best, best_inches, legal


@jit
def choose_edge_shot(g: Any, i: Any, base: Any, side: Any, but: Any) -> Any:
    """Best shot of one base of a unit in a building as (side it fires from, target, factors, worth).

    Sides equal to `side` and the target `but` are left out; -1 for no shot.
    """
    best_side, best, aim, best_worth = -1, -1, 0, 0.0
    for k in range(4):
        if k == side:
            continue
        for j in range(g.n):
            t = g.u[j]
            if t.side == g.u[i].side or t.place != ON_TABLE or j == but or far_off(g, i, j):
                continue
            hides = find_hiding(g, i, j)
            if hides == HIDDEN:
                continue
            list_between(g, i, j)
            inches = range_from(g, i, j, 4 * base + k, hides, 1.0e9)
            if inches < 0.0:
                continue
            factors = own_factors(g, i, find_range_band(g.u[i], inches), 0) - (
                0 if g.u[i].form == COLUMN else 2
            )
            worth = shot_worth(g, i, j, factors + shelter_factor(g, g.u[i].x, g.u[i].y, j), inches)
            if worth > best_worth:
                best_side, best, aim, best_worth = k, j, factors, worth
    return best_side, best, aim, best_worth


@jit
def split_fire(g: Any, i: Any) -> None:
    """Let the bases of a unit in a building fire out of two sides when that promises more (AWI-T-TER-10)."""
    u = g.u[i]
    side, first, aim, worth = choose_edge_shot(g, i, 0, -1, -1)
    if first < 0:
        return
    _, second, aim2, worth2 = choose_edge_shot(g, i, 1, side, first)
    if second < 0:
        return
    inches = seen_range(g, i, u.target)
    if worth + worth2 > shot_worth(g, i, u.target, fire_modifier(g, i, u.target, inches), inches):
        u.target, u.aim, u.target2, u.aim2 = first, aim, second, aim2


@jit
def choose_structure(g: Any, i: Any) -> None:
    """Aim a gun that has no better shot at what shelters enemies in sight (AWI-T-FOR-02).

    A building is aimed at by its centre, works where the line to those behind them crosses. What the
    side's own troops stand in or at is let alone, though the enemy is close to it too (our ruling).
    """
    u = g.u[i]
    fx, fy, face = firing_edge(g, i, 0)
    s, c = SIN[face], COS[face]
    best = LEAST - 1
    for j in range(g.n):
        if g.u[j].side == u.side or g.u[j].place != ON_TABLE or far_off(g, i, j):
            continue
        k, x, y, width, depth = find_shelter(g, u.x, u.y, j)
        if k < 0 or is_manned(g, u.side, k):
            continue
        right, front = (x - fx) * c - (y - fy) * s, (x - fx) * s + (y - fy) * c
        if front <= 0.0 or abs(right) > HALF + front:
            continue
        zone = find_range_band(u, edge_range(fx, fy, face, x, y, g.structures[k].face, width, depth))
        factors = own_factors(g, i, zone, 1) if zone > 0 else NO_SHOT
        if factors <= best:
            continue
        hides = find_hiding(g, i, j)
        if hides == HIDDEN:
            continue
        list_between(g, i, j)
        if clear_line(g, i, j, 2, fx, fy, x, y, hides, g.u[j].inside):
            u.at_structure, u.aim, u.had_target = k, factors, 1
            best = factors


@jit
def declare_shot(g: Any, i: Any) -> Any:
    """Declare what unit i fires at (AWI-T-FIR-03); 1 when it fires. Cover is added when it is settled."""
    u = g.u[i]
    target, inches, legal = choose_target(g, i)
    # a unit that would not fire may not fire at a second charge instead (AWI-T-CAV-01)
    u.target, u.had_target = target, legal
    if target >= 0:
        zone = find_range_band(u, inches)
        ball = fires_ball(g, i, zone)
        u.aim = own_factors(g, i, zone, ball)
        if ball == 1 and g.structures_n > 0:
            s = find_shelter(g, u.x, u.y, target)[0]
            u.at_structure = -1 if s >= 0 and stands_at(g, i, s) else s
        if u.inside >= 0:
            split_fire(g, i)
        g.u[u.target].under_fire = 1
        if u.target2 >= 0:
            g.u[u.target2].under_fire = 1
        return 1
    if u.gun == 1 and g.structures_n > 0:
        choose_structure(g, i)
    return 1 if u.at_structure >= 0 else 0


@jit
def apply_fire_result(g: Any, j: Any, i: Any, total: Any) -> None:
    """Apply a roll of fire to the strength and morale of unit j (AWI-T-FIR-12).

    `i` is who fired, -1 for an explosion.
    """
    t = g.u[j]
    limit = basic_morale(t)
    if total >= 7:
        deduct_strength(g, j, 1)
        risk_generals(g, j, GENERAL_UNDER_FIRE, 0)
        if t.place != ON_TABLE:
            return
        if g.o.before_loss == 0:
            limit = basic_morale(t)
    if total > limit and t.mood != ROUTING:
        t.mood = SHAKEN
        t.shakes += 1
        note_event(g, WAVERS, j, i, 0, 0, limit, total, R_NONE)  # the morale it beats
        if g.o.shakes_to_rout > 0 and t.shakes >= g.o.shakes_to_rout:
            note_plain(g, ROUTED_BY_FIRE, j, i)
            away = away_from(g, j, i) if i >= 0 else home_heading(g, j)
            rout(g, j, away, 0, 0, i)


@jit
def shoot(g: Any, i: Any, j: Any, modifier: Any, what: Any) -> Any:
    """One roll of fire and its effect; returns the total. Who fires shows itself (AWI-T-TER-07)."""
    one = roll_d6(g)
    two = roll_d6(g)
    total = one + two + modifier
    note_event(g, what, i, j, one, two, modifier, total, R_HIT if total >= 7 else R_MISS)
    g.u[i].fired = g.u[i].shown = 1
    apply_fire_result(g, j, i, total)
    return total


@jit
def settle_shot(g: Any, i: Any, j: Any, aim: Any) -> None:
    """Roll a declared shot at a unit; ball tests its shelter too, without the cover (AWI-T-FOR-02)."""
    u = g.u[i]
    if g.u[j].place != ON_TABLE:
        note_plain(g, SHOT_WASTED, i, j)
        return
    cover = shelter_factor(g, u.x, u.y, j)
    total = shoot(g, i, j, aim + cover, FIRE) - cover
    if u.at_structure >= 0:
        note_event(g, FIRE_AT_STRUCTURE, i, u.at_structure, 0, 0, aim, total, R_HIT if total >= 7 else R_MISS)
        if total >= 7:
            hit_structure(g, u.at_structure)


@jit
def settle_structure(g: Any, i: Any) -> None:
    """Roll a declared shot at a structure alone: 7 or more takes 1 SP (AWI-T-FOR-02)."""
    u = g.u[i]
    if g.structures[u.at_structure].sp <= 0:
        note_plain(g, SHOT_WASTED, i, -1)
        return
    one = roll_d6(g)
    two = roll_d6(g)
    total = one + two + u.aim
    note_event(
        g, FIRE_AT_STRUCTURE, i, u.at_structure, one, two, u.aim, total, R_HIT if total >= 7 else R_MISS
    )
    u.fired = u.shown = 1
    if total >= 7:
        hit_structure(g, u.at_structure)


@jit
def settle_all(g: Any, i: Any) -> None:
    """Settle at once all that unit i has declared."""
    u = g.u[i]
    if u.target >= 0:
        settle_shot(g, i, u.target, u.aim)
        if u.target2 >= 0:
            settle_shot(g, i, u.target2, u.aim2)
    elif u.at_structure >= 0:
        settle_structure(g, i)


@jit
def step_e(g: Any) -> None:
    """E: the firing side fires. All shots are declared, then settled target by target (AWI-T-FIR-03)."""
    g.step = 5
    shots = 0
    for i in range(g.n):
        u = g.u[i]
        u.target = u.target2 = u.at_structure = -1
        u.had_target = u.shakes = u.under_fire = 0
        if u.side != g.mover:
            u.fired = 0
    for i in range(g.n):
        if g.u[i].side == g.mover or not can_fire(g.u[i]) or declare_shot(g, i) == 0:
            continue
        shots += 1
        if g.o.one_at_a_time == 1:
            settle_all(g, i)
    if shots == 0:
        return
    g.quiet = 0
    if g.o.one_at_a_time == 1:
        return
    for j in range(g.n):
        if g.u[j].under_fire == 0:
            continue
        for i in range(g.n):
            if g.u[i].target == j:
                settle_shot(g, i, j, g.u[i].aim)
            elif g.u[i].target2 == j:
                settle_shot(g, i, j, g.u[i].aim2)
    for i in range(g.n):
        if g.u[i].target < 0 and g.u[i].at_structure >= 0:
            settle_structure(g, i)
