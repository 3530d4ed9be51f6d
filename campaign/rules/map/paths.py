"""Ways through the atlas: the fastest path, when it is marched (HR-MAR-08).

Paths are found on the atlas's multigraph with minutes of march as weights and kept with its tables. A
leg is a stretch of one route; the first may begin part-way along it, going on or turning back.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal

import networkx as nx

from campaign.rules.day.weather import FAIR, Conditions
from campaign.rules.errors import RuleViolation
from campaign.rules.map.atlas import WATER_KINDS, Atlas, Route
from campaign.rules.march.marching import MarchClass, find_obstacle, minutes_at, yards_per_day
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Position

#: Tables of minutes kept on one atlas before they are dropped: some fifty are in use at a time.
TABLES_KEPT = 256
#: Ways kept in one table before they are dropped.
WAYS_KEPT = 4096

#: Routes a march may use (HR-BOA-02).
Ways = Literal["all", "land", "water"]


@dataclass(frozen=True, slots=True)
class Leg:
    """A stretch of `route` marched from `origin` towards `destination`.

    It begins `start` yards from `origin` and ends at `destination`, `yards` further on, after
    `minutes` at `rate` yards a normal day.
    """

    route: str
    origin: str
    destination: str
    start: int
    yards: int
    minutes: int
    rate: int

    def position(self, yards: int) -> Position:
        """The position of a formation that has marched `yards` of this leg."""
        if yards >= self.yards:
            return Position(place=self.destination)
        if self.start + yards == 0:
            return Position(place=self.origin)
        return Position(
            route=self.route, origin=self.origin, destination=self.destination, yards=self.start + yards
        )


@dataclass(frozen=True, slots=True)
class MarchPlan:
    """Legs in turn; none when the formation is where it should be."""

    legs: tuple[Leg, ...] = ()

    @property
    def minutes(self) -> int:
        """Minutes of march in all, at the conditions the plan was made for."""
        return sum(leg.minutes for leg in self.legs)

    @property
    def yards(self) -> int:
        return sum(leg.yards for leg in self.legs)

    @property
    def places(self) -> tuple[str, ...]:
        """Places reached, in turn."""
        return tuple(leg.destination for leg in self.legs)


# --- the fastest path ---


def path_find(
    atlas: Atlas,
    position: Position,
    via: Sequence[str],
    march: MarchClass,
    settings: RuleSettings,
    conditions: Conditions = FAIR,
    *,
    light_order: bool = False,
    avoid: Collection[str] = (),
    by_water: bool = False,
) -> MarchPlan:
    """The fastest march from `position` through the places `via` in turn (HR-MAR-08).

    Places in `avoid` are not passed through; they may be a stop named in `via`. `by_water` goes in boats
    all the way, carrying them over portages; without it only land is open where boats are counted
    (HR-BOA-02). Raises
    RuleViolation (field `via`) for an unknown place and when there is no way, saying why: wheels
    (HR-MAR-02), a closed ford (HR-MAR-07), a foul wind (HR-WAT-03), no boats (HR-WAT-01). The
    middle two pass with the weather (`marching.passes_with_weather`).
    """
    verify_places(atlas, position, via)
    ways = ways_open(settings, by_water)
    table = minute_table(atlas, march, settings, conditions, light_order, ways)
    legs: list[Leg] = []
    here = position
    for goal in via:
        found = _find_legs(table, here, goal, avoid)
        if found is None:
            raise _no_way(atlas, here, goal, march, settings, conditions, avoid, ways)
        legs += found
        here = Position(place=goal)
    return MarchPlan(tuple(legs))


def verify_places(atlas: Atlas, position: Position, via: Sequence[str]) -> None:
    for place in via:
        if place not in atlas.places:
            raise RuleViolation(
                "HR-MAR-08", f"There is no place {place!r} on the map; choose another.", "via"
            )
    known = position.route in atlas.routes if position.route else position.place in atlas.places
    if not known:
        where = position.route or position.place or "nowhere"
        raise RuleViolation(
            "HR-MAR-08", f"The formation stands at {where}, which is not on the map.", "formation"
        )


def ways_open(settings: RuleSettings, by_water: bool) -> Ways:
    """The routes an order may use: all, those for boats, or those by land if boats are counted."""
    if by_water:
        return "water"
    return "all" if settings.boats == "unlimited" else "land"


class MinuteTable:
    """Minutes for every route in each direction, computed on first use."""

    def __init__(
        self,
        atlas: Atlas,
        march: MarchClass,
        settings: RuleSettings,
        conditions: Conditions,
        light_order: bool,
        ways: Ways = "all",
    ) -> None:
        self.atlas = atlas
        self.settings = settings
        self._terms = (march, settings, conditions)
        self._light_order = light_order
        self._ways = ways
        self._fastest: dict[tuple[str, str], tuple[int, str] | None] = {}
        self.ways: dict[tuple[str, str, frozenset[str]], tuple[Leg, ...] | None] = {}

    def rate(self, route: Route, origin: str) -> int | None:
        march, settings, conditions = self._terms
        return yards_per_day(route, origin, march, settings, conditions, light_order=self._light_order)

    def rate_back(self, route: Route, origin: str) -> int | None:
        """A column that finds the ford closed before it may turn round (HR-MAR-07)."""
        march, settings, conditions = self._terms
        dry = replace(conditions, wet_days=0)
        return yards_per_day(route, origin, march, settings, dry, light_order=self._light_order)

    def minutes(self, route: Route, origin: str) -> int | None:
        """Minutes for the whole route from `origin`, boats found there; None if closed."""
        rate = self.rate(route, origin) if self.open(route, origin) else None
        return None if rate is None else minutes_at(route.yards, rate, self.settings)

    def open(self, route: Route, origin: str) -> bool:
        """True if a march of this kind may take a route at all."""
        if self._ways == "all":
            return can_embark(self.atlas, route, origin)
        afloat = route.kind in WATER_KINDS
        return afloat or route.kind == "portage" if self._ways == "water" else not afloat

    def fastest(self, origin: str, destination: str) -> tuple[int, str] | None:
        """Minutes and id of the fastest route between two neighbours; of equals the first by id."""
        key = (origin, destination)
        if key not in self._fastest:
            routes = (data["route"] for data in self.atlas.graph[origin][destination].values())
            timed = [
                (time, route.id) for route in routes if (time := self.minutes(route, origin)) is not None
            ]
            self._fastest[key] = min(timed, default=None)
        return self._fastest[key]

    def weight(self, origin: str, destination: str, edges: object = None) -> int | None:
        """Weight of an edge of the graph, as networkx asks for it: None hides it."""
        try:
            fastest = self._fastest[origin, destination]
        except KeyError:
            fastest = self.fastest(origin, destination)
        return None if fastest is None else fastest[0]


def can_embark(atlas: Atlas, route: Route, origin: str) -> bool:
    """Boats are found at any place with a port, and may land anywhere (HR-WAT-01)."""
    return route.kind not in WATER_KINDS or atlas.places[origin].port != "none"


def minute_table(
    atlas: Atlas,
    march: MarchClass,
    settings: RuleSettings,
    conditions: Conditions,
    light_order: bool,
    ways: Ways = "all",
) -> MinuteTable:
    """The table for these terms, kept on the atlas: every formation of a class shares it."""
    wet_days = min(conditions.wet_days, settings.wet_days_close_fords)
    conditions = replace(conditions, wet_days=wet_days)
    tables: dict[Any, MinuteTable] = atlas.derived_tables.setdefault("minute tables", {})
    key = (march, settings, conditions, light_order, ways)
    if key not in tables:
        if len(tables) >= TABLES_KEPT:
            tables.clear()
        tables[key] = MinuteTable(atlas, march, settings, conditions, light_order, ways)
    return tables[key]


def _find_legs(table: MinuteTable, here: Position, goal: str, avoid: Collection[str]) -> list[Leg] | None:
    """Legs of the fastest way to `goal`, or None. Part-way along a route, on or back by the faster."""
    if not here.route:
        return _legs_from_place(table, here.place, goal, avoid)
    found: list[list[Leg]] = []
    for first in first_legs(table, here):
        if first.destination in avoid and first.destination != goal:
            continue
        rest = _legs_from_place(table, first.destination, goal, avoid)
        if rest is not None:
            found.append([first, *rest])
    return min(found, key=lambda legs: sum(leg.minutes for leg in legs), default=None)


def first_legs(table: MinuteTable, here: Position) -> list[Leg]:
    """The legs that leave a position part-way along a route: on first, then back."""
    route = table.atlas.routes[here.route].whole
    legs = []
    if (rate := table.rate(route, here.origin)) is not None:
        legs.append(_build_leg(table, route, here.origin, here.yards, rate))
    if (rate := table.rate_back(route, here.destination)) is not None:
        legs.append(_build_leg(table, route, here.destination, route.yards - here.yards, rate))
    return legs


def _build_leg(table: MinuteTable, route: Route, origin: str, start: int, rate: int) -> Leg:
    yards = route.yards - start
    minutes = minutes_at(yards, rate, table.settings)
    return Leg(route.id, origin, route.other(origin), start, yards, minutes, rate)


def _legs_from_place(table: MinuteTable, place: str, goal: str, avoid: Collection[str]) -> list[Leg] | None:
    key = (place, goal, frozenset(avoid))
    try:
        legs = table.ways[key]
    except KeyError:

        def weight(origin: str, destination: str, edges: object) -> int | None:
            barred = destination in avoid and destination != goal
            return None if barred else table.weight(origin, destination)

        try:
            _, places = nx.bidirectional_dijkstra(table.atlas.graph, place, goal, weight)
            legs = _legs_along(table, places)
        except nx.NetworkXNoPath:
            legs = None
        if len(table.ways) >= WAYS_KEPT:
            table.ways.clear()
        table.ways[key] = legs
    return None if legs is None else list(legs)


def _legs_along(table: MinuteTable, places: Sequence[str]) -> tuple[Leg, ...] | None:
    legs = []
    for start, end in pairwise(places):
        fastest = table.fastest(start, end)
        route = table.atlas.routes[fastest[1]] if fastest else None
        rate = table.rate(route, start) if route else None
        if route is None or rate is None:
            return None
        legs.append(_build_leg(table, route, start, 0, rate))
    return tuple(legs)


def _no_way(
    atlas: Atlas,
    here: Position,
    goal: str,
    march: MarchClass,
    settings: RuleSettings,
    conditions: Conditions,
    avoid: Collection[str],
    ways: Ways,
) -> RuleViolation:
    """The refusal if there is no way: the first obstacle on the way it would otherwise take."""
    dry = replace(conditions, weather="fair", foul_wind=False, wet_days=0)
    foot = replace(march, wheels=False)
    for terms in ((march, dry), (foot, dry)):
        legs = _find_legs(minute_table(atlas, terms[0], settings, terms[1], False, ways), here, goal, avoid)
        for leg in legs or ():
            route = atlas.routes[leg.route]
            if (
                violation := find_obstacle(route, leg.origin, march, settings, conditions, atlas=atlas)
            ) is not None:
                return violation
    if ways != "all":
        return _no_way_so(atlas, here, goal, ways)
    start, end = _spot_name(atlas, here), atlas.places[goal].name
    if (
        avoid
        and _find_legs(minute_table(atlas, march, settings, conditions, False), here, goal, ()) is not None
    ):
        return RuleViolation(
            "HR-MAR-08", f"Every way from {start} to {end} passes a place to be avoided.", "via"
        )
    ends = [here.place] if here.place else [here.origin, here.destination]
    if any(nx.has_path(atlas.graph, near, goal) for near in ends):
        return RuleViolation(
            "HR-WAT-01",
            f"From {start} to {end} there is a way by water only, and no port to take boats at; "
            "choose another destination.",
            "via",
        )
    return RuleViolation(
        "HR-MAR-08", f"There is no way from {start} to {end}; choose another destination.", "via"
    )


def _no_way_so(atlas: Atlas, here: Position, goal: str, ways: Ways) -> RuleViolation:
    """The refusal if there is no way by water only, or by land only with counted boats (HR-BOA-02)."""
    start, end = _spot_name(atlas, here), atlas.places[goal].name
    if ways == "water":
        return RuleViolation(
            "HR-BOA-02", f"From {start} to {end} no boat can go; march by land or choose a landing.", "via"
        )
    return RuleViolation(
        "HR-BOA-02",
        f"From {start} to {end} there is no way by land for this formation today; gather boats and order it "
        "by water, or choose another destination.",
        "via",
    )


def _spot_name(atlas: Atlas, here: Position) -> str:
    """The name of a place, or of the route a formation is on."""
    if here.place:
        return atlas.places[here.place].name
    ends = f"{atlas.places[here.origin].name} to {atlas.places[here.destination].name}"
    return f"the {atlas.routes[here.route].kind} from {ends}"
