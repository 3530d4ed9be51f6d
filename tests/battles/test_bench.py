"""Figures of the engine: battles a second on one core, and starts cold and from the cache."""

import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from battles.benchmark import STANDARD, loop_seconds
from battles.files.reading import read_battle
from battles.files.schema import BattleFile
from battles.rulesets.registry import fight_batch, fight_many
from rosters.domain.vocabulary import TroopType
from tests.battles.any_rules import IDS
from tests.battles.forces import CONGRESS, CROWN, battle, force

PROJECT = Path(__file__).parents[2]
T = TroopType
CROWN_TYPES = (T.BRITISH_LINE, T.BRITISH_LIGHT_INFANTRY, T.EUROPEAN_GRENADIERS, T.JAEGERS)
CONGRESS_TYPES = (T.CONTINENTAL_LINE, T.MILITIA, T.AMERICAN_REGULAR_RIFLES, T.CONTINENTAL_LIGHT)
HORSE_AND_GUNS = (
    (T.EUROPEAN_LIGHT_CAVALRY, T.EUROPEAN_ARTILLERY),
    (T.AMERICAN_LIGHT_CAVALRY, T.AMERICAN_ARTILLERY),
)
START = (
    "import time; t = time.monotonic(); from battles.rulesets import registry; "
    "registry.compile_engine(lambda *a: None); print(time.monotonic() - t)"
)


def seconds_of(file: BattleFile, runs: int) -> float:
    """Least seconds of three rounds of so many runs on one core."""
    rounds = []
    for _ in range(3):
        started = time.perf_counter()
        fight_batch(file, range(runs))
        rounds.append(time.perf_counter() - started)
    return min(rounds)


@pytest.mark.bench
def test_the_standard_fight_under_every_ruleset() -> None:
    usual, loop = read_battle(str(STANDARD)), loop_seconds()
    seconds = {}
    for ruleset in IDS:
        file = replace(usual, ruleset=ruleset)
        fight_batch(file, [0])
        seconds[ruleset] = seconds_of(file, 1000)
    print("\nthousand standard fights, one core: ratio to the loop, to awi, fights a second")
    for ruleset, one in seconds.items():
        print(f"{one / loop:>8.2f} {one / seconds['awi']:>8.2f} {1000 / one:>8.0f}  {ruleset}")
    assert all(one > 0 for one in seconds.values())


@pytest.mark.bench
def test_battles_a_second_of_twelve_against_twelve() -> None:
    file = battle(
        force(CROWN, *CROWN_TYPES * 2, *HORSE_AND_GUNS[0] * 2),
        force(CONGRESS, *CONGRESS_TYPES * 2, *HORSE_AND_GUNS[1] * 2),
    )
    fight_many(file, [0])
    started = time.monotonic()
    outcomes = fight_many(file, range(1000))
    seconds = time.monotonic() - started
    turns = sum(outcome.turns for outcome in outcomes) / 1000
    print(f"\n12 v 12: {1000 / seconds:.0f} battles/s on one core, {turns:.1f} game turns each")
    assert seconds < 10


@pytest.mark.bench
def test_cold_and_cached_start(tmp_path: Path) -> None:
    environment = {**os.environ, "AWI_VAR": str(tmp_path), "NUMBA_DISABLE_JIT": "0"}

    def start() -> float:
        done = subprocess.run(
            [sys.executable, "-c", START], cwd=PROJECT, env=environment, check=True, capture_output=True
        )
        return float(done.stdout)

    cold, cached = start(), start()
    print(f"\ncompile: {cold:.1f} s cold, {cached:.1f} s from the cache")
    assert cached < 10
