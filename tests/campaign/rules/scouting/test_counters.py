"""Counters at places far from headquarters are known as the last report has them, never live (HR-COU-04)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from campaign.ai.estimated_world import build_estimated_world
from campaign.fog.known_world import known_of, known_to_json
from campaign.rules.dispatches.couriers import hold_back, inner_event
from campaign.rules.errors import RuleViolation
from campaign.rules.orders.orders import verify_order
from campaign.rules.scouting.counters import list_ground_counters
from campaign.rules.scouting.intelligence import first_look
from campaign.rules.scouting.knowledge import build_reported_world
from campaign.rules.umpire.correction_effects import act_apply
from campaign.rules.umpire.corrections import SetFood
from campaign.rules.world.events import Event
from campaign.rules.world.markers import Boats, Bridge, Felled, Magazine, Raft, Siege, Terms, Works
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Order, Position, World
from campaign.rules.world.world_json import world_from_json, world_hash, world_to_json
from tests.campaign.rules.dispatches.test_couriers import apart
from tests.factories.fog import ROW, dice_of, road
from tests.factories.little_wars import completed

#: Two days' ride from Burgoyne at Albany: what is reported on day 0 is read on the morning of day 3.
FAR, ROUTE = "granville", "fairfax--granville--road"
#: One counter of each kind, of the Crown's and of the rebels'.
COUNTERS = {
    kind: {side: (subject, make(side)) for side in ("crown", "rebel")}
    for kind, subject, make in (
        ("works", FAR, lambda side: Works(side, 3)),
        ("boats", FAR, lambda side: Boats(side, 250)),
        ("sieges", FAR, lambda side: Siege(side, 0)),
        ("terms", FAR, lambda side: Terms(side, 0)),
        ("magazines", FAR, lambda side: Magazine(side, 9_000)),
        ("bridges", ROUTE, lambda side: Bridge(0, known_by="")),
        ("rafts", ROUTE, lambda side: Raft(0, known_by="")),
        ("felled", ROUTE, lambda side: Felled(100, 900, known_by="")),
    )
}
CASES = [
    pytest.param(kind, *told, id=f"{kind}-{side}")
    for kind, sides in COUNTERS.items()
    for side, told in sides.items()
]


def with_counter(world: World, kind: str, subject: str, counter: Any) -> World:
    rows: dict[str, Any] = {kind: {**getattr(world, kind), subject: counter}}
    return replace(world, **rows)


def days_of(world: World, days: int) -> World:
    for _ in range(days):
        world = completed(world, {}, dice_of(world)).world
    return world


def known(world: World, kind: str) -> Mapping[str, Any]:
    return getattr(build_reported_world(world, "crown"), kind)


@pytest.mark.parametrize(("kind", "subject", "counter"), CASES)
def test_hr_cou_04_a_far_counter_is_not_known_before_its_report(
    kind: str, subject: str, counter: Any
) -> None:
    world = apart(FAR)
    other = with_counter(world, kind, subject, counter)
    assert subject not in known(other, kind)
    assert known_to_json(known_of(other, "crown")) == known_to_json(known_of(world, "crown"))
    assert world_hash(build_estimated_world(other, "crown")) == world_hash(
        build_estimated_world(world, "crown")
    )


@pytest.mark.parametrize("kind", ["works", "boats", "magazines", "bridges", "rafts", "felled"])
def test_hr_cou_04_a_report_tells_of_the_counters_its_column_saw(kind: str) -> None:
    subject, counter = COUNTERS[kind]["crown"]
    world = with_counter(apart(FAR, boats="counted"), kind, subject, counter)
    assert subject not in known(days_of(world, 2), kind)
    assert subject in known(days_of(world, 3), kind)


def test_hr_cou_04_sieges_and_terms_are_reported_like_any_counter() -> None:
    world = apart(FAR)
    for kind in ("sieges", "terms"):
        world = with_counter(world, kind, *COUNTERS[kind]["crown"])
    assert set(list_ground_counters(world, "crown", [FAR])[FAR]) == {"sieges", "terms"}


def test_hr_cou_04_works_of_the_enemys_are_in_a_report_and_so_is_that_they_are_gone() -> None:
    world = days_of(with_counter(apart(FAR), "works", FAR, Works("rebel", 4)), 3)
    assert known(world, "works") == {FAR: Works("rebel", 4)}
    razed = replace(world, works={})
    assert known(razed, "works") == known(world, "works")
    assert known(days_of(razed, 2), "works") and not known(days_of(razed, 3), "works")


def test_hr_cou_04_near_headquarters_a_side_sees_its_own_at_once() -> None:
    world = with_counter(apart(FAR), "works", "albany", Works("crown", 2))
    assert known(world, "works") == {"albany": Works("crown", 2)}
    assert known(with_counter(world, "magazines", "bennington", Magazine("crown", 5)), "magazines")


def test_hr_cou_04_an_enemys_counter_near_by_is_known_from_the_evening_it_is_seen() -> None:
    world = with_counter(apart("bennington"), "works", "bennington", Works("rebel", 2))
    assert not known(world, "works")
    assert known(days_of(world, 1), "works") == {"bennington": Works("rebel", 2)}


def test_hr_cou_04_what_the_scenario_gives_a_side_it_knows_from_the_first_morning() -> None:
    world = road(settings=RuleSettings(couriers=True), holders={"albany": "crown", FAR: "crown"})
    world = with_counter(world, "works", FAR, Works("crown", 4))
    world = first_look(with_counter(world, "works", "hubbardton", Works("rebel", 4)), dice_of(world))
    assert known(world, "works") == {FAR: Works("crown", 4)}
    assert known(replace(world, works={}), "works") == {FAR: Works("crown", 4)}


def test_hr_cou_04_a_post_without_troops_writes_when_something_there_is_new() -> None:
    """Nobody stands at Fairfax; its people see the magazine laid down there."""
    world = road(settings=RuleSettings(couriers=True), holders={"albany": "crown", "fairfax": "crown"})
    gates = replace(world.formations["gates"], position=Position(place="hubbardton"))
    world = replace(world, formations={**world.formations, "gates": gates})
    world = first_look(world, dice_of(world))
    quiet = days_of(world, 1)
    assert not [paper for paper in quiet.dispatches.values() if paper.origin == "fairfax"]
    laid = with_counter(world, "magazines", "fairfax", Magazine("crown", 700))
    told = days_of(laid, 1)
    assert [paper.kind for paper in told.dispatches.values() if paper.origin == "fairfax"] == ["report"]
    assert "fairfax" not in known(told, "magazines")
    assert known(days_of(laid, 3), "magazines")["fairfax"].rations == 700


def test_hr_cou_04_orders_are_checked_against_what_is_reported() -> None:
    """That there are works at Granville no refusal tells before Fraser's report does."""
    world = apart(FAR)
    order = Order("fraser", activity="dismantle")
    dug = with_counter(world, "works", FAR, Works("crown", 4))
    for each in (world, dug, days_of(dug, 2)):
        with pytest.raises(RuleViolation, match="no field works"):
            verify_order(build_reported_world(each, "crown"), order, "crown")
    verify_order(build_reported_world(days_of(dug, 3), "crown"), order, "crown")


