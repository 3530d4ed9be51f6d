"""Every task and every kind of job: ends in time, is tried within limits, is safe to run twice, is seen.

A worker may die after the work and before it says so; then the work is done again. The tables here name a
case for each kind, and one that is missing fails.
"""

import importlib
from unittest import mock

import pytest
from celery import current_app
from django.apps import apps
from django.conf import settings
from django.core.cache import cache
from django.utils import timezone

from battles.files.reading import battle_to_json, read_battle
from battles.rulesets import registry
from campaign import tasks
from campaign.fog.viewers import viewer_of
from campaign.models import Battle, Campaign, Heartbeat, Job, Seat, User, WorkTime
from campaign.rules.battles.table_results import Entry, UnitResult
from campaign.services.archive.jobs import archive_ask
from campaign.services.archive.restorations import restoration_ask
from campaign.services.backups import backups
from campaign.services.battles import odds
from campaign.services.battles.comparisons import comparison_ask
from campaign.services.battles.odds import odds_ask, odds_question
from campaign.services.battles.predictions import predictions_ask
from campaign.services.battles.replays import replay_ask
from campaign.services.battles.settlement import battle_settle_ask, battle_settle_by_engine
from campaign.services.battles.standalone_fights import fight_ask
from campaign.services.battles.table_results import battle_confirm, battle_entry_save, list_entry_versions
from campaign.services.forecasts import runs as forecast_parts
from campaign.services.forecasts.forecasts import forecast_ask, forecast_start
from campaign.services.jobs import jobs
from campaign.services.jobs import parts as job_parts
from campaign.services.press.books import book_ask, book_print_ask
from campaign.services.turns.day_preview import dry_run_ask
from campaign.services.turns.days import day_advance
from campaign.services.turns.runs import advance_request
from tests.factories.people import signed_in
from tests.golden.test_archives import PRESENT

#: What the clock asks for -> how often it is asked for, in seconds, at the most.
ROUNDS = {
    "requeue_expired": 15,
    "strike_clock": 30,
    "keep_watch": 60,
    "settle_overdue": 900,
    "keys_clean_up": 3600,
    "back_up": 3600,
    "prune_audit": 24 * 3600,
    "seal_factors": 3600,
}
#: Kinds of jobs that are in no umpire's list: parts, the site's own, and fights, which are of no campaign.
UNTOLD = {
    "backup",
    "campaign_restore",
    "comparison",
    "comparison_part",
    "fight",
    "odds_part",
    "forecast_part",
}


def own_tasks() -> dict:
    importlib.import_module("campaign.tasks")
    return {name: task for name, task in current_app.tasks.items() if name.startswith("campaign.")}


