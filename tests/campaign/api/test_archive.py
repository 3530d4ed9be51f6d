"""The archive by the API: a job, then a file, for the umpire alone until the end (HR-ARC-02)."""

import io
import os
import zipfile
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaign.models import (
    AuditEntry,
    Campaign,
    Job,
    Restoration,
    Seat,
    User,
)
from campaign.rules.errors import RuleViolation
from campaign.services.archive import restorations
from campaign.services.archive.export import campaign_export
from campaign.services.archive.jobs import archive_ask
from campaign.services.archive.restorations import restorations_clean_up
from campaign.services.archive.zip_files import archive_read
from campaign.services.proof.database import campaign_verify
from campaign.tasks import run_job
from tests.campaign.api.archives import RESTORATIONS, changed, changed_files, sent, worked
from tests.campaign.api.program import Program, problem
from tests.campaign.services.archive.test_export_damage import forged

pytestmark = pytest.mark.django_db
ARCHIVE = "campaigns/saratoga/archive/"


def test_the_umpire_has_the_archive_made_and_fetches_it_HR_ARC_02(umpire_program, saratoga, tmp_path):
    problem(umpire_program.get(ARCHIVE, Accept="application/zip"), 404, "not-found")
    asked = umpire_program.post(ARCHIVE)
    assert asked.status_code == 202
    again = umpire_program.post(ARCHIVE).json()
    assert again["number"] == asked.json()["number"]
    run_job(again["number"])
    assert umpire_program.get(f"campaigns/saratoga/jobs/{again['number']}/").json()["state"] == "done"
    answer = umpire_program.get(ARCHIVE)
    assert answer["Content-Type"] == "application/zip"
    file = tmp_path / "a.zip"
    file.write_bytes(answer.content)
    manifest, files = archive_read(file)
    assert manifest["campaign"] == "saratoga" and "secret.json" not in files
    assert umpire_program.get(ARCHIVE, If_None_Match=answer["ETag"]).status_code == 304


def test_others_are_told_nothing_of_it_HR_ARC_02(crown_program, stranger_program, saratoga, carleton):
    job = archive_ask(campaign=saratoga, actor=carleton)
    run_job(job.pk)
    for program in (crown_program, stranger_program):
        problem(program.get(ARCHIVE), 404, "not-found")
        problem(program.post(ARCHIVE), 404, "not-found")
    problem(crown_program.get(f"campaigns/saratoga/jobs/{job.pk}/"), 404, "not-found")
    assert Job.objects.count() == 1


def test_an_archive_becomes_a_campaign_of_who_brought_it_hr_arc_03(archive, saratoga, keeper_program, keeper):
    asked = sent(keeper_program, archive, slug="again")
    told = asked.json()
    assert (told["state"], told["slug"], told["campaign"], told["may_stop"]) == ("queued", "again", "", True)
    told = worked(keeper_program, asked)
    assert (told["state"], told["campaign"], told["error"], told["progress"]) == ("done", "again", "", 100)
    there = Campaign.objects.get(slug="again")
    assert there.head is not None and there.head.record_hash == saratoga.head.record_hash
    assert campaign_verify(campaign=there).days == 0 and there.deadline is None
    seated = Seat.objects.filter(campaign=there, user__isnull=False)
    assert [(seat.role, seat.user) for seat in seated] == [("umpire", keeper)]
    titles = set(there.seats.values_list("title", flat=True))
    assert {"Lieutenant General Burgoyne", "Major General Gates"} <= titles
    assert there.seats.get(role="umpire").tenures.get().user == keeper
    assert keeper_program.get("campaigns/again/").json()["viewer"]["role"] == "umpire"
    assert AuditEntry.objects.filter(campaign=there, user=keeper, what__contains="restored").exists()
    assert bytes(Restoration.objects.get().data) == b""


