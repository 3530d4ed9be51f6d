"""The staff's orders, HR-BOT-01 to HR-BOT-09, on a road of seven posts a short day apart."""

from dataclasses import replace

import pytest

from campaign.ai.assessment import assess_situation
from campaign.ai.commander import staff_orders
from campaign.rules.orders.orders import verify_order
from campaign.rules.world.world import Objective, Order, Position, World
from rosters.domain.dice import AddressedDice
from rosters.domain.vocabulary import Nation, TroopType
from tests.factories.random_orders import random_orders
from tests.factories.small_war import ROAD, moved, small_world


def orders_of(world: World, side: str) -> dict[str, Order]:
    return {order.formation: order for order in staff_orders(world, side)}


def goal(order: Order) -> str:
    return order.via[-1] if order.via else ""


def open_map(world: World) -> World:
    """A world without fog, for what a staff does once it knows (HR-FOG-06)."""
    return replace(world, settings=replace(world.settings, fog="off"))


def test_hr_bot_03_marches_on_the_objective_most_worth_its_distance() -> None:
    forces = {"burgoyne": ("crown", "st_johns", 8), "lincoln": ("rebel", "albany", 1)}
    world = open_map(small_world(forces))
    assert goal(orders_of(world, "crown")["burgoyne"]) == "ticonderoga"


def test_hr_bot_03_leaves_alone_an_objective_that_is_too_strong() -> None:
    """10 SP in a fort count 14; 130 % of that is 19, and three battalions are 15."""
    world = small_world(
        {"fraser": ("crown", "crown_point", 3), "st_clair": ("rebel", "ticonderoga", 2)},
        objectives=(Objective("ticonderoga", "crown", 10),),
    )
    assert "ticonderoga" not in {goal(order) for order in staff_orders(world, "crown")}
    stronger = small_world(
        {"fraser": ("crown", "crown_point", 4), "st_clair": ("rebel", "ticonderoga", 2)},
        objectives=(Objective("ticonderoga", "crown", 10),),
    )
    assert goal(orders_of(stronger, "crown")["fraser"]) == "ticonderoga"


def test_hr_bot_03_an_objective_is_not_marched_on_before_its_day() -> None:
    forces = {"clinton": ("crown", "montreal", 6)}
    later = (Objective("albany", "crown", 20, 1, from_day=30),)
    assert orders_of(small_world(forces, objectives=later), "crown") == {}
    world = open_map(small_world(forces, objectives=later, day=30))
    assert goal(orders_of(world, "crown")["clinton"]) == "albany"


def test_hr_bot_05_gathers_a_day_short_of_the_enemy_before_it_attacks() -> None:
    world = small_world(
        {
            "burgoyne": ("crown", "crown_point", 4),
            "riedesel": ("crown", "st_johns", 4),
            "st_clair": ("rebel", "ticonderoga", 3),
        }
    )
    orders = orders_of(world, "crown")
    assert goal(orders["riedesel"]) == "crown_point"
    assert "burgoyne" not in orders, "the leading column waits where it is"
    together = orders_of(moved(world, "riedesel", "crown_point"), "crown")
    assert {goal(order) for order in together.values()} == {"ticonderoga"}
    assert {order.stance for order in together.values()} == {"attack"}


def test_hr_bot_04_falls_back_before_superior_numbers_towards_the_main_body() -> None:
    world = small_world(
        {
            "warner": ("rebel", "fort_edward", 3),
            "gates": ("rebel", "albany", 3),
            "burgoyne": ("crown", "ticonderoga", 8),
        },
        crown_holds=("montreal", "st_johns", "crown_point", "ticonderoga"),
    )
    order = orders_of(world, "rebel")["warner"]
    assert goal(order) in {"saratoga", "albany"}
    assert order.stance == "avoid"


def test_hr_bot_04_stands_at_the_foremost_place_that_can_be_held() -> None:
    world = small_world(
        {
            "gates": ("rebel", "albany", 5),
            "poor": ("rebel", "saratoga", 3),
            "burgoyne": ("crown", "fort_edward", 8),
        },
        crown_holds=("montreal", "st_johns", "crown_point", "ticonderoga", "fort_edward"),
    )
    assert goal(orders_of(world, "rebel")["gates"]) == "saratoga"
    assert "poor" not in orders_of(world, "rebel")


