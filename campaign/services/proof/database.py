"""Proof of a campaign in the database: its rows in the form the verifier reads."""

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any, Generic, TypeVar

from django.db.models import Q, QuerySet

from campaign.ledger.journal import event_from_entry
from campaign.ledger.row_digests import (
    TABLES,
    UNREAD,
    conduct_facts,
    list_absent_rows,
    list_finished_papers,
    list_finished_rows,
    plain_value,
    recorded_rows,
)
from campaign.ledger.world_rows import snapshot_unpack, world_load
from campaign.models import Battle, Campaign, DayRecord, JournalEntry, Letter, OrderPaper, RowDigest
from campaign.rules.battles.battle_inputs import file_now
from campaign.rules.world.events import Event
from campaign.rules.world.world import Theatre
from campaign.scenarios.theatres import theatre_load
from campaign.services.proof.battles import StoredFight
from campaign.services.proof.rows import Vouched
from campaign.services.proof.verifier import ChainStep, Dossier, NotVerified, Verified, verify_dossier

Row = TypeVar("Row", JournalEntry, RowDigest)
#: How often a campaign that is played on while it is verified is read anew.
AGAIN = 3

__all__ = ["NotVerified", "Verified", "campaign_verify"]


def campaign_verify(*, campaign: Campaign) -> Verified:
    """Check secret, chain, journal, dice, battles and state of a campaign. Raises NotVerified.

    Rows are read as they are needed. If the campaign was played on meanwhile, it is read once more.
    """
    for _ in range(AGAIN):
        try:
            return verify_dossier(dossier_of(campaign))
        except NotVerified:
            head = campaign.head_id
            campaign.refresh_from_db()
            if campaign.head_id == head:
                raise
    return verify_dossier(dossier_of(campaign))


def dossier_of(campaign: Campaign) -> Dossier:
    """A campaign's rows, as they are verified and exported."""
    theatre = theatre_load(campaign)
    parents = dict(DayRecord.objects.filter(campaign=campaign).values_list("pk", "parent_id"))
    head = campaign.head
    day = 0 if head is None else head.day - (head.kind in (DayRecord.Kind.DAY, DayRecord.Kind.WEEK))
    return Dossier(
        commitment=campaign.commitment,
        secret=bytes(campaign.secret),
        theatre=theatre,
        steps=_iter_steps(campaign, theatre),
        parents=parents,
        head=campaign.head_id,
        fights=_Fights(campaign),
        world=world_load(campaign),
        rows=recorded_rows(campaign),
        finished=_collect_finished_keys(campaign, day, 0 if head is None else head.day),
        conducted=conduct_facts(campaign),
        absent=set(list_absent_rows(campaign)),
        imported_head=campaign.imported_head,
    )


def _collect_finished_keys(campaign: Campaign, day: int, played: int) -> dict[str, set[str]]:
    """Collect the keys of the finished rows, by table, for which a record must vouch.

    Orders that came late, or lapsed, with the last day played are vouched for by the record after it.
    """
    carried_out = Q(state=OrderPaper.State.CARRIED_OUT)
    put_in = list_finished_papers(campaign, played)
    rows: dict[str, QuerySet[Any]] = {
        "papers": OrderPaper.objects.filter(carried_out, campaign=campaign),
        "battles": list_finished_rows(campaign, day, played=played)["battles"],
        "paper_states": put_in.filter(Q(day__lt=played - 1) | carried_out),
        "letters": Letter.objects.filter(campaign=campaign, day__lt=played),
    }
    return {
        name: {TABLES[name].key(row) for row in found.defer(*UNREAD.get(name, ())).iterator(200)}
        for name, found in rows.items()
    }


def _iter_steps(campaign: Campaign, theatre: Theatre) -> Iterator[ChainStep]:
    """Iterate over the steps in the order of writing, each with its rows; no two are held at once."""
    journal = JournalEntry.objects.filter(campaign=campaign).order_by("record_id", "ordinal")
    digests = RowDigest.objects.filter(campaign=campaign).order_by("record_id", "pk")
    entries, vouched = _ByRecord(journal.iterator(500)), _ByRecord(digests.iterator(500))
    for record in DayRecord.objects.filter(campaign=campaign).order_by("pk").iterator(10):
        rows = [(row.table, row.key, row.digests) for row in vouched.of(record.pk)]
        yield _build_step(record, entries.of(record.pk), theatre, rows)


class _ByRecord(Generic[Row]):
    """Rows in the order of their records, handed out record by record."""

    def __init__(self, rows: Iterator[Row]) -> None:
        self._groups: Iterator[tuple[int, Iterator[Row]]] = groupby(rows, key=lambda row: row.record_id)
        self._next: tuple[int, Iterator[Row]] | None = next(self._groups, None)

    def of(self, record: int) -> list[Row]:
        """The rows of a record; those of records passed over are left out."""
        while self._next is not None and self._next[0] < record:
            self._next = next(self._groups, None)
        if self._next is None or self._next[0] != record:
            return []
        rows = list(self._next[1])
        self._next = next(self._groups, None)
        return rows


def _build_step(
    record: DayRecord, entries: list[JournalEntry], theatre: Theatre, vouched: list[Vouched]
) -> ChainStep:
    return ChainStep(
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
        entries=[_load_entry(entry) for entry in entries],
        world=lambda: snapshot_unpack(bytes(record.snapshot), theatre),
        created_at=plain_value(record.created_at),
        actor_id=record.actor_id,
        vouched=vouched,
    )


def _load_entry(entry: JournalEntry) -> tuple[int, Event]:
    """Load a journal entry for the proof. Raises NotVerified when it cannot be read."""
    try:
        return entry.day, event_from_entry(entry)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise NotVerified(
            entry.day + 1, f"An entry of the journal of day {entry.day + 1} cannot be read."
        ) from error


class _Fights(Mapping[tuple[int, str], StoredFight]):
    """The battles by revision and contact, each read when it is asked for; all can be read."""

    def __init__(self, campaign: Campaign) -> None:
        self._rows = Battle.objects.filter(campaign=campaign).order_by("pk")
        self._keys = {}
        for battle in self._rows.iterator(5):
            _load_fight(battle)
            self._keys[battle.revision, battle.contact] = battle.pk

    def __getitem__(self, key: tuple[int, str]) -> StoredFight:
        return _load_fight(self._rows.get(pk=self._keys[key]))

    def __iter__(self) -> Iterator[tuple[int, str]]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)


def _load_fight(battle: Battle) -> StoredFight:
    """Load a battle for the proof. Raises NotVerified when its row cannot be read."""
    try:
        return _build_fight(battle)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise NotVerified(
            battle.day + 1,
            f"What is stored of the battle {battle.contact} cannot be read.",
        ) from error


def _build_fight(battle: Battle) -> StoredFight:
    return StoredFight(
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