def test_the_same_once_more_meanwhile_is_one_work_and_another_waits_hr_arc_03(archive, keeper_program):
    first = sent(keeper_program, archive, slug="again").json()
    assert sent(keeper_program, archive, slug="again").json()["number"] == first["number"]
    refused = problem(sent(keeper_program, archive, slug="other"), 422, "rule")
    assert refused["rule"] == "HR-ARC-03" and "still" in refused["detail"]
    stopped = keeper_program.post(f"{RESTORATIONS}{first['number']}/cancel/").json()
    assert (stopped["state"], stopped["may_again"]) == ("cancelled", True)
    assert problem(keeper_program.post(f"{RESTORATIONS}{first['number']}/cancel/"), 422, "rule")["rule"] == (
        "HR-JOB-02"
    )
    again = keeper_program.post(f"{RESTORATIONS}{first['number']}/again/").json()
    assert (again["state"], again["may_stop"]) == ("queued", True)
    problem(keeper_program.delete(f"{RESTORATIONS}{first['number']}/"), 422, "rule")
    run_job(Restoration.objects.get().job_id)
    problem(keeper_program.post(f"{RESTORATIONS}{first['number']}/again/"), 422, "rule")
    assert keeper_program.delete(f"{RESTORATIONS}{first['number']}/").status_code == 204
    assert not Restoration.objects.exists() and Campaign.objects.filter(slug="again").exists()


def test_a_manifest_with_a_zero_byte_is_refused_at_once(archive, keeper_program, tmp_path):
    files = changed_files(archive)
    data = forged(tmp_path / "f.zip", files, title="a\0b").read_bytes()
    refused = problem(sent(keeper_program, data, slug="again"), 422, "rule")
    assert "cannot be kept" in refused["detail"] and not Restoration.objects.exists()


@pytest.mark.parametrize("way", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_zip_packed_in_an_unusual_way_is_refused_at_once(archive, keeper_program, way):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", way) as packed:
        for name, part in changed_files(archive).items():
            packed.writestr(name, part)
    data = bytearray(stream.getvalue())
    data[60:90] = bytes(30)  # broken too: its reader would have an error of its own
    refused = problem(sent(keeper_program, bytes(data), slug="again"), 422, "rule")
    assert "unusual way" in refused["detail"]


def test_one_taken_off_the_list_in_another_window_is_not_asked_for_again(archive, keeper_program, keeper):
    sent(keeper_program, archive, slug="again")
    row = Restoration.objects.select_related("job").get()
    Job.objects.update(state="failed")
    Restoration.objects.all().delete()
    with pytest.raises(RuleViolation, match="no longer kept"):
        restorations.restoration_again(restoration=row, actor=keeper)
    assert Job.objects.get().state == "failed"


def test_limits_come_before_anything_is_unpacked(archive, keeper_program, monkeypatch):
    sent(keeper_program, archive, slug="again")
    refused = problem(sent(keeper_program, b"no zip at all"), 422, "rule")
    assert "still being gone through" in refused["detail"]


def test_to_ask_again_does_not_read_the_file(archive, keeper_program, keeper, django_assert_max_num_queries):
    number = sent(keeper_program, archive, slug="again").json()["number"]
    Job.objects.update(state="failed")
    with CaptureQueriesContext(connection) as asked:
        assert keeper_program.post(f"{RESTORATIONS}{number}/again/").status_code == 200
    column = '"campaign_restoration"."data"'
    selected = [each["sql"].partition(" FROM ")[0] for each in asked if each["sql"].startswith("SELECT")]
    assert not [sql for sql in selected if f"{column}," in sql]
    with django_assert_max_num_queries(15):
        keeper_program.get(RESTORATIONS)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"no zip at all", "not a complete ZIP"),
        (b"", ""),
    ],
)
def test_what_is_no_archive_is_refused_at_once(keeper_program, saratoga, data, words):
    answer = sent(keeper_program, data)
    if not data:
        problem(answer, 400, "invalid")
    else:
        assert words in problem(answer, 422, "rule")["detail"]
    assert not Restoration.objects.exists() and not Job.objects.exists()


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"manifest__json": None}, "has no manifest.json"),
        ({"manifest__json": b"{}"}, "does not say awi-campaign-archive"),
        ({"campaign__json": None}, "campaign.json is missing"),
        ({"campaign__json": bytes(12 * 2**20)}, "unpacked"),
        ({"scenario/places__csv": b"x\n" * 4000}, "lines; make the scenario smaller"),
        ({"scenario/routes__csv": os.urandom(5 * 2**20)}, "its scenario/ would be more than 4 MiB"),
    ],
)
def test_faults_to_be_seen_at_a_glance_are_told_at_once(archive, keeper_program, parts, words):
    refused = problem(sent(keeper_program, changed(archive, **parts), slug="again"), 422, "rule")
    assert refused["rule"] == "HR-ARC-01" and words in refused["detail"]
    assert not Restoration.objects.exists()


