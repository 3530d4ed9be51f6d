"""Days that run on while a battle waits: nothing outside the lock changes (HR-CAL-10, HR-CAL-11)."""

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from campaign.rules.contact.contact import Settlement
from campaign.rules.day.locks import Part, part_from_json, part_to_json
from campaign.rules.day.provisional import RunOn, find_definitive_division, play_day, run_on
from campaign.rules.dispatches.couriers import NOWHERE, build_elsewhere, orders_by_courier
from campaign.rules.map.atlas import Atlas, route_id
from campaign.rules.scouting.intelligence import first_look
from campaign.rules.world.events import Event
from campaign.rules.world.markers import Goal, Score
from campaign.rules.world.outcome import Completed, Pending
from campaign.rules.world.partition import Apart, FormationGroup, build_part_world
from campaign.rules.world.world import Order, Position, UnitStatus, World
from tests.factories.little_wars import day_dice, held_by, orders, told, way
from tests.factories.random_wars import random_orders, random_war, settle
from tests.factories.two_wars import BOTH_ATTACK, ROUTE, two_wars

DAYS = 3


def about(events: tuple[Event, ...], keys: frozenset[str]) -> list[Event]:
    """Events of formations and units that are not in `keys`, and those of no formation."""
    return [event for event in events if event.formation not in keys]


def confirmed(
    world: World, days: list[tuple[RunOn, Mapping[str, Order]]]
) -> list[tuple[Completed, tuple[Event, ...]]]:
    """Every day that has run on played again with its outcomes, each beside what it had shown."""
    played: list[tuple[Completed, tuple[Event, ...]]] = []
    known = world
    for number, (ahead, given_orders) in enumerate(days):
        if world.ended:
            return played
        apart = find_definitive_division(
            known, world, ahead.apart(), *(each.world for each, _ in days[number:])
        )
        assert apart is not None
        settled: dict[str, Settlement] = {}
        while True:
            result = play_day(world, given_orders, day_dice(world), settled, apart=apart)
            if isinstance(result, Completed):
                break
            for contact in result.contacts:
                assert contact.key not in settled
                settled[contact.key] = settle(contact)
        played.append((result, ahead.events))
        world, known = result.world, ahead.world
    return played


def test_hr_cal_10_a_battle_locks_who_fights_and_who_comes_near_and_nobody_else():
    world = two_wars()
    ahead = run_on(world, BOTH_ATTACK, day_dice(world), {})
    assert [contact.key for contact in ahead.contacts] == ["d0/cape/1", "d0/gap/1"]
    assert [part.formations for part in ahead.parts] == [("york", "zane"), ("ward", "xavier")]
    assert ahead.locked_formations == {"ward", "xavier", "york", "zane"}
    assert ahead.world.formations["rider"].position.route == ROUTE
    assert ahead.world.formations["ward"] == world.formations["ward"]
    assert ahead.world.day == 1
    assert told(ahead.events, "weather")


def test_hr_cal_10_the_rest_is_locked_on_the_day_its_way_would_lead_it_near():
    world = two_wars(30)
    ahead = run_on(world, BOTH_ATTACK, day_dice(world), {})
    assert "rider" not in ahead.locked_formations
    second = run_on(ahead.world, {}, day_dice(ahead.world), {}, ahead.parts)
    assert (
        "rider" in second.locked_formations
    )  # its way of the second day comes within thirteen miles of the east
    assert second.halted == tuple(sorted(second.locked_formations))
    assert second.contacts == ()


def test_hr_cal_10_by_the_setting_march_a_battle_locks_whoever_could_come_up_whatever_his_orders():
    world = two_wars(30)
    wide = replace(world, settings=replace(world.settings, lock_reach="march"))
    assert (
        "rider"
        not in run_on(
            world, orders(*BOTH_ATTACK.values(), Order("rider")), day_dice(world), {}
        ).locked_formations
    )
    assert (
        "rider"
        in run_on(wide, orders(*BOTH_ATTACK.values(), Order("rider")), day_dice(world), {}).locked_formations
    )