def test_hr_cou_04_an_older_report_does_not_undo_a_later_one() -> None:
    world = days_of(with_counter(apart(FAR), "works", FAR, Works("crown", 4)), 3)
    (late,) = (key for key, paper in world.dispatches.items() if paper.day == 1 and paper.origin == "fraser")
    dispatches = {**world.dispatches, late: replace(world.dispatches[late], due=world.day + 3)}
    razed = replace(world, works={}, dispatches=dispatches)
    assert not known(days_of(razed, 5), "works")


def test_hr_cou_04_what_was_heard_is_kept_with_the_world() -> None:
    world = days_of(with_counter(apart(FAR), "works", FAR, Works("crown", 4)), 3)
    heard = world.watches["crown"].counters
    assert heard is not None and heard[FAR] == {"day": 0, "works": {"side": "crown", "sp": 4, "left": 0}}
    again = world_from_json(world_to_json(world), world.theatre)
    assert again == world
    off = first_look(road(), dice_of(road()))
    assert "counters" not in world_to_json(off)["watches"]["crown"]


def test_hr_cou_04_what_is_known_is_the_same_when_it_is_asked_twice() -> None:
    world = days_of(with_counter(apart(FAR), "works", FAR, Works("crown", 4)), 3)
    assert build_reported_world(build_reported_world(world, "crown"), "crown") == build_reported_world(
        world, "crown"
    )


