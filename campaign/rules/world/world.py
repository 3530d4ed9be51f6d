"""The state of a campaign on one morning: plain, immutable, and hashed without floats.

`World` is what changes; `Theatre` is what a scenario lays down and no day alters. Times are whole
minutes from midnight, distances whole yards, strength whole campaign points.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

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
from campaign.rules.world.markers import (
    Position as Position,
)
from campaign.rules.world.settings import RuleSettings
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
    from campaign.rules.map.atlas import Atlas

YARDS_PER_MILE = 1760


class UnitStatus(StrEnum):
    """A unit's status in the campaign.

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


Pace = Literal["normal", "plus_half", "double"]
Stance = Literal["attack", "give_battle", "delay", "avoid"]

#: Normal day's marches a pace may use, percent (AWI-C-MAR-01, AWI-C-MAR-02).
PACE_PERCENT: dict[Pace, int] = {"normal": 100, "plus_half": 150, "double": 200}


#: Metadata of a field that came after campaigns had begun: left out of the JSON at its default, so that
#: an older world still hashes as it did.
LATER: dict[str, bool] = {"later": True}

#: What a formation does with its day; all but the first four are the work of a halted formation.
Activity = Literal[
    "march", "follow", "intercept", "rest", "entrench", "dismantle", "break_bridge", "repair_bridge",
    "gather_boats", "siege", "lay_bridge", "obstruct",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Stage:
    """A further part of an itinerary (HR-ORD-02): begun when the part before it is done and `when` holds.

    `wait` are whole days to halt first. `when` is always, no_enemy (none known within `miles` of the
    next stop), enemy (one is), or held (the place `subject` is in the side's hands); a stage whose
    condition fails is passed over.
    """

    via: tuple[str, ...]
    wait: int = 0
    when: Literal["always", "no_enemy", "enemy", "held"] = "always"
    miles: int = 0
    subject: str = ""
    pace: Pace = "normal"
    stance: Stance = "give_battle"
    by_water: bool = False


@dataclass(frozen=True, slots=True)
class Order:
    """A formation's order: march through `via` in turn, or halt when `via` is empty.

    `via` holds place ids; the last is the destination. Between two of them the fastest path open
    to the formation is taken. An order stands until it is carried out or replaced. `target` is what
    an activity is about: the number its side calls an enemy by for follow and intercept (HR-FOG-04), a
    route for bridges. `starts` is
    the delay of the march in minutes. `stages` follow when the first part is done.
    """

    formation: str
    via: tuple[str, ...] = ()
    pace: Pace = "normal"
    stance: Stance = "give_battle"
    light_order: bool = False
    activity: Activity = field(default="march", metadata=LATER)
    target: str = field(default="", metadata=LATER)
    starts: int = field(default=0, metadata=LATER)
    by_water: bool = field(default=False, metadata=LATER)
    stages: tuple[Stage, ...] = field(default=(), metadata=LATER)


@dataclass(frozen=True, slots=True)
class Formation:
    """A body of units that marches together. `position` is None while it has no unit on the map.

    `parent` names the formation it rejoins when both stand at one place (HR-FOR-01).
    `marched` counts days marched since the last rest (HR-MAR-05), `light_days` days in light order.
    `leader` is the id of the general who commands it; `rations` its food, None where supply is not
    played (HR-SUP); `waited` the days its itinerary has halted (HR-ORD-02).
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
    leader: str = field(default="", metadata=LATER)
    rations: int | None = field(default=None, metadata=LATER)
    hungry_days: int = field(default=0, metadata=LATER)
    waited: int = field(default=0, metadata=LATER)


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
    """A scenario's fixed facts: map, calendar, muster places, objectives, weather.

    `musters` and `ports` list places by pool nation (AWI-C-POL-05); `supply` the places a side
    falls back towards. `recorded_weather` holds known days; `holders` has who holds which place on
    the first morning, which both sides know (HR-FOG-01); `schedule` the points by side and day that
    the scenario's dates give, to compare with (HR-REC-08). `base_map` names the country it is drawn on.
    `order_of_battle` are the units as the scenario gives them, by id, which both sides have read.
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
    base_map: str = ""
    schedule: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    order_of_battle: Mapping[str, Unit] = field(default_factory=dict, repr=False, compare=False)

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
    by the id of his leader, is back (HR-GEN-01). The fields after it are the counters on the map
    (`campaign.rules.world.markers`) by subject: place, route, "side/formation" for reports, side for
    watches and offers, leader's id for generals, formation for provisions and `warriors` (points its
    native units have lost, HR-NAT-01), place for sieges, place or route for terms, day for weather the
    umpire has set, "side/number" for rumours.
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
    reports: Mapping[str, Report] = field(default_factory=dict)
    watches: Mapping[str, Watch] = field(default_factory=dict)
    works: Mapping[str, Works] = field(default_factory=dict)
    bridges: Mapping[str, Bridge] = field(default_factory=dict)
    rafts: Mapping[str, Raft] = field(default_factory=dict)
    felled: Mapping[str, Felled] = field(default_factory=dict)
    boats: Mapping[str, Boats] = field(default_factory=dict)
    sieges: Mapping[str, Siege] = field(default_factory=dict)
    terms: Mapping[str, Terms] = field(default_factory=dict)
    warriors: Mapping[str, int] = field(default_factory=dict)
    magazines: Mapping[str, Magazine] = field(default_factory=dict)
    generals: Mapping[str, General] = field(default_factory=dict)
    provisions: Mapping[str, Provision] = field(default_factory=dict)
    offers: Mapping[str, PeaceOffer] = field(default_factory=dict)
    dispatches: Mapping[str, Dispatch] = field(default_factory=dict)
    goals: Mapping[str, Goal] = field(default_factory=dict)
    scores: Mapping[str, Score] = field(default_factory=dict)
    weather_set: Mapping[str, str] = field(default_factory=dict)
    rumours: Mapping[str, str] = field(default_factory=dict)

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
