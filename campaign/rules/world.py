"""The state of a campaign on one morning: plain, immutable, and hashed without floats.

`World` is what changes; `Theatre` is what a scenario lays down and no day alters. Times are whole
minutes from midnight, distances whole yards, strength whole campaign points.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from datetime import date, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal

from campaign.rules.settings import RuleSettings
from rosters.domain.vocabulary import (
    POOL_NATION,
    TYPES,
    GunClass,
    Mobility,
    Nation,
    PoolArm,
    TroopType,
    mobility_of,
)

if TYPE_CHECKING:
    from campaign.rules.atlas import Atlas

YARDS_PER_MILE = 1760


class UnitStatus(StrEnum):
    """Where a unit stands in the campaign.

    EXPECTED has not yet arrived; ABSENT is militia gone home (AWI-C-MIL-02); ELIMINATED has
    0 points and is rebuilt first (AWI-C-ELI-01); DEPARTED has left for good (HR-LEV-01);
    SURRENDERED went into captivity with its force (HR-SUR-01) and never comes back.
    """

    PRESENT = "present"
    EXPECTED = "expected"
    ABSENT = "absent"
    ELIMINATED = "eliminated"
    DEPARTED = "departed"
    SURRENDERED = "surrendered"


@dataclass(frozen=True, slots=True)
class Unit:
    """A battalion, wing, battery or train, 0 to 120 campaign points.

    `since` is the campaign day on which the present status began (oldest goes first when units
    return or are rebuilt). `arrives` and `departs` are campaign days (0 is the first); `home` is
    the place of arrival. `static` units hold garrisons and take no weekly roll (HR-REC-02).
    """

    id: str
    name: str
    side: str
    nation: Nation
    troop_type: TroopType
    points: int
    formation: str
    regiment: str = ""
    gun_class: GunClass = GunClass.NONE
    status: UnitStatus = UnitStatus.PRESENT
    since: int = 0
    arrives: int = 0
    departs: int | None = None
    home: str = ""
    poor_militia: bool = False
    static: bool = False

    @property
    def pool(self) -> str:
        """Key of the unit's replacement pool, "nation/arm" (AWI-C-POL-01)."""
        return pool_key(self.nation, TYPES[self.troop_type].pool)

    @property
    def mobility(self) -> Mobility:
        return mobility_of(self.troop_type, self.gun_class)

    @property
    def is_militia(self) -> bool:
        return self.troop_type is TroopType.MILITIA

    @property
    def is_train(self) -> bool:
        """Wagons carry no points: they neither count as eliminated nor roll (HR-REC-01)."""
        return self.troop_type is TroopType.WAGON


def pool_key(nation: Nation, arm: PoolArm) -> str:
    return f"{POOL_NATION[nation]}/{arm}"


@dataclass(frozen=True, slots=True)
class Position:
    """At `place`, or `yards` along `route` from `origin` towards `destination` (places)."""

    place: str = ""
    route: str = ""
    origin: str = ""
    destination: str = ""
    yards: int = 0


Pace = Literal["normal", "plus_half", "double"]
Stance = Literal["attack", "give_battle", "delay", "avoid"]

#: Normal day's marches a pace may use, percent (AWI-C-MAR-01, AWI-C-MAR-02).
PACE_PERCENT: dict[Pace, int] = {"normal": 100, "plus_half": 150, "double": 200}


@dataclass(frozen=True, slots=True)
class Order:
    """What a formation has been told: march through `via` in turn, or halt when `via` is empty.

    `via` holds place ids; the last is the destination. Between two of them the fastest path open
    to the formation is taken. An order stands until it is carried out or replaced.
    """

    formation: str
    via: tuple[str, ...] = ()
    pace: Pace = "normal"
    stance: Stance = "give_battle"
    light_order: bool = False


@dataclass(frozen=True, slots=True)
class Formation:
    """A body of units that marches together. `position` is None while it has no unit on the map.

    `parent` names the formation it rejoins when both stand at one place (HR-FOR-01).
    `marched` counts days marched since the last rest (HR-MAR-05), `light_days` days in light order.
    """

    id: str
    name: str
    side: str
    position: Position | None = None
    order: Order | None = None
    commander: str = ""
    parent: str = ""
    marched: int = 0
    light_days: int = 0
    garrison: bool = False


@dataclass(frozen=True, slots=True)
class Side:
    id: str
    name: str
    colour: str


