"""A forecast shared by two real workers, one of whom is killed over a part: figures of one (HR-JOB-03)."""

import json
import subprocess
import sys
import time
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from tests.campaign.test_jobs_worker import ROOT, Site, kill
from tests.campaign.test_jobs_worker import site as site_of_a_club
from tests.servers import rows_of

pytestmark = [pytest.mark.slow, pytest.mark.together]

site = site_of_a_club
#: As worker_app.py reads it, which is not imported: it would add its kind of job to this process too.
GATE = "PARTS_WAIT_FOR"
#: A part for each course. Seconds of a lease: what the killed worker had is taken up no sooner.
RUNS, WEEKS, LEASE = 3, 1, 4
#: The machine may be busy, and the engine is not compiled here.
PATIENCE = 240.0

ASK = f"""
import django
django.setup()
from campaign.models import Campaign
from campaign.services.forecasts.forecasts import forecast_ask
forecast_ask(campaign=Campaign.objects.get(), actor=None, weeks={WEEKS}, runs={RUNS})
"""
IN_ONE = ("manage.py", "forecast", "saratoga", "--weeks", str(WEEKS), "--runs", str(RUNS), "--workers", "1")


def worker(site: Site, gate: Path) -> AbstractContextManager[subprocess.Popen[bytes]]:
    """A worker who plays the part in his hand once `gate` is there."""
    site.environment[GATE] = str(gate)
    return site.worker()


def in_one_go(site: Site) -> dict:
    done = subprocess.run(
        [sys.executable, *IN_ONE, "--json"],
        cwd=ROOT,
        env=site.environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    return json.loads(done.stdout)


def parts(site: Site) -> list[tuple[str, int]]:
    """State and attempts of each part, in order."""
    query = "SELECT state, attempts FROM campaign_job WHERE kind = 'forecast_part' ORDER BY id"
    return [(state, attempts) for state, attempts in rows_of(site.database_url, query)]


@pytest.mark.parametrize("site", ["redis"], indirect=True)
def test_a_part_whose_worker_is_killed_is_played_by_the_other(site: Site, tmp_path: Path):
    site.environment |= {"JOB_LEASE_SECONDS": str(LEASE), "NUMBA_DISABLE_JIT": "1"}
    site.run("manage.py", "loadscenario", "saratoga-1777", "--slug", "saratoga")
    gate, never = tmp_path / "gate", tmp_path / "never"
    with site.beat(), worker(site, gate):
        site.run("-c", ASK)
        site.wait("the first worker's part", lambda jobs: ("running", 1) in parts(site), PATIENCE)
        with worker(site, never) as second:
            site.wait(
                "a part of each",
                lambda jobs: parts(site) == [("running", 1), ("running", 1), ("queued", 0)],
                PATIENCE,
            )
            time.sleep(2 * LEASE)  # both say nothing, and live: neither is robbed of his part
            assert parts(site) == [("running", 1), ("running", 1), ("queued", 0)]
            kill(second)
        gate.touch()
        site.wait("the whole", lambda jobs: not parts(site), PATIENCE)
    ((state, attempts, result),) = rows_of(
        site.database_url, "SELECT state, attempts, result FROM campaign_job"
    )
    assert (state, attempts) == ("done", 1)
    # what the killed one had in his hand, the second part, was taken up once more, by the first
    assert sorted(gate.with_suffix(".taken").read_text().splitlines()) == ["0 1", "1 2", "2 1"]
    assert never.with_suffix(".taken").read_text().splitlines() == ["1 1"]
    found = result if isinstance(result, dict) else json.loads(result)
    wanted = in_one_go(site)
    for key in ("seconds", "head"):
        found.pop(key, None), wanted.pop(key, None)
    assert found == wanted and found["runs"] == RUNS
