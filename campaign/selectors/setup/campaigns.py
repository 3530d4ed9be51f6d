"""The campaigns of a person, told shortly, as far as his seat lets him look."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Window
from django.db.models.functions import RowNumber

from campaign.fog.viewers import (
    DESK,
    NotSeated,
    combine_rows,
    seat_today,
    seats_by_campaign,
    spectators_limit,
)
from campaign.fog.visibility import Viewer, mornings_late
from campaign.ledger.journal import preload_courses
from campaign.ledger.world_rows import snapshot_unpack
from campaign.models import Campaign, DayRecord, Seat, User
from campaign.scenarios.theatres import theatre_load


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
    """Every campaign in which the person has a seat, the newest first; one query, three for late ends."""
    found = [_build_campaign_row(user, seats) for seats in seats_by_campaign(user).values()]
    told = load_visible_states([viewer for _, viewer in found if viewer is not None])
    return [replace(row, state=told.get(row.campaign.pk, row.state)) for row, _ in found]


def _build_campaign_row(user: User, seats: Sequence[Seat]) -> tuple[CampaignRow, Viewer | None]:
    """A campaign's row; for a late spectator with how he looks, which tells its state."""
    campaign, told = seats[0].campaign, tuple(sorted(seats, key=lambda seat: seat.pk))
    now = CampaignRow(campaign, told, campaign.state, campaign.day)
    try:
        seat = seat_today(seats, campaign, also=Seat.Role)
    except NotSeated:  # all of other days
        return now, None
    if seat.role in DESK:
        return replace(now, deadline=campaign.deadline), None
    if seat.role != Seat.Role.SPECTATOR:
        return now, None
    try:
        limit = spectators_limit(campaign)
    except NotSeated:
        return CampaignRow(campaign, told, Campaign.State.RUNNING, 0), None
    if limit is None:
        return now, None
    viewer = Viewer(campaign, user, seat.role, campaign.spectator_side, "", day_limit=limit)
    return replace(now, days_completed=limit), viewer


def load_visible_states(viewers: Iterable[Viewer]) -> dict[int, str]:
    """Return the state of campaigns by key; for a late spectator the state on the morning they see (HR-
    SET-12).

    `viewers` are one for each campaign. Two queries when there are such spectators of one that has ended.
    """
    seen = {viewer.campaign.pk: viewer for viewer in viewers}
    told: dict[int, str] = {key: viewer.campaign.state for key, viewer in seen.items()}
    late = [
        viewer
        for key, viewer in seen.items()
        if viewer.day_limit is not None and told[key] == Campaign.State.ENDED
    ]
    if not late:
        return told
    preload_courses(viewer.campaign for viewer in late)
    mornings = combine_rows((mornings_late(viewer) for viewer in late), DayRecord.objects.none())
    newest = Window(RowNumber(), partition_by="campaign", order_by=["-day", "-pk"])
    last = mornings.annotate(nth=newest).filter(nth=1).values("pk")
    for record in DayRecord.objects.filter(pk__in=last).only("campaign_id", "snapshot"):
        theatre = theatre_load(seen[record.campaign_id].campaign)
        ended = snapshot_unpack(bytes(record.snapshot), theatre).ended
        told[record.campaign_id] = Campaign.State.ENDED if ended else Campaign.State.RUNNING
    return told
