"""A commander's look ahead: what he knows, what he weighs, and that he takes the best."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from battles.engine.batch import Batch
from battles.files.schema import BattleFile, BattleGround, BattleLeader, BattlePlan, BattleUnit, Feature
from battles.odds import plan_choice
from battles.rulesets import registry
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import CONGRESS, CROWN, battle, battle_unit, force

T = TroopType
LINE = T.CONTINENTAL_LINE
WOODS = Feature("dense_woods", ((40, 30), (60, 30), (60, 45), (40, 45)))


def at(side: str, name: str, kind: TroopType, x: float, y: float, **more: Any) -> BattleUnit:
    return battle_unit(name, side, kind, x=x, y=y, **more)


@pytest.fixture
def fights(monkeypatch: pytest.MonkeyPatch) -> list[BattleFile]:
    """Fights in the head that always go to Crown when it turns the right flank."""
    fought: list[BattleFile] = []

    def fight_batch(one: BattleFile, seeds: list[int]) -> Batch:
        fought.append(one)
        plan = one.plans[CROWN]
        holder = 0 if (plan.kind, plan.flank) == ("turn_flank", "right") else 1
        nothing = np.zeros((len(seeds), len(one.units)), dtype=np.int64)
        each = np.full(len(seeds), holder)
        return Batch(each, each, nothing, nothing, nothing, nothing, nothing)

    monkeypatch.setattr(registry, "fight_batch", fight_batch)
    return fought


def drawn_up(**more: Any) -> BattleFile:
    return battle(force(CROWN, *[LINE] * 3), force(CONGRESS, *[LINE] * 3), **more)


def plans_settle(file: BattleFile, seed: int | None = None, *, runs: int = plan_choice.RUNS) -> BattleFile:
    """The file as a ruleset fights it: with the plans its commanders chose."""
    return plan_choice.apply_plan_choices(file, plan_choice.plans_weigh(file, seed, runs=runs))


def test_the_plan_that_wins_in_the_head_is_taken(fights: list[BattleFile]) -> None:
    chosen = plan_choice.plan_weigh(drawn_up(), CROWN, 1, runs=2).plan
    assert (chosen.kind, chosen.flank, chosen.lookahead) == ("turn_flank", "right", False)
    assert {one.plans[CONGRESS].kind for one in fights} == {"assault", "hold"}


def test_of_plans_that_do_as_well_the_orders_stand(fights: list[BattleFile]) -> None:
    told = drawn_up(plans={CONGRESS: BattlePlan("hold", lookahead=True)})
    assert plan_choice.plan_weigh(told, CONGRESS, 1, runs=2).plan == BattlePlan("hold")


def test_an_undecided_day_is_worth_more_to_the_defender(monkeypatch: pytest.MonkeyPatch) -> None:
    def undecided(one: BattleFile, seeds: list[int]) -> Batch:
        each = np.full(len(seeds), -1)
        nothing = np.zeros((len(seeds), len(one.units)), dtype=np.int64)
        return Batch(each, each, nothing, nothing, nothing, nothing, nothing)

    monkeypatch.setattr(registry, "fight_batch", undecided)
    attacker, defender = (
        plan_choice.plan_worth(drawn_up(), side, BattlePlan(), [1]) for side in (CROWN, CONGRESS)
    )
    assert attacker < 0.5 < defender


def test_only_plans_that_look_ahead_are_replaced(fights: list[BattleFile]) -> None:
    told = drawn_up(plans={CROWN: BattlePlan("assault", lookahead=True), CONGRESS: BattlePlan("hold")})
    settled = plans_settle(told, 7, runs=1)
    assert settled.plans[CROWN].kind == "turn_flank"
    assert settled.plans[CONGRESS] == BattlePlan("hold")
    plain = drawn_up()
    assert plans_settle(plain) is plain


@pytest.mark.parametrize("kind", plan_choice.ORDERS)
def test_an_order_to_withdraw_or_to_walk_on_is_obeyed(kind: Any, fights: list[BattleFile]) -> None:
    told = drawn_up(plans={CROWN: BattlePlan(kind, lookahead=True)})
    assert plan_choice.plan_weigh(told, CROWN, 1).plan == BattlePlan(kind)
    assert not fights


def test_without_an_enemy_in_sight_the_orders_stand(fights: list[BattleFile]) -> None:
    coming = [replace(unit, arrives=3) for unit in force(CONGRESS, LINE)]
    told = battle(force(CROWN, LINE), tuple(coming), plans={CROWN: BattlePlan("assault", lookahead=True)})
    assert plan_choice.plan_weigh(told, CROWN, 1).plan == BattlePlan("assault")
    assert not fights


def test_a_side_sees_no_brigades_reserves_or_patience_of_the_enemys() -> None:
    own, enemy = force(CROWN, LINE), (replace(force(CONGRESS, LINE)[0], reserve=True, formation="Poor"),)
    file = battle(own, enemy, break_points={CROWN: 40, CONGRESS: 10})
    seen = plan_choice.redact_battle_at_start(file, CROWN)
    assert (seen.units[1].reserve, seen.units[1].formation) == (False, "")
    assert seen.break_points == {CROWN: 40}
    assert seen.units[0] == file.units[0]


def test_a_side_knows_its_own_arrivals_and_not_the_enemys_nor_his_strength() -> None:
    own = (battle_unit("a", CROWN, LINE, 3), battle_unit("b", CROWN, LINE, 4, arrives=4))
    enemy = (battle_unit("c", CONGRESS, LINE, 2), battle_unit("d", CONGRESS, LINE, 6, arrives=4))
    leaders = (BattleLeader("g", "Frazer", CROWN), BattleLeader("h", "Hale", CONGRESS))
    seen = plan_choice.redact_battle_at_start(battle(own, enemy, leaders=leaders), CROWN)
    assert [(unit.id, unit.sp) for unit in seen.units] == [("a", 3), ("b", 4), ("c", plan_choice.USUAL_SP)]
    assert [leader.id for leader in seen.leaders] == ["g"]


@pytest.mark.parametrize(
    ("kind", "y", "hidden"),
    [
        (LINE, 40, True),  # in the woods, far from all
        (LINE, 50, False),  # behind them, in the open
        (LINE, 31, False),  # seen from three inches
        (T.INDIANS, 31, True),  # not seen from three inches
    ],
)
def test_who_stands_in_woods_out_of_sight_is_not_known_AWI_T_TER_07(
    kind: TroopType, y: float, hidden: bool
) -> None:
    watcher, unit = at(CROWN, "a", LINE, 50, 28), at(CONGRESS, "b", kind, 50, y)
    file = battle((watcher,), (unit,), ground=BattleGround(features=(WOODS,)))
    assert plan_choice.is_hidden(file, unit, [watcher]) is hidden


def test_the_choice_hangs_on_the_battle_alone_and_its_dice_are_its_own() -> None:
    assert plan_choice._derive_seeds("1 crown first", 3) == plan_choice._derive_seeds("1 crown first", 3)
    assert not set(plan_choice._derive_seeds("1 crown first", 50)) & set(
        plan_choice._derive_seeds("1 crown again", 50)
    )
    assert not set(plan_choice._derive_seeds("1 crown first", 50)) & set(range(10_000))


def test_a_real_look_ahead_is_the_same_every_time() -> None:
    told = battle(
        force(CROWN, LINE),
        force(CONGRESS, T.MILITIA),
        turns=3,
        plans={CROWN: BattlePlan("hold", lookahead=True)},
    )
    chosen = plans_settle(told, runs=1)
    assert chosen == plans_settle(told, runs=1)
    assert not chosen.plans[CROWN].lookahead


def test_planning_loads_no_compiler() -> None:
    code = "import sys, battles.odds.plan_choice; sys.exit('numba' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[3])
