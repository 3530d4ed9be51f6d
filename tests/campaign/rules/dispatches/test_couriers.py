"""Orders and reports by courier (HR-COU-01 to HR-COU-04)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.rules.army.organisation import Garrison
from campaign.rules.day.locks import build_footprints
from campaign.rules.dispatches.couriers import days_behind, find_headquarters, orders_by_courier
from campaign.rules.errors import RuleViolation
from campaign.rules.map.atlas import Atlas
from campaign.rules.orders.orders import verify_order
from campaign.rules.scouting.intelligence import first_look
from campaign.rules.scouting.knowledge import build_reported_world, own_report, side_view
from campaign.rules.world.markers import Dispatch, General, Watch
from campaign.rules.world.partition import Apart, FormationGroup, delay_couriers
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Order, Position, UnitStatus, World
from campaign.rules.world.world_json import order_to_json, world_from_json, world_to_json
from campaign.text.event_sentences import narrate
from campaign.text.place_names import names_of
from rosters.domain.dice import AddressedDice
from tests.campaign.rules.scouting.test_knowledge import hidden_enemies, marches, plan
from tests.factories.fog import Hidden, dice_of, played, road, shown
from tests.factories.little_wars import completed, orders, told, way

ORDER = Order("fraser", ("bennington",))


def apart(fraser: str = "castleton", gates: str = "hubbardton", **settings: Any) -> World:
    """Burgoyne commands from Albany; Castleton is 24 miles off, Dorset 36, Fairfax 60."""
    world = road(settings=RuleSettings(couriers=True, **settings), holders={"albany": "crown"})
    moved = {
        key: replace(world.formations[key], position=Position(place=place))
        for key, place in (("fraser", fraser), ("gates", gates))
    }
    world = replace(world, formations={**world.formations, **moved})
    return first_look(world, dice_of(world))


def with_die(world: World, paper: str, value: int) -> AddressedDice:
    dice = dice_of(world)
    return replace(dice, entered={dice.address("HR-COU-03", f"crown/{paper}/fraser"): value})


def letters(world: World) -> list[Dispatch]:
    return [paper for paper in world.dispatches.values() if paper.kind == "letter"]


def place_of(world: World, formation: str = "fraser") -> str:
    position = world.formations[formation].position
    assert position is not None
    return position.place


@pytest.mark.parametrize(
    ("place", "days"), [("albany", 0), ("bennington", 0), ("castleton", 1), ("easton", 1), ("granville", 2)]
)
def test_hr_cou_02_half_a_days_ride_counts_at_once(place: str, days: int) -> None:
    world = road()
    atlas, start = world.theatre.atlas, Position(place="albany")
    assert days_behind(atlas, world.settings, start, Position(place=place)) == days
    on_the_way = Position("", "albany--bennington--road", "bennington", "albany", 1760)
    assert days_behind(atlas, world.settings, on_the_way, on_the_way) == 0


def test_hr_cou_01_headquarters() -> None:
    world = road()
    assert find_headquarters(world, "crown") == "burgoyne"
    fraser = General("Simon Fraser", "crown", "brigade", "fraser")
    senior = replace(world, generals={"fraser": fraser})
    assert find_headquarters(senior, "crown") == "fraser"
    wounded = replace(world, generals={"fraser": replace(fraser, state="wounded")})
    assert find_headquarters(wounded, "crown") == "burgoyne"
    stays = replace(senior, watches={"crown": Watch(0, 0, headquarters="burgoyne")})
    assert find_headquarters(stays, "crown") == "burgoyne"
    assert find_headquarters(replace(world, units={}), "crown") == ""


def test_hr_cou_01_of_equal_rank_the_one_with_the_older_commission_is_the_senior() -> None:
    world = road()
    generals = {
        "a": General("Simon Fraser", "crown", "brigade", "fraser", seniority=17770601),
        "b": General("James Hamilton", "crown", "brigade", "burgoyne", seniority=17760101),
    }
    assert find_headquarters(replace(world, generals=generals), "crown") == "burgoyne"


def test_hr_cou_02_of_two_orders_that_arrive_together_the_later_counts() -> None:
    world = replace(apart(), day=12)
    sent = {
        f"crown/order/{day}/fraser": Dispatch(
            "crown", "order", "albany", "fraser", day, 12, order_to_json(Order("fraser", (place,)))
        )
        for day, place in ((9, "dorset"), (10, "bennington"))
    }
    world = replace(world, dispatches=dict(sorted(sent.items())))
    after, counted, _ = orders_by_courier(world, {}, dice_of(world))
    assert counted["fraser"].via == ("bennington",)
    assert not after.dispatches


def test_hr_cou_02_an_order_counts_when_it_arrives() -> None:
    world = apart()
    done = completed(world, orders(ORDER), dice_of(world))
    assert place_of(done.world) == "castleton"
    (sent,) = told(done.events, "dispatch_sent")
    assert (sent.sides, sent.formation) == (("crown",), "fraser")
    assert [paper.due for paper in done.world.dispatches.values() if paper.kind == "order"] == [1]
    after = completed(done.world, {}, dice_of(done.world))
    assert place_of(after.world) == "bennington"
    assert not [paper for paper in after.world.dispatches.values() if paper.kind == "order"]


def test_hr_cou_02_without_couriers_and_near_by_it_counts_at_once() -> None:
    world = apart()
    off = replace(world, settings=replace(world.settings, couriers=False))
    assert place_of(completed(off, orders(ORDER), dice_of(off)).world) == "bennington"
    near = apart("bennington")
    done = completed(near, orders(Order("fraser", ("castleton",))), dice_of(near))
    assert place_of(done.world) == "castleton"


def test_hr_cou_02_orders_of_organisation_ride_too() -> None:
    world = apart()
    done = completed(world, {}, dice_of(world), organisation=[Garrison("fraser")])
    assert not done.world.formations["fraser"].garrison
    (sent,) = told(done.events, "dispatch_sent")
    assert (sent.sides, sent.formation) == (("crown",), "fraser")
    assert [(paper.to, paper.due) for paper in letters(done.world)] == [("fraser", 1)]
    assert world_from_json(world_to_json(done.world), done.world.theatre) == done.world
    after = completed(done.world, {}, dice_of(done.world))
    assert after.world.formations["fraser"].garrison
    assert not letters(after.world)
    near = apart("bennington")
    done = completed(near, {}, dice_of(near), organisation=[Garrison("fraser")])
    assert done.world.formations["fraser"].garrison and not letters(done.world)


def test_hr_cou_03_a_letter_that_is_taken_changes_nothing() -> None:
    world = apart("dorset", "bennington")
    done = completed(world, {}, with_die(world, "letter", 4), organisation=[Garrison("fraser")])
    assert not letters(done.world)
    (taken,) = [each for each in told(done.events, "dispatch_taken") if each.data["paper"] == "letter"]
    assert taken.sides == ("rebel",)
    assert "with orders for" in narrate(taken, names_of(world))


def test_hr_cal_10_what_a_courier_brings_today_is_part_of_the_day() -> None:
    """A column is locked by what it will be ordered; one that is halted gets its orders when it is free."""
    world = completed(apart(), orders(ORDER), dice_of(apart())).world
    assert "bennington" in build_footprints(world, {})["fraser"].places
    assert "bennington" not in build_footprints(replace(world, dispatches={}), {})["fraser"].places
    for halted, due in (((), 1), (("fraser",), 2)):
        morning = delay_couriers(world, Apart((FormationGroup(("fraser",)),), halted))
        (paper,) = [each for each in morning.dispatches.values() if each.kind == "order"]
        assert (paper.to, paper.due) == ("fraser", due)


@pytest.mark.parametrize(("die", "taken"), [(3, False), (4, True)])
def test_hr_cou_03_a_courier_who_passes_the_enemy_may_be_taken(die: int, taken: bool) -> None:
    world = apart("dorset", "bennington")
    done = completed(world, orders(Order("fraser", ("easton",))), with_die(world, "order", die))
    papers = [paper for paper in done.world.dispatches.values() if paper.kind == "order"]
    assert (papers == []) == taken
    (event,) = [
        each
        for each in done.events
        if each.kind in ("dispatch_taken", "dispatch_slips_through") and each.data["paper"] == "order"
    ]
    assert event.sides == (("rebel",) if taken else ())
    assert [roll.value for roll in event.rolls] == [die]
    assert "Fraser: march to Easton" in narrate(event, names_of(world))
    assert told(done.events, "dispatch_sent"), "the sender thinks it is on its way"


def test_hr_cou_04_headquarters_has_a_column_where_it_last_reported() -> None:
    world = apart()
    given: Mapping[int, list[Order]] = {0: [], 1: [Order("fraser", ("easton",))]}
    places = []
    for day in range(1, 6):
        now, events = played(world, given, day)
        (fraser,) = [one for one in side_view(now, "crown").own if one.id == "fraser"]
        assert fraser.position is not None
        places.append((place_of(now), fraser.position.place))
    # ordered on day 1, heard on day 2: at Dorset that evening, at Easton the next; told a day later each
    assert places == [
        ("castleton", "castleton"),
        ("castleton", "castleton"),
        ("dorset", "castleton"),
        ("easton", "dorset"),
        ("easton", "easton"),
    ]
    words = [
        narrate(each, names_of(world)) for day in events for each in day if each.kind == "report_received"
    ]
    assert words[-1] == "Word from Fraser: at Easton, 5 SP."
    marches_told = [each for day in events for each in told(day, "arrives") if each.formation == "fraser"]
    assert marches_told and all(each.sides == () for each in marches_told)


def test_hr_cou_04_back_near_headquarters_it_is_seen_itself() -> None:
    world = apart()
    assert own_report(world, world.formations["fraser"]) is not None
    back, _ = played(world, {0: [ORDER]}, 3)
    assert place_of(back) == "bennington"
    assert own_report(back, back.formations["fraser"]) is None
    assert not back.dispatches


def test_hr_cou_04_what_a_column_sees_is_known_when_its_report_is_in() -> None:
    """Gates stands two miles from Fraser at Dorset, who sees him at once; Albany hears a day later."""
    world = apart("dorset")
    near = Position("", "dorset--easton--road", "easton", "dorset", 10 * 1760)
    gates = replace(world.formations["gates"], position=near)
    world = replace(world, formations={**world.formations, "gates": gates}, watches={}, reports={})
    world = first_look(replace(world, dispatches={}), dice_of(world))
    assert side_view(world, "crown").enemies == ()
    after = completed(world, {}, dice_of(world)).world
    (one,) = side_view(after, "crown").enemies
    assert (one.name, one.position, one.source, one.by) == ("Gates", near, "courier", "fraser")
    assert (one.day, one.in_sight) == (-1, False)


def test_dispatches_are_part_of_the_world() -> None:
    world, _ = played(apart(), {0: [ORDER]}, 1)
    assert world.dispatches
    assert world_from_json(world_to_json(world), world.theatre) == world


@given(one=hidden_enemies, other=hidden_enemies, ordered=marches, days=st.integers(1, 6))
def test_hr_fog_01_couriers_tell_nothing_of_what_is_out_of_sight(
    one: list[Hidden], other: list[Hidden], ordered: list[tuple[int, str, str, str]], days: int
) -> None:
    """With the rebels' headquarters and their letters left out of it: those are for the Crown to take."""
    found = []
    for hidden in (one, other):
        world = road(hidden, settings=RuleSettings(couriers=True, courier_taken_on=7))
        world = replace(world, generals={"gates": General("Gates", "rebel", "army commander", "gates")})
        moved = replace(world.formations["fraser"], position=Position(place="castleton"))
        world = replace(world, formations={**world.formations, "fraser": moved})
        found.append(shown(*played(world, plan(hidden, ordered), days), "crown"))
    assert found[0] == found[1]


