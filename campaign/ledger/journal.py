"""The journal and the chain: events to rows and back, and day records that hash their parents."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from django.db.models import F, Q
from django.utils import timezone

from campaign.ledger.audit import umpire_notes
from campaign.ledger.hash_chain import (
    PLAIN_COLUMNS,
    build_commitments,
    build_public_header,
    commit_to_rows,
    compute_digest,
    event_to_json,
    record_salt,
)
from campaign.ledger.row_digests import build_row_digests, digest_finished_rows, list_absent_rows
from campaign.ledger.world_rows import snapshot_pack
from campaign.models import Campaign, DayRecord, JournalEntry, RowDigest, User
from campaign.rules.world.events import Event, roll_to_json
from campaign.rules.world.world import World
from campaign.rules.world.world_json import Texts, text_hash, world_text
from rosters.bulk import rows_insert, rows_update
from rosters.domain.dice import Roll

#: Columns of an entry that a side is told of.
TOLD_COLUMNS = (*PLAIN_COLUMNS, "rolls", "modifiers", "data")


def event_from_entry(entry: JournalEntry) -> Event:
    """The event an entry was written from."""
    return Event(
        **{name: getattr(entry, name) for name in PLAIN_COLUMNS},
        sides=tuple(side for side in entry.sides.split("|") if side),
        rolls=tuple(Roll(**roll) for roll in entry.rolls),
        modifiers=tuple((name, value) for name, value in entry.modifiers),
        data=entry.data,
    )


def told_of_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return an entry as a side is told it, from its `TOLD_COLUMNS` (`hash_chain.build_side_event`, without
    the objects).
    """
    return {
        **{name: row[name] for name in PLAIN_COLUMNS},
        "rolls": [roll_to_json(Roll(**roll)) for roll in row["rolls"]],
        "modifiers": row["modifiers"],
        "data": row["data"],
    }


@dataclass(frozen=True, slots=True)
class CourseStretch:
    """Part of the course a campaign has taken: the records of `revision` up to the row `last`.

    `days` are the days completed at its end. The present stretch has no end: both are None.
    """

    revision: int
    last: int | None = None
    days: int | None = None


def load_course(campaign: Campaign) -> tuple[CourseStretch, ...]:
    """The stretches that lead to the head, the present one first; what is on none is undone (HR-UMP-14).

    Read once for a campaign at hand: only going back alters it, and that is another revision.
    """
    preload_courses([campaign])
    kept: dict[int, tuple[CourseStretch, ...]] = campaign.__dict__["_courses"]
    return kept[campaign.revision]


def preload_courses(campaigns: Iterable[Campaign]) -> None:
    """Load the courses of several campaigns in one query and keep them, so that `course` needs none."""
    asked = [each for each in campaigns if each.revision not in each.__dict__.get("_courses", {})]
    left = _load_course_branches(each for each in asked if each.revision > 1)
    for each in asked:
        each.__dict__.setdefault("_courses", {})[each.revision] = _build_stretches(each, left)


def _load_course_branches(campaigns: Iterable[Campaign]) -> dict[tuple[int, int], CourseStretch]:
    """Return the points where the courses of campaigns were left for later ones, by campaign and the
    later revision.
    """
    keys = [campaign.pk for campaign in campaigns]
    rows = DayRecord.objects.filter(campaign__in=keys).exclude(parent__revision=F("revision"))
    rows = rows.exclude(parent=None)
    told = rows.values_list("campaign", "revision", "parent__revision", "parent_id", "parent__day")
    return {(key, later): CourseStretch(before, last, days) for key, later, before, last, days in told}


def _build_stretches(
    campaign: Campaign, left: Mapping[tuple[int, int], CourseStretch]
) -> tuple[CourseStretch, ...]:
    stretches = [CourseStretch(campaign.revision)]
    while (campaign.pk, stretches[-1].revision) in left:
        stretches.append(left[campaign.pk, stretches[-1].revision])
    return tuple(stretches)


def on_course(campaign: Campaign) -> Q:
    """Journal entries of the course the campaign has taken, without what was undone."""
    taken = Q(record__revision=campaign.revision)
    for stretch in load_course(campaign)[1:]:
        taken |= Q(record__revision=stretch.revision, record_id__lte=stretch.last)
    return taken


def records_on_course(campaign: Campaign) -> Q:
    """Day records of the course the campaign has taken."""
    taken = Q(revision=campaign.revision)
    for stretch in load_course(campaign)[1:]:
        taken |= Q(revision=stretch.revision, pk__lte=stretch.last)
    return taken


#: Records written in one statement; each has its world with it.
TOGETHER = 50


