"""The registry names rulesets without loading a compiler."""

import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from battles.engine.fighting import ENGINE_VERSION
from battles.errors import BattleFileError
from battles.rulesets import registry
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import CONGRESS, CROWN, battle, force

FILE = battle(force(CROWN, TroopType.BRITISH_LINE), force(CONGRESS, TroopType.MILITIA))


def test_registry_and_report_load_neither_numba_nor_numpy() -> None:
    code = (
        "import sys; import battles.rulesets.registry, battles.replay.account, battles.files.checks; "
        "sys.exit('numba' in sys.modules or 'numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2], check=False)
    assert done.returncode == 0


def test_what_a_ruleset_offers_needs_no_numba() -> None:
    code = (
        "import sys; from battles.rulesets import registry; "
        "[registry.get_rules(one.id).telling for one in registry.RULESETS]; sys.exit('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2], check=False)
    assert done.returncode == 0


def test_every_family_of_rulesets_is_held_apart_from_the_others() -> None:
    contracts = tomllib.loads((registry.ROOT / "pyproject.toml").read_text())["tool"]["importlinter"][
        "contracts"
    ]
    apart = next(set(one["modules"]) for one in contracts if one["type"] == "independence")
    folders = (registry.ROOT / "battles" / "rulesets").glob("*/__init__.py")
    assert apart == {f"battles.rulesets.{path.parent.name}" for path in folders}


def test_an_unknown_ruleset_is_refused_with_the_known_ones() -> None:
    with pytest.raises(BattleFileError, match="There is no ruleset “kriegsspiel”; there are awi, vb_wing, "):
        registry.get_ruleset("kriegsspiel")


@pytest.mark.parametrize(
    ("typed", "meant"), [("vb-wing", "vb_wing"), ("VB Division", "vb_division"), ("wing", "vb_wing")]
)
def test_a_ruleset_nearly_named_is_offered(typed: str, meant: str) -> None:
    with pytest.raises(BattleFileError, match=f"did you mean “{meant}”") as refused:
        registry.get_ruleset(typed)
    assert refused.value.field == "ruleset"


def test_every_ruleset_says_what_it_is_like_at_the_table() -> None:
    told = [ruleset.about for ruleset in registry.RULESETS]
    assert len(set(told)) == len(told)
    words = {10: "ten minutes", 15: "a quarter of an hour", 60: "an hour"}
    for ruleset in registry.RULESETS:
        minutes = registry.get_rules(ruleset.id).telling.minutes
        assert words.get(minutes, f"{minutes} minutes") in ruleset.about, ruleset.id
        assert "Best for" in ruleset.about, ruleset.id
        assert "ompiled" not in ruleset.about, ruleset.id  # differs by site


def test_every_ruleset_can_fight_and_says_with_what() -> None:
    for ruleset in registry.RULESETS:
        outcome = registry.fight_battle(replace(FILE, ruleset=ruleset.id), 1777).outcome
        assert (outcome.ruleset, outcome.engine_version, outcome.seed) == (ruleset.id, ENGINE_VERSION, 1777)


def test_many_seeds_are_each_their_own_battle_AWI_T_REC_01() -> None:
    seeds = [3, 1, 2, 3]
    outcomes = registry.fight_many(FILE, seeds)
    assert [outcome.seed for outcome in outcomes] == seeds
    assert outcomes == [registry.fight_battle(FILE, seed).outcome for seed in seeds]


def test_a_battle_tells_the_same_whatever_was_fought_before_it_AWI_T_REC_01() -> None:
    fresh = registry.fight_battle(FILE, 1, record=True)
    for seed in range(2, 20):
        registry.fight_battle(FILE, seed, record=True)
    assert registry.fight_battle(FILE, 1, record=True) == fresh


def test_battles_in_several_threads_do_not_mix() -> None:
    alone = [registry.fight_battle(FILE, seed).outcome for seed in range(24)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda seed: registry.fight_battle(FILE, seed).outcome, range(24)))
    assert together == alone


def test_compiling_tells_how_far_it_is() -> None:
    told: list[tuple[int, int]] = []
    registry.compile_engine(lambda name, done, total: told.append((done, total)))
    assert told == [(done, told[0][1]) for done in range(told[0][1] + 1)]


def test_one_ruleset_can_be_compiled_alone() -> None:
    told: list[str] = []
    registry.compile_engine(lambda name, done, total: told.append(name), only="vb_wing")
    assert len(told) == 2 and told[0].startswith(registry.get_ruleset("vb_wing").title)
