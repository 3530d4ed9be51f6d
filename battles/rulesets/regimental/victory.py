"""Victory points (REG-VP-01)."""

from typing import Any

from battles.engine.compile import jit
from battles.rulesets.regimental.records import AWAY, CAPTURED, KILLED, LEADS, WOUNDED
from battles.rulesets.regimental.tables import BRITISH_SCORES

LEADER_TAKEN, LEADER_KILLED = BRITISH_SCORES["captured_leader"], BRITISH_SCORES["killed_leader"]


@jit
def fate_of_leader(g: Any, k: Any) -> Any:
    """The fate of the man who led first, even when his colonel leads in his place (REG-CMD-03)."""
    e = g.leaders[k]
    if e.colonel == 1:
        return e.fate
    return WOUNDED if e.wounded == 1 and e.state in (LEADS, AWAY) else e.state


@jit
def scores_leaders(g: Any, side: Any) -> Any:
    """True when a side scores for the enemy's leaders: the British column alone names them (REG-VP-01)."""
    return g.o.leaders_for_both == 1 or side == g.british


@jit
def victory_points(g: Any, side: Any) -> Any:
    """A side's score for the enemy's stands removed and leaders lost (REG-VP-01)."""
    total = 0
    for i in range(g.n):
        u = g.u[i]
        if u.side != side:
            total += u.worth * (u.lost + u.captured)
    if scores_leaders(g, side):
        for k in range(g.leaders_n):
            if g.leaders[k].side == side:
                continue
            fate = fate_of_leader(g, k)
            if fate == CAPTURED:
                total += LEADER_TAKEN
            elif fate == KILLED:
                total += LEADER_KILLED
    return total
