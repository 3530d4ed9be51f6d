"""The Combat phase: enemy stands one after the other, then what burns (RTG-CBT-01, 02, RTG-TER-24)."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.dice import roll_d6
from battles.engine.geometry import find_bearing
from battles.rulesets.volley_bayonet.combat_step import take_ground
from battles.rulesets.volley_bayonet.forced import RETIRES, forced_move, rout_moves
from battles.rulesets.volley_bayonet.melee import ATTACKER_WINS, DEFENDER_WINS
from battles.rulesets.volley_bayonet.recording import BURNING_DIE, FIRE_OUT_DIE, note_die
from battles.rulesets.volley_bayonet.records import GUNS, HORSE, ROUTED
from battles.rulesets.volley_bayonet.rtg.aiming import NONE, aim_stands, is_stone, nearest_attacker
from battles.rulesets.volley_bayonet.rtg.bases import is_skirmisher
from battles.rulesets.volley_bayonet.rtg.buildings import (
    NOT_BURNING,
    TOWN_PLACE,
    VILLAGE_PLACE,
    catches_fire,
    goes_out,
    rolls_for_end,
)
from battles.rulesets.volley_bayonet.rtg.charging import is_brigade
from battles.rulesets.volley_bayonet.rtg.combat_step import (
    begin_combats,
    end_combat,
    fire_combat,
    fire_volley,
    note_chiefs,
    resolve_melee,
)
from battles.rulesets.volley_bayonet.rtg.ground import kind_towards
from battles.rulesets.volley_bayonet.rtg.morale_step import has_met
from battles.rulesets.volley_bayonet.rtg.moving import find_turn_inches
from battles.rulesets.volley_bayonet.rtg.tables import (
    CATCHES_ON,
    HALF,
    TOWN_OUT_FROM,
    VILLAGE_OUT_FROM,
    VILLAGE_ROOM,
)
from battles.rulesets.volley_bayonet.rtg.terrain import BROKEN
from battles.rulesets.volley_bayonet.states import INCIDENTAL, change_order, is_standing

#: A block that may catch fire in this phase, and one whose fire is out.
IN_DANGER, BURNT = -1, -2


@jit
def is_charged(g: Any, j: Any) -> Any:
    """True when a charger that has not fought is in contact with stand j."""
    for i in range(g.first[g.mover], g.past[g.mover]):
        u = g.u[i]
        if u.side == g.mover and u.charges == j and u.fought == 0 and has_met(g, i, j):
            return True
    return False


@jit
def is_aimed_at(g: Any, j: Any) -> Any:
    """(1 when a stand that has not fought aims at stand j, 1 when such guns do)."""
    aimed = guns = 0
    for i in range(g.first[g.mover], g.past[g.mover]):
        u = g.u[i]
        if u.side == g.mover and u.aims == j and u.fought == 0 and u.charges < 0 and is_standing(u):
            aimed = 1
            if u.class_ == GUNS:
                guns = 1
    return aimed, guns


@jit
def would_rather_retire(t: Any) -> Any:
    """1 for horse that is nearly gone: it saves itself by going back (RTG-SAV-05)."""
    return 1 if t.class_ == HORSE and t.sp <= 1 and t.state != ROUTED else 0


@jit
def winner_of(g: Any, j: Any) -> Any:
    """The attacker who takes the ground of stand j: he who has the best nerve left, or NONE."""
    best = NONE
    for i in range(g.n):
        u = g.u[i]
        if u.charges != j or u.fought == 0 or not is_standing(u) or u.state == ROUTED:
            continue
        if best == NONE or u.nerve > g.u[best].nerve:
            best = i
    return best


@jit
def attack_stand(g: Any, j: Any) -> Any:
    """Everything that is done to enemy stand j in this phase, its reply with it; True when anything was."""
    met = is_charged(g, j)
    aimed, guns = is_aimed_at(g, j)
    if not met and aimed == 0:
        return False
    t = g.u[j]
    k, stone = t.inside, is_stone(g, t)
    if k >= 0 and stone == 0 and (met or guns == 1) and g.lit[k] == NOT_BURNING:
        g.lit[k] = IN_DANGER
    x, y = t.x, t.y
    note_chiefs(g)
    if met:
        horse = stands_against(g, j)
        hits, _ = fire_volley(g, j, stone, 0)
        result = resolve_melee(g, j, hits)
        rout_moves(g)
        by = winner_of(g, j) if result == ATTACKER_WINS else NONE
        if by != NONE:
            take_ground(g, by, x, y)
        elif horse != NONE and result != ATTACKER_WINS and is_standing(t):
            dx, dy = t.x - g.u[horse].from_x, t.y - g.u[horse].from_y
            forced_move(g, j, find_bearing(dx, dy), find_turn_inches(t) * HALF, RETIRES)
        elif result == DEFENDER_WINS and t.class_ == HORSE and is_standing(t) and t.inside < 0:
            follow_up_charge(g, j)
    else:
        t.aims = nearest_attacker(g, j)
        fire_combat(g, j, stone, would_rather_retire(t))
        t.aims = NONE
        rout_moves(g)
    end_combat(g)
    return True


@jit
def stands_against(g: Any, j: Any) -> Any:
    """The horse against which stand j, a skirmisher in broken ground, stands, or NONE (RTG-TER-02).

    If it survives it goes back half a move from where that came from; who loses is driven back anyhow.
    """
    t = g.u[j]
    if not is_skirmisher(t) or t.inside >= 0:
        return NONE
    for i in range(g.first[g.mover], g.past[g.mover]):
        u = g.u[i]
        if (
            u.side == t.side
            or u.charges != j
            or u.class_ != HORSE
            or not is_brigade(u)
            or not has_met(g, i, j)
        ):
            continue
        if kind_towards(g, t, u.from_x, u.from_y) == BROKEN:
            return i
    return NONE


@jit
def follow_up_charge(g: Any, j: Any) -> None:
    """Horse that has beaten off a charge goes up to where it came from, by the nearest that fought."""
    best, nearest = NONE, 0.0
    u = g.u[j]
    for i in range(g.n):
        b = g.u[i]
        if b.side == u.side or b.fought == 0 or b.edge != 0:
            continue
        dx, dy = b.from_x - u.x, b.from_y - u.y
        if best == NONE or dx * dx + dy * dy < nearest:
            best, nearest = i, dx * dx + dy * dy
    if best != NONE and nearest <= u.rate * u.rate * HALF:
        take_ground(g, j, g.u[best].from_x, g.u[best].from_y)


@jit
def run_combat_step(g: Any) -> None:
    """The active side attacks one enemy stand after the other (RTG-CBT-01)."""
    begin_combats(g)
    aim_stands(g)
    for j in range(g.first[1 - g.mover], g.past[1 - g.mover]):
        if g.u[j].side != g.mover and is_standing(g.u[j]) and attack_stand(g, j):
            g.quiet = 0
    for i in range(g.n):
        if g.u[i].fought == 1:
            g.u[i].fired = g.turn
    roll_for_fires(g)


@jit
def place_of(g: Any, k: Any) -> Any:
    """The kind of a block: a village, or part of a town."""
    return TOWN_PLACE if g.structures[k].capacity > VILLAGE_ROOM else VILLAGE_PLACE


@jit
def holder_of(g: Any, k: Any) -> Any:
    """A stand that holds a block, or NONE."""
    for i in range(g.n):
        if g.u[i].inside == k and is_standing(g.u[i]):
            return i
    return NONE


@jit
def roll_for_fires(g: Any) -> None:
    """A die for each wooden block that was attacked; who holds one that burns leaves it (RTG-TER-24)."""
    for k in range(g.buildings_n):
        if g.lit[k] != IN_DANGER:
            continue
        die = roll_d6(g)
        note_die(g, BURNING_DIE, holder_of(g, k), -1, die, CATCHES_ON, catches_fire(die))
        g.lit[k] = g.turn if catches_fire(die) else NOT_BURNING
        if g.lit[k] == NOT_BURNING:
            continue
        for i in range(g.n):
            u = g.u[i]
            if u.inside == k and is_standing(u):
                change_order(g, i, INCIDENTAL)
                forced_move(g, i, u.home, u.rate * HALF, RETIRES)


@jit
def roll_fires_out(g: Any) -> None:
    """At the beginning of a game turn: a die for each fire that may be out (RTG-TER-24)."""
    for k in range(g.buildings_n):
        if g.lit[k] <= NOT_BURNING or not rolls_for_end(g.lit[k], g.turn):
            continue
        die = roll_d6(g)
        needs = TOWN_OUT_FROM if place_of(g, k) == TOWN_PLACE else VILLAGE_OUT_FROM
        note_die(g, FIRE_OUT_DIE, -1, -1, die, needs, goes_out(place_of(g, k), die))
        if goes_out(place_of(g, k), die):
            g.lit[k] = BURNT
