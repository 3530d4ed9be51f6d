"""The close zone of guns, in which one must check morale (RTG-MOR-01)."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.geometry import COS, SIN, clip_to_strip
from battles.rulesets.volley_bayonet.records import GUNS, ROAD_MARCH, ROUTED
from battles.rulesets.volley_bayonet.rtg.bases import LITTLE, half_depth, half_width
from battles.rulesets.volley_bayonet.states import is_standing
from battles.rulesets.volley_bayonet.tables import DANGER_HALF_WIDTH, EDGE

#: Inches of who is in no zone.
OUTSIDE = -1.0


@jit
def has_zone(u: Any) -> Any:
    """True for unlimbered guns that could fire."""
    if u.class_ != GUNS or u.limbered == 1 or u.guns_gone == 1 or u.form == ROAD_MARCH:
        return False
    return is_standing(u) and u.state != ROUTED


@jit
def straight_ahead(g: Any, k: Any, i: Any) -> Any:
    """Inches from gun k to the part of stand i straight ahead, two inches more to each side; else OUTSIDE.

    That is its arc of fire (RTG-MOR-01).
    """
    a, b = g.u[k], g.u[i]
    ahead = half_depth(g, a)
    fx, fy = a.x + SIN[a.face] * ahead, a.y + COS[a.face] * ahead
    aside = half_width(g, a) + DANGER_HALF_WIDTH + EDGE
    inches, _, _ = clip_to_strip(fx, fy, a.face, aside, b.x, b.y, b.face, half_width(g, b), half_depth(g, b))
    return OUTSIDE if inches < 0.0 else inches


@jit
def zone_depth(g: Any, k: Any, i: Any) -> Any:
    """Inches from gun k to the part of stand i within close range straight ahead, OUTSIDE for none.

    Two inches wider than its front on each side, as at wing scale (VBW-MOR-02).
    """
    inches = straight_ahead(g, k, i)
    return OUTSIDE if inches > g.t.short[g.u[k].weapon] + LITTLE else inches
