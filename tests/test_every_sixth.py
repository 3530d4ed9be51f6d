"""Short runs leave nobody out altogether: each module's first test is run."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from tests.every_sixth import pytest_collection_modifyitems


class Item:
    """A collected test, as far as the plugin looks at it."""

    def __init__(self, nodeid: str, *markers: str) -> None:
        self.nodeid, self.markers = nodeid, markers

    def get_closest_marker(self, name: str) -> str | None:
        return name if name in self.markers else None


@pytest.mark.parametrize(("every", "run"), [(6, (0, 6, 12)), (12, (0, 12)), (1, range(13))])
def test_pure_tests_are_run_and_of_long_ones_each_modules_first_and_every_nth(
    every: int, run: Sequence[int]
) -> None:
    fights = [Item(f"tests/battles/test_fire.py::test_{number}") for number in range(13)]
    pages = [Item(f"tests/campaign/web/test_map.py::test_{number}", "database") for number in range(2)]
    pure = [Item(f"tests/campaign/rules/test_march.py::test_{number}") for number in range(9)]
    items: list[Any] = [*fights, *pages, *pure]
    left: list[Any] = []
    config: Any = SimpleNamespace(
        hook=SimpleNamespace(pytest_deselected=lambda items: left.extend(items)),
        getoption={"--every": every}.__getitem__,
    )
    pytest_collection_modifyitems(config, items)
    assert items == [*(fights[number] for number in run), *pages[: 2 if every == 1 else 1], *pure]
    assert len(items) + len(left) == 24 and not set(left) & set(items)
