"""Facing and limbers (RTG-MOV-01 to 05)."""

from typing import Any

from battles.engine.compile import jit
from battles.rulesets.volley_bayonet.allowance import LITTLE, begins_to_move, spend_turn_share
from battles.rulesets.volley_bayonet.records import (
    GUNS,
    HORSE,
    ROAD_MARCH,
    ROUTED,
)
from battles.rulesets.volley_bayonet.rtg.ground import has_effect
from battles.rulesets.volley_bayonet.rtg.tables import HALF, MANHANDLED
from battles.rulesets.volley_bayonet.rtg.terrain import (
    NO_UNLIMBERING,
)
from battles.rulesets.volley_bayonet.states import INCIDENTAL, change_order

#: How a change of facing is paid for: half the move, or disorder (RTG-MOV-03).
BY_MOVE, BY_ORDER = 0, 1


@jit
def is_unlimbered(u: Any) -> Any:
    """Guns in action."""
    return u.class_ == GUNS and u.limbered == 0


@jit
def find_turn_inches(u: Any) -> Any:
    """Inches of a whole turn as it is now: unlimbered guns go by hand (RTG-MOV-02, RTG-MOV-05)."""
    return float(MANHANDLED) if is_unlimbered(u) else u.rate


@jit
def may_move(u: Any) -> Any:
    """True for who has neither routed nor rallied in this turn (RTG-MOV-01, RTG-RAL-02)."""
    return u.state != ROUTED and u.rallied == 0


@jit
def may_turn_free(u: Any) -> Any:
    """True when the next change of facing costs nothing (RTG-MOV-03, RTG-CMD-05).

    Limbered guns as often as they like; infantry once, but never the poorly trained. As a column is left
    there is one more.
    """
    if u.free_turn == 1 or (u.class_ == GUNS and u.limbered == 1):
        return True
    return u.class_ not in (GUNS, HORSE) and u.poorly_trained == 0 and u.facings == 0


@jit
def change_facing(g: Any, i: Any, price: Any) -> Any:
    """Pay for a change of facing, BY_MOVE or BY_ORDER; False when it cannot be made (RTG-MOV-03).

    Only infantry may pay by its order: from its second change on, and the poorly trained must for it. The
    free change of infantry in command does not count as moving; out of command it ends standing still.
    """
    u = g.u[i]
    if may_turn_free(u):
        leaving = u.free_turn
        u.free_turn = 0
        if u.class_ != GUNS and leaving == 0:
            u.facings += 1
            u.turned = 1
        if u.in_command == 0:
            u.stationary = 0
        return True
    foot = u.class_ not in (GUNS, HORSE)
    by_order = foot and (price == BY_ORDER or u.poorly_trained == 1) and u.facings >= 1
    if not by_order and u.left + LITTLE < HALF:
        return False
    begins_to_move(g, i)
    if by_order:
        change_order(g, i, INCIDENTAL)
    else:
        spend_turn_share(u, HALF)
    u.facings += 1
    return True


@jit
def may_limber(u: Any, kind: Any) -> Any:
    """True for guns in command that may limber or unlimber: one of the two a turn (RTG-MOV-04).

    Hired trains have gone home once the guns are unlimbered; nobody unlimbers in forest (RTG-TER-05).
    """
    if u.class_ != GUNS or u.in_command == 0 or u.limbers == 1 or u.form == ROAD_MARCH or not may_move(u):
        return False
    if u.limbered == 1:
        return not has_effect(kind, u, NO_UNLIMBERING)
    return u.hired == 0


@jit
def change_limbers(g: Any, i: Any, kind: Any) -> Any:
    """Limber, or unlimber, for nothing; True when done. Who unlimbers does not stand still (RTG-MOV-04).

    `rate` is that of its order now, `rate_horse` that of the other, where they are told apart.
    """
    u = g.u[i]
    if not may_limber(u, kind):
        return False
    begins_to_move(g, i)
    u.limbered, u.limbers = 1 - u.limbered, 1
    if u.rate_horse > 0.0:
        u.rate, u.rate_horse = u.rate_horse, u.rate
    return True
