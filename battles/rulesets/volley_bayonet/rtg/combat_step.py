"""One combat on one enemy stand: fire with its reply, a melee with its loser (RTG-CBT, RTG-MEL).

Who aims at whom stands in `aims`; who melees whom in `charges`. Choosing is the caller's.
"""

from typing import Any

from battles.engine.compile import jit
from battles.engine.geometry import find_bearing
from battles.rulesets.volley_bayonet.combat import roll_hits, roll_saves
from battles.rulesets.volley_bayonet.forced import FROM_MELEE, RETIRES, RETREATS, flees_from, forced_move
from battles.rulesets.volley_bayonet.melee import ATTACKER_WINS, NOBODY, ROLL_OFF, find_winner, roll_off
from battles.rulesets.volley_bayonet.recording import (
    FIRE,
    MELEE_DRAW,
    MELEE_LOST,
    MELEE_ROLL,
    MELEE_ROUTED,
    R_HIT,
    R_MISS,
    R_NONE,
    note_begins,
    note_came,
    note_plain,
)
from battles.rulesets.volley_bayonet.records import DEDICATED, DISORDERED, FRONT, GOOD, GUNS, HORSE, ROUTED
from battles.rulesets.volley_bayonet.rtg import saves
from battles.rulesets.volley_bayonet.rtg.bases import measure_gap
from battles.rulesets.volley_bayonet.rtg.buildings import side_dice
from battles.rulesets.volley_bayonet.rtg.chief import chief_with, risk_chief
from battles.rulesets.volley_bayonet.rtg.dice import (
    fire_score,
    gun_fire_dice,
    gun_score,
    melee_dice,
    melee_score,
    own_fire_dice,
)
from battles.rulesets.volley_bayonet.rtg.ground import kind_in_melee, kind_towards
from battles.rulesets.volley_bayonet.rtg.melee import is_supported, tie_modifier
from battles.rulesets.volley_bayonet.rtg.morale_step import has_met
from battles.rulesets.volley_bayonet.rtg.moving import find_turn_inches
from battles.rulesets.volley_bayonet.rtg.rout import drop_order
from battles.rulesets.volley_bayonet.rtg.tables import HALF, RETIRE_PER_HIT, VILLAGE_ROOM
from battles.rulesets.volley_bayonet.states import LOSE_MELEE, is_standing, lose_strength

#: No stand.
NONE = -1


@jit
def begin_combats(g: Any) -> None:
    """A combat phase begins: nobody has fought in it."""
    for i in range(g.n):
        g.u[i].fought = g.u[i].hits = g.u[i].hurt = g.u[i].rolled = 0
        g.u[i].aims = NONE


@jit
def on_one_side(g: Any, u: Any, dice: Any) -> Any:
    """Dice of a stand on the side it fights to: all, but of a town's defenders a quarter (RTG-TER-20)."""
    in_town = u.inside >= 0 and g.structures[u.inside].capacity > VILLAGE_ROOM
    return side_dice(dice) if in_town else dice


@jit
def shoot_at(g: Any, i: Any, j: Any, stone: Any, retires: Any) -> Any:
    """Stand i fires all it has at stand j; hits that are not saved, which are kept on stand j.

    `rolled` are its hits before saves. Its own weapons first, then its dedicated guns, each with the saves
    there are from them. `stone` is 1 for occupants of stone buildings, `retires` for cavalry that goes
    back for its saves (RTG-SAV-05).
    """
    u, t = g.u[i], g.u[j]
    inches, kind = measure_gap(g, i, j), kind_towards(g, t, u.x, u.y)
    u.fought, u.rolled = 1, 0
    left = 0
    told = note_begins(g, FIRE, i, j)
    if saves.has_effect(g, u.weapon, inches, kind, stone):
        dice = on_one_side(g, u, own_fire_dice(g, u, inches))
        rolled = roll_hits(g, i, j, dice, fire_score(g, u, inches, stone), 0)
        u.rolled += rolled
        left += roll_saves(g, j, rolled, saves.from_fire(g, i, j, u.weapon, inches, kind, retires))
    if saves.has_effect(g, DEDICATED, inches, kind, stone):
        rolled = roll_hits(g, i, j, gun_fire_dice(g, u, inches), gun_score(g), 0)
        u.rolled += rolled
        left += roll_saves(g, j, rolled, saves.from_fire(g, i, j, DEDICATED, inches, kind, retires))
    note_came(g, told, left, R_HIT if left > 0 else R_MISS)
    t.hits += left
    return left


@jit
def take_losses(g: Any) -> None:
    """SP come off when both sides have rolled (RTG-CBT-01, RTG-CBT-03)."""
    for i in range(g.n):
        if g.u[i].hits > 0:
            lose_strength(g, i, g.u[i].hits)
            g.u[i].hits = 0


@jit
def note_chiefs(g: Any) -> None:
    """Before anybody moves in a combat: the Army Commander with each stand, kept in `order` (RTG-MIS-01).

    Who loses goes back or runs from him, and who wins goes on, before it is known who was hurt.
    """
    for i in range(g.n):
        g.order[i] = chief_with(g, i)


@jit
def end_combat(g: Any) -> None:
    """A combat with one enemy stand is over: Army Commanders with stands that lost in it (RTG-MIS-01).

    One die each, though he touches several of them.
    """
    for k in range(g.leaders_n):
        for i in range(g.n):
            if g.u[i].hurt > 0 and g.order[i] == k:
                risk_chief(g, k, i)
                break
    for i in range(g.n):
        g.u[i].hurt = 0


