"""Scenarios as zips: content is judged, not packing, and a refusal names the real cause with its cure."""

from pathlib import Path

import pytest

from campaign.models import User
from campaign.scenarios.packing import files_of, scenario_unzip, scenario_zip
from campaign.scenarios.problems import ScenarioError
from campaign.services.setup.scenario_uploads import ScenarioRefused, scenario_upload

INPUTS = Path(__file__).parents[2] / "inputs" / "scenarios"
SOUND = scenario_unzip((INPUTS / "01-powershell-backslash.zip").read_bytes())


def refusal(files: dict[str, bytes]) -> str:
    with pytest.raises(ScenarioError) as refused:
        scenario_unzip(scenario_zip(files))
    return str(refused.value)


def files_without(name: str, **more: bytes) -> dict[str, bytes]:
    return {each: data for each, data in SOUND.items() if each != name} | more


@pytest.mark.parametrize(
    "rename", [str.upper, str.title, "my war/war/{}".format], ids=["UPPER", "Title", "folders"]
)
def test_capitals_and_folders_around_a_scenario_are_no_matter(rename):
    assert scenario_unzip(scenario_zip({rename(name): data for name, data in SOUND.items()})) == SOUND


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        (
            files_without("places.csv", **{"places.xlsx": b"PK"}),
            "places.csv: the file is missing; save places.xlsx as CSV UTF-8.",
        ),
        (
            files_without("scenario.toml", **{"scenario.toml.txt": b"x"}),
            "scenario.toml: the file is missing; rename scenario.toml.txt.",
        ),
        (
            {"war.zip": scenario_zip(SOUND), "readme.txt": b"x"},
            "scenario.toml: the file is missing; unpack war.zip and choose its files.",
        ),
        (
            SOUND | {f"old/{name}": data for name, data in SOUND.items()},
            "old/flows.csv: it lies in a folder; pack the files of one scenario side by side, alone.",
        ),
        (
            files_without("places.csv", **{"places.csv": b"PK\x03\x04 xl/workbook.xml \0"}),
            "places.csv: it is a workbook (XLSX), not CSV; save the sheet as CSV UTF-8.",
        ),
        (
            SOUND | {"Places.csv": b"x"},
            "the zip: it holds 'places.csv' twice, in other letters; pack the folder again.",
        ),
    ],
    ids=[
        "a workbook for a table",
        "txt behind its name",
        "zip in zip",
        "an old copy",
        "XLSX in CSV",
        "twice",
    ],
)
def test_what_lies_there_as_something_else_is_named_with_the_cure(files, sentence):
    assert refusal(files) == sentence


def change(name: str, old: str, new: str, times: int = 1) -> dict[str, bytes]:
    text = SOUND[name].decode("utf-8-sig")
    assert old in text
    return SOUND | {name: text.replace(old, new, times).encode()}


CAPITALS = "HAMPTON,Two,37.1,-76.4,town,farmland,none,none,red,"
OUTSIDE = "places.csv, row 5: {} lies outside the base map eastern-america"
FORM = "it must be a number of degrees, as 43.265 or -73.615 (west is negative)."


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("files", "first"),
    [
        (
            change("places.csv", "37.027,-76.345", "-76.345,37.027"),
            OUTSIDE.format("-76.345, 37.027")
            + ": latitude and longitude are swapped; write 37.027, -76.345.",
        ),
        (
            change("places.csv", "37.027,-76.345", "0,0"),
            OUTSIDE.format("0, 0") + " (30 to 47.6 north, 63 to 86 west); correct it or choose another map.",
        ),
        (
            change("places.csv", "37.027,-76.345", "37027,-76345"),
            "places.csv, row 5: 37027, -76345 is not a place on earth; "
            "give degrees with their decimal point, as 43.265.",
        ),
        (change("places.csv", "37.027,", "37.027N,"), f"places.csv, row 5: lat is “37.027N”; {FORM}"),
        (
            change("places.csv", "\nyorktown,", f"\n{CAPITALS}\nyorktown,"),
            "places.csv, row 6: id “HAMPTON” is in row 5 with other capitals; make it another.",
        ),
        (
            change("units.csv", "red_foot_1,", ",Total,,,,650,,,,,,\nred_foot_1,"),
            "units.csv, row 5: id is empty; fill it in, or remove the row if it is a total or a heading.",
        ),
        (
            change("scenario.toml", 'title = "', "title = \u201c"),
            'scenario.toml, row 3: curly quotation marks stand around a text; use straight ones (").',
        ),
        (
            change("scenario.toml", "start = 1781-07-01", "start = 01.07.1781"),
            "scenario.toml, row 4: write dates as 1776-12-08.",
        ),
        (
            change("scenario.toml", "title = ", "title: "),
            'scenario.toml, row 3: a name needs = and a value behind it, as title = "Club war".',
        ),
        (
            change("scenario.toml", "[holders]", "[holders]\n[holders]"),
            "scenario.toml, row 21: this name stands there twice; keep one.",
        ),
    ],
)  # fmt: skip
def test_the_first_fault_told_is_the_real_one(files, first, settings, tmp_path):
    """A place at the wrong end of the world made routes too short, and only they were told."""
    settings.VAR_DIR = tmp_path
    with pytest.raises(ScenarioRefused) as refused:
        scenario_upload(data=scenario_zip(files), actor=User.objects.create_superuser("keeper"))
    assert str(refused.value.problems[0]) == first


@pytest.mark.django_db
def test_what_spreadsheets_write_for_a_minus_and_for_yes_is_read(settings, tmp_path):
    settings.VAR_DIR = tmp_path
    places = change("places.csv", ",-7", ",\N{MINUS SIGN}7", 9)["places.csv"]
    routes = change("routes.csv", ",yes", ",TRUE", 9)["routes.csv"]
    files = SOUND | {"places.csv": places, "routes.csv": routes}
    found = scenario_upload(data=scenario_zip(files), actor=User.objects.create_superuser("keeper"))
    kept = files_of(tmp_path / "scenarios" / found.slug.replace("-", "_"))
    assert kept["places.csv"] == places
