"""What fights, as the registry asks for it: one battle, many, from several threads, ready ahead."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from battles.engine.fighting import ENGINE_VERSION
from battles.files.reading import read_battle
from battles.files.schema import BattleFile, BattlePlan
from battles.rulesets.regimental.fighting import SYSTEM, RegimentalBattleRunner
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import CONGRESS, CROWN, battle, force, leader

#: Whole fights are compiled in one process: it takes over a minute.
pytestmark = pytest.mark.xdist_group("regimental fights")

FILE = battle(
    force(CROWN, TroopType.BRITISH_LINE, TroopType.BRITISH_GRENADIERS),
    force(CONGRESS, TroopType.MILITIA, TroopType.CONTINENTAL_LINE),
    ruleset="regimental",
    leaders=(leader("Fraser"), leader("Poor", CONGRESS)),
)


def test_a_fight_says_with_what_it_was_fought() -> None:
    outcome = SYSTEM.fight(FILE, 1777).outcome
    assert (outcome.ruleset, outcome.engine_version, outcome.seed) == ("regimental", ENGINE_VERSION, 1777)
    assert [one.id for one in outcome.generals] == ["Fraser", "Poor"]


def test_battles_in_several_threads_do_not_mix() -> None:
    fought = RegimentalBattleRunner(FILE)
    alone = [fought.batch([seed]).lost.tolist() for seed in range(6)]
    with ThreadPoolExecutor(2) as pool:
        together = list(pool.map(lambda seed: fought.batch([seed]).lost.tolist(), range(6)))
    assert together == alone


def test_the_same_fight_is_told_the_same_whatever_was_fought_before() -> None:
    fresh = SYSTEM.fight(FILE, 1, record=True)
    SYSTEM.fight(replace(FILE, turns=3), 2, record=True)
    assert SYSTEM.fight(FILE, 1, record=True) == fresh


def test_entry_points_run() -> None:
    ((name, run),) = SYSTEM.entry_points()
    assert name == "Regimental: battles of up to 96 units"
    run()


def test_how_a_battle_stands_drawn_up() -> None:
    standing = SYSTEM.standing(FILE)
    assert len(standing.units) == 4 and standing.width == pytest.approx(96.0)


@pytest.mark.parametrize("plan", ["assault", "turn_flank", "hold", "delay", "withdraw", "advance"])
def test_every_plan_is_played_to_an_end(plan: Any) -> None:
    file = replace(FILE, plans={CROWN: BattlePlan(plan), CONGRESS: BattlePlan("hold")}, turns=20)
    outcome = SYSTEM.fight(file, 4).outcome
    lost = sum(unit.sp_lost for unit in outcome.units)
    assert (lost > 0) == (plan in ("assault", "turn_flank", "advance"))


def under(name: str) -> BattleFile:
    return replace(read_battle(name), ruleset="regimental", options={})


def test_the_standard_fight_is_no_walkover() -> None:
    batch = RegimentalBattleRunner(under("standard-fight")).batch(range(6))
    assert set(batch.holder.tolist()) >= {0, 1}
