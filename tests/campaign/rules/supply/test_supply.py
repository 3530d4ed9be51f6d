"""Food: lines, stocks, hunger, ration, depots and captured magazines (HR-SUP)."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.rules.army.organisation import Depot, Detach, Ration, organisation_apply
from campaign.rules.day.day import advance_day
from campaign.rules.errors import RuleViolation
from campaign.rules.orders.labour import men_of
from campaign.rules.supply.lines import Network
from campaign.rules.supply.supply import (
    carried_percent,
    daily_need,
    days_of_food,
    feed_formations,
    hungry_minutes,
)
from campaign.rules.world.markers import Magazine, Provision
from campaign.rules.world.outcome import Completed
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import YARDS_PER_MILE, Order, Position, UnitStatus, World
from campaign.rules.world.world_json import world_from_json, world_hash, world_to_json
from rosters.domain.dice import AddressedDice
from rosters.domain.vocabulary import Nation, TroopType
from tests.factories.scripted_dice import ScriptedDice
from tests.factories.small_war import small_world

FOOD = RuleSettings(supply="food")


def dice(day: int = 0) -> AddressedDice:
    return AddressedDice(secret=b"s" * 32, campaign="small", revision=1, day=day)


def fed(world: World, **changes: object) -> World:
    """A world in which food is played."""
    return replace(world, settings=replace(FOOD, **changes))  # type: ignore[arg-type]


def stocked(world: World, **rations: int) -> World:
    formations = {
        key: replace(one, rations=rations.get(key, one.rations)) for key, one in world.formations.items()
    }
    return replace(world, formations=formations)


@pytest.fixture
def world() -> World:
    """A Crown corps at Ticonderoga, in rebel country, with its base at Montreal."""
    return fed(
        small_world(
            {"corps": ("crown", "ticonderoga", 2), "guard": ("rebel", "albany", 1)},
            crown_holds=("montreal", "st_johns", "crown_point", "ticonderoga"),
        )
    )


def foreign(world: World) -> World:
    """The same with nobody's country under the corps."""
    holders = {**world.theatre.holders, "ticonderoga": "rebel"}
    return replace(world, theatre=replace(world.theatre, holders=holders))


def test_hr_sup_01_where_food_is_not_played_nobody_eats(world: World) -> None:
    plain = replace(world, settings=RuleSettings())
    assert feed_formations(plain, dice(), False) == (plain, [])
    assert days_of_food(plain, "corps") is None
    result = advance_day(plain, {}, dice(), {})
    assert isinstance(result, Completed)
    assert "provisions" not in world_to_json(result.world)


def test_hr_sup_01_men_are_two_and_a_half_for_a_point_and_trains_eat_nothing(world: World) -> None:
    units = [one for one in world.units.values() if one.formation == "corps"]
    assert men_of(units) == 500
    assert men_of([replace(one, troop_type=TroopType.WAGON) for one in units]) == 0


def test_hr_sup_02_a_line_leads_from_the_base_and_tells_its_way(world: World) -> None:
    line = Network(world, "crown").line_to(Position(place="ticonderoga"))
    assert line is not None
    assert line.way == ("montreal", "st_johns", "crown_point", "ticonderoga")
    assert line.carry == 24 * YARDS_PER_MILE


def test_hr_sup_02_a_line_ends_part_way_along_a_route(world: World) -> None:
    half = 4 * YARDS_PER_MILE
    way = "crown_point--ticonderoga--road"
    line = Network(world, "crown").line_to(Position("", way, "crown_point", "ticonderoga", half))
    assert line is not None and line.carry == 20 * YARDS_PER_MILE
    ahead = Position("", way, "ticonderoga", "crown_point", half + 1)
    cut = replace(world.formations["guard"], position=ahead)
    barred = replace(world, formations={**world.formations, "guard": cut})
    assert Network(barred, "crown").line_to(Position("", way, "crown_point", "ticonderoga", half + 5)) is None
    assert Network(barred, "crown").broken_at(Position(place="ticonderoga")) == "ticonderoga"


def test_hr_sup_02_an_enemy_on_the_way_cuts_it_and_the_place_is_told(world: World) -> None:
    holders = {**world.holders, "st_johns": "rebel"}
    network = Network(replace(world, holders=holders), "crown")
    assert network.line_to(Position(place="ticonderoga")) is None
    assert network.broken_at(Position(place="ticonderoga")) == "st_johns"


def test_hr_sup_02_too_far_a_magazine_feeds_nobody(world: World) -> None:
    near = Network(fed(world, supply_reach_days=2), "crown")
    assert near.line_to(Position(place="ticonderoga")) is None
    assert near.broken_at(Position(place="ticonderoga")) == ""


@pytest.mark.parametrize(
    ("miles", "days", "percent"), [(5, 1, 125), (15, 1, 125), (15, 14, 190), (30, 1, 62), (60, 14, 47)]
)
def test_hr_sup_02_a_fifteen_mile_carry_adds_a_quarter_day_and_point_nine_organised(
    miles: int, days: int, percent: int
) -> None:
    assert carried_percent(miles * YARDS_PER_MILE, days, FOOD) == percent


