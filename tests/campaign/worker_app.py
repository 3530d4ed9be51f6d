"""The Celery application with one more kind of job, for tests that kill real workers.

The job takes about four seconds, then makes one user in the transaction that finishes it.
"""

import time

from django.db import transaction

from campaign.config.celery import app

STEPS = 20
STEP_SECONDS = 0.2


def slow_levy(job, report):
    """Raise one man, slowly; his name says which job and attempt raised him."""
    from campaign.models import User
    from campaign.services.jobs import job_finish

    for step in range(STEPS):
        report(100 * step // STEPS, f"step {step}")
        time.sleep(STEP_SECONDS)
    with transaction.atomic():
        User.objects.create(username=f"{job.key}, attempt {job.attempts}")
        job_finish(job=job, result={"attempt": job.attempts})


@app.on_after_finalize.connect
def register(sender, **options):
    """Add the kind once Django's models are there."""
    from campaign.tasks import HANDLERS

    HANDLERS["slow levy"] = "tests.campaign.worker_app.slow_levy"
