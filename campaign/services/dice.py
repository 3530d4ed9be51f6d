"""The dice of a campaign's days, and whether anybody can work them out."""

import hashlib
import re
from collections.abc import Mapping
from typing import Any

from campaign.models import Campaign, DayRecord
from campaign.rules.acts import entered_by
from campaign.rules.errors import RuleViolation
from rosters.domain.dice import AddressedDice

#: Seeds tried on campaigns of older versions, which did not write down that their secret came from one.
SEEDS_TRIED = 10_000
PUBLIC = (
    "The dice of {title} come from the public seed of playcampaign: anybody can work them out. So nobody can "
    "be given a seat of it. Set up another campaign of its scenario; it draws a secret of its own."
)


def seed_secret(seed: int) -> bytes:
    """The secret of a campaign that is the same each time it is played: no secret at all (HR-SET-17)."""
    return hashlib.sha256(f"playcampaign {seed}".encode()).digest()


def seed_is_public(secret: bytes, first: Mapping[str, Any], slug: str) -> bool:
    """Whether a secret comes from a public seed; `first` are the inputs of the campaign's first record."""
    if "seed" in first:
        return True
    named = (int(digits) for digits in re.findall(r"[0-9]{1,20}", slug))
    return any(secret == seed_secret(seed) for seed in (*named, *range(SEEDS_TRIED)))


def secret_is_public(campaign: Campaign) -> bool:
    """Whether anybody can work out a campaign's dice (HR-SET-17)."""
    first = campaign.records.filter(kind=DayRecord.Kind.START).values_list("inputs", flat=True).first() or {}
    return seed_is_public(bytes(campaign.secret), first, campaign.slug)


def verify_secret(campaign: Campaign) -> None:
    """Refuses people for a campaign whose dice anybody can work out (HR-SET-17)."""
    if secret_is_public(campaign):
        raise RuleViolation("HR-SET-17", PUBLIC.format(title=campaign.title), "campaign")


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
