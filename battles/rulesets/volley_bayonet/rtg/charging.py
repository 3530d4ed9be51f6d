"""Permission to charge, and effects of a cavalry charge on skirmishers and fugitives (RTG-CHG)."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.geometry import COS, SIN
from battles.rulesets.volley_bayonet.forced import RETIRES, forced_move
from battles.rulesets.volley_bayonet.records import (
    DETACHMENT,
    FRONT,
    GUNS,
    HORSE,
    INFANTRY,
    ROAD_MARCH,
    ROUTED,
)
from battles.rulesets.volley_bayonet.rtg.bases import is_skirmisher
from battles.rulesets.volley_bayonet.rtg.tables import GAP_KEPT, HALF, SKIRMISHERS_RETREAT
from battles.rulesets.volley_bayonet.rtg.terrain import BROKEN
from battles.rulesets.volley_bayonet.states import is_standing, lose_strength

#: What a cavalry brigade's charge comes to when it meets somebody (RTG-CHG-05 to 07, RTG-TER-02).
FIGHTS, RETREATS, TO_COVER, DESTROYED, ROUTS_AGAIN = 0, 1, 2, 3, 4
#: Inches to cover where there is none.
NO_COVER = -1.0


@jit
def is_brigade(u: Any) -> Any:
    """A formed stand of infantry or cavalry, massed, linear or with firearms (RTG-GEN-04)."""
    return u.class_ == INFANTRY or (u.class_ == HORSE and not is_skirmisher(u))


@jit
def may_charge_kind(u: Any, target: Any, edge: Any) -> Any:
    """True when a stand's class may charge the target's on an edge of its base (RTG-CHG-02)."""
    if u.class_ in (DETACHMENT, GUNS):
        return False
    if u.class_ == INFANTRY:
        return not (target.class_ == HORSE and is_brigade(target))
    if is_brigade(u) or is_skirmisher(target):
        return True
    if target.class_ == GUNS:
        return edge != FRONT
    return target.state == ROUTED or target.form == ROAD_MARCH


@jit
def go_back(u: Any) -> None:
    """Leave a contact by going back an inch, which is no move and keeps standing still (RTG-CHG-09)."""
    u.x -= SIN[u.face] * GAP_KEPT
    u.y -= COS[u.face] * GAP_KEPT


@jit
def met_by_cavalry(u: Any, target: Any, kind: Any, cover: Any) -> Any:
    """The effect of a cavalry brigade's charge on those it meets on a kind of ground (RTG-CHG-05 to 07).

    `cover` are the inches to the nearest cover, forest among it. Cavalry skirmishers retreat, those on
    foot go to cover within half a move or are destroyed, but in broken ground they stand and fight
    (RTG-TER-02); fugitives rout again, whoever charges. All others fight.
    """
    if target.state == ROUTED:
        return ROUTS_AGAIN
    if not is_skirmisher(target) or u.class_ != HORSE or not is_brigade(u) or kind == BROKEN:
        return FIGHTS
    if target.class_ == HORSE:
        return RETREATS
    return TO_COVER if 0.0 <= cover <= target.rate * HALF else DESTROYED


@jit
def give_way(g: Any, j: Any, heading: Any) -> Any:
    """A cavalry skirmisher retreats six inches ahead of a charge along a heading (RTG-CHG-05); inches gone.

    Past friends and until it is clear of all; beyond the table's edge it is lost.
    """
    return forced_move(g, j, heading, SKIRMISHERS_RETREAT, RETIRES)


@jit
def rout_again(g: Any, j: Any, away: Any) -> None:
    """A fugitive that is contacted loses another SP and owes its move, routed as it is (RTG-CHG-07)."""
    t = g.u[j]
    lose_strength(g, j, 1)
    if is_standing(t):
        t.runs, t.away = 1, away