def test_hr_fog_06_on_an_open_map_the_enemys_counters_are_seen_and_ones_own_as_reported() -> None:
    world = apart(FAR, fog="off")
    enemys, own = (with_counter(world, "works", FAR, Works(side, 3)) for side in ("rebel", "crown"))
    assert known(enemys, "works") == {FAR: Works("rebel", 3)}
    assert not known(own, "works")


def test_hr_cou_04_a_side_without_headquarters_sees_its_own_as_they_are() -> None:
    world = with_counter(apart(FAR), "works", FAR, Works("crown", 4))
    nobody = {key: replace(one, position=None) for key, one in world.formations.items()}
    assert known(replace(world, formations=nobody), "works") == {FAR: Works("crown", 4)}


@pytest.mark.parametrize("place", ROW)
def test_hr_cou_04_near_is_half_a_days_ride(place: str) -> None:
    world = apart(FAR)
    seen = place in known(with_counter(world, "works", place, Works("crown", 1)), "works")
    assert seen == (place in ("albany", "bennington"))


SIEGE = Event("siege_raised", 1440, "HR-SIE-01", ("crown", "rebel"), place=FAR, data={"side": "crown"})


def test_hr_cou_04_news_of_a_siege_comes_by_the_column_that_lies_there() -> None:
    kept, held = hold_back([SIEGE], "crown", ["fraser"], {}, {FAR: "fraser"})
    assert kept == [replace(SIEGE, sides=("rebel",))]
    assert held == {"fraser": [replace(SIEGE, sides=("crown",))]}
    kept, held = hold_back(kept, "rebel", ["gates"], {}, {FAR: "gates"})
    assert kept == [replace(SIEGE, sides=())] and held == {"gates": [replace(SIEGE, sides=("rebel",))]}


@pytest.mark.parametrize(
    "event",
    [
        replace(SIEGE, kind="place_taken"),
        replace(SIEGE, kind="summons", data={"side": "crown", "accepted": True}),
        replace(SIEGE, place="easton"),
        replace(SIEGE, kind="battle", contact="a battle"),
    ],
    ids=["a place taken", "a summons accepted", "elsewhere", "a battle"],
)
def test_hr_cou_04_what_is_heard_at_once_is_not_held_back(event: Event) -> None:
    assert hold_back([event], "crown", ["fraser"], {}, {FAR: "fraser"}) == ([event], {})


def test_hr_cou_04_a_siege_raised_far_off_is_journaled_when_its_report_is_in() -> None:
    """Fraser leaves the siege of Granville: the rebels before it see it, headquarters hears in two days."""
    world = with_counter(apart(FAR), "sieges", "hubbardton", Siege("crown", 0))
    world = with_counter(world, "sieges", FAR, Siege("rebel", 0))
    told = []
    for _ in range(3):
        done = completed(world, {}, dice_of(world))
        told.append(done.events)
        world = done.world
    raised = [each for each in told[0] if each.kind == "siege_raised" and each.place == FAR]
    assert [each.sides for each in raised] == [("rebel",)]
    heard = [inner_event(each) for each in told[2] if each.kind == "told_by_courier"]
    assert [each.kind for each in heard if each and each.place == FAR] == ["siege_raised"]


def test_hr_cou_04_what_the_umpire_changes_a_side_hears_of_at_once() -> None:
    world = apart(FAR, supply="food")
    world = replace(world, holders={**world.holders, FAR: "crown"})
    after = act_apply(world, SetFood("store", FAR, 4_000), "A convoy.").world
    assert known(after, "magazines") == {FAR: Magazine("crown", 4_000)}
    assert "magazines" not in (after.watches["rebel"].counters or {}).get(FAR, {})
