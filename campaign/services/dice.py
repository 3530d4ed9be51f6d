"""The dice of a campaign's days."""

from campaign.models import Campaign
from rosters.domain.dice import AddressedDice


def dice_for(campaign: Campaign, day: int, revision: int | None = None) -> AddressedDice:
    """The dice of one day; addresses begin with the published hash of the campaign's secret.

    `revision` is the present one of the dice when left out: a rewind keeps it, so that what a change
    does not touch falls as it did.
    """
    return AddressedDice(
        secret=bytes(campaign.secret),
        campaign=campaign.commitment[:12],
        revision=campaign.dice_revision if revision is None else revision,
        day=day,
    )
