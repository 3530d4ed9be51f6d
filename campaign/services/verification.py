"""Proof of a campaign in the database: its rows as the one verifier reads them."""

from collections.abc import Iterator
from itertools import groupby

from campaign.battle_inputs import file_now
from campaign.journal import event_from_entry
from campaign.models import Battle, Campaign, DayRecord, JournalEntry
from campaign.rules.world import Theatre
from campaign.services.proof import Dossier, Fight, NotVerified, Step, Verified, verify
from campaign.state import snapshot_unpack, theatre_load, world_load

__all__ = ["NotVerified", "Verified", "campaign_verify"]


def campaign_verify(*, campaign: Campaign) -> Verified:
    """Check secret, chain, journal, dice, battles and state of a campaign. Raises NotVerified."""
    return verify(dossier_of(campaign))


def dossier_of(campaign: Campaign) -> Dossier:
    """A campaign's rows, as they are verified and exported."""
    theatre = theatre_load(campaign)
    parents = dict(DayRecord.objects.filter(campaign=campaign).values_list("pk", "parent_id"))
    battles = Battle.objects.filter(campaign=campaign)
    return Dossier(
        commitment=campaign.commitment,
        secret=bytes(campaign.secret),
        theatre=theatre,
        steps=_steps(campaign, theatre),
        parents=parents,
        head=campaign.head_id,
        fights={(battle.revision, battle.contact): _fight(battle) for battle in battles},
        world=world_load(campaign),
    )


def _steps(campaign: Campaign, theatre: Theatre) -> Iterator[Step]:
    ordered = JournalEntry.objects.filter(campaign=campaign).order_by("record_id", "ordinal")
    entries = {key: list(group) for key, group in groupby(ordered, key=lambda entry: entry.record_id)}
    for record in DayRecord.objects.filter(campaign=campaign).order_by("pk"):
        yield _step(record, entries.pop(record.pk, []), theatre)


def _step(record: DayRecord, entries: list[JournalEntry], theatre: Theatre) -> Step:
    return Step(
        number=record.pk,
        parent=record.parent_id,
        kind=record.kind,
        revision=record.revision,
        day=record.day,
        ordinal=record.ordinal,
        dice_revision=record.dice_revision,
        reason=record.reason,
        inputs=record.inputs,
        versions=record.versions,
        events_hash=record.events_hash,
        world_hash=record.world_hash,
        record_hash=record.record_hash,
        commitments=record.commitments,
        salt="",
        entries=[(entry.day, event_from_entry(entry)) for entry in entries],
        world=lambda: snapshot_unpack(bytes(record.snapshot), theatre),
    )


def _fight(battle: Battle) -> Fight:
    return Fight(
        title=str(battle),
        revision=battle.revision,
        dice_revision=battle.dice_revision,
        day=battle.day,
        contact=battle.contact,
        source=battle.source,
        settlement=battle.settlement,
        file=file_now(battle),
        ruleset=battle.ruleset,
        adjusted=battle.adjusted,
        sector=battle.sector,
    )