def test_hr_sup_02_the_stock_of_mid_august_is_a_months_by_mid_september() -> None:
    """Four days' food on 15 August, organised; a month's on 13 September."""
    stock = 400
    for _ in range(29):
        stock = min(3000, stock + carried_percent(15 * YARDS_PER_MILE, 14, FOOD) - 100)
    assert stock // 100 == 30


def test_hr_sup_02_food_that_comes_in_is_eaten_and_the_rest_kept(world: World) -> None:
    near = stocked(foreign(fed(world, carry_miles=24)), corps=1000)
    after, events = feed_formations(near, dice(), False)
    assert after.formations["corps"].rations == 1000 + 125
    known = after.provisions["corps"]
    assert (known.food, known.source, known.percent, known.days) == ("line", "montreal", 125, 1)
    assert events == []
    assert feed_formations(after, dice(), False)[0].provisions["corps"].days == 2
    full = stocked(near, corps=30 * 500)
    assert feed_formations(full, dice(), False)[0].formations["corps"].rations == 30 * 500


def test_hr_sup_03_who_has_nothing_rolls_for_each_unit_and_marches_slower(world: World) -> None:
    cut = foreign(replace(world, holders={**world.holders, "st_johns": "rebel", "crown_point": "rebel"}))
    after, events = feed_formations(stocked(cut, corps=100), dice(), False)
    (hungry,) = [event for event in events if event.kind == "hungry"]
    losses = [event for event in events if event.kind == "hunger_loss"]
    assert hungry.data == {"missing": 400, "days": 1, "source": "", "way": [], "broken": "st_johns"}
    assert [event.unit for event in losses] == ["corps_0", "corps_1"]
    for event in losses:
        assert event.rolls[0].address.startswith("small/1/0/HR-SUP-03/corps_")
        assert event.before == 100 and event.after == after.units[event.unit].points
    body = after.formations["corps"]
    assert (body.rations, body.hungry_days) == (0, 1)
    assert hungry_minutes(600, body, FOOD) == 450
    assert hungry_minutes(600, cut.formations["corps"], FOOD) == 600


def test_hr_sup_03_the_hungry_march_three_quarters_as_far(world: World) -> None:
    def place_of(hungry_days: int) -> Position:
        body = replace(world.formations["corps"], hungry_days=hungry_days, rations=5000)
        start = replace(world, formations={**world.formations, "corps": body})
        result = advance_day(start, {"corps": Order("corps", ("montreal",))}, dice(), {})
        assert isinstance(result, Completed) and result.world.formations["corps"].position is not None
        return result.world.formations["corps"].position

    assert place_of(0).yards == 4 * YARDS_PER_MILE  # 12 miles: half way on from Crown Point
    assert place_of(1).yards == 1 * YARDS_PER_MILE


def test_hr_sup_03_a_line_that_breaks_and_opens_is_told_to_its_side(world: World) -> None:
    first, _ = feed_formations(foreign(stocked(world, corps=5000)), dice(), False)
    cut, events = feed_formations(
        replace(first, holders={**world.holders, "st_johns": "rebel"}), dice(), False
    )
    assert [(event.kind, event.sides, event.data["broken"]) for event in events] == [
        ("line_broken", ("crown",), "st_johns")
    ]
    _, events = feed_formations(replace(cut, holders=world.holders), dice(), False)
    assert [event.kind for event in events] == ["line_open"]


def test_hr_sup_04_two_thirds_ration_makes_food_last_half_as_long_again(world: World) -> None:
    assert daily_need(600, False) == 600 and daily_need(600, True) == 400
    short, events = organisation_apply(stocked(world, corps=5000), Ration("corps"), "crown")
    assert (events[0].kind, events[0].data) == ("ration_set", {"short": True})
    assert days_of_food(stocked(world, corps=5000), "corps") == 10
    assert days_of_food(short, "corps") == 15
    with pytest.raises(RuleViolation, match="already"):
        organisation_apply(short, Ration("corps"), "crown")
    with pytest.raises(RuleViolation, match="not played"):
        organisation_apply(replace(world, settings=RuleSettings()), Ration("corps"), "crown")


def with_train(world: World, place: str) -> World:
    """The corps has a train of two wagon units at `place`."""
    body = replace(world.formations["corps"], id="train", name="Train", position=Position(place=place))
    wagon = replace(world.units["corps_0"], troop_type=TroopType.WAGON, points=0, formation="train")
    wagons = {f"wagon_{number}": replace(wagon, id=f"wagon_{number}") for number in range(2)}
    return replace(world, units={**world.units, **wagons}, formations={**world.formations, "train": body})


def test_hr_sup_05_a_train_loads_at_a_base_and_feeds_who_stands_with_it(world: World) -> None:
    loaded, _ = feed_formations(with_train(world, "montreal"), dice(), False)
    assert loaded.formations["train"].rations == 2 * FOOD.train_rations
    cut = foreign(replace(world, holders={**world.holders, "st_johns": "rebel"}))
    beside = stocked(with_train(cut, "ticonderoga"), corps=100, train=1000)
    after, events = feed_formations(beside, dice(), False)
    assert (after.formations["corps"].rations, after.formations["train"].rations) == (0, 600)
    assert events == []


