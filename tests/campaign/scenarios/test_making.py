"""A scenario made from the template: sound, its own, and good for a week of war."""

import io
from dataclasses import replace
from datetime import date
from itertools import pairwise
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from campaign.ai.commander import staff_orders
from campaign.models import Campaign
from campaign.rules.contact.contact import Contact, Settlement
from campaign.rules.day.play import play_campaign
from campaign.rules.world.markers import Boats, Bridge
from campaign.rules.world.world import UnitStatus, World
from campaign.scenarios import reading, theatres
from campaign.scenarios.making import scenario_new
from campaign.scenarios.reading import ScenarioError, read_scenario, scenario_list, scenario_path
from rosters.domain.dice import AddressedDice, DiceRoller


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A folder of one's own for scenarios, empty."""
    monkeypatch.setattr(reading.settings, "VAR_DIR", tmp_path, raising=False)
    yield tmp_path / "scenarios"
    theatres._read_theatre.cache_clear()


def run(*args: str) -> str:
    out = io.StringIO()
    call_command(*args, stdout=out)
    return out.getvalue()


def test_a_new_scenario_is_sound_and_bears_its_name(own: Path) -> None:
    folder = scenario_new("peninsula-1781", "The Peninsula")
    assert folder == own / "peninsula_1781"
    assert "peninsula-1781" in scenario_list()
    assert scenario_path("peninsula-1781") == folder
    found = read_scenario(folder)
    assert (found.theatre.id, found.theatre.title) == ("peninsula-1781", "The Peninsula")
    assert (folder / "SOURCES.md").read_text().startswith("# The Peninsula: sources")


@pytest.mark.parametrize("slug", ["", "Peninsula", "a_b", "../x", "-a", "a" * 81, "saratoga-1777"])
def test_a_name_that_will_not_do_makes_no_folder(own: Path, slug: str) -> None:
    with pytest.raises(ScenarioError):
        scenario_new(slug)
    assert not own.exists() or not list(own.iterdir())


def test_a_title_that_would_break_the_file_is_refused(own: Path) -> None:
    with pytest.raises(ScenarioError, match="without quotes"):
        scenario_new("peninsula-1781", 'The "Peninsula"')


def test_one_made_already_is_not_overwritten() -> None:
    folder = scenario_new("peninsula-1781")
    (folder / "SOURCES.md").write_text("mine")
    with pytest.raises(ScenarioError, match="already"):
        scenario_new("peninsula-1781")
    assert (folder / "SOURCES.md").read_text() == "mine"


def test_the_commands_make_it_and_tell_its_faults_with_file_row_and_what_to_do() -> None:
    assert "checkscenario peninsula-1781" in run("newscenario", "peninsula-1781", "--title", "Peninsula")
    told = run("checkscenario", "peninsula-1781")
    assert "The Red Army: 5 units of 360 points, of them 1 units of 100 points to come." in told
    assert "The scenario is sound." in told
    routes = scenario_path("peninsula-1781") / "routes.csv"
    routes.write_text(routes.read_text() + "hampton,richmond,road,60,wooded,none,yes,\n")
    row = len(routes.read_text().splitlines())
    with pytest.raises(CommandError, match=rf"routes\.csv, row {row}: b is “richmond”: there is no such"):
        run("checkscenario", "peninsula-1781")


def test_notes_in_tables_are_not_read_and_keep_the_count_of_rows() -> None:
    folder = scenario_new("peninsula-1781")
    units = folder / "units.csv"
    before = read_scenario(folder).world
    units.write_text(units.read_text() + '# a note, with commas, and "quotes"\n#another\n')
    assert read_scenario(folder).world == before
    units.write_text(units.read_text() + "bad,,,,,,,,,,,\n")
    with pytest.raises(ScenarioError, match=rf"units\.csv, row {len(units.read_text().splitlines())}:"):
        read_scenario(folder)


def _drawn(world: World, contact: Contact, dice: DiceRoller) -> Settlement:
    """A fight without losses that leaves the field to the defender."""
    return Settlement(contact.key, contact.defender)


def test_a_week_can_be_played_with_staffs_on_both_sides() -> None:
    world = read_scenario(scenario_new("peninsula-1781")).world
    dice = AddressedDice(secret=b"t" * 32, campaign="peninsula", revision=1, day=0)
    staffs = {side.id: lambda world, side, _: staff_orders(world, side) for side in world.theatre.sides}
    played = play_campaign(world, lambda day: replace(dice, day=day), staffs, _drawn, 1)
    assert (played.world.day, played.world.date) == (7, date(1781, 7, 8))
    assert played.world.units["red_reserve"].status is UnitStatus.PRESENT  # came on the 5th
    places = [{key: body.position for key, body in one.formations.items()} for one in played.mornings]
    assert any(before != after for before, after in pairwise(places))


