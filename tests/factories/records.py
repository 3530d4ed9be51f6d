"""Rows changed as nothing in play can change them, so that a page has something to tell."""

from campaign.ledger.world_rows import snapshot_pack, world_load
from campaign.models import Campaign, DayRecord


def head_renew(campaign: Campaign) -> None:
    """Write the world as the rows have it into the head's record, which pages read."""
    current = Campaign.objects.get(pk=campaign.pk)
    snapshot = snapshot_pack(world_load(current))
    DayRecord.objects.filter(pk=current.head_id).update(snapshot=snapshot)
