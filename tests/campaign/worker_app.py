"""The Celery application with one more kind of job, for tests that kill real workers.

The job takes about a second, then makes one user in the transaction that finishes it; where it is
asked to be endless its first attempt goes on until it is killed. Forecasts are shared however small.
"""

import time

from django.db import transaction

from campaign.config.celery import app

STEPS = 10
STEP_SECONDS = 0.1


def slow_levy(job, report):
    """Raise one man, slowly; his name says which job and attempt raised him."""
    from campaign.models import User
    from campaign.services.jobs import job_finish

    for step in range(STEPS):
        report(100 * step // STEPS, f"step {step}")
        time.sleep(STEP_SECONDS)
    while job.payload["endless"] and job.attempts == 1:
        report(90, "on and on")
        time.sleep(STEP_SECONDS)
    with transaction.atomic():
        User.objects.create(username=f"{job.key}, attempt {job.attempts}")
        job_finish(job=job, result={"attempt": job.attempts})


@app.on_after_finalize.connect
def register(sender, **options):
    """Add the kind once Django's models are there."""
    from campaign.services import forecast_parts
    from campaign.tasks import HANDLERS

    forecast_parts.WORTH, forecast_parts.PART = 1, 1  # a part for each course of a short forecast
    HANDLERS["slow levy"] = "tests.campaign.worker_app.slow_levy"
