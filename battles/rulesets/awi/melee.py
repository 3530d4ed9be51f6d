"""Melee, step J: factors, rolls and results (AWI-T-MEL)."""

from typing import Any

from battles.engine.bases import half_depth, half_width, is_effective, measure_unit_ahead
from battles.engine.compile import jit
from battles.engine.dice import roll_d6
from battles.engine.dtypes import (
    BY_BRIDGE,
    CLOSE,
    COLUMN,
    FOOT,
    IRELAND_1798,
    LINE,
    MOUNTED,
    NO_VARIANT,
    ON_TABLE,
    OPEN,
    OVER_NOTHING,
    OVER_OBSTACLE,
    OVER_WORKS,
    ROUTING,
    SHAKEN,
)
from battles.engine.geometry import is_overlapping
from battles.engine.ground import height_at
from battles.engine.recording import (
    GENERAL_IN_MELEE,
    MELEE_DRAW,
    MELEE_LOST,
    MELEE_REPULSED,
    MELEE_RETIRE,
    MELEE_ROLL,
    MELEE_ROUTED,
    R_NONE,
    STEP_J,
    note_event,
    note_plain,
    step_begins,
)
from battles.rulesets.awi.buildings import get_out
from battles.rulesets.awi.generals import risk_generals
from battles.rulesets.awi.morale import deduct_strength, surrender_test
from battles.rulesets.awi.retreat import TOUCH, away_from, rout, shift_unit

#: Circumstances of a charge or a melee, added up as bits.
BY_CAVALRY, BY_CLOSE, IN_FLANK, IN_REAR = 1, 2, 4, 8
OBSTACLE, FORTIFIED, CHARGING, UPHILL, OVERLAP, DEPTH = 16, 32, 64, 128, 256, 512
#: Of the variants: charged by pikes, by Highlanders, by Highlanders in a Highland charge; a Highland
#: unit fights foot; cavalry fights what it has no +2 against.
BY_PIKES, BY_CLANS, BY_CLAN_CHARGE, CLANS_ON_FOOT, CHECKED = 1024, 2048, 4096, 8192, 16384
#: Inches within which a unit in a building and one before its wall touch.
WALL_TOUCH = 0.4


@jit
def has_flag(flags: Any, bit: Any) -> Any:
    """True when the circumstance is among the flags."""
    return flags & bit != 0


@jit
def melee_factor(g: Any, u: Any, flags: Any) -> Any:
    """Sum of a unit's melee factors (AWI-T-MEL-02 to 07); strength does not count.

    Of obstacle, building and fortification the worst counts, and a charger up a slope has -1 besides.
    """
    horse = u.arm == MOUNTED
    foot = u.arm == FOOT
    total = u.european
    if horse and not has_flag(flags, CHECKED):
        total += 2
    if foot and u.indian == 1:
        total += 2
    if not horse and u.order_ != CLOSE:
        total -= 2
    if has_flag(flags, IN_FLANK):
        total -= 1
    if has_flag(flags, IN_REAR):
        total -= 2
    if has_flag(flags, CHARGING):
        light = foot if g.o.swap_obstacle_columns == 0 else horse
        if has_flag(flags, FORTIFIED):
            total -= 3 if light else 6
        elif has_flag(flags, OBSTACLE):
            total -= 2 if light else 4
        if has_flag(flags, UPHILL):
            total -= 1
    if has_flag(flags, OVERLAP):
        total += 1
    if has_flag(flags, DEPTH) and (foot or horse):
        total += 1
    if has_flag(flags, CLANS_ON_FOOT):
        total += 1 + u.highland_charge
    return total


@jit
def work_flag(over: Any) -> Any:
    """The circumstance of the work charged over: none, an obstacle or building, a fortification."""
    if over == OVER_WORKS:
        return FORTIFIED
    return OBSTACLE if over != OVER_NOTHING else 0


@jit
def variant_flags(g: Any, u: Any, enemy: Any) -> Any:
    """The circumstances that a variant gives unit u against an enemy (AWI-T-V98-02, AWI-T-V45-05).

    Of several enemies each counts: one body of pikes is enough to check cavalry.
    """
    if g.o.variant == NO_VARIANT:
        return 0
    if g.o.variant == IRELAND_1798:
        return CHECKED if u.arm == MOUNTED and (enemy.arm == MOUNTED or enemy.pikes == 1) else 0
    return CLANS_ON_FOOT if u.highland == 1 and enemy.arm == FOOT else 0


