"""Orders in the record, where commanders start, and who does what under a plan."""

from typing import Any

import pytest

from battles.engine.dtypes import (
    ADVANCE,
    ASSAULT,
    DELAY,
    FENCE,
    FIELDWORK,
    HOLD,
    ON_TABLE,
    TURN_FLANK,
    WAITING,
    WITHDRAW,
)
from battles.engine.posting import (
    BEHIND_WORK,
    EDGE,
    LINE_AHEAD,
    WEIGHT,
    Arms,
    orders_write,
    post_behind,
    roles_write,
)
from battles.engine.raster import work_add
from battles.files.schema import BattlePlan
from rosters.domain.vocabulary import TroopType
from tests.battles.engine.small import FOOT, GUNS, HORSE, TRAIN, Piece, row
from tests.battles.forces import CONGRESS, CROWN, battle, force

ARMS = Arms(
    is_foot=lambda u: bool(u.class_ == FOOT),
    is_horse=lambda u: bool(u.class_ == HORSE),
    is_gun=lambda u: bool(u.class_ == GUNS),
    is_train=lambda u: bool(u.class_ == TRAIN),
    half_depth=lambda u: float(u.half_depth),
)
#: The code of a commander who is not there.
AWAY = 5
SIDES = ((0, -1.0), (1, 1.0))


def ordered(g: Any, kind: int, side: int = 0, **more: Any) -> Any:
    """The record with a side's plan written and everybody's role by it."""
    p = g.plans[side]
    p.kind_ = kind
    for name, value in more.items():
        setattr(p, name, value)
    roles_write(g, ARMS)
    return g


def marked(g: Any, name: str) -> list[int]:
    return [i for i in range(g.n) if getattr(g.u[i], name) == 1]


def test_orders_are_written_in_inches_and_turns_of_the_rules() -> None:
    plans = {
        CROWN: BattlePlan("turn_flank", flank="left", reserve_percent=30, boldness=-2, until=6, then="hold"),
        CONGRESS: BattlePlan("delay", goal=(30, 12)),
    }
    forces = force(CROWN, TroopType.BRITISH_LINE), force(CONGRESS, TroopType.MILITIA)
    more: dict[str, Any] = {
        "plans": plans,
        "turns": 10,
        "objective": (48, 30),
        "break_points": {CONGRESS: 70},
    }
    g = row()
    orders_write(g, battle(*forces, **more), 0.5, lambda turns: 2 * turns)
    p, q = g.plans[0], g.plans[1]
    assert (g.turns, g.holder, g.plan[0], g.plan[1]) == (20, -1, TURN_FLANK, DELAY)
    assert (p.kind_, p.flank, p.reserve, p.boldness, p.until, p.then_) == (TURN_FLANK, -1, 30, -0.2, 12, HOLD)
    assert (p.goal, q.goal, q.goal_x, q.goal_y, q.flank) == (0, 1, 15.0, 6.0, 0)
    assert (g.objective, g.objective_x, g.objective_y) == (1, 24.0, 15.0)
    assert (g.break_at[0], g.break_at[1]) == (50, 70)
    plain = row()
    orders_write(plain, battle(*forces, **more))
    assert (plain.turns, plain.plans[1].goal_x, plain.objective_y) == (10, 30.0, 30.0)


@pytest.mark.parametrize(("side", "back"), SIDES)
def test_a_commander_starts_behind_the_middle_of_those_who_are_there(side: int, back: float) -> None:
    g = row(Piece(side, 10, 20), Piece(side, 30, 20), Piece(side, 50, 3, place=WAITING, due=2))
    e = g.leaders[0]
    e.side = side
    post_behind(g, e, [0, 1, 2], 3.0, AWAY)
    assert (e.x, e.y, e.state, e.due) == (20.0, 20.0 + 3.0 * back, 0, 0)
    post_behind(g, e, [0], 30.0, AWAY)
    assert e.y == (EDGE if side == 0 else 40.0 - EDGE), "he stays on the table"


