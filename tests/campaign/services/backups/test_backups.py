"""Backups: made while the site goes on, refused when damaged, and put back elsewhere as they were."""

import json
import os
import sqlite3
import subprocess
import sys
import time
import zipfile
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.management import CommandError, call_command
from django.utils import timezone

from campaign.models import AuditEntry, Job, User
from campaign.services.backups import backups
from campaign.services.backups.databases import database_read, database_write, tally_database
from campaign.services.backups.files import BackupRefused, backup_unpack, backup_write, backups_prune
from campaign.tasks import back_up
from tests.servers import copy_migrated_file

ROOT = Path(__file__).resolve().parents[4]


def manage(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command of the site whose folder this is, with the real settings."""
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env={
            "PATH": os.environ["PATH"],
            "NUMBA_DISABLE_JIT": "1",
            "AWI_VAR": str(folder),
            "DJANGO_SETTINGS_MODULE": "campaign.config.settings",
            **environment,
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
    )


def site(folder: Path, key: str) -> Path:
    folder.mkdir()
    (folder / "secret-key").write_text(key)
    return folder


def written(path: Path, **files: str) -> Path:
    """A backup with these files in it."""
    sources = {}
    for name, text in files.items():
        source = path.with_name(f"source-{name}")
        source.write_text(text)
        sources[name.replace("__", "/").replace("_", ".", 1)] = source
    backup_write(path, sources, {"migrations": [], "rows": {}, "heads": {}, "database": "database.jsonl"})
    return path


@pytest.mark.slow
def test_a_backup_is_restored_elsewhere_and_every_campaign_verifies_there(tmp_path):
    here, there = site(tmp_path / "here", "the key of here"), site(tmp_path / "there", "another key")
    copy_migrated_file(here / "db.sqlite3")
    made = manage(here, "playcampaign", "saratoga-1777", "--weeks", "1", "--slug", "saratoga")
    assert made.returncode == 0, made.stderr
    (here / "scenarios" / "abc123").mkdir(parents=True)
    (here / "scenarios" / "abc123" / "places.csv").write_text("id,name\n")
    told = manage(here, "backup")
    assert told.returncode == 0 and "read again and whole" in told.stdout, told.stderr
    [file] = (here / "backups").glob("campaign-*.zip")
    assert file.stat().st_mode & 0o777 == 0o600

    done = manage(there, "restore", str(file))
    assert done.returncode == 0, done.stderr
    head = backup_unpack(file, tmp_path / "look")["heads"]["saratoga"]
    assert f"saratoga: its chain ends with {head}." in done.stdout
    assert (there / "secret-key").read_text() == "the key of here"
    assert (there / "secret-key.before-restore").read_text() == "another key"
    assert (there / "scenarios" / "abc123" / "places.csv").read_text() == "id,name\n"
    proof = manage(there, "verifycampaign", "--all")
    assert proof.returncode == 0 and proof.stdout.startswith("saratoga: 7 days verified, 7 of them played")
    assert manage(there, "advanceday", "saratoga").returncode == 0

    refused = manage(there, "restore", str(file))
    assert refused.returncode == 1 and "This site has people or campaigns already" in refused.stderr
    again = manage(there, "restore", str(file), "--force")
    assert again.returncode == 0 and "What was here before is in" in again.stdout
    assert len(list((there / "backups").glob("before-restore-*.zip"))) == 1
    with sqlite3.connect(there / "db.sqlite3") as database:
        assert database.execute("SELECT MAX(day) FROM campaign_dayrecord").fetchone() == (7,)

    wanders = site(tmp_path / "wanders", "a third key")
    portable = manage(there, "backup", "--portable", "--folder", str(tmp_path / "out"))
    assert portable.returncode == 0, portable.stderr
    [file] = (tmp_path / "out").glob("campaign-*.zip")
    done = manage(wanders, "restore", str(file))
    assert done.returncode == 0, done.stderr
    proof = manage(wanders, "verifycampaign", "--all")
    assert proof.returncode == 0 and "saratoga: 7 days verified" in proof.stdout


@pytest.mark.django_db(transaction=True)
def test_what_administrators_did_is_put_back_and_not_noted_again(tmp_path):
    person = User.objects.create_user("keeper")
    kind = ContentType.objects.get_for_model(User)
    LogEntry.objects.create(
        user=person, content_type=kind, object_id="1", object_repr="x", action_flag=CHANGE
    )
    facts = database_write(tmp_path / "database.jsonl", tally_database)
    database_read(tmp_path / "database.jsonl")
    assert tally_database()["rows"] == facts["rows"]
    assert LogEntry.objects.count() == AuditEntry.objects.count() == 1


def test_what_was_written_is_unpacked_again(tmp_path):
    path = written(tmp_path / "b.zip", database_jsonl="{}\n", scenarios__abc__places_csv="id\n")
    manifest = backup_unpack(path, tmp_path / "out")
    assert (tmp_path / "out" / "database.jsonl").read_text() == "{}\n"
    assert (tmp_path / "out" / "scenarios" / "abc" / "places.csv").read_text() == "id\n"
    assert set(manifest["files"]) == {"database.jsonl", "scenarios/abc/places.csv"}
    assert sorted(path.parent.glob(".*.part")) == []


def altered(path: Path, name: str, data: str | None, as_name: str = "") -> Path:
    """The backup with one file in it changed, renamed, added or (None) taken out."""
    with zipfile.ZipFile(path) as archive:
        files = {each: archive.read(each) for each in archive.namelist()}
    files.pop(name, None)
    if data is not None:
        files[as_name or name] = data.encode()
    with zipfile.ZipFile(path, "w") as archive:
        for each, content in files.items():
            archive.writestr(each, content)
    return path


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("database.jsonl", "[]\n", "database.jsonl is not what was written"),
        ("database.jsonl", "{}\n{}\n", "database.jsonl has not the length it had"),
        ("database.jsonl", None, "does not hold the files it says it holds"),
        ("more", "x", "does not hold the files it says it holds"),
        ("manifest.json", None, "no backup, or a damaged one"),
        ("manifest.json", "{}", "no backup of a campaign site"),
        ("manifest.json", "no JSON", "no backup, or a damaged one"),
        ("manifest.json", '{"format": "campaign backup", "version": 9}', "made by a newer release"),
        ("manifest.json", '{"format": "campaign backup", "version": 1}', "no backup, or a damaged one"),
    ],
)
def test_a_damaged_backup_is_refused_with_what_is_wrong(tmp_path, name, data, said):
    path = altered(written(tmp_path / "b.zip", database_jsonl="{}\n"), name, data)
    with pytest.raises(BackupRefused, match=said):
        backup_unpack(path, tmp_path / "out")


@pytest.mark.parametrize("name", ["../database.jsonl", "/etc/passwd", "scenarios/../../x", "notes.txt"])
def test_a_backup_leads_out_of_no_folder(tmp_path, name):
    path = written(tmp_path / "b.zip", database_jsonl="{}\n")
    with zipfile.ZipFile(path) as archive:
        manifest = json.loads(archive.read("manifest.json"))
    manifest["files"] = {name: manifest["files"]["database.jsonl"]}
    altered(altered(path, "database.jsonl", "{}\n", name), "manifest.json", json.dumps(manifest))
    with pytest.raises(BackupRefused, match="no backup of ours"):
        backup_unpack(path, tmp_path / "out")
    assert not (tmp_path / "database.jsonl").exists()


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 cut", b"no zip at all"])
def test_a_file_that_is_none_is_refused(tmp_path, content):
    (tmp_path / "b.zip").write_bytes(content)
    with pytest.raises(BackupRefused, match="no backup, or a damaged one"):
        backup_unpack(tmp_path / "b.zip", tmp_path / "out")
    with pytest.raises(CommandError, match="There is no file"):
        call_command("restore", str(tmp_path / "none.zip"))


def test_a_newer_or_an_unlike_release_is_refused(tmp_path, db):
    facts = {"rows": {}, "heads": {}, "database": "database.jsonl"}
    source = tmp_path / "source"
    source.write_text("")
    for migrations, said in (
        (["campaign.9999_to_come"], "campaign.9999_to_come is not known here"),
        (["campaign.0001_initial"], "by the release that made it only"),
    ):
        path = tmp_path / "b.zip"
        backup_write(path, {"database.jsonl": source}, {**facts, "migrations": migrations})
        with pytest.raises(BackupRefused, match=said):
            backups.backup_restore(path=path)


def test_the_oldest_are_removed_and_what_is_not_ours_stays(tmp_path):
    names = [f"campaign-202611{day:02}T040000Z.zip" for day in (1, 2, 3, 4)]
    others = ["campaign-of-saratoga.zip", "before-restore-20261101T040000Z.zip", "notes.txt"]
    for name in (*names, *others):
        (tmp_path / name).touch()
    assert backups_prune(folder=tmp_path, keep=0) == []
    assert [file.name for file in backups_prune(folder=tmp_path, keep=2)] == names[:2]
    assert {file.name for file in tmp_path.iterdir()} == {*names[2:], *others}


def test_of_several_in_one_second_the_first_goes_first(tmp_path):
    names = [f"campaign-20261101T040000Z{number}.zip" for number in ("", "-2", "-10")]
    for name in names:
        (tmp_path / name).touch()
    assert [file.name for file in backups_prune(folder=tmp_path, keep=1)] == names[:2]


def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "folder").write_text("a file")
    with pytest.raises(BackupRefused, match="could not be written"):
        backup_write(tmp_path / "folder" / "b.zip", {}, {})


@pytest.mark.django_db(transaction=True)
def test_the_job_makes_one_and_removes_the_oldest(tmp_path, settings, monkeypatch):
    settings.BACKUP_DIR, settings.BACKUP_KEEP = tmp_path / "kept", 2
    monkeypatch.setattr(backups, "choose_dump_name", lambda portable: "database.jsonl")
    told = [backups.backup_job(None, lambda percent, note: None) for _ in range(3)]
    assert told[-1]["removed"] == 1 and told[-1]["bytes"] > 1000
    assert len(list((tmp_path / "kept").iterdir())) == 2
    backups._make_room(force=False)  # nobody is here yet


@pytest.mark.django_db
def test_beat_has_one_made_when_the_last_is_a_day_old(settings):
    first = backups.backup_ask_due()
    assert first is not None and first.kind == "backup"
    assert backups.backup_ask_due() is None, "asked for already"
    Job.objects.update(created_at=timezone.now() - timedelta(hours=23), key="backup/yesterday")
    assert backups.backup_ask_due() is None
    Job.objects.update(created_at=timezone.now() - timedelta(hours=24))
    settings.BACKUP_HOURS = 0
    assert backups.backup_ask_due() is None, "0 is never"
    settings.BACKUP_HOURS = 24
    assert backups.backup_ask_due() is not None
    asked = settings.CELERY_BEAT_SCHEDULE["back-up"]
    assert asked["task"] == back_up.name


def test_a_long_backup_keeps_its_job(settings):
    settings.JOB_LEASE_SECONDS = 0.03
    told = []
    with backups._report_while_writing(lambda percent, note: told.append(percent), "Writing"):
        deadline = time.monotonic() + 20
        while len(told) < 3 and time.monotonic() < deadline:
            time.sleep(0.01)
    assert told[0] == 5 and len(told) >= 3
