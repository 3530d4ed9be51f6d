"""A world as JSON and back, and its hash: sorted keys, whole numbers, no clocks and no row numbers."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any

import orjson

from campaign.rules.world.markers import (
    Boats,
    Bridge,
    Dispatch,
    Felled,
    General,
    Goal,
    Magazine,
    PeaceOffer,
    Provision,
    Raft,
    Report,
    Score,
    Siege,
    Terms,
    Watch,
    Works,
)
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Formation, Order, Position, Stage, Theatre, Unit, UnitStatus, World
from rosters.domain.vocabulary import GunClass, Nation, TroopType


def _with_position(kind: Any) -> Callable[[Mapping[str, Any]], Any]:
    return lambda row: kind(**{**row, "position": Position(**row["position"])})


def _build_parser(kind: Any) -> Callable[[Mapping[str, Any]], Any]:
    return lambda row: kind(**row)


def _parse_provision(row: Mapping[str, Any]) -> Provision:
    return Provision(**{**row, "way": tuple(row["way"])})


#: The counters of a world: field, and how one is read from its JSON.
MARKERS: dict[str, Callable[[Any], Any]] = {
    "reports": _with_position(Report),
    "watches": _build_parser(Watch),
    "works": _build_parser(Works),
    "bridges": _build_parser(Bridge),
    "rafts": _build_parser(Raft),
    "felled": _build_parser(Felled),
    "boats": _build_parser(Boats),
    "sieges": _build_parser(Siege),
    "terms": _build_parser(Terms),
    "warriors": int,
    "magazines": _build_parser(Magazine),
    "generals": _build_parser(General),
    "provisions": _parse_provision,
    "offers": _build_parser(PeaceOffer),
    "dispatches": _build_parser(Dispatch),
    "goals": _build_parser(Goal),
    "scores": _build_parser(Score),
    "weather_set": str,
    "rumours": str,
}


def marker_to_json(marker: Any) -> Any:
    """A counter as JSON values."""
    return marker if isinstance(marker, str | int) else _record_to_json(marker)


class Values:
    """The writer that gives `world_to_json` the parts of a world and their rows as JSON values."""

    def row(self, row: Any, to_json: Callable[[Any], Any]) -> Any:
        return to_json(row)

    def part(self, name: str, rows: Any, to_json: Callable[[Any, "Values"], Any]) -> Any:
        return to_json(rows, self)


class Texts(Values):
    """As pieces of canonical JSON; of worlds that follow one another, what stays is written once.

    Worlds, their parts and rows are never changed, only replaced: the same object has the same text.
    """

    def __init__(self) -> None:
        self._rows: dict[int, tuple[Any, orjson.Fragment]] = {}  # the row too: so its id stays its own
        self._parts: dict[str, tuple[Any, orjson.Fragment]] = {}

    def row(self, row: Any, to_json: Callable[[Any], Any]) -> orjson.Fragment:
        known = self._rows.get(id(row))
        if known is None:
            known = self._rows[id(row)] = row, orjson.Fragment(_sorted_text(to_json(row)))
        return known[1]

    def part(self, name: str, rows: Any, to_json: Callable[[Any, Values], Any]) -> orjson.Fragment:
        known = self._parts.get(name)
        if known is None or known[0] is not rows:
            known = self._parts[name] = rows, orjson.Fragment(_sorted_text(to_json(rows, self)))
        return known[1]


def _sorted_text(data: Any) -> bytes:
    """As `to_canonical_json`, for strings and whole numbers of 64 bits, and takes pieces that are written."""
    return orjson.dumps(data, option=orjson.OPT_SORT_KEYS)


def world_to_json(world: World, written: Values | None = None) -> dict[str, Any]:
    """The changing part of a world, as JSON values in a fixed order: no keys, clocks or floats.

    What is empty of the kinds that came later is left out, so that an older world hashes as it did.
    """
    written = written or Values()
    away = {"away": dict(sorted(world.away.items()))} if world.away else {}
    markers = {
        name: written.part(name, getattr(world, name), _markers_to_json)
        for name in MARKERS
        if getattr(world, name)
    }
    return {
        **away,
        **markers,
        "scenario": world.theatre.id,
        "settings": written.row(world.settings, RuleSettings.to_json),
        "day": world.day,
        "units": written.part("units", world.units, _units_to_json),
        "formations": written.part("formations", world.formations, _formations_to_json),
        "holders": dict(sorted(world.holders.items())),
        "pools": dict(sorted(world.pools.items())),
        "wet_days": world.wet_days,
        "ended": world.ended,
    }


def _markers_to_json(rows: Mapping[str, Any], written: Values) -> Any:
    return {key: written.row(marker, marker_to_json) for key, marker in sorted(rows.items())}


def _units_to_json(rows: Mapping[str, Unit], written: Values) -> Any:
    return [written.row(rows[key], unit_to_json) for key in sorted(rows)]


def _formations_to_json(rows: Mapping[str, Formation], written: Values) -> Any:
    return [written.row(rows[key], formation_to_json) for key in sorted(rows)]


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


#: By class: a record's fields, each with what makes its default if it came later than the first release.
_FIELDS: dict[type, tuple[tuple[str, Callable[[], Any] | None], ...]] = {}


def _list_fields(kind: type) -> tuple[tuple[str, Callable[[], Any] | None], ...]:
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple((each.name, _find_default(each)) for each in fields(kind))
    return _FIELDS[kind]


def _find_default(each: Field[Any]) -> Callable[[], Any] | None:
    if not each.metadata.get("later"):
        return None
    return (lambda: each.default) if each.default_factory is MISSING else each.default_factory


def _record_to_json(item: Any) -> dict[str, Any]:
    """A record's fields as JSON values, without those that came later and stand at their default.

    Its values are never changed, so they need no deep copy, which is most of what `asdict` does.
    """
    row = {}
    for name, default in _list_fields(type(item)):
        value = getattr(item, name)
        if default is None or value != default():
            row[name] = _value_to_json(value)
    return row


def _value_to_json(value: Any) -> Any:
    """A field's value: records within it as their fields, all of them, and the rest as it is."""
    if isinstance(value, str | int | None):
        return value
    if is_dataclass(value):
        return {name: _value_to_json(getattr(value, name)) for name, _ in _list_fields(type(value))}
    if isinstance(value, Mapping):
        return {key: _value_to_json(each) for key, each in value.items()}
    return type(value)(_value_to_json(each) for each in value)  # a list or a tuple, as it was


