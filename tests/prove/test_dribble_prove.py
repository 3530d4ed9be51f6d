"""Two hundred clients that do not finish their requests: pages are answered meanwhile (docs/deploy.md)."""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.prove.api_site import ROOT, ApiSite
from tests.prove.conftest import Figure
from tests.prove.dribblers import BEGINNINGS, EVERY, Dribblers, page_times
from tests.servers import own_database

pytestmark = pytest.mark.prove

#: Clients, pages asked for meanwhile, and seconds each page may take.
CROWD, PAGES, ALLOWED = 200, 60, 1.0


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, int]]:
    """A site with an empty database: who only wants to stop it needs no account."""
    folder: Path = tmp_path_factory.mktemp("dribble")
    with own_database(folder) as database:
        site = ApiSite(database, folder / "site")
        for command in (["tools/house.py", "static"], ["manage.py", "migrate", "--verbosity", "0"]):
            subprocess.run(
                [sys.executable, *command], cwd=ROOT, env=site.environment, check=True, timeout=600
            )
        with site:
            yield "127.0.0.1", int(site.url.rpartition(":")[2])


@pytest.mark.parametrize("kind", BEGINNINGS)
def test_pages_are_answered_while_a_crowd_does_not_finish(
    address: tuple[str, int], kind: str, figure: Figure
) -> None:
    calm = page_times(address, "/sign-in/", PAGES)
    with Dribblers(address, kind, CROWD) as crowd:
        time.sleep(EVERY)
        page_times(
            address, "/sign-in/", 1
        )  # whole requests of the crowd are work; this page waits behind them
        times = sorted(page_times(address, "/sign-in/", PAGES))
        still_open = crowd.open
    found = f"worst {times[-1]:.3f} s, median {times[len(times) // 2]:.3f} s (calm: worst {max(calm):.3f} s)"
    figure(f"a page under {CROWD} sockets: {kind}", found, f"worst under {ALLOWED:.0f} s")
    assert still_open == CROWD, "the crowd was there"
    assert len(times) == PAGES and times[-1] < ALLOWED
