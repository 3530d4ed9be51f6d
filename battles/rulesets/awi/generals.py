"""Generals: what they add to tests, what they risk, and who wavers when one falls (AWI-T-GEN).

A general with a unit has its place. One whose unit has been destroyed is free, where it stood.
"""

from typing import Any

from battles.engine.bases import HALF, LITTLE, half_depth, half_width, is_effective
from battles.engine.compile import jit
from battles.engine.dice import roll_d6
from battles.engine.dtypes import (
    CAPTURED,
    COMMANDER,
    DISABLED,
    ELIMINATED,
    GONE_HOME,
    IN_FIELD,
    KILLED,
    ON_TABLE,
    SENIOR,
    SHAKEN,
    STEADY,
)
from battles.engine.geometry import point_gap2
from battles.engine.recording import (
    CHAIN_SHAKEN,
    GENERAL_DRIVEN,
    GENERAL_GOES,
    GENERAL_TAKEN,
    R_CAPTURED,
    R_DISABLED,
    R_KILLED,
    R_NONE,
    R_WOUNDED,
    note_event,
    note_plain,
)

#: Inches from a fallen general at which his units waver (AWI-T-GEN-02).
CHAIN_RADIUS = 18.0
CHAIN_RADIUS2 = (CHAIN_RADIUS + LITTLE) * (CHAIN_RADIUS + LITTLE)
#: 2d6 on which a general is lightly wounded, at the least, and killed (AWI-T-GEN-04, AWI-T-GEN-05).
WOUND_BY_FIRE, WOUND_IN_ROUT, DEATH = 9, 8, 11
#: 2d6 on which a general is captured with a unit that routs from melee; 0 never comes.
CAPTURE_IN_ROUT, NO_CAPTURE = 10, 0


@jit
def is_general_free(g: Any, k: Any) -> Any:
    """True for a general in the field who has no unit, or whose unit is eliminated."""
    s = g.generals[k]
    return s.fate == IN_FIELD and (s.unit < 0 or g.u[s.unit].place == ELIMINATED)


@jit
def is_general_on_table(g: Any, k: Any) -> Any:
    """True for a general in the field who has come on, with his unit or by himself when due."""
    s = g.generals[k]
    if s.fate != IN_FIELD:
        return False
    return s.due <= g.turn if is_general_free(g, k) else g.u[s.unit].place == ON_TABLE


@jit
def place_of(g: Any, k: Any) -> Any:
    """(x, y) of a general in inches."""
    s = g.generals[k]
    return (s.x, s.y) if s.unit < 0 else (g.u[s.unit].x, g.u[s.unit].y)


@jit
def test_bonus(g: Any, i: Any) -> Any:
    """The bonus of the best general with a unit to its tests: 0, 1, or 2 (AWI-T-MOR-03, AWI-T-MOR-05)."""
    best = 0
    for k in range(g.generals_n):
        s = g.generals[k]
        if s.unit == i and s.fate == IN_FIELD:
            worth = 2 if s.rank >= SENIOR else 1
            if worth > best:
                best = worth
    return best


@jit
def in_chain(g: Any, k: Any, i: Any) -> Any:
    """True when unit i is in the chain of command of general k (AWI-T-GEN-02)."""
    s, b = g.generals[k], g.u[i].brigade
    if g.u[i].side != s.side:
        return False
    return s.rank == COMMANDER or b == k or (b >= 0 and g.generals[b].superior == k)


@jit
def shake_chain(g: Any, k: Any) -> None:
    """Shake the units of a fallen general's chain within 18 inches; others keep their state."""
    x, y = place_of(g, k)
    for i in range(g.n):
        u = g.u[i]
        if u.place != ON_TABLE or u.mood != STEADY or not in_chain(g, k, i):
            continue
        if point_gap2(x, y, u.x, u.y, u.face, half_width(u), half_depth(u)) <= CHAIN_RADIUS2:
            u.mood = SHAKEN
            note_plain(g, CHAIN_SHAKEN, i, k)


