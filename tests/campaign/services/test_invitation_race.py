"""Many people answer one invitation at the same moment, each with a connection of his own (HR-SET-13)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
RACE = """
import threading
import django
django.setup()
from django.db import connection
from campaign.models import Invitation, Seat, Tenure, User
from campaign.rules.errors import RuleViolation
from campaign.services.setup.campaigns import campaign_create
from campaign.services.seats.invitations import invitation_accept, invitation_make
from campaign.services.seats.changes import seat_open

campaign = campaign_create(scenario="saratoga-1777", slug="war")
seat = seat_open(campaign=campaign, role="commander", side="rebel", actor=None)
invitation, _ = invitation_make(campaign=campaign, seat=seat, actor=None)
users = [User.objects.create(username=f"player{number}") for number in range(8)]
gate, said = threading.Barrier(len(users)), []

def answer(user):
    gate.wait()
    try:
        invitation_accept(invitation=invitation, user=user)
        said.append("seated")
    except RuleViolation as violation:
        said.append(violation.rule_id)
    finally:
        connection.close()

threads = [threading.Thread(target=answer, args=[user]) for user in users]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(sorted(said).count("seated"), said.count("HR-SET-13"), Tenure.objects.count(),
      Invitation.objects.get().used_by == Seat.objects.get().user)
"""


@pytest.mark.slow
@pytest.mark.together
def test_hr_set_13_of_eight_at_one_moment_one_is_seated_and_seven_are_told(database_url: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", RACE],
        cwd=ROOT,
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "campaign.config.settings_test",
            "DATABASE_URL": database_url,
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.stdout.split("\n")[-2:] == ["1 7 1 True", ""], done.stderr