def test_hr_sup_05_a_train_lays_down_a_depot_which_feeds_by_a_line_until_it_is_empty(world: World) -> None:
    cut = foreign(replace(world, holders={**world.holders, "st_johns": "rebel"}))
    beside = stocked(with_train(cut, "crown_point"), corps=0, train=700)
    laid, events = organisation_apply(beside, Depot("train"), "crown")
    assert events[0].data == {"rations": 700}
    assert laid.magazines == {"crown_point": Magazine("crown", 700)}
    after, events = feed_formations(laid, dice(), False)
    assert after.magazines["crown_point"].rations == 700 - 625
    assert after.provisions["corps"].source == "crown_point" and events == []
    with pytest.raises(RuleViolation, match="carries no food"):
        organisation_apply(laid, Depot("train"), "crown")
    with pytest.raises(RuleViolation, match="only a train"):
        organisation_apply(stocked(world, corps=500), Depot("corps"), "crown")


def test_hr_sup_06_a_captured_magazine_feeds_its_taker_once(world: World) -> None:
    lost = replace(world, holders={**world.holders, "albany": "crown"}, magazines={})
    first, events = feed_formations(lost, dice(), False)
    assert first.magazines["albany"] == Magazine("crown", FOOD.captured_base_rations)
    (taken,) = [event for event in events if event.kind == "magazine_taken"]
    assert (taken.place, taken.sides, taken.data["from"]) == ("albany", ("crown", "rebel"), "rebel")
    again, events = feed_formations(first, dice(), False)
    assert [event for event in events if event.kind == "magazine_taken"] == []
    back, events = feed_formations(replace(again, holders=world.holders), dice(), False)
    assert back.magazines["albany"].side == "rebel"


def test_hr_sup_07_its_own_country_feeds_a_formation_from_day_to_day(world: World) -> None:
    after, _ = feed_formations(stocked(world, guard=0, corps=0), dice(), False)
    assert after.provisions["corps"].food == "country"  # 24 miles of carry bring less than a day's food
    assert after.formations["corps"].rations == 0 and after.formations["corps"].hungry_days == 0
    posted = Position("", "fort_edward--saratoga--road", "saratoga", "fort_edward", 900)
    guard = replace(world.formations["guard"], position=posted)
    assert (
        feed_formations(replace(world, formations={**world.formations, "guard": guard}), dice(), False)[1]
        == []
    )


def test_the_markers_of_food_come_back_from_json(world: World) -> None:
    after, _ = feed_formations(foreign(world), dice(), False)
    again = world_from_json(world_to_json(after), after.theatre)
    assert again == after and world_hash(again) == world_hash(after)
    assert isinstance(after.provisions["corps"], Provision)


@given(st.integers(0, 4000), st.integers(0, 2000), st.booleans())
def test_hr_sup_05_no_ration_comes_from_nowhere(stock: int, load: int, short: bool) -> None:
    """Away from bases and country, what is eaten is what stocks and trains have less."""
    world = fed(small_world({"corps": ("crown", "fort_edward", 2)}, crown_holds=()))
    start = stocked(with_train(world, "fort_edward"), corps=stock, train=load)
    start = replace(start, provisions={"corps": Provision(0, short=short)})
    after, _ = feed_formations(start, dice(), False)
    left = sum(after.formations[key].rations or 0 for key in ("corps", "train"))
    assert left == stock + load - min(stock + load, daily_need(500, short))
    assert all(unit.status is UnitStatus.PRESENT for unit in after.units.values())


def test_hr_nat_01_what_hunger_takes_from_warriors_counts_among_their_losses(world: World) -> None:
    native = {
        key: replace(unit, nation=Nation.NATIVE, troop_type=TroopType.INDIANS)
        for key, unit in world.units.items()
        if unit.formation == "corps"
    }
    hungry = stocked(foreign(world), corps=0)
    hungry = replace(hungry, units={**hungry.units, **native}, holders={"ticonderoga": "crown"})
    hungry = replace(hungry, warriors={"corps": 5})
    after, events = feed_formations(hungry, ScriptedDice({"HR-SUP-03": [6, 5, 6, 6]}), False)
    lost = sum((event.before or 0) - (event.after or 0) for event in events if event.kind == "hunger_loss")
    assert lost == 15
    assert after.warriors == {"corps": 20}


def test_hr_sup_04_a_detachment_eats_as_its_formation_did(world: World) -> None:
    whole, _ = feed_formations(stocked(world, corps=5000), dice(), False)
    short, _ = organisation_apply(whole, Ration("corps"), "crown")
    act = Detach("corps", ("corps_0",), "corps-d1", "Baum's detachment")
    apart, _ = organisation_apply(short, act, "crown")
    assert apart.provisions["corps-d1"] == apart.provisions["corps"]
    assert apart.provisions["corps-d1"].short
