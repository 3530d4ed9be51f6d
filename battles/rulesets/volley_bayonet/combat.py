"""Combat dice, hit numbers and saves (VBW-COM, VBW-HIT, VBW-SAV)."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.dice import roll_d6
from battles.rulesets.volley_bayonet.cover import behind_works, in_woods
from battles.rulesets.volley_bayonet.recording import HIT_DIE, R_HIT, R_MISS, SAVE_DIE, note_die, note_event
from battles.rulesets.volley_bayonet.records import (
    DETACHMENT,
    FIELD_GUN,
    GUNS,
    HEAVY_GUN,
    HORSE,
    HOWITZER,
    INFANTRY,
    LIGHT_GUN,
    ROAD_MARCH,
    ROUTED,
    SKIRMISH,
)
from battles.rulesets.volley_bayonet.states import is_disordered
from battles.rulesets.volley_bayonet.tables import NATIVE_SHOCK_AT

#: Columns of the table of dice, and the score of no die.
BY_FIRE, BY_MELEE, NEVER = 0, 1, 7


@jit
def is_gun(u: Any) -> Any:
    """A gun with its crew; gunners who have left theirs are none (VBW-DEF-22)."""
    return u.class_ == GUNS and u.guns_gone == 0


@jit
def is_foot(u: Any) -> Any:
    """Infantry: stands, detachments, skirmishers, Native Americans, dismounted (VBW-SAV-03)."""
    return u.class_ == INFANTRY or u.class_ == DETACHMENT


@jit
def band_morale(g: Any, u: Any) -> Any:
    """Morale of the label; a native band's falls with every stand lost, to 0 (VBW-NAT-02)."""
    if u.native == 0 or g.o.native_drop == 0:
        return u.morale
    fallen = u.morale - g.battalions[u.battalion].lost_stands
    return fallen if fallen > 0 else 0


@jit
def fire_dice(g: Any, u: Any) -> Any:
    """Dice of a stand that fires: none in road march, routed, mounted or without guns (VBW-COM-02 to 07).

    They do not depend on the SP left (VBW-COM-09).
    """
    if u.form == ROAD_MARCH or u.state == ROUTED or u.guns_gone == 1:
        return 0
    if u.rallied == 1 and g.o.rallied_fight == 0:
        return 0
    return g.t.dice[u.dice_row, u.stationary, BY_FIRE]


@jit
def melee_dice(g: Any, u: Any, at_front: Any) -> Any:
    """Dice of a stand in melee; a gun that is not met at its front has none (VBW-STD-07)."""
    if u.form == ROAD_MARCH or u.guns_gone == 1 or (u.class_ == GUNS and at_front == 0):
        return 0
    if u.rallied == 1 and g.o.rallied_fight == 0:
        return 0
    return g.t.dice[u.dice_row, u.stationary, BY_MELEE]


@jit
def find_longest_range(g: Any, u: Any) -> Any:
    """Inches its weapon reaches, 0.0 without one."""
    return g.t.long[u.weapon]


@jit
def fire_score(g: Any, u: Any, inches: Any) -> Any:
    """Least score with which its fire hits at that range, limits included; NEVER beyond it (VBW-HIT)."""
    if inches > g.t.long[u.weapon] + 1.0e-9 or g.t.long[u.weapon] == 0.0:
        return NEVER
    near = g.t.short[u.weapon] > 0.0 and inches <= g.t.short[u.weapon] + 1.0e-9
    score = g.t.short_hit[u.weapon] if near else g.t.long_hit[u.weapon]
    return score - u.sharpshooter


@jit
def is_shock(g: Any, u: Any, target: Any) -> Any:
    """Shock in this offensive melee; sources do not add up (VBW-HIT-04).

    Shock troops, Native Americans of high morale (VBW-NAT-03), and light dragoons at a disordered stand
    (VBW-COM-08).
    """
    if u.charged == 0:
        return False
    if u.shock == 1:
        return True
    if u.native == 1 and g.o.native_shock == 1 and band_morale(g, u) >= NATIVE_SHOCK_AT:
        return True
    return u.class_ == HORSE and u.rides == 0 and is_disordered(target)


