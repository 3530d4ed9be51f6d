"""The dice of a campaign's days."""

from campaign.models import Campaign
from rosters.domain.dice import AddressedDice


def dice_for(campaign: Campaign, day: int) -> AddressedDice:
    """The dice of one day; addresses begin with the published hash of the campaign's secret."""
    return AddressedDice(
        secret=bytes(campaign.secret),
        campaign=campaign.commitment[:12],
        revision=campaign.revision,
        day=day,
    )
