"""A campaign confirmed in two windows at the same moment: it is made once (HR-SET-15).

Run as a program it is one of the windows, on a database of its own: COMMAND, with DATABASE_URL set.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.together]

ROOT = Path(__file__).resolve().parents[4]


def process(database: str, command: str) -> "subprocess.Popen[str]":
    settings = {"DJANGO_SETTINGS_MODULE": "campaign.config.settings_test"}
    return subprocess.Popen(
        [sys.executable, "-m", "tests.campaign.services.setup.test_drafts_at_once", command],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": database, **settings},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def test_hr_set_15_confirmed_in_two_windows_at_once_it_is_one_campaign(database_url: str) -> None:
    begun, _ = process(database_url, "begin").communicate(timeout=300)
    assert begun.endswith("begun\n"), begun
    windows = [process(database_url, "make") for _ in range(2)]
    for each in windows:
        assert each.stdout is not None and each.stdout.readline() == "ready\n"
    for each in windows:
        assert each.stdin is not None
        each.stdin.write("go\n")
        each.stdin.flush()
    said = sorted(each.communicate(timeout=120)[0] for each in windows)
    assert said == ["1 campaign, 0 links\n", "1 campaign, 3 links\n"]


# --- what the processes do ---


def _begin() -> None:
    from campaign.models import User
    from tests.factories.half_made import half_made

    half_made(User.objects.create_user("anna"))
    print("begun")


def _make() -> None:
    from campaign.models import Campaign, CampaignDraft
    from campaign.services.setup.drafts import draft_make

    draft = CampaignDraft.objects.select_related("user").get()
    digest = draft.body["scenario"]["digest"]
    print("ready", flush=True)
    sys.stdin.readline()
    made = draft_make(draft=draft, user=draft.user, digest=digest)
    print(f"{Campaign.objects.count()} campaign, {len(made.links)} links")


if __name__ == "__main__":
    import django

    django.setup()
    {"begin": _begin, "make": _make}[sys.argv[1]]()