def test_hr_cal_10_a_battle_whose_troops_may_come_to_another_waits_for_it():
    world = two_wars(5)
    ahead = run_on(world, BOTH_ATTACK, day_dice(world), {})
    assert len(ahead.contacts) == 1
    assert len(ahead.parts) == 1
    assert ahead.locked_formations == set(world.formations)


def test_hr_cal_11_two_battles_of_one_day_are_settled_each_by_itself():
    """Each is at hand at once, and the outcome of one changes nothing of the other."""
    world = two_wars()
    ahead = run_on(world, BOTH_ATTACK, day_dice(world), {})
    east, west = ahead.contacts
    ends = []
    for winner in ("crown", "rebel"):
        settled = {west.key: held_by(west, winner), east.key: held_by(east, "crown", {"zane_1": 2})}
        day = play_day(world, BOTH_ATTACK, day_dice(world), settled, apart=ahead.apart())
        assert isinstance(day, Completed)
        ends.append(day)
    one, other = ends
    assert about(one.events, frozenset({"ward", "xavier"})) != ()
    for key in ("york", "zane", "rider"):
        assert one.world.formations[key] == other.world.formations[key]
    assert one.world.formations["xavier"] != other.world.formations["xavier"]
    assert len(told(one.events, "weather")) == 1


def test_hr_cal_11_a_day_waits_for_all_its_battles_that_have_no_outcome():
    world = two_wars()
    ahead = run_on(world, BOTH_ATTACK, day_dice(world), {})
    result = play_day(world, BOTH_ATTACK, day_dice(world), {}, apart=ahead.apart())
    assert isinstance(result, Pending)
    assert result.contacts == ahead.contacts
    part = play_day(
        world,
        BOTH_ATTACK,
        day_dice(world),
        {ahead.contacts[0].key: held_by(ahead.contacts[0], "crown")},
        apart=ahead.apart(),
    )
    assert isinstance(part, Pending)
    assert part.contacts == ahead.contacts[1:]


def test_hr_cal_11_who_is_locked_halts_until_the_outcome_and_then_takes_up_his_orders():
    world = two_wars(30)
    march = orders(*BOTH_ATTACK.values())
    ahead = run_on(world, march, day_dice(world), {})
    second = run_on(ahead.world, {}, day_dice(ahead.world), {}, ahead.parts)
    (one, _), (two, _) = confirmed(world, [(ahead, march), (second, {})])
    before, after = one.world.formations["rider"], two.world.formations["rider"]
    assert after.position == before.position
    assert after.order == before.order == Order("rider", ("east",))


def test_a_lost_side_in_one_part_does_not_end_the_campaign():
    world = two_wars()
    ahead = run_on(world, BOTH_ATTACK, day_dice(world), {})
    east, west = ahead.contacts
    dead = {fighter.unit: fighter.sp for fighter in west.units if fighter.side == "rebel"}
    settled = {west.key: held_by(west, "crown", dead), east.key: held_by(east, "rebel")}
    day = play_day(world, BOTH_ATTACK, day_dice(world), settled, apart=ahead.apart())
    assert isinstance(day, Completed)
    assert not day.world.ended
    assert not told(day.events, "campaign_ended")


