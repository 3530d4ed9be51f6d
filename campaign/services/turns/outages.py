"""Strokes of the clock, and what a silence of it or a step back of the machine's time means (HR-DUE-12)."""

import logging
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from campaign.models import Heartbeat
from campaign.services.turns.deadline_extension import graces_after_restore, graces_give

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
    """What is told of times set back in the last day, by the name of each note."""
    notes = Heartbeat.objects.filter(name__startswith=SET_BACK, beat_at__range=(now - TOLD, now + TOLD))
    return {note.name: step_back_text(note) for note in notes.order_by("pk")}


def step_back_text(note: Heartbeat) -> str:
    """What happened, and what to do."""
    was = datetime.fromisoformat(note.name.removeprefix(SET_BACK))
    return (
        f"The time of this machine was set back from {_moment_text(was)} to {_moment_text(note.beat_at)}. "
        "Deadlines follow the new time. Check that it is right (timedatectl), and that all machines of the "
        "site agree."
    )


def _moment_text(moment: datetime) -> str:
    return f"{moment.day} {moment:%B %Y, %H:%M} UTC"
