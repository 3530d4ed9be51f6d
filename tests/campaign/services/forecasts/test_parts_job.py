"""Forecasts of many courses are shared among workers and joined: the figures of one worker (HR-JOB-03)."""

import pytest

from campaign import tasks
from campaign.models import Campaign, Job
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire.corrections import Rumour
from campaign.services.forecasts import forecasts, runs
from campaign.services.forecasts.forecasts import compute_forecast, forecast_ask
from campaign.services.forecasts.runs import play_run, split_runs
from campaign.services.jobs import jobs
from campaign.services.jobs import parts as job_parts
from campaign.services.umpire.corrections import act_perform

pytestmark = pytest.mark.django_db

RUNS = 6


@pytest.fixture(autouse=True)
def shared(monkeypatch):
    """Worth sharing in three parts of two courses, each played here, and every report is written."""
    monkeypatch.setattr(runs, "WORTH", 1)
    monkeypatch.setattr(runs, "PART", 2)
    monkeypatch.setattr(tasks, "REPORT_SECONDS", 0.0)
    monkeypatch.setattr(job_parts, "REPORT_SECONDS", 0.0)
    monkeypatch.setattr(job_parts, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr("os.cpu_count", lambda: 1)


@pytest.fixture
def played(monkeypatch) -> list[int]:
    """Numbers of the courses played, each once played and then remembered: they hang on nothing else."""
    numbers: list[int] = []
    known: dict[tuple[str, int], dict] = {}

    def run(start, number):
        numbers.append(number)
        key = (runs.start_mark(start), number)
        if key not in known:
            known[key] = play_run(start, number)
        return known[key]

    monkeypatch.setattr(runs, "play_run", run)
    return numbers


@pytest.fixture
def job(saratoga, carleton, played) -> Job:
    return forecast_ask(campaign=saratoga, actor=carleton, weeks=1, runs=RUNS)


def in_one_go(campaign: Campaign) -> dict:
    return {**compute_forecast(campaign=campaign, weeks=1, runs=RUNS, workers=1), "head": campaign.head_id}


def after_asking(monkeypatch, done) -> None:
    """Have `done` called with the parts' keys, once they have been asked for."""
    asked = job_parts.parts_ask

    def then(**given) -> list[int]:
        keys = asked(**given)
        done(keys)
        return keys

    monkeypatch.setattr(runs, "parts_ask", then)


def test_parts_are_alike_small_enough_and_cover_every_course(monkeypatch):
    assert split_runs(1, 6) == [(0, 2), (2, 4), (4, 6)]
    monkeypatch.undo()
    assert split_runs(4, 25) == [(0, 25)]
    assert len(split_runs(4, 200)) == 20 and split_runs(4, 200)[-1] == (190, 200)
    assert len(split_runs(52, 2000)) == 64 and split_runs(52, 3) == [(0, 1), (1, 2), (2, 3)]


def test_one_worker_alone_plays_all_parts_and_finds_the_same_hr_job_03(saratoga, job, played):
    tasks.run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.error, job.progress) == ("done", "", 100)
    assert sorted(played) == list(range(RUNS))
    assert job.result == in_one_go(saratoga)
    assert not Job.objects.filter(parent=job).exists()


def test_others_take_parts_up_and_a_lost_one_is_taken_up_again_hr_job_03(saratoga, job, played, monkeypatch):
    """Another worker has a part in hand; a third has died over one, whose lease runs out."""
    busy: list[Job] = []

    def taken(keys: list[int]) -> None:
        first, dead = (jobs.job_claim(job_id=key) for key in keys[:2])
        late = jobs.timezone.now() - jobs.timedelta(seconds=1)
        Job.objects.filter(pk=dead.pk).update(lease_until=late)
        busy.append(first)

    def elsewhere(seconds: float) -> None:
        for part in [busy.pop()] if busy else []:
            assert Job.objects.filter(parent=job, state="done").count() == 2
            jobs.job_finish(job=part, result=forecasts.forecast_part_job(part, lambda percent, note: None))

    after_asking(monkeypatch, taken)
    monkeypatch.setattr(job_parts.time, "sleep", elsewhere)
    tasks.run_job(job.pk)
    job.refresh_from_db()
    assert not busy and sorted(played) == list(range(RUNS))
    assert job.result == in_one_go(saratoga)


def test_a_part_that_comes_by_message_is_played_once(saratoga, job, played, monkeypatch):
    def by_message(keys: list[int]) -> None:
        tasks.run_job(keys[1])
        tasks.run_job(keys[1])
        assert Job.objects.get(pk=keys[1]).attempts == 1

    after_asking(monkeypatch, by_message)
    tasks.run_job(job.pk)
    job.refresh_from_db()
    assert played.count(2) == 1 and job.result == in_one_go(saratoga)


