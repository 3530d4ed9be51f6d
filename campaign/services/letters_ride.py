"""Letters on their way: they leave when a day has been played, and are back when it is undone (HR-LET-05)."""

from campaign.ledger.dice import dice_for
from campaign.models import Campaign, Letter, LetterCopy, Seat
from campaign.rules.dispatches.letter_rules import LetterAddress, carry_letter
from campaign.rules.world.world import World
from campaign.services.dispatches import letters_tell


def letters_leave(campaign: Campaign, day: int, evening: World) -> None:
    """In the evening of a day just played couriers set off; who is written to is told of those that are in.

    Belongs into the transaction that saves the day. No letter is part of it: the dice are of the day, under
    a rule of their own (HR-LET-06).
    """
    waiting = Letter.objects.filter(
        campaign=campaign, rides=True, left=None, withdrawn=False, undone=False
    ).select_related("seat__stands_for")
    dice = dice_for(campaign, day)
    for letter in waiting:
        copies = letter.copies.filter(due=None).select_related("seat__stands_for")
        for copy in copies:
            subject = f"letter/{letter.pk}/{copy.pk}"
            way = carry_letter(
                evening,
                (_locate_holder(letter.seat, letter.side), _locate_holder(copy.seat, copy.side)),
                dice,
                subject,
            )
            copy.day, copy.minute, copy.due = way.day, way.minute, way.due
            copy.die, copy.taken = way.die, way.taken
            copy.save(update_fields=["day", "minute", "due", "die", "taken"])
        if any(copy.taken for copy in copies):
            _copy_to_captors(campaign, letter, day)
        letter.left = day
        letter.save(update_fields=["left"])
    _notify_recipients(campaign, day + 1)


def _locate_holder(seat: Seat | None, side: str) -> LetterAddress:
    """Where the holder of a seat is found; a deputy is with him he stands for."""
    if seat is None:
        return LetterAddress(side)
    return LetterAddress(side, tuple((seat.stands_for or seat).formations))


def _copy_to_captors(campaign: Campaign, letter: Letter, day: int) -> None:
    """The enemy's commander reads what has been taken (HR-LET-06)."""
    enemies = campaign.seats.in_force().filter(role=Seat.Role.COMMANDER).exclude(side=letter.side)
    for seat in enemies.exclude(user=None).exclude(letters__letter=letter):
        LetterCopy.objects.create(
            letter=letter, seat=seat, side=seat.side, title=str(seat), due=day + 1, captured=True
        )


def _notify_recipients(campaign: Campaign, morning: int) -> None:
    """Tell by mail of letters that came in by courier for this morning."""
    copies = LetterCopy.objects.filter(
        letter__campaign=campaign, letter__rides=True, letter__undone=False, due=morning, taken=False
    )
    for copy in copies.select_related("letter", "seat__user"):
        if copy.seat is not None:
            letters_tell(campaign, copy.letter, [copy.seat])


def letters_undo(campaign: Campaign, day: int) -> None:
    """Mark letters written on days after this morning, which are undone; couriers are back (HR-LET-04)."""
    letters = Letter.objects.filter(campaign=campaign)
    letters.filter(day__gt=day).update(undone=True)
    back = letters.filter(rides=True, undone=False, left__gte=day)
    copies = LetterCopy.objects.filter(letter__in=back, read_at=None, due__gt=day)
    copies.filter(captured=True).delete()
    away = list(copies.values_list("letter", flat=True))
    copies.update(due=None, day=None, minute=None, die=None, taken=False)
    letters.filter(pk__in=away).update(left=None)
