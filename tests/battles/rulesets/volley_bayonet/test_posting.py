"""Where commanders start, and what every stand has to do under its side's plan."""

from dataclasses import replace
from typing import Any

import pytest

from battles.engine.posting import BEHIND_WORK, EDGE, WEIGHT
from battles.files.schema import BattlePlan, Feature
from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.bases import leader_gap
from battles.rulesets.volley_bayonet.cards import return_commanders
from battles.rulesets.volley_bayonet.command import determine_command
from battles.rulesets.volley_bayonet.posting import BEHIND
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import CONGRESS, CROWN, battle_unit, force, leader
from tests.battles.rulesets.volley_bayonet.books import SCALES
from tests.battles.rulesets.volley_bayonet.files import FOOT, drawn_up, stands_of

T = TroopType
GUNS, HORSE = T.EUROPEAN_ARTILLERY, T.AMERICAN_LIGHT_CAVALRY
SIDES = ((CROWN, -1.0), (CONGRESS, 1.0))


def commander(g: Any, rank: int) -> Any:
    (found,) = (e for e in g.leaders[: g.leaders_n] if e.rank == rank)
    return found


@pytest.mark.parametrize(("side", "back"), SIDES)
def test_commanders_start_behind_the_middle_of_their_men_VBW_CMD_03_to_06(side: str, back: float) -> None:
    units = (battle_unit("a", side, FOOT, 6, x=30, y=30), battle_unit("b", side, T.MILITIA, 3, x=60, y=30))
    chiefs = (
        leader("b1", side, commands=("a",)),
        leader("s", side, rank="senior", commands=("b1",)),
        leader("c", side, rank="commander_in_chief"),
    )
    g = drawn_up(*units, leaders=chiefs, features=())
    x, y = 20.0, 20.0
    brigade = next(e for e in g.leaders[: g.leaders_n] if e.named == 0)
    for rank, e in (
        (r.UNIT_COMMANDER, commander(g, r.UNIT_COMMANDER)),
        (r.BRIGADE_COMMANDER, brigade),
        (r.WING_COMMANDER, commander(g, r.WING_COMMANDER)),
    ):
        assert (e.x, e.y) == (pytest.approx(x), pytest.approx(y + back * BEHIND[rank]))
        assert e.state == r.COMMANDS
    middle = sum(float(u.x) for u in g.u[: g.n]) / g.n
    chief = commander(g, r.ARMY_COMMANDER)
    assert (chief.x, chief.y) == (pytest.approx(middle), pytest.approx(y + back * BEHIND[r.ARMY_COMMANDER]))


def test_a_general_stands_where_he_is_told_VBW_GEN_03() -> None:
    g = drawn_up(*force(CROWN, FOOT), leaders=(leader("b", x=30.0, y=9.0),), features=())
    assert (g.leaders[0].x, g.leaders[0].y) == (pytest.approx(20), pytest.approx(6))


@pytest.mark.parametrize("scale", SCALES)
def test_the_unit_a_general_is_with_is_in_command_VBW_CMD_01_VBD_CMD_01(scale: str) -> None:
    units = [battle_unit(name, CROWN, T.MILITIA, 3, x=x, y=30) for name, x in (("a", 15), ("b", 90))]
    chief = leader("c", rank="commander_in_chief", with_unit="a")
    g = drawn_up(*units, leaders=(chief,), scale=scale, features=())
    assert leader_gap(g, 0, 0) <= 1.0
    for k in range(1, g.leaders_n):
        g.leaders[k].state = r.LOST
    determine_command(g, 0)
    assert [int(g.u[i].in_command) for i in range(2)] == [1, 0]


def test_who_is_not_there_yet_commands_nobody_VBW_CMD_01_07() -> None:
    late = battle_unit("late", CROWN, FOOT, 6, arrives=4)
    gun = battle_unit("gun", CROWN, GUNS, x=48, y=6)
    g = drawn_up(late, gun, leaders=(leader("b", commands=("late",)),), features=())
    assert [int(e.due) for e in g.leaders[: g.leaders_n]] == [3] * g.leaders_n
    for turn, commanded in ((1, 0), (2, 0), (3, 1)):
        g.turn = turn
        return_commanders(g)
        determine_command(g, 0)
        assert g.u[stands_of(g, 1)[0]].in_command == commanded, turn


def test_a_general_without_troops_is_at_his_own_edge() -> None:
    for side, y in ((CROWN, EDGE), (CONGRESS, 40 - EDGE)):
        g = drawn_up(*force(CROWN, FOOT), leaders=(leader("b", side),), features=())
        assert (g.leaders[0].x, g.leaders[0].y) == (pytest.approx(32), pytest.approx(y))


def test_commanders_stay_on_the_table() -> None:
    units = [battle_unit(side, side, FOOT, 3, x=48, y=y) for side, y in ((CROWN, 1), (CONGRESS, 59))]
    g = drawn_up(*units, features=(), leaders=(leader("c", rank="commander_in_chief"),))
    for e in g.leaders[: g.leaders_n]:
        assert EDGE <= e.y <= g.depth - EDGE and EDGE <= e.x <= g.width - EDGE


