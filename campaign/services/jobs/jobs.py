"""Background tasks as rows: requested in the caller's transaction, run after commit, done exactly once.

A job is a row of `Job`. Celery only carries its number; a message may be lost (the file broker
loses those of a killed worker) or arrive twice, and neither matters: the row says what is to do.

Whoever claims a job gets a lease and the number of the attempt. Each later write of that worker
checks that number, so a worker that was slow, and whose job another has taken over, can no longer
change anything (`JobLost`). While the worker lives `leases.py` renews it. Work whose effect must stand
once calls `job_finish` in the same transaction as the effect.
"""

import logging
from datetime import datetime, timedelta
from time import monotonic
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from kombu.exceptions import OperationalError

from campaign.ledger.audit import Kind, audit_note
from campaign.models import Campaign, Job, User
from campaign.ops.text_sanitizing import shorten_text
from campaign.rules.errors import RuleViolation

logger = logging.getLogger(__name__)

RUN_JOB = "campaign.run_job"
ATTEMPTS = 5
#: Kinds that are tried fewer times: to go through an archive may keep a worker busy for hours.
FEWER = {"campaign_restore": 2}
#: Letters of what is told of an attempt that failed; what comes from a file may have any length.
LONGEST_ERROR = 2_000
#: Between two attempts there is never more than this.
LONGEST_PAUSE = timedelta(minutes=5)

#: What a job says that was asked for while the queue did not answer, until a worker takes it up.
QUEUE_AWAY = "The queue does not answer just now. This is kept, and begins by itself once it does."
#: Seconds for which a process leaves a queue alone that did not answer.
QUEUE_REST = 3.0
_queue_away_until = float("-inf")

GOES_ON = (Job.State.QUEUED, Job.State.RUNNING)


def attempts_of(kind: str) -> int:
    """Number of attempts at a kind of job before it counts as failed."""
    return FEWER.get(kind, ATTEMPTS)


class JobLost(Exception):
    """The job is no longer this worker's: it was cancelled, or its lease ran out."""

    def __init__(self, job: Job) -> None:
        self.job = job
        super().__init__(f"Job {job.pk} ({job.key}), attempt {job.attempts}, is no longer ours; stop here.")


class JobPutBack(Exception):
    """The job was put back for another worker; this one has no more to do with it."""

    def __init__(self, job: Job) -> None:
        super().__init__(f"Job {job.pk} ({job.key}) was put back for another worker.")


def job_request(
    *,
    kind: str,
    key: str,
    payload: dict[str, Any],
    campaign: Campaign | None = None,
    actor: User | None = None,
    parent: Job | None = None,
) -> Job:
    """The job called `key`: a new one, or the one already asked for; with `parent` a part of that.

    `payload` is JSON. The row belongs to the caller's transaction and the worker hears of it after
    commit. A job that failed or was cancelled is queued again with fresh attempts. Raises
    ValueError if `key` already names a job of another kind or payload.
    """
    with transaction.atomic():
        job, new = Job.objects.select_for_update().get_or_create(
            key=key,
            defaults={
                "kind": kind,
                "payload": payload,
                "campaign": campaign,
                "requested_by": actor,
                "parent": parent,
                "max_attempts": attempts_of(kind),
                "lease_until": _resend_at(),
            },
        )
        if (job.kind, job.payload) != (kind, payload):
            raise ValueError(f"The key {key} already names another job; give this one a key of its own.")
        if not new and job.state in (Job.State.FAILED, Job.State.CANCELLED):
            job.state = Job.State.QUEUED
            # Attempts keep counting: a worker of an older attempt must not pass for the new one.
            job.max_attempts = job.attempts + attempts_of(kind)
            job.progress, job.note, job.error, job.result = 0, "", "", None
            job.lease_until, job.finished_at, job.requested_by = _resend_at(), None, actor
            job.save()
            new = True
        if new:
            _send_job(job.pk)
    return job


def job_claim(*, job_id: int) -> Job | None:
    """Take the job for one attempt, or None when there is nothing to do.

    Nothing to do: it is done, failed, cancelled, out of attempts, or in another worker's lease.
    """
    now = timezone.now()
    with transaction.atomic():
        taken = (
            Job.objects.filter(pk=job_id, attempts__lt=F("max_attempts"))
            .filter(Q(state=Job.State.QUEUED) | Q(_lease_over(now), state=Job.State.RUNNING))
            .update(
                state=Job.State.RUNNING,
                attempts=F("attempts") + 1,
                lease_until=_lease_from(now),
                started_at=now,
                progress=0,
                note="",
                error="",
            )
        )
        return Job.objects.get(pk=job_id) if taken else None


