"""Lease of a job, renewed while its worker lives, however long one step of the work takes.

Work says how far it is between two steps: courses of a forecast, fights, days. One step may take longer than
a lease, on a slow machine or with a large campaign; the work would then be given to another while it goes on.
"""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from django.conf import settings
from django.db import DatabaseError, connection

from campaign.models import Job
from campaign.services.jobs.jobs import lease_renew

logger = logging.getLogger(__name__)

#: Seconds after which silent work has its lease run out all the same: it hangs.
SILENT = 1800.0


@contextmanager
def keep_lease(job: Job) -> Iterator[None]:
    """Renew the lease of a running job from a thread, which ends with the process as the work does."""
    ended = threading.Event()
    keeper = threading.Thread(
        target=_renew_lease, args=(job, ended), name=f"lease of job {job.pk}", daemon=True
    )
    keeper.start()
    try:
        yield
    finally:
        ended.set()
        keeper.join()


def _renew_lease(job: Job, ended: threading.Event) -> None:
    until = monotonic() + SILENT
    while not ended.wait(settings.JOB_LEASE_SECONDS / 3) and monotonic() < until:
        try:
            if not lease_renew(job=job):
                return
        except DatabaseError as error:  # it may be back before the lease runs out
            logger.warning("The lease of job %s could not be renewed: %s", job.pk, error)
        finally:
            connection.close()