def test_every_task_is_one_of_these():
    assert own_tasks().keys() == {"campaign.run_job", *(f"campaign.{name}" for name in ROUNDS)}
    asked = {entry["task"]: entry["schedule"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert asked == {f"campaign.{name}": seconds for name, seconds in ROUNDS.items()}


@pytest.mark.parametrize("name", ["run_job", *ROUNDS])
def test_every_task_ends_in_time_and_is_tried_within_limits(name):
    task = own_tasks()[f"campaign.{name}"]
    assert 0 < task.soft_time_limit < task.time_limit <= tasks.JOB_SECONDS + tasks.GRACE
    # asked for again by its row, or by the clock, and never by itself
    assert task.max_retries == 0 and not getattr(task, "autoretry_for", ())
    assert task.acks_late and task.acks_on_failure_or_timeout is not False and task.ignore_result
    assert task.reject_on_worker_lost is None, "its row, or the clock, asks again"


def test_a_message_nobody_fetched_in_time_is_not_kept():
    for entry in settings.CELERY_BEAT_SCHEDULE.values():
        expires = entry.get("options", {}).get("expires")
        assert expires == entry["schedule"] or entry["task"] == "campaign.prune_audit"


@pytest.mark.django_db
def test_every_job_is_tried_within_limits():
    job = jobs.job_request(kind="drill", key="drill", payload={})
    assert job.max_attempts == jobs.ATTEMPTS == 5


# --- what the clock asks for ---


def rows(*left_out: type) -> dict[str, int]:
    """How many rows there are of everything, save counts of the machinery itself."""
    return {
        model._meta.label: model._base_manager.count()
        for model in apps.get_models()
        if model not in (WorkTime, Heartbeat, *left_out)
    }


@pytest.mark.django_db
@pytest.mark.parametrize("name", ROUNDS)
def test_each_round_is_safe_to_run_twice_and_stands_among_the_times_of_work(name, waiting, settings):
    """With a deadline missed, a battle that has waited too long, a job that was lost, and no backup yet."""
    day = timezone.timedelta(days=1)
    Campaign.objects.update(deadline=timezone.now() - day * 2, settle_after_days=1)
    Battle.objects.update(opened_at=timezone.now() - day * 2)
    lost = jobs.job_request(kind="drill", key="drill", payload={})
    Job.objects.filter(pk=lost.pk).update(lease_until=timezone.now() - day)
    before, round_ = rows(), getattr(tasks, name)
    round_()
    once = rows()
    round_()
    assert rows() == once
    effects = {"strike_clock": "campaign.Notice", "keep_watch": "campaign.Fault", "back_up": "campaign.Job"}
    assert name not in effects or once[effects[name]] > before[effects[name]]
    if name == "settle_overdue":
        assert not Battle.objects.filter(state=Battle.State.WAITING).exists()
    keeper = signed_in(User.objects.create_superuser("clinton"))
    page = keeper.get("/admin/campaign/worktime/").content.decode()
    assert name in page and WorkTime.objects.get(kind=name, ended="done").count == 2


# --- kinds of jobs: each asked for as people do ---


def part_of(whole: Job, kind: str, mark: str) -> Job:
    payload = {"of": whole.pk, "mark": mark, "start": 0, "stop": 2}
    return jobs.job_request(kind=kind, key=f"part/{kind}", payload=payload, parent=whole)


def odds_part(battle, umpire) -> Job:
    whole = odds_ask(battle=battle, actor=umpire, runs=4)
    return part_of(jobs.job_claim(job_id=whole.pk), "odds_part", odds.mark_of(*odds_question(whole)))


def comparison(battle, umpire) -> Job:
    with mock.patch.object(registry, "RULESETS", registry.RULESETS[:1]):  # the others take long to compile
        return comparison_ask(data=battle_to_json(read_battle("hubbardton")), runs=2, actor=umpire)


def comparison_part(battle, umpire) -> Job:
    whole = jobs.job_claim(job_id=comparison(battle, umpire).pk)
    assert whole is not None
    payload = {"ruleset": "awi", "runs": 2}
    return jobs.job_request(kind="comparison_part", key="part/comparison", payload=payload, parent=whole)


def forecast_part(battle, umpire) -> Job:
    whole = forecast_ask(campaign=battle.campaign, actor=umpire, weeks=1, runs=2)
    start = forecast_start(battle.campaign, "", 1)
    return part_of(jobs.job_claim(job_id=whole.pk), "forecast_part", forecast_parts.start_mark(start))


def played(battle) -> Campaign:
    """The first day, without the battle."""
    campaign = battle.campaign
    Battle.objects.filter(pk=battle.pk).delete()
    day_advance(campaign=campaign, actor=None)
    return Campaign.objects.select_related("head").get(pk=campaign.pk)


def advance(battle, umpire) -> Job:
    campaign = battle.campaign
    Battle.objects.filter(pk=battle.pk).delete()
    Campaign.objects.filter(pk=campaign.pk).update(run_until="turn", days_a_turn=2)
    return advance_request(campaign=Campaign.objects.get(pk=campaign.pk), actor=umpire)


def prediction(battle, umpire) -> Job:
    battle_settle_by_engine(battle=battle, actor=None)
    assert predictions_ask(campaign=battle.campaign, actor=umpire) == 1
    return Job.objects.get(kind="battle_prediction")


def replay(battle, umpire) -> Job:
    fought = battle_settle_by_engine(battle=battle, actor=None)
    fought.replay.delete()
    return replay_ask(battle=fought, actor=umpire)


def pack(battle, umpire) -> Job:
    signed_in(umpire).post(f"/campaigns/saratoga/battles/{battle.pk}/pack.pdf")
    return Job.objects.get(kind="battle_pack")


def confirmation(battle, umpire) -> Job:
    """Of a split fight: the engine fights the rest of the field."""
    units = battle.inputs["file"]["units"]
    here = {side: next(unit["id"] for unit in units if unit["side"] == side) for side in ("crown", "rebel")}
    Battle.objects.filter(pk=battle.pk).update(way="table", sector=sorted(here.values()))
    battle = Battle.objects.get(pk=battle.pk)
    said = Entry({here["crown"]: UnitResult(1)}, held_by="rebel", pursuit="none")
    battle_entry_save(
        entered=True, battle=battle, side="rebel", entry=said, version=0, actor=commander_of(battle, "rebel")
    )
    battle_confirm(battle=battle, decided=said, seen=list_entry_versions(battle), actor=umpire)
    return Job.objects.get(kind="battle_confirm")


def commander_of(battle, side: str) -> User:
    return Seat.objects.get(campaign=battle.campaign, side=side, role="commander").user


def fight(battle, umpire) -> Job:
    shipped_one = battle_to_json(read_battle("hubbardton"))
    return fight_ask(data=shipped_one, runs=2, seed=1777, actor=umpire)


def printed_book(battle, umpire) -> Job:
    campaign = played(battle)
    book = book_ask(campaign=campaign, actor=umpire)
    tasks.run_job(book.pk)
    book.refresh_from_db()
    asked = book_print_ask(book=book, paper="a4", viewer=viewer_of(umpire, campaign))
    assert asked is not None
    return asked


def restored(battle: Battle, umpire: User) -> Job:
    """An archive a keeper of the site brings in."""
    umpire.is_superuser = True
    umpire.save()
    row = restoration_ask(data=PRESENT.read_bytes(), actor=umpire, slug="again")
    assert row.job is not None
    return row.job


ASKED = {
    "advance_day": advance,
    "backup": lambda battle, umpire: backups.backup_ask_due(),
    "battle_confirm": confirmation,
    "battle_odds": lambda battle, umpire: odds_ask(battle=battle, actor=umpire, runs=4),
    "battle_pack": pack,
    "battle_prediction": prediction,
    "battle_replay": replay,
    "battle_settle": lambda battle, umpire: battle_settle_ask(battle=battle, actor=umpire),
    "book_print": printed_book,
    "campaign_archive": lambda battle, umpire: archive_ask(campaign=battle.campaign, actor=umpire),
    "campaign_restore": restored,
    "campaign_book": lambda battle, umpire: book_ask(campaign=played(battle), actor=umpire),
    "comparison": comparison,
    "comparison_part": comparison_part,
    "dry_run": lambda battle, umpire: dry_run_ask(campaign=battle.campaign, actor=umpire),
    "fight": fight,
    "forecast": lambda battle, umpire: forecast_ask(campaign=battle.campaign, actor=umpire, weeks=1, runs=2),
    "forecast_part": forecast_part,
    "odds_part": odds_part,
}
#: What a second attempt may say otherwise, by kind: how long it took, and what it finds done already.
CHANGES = {
    "advance_day": {"provisional", "waiting"},
    "backup": {"file", "bytes", "removed"},
    "battle_odds": {"seconds"},
    "battle_prediction": {"runs"},
    "campaign_restore": {"days", "replayed"},
    "comparison": {"systems"},
    "comparison_part": {"seconds"},
    "fight": {"seconds"},
    "odds_part": {"seconds"},
}


def test_every_kind_of_job_is_asked_for_here():
    assert ASKED.keys() == tasks.HANDLERS.keys()


#: A backup is of one moment: PostgreSQL asks for that in the first words of a transaction, not in a test's.
@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=pytest.mark.django_db(transaction=kind == "backup")) for kind in ASKED]
)
def test_every_kind_of_job_is_safe_to_run_twice_and_seen_with_its_progress(
    kind, battle, carleton, settings, tmp_path, monkeypatch
):
    """The second time as after the death of a worker who had done the work and not said so."""
    settings.BACKUP_DIR, settings.BACKUP_KEEP = tmp_path, 1
    monkeypatch.setattr(backups, "choose_dump_name", lambda portable: "database.jsonl")
    monkeypatch.setattr(tasks, "REPORT_SECONDS", 0.0)
    monkeypatch.setattr(job_parts, "REPORT_SECONDS", 0.0)
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    cache.clear()
    job = ASKED[kind](battle, carleton)
    assert (job.kind, job.max_attempts) == (kind, jobs.attempts_of(kind))
    found = []
    for attempt in (1, 2):
        Job.objects.filter(pk=job.pk).update(state=Job.State.QUEUED, result=None, progress=0)
        tasks.run_job(job.pk)
        job.refresh_from_db()
        assert (job.state, job.attempts, job.error, job.progress) == ("done", attempt, "", 100)
        told = {key: value for key, value in job.result.items() if key not in CHANGES.get(kind, ())}
        found.append((told, rows(), heads(), len(list(tmp_path.iterdir()))))
    assert found[0] == found[1]
    keeper = signed_in(User.objects.create_superuser("clinton"))
    listed = keeper.get("/admin/campaign/job/").content.decode()
    assert kind in listed and ">100<" in "".join(listed.split())
    umpires = signed_in(carleton).get("/umpire/campaign/job/").content.decode()
    assert (f"/umpire/campaign/job/{job.pk}/" in umpires) == (kind not in UNTOLD)


def heads() -> list[tuple]:
    """Where every campaign stands, and every battle."""
    return [
        *Campaign.objects.values_list("day", "head__record_hash"),
        *Battle.objects.values_list("state", "settlement", "prediction"),
    ]