def test_where_the_campaign_has_gone_on_the_worker_of_the_whole_plays_the_part(
    saratoga, carleton, job, played, monkeypatch
):
    """It is a forecast of the morning on which it was begun, whoever plays which part of it."""
    wanted = in_one_go(saratoga)
    tried: list[Job] = []

    def gone_on(keys: list[int]) -> None:
        act_perform(campaign=saratoga, act=Rumour("crown", "Rain."), reason="So.", actor=carleton)
        Job.objects.filter(pk__in=keys).update(max_attempts=1)
        tasks.run_job(keys[0])
        tried.append(Job.objects.get(pk=keys[0]))

    after_asking(monkeypatch, gone_on)
    monkeypatch.setattr(runs, "start_mark", unlike := Unlike(runs.start_mark))
    monkeypatch.setattr(forecasts, "start_mark", unlike.elsewhere)
    tasks.run_job(job.pk)
    (part,) = tried
    assert (part.state, part.attempts, part.max_attempts) == ("queued", 1, 2)
    job.refresh_from_db()
    assert (job.state, job.error) == ("done", "")
    assert job.result == wanted


class Unlike:
    """Marks of starts; another worker's differ, as they do when the world has changed meanwhile."""

    def __init__(self, mark) -> None:
        self.mark = mark

    def __call__(self, start) -> str:
        return self.mark(start)

    def elsewhere(self, start) -> str:
        return "since changed"


def test_stopped_between_two_courses_it_goes_on_when_asked_again(
    saratoga, carleton, job, played, monkeypatch
):
    one = runs.play_run

    def stopping(start, number):
        if len(played) == 3:
            assert jobs.job_cancel(job=Job.objects.get(pk=job.pk))
        return one(start, number)

    monkeypatch.setattr(runs, "play_run", stopping)
    tasks.run_job(job.pk)
    job.refresh_from_db()
    assert job.state == "cancelled" and played == [0, 1, 2, 3]
    assert sorted(part.state for part in job.parts.all()) == ["cancelled", "cancelled", "done"]
    monkeypatch.setattr(runs, "play_run", one)
    again = forecast_ask(campaign=saratoga, actor=carleton, weeks=1, runs=RUNS)
    assert again.pk == job.pk
    tasks.run_job(again.pk)
    again.refresh_from_db()
    assert played.count(0) == played.count(1) == 1  # what was done stays done
    assert again.result == in_one_go(saratoga)


def test_it_tells_how_far_it_is(job, played, monkeypatch):
    told = []
    progress = jobs.job_progress

    def telling(*, job: Job, percent: int, note: str = "") -> None:
        told.append((percent, note))
        progress(job=job, percent=percent, note=note)

    monkeypatch.setattr(jobs, "job_progress", telling)
    tasks.run_job(job.pk)
    assert told[0] == (0, "The armies are being drawn up.")
    assert (33, "1 of 6 courses of the campaign, in 3 parts.") in told
    assert [percent for percent, _ in told] == sorted(percent for percent, _ in told)


def test_where_a_part_is_refused_so_is_the_whole_hr_job_03(job, monkeypatch):
    def refused(start, number):
        raise RuleViolation("HR-FRC-01", "Nobody marches any more.")

    monkeypatch.setattr(runs, "play_run", refused)
    tasks.run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.attempts, job.error) == ("failed", 1, "Nobody marches any more.")


def test_a_part_of_a_forecast_that_has_ended_is_not_played(job, played):
    part = jobs.job_request(
        kind=runs.PART_KIND,
        key="part/x",
        payload={"of": job.pk, "mark": "m", "start": 0, "stop": 2},
        parent=job,
    )
    assert jobs.job_cancel(job=job)
    Job.objects.filter(pk=part.pk).update(state="queued")
    tasks.run_job(part.pk)
    part.refresh_from_db()
    assert (part.state, played) == ("failed", [])
    assert "has ended" in part.error


def test_parts_not_begun_give_way_to_work_asked_for_since_hr_job_03(job, played):
    mine = jobs.job_claim(job_id=job.pk)
    part = jobs.job_request(
        kind=runs.PART_KIND,
        key="part/x",
        payload={"of": job.pk, "mark": "m", "start": 0, "stop": 2},
        parent=mine,
    )
    whole = jobs.job_request(kind="drill", key="drill", payload={})
    tasks.run_job(part.pk)
    part.refresh_from_db()
    assert (part.state, part.attempts) == ("queued", 0)
    assert part.lease_until <= jobs.timezone.now(), "the next sweep sends it again"
    long_ago = jobs.timezone.now() - jobs.timedelta(hours=1)
    Job.objects.filter(pk=whole.pk).update(created_at=long_ago)  # lost, or there are no workers for it
    tasks.run_job(part.pk)
    part.refresh_from_db()
    assert part.attempts == 1
