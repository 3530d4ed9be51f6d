"""A forecast shared by two real workers, one of whom is killed over a part: figures of one (HR-JOB-03)."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from tests.campaign.test_jobs_worker import ROOT, Site, kill
from tests.campaign.test_jobs_worker import site as site_of_a_club
from tests.servers import rows_of

pytestmark = [pytest.mark.prove, pytest.mark.together]

site = site_of_a_club
RUNS, WEEKS, PATIENCE = 24, 2, 240.0
SIZE = ("--weeks", str(WEEKS), "--runs", str(RUNS))

ASK = f"""
import django
django.setup()
from campaign.models import Campaign
from campaign.services.forecasts import forecast_ask
forecast_ask(campaign=Campaign.objects.get(), actor=None, weeks={WEEKS}, runs={RUNS})
"""
IN_ONE = ("manage.py", "forecast", "saratoga", *SIZE, "--workers", "1", "--json")


def in_one_go(site: Site) -> dict:
    done = subprocess.run(
        [sys.executable, *IN_ONE],
        cwd=ROOT,
        env=site.environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    return json.loads(done.stdout)


def parts(site: Site) -> list[tuple[str, int]]:
    """State and attempts of each part."""
    query = "SELECT state, attempts FROM campaign_job WHERE kind = 'forecast_part'"
    return [(state, attempts) for state, attempts in rows_of(site.database_url, query)]


def killed_over_a_part(site: Site, process: subprocess.Popen[bytes]) -> None:
    """Kill the worker while he and the other have a part in hand each."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        os.killpg(process.pid, signal.SIGSTOP)  # he can end nothing while we look
        if [state for state, _ in parts(site)].count("running") == 2:
            kill(process)
            return
        os.killpg(process.pid, signal.SIGCONT)
        time.sleep(0.1)
    pytest.fail(f"The two workers never had a part each: {parts(site)}\n{site.log.read_text()[-4000:]}")


@pytest.mark.parametrize("site", ["redis"], indirect=True)
def test_a_part_whose_worker_is_killed_is_played_by_the_other(site: Site):
    site.environment["JOB_LEASE_SECONDS"] = "20"
    site.run("manage.py", "loadscenario", "saratoga-1777", "--slug", "saratoga")
    with site.worker():
        with site.worker() as second:  # both wait for work when it is asked for
            site.run("-c", ASK)
            killed_over_a_part(site, second)
        site.wait("a second attempt", lambda jobs: ("running", 2) in parts(site), PATIENCE)
        site.wait("the whole", lambda jobs: not parts(site), PATIENCE)
    ((state, result),) = rows_of(site.database_url, "SELECT state, result FROM campaign_job")
    assert state == "done"
    found = result if isinstance(result, dict) else json.loads(result)
    wanted = in_one_go(site)
    for key in ("seconds", "head"):
        found.pop(key, None), wanted.pop(key, None)
    assert found == wanted and found["runs"] == RUNS
