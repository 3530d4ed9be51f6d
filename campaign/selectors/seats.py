"""Seats as the viewer may know them: holders, absences, and the seat history."""

from dataclasses import dataclass
from datetime import date, timedelta

from campaign.fog.seat_roles import DEPUTISED, deputies_for, describe_absences
from campaign.fog.visibility import Viewer, may_know_absence, may_know_seat
from campaign.models import Campaign, Seat, Tenure

#: The order in which seats are listed.
ORDER = tuple(Seat.Role.values)


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat: its holder's name, its dates and why he is away, in words or "".

    `state` says whether its time is "now", to "come" or "past".
    """

    seat: Seat
    title: str
    name: str
    dates: str
    away: str
    state: str

    @property
    def is_offered(self) -> bool:
        return self.seat.offered


@dataclass(frozen=True, slots=True)
class TenureRow:
    """A former holder of a seat, with the dates in words."""

    title: str
    name: str
    dates: str


def seat_rows(viewer: Viewer, start: date) -> list[SeatRow]:
    """The seats held now that the viewer may know; for the umpires also those to come."""
    rows = all_rows(viewer.campaign, start)
    shown = ("now", "come") if viewer.is_umpire else ("now",)
    return [
        row if may_know_absence(viewer, row.seat) else _hide_absence(row)
        for row in rows
        if row.state in shown and may_know_seat(viewer, row.seat)
    ]


def public_rows(campaign: Campaign, start: date) -> list[SeatRow]:
    """List the seats on the public page: the umpires and the commanders."""
    rows = all_rows(campaign, start)
    return [_hide_absence(row) for row in rows if row.state == "now" and may_know_seat(None, row.seat)]


def all_rows(campaign: Campaign, start: date) -> list[SeatRow]:
    """Every seat, in two queries and one more when somebody has missed a deadline."""
    seats = list(campaign.seats.select_related("user"))
    seats.sort(key=lambda seat: (ORDER.index(seat.role), seat.side, seat.from_day, seat.pk))
    held = [seat for seat in seats if seat.holds(campaign.day)]
    absent = describe_absences(held)
    acting = deputies_for(held, {seat.pk for seat in held if seat.role in DEPUTISED and seat.pk in absent})
    absent = {seat.pk: absent[seat.pk] for seat in held if seat.user is not None and seat.pk in absent}
    return [
        SeatRow(
            seat=seat,
            title=str(seat),
            name=_format_holder(seat),
            dates=dates_text(seat.from_day, seat.until_day, start),
            away=_describe_absence(seat, absent, acting),
            state="now" if seat in held else "come" if seat.from_day > campaign.day else "past",
        )
        for seat in seats
    ]


def tenure_rows(viewer: Viewer, start: date) -> list[TenureRow]:
    """List the former holders of the seats, in order of time."""
    rows = Tenure.objects.filter(campaign=viewer.campaign).select_related("seat")
    found = []
    for row in rows:
        ended = row.until_day if row.until_day is not None else row.seat.until_day if row.seat else None
        if ended is not None and ended <= viewer.campaign.day and may_know_seat(viewer, row):
            found.append(TenureRow(row.title, row.name, dates_text(row.from_day, ended, start, whole=True)))
    return found


def dates_text(begins: int, ends: int | None, start: date, *, whole: bool = False) -> str:
    """ "from 3 July to 9 August"; "" for a seat of the whole campaign, unless `whole`."""
    first = start + timedelta(days=begins)
    words = f"from {first.day} {first:%B}" if begins or whole else ""
    if ends is not None:
        last = start + timedelta(days=ends - 1)
        words += f" to {last.day} {last:%B}"
    return words.strip()


def _hide_absence(row: SeatRow) -> SeatRow:
    """The row for those who are not told who is away, nor until when a command is meant to last."""
    return SeatRow(row.seat, row.title, row.name, "", "", row.state)


def _format_holder(seat: Seat) -> str:
    if seat.user is None:
        return "the staff" if seat.role == Seat.Role.COMMANDER else "nobody"
    return seat.user.get_full_name() or seat.user.get_username()


def _describe_absence(seat: Seat, absent: dict[int, str], acting: dict[int, list[Seat]]) -> str:
    told = absent.get(seat.pk, "")
    deputies = " and ".join(_format_holder(deputy) for deputy in acting.get(seat.pk, []))
    if deputies:
        told = f"{told}; {deputies} acts".removeprefix("; ")
    return told
