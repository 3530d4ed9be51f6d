"""Damaged and forged archives are refused whole, with a sentence, and nothing is written (HR-ARC-01).

All tests but the last run without a database, as `verifycampaign --archive` does.
"""

import hashlib
import json
import struct
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import OperationalError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from campaign.ledger.hash_chain import compute_digest
from campaign.models import Campaign
from campaign.scenarios.reading import scenario_path
from campaign.services.archive import imports, zip_files
from campaign.services.archive import schema as archive_schema
from campaign.services.archive.imports import campaign_import
from campaign.services.archive.schema import archive_open, archive_verify
from campaign.services.archive.zip_files import ArchiveRefused, archive_read
from campaign.services.proof.verifier import NotVerified, Verified
from tests.golden.test_archives import PRESENT

Files = dict[str, bytes]
Change = Callable[[Files], object]


with zipfile.ZipFile(PRESENT) as opened:
    SOUND: Files = {name: opened.read(name) for name in opened.namelist()}
NAMES = sorted(SOUND)
ANYWHERE = settings(
    deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


@pytest.fixture(autouse=True)
def unplayed(monkeypatch) -> None:
    """Days are not played again here, which takes seconds; what is wrong is found without."""
    monkeypatch.setattr(
        "campaign.services.proof.verifier.versions_now", lambda ruleset: {"campaign_rules": "others"}
    )


def packed(path: Path, files: Files) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return path


def forged(path: Path, files: Files, **facts: Any) -> Path:
    """The files with a manifest made to fit them, as whoever can read docs/archive.md could."""
    manifest = json.loads(SOUND["manifest.json"]) | facts
    del manifest["digest"]
    files = {name: data for name, data in files.items() if name != "manifest.json"}
    manifest["files"] = {
        name: {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()} for name, data in files.items()
    }
    manifest["digest"] = compute_digest(manifest)
    return packed(path, {"manifest.json": json.dumps(manifest).encode(), **files})


def open_verified(path: Path) -> Verified:
    return archive_verify(archive_open(path))


def test_the_sound_archive_is_taken(tmp_path):
    assert open_verified(PRESENT) == open_verified(forged(tmp_path / "a.zip", SOUND))


# --- damage by accident ---


@pytest.mark.parametrize("share", [0, 0.01, 0.3, 0.6, 0.9, 0.99, 0.9999])
def test_a_cut_zip(tmp_path, share):
    whole = PRESENT.read_bytes()
    (tmp_path / "a.zip").write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(ArchiveRefused, match="not a complete ZIP file") as caught:
        archive_read(tmp_path / "a.zip")
    assert caught.value.rule_id == "HR-ARC-01"


@pytest.mark.parametrize("name", NAMES)
def test_a_changed_byte_in_each_file(tmp_path, name):
    data = bytearray(SOUND[name] or b" ")  # a byte in a file that is empty is a byte too many
    data[len(data) // 2] ^= 1
    with pytest.raises(ArchiveRefused, match=name.replace(".", r"\.")) as caught:
        archive_read(packed(tmp_path / "a.zip", {**SOUND, name: bytes(data)}))
    assert "altered" in caught.value.message


@pytest.mark.parametrize("name", NAMES)
def test_each_file_missing(tmp_path, name):
    files = {key: data for key, data in SOUND.items() if key != name}
    with pytest.raises(ArchiveRefused, match=f"has no {name}|{name} is missing"):
        archive_read(packed(tmp_path / "a.zip", files))


@settings(ANYWHERE, max_examples=40)
@given(place=st.integers(0, PRESENT.stat().st_size - 1), bit=st.integers(0, 7))
def test_any_bit_turned_over_in_the_zip_is_refused_or_says_the_same(tmp_path, place, bit):
    data = bytearray(PRESENT.read_bytes())
    data[place] ^= 1 << bit
    (tmp_path / "a.zip").write_bytes(data)
    try:
        _, files = archive_read(tmp_path / "a.zip")
    except ArchiveRefused:
        return
    assert files == {name: content for name, content in SOUND.items() if name != "manifest.json"}


def test_no_file_or_no_zip(tmp_path):
    with pytest.raises(ArchiveRefused, match="There is no file"):
        archive_read(tmp_path / "a.zip")
    with pytest.raises(ArchiveRefused, match="cannot be read"):
        archive_read(tmp_path)
    (tmp_path / "a.zip").write_text("A letter.")
    with pytest.raises(ArchiveRefused, match="not a complete ZIP file"):
        archive_read(tmp_path / "a.zip")


@pytest.mark.parametrize(
    ("manifest", "says"),
    [
        (b"{", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "not a campaign archive"),
        (b'{"format": "sketch"}', "not a campaign archive"),
        (b'{"format": "awi-campaign-archive"}', "own digest"),
    ],
)
def test_another_manifest(tmp_path, manifest, says):
    with pytest.raises(ArchiveRefused, match=says):
        archive_read(packed(tmp_path / "a.zip", {**SOUND, "manifest.json": manifest}))


@pytest.mark.parametrize("schema", [0, -1, None, "1", True, 1.5, 99])
def test_another_schema(tmp_path, schema):
    with pytest.raises(ArchiveRefused, match="newer version" if schema == 99 else "schema"):
        archive_open(forged(tmp_path / "a.zip", SOUND, schema=schema))


# --- malice ---


@pytest.mark.parametrize("name", ["../out", "/etc/out", "a/../../out", "..\\out", "C:out"])
def test_names_that_lead_out_of_the_folder(tmp_path, name):
    with pytest.raises(ArchiveRefused, match="leads out"):
        archive_read(packed(tmp_path / "a.zip", {**SOUND, name: b"x"}))


def test_a_file_twice_a_folder_and_one_more_than_listed(tmp_path):
    with zipfile.ZipFile(packed(tmp_path / "a.zip", SOUND), "a") as archive, pytest.warns(UserWarning):
        archive.writestr("world.json", b"{}")
    with pytest.raises(ArchiveRefused, match="twice"):
        archive_read(tmp_path / "a.zip")
    with pytest.raises(ArchiveRefused, match="twice"):
        archive_read(packed(tmp_path / "b.zip", {**SOUND, "worlds\\00001.json": b""}))
    with pytest.raises(ArchiveRefused, match="not in its manifest"):
        archive_read(packed(tmp_path / "c.zip", {**SOUND, "note.txt": b"x"}))


@pytest.mark.parametrize("way", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_files_packed_in_another_way_are_refused_whole_or_broken(tmp_path, way):
    """Their readers have errors of their own, which were told as if the disk had failed."""
    for broken in (False, True):
        with zipfile.ZipFile(tmp_path / "a.zip", "w", way) as archive:
            archive.writestr("manifest.json", SOUND["manifest.json"])
        data = bytearray((tmp_path / "a.zip").read_bytes())
        if broken:
            data[60:90] = bytes(30)
            (tmp_path / "a.zip").write_bytes(data)
        with pytest.raises(ArchiveRefused, match=r"manifest\.json is packed in an unusual way"):
            archive_read(tmp_path / "a.zip")


def test_bombs_are_not_unpacked(tmp_path, monkeypatch):
    with pytest.raises(ArchiveRefused, match="unpacked"):
        archive_read(packed(tmp_path / "a.zip", {**SOUND, "zeros": bytes(16 * 2**20)}))
    monkeypatch.setattr(zip_files, "MOST_BYTES", 2**20)
    with pytest.raises(ArchiveRefused, match="more than 1 MiB"):
        archive_read(PRESENT)
    monkeypatch.setattr(zip_files, "MOST_FILES", 10)
    with pytest.raises(ArchiveRefused, match="10 at most"):
        archive_read(PRESENT)


def test_a_file_larger_than_it_announces(tmp_path):
    """The size in the directory is made small; what is unpacked stops there."""
    path = packed(tmp_path / "a.zip", {**SOUND, "zeros": bytes(16 * 2**20)})
    data = path.read_bytes()
    size = struct.pack("<I", 16 * 2**20)
    assert data.count(size) == 2
    path.write_bytes(data.replace(size, struct.pack("<I", 100)))
    with pytest.raises(ArchiveRefused):
        archive_read(path)


def edited(name: str, edit: Callable[[Any], object], line: int | None = None) -> Change:
    """A change of a JSON file, or of one of its lines."""

    def change(files: Files) -> None:
        if line is None:
            value = json.loads(files[name])
            edit(value)
            files[name] = json.dumps(value).encode()
        else:
            rows = [json.loads(row) for row in files[name].splitlines()]
            edit(rows[line])
            files[name] = b"".join(json.dumps(row).encode() + b"\n" for row in rows)

    return change


def without_line(name: str, line: int) -> Change:
    def change(files: Files) -> None:
        rows = files[name].splitlines(keepends=True)
        del rows[line]
        files[name] = b"".join(rows)

    return change


def die(row: dict[str, Any]) -> None:
    row["event"]["rolls"][0]["value"] = row["event"]["rolls"][0]["value"] % 6 + 1


def first_with_dice() -> int:
    rows = [json.loads(row) for row in SOUND["journal.jsonl"].splitlines()]
    return next(number for number, row in enumerate(rows) if row["event"]["rolls"])


FORGERIES: dict[str, Change] = {
    "another secret": edited("secret.json", lambda it: it.update(secret="00" * 32)),
    "no secret at all": edited("secret.json", lambda it: it.clear()),
    "another commitment": edited("campaign.json", lambda it: it.update(commitment="0" * 64)),
    "an earlier head": edited("campaign.json", lambda it: it.update(head=2)),
    "no head": edited("campaign.json", lambda it: it.update(head=None)),
    "a head that is not there": edited("campaign.json", lambda it: it.update(head=999)),
    "other orders": edited("records.jsonl", lambda it: it["inputs"].update(orders=[]), 1),
    "another reason": edited("records.jsonl", lambda it: it.update(reason="A whim."), 3),
    "another day": edited("records.jsonl", lambda it: it.update(day=7), 2),
    "another course": edited("records.jsonl", lambda it: it.update(revision=1), 3),
    "another parent": edited("records.jsonl", lambda it: it.update(parent=1), 5),
    "its own parent": edited("records.jsonl", lambda it: it.update(parent=5), 4),
    "other versions": edited("records.jsonl", lambda it: it.update(versions={}), 2),
    "another salt": edited("records.jsonl", lambda it: it.update(salt="00" * 32), 2),
    "another world's hash": edited("records.jsonl", lambda it: it.update(world_hash="0" * 64), 2),
    "a record less": without_line("records.jsonl", 6),
    "the last record less": without_line("records.jsonl", -1),
    "a die": edited("journal.jsonl", die, first_with_dice()),
    "an entry less": without_line("journal.jsonl", 9),
    "an entry for others": edited("journal.jsonl", lambda it: it["event"].update(sides=["rebel", "x"]), 3),
    "an entry of another day": edited("journal.jsonl", lambda it: it.update(day=99), 3),
    "an entry of no record": edited("journal.jsonl", lambda it: it.update(record=99), -1),
    "an entry in another campaign": edited("journal.jsonl", lambda it: it["event"].update(campaign_id=1), 0),
    "an entry in place of another": edited("journal.jsonl", lambda it: it["event"].update(id=1), 0),
    "an entry that says more": edited("journal.jsonl", lambda it: it["event"].update(nobody="knows"), 3),
    "an event without kind": edited("journal.jsonl", lambda it: it["event"].pop("kind"), 3),
    "a world": edited("worlds/00003.json", lambda it: it["units"][0].update(points=1)),
    "a world that is none": edited("worlds/00003.json", lambda it: it.pop("units")),
    "the world as it stands": edited("world.json", lambda it: it["units"][0].update(points=1)),
    "a result": edited("battles.jsonl", lambda it: it["settlement"].update(minutes=1), 0),
    "a battle less": without_line("battles.jsonl", 0),
    "a shorter way": lambda files: files.update(
        {"scenario/routes.csv": files["scenario/routes.csv"].replace(b",track,", b",road,")}
    ),
    "a map that is none": lambda files: files.update({"scenario/places.csv": b"\xff\xfe"}),
    "no scenario": lambda files: [files.pop(name) for name in NAMES if name.startswith("scenario/")],
    "no records": lambda files: files.update({"records.jsonl": b""}),
    "a campaign that is a list": lambda files: files.update({"campaign.json": b"[]"}),
    "brackets without end": lambda files: files.update({"world.json": b"[" * 100_000}),
}


@pytest.mark.parametrize("change", FORGERIES.values(), ids=FORGERIES)
def test_a_forgery_with_a_manifest_that_fits(tmp_path, change):
    files = dict(SOUND)
    change(files)
    assert files != SOUND
    with pytest.raises((ArchiveRefused, NotVerified)) as caught:
        open_verified(forged(tmp_path / "a.zip", files))
    assert str(caught.value).endswith((".", ")"))
    with pytest.raises(CommandError):
        call_command("verifycampaign", "--archive", str(tmp_path / "a.zip"))


def test_a_manifest_with_characters_nobody_can_keep(tmp_path):
    for odd in ("a\0b", "\ud800"):
        data = json.dumps(json.loads(SOUND["manifest.json"]) | {"title": odd}).encode()
        with pytest.raises(ArchiveRefused, match="characters that cannot be kept"):
            archive_read(packed(tmp_path / "a.zip", {**SOUND, "manifest.json": data}))


@pytest.mark.parametrize("fact", ["head", "world", "commitment", "day"])
def test_a_manifest_that_tells_of_another_campaign(tmp_path, fact):
    with pytest.raises(ArchiveRefused, match="another campaign"):
        open_verified(forged(tmp_path / "a.zip", SOUND, **{fact: "0" * 64}))


@settings(ANYWHERE, max_examples=25)
@given(name=st.sampled_from([n for n in NAMES if n != "manifest.json" and SOUND[n]]), data=st.data())
def test_any_byte_of_any_file_changed_is_verified_or_refused(tmp_path, name, data):
    """Nothing but the two refusals comes out, whatever stands in the files."""
    content = bytearray(SOUND[name])
    content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path = forged(tmp_path / "a.zip", {**SOUND, name: bytes(content)})
    with suppress(ArchiveRefused, NotVerified):
        assert open_verified(path).days


@pytest.mark.parametrize(
    ("was", "now"), [(b'"auto_raise_units":', b'">uto_raise_units":'), (b'"no_loss"', b'">o_loss"')]
)
def test_a_setting_of_a_stored_world_that_cannot_be_names_its_day(tmp_path, was, now):
    name = next(each for each in sorted(SOUND) if each.startswith("worlds/") and was in SOUND[each])
    with pytest.raises(NotVerified, match=r"^Day \d+: .*(uto_raise_units|o_loss)"):
        open_verified(forged(tmp_path / "a.zip", {**SOUND, name: SOUND[name].replace(was, now, 1)}))


def test_older_schemas_are_brought_up_step_by_step(monkeypatch):
    """As if two schemas had come since this archive: both migrations run, in their order."""
    calls = []

    def first(files: Files) -> Files:
        calls.append(1)
        return {**files, "kept.json": files["campaign.json"]}

    def second(files: Files) -> Files:
        calls.append(2)
        return {name: data for name, data in files.items() if name != "kept.json"}

    now = archive_schema.SCHEMA
    monkeypatch.setattr(archive_schema, "SCHEMA", now + 2)
    monkeypatch.setattr(archive_schema, "MIGRATIONS", {now: first, now + 1: second})
    assert open_verified(PRESENT).days and calls == [1, 2]
    monkeypatch.setattr(archive_schema, "MIGRATIONS", {now: first, now + 1: lambda files: files["gone"]})
    with pytest.raises(ArchiveRefused, match="does not say what it must"):
        archive_open(PRESENT)


# --- with a database ---

UNWRITABLE: dict[str, Change] = {
    "a title too large for its row": edited("campaign.json", lambda it: it.update(day=10**30)),
    "another course": edited("campaign.json", lambda it: it.update(revision=7)),
    "other dice": edited("campaign.json", lambda it: it.update(dice_revision=7)),
    "a deadline that is none": edited("papers.jsonl", lambda it: it.update(submitted_at="soon"), 0),
    "a paper of nothing": edited("papers.jsonl", lambda it: it.update(day=None), 0),
    "a seat twice": edited("seats.jsonl", lambda it: it.update(role="umpire", side=""), 1),
    "a provisional day without its world": lambda files: files.pop("provisional/00001.json"),
    "no sides": lambda files: files.update({"order_of_battle/sides.csv": b"slug,name,colour\n"}),
    **{name: FORGERIES[name] for name in ("a die", "the world as it stands", "another secret")},
    **{name: FORGERIES[name] for name in ("an entry in another campaign", "an entry in place of another")},
}


@pytest.mark.django_db
@pytest.mark.parametrize("change", UNWRITABLE.values(), ids=UNWRITABLE)
def test_a_refused_archive_writes_nothing(tmp_path, change, settings, monkeypatch):
    settings.VAR_DIR = tmp_path / "var"
    files = dict(SOUND)
    change(files)
    with pytest.raises((ArchiveRefused, NotVerified)):
        campaign_import(path=forged(tmp_path / "a.zip", files))
    with pytest.raises(CommandError):
        call_command("importcampaign", str(tmp_path / "a.zip"))
    for app in ("campaign", "rosters"):
        for model in apps.get_app_config(app).get_models():
            assert not model._default_manager.exists(), model
    assert not settings.VAR_DIR.exists()


@pytest.mark.django_db
def test_a_refused_archive_keeps_no_scenario(tmp_path, settings, monkeypatch):
    """Where the installed scenario is another, the archive's is kept; but not of one that is refused."""
    settings.VAR_DIR = tmp_path / "var"
    monkeypatch.setattr(
        "campaign.scenarios.theatres.scenario_path", lambda slug: scenario_path(f"{slug}-gone")
    )
    files = dict(SOUND)
    UNWRITABLE["no sides"](files)
    with pytest.raises(ArchiveRefused):
        campaign_import(path=forged(tmp_path / "a.zip", files))
    assert not list((tmp_path / "var" / "scenarios").iterdir())
    campaign_import(path=PRESENT)
    (kept,) = (tmp_path / "var" / "scenarios").iterdir()
    assert (kept / "places.csv").is_file()


@pytest.mark.django_db
def test_a_database_that_is_away_for_a_moment_says_nothing_of_the_archive(tmp_path, settings, monkeypatch):
    """It is no refusal, which would be the last word: the same may be taken the next moment."""
    settings.VAR_DIR = tmp_path / "var"

    def away(campaign: Campaign) -> None:
        raise OperationalError("The line was cut.")

    with monkeypatch.context() as patch:
        patch.setattr(imports, "_verify_rows_match_head", away)
        with pytest.raises(OperationalError, match="was cut"):
            campaign_import(path=PRESENT)
    assert not Campaign.objects.exists()
    assert campaign_import(path=PRESENT).campaign.head is not None
