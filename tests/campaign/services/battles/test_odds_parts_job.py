"""Odds of a large battle are shared among workers and joined: the figures of one worker (HR-JOB-03)."""

import pytest

from battles.files.reading import decode_battle
from battles.odds.odds import estimate_odds
from battles.odds.odds_json import odds_to_json
from campaign import tasks
from campaign.ledger.dice import dice_for
from campaign.ledger.hash_chain import compute_digest
from campaign.models import Battle, Job
from campaign.rules.battles.battle_inputs import file_now
from campaign.services.battles import odds
from campaign.services.battles.odds import ODDS_DICE, odds_ask, odds_question, split_runs
from campaign.services.jobs import jobs, parts
from tests.campaign.services.battles.test_odds_job import battle as bennington

pytestmark = pytest.mark.django_db

RUNS = 10
battle = bennington


@pytest.fixture(autouse=True)
def shared(monkeypatch):
    """Worth sharing in four parts, and every report is written."""
    monkeypatch.setattr(odds, "WORTH", 1)
    monkeypatch.setattr(odds, "PART", 10)
    monkeypatch.setattr(tasks, "REPORT_SECONDS", 0.0)
    monkeypatch.setattr(parts, "REPORT_SECONDS", 0.0)
    monkeypatch.setattr(parts, "LOOK_SECONDS", 0.0)


def in_one_go(battle: Battle) -> dict:
    seed = dice_for(battle.campaign, battle.day, battle.dice_revision).seed(ODDS_DICE, battle.contact)
    return odds_to_json(estimate_odds(decode_battle(battle.inputs["file"]), seed=seed, runs=RUNS))


def figures(found: dict) -> dict:
    return {key: value for key, value in found.items() if key not in ("seconds", "of")}


def test_parts_are_alike_and_cover_every_run(monkeypatch):
    assert split_runs(4, 10) == [(0, 2), (2, 5), (5, 7), (7, 10)]
    monkeypatch.undo()
    assert split_runs(24, 2400) == [(0, 2400)]
    assert split_runs(100, 2400)[0] == (0, 400) and split_runs(100, 2400)[-1][1] == 2400


def test_one_worker_alone_does_all_parts_and_finds_the_same_hr_job_03(battle, carleton):
    job = odds_ask(battle=battle, actor=carleton, runs=RUNS)
    tasks.run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.error) == ("done", "")
    assert figures(job.result) == figures(in_one_go(battle)) and job.result["of"]
    assert not Job.objects.filter(parent=job).exists()


def test_others_take_parts_up_and_the_whole_waits_for_them_hr_job_03(battle, carleton, monkeypatch):
    """Another worker has a part in hand; a third has died over one, whose lease runs out."""
    job = odds_ask(battle=battle, actor=carleton, runs=RUNS)
    fought, asked = [], parts.parts_ask

    def taken(**given) -> list[int]:
        keys = asked(**given)
        busy, dead = (jobs.job_claim(job_id=key) for key in keys[:2])
        late = jobs.timezone.now() - jobs.timedelta(seconds=1)
        Job.objects.filter(pk=dead.pk).update(lease_until=late)
        fought.append(busy)
        return keys

    def elsewhere(seconds: float) -> None:
        for part in [fought.pop()] if fought else []:
            assert Job.objects.filter(parent=job, state="done").count() == 3
            jobs.job_finish(job=part, result=odds.odds_part_job(part, lambda percent, note: None))

    monkeypatch.setattr(odds, "parts_ask", taken)
    monkeypatch.setattr(parts.time, "sleep", elsewhere)
    tasks.run_job(job.pk)
    job.refresh_from_db()
    assert figures(job.result) == figures(in_one_go(battle))
    assert not fought


def test_a_part_that_comes_by_message_is_done_once(battle, carleton, monkeypatch):
    job = odds_ask(battle=battle, actor=carleton, runs=RUNS)
    asked = parts.parts_ask

    def by_message(**given) -> list[int]:
        keys = asked(**given)
        tasks.run_job(keys[2])
        tasks.run_job(keys[2])
        assert Job.objects.get(pk=keys[2]).attempts == 1
        return keys

    monkeypatch.setattr(odds, "parts_ask", by_message)
    tasks.run_job(job.pk)
    job.refresh_from_db()
    assert figures(job.result) == figures(in_one_go(battle))