@dataclass(frozen=True, slots=True)
class Objective:
    """A place worth `points` to whoever holds it; `weight` steers the staff bots of `side`."""

    place: str
    side: str
    points: int
    weight: int = 1
    from_day: int = 0


@dataclass(frozen=True, slots=True)
class WeatherPeriod:
    """Chances in thousandths, by half-month, as whole numbers that add up to 1000."""

    start: date
    end: date
    fair: int
    rain: int
    storm: int
    fog: int


@dataclass(frozen=True, slots=True)
class Theatre:
    """What a scenario lays down: map, calendar, muster places, objectives, weather.

    `musters` and `ports` list places by pool nation (AWI-C-POL-05); `supply` the places a side
    falls back towards. `recorded_weather` holds known days; `holders` has who holds which place on
    the first morning, which both sides know (HR-FOG-01).
    """

    id: str
    title: str
    start: date
    end: date
    atlas: "Atlas"
    sides: tuple[Side, ...]
    musters: Mapping[str, tuple[str, ...]]
    supply: Mapping[str, tuple[str, ...]]
    objectives: tuple[Objective, ...] = ()
    weather: tuple[WeatherPeriod, ...] = ()
    recorded_weather: Mapping[date, str] = field(default_factory=dict)
    holders: Mapping[str, str] = field(default_factory=dict)

    @property
    def days(self) -> int:
        """Days in the campaign, the last one counted."""
        return (self.end - self.start).days + 1

    def enemy_of(self, side: str) -> str:
        return next(other.id for other in self.sides if other.id != side)


@dataclass(frozen=True, slots=True)
class World:
    """A campaign on the morning of `day` (0 is the first day). Never changed, only replaced.

    `holders` says which side holds a place (absent: nobody); `pools` holds points by "nation/arm";
    `wet_days` counts the days of rain or storm just past; `away` says on which day a wounded general,
    by the id of his leader, is back (HR-GEN-01).
    """

    theatre: Theatre
    settings: RuleSettings
    day: int
    units: Mapping[str, Unit]
    formations: Mapping[str, Formation]
    holders: Mapping[str, str]
    pools: Mapping[str, int]
    wet_days: int = 0
    ended: bool = False
    away: Mapping[str, int] = field(default_factory=dict)

    @property
    def date(self) -> date:
        return self.theatre.start + timedelta(days=self.day)

    @property
    def week_is_over(self) -> bool:
        """True on the morning after a seventh day."""
        return self.day > 0 and self.day % 7 == 0


def present_units(world: World) -> dict[str, list[Unit]]:
    """Units on the map by formation, in order of id."""
    found: dict[str, list[Unit]] = {}
    for key in sorted(world.units):
        unit = world.units[key]
        if unit.status is UnitStatus.PRESENT:
            found.setdefault(unit.formation, []).append(unit)
    return found


def world_to_json(world: World) -> dict[str, Any]:
    """The changing part of a world, as JSON values in a fixed order: no keys, clocks or floats.

    A world whose generals are all well looks as it did before generals could be lost, and hashes alike.
    """
    away = {"away": dict(sorted(world.away.items()))} if world.away else {}
    return {
        **away,
        "scenario": world.theatre.id,
        "settings": world.settings.to_json(),
        "day": world.day,
        "units": [unit_to_json(world.units[key]) for key in sorted(world.units)],
        "formations": [asdict(world.formations[key]) for key in sorted(world.formations)],
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
    )


_UNIT_FIELDS = tuple(item.name for item in fields(Unit))


def unit_to_json(unit: Unit) -> dict[str, Any]:
    """A unit's fields; they are all plain, so `asdict`'s deep copy would only cost time."""
    return {name: getattr(unit, name) for name in _UNIT_FIELDS}


def unit_from_json(row: Mapping[str, Any]) -> Unit:
    return Unit(
        **{
            **row,
            "nation": Nation(row["nation"]),
            "troop_type": TroopType(row["troop_type"]),
            "gun_class": GunClass(row["gun_class"]),
            "status": UnitStatus(row["status"]),
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
    return Order(**{**row, "via": tuple(row["via"])})


def canonical(data: Any) -> bytes:
    """Canonical JSON: sorted keys, no spaces, UTF-8."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def world_hash(world: World) -> str:
    """SHA-256 of the canonical world, in hexadecimal."""
    return hashlib.sha256(canonical(world_to_json(world))).hexdigest()
