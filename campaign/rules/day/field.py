"""The theatre in the course of one day: columns, holders, strengths, the clock, the journal."""

import heapq
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from typing import Any

from campaign.rules.army.leaders import GeneralLoss
from campaign.rules.contact.casualties import points_for_battle
from campaign.rules.contact.contact import Contact
from campaign.rules.day.weather import Conditions
from campaign.rules.map.atlas import WATER_KINDS, Route
from campaign.rules.map.bridges import atlas_now
from campaign.rules.map.paths import can_embark
from campaign.rules.march.boats import boats_with, carries_boats, land_boats
from campaign.rules.march.columns import Column, Exact, OpenBattle, find_meeting_minute
from campaign.rules.march.marching import has_to_clear, yards_per_day
from campaign.rules.world.events import Event
from campaign.rules.world.markers import NOBODY, Boats, Bridge, Felled, Raft, Siege, Terms, Works
from campaign.rules.world.world import Unit, UnitStatus, World
from rosters.domain.dice import DiceRoller
from rosters.domain.strength import strength_points

MIDNIGHT = 24 * 60
#: A column that stands so near the edge of a felled road at night is at it: places are made whole then.
SLACK_YARDS = 100

#: What falls due, in the order in which one minute is played.
BATTLE_ENDS, ARRIVAL, MEETING, MARCH_ENDS, SETS_OFF, PACE_CHANGES = range(6)


@dataclass(frozen=True, slots=True, order=True)
class ScheduledMoment:
    """Something due at exact minute `time`. Void when a column's version has changed since."""

    time: Exact
    kind: int
    subject: str
    other: str = ""
    version: int = 0
    other_version: int = 0


