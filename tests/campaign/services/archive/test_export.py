"""Archives: out, into an empty database and out again; what is refused is refused whole (HR-ARC-01)."""

import io
import json
import shutil
import zipfile
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.utils import timezone

from campaign.ledger.world_rows import world_load
from campaign.models import (
    Battle,
    Campaign,
    DayRecord,
    JournalEntry,
    KeptScenario,
    OrderPaper,
    ProvisionalDay,
    RowDigest,
    Seat,
    User,
)
from campaign.rules.errors import RuleViolation
from campaign.rules.world.world_json import world_hash
from campaign.scenarios import theatres
from campaign.scenarios.packing import files_of
from campaign.scenarios.reading import scenario_path
from campaign.scenarios.theatres import ScenarioChanged
from campaign.services.archive import imports
from campaign.services.archive.export import TABLES, UNTOLD, campaign_export
from campaign.services.archive.imports import campaign_import
from campaign.services.archive.schema import archive_open, archive_verify
from campaign.services.archive.zip_files import ArchiveRefused
from campaign.services.battles.settlement import battle_settle_by_word
from campaign.services.proof.database import campaign_verify
from campaign.services.proof.verifier import NotVerified
from campaign.services.turns.days import day_advance
from campaign.services.turns.rewind import campaign_rewind
from rosters.models import Leader, OrderOfBattle, Side
from tests.factories.chronicle import SECRET, chronicle

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign(db) -> Campaign:
    return chronicle()


def emptied() -> None:
    """A database without campaigns and people."""
    Campaign.objects.update(head=None)
    Battle.objects.all().delete()
    DayRecord.objects.order_by("-pk").update(parent=None)
    books = list(OrderOfBattle.objects.values_list("pk", flat=True))
    Campaign.objects.all().delete()
    for book in OrderOfBattle.objects.filter(pk__in=books):
        book.units.all().delete()
        book.delete()
    User.objects.all().delete()


