"""Who is what under his side's plan: the reserve, the weight of a flanking move, where each stands.

Written once, when the battle is drawn up. No numba here.
"""

from typing import Any

from battles.engine.dtypes import FOOT, HOLD, MOUNTED, ON_TABLE

#: Share of a side's troops that goes round the flank.
WEIGHT = 0.7


def roles_write(g: Any) -> None:
    """Write reserves, wings and spots of both sides by their plans."""
    for side in range(2):
        troops = [i for i in range(g.n) if g.u[i].side == side and g.u[i].wagon == 0]
        here = [i for i in troops if g.u[i].place == ON_TABLE]
        _spots_write(g, side, troops, here)
        _reserve_write(g, side, here)
        _wing_write(g, side, troops)


def _spots_write(g: Any, side: int, troops: list[int], here: list[int]) -> None:
    """Each stands where it is drawn up, or as far from the goal as it was from the line's middle."""
    plan = g.plans[side]
    right = ahead = 0.0
    if plan.kind_ == HOLD and plan.goal == 1 and here:
        right = plan.goal_x - sum(float(g.u[i].x) for i in here) / len(here)
        ahead = plan.goal_y - sum(float(g.u[i].y) for i in here) / len(here)
    for i in troops:
        u = g.u[i]
        u.spot_x = min(max(u.post_x + right, 2.0), g.width - 2.0)
        u.spot_y = min(max(u.post_y + ahead, 2.0), g.depth - 2.0)


def _reserve_write(g: Any, side: int, here: list[int]) -> None:
    """The rearmost foot, as much as the plan keeps back."""
    foot = [i for i in here if g.u[i].arm == FOOT]
    count = len(foot) * int(g.plans[side].reserve) // 100
    foot.sort(key=lambda i: (-float(g.u[i].y) if side == 1 else float(g.u[i].y), -i))
    for i in foot[:count]:
        g.u[i].reserve = 1


def _wing_write(g: Any, side: int, troops: list[int]) -> None:
    """The horse, and the foot nearest the flank it means to turn, most of the side; guns stay."""
    flank = int(g.plans[side].flank)
    if flank == 0:
        return
    way = flank if side == 0 else -flank
    able = [i for i in troops if g.u[i].gun == 0 and g.u[i].reserve == 0]
    able.sort(key=lambda i: (int(g.u[i].arm != MOUNTED), -way * float(g.u[i].post_x), i))
    for i in able[: round(len(able) * WEIGHT)]:
        g.u[i].wing = 1
