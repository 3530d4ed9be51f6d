"""The week's returns and the list of battles, as plain data for tables, JSON and pages."""

from collections import Counter
from datetime import timedelta
from typing import Any

from django.db.models import F

from campaign.ledger.world_rows import snapshot_unpack
from campaign.models import Battle, DayRecord, JournalEntry
from campaign.rules.world.world import Theatre, Unit, UnitStatus, World
from campaign.scenarios.theatres import theatre_load


def week_returns(record: DayRecord) -> dict[str, Any]:
    """Returns of the week that `record` closes, by side: units, points, change, losses, gains, places.

    `points` are last week's, and `change`, and `arrivals`: what came to the map less what left it with
    its points, as levies whose time is out.
    `losses` and `gains` add up every journaled change of a unit's points in the seven days;
    `reasons` splits them by the rule each entry stands under, a battle's charges under AWI-C-BAT-01.
    """
    theatre = theatre_load(record.campaign)
    world = snapshot_unpack(record.snapshot, theatre)
    began, steps = _week_of(record)
    before = snapshot_unpack(began.snapshot, theatre)
    sides = {key: unit.side for key, unit in world.units.items()}
    changes: dict[str, Counter[str]] = {side.id: Counter() for side in theatre.sides}
    for unit, rule, change in (
        JournalEntry.objects.filter(
            record__in=steps,
            day__gte=record.day - 7,
            day__lt=record.day,
            before__isnull=False,
            pool="",
        )
        .annotate(change=F("after") - F("before"))
        .values_list("unit", "rule", "change")
    ):
        changes[sides[unit]][rule] += change
        changes[sides[unit]]["gains" if change > 0 else "losses"] += abs(change)
    return {
        "week": record.day // 7,
        "date": (theatre.start + timedelta(days=record.day - 1)).isoformat(),
        "sides": [_side_returns(theatre, before, world, side.id, changes[side.id]) for side in theatre.sides],
    }


def _week_of(record: DayRecord) -> tuple[DayRecord, list[int]]:
    """Return the record that the week closed by `record` began from, and the week's own steps, also on an
    undone course.
    """
    rows = DayRecord.objects.filter(campaign=record.campaign_id).values_list("pk", "parent", "kind")
    parents = {pk: (parent, kind) for pk, parent, kind in rows}
    steps = [record.pk]
    while True:
        parent = parents[steps[-1]][0]
        assert parent is not None  # the chain begins with a start
        if parents[parent][1] in (DayRecord.Kind.START, DayRecord.Kind.WEEK):
            return DayRecord.objects.get(pk=parent), steps
        steps.append(parent)


def _list_present_units(world: World, side: str) -> list[Unit]:
    return [
        unit
        for unit in world.units.values()
        if unit.side == side and unit.status is UnitStatus.PRESENT and not unit.is_train
    ]


def _side_returns(
    theatre: Theatre, before: World, world: World, side: str, changes: Counter[str]
) -> dict[str, Any]:
    present = _list_present_units(world, side)
    points = sum(unit.points for unit in present)
    gains, losses = changes.pop("gains", 0), changes.pop("losses", 0)
    return {
        "side": side,
        "name": next(item.name for item in theatre.sides if item.id == side),
        "units": len(present),
        "points": points,
        "change": gains - losses,
        "arrivals": points
        - sum(unit.points for unit in _list_present_units(before, side))
        - (gains - losses),
        "losses": losses,
        "gains": gains,
        "places": sum(holder == side for holder in world.holders.values()),
        "reasons": dict(sorted(changes.items())),
    }


def battle_summary(battle: Battle) -> dict[str, Any]:
    """One battle in figures: where, who, SP engaged and lost or captured, who held the field."""
    theatre = theatre_load(battle.campaign)
    units = battle.inputs["file"]["units"]
    sides = {unit["id"]: unit["side"] for unit in units}
    engaged: Counter[str] = Counter()
    for unit in units:
        engaged[unit["side"]] += unit["sp"]
    lost: Counter[str] = Counter()
    settlement = battle.settlement or {"losses": [], "field_held_by": ""}
    for loss in settlement["losses"]:
        lost[sides[loss["unit"]]] += loss["sp_lost"] + loss["sp_captured"]
    names = {side.id: side.name for side in theatre.sides}
    return {
        "contact": battle.contact,
        "day": battle.day + 1,
        "date": (theatre.start + timedelta(days=battle.day)).isoformat(),
        "where": _describe_battle_place(theatre, battle),
        "source": battle.source,
        "field_held_by": names.get(settlement["field_held_by"], ""),
        **{
            role: {"side": side, "name": names[side], "sp": engaged[side], "lost": lost[side]}
            for role, side in (("attacker", battle.attacker), ("defender", battle.defender))
        },
    }


def _describe_battle_place(theatre: Theatre, battle: Battle) -> str:
    atlas = theatre.atlas
    if battle.place:
        return atlas.places[battle.place].name
    route = atlas.routes[battle.route]
    return f"{route.kind} {atlas.places[route.a].name} to {atlas.places[route.b].name}"