# --- what stands where a far column was last reported ---


def before_works(gates: str, *, held: bool = True) -> World:
    """Fraser was last heard of before a fort at Granville, on a lake; perhaps Gates is in it."""
    world = road(settings=RuleSettings(couriers=True), holders={"albany": "crown"})
    known = {"albany": "crown", **({"granville": "rebel"} if held else {})}
    atlas = world.theatre.atlas
    places = [
        replace(each, port="lake", fortification="fort" if each.id == "granville" else "none")
        for each in atlas.places.values()
    ]
    lake = way("castleton", "granville", 30, "lake")
    theatre = replace(world.theatre, atlas=Atlas.of(places, [*atlas.routes.values(), lake]), holders=known)
    moved = {
        key: replace(world.formations[key], position=Position(place=place))
        for key, place in (("fraser", "granville"), ("gates", gates))
    }
    world = replace(
        world, theatre=theatre, holders=known, formations={**world.formations, **moved}, day=world.day
    )
    return first_look(world, dice_of(world))


def refusal(world: World, order: Order) -> str:
    try:
        verify_order(build_reported_world(world, "crown"), order, "crown")
    except RuleViolation as violation:
        return f"{violation.rule_id}: {violation.message}"
    return ""


def test_hr_cou_04_no_refusal_tells_of_enemies_a_far_column_has_not_reported() -> None:
    """Guns command the water for whom headquarters knows to be there (HR-WAT-04)."""
    away = Order("fraser", ("castleton",), by_water=True)
    empty = before_works("hubbardton")
    gates = replace(empty.formations["gates"], position=Position(place="granville"))
    manned = replace(empty, formations={**empty.formations, "gates": gates})
    assert refusal(empty, away) == refusal(manned, away) == ""
    assert refusal(before_works("granville"), away) == ""  # its report is on the way
    reported = completed(before_works("granville"), {}, dice_of(empty)).world
    for _ in range(2):
        reported = completed(reported, {}, dice_of(reported)).world
    assert refusal(reported, away).startswith("HR-WAT-04")


