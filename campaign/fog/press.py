"""Readers of each bulletin and of the book: part of the door of the fog of war (campaign/fog/visibility.py).

Each side has a copy of its own; the public one, whose side is "", tells what spectators are shown
(HR-REP-01).
"""

from django.db.models import Q, QuerySet

from campaign.fog.viewers import DESK, Viewer
from campaign.ledger.journal import records_on_course
from campaign.models import Bulletin, Campaign, DayRecord, Job, Seat, User
from campaign.text.gazette import DAYS_A_WEEK

#: The side of the copy for spectators.
PUBLIC = ""
#: The kind of job that makes the campaign's book.
BOOK = "campaign_book"


def copy_viewer(campaign: Campaign, side: str, days: int) -> Viewer:
    """Somebody who reads a copy and nothing else, after so many days of the campaign.

    The public's sees as spectators do (HR-SET-12): what the side they look at knows, or all, of those days.
    """
    if side != PUBLIC:
        return Viewer(campaign, User(), Seat.Role.COMMANDER, side, "")
    shown = campaign.spectator_side
    return Viewer(campaign, User(), Seat.Role.SPECTATOR, shown, "", day_limit=days)


def copies_of(campaign: Campaign, sides: tuple[str, ...]) -> tuple[str, ...]:
    """The copies a week's bulletin has: one a side, and a public one where spectators are shown anything."""
    return sides if campaign.spectator_days is None else (*sides, PUBLIC)


def list_readable_copies(viewer: Viewer, sides: tuple[str, ...]) -> tuple[str, ...]:
    """The copies the viewer may read: the umpire and a day after the end everybody all, a side its own."""
    every = copies_of(viewer.campaign, sides)
    if viewer.is_umpire or viewer.campaign.dice_told:
        return every
    if viewer.role == Seat.Role.SPECTATOR:
        return tuple(copy for copy in every if copy == PUBLIC)
    return tuple(copy for copy in every if copy == viewer.side and viewer.role in DESK)


def bulletins_for(viewer: Viewer, sides: tuple[str, ...]) -> QuerySet[Bulletin]:
    """The bulletins the viewer may read, of courses that were left too; drafts are the umpire's alone.

    Spectators read a week when its last day is shown to them, never before (HR-SET-12).
    """
    found = Bulletin.objects.filter(campaign=viewer.campaign, side__in=list_readable_copies(viewer, sides))
    if viewer.is_umpire:
        return found
    found = found.filter(state=Bulletin.State.PUBLISHED)
    if viewer.day_limit is not None:
        found = found.filter(week__lte=viewer.day_limit // DAYS_A_WEEK)
    return found


def closing_record(campaign: Campaign, week: int) -> DayRecord | None:
    """The record that closed a week, 1 for the first, on the campaign's course; None while the week runs.

    The last week of a campaign that ended within it closes with its last day.
    """
    records = DayRecord.objects.filter(records_on_course(campaign), campaign=campaign)
    days = week * DAYS_A_WEEK
    closes = Q(kind=DayRecord.Kind.WEEK, day=days)
    if campaign.state == Campaign.State.ENDED and days - DAYS_A_WEEK < campaign.day <= days:
        closes |= Q(kind=DayRecord.Kind.DAY, day=campaign.day)
    return records.filter(closes).defer("snapshot", "inputs").order_by("-pk").first()


def count_closed_weeks(campaign: Campaign) -> int:
    """Count the weeks that are over."""
    whole, rest = divmod(campaign.day, DAYS_A_WEEK)
    return whole + (rest > 0 and campaign.state == Campaign.State.ENDED)


def public_weeks(campaign: Campaign) -> int:
    """Count the weeks that spectators can read by now (HR-SET-12)."""
    if campaign.spectator_days is None:
        return 0
    if campaign.dice_told:
        return count_closed_weeks(campaign)
    return max(0, campaign.day - campaign.spectator_days) // DAYS_A_WEEK


# --- the campaign's book ---


def may_read_book(viewer: Viewer) -> bool:
    """True when the viewer may have the book: the umpires; everybody once the secret of the dice is
    public (HR-REP-03).
    """
    if viewer.is_umpire:
        return True
    return viewer.campaign.dice_told and (viewer.role in DESK or viewer.role == Seat.Role.SPECTATOR)


def books_for(viewer: Viewer) -> QuerySet[Job]:
    """Books the viewer may read; who is not umpire those that were made when the secret was told."""
    books = Job.objects.filter(campaign=viewer.campaign, kind=BOOK)
    if viewer.is_umpire:
        return books
    return books.filter(payload__told=True) if may_read_book(viewer) else books.none()