def job_progress(*, job: Job, percent: int, note: str = "") -> None:
    """Say how far the work is (0 to 100) and renew the lease. Raises JobLost."""
    job.progress, job.note = max(0, min(100, percent)), shorten_text(note, 300)
    job.lease_until = _lease_from(timezone.now())
    _update_job(job, progress=job.progress, note=job.note, lease_until=job.lease_until)


def lease_renew(*, job: Job) -> bool:
    """Renew the lease of a job at work, which says nothing of itself; False when it is another's, or over."""
    mine = Job.objects.filter(pk=job.pk, state=Job.State.RUNNING, attempts=job.attempts)
    return bool(mine.update(lease_until=_lease_from(timezone.now())))


def job_finish(*, job: Job, result: dict[str, Any] | None = None) -> None:
    """The work is done, with a JSON result. Raises JobLost, which undoes the caller's transaction."""
    finished = timezone.now()
    changes: dict[str, Any] = {
        "state": Job.State.DONE,
        "progress": 100,
        "result": result or {},
        "error": "",
        "lease_until": None,
        "finished_at": finished,
    }
    with transaction.atomic():
        _update_job(job, **changes)
        Job.objects.filter(parent=job.pk).delete()  # their results are in this one's
    for name, value in changes.items():
        setattr(job, name, value)


def job_fail(*, job: Job, error: str, final: bool = False) -> None:
    """This attempt failed. It is tried again later, unless `final` or out of attempts. Raises JobLost.

    `final` is for refusals, which would be the same next time.
    """
    now, error = timezone.now(), shorten_text(error, LONGEST_ERROR)
    if final or job.attempts >= job.max_attempts:
        _update_job(job, state=Job.State.FAILED, error=error, lease_until=None, finished_at=now)
    else:
        _update_job(job, state=Job.State.QUEUED, error=error, lease_until=now + _compute_retry_pause(job))
    job.refresh_from_db()


def _compute_retry_pause(job: Job) -> timedelta:
    """Compute the pause before the next attempt: 2, 4, 8 ... seconds, five minutes at most.

    `attempts` alone counts on for ever: each time the work is asked for again or put back `max_attempts`
    grows with it.
    """
    tries = attempts_of(job.kind) - (job.max_attempts - job.attempts)
    return min(timedelta(seconds=2 ** min(max(tries, 1), 10)), LONGEST_PAUSE)


def job_put_back(*, job: Job, note: str = "") -> None:
    """Leave a job in hand to another worker, or for later: this attempt does not count. Raises JobLost."""
    _update_job(
        job,
        state=Job.State.QUEUED,
        max_attempts=F("max_attempts") + 1,
        lease_until=_resend_at(),
        note=shorten_text(note, 300),
    )


def job_gives_way(*, job_id: int) -> bool:
    """Postpone a part when a whole job is waiting for a worker; True when it was postponed (HR-JOB-03).

    Parts are many and asked for at once, and whole work asked for after them stands behind them in the queue.
    The sweep sends the part again; the worker of its whole takes it up without.
    """
    part = Job.objects.filter(pk=job_id, parent__isnull=False, state=Job.State.QUEUED)
    if not part.exists():
        return False
    whole = Job.objects.filter(parent=None, state=Job.State.QUEUED, attempts=0)
    recent = timezone.now() - timedelta(seconds=settings.JOB_RESEND_SECONDS)
    if not whole.filter(created_at__gte=recent).exists():  # what nobody fetched in time may be lost
        return False
    return bool(part.update(lease_until=timezone.now()))


def job_cancel(*, job: Job) -> bool:
    """Stop the job and its parts, queued or running; a running worker notices at its next report.

    False if it had ended already: what is done stays done.
    """
    ended = {"state": Job.State.CANCELLED, "lease_until": None, "finished_at": timezone.now()}
    goes_on = Job.objects.filter(state__in=GOES_ON)
    with transaction.atomic():
        stopped = goes_on.filter(pk=job.pk).update(**ended)
        if stopped:
            goes_on.filter(parent=job.pk).update(**ended)
    job.refresh_from_db()
    return bool(stopped)


