"""Fresh random examples for every test that draws any, for `make prove`.

`make test` repeats its examples. What fails here is to be mended and kept as a fixed example beside its test
(battle files under `tests/battles/found/`), so that it is tried in every run.
"""

import re
import secrets
import subprocess
import sys
from pathlib import Path

import pytest

from tests.prove.conftest import Figure
from tests.random_examples import FRESH

pytestmark = pytest.mark.prove

PROJECT = Path(__file__).parents[2]
#: The hypothesis plugin marks each test that draws.
MARKS = "hypothesis and not prove and not bench and not screenshots and not browser"
#: Tests that draw, at the least: a wrong mark finds none.
TESTS = 100


def test_fresh_random_examples_hold(figure: Figure) -> None:
    seed = secrets.randbits(64)
    drawing = f"--hypothesis-profile={FRESH}", f"--hypothesis-seed={seed}"
    command = [sys.executable, "-m", "pytest", "tests", "-q", "-n", "0", "-m", MARKS, *drawing]
    done = subprocess.run(command, cwd=PROJECT, check=False, capture_output=True, text=True)
    found = re.search(r"(\d+) passed", done.stdout)
    passed = int(found[1]) if found else 0
    figure(
        f"tests with fresh random examples, seed {seed}", f"{passed} passed", f"{TESTS} or more, none failed"
    )
    assert done.returncode == 0 and passed >= TESTS, done.stdout[-8000:]
