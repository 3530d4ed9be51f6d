"""Sighting ranges: miles along the map by arm, woods, weather and friendly country (HR-FOG-01).

Pure geometry: who of a side can see a place or a column standing somewhere, and how well. What a side
makes of it and remembers is `campaign.rules.scouting.knowledge`.
"""

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from campaign.rules.map.atlas import Atlas, Route
from campaign.rules.world.markers import Arm
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import YARDS_PER_MILE, Position, Unit
from rosters.domain.vocabulary import Mobility, TroopType

#: Estimates of an enemy's strength are given in steps of so many SP (HR-FOG-02).
ESTIMATE_STEP = 5
#: Country in which all but natives see half as far.
WOODS = frozenset({"wooded", "forest", "pines"})
#: Looks are graded by thirds of the reach: near, middling, far.
GRADES = 3

Source = Literal["column", "post", "country"]


@dataclass(frozen=True, slots=True)
class Keenness:
    """Sighting range of a body of troops in miles: its own, and its natives' (0 without any)."""

    miles: int
    natives: int = 0


@dataclass(frozen=True, slots=True)
class FormationSnapshot:
    """A formation at one moment of a day: what is seen of it, and how far it sees.

    `battle` is the key of the fight it is in.
    """

    id: str
    name: str
    side: str
    position: Position
    sp: int
    arm: Arm
    keen: Keenness
    battle: str = ""


def find_keenness(units: Iterable[Unit], settings: RuleSettings) -> Keenness:
    """The best sighting range among units: light troops and cavalry, natives, else infantry (HR-FOG-01)."""
    miles, natives = settings.sight_foot_miles, 0
    for unit in units:
        if unit.troop_type is TroopType.INDIANS:
            natives = settings.sight_natives_miles
        elif unit.mobility in (Mobility.LIGHT, Mobility.MOUNTED):
            miles = max(miles, settings.sight_light_miles)
    return Keenness(miles, natives)


