"""Notifications found by looking: waiting battles, entered results, the staff's orders (HR-DUE-09)."""

from collections import Counter
from datetime import datetime

from campaign.fog.seat_roles import DEPUTISED, umpires_of
from campaign.fog.viewers import DESK, seat_holds
from campaign.models import Battle, BattleEntry, Campaign, DayRecord, Notice, OrderPaper, Seat, User
from campaign.services.notifications.notifications import notices_write

Kind = Notice.Kind


def rounds_go(campaign: Campaign, seats: list[Seat], since: datetime) -> int:
    """Tell what waits, and what has come since a moment. Safe twice. Returns how many notices are new."""
    battles = list(
        Battle.objects.filter(campaign=campaign, revision=campaign.revision).exclude(
            state=Battle.State.SETTLED, settled_at__lt=since
        )
    )
    told = 0
    for battle in battles:
        if battle.state == Battle.State.WAITING:
            told += _write_notifications(
                campaign, Kind.BATTLE, f"battle {battle.pk}", _list_battle_viewers(battle, campaign, seats)
            )
        elif battle.settled_by_id is not None:  # what the engine settles by itself is told with the day
            others = [
                user
                for user in _list_battle_viewers(battle, campaign, seats)
                if user.pk != battle.settled_by_id
            ]
            told += _write_notifications(campaign, Kind.RESULT, f"battle {battle.pk}", others)
    told += _notify_entered_results(
        campaign, [each for each in battles if each.state == Battle.State.WAITING], seats
    )
    return told + _notify_staff_orders(campaign, seats, since)


def _notify_entered_results(campaign: Campaign, waiting: list[Battle], seats: list[Seat]) -> int:
    """Notify the umpires of a result a side has entered; once more when it was undone since (HR-BAT-13)."""
    entered = BattleEntry.objects.filter(battle__in=waiting, state=BattleEntry.State.ENTERED).exclude(side="")
    entries = list(entered.select_related("battle")) if waiting else []
    times = _count_undone_entries(campaign) if entries else {}
    told = 0
    for entry in entries:
        back = times.get(entry.battle.contact, "")
        subject = f"entered {entry.battle_id} {entry.side} {back}".strip()
        told += _write_notifications(campaign, Kind.RESULT, subject[:80], umpires_of(seats))
    return told


def _count_undone_entries(campaign: Campaign) -> dict[str, int]:
    """Count how often entered results were undone, by contact of the battle."""
    acts = DayRecord.objects.filter(
        campaign=campaign,
        revision=campaign.revision,
        kind=DayRecord.Kind.ACT,
        inputs__act__kind="battle_way",
        inputs__act__anew=True,
    )
    return dict(Counter(acts.values_list("inputs__act__field__contact", flat=True)))


def _notify_staff_orders(campaign: Campaign, seats: list[Seat], since: datetime) -> int:
    """Notify a side's commanders of orders its staff wrote because there were none (HR-DUE-02)."""
    if campaign.missed_orders != Campaign.MissedOrders.STAFF:
        return 0
    papers = OrderPaper.objects.filter(
        campaign=campaign, author=OrderPaper.Author.STAFF, submitted_at__gte=since
    )
    told = 0
    for side, day in papers.order_by("side", "day").values_list("side", "day").distinct():
        people = [seat.user for seat in seats if seat.user and seat.side == side and seat.role in DEPUTISED]
        told += _write_notifications(campaign, Kind.STAFF, f"day {day} {side}"[:80], people)
    return told


def _list_battle_viewers(battle: Battle, campaign: Campaign, seats: list[Seat]) -> list[User]:
    """List the people who may see a battle: umpires, seats of both sides, and its guests (`battles_for`)."""
    sides = (battle.attacker, battle.defender)
    people = umpires_of(seats)
    for seat in seats:
        own = seat.role in DESK and seat.side in sides
        guest = seat.role == Seat.Role.GUEST and seat.battle_id == battle.pk
        if seat.user is not None and (own or guest) and seat_holds(seat, campaign.day):
            people.append(seat.user)
    return list(dict.fromkeys(people))


def _write_notifications(campaign: Campaign, kind: Notice.Kind, subject: str, users: list[User]) -> int:
    return notices_write(campaign=campaign, kind=kind, subject=subject, users=users)
