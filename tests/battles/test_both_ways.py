"""The engine is the same compiled and interpreted: fights of every ruleset event by event, and the tests."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battles.engine.compile import is_interpreted
from battles.files.reading import battle_to_json
from battles.files.schema import BattleFile
from battles.rulesets.registry import fight_battle
from tests.battles.any_rules import every_ruleset, file_under
from tests.battles.digests import digests
from tests.every_sixth import LONG

PROJECT = Path(__file__).parents[2]
#: Fights of the first ruleset, and of each other: they play on the same engine, stand by stand, which takes
#: longer in plain Python. `make prove` compares more.
FIGHTS, FEW = 20, 5
#: Least events of a fight that is worth comparing.
EVENTS = 40


def other_mode() -> dict[str, str]:
    """The environment in which the engine runs the other way than here."""
    return {**os.environ, "NUMBA_DISABLE_JIT": "0" if is_interpreted() else "1"}


def small_files(ruleset: str, fights: int) -> list[Any]:
    """Small battle files as JSON, built by hypothesis: so many of any kind, and a fifth as many odd ones."""
    files: list[Any] = []

    def small(draw: Random) -> BattleFile:
        return file_under(draw, ruleset, most=4, turns=16)

    def gather(draw: Random) -> None:
        files.append(battle_to_json(small(draw)))

    def gather_fights(draw: Random) -> None:
        richest: tuple[int, BattleFile] | None = None
        for _ in range(40):
            battle = small(draw)
            events = len(fight_battle(battle, len(files), record=True).events)  # by the seed of its digest
            if richest is None or events > richest[0]:
                richest = events, battle
            if events >= EVENTS:
                break
        assert richest is not None
        files.append(battle_to_json(richest[1]))

    searched = given(st.randoms(use_true_random=False))(gather)
    spread = given(st.integers(2**32, 2**64 - 1).map(Random))(gather_fights)
    for build, count in ((spread, fights), (searched, fights // 5)):
        settings(max_examples=count, derandomize=True, database=None, deadline=None)(build)()
    return files


def verify_both_ways(ruleset: str, fights: int) -> int:
    """Fight small files here and in a process that runs the other way; how many were the same."""
    files = small_files(ruleset, fights)
    assert len(files) >= fights
    there = subprocess.run(
        [sys.executable, "-m", "tests.battles.digests"], input=json.dumps(files),
        cwd=PROJECT, env=other_mode(), check=True, capture_output=True, text=True,
    )  # fmt: skip
    here = digests(files)
    assert sum(int(one.split(":")[0]) for one in here) > EVENTS * fights, "these are fights, not parades"
    assert json.loads(there.stdout) == here
    return len(files)


@pytest.mark.slow
@every_ruleset
def test_fights_are_the_same_compiled_and_interpreted(ruleset: str) -> None:
    verify_both_ways(ruleset, FIGHTS if ruleset == "awi" else FEW)


def verify_tests_other_way(*options: str, seconds: float) -> int:
    """Run the engine's tests in a process that runs the other way; how many passed."""
    assert all((PROJECT / "tests/battles" / name).is_file() for name in LONG)
    ignored = [f"--ignore=tests/battles/{name}" for name in LONG]
    chosen = ["-m", "not bench and not prove", *ignored, *options]
    there = subprocess.run(
        [sys.executable, "-m", "pytest", "tests/battles", "-q", *chosen],
        cwd=PROJECT, env=other_mode(), check=False, capture_output=True, text=True, timeout=seconds,
    )  # fmt: skip
    assert there.returncode == 0, there.stdout[-4000:]
    passed = re.search(r"(\d+) passed", there.stdout)
    return int(passed[1]) if passed else 0


@pytest.mark.slow
def test_a_twelfth_of_the_engines_tests_pass_the_other_way_too() -> None:
    """The first test of every module and each twelfth after it; `make prove` runs all of them."""
    assert verify_tests_other_way("-p", "tests.every_sixth", "--every", "12", seconds=900) > 350