def job_stop(*, job: Job, actor: User, umpire: bool) -> Job:
    """Stop work at somebody's wish; an umpire's stands in the audit.

    Raises RuleViolation (HR-JOB-02) when it has ended already.
    """
    if not job_cancel(job=job):
        raise RuleViolation("HR-JOB-02", "This work has ended already; there is nothing to stop.")
    logger.info("%s stops job %s (%s)", actor, job.pk, job.key)
    if umpire:
        audit_note(Kind.UMPIRE, actor, f"work “{job.kind}” stopped", campaign=job.campaign)
    return job


def job_again(*, job: Job, actor: User, umpire: bool = True) -> Job:
    """Queue again work that failed or was stopped; an umpire's or administrator's wish stands in the audit.

    It stays that of who asked for it first, who follows it. Whether it may be asked for still is not looked
    at here (services/jobs/retry.py). Raises RuleViolation for any other work (HR-JOB-02).
    """
    job.refresh_from_db()
    if job.state not in (Job.State.FAILED, Job.State.CANCELLED):
        raise RuleViolation("HR-JOB-02", "This work has not failed; look how far it is instead.")
    logger.info("%s asks again for job %s (%s)", actor, job.pk, job.key)
    if umpire:
        audit_note(Kind.UMPIRE, actor, f"work “{job.kind}” asked for again", campaign=job.campaign)
    return job_request(
        kind=job.kind,
        key=job.key,
        payload=job.payload,
        campaign=job.campaign,
        actor=job.requested_by or actor,
    )


def job_leave(*, job: Job, result: dict[str, Any]) -> bool:
    """Keep on a cancelled job what this attempt had found so far; False when it is not to be had there."""
    mine = Job.objects.filter(pk=job.pk, state=Job.State.CANCELLED, attempts=job.attempts)
    return bool(mine.update(result=result))


def jobs_requeue_expired() -> int:
    """Send lost jobs again: those with an expired lease, and queued jobs that no worker took in time.

    Returns how many were sent. A job whose attempts are used up fails instead.
    """
    now = timezone.now()
    late = Job.objects.filter(_lease_over(now) | Q(lease_until=None))
    late.filter(state=Job.State.RUNNING, attempts__gte=F("max_attempts")).update(
        state=Job.State.FAILED,
        error="Its worker died each time it was tried. Look at the worker's log, then ask again.",
        lease_until=None,
        finished_at=now,
    )
    sent = 0
    for job_id, note in late.filter(state__in=GOES_ON).values_list("pk", "note"):
        with transaction.atomic():
            # Looked at again under the write: the worker may have reported since.
            if late.filter(pk=job_id, state__in=GOES_ON).update(
                state=Job.State.QUEUED,
                lease_until=_resend_at(),
                note="" if note == QUEUE_AWAY else note,
            ):
                _send_job(job_id)
                sent += 1
    return sent


def _update_job(job: Job, **changes: Any) -> None:
    mine = Job.objects.filter(pk=job.pk, state=Job.State.RUNNING, attempts=job.attempts)
    if not mine.update(**changes):
        raise JobLost(job)


def _send_job(job_id: int) -> None:
    # Robust: a queue that is away must not break the request; the row stands and is sent later.
    transaction.on_commit(lambda: _send_to_queue(job_id), robust=True)


def _send_to_queue(job_id: int) -> None:
    """Send the job to the queue. While the queue is away its row says so, and the next sweep sends it."""
    global _queue_away_until  # of this process: many jobs are not to wait for the queue one after another
    if monotonic() >= _queue_away_until:
        try:
            current_app.send_task(RUN_JOB, args=[job_id])
            return
        except (OperationalError, OSError) as error:
            _queue_away_until = monotonic() + QUEUE_REST
            logger.error("The queue does not answer; job %s is sent when it does: %s", job_id, error)
    unsent = Job.objects.filter(pk=job_id, state=Job.State.QUEUED)
    unsent.update(note=QUEUE_AWAY, lease_until=timezone.now())  # the next sweep sends it


def _lease_over(now: datetime) -> Q:
    """Leases that have run out, and those longer than any: the machine's time was set back since."""
    longest = timedelta(seconds=max(settings.JOB_LEASE_SECONDS, settings.JOB_RESEND_SECONDS))
    return Q(lease_until__lt=now) | Q(lease_until__gt=now + 2 * max(longest, LONGEST_PAUSE))


def _lease_from(now: datetime) -> datetime:
    return now + timedelta(seconds=settings.JOB_LEASE_SECONDS)


def _resend_at() -> datetime:
    """Time at which a queued job that no worker took is sent again; stored in the lease's column."""
    return timezone.now() + timedelta(seconds=settings.JOB_RESEND_SECONDS)
