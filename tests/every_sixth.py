"""A plugin of pytest's for short runs: of long tests each module's first, and every sixth after it.

    python -m pytest -p tests.every_sixth ...

Those are the tests that touch a database, and those of battles. All others are run.
"""

from collections import Counter

import pytest

EVERY = 6
BATTLES = "tests/battles/"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out five of six, and say how many."""
    seen = Counter[str]()
    kept, others = [], []
    for item in items:
        if item.nodeid.startswith(BATTLES) or item.get_closest_marker("database"):
            module = item.nodeid.partition("::")[0]
            seen[module] += 1
            if seen[module] % EVERY != 1:
                others.append(item)
                continue
        kept.append(item)
    items[:] = kept
    config.hook.pytest_deselected(items=others)
