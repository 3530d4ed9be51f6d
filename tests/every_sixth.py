"""A plugin of pytest's for short runs: of long tests each module's first, and every sixth after it.

    python -m pytest -p tests.every_sixth [--every N] ...

Those are the tests that touch a database, and those of battles. All others are run, but for modules too long
where the engine runs as plain Python.
"""

import os
from collections import Counter

import pytest

#: Which of the long tests are run, but for `--every`.
EVERY = 6
BATTLES = "tests/battles/"
#: Modules that play many whole battles or hardly touch a kernel, of tests/battles: too long in plain Python.
LONG = (
    "test_both_ways.py",
    "test_properties.py",
    "test_random_files.py",
    "test_statistics.py",
    "test_frequencies.py",
    "test_large_battles.py",
    "test_bench.py",
    "test_actions.py",
    "test_deployment.py",
    "files/test_reading.py",
    "test_fight_command.py",
    "ground/test_landscape.py",
    "test_movement_properties.py",
    "odds/test_odds.py",
    "odds/test_plan_choice.py",
    "replay/test_replay.py",
    "replay/test_account.py",
)
#: And one fight of a minute, which only `make prove` plays there.
LONG_FIGHT = "test_assaults.py::test_troops_in_each_others_way_make_room_HR_BAT_02[awi-forest/350]"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Another share than a sixth."""
    parser.addoption("--every", type=int, default=EVERY, help="of long tests run every Nth of a module")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out five of six, or all but every Nth, and say how many."""
    every = config.getoption("--every")
    seen = Counter[str]()
    kept, others = [], []
    plain = os.environ.get("NUMBA_DISABLE_JIT") == "1"
    long = tuple(f"{BATTLES}{name}" for name in (*LONG, LONG_FIGHT)) if plain else ()
    for item in items:
        if long and item.nodeid.startswith(long):
            others.append(item)
            continue
        if item.nodeid.startswith(BATTLES) or item.get_closest_marker("database"):
            module = item.nodeid.partition("::")[0]
            seen[module] += 1
            if (seen[module] - 1) % every:
                others.append(item)
                continue
        kept.append(item)
    items[:] = kept
    config.hook.pytest_deselected(items=others)
