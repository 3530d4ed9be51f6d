"""Random examples are the same everywhere, whatever else is loaded, and shrinking is bounded."""

import subprocess
import sys
from pathlib import Path

from hypothesis import settings
from hypothesis.internal.conjecture import engine

from tests.random_examples import FRESH, REPEATED, SHRINKING_SECONDS

PROJECT = Path(__file__).parents[1]
DRAWS = """
from hypothesis import given, strategies as st
from tests.random_examples import examples_bound, profiles_register

profiles_register()
examples_bound()

@given(st.lists(st.integers(0, 2**32), min_size=5, max_size=5))
def draw(numbers):
    print(numbers)

draw()
"""


def drawn(tmp_path: Path, beside: str) -> str:
    """Everything a test draws in a process of its own that loads some modules beside it."""
    script = tmp_path / "draws.py"
    script.write_text(DRAWS)
    run = f"{beside}; import runpy; runpy.run_path({str(script)!r})"
    done = subprocess.run(
        [sys.executable, "-c", run], cwd=PROJECT, check=True, capture_output=True, text=True
    )
    return done.stdout


def test_the_profile_of_a_plain_run_repeats_its_examples() -> None:
    plain, fresh = settings.get_profile(REPEATED), settings.get_profile(FRESH)
    assert (plain.derandomize, plain.database) == (True, None)
    assert not fresh.derandomize
    assert engine.MAX_SHRINKING_SECONDS == SHRINKING_SECONDS


def test_examples_do_not_depend_on_what_else_is_loaded(tmp_path: Path) -> None:
    alone = drawn(tmp_path, "pass")
    assert alone.count("\n") >= 50
    assert (
        drawn(tmp_path, "import battles.ground.landscape, battles.replay.account, rosters.domain.strength")
        == alone
    )
