"""Combats: fire with its return, melees with their support (VBW-COM-01, VBW-DEF-06 to 09)."""

import math
from typing import Any

from battles.engine.compile import jit
from battles.engine.geometry import find_bearing
from battles.rulesets.volley_bayonet.bases import half_depth, measure_gap
from battles.rulesets.volley_bayonet.charging import may_advance
from battles.rulesets.volley_bayonet.combat import (
    fire_dice,
    fire_score,
    melee_dice,
    melee_score,
    roll_hits,
    roll_saves,
    saves_from_fire,
    saves_from_melee,
)
from battles.rulesets.volley_bayonet.forced import (
    RETIRES,
    advance_winner,
    forced_move,
    lose_melee,
    rout_moves,
)
from battles.rulesets.volley_bayonet.melee import (
    ATTACKER_WINS,
    NOBODY,
    ROLL_OFF,
    find_winner,
    roll_off,
    tie_nerve,
)
from battles.rulesets.volley_bayonet.morale_step import has_met
from battles.rulesets.volley_bayonet.recording import (
    FIRE,
    MELEE_DRAW,
    MELEE_LOST,
    MELEE_ROLL,
    MELEE_ROUTED,
    OCCUPY,
    R_HIT,
    R_MISS,
    R_NONE,
    note_begins,
    note_came,
    note_plain,
)
from battles.rulesets.volley_bayonet.records import FRONT, GOOD, GUNS, HORSE
from battles.rulesets.volley_bayonet.returning import may_return
from battles.rulesets.volley_bayonet.sight import can_fire_at
from battles.rulesets.volley_bayonet.states import is_standing, lose_strength
from battles.rulesets.volley_bayonet.tables import RETIRE_PER_HIT

#: Mark of the stands of the melee being concluded.
IN_GROUP = -2


@jit
def begin_combats(g: Any) -> None:
    """A combat step begins: nobody has fought, no brigade has been hit (VBW-DEF-06, VBW-COL-04)."""
    for i in range(g.n):
        g.u[i].fought = g.u[i].hits = g.u[i].rolled = g.u[i].hurt = 0
        g.u[i].aims = -1
    for b in range(g.brigades_n):
        g.brigades[b].hits = 0


@jit
def fire_hits(g: Any, i: Any, j: Any) -> None:
    """Stand i rolls its fire at stand j; hits are kept in `rolled`. A card's reroll is used up by it."""
    u = g.u[i]
    b = g.battalions[u.battalion]
    told = note_begins(g, FIRE, i, j)
    u.rolled = roll_hits(g, i, j, fire_dice(g, u), fire_score(g, u, measure_gap(g, i, j)), b.fire_again)
    note_came(g, told, u.rolled, R_HIT if u.rolled > 0 else R_MISS)
    u.fought = 1


@jit
def save_from(g: Any, i: Any, j: Any, retires: Any) -> Any:
    """Stand j saves what stand i's fire has hit; those not saved are booked on it and on its brigade."""
    u, t = g.u[i], g.u[j]
    left = roll_saves(g, j, u.rolled, saves_from_fire(g, i, j, measure_gap(g, i, j), retires))
    t.hits += left
    if t.brigade >= 0:
        g.brigades[t.brigade].hits += left
    return left


@jit
def rather_retires(t: Any, hits: Any) -> Any:
    """Horse goes back for its saves when the hits could destroy it; chosen before a save is rolled."""
    return 1 if t.class_ == HORSE and hits >= t.sp and t.charges < 0 else 0


@jit
def use_up_rerolls(g: Any) -> None:
    """A reroll is for one combat of a unit that has fought (VBW-CRD-12, VBW-CRD-14)."""
    for i in range(g.n):
        u = g.u[i]
        if u.fought == 1:
            g.battalions[u.battalion].fire_again = 0


@jit
def take_losses(g: Any) -> None:
    """SP come off when both sides have rolled and saved (VBW-DEF-07); hits beyond them are wasted."""
    for i in range(g.n):
        if g.u[i].hits > 0:
            lose_strength(g, i, g.u[i].hits)
            g.u[i].hits = 0


