"""Proof: every day of a campaign replayed and compared with what was journaled."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from campaign.journal import event_from_entry, events_hash, record_hash
from campaign.models import Campaign, DayRecord, JournalEntry
from campaign.rules.day import advance_day
from campaign.rules.outcome import Completed
from campaign.rules.week import WeekChoices, close_week
from campaign.rules.world import Theatre, World, order_from_json, world_hash
from campaign.services.battles import settlement_from_json
from campaign.services.dice import dice_for
from campaign.services.versions import versions_now
from campaign.state import snapshot_unpack, theatre_load, world_load
from rosters.domain.dice import commitment


class NotVerified(Exception):
    """The first thing that does not match; `day` counts from 1, 0 for the start."""

    def __init__(self, day: int, message: str) -> None:
        super().__init__(message)
        self.day = day


@dataclass(frozen=True, slots=True)
class Verified:
    """`days` were verified; `replayed` of them by playing them again.

    The others were played with another version of the rules and only their chain was checked.
    """

    days: int
    replayed: int


def campaign_verify(*, campaign: Campaign) -> Verified:
    """Check secret, chain, journal, dice and state of a campaign. Raises NotVerified."""
    if commitment(bytes(campaign.secret)) != campaign.commitment:
        raise NotVerified(0, "The secret of the dice is not the one whose hash was published.")
    theatre = theatre_load(campaign)
    records = _chain(campaign)
    entries = {
        key: list(group)
        for key, group in groupby(
            JournalEntry.objects.filter(campaign=campaign).order_by("record_id", "ordinal"),
            key=lambda entry: entry.record_id,
        )
    }
    world: World | None = None
    parent_hash = campaign.commitment
    days = replayed = 0
    for record in records:
        day = record.day
        events = [event_from_entry(entry) for entry in entries.get(record.pk, [])]
        after = _snapshot(record, theatre)
        if events_hash(events) != record.events_hash:
            raise NotVerified(day, f"The journal of day {day} is not what was hashed when it was written.")
        if record.record_hash != _rehash(record, parent_hash):
            raise NotVerified(day, f"Day {day} does not follow from the day before it in the chain.")
        if world is not None and record.versions == versions_now(campaign.ruleset):
            _replay(campaign, record, world, after, events)
            replayed += record.kind == DayRecord.Kind.DAY
        days += record.kind == DayRecord.Kind.DAY
        world, parent_hash = after, record.record_hash
    if world is None or world_hash(world_load(campaign)) != world_hash(world):
        raise NotVerified(
            campaign.day, "The strengths or positions now stored are not those the last day ended with."
        )
    return Verified(days=days, replayed=replayed)


def _chain(campaign: Campaign) -> list[DayRecord]:
    """Records from the start to the head, by their parents."""
    by_key = {record.pk: record for record in DayRecord.objects.filter(campaign=campaign)}
    chain: list[DayRecord] = []
    key = campaign.head_id
    while key is not None:
        record = by_key.get(key)
        if record is None:
            raise NotVerified(0, "A day record is missing from the chain.")
        chain.append(record)
        key = record.parent_id
    return chain[::-1]


def _snapshot(record: DayRecord, theatre: Theatre) -> World:
    try:
        after = snapshot_unpack(bytes(record.snapshot), theatre)
    except ValueError as error:
        raise NotVerified(record.day, f"Day {record.day}: {error}") from error
    if world_hash(after) != record.world_hash:
        raise NotVerified(record.day, f"The stored world of day {record.day} does not match its hash.")
    return after


def _rehash(record: DayRecord, parent_hash: str) -> str:
    return record_hash(
        parent=parent_hash,
        kind=record.kind,
        day=record.day,
        inputs=record.inputs,
        events=record.events_hash,
        world=record.world_hash,
        versions=record.versions,
    )


def _replay(campaign: Campaign, record: DayRecord, before: World, after: World, events: list[Any]) -> None:
    inputs: Mapping[str, Any] = record.inputs
    day = record.day
    if record.kind == DayRecord.Kind.DAY:
        result = advance_day(
            before,
            {row["formation"]: order_from_json(row) for row in inputs["orders"]},
            dice_for(campaign, before.day),
            {row["contact"]: settlement_from_json(row) for row in inputs["settlements"]},
        )
    else:
        choices = WeekChoices.from_json(inputs["choices"])
        result = close_week(before, choices, dice_for(campaign, before.day - 1))
    if not isinstance(result, Completed) or world_hash(result.world) != world_hash(after):
        raise NotVerified(day, f"Day {day} played again with the same orders and dice ends otherwise.")
    if events_hash(result.events) != record.events_hash:
        raise NotVerified(day, f"Day {day} played again with the same dice tells another story.")
