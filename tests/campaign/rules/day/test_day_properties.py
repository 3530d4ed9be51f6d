"""What must be true of every day, over random small wars (HR-CON, HR-RET, AWI-C-MAR-02)."""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from campaign.rules.day import day as day_module
from campaign.rules.day.field import DayState, count_strength
from campaign.rules.map.atlas import CLOSED
from campaign.rules.map.bridges import ROADS
from campaign.rules.map.paths import path_find
from campaign.rules.march.boats import WITH, carries_boats
from campaign.rules.march.marching import formation_mobility
from campaign.rules.world.outcome import Completed
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Position, Unit, UnitStatus, World, present_units
from campaign.rules.world.world_json import world_from_json, world_hash, world_to_json
from tests.factories.random_wars import play_day, random_orders, random_organisation, random_war, rough_war

#: Wars on easy and on rough ground.
WARS = pytest.mark.parametrize("war", [random_war, rough_war], ids=["plain", "rough"])
War = Callable[[int], World]


class Watch:
    """Looks at every route after every minute of the clock: nobody has come past an enemy."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        play_minute = day_module._play_minute
        self.before: dict[str, tuple[str, Any, str]] = {}
        self.field: DayState | None = None

        def watched(field: DayState, *rest: Any) -> Any:
            now = field.clock[0].time
            if field is not self.field:  # the day is played again from its morning
                self.field, self.before = field, self.look(field, now)
            waiting = play_minute(field, *rest)
            if waiting is not None or (field.clock and field.clock[0].time == now):
                return waiting  # the minute is not over
            after = self.look(field, now)
            self.compare(field, after)
            self.before = after
            return waiting

        monkeypatch.setattr(day_module, "_play_minute", watched)

    def look(self, field: DayState, now: Any) -> dict[str, tuple[str, Any, str]]:
        return {
            key: (column.route.id if column.route else "", column.yard(now), column.place)
            for key, column in field.columns.items()
        }

    def compare(self, field: DayState, after: dict[str, tuple[str, Any, str]]) -> None:
        for one, (route, yard, _) in self.before.items():
            for other, (same, level, _) in self.before.items():
                if not route or route != same or one not in after or other not in after:
                    continue
                if field.columns[one].side == field.columns[other].side or not yard < level:
                    continue
                if any(field.columns[each].retreated and not after[each][0] for each in (one, other)):
                    continue  # it may have fallen back through the other end and round
                self.still_below(field, route, after[one], after[other])

    def still_below(
        self, field: DayState, route: str, low: tuple[str, Any, str], high: tuple[str, Any, str]
    ) -> None:
        """`low` was nearer end `a` than `high`: it has not come out at `b` before it, nor past it."""
        end = field.atlas.routes[route]
        if low[0] == high[0] == route:
            assert low[1] < high[1]
        if high[0] == route:
            assert low[2] != end.b
        if low[0] == route:
            assert high[2] != end.a


@pytest.mark.slow
@WARS
@settings(
    max_examples=100,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(seed=st.integers(0, 10**6))
def test_every_day_keeps_the_rules(war: War, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Points conserved, bounds, one formation a unit, no double march exceeded, no passing through."""
    world = war(seed)
    draw = random.Random(seed)
    with monkeypatch.context() as patch:
        Watch(patch)
        while not world.ended:
            result = play_day(world, random_orders(world, draw), random_organisation(world, draw))
            check_points(world, result)
            check_marches(world, result)
            check_counters(result.world)
            check_sieges(result.world)
            check_labour(world, result)
            check_places(result.world)
            check_holders(result.world)
            check_journal(world, result)
            limit = 2 * world.settings.march_minutes
            assert all(event.data.get("marched", 0) <= limit for event in result.events)
            assert world_hash(world_from_json(world_to_json(result.world), world.theatre)) == world_hash(
                result.world
            )
            world = result.world


def check_points(before: World, result: Completed) -> None:
    change: Counter[str] = Counter()
    for event in result.events:
        if event.before is not None and event.after is not None:
            change[event.unit] += event.after - event.before
    for key, unit in result.world.units.items():
        assert 0 <= unit.points <= 120
        assert unit.points - before.units[key].points == change[key]
        assert unit.id == key
    assert set(before.units) == set(result.world.units)
    for unit in result.world.units.values():
        assert result.world.formations[unit.formation].side == unit.side


def check_marches(before: World, result: Completed) -> None:
    """AWI-C-MAR-02: nobody comes further in a day than a double march in light order, or a retreat more."""
    fell_back = {event.formation for event in result.events if event.kind == "retreat"}
    day = before.settings.march_minutes
    for key, unit in result.world.units.items():
        start = before.formations[before.units[key].formation].position
        end = result.world.formations[unit.formation].position
        if before.units[key].status is not UnitStatus.PRESENT or unit.status is not UnitStatus.PRESENT:
            continue
        assert start is not None and end is not None
        limit = 3 * day if {unit.formation, before.units[key].formation} & fell_back else 2 * day
        assert least_minutes(before, unit, start, end) <= limit, (key, start, end)


def least_minutes(world: World, unit: Unit, start: Position, end: Position) -> int:
    """Minutes of march at the best of conditions, to the nearer end of the route on which it stands."""
    if start == end or (start.route and start.route == end.route):
        return 0
    march = replace(formation_mobility([unit]), wheels=False, heavy=False)
    goals = (end.place,) if end.place else (end.origin, end.destination)
    atlas = world.theatre.atlas
    plans = [path_find(atlas, start, (goal,), march, RuleSettings(), light_order=True) for goal in goals]
    return min(plan.minutes for plan in plans)


