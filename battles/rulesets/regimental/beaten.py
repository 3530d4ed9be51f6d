"""Results of a charge combat for its losers, and its participants (REG-CHG-04 to 10)."""

from typing import Any

from battles.engine.compile import jit
from battles.rulesets.regimental.charging import is_mounted, stands_of_attacker, stands_of_defender
from battles.rulesets.regimental.leaders import leaders_overrun
from battles.rulesets.regimental.maneuver import is_outflanked
from battles.rulesets.regimental.recording import (
    GUN_CAPTURED,
    GUNS_LOST,
    RECALLS,
    WAGON_CAPTURED,
    note_dice,
    note_plain,
)
from battles.rulesets.regimental.records import (
    DESPERATE,
    DRIVEN_BACK,
    FIXED,
    GUNS,
    HEAVY,
    ON_TABLE,
    RECOIL,
    REMOVED,
    REPULSED,
    SWEPT,
    UNLIMBERED,
    WAGONS,
)
from battles.rulesets.regimental.retreating import back_off, full_retreat, out_of_close_range
from battles.rulesets.regimental.states import (
    break_troops,
    damage_one,
    disorder_troops,
    is_troops,
    lose_stands,
    silence_all,
    take_off,
    wreck_stands,
    write_footprint,
)
from battles.rulesets.regimental.tables import SHORT_RETREAT


@jit
def is_attacking(g: Any, i: Any, j: Any, second: Any) -> Any:
    """True for a unit that charges unit j in this combat, the first or after a breakthrough."""
    u = g.u[i]
    return u.side == g.mover and u.charges == j and u.place == ON_TABLE and u.fought == second


@jit
def first_attacker(g: Any, j: Any, second: Any) -> Any:
    """The first unit that charges unit j in this combat, or -1."""
    for i in range(g.first[g.mover], g.past[g.mover]):
        if is_attacking(g, i, j, second):
            return i
    return -1


@jit
def own_stands(g: Any, j: Any) -> Any:
    """Troop stands of a unit: guns have none (REG-CHG-02)."""
    return g.u[j].stands if is_troops(g.u[j]) else 0


@jit
def attacking_stands(g: Any, j: Any, second: Any) -> Any:
    """Troop stands of the attackers of unit j (REG-CHG-02)."""
    total = 0
    for i in range(g.first[g.mover], g.past[g.mover]):
        if is_attacking(g, i, j, second):
            total += g.u[i].stands
    return total


@jit
def has_horse_attacker(g: Any, j: Any, second: Any) -> Any:
    """True when mounted horse is among the attackers of unit j."""
    for i in range(g.first[g.mover], g.past[g.mover]):
        if is_attacking(g, i, j, second) and is_mounted(g.u[i]):
            return True
    return False


@jit
def take_guns(g: Any, i: Any, count: Any) -> None:
    """So many gun stands fall into the enemy's hands, all of them with 99 (REG-DEF-07)."""
    u = g.u[i]
    taken = min(count, u.stands)
    for _ in range(taken):
        if u.silent_damaged > 0:
            u.silent_damaged -= 1
        elif u.damaged > 0:
            u.damaged -= 1
        elif u.silent > 0:
            u.silent -= 1
        u.stands -= 1
        u.captured += 1
    u.low = min(u.low, u.stands)
    note_dice(g, GUNS_LOST, i, -1, 0, 0, 0, taken, 0)
    if u.stands == 0:
        note_plain(g, GUN_CAPTURED, i, -1)
        take_off(g, i, REMOVED)
    else:
        write_footprint(g, i)


@jit
def credit_won_guns(g: Any, j: Any, lost_before: Any) -> None:
    """Count guns lost in a charge that is won as captured by the winner (REG-DEF-07)."""
    u = g.u[j]
    if u.class_ == GUNS:
        u.captured += u.lost - lost_before
        u.lost = lost_before


@jit
def beat_guns(g: Any, i: Any, stands: Any) -> None:
    """Guns in a lost charge are lost, or limber and retreat silenced if they can (REG-CHG-04 to 06)."""
    u = g.u[i]
    if u.form == UNLIMBERED and u.carriage in (HEAVY, FIXED):
        take_guns(g, i, 99)
        return
    if stands > 0:
        take_guns(g, i, stands)
    if u.place == ON_TABLE:
        silence_all(g, i)
        full_retreat(g, i)


