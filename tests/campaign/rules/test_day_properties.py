"""What must be true of every day, over random small wars (HR-CON, HR-RET, AWI-C-MAR-02)."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from campaign.rules import day as day_module
from campaign.rules.atlas import RouteKind
from campaign.rules.boats import WITH, carries_boats
from campaign.rules.casualties import UnitLoss
from campaign.rules.contact import Contact, Settlement
from campaign.rules.day import advance_day
from campaign.rules.field import Field, strength_of
from campaign.rules.marching import formation_mobility
from campaign.rules.markers import Boats, Works
from campaign.rules.orders import units_of
from campaign.rules.organisation import Detach, Escort, Garrison, Join, Organisation, Transfer
from campaign.rules.organising import detachment_id
from campaign.rules.outcome import Completed
from campaign.rules.paths import path_find
from campaign.rules.settings import RuleSettings
from campaign.rules.world import Activity, Order, Position, Stage, Unit, UnitStatus, World, present_units
from campaign.rules.world_json import world_from_json, world_hash, world_to_json
from rosters.domain.vocabulary import Nation, TroopType
from tests.factories.little_wars import battalion, day_dice, little_world, place, way

NAMES = ("albany", "bennington", "castleton", "dorset", "easton", "fairfield")
LAND: tuple[RouteKind, ...] = ("road", "track", "trail")
CROSSINGS: tuple[dict[str, Any], ...] = ({}, {"crossing": "bridge"}, {"crossing": "ferry"})
TYPES = (TroopType.CONTINENTAL_LINE, TroopType.MILITIA, TroopType.INDIANS, TroopType.WAGON)


def random_war(seed: int) -> World:
    """Six places, eight or nine routes (some side by side), up to eight columns."""
    draw = random.Random(seed)
    pairs = [(NAMES[n], NAMES[(n + 1) % 6]) for n in range(6)] + [(NAMES[0], NAMES[3])]
    routes = [
        way(
            a,
            b,
            draw.randint(2, 14),
            draw.choice(("road", "track", "trail")),
            **CROSSINGS[draw.randint(0, 2)],
        )
        for a, b in pairs
    ]
    routes += [way(NAMES[1], NAMES[2], 9, "river", flow="ab"), way(NAMES[0], NAMES[1], 5, "highway")]
    ports = {"bennington", "castleton"}
    places = [
        place(name, draw.choice(("none", "none", "fort")), "river" if name in ports else "none")
        for name in NAMES
    ]
    forces = {}
    for number in range(draw.randint(2, 8)):
        forces[f"column_{number}"] = (draw.choice(("crown", "rebel")), draw.choice(NAMES), draw.randint(1, 3))
    world = little_world(
        places,
        routes,
        forces,
        holders={name: draw.choice(("crown", "rebel")) for name in NAMES if draw.random() < 0.7},
        supply={"crown": (NAMES[0],), "rebel": (NAMES[3],)},
        settings=RuleSettings(
            tiny_fights=draw.choice(("settle", "evade")), boats=draw.choice(("unlimited", "counted"))
        ),
        weather=draw.choice(("fair", "rain", "fog")),
        days=6,
    )
    units = dict(world.units)
    for key in units:
        kind = draw.choice(TYPES)
        points = 0 if kind is TroopType.WAGON else draw.choice((5, 40, 100, 120))
        nation = Nation.AMERICAN_MILITIA if kind is TroopType.MILITIA else units[key].nation
        departs = 1 if draw.random() < 0.1 else None
        units[key] = replace(units[key], troop_type=kind, points=points, nation=nation, departs=departs)
    for side in ("crown", "rebel"):
        late = battalion(f"late_{side}", side, "column_0", home=draw.choice(NAMES), arrives=2)
        if world.formations["column_0"].side == side:
            units[late.id] = replace(late, status=UnitStatus.EXPECTED)
    if draw.random() < 0.5:
        lying = {
            name: Boats(draw.choice(("crown", "rebel")), draw.randint(1, 8) * 125) for name in sorted(ports)
        }
        world = replace(world, boats=lying, works={NAMES[4]: Works("rebel", 2, 30)})
    return replace(world, units=units)


def random_orders(world: World, draw: random.Random) -> dict[str, Order]:
    given = {}
    for key in sorted(world.formations):
        if draw.random() < 0.4:
            given[key] = random_activity(world, key, draw)
        elif draw.random() < 0.6:
            via = tuple(draw.sample(NAMES, draw.randint(0, 2)))
            pace: Any = draw.choice(("normal", "plus_half", "double"))
            stance: Any = draw.choice(("attack", "give_battle", "delay", "avoid"))
            given[key] = Order(key, via, pace, stance, draw.random() < 0.2)
    return given


def random_activity(world: World, key: str, draw: random.Random) -> Order:
    """An order of any kind, sensible or not: late marches, chases, work, boats, stages."""
    stance: Any = draw.choice(("attack", "give_battle", "delay", "avoid"))
    activity: Any = draw.choice(get_args(Activity))
    target = draw.choice((str(draw.randint(1, 6)), draw.choice(sorted(world.theatre.atlas.routes))))
    via = tuple(draw.sample(NAMES, draw.randint(0, 2))) if activity in ("march", "rest") else ()
    stages = tuple(
        Stage(
            (draw.choice(NAMES),),
            wait=draw.randint(0, 2),
            when=draw.choice(("always", "enemy", "no_enemy", "held")),
            miles=draw.randint(0, 20),
            subject=draw.choice(NAMES),
            by_water=draw.random() < 0.2,
        )
        for _ in range(draw.choice((0, 0, 1, 2)))
        if activity not in ("follow", "intercept")
    )
    return Order(
        key,
        via,
        draw.choice(("normal", "plus_half", "double")),
        stance,
        draw.random() < 0.1,
        activity,
        target,
        draw.choice((0, 0, 200, 900)) if activity in ("march", "follow", "intercept") else 0,
        draw.random() < 0.3,
        stages,
    )


def random_organisation(world: World, draw: random.Random) -> list[Organisation]:
    """Acts of any kind, possible or not."""
    formations, units = sorted(world.formations), sorted(world.units)
    acts: list[Organisation] = []
    for key in formations:
        other, some = draw.choice(formations), tuple(draw.sample(units, draw.randint(1, min(2, len(units)))))
        own = tuple(unit.id for unit in units_of(world, key)[:1])
        kinds: list[Organisation] = [
            Join(key, other),
            Transfer(some, key),
            Detach(key, own, detachment_id(world, key), "A detachment", "", Order(detachment_id(world, key))),
            Garrison(key, draw.random() < 0.3),
            Escort(key, other),
        ]
        if draw.random() < 0.5:
            acts.append(draw.choice(kinds))
    return acts


def settle(contact: Contact) -> Settlement:
    """A result drawn from the contact alone."""
    draw = random.Random(contact.key)
    losses = []
    for fighter in contact.units:
        lost = draw.randint(0, fighter.sp)
        losses.append(UnitLoss(fighter.unit, fighter.sp, lost, draw.randint(0, fighter.sp - lost)))
    return Settlement(contact.key, draw.choice(("", contact.attacker, contact.defender)), tuple(losses))


def play_day(world: World, given: dict[str, Order], acts: Sequence[Organisation] = ()) -> Completed:
    settled: dict[str, Settlement] = {}
    for _ in range(60):
        result = advance_day(world, given, day_dice(world), settled, acts)
        if isinstance(result, Completed):
            return result
        for contact in result.contacts:
            assert contact.key not in settled
            assert contact.sp_of(contact.attacker) > 0
            assert contact.sp_of(contact.defender) > 0
            settled[contact.key] = settle(contact)
    raise AssertionError("the day does not end")


class Watch:
    """Looks at every route after every minute of the clock: nobody has come past an enemy."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        play_minute = day_module._minute
        self.before: dict[str, tuple[str, Any, str]] = {}
        self.field: Field | None = None

        def watched(field: Field, outcomes: Any) -> Any:
            now = field.clock[0].time
            if field is not self.field:  # the day is played again from its morning
                self.field, self.before = field, self.look(field, now)
            waiting = play_minute(field, outcomes)
            if field.clock and field.clock[0].time == now:
                return waiting  # the minute is not over
            after = self.look(field, now)
            self.compare(field, after)
            self.before = after
            return waiting

        monkeypatch.setattr(day_module, "_minute", watched)

    def look(self, field: Field, now: Any) -> dict[str, tuple[str, Any, str]]:
        return {
            key: (column.route.id if column.route else "", column.yard(now), column.place)
            for key, column in field.columns.items()
        }

    def compare(self, field: Field, after: dict[str, tuple[str, Any, str]]) -> None:
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
        self, field: Field, route: str, low: tuple[str, Any, str], high: tuple[str, Any, str]
    ) -> None:
        """`low` was nearer end `a` than `high`: it has not come out at `b` before it, nor past it."""
        end = field.atlas.routes[route]
        if low[0] == high[0] == route:
            assert low[1] < high[1]
        if high[0] == route:
            assert low[2] != end.b
        if low[0] == route:
            assert high[2] != end.a


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10**6))
def test_every_day_keeps_the_rules(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Points conserved, bounds, one formation a unit, no double march exceeded, no passing through."""
    world = random_war(seed)
    draw = random.Random(seed)
    with monkeypatch.context() as patch:
        Watch(patch)
        while not world.ended:
            result = play_day(world, random_orders(world, draw), random_organisation(world, draw))
            check_points(world, result)
            check_marches(world, result)
            check_counters(result.world)
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
        assert atlas.routes[key].crossing in ("bridge", "ferry")
        assert 0 <= bridge.work < settings.bridge_men_days
    for key, boats in world.boats.items():
        assert boats.men > 0
        if key.startswith(WITH):
            position = world.formations[key.removeprefix(WITH)].position
            assert position is not None and carries_boats(atlas.routes[position.route])
        else:
            assert boats.men <= settings.boats_most_men * len(world.theatre.atlas.places)


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
        if len(sides) == 1 and any(strength_of(present[key]) for key in keys):
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


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_a_day_depends_neither_on_the_run_nor_on_the_order_of_mappings(seed: int) -> None:
    world, draw = random_war(seed), random.Random(seed)
    given, acts = random_orders(world, draw), random_organisation(world, draw)
    first = play_day(world, given, acts)
    shuffled = replace(
        world,
        units=dict(reversed(list(world.units.items()))),
        formations=dict(reversed(list(world.formations.items()))),
        holders=dict(reversed(list(world.holders.items()))),
    )
    again = play_day(shuffled, dict(reversed(list(given.items()))), acts[::-1])
    assert world_hash(first.world) == world_hash(again.world)
    assert first.events == again.events
