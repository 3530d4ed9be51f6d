"""The clock's regular work: close deadlines, request days, send notifications (HR-DUE)."""

import logging
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from campaign.fog.seat_roles import (
    DEPUTISED,
    UMPIRES,
    deputies_acting,
    describe_absences,
    seats_in_force,
    umpires_of,
)
from campaign.ledger.provisional_days import coming_day
from campaign.models import Battle, Campaign, DayRecord, Heartbeat, Job, Notice, Seat, User
from campaign.rules.army.organisation import is_in_column
from campaign.rules.errors import RuleViolation
from campaign.selectors.turns.deadlines import drafts_unsent, heard_on
from campaign.services.notifications.delivery import notices_send
from campaign.services.notifications.email import mails_retry
from campaign.services.notifications.notifications import notices_write
from campaign.services.notifications.reminders import rounds_go
from campaign.services.press.bulletins import public_announce
from campaign.services.turns.deadlines import missed_note
from campaign.services.turns.outages import CLOCK, SET_BACK, stroke_note
from campaign.services.turns.runs import (
    advance_request,
    advance_retry_due,
    find_failed_advance,
    is_advance_requested,
    is_refused,
)

logger = logging.getLogger(__name__)

#: How long before the deadline the reminder goes out.
REMIND = timedelta(days=1)
#: Who is told that a day has been played: guests, spectators and the reserve wait for something else.
TOLD = (*UMPIRES, Seat.Role.COMMANDER, Seat.Role.COLUMN, Seat.Role.DEPUTY)
#: How old a day may be to be announced: after a long silence old days are no news.
NEWS = timedelta(days=1)
#: How long a day may be overdue before its umpire gets a letter: played by itself, or by hand.
OVERDUE_ALONE, OVERDUE_BY_HAND = timedelta(hours=1), timedelta(days=1)


def clock_strike() -> int:
    """Do all that is due at this moment; safe at any time, twice, and by two workers at once.

    Returns how many letters went out. What fails for one campaign does not hold up the others.
    """
    now = timezone.now()
    stroke_note(now=now)
    goes_on = Q(state=Campaign.State.RUNNING, paused="", deadline__isnull=False)
    goes_on |= Q(state=Campaign.State.RUNNING, paused="", battles__state=Battle.State.WAITING)
    # the last day is announced, too, and one after which the umpire has paused
    for campaign in Campaign.objects.filter(goes_on | Q(records__created_at__gte=now - NEWS)).distinct():
        try:
            _campaign_strike(campaign, now)
        except Exception:
            logger.exception("The clock could not serve %s", campaign.slug)
    sent = notices_send()
    return sent + mails_retry()


def find_clock_silence(now: datetime | None = None) -> datetime | None:
    """Time of the clock's last heartbeat when it has stopped; None while it runs or never began.

    A moment to come counts as silence, too: the time was set back, and nothing has struck since.
    """
    return list_silences(now).get(CLOCK)


def list_silences(now: datetime | None = None) -> dict[str, datetime]:
    """List the clock and workers that have stopped, with the time of each one's last heartbeat."""
    now, limit = now or timezone.now(), timedelta(seconds=settings.CLOCK_ALARM_SECONDS)
    beats = Heartbeat.objects.exclude(name__startswith=SET_BACK).exclude(
        beat_at__range=(now - limit, now + limit)
    )
    return dict(beats.order_by("name").values_list("name", "beat_at"))


def silence_text(who: str, since: datetime, told: str) -> str:
    """Describe a silence in a sentence; `told` is its beginning, formatted in somebody's time zone."""
    if since > timezone.now():
        return (
            f"{who} gave its last sign of life on {told}, which is still to come: the time of this machine "
            "was set back."
        )
    return f"{who} has been silent since {told}."


def overdue_since(campaign: Campaign, now: datetime | None = None) -> datetime | None:
    """The deadline, if it has passed and its day is not played."""
    if campaign.deadline is None or campaign.paused or campaign.state == Campaign.State.ENDED:
        return None
    return campaign.deadline if campaign.deadline <= (now or timezone.now()) else None


def _campaign_strike(campaign: Campaign, now: datetime) -> None:
    goes_on = campaign.state == Campaign.State.RUNNING and not campaign.paused
    if campaign.deadline is not None and goes_on:
        subject = campaign.deadline.isoformat()
        if now < campaign.deadline:
            if campaign.deadline - now <= REMIND:
                _send_reminders(campaign, subject)
        else:
            _deadline_past(campaign, campaign.deadline, subject, now)
    if goes_on and (failed := find_failed_advance(campaign)) is not None:
        _failed_tell(campaign, failed, now)
    record = campaign.records.filter(
        kind=DayRecord.Kind.DAY, revision=campaign.revision, created_at__gte=now - NEWS
    ).last()
    # a turn of several days is one notification, sent when its last day is played
    playing = campaign.jobs.filter(kind="advance_day", state=Job.State.RUNNING)
    if record is not None and not playing.exists():
        everybody = [seat.user for seat in seats_in_force(campaign) if seat.user and seat.role in TOLD]
        _notify_users(campaign, Notice.Kind.PUBLISHED, f"record {record.pk}", everybody)
        public_announce(campaign)  # a week that spectators may read since that day (HR-SET-12)
    if goes_on or record is not None:
        rounds_go(campaign, seats_in_force(campaign), now - NEWS)


