"""What the umpire's corrections of pools do to a world, checked and told (HR-UMP-19)."""

from dataclasses import replace

from campaign.rules.corrections import ChangePool, Correction
from campaign.rules.events import Event
from campaign.rules.pools import parse_pool
from campaign.rules.returns import pool_owners
from campaign.rules.umpire_calendar import refuse
from campaign.rules.world import World

#: More points than any pool holds.
MOST_POINTS = 100_000


def correct(world: World, act: Correction) -> tuple[World, list[Event]]:
    """The world after a correction, and what is told of it. Raises RuleViolation."""
    return _pool(world, act)


def _pool(world: World, act: ChangePool) -> tuple[World, list[Event]]:
    rule = "HR-UMP-19"
    nation, _ = parse_pool(act.pool, "pool")
    side = pool_owners(world).get(nation.value)
    if side is None:
        refuse(rule, f"Nobody draws on the pool {act.pool}; name one of a nation with troops here.", "pool")
    if act.points == 0:
        refuse(rule, "0 points change nothing; give some, or take some with a minus.", "points")
    before = world.pools.get(act.pool, 0)
    after = before + act.points
    if not 0 <= after <= MOST_POINTS:
        most = MOST_POINTS - before
        refuse(
            rule,
            f"The pool {act.pool} holds {before} points; give {most} or take {before} at most.",
            "points",
        )
    event = Event("points_changed", 0, rule, (side,), pool=act.pool, before=before, after=after)
    return replace(world, pools={**world.pools, act.pool: after}), [event]