@jit
def fire_combat(g: Any, j: Any) -> Any:
    """All active stands that aim at stand j fire, its battalion answers, both lose together; hits on j.

    Who answers takes the nearest of those who fired (VBW-RTF-01).
    """
    total = 0
    for i in range(g.first[g.mover], g.past[g.mover]):
        u = g.u[i]
        # who is in contact only melees
        if u.side == g.mover and u.aims == j and u.fought == 0 and u.charges < 0 and is_standing(u):
            fire_hits(g, i, j)
            total += u.rolled
    retires, back = rather_retires(g.u[j], total), total
    for k in range(g.first[1 - g.mover], g.past[1 - g.mover]):
        if g.u[k].side != g.mover and g.u[k].fought == 0:
            return_fire(g, k, j)
    for i in range(g.first[g.mover], g.past[g.mover]):
        if g.u[i].side == g.mover and g.u[i].aims == j and g.u[i].fought == 1:
            save_from(g, i, j, retires)
            g.u[i].rolled = 0
    for k in range(g.first[1 - g.mover], g.past[1 - g.mover]):
        i = g.u[k].aims
        if g.u[k].side != g.mover and i >= 0 and g.u[k].rolled > 0:
            save_from(g, k, i, rather_retires(g.u[i], g.u[k].rolled))
            g.u[k].rolled = 0
    use_up_rerolls(g)
    take_losses(g)
    for i in range(g.n):
        if (g.u[i].side == g.mover and g.u[i].aims == j) or g.u[i].side != g.mover:
            g.u[i].aims = -1
    if retires == 1 and back > 0 and is_standing(g.u[j]):
        forced_move(g, j, (g.u[j].face + 180) % 360, RETIRE_PER_HIT * back, RETIRES)
    return total


@jit
def return_fire(g: Any, k: Any, j: Any) -> None:
    """Stand k fires back at the nearest of those who fired at stand j, if it may."""
    if not may_return(g, k, j):
        return
    best, nearest = -1, 1.0e9
    for i in range(g.first[g.mover], g.past[g.mover]):
        u = g.u[i]
        if u.side != g.mover or u.aims != j or u.fought == 0:
            continue
        inches = can_fire_at(g, k, i)
        if inches >= 0.0 and inches < nearest:
            best, nearest = i, inches
    if best >= 0:
        g.u[k].aims = best
        fire_hits(g, k, best)


@jit
def gather_melee_group(g: Any, i: Any) -> Any:
    """Fill the queue with the connected group of touching opposed stands about stand i; how many."""
    g.queue[0] = i
    count, done = 1, 0
    while done < count:
        a = g.queue[done]
        done += 1
        for j in range(g.first[1 - g.u[a].side], g.past[1 - g.u[a].side]):
            if g.u[j].side == g.u[a].side or g.u[j].fought == 1:
                continue  # who fell back upon another melee has had his fight (VBW-DEF-06)
            if not (has_met(g, a, j) or has_met(g, j, a)):
                continue
            known = False
            for k in range(count):
                known = known or g.queue[k] == j
            if not known:
                g.queue[count] = j
                count += 1
    return count


@jit
def find_opponent(g: Any, i: Any, count: Any) -> Any:
    """The stand of the group that stand i aims its dice at: its target, else the weakest it touches."""
    u = g.u[i]
    best = -1
    for k in range(count):
        j = g.queue[k]
        if g.u[j].side == u.side or not (has_met(g, i, j) or has_met(g, j, i)):
            continue
        if u.charges == j:
            return j
        if best < 0 or g.u[j].sp < g.u[best].sp:
            best = j
    return best


@jit
def met_at_front(g: Any, i: Any) -> Any:
    """1 for who fights to its front: guns have no dice elsewhere (VBW-STD-07)."""
    if g.u[i].class_ != GUNS:
        return 1
    for k in range(g.n):
        if has_met(g, k, i) and g.u[k].edge == FRONT:
            return 1
    return 0


@jit
def strike_opponent(g: Any, i: Any, count: Any) -> Any:
    """Stand i's melee dice at its opponent, saved at once; returns the hits that stand."""
    j = find_opponent(g, i, count)
    u = g.u[i]
    u.fought = 1
    if j < 0:
        return 0
    again = g.battalions[u.battalion].fire_again if u.class_ == GUNS else 0
    told = note_begins(g, MELEE_ROLL, i, j)
    hits = roll_hits(g, i, j, melee_dice(g, u, met_at_front(g, i)), melee_score(g, u, g.u[j]), again)
    left = roll_saves(g, j, hits, saves_from_melee(g, i, j))
    note_came(g, told, left, R_NONE)
    g.u[j].hits += left
    if g.u[j].brigade >= 0:
        g.brigades[g.u[j].brigade].hits += left
    return left


@jit
def fire_in_support(g: Any, count: Any) -> Any:
    """Active stands out of contact that aim into the melee fire; their hits, which cost SP (VBW-DEF-09)."""
    total = 0
    for i in range(g.n):
        u = g.u[i]
        if u.side != g.mover or u.aims < 0 or u.fought == 1 or u.charges >= 0 or not is_standing(u):
            continue
        for k in range(count):
            if g.queue[k] == u.aims:
                fire_hits(g, i, u.aims)
                total += save_from(g, i, u.aims, 0)
                u.rolled = 0
                break
    return total


