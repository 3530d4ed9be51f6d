"""Ten faults a ruleset, each in the source of a run of its own, and the test that notices it."""

import os
import subprocess
import sys

import pytest

from tests.battles.mutants import MUTANTS, PROJECT
from tests.prove.conftest import Figure

pytestmark = pytest.mark.prove


@pytest.mark.parametrize("ruleset", MUTANTS)
def test_the_suite_kills_every_mutant(ruleset: str, figure: Figure) -> None:
    names = [f"{ruleset}-{number}" for number in range(1, len(MUTANTS[ruleset]) + 1)]
    done = subprocess.run(
        [sys.executable, "-m", "tests.battles.mutants", *names],
        cwd=PROJECT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    killers = dict(line.split(" ", 1) for line in done.stdout.splitlines())
    assert list(killers) == names and len(names) == 10
    for name, mutant in zip(names, MUTANTS[ruleset], strict=True):
        print(f"{name} {mutant.rule} in {mutant.file}: {killers[name]}")
    left = [name for name, killer in killers.items() if killer.startswith(("ALIVE", "ERROR"))]
    figure(f"mutants of {ruleset} killed", f"{len(names) - len(left)} of {len(names)}", "all")
    assert left == []
