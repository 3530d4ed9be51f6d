"""Rows to world and back: a fixed number of queries in, a few fixed batches out."""

import zlib
from collections.abc import Mapping
from dataclasses import asdict
from functools import lru_cache
from typing import Any

import orjson

from campaign.models import Campaign, Holding, Marker, Station
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Formation, Position, Theatre, Unit, World
from campaign.rules.world.world_json import (
    MARKERS,
    formation_from_json,
    marker_to_json,
    markers_from_json,
    order_to_json,
    unit_from_json,
    world_from_json,
    world_text,
)
from campaign.scenarios.theatres import theatre_load
from rosters import models as rosters
from rosters.bulk import rows_insert, rows_update

#: Columns of a unit that a campaign may change.
UNIT_COLUMNS = ("points", "status", "since", "arrives", "departs", "home", "poor_militia", "static")
#: Columns of a formation's station that are plain fields of the formation.
STATION_COUNTS = ("marched", "light_days", "leader", "rations", "hungry_days", "waited")
#: Columns that are fixed when a unit is raised.
UNIT_FACTS = ("name", "nation", "troop_type", "gun_class", "regiment")


def world_load(campaign: Campaign) -> World:
    """The world of the head day, in six queries."""
    order_of_battle = campaign.order_of_battle_id
    stations: dict[int, Mapping[str, Any]] = {
        row["formation_id"]: row
        for row in Station.objects.filter(campaign=campaign).values(
            "formation_id", "on_map", "place", "route", "origin", "destination", "yards",
            "order", *STATION_COUNTS,
        )
    }  # fmt: skip
    formations: dict[str, Formation] = {}
    slugs: dict[int, str] = {}
    sides: dict[int, str] = {}
    for row in rosters.Formation.objects.filter(order_of_battle=order_of_battle).values(
        "id", "slug", "name", "side_id", "side__slug", "commander", "parent", "garrison"
    ):
        slugs[row["id"]] = row["slug"]
        sides[row["side_id"]] = row["side__slug"]
        formations[row["slug"]] = _build_world_formation(row, stations[row["id"]])
    units = {
        row["slug"]: _build_world_unit(row, slugs, sides)
        for row in rosters.Unit.objects.filter(order_of_battle=order_of_battle).values(
            "slug", "side_id", "formation_id", *UNIT_FACTS, *UNIT_COLUMNS
        )
    }
    markers: dict[str, dict[str, Any]] = {}
    rows = Marker.objects.filter(campaign=campaign).values_list("kind", "subject", "body")
    for kind, subject, body in rows:
        markers.setdefault(kind, {})[subject] = body
    return World(
        theatre=theatre_load(campaign),
        settings=RuleSettings.from_json(campaign.settings),
        day=campaign.day,
        units=units,
        formations=formations,
        holders=dict(Holding.objects.filter(campaign=campaign).values_list("place", "side")),
        pools={
            f"{nation}/{arm}": points
            for nation, arm, points in rosters.Pool.objects.filter(
                order_of_battle=order_of_battle
            ).values_list("nation", "arm", "points")
        },
        wet_days=campaign.wet_days,
        ended=campaign.state == Campaign.State.ENDED,
        away=dict(campaign.away),
        **{kind: markers_from_json(kind, rows) for kind, rows in markers.items()},
    )


def load_recorded_world(campaign: Campaign) -> World:
    """The world of the head day as its record has it, in one query or none: for pages.

    Services, which write what follows from it, read the rows with `world_load`. The two are the same, or
    somebody has changed rows behind the record's back: verification tells.
    """
    head = campaign.head
    assert head is not None
    return snapshot_unpack(head.snapshot, theatre_load(campaign))


def _build_world_formation(row: Mapping[str, Any], station: Mapping[str, Any]) -> Formation:
    position = {name: station[name] for name in ("place", "route", "origin", "destination", "yards")}
    return formation_from_json(
        {
            "id": row["slug"],
            "name": row["name"],
            "side": row["side__slug"],
            "position": position if station["on_map"] else None,
            "order": station["order"],
            "commander": row["commander"],
            "parent": row["parent"],
            "garrison": row["garrison"],
            **{name: station[name] for name in STATION_COUNTS},
        }
    )