def test_parts_and_divisions_are_stored_and_read_back():
    world = two_wars()
    ahead = run_on(world, BOTH_ATTACK, day_dice(world), {})
    for part in ahead.parts:
        assert part_from_json(part_to_json(part)) == part
    apart = replace(ahead.apart(), shared={"holders": {"gap": "crown", "east": None}}, numbers={"crown": 3})
    assert Apart.from_json(apart.to_json()) == apart and "reports" not in apart.to_json()
    apart = replace(apart, reports=("crown/report/0/gap",))
    assert Apart.from_json(apart.to_json()) == apart


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32), st.booleans(), st.sampled_from(["off", "food"]))
@example(370, False, "off")  # late troops of a locked column had fought in a battle that was settled before
@example(406291, True, "food")  # a post on the rest's ground sends a report of a locked column
def test_hr_cal_11_no_die_or_event_of_the_unlocked_changes_when_the_outcome_comes(seed, couriers, supply):
    """What was shown of the days that ran on is word for word, die by die, part of the definitive days."""
    world = far_flung(seed)
    world = replace(world, settings=replace(world.settings, couriers=couriers, supply=supply))
    draw = random.Random(seed)
    now, parts, days = world, tuple[Part, ...](), []
    for _ in range(DAYS):
        given_orders = orders_about(now, draw)
        ahead = rest_settled(now, given_orders, parts)
        days.append((ahead, given_orders))
        now, parts = ahead.world, ahead.parts
    for (result, shown), (ahead, _) in zip(confirmed(world, days), days, strict=False):
        happened = Counter(map(repr, result.events))
        assert not Counter(map(repr, shown)) - happened
        added = Counter(map(repr, result.events)) - Counter(map(repr, shown))
        units = {key: unit.formation for key, unit in result.world.units.items()}
        locked = ahead.locked_formations | (set(result.world.formations) - set(ahead.world.formations))
        for event in result.events:
            if added[repr(event)] and event.kind != "campaign_ended":
                assert not event.formation or event.formation in locked
                assert not event.unit or units[event.unit] in locked
        for key, formation in ahead.world.formations.items():
            if key not in locked:
                assert result.world.formations[key] == formation
        assert set(result.world.units) == set(world.units)


def rest_settled(now: World, given_orders: Mapping[str, Order], parts: tuple[Part, ...]) -> RunOn:
    """A day run on in which the engine has settled every other contact of the rest at once."""
    settled: dict[str, Settlement] = {}
    while True:
        ahead = run_on(now, given_orders, day_dice(now), settled, parts)
        small = [contact for contact in ahead.contacts if len(contact.key) % 2]
        if not small:
            return ahead
        settled |= {contact.key: settle(contact) for contact in small}


def far_flung(seed: int) -> World:
    """Two random wars on one map, a hundred miles from one another."""
    near, far = random_war(seed), abroad(random_war(seed + 1))
    atlas = Atlas.of(
        [*near.theatre.atlas.places.values(), *far.theatre.atlas.places.values()],
        [
            *near.theatre.atlas.routes.values(),
            *far.theatre.atlas.routes.values(),
            way("albany", "far_albany", 100, "highway"),
        ],
    )
    supply = {side: (*near.theatre.supply[side], *far.theatre.supply[side]) for side in ("crown", "rebel")}
    return replace(
        near,
        theatre=replace(near.theatre, atlas=atlas, supply=supply),
        units={**near.units, **far.units},
        formations={**near.formations, **far.formations},
        holders={**near.holders, **far.holders},
    )


def abroad(world: World) -> World:
    """The same war with other names for its places, formations and units."""

    def far(name: str) -> str:
        return f"far_{name}" if name else ""

    atlas = world.theatre.atlas
    moved = Atlas.of(
        [replace(each, id=far(each.id)) for each in atlas.places.values()],
        [
            replace(each, id=route_id(far(each.a), far(each.b), each.kind), a=far(each.a), b=far(each.b))
            for each in atlas.routes.values()
        ],
    )
    supply = {side: tuple(map(far, places)) for side, places in world.theatre.supply.items()}
    return replace(
        world,
        theatre=replace(world.theatre, atlas=moved, supply=supply),
        units={
            far(key): replace(unit, id=far(key), formation=far(unit.formation), home=far(unit.home))
            for key, unit in world.units.items()
        },
        formations={
            far(key): replace(each, id=far(key), position=Position(far(each.position.place)))
            for key, each in world.formations.items()
        },
        holders={far(key): side for key, side in world.holders.items()},
    )


