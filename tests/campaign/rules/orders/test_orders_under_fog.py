"""What is refused, and why, tells a side nothing of enemies it does not know of (HR-FOR-04, HR-BRG-03)."""

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from campaign.rules.army.organisation import verify_organisation
from campaign.rules.errors import RuleViolation
from campaign.rules.orders.orders import verify_order
from campaign.rules.scouting.intelligence import first_look
from campaign.rules.world.markers import Bridge, Felled, Raft
from campaign.rules.world.world import Position, World
from tests.factories.random_wars import (
    NAMES,
    random_activity,
    random_organisation,
    random_war,
    rough_war,
)


def answers(world: World, side: str, seed: int) -> list[tuple[str, str, str]]:
    """Rule, sentence and field of what is said to some fifty orders and acts of a side."""
    draw = random.Random(seed)
    own = [key for key, formation in sorted(world.formations.items()) if formation.side == side]
    told = []
    for key in own * 4:
        order = random_activity(world, key, draw)
        try:
            verify_order(world, order, side)
            told.append(("", "", ""))
        except RuleViolation as violation:
            told.append((violation.rule_id, violation.message, violation.field))
    for act in random_organisation(world, draw):
        try:
            verify_organisation(world, act, side)
            told.append(("", "", ""))
        except RuleViolation as violation:
            told.append((violation.rule_id, violation.message, violation.field))
    return told


@pytest.mark.parametrize("war", [random_war, rough_war], ids=["plain", "rough"])
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), place=st.sampled_from(NAMES))
def test_an_unseen_enemy_elsewhere_changes_no_answer(
    war: Callable[[int], World], seed: int, place: str
) -> None:
    """The Crown has looked round; wherever an enemy went since, and what he broke, shows nowhere."""
    world = war(seed)
    world = first_look(replace(world, settings=replace(world.settings, fog="full")))
    rebels = [key for key, each in sorted(world.formations.items()) if each.side == "rebel"]
    assume(rebels)
    # An enemy beside one of one's own is no secret: who stands before him sees him.
    assume(all(each.position != Position(place=place) for each in world.formations.values()))
    enemy = world.formations[rebels[seed % len(rebels)]]
    assume(all(each.side == "rebel" or each.position != enemy.position for each in world.formations.values()))
    moved = replace(enemy, position=Position(place=place), name="Somebody else", garrison=True)
    other = replace(world, formations={**world.formations, moved.id: moved})
    routes = sorted(world.theatre.atlas.routes)
    other = replace(
        other,
        bridges={**{key: Bridge(0, known_by="rebel") for key in routes[:2]}, **world.bridges},
        rafts={**{key: Raft(0, known_by="rebel") for key in routes[2:4]}, **world.rafts},
        felled={**{key: Felled(0, 1000, "rebel") for key in routes[4:6]}, **world.felled},
    )
    assert answers(world, "crown", seed) == answers(other, "crown", seed)
