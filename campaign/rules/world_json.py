"""A world as JSON and back, and its hash: sorted keys, whole numbers, no clocks and no row numbers."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import MISSING, asdict, fields
from typing import Any

from campaign.rules.markers import (
    Boats,
    Bridge,
    Dispatch,
    Felled,
    General,
    Goal,
    Magazine,
    Offer,
    Provision,
    Raft,
    Report,
    Score,
    Siege,
    Terms,
    Watch,
    Works,
)
from campaign.rules.settings import RuleSettings
from campaign.rules.world import Formation, Order, Position, Stage, Theatre, Unit, UnitStatus, World
from rosters.domain.vocabulary import GunClass, Nation, TroopType


def _with_position(kind: Any) -> Callable[[Mapping[str, Any]], Any]:
    return lambda row: kind(**{**row, "position": Position(**row["position"])})


def _plain(kind: Any) -> Callable[[Mapping[str, Any]], Any]:
    return lambda row: kind(**row)


def _provision(row: Mapping[str, Any]) -> Provision:
    return Provision(**{**row, "way": tuple(row["way"])})


#: The counters of a world: field, and how one is read from its JSON.
MARKERS: dict[str, Callable[[Any], Any]] = {
    "reports": _with_position(Report),
    "watches": _plain(Watch),
    "works": _plain(Works),
    "bridges": _plain(Bridge),
    "rafts": _plain(Raft),
    "felled": _plain(Felled),
    "boats": _plain(Boats),
    "sieges": _plain(Siege),
    "terms": _plain(Terms),
    "warriors": int,
    "magazines": _plain(Magazine),
    "generals": _plain(General),
    "provisions": _provision,
    "offers": _plain(Offer),
    "dispatches": _plain(Dispatch),
    "goals": _plain(Goal),
    "scores": _plain(Score),
    "weather_set": str,
    "rumours": str,
}


def marker_to_json(marker: Any) -> Any:
    """A counter as JSON values."""
    return marker if isinstance(marker, str | int) else _row(marker)


def world_to_json(world: World) -> dict[str, Any]:
    """The changing part of a world, as JSON values in a fixed order: no keys, clocks or floats.

    What is empty of the kinds that came later is left out, so that an older world hashes as it did.
    """
    away = {"away": dict(sorted(world.away.items()))} if world.away else {}
    markers = {
        name: {key: marker_to_json(marker) for key, marker in sorted(getattr(world, name).items())}
        for name in MARKERS
        if getattr(world, name)
    }
    return {
        **away,
        **markers,
        "scenario": world.theatre.id,
        "settings": world.settings.to_json(),
        "day": world.day,
        "units": [unit_to_json(world.units[key]) for key in sorted(world.units)],
        "formations": [formation_to_json(world.formations[key]) for key in sorted(world.formations)],
        "holders": dict(sorted(world.holders.items())),
        "pools": dict(sorted(world.pools.items())),
        "wet_days": world.wet_days,
        "ended": world.ended,
    }


def world_from_json(data: Mapping[str, Any], theatre: Theatre) -> World:
    """The inverse of `world_to_json`."""
    return World(
        theatre=theatre,
        settings=RuleSettings.from_json(dict(data["settings"])),
        day=data["day"],
        units={row["id"]: unit_from_json(row) for row in data["units"]},
        formations={row["id"]: formation_from_json(row) for row in data["formations"]},
        holders=dict(data["holders"]),
        pools=dict(data["pools"]),
        wet_days=data["wet_days"],
        ended=data["ended"],
        away=dict(data.get("away", {})),
        **{name: markers_from_json(name, data.get(name, {})) for name in MARKERS},
    )


def markers_from_json(name: str, rows: Mapping[str, Any]) -> dict[str, Any]:
    """The counters of one kind by subject, in order, from their JSON."""
    return {key: MARKERS[name](rows[key]) for key in sorted(rows)}


def _row(item: Any) -> dict[str, Any]:
    """A record's fields as JSON values, without those that came later and stand at their default."""
    row = asdict(item)
    for each in fields(item):
        if not each.metadata.get("later"):
            continue
        usual = each.default if each.default_factory is MISSING else each.default_factory()
        if getattr(item, each.name) == usual:
            del row[each.name]
    return row


def formation_to_json(formation: Formation) -> dict[str, Any]:
    """A formation with its order as JSON values."""
    return {
        **_row(formation),
        "order": None if formation.order is None else order_to_json(formation.order),
    }


def order_to_json(order: Order) -> dict[str, Any]:
    """An order as JSON values, the form that is stored and hashed."""
    return _row(order)


_UNIT_FIELDS = tuple(item.name for item in fields(Unit))


def unit_to_json(unit: Unit) -> dict[str, Any]:
    """A unit's fields; they are all plain, so `asdict`'s deep copy would only cost time."""
    return {name: getattr(unit, name) for name in _UNIT_FIELDS}


#: Each page reads hundreds of units: looked up, a member is had in a fifth of the time of a call.
_NATIONS, _TROOPS, _GUNS, _STATUSES = (
    {each.value: each for each in kind} for kind in (Nation, TroopType, GunClass, UnitStatus)
)


def unit_from_json(row: Mapping[str, Any]) -> Unit:
    """The inverse of `unit_to_json`. Raises KeyError for a word the vocabulary has not."""
    return Unit(
        **{
            **row,
            "nation": _NATIONS[row["nation"]],
            "troop_type": _TROOPS[row["troop_type"]],
            "gun_class": _GUNS[row["gun_class"]],
            "status": _STATUSES[row["status"]],
        }
    )


def formation_from_json(row: Mapping[str, Any]) -> Formation:
    position, order = row["position"], row["order"]
    return Formation(
        **{
            **row,
            "position": None if position is None else Position(**position),
            "order": None if order is None else order_from_json(order),
        }
    )


def order_from_json(row: Mapping[str, Any]) -> Order:
    """The inverse of `order_to_json`; the version that a paper's order carries is passed over."""
    row = {key: value for key, value in row.items() if key != "version"}
    stages = tuple(Stage(**{**stage, "via": tuple(stage["via"])}) for stage in row.get("stages", ()))
    return Order(**{**row, "via": tuple(row["via"]), "stages": stages})


def canonical(data: Any) -> bytes:
    """Canonical JSON: sorted keys, no spaces, UTF-8."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def world_hash(world: World) -> str:
    """SHA-256 of the canonical world, in hexadecimal."""
    return hashlib.sha256(canonical(world_to_json(world))).hexdigest()
