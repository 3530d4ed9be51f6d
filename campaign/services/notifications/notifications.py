"""Notifications: one row for each person and subject, with its facts and a link (HR-DUE-03).

The facts are what the reader's side knows (`selectors/notifications/facts.py`). How notices go out is
`delivery.py`.
"""

import logging
from collections.abc import Iterable
from datetime import date, datetime

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from campaign.fog.seat_roles import DEPUTISED, UMPIRES, seats_in_force, umpires_of
from campaign.ledger.audit import umpire_note
from campaign.models import Campaign, Delivery, Notice, Seat, User, find_time_zone, format_time_zone
from campaign.rules.errors import RuleViolation
from campaign.selectors.turns.deadline_extension import grace_text
from campaign.services.notice_facts import complete_notices

logger = logging.getLogger(__name__)

Kind = Notice.Kind

#: Subject and first sentence of each kind; `when` is the deadline.
WORDS: dict[str, tuple[str, str]] = {
    Kind.DUE: ("{title}: orders are due", "Orders are due on {when}. {facts}"),
    Kind.LATE: ("{title}: your orders were missed", "No orders of yours were there on {when}. {facts}"),
    Kind.GRACE: ("{title}: more time after an outage", "{outage}"),
    Kind.OVERDUE: (
        "{title}: the day is overdue",
        "Orders were due on {when}, and the day has not been played. Look what it waits for.",
    ),
    Kind.STAFF: (
        "{title}: your staff wrote the orders",
        "No orders of yours were there in time, so your staff has written them for the day.",
    ),
    Kind.BATTLE: ("{title}: a battle waits", "A battle waits for you. {facts}"),
    Kind.RESULT: (
        "{title}: a battle is settled",
        "A battle has been settled. {facts}",
    ),
    Kind.PUBLISHED: ("{title}: a day has been played", "The campaign was played on. {facts}"),
    Kind.AWAY: ("{title}: who is away", "Orders are due on {when}. {facts}"),
    Kind.OFFERED: (
        "{title}: a seat is to be had",
        "A seat is offered to the reserve; whoever takes it first has it.",
    ),
    Kind.SEAT: (
        "{title}: your seat has been taken",
        "{when} you no longer hold the seat {seat}; the umpire has given it to somebody else, left it empty "
        "or closed it. Orders you have put in stand. Ask the umpire if you did not expect this.",
    ),
    Kind.VACANT: (
        "{title}: a seat is empty",
        "Nobody holds the seat “{seat}” any more: {why}. Orders already submitted stand. {then}",
    ),
    Kind.LETTER: ("{title}: a letter for you", "A letter has come in for you."),
    Kind.BULLETIN: ("{title}: the week's bulletin", "The bulletin of the week is out. {facts}"),
}
CHANGED = (
    "The umpire has changed by which rules or with which units a battle is fought, so what was entered of it "
    "was taken back. {facts}"
)
#: Of a fight on the table, by the first word of the subject: to the umpires, and to who entered besides.
ENTRIES: dict[str, tuple[str, str]] = {
    "entered": (
        "{title}: a result came in",
        "The result of a battle was entered. {facts} Check and confirm it.",
    ),
    "anew": (
        "{title}: a result is to be entered anew",
        CHANGED + " Look how it is to be settled; if on the table, enter the result anew.",
    ),
}
#: What older notices of a battle say once it is resolved, by the first word of the subject: they ask nothing.
OVER: dict[str, str] = {
    "battle": "A battle waited for you. {facts}",
    "entered": "The result of a battle was entered. {facts}",
    "anew": CHANGED,
}
#: Of days, by the first word of the subject: the campaign went back to an earlier morning (HR-UMP-14).
DAYS: dict[str, tuple[str, str]] = {
    "rewound": ("{title}: the campaign was rewound", "The umpire has rewound the campaign. {facts}"),
}
#: Of seats, by the first word of the subject: somebody took one by themselves (HR-SET-10, HR-SET-13).
SEATS: dict[str, tuple[str, str]] = {
    "taken": ("{title}: a seat has been taken", "{facts} has taken the seat “{seat}” {how}."),
}
#: How they came to it, by the second word.
TAKEN_HOW = {"invited": "by your invitation", "reserve": "from the reserve"}
#: Of a day that is overdue because it failed, by the first word of the subject (HR-DUE-14).
FAILED: dict[str, tuple[str, str]] = {
    "failed": (
        "{title}: a day could not be played",
        "Day {day} could not be played{again}",
    ),
}
FAILED_BY_ERROR = ": an unexpected error stopped it. The administrator has been notified. "
#: What stopped it and whether the site tries again, by the second word.
FAILED_AGAIN = {
    "again": (
        FAILED_BY_ERROR + "The site tries again by itself, for about a day. Background tasks show the error."
    ),
    "due": (
        FAILED_BY_ERROR
        + "The site tries again by itself when orders are due. Background tasks show the error."
    ),
    "over": (
        FAILED_BY_ERROR
        + "The site does not try again by itself. Background tasks show the error, and there you can start "
        "the day again."
    ),
    "refused": (
        ". {facts} The site does not try again by itself. Background tasks show the task, and there you can "
        "start the day again."
    ),
}
#: Notices about a deadline, which is their subject.
DATED = (Kind.DUE, Kind.LATE, Kind.OVERDUE, Kind.AWAY)
#: Seats whose holders are told when they lose them: those that give orders or do the umpire's work.
COMMANDS = (*UMPIRES, *DEPUTISED, Seat.Role.DEPUTY)
#: Why nobody holds a seat any more, and what it means for the reader, by the first words of the subject.
EMPTY_WHY = {
    "closed": "the account of its holder was closed",
    "off": "the account of its holder was deactivated",
    "left": "its holder gave it up",
    "emptied": "it was emptied",
}
EMPTY_THEN = {
    "give": "Give it to somebody else on the page of seats.",
    "act": "You act as deputy until somebody holds it.",
    "know": "",
}


