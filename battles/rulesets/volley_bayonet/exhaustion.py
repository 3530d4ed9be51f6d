"""Exhaustion of brigades and their collapse (VBW-EXH, VBW-COL)."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.dice import roll_d6
from battles.rulesets.volley_bayonet.recording import COLLAPSE_DIE, COLLAPSES, EXHAUSTED, note_die, note_plain
from battles.rulesets.volley_bayonet.states import COLLAPSE, change_order, is_standing


@jit
def a_stand_of(g: Any, b: Any) -> Any:
    """A stand that stands for a brigade in an account: the first that is left, else its first, or -1."""
    first = -1
    for i in range(g.n):
        if g.u[i].brigade != b:
            continue
        if is_standing(g.u[i]):
            return i
        if first < 0:
            first = i
    return first


@jit
def tire_brigade(g: Any, b: Any) -> Any:
    """See whether a brigade is exhausted now; True when it has just become so (VBW-EXH-02).

    Its stationary stands lose the status, and none may take it again (VBW-COL-03).
    """
    e = g.brigades[b]
    if e.exhausted == 1 or e.level == 0 or e.lost < e.level + g.o.after_level:
        return False
    e.exhausted = 1
    note_plain(g, EXHAUSTED, a_stand_of(g, b), -1)
    for i in range(g.n):
        if g.u[i].brigade == b:
            g.u[i].stationary = 0
    return True


@jit
def is_exhausted(g: Any, u: Any) -> Any:
    """True for a stand of an exhausted brigade: it may not move into contact (VBW-COL-02)."""
    return u.brigade >= 0 and g.brigades[u.brigade].exhausted == 1


@jit
def roll_collapse(g: Any, b: Any) -> Any:
    """An exhausted brigade's die: at most the hits of this combat step, and it collapses (VBW-COL-05).

    Without hits no die is needed; a brigade collapses once.
    """
    e = g.brigades[b]
    if e.exhausted == 0 or e.collapsed == 1 or e.hits == 0:
        return False
    die = roll_d6(g)
    note_die(g, COLLAPSE_DIE, a_stand_of(g, b), -1, die, e.hits, die <= e.hits)
    return die <= e.hits


@jit
def collapse_brigade(g: Any, b: Any) -> None:
    """Every stand of a brigade takes the collapse in the state it is in (VBW-COL-06).

    Those who rout owe their move.
    """
    g.brigades[b].collapsed = 1
    note_plain(g, COLLAPSES, a_stand_of(g, b), -1)
    for i in range(g.n):
        if g.u[i].brigade == b and is_standing(g.u[i]):
            change_order(g, i, COLLAPSE)