def test_stopped_it_keeps_what_all_have_fought_and_goes_on_when_asked_again(battle, carleton, monkeypatch):
    job = odds_ask(battle=battle, actor=carleton, runs=RUNS)
    fights = odds.odds_part
    started = []

    def stopping(file, **given):
        started.append(given["start"])
        if len(started) == 3:
            assert jobs.job_cancel(job=Job.objects.get(pk=job.pk))
        return fights(file, **given)

    monkeypatch.setattr(odds, "odds_part", stopping)
    tasks.run_job(job.pk)
    job.refresh_from_db()
    assert job.state == "cancelled" and job.result["stopped"] == "cancelled"
    assert 5 <= job.result["runs"] < RUNS
    assert {part.state for part in job.parts.all()} == {"done", "cancelled"}
    again = odds_ask(battle=battle, actor=carleton, runs=RUNS)
    tasks.run_job(again.pk)
    again.refresh_from_db()
    assert figures(again.result) == figures(in_one_go(battle))
    assert started.count(0) == started.count(2) == 1  # what was done stays done


def test_where_a_part_is_refused_so_is_the_whole_hr_job_03(battle, carleton):
    battle.inputs["file"]["units"][0]["sp"] = 9
    battle.save()
    job = odds_ask(battle=battle, actor=carleton, runs=RUNS)
    tasks.run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.attempts) == ("failed", 1)
    assert "Stark's first has 9 SP" in job.error


def adjusted(battle: Battle) -> None:
    battle.adjusted = [{"changes": {"rain": -2}, "reason": "A storm."}]
    battle.save()


def test_where_the_battle_was_changed_its_part_is_left_to_the_worker_of_the_whole(
    battle, carleton, monkeypatch
):
    """They are odds of the battle as it stood when they were begun, whoever fights which part of them."""
    wanted, tried = in_one_go(battle), []
    stood = compute_digest(file_now(battle))
    job = odds_ask(battle=battle, actor=carleton, runs=RUNS)
    asked = parts.parts_ask

    def changed(**given) -> list[int]:
        keys = asked(**given)
        adjusted(battle)
        Job.objects.filter(pk__in=keys).update(max_attempts=1)
        tasks.run_job(keys[0])
        tried.append(Job.objects.get(pk=keys[0]))
        return keys

    monkeypatch.setattr(odds, "parts_ask", changed)
    tasks.run_job(job.pk)
    (part,) = tried
    assert (part.state, part.attempts, part.max_attempts, part.error) == ("queued", 1, 2, "")
    job.refresh_from_db()
    assert (job.state, job.error) == ("done", "")
    assert figures(job.result) == figures(wanted)
    assert job.result["of"] == stood != compute_digest(file_now(battle))


def test_where_the_worker_of_the_whole_died_too_it_ends_with_a_plain_word(battle, carleton, caplog):
    job = odds_ask(battle=battle, actor=carleton, runs=RUNS)
    file, seed = odds_question(job)
    dead = jobs.job_claim(job_id=job.pk)
    payload = {"of": job.pk, "mark": odds.mark_of(file, seed), "start": 0, "stop": RUNS}
    (key,) = parts.parts_ask(job=dead, kind=odds.PART_KIND, mark="m", payloads=[payload])
    adjusted(battle)
    tasks.run_job(key)
    assert Job.objects.get(pk=key).state == "queued"
    Job.objects.filter(pk=job.pk).update(lease_until=jobs.timezone.now() - jobs.timedelta(seconds=1))
    tasks.run_job(job.pk)
    job.refresh_from_db()
    said = "The battle was changed after these odds were asked for; ask again."
    assert (job.state, job.attempts, job.error) == ("failed", 2, said)
    tasks.run_job(key)
    assert Job.objects.get(pk=key).error == "The odds this is a part of have ended; ask for them anew."
    assert "Traceback" not in caplog.text


def test_parts_are_no_work_of_the_umpires_lists(battle, carleton, desk):
    job = odds_ask(battle=battle, actor=carleton, runs=RUNS)
    odds.parts_ask(job=job, kind=odds.PART_KIND, mark="m", payloads=[{"of": job.pk, "start": 0, "stop": 2}])
    page = desk.get("/umpire/campaign/job/").content.decode()
    assert page.count("Odds of a battle") >= 1 and "odds_part" not in page
    assert "odds_part" not in desk.get("/campaigns/saratoga/jobs/").content.decode()