@pytest.mark.django_db
def test_a_campaign_of_it_is_loaded_and_shown(client) -> None:
    run("newscenario", "peninsula-1781")
    run("loadscenario", "peninsula-1781", "--demo")
    campaign = Campaign.objects.get()
    client.force_login(campaign.seats.get(side="red").user)
    page = client.get(campaign.get_absolute_url()).content.decode()
    assert "geo/eastern-america.geojson" in page
    assert "surroundings" not in page


def test_crossings_broken_and_boats_lying_ready_hr_brg_01_hr_boa_01() -> None:
    folder = scenario_new("peninsula-1781")
    (folder / "broken.csv").write_text("a,b,kind,known_by\nhampton,half_way,road,blue\n")
    (folder / "boats.csv").write_text("place,side,men\nyorktown,red,400\n")
    assert read_scenario(folder).world.boats == {}  # nobody counts them
    head = folder / "scenario.toml"
    head.write_text(head.read_text().replace("[settings]", '[settings]\nboats = "counted"'))
    world = read_scenario(folder).world
    assert world.bridges == {"hampton--half_way--road": Bridge(day=0, known_by="blue")}
    assert world.boats == {"yorktown": Boats("red", 400)}


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        (
            "broken.csv",
            "a,b,kind,known_by\nhalf_way,hampton,road,\n",
            "row 2: there is no route of",
        ),
        (
            "broken.csv",
            "a,b,kind,known_by\nhalf_way,yorktown,road,\n",
            "row 2: there is no route of",
        ),
        ("broken.csv", "a,b,kind,known_by\nhampton,half_way,road,green\n", "there is no such side"),
        (
            "broken.csv",
            "a,b,kind,known_by\n" + 2 * "hampton,half_way,road,\n",
            "row 3: this crossing is",
        ),
        ("broken.csv", "a,b,kind\nhampton,half_way,road\n", "there is no column known_by"),
        ("boats.csv", "place,side,men\nrichmond,red,40\n", "there is no such place"),
        ("boats.csv", "place,side,men\nyorktown,red,0\n", "must be 1 or more"),
        ("boats.csv", "place,side,men\nyorktown,green,40\n", "there is no such side"),
        ("boats.csv", "place,side,men\n" + 2 * "yorktown,red,40\n", "row 3: yorktown is listed twice"),
        ("boats.csv", "place,side,men\nnew_kent,blue,40\n", "row 2: there is no port at new_kent"),
    ],
)
def test_what_lies_ready_must_fit_the_map(file: str, text: str, told: str) -> None:
    folder = scenario_new("peninsula-1781")
    (folder / file).write_text(text)
    with pytest.raises(ScenarioError, match=told):
        read_scenario(folder)


def test_a_base_map_that_is_not_there_is_refused_with_those_there_are() -> None:
    folder = scenario_new("peninsula-1781")
    head = folder / "scenario.toml"
    head.write_text(head.read_text().replace('# base_map = "upper-hudson"', 'base_map = "../atlas"'))
    with pytest.raises(ScenarioError, match=r"base_map is .*atlas.; choose one of eastern-america, middle-"):
        read_scenario(folder)


def test_all_faults_of_head_and_tables_are_told_at_once(own):
    folder = scenario_new("faulty")
    head = (folder / "scenario.toml").read_text()
    head = head.replace('recruitment = "off"', 'recrutment = "off"\nsupply = 3').replace(
        'title = "Faulty"', ""
    )
    (folder / "scenario.toml").write_text(head)
    places = (folder / "places.csv").read_text().splitlines()
    row = next(n for n, line in enumerate(places) if n and not line.startswith("#"))
    places[row] = places[row].replace(places[row].split(",")[2], "north", 1)
    (folder / "places.csv").write_text("\n".join(places))
    with pytest.raises(CommandError) as error:
        call_command("checkscenario", "faulty")
    told = str(error.value)
    assert "title is missing" in told and "Did you mean recruitment?" in told and "supply is 3" in told
    assert "lat is “north”; it must be a number of degrees, as 43.265 or -73.615 (west is negative)." in told
    assert "apart" not in told, "a place that lies nowhere makes no route too short"


def test_what_hides_other_faults_says_so(own):
    (scenario_new("faulty") / "weather.csv").unlink()
    with pytest.raises(CommandError, match="Mend these first"):
        call_command("checkscenario", "faulty")