@pytest.mark.parametrize("side", [CROWN, CONGRESS])
def test_the_rearmost_foot_is_kept_back_as_the_plan_says(side: str) -> None:
    front, rear = (30, 15) if side == CROWN else (30, 45)
    units = [battle_unit(f"{n}", side, FOOT, 3, x=12 + 12 * n, y=rear if n == 2 else front) for n in range(5)]
    units.append(battle_unit("gun", side, GUNS, 3, x=80, y=rear))
    g = drawn_up(*units, plans={side: BattlePlan("assault", reserve_percent=20)}, features=())
    assert [int(u.reserve) for u in g.u[: g.n]] == [0, 0, 1, 0, 0, 0]
    none = drawn_up(*units, plans={side: BattlePlan("assault", reserve_percent=0)}, features=())
    assert not any(u.reserve for u in none.u[: none.n])


@pytest.mark.parametrize("side", [CROWN, CONGRESS])
@pytest.mark.parametrize("flank", ["left", "right"])
def test_horse_and_the_foot_nearest_the_flank_go_round_it(side: str, flank: Any) -> None:
    y = 15 if side == CROWN else 45
    units = [battle_unit(f"{n}", side, FOOT, 3, x=12 + 9 * n, y=y) for n in range(8)]
    units += [battle_unit("horse", side, HORSE, 2, x=86, y=y), battle_unit("gun", side, GUNS, 2, x=6, y=y)]
    g = drawn_up(*units, plans={side: BattlePlan("turn_flank", flank=flank)}, features=())
    able = [i for i in range(g.n) if g.u[i].class_ != r.GUNS]
    gone = {i for i in able if g.u[i].outflanks == 1}
    assert len(gone) == round(len(able) * WEIGHT)
    assert all(g.u[i].outflanks == (i in gone) for i in range(g.n)), "guns stay"
    assert set(stands_of(g, 8)) <= gone
    near_edge = (flank == "left") == (side == CROWN)
    order = sorted(range(8), key=lambda i: float(g.u[i].x), reverse=not near_edge)
    assert gone - set(stands_of(g, 8)) == set(order[: len(gone) - 1])


def test_no_plan_to_go_round_sends_nobody() -> None:
    g = drawn_up(*force(CROWN, FOOT, HORSE), plans={CROWN: BattlePlan("assault")})
    assert not any(u.outflanks for u in g.u[: g.n])


def test_a_side_goes_for_its_goal_as_it_is_drawn_up() -> None:
    units = [battle_unit(f"{n}", CROWN, FOOT, 3, x=30 + 12 * n, y=15) for n in range(3)]
    g = drawn_up(*units, plans={CROWN: BattlePlan("assault", goal=(48, 45))}, features=())
    assert [(round(float(u.spot_x), 3), round(float(u.spot_y), 3)) for u in g.u[:3]] == [
        (24, 30), (32, 30), (40, 30),
    ]  # fmt: skip
    for kind in ("delay", "withdraw"):
        back = drawn_up(*units, plans={CROWN: BattlePlan(kind, goal=(48, 45))}, features=())
        assert [(u.spot_x, u.spot_y) for u in back.u[:3]] == [(u.x, u.y) for u in back.u[:3]]


def test_who_comes_later_marches_to_the_line() -> None:
    units = [battle_unit("a", CROWN, FOOT, 3, x=48, y=24), battle_unit("b", CROWN, FOOT, 3, arrives=2)]
    g = drawn_up(*units, features=())
    assert (g.u[1].spot_x, g.u[1].spot_y) == (g.u[1].x, g.u[0].y)


@pytest.mark.parametrize(("side", "back"), SIDES)
def test_holders_go_up_to_the_works_before_them_VBW_TER_47(side: str, back: float) -> None:
    line = 30.0
    y = line + back * 6
    units = [
        battle_unit("a", side, FOOT, 3, x=30, y=y),
        battle_unit("gun", side, GUNS, 2, x=48, y=y),
        battle_unit("horse", side, HORSE, 2, x=66, y=y),
    ]
    works = (
        Feature("fieldwork", ((10, line), (80, line))),
        Feature("fieldwork", ((10, line - back), (80, line - back))),
        Feature("fence", ((10, line + back * 3), (80, line + back * 3))),
    )
    g = drawn_up(*units, features=works, plans={side: BattlePlan("hold")})
    for i, deep in ((0, 0.75), (1, 1.5)):
        assert g.u[i].spot_y == pytest.approx(20 + back * (BEHIND_WORK + deep)), "behind the nearest work"
        assert g.u[i].spot_x == g.u[i].x
    assert g.u[2].spot_y == g.u[2].y, "horse does not man works"
    kept = [replace(unit, reserve=unit.id == "a") for unit in units]
    held = drawn_up(*kept, features=works, plans={side: BattlePlan("hold")})
    assert held.u[0].spot_y == held.u[0].y
    attack = drawn_up(*units, features=works, plans={side: BattlePlan("assault")})
    assert attack.u[0].spot_y == attack.u[0].y
