"""Plans in the record: orders of a side, starts of its commanders, tasks of its units. No numba here.

A plan is written into the record; by it some foot is kept back, the weight of a flank attack is chosen, and
every unit is told the spot where it is wanted. Which units are what each ruleset says itself.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, NamedTuple

from battles.engine.dtypes import (
    ADVANCE,
    ASSAULT,
    DELAY,
    FIELDWORK,
    HOLD,
    ON_TABLE,
    REDOUBT,
    STOCKADE,
    TURN_FLANK,
    WITHDRAW,
)
from battles.files.schema import BattleFile
from battles.ground.shapes import crossing_point, is_meeting

PLAN_CODES = {
    "assault": ASSAULT,
    "turn_flank": TURN_FLANK,
    "hold": HOLD,
    "delay": DELAY,
    "withdraw": WITHDRAW,
    "advance": ADVANCE,
}
#: Share of a side's troops that goes round the flank.
WEIGHT = 0.7
#: Inches from the table's edge that a commander and a spot keep.
EDGE = 0.75
#: Inches ahead within which a holder finds works to stand behind, and from his front to them.
LINE_AHEAD, BEHIND_WORK = 5.0, 0.3
WORKS = (FIELDWORK, STOCKADE, REDOUBT)


class Arms(NamedTuple):
    """Tests of a unit's arm for its commander; `half_depth` is of its base, in inches."""

    is_foot: Callable[[Any], bool]
    is_horse: Callable[[Any], bool]
    is_gun: Callable[[Any], bool]
    is_train: Callable[[Any], bool]
    half_depth: Callable[[Any], float]


def _the_same(turns: int) -> int:
    return turns


def orders_write(
    g: Any, battle: BattleFile, inch: float = 1.0, turns: Callable[[int], int] = _the_same
) -> None:
    """Write how long the day is, both sides' plans and when they break off, and the spot fought for.

    `inch` is how many inches of the record one of the file is, `turns` makes game turns of the file
    those of the rules.
    """
    g.turns, g.holder = turns(battle.turns), -1
    for k, side in enumerate((battle.attacker, battle.defender)):
        plan, p = battle.plan_of(side), g.plans[k]
        p.kind_ = g.plan[k] = PLAN_CODES[plan.kind]
        p.flank = 0 if "turn_flank" not in (plan.kind, plan.then) else -1 if plan.flank == "left" else 1
        p.reserve, p.boldness = plan.reserve_percent, plan.boldness * 0.1
        p.until, p.then_ = turns(plan.until), PLAN_CODES[plan.then]
        if plan.goal is not None:
            p.goal = 1
            p.goal_x, p.goal_y = plan.goal[0] * inch, plan.goal[1] * inch
        g.break_at[k] = battle.break_points.get(side, battle.break_percent)
    if battle.objective is not None:
        g.objective = 1
        g.objective_x, g.objective_y = battle.objective[0] * inch, battle.objective[1] * inch


def post_behind(g: Any, e: Any, own: Sequence[int], inches: float, away: int) -> None:
    """Set a commander so many inches behind the middle of his men.

    Men who are there count, and if there are none those who come: with the first of them he comes, and till
    then his state is `away`. Who has nobody is at the middle of his own edge.
    """
    there = [i for i in own if g.u[i].place == ON_TABLE]
    if not there:
        # who is not there yet commands nobody
        e.due = e.back = min((int(g.u[i].due) for i in own), default=0)
        if e.due > 0:
            e.state = away
        there = list(own)
    if not there:
        e.x, e.y = float(g.width) / 2.0, EDGE if e.side == 0 else float(g.depth) - EDGE
        return
    x = sum(float(g.u[i].x) for i in there) / len(there)
    y = sum(float(g.u[i].y) for i in there) / len(there)
    y += -inches if e.side == 0 else inches
    e.x = min(max(x, EDGE), float(g.width) - EDGE)
    e.y = min(max(y, EDGE), float(g.depth) - EDGE)


