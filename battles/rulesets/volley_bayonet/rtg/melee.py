"""Drawn melees and support of guns; who wins by casualties is the core's (RTG-MEL)."""

from typing import Any

import numpy as np

from battles.engine.compile import jit
from battles.rulesets.volley_bayonet.bases import faces_alike
from battles.rulesets.volley_bayonet.records import FORMED, GOOD, GUNS, HORSE, INFANTRY
from battles.rulesets.volley_bayonet.rtg.bases import BACK, LEFT, RIGHT, touches_side
from battles.rulesets.volley_bayonet.rtg.morale import is_foot
from battles.rulesets.volley_bayonet.rtg.tables import TIES
from battles.rulesets.volley_bayonet.states import is_standing

#: What is added to a drawn melee's total, in the order of the table (RTG-MEL-03).
TIE = np.array(list(TIES.values()))
NO_ELITES, STEADY, SUPPORTED, UNSECURED, GUNS_AT_HORSE = 0, 1, 2, 3, 4


@jit
def tie_modifier(u: Any, enemy: Any, supported: Any) -> Any:
    """The modifier of a stand's total against an enemy; all that apply add up (RTG-MEL-03).

    `supported` is 1 for guns with support, `u.secure` says that foot is cavalry-secure.
    """
    total = 0
    if is_foot(u) and is_foot(enemy) and enemy.no_elites == 1:
        total += TIE[NO_ELITES]
    if is_foot(u) and enemy.class_ == HORSE:
        if enemy.lancers == 0 and (u.stationary == 1 or u.secure == 1):
            total += TIE[STEADY]
        if u.secure == 0:
            total += TIE[UNSECURED]
    if u.class_ == GUNS:
        if is_foot(enemy) and supported == 1:
            total += TIE[SUPPORTED]
        if enemy.class_ == HORSE:
            total += TIE[GUNS_AT_HORSE]
    return total


@jit
def is_supported(g: Any, i: Any) -> Any:
    """True when a brigade of foot in order touches a gun's side or back and faces its way (RTG-MEL-04)."""
    u = g.u[i]
    for j in range(g.n):
        b = g.u[j]
        if j == i or b.side != u.side or not is_standing(b) or b.class_ != INFANTRY:
            continue
        if b.form != FORMED or b.state != GOOD or not faces_alike(u, b):
            continue
        if touches_side(g, i, j, BACK) or touches_side(g, i, j, LEFT) or touches_side(g, i, j, RIGHT):
            return True
    return False
