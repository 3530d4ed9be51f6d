"""Two small wars in one theatre, too far apart to touch."""

from campaign.rules.world.world import Order, World
from tests.factories.little_wars import little_world, orders, place, way

ROUTE = "middle--east--road"


def two_wars(apart_by: int = 60, **facts: object) -> World:
    """Two armies about to fight in the west and two in the east, a long road between, one column on it."""
    return little_world(
        [place(name) for name in ("west", "gap", "middle", "east", "cape")],
        [
            way("west", "gap", 8),
            way("gap", "middle", apart_by),
            way("middle", "east", apart_by),
            way("east", "cape", 8),
        ],
        {
            "ward": ("crown", "west", 3),
            "xavier": ("rebel", "gap", 3),
            "york": ("crown", "east", 3),
            "zane": ("rebel", "cape", 3),
            "rider": ("rebel", "middle", 1),
        },
        supply={"crown": ("west",), "rebel": ("cape",)},
        **facts,
    )  # fmt: skip


BOTH_ATTACK = orders(
    Order("ward", ("gap",), stance="attack"),
    Order("york", ("cape",), stance="attack"),
    Order("rider", ("east",)),
)
