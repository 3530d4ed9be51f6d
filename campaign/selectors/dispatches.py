"""Letters as pages show them: boxes, a thread, who may be written to (HR-LET)."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import F, Max, Prefetch, Q
from django.utils.formats import date_format

from campaign.fog.dispatches import answer_seats, letter_seats, letters_for, may_know_receiver
from campaign.fog.seat_roles import UMPIRES
from campaign.models import Campaign, Letter, LetterCopy, Seat, User
from campaign.text.place_names import join_names

#: Letters on one page of a box, and the last page there can be.
PAGE, LAST_PAGE = 25, 10_000
#: The copies of a letter with the seats they are for.
WITH_SEATS = Prefetch("copies", LetterCopy.objects.select_related("seat"))
#: The boxes: what came to the reader, what he wrote, and what else he may read.
BOXES = ("in", "sent", "others")


@dataclass(frozen=True, slots=True)
class LetterRow:
    """A letter: `date` is the campaign's, `to` the titles of those it is for.

    `unread` when it waits for the reader, `mine` when he wrote it. `ways` says what the reader knows of its
    ride: where it was written when it left, where it is read when it came in, to the umpires all
    (HR-LET-05); `captured` when the reader has it from a courier taken (HR-LET-06).
    """

    letter: Letter
    date: date
    to: str
    unread: bool
    mine: bool
    ways: tuple[str, ...] = ()
    captured: bool = False

    @property
    def subject(self) -> str:
        return self.letter.subject or first_words(self.letter.text)


@dataclass(frozen=True, slots=True)
class DispatchBox:
    """One page of a box; `newer` and `older` are the numbers of its neighbours, 0 for none."""

    name: str
    rows: list[LetterRow]
    newer: int
    older: int


def first_words(text: str, most: int = 60) -> str:
    """The beginning of a text, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most].rsplit(' ', 1)[0]}…"


def load_dispatch_box(seat: Seat, campaign: Campaign, start: date, name: str, page: int) -> DispatchBox:
    """A page of a box of the reader's, counted from 1, the newest letter first."""
    letters = letters_for(seat, campaign)
    came_in = LetterCopy.objects.filter(letter__campaign=campaign, seat=seat).values("letter")
    opened = LetterCopy.objects.filter(letter__campaign=campaign, read_by=seat.user_id).values("letter")
    if name == "sent":
        letters = letters.filter(author=seat.user_id)
    elif name == "in":
        letters = letters.exclude(author=seat.user_id)
        letters = letters.filter(pk__in=came_in) | letters.filter(pk__in=opened)
    else:
        letters = letters.exclude(author=seat.user_id).exclude(pk__in=came_in).exclude(pk__in=opened)
    page = max(1, min(page, LAST_PAGE))
    first = (page - 1) * PAGE
    if name == "in":  # the last to come in first
        came = Max("copies__due", filter=Q(copies__seat=seat))
        letters = letters.annotate(came=came).order_by(F("came").desc(nulls_last=True), "-pk")
    else:
        letters = letters.order_by("-pk")
    found = list(letters.prefetch_related(WITH_SEATS)[first : first + PAGE + 1])
    rows = [letter_row(letter, seat, start) for letter in found[:PAGE]]
    return DispatchBox(name, rows, page - 1, page + 1 if len(found) > PAGE else 0)


def find_readable_dispatch(seat: Seat, campaign: Campaign, code: str) -> Letter | None:
    """A letter the reader may read, None for any other."""
    letters = letters_for(seat, campaign).select_related("seat").prefetch_related(WITH_SEATS)
    return letters.filter(code=code).first()


def list_dispatch_thread(seat: Seat, campaign: Campaign, start: date, code: str) -> list[LetterRow]:
    """The letters the reader may read of the thread of one of them, the oldest first.

    Empty when he may not read that one.
    """
    roots = Letter.objects.filter(code=code).values("root")
    rows = letters_for(seat, campaign).filter(root__in=roots).select_related("seat")
    found = [letter_row(each, seat, start) for each in rows.prefetch_related(WITH_SEATS).order_by("pk")]
    return found if any(row.letter.code == code for row in found) else []