class Appender:
    """Appends steps to the chain, one on another, in the transaction that saves the world.

    `finish` writes them with their entries and the audit, and makes the last the campaign's head; the
    caller saves the campaign. What a world has in common with the one before is not made JSON of again.
    """

    def __init__(self, campaign: Campaign, actor: User | None) -> None:
        self.campaign, self.actor = campaign, actor
        self._texts = Texts()
        self._steps: list[tuple[DayRecord, int, Sequence[Event]]] = []
        self._vouched: list[RowDigest] = []
        self._absent: list[tuple[str, str]] = []

    def append(
        self,
        *,
        kind: str,
        happened_on: int,
        inputs: Mapping[str, Any],
        versions: Mapping[str, Any],
        events: Sequence[Event],
        world: World,
        ordinal: int = 0,
        reason: str = "",
    ) -> DayRecord:
        """`happened_on` is the campaign day of the events; `ordinal` counts the acts of one morning."""
        campaign = self.campaign
        parent = self._steps[-1][0] if self._steps else campaign.head
        text = world_text(world, self._texts)
        hashed_world = text_hash(text)
        salt = record_salt(
            bytes(campaign.secret), campaign.commitment, campaign.revision, world.day, kind, ordinal
        )
        promised = build_commitments(
            salt,
            inputs=inputs,
            reason=reason,
            events=events,
            world=hashed_world,
            sides=[side.id for side in world.theatre.sides],
        )
        moment = timezone.now()
        contacts = [row["contact"] for row in inputs.get("settlements", ())]
        rows = (
            []
            if self._steps
            else digest_finished_rows(campaign, salt, happened_on, contacts, played=world.day)
        )
        if not self._steps:
            self._absent = list_absent_rows(campaign)
        vouched = build_row_digests(campaign, salt, moment, self.actor, rows, self._absent)
        promised["rows"] = commit_to_rows(salt, ((row.table, row.key, row.digests) for row in vouched))
        shown = build_public_header(
            parent=parent.record_hash if parent else campaign.commitment,
            kind=kind,
            revision=campaign.revision,
            day=world.day,
            ordinal=ordinal,
            dice_revision=campaign.dice_revision,
            versions=versions,
            commitments=promised,
        )
        record = DayRecord(
            campaign=campaign,
            revision=campaign.revision,
            dice_revision=campaign.dice_revision,
            day=world.day,
            kind=kind,
            ordinal=ordinal,
            reason=reason,
            inputs=inputs,
            versions=versions,
            events_hash=promised["journal"][""],
            world_hash=hashed_world,
            commitments=promised,
            record_hash=compute_digest(shown),
            snapshot=snapshot_pack(world, text),
            actor=self.actor,
            created_at=moment,
        )
        for row in vouched:
            row.record = record
        self._vouched += vouched
        self._steps.append((record, happened_on, events))
        return record

    def finish(self) -> None:
        """Write the steps appended, if there are any."""
        records = [record for record, _, _ in self._steps]
        if not records:
            return
        records[0].parent = self.campaign.head
        DayRecord.objects.bulk_create(records, batch_size=TOGETHER)
        for parent, record in pairwise(records):  # its key is known only now
            record.parent = parent
        for row in self._vouched:
            row.record_id = row.record.pk
        RowDigest.objects.bulk_create(self._vouched, batch_size=TOGETHER)
        rows_update(DayRecord, [{"id": record.pk, "parent_id": record.parent_id} for record in records[1:]])
        self.campaign.head = records[-1]
        umpire_notes(self.actor, [_describe_record(record) for record in records], self.campaign)
        entries = [
            entry
            for record, happened_on, events in self._steps
            for entry in _build_entry_rows(record, [(happened_on, event_to_json(event)) for event in events])
        ]
        rows_insert(JournalEntry, entries)


def _describe_record(record: DayRecord) -> str:
    """Describe a record for the audit."""
    act = f" “{record.inputs['act']['kind']}”" if "act" in record.inputs else ""
    return f"{record.get_kind_display()}{act}, after {record.day} days"


def record_append(
    *,
    campaign: Campaign,
    kind: str,
    happened_on: int,
    inputs: Mapping[str, Any],
    versions: Mapping[str, Any],
    events: Sequence[Event],
    world: World,
    actor: User | None,
    ordinal: int = 0,
    reason: str = "",
) -> DayRecord:
    """Append one step to the chain with its journal entries and make it the campaign's head.

    `happened_on` is the campaign day of the events; `ordinal` counts the acts of one morning. Call
    inside the transaction that saves the world; the caller saves the campaign.
    """
    appender = Appender(campaign, actor)
    record = appender.append(
        kind=kind,
        happened_on=happened_on,
        inputs=inputs,
        versions=versions,
        events=events,
        world=world,
        ordinal=ordinal,
        reason=reason,
    )
    appender.finish()
    return record


def journal_insert(record: DayRecord, events: Sequence[tuple[int, Mapping[str, Any]]]) -> None:
    """Write a record's entries: events as JSON values, each with the campaign day it happened on."""
    rows_insert(JournalEntry, _build_entry_rows(record, events))


def _build_entry_rows(
    record: DayRecord, events: Sequence[tuple[int, Mapping[str, Any]]]
) -> list[dict[str, Any]]:
    return [
        {
            **event,  # first: whatever it says, whose and where an entry is stands below
            "record_id": record.pk,
            "campaign_id": record.campaign_id,
            "day": happened_on,
            "ordinal": number,
            "sides": "".join(f"|{side}" for side in event["sides"]) + "|" if event["sides"] else "",
        }
        for number, (happened_on, event) in enumerate(events)
    ]