@jit
def melee_score(g: Any, u: Any, target: Any) -> Any:
    """Least score with which a stand hits in melee (VBW-HIT-01, VBW-HIT-02, VBW-HIT-04)."""
    score = 6 if u.class_ == HORSE else g.t.melee_hit[u.weapon]
    return score - 1 if is_shock(g, u, target) else score


@jit
def is_long(g: Any, u: Any, inches: Any) -> Any:
    """Long range of a gun: beyond its short range."""
    return g.t.short[u.weapon] > 0.0 and inches > g.t.short[u.weapon] + 1.0e-9


@jit
def saves_from_fire(g: Any, i: Any, j: Any, inches: Any, retires: Any) -> Any:
    """Attempts stand j has to save each hit of stand i's fire (VBW-SAV-02 to 08).

    `retires` is 1 when a mounted stand has chosen to go back for it.
    """
    a, t = g.u[i], g.u[j]
    small_arms = a.weapon < LIGHT_GUN
    count = g.battalions[a.battalion].extra_saves + retires
    if t.form == SKIRMISH:
        count += 1
    if is_foot(t):
        if small_arms and in_woods(g, t):
            count += 1
        if t.inside >= 0 and a.weapon != HEAVY_GUN and g.o.save_in_buildings == 1:
            count += 1
    if (is_foot(t) or t.class_ == GUNS) and behind_works(g, t, a.x, a.y):
        count += 1
    if t.class_ == GUNS and a.weapon in (LIGHT_GUN, FIELD_GUN, HOWITZER) and is_long(g, a, inches):
        count += 1
    if is_disordered(a):
        count += 1
    return count


@jit
def saves_from_melee(g: Any, i: Any, j: Any) -> Any:
    """Attempts stand j has to save each hit of stand i in melee (VBW-SAV-04, 05, 07).

    A card that spoils a volley is of fire, one that spoils gunnery of all hits of the guns (VBW-CRD-15,
    VBW-CRD-13). Works save who stands at them, not who comes over them. A sunken road is no work against
    infantry (VBW-TER-29); none is drawn on a table so far.
    """
    a, t = g.u[i], g.u[j]
    count = g.battalions[a.battalion].extra_saves if a.class_ == GUNS else 0
    if is_foot(t) and t.inside >= 0 and g.o.save_in_buildings == 1:
        count += 1
    if t.charged == 0 and (is_foot(t) or t.class_ == GUNS) and behind_works(g, t, a.from_x, a.from_y):
        count += 1
    if is_disordered(a):
        count += 1
    return count


@jit
def roll_hit_die(g: Any, i: Any, j: Any, score: Any) -> Any:
    """A die of stand i at stand j; True for a hit."""
    die = roll_d6(g)
    note_event(g, HIT_DIE, i, j, die, 0, 0, score, R_HIT if die >= score else R_MISS)
    return die >= score


@jit
def roll_hits(g: Any, i: Any, j: Any, dice: Any, score: Any, again: Any) -> Any:
    """Hits of so many dice; `again` of 1 throws once more what missed (VBW-CRD-12, VBW-CRD-14)."""
    hits = 0
    for _ in range(dice):
        if roll_hit_die(g, i, j, score) or (again == 1 and roll_hit_die(g, i, j, score)):
            hits += 1
    return hits


@jit
def roll_saves(g: Any, j: Any, hits: Any, attempts: Any) -> Any:
    """Hits on stand j that are left: one success of a hit's attempts cancels it (VBW-SAV-01)."""
    left = 0
    for _ in range(hits):
        saved = False
        for _ in range(attempts):
            if not saved:
                die = roll_d6(g)
                saved = die >= g.o.save_on
                note_die(g, SAVE_DIE, j, -1, die, g.o.save_on, saved)
        if not saved:
            left += 1
    return left
