"""Leaders and brave colonels who fall (REG-LDR-01 to 04, REG-FIR-11)."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.dice import roll_d6
from battles.rulesets.regimental.bases import spot_gap
from battles.rulesets.regimental.command import is_here
from battles.rulesets.regimental.recording import COLONEL_DIE, FATES, GENERAL_DIE, note_event
from battles.rulesets.regimental.records import (
    AWAY,
    BADLY_WOUNDED,
    CAPTURED,
    DEAD,
    FLESH_WOUND,
    HORSE_SHOT,
    KILLED,
    KNOCKED_DOWN,
    OUT_OF_BATTLE,
    TAKEN,
    UNHURT,
)
from battles.rulesets.regimental.tables import LEADER_UNDER_FIRE, TAKEN_DIE

#: A colonel who does not come back to this battle.
NEVER_BACK = 1_000_000


@jit
def find_leader_fate(die1: Any, die2: Any, overrun: Any) -> Any:
    """The fate of a leader on two dice; `overrun` is 1 with a unit swept or repulsed (REG-LDR-01, REG-
    LDR-02).
    """
    total = die1 + die2
    if total >= 11:
        return DEAD
    if total <= 6:
        return UNHURT
    if overrun == 1 and (die1 == TAKEN_DIE or die2 == TAKEN_DIE):
        return TAKEN
    if total == 10:
        return BADLY_WOUNDED
    if total == 9:
        return FLESH_WOUND
    return KNOCKED_DOWN if total == 8 else HORSE_SHOT


@jit
def apply_leader_fate(g: Any, k: Any, what: Any) -> None:
    """Apply a result of the fallen leader table to leader k (REG-LDR-01)."""
    e = g.leaders[k]
    if what == UNHURT:
        return
    if what == FLESH_WOUND:
        e.wounded = 1
        return
    if what == HORSE_SHOT:
        e.walks_until = g.turn + 1
        return
    if e.unit >= 0:
        e.x, e.y, e.unit = g.u[e.unit].x, g.u[e.unit].y, -1
    if what == KNOCKED_DOWN:
        e.state, e.back = AWAY, g.turn + 1
    elif what == BADLY_WOUNDED:
        e.state = OUT_OF_BATTLE
    else:
        e.state = KILLED if what == DEAD else CAPTURED


@jit
def leader_checks(g: Any, k: Any, i: Any, overrun: Any) -> Any:
    """Leader k rolls on the fallen leader table at unit i; returns what came of it."""
    die1, die2 = roll_d6(g), roll_d6(g)
    what = find_leader_fate(die1, die2, overrun)
    named = g.leaders[k].named if g.leaders[k].colonel == 0 else -1
    note_event(g, GENERAL_DIE, i, named, die1, die2, 0, die1 + die2, FATES[what])
    apply_leader_fate(g, k, what)
    return what


@jit
def colonel_checks(g: Any, i: Any, overrun: Any) -> Any:
    """The brave colonel of unit i rolls; a flesh wound does not take him away (REG-LDR-04)."""
    u = g.u[i]
    die1, die2 = roll_d6(g), roll_d6(g)
    what = find_leader_fate(die1, die2, overrun)
    note_event(g, COLONEL_DIE, i, -1, die1, die2, 0, die1 + die2, FATES[what])
    if what in (DEAD, TAKEN):
        u.colonel = 0
    elif what == BADLY_WOUNDED:
        u.colonel_back = NEVER_BACK
    elif what in (KNOCKED_DOWN, HORSE_SHOT):
        u.colonel_back = g.turn + 1
    return what


@jit
def has_colonel(g: Any, i: Any) -> Any:
    """True when unit i's brave colonel is with it."""
    return g.u[i].colonel == 1 and g.u[i].colonel_back <= g.turn


@jit
def closest_leader(g: Any, i: Any) -> Any:
    """The leader of its side closest to unit i, within 4 inches, or -1 (REG-FIR-11)."""
    best, nearest = -1, LEADER_UNDER_FIRE + 1.0e-9
    for k in range(g.leaders_n):
        e = g.leaders[k]
        if e.side != g.u[i].side or not is_here(g, k):
            continue
        inches = 0.0 if e.unit == i else spot_gap(g, i, e.x, e.y)
        if e.unit >= 0 and e.unit != i:
            inches = spot_gap(g, i, g.u[e.unit].x, g.u[e.unit].y)
        if inches <= nearest:
            best, nearest = k, inches
    return best


@jit
def leaders_under_fire(g: Any, i: Any) -> None:
    """The closest leader checks: its own colonel, unless a leader is with the unit itself (REG-FIR-11)."""
    k = closest_leader(g, i)
    if has_colonel(g, i) and (k < 0 or g.leaders[k].unit != i):
        colonel_checks(g, i, 0)
    elif k >= 0:
        leader_checks(g, k, i, 0)


@jit
def leaders_overrun(g: Any, i: Any) -> None:
    """Attached leaders and the colonel of a unit swept or repulsed check (REG-CHG-04, 10, REG-LDR-03)."""
    for k in range(g.leaders_n):
        if g.leaders[k].unit == i and is_here(g, k):
            leader_checks(g, k, i, 1)
    if has_colonel(g, i):
        colonel_checks(g, i, 1)
