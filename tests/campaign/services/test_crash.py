"""Killed in the middle of a day: the campaign stands on the day before, and plays on the same."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
SET_UP = """
import os, signal, sys
import django
django.setup()
from campaign.models import Campaign
from campaign.services.turns import days
from campaign.services.setup.campaigns import campaign_create
"""
ADVANCE = (
    SET_UP
    + """
if not Campaign.objects.exists():
    campaign_create(scenario="saratoga-1777", slug="war", secret=b"k" * 32, battle_policy="automatic")
campaign = Campaign.objects.get()
while campaign.day < int(sys.argv[1]):
    days.day_advance(campaign=campaign, actor=None)
    campaign.refresh_from_db()
print(campaign.day, campaign.head.world_hash)
"""
)
# Processes advance a day one after the other. Each kills itself, with the one signal nobody can catch, before
# writing a statement of the transaction that saves the day: the first before statement 0, the next before 1.
# They are forks, so that Django is started once; what each left is read by a fork of its own too.
STORM = (
    SET_UP
    + """
from django.db import connection
from campaign.ledger.world_rows import world_load
from campaign.rules.world.world_json import world_hash
def advance(left):
    def count(execute, sql, params, many, context):
        nonlocal left
        if sql.startswith(("INSERT", "UPDATE", "DELETE")):
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)
        return execute(sql, params, many, context)
    saved = days._save_day
    def commit(*args):
        with connection.execute_wrapper(count):
            return saved(*args)
    days._save_day = commit
    campaign = Campaign.objects.get()
    days.day_advance(campaign=campaign, actor=None)
    print("not killed", flush=True)
def state():
    campaign = Campaign.objects.get()
    assert world_hash(world_load(campaign)) == campaign.head.world_hash
    told = campaign.journal.filter(record__kind="day").values("day").distinct().count()
    print(campaign.day, campaign.records.count(), told, flush=True)
def fork(work, *args):
    if child := os.fork():
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    try:
        work(*args)
    except BaseException as fault:
        print(repr(fault), flush=True)
        os._exit(1)
    os._exit(0)
assert connection.connection is None, "forks connect by themselves"
deaths = 0
while (ended := fork(advance, deaths)) == -signal.SIGKILL:
    assert fork(state) == 0
    deaths += 1
sys.exit(ended)
"""
)


def run(code: str, database: str, *args: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, args)],
        cwd=ROOT,
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "campaign.config.settings_test",
            "DATABASE_URL": database,
        },
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_sigkill_while_saving_leaves_the_day_before_and_the_same_future(new_database):
    quiet, stormy = new_database(), new_database()
    undisturbed = run(ADVANCE, quiet, 3)
    assert undisturbed.stdout.startswith("3 "), undisturbed.stderr
    assert run(ADVANCE, stormy, 2).stdout.startswith("2 ")
    storm = run(STORM, stormy)
    *states, last = storm.stdout.splitlines()
    assert storm.returncode == 0 and last == "not killed", storm.stdout + storm.stderr
    assert len(states) >= 4  # rows of the world, day record, journal, campaign
    assert set(states) == {"2 3 2"}
    assert run(ADVANCE, stormy, 3).stdout == undisturbed.stdout
