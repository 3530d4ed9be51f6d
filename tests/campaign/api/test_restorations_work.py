"""What a worker makes of archives brought in: a campaign, or nothing at all (HR-ARC-03)."""

import shutil
from datetime import timedelta
from typing import Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.db import OperationalError
from django.utils import timezone

from campaign.models import (
    Campaign,
    DayRecord,
    Fault,
    Job,
    JournalEntry,
    KeptScenario,
    Restoration,
    Seat,
    UploadedScenario,
    User,
)
from campaign.scenarios.packing import MOST_LINES, MOST_OF
from campaign.scenarios.reading import scenario_list, scenario_path
from campaign.scenarios.theatres import (
    _read_kept_theatre,
    _read_theatre,
    get_kept_scenario_path,
    theatre_load,
)
from campaign.services.archive import imports, restorations
from campaign.services.jobs import jobs
from campaign.services.jobs.jobs import JobLost
from campaign.services.jobs.monitoring import watch_keep
from campaign.services.proof.database import campaign_verify
from tests.campaign.api.archives import RESTORATIONS, changed, changed_files, sent, worked
from tests.campaign.api.program import problem
from tests.campaign.services.archive.test_export_damage import SOUND, edited, forged
from tests.golden.test_archives import PRESENT

pytestmark = pytest.mark.django_db


def test_played_days_come_too_and_are_gone_through_again_hr_arc_03(keeper_program):
    """With its journal, its battles and what ran on meanwhile."""
    told = worked(keeper_program, sent(keeper_program, PRESENT.read_bytes(), slug="again"))
    assert (told["state"], told["campaign"], told["error"]) == ("done", "again", "")
    there = Campaign.objects.get(slug="again")
    assert there.day > 0 and there.journal.count() > 0
    job = Restoration.objects.get().job
    assert job is not None and job.result["replayed"] > 0
    assert campaign_verify(campaign=there).days == job.result["days"]


@pytest.mark.parametrize("more", ["campaign_id", "record_id", "id", "nobody"])
def test_an_entry_is_written_into_no_other_campaign_hr_arc_01(
    saratoga, keeper_program, tmp_path, monkeypatch, more
):
    """Its days fit their hashes, which cover what an entry has columns for and no more."""
    monkeypatch.setattr(
        "campaign.services.proof.verifier.versions_now", lambda ruleset: {"campaign_rules": "others"}
    )
    files = dict(SOUND)
    number = {"campaign_id": saratoga.pk, "record_id": saratoga.head_id}.get(more, 10**6)
    edited("journal.jsonl", lambda row: row["event"].update({more: number}), 0)(files)
    before = list(JournalEntry.objects.order_by("pk").values())
    data = forged(tmp_path / "f.zip", files).read_bytes()
    told = worked(keeper_program, sent(keeper_program, data, slug="again"))
    assert told["state"] == "failed" and repr(more) in told["error"]
    assert not Campaign.objects.filter(slug="again").exists()
    assert list(JournalEntry.objects.order_by("pk").values()) == before


def test_work_that_was_stopped_while_it_writes_writes_nothing(archive, keeper_program, monkeypatch):
    """The last word is the job's, in the transaction that writes the campaign."""
    asked = sent(keeper_program, archive, slug="again")
    seated = restorations.seat_give

    def given(**told: Any) -> Seat:
        jobs.job_cancel(job=Job.objects.get())
        return seated(**told)

    monkeypatch.setattr(restorations, "seat_give", given)
    told = worked(keeper_program, asked)
    assert told["campaign"] == "" and told["state"] != "done"
    assert not Campaign.objects.filter(slug="again").exists()
    assert bytes(Restoration.objects.get().data)


def test_work_that_was_stopped_writes_nothing(archive, keeper_program, monkeypatch):
    asked = sent(keeper_program, archive, slug="again")

    def stopped(**given: Any) -> None:
        job = Job.objects.get()
        jobs.job_cancel(job=job)
        raise JobLost(job)

    monkeypatch.setattr(jobs, "job_progress", stopped)
    told = worked(keeper_program, asked)
    assert told["state"] == "cancelled" and not Campaign.objects.filter(slug="again").exists()