def letter_row(letter: Letter, seat: Seat, start: date) -> LetterRow:
    """A letter as the holder of a seat, who may read it, is told of it."""
    copies = list(letter.copies.all())
    own = next((copy for copy in copies if copy.seat_id == seat.pk), None)
    mine = letter.author_id == seat.user_id
    return LetterRow(
        letter=letter,
        date=start + timedelta(days=letter.day),
        to=_describe_receivers(letter, copies, seat),
        unread=own is not None and own.read_at is None and not mine,
        mine=mine,
        ways=tuple(_iter_ride_sentences(letter, copies, own, seat, start)) if letter.rides else (),
        captured=own is not None and own.captured,
    )


def _describe_receivers(letter: Letter, copies: list[LetterCopy], seat: Seat) -> str:
    """Those a letter is for, as far as its reader may know of their seats."""
    named = [copy for copy in copies if not copy.captured]
    known = [copy.title for copy in named if may_know_receiver(seat, letter, copy)]
    return join_names(known) + (" and others" if len(known) < len(named) else "")


def _iter_ride_sentences(
    letter: Letter, copies: list[LetterCopy], own: LetterCopy | None, seat: Seat, start: date
) -> Iterator[str]:
    """Yield sentences on the rides of a dispatch's copies, as far as the reader knows."""
    umpire = seat.role in UMPIRES
    if letter.withdrawn:
        yield "Called back before it left."
    elif letter.waits:
        yield "It leaves this evening, when the day has been played."
    elif letter.left is not None and (umpire or letter.author_id == seat.user_id):
        yield f"It left in the evening of {_format_campaign_day(start, letter.left)}."
    if umpire:
        yield from (
            _describe_copy_fate(copy, start) for copy in copies if copy.captured or copy.day is not None
        )
    elif own is not None and own.captured:
        yield "Taken from a courier of the enemy."
    elif own is not None and own.day is not None:
        yield f"It came in on {_format_arrival(own, start)}."


def _describe_copy_fate(copy: LetterCopy, start: date) -> str:
    """Describe the fate of a copy, for the umpires."""
    die = f", die {copy.die}" if copy.die is not None else ""
    if copy.captured:
        return f"In the hands of {copy.title}."
    if copy.taken:
        return f"To {copy.title}: taken by the enemy{die}."
    return f"To {copy.title}: in on {_format_arrival(copy, start)}{die}."


def _format_arrival(copy: LetterCopy, start: date) -> str:
    assert copy.day is not None and copy.minute is not None
    return f"{_format_campaign_day(start, copy.day)} at {copy.minute // 60}:{copy.minute % 60:02}"


def _format_campaign_day(start: date, day: int) -> str:
    return date_format(start + timedelta(days=day), "j F")


def list_receivers(
    seat: Seat, campaign: Campaign, sides: dict[str, str], answers: Letter | None
) -> list[tuple[str, str]]:
    """The seats the reader may write to, by key and in words: the umpires, his own side, the others.

    An answer goes to its letter's writer, and those it was for.
    """
    if answers is not None:
        seats = list(dict.fromkeys(answer_seats(answers, seat, campaign)))
    else:
        seats = letter_seats(seat, campaign)
    seats.sort(key=lambda each: (each.role not in UMPIRES, each.side != seat.side, each.side, each.pk))
    return [(str(each.pk), f"{each}{_of_whom(each, sides)}") for each in seats]


def _of_whom(seat: Seat, sides: dict[str, str]) -> str:
    if seat.role in (Seat.Role.SPECTATOR, Seat.Role.RESERVE, Seat.Role.GUEST) and seat.user is not None:
        return f" ({seat.user.get_full_name() or seat.user.get_username()})"
    side = sides.get(seat.side, "")
    return f" ({side})" if side and side != str(seat) else ""


def unread_by_campaign(user: User) -> dict[int, int]:
    """Count a person's unread dispatches by campaign."""
    rows = LetterCopy.objects.all().unread_by(user).values_list("letter__campaign", flat=True)
    found: dict[int, int] = {}
    for key in rows:
        found[key] = found.get(key, 0) + 1
    return found
