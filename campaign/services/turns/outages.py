"""Outages of the clock: how they are noticed, and the grace that players get after one (HR-DUE-12)."""

import logging
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import DatabaseError, transaction
from django.utils import timezone

from campaign.fog.seat_roles import seats_in_force
from campaign.models import Battle, Campaign, Grace, Heartbeat, Job, Notice, format_time_zone
from campaign.rules.umpire.corrections import Deadline
from campaign.selectors.turns.deadlines import convert_to_club_time
from campaign.services.jobs.jobs import GOES_ON
from campaign.services.notifications.notifications import notices_write
from campaign.services.umpire.corrections import act_perform

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
                    told.append(f"{campaign.slug}: orders are due on {_format_club_moment(due, campaign)}.")
    return told


def _was_due(campaign: Campaign, since: datetime, until: datetime) -> bool:
    """True when orders, or a battle nobody has fought (HR-CAL-13), were due between two moments."""
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
    """Extend a deadline too near after an outage and notify people; 1 if they were notified.

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
    since = _format_club_moment(convert_to_club_time(grace.since, campaign), campaign)
    reason = f"The site was put back to its state of {since}."
    if grace.cause == Grace.SILENCE:
        to = _format_club_moment(convert_to_club_time(grace.to, campaign), campaign)
        reason = f"The site was not fully running from {since} to {to}."
    try:
        with transaction.atomic():
            act_perform(campaign=campaign, act=Deadline(until.isoformat()), reason=reason, actor=None)
    except DatabaseError:  # the next stroke tries again
        raise
    except Exception:  # damaged rows are no reason to play a day nobody could order for
        logger.exception("The grace of %s could not be journaled", campaign.slug)
        Campaign.objects.filter(pk=campaign.pk, deadline__lt=until).update(deadline=until)


def _format_club_moment(moment: datetime, campaign: Campaign) -> str:
    return f"{moment.day} {moment:%B %Y, %H:%M} ({format_time_zone(ZoneInfo(campaign.time_zone))})"


logger = logging.getLogger(__name__)

#: Name of the clock's heartbeat, and how the names of notes begin that the machine's time was set back.
CLOCK, SET_BACK = "deadlines", "set back from "
#: How long a step back is told of.
TOLD = timedelta(days=1)


def stroke_note(*, now: datetime) -> None:
    """Note a stroke of the clock, before anything that is due is done. Safe by two workers at once.

    After a silence each campaign gets its grace in the same transaction, so that a killed worker leaves both
    undone. A stroke that lies in the future shows that time was set back: that is kept to be told.
    """
    alarm = timedelta(seconds=settings.CLOCK_ALARM_SECONDS)
    with transaction.atomic():
        Heartbeat.objects.get_or_create(name=CLOCK, defaults={"beat_at": now})
        beat = Heartbeat.objects.select_for_update().get(name=CLOCK)
        if now - beat.beat_at > alarm:
            logger.warning("The clock was silent from %s to %s", beat.beat_at, now)
            graces_give(since=beat.beat_at, now=now)
        elif beat.beat_at - now > alarm:
            logger.error("The machine's time was set back from %s to %s", beat.beat_at, now)
            name = SET_BACK + beat.beat_at.isoformat(timespec="seconds")
            Heartbeat.objects.update_or_create(name=name, defaults={"beat_at": now})
        Heartbeat.objects.filter(pk=beat.pk).update(beat_at=now)


def restore_note(*, made_at: datetime) -> list[str]:
    """Note that the site was put back to its state of a moment; gives what its keeper is told."""
    now = timezone.now()
    with transaction.atomic():
        Heartbeat.objects.filter(name=CLOCK).update(beat_at=now)
        return graces_after_restore(made_at=made_at, now=now)


def list_clock_setbacks(now: datetime) -> dict[str, str]:
    """List the clock setbacks of the last day as sentences, by the name of each note."""
    notes = Heartbeat.objects.filter(name__startswith=SET_BACK, beat_at__range=(now - TOLD, now + TOLD))
    return {note.name: step_back_text(note) for note in notes.order_by("pk")}


def step_back_text(note: Heartbeat) -> str:
    """Describe a clock setback and what to do about it."""
    was = datetime.fromisoformat(note.name.removeprefix(SET_BACK))
    return (
        f"The time of this machine was set back from {_moment_text(was)} to {_moment_text(note.beat_at)}. "
        "Deadlines follow the new time. Check that it is right (timedatectl), and that all machines of the "
        "site agree."
    )


def _moment_text(moment: datetime) -> str:
    return f"{moment.day} {moment:%B %Y, %H:%M} UTC"
