"""Where leaders start, and what each unit has to do under its side's plan. No numba here."""

from typing import Any

from battles.engine.dtypes import DELAY, FIELDWORK, HOLD, REDOUBT, STOCKADE, WITHDRAW
from battles.rulesets.regimental.grounds import INCH
from battles.rulesets.regimental.records import AWAY, BRIGADIER, GUNS, HORSE, LEADS, ON_TABLE, WAGONS
from battles.scenario import BattleFile, BattleUnit
from battles.shapes import crossing_point, meet

#: Inches behind the middle of his troops where a leader starts, by rank, and from the table's edge.
BEHIND, EDGE = (1.5, 2.5, 3.5), 0.75
#: Share of a side's troops that goes round the flank.
WEIGHT = 0.7
#: Inches ahead within which a holder finds works to stand behind, and from his front to them.
LINE_AHEAD, BEHIND_WORK = 5.0, 0.3


def leaders_post(g: Any, battle: BattleFile, units: list[BattleUnit]) -> None:
    """Set every leader where he is told to be, with the unit he is told to be with, or behind his men."""
    row_of = {unit.id: k for k, unit in enumerate(units)}
    for k in range(g.leaders_n):
        e = g.leaders[k]
        own = [i for i in range(g.n) if g.u[i].side == e.side]
        if e.rank == BRIGADIER:
            own = [i for i in own if g.u[i].brigade == e.brigade]
        told = battle.leaders[int(e.named)] if e.named >= 0 else None
        if told is not None and told.with_unit in row_of:
            i = row_of[told.with_unit]
            if g.u[i].place == ON_TABLE:
                e.unit = i
            own = [i]
        elif told is not None and told.x is not None and told.y is not None:
            e.x, e.y = told.x * INCH, told.y * INCH
            continue
        _post(g, e, own)


def _post(g: Any, e: Any, own: list[int]) -> None:
    there = [i for i in own if g.u[i].place == ON_TABLE]
    if not there:
        # who is not there yet commands nobody
        e.due = e.back = min((int(g.u[i].due) for i in own), default=0)
        e.state = AWAY if e.due > 0 else LEADS
        there = own
    if not there:
        e.x, e.y = float(g.width) / 2.0, EDGE if e.side == 0 else float(g.depth) - EDGE
        return
    x = sum(float(g.u[i].x) for i in there) / len(there)
    y = sum(float(g.u[i].y) for i in there) / len(there)
    y += -BEHIND[e.rank] if e.side == 0 else BEHIND[e.rank]
    e.x = min(max(x, EDGE), float(g.width) - EDGE)
    e.y = min(max(y, EDGE), float(g.depth) - EDGE)


def roles_write(g: Any) -> None:
    """Write reserves, the weight of a flank attack and spots of both sides by their plans."""
    for side in range(2):
        troops = [i for i in range(g.n) if g.u[i].side == side and g.u[i].class_ != WAGONS]
        here = [i for i in troops if g.u[i].place == ON_TABLE]
        _reserve_write(g, side, here)
        _spots_write(g, side, troops, here)
        _flank_write(g, side, troops)


def _spots_write(g: Any, side: int, troops: list[int], here: list[int]) -> None:
    """Each stands where it is drawn up, or as far from the goal as it was from its line's middle.

    Who comes on later marches to his side's line; who holds goes up to works before him.
    """
    plan = g.plans[side]
    right = ahead = 0.0
    if plan.goal == 1 and plan.kind_ not in (DELAY, WITHDRAW) and here:
        right = plan.goal_x - sum(float(g.u[i].x) for i in here) / len(here)
        ahead = plan.goal_y - sum(float(g.u[i].y) for i in here) / len(here)
    line = [float(g.u[i].y) for i in here]
    for i in troops:
        u = g.u[i]
        u.spot_x = min(max(u.x + right, EDGE), g.width - EDGE)
        u.spot_y = min(max(u.y + ahead, EDGE), g.depth - EDGE)
        if u.place != ON_TABLE and line:
            u.spot_y = min(max(sum(line) / len(line) + ahead, EDGE), g.depth - EDGE)
        elif plan.kind_ == HOLD and u.class_ != HORSE and u.reserve == 0 and u.inside < 0:
            _behind_work(g, u)


def _behind_work(g: Any, u: Any) -> None:
    """Bring a spot up to the works close before it, if there are any."""
    forward = 1.0 if u.side == 0 else -1.0
    here = (float(u.spot_x), float(u.spot_y))
    far = (here[0], here[1] + forward * LINE_AHEAD)
    found = []
    for w in g.works[: g.works_n]:
        p, q = (float(w.x0), float(w.y0)), (float(w.x1), float(w.y1))
        flat = abs(q[1] - p[1]) < abs(q[0] - p[0])
        if w.kind_ in (FIELDWORK, STOCKADE, REDOUBT) and flat and meet(here, far, p, q):
            found.append(forward * crossing_point(here, far, p, q)[1])
    if found:
        u.spot_y = forward * (min(found) - BEHIND_WORK - float(u.half_depth))


def _reserve_write(g: Any, side: int, here: list[int]) -> None:
    """The rearmost units of foot, as much as the plan keeps back."""
    foot = [i for i in here if g.u[i].class_ not in (HORSE, GUNS)]
    count = len(foot) * int(g.plans[side].reserve) // 100
    foot.sort(key=lambda i: (-float(g.u[i].y) if side == 1 else float(g.u[i].y), -i))
    for i in foot[:count]:
        g.u[i].reserve = 1


def _flank_write(g: Any, side: int, troops: list[int]) -> None:
    """The horse, and the foot nearest the flank it means to turn, most of the side; guns stay."""
    flank = int(g.plans[side].flank)
    if flank == 0:
        return
    way = flank if side == 0 else -flank
    able = [i for i in troops if g.u[i].class_ != GUNS and g.u[i].reserve == 0]
    able.sort(key=lambda i: (int(g.u[i].class_ != HORSE), -way * float(g.u[i].x), i))
    for i in able[: round(len(able) * WEIGHT)]:
        g.u[i].outflanks = 1