@jit
def on_bridge(g: Any, u: Any) -> Any:
    """True when some part of a unit stands on a bridge."""
    for k in range(g.gates_n):
        b = g.gates[k]
        if b.kind_ == BY_BRIDGE and is_overlapping(
            u.x, u.y, u.face, half_width(u), half_depth(u), b.x, b.y, b.heading, b.half_width, b.half_length
        ):
            return True
    return False


@jit
def form_flags(g: Any, u: Any, enemy: Any, alone: Any, charging: Any) -> Any:
    """Overlap and depth of a unit against an enemy (AWI-T-MEL-05, AWI-T-MEL-06).

    `alone` is 1 in a melee of one against one. A bridge leaves a line no room to overlap.
    """
    flags = variant_flags(g, u, enemy)
    if alone == 1 and u.form == LINE and enemy.form == COLUMN and not on_bridge(g, enemy):
        flags |= OVERLAP
    if u.form == COLUMN and u.order_ != OPEN and (charging == 1 or g.o.column_either == 1):
        flags |= DEPTH
    return flags


@jit
def attacker_flags(g: Any, i: Any, j: Any, alone: Any) -> Any:
    """Melee circumstances of charger i, in contact, against unit j."""
    a, d = g.u[i], g.u[j]
    flags = CHARGING | work_flag(a.over) | form_flags(g, a, d, alone, 1)
    if g.hills == 1 and height_at(g, d.x, d.y) > height_at(g, a.x, a.y):
        flags |= UPHILL
    return flags


@jit
def defender_flags(g: Any, j: Any, struck: Any, alone: Any, i: Any) -> Any:
    """Melee circumstances of charged unit j; `struck` has the zones its attackers strike."""
    d, a = g.u[j], g.u[i]
    flags = struck | form_flags(g, d, a, alone, d.counter)
    if d.counter == 1:
        flags |= CHARGING
        if g.hills == 1 and height_at(g, a.x, a.y) > height_at(g, d.x, d.y):
            flags |= UPHILL
    return flags


@jit
def zone_flag(zone: Any) -> Any:
    """Circumstance of being struck in a zone: 0 front, 1 flank, 2 rear."""
    if zone == 1:
        return IN_FLANK
    return IN_REAR if zone == 2 else 0


@jit
def melee_retire(g: Any, i: Any, by: Any, inches: Any) -> None:
    """Straight back keeping the face, through friends, or as far as it goes (AWI-T-MEL-08).

    A beaten unit in a building leaves it on the side away from the enemy `by`, facing him; it stays
    when it finds no room outside.
    """
    u = g.u[i]
    if u.inside >= 0:
        if get_out(g, i, away_from(g, i, by)):
            u.face = (u.face + 180) % 360
            shift_unit(g, i, (u.face + 180) % 360, inches, u.face, 0)
    else:
        shift_unit(g, i, (u.face + 180) % 360, inches, u.face, 0)
    note_plain(g, MELEE_RETIRE, i, -1)


@jit
def retire_without_loss(g: Any, i: Any, by: Any) -> None:
    """Retire 3 inches unbeaten; who holds a building keeps it (our ruling on AWI-T-MEL-08)."""
    if g.u[i].inside < 0:
        melee_retire(g, i, by, 3.0)
    g.u[i].highland_charge = 0


@jit
def apply_melee_loss(g: Any, i: Any, margin: Any, saved: Any, rear: Any, by: Any) -> None:
    """Apply a melee lost by `margin` to the unit affected (AWI-T-MEL-08, AWI-T-MEL-09).

    `saved` is 1 for a unit that is thrown back 6 inches where others rout. A general with it is at
    risk when it has lost its SP, before it runs, and is taken with it if it surrenders (AWI-T-GEN-05).
    """
    u = g.u[i]
    routs = 1 if margin > 1 and saved == 0 else 0
    points = 1 if margin == 1 else 2
    what = MELEE_ROUTED if routs == 1 else MELEE_LOST if margin == 1 else MELEE_REPULSED
    note_event(g, what, i, by, 0, 0, 0, margin, R_NONE)
    deduct_strength(g, i, points)
    if routs == 1 and rear == 1 and u.place == ON_TABLE and surrender_test(g, i, by):
        return
    risk_generals(g, i, GENERAL_IN_MELEE, routs)
    if u.place != ON_TABLE:
        return
    if routs == 1:
        rout(g, i, away_from(g, i, by), 0, 0, by)
    else:
        u.mood = SHAKEN
        melee_retire(g, i, by, 3.0 * points)