def test_a_database_that_is_away_for_a_moment_is_tried_again(archive, keeper_program, monkeypatch):
    asked = sent(keeper_program, archive, slug="again")

    def away(campaign: Campaign) -> None:
        raise OperationalError("The line was cut.")

    with monkeypatch.context() as patch:
        patch.setattr(imports, "_verify_rows_match_head", away)
        told = worked(keeper_program, asked)
    assert told["state"] == "queued" and "line was cut" in Job.objects.get().error
    Job.objects.update(lease_until=None)
    assert worked(keeper_program, asked)["state"] == "done"


def test_a_worker_told_to_end_does_not_begin_anew_hr_arc_03(archive, keeper_program, monkeypatch):
    """Another attempt would take as long; one whose worker died is tried once more, and no oftener."""
    asked = sent(keeper_program, archive, slug="again")
    assert Job.objects.get().max_attempts == 2

    def ended(*given: Any) -> None:
        raise SoftTimeLimitExceeded

    monkeypatch.setattr(imports, "archive_verify", ended)
    told = worked(keeper_program, asked)
    assert told["state"] == "failed" and "longer than" in told["error"] and "importcampaign" in told["error"]


def test_one_at_a_time_on_the_site_hr_arc_03(archive, keeper_program):
    """A worker holds all of an archive in memory."""
    asked = sent(keeper_program, archive, slug="again")
    begun = timezone.now() - timedelta(minutes=1)
    lease = timezone.now() + timedelta(minutes=1)
    other = Job.objects.create(
        kind=restorations.KIND, key="other", state="running", started_at=begun, lease_until=lease, attempts=1
    )
    told = worked(keeper_program, asked)
    assert told["state"] == "queued" and "waits for another archive" in told["note"]
    job = Restoration.objects.get().job
    assert job is not None and job.attempts < job.max_attempts
    Job.objects.filter(pk=other.pk).update(lease_until=begun)  # its worker has died
    assert worked(keeper_program, asked)["state"] == "done"


def test_what_is_taken_or_too_much_is_told_before_all_is_played_again(
    archive, keeper_program, saratoga, monkeypatch
):
    def never(*given: Any) -> None:
        raise AssertionError("It is gone through, and for nothing.")

    monkeypatch.setattr(imports, "archive_verify", never)
    asked = sent(keeper_program, archive, slug="again")
    Campaign.objects.update(slug="again")
    told = worked(keeper_program, asked)
    assert told["state"] == "failed" and "There is a campaign again already" in told["error"]
    refused = problem(keeper_program.post(f"{RESTORATIONS}{told['number']}/again/"), 422, "rule")
    assert refused["rule"] == "HR-SET-02" and Job.objects.get().state == "failed"
    Campaign.objects.update(slug="saratoga")
    monkeypatch.setattr(restorations, "MOST_CAMPAIGNS", 0)
    assert keeper_program.post(f"{RESTORATIONS}{told['number']}/again/").status_code == 200
    assert "running campaigns already" in worked(keeper_program, asked)["error"]


def test_an_altered_archive_is_refused_by_the_worker_and_writes_nothing(archive, keeper_program, settings):
    settings.FAULT_MAIL = []
    before = Campaign.objects.count(), DayRecord.objects.count(), KeptScenario.objects.count()
    told = worked(keeper_program, sent(keeper_program, changed(archive, world__json=b"{}"), slug="again"))
    assert told["state"] == "failed" and "world.json is not the file" in told["error"]
    assert (Campaign.objects.count(), DayRecord.objects.count(), KeptScenario.objects.count()) == before
    assert told["may_again"]
    watch_keep()
    assert not Fault.objects.filter(kind=Fault.Kind.FAILED).exists()  # it is told to who brought it


