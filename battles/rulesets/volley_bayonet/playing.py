"""Timing and targets of the cards that commanders play (VBW-CRD-05, VBW-CRD-11 to 49).

Each card has its moment in a player phase, at which both sides look through their hands. A card is kept
until it has somebody it is worth playing on.
"""

from typing import Any

from battles.engine.compile import jit
from battles.engine.dtypes import STREAM
from battles.engine.geometry import COS, SIN
from battles.rulesets.volley_bayonet.allowance import ground_column
from battles.rulesets.volley_bayonet.bases import far_apart, leader_gap, leader_within, measure_gap
from battles.rulesets.volley_bayonet.cards import (
    AGAIN_CROWN,
    AGAIN_REBEL,
    AIMED_AT,
    BAD_GOING,
    BAD_GUNNERY,
    BAD_VOLLEY,
    GOOD_GOING,
    GROUND_LOYALIST,
    GROUND_REBEL,
    GUNNERY,
    HIGHLAND_FURY,
    MARSHY_BANKS,
    OFFICERS,
    OLD_LINE,
    ORDER_BRITISH,
    ORDER_CROWN,
    PANIC,
    PICK_OFF,
    RALLY_CROWN,
    RALLY_REBEL,
    REGULARS_WITHIN,
    SHARPSHOOTERS,
    STEADY_BRITISH,
    STEADY_GERMAN,
    STEADY_REBEL,
    STEEL_BRITISH,
    STEEL_CROWN,
    STEEL_LIGHT,
    TARLETON,
    VOLLEY,
    discard_card,
    has_riflemen,
    make_marshy,
    may_name,
    play_card,
    steel_of,
)
from battles.rulesets.volley_bayonet.collapse_step import runs_from_nearest
from battles.rulesets.volley_bayonet.combat import is_foot
from battles.rulesets.volley_bayonet.cover import code_at
from battles.rulesets.volley_bayonet.forced import rout_moves
from battles.rulesets.volley_bayonet.leading import is_here
from battles.rulesets.volley_bayonet.morale_step import has_met
from battles.rulesets.volley_bayonet.recording import CARD, R_NONE, note_event
from battles.rulesets.volley_bayonet.records import (
    BRITISH,
    DISORDERED,
    GUNS,
    LIGHT_GUN,
    ROUTED,
)
from battles.rulesets.volley_bayonet.sight import can_fire_at, can_see
from battles.rulesets.volley_bayonet.states import is_standing

#: Moments of a player phase: before the moves, before the checks of morale, and when all have aimed.
BEFORE_MOVES, BEFORE_CHECKS, AT_AIMS = 0, 1, 2
#: Inches by which an enemy may be out of reach for going faster to help.
JUST_BEYOND = 4.0


@jit
def moment_of(card: Any) -> Any:
    """The moment of a phase at which a card is looked at."""
    if card in (GOOD_GOING, BAD_GOING, ORDER_CROWN, ORDER_BRITISH, RALLY_CROWN, RALLY_REBEL):
        return BEFORE_MOVES
    if card in (GROUND_LOYALIST, GROUND_REBEL, MARSHY_BANKS):
        return BEFORE_MOVES
    if card in (OFFICERS, PICK_OFF, SHARPSHOOTERS, GUNNERY, BAD_GUNNERY, VOLLEY, BAD_VOLLEY):
        return AT_AIMS
    return BEFORE_CHECKS


@jit
def count_in(g: Any, unit: Any, state: Any) -> Any:
    """Stands of a unit in that state."""
    count = 0
    for i in range(g.n):
        if g.u[i].battalion == unit and is_standing(g.u[i]) and g.u[i].state == state:
            count += 1
    return count


@jit
def count_stands_in_contact(g: Any, unit: Any) -> Any:
    """Stands of a unit that have charged into contact or are met by who has."""
    count = 0
    for i in range(g.n):
        if g.u[i].battalion != unit or not is_standing(g.u[i]):
            continue
        other = 1 - g.u[i].side
        for j in range(g.first[other], g.past[other]):
            if has_met(g, i, j) or has_met(g, j, i):
                count += 1
                break
    return count


@jit
def count_meleed_by(g: Any, unit: Any, card: Any) -> Any:
    """Stands of a unit that a unit melees which makes a cold steel card work."""
    count = 0
    for i in range(g.n):
        if g.u[i].battalion != unit or not is_standing(g.u[i]):
            continue
        other = 1 - g.u[i].side
        for j in range(g.first[other], g.past[other]):
            if (has_met(g, j, i) or has_met(g, i, j)) and steel_of(g, card, g.u[j].battalion):
                count += 1
                break
    return count