@jit
def best_nerve(g: Any, side: Any, count: Any) -> Any:
    """A side's best modified morale in the group, no elites less 1 (VBW-MEL-03)."""
    best = -99
    for k in range(count):
        u = g.u[g.queue[k]]
        if u.side == side and u.sp > 0 and tie_nerve(g, u) > best:
            best = tie_nerve(g, u)
    return best


@jit
def side_sp(g: Any, side: Any, count: Any) -> Any:
    """SP a side has in the group."""
    total = 0
    for k in range(count):
        if g.u[g.queue[k]].side == side:
            total += g.u[g.queue[k]].sp
    return total


@jit
def share_hits(g: Any, count: Any) -> None:
    """Hits beyond a stand's SP pass to another of its side in the group (VBW-DEF-08)."""
    for k in range(count):
        u = g.u[g.queue[k]]
        for m in range(count):
            b = g.u[g.queue[m]]
            room = b.sp - b.hits
            over = u.hits - u.sp
            if over > 0 and room > 0 and b.side == u.side:
                moved = over if over < room else room
                u.hits -= moved
                b.hits += moved


@jit
def melee_combat(g: Any, i: Any) -> Any:
    """Fight the melee that stand i is in to its end; the result, seen from the active side."""
    count = gather_melee_group(g, i)
    attack_sp, defence_sp = side_sp(g, g.mover, count), side_sp(g, 1 - g.mover, count)
    attack, defence = 0, 0
    for k in range(count):
        hits = strike_opponent(g, g.queue[k], count)
        if g.u[g.queue[k]].side == g.mover:
            attack += hits
        else:
            defence += hits
    supported = fire_in_support(g, count)
    if g.o.support_counts == 1:
        attack += supported
    else:  # they count for no comparison, but what they have killed is gone (VBW-MEL-02)
        defence_sp -= supported
    result = find_winner(attack, defence, attack_sp, defence_sp)
    if result == ROLL_OFF:
        result = roll_off(g, best_nerve(g, g.mover, count), best_nerve(g, 1 - g.mover, count))
    share_hits(g, count)
    conclude_melee(g, count, result)
    return result


@jit
def conclude_melee(g: Any, count: Any, result: Any) -> None:
    """Losses come off, losers go back or rout, winners may take the ground (VBW-MEL-04 to 14)."""
    won = g.mover if result == ATTACKER_WINS else 1 - g.mover
    x, y, winners = 0.0, 0.0, 0
    ground_x, ground_y, losers = 0.0, 0.0, 0
    for k in range(count):
        u = g.u[g.queue[k]]
        # the queue is used by those who move: members of the group are marked instead
        u.caller = IN_GROUP
        if u.side == won:
            x, y, winners = x + u.x, y + u.y, winners + 1
        else:
            ground_x, ground_y, losers = ground_x + u.x, ground_y + u.y, losers + 1
    take_losses(g)
    use_up_rerolls(g)
    for k in range(g.n):
        if g.u[k].fought == 1:
            g.u[k].aims = -1
    tell_result(g, won, result)
    if result != NOBODY and winners > 0 and losers > 0:
        for k in range(g.n):
            if g.u[k].caller == IN_GROUP and g.u[k].side != won and is_standing(g.u[k]):
                lose_melee(g, k, x / winners, y / winners)
        rout_moves(g)
        for k in range(g.n):
            u = g.u[k]
            if u.caller == IN_GROUP and u.side == won and may_advance(u, 1 if won == g.mover else 0):
                take_ground(g, k, ground_x / losers, ground_y / losers)
    for k in range(g.n):
        if g.u[k].caller == IN_GROUP:
            g.u[k].caller, g.u[k].charges, g.u[k].rolled = -1, -1, 0


@jit
def tell_result(g: Any, won: Any, result: Any) -> None:
    """Record who has lost to whom, or that nobody has."""
    if g.recording == 0:
        return
    for k in range(g.n):
        u = g.u[k]
        if u.caller != IN_GROUP or u.side == won:
            continue
        by = -1
        for j in range(g.n):
            if g.u[j].caller == IN_GROUP and g.u[j].side == won and (by < 0 or u.charges == j):
                by = j
        if result == NOBODY:
            note_plain(g, MELEE_DRAW, k, by)
        elif is_standing(u):
            note_plain(g, MELEE_LOST if u.state == GOOD else MELEE_ROUTED, k, by)


@jit
def take_ground(g: Any, i: Any, x: Any, y: Any) -> None:
    """A winner goes up to the far edge of where the losers stood (VBW-MEL-12)."""
    u = g.u[i]
    dx, dy = x - u.x, y - u.y
    inches = math.sqrt(dx * dx + dy * dy)
    if inches > 0.0:
        u.stationary = 0
        if advance_winner(g, i, find_bearing(dx, dy), inches + half_depth(g, u)) > 0.0:
            note_plain(g, OCCUPY, i, -1)