class DayState:
    """Everything one day changes. Made from a world in the morning, read into the next at night."""

    def __init__(self, world: World, dice: DiceRoller, conditions: Conditions) -> None:
        self.world = world
        self.settings = world.settings
        self.atlas = atlas_now(world)
        self.dice = dice
        self.conditions = conditions
        self.units: dict[str, Unit] = dict(world.units)
        self.holders: dict[str, str] = dict(world.holders)
        self.works: dict[str, Works] = dict(world.works)
        self.bridges: dict[str, Bridge] = dict(world.bridges)
        self.rafts: dict[str, Raft] = dict(world.rafts)
        self.felled: dict[str, Felled] = dict(world.felled)
        self.boats: dict[str, Boats] = dict(world.boats)
        self.sieges: dict[str, Siege] = dict(world.sieges)
        self.terms: dict[str, Terms] = dict(world.terms)
        self.warriors: dict[str, int] = dict(world.warriors)
        self.columns: dict[str, Column] = {}
        self.at_place: dict[str, set[str]] = {}
        self.on_route: dict[str, set[str]] = {}
        self.battles: dict[str, OpenBattle] = {}
        self.meetings: dict[str, int] = {}
        self.sp_lost: dict[str, int] = {}
        self.generals: list[GeneralLoss] = []
        self.events: list[Event] = []
        self.settled_contacts: list[Contact] = []
        self.clock: list[ScheduledMoment] = []

    # --- the journal ---

    def log(self, kind: str, now: Exact, rule: str, sides: Iterable[str], **facts: Any) -> None:
        """Put an event into the journal. Minutes are rounded up to whole ones."""
        self.events.append(Event(kind, self.minute(now), rule, tuple(sides), **facts))

    def minute(self, now: Exact) -> int:
        """The whole minute of the journal for an exact one."""
        return min(ceil(now), MIDNIGHT)

    @property
    def both(self) -> tuple[str, ...]:
        return tuple(side.id for side in self.world.theatre.sides)

    # --- who is where ---

    def add(self, column: Column) -> None:
        """Put a column on the map, where its `place` or `route` says."""
        self.columns[column.id] = column
        self._index(column).add(column.id)

    def remove(self, column: Column) -> None:
        """Take a column without units off the map."""
        self._index(column).discard(column.id)
        column.version += 1
        del self.columns[column.id]

    def _index(self, column: Column) -> set[str]:
        if column.route is not None:
            return self.on_route.setdefault(column.route.id, set())
        return self.at_place.setdefault(column.place, set())

    def at(self, place: str) -> list[Column]:
        """Columns at a place, in order of id."""
        return [self.columns[key] for key in sorted(self.at_place.get(place, ()))]

    def along(self, route: str) -> list[Column]:
        """Columns on a route, in order of id."""
        return [self.columns[key] for key in sorted(self.on_route.get(route, ()))]

    def put_at_place(self, column: Column, place: str, came_by: str, came_from: str) -> None:
        self._index(column).discard(column.id)
        column.place, column.route = place, None
        column.came_by, column.came_from = came_by, came_from
        column.at = column.speed = 0
        column.version += 1
        self._index(column).add(column.id)

    def put_on_route(self, column: Column, route: str, origin: str, yard: Exact) -> None:
        """`yard` from end `a` of the route, coming from its end `origin`."""
        self._index(column).discard(column.id)
        column.place, column.route = "", self.atlas.routes[route]
        column.came_by, column.came_from = "", origin
        column.at, column.speed = yard, 0
        column.version += 1
        self._index(column).add(column.id)

    # --- strength ---

    def units_of(self, column: Column) -> list[Unit]:
        """Units of a column that are still with it."""
        units = (self.units[key] for key in column.units)
        return [unit for unit in units if unit.status is UnitStatus.PRESENT]

    def points_today(self, unit: Unit) -> int:
        """Points a unit fights with, after what it lost in the day's battles so far (AWI-C-BAT-04)."""
        return points_for_battle(unit.points, self.sp_lost.get(unit.id, 0))

    def reckon(self, column: Column) -> None:
        """Count a column's strength again after losses; a column without units leaves the map."""
        present = self.units_of(column)
        column.sp = sum(strength_points(self.points_today(unit)) for unit in present if not unit.is_train)
        if not present:
            self.remove(column)

    # --- marching ---

    def march(self, column: Column, now: Exact) -> None:
        """Set a column off on the next route of its path, or let it stand if it cannot go."""
        if column.battle is not None or column.waits or not column.path or column.left <= 0:
            self.stand(column, now)
            return
        if now < column.sets_off:  # HR-ORD-05
            self.stand(column, now)
            return
        route_id, origin = column.path[0]
        route = self.atlas.routes[route_id]
        rate = self.rate(column, route_id, origin)
        if column.route is None and route_id in self.bridges:
            self.comes_to_crossing(column, now, closed=rate is None)
        if rate is None:  # the path was found for today's weather: a change of wheels, or a broken bridge
            self.stand(column, now)
            return
        if column.route is None and not carries_boats(route):
            land_boats(self.boats, column.id, column.place)
        if column.route is None:
            self.put_on_route(column, route_id, origin, 0 if origin == route.a else route.yards)
        column.came_from = origin
        self.clear(column, column.at, now)
        to_go = route.yards - column.at if origin == route.a else column.at
        ahead, rate = self._stretch(column, route, origin, rate, to_go, now)
        speed = Fraction(rate, self.settings.march_minutes)
        reaches = now + ahead / speed
        stops = min(now + column.left, MIDNIGHT)
        column.since = column.started = now
        column.set_out = column.at
        column.speed = speed if origin == route.a else -speed
        column.until = min(reaches, stops)
        column.version += 1
        if reaches <= stops and ahead == to_go:
            self._due(ScheduledMoment(ceil(reaches), ARRIVAL, column.id, version=column.version))
        elif reaches <= stops:  # not a moment later: who stood there unseen could be passed
            self._due(ScheduledMoment(reaches, PACE_CHANGES, column.id, version=column.version))
        else:
            self._due(ScheduledMoment(stops, MARCH_ENDS, column.id, version=column.version))
        self.expect_meetings(column, now)

    def rate(self, column: Column, route: str, origin: str) -> int | None:
        """Yards of a normal day for a column. Fords were judged when its path was found (HR-MAR-07).

        Not so a broken bridge, of which its side need not have known; who is on the route has it behind
        him or may turn back (HR-BRG-01).
        """
        dry = replace(self.conditions, wet_days=0)
        way = self.atlas.routes[route]
        if route in self.bridges and column.route is None:
            dry = self.conditions
        elif way.broken:
            way = way.whole
        if way.felled:
            way = replace(way, felled=0)
        return yards_per_day(way, origin, column.march, self.settings, dry, light_order=column.light)

    def comes_to_crossing(self, column: Column, now: Exact, *, closed: bool) -> None:
        """A column finds a crossing broken: its side knows it now, and if it is closed the march stops."""
        route = column.path[0][0]
        bridge = self.bridges.get(route)
        if bridge is not None and bridge.known_by not in ("", column.side):
            self.bridges[route] = replace(bridge, known_by=column.side if bridge.known_by == NOBODY else "")
        if closed:
            column.path = []
        self.log(
            "crossing_broken",
            now,
            "HR-BRG-01",
            (column.side,),
            formation=column.id,
            place=column.place,
            route=route,
            data={"closed": closed},
        )

    # --- felled roads (HR-OBS-01) ---

    def _stretch(
        self, column: Column, route: Route, origin: str, rate: int, to_go: Exact, now: Exact
    ) -> tuple[Exact, int]:
        """Yards ahead over which a column keeps one pace, at most to its route's end, and that rate."""
        road = self.felled.get(route.id)
        if road is None:
            return to_go, rate
        if origin == route.a:
            near, far = road.low - column.at, road.high - column.at
        else:
            near, far = column.at - road.high, column.at - road.low
        if far <= 0 or (not has_to_clear(column.march) and road.known_by in ("", column.side)):
            return to_go, rate
        if near > 0:
            return near, rate
        if road.known_by not in ("", column.side):
            self.felled[route.id] = replace(road, known_by="")
            self.log(
                "road_found_felled", now, "HR-OBS-01", (column.side,), formation=column.id, route=route.id
            )
        return (far, min(rate, self.settings.clearing_yards)) if has_to_clear(column.march) else (to_go, rate)

    def clear(self, column: Column, yard: Exact, now: Exact) -> None:
        """Take what a column has marched over since it set out, as far as `yard`, out of a felled road."""
        if column.route is None or not column.speed or not has_to_clear(column.march):
            return
        road = self.felled.get(column.route.id)
        if road is None:
            return
        low, high = road.low, road.high
        if yard > column.set_out and column.set_out <= low + SLACK_YARDS:
            low = max(low, int(yard))
        elif yard < column.set_out and column.set_out >= high - SLACK_YARDS:
            high = min(high, ceil(yard))
        if low < high:
            self.felled[column.route.id] = replace(road, low=low, high=high)
            return
        del self.felled[column.route.id]
        self.log(
            "road_cleared",
            now,
            "HR-OBS-01",
            (column.side,),
            formation=column.id,
            route=column.route.id,
        )

    def can_embark(self, column: Column, route: Route, origin: str) -> bool:
        """True if a column has boats for a route taken from `origin` (HR-WAT-01, HR-BOA-02)."""
        if self.settings.boats == "unlimited" or route.kind not in WATER_KINDS:
            return can_embark(self.atlas, route, origin)
        return boats_with(self.boats, column.id) is not None

    def sets_off(self, column: Column) -> None:
        """Have a column that starts late set off in time (HR-ORD-05)."""
        self._due(ScheduledMoment(column.sets_off, SETS_OFF, column.id))

    def stand(self, column: Column, now: Exact) -> None:
        """Stop a column where it is at `now`."""
        column.at = column.yard(now)
        self.clear(column, column.at, now)
        self.count_march(column, now)
        column.since, column.speed = now, 0
        column.version += 1
        self.expect_meetings(column, now)

    def count_march(self, column: Column, now: Exact) -> None:
        """Add the minutes since the column set off to its day's march, rounded up."""
        if column.speed:
            minutes = min(column.left, ceil(now - column.started))
            column.marched += minutes
            column.left -= minutes
            column.last_minute = ceil(now)
            column.started = now

    def expect_meetings(self, column: Column, now: Exact) -> None:
        """Schedule a column's meetings on its route with enemies, or with anybody in a battle."""
        if column.route is None:
            return
        for other in self.along(column.route.id):
            fighting = (column.battle is None) != (other.battle is None)
            if other is column or (other.side == column.side and not fighting):
                continue
            if column.battle is not None and column.battle is other.battle:
                continue
            minute = find_meeting_minute(column, other, now)
            if minute is not None:
                first, second = sorted((column, other), key=lambda each: each.id)
                self._due(
                    ScheduledMoment(minute, MEETING, first.id, second.id, first.version, second.version)
                )

    # --- the clock ---

    def _due(self, due: ScheduledMoment) -> None:
        heapq.heappush(self.clock, due)

    def battle_ends(self, battle: OpenBattle) -> None:
        """Have a battle end at the close of its window."""
        self._due(ScheduledMoment(battle.ends, BATTLE_ENDS, battle.key))

    def next_minute(self) -> list[ScheduledMoment]:
        """All that is due at the earliest minute on the clock; what has become void is left out."""
        now = self.clock[0].time
        batch = []
        while self.clock and self.clock[0].time == now:
            due = heapq.heappop(self.clock)
            if self.holds(due):
                batch.append(due)
        return batch

    def holds(self, due: ScheduledMoment) -> bool:
        """True if the columns concerned have not changed since the moment was scheduled."""
        if due.kind in (BATTLE_ENDS, SETS_OFF):
            return True
        subject, other = self.columns.get(due.subject), self.columns.get(due.other)
        if subject is None or subject.version != due.version:
            return False
        return not due.other or (other is not None and other.version == due.other_version)


def count_strength(units: Iterable[Unit]) -> int:
    """SP of units at their permanent points, trains left out (AWI-C-STR-02, HR-REC-01)."""
    return sum(strength_points(unit.points) for unit in units if not unit.is_train)
