"""Divisions that tire and collapse; the core's brigades are the divisions here (RTG-EXH)."""

from typing import Any

from battles.engine.compile import jit
from battles.rulesets.volley_bayonet.exhaustion import a_stand_of, roll_collapse, tire_brigade
from battles.rulesets.volley_bayonet.recording import COLLAPSES, note_plain
from battles.rulesets.volley_bayonet.rtg.rout import collapse_drop
from battles.rulesets.volley_bayonet.states import is_standing


@jit
def begin_turn(g: Any) -> None:
    """A player turn begins: casualties are counted from here (RTG-EXH-03)."""
    for b in range(g.brigades_n):
        g.brigades[b].lost_before = g.brigades[b].lost


@jit
def count_division_losses(g: Any, b: Any) -> Any:
    """SP a division has lost in this player turn, by whatever means (RTG-EXH-03)."""
    return g.brigades[b].lost - g.brigades[b].lost_before


@jit
def exhaustion_phase(g: Any) -> Any:
    """The Exhaustion phase of both sides: who is exhausted, who collapses; how many did (RTG-EXH-01 to 04).

    One that has only just become exhausted rolls at once, a collapsed one never again.
    """
    count = 0
    for b in range(g.brigades_n):
        tire_brigade(g, b)
        g.brigades[b].hits = count_division_losses(g, b)
        if roll_collapse(g, b):
            collapse_division(g, b)
            count += 1
    return count


@jit
def collapse_division(g: Any, b: Any) -> None:
    """Every stand of a division drops one level on the ladder (RTG-EXH-04)."""
    g.brigades[b].collapsed = 1
    note_plain(g, COLLAPSES, a_stand_of(g, b), -1)
    for i in range(g.n):
        if g.u[i].brigade == b and is_standing(g.u[i]):
            collapse_drop(g, i)
