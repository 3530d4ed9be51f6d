"""Counters on the campaign map: a world's records besides units, formations, holders and pools.

Each is a small frozen record kept by a subject (a place, a route, an id). `World` has one field for
each kind, named in `campaign.rules.world.world_json.MARKERS`; an empty one is left out of the JSON, so that a
campaign begun before the kind existed hashes as it did.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

#: Who knows of a crossing that broke unseen.
NOBODY = "-"

Arm = Literal["foot", "mounted", "guns", "train", "unknown"]


@dataclass(frozen=True, slots=True)
class Position:
    """At `place`, or `yards` along `route` from `origin` towards `destination` (places)."""

    place: str = ""
    route: str = ""
    origin: str = ""
    destination: str = ""
    yards: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """A side's last report of an enemy formation (HR-FOG), kept under "side/formation".

    `sp` is the estimate, `error` how far it may be out in percent; `day` and `minute` say when it was
    seen, `source` by whom: column, post, country, battle, courier, or open where there is no fog; `by`
    the formation or place that saw it. `number` is what the side calls it by: the key would tell more.
    What a column says of itself has in `state` its formation and its units' points (HR-COU-04).
    """

    formation: str
    name: str
    side: str
    position: Position
    sp: int
    error: int
    arm: Arm
    day: int
    minute: int
    source: str
    by: str = ""
    number: int = 0
    state: dict[str, Any] = field(default_factory=dict, metadata={"later": True})


@dataclass(frozen=True, slots=True)
class Watch:
    """A side's last look round (HR-FOG-04), kept by side: when, and in what weather.

    `holders` has who the side believes to hold a place where that is not as on the first morning (""
    for nobody); `reported` counts the enemies it has given a number. `headquarters` is the formation
    its orders come from (HR-COU-01). `counters` has, where couriers are played, what it last heard of the
    counters on the map (`campaign.rules.scouting.counters`): by subject the `day` it was seen and each
    counter there.
    """

    day: int
    minute: int
    weather: str = "fair"
    reported: int = 0
    holders: dict[str, str] = field(default_factory=dict)
    headquarters: str = ""
    counters: dict[str, dict[str, Any]] | None = field(default=None, metadata={"later": True})


@dataclass(frozen=True, slots=True)
class Works:
    """Field works at a place (HR-WRK): `sp` of structure, `side` that built them, `left` men-days over."""

    side: str
    sp: int
    left: int = 0


@dataclass(frozen=True, slots=True)
class Bridge:
    """A bridge or ferry that is broken since `day` (HR-BRG), kept by route; `work` men-days of repair done.

    `known_by` is the only side that knows, "" when both do, "-" when neither does.
    """

    day: int
    work: int = 0
    known_by: str = ""


@dataclass(frozen=True, slots=True)
class Raft:
    """A bridge of rafts, laid over a ford or mended in the field since `day` (HR-BRG-04), kept by route.

    It wants `left` men-days of work before it stands; `known_by` is as for a broken crossing. One that
    is broken has a `Bridge` too.
    """

    day: int
    left: int = 0
    known_by: str = ""


@dataclass(frozen=True, slots=True)
class Felled:
    """A road felled and broken between yards `low` and `high` from its end `a` (HR-OBS-01), kept by route.

    `known_by` is as for a broken crossing.
    """

    low: int
    high: int
    known_by: str = ""


@dataclass(frozen=True, slots=True)
class Boats:
    """Boats at a place: `men` they carry in one lift, and whose they are (HR-BOA).

    Those a formation is afloat in are kept under "with/" and its id.
    """

    side: str
    men: int


@dataclass(frozen=True, slots=True)
class Siege:
    """A fortified place invested by `side` since `day` (HR-SIE); `works_lost` SP of its works are down.

    `summoned` is the day of the last summons, `batteries` the days a battery on a height has fired.
    """

    side: str
    day: int
    form: Literal["blockade", "siege"] = "blockade"
    summoned: int | None = None
    batteries: int = 0
    works_lost: int = 0


@dataclass(frozen=True, slots=True)
class Terms:
    """A force of `side` treats for its surrender since `day` (HR-SUR-02)."""

    side: str
    day: int


@dataclass(frozen=True, slots=True)
class Magazine:
    """Food stored at a place, in rations (one man one day)."""

    side: str
    rations: int


@dataclass(frozen=True, slots=True)
class General:
    """A general in the campaign (HR-LDR), kept by the id of their leader's row.

    `state` well, expected or wounded (until day `until`), captured (held by `held_by`), dead, or
    resigned, as he does on day `departs`. He arrives at the place `home`. Among generals of one rank
    the lower `seniority` is the senior. `exchange_for` names the prisoner his side offers for him.
    """

    name: str
    side: str
    rank: str
    formation: str = ""
    state: Literal["well", "expected", "wounded", "captured", "dead", "resigned"] = "well"
    until: int | None = None
    held_by: str = ""
    home: str = ""
    seniority: int = 0
    departs: int | None = None
    exchange_for: str = ""


@dataclass(frozen=True, slots=True)
class Dispatch:
    """A dispatch with a courier (HR-COU): from `origin` to a formation or, with "", headquarters.

    It left on `day` and arrives on `due` (campaign days). `body` is what it says, in JSON values; a letter
    holds orders of organisation.
    """

    side: str
    kind: Literal["order", "report", "letter"]
    origin: str
    to: str
    day: int
    due: int
    body: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal of the campaign (HR-VIC), kept by its id; fixed on the first morning.

    `post` earns `points` a week to whoever holds `place`, and has no side. The others are `side`'s:
    `hold` a place, `strength` of at least `amount` points in the field, or `reduce` the enemy's to that,
    each reckoned once, on the evening of `day`; `seize` a place for `amount` evenings in a row, or
    `destroy` the enemy's army down to `amount` points, which end the campaign (HR-VIC-06).
    """

    kind: Literal["post", "hold", "strength", "reduce", "seize", "destroy"]
    side: str
    place: str = ""
    amount: int = 0
    day: int = 0
    points: int = 0


@dataclass(frozen=True, slots=True)
class Score:
    """Victory points of a side so far (HR-VIC); `days` in a row it has held what it is to seize."""

    points: int
    days: int = 0


@dataclass(frozen=True, slots=True)
class Provision:
    """A formation's food on the evening of `day` (HR-SUP), kept by its id.

    `source` is the magazine at the head of its line and `way` the places from there, `carry` the yards
    of it by land; `percent` of a day's food came in, and `days` in a row by this line. Without a line
    `broken` is the place at which it is cut, or "" when the nearest magazine is too far. `short` is
    two-thirds ration.
    """

    day: int
    food: Literal["line", "country", "none"] = "none"
    source: str = ""
    way: tuple[str, ...] = ()
    carry: int = 0
    percent: int = 0
    days: int = 0
    broken: str = ""
    short: bool = False


@dataclass(frozen=True, slots=True)
class PeaceOffer:
    """Terms a side has offered to end the campaign by, kept by its id; `winner` is "" for neither."""

    winner: str
    text: str
    day: int