@jit
def wound_general(g: Any, k: Any) -> Any:
    """A light wound halves his move, a second takes him from the field (AWI-T-GEN-03)."""
    s = g.generals[k]
    s.wounds += 1
    if s.wounds > 1:
        s.fate = DISABLED
        return R_DISABLED
    s.rate = s.rate / 2.0
    return R_WOUNDED


@jit
def risk_generals(g: Any, i: Any, what: Any, routs: Any) -> None:
    """2d6 for each general with a unit that has lost SP, and what they do to him.

    Under fire there is a roll for each shot (AWI-T-GEN-04); `routs` is 1 for a unit that runs from a
    melee, which is worse for him (AWI-T-GEN-05).
    """
    wounded_on = WOUND_IN_ROUT if routs == 1 else WOUND_BY_FIRE
    captured_on = CAPTURE_IN_ROUT if routs == 1 else NO_CAPTURE
    for k in range(g.generals_n):
        s = g.generals[k]
        if s.unit != i or s.fate != IN_FIELD:
            continue
        one = roll_d6(g)
        two = roll_d6(g)
        total = one + two
        result = R_NONE
        if total >= DEATH:
            s.fate, result = KILLED, R_KILLED
        elif total == captured_on:
            s.fate, result = CAPTURED, R_CAPTURED
        elif total >= wounded_on:
            result = wound_general(g, k)
        note_event(g, what, i, k, one, two, 0, total, result)
        if result in (R_KILLED, R_CAPTURED):
            shake_chain(g, k)


@jit
def capture_generals_with(g: Any, i: Any) -> None:
    """The generals with a unit that surrenders are captured without a roll (AWI-T-SUR-01)."""
    for k in range(g.generals_n):
        s = g.generals[k]
        if s.unit == i and s.fate == IN_FIELD:
            s.fate = CAPTURED
            note_plain(g, GENERAL_TAKEN, i, k)
            shake_chain(g, k)


@jit
def leave_with(g: Any, i: Any) -> None:
    """The generals with a unit that leaves the table go with it (AWI-T-GEN-03)."""
    for k in range(g.generals_n):
        s = g.generals[k]
        if s.unit == i and s.fate == IN_FIELD:
            s.fate = GONE_HOME
            note_plain(g, GENERAL_GOES, i, k)


@jit
def leave_all(g: Any, side: Any) -> None:
    """The generals of a side that has left the field are gone with it."""
    for k in range(g.generals_n):
        s = g.generals[k]
        if s.side == side and s.fate == IN_FIELD:
            s.fate = GONE_HOME


@jit
def nearest_friend(g: Any, k: Any) -> Any:
    """The nearest unit of general k's side that does not rout, failing that any; -1 for none."""
    x, y = place_of(g, k)
    best, best_gap = -1, 1.0e18
    for i in range(g.n):
        u = g.u[i]
        if u.side != g.generals[k].side or u.place != ON_TABLE:
            continue
        distance = (u.x - x) * (u.x - x) + (u.y - y) * (u.y - y)
        if not is_effective(u):
            distance += 1.0e9
        if distance < best_gap:
            best, best_gap = i, distance
    return best


@jit
def drive_off_free_general(g: Any, k: Any) -> None:
    """A free general whom an enemy reaches goes to the nearest friends, or home (AWI-T-GEN-03)."""
    s = g.generals[k]
    s.unit = nearest_friend(g, k)
    note_plain(g, GENERAL_DRIVEN, s.unit, k)
    if s.unit < 0:
        s.fate = GONE_HOME


@jit
def drive_off_free_generals(g: Any) -> None:
    """Move every free general whose base an enemy unit touches."""
    for k in range(g.generals_n):
        if not is_general_free(g, k) or not is_general_on_table(g, k):
            continue
        s = g.generals[k]
        if s.unit >= 0:
            s.x, s.y = g.u[s.unit].x, g.u[s.unit].y
            s.unit = -1
        for j in range(g.n):
            b = g.u[j]
            if b.side == s.side or not is_effective(b):
                continue
            dx, dy = b.x - s.x, b.y - s.y
            if dx * dx + dy * dy > 16.0:
                continue
            if point_gap2(s.x, s.y, b.x, b.y, b.face, half_width(b), half_depth(b)) <= HALF * HALF:
                drive_off_free_general(g, k)
                break
