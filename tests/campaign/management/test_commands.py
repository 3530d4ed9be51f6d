"""The commands: what they print, and the sentences of what they refuse."""

import io
import json
from dataclasses import replace

import pytest
from django.core.management import CommandError, call_command

from campaign.ledger import world_rows
from campaign.models import Campaign, Seat, User
from campaign.rules.recruitment import estimate_final_points
from campaign.rules.world.world import UnitStatus
from campaign.scenarios import reading, theatres
from campaign.scenarios.reading import read_scenario, scenario_path
from rosters.models import OrderOfBattle
from tests.factories.people import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _theatres_read_anew():
    yield
    theatres._read_theatre.cache_clear()


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


def test_hr_rec_04_loadscenario_takes_the_drafts_tables_by_name_and_says_what_they_do():
    told = run("loadscenario", "new-jersey-1776", "--recruitment", "draft")
    assert Campaign.objects.get().settings["recruitment"] == "draft"
    world = read_scenario(scenario_path("new-jersey-1776")).world
    points = {
        value: estimate_final_points(replace(world, settings=replace(world.settings, recruitment=value)))
        for value in ("draft", "damped")
    }
    assert "Recruitment and attrition: As in the published draft." in told
    assert f"United States {points['draft']['rebel']} points." in told
    assert "The scenario's choice is “Balanced for this site”, which leads to Crown" in told
    assert f"United States {points['damped']['rebel']} points." in told
    with pytest.raises(CommandError, match="invalid choice: 'plenty'"):
        run("loadscenario", "new-jersey-1776", "--slug", "more", "--recruitment", "plenty")


def test_hr_set_18_what_importorderofbattle_makes_is_the_armies_of_a_campaign(tmp_path):
    """exportarmies, a correction, then loadscenario with the file and with the order of battle made of it."""
    file = tmp_path / "jersey.csv"
    assert "181 units" in run("exportarmies", "new-jersey-1776", str(file))
    world = read_scenario(scenario_path("new-jersey-1776")).world
    key = min(key for key, unit in world.units.items() if unit.points == 100)
    text = file.read_text(encoding="utf-8-sig")
    line = next(line for line in text.splitlines() if line.startswith(f"{key},"))
    file.write_text(text.replace(line, line.replace(",100,", ",85,")), encoding="utf-8")
    run("loadscenario", "new-jersey-1776", "--slug", "by-file", "--armies", str(file))
    sides = ",".join(f"{side.id}={side.name}:{side.colour}" for side in world.theatre.sides)
    run("importorderofbattle", str(file), "--title", "Jersey", "--sides", sides)
    number = OrderOfBattle.objects.get(title="Jersey").pk
    run("loadscenario", "new-jersey-1776", "--slug", "by-number", "--order-of-battle", str(number))
    for slug in ("by-file", "by-number"):
        units = world_rows.world_load(Campaign.objects.get(slug=slug)).units
        assert units == {**world.units, key: replace(world.units[key], points=85)}


def test_hr_set_18_armies_that_do_not_fit_are_refused_with_their_rows(tmp_path):
    file = tmp_path / "jersey.csv"
    run("exportarmies", "new-jersey-1776", str(file))
    for arguments, sentence in (
        (("saratoga-1777", "--armies", str(file)), "This looks like the armies of New Jersey"),
        (("saratoga-1777", "--armies", str(tmp_path / "none.csv")), "cannot be read"),
        (("saratoga-1777", "--order-of-battle", "77"), "There is no order of battle 77"),
    ):
        with pytest.raises(CommandError, match=sentence):
            run("loadscenario", *arguments)
    assert not Campaign.objects.exists()


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
        (("loadscenario", "saratoga-1777", "--set", f"lake_miles={'9' * 5000}"), "has 5000 figures"),
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
    points = dict.fromkeys(("crown", "rebel"), 0)
    for unit in read_scenario(scenario_path("saratoga-1777")).world.units.values():
        points[unit.side] += unit.points * (unit.status is UnitStatus.PRESENT)
    for week in report["weeks"]:
        for side in week["sides"]:
            assert side["points"] == points[side["side"]] + side["change"] + side["arrivals"]
            points[side["side"]] = side["points"]
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


