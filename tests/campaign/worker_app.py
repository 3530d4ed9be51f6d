"""The Celery application with one more kind of job, for tests that kill real workers.

The job takes about a second, then makes one user in the transaction that finishes it; where it is
asked to be endless its first attempt goes on until it is killed. Forecasts are shared however small, and
where GATE names a file a worker plays the courses in his hand once that file is there, saying nothing before;
beside it stands which parts he took up (`taken`), whose rows go when the forecast is done.
"""

import os
import time
from pathlib import Path

from django.db import transaction

from campaign.config.celery import app

STEPS = 10
STEP_SECONDS = 0.1
GATE = "PARTS_WAIT_FOR"


def slow_levy(job, report):
    """Raise one man, slowly; his name says which job and attempt raised him."""
    from campaign.models import User
    from campaign.services.jobs.jobs import job_finish

    for step in range(STEPS):
        report(100 * step // STEPS, f"step {step}")
        time.sleep(STEP_SECONDS)
    while job.payload["endless"] and job.attempts == 1:
        report(90, "on and on")
        time.sleep(STEP_SECONDS)
    with transaction.atomic():
        User.objects.create(username=f"{job.key}, attempt {job.attempts}")
        job_finish(job=job, result={"attempt": job.attempts})


def once_open(gate, courses):
    """`courses`, played once the file `gate` is there."""

    def played(*given):
        while not gate.exists():
            time.sleep(STEP_SECONDS)
        return courses(*given)

    return played


def taken(gate):
    """The file that holds the place and the attempt of each part taken up where `gate` is."""
    return gate.with_suffix(".taken")


def noted(played, gate):
    """`played` of a part, which is written down first."""

    def noting(part, *given):
        with taken(gate).open("a") as file:
            file.write(f"{part.payload['start']} {part.attempts}\n")
        return played(part, *given)

    return noting


@app.on_after_finalize.connect
def register(sender, **options):
    """Add the kind once Django's models are there."""
    from campaign.services.forecasts import forecasts, runs
    from campaign.tasks import HANDLERS

    runs.WORTH, runs.PART = 1, 1  # a part for each course of a short forecast
    if gate := os.environ.get(GATE):
        runs.iter_courses = once_open(Path(gate), runs.iter_courses)
        runs.play_part = forecasts.play_part = noted(runs.play_part, Path(gate))
    HANDLERS["slow levy"] = "tests.campaign.worker_app.slow_levy"
