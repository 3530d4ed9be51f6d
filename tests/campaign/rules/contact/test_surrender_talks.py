"""Who blocks a retreat, and what becomes of a force that is shut in (HR-RET-03, HR-SUR-02)."""

from dataclasses import replace
from typing import Any

import pytest

from campaign.rules.world.markers import Terms
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Formation, Order, Position, UnitStatus, World
from campaign.rules.world.world_json import world_from_json, world_hash, world_to_json
from tests.factories.little_wars import (
    battalion,
    completed,
    day_dice,
    held_by,
    little_world,
    orders,
    pending,
    place,
    told,
    way,
)


def heights(points: int = 100, works: str = "none", crossing: str = "none", **settings: Any) -> World:
    """Gates marches from Albany on Burgoyne at Bennington; Fellows stands at Castleton behind him."""
    world = little_world(
        (place("albany"), place("bennington"), place("castleton", works), place("dorset")),  # type: ignore[arg-type]
        (
            way("albany", "bennington", 4),
            way("bennington", "castleton", 6, crossing=crossing),
            way("castleton", "dorset", 20),
        ),
        {"gates": ("rebel", "albany", 4), "burgoyne": ("crown", "bennington", 3)},
        holders={"albany": "rebel", "bennington": "crown", "castleton": "rebel"},
        supply={"rebel": ("albany", "dorset"), "crown": ("castleton",)},
        settings=RuleSettings(**settings),
    )
    fellows = battalion("fellows_1", "rebel", "fellows", points)
    return replace(
        world,
        units={**world.units, "fellows_1": fellows},
        formations={
            **world.formations,
            "fellows": Formation("fellows", "Fellows", "rebel", Position(place="castleton")),
        },
    )


MARCH = orders(Order("gates", ("bennington",), stance="attack"))


def beaten(world: World) -> Any:
    contact = pending(world, MARCH, day_dice(world))
    return completed(world, MARCH, day_dice(world), held_by(contact, "rebel"))


@pytest.mark.parametrize(
    ("points", "works", "crossing", "blocked"),
    [
        (100, "none", "none", True),  # 5 SP of 15: a third
        (80, "none", "none", False),
        (40, "fort", "none", True),  # 2 SP: a tenth, behind works
        (40, "none", "ford", True),  # behind a river
        (20, "none", "ford", False),
        (20, "fort", "ford", False),
        (40, "none", "none", False),
    ],
)
def test_hr_ret_03_a_third_blocks_or_a_tenth_behind_works_or_a_river(
    points: int, works: str, crossing: str, blocked: bool
) -> None:
    done = beaten(heights(points, works, crossing))
    assert bool(told(done.events, "force_surrendered")) is blocked
    if not blocked:
        retreats = {event.formation: event for event in told(done.events, "retreat")}
        assert retreats["fellows"].rule == "HR-RET-03"  # who is too weak falls back out of the way
        assert done.world.formations["burgoyne"].position == Position(place="castleton")
        assert done.world.formations["fellows"].position == Position(
            "", "castleton--dorset--road", "castleton", "dorset", 8 * 1760
        )


def test_hr_ret_03_who_cannot_give_way_bars_it_all_the_same() -> None:
    world = heights(40)
    atlas = world.theatre.atlas
    atlas = type(atlas).of(
        [each for each in atlas.places.values() if each.id != "dorset"],
        [each for each in atlas.routes.values() if "dorset" not in each.id],
    )
    assert told(
        beaten(replace(world, theatre=replace(world.theatre, atlas=atlas))).events, "force_surrendered"
    )


def test_hr_ret_03_a_place_without_troops_bars_nobody() -> None:
    world = heights()
    world = replace(world, units={key: each for key, each in world.units.items() if key != "fellows_1"})
    done = beaten(world)
    assert done.world.formations["burgoyne"].position == Position(place="castleton")
    assert done.world.holders["castleton"] == "crown"


# --- terms ---


def shut_in(rations: int | None, gates: int = 4) -> World:
    """Burgoyne stands at Bennington between Gates and Fellows; nobody moves."""
    world = heights()
    units = {key: each for key, each in world.units.items() if not key.startswith("gates")}
    for number in range(gates):
        unit = battalion(f"gates_{number}", "rebel", "gates")
        units[unit.id] = unit
    burgoyne = replace(world.formations["burgoyne"], rations=rations)
    return replace(world, units=units, formations={**world.formations, "burgoyne": burgoyne})


def evenings(world: World, count: int) -> tuple[World, list[str]]:
    kinds: list[str] = []
    for _ in range(count):
        done = completed(world, {}, day_dice(world))
        kinds += [event.kind for event in done.events if event.rule == "HR-SUR-02"]
        world = done.world
    return world, kinds


MEN = 750


@pytest.mark.parametrize(
    ("rations", "gates", "treats"),
    [(None, 4, False), (5 * MEN, 4, False), (5 * MEN - 1, 4, True), (0, 1, True), (None, 11, True)],
)
def test_hr_sur_02_shut_in_without_food_or_at_four_to_one(
    rations: int | None, gates: int, treats: bool
) -> None:
    world, kinds = evenings(shut_in(rations, gates), 1)
    assert kinds == (["terms_begun"] if treats else [])
    assert world.terms == ({"bennington": Terms("crown", 0)} if treats else {})
    assert world_hash(world_from_json(world_to_json(world), world.theatre)) == world_hash(world)


def test_hr_sur_02_all_points_go_after_three_days() -> None:
    world, _ = evenings(shut_in(0), 3)
    assert world.units["burgoyne_1"].points == 100
    done = completed(world, {}, day_dice(world))
    assert told(done.events, "force_surrendered")[0].formation == "burgoyne"
    army = [unit for unit in done.world.units.values() if unit.formation == "burgoyne"]
    assert [(unit.points, unit.status) for unit in army] == [(0, UnitStatus.SURRENDERED)] * 3
    assert not done.world.terms


def test_hr_sur_02_the_arms_rest_while_terms_are_made() -> None:
    world, _ = evenings(shut_in(0), 1)
    done = completed(world, MARCH, day_dice(world))
    assert told(done.events, "truce")
    assert not told(done.events, "contact")


def test_hr_sur_02_terms_lapse_when_a_way_opens() -> None:
    world, _ = evenings(shut_in(0), 1)
    away = orders(Order("fellows", ("dorset",)))
    done = completed(world, away, day_dice(world))
    assert told(done.events, "terms_broken")
    assert not done.world.terms


def test_hr_sur_02_may_be_switched_off() -> None:
    world = shut_in(0)
    world = replace(world, settings=replace(world.settings, surrender_terms=False))
    assert evenings(world, 1)[1] == []
