"""Facing, limbers, march column, standing still, what streams and hills cost (RTG-MOV, RTG-CMD-06)."""

from typing import Any

from battles.engine.compile import jit
from battles.rulesets.volley_bayonet.allowance import LITTLE, begins_to_move, multiple, spend
from battles.rulesets.volley_bayonet.records import (
    DISORDERED,
    FORMED,
    GUNS,
    HORSE,
    INFANTRY,
    ROAD_MARCH,
    ROUTED,
    SKIRMISH,
)
from battles.rulesets.volley_bayonet.rtg.bases import is_skirmisher
from battles.rulesets.volley_bayonet.rtg.ground import by_road, costs_half, has, hill_effects, holds_disorder
from battles.rulesets.volley_bayonet.rtg.tables import HALF, MANHANDLED
from battles.rulesets.volley_bayonet.rtg.terrain import (
    ENTERING,
    INSIDE,
    LEAVING,
    LOSES_GUN,
    MARSHY_STREAM,
    NO_UNLIMBERING,
    PROHIBITED,
)
from battles.rulesets.volley_bayonet.states import INCIDENTAL, RECOVER, change

#: How a change of facing or a bridge is paid for: half the move, or disorder (RTG-MOV-03, RTG-TER-01).
BY_MOVE, BY_ORDER = 0, 1


@jit
def is_unlimbered(u: Any) -> Any:
    """Guns in action."""
    return u.class_ == GUNS and u.limbered == 0


@jit
def allowance(u: Any) -> Any:
    """Inches of a whole turn as it is now: unlimbered guns go by hand (RTG-MOV-02, RTG-MOV-05)."""
    return float(MANHANDLED) if is_unlimbered(u) else u.rate


@jit
def may_move(u: Any) -> Any:
    """True for who has neither routed nor rallied in this turn (RTG-MOV-01, RTG-RAL-02)."""
    return u.state != ROUTED and u.rallied == 0


@jit
def share_of(u: Any, inches: Any, factor: Any, on_road: Any) -> Any:
    """Share of the whole turn that so many inches take over ground of that factor (RTG-MOV-06)."""
    return inches * factor / (allowance(u) * multiple(u, on_road))


@jit
def reach_of(u: Any, factor: Any, on_road: Any) -> Any:
    """Inches it can still go over ground of that factor."""
    return u.left * allowance(u) * multiple(u, on_road) / factor


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
        change(g, i, INCIDENTAL)
    else:
        spend(u, HALF)
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
        return not has(kind, u, NO_UNLIMBERING)
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


@jit
def enter_column(g: Any, i: Any) -> Any:
    """Go into march column for nothing at the start of a move; not unlimbered guns (RTG-MOV-06)."""
    u = g.u[i]
    if u.form == ROAD_MARCH or u.moved == 1 or is_unlimbered(u) or not may_move(u):
        return False
    begins_to_move(g, i)
    u.form = ROAD_MARCH
    return True


@jit
def leave_column(g: Any, i: Any, touched: Any) -> Any:
    """Come out of march column for half the move, with a free facing; not in contact (RTG-MOV-06)."""
    u = g.u[i]
    if u.form != ROAD_MARCH or touched or u.left + LITTLE < HALF:
        return False
    begins_to_move(g, i)
    spend(u, HALF)
    u.form = SKIRMISH if is_skirmisher(u) else FORMED
    u.left_march, u.free_turn = 1, 1
    return True


@jit
def recover(g: Any, i: Any, kind: Any, touched: Any) -> Any:
    """Take off temporary disorder for half the move; red stays (RTG-CMD-06, RTG-RAL-03).

    In command, not touching an enemy, and not in ground that disorders who is inside (RTG-TER-00).
    """
    u = g.u[i]
    if u.state != DISORDERED or u.in_command == 0 or touched or holds_disorder(kind, u):
        return False
    if not spend(u, HALF):
        return False
    change(g, i, RECOVER)
    u.recovered, u.stationary = 1, 0
    return True


