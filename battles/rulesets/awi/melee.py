"""Melee, step J: factors, rolls and results (AWI-T-MEL)."""

from typing import Any

from battles.engine.bases import ahead, effective, front_x, front_y
from battles.engine.compile import jit
from battles.engine.dice import d6
from battles.engine.dtypes import (
    CLOSE,
    COLUMN,
    FOOT,
    LINE,
    MOUNTED,
    ON_TABLE,
    OPEN,
    OVER_NOTHING,
    OVER_WORKS,
    ROUTING,
    SHAKEN,
)
from battles.engine.recording import (
    MELEE_DRAW,
    MELEE_LOST,
    MELEE_REPULSED,
    MELEE_RETIRE,
    MELEE_ROLL,
    MELEE_ROUTED,
    R_NONE,
    note,
    note_plain,
)
from battles.rulesets.awi.generals import risk_in_melee
from battles.rulesets.awi.morale import lose_sp, surrender_test
from battles.rulesets.awi.retreat import away_from, rout, shift
from battles.rulesets.awi.works import barrier

#: Circumstances of a charge or a melee, added up as bits.
BY_CAVALRY, BY_CLOSE, IN_FLANK, IN_REAR = 1, 2, 4, 8
OBSTACLE, FORTIFIED, CHARGING, UPHILL, OVERLAP, DEPTH = 16, 32, 64, 128, 256, 512


@jit
def has(flags: Any, bit: Any) -> Any:
    """True when the circumstance is among the flags."""
    return flags & bit != 0


@jit
def melee_factor(g: Any, u: Any, flags: Any) -> Any:
    """Sum of a unit's melee factors (AWI-T-MEL-02 to 07); strength does not count."""
    horse = u.arm == MOUNTED
    foot = u.arm == FOOT
    total = 2 if horse else 0
    if foot and u.indian == 1:
        total += 2
    total += u.european
    if not horse and u.order_ != CLOSE:
        total -= 2
    if has(flags, IN_FLANK):
        total -= 1
    if has(flags, IN_REAR):
        total -= 2
    if has(flags, CHARGING):
        if has(flags, FORTIFIED):
            total -= 3 if foot else 6
        elif has(flags, OBSTACLE):
            light = foot if g.o.swap_obstacle_columns == 0 else horse
            total -= 2 if light else 4
        if has(flags, UPHILL):
            total -= 1
    if has(flags, OVERLAP):
        total += 1
    if has(flags, DEPTH) and (foot or horse):
        total += 1
    return total


@jit
def work_flag(over: Any) -> Any:
    """What is charged over as a circumstance: nothing, an obstacle or building, a fortification."""
    if over == OVER_WORKS:
        return FORTIFIED
    return OBSTACLE if over != OVER_NOTHING else 0


@jit
def attacker_flags(g: Any, i: Any, j: Any, alone: Any) -> Any:
    """Melee circumstances of charger i against unit j."""
    a, d = g.u[i], g.u[j]
    flags = CHARGING | work_flag(a.over)
    if alone == 1 and a.form == LINE and d.form == COLUMN:
        flags |= OVERLAP
    if a.form == COLUMN and a.order_ != OPEN:
        flags |= DEPTH
    return flags


@jit
def defender_flags(g: Any, j: Any, struck: Any, alone: Any, i: Any) -> Any:
    """Melee circumstances of charged unit j; `struck` has the zones its attackers strike."""
    d, a = g.u[j], g.u[i]
    flags = struck
    if alone == 1 and d.form == LINE and a.form == COLUMN:
        flags |= OVERLAP
    if d.form == COLUMN and d.order_ != OPEN and (d.counter == 1 or g.o.column_either == 1):
        flags |= DEPTH
    if d.counter == 1:
        flags |= CHARGING
    return flags


@jit
def zone_flag(zone: Any) -> Any:
    """Circumstance of being struck in a zone: 0 front, 1 flank, 2 rear."""
    if zone == 1:
        return IN_FLANK
    return IN_REAR if zone == 2 else 0


@jit
def melee_retire(g: Any, i: Any, inches: Any) -> None:
    """Straight back keeping the face, through friends, or as far as it goes (AWI-T-MEL-08)."""
    u = g.u[i]
    shift(g, i, (u.face + 180) % 360, inches, u.face, 0)
    note_plain(g, MELEE_RETIRE, i, -1)


@jit
def beaten(g: Any, i: Any, margin: Any, saved: Any, rear: Any, by: Any) -> None:
    """What a melee lost by `margin` does to the unit affected (AWI-T-MEL-08, AWI-T-MEL-09).

    `saved` is 1 for a unit that is thrown back 6 inches where others rout.
    """
    u = g.u[i]
    if margin == 1:
        note(g, MELEE_LOST, i, by, 0, 0, 0, margin, R_NONE)
        lose_sp(g, i, 1)
        risk_in_melee(g, i, 0)
        if u.place == ON_TABLE:
            u.mood = SHAKEN
            melee_retire(g, i, 3.0)
    elif saved == 1:
        note(g, MELEE_REPULSED, i, by, 0, 0, 0, margin, R_NONE)
        lose_sp(g, i, 2)
        risk_in_melee(g, i, 0)
        if u.place == ON_TABLE:
            u.mood = SHAKEN
            melee_retire(g, i, 6.0)
    else:
        note(g, MELEE_ROUTED, i, by, 0, 0, 0, margin, R_NONE)
        lose_sp(g, i, 2)
        if u.place == ON_TABLE and rear == 1 and surrender_test(g, i, by):
            return
        risk_in_melee(g, i, 1)
        if u.place == ON_TABLE:
            rout(g, i, away_from(g, i, by), 0, 0, by)


