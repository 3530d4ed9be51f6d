"""The dice of a campaign's days, and whether anybody can work them out."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import Any

from campaign.models import Campaign, DayRecord
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire.corrections import collect_real_dice
from rosters.domain.dice import AddressedDice

#: Seeds tried on campaigns of older versions, which did not write down that their secret came from one: all
#: up to this, and what people enter as a date, in eight digits, of these years.
SEEDS_TRIED, YEARS_TRIED = 1_000_000, (*range(1700, 1816), *range(1950, 2050))
PUBLIC = (
    "The dice of {title} come from the public seed of playcampaign: anybody can work them out. So nobody can "
    "be given a seat of it. Set up another campaign of its scenario; it draws a secret of its own."
)


def seed_secret(seed: int) -> bytes:
    """The secret of a campaign that is the same each time it is played: no secret at all (HR-SET-17)."""
    return hashlib.sha256(f"playcampaign {seed}".encode()).digest()


def seed_is_public(secret: bytes, first: Mapping[str, Any], *, named: str, older: bool) -> bool:
    """True when a secret comes from a public seed; `first` are the inputs of the campaign's first record.

    `named` is what the campaign is called, which may hold the seed. An `older` version wrote the first record
    and told no seed there; what somebody would choose at random is not found then.
    """
    if "seed" in first:
        return True
    numbers = (int(digits) for digits in re.findall(r"[0-9]{1,20}", named))
    return any(secret == seed_secret(seed) for seed in numbers) or (older and _is_seeded(secret))


@lru_cache(maxsize=256)
def _is_seeded(secret: bytes) -> bool:
    """True when a secret comes from a seed somebody is likely to choose. Takes a second or two."""
    likely = chain(range(SEEDS_TRIED), _iter_date_seeds())
    return any(secret == hashlib.sha256(b"playcampaign %d" % seed).digest() for seed in likely)


def _iter_date_seeds() -> Iterator[int]:
    for year in YEARS_TRIED:
        for month in range(1, 13):
            for day in range(1, 32):
                yield from (
                    year * 10_000 + month * 100 + day,
                    day * 1_000_000 + month * 10_000 + year,
                    month * 1_000_000 + day * 10_000 + year,
                )


def secret_is_public(campaign: Campaign) -> bool:
    """True when anybody can work out a campaign's dice (HR-SET-17)."""
    starts = campaign.records.filter(kind=DayRecord.Kind.START)
    first, commitments = starts.values_list("inputs", "commitments").first() or ({}, {})
    return seed_is_public(
        bytes(campaign.secret),
        first,
        named=f"{campaign.slug} {campaign.title}",
        older=starts_older(commitments),
    )


def starts_older(commitments: Mapping[str, Any]) -> bool:
    """True when a first record was written by a version that did not record a public seed."""
    return "rows" not in commitments


def verify_secret(campaign: Campaign) -> None:
    """Refuses people for a campaign whose dice anybody can work out (HR-SET-17).

    To be asked before the campaign is locked: of one of an older version a million seeds are tried, once in
    each process.
    """
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


def load_entered_dice(campaign: Campaign) -> dict[str, int]:
    """Load the real dice entered for the coming day, by address (HR-UMP-12)."""
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
    return collect_real_dice(found[::-1], dice_for(campaign, campaign.day))