def _build_world_unit(row: dict[str, Any], formations: Mapping[int, str], sides: Mapping[int, str]) -> Unit:
    row["id"] = row.pop("slug")
    row["side"] = sides[row.pop("side_id")]
    row["formation"] = formations[row.pop("formation_id")]
    return unit_from_json(row)


def world_save(campaign: Campaign, before: World | None, after: World) -> None:
    """Write what differs between two worlds; `before` None writes the whole of a new campaign.

    Going back to an older world, units and formations raised since are struck from the books.
    Call inside the transaction that appends the day record.
    """
    _formations_save(campaign, before.formations if before else {}, after.formations)
    _units_save(campaign, before.units if before else {}, after.units)
    _holders_save(campaign, before.holders if before else {}, after.holders)
    _pools_save(campaign, before.pools if before else {}, after.pools)
    if before is not None:
        _struck_delete(campaign, before, after)
    for kind in MARKERS:
        _markers_save(campaign, kind, getattr(before, kind) if before else {}, getattr(after, kind))
    campaign.day = after.day
    campaign.wet_days = after.wet_days
    campaign.away = dict(after.away)
    campaign.settings = after.settings.to_json()
    campaign.state = Campaign.State.ENDED if after.ended else Campaign.State.RUNNING


def _struck_delete(campaign: Campaign, before: World, after: World) -> None:
    """Strike out units and formations that the later world does not know, and pools."""
    for model, gone in (
        (rosters.Unit, before.units.keys() - after.units.keys()),
        (rosters.Formation, before.formations.keys() - after.formations.keys()),  # with their stations
    ):
        if gone:
            model.objects.filter(order_of_battle=campaign.order_of_battle_id, slug__in=gone).delete()
    for pool in before.pools.keys() - after.pools.keys():
        nation, arm = pool.split("/")
        rosters.Pool.objects.filter(
            order_of_battle=campaign.order_of_battle_id, nation=nation, arm=arm
        ).delete()


def _side_ids(campaign: Campaign) -> dict[str, int]:
    return dict(
        rosters.Side.objects.filter(order_of_battle=campaign.order_of_battle_id).values_list("slug", "id")
    )


def _formation_ids(campaign: Campaign) -> dict[str, int]:
    return dict(
        rosters.Formation.objects.filter(order_of_battle=campaign.order_of_battle_id).values_list(
            "slug", "id"
        )
    )


def _formations_save(
    campaign: Campaign, before: Mapping[str, Formation], after: Mapping[str, Formation]
) -> None:
    raised = [after[key] for key in sorted(after) if key not in before]
    changed = [after[key] for key in sorted(after) if key in before and after[key] != before[key]]
    if raised:
        sides = _side_ids(campaign)
        rows_insert(
            rosters.Formation,
            [
                {
                    "order_of_battle_id": campaign.order_of_battle_id,
                    "slug": formation.id,
                    "name": formation.name,
                    "side_id": sides[formation.side],
                    "commander": formation.commander,
                    "parent": formation.parent,
                    "garrison": formation.garrison,
                }
                for formation in raised
            ],
        )
    if not raised and not changed:
        return
    ids = _formation_ids(campaign)
    rows_insert(
        Station,
        [
            {"campaign_id": campaign.pk, "formation_id": ids[formation.id], **_build_station(formation)}
            for formation in raised
        ],
    )
    rows_update(
        Station,
        [{"formation_id": ids[formation.id], **_build_station(formation)} for formation in changed],
        key="formation_id",
    )
    rows_update(
        rosters.Formation,
        [
            {
                "id": ids[item.id],
                "name": item.name,
                "commander": item.commander,
                "parent": item.parent,
                "garrison": item.garrison,
            }
            for item in changed
            if _get_identity(item) != _get_identity(before[item.id])
        ],
    )


def _get_identity(formation: Formation) -> tuple[str, str, str, bool]:
    return formation.name, formation.commander, formation.parent, formation.garrison


def _build_station(formation: Formation) -> dict[str, Any]:
    return {
        "on_map": formation.position is not None,
        **asdict(formation.position or Position()),
        "order": None if formation.order is None else order_to_json(formation.order),
        **{name: getattr(formation, name) for name in STATION_COUNTS},
    }


