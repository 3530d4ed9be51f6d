"""A campaign's archive made as a job, and kept until the campaign has gone on (HR-ARC-02)."""

import base64
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.db import transaction

from campaign.fog.viewers import NotSeated, viewer_of
from campaign.models import Campaign, Job, User
from campaign.rules.errors import RuleViolation
from campaign.selectors.archive import ARCHIVE, may_archive
from campaign.services.archive.export import campaign_export
from campaign.services.jobs.jobs import job_request
from campaign.services.seats.assignment import lock_campaign

RULE = "HR-ARC-02"
GONE_ON = "The campaign has gone on since; ask for its archive anew."


def archive_ask(*, campaign: Campaign, actor: User) -> Job:
    """Ask for the archive as the campaign stands; asked for again meanwhile, it is the same.

    Raises RuleViolation for somebody who may not have it.
    """
    with transaction.atomic():
        campaign = lock_campaign(campaign)
        try:
            allowed = may_archive(viewer_of(actor, campaign))
        except NotSeated:
            allowed = False
        if not allowed or campaign.head is None:
            raise RuleViolation(
                RULE, f"Until a day after its end the archive of {campaign} is its umpire's alone.", "actor"
            )
        told = campaign.dice_told
        head = campaign.head.record_hash
        older = Job.objects.filter(campaign=campaign, kind=ARCHIVE, state=Job.State.DONE)
        older.exclude(payload__head=head).delete()  # a file of days gone by is large and of no use
        return job_request(
            kind=ARCHIVE,
            key=f"archive/{campaign.slug}/{head[:32]}/{'told' if told else 'sealed'}",
            payload={"head": head, "told": told},
            campaign=campaign,
            actor=actor,
        )


def archive_verify_again(campaign: Campaign, job: Job) -> None:
    """Raises RuleViolation where an archive that failed would be of another day by now, or of other dice."""
    head = campaign.head.record_hash if campaign.head is not None else ""
    if job.payload != {"head": head, "told": campaign.dice_told}:
        raise RuleViolation(RULE, GONE_ON, "")


def campaign_archive_job(job: Job, report: Callable[[int, str], None]) -> dict[str, Any]:
    """The job's work. It writes nothing but its result, so it is safe to run twice."""
    assert job.campaign_id is not None
    campaign = Campaign.objects.select_related("head").get(pk=job.campaign_id)
    if campaign.head is None or campaign.head.record_hash != job.payload["head"]:
        raise RuleViolation(RULE, GONE_ON, "")
    report(10, "Writing the files.")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "archive.zip"
        campaign_export(campaign=campaign, path=path)
        data = path.read_bytes()
    return {"file": base64.b64encode(data).decode("ascii"), "bytes": len(data)}
