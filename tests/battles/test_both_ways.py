"""The engine is the same compiled and interpreted: a hundred fights event by event, and the tests."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from battles.engine.compile import interpreted
from tests.battles.digests import FIGHTS, digests

PROJECT = Path(__file__).parents[2]
#: Modules that play many whole battles; the hundred fights above stand for them interpreted.
LONG = (
    "test_both_ways.py",
    "test_properties.py",
    "test_statistics.py",
    "test_frequencies.py",
    "test_large_battles.py",
    "test_bench.py",
)


def other_mode() -> dict[str, str]:
    """The environment in which the engine runs the other way than here."""
    return {**os.environ, "NUMBA_DISABLE_JIT": "0" if interpreted() else "1"}


@pytest.mark.slow
def test_a_hundred_fights_are_the_same_compiled_and_interpreted() -> None:
    there = subprocess.run(
        [sys.executable, "-m", "tests.battles.digests"],
        cwd=PROJECT, env=other_mode(), check=True, capture_output=True, text=True,
    )  # fmt: skip
    here = digests()
    assert len(here) == FIGHTS
    assert sum(int(one.split(":")[0]) for one in here) > 20 * FIGHTS, "these are fights, not parades"
    assert json.loads(there.stdout) == here


@pytest.mark.slow
def test_the_engines_tests_pass_the_other_way_too() -> None:
    ignored = [f"--ignore=tests/battles/{name}" for name in LONG]
    there = subprocess.run(
        [sys.executable, "-m", "pytest", "tests/battles", "-q", "-m", "not bench", *ignored],
        cwd=PROJECT, env=other_mode(), check=False, capture_output=True, text=True, timeout=500,
    )  # fmt: skip
    assert there.returncode == 0, there.stdout[-4000:]
