"""Celery tasks: one for every kind of job, and the periodic ones."""

import functools
import logging
import time
from collections.abc import Callable
from typing import Any

import structlog
from celery import shared_task
from django.utils.module_loading import import_string

from campaign.ledger.audit import audit_prune
from campaign.models import Job, WorkTime
from campaign.rules.errors import RuleViolation
from campaign.services.accounts.second_factors import factors_seal
from campaign.services.archive.restorations import restorations_clean_up
from campaign.services.backups.backups import backup_ask_due
from campaign.services.battles.standalone_fights import fights_clean_up
from campaign.services.jobs import jobs
from campaign.services.jobs.idempotency import keys_delete_expired as answers_clean_up
from campaign.services.jobs.leases import keep_lease
from campaign.services.jobs.monitoring import watch_keep
from campaign.services.jobs.work_times import time_work
from campaign.services.turns.clock import clock_strike
from campaign.services.turns.runs import battles_overdue_settle

logger = logging.getLogger(__name__)

Report = Callable[[int, str], None]
Handler = Callable[[Job, Report], dict[str, Any] | None]

#: kind -> the service function `(job, report) -> JSON result`, imported when such a job runs.
HANDLERS: dict[str, str] = {
    "advance_day": "campaign.services.turns.runs.turn_job",
    "backup": "campaign.services.backups.backups.backup_job",
    "battle_confirm": "campaign.services.battles.table_results.battle_confirm_job",
    "battle_odds": "campaign.services.battles.odds.battle_odds_job",
    "battle_pack": "campaign.services.battles.packs.pack_print_job",
    "battle_prediction": "campaign.services.battles.predictions.battle_prediction_job",
    "battle_replay": "campaign.services.battles.replays.battle_replay_job",
    "battle_settle": "campaign.services.battles.settlement.battle_settle_job",
    "book_print": "campaign.services.press.books.book_print_job",
    "campaign_archive": "campaign.services.archive.jobs.campaign_archive_job",
    "campaign_restore": "campaign.services.archive.restorations.restoration_job",
    "campaign_book": "campaign.services.press.books.campaign_book_job",
    "comparison": "campaign.services.battles.comparisons.comparison_job",
    "comparison_part": "campaign.services.battles.comparisons.comparison_part_job",
    "dry_run": "campaign.services.turns.day_preview.dry_run_job",
    "odds_part": "campaign.services.battles.odds.odds_part_job",
    "fight": "campaign.services.battles.standalone_fights.fight_job",
    "forecast": "campaign.services.forecasts.forecasts.forecast_job",
    "forecast_part": "campaign.services.forecasts.forecasts.forecast_part_job",
}

#: A report within this time of the last one is not written: each is a write to the database.
REPORT_SECONDS = 1.0


#: Seconds after which a task is told to end, and is ended. A job asks again, and what it had done in parts
#: stands; the longest are forecasts. What the clock asks for comes again by itself.
JOB_SECONDS, ROUND_SECONDS, GRACE = 6 * 3600, 1800, 300


def clock_task(name: str) -> Callable[[Callable[[], None]], Any]:
    """A task the clock asks for again and again: safe to run twice, never tried again by itself, timed."""

    def make_task(work: Callable[[], None]) -> Any:
        @functools.wraps(work)
        def time_task() -> None:
            with time_work(kind=name):
                work()

        return shared_task(
            name=f"campaign.{name}",
            ignore_result=True,
            acks_late=True,
            max_retries=0,
            soft_time_limit=ROUND_SECONDS,
            time_limit=ROUND_SECONDS + GRACE,
        )(time_task)

    return make_task


@shared_task(
    name=jobs.RUN_JOB,
    ignore_result=True,
    acks_late=True,
    max_retries=0,  # its row says whether and when it is tried again
    soft_time_limit=JOB_SECONDS,
    time_limit=JOB_SECONDS + GRACE,
)
def run_job(job_id: int) -> None:
    """Run one attempt of a job, if it is there to be run."""
    if jobs.job_gives_way(job_id=job_id):
        return
    job = jobs.job_claim(job_id=job_id)
    if job is None:
        return
    slug = job.campaign.slug if job.campaign else None
    told = structlog.contextvars.bound_contextvars(job=job.pk, kind=job.kind, campaign=slug)
    with told, keep_lease(job), time_work(kind=job.kind) as timing:
        timing.ended = _run_job(job)


