"""Forecasts: seeded, with dice of their own, the same whoever works on them, stopped at once (HR-FRC-01)."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from campaign import tasks
from campaign.fog.visibility import viewer_of
from campaign.ledger.dice import dice_for
from campaign.models import Job, JournalEntry
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire.corrections import Rumour
from campaign.rules.world.world_json import world_hash
from campaign.selectors.forecasts.forecasts import find_forecast
from campaign.services.forecasts import runs as forecast_courses
from campaign.services.forecasts.forecasts import compute_forecast, forecast_ask, forecast_start
from campaign.services.forecasts.runs import start_from_json, start_to_json
from campaign.services.jobs.jobs import job_cancel
from campaign.services.umpire.corrections import act_perform

pytestmark = pytest.mark.django_db


def test_hr_frc_01_figures_are_the_same_when_asked_again_and_nothing_is_written(saratoga):
    entries = JournalEntry.objects.count()
    found = compute_forecast(campaign=saratoga, weeks=1, runs=2, workers=1)
    assert found == compute_forecast(campaign=saratoga, weeks=1, runs=2, workers=1)
    assert (found["campaign"], found["weeks"], found["runs"], found["day"]) == ("saratoga", 1, 2, 0)
    assert [side["id"] for side in found["sides"]] == ["crown", "rebel"]
    for side in found["sides"]:
        for week in side["points"]:
            assert 0 < week["p10"] <= week["p50"] <= week["p90"]
    for place in found["places"]:
        assert all(sum(shares.values()) == pytest.approx(1.0) for shares in place["held"])
    assert JournalEntry.objects.count() == entries
    saratoga.refresh_from_db()
    assert saratoga.day == 0


def test_hr_frc_01_its_dice_are_not_the_campaigns(saratoga):
    start, true = forecast_start(saratoga, "", 1), dice_for(saratoga, 0)
    assert start.dice.secret != true.secret
    assert forecast_start(saratoga, "crown", 1).dice.secret != start.dice.secret
    assert start.ground.secret == true.secret
    assert forecast_start(saratoga, "crown", 1).ground.secret != true.secret


def test_a_start_goes_to_another_process_whole(saratoga):
    start = forecast_start(saratoga, "rebel", 3)
    again = start_from_json(json.loads(json.dumps(start_to_json(start))), start.world.theatre)
    assert world_hash(again.world) == world_hash(start.world)
    assert (again.officers, again.dice, again.ground, again.weeks, again.ruleset) == (
        start.officers, start.dice, start.ground, 3, "awi",
    )  # fmt: skip


@pytest.mark.slow
def test_two_processes_tell_what_one_does(saratoga):
    told = []
    shared = compute_forecast(
        campaign=saratoga, weeks=1, runs=3, workers=2, progress=lambda done, runs: told.append((done, runs))
    )
    assert shared == compute_forecast(campaign=saratoga, weeks=1, runs=3, workers=1)
    assert told == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize(
    ("wrong", "field"),
    [({"weeks": 0}, "weeks"), ({"runs": 100_000}, "runs"), ({"side": "france"}, "side")],
)
def test_what_cannot_be_forecast_is_refused(saratoga, wrong, field):
    with pytest.raises(RuleViolation) as caught:
        compute_forecast(campaign=saratoga, **wrong)
    assert (caught.value.rule_id, caught.value.field) == ("HR-FRC-01", field)


def test_asked_twice_it_is_one_job_and_its_result_is_kept(saratoga, carleton, monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    job = forecast_ask(campaign=saratoga, actor=carleton, weeks=1, runs=1)
    assert forecast_ask(campaign=saratoga, actor=carleton, weeks=1, runs=1) == job
    tasks.run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.progress, job.error) == ("done", 100, "")
    assert job.result["runs"] == 1 and job.result["side"] == ""


def test_hr_frc_01_a_side_asks_only_where_the_campaign_allows_it(saratoga, burgoyne):
    with pytest.raises(RuleViolation, match="umpire's"):
        forecast_ask(campaign=saratoga, actor=burgoyne, side="crown")
    saratoga.settings = {**saratoga.settings, "forecasts": "sides"}
    saratoga.save()
    assert forecast_ask(campaign=saratoga, actor=burgoyne, side="crown").payload["side"] == "crown"


def test_hr_frc_01_each_has_one_worked_out_at_a_time(saratoga, burgoyne, gates, carleton):
    saratoga.settings = {**saratoga.settings, "forecasts": "sides"}
    saratoga.save()
    job = forecast_ask(campaign=saratoga, actor=burgoyne, side="crown", weeks=1, runs=10)
    assert forecast_ask(campaign=saratoga, actor=burgoyne, side="crown", weeks=1, runs=10) == job
    with pytest.raises(RuleViolation, match="worked out already"):
        forecast_ask(campaign=saratoga, actor=burgoyne, side="crown", weeks=2, runs=10)
    forecast_ask(campaign=saratoga, actor=gates, side="rebel", weeks=2, runs=10)
    forecast_ask(campaign=saratoga, actor=carleton, weeks=2, runs=10)
    job_cancel(job=job)
    forecast_ask(campaign=saratoga, actor=burgoyne, side="crown", weeks=2, runs=10)


def test_a_forecast_is_stale_after_an_act_too_hr_frc_01(saratoga, carleton, monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    job = forecast_ask(campaign=saratoga, actor=carleton, weeks=1, runs=1)
    tasks.run_job(job.pk)
    assert find_forecast(viewer_of(carleton, saratoga)).stale is False
    act_perform(campaign=saratoga, act=Rumour("crown", "Rain."), reason="So.", actor=carleton)
    saratoga.refresh_from_db()
    assert find_forecast(viewer_of(carleton, saratoga)).stale is True


def test_a_stopped_forecast_goes_no_further(saratoga, carleton, monkeypatch):
    job = forecast_ask(campaign=saratoga, actor=carleton, weeks=1, runs=50)
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    monkeypatch.setattr("campaign.tasks.REPORT_SECONDS", 0.0)
    played = []

    def run(start, number):
        played.append(number)
        job_cancel(job=Job.objects.get(pk=job.pk))
        return {"run": number}

    monkeypatch.setattr(forecast_courses, "play_run", run)
    tasks.run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, played) == ("cancelled", [0])


def test_the_command_prints_tables_and_json(saratoga):
    def told(*more: str) -> str:
        out = io.StringIO()
        call_command(
            "forecast", "saratoga", "--weeks", "1", "--runs", "1", "--workers", "1", *more, stdout=out
        )
        return out.getvalue()

    text = told()
    assert "Points in the field" in text and "Ticonderoga" in text and "dice of their own" in text
    found = json.loads(told("--side", "rebel", "--json"))
    assert found["side"] == "rebel" and found["seconds"] > 0
    with pytest.raises(CommandError, match="HR-FRC-01"):
        told("--side", "france")