@jit
def count_aiming(g: Any, unit: Any) -> Any:
    """Stands of a unit that are about to fire."""
    count = 0
    for i in range(g.n):
        if g.u[i].battalion == unit and is_standing(g.u[i]) and g.u[i].aims >= 0:
            count += 1
    return count


@jit
def count_shot_at(g: Any, side: Any, unit: Any, rifles: Any) -> Any:
    """Stands of a unit at which some small arm of a side may fire, or its rifles alone."""
    count = 0
    for j in range(g.n):
        if g.u[j].battalion != unit or not is_standing(g.u[j]):
            continue
        for i in range(g.first[side], g.past[side]):
            u = g.u[i]
            if u.side != side or u.weapon >= LIGHT_GUN:
                continue
            if rifles and not has_riflemen(g, u.battalion):
                continue
            if can_fire_at(g, i, j) >= 0.0:
                count += 1
                break
    return count


@jit
def count_stands_short_of_contact(g: Any, unit: Any, more: Any) -> Any:
    """Stands of a unit for whom inches decide whether they reach an enemy: more of them, or fewer."""
    count = 0
    for i in range(g.n):
        u = g.u[i]
        if u.battalion != unit or not is_standing(u) or u.state == ROUTED or u.class_ == GUNS:
            continue
        for j in range(g.first[1 - u.side], g.past[1 - u.side]):
            b = g.u[j]
            if b.side == u.side or not is_standing(b) or far_apart(g, i, j, u.rate + JUST_BEYOND):
                continue
            inches = measure_gap(g, i, j)
            beyond = inches - u.rate
            if (more and 0.0 < beyond <= JUST_BEYOND) or (not more and -JUST_BEYOND <= beyond <= 0.0):
                count += 1
                break
    return count


@jit
def count_stands_to_frighten(g: Any, side: Any, card: Any, unit: Any) -> Any:
    """Stands of an enemy's unit that panic or the sight of regulars may make check (VBW-CRD-27, 28)."""
    count = 0
    for i in range(g.n):
        u = g.u[i]
        if u.battalion != unit or not is_standing(u) or u.state == ROUTED:
            continue
        if card == PANIC and u.militia == 0:
            continue
        for j in range(g.n):
            b = g.u[j]
            if not is_standing(b):
                continue
            if card == PANIC:
                sees_it = b.side == u.side and b.battalion != unit and b.state == ROUTED and can_see(g, i, j)
            else:
                near = b.side == side and is_foot(b) and g.battalions[b.battalion].nation == BRITISH
                sees_it = near and not far_apart(g, i, j, REGULARS_WITHIN)
                sees_it = sees_it and measure_gap(g, i, j) <= REGULARS_WITHIN and can_see(g, i, j)
            if sees_it:
                count += 1
                break
    return count


@jit
def costs_more(g: Any, u: Any) -> Any:
    """True when the ground a stand is on, or a move before it, costs more than an inch an inch."""
    for k in range(4):
        way = k * 2.0
        code = code_at(g, u.x + SIN[u.face] * way, u.y + COS[u.face] * way)
        if g.going[code].costs[ground_column(u)] > 1.0:
            return True
    return False


@jit
def count_in_rough(g: Any, unit: Any) -> Any:
    """Stands of foot of a unit that stand in, or right before, ground that costs them more."""
    count = 0
    for i in range(g.n):
        u = g.u[i]
        if u.battalion != unit or not is_standing(u) or not is_foot(u) or u.state == ROUTED:
            continue
        if costs_more(g, u):
            count += 1
    return count


