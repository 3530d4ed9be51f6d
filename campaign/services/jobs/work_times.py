"""Durations of jobs, counted in the database at the end of each attempt, for all machines together.

So the figures outlive workers, and whichever web process is asked tells those of all. An attempt whose worker
was killed is not counted; the watch tells of it (HR-JOB-04).
"""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import DatabaseError, transaction
from django.utils import timezone

from campaign.models import WorkTime
from campaign.models.jobs import WORK_BOUNDS, WORK_MORE
from campaign.services.jobs.jobs import JobLost

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Timing:
    """Outcome of an attempt, as far as it is known."""

    ended: WorkTime.Ended = WorkTime.Ended.DONE


@contextmanager
def time_work(*, kind: str) -> Iterator[Timing]:
    """Time an attempt at a kind of job and count it, whatever the outcome; an exception counts as failed."""
    began, timing = time.monotonic(), Timing()
    try:
        yield timing
    except BaseException as error:
        stopped = isinstance(error, JobLost)
        timing.ended = WorkTime.Ended.LEFT if stopped else WorkTime.Ended.FAILED
        raise
    finally:
        _count_attempt(kind, timing.ended, time.monotonic() - began)


def _count_attempt(kind: str, ended: WorkTime.Ended, seconds: float) -> None:
    """Count an attempt in a transaction of its own, so that a failure to count never undoes work."""
    bound = next((str(one) for one in WORK_BOUNDS if seconds <= one), WORK_MORE)
    now = timezone.now()
    try:
        with transaction.atomic():
            row, _ = WorkTime.objects.select_for_update().get_or_create(
                kind=kind, ended=ended, defaults={"last_at": now}
            )
            row.within = {**row.within, bound: row.within.get(bound, 0) + 1}
            row.count, row.seconds = row.count + 1, row.seconds + seconds
            row.longest, row.last_at = max(row.longest, seconds), now
            row.save()
    except DatabaseError:
        logger.exception("An attempt at %s could not be counted", kind)
