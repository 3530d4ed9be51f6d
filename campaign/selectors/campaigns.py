"""The campaigns of a person, told shortly."""

from dataclasses import dataclass

from campaign.models import Campaign, Seat, User


@dataclass(frozen=True, slots=True)
class CampaignRow:
    """A campaign with the seats the person has in it, those of other times too."""

    campaign: Campaign
    seats: tuple[Seat, ...]


def campaign_rows(user: User) -> list[CampaignRow]:
    """Every campaign in which the person has a seat, the newest first, in one query."""
    found: dict[int, CampaignRow] = {}
    seats = Seat.objects.filter(user=user).select_related("campaign")
    for seat in seats.order_by("-campaign__created_at", "-campaign_id", "pk"):
        row = found.get(seat.campaign_id)
        found[seat.campaign_id] = CampaignRow(seat.campaign, (*(row.seats if row else ()), seat))
    return list(found.values())
