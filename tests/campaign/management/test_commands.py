"""The commands: what they print, and the sentences of what they refuse."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from campaign.models import Campaign, Seat, User

pytestmark = pytest.mark.django_db


def run(*args: str) -> str:
    out = io.StringIO()
    call_command(*args, stdout=out)
    return out.getvalue()


def test_loadscenario_seats_the_people_named():
    for name in ("anna", "ben"):
        User.objects.create_user(name)
    run("loadscenario", "saratoga-1777", "--slug", "autumn", "--umpire", "anna", "--commander", "crown=ben")
    seats = {(seat.role, seat.side): seat.user and seat.user.username for seat in Seat.objects.all()}
    assert seats == {("umpire", ""): "anna", ("commander", "crown"): "ben", ("commander", "rebel"): None}


def test_loadscenario_demo_makes_three_people_once_and_takes_no_password_away():
    kept = User.objects.create_user("gates", password="a long and honest one")
    run("loadscenario", "saratoga-1777", "--demo")
    assert "is there already" in run("loadscenario", "saratoga-1777", "--demo")
    assert Seat.objects.filter(user__isnull=False).count() == 3
    kept.refresh_from_db()
    assert kept.has_usable_password()


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("loadscenario", "yorktown"), "there is no scenario of this name"),
        (("loadscenario", "saratoga-1777", "--slug", "a b"), "no address"),
        (("loadscenario", "saratoga-1777", "--umpire", "nobody"), "There is no user nobody"),
        (("loadscenario", "saratoga-1777", "--commander", "french=anna"), "the sides are crown, rebel"),
        (
            ("loadscenario", "saratoga-1777", "--set", "recruitment=plenty"),
            "one of draft, damped, off",
        ),
        (("loadscenario", "saratoga-1777", "--set", "lake_miles=-3"), "whole number"),
        (("advanceday", "nowhere"), "There is no campaign nowhere. Campaigns here: none yet."),
        (("verifycampaign", "nowhere"), "There is no campaign nowhere"),
        (("playcampaign", "saratoga-1777", "--weeks", "0"), "--weeks must be 1 or more"),
        (("playcampaign", "yorktown"), "there is no scenario of this name"),
        (("playcampaign", "saratoga-1777", "--ruleset", "chess"), "There is no ruleset"),
    ],
)
def test_wrong_input_is_refused_with_a_sentence_and_writes_nothing(args, sentence):
    with pytest.raises(CommandError, match=sentence):
        run(*args)
    assert not Campaign.objects.exists()


def test_advanceday_says_what_was_done():
    run("loadscenario", "saratoga-1777", "--slug", "war", "--set", "recruitment=off")
    assert run("advanceday", "war").startswith("day 1 done; world ")


def test_playcampaign_prints_one_json_object_and_its_campaign_verifies():
    report = json.loads(run("playcampaign", "saratoga-1777", "--weeks", "3", "--seed", "1777", "--json"))
    assert set(report) == {"campaign", "seed", "weeks", "battles", "world_hash", "seconds"}
    assert [week["week"] for week in report["weeks"]] == [1, 2, 3]
    for week in report["weeks"]:
        for side in week["sides"]:
            assert side["change"] == side["gains"] - side["losses"] == sum(side["reasons"].values())
    assert report["battles"]
    again = json.loads(run("playcampaign", "saratoga-1777", "--weeks", "3", "--seed", "1777", "--json"))
    other = json.loads(run("playcampaign", "saratoga-1777", "--weeks", "3", "--seed", "1778", "--json"))
    assert again["world_hash"] == report["world_hash"] != other["world_hash"]
    assert again["campaign"] != report["campaign"]
    assert "21 days verified, 21 of them" in run("verifycampaign", report["campaign"])


def test_playcampaign_prints_returns_week_by_week():
    text = run("playcampaign", "saratoga-1777", "--weeks", "1", "--seed", "3")
    assert "Returns of week 1" in text
    assert "manage.py verifycampaign saratoga-1777-seed-3" in " ".join(text.split())
