"""Whether an older campaign's dice can be worked out is tried before the campaign is locked (HR-SET-17)."""

from collections.abc import Callable
from functools import lru_cache

import pytest
from django.db import connection

from campaign.ledger import dice
from campaign.models import DayRecord, Seat, User
from campaign.services.seats.assignment import column_give, seat_give
from campaign.services.seats.changes import seat_fill, seat_offer, seat_open, seat_pass, seat_take
from campaign.services.seats.invitations import invitation_accept, invitation_make
from rosters.models import Formation

pytestmark = pytest.mark.django_db


def accepted(seat: Seat, user: User, umpire: User) -> None:
    made, _ = invitation_make(campaign=seat.campaign, seat=seat, actor=umpire)
    dice._is_seeded.cache_clear()
    invitation_accept(invitation=made, user=user)


def take_seat(seat: Seat, user: User, umpire: User) -> None:
    Seat.objects.create(campaign=seat.campaign, role=Seat.Role.RESERVE, user=user)
    Seat.objects.filter(pk=seat.pk).update(offered=True)
    seat_take(seat=seat, user=user)


def column(seat: Seat, user: User, umpire: User) -> None:
    [first, *_] = Formation.objects.filter(side__slug=seat.side, parent="", garrison=False)
    column_give(
        campaign=seat.campaign, side=seat.side, formations=[first.slug], user=user, title="", actor=umpire
    )


WAYS: dict[str, Callable[[Seat, User, User], object]] = {
    "invite": lambda seat, user, umpire: invitation_make(campaign=seat.campaign, seat=seat, actor=umpire),
    "accept": accepted,
    "fill": lambda seat, user, umpire: seat_fill(seat=seat, user=user, actor=umpire),
    "open": lambda seat, user, umpire: seat_open(
        campaign=seat.campaign, role=Seat.Role.SPECTATOR, user=user, actor=umpire
    ),
    "pass": lambda seat, user, umpire: seat_pass(seat=seat, day=2, user=user, actor=umpire),
    "offer": lambda seat, user, umpire: seat_offer(seat=seat, offered=True, actor=umpire),
    "take": take_seat,
    "give": lambda seat, user, umpire: seat_give(
        campaign=seat.campaign, role=seat.role, side=seat.side, user=user, actor=umpire
    ),
    "column": column,
}


@pytest.mark.parametrize("way", WAYS)
def test_hr_set_17_no_seed_is_tried_while_the_campaign_is_locked(saratoga, carleton, monkeypatch, way):
    DayRecord.objects.filter(campaign=saratoga, kind=DayRecord.Kind.START).update(commitments={})
    seat = Seat.objects.filter(campaign=saratoga, role=Seat.Role.COMMANDER).first()
    Seat.objects.filter(pk=seat.pk).update(user=None)
    seat.refresh_from_db()
    outside, depths = len(connection.atomic_blocks), []

    @lru_cache
    def tried(secret: bytes) -> bool:
        depths.append(len(connection.atomic_blocks))
        return False

    monkeypatch.setattr(dice, "_is_seeded", tried)
    WAYS[way](seat, User.objects.create_user("stark"), carleton)
    assert depths and set(depths) == {outside}
