"""Letters: one row each, sent once, with a link and nothing that fog could hide (HR-DUE-03).

Bulletins alone say more: each reader's is his side's own copy (HR-REP-01).
"""

import logging
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.conf import settings
from django.core.mail import send_mail
from django.db.models import F
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from campaign.attendance import away, deputies_acting, seats_in_force
from campaign.models import Campaign, Notice, Seat, User
from campaign.rules.errors import RuleViolation
from campaign.services.absences import is_quiet
from campaign.services.bulletin_letters import bulletin_letter
from campaign.services.deadlines import local

logger = logging.getLogger(__name__)

Kind = Notice.Kind
ATTEMPTS = 5

#: Subject and first sentence of each kind; `when` is the deadline.
WORDS: dict[str, tuple[str, str]] = {
    Kind.DUE: ("{title}: orders are due", "Orders are due on {when}."),
    Kind.LATE: ("{title}: your orders were missed", "No orders of yours were there on {when}. {policy}"),
    Kind.OVERDUE: (
        "{title}: the day is overdue",
        "Orders were due on {when}, and the day has not been played. Look what it waits for.",
    ),
    Kind.PUBLISHED: ("{title}: a day has been played", "Another day of the campaign has been played."),
    Kind.AWAY: ("{title}: who is away", "Orders are due on {when}. {away}"),
    Kind.OFFERED: (
        "{title}: a seat is to be had",
        "A seat is offered to the reserve; whoever takes it first has it.",
    ),
    Kind.LETTER: ("{title}: a letter for you", "A letter has come in for you."),
    Kind.BULLETIN: ("{title}: the week's bulletin", "The bulletin of the week is out."),
}
#: Letters that are about no deadline.
UNDATED = (Kind.PUBLISHED, Kind.OFFERED, Kind.LETTER, Kind.BULLETIN)
POLICIES = {
    Campaign.MissedOrders.CARRY_ON: "Your formations carry on with what they were told before.",
    Campaign.MissedOrders.HALT: "Your formations halt.",
    Campaign.MissedOrders.STAFF: "Your staff writes the orders.",
}


def notices_write(*, campaign: Campaign, kind: Kind, subject: str, users: Iterable[User]) -> int:
    """A letter to each of these people who has an address, unless there is one. Returns how many are new."""
    rows = [Notice(campaign=campaign, user=user, kind=kind, subject=subject) for user in users if user.email]
    known = set(
        Notice.objects.filter(campaign=campaign, kind=kind, subject=subject).values_list("user_id", flat=True)
    )
    new = [row for row in rows if row.user_id not in known]
    Notice.objects.bulk_create(new, ignore_conflicts=True)
    return len(new)


def notices_send() -> int:
    """Send the letters that wait; returns how many went out.

    A letter is taken before it is sent and never sent by two workers; one whose worker died in between
    is not sent again, because nobody knows whether it went.
    """
    sent = 0
    now = timezone.now()
    waiting = Notice.objects.filter(state=Notice.State.PENDING).select_related("campaign", "user")
    for notice in waiting:
        if is_quiet(notice.user, now):
            continue  # it waits until the quiet hours are over (HR-DUE-05)
        taken = Notice.objects.filter(pk=notice.pk, state=Notice.State.PENDING).update(
            state=Notice.State.SENDING, attempts=F("attempts") + 1
        )
        if taken:
            sent += _send(notice)
    return sent


def notice_again(*, notice: Notice, actor: User) -> Notice:
    """Let a letter that could not be sent wait for the clock once more (HR-DUE-06).

    Raises RuleViolation for one that has gone out or waits: nobody gets a letter twice.
    """
    taken = Notice.objects.filter(pk=notice.pk, state=Notice.State.FAILED).update(
        state=Notice.State.PENDING, attempts=0, error=""
    )
    if not taken:
        raise RuleViolation(
            "HR-DUE-06", f"The letter to {notice.user} has not failed; only one that has is sent again."
        )
    logger.info("%s asks for letter %s to be sent again", actor, notice.pk)
    notice.refresh_from_db()
    return notice


def _send(notice: Notice) -> int:
    subject, text, html = _message(notice)
    changes: dict[str, Any]
    try:
        send_mail(subject, text, settings.DEFAULT_FROM_EMAIL, [notice.user.email], html_message=html or None)
    except OSError as error:  # smtplib's errors are OSErrors: the server is down, or refuses
        logger.warning("Letter %s could not be sent: %s", notice.pk, error)
        again = notice.attempts + 1 < ATTEMPTS
        changes = {"state": Notice.State.PENDING if again else Notice.State.FAILED, "error": str(error)[:300]}
    else:
        changes = {"state": Notice.State.SENT, "sent_at": timezone.now(), "error": ""}
    Notice.objects.filter(pk=notice.pk).update(**changes)
    return int(changes["state"] == Notice.State.SENT)


def _message(notice: Notice) -> tuple[str, str, str]:
    """Subject, text and HTML: a bulletin is told in the letter itself, of everything else there is a link."""
    if notice.kind == Kind.BULLETIN:
        return bulletin_letter(notice)
    return *letter(notice), ""


def letter(notice: Notice) -> tuple[str, str]:
    """Subject and text of a letter: nothing but the calendar and a link."""
    campaign = notice.campaign
    subject, sentence = WORDS[notice.kind]
    facts = {
        "title": campaign.title,
        "when": "" if notice.kind in UNDATED else _when(notice.subject, campaign),
        "away": _away(campaign) if notice.kind == Kind.AWAY else "",
        "policy": _policy(notice),
    }
    page = (
        reverse("letters", args=[campaign.slug])
        if notice.kind == Kind.LETTER
        else campaign.get_absolute_url()
    )
    link = settings.SITE_URL.rstrip("/") + page
    return subject.format(**facts), f"{sentence.format(**facts).strip()}\n\n{link}\n"


def _policy(notice: Notice) -> str:
    """What becomes of who gave no orders; a column is told by its own."""
    campaign = notice.campaign
    policy = POLICIES[Campaign.MissedOrders(campaign.missed_orders)]
    columns = campaign.seats.filter(user=notice.user, role=Seat.Role.COLUMN)
    if campaign.missed_orders == Campaign.MissedOrders.CARRY_ON or not columns.exists():
        return policy
    return f"{POLICIES[Campaign.MissedOrders.CARRY_ON]} If nobody of your side gave any: {policy}"


def _away(campaign: Campaign) -> str:
    """Which commanders are away and who stands for them, in sentences."""
    seats = seats_in_force(campaign)
    commanders = [seat for seat in seats if seat.role == Seat.Role.COMMANDER and seat.user is not None]
    acting, absent = deputies_acting(seats), away(commanders)
    told = []
    for seat in commanders:
        if seat.pk in absent:
            names = " and ".join(str(deputy.user) for deputy in acting.get(seat.pk, []))
            told.append(f"{seat}: {absent[seat.pk]}; {f'{names} may act' if names else 'no deputy'}.")
    return " ".join(told) or "Everybody is back."


def _when(moment: str, campaign: Campaign) -> str:
    at = local(datetime.fromisoformat(moment), campaign)
    return f"{date_format(at, 'l j F')} at {at:%H:%M} ({campaign.time_zone})"