def test_a_scenario_put_up_under_older_bounds_is_taken_with_its_archive_hr_arc_03(archive, keeper_program):
    units = changed_files(archive)["scenario/units.csv"]
    larger = units + b"# a note\n" * (MOST_OF["units.csv"] + 100)
    refused = sent(keeper_program, changed(archive, **{"scenario/units__csv": larger + b"#\n" * MOST_LINES}))
    sentence = f"more than {MOST_LINES} lines; make the scenario smaller."
    assert problem(refused, 422, "rule")["detail"].endswith(sentence)
    data = changed(archive, **{"scenario/units__csv": larger})
    assert sent(keeper_program, data, slug="again").status_code == 202


def test_what_takes_too_long_is_refused_hr_arc_03(archive, keeper_program, monkeypatch):
    monkeypatch.setattr(restorations, "LONGEST_WORK", -1)
    told = worked(keeper_program, sent(keeper_program, archive, slug="again"))
    assert told["state"] == "failed" and "longer than" in told["error"]
    assert not Campaign.objects.filter(slug="again").exists()


def test_running_campaigns_of_one_umpire_are_counted_hr_set_15(archive, keeper, keeper_program, monkeypatch):
    Seat.objects.filter(role="umpire").update(user=keeper)
    monkeypatch.setattr(restorations, "MOST_CAMPAIGNS", 1)
    told = worked(keeper_program, sent(keeper_program, archive, slug="again"))
    assert "running campaigns already" in told["error"] and not Campaign.objects.filter(slug="again").exists()


def test_one_made_here_and_put_up_by_nobody_is_on_every_machine_too(
    archive, keeper_program, settings, tmp_path, monkeypatch
):
    """It lies on this machine's disk alone."""
    settings.VAR_DIR = tmp_path / "here"
    own = settings.VAR_DIR / "scenarios" / "saratoga_1777"
    shutil.copytree(scenario_path("saratoga-1777"), own)
    elsewhere = tmp_path / "none shipped"
    elsewhere.mkdir()
    monkeypatch.setattr("campaign.scenarios.reading.SCENARIOS", elsewhere)
    monkeypatch.setattr("campaign.scenarios.uploaded.SCENARIOS", elsewhere)
    _read_theatre.cache_clear()
    try:
        assert worked(keeper_program, sent(keeper_program, archive, slug="again"))["state"] == "done"
        there = Campaign.objects.get(slug="again")
        settings.VAR_DIR = tmp_path / "another machine"
        _read_theatre.cache_clear()
        assert theatre_load(there).days > 0
        KeptScenario.objects.all().delete()
        settings.VAR_DIR = tmp_path / "here"
        facts = {
            "slug": "saratoga-1777",
            "title": "x",
            "digest": "x",
            "data": b"x",
            "owner": User.objects.first(),
        }
        UploadedScenario.objects.create(**facts)
        (own / ".uploaded").write_text("x")
        _read_theatre.cache_clear()
        assert worked(keeper_program, sent(keeper_program, archive, slug="more"))["state"] == "done"
        assert not KeptScenario.objects.exists()  # it has a row of its own
    finally:
        _read_theatre.cache_clear()


def test_a_scenario_that_came_with_an_archive_is_on_every_machine_and_its_campaigns_alone(
    archive, keeper_program, settings, tmp_path, monkeypatch
):
    settings.VAR_DIR = tmp_path / "here"
    monkeypatch.setattr(
        "campaign.scenarios.theatres.scenario_path", lambda slug: scenario_path(f"{slug}-gone")
    )
    worked(keeper_program, sent(keeper_program, archive, slug="again"))
    there = Campaign.objects.get(slug="again")
    assert KeptScenario.objects.get().digest == there.scenario_digest
    listed = scenario_list()
    settings.VAR_DIR = tmp_path / "another machine"
    _read_kept_theatre.cache_clear()
    assert theatre_load(there).days > 0
    assert (get_kept_scenario_path(there.scenario_digest) / "scenario.toml").is_file()
    assert scenario_list() == listed and there.scenario_digest not in listed