def roles_write(g: Any, arms: Arms) -> None:
    """Write reserves, the weight of a flank attack and spots of both sides by their plans."""
    for side in range(2):
        troops = [i for i in range(g.n) if g.u[i].side == side and not arms.is_train(g.u[i])]
        here = [i for i in troops if g.u[i].place == ON_TABLE]
        for i in list_rearmost(g, side, [i for i in here if arms.is_foot(g.u[i])]):
            g.u[i].reserve = 1
        _spots_write(g, side, troops, here, arms)
        able = [i for i in troops if not arms.is_gun(g.u[i]) and g.u[i].reserve == 0]
        for i in flank_weight(g, side, able, arms.is_horse):
            g.u[i].outflanks = 1


def list_rearmost(g: Any, side: int, foot: Iterable[int]) -> list[int]:
    """The rearmost of a side's foot, as much as its plan keeps back."""
    order = sorted(foot, key=lambda i: (-float(g.u[i].y) if side == 1 else float(g.u[i].y), -i))
    return order[: len(order) * int(g.plans[side].reserve) // 100]


def flank_weight(
    g: Any, side: int, able: Iterable[int], is_horse: Callable[[Any], bool], at: str = "x"
) -> list[int]:
    """Horse, and the foot nearest the flank a side means to turn, most of those who are able; none without.

    `at` names the field that says where along x a unit is.
    """
    flank = int(g.plans[side].flank)
    if flank == 0:
        return []
    way = flank if side == 0 else -flank
    order = sorted(able, key=lambda i: (int(not is_horse(g.u[i])), -way * float(getattr(g.u[i], at)), i))
    return order[: round(len(order) * WEIGHT)]


def goal_shift(g: Any, side: int, here: Sequence[int]) -> tuple[float, float]:
    """Inches to the right and ahead from the middle of those who are there to their plan's goal, if any."""
    plan = g.plans[side]
    if plan.goal != 1 or plan.kind_ in (DELAY, WITHDRAW) or not here:
        return 0.0, 0.0
    right = plan.goal_x - sum(float(g.u[i].x) for i in here) / len(here)
    ahead = plan.goal_y - sum(float(g.u[i].y) for i in here) / len(here)
    return right, ahead


def _spots_write(g: Any, side: int, troops: list[int], here: list[int], arms: Arms) -> None:
    """Each stands where it is drawn up, or as far from the goal as it was from its line's middle.

    Who comes on later marches to his side's line; who holds goes up to works before him.
    """
    right, ahead = goal_shift(g, side, here)
    line = [float(g.u[i].y) for i in here]
    for i in troops:
        u = g.u[i]
        u.spot_x = min(max(u.x + right, EDGE), g.width - EDGE)
        u.spot_y = min(max(u.y + ahead, EDGE), g.depth - EDGE)
        if u.place != ON_TABLE and line:
            u.spot_y = min(max(sum(line) / len(line) + ahead, EDGE), g.depth - EDGE)
        elif g.plans[side].kind_ == HOLD and not arms.is_horse(u) and u.reserve == 0 and u.inside < 0:
            up_to_work(g, u, WORKS, LINE_AHEAD, BEHIND_WORK, arms.half_depth(u))


def up_to_work(
    g: Any, u: Any, kinds: Collection[int], reach: float, behind: float, half_depth: float
) -> None:
    """Bring a unit's spot up to the first work of these kinds that runs across within reach ahead, if any.

    Its front then is so many inches behind the work.
    """
    forward = 1.0 if u.side == 0 else -1.0
    here = (float(u.spot_x), float(u.spot_y))
    far = (here[0], here[1] + forward * reach)
    found = []
    for w in g.works[: g.works_n]:
        p, q = (float(w.x0), float(w.y0)), (float(w.x1), float(w.y1))
        flat = abs(q[1] - p[1]) < abs(q[0] - p[0])
        if w.kind_ in kinds and flat and is_meeting(here, far, p, q):
            found.append(forward * crossing_point(here, far, p, q)[1])
    if found:
        u.spot_y = forward * (min(found) - behind - half_depth)