def test_hr_bot_04_gives_battle_when_no_way_is_left() -> None:
    world = small_world(
        {"poor": ("rebel", "bennington", 1), "burgoyne": ("crown", "fort_edward", 8)}, crown_holds=ROAD
    )
    assert orders_of(world, "rebel") == {}


def test_hr_bot_06_leaves_the_smallest_body_as_a_guard() -> None:
    world = small_world(
        {
            "powell": ("crown", "ticonderoga", 1),
            "burgoyne": ("crown", "ticonderoga", 8),
            "gates": ("rebel", "albany", 1),
        },
        crown_holds=("montreal", "st_johns", "crown_point", "ticonderoga"),
    )
    orders = orders_of(world, "crown")
    assert "powell" not in orders
    assert orders["burgoyne"].via


def test_garrisons_get_no_orders() -> None:
    world = small_world(
        {"powell": ("crown", "st_johns", 8), "st_clair": ("rebel", "ticonderoga", 1)}, garrisons=("powell",)
    )
    assert staff_orders(world, "crown") == []


def test_hr_bot_05_a_small_body_joins_the_stronger_army() -> None:
    world = small_world(
        {"peters": ("crown", "montreal", 1), "burgoyne": ("crown", "ticonderoga", 6)},
        crown_holds=("montreal", "st_johns", "crown_point", "ticonderoga"),
        objectives=(Objective("ticonderoga", "crown", 10),),
    )
    assert goal(orders_of(world, "crown")["peters"]) == "ticonderoga"


def test_a_march_under_way_is_not_ordered_again() -> None:
    world = small_world({"burgoyne": ("crown", "montreal", 8), "gates": ("rebel", "albany", 1)})
    first = orders_of(world, "crown")["burgoyne"]
    marching = replace(
        world,
        formations={**world.formations, "burgoyne": replace(world.formations["burgoyne"], order=first)},
    )
    assert staff_orders(marching, "crown") == []


def test_hr_mar_05_rests_when_a_march_would_cost_men() -> None:
    world = small_world({"burgoyne": ("crown", "montreal", 8)})
    weary = replace(world.formations["burgoyne"], marched=world.settings.rest_every_days - 1)
    rested = replace(world, formations={"burgoyne": weary})
    assert not any(order.via for order in staff_orders(rested, "crown"))


def test_hr_bot_01_uses_nothing_its_side_may_not_know() -> None:
    """An enemy army out of sight changes no order, wherever it stands and however strong it is."""
    world = small_world(
        {
            "burgoyne": ("crown", "st_johns", 6),
            "gates": ("rebel", "albany", 1),
            "poor": ("rebel", "saratoga", 9),
        }
    )
    seen = staff_orders(world, "crown")
    assert seen
    for place in ("fort_edward", "albany", "bennington"):
        assert staff_orders(moved(world, "poor", place), "crown") == seen


def test_hr_bot_02_reckons_a_garrison_in_works_out_of_sight() -> None:
    world = small_world({"burgoyne": ("crown", "montreal", 4)}, crown_holds=("montreal",))
    situation = assess_situation(world, "crown")
    assert situation.enemy_at("ticonderoga") == 8
    assert situation.enemy_at("saratoga") == 0
    assert situation.need_to_take("ticonderoga", 130) == 15  # 8 SP x 1.4 x 1.3, rounded up


@pytest.mark.parametrize("side", ["crown", "rebel"])
def test_staff_orders_are_the_same_twice_and_valid(side: str) -> None:
    world = small_world(
        {
            "burgoyne": ("crown", "crown_point", 6),
            "fraser": ("crown", "st_johns", 2),
            "st_clair": ("rebel", "ticonderoga", 2),
            "poor": ("rebel", "saratoga", 3),
        }
    )
    orders = staff_orders(world, side)
    assert orders
    assert orders == staff_orders(world, side)
    for order in orders:
        verify_order(world, order, side)


@pytest.mark.parametrize("seed", range(12))
def test_hr_bot_09_random_orders_are_valid_and_repeatable(seed: int) -> None:
    world = small_world(
        {
            "burgoyne": ("crown", "crown_point", 6),
            "fraser": ("crown", "st_johns", 2),
            "st_clair": ("rebel", "ticonderoga", 3),
        }
    )
    dice = AddressedDice(secret=b"random staff", campaign="test", revision=1, day=seed)
    orders = random_orders(world, "crown", dice)
    assert orders == random_orders(world, "crown", dice)
    assert {order.formation for order in orders} <= {"burgoyne", "fraser"}
    for order in orders:
        assert order.via
        verify_order(world, order, "crown")


