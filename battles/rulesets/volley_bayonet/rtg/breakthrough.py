"""Following up a rout in the Morale phase (RTG-MOR-16, RTG-ROU-02)."""

from typing import Any

from battles.engine.compile import jit
from battles.rulesets.volley_bayonet.breakthrough import (
    charges_on,
    fresh_contact,
    has_broken_through,
    in_melee,
    takes_ground,
)
from battles.rulesets.volley_bayonet.forced import rout_moves
from battles.rulesets.volley_bayonet.records import FRONT
from battles.rulesets.volley_bayonet.rtg.impact import goes_through
from battles.rulesets.volley_bayonet.rtg.morale_step import begin_checks, check_all
from battles.rulesets.volley_bayonet.rtg.rout import may_break_through

#: Breakthroughs of one stand in a phase that the loop goes on for: no rule ends them.
MOST = 8


@jit
def morale_and_breakthroughs(g: Any) -> None:
    """The Morale phase: checks, one enemy after each rout, and the checks of new contacts.

    A cavalry brigade goes on if that is worth it, once for each who ran; else one stand takes the ground.
    """
    begin_checks(g)
    for i in range(g.n):
        g.order[i] = 0  # from here on it marks whose ground has been taken
    check_all(g)
    rout_moves(g)
    again = True
    while again:
        again = False
        for i in range(g.first[g.mover], g.past[g.mover]):
            u = g.u[i]
            if u.side != g.mover or not has_broken_through(g, i):
                continue
            j = u.charges
            if g.order[j] == 1:
                u.charges, u.charged, u.edge = -1, 0, FRONT
                continue
            g.order[j] = 1
            if may_break_through(u) and u.breaks < MOST and charges_on(g, i):
                goes_through(g, i)
                fresh_contact(g, i)
                again = True
            else:
                takes_ground(g, i)
        if again:
            check_all(g)
            rout_moves(g)
    for i in range(g.n):
        u = g.u[i]
        # a charge that met nobody any more is none in the combats
        if u.charged == 1 and not in_melee(g, i):
            u.charged, u.charges = 0, -1