@jit
def worth_on(g: Any, side: Any, card: Any, unit: Any) -> Any:
    """The number of stands of a unit that a card would affect now."""
    if card in (RALLY_CROWN, RALLY_REBEL):
        return count_in(g, unit, ROUTED)
    if card in (ORDER_CROWN, ORDER_BRITISH):
        return count_in(g, unit, DISORDERED)
    if card in (GROUND_LOYALIST, GROUND_REBEL):
        return count_in_rough(g, unit) if side == g.mover else 0
    if card == GOOD_GOING:
        return count_stands_short_of_contact(g, unit, True) if side == g.mover else 0
    if card == BAD_GOING:
        return count_stands_short_of_contact(g, unit, False) if side != g.mover else 0
    if card in (STEEL_CROWN, STEEL_BRITISH, HIGHLAND_FURY, OLD_LINE, STEEL_LIGHT, TARLETON):
        return count_meleed_by(g, unit, card)
    if card in (AGAIN_CROWN, AGAIN_REBEL, STEADY_BRITISH, STEADY_GERMAN, STEADY_REBEL):
        return count_stands_in_contact(g, unit)
    if card in (GUNNERY, VOLLEY, BAD_GUNNERY, BAD_VOLLEY):
        return count_aiming(g, unit)
    if card in (OFFICERS, PICK_OFF):
        return count_shot_at(g, side, unit, card == PICK_OFF)
    return count_stands_to_frighten(g, side, card, unit)


@jit
def best_unit(g: Any, side: Any, card: Any) -> Any:
    """The unit on whose stands a card would work most, or -1."""
    best, most = -1, 0
    for unit in range(g.battalions_n):
        if not may_name(g, side, card, unit):
            continue
        worth = worth_on(g, side, card, unit)
        if worth > most:
            best, most = unit, worth
    return best


@jit
def commander_in_aim(g: Any, side: Any) -> Any:
    """An enemy's commander whom a sharpshooter of a side sees within twelve inches, or -1 (VBW-CRD-16).

    The highest first. He is seen where the stand he is with is.
    """
    best = -1
    for k in range(g.leaders_n):
        e = g.leaders[k]
        if e.side == side or not is_here(g, k) or (best >= 0 and g.leaders[best].rank >= e.rank):
            continue
        for i in range(g.n):
            u = g.u[i]
            if u.side == side and is_standing(u) and u.sharpshooter == 1 and leader_within(g, k, i, AIMED_AT):
                j = stand_of(g, k)
                if j < 0 or can_see(g, i, j):
                    best = k
                    break
    return best


@jit
def stand_of(g: Any, k: Any) -> Any:
    """The stand of his side that a commander is nearest to, or -1."""
    best, nearest = -1, 1.0e18
    for i in range(g.n):
        if g.u[i].side == g.leaders[k].side and is_standing(g.u[i]):
            inches = leader_gap(g, k, i)
            if inches < nearest:
                best, nearest = i, inches
    return best


@jit
def stream_to_bar(g: Any) -> Any:
    """(1, x, y) of the stream nearest before the Crown's guns and horse, (0, 0, 0) without one."""
    best, bx, by = 1.0e18, 0.0, 0.0
    for k in range(g.works_n):
        w = g.works[k]
        if w.kind_ != STREAM or w.gate >= 0:
            continue
        x, y = (w.x0 + w.x1) / 2.0, (w.y0 + w.y1) / 2.0
        for i in range(g.n):
            u = g.u[i]
            if u.side != g.crown or not is_standing(u) or is_foot(u):
                continue
            dx, dy = u.x - x, u.y - y
            if dx * dx + dy * dy < best:
                best, bx, by = dx * dx + dy * dy, x, y
    return (1 if best < 1.0e17 else 0), bx, by


@jit
def play_one(g: Any, side: Any, place: Any) -> Any:
    """Play the card at a place of a hand if it is worth it now; True when it was played."""
    card = g.hands[side, place]
    if card == MARSHY_BANKS:
        found, x, y = stream_to_bar(g)
        if side == g.crown or found == 0 or not make_marshy(g, x, y):
            return False
        discard_card(g, side, place)
        note_event(g, CARD, -1, -1, 0, 0, 0, card, R_NONE)
        return True
    if card == SHARPSHOOTERS:
        k = commander_in_aim(g, side)
        return k >= 0 and play_card(g, side, place, k)
    unit = best_unit(g, side, card)
    return unit >= 0 and play_card(g, side, place, unit)


@jit
def play_cards(g: Any, moment: Any) -> None:
    """Both sides play what is worth it at this moment; who routs by it runs at once."""
    if g.o.cards == 0:
        return
    for k in range(2):
        side = g.mover if k == 0 else 1 - g.mover
        place = g.hand_n[side] - 1
        while place >= 0:
            if moment_of(g.hands[side, place]) == moment:
                play_one(g, side, place)
            place -= 1
    for i in range(g.n):
        if g.u[i].runs > 0 and is_standing(g.u[i]):
            runs_from_nearest(g, i)
    rout_moves(g)
