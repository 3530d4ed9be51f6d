"""Long jobs shared among workers: the parts are jobs themselves, and the whole job's worker helps.

Whoever has the whole takes up every part that nobody has, and waits only for those others are at. So one
worker alone does all of it, several share it, and no worker ever waits for work that nobody can take up.
A part whose worker died is taken up again once its lease has run out.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from django.db import transaction

from campaign.models import Job, WorkTime
from campaign.rules.errors import RuleViolation
from campaign.services.jobs.jobs import (
    GOES_ON,
    JobLost,
    job_claim,
    job_fail,
    job_finish,
    job_progress,
    job_request,
)
from campaign.services.jobs.leases import keep_lease
from campaign.services.jobs.work_times import time_work

#: Seconds between two looks at the parts, and between two reports of a part.
LOOK_SECONDS, REPORT_SECONDS = 0.5, 1.0

#: Told how far a part is, in percent; raises JobLost when it has been stopped.
Report = Callable[[int], None]
#: Does a part and gives its JSON result.
Work = Callable[[Job, Report], dict[str, Any]]
#: Told how far the whole is, in percent; raises JobLost when it has been stopped.
Told = Callable[[int], None]


def split_evenly(count: int, parts: int) -> list[tuple[int, int]]:
    """Split the numbers from 0 to `count` into spans of about equal size: first, and one past the last."""
    marks = [count * number // parts for number in range(parts + 1)]
    return list(pairwise(marks))


def parts_ask(*, job: Job, kind: str, mark: str, payloads: Sequence[Mapping[str, Any]]) -> list[int]:
    """Ask for the parts of a job, once for each `mark` of what they are about; gives their keys in order.

    Those that were done before the job was stopped, or its worker died, stay done.
    """
    with transaction.atomic():
        return [
            job_request(
                kind=kind,
                key=f"part/{job.pk}/{mark}/{number}-{len(payloads)}",
                payload=dict(payload),
                campaign=job.campaign,
                actor=job.requested_by,
                parent=job,
            ).pk
            for number, payload in enumerate(payloads)
        ]


def parts_work(*, job: Job, keys: Sequence[int], work: Work, told: Told) -> list[dict[str, Any]]:
    """Do the parts together with whoever else does, until all are done; gives their results in order.

    Raises RuleViolation (HR-JOB-03) when one is refused, JobLost when the whole was stopped.
    """
    while True:
        parts = Job.objects.filter(pk__in=keys).defer("payload", "result")
        states = {part.pk: part for part in parts}
        for part in states.values():
            if part.state in (Job.State.FAILED, Job.State.CANCELLED):
                if not Job.objects.filter(pk=job.pk, state=Job.State.RUNNING, attempts=job.attempts).exists():
                    raise JobLost(job)
                raise RuleViolation("HR-JOB-03", part.error or "A part of this work was stopped.")
        if all(part.state == Job.State.DONE for part in states.values()):
            results = dict(Job.objects.filter(pk__in=keys).values_list("pk", "result"))
            return [results[key] or {} for key in keys]
        mine = next((one for key in keys if (one := _claim_part(states[key]))), None)
        if mine is None:
            told(compute_progress(keys))
            time.sleep(LOOK_SECONDS)
        else:
            with keep_lease(mine), time_work(kind=mine.kind) as timing:
                timing.ended = part_do(part=mine, work=work, told=lambda: told(compute_progress(keys)))


def part_do(*, part: Job, work: Work, told: Callable[[], None]) -> WorkTime.Ended:
    """Do one part in hand; says how it ended. What stops it is written on it; what stops the whole is raised.

    `told` is called at each report, at most once a second.
    """
    written = float("-inf")

    def report(percent: int) -> None:
        nonlocal written
        if time.monotonic() - written >= REPORT_SECONDS:
            written = time.monotonic()
            told()
            job_progress(job=part, percent=percent)

    ended = WorkTime.Ended.DONE
    try:
        job_finish(job=part, result=work(part, report))
    except JobLost as lost:
        if lost.job.pk != part.pk:
            raise
        ended = WorkTime.Ended.LEFT
    except RuleViolation as refusal:
        _fail_part(part, refusal.message, final=True)
        ended = WorkTime.Ended.REFUSED
    except Exception as error:
        _fail_part(part, f"{type(error).__name__}: {error}", final=False)
        raise
    told()
    return ended


def compute_progress(keys: Sequence[int]) -> int:
    """Progress in percent of parts of equal size, taken together."""
    found = Job.objects.filter(pk__in=keys).values_list("progress", flat=True)
    return sum(found) // max(1, len(keys))


def _claim_part(part: Job) -> Job | None:
    return job_claim(job_id=part.pk) if part.state in GOES_ON else None


def _fail_part(part: Job, error: str, *, final: bool) -> None:
    try:
        job_fail(job=part, error=error, final=final)
    except JobLost:
        return
