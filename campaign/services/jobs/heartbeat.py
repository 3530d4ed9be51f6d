"""A worker's signs of life: from a thread of its main process, so that long work does not hold them up."""

import logging
from threading import Event, Thread
from typing import Any

from celery.signals import worker_ready, worker_shutting_down
from django.conf import settings
from django.db import connection

logger = logging.getLogger(__name__)
_over = Event()


@worker_ready.connect
def pulse_begin(sender: Any, **_: Any) -> None:
    """Begin once the worker takes work."""
    _over.clear()
    Thread(target=send_heartbeats, args=(sender.hostname,), name="pulse", daemon=True).start()


@worker_shutting_down.connect
def pulse_end(**_: Any) -> None:
    """The worker was told to end."""
    _over.set()


def send_heartbeats(name: str) -> None:
    """Record heartbeats until the worker is told to end; go on while the database is away for a while."""
    from campaign.services.jobs.monitoring import worker_beat, worker_leave  # once Django is set up

    while True:
        ending = _over.is_set()
        try:
            if ending:
                worker_leave(name=name)
            else:
                worker_beat(name=name)
        except Exception as error:
            logger.warning("No sign of life could be given: %s", error)
        finally:
            connection.close()
        if ending:
            return
        _over.wait(settings.CLOCK_SECONDS)
