"""Scenarios in backups: another of the same name on the site that is restored takes no campaign's place."""

import io
import zipfile
from pathlib import Path

import pytest

from campaign.models import UploadedScenario
from campaign.scenarios import theatres
from campaign.scenarios.reading import SCENARIOS, own_scenarios, scenario_digest
from campaign.scenarios.uploaded import MARK
from campaign.services.backups.files import hash_folder_files, scenarios_back, scenarios_beside
from campaign.services.setup.campaigns import campaign_create
from campaign.services.setup.scenario_uploads import scenario_upload

pytestmark = pytest.mark.django_db
NAME = "stillwater_1777"


@pytest.fixture(autouse=True)
def var(tmp_path, settings) -> Path:
    settings.VAR_DIR = tmp_path / "var"
    theatres._read_theatre.cache_clear()
    yield settings.VAR_DIR
    theatres._read_theatre.cache_clear()


def packed(marsh: str = "") -> bytes:
    """Saratoga under another name; `marsh` renames one of its places."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for path in (SCENARIOS / "saratoga_1777").iterdir():
            if path.is_file():
                data = path.read_bytes().replace(b'"saratoga-1777"', b'"stillwater-1777"', 1)
                if marsh and path.name == "places.csv":
                    data = data.replace(b"Fort Anne", marsh.encode())
                archive.writestr(path.name, data)
    return stream.getvalue()


def put_up(person, marsh: str = "") -> Path:
    UploadedScenario.objects.all().delete()
    scenario_upload(data=packed(marsh), actor=person)
    return own_scenarios() / NAME


def kept_in_backup(work: Path) -> None:
    """The scenarios of this site as a backup unpacked in `work` has them."""
    for name, file in scenarios_beside().items():
        target = work / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.read_bytes())


def test_they_come_back_whole_and_a_second_time_nothing_happens(burgoyne, tmp_path, var):
    folder = put_up(burgoyne)
    was = hash_folder_files(folder)
    assert MARK in was and "scenario.toml" in was
    kept_in_backup(tmp_path / "work")
    folder.rename(tmp_path / "gone")
    assert scenarios_back(tmp_path / "work") == []
    assert hash_folder_files(folder) == was
    assert scenarios_back(tmp_path / "work") == []
    assert [path.name for path in own_scenarios().iterdir()] == [NAME]


def test_another_upload_of_the_name_makes_room_and_is_kept_by_its_digest(burgoyne, tmp_path, var):
    folder = put_up(burgoyne)
    campaign = campaign_create(scenario="stillwater-1777", slug="stillwater", actor=burgoyne)
    was = hash_folder_files(folder)
    kept_in_backup(tmp_path / "work")
    # the site on which it is restored has had another of that name
    other = put_up(burgoyne, "Fort Misery")
    theirs, digest = hash_folder_files(other), scenario_digest(other)
    assert theirs != was and digest != campaign.scenario_digest
    (note,) = scenarios_back(tmp_path / "work")
    assert note == f"The scenario {NAME} here was another than the backup's; it is {digest} now."
    assert hash_folder_files(folder) == was and hash_folder_files(own_scenarios() / digest) == theirs
    theatres._read_theatre.cache_clear()
    assert theatres.scenario_folder(campaign) == folder
    campaign.scenario_digest = digest  # one of an archive that was begun with the other
    assert theatres.scenario_folder(campaign) == own_scenarios() / digest


def test_files_that_are_no_sound_scenario_are_kept_aside(burgoyne, tmp_path, var):
    put_up(burgoyne)
    kept_in_backup(tmp_path / "work")
    (own_scenarios() / NAME / "places.csv").write_text("half of it")
    (note,) = scenarios_back(tmp_path / "work")
    (aside,) = own_scenarios().glob("_*")
    assert aside.name in note and (aside / "places.csv").read_text() == "half of it"
    assert "Fort Anne" in (own_scenarios() / NAME / "places.csv").read_text()


def test_a_machine_with_the_folder_of_another_upload_takes_that_of_the_database(burgoyne, var):
    """Where the backup was put back on another machine of the site."""
    folder = put_up(burgoyne)
    campaign = campaign_create(scenario="stillwater-1777", slug="stillwater", actor=burgoyne)
    was, row = hash_folder_files(folder), UploadedScenario.objects.get()
    put_up(burgoyne, "Fort Misery")
    UploadedScenario.objects.all().delete()
    row.pk = None
    row.save()
    theatres._read_theatre.cache_clear()
    assert theatres.scenario_folder(campaign) == folder
    assert hash_folder_files(folder) == was
