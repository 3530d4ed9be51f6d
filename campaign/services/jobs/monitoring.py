"""Monitoring: administrators are notified of what is wrong, once for each fault (HR-JOB-04).

It is asked for by beat, and by each worker where the clock is silent, so that neither can fail unnoticed
while the other lives. What umpires have to know of their campaigns stands on their desk.
"""

import logging
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils import timezone

from campaign.models import Campaign, Delivery, Fault, Heartbeat, Job, Notice
from campaign.services.archive.restorations import KIND as RESTORE
from campaign.services.notifications.email import MailFailed, mail_probe, mail_send_or_keep
from campaign.services.turns.clock import (
    OVERDUE_ALONE,
    OVERDUE_BY_HAND,
    find_clock_silence,
    list_silences,
    silence_text,
)
from campaign.services.turns.outages import CLOCK, SET_BACK, list_clock_setbacks

logger = logging.getLogger(__name__)

#: Work nobody has taken up for so long is stuck; what failed longer ago is no news; faults are kept so long.
STUCK, NEWS, KEPT = timedelta(minutes=15), timedelta(days=2), timedelta(days=90)
#: A worker silent for so long was taken away for good.
GONE = timedelta(days=1)
#: A worker's signs of life are called by this and its name.
WORKER = "worker "


@dataclass(frozen=True, slots=True)
class FaultFinding:
    """A detected fault; its kind and subject tell it from every other."""

    kind: str
    subject: str
    said: str
    campaign: int | None = None


def watch_keep(*, now: datetime | None = None) -> list[Fault]:
    """Look for what is amiss, tell what is new and close what is over; gives what is new.

    Safe at any time, twice, and by two at once: each fault is told by whoever wrote it down.
    """
    now = now or timezone.now()
    old = Heartbeat.objects.exclude(beat_at__range=(now - GONE, now + GONE))
    old.filter(Q(name__startswith=WORKER) | Q(name__startswith=SET_BACK)).delete()
    found = {(one.kind, one.subject): one for one in iter_faults(now)}
    if Fault.objects.filter(kind=Fault.Kind.MAIL, over_at=None).exists():
        mail_probe()
    # those of the mail server are opened and closed as e-mail goes
    others = Fault.objects.filter(over_at=None).exclude(kind=Fault.Kind.MAIL)
    known = {(fault.kind, fault.subject): fault for fault in others}
    over = [fault for key, fault in known.items() if key not in found]
    Fault.objects.filter(pk__in=[fault.pk for fault in over], over_at=None).update(over_at=now)
    Fault.objects.filter(over_at__lt=now - KEPT).delete()
    new = [fault for key, one in found.items() if key not in known and (fault := _store_fault(one))]
    for fault in over:
        logger.warning("Over: %s", fault)
    for fault in new:
        logger.error("Amiss: %s", fault)
    if new:
        _mail_faults(new)
    return new


def message_tell(*, queue: str, name: str, why: str) -> None:
    """A message of the queue was put aside; told once for the queue until that is no news."""
    said = f"A message of the queue {queue} was put aside as broker/aside/{name} in AWI_VAR: {why}."
    fault = _store_fault(
        FaultFinding(Fault.Kind.MESSAGE, f"queue {queue}", f"{said} Its work is sent again by itself.")
    )
    if fault is not None:
        _mail_faults([fault])


def worker_beat(*, name: str) -> None:
    """A worker gives a sign of life, and keeps the watch itself where the clock is silent."""
    Heartbeat.objects.update_or_create(name=WORKER + name, defaults={"beat_at": timezone.now()})
    if find_clock_silence() is not None:
        watch_keep()


def worker_leave(*, name: str) -> None:
    """A worker ends in order: its silence is no fault."""
    Heartbeat.objects.filter(name=WORKER + name).delete()


