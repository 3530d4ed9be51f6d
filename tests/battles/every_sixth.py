"""A plugin of pytest's that keeps of each module its first test and every sixth after it.

python -m pytest -p tests.battles.every_sixth ...
"""

from collections import Counter

import pytest

EVERY = 6


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the others, and say how many."""
    seen = Counter[str]()
    kept, others = [], []
    for item in items:
        module = item.nodeid.partition("::")[0]
        (others if seen[module] % EVERY else kept).append(item)
        seen[module] += 1
    items[:] = kept
    config.hook.pytest_deselected(items=others)
