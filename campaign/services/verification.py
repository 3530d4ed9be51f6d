"""Proof of a campaign in the database: its rows as the one verifier reads them."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from django.db.models import Q

from campaign.battle_inputs import file_now
from campaign.journal import event_from_entry
from campaign.models import Battle, Campaign, DayRecord, JournalEntry, Letter, OrderPaper, RowDigest
from campaign.row_digests import (
    TABLES,
    absent,
    conduct_facts,
    finished,
    papers_finished,
    plain_value,
    recorded_rows,
)
from campaign.rules.events import Event
from campaign.rules.world import Theatre
from campaign.services.proof import Dossier, Fight, NotVerified, Step, Verified, verify
from campaign.services.proof_rows import Vouched
from campaign.state import snapshot_unpack, world_load
from campaign.theatres import theatre_load

__all__ = ["NotVerified", "Verified", "campaign_verify"]


def campaign_verify(*, campaign: Campaign) -> Verified:
    """Check secret, chain, journal, dice, battles and state of a campaign. Raises NotVerified."""
    return verify(dossier_of(campaign))


def dossier_of(campaign: Campaign) -> Dossier:
    """A campaign's rows, as they are verified and exported."""
    theatre = theatre_load(campaign)
    parents = dict(DayRecord.objects.filter(campaign=campaign).values_list("pk", "parent_id"))
    battles = Battle.objects.filter(campaign=campaign)
    head = campaign.head
    day = 0 if head is None else head.day - (head.kind in (DayRecord.Kind.DAY, DayRecord.Kind.WEEK))
    return Dossier(
        commitment=campaign.commitment,
        secret=bytes(campaign.secret),
        theatre=theatre,
        steps=_steps(campaign, theatre),
        parents=parents,
        head=campaign.head_id,
        fights={(battle.revision, battle.contact): _fight(battle) for battle in battles},
        world=world_load(campaign),
        rows=recorded_rows(campaign),
        finished=_finished(campaign, day, 0 if head is None else head.day),
        conducted=conduct_facts(campaign),
        absent=set(absent(campaign)),
        imported_head=campaign.imported_head,
    )


def _finished(campaign: Campaign, day: int, played: int) -> dict[str, set[str]]:
    """Keys of the rows for which a record must vouch, by table.

    Orders that came late, or lapsed, with the last day played are vouched for by the record after it.
    """
    carried_out = Q(state=OrderPaper.State.CARRIED_OUT)
    put_in = papers_finished(campaign, played)
    rows: dict[str, Iterable[Any]] = {
        "papers": OrderPaper.objects.filter(carried_out, campaign=campaign),
        "battles": finished(campaign, day, played=played)["battles"],
        "paper_states": put_in.filter(Q(day__lt=played - 1) | carried_out),
        "letters": Letter.objects.filter(campaign=campaign, day__lt=played),
    }
    return {name: {TABLES[name].key(row) for row in found} for name, found in rows.items()}


def _steps(campaign: Campaign, theatre: Theatre) -> Iterator[Step]:
    ordered = JournalEntry.objects.filter(campaign=campaign).order_by("record_id", "ordinal")
    entries = {key: list(group) for key, group in groupby(ordered, key=lambda entry: entry.record_id)}
    vouched: dict[int, list[Vouched]] = {}
    for row in RowDigest.objects.filter(campaign=campaign).order_by("pk"):
        vouched.setdefault(row.record_id, []).append((row.table, row.key, row.digests))
    for record in DayRecord.objects.filter(campaign=campaign).order_by("pk"):
        yield _step(record, entries.pop(record.pk, []), theatre, vouched.get(record.pk, []))


def _step(record: DayRecord, entries: list[JournalEntry], theatre: Theatre, vouched: list[Vouched]) -> Step:
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
        entries=[_entry(entry) for entry in entries],
        world=lambda: snapshot_unpack(bytes(record.snapshot), theatre),
        created_at=plain_value(record.created_at),
        actor_id=record.actor_id,
        vouched=vouched,
    )


def _entry(entry: JournalEntry) -> tuple[int, Event]:
    """A journal entry as it is proved. Raises NotVerified for one that cannot be read any more."""
    try:
        return entry.day, event_from_entry(entry)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise NotVerified(
            entry.day + 1, f"An entry of the journal of day {entry.day + 1} cannot be read."
        ) from error


def _fight(battle: Battle) -> Fight:
    """A battle as it is proved. Raises NotVerified for one whose row cannot be read any more."""
    try:
        return _fight_read(battle)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise NotVerified(
            battle.day + 1,
            f"What is stored of the battle {battle.contact} cannot be read.",
        ) from error


def _fight_read(battle: Battle) -> Fight:
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