@jit
def may_be_stationary(u: Any) -> Any:
    """Only formed infantry and unlimbered guns (RTG-CMD-06, RTG-CBT-12, RTG-CBT-13)."""
    return u.form != ROAD_MARCH and (u.class_ == INFANTRY or is_unlimbered(u))


@jit
def go_stationary(u: Any, exhausted: Any) -> Any:
    """Stand still at the end of Movement; True when it does (RTG-CMD-04, RTG-CMD-06, RTG-EXH-02).

    In command, and neither moved, recovered nor come out of a column. Going back an inch from contact is
    no move (RTG-CHG-09).
    """
    if not may_be_stationary(u) or u.state == ROUTED or u.in_command == 0 or exhausted:
        return False
    if u.moved == 1 or u.recovered == 1 or u.left_march == 1 or u.rallied == 1:
        return False
    u.stationary = 1
    return True


@jit
def cross_stream(g: Any, i: Any, on_road: Any) -> Any:
    """Cross a stream, or a ford, for half the move; the second in a turn disorders too (RTG-TER-17).

    False when too little is left. By its bridge a road leads over it (RTG-TER-15).
    """
    u = g.u[i]
    if by_road(u, on_road):
        return True
    if u.left + LITTLE < HALF:
        return False
    begins_to_move(g, i)
    spend(u, HALF)
    u.streams += 1
    if u.streams >= 2:
        change(g, i, INCIDENTAL)
    return True


@jit
def cross_marshy_stream(g: Any, i: Any) -> Any:
    """Cross a marshy stream away from a ford, for half the move and disorder (RTG-TER-12).

    A dedicated gun stays in it. False for cavalry brigades and artillery, and when too little is left.
    """
    u = g.u[i]
    if has(MARSHY_STREAM, u, PROHIBITED) or u.left + LITTLE < HALF:
        return False
    begins_to_move(g, i)
    spend(u, HALF)
    change(g, i, INCIDENTAL)
    if has(MARSHY_STREAM, u, LOSES_GUN):
        u.dedicated = 0
    return True


@jit
def enter_ground(g: Any, i: Any, kind: Any, on_road: Any) -> None:
    """Ground that disorders whoever comes in, or is inside, does so as it is entered (RTG-TER-00)."""
    if not by_road(g.u[i], on_road) and has(kind, g.u[i], ENTERING | INSIDE):
        change(g, i, INCIDENTAL)


@jit
def leave_ground(g: Any, i: Any, kind: Any, on_road: Any) -> None:
    """Ground that disorders whoever leaves it (RTG-TER-00)."""
    if not by_road(g.u[i], on_road) and has(kind, g.u[i], LEAVING):
        change(g, i, INCIDENTAL)


@jit
def cross_bridge(g: Any, i: Any, price: Any) -> Any:
    """Cross a bridge: free in march column, else for half the move or for disorder (RTG-TER-01)."""
    u = g.u[i]
    if u.form != ROAD_MARCH and price == BY_MOVE and u.left + LITTLE < HALF:
        return False
    begins_to_move(g, i)
    if u.form == ROAD_MARCH:
        return True
    if price == BY_MOVE:
        spend(u, HALF)
    else:
        change(g, i, INCIDENTAL)
    return True


@jit
def climb(g: Any, i: Any, contours: Any, on_road: Any) -> Any:
    """Pay for contours of a hill in one move, down counted as negative; False when barred (RTG-TER-10)."""
    u = g.u[i]
    if by_road(u, on_road):
        return True
    effects = hill_effects(u, contours)
    if effects & PROHIBITED != 0 or (costs_half(effects) and u.left + LITTLE < HALF):
        return False
    begins_to_move(g, i)
    if costs_half(effects):
        spend(u, HALF)
    if effects & ENTERING != 0:
        change(g, i, INCIDENTAL)
    u.climbed = contours
    return True
