"""Forecasts of many courses, played in parts by all workers and joined: the same figures (HR-JOB-03)."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings

from campaign.ledger.hash_chain import compute_digest
from campaign.models import Job
from campaign.selectors.forecasts.figures import join_figures, runs_tally
from campaign.services.forecasts.forecast_runs import Start, start_to_json
from campaign.services.forecasts.runs import iter_courses
from campaign.services.jobs.parts import Report, parts_ask, parts_work, split_evenly

KIND = "forecast_part"
#: What is worth sharing, and what one part has of it at the least: courses times their weeks.
WORTH, PART, MOST_PARTS = 120, 40, 64


def split_runs(weeks: int, runs: int) -> list[tuple[int, int]]:
    """The courses of each part; one part where sharing is not worth the messages."""
    work = weeks * runs
    return split_evenly(runs, 1 if work < WORTH else min(MOST_PARTS, runs, work // PART))


def play_forecast_in_parts(
    *, job: Job, start: Start, folder: Path, report: Callable[[int, str], None]
) -> dict[str, Any]:
    """The figures a job asks for, played with whoever lends a hand. Raises RuleViolation and JobLost."""
    runs = job.payload["runs"]
    mark = start_mark(start)
    keys = parts_ask(
        job=job,
        kind=KIND,
        mark=mark,
        payloads=[
            {"of": job.pk, "mark": mark, "start": first, "stop": stop}
            for first, stop in split_runs(start.weeks, runs)
        ],
    )

    def report_progress(percent: int) -> None:
        note = f"{runs * percent // 100:,} of {runs:,} courses of the campaign, in {len(keys)} parts."
        report(percent, note)

    tallies = parts_work(
        job=job, keys=keys, work=lambda part, tell: play_part(part, start, folder, tell), told=report_progress
    )
    return join_figures(start.world, start.weeks, tallies)


def play_part(part: Job, start: Start, folder: Path, report: Report) -> dict[str, Any]:
    """Play a part's courses, and count them; `report` raises JobLost between two when it was stopped."""
    first, stop = part.payload["start"], part.payload["stop"]
    played = []
    for course in iter_courses(start, range(first, stop), processes_usual(), folder):
        played.append(course)
        report(100 * len(played) // (stop - first))
    return runs_tally(start.world, start.weeks, played)


def processes_usual() -> int:
    """Processes worth using for one part here, where every worker process of the machine may have one."""
    return max(1, (os.cpu_count() or 1) // settings.JOB_WORKERS)


def start_mark(start: Start) -> str:
    """What tells one question from another: where it begins, and its dice."""
    return compute_digest(start_to_json(start))[:16]
