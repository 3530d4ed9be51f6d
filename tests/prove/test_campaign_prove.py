"""The whole campaign of 1777, headless: the figures of `make prove`."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from battles.rulesets.registry import RULESETS
from campaign.models import Campaign, JournalEntry
from rosters.models import Unit
from tests.campaign.reconciled import reckoned
from tests.prove.conftest import Figure

pytestmark = [pytest.mark.prove, pytest.mark.django_db]


def play(seed: int, *more: str) -> dict:
    out = io.StringIO()
    asked = ("--weeks", "18", "--seed", str(seed), "--json", *more)
    call_command("playcampaign", "saratoga-1777", *asked, stdout=out)
    return json.loads(out.getvalue())


def test_eighteen_weeks_of_1777(figure: Figure):
    first, again, other = play(1777), play(1777), play(1778)
    for seed, played in ((1777, first), (1778, other)):
        battles = f"{len(played['battles'])} battles, {played['world_hash'][:12]}"
        figure(f"18 weeks headless, seed {seed}", f"{played['seconds']:.1f} s, {battles}", "60 s, 3 battles")
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


@pytest.mark.parametrize("ruleset", [ruleset.id for ruleset in RULESETS])
def test_eighteen_weeks_under_each_system_add_up(ruleset: str, figure: Figure):
    """Every point a unit has is one it had or the journal gave it (HR-BAT-13)."""
    played = play(1777, "--ruleset", ruleset)
    found = reckoned(Campaign.objects.get(slug=played["campaign"]))
    figure(
        f"18 weeks under {ruleset}: {found.battles} battles, {found.sp_lost} SP lost",
        f"{found.points_first} points {found.changed:+} are {found.points_last}",
        "to the last point",
    )
    assert not found.wrong
    assert found.points_last == found.points_first + found.changed
    assert len(played["weeks"]) == 18 and found.battles >= 3
    call_command("verifycampaign", played["campaign"])
