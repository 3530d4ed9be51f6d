"""The dice of a campaign's days."""

from collections.abc import Mapping
from typing import Any

from campaign.models import Campaign, DayRecord
from campaign.rules.acts import entered_by
from rosters.domain.dice import AddressedDice


def dice_for(
    campaign: Campaign, day: int, revision: int | None = None, entered: Mapping[str, int] | None = None
) -> AddressedDice:
    """The dice of one day; addresses begin with the published hash of the campaign's secret.

    `revision` is the present one of the dice when left out: a rewind keeps it, so that what a change
    does not touch falls as it did. `entered` are real dice by address (HR-UMP-12).
    """
    return AddressedDice(
        secret=bytes(campaign.secret),
        campaign=campaign.commitment[:12],
        revision=campaign.dice_revision if revision is None else revision,
        day=day,
        entered=entered or {},
    )


def dice_entered(campaign: Campaign) -> dict[str, int]:
    """Real dice for the coming day, by address: those of the acts at the head of the chain (HR-UMP-12)."""
    head = campaign.head
    if head is None or head.kind != DayRecord.Kind.ACT:
        return {}
    acts = {
        record.pk: record
        for record in DayRecord.objects.filter(
            campaign=campaign, kind=DayRecord.Kind.ACT, day=campaign.day
        ).only("parent_id", "inputs")
    }
    found: list[Mapping[str, Any]] = []
    key: int | None = head.pk
    while key in acts:
        found.append(acts[key].inputs["act"])
        key = acts[key].parent_id
    return entered_by(found[::-1], dice_for(campaign, campaign.day))