def test_an_archive_without_the_secret_is_refused(saratoga, keeper_program, tmp_path):
    campaign_export(campaign=saratoga, path=tmp_path / "b.zip")
    refused = problem(sent(keeper_program, (tmp_path / "b.zip").read_bytes(), slug="again"), 422, "rule")
    assert "secret" in refused["detail"] and not Restoration.objects.exists()


def test_an_address_that_is_taken_or_none_is_refused_hr_set_02(archive, keeper_program):
    for slug in ("", "saratoga", "new", "a b", "../x"):
        assert problem(sent(keeper_program, archive, slug=slug), 422, "rule")["rule"] == "HR-SET-02"
    assert not Restoration.objects.exists()


def test_how_many_and_how_large_hr_arc_03(archive, keeper_program, monkeypatch):
    monkeypatch.setattr(restorations, "MOST_PACKED", 1000)
    assert "MB" in problem(sent(keeper_program, archive, slug="again"), 422, "rule")["detail"]
    monkeypatch.undo()
    monkeypatch.setattr(restorations, "MOST", 1)
    asked = sent(keeper_program, archive, slug="again").json()
    keeper_program.post(f"{RESTORATIONS}{asked['number']}/cancel/")
    keeper_program.delete(f"{RESTORATIONS}{asked['number']}/")
    assert "within 7 days" in problem(sent(keeper_program, archive, slug="again"), 422, "rule")["detail"]
    Job.objects.update(created_at=timezone.now() - timedelta(days=8))
    assert sent(keeper_program, archive, slug="again").status_code == 202


def test_keepers_have_their_own_alone_and_nobody_else_has_any_hr_arc_03(
    archive, keeper_program, crown_program, umpire_program, keeper
):
    asked = sent(keeper_program, archive, slug="again").json()
    address = f"{RESTORATIONS}{asked['number']}/"
    other = Program(User.objects.create_superuser("howe"))
    assert other.get(RESTORATIONS).json()["count"] == 0
    for program in (other, crown_program, umpire_program):
        for answer in (
            program.get(address),
            program.delete(address),
            program.post(f"{address}cancel/"),
            program.post(f"{address}again/"),
        ):
            problem(answer, 404, "not-found")
    for program in (crown_program, umpire_program):
        problem(sent(program, archive), 404, "not-found")
        problem(program.get(RESTORATIONS), 404, "not-found")
    keeper.is_superuser = False  # he has given it up
    keeper.save()
    problem(keeper_program.get(address), 404, "not-found")
    with pytest.raises(RuleViolation, match="keepers"):
        restorations.restoration_ask(data=archive, actor=keeper, slug="again")
    run_job(Job.objects.get().pk)
    assert "by the keepers" in Job.objects.get().error and not Campaign.objects.filter(slug="again").exists()
    assert Restoration.objects.count() == 1


def test_a_file_that_failed_is_kept_a_week(archive, keeper_program):
    asked = sent(keeper_program, archive, slug="again").json()
    assert restorations_clean_up() == 0
    Restoration.objects.update(made_at=timezone.now() - timedelta(days=8))
    assert restorations_clean_up() == 0  # it is at work
    keeper_program.post(f"{RESTORATIONS}{asked['number']}/cancel/")
    assert restorations_clean_up() == 1
    told = keeper_program.get(f"{RESTORATIONS}{asked['number']}/").json()
    assert not told["may_again"]
    problem(keeper_program.post(f"{RESTORATIONS}{asked['number']}/again/"), 422, "rule")