def notices_write(*, campaign: Campaign, kind: Kind, subject: str, users: Iterable[User]) -> int:
    """A notice to each of these people, unless there is one. Returns how many are new."""
    rows = [Notice(campaign=campaign, user=user, kind=kind, subject=subject) for user in users]
    known = set(
        Notice.objects.filter(campaign=campaign, kind=kind, subject=subject).values_list("user_id", flat=True)
    )
    new = [row for row in rows if row.user_id not in known]
    Notice.objects.bulk_create(new, ignore_conflicts=True)
    return len(new)


def seat_lost_tell(*, seat: Seat, user: User | None, morning: date | None = None) -> None:
    """Tell who held a seat that it is his no longer, at once or from a morning of the campaign (HR-DUE-11).

    The seat is named in the subject, because it may be gone when the notice is read.
    """
    if user is None or seat.role not in COMMANDS:
        return
    told_of = (
        f"from {morning.isoformat()}" if morning is not None else f"at {timezone.now():%Y-%m-%dT%H:%M:%S}"
    )
    subject = f"{told_of} {seat}"[:80]
    notices_write(campaign=seat.campaign, kind=Kind.SEAT, subject=subject, users=[user])


def seat_empty_tell(*, seat: Seat, why: str, actor: User | None, before: User | None) -> None:
    """Tell those concerned that a seat is empty, or its holder's account of no use (HR-SET-16).

    `why` is a key of EMPTY_WHY, `before` who held it. Told are the umpires, its deputies, for a deputy's
    seat the holder of the other, and commanders and column commanders of the side of each other.
    """
    if before is None or seat.role not in (*COMMANDS, Seat.Role.GUEST):
        return
    if seat.campaign.state == Campaign.State.ENDED or not seat.holds(seat.campaign.day):
        return
    told_to: dict[str, list[User]] = {then: [] for then in EMPTY_THEN}
    for other in seats_in_force(seat.campaign):
        then = _find_concern(other, seat)
        if then is not None and other.user is not None and other.user not in (actor, before):
            told_to[then].append(other.user)
    for then, users in told_to.items():
        subject = f"{why} {then} {timezone.now():%Y-%m-%dT%H:%M:%S} {seat}"[:80]
        notices_write(campaign=seat.campaign, kind=Kind.VACANT, subject=subject, users=users)


def seat_taken_tell(*, seat: Seat, how: str) -> None:
    """Tell the umpires who has taken a seat by themselves; `how` is a key of TAKEN_HOW.

    The person is named by key: the name is that of the day on which it is read.
    """
    umpires = [user for user in umpires_of(seats_in_force(seat.campaign)) if user != seat.user]
    moment = f"{timezone.now():%Y-%m-%dT%H:%M:%S}"
    subject = f"taken {how} {seat.user_id} {moment} {seat}"[:80]
    notices_write(campaign=seat.campaign, kind=Kind.VACANT, subject=subject, users=umpires)


def _find_concern(other: Seat, empty: Seat) -> str | None:
    """Find the consequence of an empty seat for the holder of another, a key of EMPTY_THEN; None for none."""
    if other.role == Seat.Role.UMPIRE:
        return "give"
    if empty.pk is not None and other.stands_for_id == empty.pk:
        return "act"
    if other.pk == empty.pk:
        return None
    own_side = other.side == empty.side and {other.role, empty.role} <= {*DEPUTISED}
    if other.role == Seat.Role.ASSISTANT or other.pk == empty.stands_for_id or own_side:
        return "know"
    return None


def notice_again(*, notice: Notice, actor: User) -> Notice:
    """Let a notice that reached nobody wait for the clock once more (HR-DUE-06).

    Raises RuleViolation for one that has gone out or waits: nobody gets a letter twice.
    """
    with transaction.atomic():
        taken = Notice.objects.filter(pk=notice.pk, state=Notice.State.FAILED).update(
            state=Notice.State.PENDING, attempts=0, error=""
        )
        if not taken:
            raise RuleViolation(
                "HR-DUE-06", f"The notice to {notice.user} has not failed; only one that has is sent again."
            )
        failed = notice.deliveries.filter(state=Delivery.State.FAILED)
        failed.update(state=Delivery.State.PENDING, attempts=0, error="", due_at=timezone.now())
        words = f"notice to {notice.user} “{notice.get_kind_display()}” sent again"
        umpire_note(actor, words, notice.campaign)
    logger.info("%s asks for letter %s to be sent again", actor, notice.pk)
    notice.refresh_from_db()
    return notice


