"""Killed in the middle of a day: the campaign stands on the day before, and plays on the same."""

import os
import signal
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
from django.core.management import call_command
from campaign.models import Campaign
from campaign.services.turns import days
from campaign.services.setup.campaigns import campaign_create
"""
CREATE = (
    SET_UP
    + """
call_command("migrate", verbosity=0)
campaign_create(scenario="saratoga-1777", slug="war", secret=b"k" * 32, battle_policy="automatic")
"""
)
ADVANCE = (
    SET_UP
    + """
campaign = Campaign.objects.get()
while campaign.day < int(sys.argv[1]):
    days.day_advance(campaign=campaign, actor=None)
    campaign.refresh_from_db()
print(campaign.day, campaign.head.world_hash)
"""
)
# The process kills itself, with the one signal nobody can catch, before writing statement number
# `sys.argv[1]` of the transaction that saves the day.
KILLED = (
    SET_UP
    + """
from django.db import connection
left = int(sys.argv[1])
def count(execute, sql, params, many, context):
    global left
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
print("not killed")
"""
)
STATE = (
    SET_UP
    + """
from campaign.ledger.world_rows import world_load
from campaign.rules.world.world_json import (world_hash)
campaign = Campaign.objects.get()
assert world_hash(world_load(campaign)) == campaign.head.world_hash
days = campaign.journal.filter(record__kind="day").values("day").distinct().count()
print(campaign.day, campaign.records.count(), days)
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
    for database in (quiet, stormy):
        done = run(CREATE, database)
        assert done.returncode == 0, done.stderr
    undisturbed = run(ADVANCE, quiet, 3).stdout
    assert run(ADVANCE, stormy, 2).stdout.startswith("2 ")
    deaths = 0
    while (killed := run(KILLED, stormy, deaths)).returncode == -signal.SIGKILL:
        assert run(STATE, stormy).stdout == "2 3 2\n"
        deaths += 1
    assert killed.returncode == 0, killed.stderr
    assert deaths >= 4  # rows of the world, day record, journal, campaign
    assert run(ADVANCE, stormy, 3).stdout == undisturbed
