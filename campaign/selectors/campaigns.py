"""The campaigns of a person, told shortly, as far as his seat lets him look."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from campaign.models import Campaign, Seat, User
from campaign.viewers import DESK, NotSeated, seat_today, spectators_limit
from campaign.visibility import Viewer, world_late


@dataclass(frozen=True, slots=True)
class CampaignRow:
    """A campaign with the seats the person has in it, those of other times too.

    `state`, `days_completed` and `deadline` are as he may know them: who has the desk is told how it stands
    now, a spectator how it stood on the morning he sees (HR-SET-12), others what the public page tells, which
    is no deadline.
    """

    campaign: Campaign
    seats: tuple[Seat, ...]
    state: str
    days_completed: int
    deadline: datetime | None = None


def campaign_rows(user: User) -> list[CampaignRow]:
    """Every campaign in which the person has a seat, the newest first; one query, for late ends one each."""
    rows = Seat.objects.filter(user=user).select_related("campaign__head", "stands_for")
    found: dict[int, list[Seat]] = {}
    for seat in rows.defer("campaign__head__snapshot").order_by(
        "-campaign__created_at", "-campaign_id", "from_day", "pk"
    ):
        found.setdefault(seat.campaign_id, []).append(seat)
    return [_row(user, seats) for seats in found.values()]


def _row(user: User, seats: Sequence[Seat]) -> CampaignRow:
    campaign, told = seats[0].campaign, tuple(sorted(seats, key=lambda seat: seat.pk))
    try:
        seat = seat_today(seats, campaign, also=Seat.Role)
    except NotSeated:  # all of other days
        return CampaignRow(campaign, told, campaign.state, campaign.day)
    if seat.role in DESK:
        return CampaignRow(campaign, told, campaign.state, campaign.day, campaign.deadline)
    if seat.role != Seat.Role.SPECTATOR:
        return CampaignRow(campaign, told, campaign.state, campaign.day)
    try:
        limit = spectators_limit(campaign)
    except NotSeated:
        return CampaignRow(campaign, told, Campaign.State.RUNNING, 0)
    if limit is None:
        return CampaignRow(campaign, told, campaign.state, campaign.day)
    viewer = Viewer(campaign, user, seat.role, campaign.spectator_side, "", day_limit=limit)
    return CampaignRow(campaign, told, state_told(viewer), limit)


def state_told(viewer: Viewer) -> str:
    """Whether the campaign runs; to a late spectator as it was on the morning he sees (HR-SET-12)."""
    campaign = viewer.campaign
    if viewer.day_limit is None or campaign.state != Campaign.State.ENDED:
        return campaign.state
    return Campaign.State.ENDED if world_late(viewer).ended else Campaign.State.RUNNING