def notices_read(*, user: User) -> int:
    """Mark all of a person's notifications as read; returns how many were new."""
    return Notice.objects.filter(user=user, read_at=None).update(read_at=timezone.now())


def format_email(notice: Notice) -> tuple[str, str]:
    """Format a notification as an e-mail: subject, and text with its facts and a link."""
    subject, sentence = notice_text(notice)
    return subject, f"{sentence}\n\n{link_of(notice)}\n"


def notice_text(notice: Notice) -> tuple[str, str]:
    """Heading and sentence of a notice, without its link."""
    campaign = notice.campaign
    if notice.facts is None:
        complete_notices([notice])
    by_subject = {
        Kind.RESULT: ENTRIES,
        Kind.PUBLISHED: DAYS,
        Kind.OVERDUE: FAILED,
        Kind.VACANT: SEATS,
    }
    special = by_subject.get(Kind(notice.kind), {})
    subject, sentence = special.get(notice.subject.partition(" ")[0], WORDS[notice.kind])
    if notice.is_over:
        sentence = OVER.get(notice.subject.partition(" ")[0], sentence)
    facts = {
        "title": campaign.title,
        "facts": notice.facts or "",
        "when": _format_deadline(notice) if notice.kind in DATED and not _is_failed(notice) else "",
        "day": "",
        "again": "",
        "seat": "",
        "how": "",
        "why": "",
        "then": "",
        "outage": _describe_outage(notice) if notice.kind == Kind.GRACE else "",
    }
    if notice.kind == Kind.SEAT:
        facts["when"], facts["seat"] = _describe_lost_seat(notice.subject)
    if _is_taken(notice):
        _, how, _, _, facts["seat"] = notice.subject.split(" ", 4)
        facts["how"] = TAKEN_HOW[how]
    elif notice.kind == Kind.VACANT:
        why, then, _, facts["seat"] = notice.subject.split(" ", 3)
        facts["why"], facts["then"] = EMPTY_WHY[why], EMPTY_THEN[then]
    if _is_failed(notice):
        _, again, facts["day"], _ = notice.subject.split(" ")
        facts["again"] = FAILED_AGAIN[again].format(facts=facts["facts"])
    return subject.format(**facts), " ".join(sentence.format(**facts).split())


def _is_failed(notice: Notice) -> bool:
    """True for a notification about a day that failed."""
    return notice.kind == Kind.OVERDUE and notice.subject.startswith("failed ")


def _is_taken(notice: Notice) -> bool:
    """Whether it tells the umpires who took a seat."""
    return notice.kind == Kind.VACANT and notice.subject.startswith("taken ")


def link_of(notice: Notice) -> str:
    """The page a notice is about, with the name of the site."""
    return settings.SITE_URL.rstrip("/") + build_page_url(notice)


def build_page_url(notice: Notice) -> str:
    """Build the URL of the page a notification is about."""
    slug = notice.campaign.slug
    what, _, key = notice.subject.partition(" ")
    if notice.kind == Kind.LETTER:
        return reverse("letters", args=[slug])
    if notice.kind == Kind.SEAT:  # the campaign's page may be shut to him now
        return reverse("front")
    if _is_failed(notice):
        return reverse("jobs", args=[slug])
    if _is_taken(notice) or (notice.kind == Kind.VACANT and key.startswith("give ")):
        return reverse("seats", args=[slug])
    if notice.kind in (Kind.BATTLE, Kind.RESULT) and key.partition(" ")[0].isdecimal():
        page = "battle-compare" if what == "entered" and not notice.is_over else "battle"
        return reverse(page, args=[slug, int(key.partition(" ")[0])])
    return notice.campaign.get_absolute_url()


def _describe_outage(notice: Notice) -> str:
    """Describe an outage and the new deadline, by the reader's clock."""
    grace, zone = notice.campaign.grace_given, find_time_zone(notice.user, notice.campaign)
    due = notice.subject[0].isdigit()
    mine = grace is not None and (
        grace.until.isoformat() == notice.subject
        if due
        else notice.subject.endswith(grace.to.isoformat(timespec="seconds"))
    )
    told = grace_text(grace, zone) if grace is not None and mine else "The site was down for a while."
    return f"{told} Orders are now due on {_format_deadline(notice)}." if due else told


def _describe_lost_seat(subject: str) -> tuple[str, str]:
    """Describe from when a person no longer holds a seat, and which seat."""
    how, moment, seat = subject.split(" ", 2)
    if how == "at":
        return "From now on", seat
    return f"From the morning of {date_format(date.fromisoformat(moment), 'j F Y')}", seat


def _format_deadline(notice: Notice) -> str:
    """Format the deadline a notification is about, by its reader's clock."""
    zone = find_time_zone(notice.user, notice.campaign)
    at = datetime.fromisoformat(notice.subject).astimezone(zone)
    return f"{date_format(at, 'l j F')} at {at:%H:%M} ({format_time_zone(zone)})"
