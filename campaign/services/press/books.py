"""Having the campaign's book made, as a job: kept, found again, and made anew when asked (HR-REP-03)."""

from collections.abc import Callable
from typing import Any

from django.db import transaction

from campaign.fog.press import BOOK, may_read_book
from campaign.fog.viewers import NotSeated, viewer_of
from campaign.models import Campaign, Job, Seat, User
from campaign.rules.errors import RuleViolation
from campaign.selectors.press.book_body import book_body
from campaign.services.jobs.jobs import job_request
from campaign.services.seats.assignment import lock_campaign

RULE = "HR-REP-03"


def book_ask(*, campaign: Campaign, actor: User) -> Job:
    """Ask for the book as the campaign stands. While one is being made, that is the one.

    Raises RuleViolation for somebody who may not read it, and before the first day is played.
    """
    with transaction.atomic():
        campaign = lock_campaign(campaign)
        try:
            allowed = may_read_book(viewer_of(actor, campaign, also=(Seat.Role.SPECTATOR,)))
        except NotSeated:
            allowed = False
        if not allowed:
            raise RuleViolation(
                RULE, f"Until a day after its end the book of {campaign} is its umpire's alone.", "actor"
            )
        if not campaign.day or campaign.head is None:
            raise RuleViolation(RULE, "No day has been played yet, so there is nothing to print.", "day")
        made = Job.objects.filter(campaign=campaign, kind=BOOK)
        busy = made.filter(state__in=(Job.State.QUEUED, Job.State.RUNNING)).first()
        if busy is not None:
            return busy
        return job_request(
            kind=BOOK,
            key=f"book/{campaign.slug}/{made.count() + 1}/{campaign.head.record_hash[:16]}",
            payload={"head": campaign.head.record_hash, "told": campaign.dice_told},
            campaign=campaign,
            actor=actor,
        )


def campaign_book_job(job: Job, report: Callable[[int, str], None]) -> dict[str, Any]:
    """The job's work. It writes nothing but its result, so it is safe to run twice."""
    assert job.campaign_id is not None
    campaign = Campaign.objects.select_related("head").get(pk=job.campaign_id)
    return {"book": book_body(campaign, report)}
