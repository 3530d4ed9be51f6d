"""Who is what under his side's plan: the reserve, the weight of a flanking move, where each stands.

Written once, when the battle is drawn up. No numba here.
"""

from typing import Any

from battles.engine.dtypes import DELAY, FOOT, HOLD, MOUNTED, ON_TABLE, STREAM, WITHDRAW
from battles.shapes import crossing_point, meet

#: Share of a side's troops that goes round the flank.
WEIGHT = 0.7
#: Inches ahead within which a holder finds a work to stand behind, and from its centre to the work.
LINE_AHEAD, BEHIND = 8.0, 1.3


def roles_write(g: Any) -> None:
    """Write reserves, wings and spots of both sides by their plans."""
    for side in range(2):
        troops = [i for i in range(g.n) if g.u[i].side == side and g.u[i].wagon == 0]
        here = [i for i in troops if g.u[i].place == ON_TABLE]
        _reserve_write(g, side, here)
        _spots_write(g, side, troops, here)
        _wing_write(g, side, troops)


def _spots_write(g: Any, side: int, troops: list[int], here: list[int]) -> None:
    """Each stands where it is drawn up, or as far from the goal as it was from the line's middle.

    Who comes on later marches to his side's line, and who holds goes up to a work before him; the
    reserve does not.
    """
    plan = g.plans[side]
    right = ahead = 0.0
    if plan.goal == 1 and plan.kind_ not in (DELAY, WITHDRAW) and here:
        right = plan.goal_x - sum(float(g.u[i].x) for i in here) / len(here)
        ahead = plan.goal_y - sum(float(g.u[i].y) for i in here) / len(here)
    line = [float(g.u[i].post_y) for i in here]
    for i in troops:
        u = g.u[i]
        if u.place != ON_TABLE and line:
            u.spot_x, u.spot_y = u.post_x + right, sum(line) / len(line) + ahead
            continue
        u.spot_x = min(max(u.post_x + right, 2.0), g.width - 2.0)
        u.spot_y = min(max(u.post_y + ahead, 2.0), g.depth - 2.0)
        if plan.kind_ == HOLD and u.arm == FOOT and u.reserve == 0:
            _behind_work(g, u)


def _behind_work(g: Any, u: Any) -> None:
    """Bring a spot up to the fence, wall or fieldwork close before it, if there is one."""
    forward = 1.0 if u.side == 0 else -1.0
    here = (float(u.spot_x), float(u.spot_y))
    far = (here[0], here[1] + forward * LINE_AHEAD)
    found = []
    for k in range(g.works_n):
        w = g.works[k]
        p, q = (float(w.x0), float(w.y0)), (float(w.x1), float(w.y1))
        if w.kind_ != STREAM and abs(q[1] - p[1]) < abs(q[0] - p[0]) and meet(here, far, p, q):
            found.append(forward * crossing_point(here, far, p, q)[1])
    if found:
        u.spot_y = forward * (min(found) - BEHIND)


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
