"""The Army Commander with a stand, and his death (RTG-MOR-03, RTG-MIS-01)."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.dice import roll_d6
from battles.rulesets.volley_bayonet.recording import GENERAL_DIE, note_die
from battles.rulesets.volley_bayonet.records import COMMANDS, FALLEN
from battles.rulesets.volley_bayonet.rtg.bases import leader_within
from battles.rulesets.volley_bayonet.rtg.fields import CHIEF
from battles.rulesets.volley_bayonet.rtg.tables import CHIEF_FALLS_ON

#: No commander.
NOBODY = -1


@jit
def chief_with(g: Any, i: Any) -> Any:
    """The Army Commander attached to stand i, whose base touches it, or NOBODY (RTG-MOR-03)."""
    for k in range(g.leaders_n):
        e = g.leaders[k]
        ours = e.rank == CHIEF and e.side == g.u[i].side and e.state == COMMANDS
        if ours and leader_within(g, k, i, g.o.contact):
            return k
    return NOBODY


@jit
def risk_chief(g: Any, k: Any, i: Any) -> Any:
    """After a combat in which the stand he is with has lost anything, a die: on 6 he is killed (RTG-MIS-01).

    True when he was; the army fights on without him.
    """
    die = roll_d6(g)
    falls = die >= CHIEF_FALLS_ON
    note_die(g, GENERAL_DIE, -1, g.leaders[k].named, die, CHIEF_FALLS_ON, not falls)
    if falls:
        g.leaders[k].state = FALLEN
    return falls