@jit
def fire_volley(g: Any, j: Any, stone: Any, retires: Any) -> Any:
    """(hits that are not saved, hits before saves) of all who aim at stand j and are in no contact."""
    total = rolled = 0
    for i in range(g.n):
        u = g.u[i]
        if u.aims == j and u.side != g.u[j].side and u.fought == 0 and u.charges < 0 and is_standing(u):
            total += shoot_at(g, i, j, stone, retires)
            rolled += u.rolled
    return total, rolled


@jit
def fire_combat(g: Any, j: Any, stone: Any, retires: Any) -> Any:
    """All who aim at stand j fire together, and it fires back at whom it aims at; hits on stand j.

    Who is in contact aims at nobody (RTG-CBT-01). Cavalry that would rather go back, `retires` being 1,
    does so by six inches for each hit it could save, still facing them (RTG-SAV-05).
    """
    t = g.u[j]
    total, rolled = fire_volley(g, j, stone, retires)
    if t.aims >= 0 and t.fought == 0 and t.charges < 0 and is_standing(t):
        shoot_at(g, j, t.aims, 0, 0)
    take_losses(g)
    if retires == 1 and rolled > 0 and t.class_ == HORSE and is_standing(t):
        forced_move(g, j, (t.face + 180) % 360, RETIRE_PER_HIT * rolled, RETIRES)
    return total


@jit
def strike_stand(g: Any, i: Any, j: Any, at_front: Any) -> Any:
    """Stand i melees stand j; hits that are not saved. `at_front` is 1 where guns are met at their front."""
    u, t = g.u[i], g.u[j]
    u.fought = 1
    told = note_begins(g, MELEE_ROLL, i, j)
    dice = on_one_side(g, u, melee_dice(g, u, at_front))
    rolled = roll_hits(g, i, j, dice, melee_score(g, u, t), 0)
    left = roll_saves(g, j, rolled, saves.from_melee(g, i, j, kind_in_melee(g, t, u)))
    note_came(g, told, left, R_NONE)
    t.hits += left
    return left


@jit
def total_of(g: Any, i: Any, j: Any) -> Any:
    """The total of stand i in a drawn melee with stand j: modified morale and modifiers (RTG-MEL-02, 03)."""
    supported = 1 if g.u[i].class_ == GUNS and is_supported(g, i) else 0
    return g.u[i].nerve + tie_modifier(g.u[i], g.u[j], supported)


@jit
def resolve_melee(g: Any, j: Any, support: Any) -> Any:
    """The melee of all who have charged stand j with it; who wins, seen from them (RTG-MEL-01, RTG-MEL-02).

    They roll together, it rolls once, against the best of them. NOBODY when none is there or both are
    gone. The losers are dealt with; whether a winner advances is the caller's (RTG-CBT-02). `support` are
    hits of fire at stand j in this combat: they are compared by an option, and what they take is gone.
    """
    t = g.u[j]
    best, attack_sp, x, y, count = NONE, 0, 0.0, 0.0, 0
    for i in range(g.n):
        u = g.u[i]
        if u.charges != j or u.fought == 1 or not has_met(g, i, j):
            continue
        if best == NONE or u.nerve > g.u[best].nerve:
            best = i
        attack_sp, x, y, count = attack_sp + u.sp, x + u.x, y + u.y, count + 1
        g.queue[count - 1] = i
    if count == 0:
        return NOBODY
    defence_sp, own_x, own_y = t.sp, t.x, t.y
    attack_hits, defence_hits = 0, 0
    if t.fought == 0:
        defence_hits = strike_stand(g, j, best, 1 if g.u[best].edge == FRONT else 0)
    for k in range(count):
        attack_hits += strike_stand(g, g.queue[k], j, 1)
    if g.o.support_counts == 1:
        attack_hits += support
    else:
        defence_sp -= support  # who is destroyed has lost, by whatever hits of this combat
    result = find_winner(attack_hits, defence_hits, attack_sp, defence_sp)
    if result == ROLL_OFF:
        result = roll_off(g, total_of(g, best, j), total_of(g, j, best))
    take_losses(g)
    if result == NOBODY:
        note_plain(g, MELEE_DRAW, j, best)
    elif result == ATTACKER_WINS:
        lose_melee(g, j, best, x / count, y / count)
    else:
        for i in range(g.n):
            if g.u[i].charges == j and g.u[i].fought == 1:
                lose_melee(g, i, j, own_x, own_y)
    return result


@jit
def lose_melee(g: Any, i: Any, by: Any, x: Any, y: Any) -> None:
    """Apply a lost melee to a stand, the winners being about a spot, one of them `by` (RTG-CBT-02).

    In good order it is disordered and goes back half its move, still facing them; in disorder it routs
    and owes its move; routed it is gone.
    """
    u = g.u[i]
    if not is_standing(u):
        return
    note_plain(g, MELEE_LOST if u.state == GOOD else MELEE_ROUTED, i, by)
    state = drop_order(g, i, LOSE_MELEE)
    if state == ROUTED:
        flees_from(g, i, x, y, FROM_MELEE)
    elif state == DISORDERED:
        forced_move(g, i, find_bearing(u.x - x, u.y - y), find_turn_inches(u) * HALF, RETREATS)
