"""Circumstances of a check, modified morale and the die (RTG-MOR). Flags are the core's and one more."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.dice import roll_d6
from battles.rulesets.volley_bayonet.morale import (
    AT_GUNS,
    AT_HEAVIER,
    AT_SKIRMISHERS,
    BY_HORSE,
    FROM_FLANK,
    HIGHER,
    IN_THEIR_FLANK,
    SUPERIOR,
    UNSUPPORTED,
    WORKS,
    is_passing_die,
    order_flags,
)
from battles.rulesets.volley_bayonet.recording import CHECK, R_FAILS, R_PASSES, note_event
from battles.rulesets.volley_bayonet.records import (
    DETACHMENT,
    FLANK,
    FRONT,
    GUNS,
    HORSE,
    INFANTRY,
    REAR,
    ROAD_MARCH,
    ROUTED,
)
from battles.rulesets.volley_bayonet.rtg.bases import is_skirmisher
from battles.rulesets.volley_bayonet.rtg.ground import is_shelter
from battles.rulesets.volley_bayonet.rtg.tables import MORALE

#: A line or a column that is meleed in flank: the table's last entry (RTG-MOR-09).
THIN_FLANKED = 16384
ENTRIES = len(MORALE)


@jit
def sum_modifiers(g: Any, flags: Any) -> Any:
    """Sum of the entries that apply; all add up (RTG-MOR-03)."""
    total = 0
    for k in range(ENTRIES):
        if (flags >> k) & 1 == 1:
            total += g.t.morale[k]
    return total


@jit
def is_foot(u: Any) -> Any:
    """Infantry, in brigades or as skirmishers."""
    return u.class_ == INFANTRY or u.class_ == DETACHMENT


@jit
def weight_flag(u: Any, enemy: Any) -> Any:
    """The -1 of cavalry against heavier cavalry (RTG-MOR-13)."""
    both = u.class_ == HORSE and enemy.class_ == HORSE
    return AT_HEAVIER if both and u.weight < enemy.weight else 0


@jit
def skirmisher_flag(u: Any, enemy: Any) -> Any:
    """The +1 of close order against skirmishers, taken back when others fight beside them (RTG-MOR-11)."""
    return AT_SKIRMISHERS if is_skirmisher(enemy) and not is_skirmisher(u) else 0


@jit
def charger_flags(u: Any, target: Any, edge: Any) -> Any:
    """Circumstances of a stand that meets an edge of its target's base (RTG-MOR-10 to 13)."""
    flags = skirmisher_flag(u, target) | weight_flag(u, target)
    if edge != FRONT:
        flags |= IN_THEIR_FLANK
    guns = target.class_ == GUNS and target.limbered == 0 and target.guns_gone == 0
    if guns and edge == FRONT and target.state != ROUTED:
        flags |= AT_GUNS
    return flags


@jit
def flank_flag(g: Any, u: Any, edge: Any, meleed: Any) -> Any:
    """The flag of an attack in flank, by melee or by a gun at close range (RTG-MOR-08, RTG-MOR-09).

    The rear is a flank unless the option says otherwise. A line of infantry, or any column, takes the
    heavier one instead when it is meleed.
    """
    if edge != FLANK and not (edge == REAR and g.o.rear_is_flank == 1):
        return 0
    thin = u.form == ROAD_MARCH or (u.class_ == INFANTRY and u.massed == 0)
    return THIN_FLANKED if thin and meleed == 1 else FROM_FLANK


@jit
def charged_flags(g: Any, u: Any, charger: Any, edge: Any, supported: Any) -> Any:
    """Circumstances of a stand that is charged on an edge of its base (RTG-MOR-06 to 09, 11, 13).

    `supported` is 1 for guns with support (RTG-MEL-04), `u.secure` says that foot is cavalry-secure.
    """
    flags = skirmisher_flag(u, charger) | weight_flag(u, charger) | flank_flag(g, u, edge, 1)
    if charger.class_ != HORSE:
        return flags
    if u.class_ == GUNS and not (u.stationary == 1 and supported == 1):
        flags |= UNSUPPORTED
    if is_foot(u) and u.secure == 0:
        flags |= BY_HORSE
    return flags


@jit
def defence_flags(u: Any, from_lower: Any, kind: Any) -> Any:
    """The flags that help a defender: shelter, and higher ground when it is stationary and no cavalry.

    `from_lower` is 1 when the enemy comes or fires from lower ground (RTG-MOR-04, RTG-MOR-05).
    """
    flags = 0
    if from_lower == 1 and u.stationary == 1 and u.class_ != HORSE:
        flags |= HIGHER
    if is_shelter(kind):
        flags |= WORKS
    return flags


@jit
def nerve_of(g: Any, u: Any, flags: Any, chief: Any) -> Any:
    """Modified morale; `chief` is 1 with the Army Commander attached to the stand (RTG-MOR-03)."""
    flags |= order_flags(g, u)
    if chief == 1:
        flags |= SUPERIOR
    return u.morale + sum_modifiers(g, flags)


@jit
def is_holding_die(g: Any, die: Any, nerve: Any) -> Any:
    """True on a die of at most the modified morale (RTG-MOR-02).

    An option lets a 1 always pass and a 6 never.
    """
    if g.o.auto_checks == 1 and die in (1, 6):
        return die == 1
    return is_passing_die(die, nerve)


@jit
def roll_check(g: Any, i: Any) -> Any:
    """The check of a stand whose modified morale is set; True when it passes (RTG-MOR-02)."""
    u = g.u[i]
    die = roll_d6(g)
    good = is_holding_die(g, die, u.nerve)
    note_event(g, CHECK, i, u.caller, die, 0, 0, u.nerve, R_PASSES if good else R_FAILS)
    return good
