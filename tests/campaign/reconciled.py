"""Whether a campaign's points add up: every unit's, from the first morning to the last, by the journal."""

from collections import Counter, defaultdict
from dataclasses import dataclass

from campaign.ledger.world_rows import snapshot_unpack
from campaign.models import Battle, Campaign, DayRecord, JournalEntry
from campaign.rules.world.world import World
from campaign.scenarios.theatres import theatre_load


@dataclass(frozen=True, slots=True)
class Reckoning:
    """Figures of a campaign that add up, and the units of which they do not, with what is wrong."""

    days: int
    battles: int
    sp_lost: int
    points_first: int
    points_last: int
    changed: int
    wrong: tuple[str, ...]


def reckoned(campaign: Campaign) -> Reckoning:
    """Each unit's points morning by morning against the journal, and each battle's losses against both.

    A unit has what it had and what the journal says it gained or lost, no point more or less; a battle takes
    from nobody more SP than he brought, and nothing from who lost nothing (AWI-C-BAT-01 to 04).
    """
    theatre, wrong = theatre_load(campaign), []
    records = list(DayRecord.objects.filter(campaign=campaign).order_by("pk"))
    told: dict[int, Counter[str]] = defaultdict(Counter)
    entries = JournalEntry.objects.filter(campaign=campaign, before__isnull=False, pool="").exclude(unit="")
    for record, unit, before, after in entries.values_list("record_id", "unit", "before", "after"):
        told[record][unit] += after - before
    worlds = [snapshot_unpack(bytes(record.snapshot), theatre) for record in records]
    for step, morning, evening in zip(records[1:], worlds, worlds[1:], strict=False):
        wrong += _faults(step, morning, evening, told[step.pk])
    battles = list(Battle.objects.filter(campaign=campaign))
    for battle in battles:
        wrong += _battle_faults(battle)
    return Reckoning(
        days=campaign.day,
        battles=len(battles),
        sp_lost=sum(loss["sp_lost"] + loss["sp_captured"] for one in battles for loss in _losses(one)),
        points_first=sum(_points(worlds[0]).values()),
        points_last=sum(_points(worlds[-1]).values()),
        changed=sum(sum(day.values()) for day in told.values()),
        wrong=tuple(wrong),
    )


def _points(world: World) -> Counter[str]:
    return Counter({key: unit.points for key, unit in world.units.items()})


def _faults(record: DayRecord, before: World, after: World, changes: Counter[str]) -> list[str]:
    was, now = _points(before), _points(after)
    return [
        f"day {record.day}: {key} had {was[key]} and has {now[key]}; the journal says {changes[key]:+}"
        for key in sorted(was.keys() | now.keys() | changes.keys())
        if was[key] + changes[key] != now[key]
    ]


def _losses(battle: Battle) -> list[dict[str, int]]:
    return (battle.settlement or {"losses": []})["losses"]


def _battle_faults(battle: Battle) -> list[str]:
    start = {unit["id"]: unit["sp"] for unit in battle.inputs["file"]["units"]}
    return [
        f"{battle}: {loss['unit']} came with {start[str(loss['unit'])]} and lost {loss}"
        for loss in _losses(battle)
        if loss["sp_start"] != start[str(loss["unit"])]
        or min(loss["sp_lost"], loss["sp_captured"]) < 0
        or loss["sp_lost"] + loss["sp_captured"] > loss["sp_start"]
    ]