@jit
def roll(g: Any, i: Any, by: Any, flags: Any) -> Any:
    """A unit's melee roll: 1d6 and its factors, kept in its `score`."""
    modifier = melee_factor(g, g.u[i], flags)
    die = d6(g)
    g.u[i].score = die + modifier
    g.u[i].fought = 1
    note(g, MELEE_ROLL, i, by, die, 0, modifier, die + modifier, R_NONE)
    return die + modifier


@jit
def second_defender(g: Any, i: Any, j: Any) -> Any:
    """An enemy besides j that touches the front of lone charger i and has no attacker, or -1."""
    for k in range(g.n):
        b = g.u[k]
        if k == j or b.side == g.u[i].side or not effective(b) or b.fought == 1:
            continue
        inches, _, _ = ahead(g, i, k)
        if inches < 0.0 or inches > 0.1:
            continue
        free = True
        for m in range(g.n):
            free = free and not (g.u[m].charges == k and g.u[m].contact == 1)
        if free:
            return k
    return -1


@jit
def affected_attacker(g: Any, j: Any) -> Any:
    """The one beaten attacker: of those to the defender's front the lowest score, then fewest SP."""
    best, best_key = -1, 1.0e9
    for i in range(g.n):
        u = g.u[i]
        if u.charges != j or u.contact == 0:
            continue
        key = u.score * 100.0 + u.sp + (0.0 if u.zone == 0 else 1.0e6)
        if key < best_key:
            best, best_key = i, key
    return best


@jit
def fight(g: Any, j: Any) -> None:
    """One melee: charged unit j with all who touch it (AWI-T-MEL-01, AWI-T-MEL-08)."""
    count, lone, struck = 0, -1, 0
    for i in range(g.n):
        if g.u[i].charges == j and g.u[i].contact == 1:
            count += 1
            lone = i
            struck |= zone_flag(g.u[i].zone)
    if count == 0:
        return
    alone = 1 if count == 1 else 0
    other = second_defender(g, lone, j) if count == 1 else -1
    if other >= 0:
        alone = 0
    attack = -100
    for i in range(g.n):
        if g.u[i].charges == j and g.u[i].contact == 1:
            score = roll(g, i, j, attacker_flags(g, i, j, alone))
            if score > attack:
                attack = score
    defence = roll(g, j, lone, defender_flags(g, j, struck, alone, lone))
    if other >= 0:
        score = roll(g, other, lone, defender_flags(g, other, 0, 0, lone))
        if score > defence:
            defence = score
    settle(g, j, other, lone, struck, attack - defence)


@jit
def settle(g: Any, j: Any, other: Any, lone: Any, struck: Any, lead: Any) -> None:
    """Apply a melee's result; `lead` is the chargers' best total less the defenders'."""
    if lead == 0:
        note_plain(g, MELEE_DRAW, j, lone)
        melee_retire(g, j, 3.0)
        if other >= 0:
            melee_retire(g, other, 3.0)
        for i in range(g.n):
            if g.u[i].charges == j and g.u[i].contact == 1:
                melee_retire(g, i, 3.0)
    elif lead > 0:
        hit = j
        if other >= 0 and g.u[other].score * 100 + g.u[other].sp < g.u[j].score * 100 + g.u[j].sp:
            hit = other
        rear = 1 if hit == j and has(struck, IN_REAR) else 0
        saved = 0
        if g.o.repulse_either == 1 and barrier(g, front_x(g.u[lone]), front_y(g.u[lone]), hit) > 0:
            saved = 1
        beaten(g, hit, lead, saved, rear, lone)
        if other >= 0:
            melee_retire(g, other if hit == j else j, 3.0)
        for i in range(g.n):
            if g.u[i].charges == j and g.u[i].contact == 1:
                g.u[i].won = 1
    else:
        hit = affected_attacker(g, j)
        for i in range(g.n):
            if g.u[i].charges == j and g.u[i].contact == 1 and i != hit:
                melee_retire(g, i, 3.0)
        beaten(g, hit, -lead, 1 if g.u[hit].over > 0 else 0, 0, j)


@jit
def step_j(g: Any) -> None:
    """J: resolve every melee (AWI-T-SEQ-01). Routing units are never fought (AWI-T-MEL-10)."""
    g.step = 10
    for j in range(g.n):
        u = g.u[j]
        if u.side != g.mover and u.place == ON_TABLE and u.mood != ROUTING and u.fought == 0:
            fight(g, j)
