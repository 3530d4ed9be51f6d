"""Orders are checked by one rule, for the form and for the turn (HR-FOR-03, HR-FOR-04, HR-MAR)."""

from dataclasses import replace

import pytest

from campaign.rules.errors import RuleViolation
from campaign.rules.orders.orders import verify_order
from campaign.rules.world.world import Order, Position, World
from rosters.domain.vocabulary import TroopType
from tests.campaign.rules.allowed import is_allowed
from tests.factories.little_wars import completed, day_dice, little_world, orders, place, told, way


def world_of_two() -> World:
    world = little_world(
        (place("albany"), place("bennington"), place("castleton"), place("dorset")),
        (way("albany", "bennington", 6), way("bennington", "castleton", 6, "trail", wheeled=False)),
        {
            "burgoyne": ("crown", "albany", 2),
            "train": ("crown", "albany", 1),
            "gates": ("rebel", "castleton", 1),
        },
    )
    wagon = replace(world.units["train_1"], troop_type=TroopType.WAGON, points=0)
    return replace(world, units={**world.units, "train_1": wagon})


@pytest.mark.parametrize(
    ("order", "side", "rule", "field"),
    [
        (Order("gates", ("albany",)), "crown", "HR-FOR-04", "formation"),
        (Order("nobody", ("albany",)), "crown", "HR-FOR-04", "formation"),
        (Order("burgoyne", ("atlantis",)), "crown", "HR-MAR-08", "via"),
        (Order("burgoyne", ("dorset",)), "crown", "HR-MAR-08", "via"),
        (Order("train", ("castleton",)), "crown", "HR-MAR-02", "via"),
        (Order("train", ("bennington",), light_order=True), "crown", "HR-MAR-03", "light_order"),
        (Order("burgoyne", ("bennington",), pace="triple"), "crown", "AWI-C-MAR-02", "pace"),  # type: ignore[arg-type]
        (Order("burgoyne", stance="sulk"), "crown", "HR-CON-03", "stance"),  # type: ignore[arg-type]
    ],
)
def test_an_order_is_refused_with_its_field(order: Order, side: str, rule: str, field: str) -> None:
    with pytest.raises(RuleViolation) as refused:
        verify_order(world_of_two(), order, side)
    assert (refused.value.rule_id, refused.value.field) == (rule, field)
    assert not is_allowed(verify_order, world_of_two(), order, side)


@pytest.mark.parametrize(
    "order",
    [Order("burgoyne", ("bennington", "castleton"), "double", "attack", light_order=True), Order("burgoyne")],
)
def test_a_possible_order_passes(order: Order) -> None:
    verify_order(world_of_two(), order, "crown")
    assert is_allowed(verify_order, world_of_two(), order)


def test_hr_for_03_a_garrison_is_not_marched_but_may_be_given_a_stance() -> None:
    world = world_of_two()
    garrison = replace(world.formations["burgoyne"], garrison=True)
    world = replace(world, formations={**world.formations, "burgoyne": garrison})
    assert is_allowed(verify_order, world, Order("burgoyne", stance="avoid"), "crown")
    with pytest.raises(RuleViolation, match="is a garrison"):
        verify_order(world, Order("burgoyne", ("bennington",)), "crown")


def test_hr_mar_03_light_order_after_three_days() -> None:
    """Refused when it is ordered; laid down by itself when it was ordered before."""
    world = world_of_two()
    tired = replace(world.formations["burgoyne"], light_days=3, marched=3)
    order = Order("burgoyne", ("castleton",), light_order=True)
    world = replace(world, formations={**world.formations, "burgoyne": replace(tired, order=order)})
    with pytest.raises(RuleViolation, match="light order"):
        verify_order(world, order, "crown")
    done = completed(world, {}, day_dice(world))
    assert not told(done.events, "order_refused")
    assert done.world.formations["burgoyne"].order == replace(order, via=("castleton",), light_order=False)
    assert done.world.formations["burgoyne"].light_days == 3


def test_hr_for_04_an_impossible_order_is_told_to_its_owner_and_the_formation_halts() -> None:
    world = world_of_two()
    done = completed(world, orders(Order("burgoyne", ("dorset",))), day_dice(world))
    (refused,) = told(done.events, "order_refused")
    assert (refused.formation, refused.sides) == ("burgoyne", ("crown",))
    assert refused.data["reason"].endswith(".")
    assert done.world.formations["burgoyne"].position == Position(place="albany")
    assert done.world.formations["burgoyne"].order is None


def test_hr_mar_07_a_closed_ford_holds_a_march_up_but_the_order_stands() -> None:
    world = little_world(
        (place("albany"), place("bennington")),
        (way("albany", "bennington", 6, crossing="ford"),),
        {"burgoyne": ("crown", "albany", 2)},
    )
    world = replace(world, wet_days=2)
    order = Order("burgoyne", ("bennington",))
    done = completed(world, orders(order), day_dice(world))
    (held_up,) = told(done.events, "march_held_up")
    assert held_up.rule == "HR-MAR-07"
    assert done.world.formations["burgoyne"].order == order
    after = completed(done.world, {}, day_dice(done.world)).world
    assert after.formations["burgoyne"].position == Position(place="bennington")


def test_a_march_that_is_done_leaves_only_an_unusual_stance() -> None:
    world = world_of_two()
    for stance, left in (("give_battle", None), ("avoid", Order("burgoyne", stance="avoid"))):
        order = Order("burgoyne", ("bennington",), stance=stance)  # type: ignore[arg-type]
        done = completed(world, orders(order), day_dice(world)).world
        assert done.formations["burgoyne"].order == left
        assert done.formations["burgoyne"].marched == 1