def _units_save(campaign: Campaign, before: Mapping[str, Unit], after: Mapping[str, Unit]) -> None:
    raised = [after[key] for key in sorted(after) if key not in before]
    changed = [after[key] for key in sorted(after) if key in before and after[key] != before[key]]
    if not raised and not changed:
        return
    formations = _formation_ids(campaign)
    if raised:
        sides = _side_ids(campaign)
        rows_insert(
            rosters.Unit,
            [
                {
                    "order_of_battle_id": campaign.order_of_battle_id,
                    "slug": unit.id,
                    "side_id": sides[unit.side],
                    "formation_id": formations[unit.formation],
                    **{name: getattr(unit, name) for name in (*UNIT_FACTS, *UNIT_COLUMNS)},
                }
                for unit in raised
            ],
        )
    if changed:
        ids = dict(
            rosters.Unit.objects.filter(order_of_battle=campaign.order_of_battle_id).values_list("slug", "id")
        )
        rows_update(
            rosters.Unit,
            [
                {
                    "id": ids[unit.id],
                    "formation_id": formations[unit.formation],
                    **{name: getattr(unit, name) for name in UNIT_COLUMNS},
                }
                for unit in changed
            ],
        )
        renamed = [unit for unit in changed if unit.name != before[unit.id].name]
        rows_update(rosters.Unit, [{"id": ids[unit.id], "name": unit.name} for unit in renamed])


def _holders_save(campaign: Campaign, before: Mapping[str, str], after: Mapping[str, str]) -> None:
    rows = [{"place": place, "side": side} for place, side in sorted(after.items())]
    Holding.objects.filter(
        campaign=campaign, place__in=[place for place in before if after.get(place) != before[place]]
    ).delete()
    rows_insert(
        Holding,
        [
            {"campaign_id": campaign.pk, **row}
            for row in rows
            if before.get(row["place"]) != row["side"]
        ],
    )  # fmt: skip


def _pools_save(campaign: Campaign, before: Mapping[str, int], after: Mapping[str, int]) -> None:
    for key, points in sorted(after.items()):
        if before.get(key) != points:
            nation, arm = key.split("/")
            rosters.Pool.objects.update_or_create(
                order_of_battle_id=campaign.order_of_battle_id,
                nation=nation,
                arm=arm,
                defaults={"points": points},
            )


def _markers_save(campaign: Campaign, kind: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    changed = [key for key in before if after.get(key) != before[key]]
    if changed:
        Marker.objects.filter(campaign=campaign, kind=kind, subject__in=changed).delete()
    rows_insert(
        Marker,
        [
            {"campaign_id": campaign.pk, "kind": kind, "subject": key, "body": marker_to_json(after[key])}
            for key in sorted(after)
            if after[key] != before.get(key)
        ],
    )


def snapshot_pack(world: World, text: bytes = b"") -> bytes:
    """The world as compressed canonical JSON; `text` is that JSON where it is at hand."""
    return zlib.compress(text or world_text(world), 1)


#: Worlds that stay in memory as they were read: most pages read the head day's, many the next morning's, too.
WORLDS_IN_MEMORY = 16


class _TheatreById:
    """A theatre that equals itself alone: to compare two by value takes longer than to read a world."""

    def __init__(self, theatre: Theatre) -> None:
        self.theatre = theatre

    def __hash__(self) -> int:
        return id(self.theatre)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _TheatreById) and self.theatre is other.theatre


def snapshot_unpack(snapshot: bytes | memoryview, theatre: Theatre) -> World:
    """The inverse of `snapshot_pack`. Raises ValueError for anything else.

    A snapshot read a short while ago gives the same object: a world is never changed, only replaced.
    """
    return _read_snapshot(bytes(snapshot), _TheatreById(theatre))


@lru_cache(maxsize=WORLDS_IN_MEMORY)
def _read_snapshot(snapshot: bytes, of: _TheatreById) -> World:
    try:
        data = orjson.loads(zlib.decompress(snapshot))
        return world_from_json(data, of.theatre)
    except (zlib.error, orjson.JSONDecodeError, KeyError, TypeError) as error:
        raise ValueError("The snapshot of the world cannot be read.") from error
