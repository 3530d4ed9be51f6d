"""The journal and the chain: events to rows and back, and day records that hash their parents."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from campaign.models import Campaign, DayRecord, JournalEntry, User
from campaign.rules.events import Event
from campaign.rules.world import World
from campaign.rules.world_json import canonical, world_hash
from campaign.state import snapshot_pack
from rosters.bulk import rows_insert
from rosters.domain.dice import Roll

TEXT_COLUMNS = ("kind", "rule", "unit", "formation", "pool", "place", "route", "contact")
PLAIN_COLUMNS = ("minute", "before", "after", *TEXT_COLUMNS)


def event_to_json(event: Event) -> dict[str, Any]:
    """An event as JSON values, the form that is hashed and stored."""
    return {
        **{name: getattr(event, name) for name in PLAIN_COLUMNS},
        "sides": list(event.sides),
        "rolls": [_roll(roll) for roll in event.rolls],
        "modifiers": [list(pair) for pair in event.modifiers],
        "data": dict(event.data),
    }


def _roll(roll: Roll) -> dict[str, Any]:
    """A die as JSON values; only one that a person entered says so, as older journals do not."""
    row = asdict(roll)
    if not roll.entered:
        del row["entered"]
    return row


def event_from_entry(entry: JournalEntry) -> Event:
    """The event an entry was written from."""
    return Event(
        **{name: getattr(entry, name) for name in PLAIN_COLUMNS},
        sides=tuple(side for side in entry.sides.split("|") if side),
        rolls=tuple(Roll(**roll) for roll in entry.rolls),
        modifiers=tuple((name, value) for name, value in entry.modifiers),
        data=entry.data,
    )


def events_hash(events: Iterable[Event]) -> str:
    """SHA-256 over the canonical JSON of a step's events, in order."""
    return hashlib.sha256(canonical([event_to_json(event) for event in events])).hexdigest()


def record_hash(
    *, parent: str, kind: str, revision: int, day: int, inputs: Mapping[str, Any], events: str, world: str,
    versions: Mapping[str, Any],
) -> str:  # fmt: skip
    """SHA-256 that chains a step to its parent."""
    return hashlib.sha256(
        canonical(
            {
                "parent": parent,
                "kind": kind,
                "revision": revision,
                "day": day,
                "inputs": inputs,
                "events": events,
                "world": world,
                "versions": versions,
            }
        )
    ).hexdigest()


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
    """Append a step to the chain with its journal entries and make it the campaign's head.

    `happened_on` is the campaign day of the events; `ordinal` counts the acts of one morning. Call
    inside the transaction that saves the world; the caller saves the campaign.
    """
    parent = campaign.head
    hashed_events, hashed_world = events_hash(events), world_hash(world)
    record = DayRecord.objects.create(
        campaign=campaign,
        revision=campaign.revision,
        dice_revision=campaign.dice_revision,
        day=world.day,
        kind=kind,
        ordinal=ordinal,
        reason=reason,
        parent=parent,
        inputs=inputs,
        versions=versions,
        events_hash=hashed_events,
        world_hash=hashed_world,
        record_hash=record_hash(
            parent=parent.record_hash if parent else campaign.commitment,
            kind=kind,
            revision=campaign.revision,
            day=world.day,
            inputs=inputs,
            events=hashed_events,
            world=hashed_world,
            versions=versions,
        ),
        snapshot=snapshot_pack(world),
        actor=actor,
    )
    rows_insert(
        JournalEntry,
        [
            {
                "record_id": record.pk,
                "campaign_id": campaign.pk,
                "day": happened_on,
                "ordinal": number,
                **event_to_json(event),
                "sides": "".join(f"|{side}" for side in event.sides) + "|" if event.sides else "",
            }
            for number, event in enumerate(events)
        ],
    )
    campaign.head = record
    return record
