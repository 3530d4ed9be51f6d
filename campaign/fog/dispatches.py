"""Dispatches a person may read: part of the door of the fog of war (campaign/fog/visibility.py)."""

from django.db.models import Q, QuerySet

from campaign.fog.seat_roles import UMPIRES
from campaign.fog.viewers import DESK, NotSeated, OnlyPublic, Viewer, list_person_seats, seat_holds
from campaign.models import Campaign, Letter, LetterCopy, Seat, User
from campaign.rules.dispatches.letter_rules import letters_ride, may_write_to_enemy
from campaign.rules.world.settings import RuleSettings

Role = Seat.Role


def get_correspondent_seat(user: User, campaign: Campaign) -> Seat:
    """The seat a person writes from today; the umpire's goes before others.

    Raises NotSeated for a person without one, OnlyPublic for one whose seat is not his today.
    """
    seats = list_person_seats(user, campaign)
    if not seats:
        raise NotSeated(f"You have no seat in {campaign.slug}; ask its umpire for one.")
    held = [seat for seat in seats if seat_holds(seat, campaign.day)]
    if not held:
        raise OnlyPublic(f"Your seat in {campaign.slug} is not yours today.")
    return min(held, key=lambda seat: (seat.role != Role.UMPIRE, seat.role == Role.RESERVE))


def letters_for(seat: Seat, campaign: Campaign) -> QuerySet[Letter]:
    """The letters the holder of a seat may read, the newest first (HR-LET-02).

    The umpires all; everybody what he wrote himself or has opened, and what has come in for his seat,
    unless it was sealed and another opened it; a side also the open letters its seats wrote and received, if
    they go at once (HR-LET-05).
    """
    letters = Letter.objects.filter(campaign=campaign)
    if seat.role in UMPIRES:
        return letters
    person = seat.user_id
    copies = LetterCopy.objects.filter(letter__campaign=campaign)
    unsealed = Q(letter__sealed=False) | Q(read_by=None)
    mine = copies.filter_delivered().filter(unsealed, seat=seat)
    found = Q(author=person) | Q(pk__in=mine.values("letter"))
    found |= Q(pk__in=copies.filter(read_by=person).values("letter"))
    if seat.side and seat.role in DESK:
        came_in = copies.filter_delivered().filter(letter__sealed=False, letter__rides=False, side=seat.side)
        found |= Q(sealed=False, rides=False, side=seat.side) | Q(pk__in=came_in.values("letter"))
    return letters.filter(found)


def rides_from(seat: Seat, campaign: Campaign) -> bool:
    """True when dispatches from this seat to other players go by courier now (HR-LET-05)."""
    running = campaign.state == Campaign.State.RUNNING
    return (
        bool(seat.side)
        and seat.role in DESK
        and running
        and letters_ride(RuleSettings.from_json(campaign.settings))
    )


def letter_seats(seat: Seat, campaign: Campaign) -> list[Seat]:
    """The seats a person may write to (HR-LET-01): held by somebody, and known to him.

    The umpires write to everybody. A side's people write to their own, to the enemy's commander where the
    campaign allows it, and to the umpires; who waits, looks on or fights one battle to the umpires alone.
    """
    seats = campaign.seats.in_force().select_related("user").exclude(user=None).exclude(pk=seat.pk)
    return [each for each in seats.order_by("side", "pk") if _may_write(seat, each, campaign)]


def _may_write(seat: Seat, to: Seat, campaign: Campaign) -> bool:
    if to.user_id == seat.user_id:
        return False
    if seat.role in UMPIRES or to.role in UMPIRES:
        return True
    if not (seat.side and seat.role in DESK and to.role in DESK):
        return False
    enemy = may_write_to_enemy(RuleSettings.from_json(campaign.settings))
    return to.side == seat.side or (enemy and to.role == Role.COMMANDER)


def may_answer(letter: Letter, seat: Seat, campaign: Campaign) -> bool:
    """True when a person may answer the writer of a dispatch, whatever the writer's seat (HR-LET-01)."""
    writer = letter.seat
    if writer is None or writer.user_id in (None, seat.user_id) or not writer.holds(campaign.day):
        return False
    ours = writer.side == seat.side or not (writer.side and seat.side)
    enemy = may_write_to_enemy(RuleSettings.from_json(campaign.settings))
    return (ours or enemy) and any(
        copy.seat_id == seat.pk and not copy.captured for copy in letter.copies.all()
    )


def answer_seats(letter: Letter, seat: Seat, campaign: Campaign) -> list[Seat]:
    """The seats an answer to a letter may go to: its writer, and those it was for besides the reader."""
    found = []
    if letter.seat is not None and (
        may_answer(letter, seat, campaign) or _may_reach(seat, letter.seat, campaign)
    ):
        found.append(letter.seat)
    others = [copy.seat for copy in letter.copies.all() if not copy.captured]
    return found + [each for each in others if each is not None and _may_reach(seat, each, campaign)]


def _may_reach(seat: Seat, to: Seat, campaign: Campaign) -> bool:
    held = to.user_id is not None and to.pk != seat.pk and to.holds(campaign.day)
    return held and _may_write(seat, to, campaign)


def may_know_receiver(seat: Seat, letter: Letter, copy: LetterCopy) -> bool:
    """True when a dispatch's reader is told that another seat has it too; columns of the enemy are not
    told of, as in `visibility.may_know_seat`.

    Who wrote it knows, and who took it from a courier reads whom it was for (HR-LET-06).
    """
    if seat.role in UMPIRES or letter.author_id == seat.user_id or copy.seat_id == seat.pk:
        return True
    if any(each.captured and each.seat_id == seat.pk for each in letter.copies.all()):
        return True
    if copy.seat is not None and copy.seat.role in (*UMPIRES, Role.COMMANDER):
        return True
    return seat.role in DESK and bool(seat.side) and copy.side == seat.side


def letters_unread(viewer: Viewer) -> int:
    """Count the viewer's unread dispatches."""
    return LetterCopy.objects.filter(letter__campaign=viewer.campaign).unread_by(viewer.user).count()
