"""Attendance: seats by their dates, absent people, deputies who act (HR-SET-07, HR-SET-09)."""

from collections.abc import Container, Iterable
from datetime import datetime

from django.db.models import Max
from django.utils import timezone

from campaign.models import Absence, Campaign, OrderPaper, Seat, User

Role = Seat.Role
#: Roles that do the umpire's work (HR-SET-08).
UMPIRES = (Role.UMPIRE, Role.ASSISTANT)
#: Roles a deputy may stand for.
DEPUTISED = (Role.COMMANDER, Role.COLUMN)


def seats_in_force(campaign: Campaign) -> list[Seat]:
    """Seats whose dates hold the coming day, with their people."""
    return load_held_seats([campaign])[campaign.pk]


def load_held_seats(campaigns: Iterable[Campaign]) -> dict[int, list[Seat]]:
    """Load the seats in force of several campaigns, by the campaign's key, in one query."""
    known = {campaign.pk: campaign for campaign in campaigns}
    found: dict[int, list[Seat]] = {key: [] for key in known}
    for seat in Seat.objects.filter(campaign__in=known).select_related("user").order_by("pk"):
        seat.campaign = known[seat.campaign_id]
        if seat.holds(seat.campaign.day):
            found[seat.campaign_id].append(seat)
    return found


def umpires_of(seats: Iterable[Seat]) -> list[User]:
    """The umpire and the assistants."""
    return [user for seat in seats if (user := seat.user) and user.is_active and seat.role in UMPIRES]


def absences_of(users: Iterable[User], now: datetime | None = None) -> dict[int, Absence]:
    """Return the absences of these people at a moment, by the person's key; the longest of several."""
    now = now or timezone.now()
    rows = Absence.objects.filter(user__in=list(users)).select_related("user").order_by("last")
    return {row.user_id: row for row in rows if row.covers(now)}


def describe_absences(seats: Iterable[Seat], now: datetime | None = None) -> dict[int, str]:
    """Explain why the holders of these seats are absent, by the seat's key; holders who are present are
    left out (HR-SET-09).

    A seat is without its holder when nobody has it or the account is deactivated (HR-SET-16), while he has
    said he is away, and after a deadline he has missed until he puts in a paper again.
    """
    seats = list(seats)
    absent = absences_of((seat.user for seat in seats if seat.user is not None), now)
    silent = _find_silent_seats(seat for seat in seats if seat.user is not None)
    found: dict[int, str] = {}
    for seat in seats:
        if seat.user is None:
            found[seat.pk] = "nobody sits there"
        elif not seat.user.is_active:
            found[seat.pk] = "the account is deactivated"
        elif seat.user_id in absent:
            found[seat.pk] = absence_text(absent[seat.user_id])
        elif seat.pk in silent:
            found[seat.pk] = "has missed the last deadline"
    return found


def _find_silent_seats(seats: Iterable[Seat]) -> set[int]:
    """Keys of the seats whose holders have put in nothing since a deadline they missed."""
    missed = [seat for seat in seats if seat.missed_at is not None]
    if not missed:
        return set()
    campaigns, users = ({getattr(seat, name) for seat in missed} for name in ("campaign_id", "user_id"))
    papers = OrderPaper.objects.filter(campaign__in=campaigns, submitted_by__in=users).order_by()
    rows = papers.values_list("campaign", "submitted_by").annotate(last=Max("submitted_at"))
    last = {(campaign, user): moment for campaign, user, moment in rows}
    return {
        seat.pk for seat in missed if not _has_ordered_since(last.get((seat.campaign_id, seat.user_id)), seat)
    }


def _has_ordered_since(moment: datetime | None, seat: Seat) -> bool:
    return moment is not None and seat.missed_at is not None and moment > seat.missed_at


def absence_text(absence: Absence) -> str:
    """ "away until 3 December (hiking)"."""
    word = f" ({absence.word})" if absence.word else ""
    return f"away until {absence.last.day} {absence.last:%B}{word}"


def deputy_acts(deputy: Seat, absent: Container[int] | None = None) -> bool:
    """True when a deputy may act: the holder of the seat they stand for is absent (HR-SET-09).

    `absent` are seats as `away` has them, where they have been read already.
    """
    seat = deputy.stands_for
    if seat is None or not seat.holds(seat.campaign.day):
        return False
    return seat.pk in (describe_absences([seat]) if absent is None else absent)


def deputies_acting(seats: Iterable[Seat]) -> dict[int, list[Seat]]:
    """The deputies who act now, by the key of the seat they stand for; `seats` are those in force."""
    seats = list(seats)
    return deputies_for(seats, describe_absences(seat for seat in seats if seat.role in DEPUTISED))


def deputies_for(seats: Iterable[Seat], absent: Container[int | None]) -> dict[int, list[Seat]]:
    """The deputies of those seats whose holders are `absent`, as `away` has them, by the seat's key."""
    found: dict[int, list[Seat]] = {}
    for seat in seats:
        present = seat.user is not None and seat.user.is_active
        if seat.role == Role.DEPUTY and present and seat.stands_for_id in absent:
            found.setdefault(seat.stands_for_id or 0, []).append(seat)
    return found