@clock_task("requeue_expired")
def requeue_expired() -> None:
    """The sweep for jobs that got lost."""
    if count := jobs.jobs_requeue_expired():
        logger.warning("Sent %s lost jobs again", count)


@clock_task("strike_clock")
def strike_clock() -> None:
    """Twice a minute: deadlines, days that play themselves, letters."""
    if count := clock_strike():
        logger.info("Sent %s letters", count)


@clock_task("keys_clean_up")
def keys_clean_up() -> None:
    """Delete what is kept for a limited time: answers to repeated requests (HR-API-02).

    So are archives that failed (HR-ARC-03) and fights of people who are no more (HR-BAT-12).
    """
    answers_clean_up()
    restorations_clean_up()
    fights_clean_up()


@clock_task("settle_overdue")
def settle_overdue() -> None:
    """The engine settles what has waited longer than its campaign allows (HR-CAL-13)."""
    if count := battles_overdue_settle():
        logger.warning("Settled %s battles that had waited too long", count)


@clock_task("prune_audit")
def prune_audit() -> None:
    """Take away what of the audit has been kept long enough."""
    audit_prune()


@clock_task("seal_factors")
def seal_factors() -> None:
    """Second factors of an older release, or under an older key, are sealed; the clock asks hourly."""
    if count := factors_seal():
        logger.info("Sealed %s second factors", count)


@clock_task("back_up")
def back_up() -> None:
    """The site's backup, once in BACKUP_HOURS; the clock asks each hour whether it is due."""
    backup_ask_due()


@clock_task("keep_watch")
def keep_watch() -> None:
    """The watch over jobs, campaigns, clock, workers and notices (HR-JOB-04)."""
    watch_keep()


def _run_job(job: Job) -> WorkTime.Ended:
    """Do the work of a job that was claimed, write how it ended, and say so."""
    try:
        handler = _load_handler(job.kind)
        result = handler(job, _build_reporter(job))
        if job.state == Job.State.RUNNING:  # else it finished itself together with its effect
            jobs.job_finish(job=job, result=result)
        logger.info("Job done, attempt %s", job.attempts)
    except jobs.JobPutBack as left:
        logger.info("%s", left)
        return WorkTime.Ended.LEFT
    except jobs.JobLost as lost:
        logger.warning("%s", lost)
        return WorkTime.Ended.LEFT
    except RuleViolation as refusal:
        _fail_job(job, refusal.message, final=True)
        return WorkTime.Ended.REFUSED
    except Exception as error:
        logger.exception("Job %s (%s), attempt %s, failed", job.pk, job.key, job.attempts)
        _fail_job(job, f"{type(error).__name__}: {error}", final=False)
        return WorkTime.Ended.FAILED
    return WorkTime.Ended.DONE


def _load_handler(kind: str) -> Handler:
    if kind not in HANDLERS:
        known = ", ".join(sorted(HANDLERS)) or "none"
        raise RuleViolation("HR-JOB-01", f"No job of kind {kind} is known here; known are: {known}.", "kind")
    handler: Handler = import_string(HANDLERS[kind])
    return handler


def _build_reporter(job: Job) -> Report:
    written = float("-inf")  # the first report is always written

    def report(percent: int, note: str = "") -> None:
        nonlocal written
        if time.monotonic() - written >= REPORT_SECONDS:
            jobs.job_progress(job=job, percent=percent, note=note)
            written = time.monotonic()

    return report


def _fail_job(job: Job, error: str, *, final: bool) -> None:
    try:
        jobs.job_fail(job=job, error=error, final=final)
    except jobs.JobLost as lost:
        logger.warning("%s", lost)