def check_counters(world: World) -> None:
    """HR-WRK-01, HR-BRG, HR-BOA: works within their limit, crossings and boats where they can be."""
    atlas, settings = world.theatre.atlas, world.settings
    for where, works in world.works.items():
        assert where in atlas.places
        assert 0 <= works.sp <= settings.works_most
        assert 0 <= works.left < settings.works_men_days
    for key, bridge in world.bridges.items():
        assert atlas.routes[key].crossing in ("bridge", "ferry") or key in world.rafts
        assert 0 <= bridge.work < settings.bridge_men_days
    for key, boats in world.boats.items():
        assert boats.men > 0
        if key.startswith(WITH):
            position = world.formations[key.removeprefix(WITH)].position
            assert position is not None and carries_boats(atlas.routes[position.route])
        else:
            assert boats.men <= settings.boats_most_men * len(world.theatre.atlas.places)

    for key, raft in world.rafts.items():
        assert atlas.routes[key].crossing in ("ford", "bridge")
        assert 0 <= raft.left <= settings.bridge_men_days
    for key, road in world.felled.items():
        assert atlas.routes[key].kind in ROADS
        assert 0 <= road.low < road.high <= atlas.routes[key].yards


def check_sieges(world: World) -> None:
    """HR-SIE-01, HR-SUR-02: who besieges stands before closed works of the enemy's; who treats is there."""
    present = present_units(world)
    stand = [(each.side, each.position) for key, each in world.formations.items() if key in present]
    for where, siege in world.sieges.items():
        assert world.theatre.atlas.places[where].fortification in CLOSED
        assert world.holders.get(where) != siege.side
        assert (siege.side, Position(place=where)) in stand
    for where, terms in world.terms.items():
        assert any(
            side == terms.side and position is not None and where in (position.place, position.route)
            for side, position in stand
        )


def check_labour(before: World, result: Completed) -> None:
    """HR-WRK-01, HR-BOA, HR-OBS-01: nothing is dug, gathered or felled but what the journal tells."""
    dug: Counter[str] = Counter()
    gathered = felled = 0
    for event in result.events:
        if event.kind in ("entrenched", "works_dismantled"):
            dug[event.place] += int(event.data["gained"])
        gathered += int(event.data["gained"]) if event.kind == "boats_gathered" else 0
        felled += int(event.data["yards"]) if event.kind == "road_felled" else 0
    world = result.world
    for where in {*before.works, *world.works}:
        sp = [each.works[where].sp if where in each.works else 0 for each in (before, world)]
        assert sp[1] - sp[0] == dug[where]
    assert places_in_boats(world) <= places_in_boats(before) + gathered
    assert yards_felled(world) <= yards_felled(before) + felled


def places_in_boats(world: World) -> int:
    return sum(boats.men for boats in world.boats.values())


def yards_felled(world: World) -> int:
    return sum(road.high - road.low for road in world.felled.values())


def check_places(world: World) -> None:
    present = present_units(world)
    assert all(world.formations[key].position is not None for key in present)
    for key, formation in world.formations.items():
        position = formation.position
        if position is None:
            assert key not in present
            assert formation.order is None
        elif position.route:
            route = world.theatre.atlas.routes[position.route]
            assert 0 < position.yards < route.yards
            assert {position.origin, position.destination} == {route.a, route.b}
        else:
            assert position.place in world.theatre.atlas.places


def check_holders(world: World) -> None:
    """HR-CON-13: a place where troops of one side stand alone is theirs."""
    present = present_units(world)
    there: dict[str, list[str]] = {}
    for key in sorted(present):
        position = world.formations[key].position
        if position is not None and position.place:
            there.setdefault(position.place, []).append(key)
    for where, keys in there.items():
        sides = {world.formations[key].side for key in keys}
        if len(sides) == 1 and any(count_strength(present[key]) for key in keys):
            assert {world.holders.get(where)} == sides


def check_journal(before: World, result: Completed) -> None:
    """HR-CON-13: the journal tells of every place that changes hands, to who takes and who loses it."""
    holders = dict(before.holders)
    for event in result.events:
        if event.kind == "place_taken":
            assert holders.get(event.place, "") == event.data["from"]
            assert {event.data["side"], event.data["from"]} - {""} <= set(event.sides)
            holders[event.place] = event.data["side"]
    assert holders == result.world.holders


@WARS
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_a_day_depends_neither_on_the_run_nor_on_the_order_of_mappings(war: War, seed: int) -> None:
    """Determinism; and whoever's paper was put in first, the day is the same (HR-ORG-07)."""
    world, draw = war(seed), random.Random(seed)
    given, acts = random_orders(world, draw), random_organisation(world, draw)
    first = play_day(world, given, acts)
    for _ in range(2):
        again = play_day(shuffled(world, draw), mixed(given, draw), draw.sample(acts, len(acts)))
        assert world_hash(first.world) == world_hash(again.world)
        assert first.events == again.events


def mixed(rows: Any, draw: random.Random) -> dict[str, Any]:
    return dict(draw.sample(sorted(rows.items()), len(rows)))


def shuffled(world: World, draw: random.Random) -> World:
    """The same world with everything kept in another order."""
    names = ("units", "formations", "holders", "works", "bridges", "rafts", "felled", "boats", "sieges")
    rows: dict[str, Any] = {name: mixed(getattr(world, name), draw) for name in names}
    return replace(world, **rows)
