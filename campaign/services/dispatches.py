"""Letters written and opened (HR-LET)."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from campaign.fog.dispatches import get_correspondent_seat, letter_seats, letters_for, may_answer, rides_from
from campaign.fog.seat_roles import UMPIRES
from campaign.models import Campaign, Letter, LetterCopy, Notice, Seat, User
from campaign.rules.dispatches.letter_rules import may_seal_to_enemy
from campaign.rules.errors import RuleViolation
from campaign.rules.world.settings import RuleSettings
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
    """The seats whose copy goes by courier: players', of a player's letter, while days are played."""
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
    """The seats of these keys, once each. Raises RuleViolation."""
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
    """The same letter, sent since the form was opened."""
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
    """Where letters to the enemy go under a flag of truce they are open (HR-LET-01)."""
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
    """The holder of a seat opens letters that have come in for it; only the first time counts."""
    waiting = LetterCopy.objects.filter(letter__in=[letter.pk for letter in letters]).unread_by(reader)
    waiting.update(read_by=reader, read_at=timezone.now())
