"""Orders that still hold: marches and works under way, and a word that there is nothing new (HR-DUE-02)."""

from collections.abc import Iterable

from campaign.fog.seat_roles import DEPUTISED, deputy_acts
from campaign.models import Campaign, Seat, User

# --- nothing new ---


def seats_spoken_for(campaign: Campaign, actor: User, side: str) -> list[Seat]:
    """The seats of a side that a person orders for now: his own, and those he is deputy for (HR-SET-09)."""
    found = []
    seats = Seat.objects.filter(campaign=campaign, user=actor).in_force()
    for seat in seats.select_related("campaign", "stands_for__campaign", "stands_for__user"):
        held = seat
        if seat.role == Seat.Role.DEPUTY and seat.stands_for is not None and deputy_acts(seat):
            held = seat.stands_for
        if held.role in DEPUTISED and held.side == side:
            found.append(held)
    return found


def nothing_new_note(*, seats: Iterable[Seat], day: int, actor: User) -> None:
    """Keep that the people of these seats have nothing new for a day; a holder himself is back by that."""
    keys = [seat.pk for seat in seats]
    Seat.objects.filter(pk__in=keys).update(nothing_new=day)
    Seat.objects.filter(pk__in=keys, user=actor).update(missed_at=None)


def nothing_new_forget(campaign: Campaign) -> None:
    """After going back the days to come are other days: people are asked anew (HR-UMP-14)."""
    Seat.objects.filter(campaign=campaign).update(nothing_new=None)
