"""Two people who take one seat at the same moment: one has it (HR-SET-10).

Run as a program it is one of them, on a database of its own: COMMAND NAME, with DATABASE_URL set.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.together]

ROOT = Path(__file__).resolve().parents[4]
PEOPLE = ("anna", "bert", "carl")


def process(database: str, *command: str) -> "subprocess.Popen[str]":
    settings = {"DJANGO_SETTINGS_MODULE": "campaign.config.settings_test"}
    return subprocess.Popen(
        [sys.executable, "-m", "tests.campaign.services.seats.test_assignment_at_once", *command],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": database, **settings},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def test_of_three_who_take_a_seat_at_once_one_has_it_hr_set_10(database_url: str) -> None:
    made, _ = process(database_url, "make").communicate(timeout=300)
    assert made.endswith("made\n"), made
    people = [process(database_url, "take", name) for name in PEOPLE]
    for each in people:
        assert each.stdout is not None and each.stdout.readline() == "ready\n"
    for each in people:
        assert each.stdin is not None
        each.stdin.write("go\n")
        each.stdin.flush()
    said = sorted(each.communicate(timeout=60)[0] for each in people)
    assert said == ["HR-SET-10\n", "HR-SET-10\n", "taken\n"]


# --- what the processes do ---


def _make() -> None:
    from campaign.models import User
    from campaign.services.seats.changes import seat_offer, seat_open
    from campaign.services.setup.campaigns import campaign_create

    campaign = campaign_create(scenario="saratoga-1777", slug="saratoga")
    seat = seat_open(campaign=campaign, role="assistant", actor=None)
    seat_offer(seat=seat, offered=True, actor=None)
    for name in PEOPLE:
        user = User.objects.create_user(name)
        seat_open(campaign=campaign, role="reserve", user=user, actor=None)
    print("made", flush=True)


def _take(name: str) -> None:
    from campaign.models import Seat, User
    from campaign.rules.errors import RuleViolation
    from campaign.services.seats.changes import seat_take

    user, seat = User.objects.get(username=name), Seat.objects.get(role="assistant")
    print("ready", flush=True)
    sys.stdin.readline()
    try:
        seat_take(seat=seat, user=user)
    except RuleViolation as violation:
        print(violation.rule_id, flush=True)
    else:
        print("taken", flush=True)


if __name__ == "__main__":
    import django

    django.setup()
    {"make": _make, "take": _take}[sys.argv[1]](*sys.argv[2:])