def orders_about(world: World, draw: random.Random) -> dict[str, Order]:
    """Random orders within each of the two wars."""
    return {
        key: replace(
            order, via=tuple(f"far_{stop}" if key.startswith("far_") else stop for stop in order.via)
        )
        for key, order in random_orders(world, draw).items()
    }


def test_hr_cal_11_a_side_with_nobody_left_outside_the_lock_does_not_end_the_campaign():
    """The rest holds none of the rebels but one who surrendered: judged is the whole theatre."""
    world = two_wars()
    gone = replace(world.units["rider_1"], points=0, status=UnitStatus.SURRENDERED)
    rider = replace(world.formations["rider"], position=None)
    goal = Goal("post", "", "east", points=10)
    world = replace(
        world,
        units={**world.units, "rider_1": gone},
        formations={**world.formations, "rider": rider},
        goals={"post/east": goal},
        scores={"crown": Score(0), "rebel": Score(0)},
    )
    given_orders = orders(*(BOTH_ATTACK[key] for key in ("ward", "york")))
    ahead = run_on(world, given_orders, day_dice(world), {})
    assert "rider" not in ahead.locked_formations
    settled = {contact.key: held_by(contact, "crown") for contact in ahead.contacts}
    day = play_day(world, given_orders, day_dice(world), settled, apart=ahead.apart())
    assert isinstance(day, Completed)
    assert not day.world.ended
    assert not told(day.events, "campaign_ended")


def test_hr_cou_02_headquarters_in_another_part_send_orders_and_read_reports_no_faster():
    """Halting York takes days: so the battle he marches into is fought when the day is played in parts."""
    world = two_wars()
    under_orders = {key: replace(world.formations[key], order=BOTH_ATTACK[key]) for key in ("york", "rider")}
    world = replace(
        world,
        settings=replace(world.settings, couriers=True),
        formations={**world.formations, **under_orders},
    )
    world = first_look(world, day_dice(world))
    assert world.watches["crown"].headquarters == "ward"
    halt = orders(Order("york"))
    ahead = run_on(world, halt, day_dice(world), {})
    assert [part.formations for part in ahead.parts] == [("york", "zane")]
    (contact,) = ahead.contacts
    apart = find_definitive_division(world, world, ahead.apart(), ahead.world)
    assert apart is not None
    assert Apart.from_json(apart.to_json()) == apart
    day = play_day(world, halt, day_dice(world), {contact.key: held_by(contact, "crown")}, apart=apart)
    assert isinstance(day, Completed)
    assert told(day.events, "battle")
    assert [paper.to for paper in day.world.dispatches.values() if paper.kind == "order"] == ["york"]
    assert "crown/report/0/york" in day.world.dispatches


def test_hr_cou_03_enemies_of_another_part_bar_a_couriers_way():
    """Rider, who is locked, stands at the gap: York's courier from the west has to pass him."""
    world = two_wars()
    world = replace(
        world,
        settings=replace(world.settings, couriers=True, courier_taken_on=1),
        units={key: unit for key, unit in world.units.items() if unit.formation != "xavier"},
        formations={
            **world.formations,
            "york": replace(world.formations["york"], order=BOTH_ATTACK["york"]),
            "rider": replace(world.formations["rider"], position=Position(place="gap")),
        },
    )
    world = first_look(world, day_dice(world))
    given_orders = orders(Order("york"))
    apart = Apart((FormationGroup(("rider",), ()),))
    whole = build_elsewhere(world, ("rider",))
    assert whole.stands == {"rebel": (Position(place="gap"),)}
    for others, sent in ((whole, 0), (NOWHERE, 1)):
        part = build_part_world(world, apart, None)
        after, _, events = orders_by_courier(part, given_orders, day_dice(world), others)
        assert sum(paper.kind == "order" for paper in after.dispatches.values()) == sent
        assert len(told(events, "dispatch_taken")) == 1 - sent
