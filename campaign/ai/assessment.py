"""Assessment of a side's situation by its staff, from what that side may know and nothing else.

Own formations are counted in full; enemies as far as they are sighted (`side_view`); an enemy post out
of sight is reckoned to hold the garrison its works are built for (HR-BOT-02). No Django, no dice.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import networkx as nx

from campaign.rules.army.quality import general_quality, rate_unit_quality
from campaign.rules.map.atlas import Atlas, Fortification
from campaign.rules.march.marching import FOOT, MarchClass, formation_mobility, minutes_at, yards_per_day
from campaign.rules.scouting.knowledge import FRESH_DAYS, build_reported_world, side_view
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Formation, Position, Unit, World, present_units
from rosters.domain.strength import strength_points

#: SP a staff reckons in an enemy post it cannot see (HR-BOT-02).
UNSEEN_GARRISON: dict[Fortification, int] = {
    "none": 0,
    "fieldworks": 5,
    "stockade": 5,
    "fort": 8,
    "fortress": 40,
}
#: What works add to the strength of those behind them, percent (HR-BOT-02).
WORKS_PERCENT: dict[Fortification, int] = {
    "none": 100,
    "fieldworks": 120,
    "stockade": 120,
    "fort": 140,
    "fortress": 150,
}
#: Days after which a staff no longer reckons with a report (HR-BOT-02).
STALE_DAYS = FRESH_DAYS
#: A sentinel for "no way": longer than any campaign, in minutes.
NEVER = 10**9
NOTHING: frozenset[str] = frozenset()
#: Trees of ways kept in one table before they are dropped.
TREES_KEPT = 4096


class MarchTable:
    """Minutes of march between places for one march class, in fair weather; reckoned when asked for."""

    def __init__(self, atlas: Atlas, march: MarchClass, settings: RuleSettings) -> None:
        self._ahead: nx.DiGraph[str] = nx.DiGraph()
        self._ahead.add_nodes_from(atlas.places)
        for route in atlas.routes.values():
            for start in (route.a, route.b):
                rate = yards_per_day(route, start, march, settings)
                if rate is not None:
                    self._add(start, route.other(start), minutes_at(route.yards, rate, settings))
        self._trees: dict[tuple[str, frozenset[str]], tuple[dict[str, list[str]], dict[str, int]]] = {}
        self._rows: dict[str, dict[str, int]] = {}
        self._within: dict[tuple[str, int], tuple[str, ...]] = {}

    def _add(self, start: str, end: str, minutes: int) -> None:
        if minutes < self._ahead.get_edge_data(start, end, {}).get("minutes", NEVER):
            self._ahead.add_edge(start, end, minutes=minutes)

    def _tree(self, start: str, shun: frozenset[str]) -> tuple[dict[str, list[str]], dict[str, int]]:
        key = (start, shun)
        try:
            return self._trees[key]
        except KeyError:

            def weight(_: str, end: str, edge: Mapping[str, int]) -> int | None:
                return None if end in shun else edge["minutes"]

            tree: Any = nx.dijkstra_predecessor_and_distance(
                self._ahead, start, weight=weight if shun else "minutes"
            )
            if len(self._trees) >= TREES_KEPT:
                self._trees.clear()
            self._trees[key] = tree
            return self._trees[key]

    @property
    def places(self) -> Iterable[str]:
        return self._ahead

    def neighbours(self, place: str) -> Iterable[str]:
        """Places next to one, as far as the class can march there."""
        return self._ahead[place]

    def minutes(self, start: str, end: str) -> int:
        """Minutes of march from one place to another; NEVER if there is no way."""
        row = self._rows.get(start)
        if row is None:
            row = self._rows[start] = self._tree(start, NOTHING)[1] if start in self._ahead else {}
        return row.get(end, NEVER)

    def length(self, start: str, path: tuple[str, ...]) -> int:
        """Minutes of march from `start` through the neighbouring places of a path."""
        return sum(self.minutes(a, b) for a, b in pairwise((start, *path)))

    def within(self, place: str, minutes: int) -> tuple[str, ...]:
        """Other places from which `place` is reached within so many minutes."""
        key = (place, minutes)
        if key not in self._within:
            behind = self._ahead.reverse(copy=False)
            near = nx.single_source_dijkstra_path_length(behind, place, cutoff=minutes, weight="minutes")
            self._within[key] = tuple(start for start in near if start != place)
        return self._within[key]

    def path(self, start: str, end: str, shun: frozenset[str] = frozenset()) -> tuple[str, ...] | None:
        """Places after `start` on the fastest way to `end` that passes none of `shun`, or None."""
        if start == end:
            return ()
        before = self._tree(start, shun - {start})[0] if start in self._ahead else {}
        if end not in before:
            return None
        way = [end]
        while last := before[way[-1]]:
            way.append(last[0])
        return tuple(way[-2::-1])


def march_table(world: World, march: MarchClass) -> MarchTable:
    """The table of a march class, made once per map and settings."""
    tables = world.theatre.atlas.derived_tables
    key = ("march table", march, world.settings)
    if key not in tables:
        tables[key] = MarchTable(world.theatre.atlas, march, world.settings)
    table: MarchTable = tables[key]
    return table


@dataclass(frozen=True, slots=True)
class StaffBody:
    """An own formation as the staff counts it, at `place` or nearest to it.

    `tied` bodies are garrisons and stay where they are. `sp` leaves out trains and weighs troops by
    their quality (HR-BOT-07): it is SP of Continental line.
    """

    formation: Formation
    place: str
    sp: int
    tied: bool
    march: MarchClass

    @property
    def id(self) -> str:
        return self.formation.id

    @property
    def on_route(self) -> bool:
        return self.formation.position is not None and not self.formation.position.place


@dataclass(frozen=True, slots=True)
class Enemy:
    """A sighted enemy force at `place` or nearest to it, of about `sp` strength points (as a body's)."""

    place: str
    sp: int


@dataclass(frozen=True, slots=True)
class StaffArmy:
    """Own bodies within a day's march of one another; `main` is where the strongest part stands."""

    bodies: tuple[StaffBody, ...]
    main: str

    @property
    def sp(self) -> int:
        return sum(body.sp for body in self.bodies)

    @property
    def key(self) -> str:
        return min(body.id for body in self.bodies)


@dataclass(frozen=True)
class StaffSituation:
    """All a staff officer has before him on one morning."""

    world: World
    side: str
    bodies: tuple[StaffBody, ...]
    enemies: tuple[Enemy, ...]
    holders: Mapping[str, str]
    visible: frozenset[str]
    foot: MarchTable
    worth: Mapping[str, int] = field(default_factory=dict)
    not_yet: frozenset[str] = frozenset()

    @cached_property
    def present(self) -> dict[str, list[Unit]]:
        """Units on the map by formation."""
        return present_units(self.world)

    @cached_property
    def free(self) -> tuple[StaffBody, ...]:
        """Bodies that may be moved."""
        return tuple(body for body in self.bodies if not body.tied)

    @cached_property
    def armies(self) -> tuple[StaffArmy, ...]:
        """Free bodies gathered by nearness, the strongest army first."""
        day = self.world.settings.march_minutes
        near: nx.Graph[str] = nx.Graph()
        near.add_nodes_from(body.place for body in self.free)
        places = sorted(near)
        near.add_edges_from(
            (a, b)
            for index, a in enumerate(places)
            for b in places[index + 1 :]
            if min(self.foot.minutes(a, b), self.foot.minutes(b, a)) <= day
        )
        armies = []
        for group in nx.connected_components(near):
            bodies = tuple(body for body in self.free if body.place in group)
            armies.append(StaffArmy(bodies, self.main_of(bodies)))
        return tuple(sorted(armies, key=lambda army: (-army.sp, army.key)))

    def main_of(self, bodies: tuple[StaffBody, ...]) -> str:
        """Return the place of the strongest part of some bodies."""
        at: dict[str, int] = {}
        for body in bodies:
            at[body.place] = at.get(body.place, 0) + body.sp
        return min(at, key=lambda place: (-at[place], place))

    @cached_property
    def afield(self) -> tuple[Enemy, ...]:
        """Sighted enemies that do not stand at a base of their side."""
        theatre = self.world.theatre
        bases = theatre.supply.get(theatre.enemy_of(self.side), ())
        return tuple(enemy for enemy in self.enemies if enemy.place not in bases)

    @cached_property
    def enemy_places(self) -> frozenset[str]:
        return frozenset(enemy.place for enemy in self.enemies)

    def score(self, start: str, place: str) -> int:
        """Return the value of a march to a place: its worth over days of march plus one."""
        minutes = self.world.settings.march_minutes + self.foot.minutes(start, place)
        return self.worth.get(place, 0) * 1000 // minutes

    def works(self, place: str) -> int:
        """Percent by which works at `place` raise the strength of its holder."""
        return WORKS_PERCENT[self.world.theatre.atlas.places[place].fortification]

    def mine(self, place: str) -> bool:
        return self.holders.get(place) == self.side

    def hostile(self, place: str) -> bool:
        return self.holders.get(place, self.side) != self.side

    def enemy_near(self, place: str, minutes: int) -> int:
        """SP of sighted enemies that can be at `place` within so many minutes of march."""
        return sum(e.sp for e in self.enemies if self.foot.minutes(e.place, place) <= minutes)

    def threat_to(self, place: str, minutes: int) -> int:
        """SP of sighted enemies that may come to `place` so soon; troops at their own base are left out."""
        return sum(enemy.sp for enemy in self.afield if self.foot.minutes(enemy.place, place) <= minutes)

    @cached_property
    def _met_at(self) -> dict[str, int]:
        """Cache of the results of `enemy_at`."""
        return {}

    def enemy_at(self, place: str) -> int:
        """SP to be met at `place`: the sighted within a day's march, and the garrisons reckoned behind
        works out of sight, there and within half a day."""
        if place not in self._met_at:
            day = self.world.settings.march_minutes
            near = (place, *self.foot.within(place, day // 2))
            self._met_at[place] = self.enemy_near(place, day) + sum(self._unseen(each) for each in near)
        return self._met_at[place]

    def _unseen(self, place: str) -> int:
        if place in self.visible or not self.hostile(place):
            return 0
        return UNSEEN_GARRISON[self.world.theatre.atlas.places[place].fortification]

    def need_to_take(self, place: str, percent: int) -> int:
        """SP that give `percent` of the enemy's strength at `place`, works counted if he holds it."""
        works = self.works(place) if self.hostile(place) else 100
        return -(-self.enemy_at(place) * works * percent // 10_000)


def sp_of(units: list[Unit]) -> int:
    """Strength points of units that fight (AWI-C-STR-02), weighed by quality (HR-BOT-07)."""
    return (
        sum(strength_points(unit.points) * rate_unit_quality(unit) for unit in units if not unit.is_train)
        // 100
    )


def nearest_place(world: World, position: Position, hostile: frozenset[str] = frozenset()) -> str:
    """The place of a position, or the nearer end of the route it is on that is not `hostile`."""
    if position.place:
        return position.place
    whole = world.theatre.atlas.routes[position.route].yards
    nearer = 2 * position.yards >= whole
    ends = (position.origin, position.destination) if not nearer else (position.destination, position.origin)
    return ends[1] if ends[0] in hostile and ends[1] not in hostile else ends[0]


def assess_situation(world: World, side: str, enemy_quality: int | None = None) -> StaffSituation:
    """The situation as `side` may know it on the morning of `world.day`.

    `enemy_quality` is that of the enemy's troops at large, percent, where the world has them not in it.
    """
    world = build_reported_world(world, side)
    view = side_view(world, side)
    if enemy_quality is None:
        enemy_quality = general_quality(world.theatre, world.theatre.enemy_of(side))
    enemies = tuple(
        Enemy(nearest_place(world, sighting.position), sighting.sp * enemy_quality // 100)
        for sighting in view.enemies
        if world.day - sighting.day <= STALE_DAYS
    )
    return StaffSituation(
        world=world,
        side=side,
        bodies=_list_own_bodies(world, side, frozenset(enemy.place for enemy in enemies)),
        enemies=enemies,
        holders=view.holders,
        visible=view.visible,
        foot=march_table(world, FOOT),
        worth=_weigh_objectives(world, side),
        not_yet=frozenset(
            objective.place
            for objective in world.theatre.objectives
            if objective.side == side
            and objective.from_day > world.day
            and view.holders.get(objective.place, side) != side
        ),
    )


def _list_own_bodies(world: World, side: str, hostile: frozenset[str] = frozenset()) -> tuple[StaffBody, ...]:
    units = present_units(world)
    bodies = []
    for key in sorted(world.formations):
        formation = world.formations[key]
        here = units.get(key)
        if formation.side == side and formation.position is not None and here:
            bodies.append(
                StaffBody(
                    formation=formation,
                    place=nearest_place(world, formation.position, hostile),
                    sp=sp_of(here),
                    tied=formation.garrison or all(unit.static for unit in here),
                    march=formation_mobility(here),
                )
            )
    return tuple(bodies)


def _weigh_objectives(world: World, side: str) -> dict[str, int]:
    """Worth of the side's objectives of the day: points times weight; weight 0 is of no interest."""
    return {
        objective.place: objective.points * objective.weight
        for objective in world.theatre.objectives
        if objective.side == side and objective.from_day <= world.day and objective.weight
    }