def unzipped(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_out_and_into_an_empty_database_the_final_hash_is_the_same_hr_arc_01(campaign, tmp_path):
    head, world = campaign.head.record_hash, world_hash(world_load(campaign))
    before = campaign_verify(campaign=campaign)
    leaders, sides = Leader.objects.count(), list(Side.objects.values_list("slug", "name", "colour"))
    assert campaign_export(campaign=campaign, path=tmp_path / "a.zip", with_secret=True)
    emptied()
    done = campaign_import(path=tmp_path / "a.zip")
    there = Campaign.objects.get(slug="saratoga")
    assert done.campaign == there
    assert (there.head.record_hash, world_hash(world_load(there))) == (head, world)
    # persons stay behind, so of what they wrote the author is not known there
    assert campaign_verify(campaign=there) == done.verified and done.verified.unnamed > 0
    assert replace(done.verified, unnamed=0) == before
    assert before.superseded == 2 and before.replayed == before.days > 8
    assert (Leader.objects.count(), list(Side.objects.values_list("slug", "name", "colour"))) == (
        leaders,
        sides,
    )
    assert not User.objects.exists()


def test_what_is_imported_is_exported_alike(campaign, tmp_path):
    campaign_export(campaign=campaign, path=tmp_path / "a.zip", with_secret=True)
    emptied()
    campaign_import(path=tmp_path / "a.zip")
    campaign_export(campaign=Campaign.objects.get(), path=tmp_path / "b.zip", with_secret=True)
    first, second = unzipped(tmp_path / "a.zip"), unzipped(tmp_path / "b.zip")
    differing = {name for name in first.keys() | second.keys() if first.get(name) != second.get(name)}
    # Who wrote what is told by seat, and the seats are empty now.
    assert differing <= {
        "manifest.json",
        "records.jsonl",
        "papers.jsonl",
        "battles.jsonl",
        "provisional.jsonl",
    }
    for name in differing - {"manifest.json"}:
        told, again = (
            [json.loads(line) | {"by": "", "opened_at": ""} for line in files[name].splitlines()]
            for files in (first, second)
        )
        assert told == again, name


def test_an_imported_campaign_plays_on_with_the_same_dice(campaign, tmp_path):
    campaign_export(campaign=campaign, path=tmp_path / "a.zip", with_secret=True)

    def play_on() -> tuple[str, str]:
        going = Campaign.objects.get()
        fight = Battle.objects.get(state=Battle.State.WAITING)
        battle_settle_by_word(
            battle=fight, field_held_by="rebel", percent_lost={"crown": 20, "rebel": 10}, actor=None
        )
        while going.day < 15:
            records = day_advance(campaign=going, actor=None).records
            going.refresh_from_db()
        assert campaign_verify(campaign=going).days == 15
        return records[-1].world_hash, records[-1].events_hash  # the chain has moments and authors of its own

    there = play_on()
    emptied()
    campaign_import(path=tmp_path / "a.zip")
    for seat in Seat.objects.filter(role="commander"):  # else the staff would give orders
        seat.user = User.objects.create_user(seat.side)
        seat.save()
    assert play_on() == there


def test_an_imported_campaign_can_go_back_and_keeps_whose_papers_they_were(campaign, tmp_path):
    campaign_export(campaign=campaign, path=tmp_path / "a.zip", with_secret=True)
    seals = set(OrderPaper.objects.values_list("day", "formation", "version", "author"))
    receipts = {paper.seal for paper in OrderPaper.objects.all()}
    emptied()
    there = campaign_import(path=tmp_path / "a.zip").campaign
    assert set(OrderPaper.objects.values_list("day", "formation", "version", "author")) == seals
    assert {paper.seal for paper in OrderPaper.objects.all()} == receipts
    start = there.records.get(kind="start")
    campaign_rewind(campaign=there, record=start, reason="Again.", actor=None)
    assert OrderPaper.objects.filter(state=OrderPaper.State.STANDING, author="commander").exists()
    there.refresh_from_db()
    assert campaign_verify(campaign=there).superseded > 10


def test_the_deadline_is_left_out_and_the_seats_are_empty(campaign, tmp_path):
    Campaign.objects.update(deadline="2026-01-01T12:00:00Z", advance_at_deadline=True)
    campaign_export(campaign=campaign, path=tmp_path / "a.zip", with_secret=True)
    emptied()
    there = campaign_import(path=tmp_path / "a.zip").campaign
    assert there.deadline is None and there.advance_at_deadline
    assert list(there.seats.order_by("pk").values_list("role", "side", "title", "user")) == [
        ("umpire", "", "The umpire", None),
        ("commander", "crown", "Lieutenant General Burgoyne", None),
        ("commander", "rebel", "Major General Gates", None),
    ]


def test_seats_come_with_their_dates_their_deputies_and_battles_hr_set_07(campaign, tmp_path):
    command = Seat.objects.filter(campaign=campaign, role="commander").first()
    seats = [
        Seat(campaign=campaign, role="deputy", side=command.side, title="Deputy", stands_for=command),
        Seat(campaign=campaign, role="spectator", title="Looker-on", from_day=3, until_day=9),
    ]
    if battle := campaign.battles.first():
        guest = Seat(campaign=campaign, role="guest", side=battle.attacker, title="Guest", battle=battle)
        seats.append(guest)
    Seat.objects.bulk_create(seats)
    campaign_export(campaign=campaign, path=tmp_path / "a.zip", with_secret=True)
    again = campaign_import(path=tmp_path / "a.zip", slug="again").campaign
    came = {seat.title: seat for seat in again.seats.all()}
    assert came["Deputy"].stands_for == again.seats.get(role="commander", side=command.side)
    assert (came["Looker-on"].from_day, came["Looker-on"].until_day) == (3, 9)
    if battle:
        assert came["Guest"].battle.contact == battle.contact and came["Guest"].battle.campaign == again


def test_imported_twice_is_refused_and_another_name_is_taken_hr_set_02(campaign, tmp_path):
    campaign_export(campaign=campaign, path=tmp_path / "a.zip", with_secret=True)
    with pytest.raises(RuleViolation, match="already") as caught:
        campaign_import(path=tmp_path / "a.zip")
    assert caught.value.rule_id == "HR-SET-02"
    other = campaign_import(path=tmp_path / "a.zip", slug="saratoga-again").campaign
    assert replace(campaign_verify(campaign=other), unnamed=0) == campaign_verify(campaign=campaign)
    with pytest.raises(RuleViolation, match="no address"):
        campaign_import(path=tmp_path / "a.zip", slug="../x")


def test_the_secret_stays_behind_until_the_end_or_a_backup_hr_prf_02(campaign, tmp_path):
    assert not campaign_export(campaign=campaign, path=tmp_path / "sealed.zip")
    files = unzipped(tmp_path / "sealed.zip")
    assert "secret.json" not in files
    assert all(SECRET.hex().encode() not in data and SECRET not in data for data in files.values())
    assert json.loads(files["manifest.json"])["secret"] is False
    verified = archive_verify(archive_open(tmp_path / "sealed.zip"))
    assert verified.sealed and verified.replayed == 0 and verified.days == campaign.day
    count = Campaign.objects.count()
    with pytest.raises(ArchiveRefused, match="does not hold the secret"):
        campaign_import(path=tmp_path / "sealed.zip", slug="other")
    assert Campaign.objects.count() == count

    campaign_export(campaign=campaign, path=tmp_path / "backup.zip", with_secret=True)
    assert (tmp_path / "backup.zip").stat().st_mode & 0o077 == 0
    manifest = json.loads(unzipped(tmp_path / "backup.zip")["manifest.json"])
    assert manifest["secret"] is True and manifest["secret_says"].startswith("A backup")

    Campaign.objects.update(state=Campaign.State.ENDED)
    campaign.refresh_from_db()
    assert not campaign_export(campaign=campaign, path=tmp_path / "today.zip"), "the end can still be undone"
    DayRecord.objects.update(created_at=timezone.now() - timedelta(days=1))
    assert campaign_export(campaign=campaign, path=tmp_path / "ended.zip")
    assert json.loads(unzipped(tmp_path / "ended.zip")["secret.json"]) == {"secret": SECRET.hex()}


def test_no_personal_data_is_in_an_archive(campaign, tmp_path):
    User.objects.filter(username="burgoyne").update(
        first_name="Johnny", last_name="Zzyzx", email="jb@zzyzx.example", username="zzyzx"
    )
    campaign_export(campaign=campaign, path=tmp_path / "a.zip", with_secret=True)
    for name, data in unzipped(tmp_path / "a.zip").items():
        assert b"zzyzx" not in data.lower() and b"Johnny" not in data, name
    papers = [json.loads(line) for line in unzipped(tmp_path / "a.zip")["papers.jsonl"].splitlines()]
    assert {paper["by"] for paper in papers} == {"Lieutenant General Burgoyne", "Major General Gates"}


def test_exporting_twice_gives_the_same_bytes_and_overwrites_nothing(campaign, tmp_path):
    campaign_export(campaign=campaign, path=tmp_path / "a.zip")
    campaign_export(campaign=campaign, path=tmp_path / "b.zip")
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    with pytest.raises(ArchiveRefused, match="exists already"):
        campaign_export(campaign=campaign, path=tmp_path / "a.zip")
    with pytest.raises(ArchiveRefused, match="cannot be written"):
        campaign_export(campaign=campaign, path=tmp_path / "nowhere" / "a.zip")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.zip", "b.zip"]


def test_another_scenario_installed_the_archives_own_is_kept(campaign, tmp_path, settings, monkeypatch):
    """The archive stands alone: with the installed scenario altered or gone it plays on with its own."""
    campaign_export(campaign=campaign, path=tmp_path / "a.zip", with_secret=True)
    settings.VAR_DIR = tmp_path
    monkeypatch.setattr("campaign.scenarios.theatres.scenario_path", gone)
    there = campaign_import(path=tmp_path / "a.zip", slug="kept").campaign
    kept = tmp_path / "scenarios" / there.scenario_digest
    assert (kept / "scenario.toml").is_file()
    campaign_verify(campaign=there)
    leaders = kept / "leaders.csv"  # which no replay depends on, so no digest covers it
    leaders.write_bytes(leaders.read_bytes().replace(b"Burgoyne", b"J. Burgoyne"))
    campaign_export(campaign=there, path=tmp_path / "b.zip", with_secret=True)
    places = kept / "places.csv"
    places.write_bytes(places.read_bytes().replace(b",control,", b",once_called_otherwise,", 1))
    theatres._read_kept_theatre.cache_clear()
    with pytest.raises(ScenarioChanged, match="under another name"):
        campaign_verify(campaign=there)
    places.unlink()
    campaign_import(path=tmp_path / "b.zip", slug="kept-again")
    row = KeptScenario.objects.get(digest=there.scenario_digest)
    with zipfile.ZipFile(io.BytesIO(row.data)) as files:  # as the folder was renewed, so is the row
        assert {name: files.read(name) for name in files.namelist()} == files_of(kept)
    assert campaign_verify(campaign=there).days == campaign.day
    routes = kept / "routes.csv"
    routes.write_bytes(routes.read_bytes().replace(b",track,", b",road,"))
    theatres._read_kept_theatre.cache_clear()
    with pytest.raises(ScenarioChanged, match="not those that were kept"):
        campaign_verify(campaign=there)


def test_imports_of_one_scenario_do_not_take_its_folder_from_each_other(
    campaign, tmp_path, settings, monkeypatch
):
    campaign_export(campaign=campaign, path=tmp_path / "a.zip", with_secret=True)
    settings.VAR_DIR = tmp_path
    monkeypatch.setattr("campaign.scenarios.theatres.scenario_path", gone)
    written = imports._verify_rows_match_head

    def taken_away(imported: Campaign) -> None:
        """Another import, refused, had made the folder and clears it up."""
        written(imported)
        shutil.rmtree(tmp_path / "scenarios" / imported.scenario_digest)

    with monkeypatch.context() as patch:
        patch.setattr(imports, "_verify_rows_match_head", taken_away)
        there = campaign_import(path=tmp_path / "a.zip", slug="one").campaign
    kept = tmp_path / "scenarios" / there.scenario_digest
    assert (kept / "scenario.toml").is_file()

    def broken(imported: Campaign) -> None:
        raise NotVerified(0, "No.")

    with monkeypatch.context() as patch:
        patch.setattr(imports, "_verify_rows_match_head", broken)
        with pytest.raises(NotVerified):
            campaign_import(path=tmp_path / "a.zip", slug="two")
    assert [each.name for each in (tmp_path / "scenarios").iterdir()] == [there.scenario_digest]


def gone(slug: str) -> Path:
    return scenario_path(f"{slug}-gone")


def test_the_commands(campaign, tmp_path):
    out = io.StringIO()
    call_command("exportcampaign", "saratoga", str(tmp_path / "a.zip"), "--with-secret", stdout=out)
    assert "with the secret" in out.getvalue()
    call_command("verifycampaign", "--archive", str(tmp_path / "a.zip"), stdout=out)
    assert f"{campaign.day} days verified, {campaign.day} of them played again" in out.getvalue()
    call_command("importcampaign", str(tmp_path / "a.zip"), "--slug", "again", stdout=out)
    assert "Campaign again" in out.getvalue()
    call_command("verifycampaign", "again", stdout=out)
    with pytest.raises(CommandError, match="already"):
        call_command("importcampaign", str(tmp_path / "a.zip"))
    with pytest.raises(CommandError, match="no campaign nowhere"):
        call_command("exportcampaign", "nowhere", str(tmp_path / "b.zip"))
    with pytest.raises(CommandError, match="no side french"):
        call_command("exportcampaign", "saratoga", str(tmp_path / "b.zip"), "--side", "french")
    with pytest.raises(CommandError, match="Name a campaign"):
        call_command("verifycampaign")


def test_a_sides_journal_by_command(campaign, tmp_path):
    out = io.StringIO()
    call_command("exportcampaign", "saratoga", str(tmp_path / "crown.json"), "--side", "crown", stdout=out)
    call_command("verifycampaign", "--archive", str(tmp_path / "crown.json"), stdout=out)
    told = JournalEntry.objects.filter(sides__contains="|crown|").count()
    assert f"{told} entries of crown stand in the chain" in out.getvalue()


#: Models of a campaign that an archive leaves out: what the world holds, and what is of this place only.
LEFT_OUT = {
    "Station", "Holding", "Marker", "Job", "Notice", "Tenure", "Visit", "Invitation", "Letter", "PaperCount",
    "AuditEntry", "Fault", "Restoration",
}  # fmt: skip


def test_every_table_of_a_campaign_is_archived_or_left_out_on_purpose():
    """A new model shows here: put it into the archive, or say why not."""
    others = (Seat, DayRecord, JournalEntry, ProvisionalDay, RowDigest)
    held = {model.__name__ for model in (*TABLES.values(), *others)}
    linked = {
        model.__name__
        for model in apps.get_app_config("campaign").get_models()
        if any(field.related_model is Campaign for field in model._meta.concrete_fields)
    }
    assert held | LEFT_OUT == linked and not held & LEFT_OUT
    books = {model.__name__ for model in apps.get_app_config("rosters").get_models()}
    for model, untold in UNTOLD.items():  # keys of rows mean nothing elsewhere
        assert {field.name for field in model._meta.concrete_fields if field.is_relation} <= untold, model
    assert books == {"OrderOfBattle", "Side", "Leader", "Formation", "Unit", "Pool"}
