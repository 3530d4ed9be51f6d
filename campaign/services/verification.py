"""Proof: every day of a campaign replayed and compared with what was journaled."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from campaign.journal import event_from_entry, events_hash, record_hash
from campaign.models import Battle, Campaign, DayRecord, JournalEntry
from campaign.rules.acts import act_from_json
from campaign.rules.day import advance_day
from campaign.rules.events import Event
from campaign.rules.organisation import organisation_from_json
from campaign.rules.outcome import Completed, Pending
from campaign.rules.umpiring import act_apply
from campaign.rules.week import WeekChoices, close_week
from campaign.rules.world import Theatre, World
from campaign.rules.world_json import order_from_json, world_hash
from campaign.services.battles import engine_settlement, settlement_from_json
from campaign.services.dice import dice_for, entered_by
from campaign.services.versions import versions_now
from campaign.state import snapshot_unpack, theatre_load, world_load
from rosters.domain.dice import commitment, face


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
    """Check secret, chain, journal, dice, battles and state of a campaign. Raises NotVerified.

    Every journaled die of every day is thrown again from its address. Days and engine battles of
    the installed versions are played again; the others are compared with what was recorded.
    """
    if commitment(bytes(campaign.secret)) != campaign.commitment:
        raise NotVerified(0, "The secret of the dice is not the one whose hash was published.")
    theatre = theatre_load(campaign)
    entries = _entries(campaign)
    battles = {
        (battle.revision, battle.contact): battle for battle in Battle.objects.filter(campaign=campaign)
    }
    world: World | None = None
    parent_hash = campaign.commitment
    days = replayed = 0
    acts: list[Mapping[str, Any]] = []
    for record in _chain(campaign):
        day = record.day
        after = _snapshot(record, theatre)
        if record.record_hash != _rehash(record, parent_hash):
            raise NotVerified(day, f"Day {day} does not follow from the day before it in the chain.")
        acts = [*acts, record.inputs["act"]] if record.kind == DayRecord.Kind.ACT else acts
        if record.kind == DayRecord.Kind.DAY:
            _check_entered(campaign, record, acts)
            acts = []
        events = _journal(campaign, record, entries.get(record.pk, []))
        installed = record.versions == versions_now(campaign.ruleset)
        _check_battles(record, battles, installed)
        if world is not None and installed:
            _replay(campaign, record, world, after, events)
            replayed += record.kind == DayRecord.Kind.DAY
        days += record.kind == DayRecord.Kind.DAY
        world, parent_hash = after, record.record_hash
    if world is None or world_hash(world_load(campaign)) != world_hash(world):
        raise NotVerified(
            campaign.day, "The strengths or positions now stored are not those the last day ended with."
        )
    return Verified(days=days, replayed=replayed)


def _entries(campaign: Campaign) -> dict[int, list[JournalEntry]]:
    """The journal by day record, in order."""
    ordered = JournalEntry.objects.filter(campaign=campaign).order_by("record_id", "ordinal")
    return {key: list(group) for key, group in groupby(ordered, key=lambda entry: entry.record_id)}


def _journal(campaign: Campaign, record: DayRecord, entries: list[JournalEntry]) -> list[Event]:
    """A record's events, checked against their hash, their day and their dice."""
    day = record.day
    events = [event_from_entry(entry) for entry in entries]
    happened_on = day - 1 if record.kind in (DayRecord.Kind.DAY, DayRecord.Kind.WEEK) else day
    if events_hash(events) != record.events_hash or any(entry.day != happened_on for entry in entries):
        raise NotVerified(day, f"The journal of day {day} is not what was hashed when it was written.")
    dice = dice_for(campaign, happened_on, record.dice_revision)
    entered = record.inputs.get("entered", {})
    for roll in (roll for event in events for roll in event.rolls):
        prefix = f"{dice.campaign}/{dice.revision}/{dice.day}/"
        real = entered.get(roll.address)
        value = face(dice.secret, roll.address, roll.sides) if real is None else real
        if not roll.address.startswith(prefix) or roll.value != value or roll.entered != (real is not None):
            raise NotVerified(day, f"A die of day {day} did not fall as journaled: {roll.address}.")
    return events


def _check_entered(campaign: Campaign, record: DayRecord, acts: list[Mapping[str, Any]]) -> None:
    """The real dice of a day are those the umpire entered on its morning (HR-UMP-12)."""
    entered = entered_by(acts, dice_for(campaign, record.day - 1, record.dice_revision))
    if record.inputs.get("entered", {}) != entered:
        raise NotVerified(
            record.day, f"The real dice of day {record.day} are not those entered on its morning."
        )


def _check_battles(record: DayRecord, battles: Mapping[tuple[int, str], Battle], installed: bool) -> None:
    """The battles of a day as stored are those the day was played with."""
    for settlement in record.inputs.get("settlements", []):
        battle = battles.get((record.revision, settlement["contact"]))
        if battle is None or battle.settlement is None or not _same(battle.settlement, settlement):
            raise NotVerified(
                record.day,
                f"The result stored for a battle of day {record.day} is not the one it was played with.",
            )
        if installed and battle.source == "engine":
            fought, _ = engine_settlement(battle)
            if fought != settlement_from_json(settlement):
                raise NotVerified(record.day, f"The {battle} fought again from its seed ends otherwise.")


def _same(stored: Mapping[str, Any], recorded: Mapping[str, Any]) -> bool:
    """Whether two settlements say the same; one stored by an older version may lack empty fields."""
    return stored == recorded or settlement_from_json(stored) == settlement_from_json(recorded)


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
        revision=record.revision,
        day=record.day,
        inputs=record.inputs,
        events=record.events_hash,
        world=record.world_hash,
        versions=record.versions,
    )


def _replay(campaign: Campaign, record: DayRecord, before: World, after: World, events: list[Event]) -> None:
    inputs: Mapping[str, Any] = record.inputs
    day = record.day
    entered = inputs.get("entered", {})
    result: Completed | Pending
    if record.kind == DayRecord.Kind.ACT:
        result = act_apply(before, act_from_json(inputs["act"]), inputs["reason"])
    elif record.kind == DayRecord.Kind.DAY:
        result = advance_day(
            before,
            {row["formation"]: order_from_json(row) for row in inputs["orders"]},
            dice_for(campaign, before.day, record.dice_revision, entered),
            {row["contact"]: settlement_from_json(row) for row in inputs["settlements"]},
            [organisation_from_json(row) for row in inputs.get("organisation", ())],
        )
    else:
        choices = WeekChoices.from_json(inputs["choices"])
        result = close_week(
            before, choices, dice_for(campaign, before.day - 1, record.dice_revision, entered)
        )
    if not isinstance(result, Completed) or world_hash(result.world) != world_hash(after):
        raise NotVerified(day, f"Day {day} played again with the same orders and dice ends otherwise.")
    if events_hash(result.events) != record.events_hash:
        raise NotVerified(day, f"Day {day} played again with the same dice tells another story.")
