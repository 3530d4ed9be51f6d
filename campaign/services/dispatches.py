"""Dispatches: written, opened, and on their way (HR-LET).

They leave when a day has been played, and are back when it is undone (HR-LET-05).
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from campaign.fog.dispatches import get_correspondent_seat, letter_seats, letters_for, may_answer, rides_from
from campaign.fog.seat_roles import UMPIRES
from campaign.ledger.dice import dice_for
from campaign.models import Campaign, Letter, LetterCopy, Notice, Seat, User
from campaign.rules.dispatches.letter_rules import LetterAddress, carry_letter, may_seal_to_enemy
from campaign.rules.errors import RuleViolation
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import World
from campaign.services.notifications.notifications import notices_write
from campaign.services.seats.assignment import lock_campaign

#: Signs of a letter's text, letters of one person in 24 hours.
LONGEST, SUBJECT_LONGEST = 4000, 100
MOST, UMPIRE_MOST = 20, 200


def letter_send(
    *,
    campaign: Campaign,
    author: User,
    to: Iterable[int],
    text: str,
    subject: str = "",
    sealed: bool = True,
    answers: str = "",
    opened: datetime | None = None,
) -> Letter:
    """Write to the seats of these keys; the letter is in at once, or waits for the evening (HR-LET-05).

    `answers` is the code of the letter it answers, if any. `opened` is when the form was opened: the same
    letter written since then, from another tab or by a second click, is the one already sent. Raises
    RuleViolation for seats the author may not write to, an empty or too long text, and too many letters, and
    NotSeated for an author without a seat.
    """
    text, subject = text.replace("\r\n", "\n").strip(), subject.strip()
    with transaction.atomic():
        campaign = lock_campaign(campaign)
        seat = get_correspondent_seat(author, campaign)
        answered = letters_for(seat, campaign).filter(code=answers).first() if answers else None
        seats = _list_addressees(campaign, seat, to, answered)
        again = _find_same_dispatch(campaign, author, seats, (subject, text, sealed), opened)
        if again is not None:
            return again
        _verify_dispatch(campaign, author, seat, subject, text)
        _verify_open(campaign, seat, seats, sealed=sealed)
        riders = _list_courier_seats(campaign, seat, seats)
        letter = Letter.objects.create(
            campaign=campaign,
            author=author,
            seat=seat,
            role=seat.role,
            side=seat.side,
            title=str(seat),
            subject=subject,
            text=text,
            sealed=sealed,
            answers=answered,
            day=campaign.day,
            rides=bool(riders),
        )
        letter.root = answered.root if answered is not None and answered.root is not None else letter
        letter.save(update_fields=["root"])
        LetterCopy.objects.bulk_create(
            LetterCopy(
                letter=letter,
                seat=each,
                side=each.side,
                title=str(each),
                due=None if each.pk in riders else campaign.day,
            )
            for each in seats
        )
        letters_tell(campaign, letter, [each for each in seats if each.pk not in riders])
    return letter


def _list_courier_seats(campaign: Campaign, seat: Seat, seats: Iterable[Seat]) -> set[int]:
    """List the seats whose copy goes by courier: players', of a player's dispatch, while days are played."""
    return {each.pk for each in seats if each.side} if rides_from(seat, campaign) else set()


def letter_withdraw(*, letter: Letter, author: User) -> Letter:
    """Call back a letter that waits for its courier; twice is once (HR-LET-05).

    Raises RuleViolation for one that is not the author's, that goes by no courier, or has left.
    """
    with transaction.atomic():
        lock_campaign(letter.campaign)
        letter = Letter.objects.get(pk=letter.pk)
        if letter.author_id != author.pk:
            raise RuleViolation("HR-LET-05", "Only its writer can call a letter back; write to them.")
        if not letter.rides:
            raise RuleViolation("HR-LET-05", "This letter was in at once; write another.")
        if letter.left is not None:
            raise RuleViolation("HR-LET-05", "The courier has left with this letter; write another.")
        letter.withdrawn = True
        letter.save(update_fields=["withdrawn"])
    return letter


def _list_addressees(
    campaign: Campaign, seat: Seat, to: Iterable[int], answered: Letter | None
) -> list[Seat]:
    """List the addressed seats, each once. Raises RuleViolation."""
    allowed = {each.pk: each for each in letter_seats(seat, campaign)}
    if answered is not None and answered.seat is not None and may_answer(answered, seat, campaign):
        allowed.setdefault(answered.seat.pk, answered.seat)
    wanted = list(dict.fromkeys(to))
    if not wanted:
        raise RuleViolation("HR-LET-01", "Say to whom the letter goes; name at least one.", "to")
    if any(key not in allowed for key in wanted):
        raise RuleViolation(
            "HR-LET-01",
            "You cannot write to one of these seats, or nobody sits there any more; choose of the list.",
            "to",
        )
    return [allowed[key] for key in wanted]


def _find_same_dispatch(
    campaign: Campaign, author: User, seats: list[Seat], said: tuple[str, str, bool], opened: datetime | None
) -> Letter | None:
    """Find the same dispatch, sent since the form was opened; None when there is none."""
    if opened is None:
        return None
    subject, text, sealed = said
    same = Letter.objects.filter(
        campaign=campaign,
        author=author,
        written_at__gte=opened,
        subject=subject,
        text=text,
        sealed=sealed,
        withdrawn=False,
    )
    wanted = {seat.pk for seat in seats}
    for letter in same.prefetch_related("copies"):
        if {copy.seat_id for copy in letter.copies.all()} == wanted:
            return letter
    return None


def _verify_dispatch(campaign: Campaign, author: User, seat: Seat, subject: str, text: str) -> None:
    rule = "HR-LET-03"
    if not text:
        raise RuleViolation(rule, "The letter is empty; write something.", "text")
    if len(text) > LONGEST:
        over = len(text) - LONGEST
        raise RuleViolation(
            rule, f"A letter has at most {LONGEST} characters; take out {over}, or write two letters.", "text"
        )
    if len(subject) > SUBJECT_LONGEST:
        raise RuleViolation(
            rule, f"What it is about has at most {SUBJECT_LONGEST} characters; shorten it.", "subject"
        )
    most = UMPIRE_MOST if seat.role in UMPIRES else MOST
    since = timezone.now() - timedelta(days=1)
    if Letter.objects.filter(campaign=campaign, author=author, written_at__gt=since).count() >= most:
        raise RuleViolation(
            rule, f"You have written {most} letters in 24 hours; keep this one and send it later.", "text"
        )


def _verify_open(campaign: Campaign, seat: Seat, seats: list[Seat], *, sealed: bool) -> None:
    """Refuse a sealed dispatch to the enemy where flags of truce carry open ones (HR-LET-01)."""
    settings = RuleSettings.from_json(campaign.settings)
    across = any(seat.side and each.side and each.side != seat.side for each in seats)
    if sealed and across and not may_seal_to_enemy(settings):
        raise RuleViolation(
            "HR-LET-01", "A letter to the enemy goes open under a flag of truce; do not seal it.", "sealed"
        )


def letters_tell(campaign: Campaign, letter: Letter, seats: Iterable[Seat]) -> None:
    """Tell those a letter has come in for by mail, without a word of it (HR-DUE-03)."""
    notices_write(
        campaign=campaign,
        kind=Notice.Kind.LETTER,
        subject=f"letter {letter.pk}",
        users=[seat.user for seat in seats if seat.user is not None],
    )


def letters_read(*, letters: Iterable[Letter], reader: User) -> None:
    """Mark dispatches that have arrived as read by their recipient; only the first time counts."""
    waiting = LetterCopy.objects.filter(letter__in=[letter.pk for letter in letters]).unread_by(reader)
    waiting.update(read_by=reader, read_at=timezone.now())


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
    """Locate the holder of a seat; a deputy is with the person they stand for."""
    if seat is None:
        return LetterAddress(side)
    return LetterAddress(side, tuple((seat.stands_for or seat).formations))


def _copy_to_captors(campaign: Campaign, letter: Letter, day: int) -> None:
    """Give the enemy's commander a copy of a captured dispatch (HR-LET-06)."""
    enemies = campaign.seats.in_force().filter(role=Seat.Role.COMMANDER).exclude(side=letter.side)
    for seat in enemies.exclude(user=None).exclude(letters__letter=letter):
        LetterCopy.objects.create(
            letter=letter, seat=seat, side=seat.side, title=str(seat), due=day + 1, captured=True
        )


def _notify_recipients(campaign: Campaign, morning: int) -> None:
    """Notify recipients of the dispatches that arrived by courier for this morning."""
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
