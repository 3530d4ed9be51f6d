"""A club's site with Saratoga on its first morning, and the client of docs/client."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.programs.club import ROOT, Club

EXAMPLES = ROOT / "docs" / "client"


@pytest.fixture
def club(tmp_path: Path, database_url: str) -> Iterator[Club]:
    with Club(tmp_path, database_url).open() as site:
        yield site


@pytest.fixture
def examples(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the examples, from which a script of a player's imports its client."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    for name in ("awi_client", "bot"):
        sys.modules.pop(name, None)
    return EXAMPLES
