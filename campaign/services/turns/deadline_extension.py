"""Grace: more time after an outage, because nobody could send orders meanwhile (HR-DUE-12)."""

import logging
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.db import DatabaseError, transaction

from campaign.fog.seat_roles import seats_in_force
from campaign.models import Battle, Campaign, Grace, Job, Notice, format_time_zone
from campaign.rules.umpire.corrections import Deadline
from campaign.selectors.turns.deadlines import convert_to_club_time
from campaign.services.jobs.jobs import GOES_ON
from campaign.services.notifications.notifications import notices_write
from campaign.services.umpire.corrections import act_perform

logger = logging.getLogger(__name__)

#: A deadline this near after an outage counts as one that nobody could keep.
NEAR = timedelta(hours=1)


def graces_give(*, since: datetime, now: datetime) -> int:
    """Give grace to each running campaign in which something was due between two moments; gives how many.

    Call in a transaction. What fails for one campaign does not hold up the others.
    """
    given = 0
    for campaign in Campaign.objects.filter(state=Campaign.State.RUNNING, paused="").order_by("pk"):
        try:
            with transaction.atomic():
                if _was_due(campaign, since, now + NEAR):
                    given += _give_grace(campaign, Grace.SILENCE, since, now)
        except DatabaseError:  # the next stroke tries again
            raise
        except Exception:
            logger.exception("No grace could be given to %s", campaign.slug)
    return given


def graces_after_restore(*, made_at: datetime, now: datetime) -> list[str]:
    """After a backup was put back: grace for each running campaign, and everybody is told.

    `made_at` is the backup's moment. Turns that were asked for then are not played: whoever asked asks
    again, and the clock asks at the deadline. Returns a sentence for each campaign whose deadline moved.
    """
    told = []
    with transaction.atomic():
        turns = Job.objects.filter(kind="advance_day", state__in=GOES_ON)
        turns.update(state=Job.State.CANCELLED, lease_until=None, finished_at=now)
        for campaign in Campaign.objects.filter(state=Campaign.State.RUNNING):
            before = campaign.deadline
            if _give_grace(campaign, Grace.RESTORE, made_at, now):
                campaign.refresh_from_db()
                if campaign.deadline is not None and campaign.deadline != before:
                    due = convert_to_club_time(campaign.deadline, campaign)
                    told.append(f"{campaign.slug}: orders are due on {_moment_text(due, campaign)}.")
    return told


def _was_due(campaign: Campaign, since: datetime, until: datetime) -> bool:
    """Whether orders, or a battle nobody has fought (HR-CAL-13), were due between two moments."""
    if campaign.deadline is not None and since < campaign.deadline <= until:
        return True
    if campaign.settle_after_days is None:
        return False
    wait = timedelta(days=campaign.settle_after_days)
    waiting = campaign.battles.filter(
        revision=campaign.revision, day__gte=campaign.day, state=Battle.State.WAITING
    )
    return waiting.filter(opened_at__gt=since - wait, opened_at__lte=until - wait).exists()


def _give_grace(campaign: Campaign, cause: str, since: datetime, now: datetime) -> int:
    """Move a deadline that is nearer than the grace, keep it to be shown, tell people; 1 if they were told.

    Where a campaign gives no grace, people are told after a restore all the same: what they sent is lost.
    """
    if not campaign.grace_hours and cause != Grace.RESTORE:
        return 0
    until = now
    if campaign.grace_hours:
        until = now.replace(second=0, microsecond=0) + timedelta(hours=campaign.grace_hours, minutes=1)
    grace = Grace(cause, since, now, until)
    meant, subject = campaign.deadline_meant, f"{cause} {now.isoformat(timespec='seconds')}"
    near = campaign.deadline is not None and campaign.deadline < until
    if campaign.grace_hours and near and not campaign.paused:
        grace = Grace(cause, since, now, until, campaign.cadence_from)
        subject = until.isoformat()
        _deadline_move(campaign, until, grace)
    Campaign.objects.filter(pk=campaign.pk).update(grace=grace.to_json(), deadline_meant=meant)
    people = [seat.user for seat in seats_in_force(campaign) if seat.user is not None]
    notices_write(campaign=campaign, kind=Notice.Kind.GRACE, subject=subject, users=people)
    return 1


def _deadline_move(campaign: Campaign, until: datetime, grace: Grace) -> None:
    """Move it as an act in the chain; where none can be chained it moves all the same, and is logged."""
    since = _moment_text(convert_to_club_time(grace.since, campaign), campaign)
    reason = f"The site was put back to its state of {since}."
    if grace.cause == Grace.SILENCE:
        to = _moment_text(convert_to_club_time(grace.to, campaign), campaign)
        reason = f"The site was not fully running from {since} to {to}."
    try:
        with transaction.atomic():
            act_perform(campaign=campaign, act=Deadline(until.isoformat()), reason=reason, actor=None)
    except DatabaseError:  # the next stroke tries again
        raise
    except Exception:  # damaged rows are no reason to play a day nobody could order for
        logger.exception("The grace of %s could not be journaled", campaign.slug)
        Campaign.objects.filter(pk=campaign.pk, deadline__lt=until).update(deadline=until)


def _moment_text(moment: datetime, campaign: Campaign) -> str:
    return f"{moment.day} {moment:%B %Y, %H:%M} ({format_time_zone(ZoneInfo(campaign.time_zone))})"