@jit
def roll_melee(g: Any, i: Any, by: Any, flags: Any) -> Any:
    """A unit's melee roll: 1d6 and its factors, kept in its `score`."""
    modifier = melee_factor(g, g.u[i], flags)
    die = roll_d6(g)
    g.u[i].score = die + modifier
    g.u[i].fought = 1
    note_event(g, MELEE_ROLL, i, by, die, 0, modifier, die + modifier, R_NONE)
    return die + modifier


@jit
def second_defender(g: Any, i: Any, j: Any) -> Any:
    """An enemy besides j that touches the front of lone charger i and has no attacker, or -1."""
    for k in range(g.n):
        b = g.u[k]
        if k == j or b.side == g.u[i].side or not is_effective(b) or b.fought == 1:
            continue
        inches, _, _ = measure_unit_ahead(g, i, k)
        if inches < 0.0 or inches > (WALL_TOUCH if b.inside >= 0 else TOUCH):
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
def fight_melee(g: Any, j: Any) -> None:
    """One melee: charged unit j with all who touch it (AWI-T-MEL-01, AWI-T-MEL-08)."""
    count, lone, struck = 0, -1, 0
    for i in range(g.n):
        if g.u[i].charges == j and g.u[i].contact == 1:
            count += 1
            # who strikes the front stands for all where one must be looked at
            if lone < 0 or (g.u[i].zone == 0 and g.u[lone].zone != 0):
                lone = i
            struck |= zone_flag(g.u[i].zone) | variant_flags(g, g.u[j], g.u[i])
    if count == 0:
        return
    alone = 1 if count == 1 else 0
    other = second_defender(g, lone, j) if count == 1 else -1
    if other >= 0:
        alone = 0
    attack = -100
    for i in range(g.n):
        if g.u[i].charges == j and g.u[i].contact == 1:
            flags = attacker_flags(g, i, j, alone)
            if other >= 0:
                flags |= variant_flags(g, g.u[i], g.u[other])
            score = roll_melee(g, i, j, flags)
            if score > attack:
                attack = score
    defence = roll_melee(g, j, lone, defender_flags(g, j, struck, alone, lone))
    if other >= 0:
        score = roll_melee(g, other, lone, defender_flags(g, other, 0, 0, lone))
        if score > defence:
            defence = score
    settle_melee(g, j, other, lone, struck, attack - defence)


@jit
def attackers_part(g: Any, j: Any, hit: Any) -> None:
    """All who attack unit j, but the one hit, fall back 3 inches (AWI-T-MEL-08)."""
    for i in range(g.n):
        if g.u[i].charges == j and g.u[i].contact == 1 and i != hit:
            retire_without_loss(g, i, j)


@jit
def settle_melee(g: Any, j: Any, other: Any, lone: Any, struck: Any, lead: Any) -> None:
    """Apply a melee's result; `lead` is the chargers' best total less the defenders'.

    Winners stay where they are, before a building too (our ruling).
    """
    if lead == 0:
        note_plain(g, MELEE_DRAW, j, lone)
        retire_without_loss(g, j, lone)
        if other >= 0:
            retire_without_loss(g, other, lone)
        attackers_part(g, j, -1)
    elif lead > 0:
        hit = j
        if other >= 0 and g.u[other].score * 100 + g.u[other].sp < g.u[j].score * 100 + g.u[j].sp:
            hit = other
        rear = 1 if hit == j and has_flag(struck, IN_REAR) else 0
        saved = 1 if g.o.repulse_either == 1 and g.u[lone].over == OVER_OBSTACLE else 0
        apply_melee_loss(g, hit, lead, saved, rear, lone)
        if other >= 0:
            retire_without_loss(g, other if hit == j else j, lone)
        for i in range(g.n):
            if g.u[i].charges == j and g.u[i].contact == 1:
                g.u[i].won = 1
    else:
        hit = affected_attacker(g, j)
        attackers_part(g, j, hit)
        apply_melee_loss(g, hit, -lead, 1 if g.u[hit].over > 0 else 0, 0, j)


@jit
def step_j(g: Any) -> None:
    """J: resolve every melee (AWI-T-SEQ-01). Routing units are never fought (AWI-T-MEL-10)."""
    step_begins(g, STEP_J)
    for j in range(g.n):
        u = g.u[j]
        if u.side != g.mover and u.place == ON_TABLE and u.mood != ROUTING and u.fought == 0:
            fight_melee(g, j)
