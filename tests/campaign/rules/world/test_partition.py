"""Depots that several parts of a divided day draw on: no ration is lost or comes from nowhere (HR-CAL-11)."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from campaign.rules.day.locks import Part, Zone
from campaign.rules.day.provisional import find_definitive_division, play_day, run_on
from campaign.rules.orders.labour import men_of
from campaign.rules.supply.supply import daily_need
from campaign.rules.world.markers import Magazine
from campaign.rules.world.outcome import Completed
from campaign.rules.world.partition import Apart, stores_after
from campaign.rules.world.world import World, present_units
from tests.factories.little_wars import day_dice
from tests.factories.two_wars import two_wars

WAITS = Part(("york",), (), Zone({"east": 0}))
FED = ("ward", "york")


def fed_by_a_depot(rations: int, ward: int, york: int) -> World:
    """Ward in the west, who plays on, and York in the east, who waits, eat out of one depot between them."""
    world = two_wars(4)
    formations = {key: world.formations[key] for key in (*FED, "zane")}
    for key, stock in (("ward", ward), ("york", york)):
        formations[key] = replace(formations[key], rations=stock)
    return replace(
        world,
        theatre=replace(world.theatre, supply={"crown": (), "rebel": ("cape",)}, holders={}),
        formations=formations,
        units={key: unit for key, unit in world.units.items() if unit.formation in formations},
        holders={**dict.fromkeys(("west", "gap", "middle", "east"), "crown"), "cape": "rebel"},
        magazines={"middle": Magazine("crown", rations)},
        settings=replace(world.settings, supply="food", stock_days=3),
    )


def food(world: World) -> int:
    stocks = sum(world.formations[key].rations or 0 for key in FED)
    return stocks + sum(store.rations for store in world.magazines.values())


def hungry_for(day: Completed) -> int:
    return sum(event.data["missing"] for event in day.events if event.kind == "hungry")


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 8000), st.integers(0, 2000), st.integers(0, 2000), st.integers(1, 3))
def test_hr_cal_11_what_two_parts_draw_on_one_depot_is_what_it_has_less(rations, ward, york, days):
    world = fed_by_a_depot(rations, ward, york)
    ahead, now = [], world
    for _ in range(days):
        ahead.append(run_on(now, {}, day_dice(now), {}, (WAITS,)))
        assert ahead[-1].locked_formations == {"york"}
        now = ahead[-1].world
    known = world
    for number, shown in enumerate(ahead):
        apart = find_definitive_division(
            known, world, shown.apart(), *(each.world for each in ahead[number:])
        )
        assert apart is not None and Apart.from_json(apart.to_json()) == apart
        day = play_day(world, {}, day_dice(world), {}, apart=apart)
        assert isinstance(day, Completed)
        present = present_units(world)
        need = sum(daily_need(men_of(present[key]), short=False) for key in FED)
        assert food(day.world) == food(world) - need + hungry_for(day)
        assert day.world.formations["ward"] == shown.world.formations["ward"], "the unlocked ate as was shown"
        assert not [event for event in shown.events if event not in day.events]
        known, world = shown.world, day.world


def test_hr_sup_06_a_magazine_both_parts_find_taken_is_taken_once():
    world = fed_by_a_depot(0, 0, 0)
    taken = Magazine("crown", world.settings.captured_base_rations)
    world = replace(world, theatre=replace(world.theatre, supply={"rebel": ("east",)}), magazines={})
    evening = replace(world, magazines={"east": taken})
    once = stores_after(world, {}, world, evening)
    assert once == stores_after(world, once, world, evening) == {"east": taken}
    drawn = replace(world, magazines={"east": replace(taken, rations=taken.rations - 300)})
    assert stores_after(world, once, world, drawn)["east"].rations == taken.rations - 300
