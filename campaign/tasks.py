"""What Celery runs: one task for every kind of job, and the sweep for lost ones."""

import logging
import time
from collections.abc import Callable
from typing import Any

import structlog
from celery import shared_task
from django.utils.module_loading import import_string

from campaign.models import Job
from campaign.rules.errors import RuleViolation
from campaign.services import jobs
from campaign.services.audit import audit_prune
from campaign.services.backups import backup_ask_due
from campaign.services.clock import clock_strike
from campaign.services.idempotency import keys_clean_up as answers_clean_up
from campaign.services.second_factors import factors_seal
from campaign.services.turn_runs import battles_overdue_settle
from campaign.services.watch import watch_keep

logger = logging.getLogger(__name__)

Report = Callable[[int, str], None]
Handler = Callable[[Job, Report], dict[str, Any] | None]

#: kind -> the service function `(job, report) -> JSON result`, imported when such a job runs.
HANDLERS: dict[str, str] = {
    "advance_day": "campaign.services.turn_runs.turn_job",
    "backup": "campaign.services.backups.backup_job",
    "battle_confirm": "campaign.services.battle_entries.battle_confirm_job",
    "battle_odds": "campaign.services.odds.battle_odds_job",
    "battle_pack": "campaign.services.pack_printing.pack_print_job",
    "battle_prediction": "campaign.services.predictions.battle_prediction_job",
    "battle_replay": "campaign.services.replays.battle_replay_job",
    "battle_settle": "campaign.services.battles.battle_settle_job",
    "book_print": "campaign.services.book_printing.book_print_job",
    "campaign_archive": "campaign.services.archive_jobs.campaign_archive_job",
    "campaign_book": "campaign.services.books.campaign_book_job",
    "dry_run": "campaign.services.dry_run.dry_run_job",
    "odds_part": "campaign.services.odds_parts.odds_part_job",
    "fight": "campaign.services.fights.fight_job",
    "forecast": "campaign.services.forecasts.forecast_job",
}

#: A report within this time of the last one is not written: each is a write to the database.
REPORT_SECONDS = 1.0


@shared_task(name=jobs.RUN_JOB, ignore_result=True)
def run_job(job_id: int) -> None:
    """Run one attempt of a job, if it is there to be run."""
    job = jobs.job_claim(job_id=job_id)
    if job is None:
        return
    slug = job.campaign.slug if job.campaign else None
    with structlog.contextvars.bound_contextvars(job=job.pk, kind=job.kind, campaign=slug):
        _attempt(job)


@shared_task(name="campaign.requeue_expired", ignore_result=True)
def requeue_expired() -> None:
    """The sweep that beat asks for."""
    if count := jobs.jobs_requeue_expired():
        logger.warning("Sent %s lost jobs again", count)


@shared_task(name="campaign.strike_clock", ignore_result=True)
def strike_clock() -> None:
    """What beat asks for twice a minute: deadlines, days that play themselves, letters."""
    if count := clock_strike():
        logger.info("Sent %s letters", count)


@shared_task(name="campaign.keys_clean_up", ignore_result=True)
def keys_clean_up() -> None:
    """Answers kept for those who ask the same again are forgotten after a week (HR-API-02)."""
    answers_clean_up()


@shared_task(name="campaign.settle_overdue", ignore_result=True)
def settle_overdue() -> None:
    """The engine settles what has waited longer than its campaign allows (HR-CAL-13); beat asks for it."""
    if count := battles_overdue_settle():
        logger.warning("Settled %s battles that had waited too long", count)


@shared_task(name="campaign.prune_audit", ignore_result=True)
def prune_audit() -> None:
    """Take away what of the audit has been kept long enough."""
    audit_prune()


@shared_task(name="campaign.seal_factors", ignore_result=True)
def seal_factors() -> None:
    """Second factors of an older release, or under an older key, are sealed; beat asks hourly."""
    if count := factors_seal():
        logger.info("Sealed %s second factors", count)


@shared_task(name="campaign.back_up", ignore_result=True)
def back_up() -> None:
    """The site's backup, once in BACKUP_HOURS; beat asks each hour whether it is due."""
    backup_ask_due()


@shared_task(name="campaign.keep_watch", ignore_result=True)
def keep_watch() -> None:
    """The watch over jobs, campaigns, clock, workers and notices (HR-JOB-04); beat asks for it."""
    watch_keep()


def _attempt(job: Job) -> None:
    """Do the work of a job that was claimed, and write how it ended."""
    try:
        handler = _handler(job.kind)
        result = handler(job, _reporter(job))
        if job.state == Job.State.RUNNING:  # else it finished itself together with its effect
            jobs.job_finish(job=job, result=result)
        logger.info("Job done, attempt %s", job.attempts)
    except jobs.JobLost as lost:
        logger.warning("%s", lost)
    except RuleViolation as refusal:
        _fail(job, refusal.message, final=True)
    except Exception as error:
        logger.exception("Job %s (%s), attempt %s, failed", job.pk, job.key, job.attempts)
        _fail(job, f"{type(error).__name__}: {error}", final=False)


def _handler(kind: str) -> Handler:
    if kind not in HANDLERS:
        known = ", ".join(sorted(HANDLERS)) or "none"
        raise RuleViolation("HR-JOB-01", f"No job of kind {kind} is known here; known are: {known}.", "kind")
    handler: Handler = import_string(HANDLERS[kind])
    return handler


def _reporter(job: Job) -> Report:
    written = float("-inf")  # the first report is always written

    def report(percent: int, note: str = "") -> None:
        nonlocal written
        if time.monotonic() - written >= REPORT_SECONDS:
            jobs.job_progress(job=job, percent=percent, note=note)
            written = time.monotonic()

    return report


def _fail(job: Job, error: str, *, final: bool) -> None:
    try:
        jobs.job_fail(job=job, error=error, final=final)
    except jobs.JobLost as lost:
        logger.warning("%s", lost)