@jit
def capture_wagons(g: Any, i: Any) -> None:
    """A train that is charged home is captured (REG-DEF-07)."""
    u = g.u[i]
    u.captured += u.stands
    u.stands = 0
    note_plain(g, WAGON_CAPTURED, i, -1)
    take_off(g, i, REMOVED)


@jit
def rout_with_losses(g: Any, i: Any, stands: Any) -> None:
    """Take so many stands off troops, which then run, broken, a full move."""
    lose_stands(g, i, stands)
    if g.u[i].place == ON_TABLE:
        break_troops(g, i)
        full_retreat(g, i)


@jit
def falls_back(g: Any, i: Any, inches: Any, second: Any) -> None:
    """Beaten troops go back 2 inches, or with 0.0 out of close range; horse recalls after a first combat."""
    if g.u[i].place != ON_TABLE:
        return
    if is_mounted(g.u[i]) and second == 0:
        note_plain(g, RECALLS, i, -1)
        out_of_close_range(g, i)
    elif inches > 0.0:
        back_off(g, i, inches)
    else:
        out_of_close_range(g, i)


@jit
def beat_defender(g: Any, j: Any, result: Any, difference: Any, second: Any, strong: Any) -> None:
    """Apply a charge that succeeds to the defender (REG-CHG-04 to 06)."""
    t = g.u[j]
    stands = stands_of_defender(result, difference)
    flank, by_horse = is_outflanked(g, j), has_horse_attacker(g, j, second)
    if t.class_ == WAGONS:
        capture_wagons(g, j)
        return
    if result == SWEPT:
        leaders_overrun(g, j)
        if t.class_ == GUNS:
            beat_guns(g, j, stands)
        else:
            rout_with_losses(g, j, stands)
    elif result == DRIVEN_BACK:
        if t.class_ == GUNS:
            beat_guns(g, j, stands)
        elif flank or by_horse:
            rout_with_losses(g, j, stands + 1)
        else:
            lose_stands(g, j, stands)
            disorder_troops(g, j)
            falls_back(g, j, 0.0, second)
    elif t.class_ == GUNS:
        damage_one(g, j)
        if t.place == ON_TABLE and strong:
            silence_all(g, j)
        elif t.place == ON_TABLE:
            beat_guns(g, j, 0)
    else:
        if disorder_troops(g, j) == 0:
            lose_stands(g, j, 1)
        if t.place == ON_TABLE and flank:
            break_troops(g, j)
            full_retreat(g, j)
        elif not strong:
            falls_back(g, j, SHORT_RETREAT, second)


@jit
def beat_attacker(g: Any, i: Any, result: Any, difference: Any, second: Any, by_horse: Any) -> None:
    """Apply a charge that fails to an attacker (REG-CHG-08 to 10)."""
    u = g.u[i]
    flank, stands = is_outflanked(g, i), stands_of_attacker(result, difference)
    u.charges = -1
    if result == REPULSED:
        leaders_overrun(g, i)
        rout_with_losses(g, i, stands)
    elif result == RECOIL:
        if flank or by_horse:
            rout_with_losses(g, i, stands + 1)
            return
        lose_stands(g, i, stands)
        disorder_troops(g, i)
        falls_back(g, i, 0.0, second)
    else:
        if disorder_troops(g, i) == 0:
            lose_stands(g, i, 1)
        if u.place == ON_TABLE and flank:
            break_troops(g, i)
            full_retreat(g, i)
        else:
            falls_back(g, i, SHORT_RETREAT, second)


@jit
def apply_struggle(g: Any, j: Any, second: Any) -> None:
    """Take a stand and their order off both sides; guns fall silent (REG-CHG-07)."""
    for i in range(g.first[g.mover], g.past[g.mover]):
        if is_attacking(g, i, j, second):
            disorder_troops(g, i)
            lose_stands(g, i, stands_of_attacker(DESPERATE, 0))
    if g.u[j].class_ == GUNS:
        # who takes the last gun has won; of the others `guns_won` tells when it is known who has
        if g.u[j].stands == 1 and first_attacker(g, j, second) >= 0:
            take_guns(g, j, 1)
        else:
            wreck_stands(g, j, 1)
        if g.u[j].place == ON_TABLE:
            silence_all(g, j)
    elif g.u[j].class_ == WAGONS:
        capture_wagons(g, j)
    else:
        disorder_troops(g, j)
        lose_stands(g, j, 1)