def test_hr_cou_04_no_refusal_tells_who_took_a_place_since_a_far_column_reported() -> None:
    """A fort that was nobody's: that the enemy is in it, its report will say (HR-FOG-01)."""
    besiege = Order("fraser", activity="siege")
    empty = before_works("hubbardton", held=False)
    taken = replace(empty, holders={**empty.holders, "granville": "rebel"})
    assert refusal(empty, besiege) == refusal(taken, besiege)
    assert refusal(empty, besiege).startswith("HR-SIE-01")
    assert (
        build_reported_world(taken, "crown").holders
        == build_reported_world(empty, "crown").holders
        == {"albany": "crown"}
    )


def test_hr_cou_04_enemies_stand_where_headquarters_last_heard_of_them() -> None:
    """As reported, enemies are where they were seen, and nowhere when nobody told of them."""
    world = apart("castleton", "hubbardton")
    assert build_reported_world(world, "crown").formations["gates"].position is None
    road_west = Position("", "albany--bennington--road", "albany", "bennington", 5000)
    gates = replace(world.formations["gates"], position=road_west)
    near = replace(world, formations={**world.formations, "gates": gates})
    near = first_look(replace(near, reports={}, watches={}), dice_of(near))
    assert build_reported_world(near, "crown").formations["gates"].position == road_west
    gone = replace(near, formations={**near.formations, "gates": world.formations["gates"]})
    assert build_reported_world(gone, "crown").formations["gates"].position == road_west
    assert build_reported_world(gone, "rebel").formations["gates"].position == Position(place="hubbardton")


def test_hr_cou_04_who_came_to_a_far_column_since_has_the_strength_that_was_announced() -> None:
    """Not the strength he has there: no report tells of him yet."""
    world = days_apart(2)
    key, unit = next((key, one) for key, one in world.units.items() if one.formation == "fraser")
    report = world.reports["crown/fraser"]
    unheard = {**report.state, "units": {}}
    theatre = replace(world.theatre, order_of_battle={key: replace(unit, points=95)})
    world = replace(
        world, theatre=theatre, reports={**world.reports, "crown/fraser": replace(report, state=unheard)}
    )
    shown = []
    for points, since in ((95, 0), (35, 0), (70, 2)):
        there = replace(unit, points=points, since=since)
        shown.append(
            build_reported_world(replace(world, units={**world.units, key: there}), "crown").units[key]
        )
    assert shown[0] == shown[1] == shown[2]
    assert (shown[0].status, shown[0].points) == (UnitStatus.EXPECTED, 95)


def days_apart(days: int) -> World:
    world = apart("castleton")
    for _ in range(days):
        world = completed(world, {}, dice_of(world)).world
    return world