def test_who_waits_for_his_men_is_away_and_who_has_none_at_his_edge() -> None:
    g = row(Piece(0, 50, 3, place=WAITING, due=4), Piece(0, 40, 3, place=WAITING, due=6))
    e = g.leaders[0]
    post_behind(g, e, [0, 1], 1.0, AWAY)
    assert (e.state, e.due, e.back, e.x) == (AWAY, 4, 4, 45.0)
    alone = g.leaders[1]
    alone.side = 1
    post_behind(g, alone, [], 1.0, AWAY)
    assert (alone.state, alone.x, alone.y) == (0, 30.0, 40.0 - EDGE)


@pytest.mark.parametrize("side", [0, 1])
def test_the_rearmost_foot_is_kept_back(side: int) -> None:
    near, far = (5.0, 12.0) if side == 0 else (35.0, 28.0)
    pieces = [Piece(side, 10.0 * n, near if n == 1 else far) for n in range(5)]
    pieces += [Piece(side, 20, near, GUNS), Piece(side, 24, near, HORSE), Piece(1 - side, 30, near)]
    assert marked(ordered(row(*pieces), ASSAULT, side, reserve=20), "reserve") == [1]
    assert marked(ordered(row(*pieces), ASSAULT, side, reserve=19), "reserve") == []


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("flank", [-1, 1])
def test_horse_and_the_foot_nearest_the_flank_go_round(side: int, flank: int) -> None:
    pieces = [Piece(side, 5.0 * n, 15.0) for n in range(9)]
    pieces += [Piece(side, 25, 15, HORSE), Piece(side, 0, 15, GUNS), Piece(side, 45, 15, TRAIN)]
    gone = marked(ordered(row(*pieces), TURN_FLANK, side, flank=flank), "outflanks")
    foot = sorted(range(9), reverse=(flank == 1) == (side == 0))
    assert gone == sorted([9, *foot[: round(10 * WEIGHT) - 1]])
    assert marked(ordered(row(*pieces), ASSAULT, side, flank=0), "outflanks") == []


@pytest.mark.parametrize("kind", [ASSAULT, ADVANCE, HOLD])
def test_a_side_goes_for_its_goal_as_it_is_drawn_up(kind: int) -> None:
    g = ordered(row(Piece(0, 20, 10), Piece(0, 30, 10)), kind, goal=1, goal_x=40.0, goal_y=30.0)
    assert [(g.u[i].spot_x, g.u[i].spot_y) for i in range(2)] == [(35.0, 30.0), (45.0, 30.0)]


@pytest.mark.parametrize("kind", [DELAY, WITHDRAW])
def test_who_goes_back_stays_where_he_is_until_then(kind: int) -> None:
    g = ordered(row(Piece(0, 20, 10)), kind, goal=1, goal_x=40.0, goal_y=30.0)
    assert (g.u[0].spot_x, g.u[0].spot_y) == (20.0, 10.0)


def test_who_comes_later_marches_to_the_line() -> None:
    g = ordered(row(Piece(0, 20, 10), Piece(0, 50, 1, place=WAITING, due=3)), ASSAULT)
    assert (g.u[1].spot_x, g.u[1].spot_y) == (50.0, 10.0)
    alone = ordered(row(Piece(0, 50, 1, place=WAITING, due=3)), ASSAULT)
    assert alone.u[0].spot_y == 1.0


@pytest.mark.parametrize(("side", "back"), SIDES)
def test_holders_go_up_to_the_works_before_them(side: int, back: float) -> None:
    line = 20.0
    pieces = [Piece(side, 10, line + 4 * back), Piece(side, 30, line + 4 * back, HORSE)]
    pieces += [Piece(side, 50, line + (LINE_AHEAD + 0.1) * back), Piece(side, 20, line + 4 * back)]
    g = row(*pieces)
    work_add(g, FIELDWORK, 0, line, 15, line, -1)
    work_add(g, FIELDWORK, 28, line, 60, line, -1)
    work_add(g, FENCE, 16, line, 24, line, -1)
    ordered(g, HOLD, side)
    assert g.u[0].spot_y == pytest.approx(line + (BEHIND_WORK + 0.5) * back)
    assert [g.u[i].spot_y for i in (1, 2, 3)] == [g.u[i].y for i in (1, 2, 3)], "horse, far off, a fence"
    assert all(g.u[i].place == ON_TABLE for i in range(g.n))