def test_playcampaign_fits_eighty_columns_and_cuts_nothing(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    text = run("playcampaign", "saratoga-1777", "--weeks", "3", "--seed", "1777")
    lines = text.splitlines()
    assert max(len(line) for line in lines) <= 80
    assert "…" not in text
    assert "Arrivals" in text and "Places" in text
    head = Campaign.objects.get().records.latest("pk")
    assert head.world_hash in lines
    assert " Jun " in text


@pytest.mark.parametrize("command", ["advanceday", "verifycampaign"])
def test_without_its_scenario_a_campaign_stops_with_a_sentence(command, monkeypatch, tmp_path):
    """HR-SET-03."""
    run("loadscenario", "saratoga-1777", "--slug", "war")
    monkeypatch.setattr(reading, "SCENARIOS", tmp_path)
    theatres._read_theatre.cache_clear()
    with pytest.raises(CommandError, match="cannot be read; put the original files back"):
        run(command, "war")


def test_playcampaign_without_any_scenario_is_refused(monkeypatch, settings, tmp_path):
    monkeypatch.setattr(reading, "SCENARIOS", tmp_path)
    settings.VAR_DIR = tmp_path / "var"
    with pytest.raises(CommandError, match="put its folder back"):
        run("playcampaign", "saratoga-1777")


# --- seats (HR-SET-04) ---


@pytest.fixture
def autumn():
    for name in ("anna", "ben", "carl"):
        User.objects.create_user(name)
    run("loadscenario", "saratoga-1777", "--slug", "autumn", "--umpire", "anna", "--commander", "crown=ben")
    return Campaign.objects.get()


def test_giveseat_seats_a_player_and_gives_the_command_back_to_the_staff(autumn):
    assert "is now carl" in run("giveseat", "autumn", "rebel", "carl")
    assert Seat.objects.get(campaign=autumn, side="rebel").user.username == "carl"
    assert "led by the staff" in run("giveseat", "autumn", "rebel", "--staff")
    assert Seat.objects.get(campaign=autumn, side="rebel").user is None


def test_whoever_becomes_umpire_finds_the_desk_open_and_not_the_administrators_pages(autumn):
    run("giveseat", "autumn", "umpire", "carl")
    carl = User.objects.get(username="carl")
    assert signed_in(carl).get("/umpire/").status_code == 200
    assert not carl.is_staff and signed_in(carl).get("/admin/").status_code == 302
    assert signed_in(User.objects.get(username="ben")).get("/umpire/").status_code == 404


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("nowhere", "crown", "ben"), "There is no campaign nowhere"),
        (("autumn", "crown", "nobody"), "There is no user nobody"),
        (("autumn", "french", "carl"), "There is no seat french"),
        (("autumn", "rebel", "ben"), "ben would have two seats"),
        (("autumn", "umpire", "--staff"), "The staff cannot be umpire"),
        (("autumn", "crown"), "a user name, or --staff"),
        (("autumn", "crown", "carl", "--staff"), "a user name, or --staff"),
    ],
)
def test_giveseat_refuses_with_a_sentence(autumn, args, sentence):
    before = list(Seat.objects.order_by("pk").values())
    with pytest.raises(CommandError, match=sentence):
        run("giveseat", *args)
    assert list(Seat.objects.order_by("pk").values()) == before


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("--umpire", "anna", "--commander", "crown=anna"), "anna would have two seats"),
        (("--commander", "crown=anna", "--commander", "rebel=anna"), "anna would have two seats"),
        (("--commander", "crown=anna", "--commander", "crown=ben"), "names crown twice"),
    ],
)
def test_loadscenario_gives_a_person_one_seat_and_a_side_one_commander(args, sentence):
    for name in ("anna", "ben"):
        User.objects.create_user(name)
    with pytest.raises(CommandError, match=sentence):
        run("loadscenario", "saratoga-1777", *args)
    assert not Campaign.objects.exists()