def estimate_sp(sp: int) -> int:
    """A rough strength: to the nearest 5 SP, halves up, never less than 5 (HR-FOG-02)."""
    return max(ESTIMATE_STEP, (2 * sp + ESTIMATE_STEP) // (2 * ESTIMATE_STEP) * ESTIMATE_STEP)


@dataclass(frozen=True, slots=True)
class Eyes:
    """Somebody who looks out from a position: `reach` in yards, hindered by `woods` or not.

    `by` is a formation's id, or a place's for a post or the country about it.
    """

    position: Position
    reach: int
    woods: bool
    source: Source
    by: str


@dataclass(frozen=True, slots=True, order=True)
class Look:
    """The quality of a sighting, best first: error of the estimate in percent, and its source."""

    error: int
    rank: int
    by: str
    source: Source = field(compare=False)
    grade: int = field(compare=False)


# --- distances ---

Ends = tuple[tuple[str, int], ...]


class SightDistances:
    """Distances along the map up to `limit` yards; in `woods` eyes reach that percent, None for as far."""

    def __init__(self, atlas: Atlas, woods: int | None, limit: int) -> None:
        self.atlas, self.woods, self.limit = atlas, woods, limit
        self._ways: dict[str, list[tuple[str, int]]] = {place: [] for place in atlas.places}
        for route in atlas.routes.values():
            cost = self.cost(route, route.yards)
            self._ways[route.a].append((route.b, cost))
            self._ways[route.b].append((route.a, cost))
        self._near: dict[str, tuple[tuple[str, int], ...]] = {}

    def cost(self, route: Route, yards: int) -> int:
        return yards * 100 // self.woods if self.woods and route.terrain in WOODS else yards

    def near(self, place: str) -> tuple[tuple[str, int], ...]:
        """Places within the limit of one, itself among them, with the yards to each."""
        if place not in self._near:
            found: dict[str, int] = {}
            queue = [(0, place)]
            while queue:
                yards, here = heapq.heappop(queue)
                if here in found:
                    continue
                found[here] = yards
                for other, cost in self._ways[here]:
                    if other not in found and yards + cost <= self.limit:
                        heapq.heappush(queue, (yards + cost, other))
            self._near[place] = tuple(found.items())
        return self._near[place]

    def ends(self, position: Position) -> Ends:
        """A position's own place, or both ends of its route with the yards to them."""
        if position.place:
            return ((position.place, 0),)
        route = self.atlas.routes[position.route]
        return (
            (position.origin, self.cost(route, position.yards)),
            (position.destination, self.cost(route, route.yards - position.yards)),
        )


def get_sight_distances(atlas: Atlas, settings: RuleSettings, woods: bool) -> SightDistances:
    """The distances of a map as far as anybody sees under some settings; made once."""
    furthest = max(settings.sight_foot_miles, settings.sight_light_miles, settings.sight_natives_miles)
    limit = (furthest + settings.sight_friendly_miles) * YARDS_PER_MILE
    percent = settings.sight_woods_percent if woods else None
    key = ("country in sight", percent, limit)
    if key not in atlas.derived_tables:
        atlas.derived_tables[key] = SightDistances(atlas, percent, limit)
    found: SightDistances = atlas.derived_tables[key]
    return found


def _from_a(route: Route, position: Position) -> int:
    return position.yards if position.origin == route.a else route.yards - position.yards


# --- eyes ---


def weather_percent(weather: str, settings: RuleSettings) -> int:
    """Share of the fair day's sight (HR-FOG-01)."""
    return {
        "rain": settings.sight_rain_percent,
        "storm": settings.sight_storm_percent,
        "fog": settings.sight_fog_percent,
    }.get(weather, 100)


def eyes_of(
    atlas: Atlas,
    settings: RuleSettings,
    weather: str,
    side: str,
    bodies: Iterable[tuple[str, Position, Keenness]],
    holders: Mapping[str, str],
    posts: Iterable[str] | None = None,
) -> Iterator[Eyes]:
    """All who look out for a side: its columns, and the country about the places it holds (HR-FOG-01).

    In friendly country (a place the side holds, a route between two such) columns hear of what is
    `sight_friendly_miles` further off. `posts` limits the places that are asked.
    """
    percent = weather_percent(weather, settings)

    def yards(miles: int) -> int:
        return miles * YARDS_PER_MILE * percent // 100

    manned = set()
    for key, position, keen in bodies:
        ends = (position.place,) if position.place else (position.origin, position.destination)
        friendly = settings.sight_friendly_miles if all(holders.get(end) == side for end in ends) else 0
        manned.add(position.place)
        source: Source = "post" if position.place and friendly else "column"
        yield Eyes(position, yards(keen.miles + friendly), True, source, key)
        if keen.natives:
            yield Eyes(position, yards(keen.natives + friendly), False, source, key)
    reach = yards(settings.sight_friendly_miles)
    about: dict[str, Eyes] = atlas.derived_tables.setdefault(("country eyes", reach), {})
    for place in holders if posts is None else posts:
        if holders.get(place) == side and place not in manned:
            if place not in about:
                about[place] = Eyes(Position(place=place), reach, True, "country", place)
            yield about[place]


class SideLookout:
    """A side's view at one moment, asked place by place and position by position."""

    def __init__(self, atlas: Atlas, settings: RuleSettings, eyes: Iterable[Eyes]) -> None:
        self.atlas, self.settings = atlas, settings
        self._countries = [get_sight_distances(atlas, settings, woods) for woods in (True, False)]
        self._posts: list[dict[str, list[tuple[int, Eyes]]]] = [{}, {}]
        self._marching: dict[str, list[Eyes]] = {}
        for one in eyes:
            index, position = 0 if one.woods else 1, one.position
            posts = self._posts[index]
            if position.place:
                posts.setdefault(position.place, []).append((one.reach, one))
                continue
            for end, yards in self._countries[index].ends(position):
                posts.setdefault(end, []).append((one.reach - yards, one))
            self._marching.setdefault(position.route, []).append(one)

    def looks(self, position: Position) -> Iterator[Look]:
        """Every look there is at what stands at a position."""
        for index, posts in enumerate(self._posts):
            if not posts:
                continue
            ground = self._countries[index]
            for end, off in ground.ends(position):
                for place, yards in ground.near(end):
                    for left, one in posts.get(place, ()):
                        if off + yards <= left:
                            yield self._look(one, one.reach - left + off + yards)
        for one in self._marching.get(position.route, ()) if position.route else ():
            route = self.atlas.routes[position.route]
            apart = abs(_from_a(route, one.position) - _from_a(route, position))
            distance = self._countries[0 if one.woods else 1].cost(route, apart)
            if distance <= one.reach:
                yield self._look(one, distance)

    def best(self, position: Position) -> Look | None:
        """The best look at what stands at a position, None when it is out of sight."""
        return min(self.looks(position), default=None)

    def sees(self, position: Position) -> bool:
        return next(self.looks(position), None) is not None

    def places(self) -> frozenset[str]:
        """All places in sight."""
        found = set()
        for index, posts in enumerate(self._posts):
            for start, eyes in posts.items():
                left = max(reach for reach, _ in eyes)
                found |= {place for place, yards in self._countries[index].near(start) if yards <= left}
        return frozenset(found)

    def _look(self, one: Eyes, distance: int) -> Look:
        settings = self.settings
        grade = min(GRADES - 1, GRADES * distance // max(1, one.reach))
        near, far = settings.estimate_near_percent, settings.estimate_far_percent
        error = near + (far - near) * grade // (GRADES - 1)
        if not one.woods:
            error += settings.estimate_natives_percent
        rank = ("column", "post", "country").index(one.source)
        if one.source == "country":
            grade, error = GRADES - 1, max(near, far)
        return Look(error, rank, one.by, one.source, grade)


def list_onlookers(
    atlas: Atlas,
    settings: RuleSettings,
    weather: str,
    place: str,
    bodies: Mapping[str, Sequence[tuple[str, Position, Keenness]]],
    holders: Mapping[str, str],
) -> frozenset[str]:
    """Sides that see a place from where their columns (`bodies`, by side) stand and from their posts."""
    if settings.fog == "off":
        return frozenset(bodies)
    near = {other for other, _ in get_sight_distances(atlas, settings, False).near(place)}
    found = set()
    for side, columns in bodies.items():
        about = [each for each in columns if near & {each[1].place, each[1].origin, each[1].destination}]
        eyes = eyes_of(atlas, settings, weather, side, about, holders, sorted(near))
        if SideLookout(atlas, settings, eyes).sees(Position(place=place)):
            found.add(side)
    return frozenset(found)
