"""Beat's schedule where the machine's time is set back: what is due is asked for all the same.

Celery remembers in a file when each task was last asked for, and waits until an interval after that. Where
time was set back by a day, it would ask for nothing in that day, whether it is started again or not.
"""

import logging
import time
from typing import Any

from celery.beat import PersistentScheduler

logger = logging.getLogger(__name__)

#: Seconds a clock may be set back without notice, as machines do to keep in step.
SLACK = 1.0


class SteadyScheduler(PersistentScheduler):
    """Celery's own schedule in a file; moments still to come are no reason to wait."""

    _looked_at = 0.0

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Ask for what is due; seconds until the next look."""
        now = time.time()
        ahead = [
            entry
            for entry in self.schedule.values()
            if entry.last_run_at is not None and _find_last_run(entry) > now + SLACK
        ]
        if ahead or now < self._looked_at - SLACK:
            logger.error("The machine's time was set back; %s tasks begin anew from now", len(ahead))
            for entry in ahead:
                entry.last_run_at = entry.default_now()
            self._heap = None  # it holds moments of the former time
        self._looked_at = now
        interval: float = super().tick(*args, **kwargs)
        return interval


def _find_last_run(entry: Any) -> float:
    """Return the time a task was last started, in seconds since 1970."""
    moment: float = entry.schedule.maybe_make_aware(entry.last_run_at).timestamp()
    return moment