def _deadline_past(campaign: Campaign, deadline: datetime, subject: str, now: datetime) -> None:
    """The letters first: once the day is played, who missed it can no longer be told apart."""
    seats = seats_in_force(campaign)
    missed = _list_unheard_users(campaign, seats)
    missed_note(campaign)
    _notify_users(campaign, Notice.Kind.LATE, subject, missed)
    patience = OVERDUE_ALONE if campaign.advance_at_deadline else OVERDUE_BY_HAND
    if now - deadline >= patience:
        _notify_users(campaign, Notice.Kind.OVERDUE, subject, umpires_of(seats))
    if campaign.advance_at_deadline and not is_advance_requested(campaign, now):
        try:
            advance_request(campaign=campaign, actor=None)
        except RuleViolation as refusal:  # it waits for a battle; the umpire's page says so
            logger.info("%s is not advanced: %s", campaign.slug, refusal.message)


def _failed_tell(campaign: Campaign, job: Job, now: datetime) -> None:
    """The umpires learn that the day failed, and that it is not tried again: each once (HR-DUE-14)."""
    then = "refused" if is_refused(job) else "over"
    if campaign.advance_at_deadline and advance_retry_due(job, campaign.deadline) is not None:
        then = "again" if campaign.deadline is not None and campaign.deadline <= now else "due"
    subject = f"failed {then} {campaign.day + 1} {job.pk}"
    _notify_users(campaign, Notice.Kind.OVERDUE, subject, umpires_of(seats_in_force(campaign)))


def _send_reminders(campaign: Campaign, subject: str) -> None:
    """A day before the deadline, remind people without submitted orders; tell umpires of absences."""
    seats = seats_in_force(campaign)
    drafts = drafts_unsent(campaign, coming_day(campaign)).values_list("submitted_by", flat=True)
    writers = set(drafts)
    people = [user for _, user in _list_commanding_seats(seats) if user.pk in writers]
    _notify_users(
        campaign,
        Notice.Kind.DUE,
        subject,
        list(dict.fromkeys([*_list_unheard_users(campaign, seats), *people])),
    )
    if describe_absences(
        seat for seat in seats if seat.role == Seat.Role.COMMANDER and seat.user is not None
    ):
        _notify_users(campaign, Notice.Kind.AWAY, subject, umpires_of(seats))


def _list_unheard_users(campaign: Campaign, seats: list[Seat]) -> list[User]:
    """List the people who must give orders and have not."""
    silent = seats_unheard({campaign.pk: coming_day(campaign)}, seats)
    return [user for seat, user in _list_commanding_seats(seats) if seat.pk in silent]


def seats_unheard(days: Mapping[int, int], seats: Iterable[Seat]) -> set[int]:
    """Keys of the seats not heard for the coming day: no word of their side, or of a column for it.

    Orders under way count, and a word that nothing is new (HR-DUE-02). `days` are the coming days by the
    keys of the seats' campaigns.
    """
    papers = heard_on(days)

    def speaks(seat: Seat) -> bool:
        mine = papers[seat.campaign_id]
        if seat.role == Seat.Role.COLUMN:
            return any(is_in_column(seat.formations, formation) for _, formation in mine)
        return any(side == seat.side for side, _ in mine)

    def content(seat: Seat) -> bool:
        return seat.nothing_new is not None and seat.nothing_new == days.get(seat.campaign_id)

    ordering = (seat for seat in seats if seat.role in DEPUTISED)
    return {seat.pk for seat in ordering if not speaks(seat) and not content(seat)}


def _list_commanding_seats(seats: list[Seat]) -> list[tuple[Seat, User]]:
    """List the seats that give orders with their people, and deputies of those away (HR-SET-09)."""
    acting = deputies_acting(seats)
    found = []
    for seat in seats:
        if seat.role in DEPUTISED:
            people = [seat.user, *(deputy.user for deputy in acting.get(seat.pk, []))]
            found += [(seat, user) for user in people if user is not None]
    return found


def _notify_users(campaign: Campaign, kind: Notice.Kind, subject: str, users: list[User]) -> None:
    notices_write(campaign=campaign, kind=kind, subject=subject, users=users)