def test_a_column_part_way_along_a_route_can_be_called_back() -> None:
    """HR-BOT-04 for a body between two places."""
    world = small_world(
        {"poor": ("rebel", "saratoga", 2), "burgoyne": ("crown", "fort_edward", 8)},
        crown_holds=("montreal", "st_johns", "crown_point", "ticonderoga", "fort_edward"),
    )
    half_way = Position(
        route="fort_edward--saratoga--road", origin="saratoga", destination="fort_edward", yards=3000
    )
    poor = replace(world.formations["poor"], position=half_way, order=Order("poor", ("fort_edward",)))
    world = open_map(replace(world, formations={**world.formations, "poor": poor}))
    assert goal(orders_of(world, "rebel")["poor"]) == "albany"


def test_hr_bot_05_armies_gather_to_take_together_what_none_can_take_alone() -> None:
    """Three battalions in the fort count 15 x 1.4 SP; 28 are wanted, and neither army has them."""
    world = small_world(
        {
            "gates": ("rebel", "fort_edward", 4),
            "lincoln": ("rebel", "albany", 3),
            "powell": ("crown", "ticonderoga", 3),
        },
        crown_holds=("montreal", "st_johns", "crown_point", "ticonderoga"),
        objectives=(Objective("ticonderoga", "rebel", 10, 1),),
        garrisons=("powell",),
    )
    orders = orders_of(world, "rebel")
    assert goal(orders["lincoln"]) == "fort_edward"
    assert "gates" not in orders
    assert {goal(order) for order in staff_orders(moved(world, "lincoln", "fort_edward"), "rebel")} == {
        "ticonderoga"
    }


def test_hr_bot_05_a_smaller_army_goes_for_what_the_larger_goes_for() -> None:
    world = small_world(
        {"burgoyne": ("crown", "crown_point", 8), "fraser": ("crown", "montreal", 3)},
        objectives=(Objective("ticonderoga", "crown", 10, 1), Objective("bennington", "crown", 1, 1)),
    )
    assert {goal(order) for order in staff_orders(world, "crown")} == {"ticonderoga"}


def test_hr_bot_03_marches_round_an_objective_whose_day_has_not_come_or_not_at_all() -> None:
    world = small_world(
        {"burgoyne": ("crown", "crown_point", 8)},
        objectives=(Objective("ticonderoga", "crown", 10, from_day=20), Objective("albany", "crown", 20)),
    )
    assert staff_orders(world, "crown") == []
    assert goal(orders_of(replace(world, day=20), "crown")["burgoyne"]) == "ticonderoga"


def test_hr_bot_04_troops_at_their_own_base_are_no_threat_to_stand_against() -> None:
    """Men at Montreal call nobody to Ticonderoga; men at Crown Point do, when the fort alone is too weak."""
    forces = {
        "st_clair": ("rebel", "ticonderoga", 3),
        "schuyler": ("rebel", "fort_edward", 6),
        "carleton": ("crown", "montreal", 4),
    }
    quiet = small_world(forces, crown_holds=("montreal",))
    assert "schuyler" not in orders_of(quiet, "rebel")
    pressed = small_world({**forces, "carleton": ("crown", "crown_point", 9)}, crown_holds=ROAD[:3])
    assert goal(orders_of(pressed, "rebel")["schuyler"]) == "ticonderoga"


@pytest.mark.parametrize(
    ("troop_type", "nation", "sp"),
    [
        (TroopType.BRITISH_LINE, Nation.BRITISH, 8),
        (TroopType.CONTINENTAL_LINE, Nation.CONTINENTAL, 5),
        (TroopType.MILITIA, Nation.AMERICAN_MILITIA, 3),
        (TroopType.INDIANS, Nation.NATIVE, 2),
        (TroopType.RANGERS, Nation.LOYALIST, 3),
        (TroopType.WAGON, Nation.BRITISH, 0),
    ],
)
def test_hr_bot_07_weighs_troops_by_their_quality(troop_type: TroopType, nation: Nation, sp: int) -> None:
    """A full unit of 100 points is 5 SP, at 160, 100, 70 or 40 per cent; trains do not fight."""
    world = small_world({"fraser": ("crown", "montreal", 1)})
    unit = replace(world.units["fraser_0"], troop_type=troop_type, nation=nation)
    situation = assess_situation(replace(world, units={unit.id: unit}), "crown")
    assert [body.sp for body in situation.bodies] == [sp]
