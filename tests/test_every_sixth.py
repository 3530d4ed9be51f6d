"""Short runs leave nobody out altogether: each module's first test is run."""

import pytest

from tests.every_sixth import pytest_collection_modifyitems


class Item:
    """A collected test, as far as the plugin looks at it."""

    def __init__(self, nodeid: str, *markers: str) -> None:
        self.nodeid, self.markers = nodeid, markers

    def get_closest_marker(self, name: str) -> str | None:
        return name if name in self.markers else None


def test_pure_tests_are_run_and_of_long_ones_each_modules_first_and_every_sixth(pytestconfig: pytest.Config):
    fights = [Item(f"tests/battles/test_fire.py::test_{number}") for number in range(13)]
    pages = [Item(f"tests/campaign/web/test_map.py::test_{number}", "database") for number in range(2)]
    pure = [Item(f"tests/campaign/rules/test_march.py::test_{number}") for number in range(9)]
    items: list = [*fights, *pages, *pure]
    left: list = []
    pytestconfig.pluginmanager.register(noted := Noted(left))
    try:
        pytest_collection_modifyitems(pytestconfig, items)
    finally:
        pytestconfig.pluginmanager.unregister(noted)
    assert items == [fights[0], fights[6], fights[12], pages[0], *pure]
    assert len(left) == 11 and not set(left) & set(items)


class Noted:
    """A plugin that notes which tests were left out."""

    def __init__(self, left: list) -> None:
        self.left = left

    def pytest_deselected(self, items: list) -> None:
        self.left += items
