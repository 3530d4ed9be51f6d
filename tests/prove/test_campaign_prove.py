"""The whole campaign of 1777, headless: the figures of `make prove`."""

import io
import json
import time

import pytest
from django.core.management import CommandError, call_command

from campaign.models import JournalEntry
from rosters.models import Unit

pytestmark = [pytest.mark.prove, pytest.mark.django_db]


def play(seed: int) -> dict:
    out = io.StringIO()
    started = time.perf_counter()
    call_command("playcampaign", "saratoga-1777", "--weeks", "18", "--seed", str(seed), "--json", stdout=out)
    report = json.loads(out.getvalue())
    print(
        f"\nseed {seed}: {time.perf_counter() - started:.1f} s, {len(report['battles'])} battles, "
        f"{len(report['weeks'])} weeks, {report['world_hash'][:12]}"
    )
    return report


def test_eighteen_weeks_of_1777():
    first, again, other = play(1777), play(1777), play(1778)
    assert first["seconds"] < 60
    assert len(first["battles"]) >= 3
    assert len(first["weeks"]) == 18
    assert first["world_hash"] == again["world_hash"] != other["world_hash"]
    call_command("verifycampaign", first["campaign"])
    call_command("verifycampaign", other["campaign"])

    entry = JournalEntry.objects.filter(campaign__slug=first["campaign"]).exclude(rolls=[]).first()
    entry.rolls[0]["value"] = entry.rolls[0]["value"] % 6 + 1
    entry.save()
    with pytest.raises(CommandError) as caught:
        call_command("verifycampaign", first["campaign"])
    assert caught.value.returncode == 1
    unit = Unit.objects.filter(order_of_battle__campaign__slug=other["campaign"], points__gt=10).first()
    Unit.objects.filter(pk=unit.pk).update(points=unit.points - 5)
    with pytest.raises(CommandError) as caught:
        call_command("verifycampaign", other["campaign"])
    assert caught.value.returncode == 1
