"""Dice and what hits, by kind of stand, range and order; dedicated guns (RTG-CBT, RTG-RNG)."""

from typing import Any

from battles.engine.compile import jit
from battles.rulesets.volley_bayonet import combat
from battles.rulesets.volley_bayonet.combat import BY_MELEE
from battles.rulesets.volley_bayonet.records import (
    DEDICATED,
    GUNS,
    HEAVY_GUN,
    HORSE,
    LIGHT_GUN,
    ROAD_MARCH,
    ROUTED,
    SIEGE_GUN,
)
from battles.rulesets.volley_bayonet.rtg.bases import is_skirmisher
from battles.rulesets.volley_bayonet.rtg.tables import DEDICATED_DICE
from battles.rulesets.volley_bayonet.states import is_disordered

LITTLE = 1.0e-9


@jit
def gun_dice(g: Any, u: Any) -> Any:
    """Dice of a stand's dedicated guns; linear stands have them by an option (RTG-CBT-21, RTG-CBT-22)."""
    if u.class_ == GUNS or is_skirmisher(u) or (u.massed == 0 and g.o.linear_gun == 0):
        return 0
    return u.dedicated * DEDICATED_DICE


@jit
def own_fire_dice(g: Any, u: Any, inches: Any) -> Any:
    """Dice of a stand's own weapons at a range; none limbered, in march column or routed (RTG-CBT-10, 16)."""
    if u.limbered == 1 or inches > combat.find_longest_range(g, u) + LITTLE:
        return 0
    return combat.fire_dice(g, u)


@jit
def gun_fire_dice(g: Any, u: Any, inches: Any) -> Any:
    """Dice of its dedicated guns at a range, where the stand could fire at all (RTG-CBT-22)."""
    if inches > g.t.long[DEDICATED] + LITTLE or u.form == ROAD_MARCH or u.state == ROUTED or u.rallied == 1:
        return 0
    return gun_dice(g, u)


@jit
def fire_score(g: Any, u: Any, inches: Any, stone: Any) -> Any:
    """Least score with which its own weapons hit at a range (RTG-CBT-10, RTG-CBT-12, RTG-CBT-20).

    `stone` is 1 at occupants of stone buildings, for whom all range is long (RTG-TER-23).
    """
    if is_close(g, u.weapon, inches):
        if stone == 1:
            return g.t.long_hit[u.weapon]
        if u.battery == 1:
            return g.o.battery_close
    return combat.fire_score(g, u, inches)


@jit
def gun_score(g: Any) -> Any:
    """Least score with which a dedicated gun hits, in range (RTG-CBT-22)."""
    return g.t.long_hit[DEDICATED]


@jit
def is_close(g: Any, weapon: Any, inches: Any) -> Any:
    """Close range, which only artillery stands have (RTG-RNG-01)."""
    return g.t.short[weapon] > 0.0 and inches <= g.t.short[weapon] + LITTLE


@jit
def melee_dice(g: Any, u: Any, at_front: Any) -> Any:
    """Dice in melee, in march column too (RTG-MOV-06).

    None of who has just rallied (RTG-RAL-02), nor of guns limbered or not met at their front (RTG-CBT-15).
    """
    if u.rallied == 1 or (u.class_ == GUNS and (u.limbered == 1 or u.guns_gone == 1 or at_front == 0)):
        return 0
    return g.t.dice[u.dice_row, u.stationary, BY_MELEE] + gun_dice(g, u)


@jit
def melee_score(g: Any, u: Any, target: Any) -> Any:
    """Least score that hits in melee; guns hit as at close range (RTG-CBT-15), cavalry shock is an option."""
    if u.battery == 1:
        return g.o.battery_close
    if u.class_ != HORSE:
        return g.t.melee_hit[u.weapon]
    shock = g.o.horse_shock == 1 and u.firearm == 0 and u.charged == 1 and is_disordered(target)
    return 5 if shock else 6


@jit
def is_small_arm(weapon: Any) -> Any:
    """True for muskets and rifles, False for guns."""
    return weapon < LIGHT_GUN


@jit
def is_heavy(weapon: Any) -> Any:
    """Heavy and siege guns (RTG-RNG-01)."""
    return weapon in (HEAVY_GUN, SIEGE_GUN)
