"""The cost of a change of facing, at the scale that is played (VBW-MOV-02, RTG-MOV-03)."""

from typing import Any

from battles.engine.compile import jit
from battles.rulesets.volley_bayonet.allowance import HALF
from battles.rulesets.volley_bayonet.allowance import change_facing as change_of_wing
from battles.rulesets.volley_bayonet.records import GUNS, HORSE
from battles.rulesets.volley_bayonet.rtg.moving import BY_MOVE, may_turn_free
from battles.rulesets.volley_bayonet.rtg.moving import change_facing as change_of_brigade

#: Share of a turn of what may not be done.
NEVER = 9.0


@jit
def change_facing(g: Any, i: Any) -> Any:
    """Pay for a facing change of up to 180 degrees; False when it may not be made.

    A brigade pays by its move: no commander gives its order for it where he may choose (RTG-MOV-03).
    """
    if g.o.grand == 0:
        return change_of_wing(g, i)
    return change_of_brigade(g, i, BY_MOVE)


@jit
def turn_share(g: Any, u: Any) -> Any:
    """Share of a turn that facing costs before a charge, NEVER when it may not be made.

    Once, and at the start of the move (VBW-MOV-02, 07, 08); horse in brigades pays for it (RTG-MOV-03).
    """
    if g.o.grand == 1:
        if may_turn_free(u):
            return 0.0
        return HALF if u.class_ == HORSE or u.class_ == GUNS or u.facings == 0 else NEVER
    if u.free_turn == 1:
        return 0.0
    if u.facings > 0:
        return NEVER
    return HALF if u.poorly_trained == 1 else 0.0