def iter_faults(now: datetime) -> Iterator[FaultFinding]:
    """Iterate over everything that is wrong at this moment."""
    yield from _iter_job_faults(now)
    yield from _iter_campaign_faults(now)
    for name, since in list_silences(now).items():
        kind = Fault.Kind.CLOCK if name == CLOCK else Fault.Kind.WORKER
        who = "The clock" if name == CLOCK else f"The {name}"
        said = silence_text(who, since, _moment_text(since))
        yield FaultFinding(kind, name, f"{said} Look whether it still runs.")
    for name, said in list_clock_setbacks(now).items():
        yield FaultFinding(Fault.Kind.CLOCK, name, said)
    for told in Fault.objects.filter(kind=Fault.Kind.MESSAGE, over_at=None, found_at__gte=now - NEWS):
        yield FaultFinding(Fault.Kind.MESSAGE, told.subject, told.said)
    unreached = Q(state=Notice.State.FAILED) | Q(deliveries__state=Delivery.State.FAILED)
    failed = Notice.objects.filter(unreached, created_at__gte=now - NEWS)
    for pk, slug in failed.order_by("campaign").values_list("campaign", "campaign__slug").distinct():
        said = (
            f"In {slug} some notices reached nobody. Their list says why. A wrong address is for its person "
            "to correct."
        )
        yield FaultFinding(Fault.Kind.NOTICE, f"campaign {pk}", said, pk)


def _iter_job_faults(now: datetime) -> Iterator[FaultFinding]:
    stuck = Q(state=Job.State.QUEUED, created_at__lt=now - STUCK, started_at=None) | Q(
        state__in=(Job.State.QUEUED, Job.State.RUNNING), lease_until__lt=now - STUCK
    )
    failed = Q(state=Job.State.FAILED, finished_at__gte=now - NEWS)
    # An archive that is refused is told to who brought it; one on which workers died is told here.
    refused = Q(kind=RESTORE, state=Job.State.FAILED, attempts__lt=F("max_attempts"))
    for job in Job.objects.filter(stuck | failed, parent=None).exclude(refused).defer("payload", "result"):
        if job.state == Job.State.FAILED:
            said = f"Job {job.pk} ({job.kind}) failed at attempt {job.attempts}."
            yield FaultFinding(Fault.Kind.FAILED, f"job {job.pk}/{job.attempts}", said, job.campaign_id)
        else:
            said = f"No worker takes up job {job.pk} ({job.kind}), asked for {_moment_text(job.created_at)}."
            yield FaultFinding(Fault.Kind.STUCK, f"job {job.pk}", said, job.campaign_id)


def _iter_campaign_faults(now: datetime) -> Iterator[FaultFinding]:
    for campaign in Campaign.objects.filter(
        state=Campaign.State.RUNNING, paused="", deadline__lt=now - OVERDUE_ALONE
    ):
        assert campaign.deadline is not None
        patience = OVERDUE_ALONE if campaign.advance_at_deadline else OVERDUE_BY_HAND
        if campaign.deadline < now - patience:
            subject = f"campaign {campaign.pk}/{campaign.deadline.isoformat()}"
            said = f"{campaign.slug} is overdue: orders were due {_moment_text(campaign.deadline)}."
            yield FaultFinding(Fault.Kind.OVERDUE, subject, said, campaign.pk)


def _store_fault(one: FaultFinding) -> Fault | None:
    """Store the fault as a row; None when another process has just stored it and will report it."""
    try:
        with transaction.atomic():
            return Fault.objects.create(
                kind=one.kind, subject=one.subject, said=one.said[:500], campaign_id=one.campaign
            )
    except IntegrityError:
        return None


def _mail_faults(faults: list[Fault]) -> None:
    if not settings.FAULT_MAIL:
        return
    told = "\n".join(f"- {fault}" for fault in faults)
    mail = EmailMessage(
        "The campaign manager: something is amiss",
        f"{told}\n\n{settings.SITE_URL}/admin/campaign/fault/\n",
        settings.DEFAULT_FROM_EMAIL,
        settings.FAULT_MAIL,
    )
    with suppress(MailFailed):  # it stands in the log and in the list, and may be tried again
        mail_send_or_keep(mail)


def _moment_text(moment: datetime) -> str:
    return f"{moment:%d %B, %H:%M} UTC"
