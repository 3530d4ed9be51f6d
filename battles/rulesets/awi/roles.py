"""Roles of units under a side's plan: the reserve, the weight of a flanking move, spots to stand at.

Written once, when the battle is drawn up. No numba here.
"""

from typing import Any

from battles.engine.dtypes import FENCE, FOOT, HOLD, MOUNTED, ON_TABLE, WALL
from battles.engine.posting import WORKS, flank_weight, goal_shift, list_rearmost, up_to_work

#: Inches ahead within which a holder finds a work to stand behind, and from its centre to the work.
LINE_AHEAD, BEHIND = 8.0, 1.3
#: What a holder stands behind: fences and walls too.
SHELTERS = (FENCE, WALL, *WORKS)


def roles_write(g: Any) -> None:
    """Write reserves, wings and spots of both sides by their plans."""
    for side in range(2):
        troops = [i for i in range(g.n) if g.u[i].side == side and g.u[i].wagon == 0]
        here = [i for i in troops if g.u[i].place == ON_TABLE]
        for i in list_rearmost(g, side, [i for i in here if g.u[i].arm == FOOT]):
            g.u[i].reserve = 1
        _spots_write(g, side, troops, here)
        able = [i for i in troops if g.u[i].gun == 0 and g.u[i].reserve == 0]
        for i in flank_weight(g, side, able, lambda u: bool(u.arm == MOUNTED), at="post_x"):
            g.u[i].wing = 1


def _spots_write(g: Any, side: int, troops: list[int], here: list[int]) -> None:
    """Each stands where it is drawn up, or as far from the goal as it was from the line's middle.

    Who comes on later marches to his side's line, and who holds goes up to a work before him; the
    reserve does not.
    """
    right, ahead = goal_shift(g, side, here)
    line = [float(g.u[i].post_y) for i in here]
    for i in troops:
        u = g.u[i]
        if u.place != ON_TABLE and line:
            u.spot_x, u.spot_y = u.post_x + right, sum(line) / len(line) + ahead
            continue
        u.spot_x = min(max(u.post_x + right, 2.0), g.width - 2.0)
        u.spot_y = min(max(u.post_y + ahead, 2.0), g.depth - 2.0)
        if g.plans[side].kind_ == HOLD and u.arm == FOOT and u.reserve == 0:
            up_to_work(g, u, SHELTERS, LINE_AHEAD, BEHIND, 0.0)