def formation_to_json(formation: Formation) -> dict[str, Any]:
    """A formation with its order as JSON values."""
    return {
        **_record_to_json(formation),
        "order": None if formation.order is None else order_to_json(formation.order),
    }


def order_to_json(order: Order) -> dict[str, Any]:
    """An order as JSON values, the form that is stored and hashed."""
    return _record_to_json(order)


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
    """The inverse of `order_to_json`; the version of a written order is ignored."""
    row = {key: value for key, value in row.items() if key != "version"}
    stages = tuple(Stage(**{**stage, "via": tuple(stage["via"])}) for stage in row.get("stages", ()))
    return Order(**{**row, "via": tuple(row["via"]), "stages": stages})


def to_canonical_json(data: Any) -> bytes:
    """Canonical JSON: sorted keys, no spaces, UTF-8."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def world_text(world: World, texts: Texts | None = None) -> bytes:
    """The world as canonical JSON; `texts` holds those of earlier worlds and stores this one."""
    return _sorted_text(world_to_json(world, texts))


def text_hash(text: bytes) -> str:
    """SHA-256 of a world's canonical JSON, in hexadecimal."""
    return hashlib.sha256(text).hexdigest()


def world_hash(world: World) -> str:
    """SHA-256 of the canonical world, in hexadecimal."""
    return text_hash(world_text(world))
