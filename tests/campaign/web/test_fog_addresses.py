"""No page and no operation of the API is left out of the fog's crawl without a reason (HR-FOG-01)."""

from dataclasses import fields, replace

import pytest

from campaign.rules.scouting.intelligence import first_look
from campaign.rules.world.markers import Score
from campaign.rules.world.world import Formation, Unit, World
from campaign.scenarios.reading import read_scenario, scenario_path
from tests.campaign.web.fog_addresses import (
    NOT_OPENED,
    NOT_SENT,
    OPENED,
    SENT,
    list_read_addresses,
    list_sent_addresses,
)
from tests.campaign.web.hidden_fields import OPEN
from tests.campaign.web.other_truths import apart, otherwise


def test_every_address_that_tells_something_is_crawled_or_it_is_said_why_not():
    assert not OPENED & set(NOT_OPENED)
    assert list_read_addresses() == OPENED | set(NOT_OPENED)


def test_every_address_that_takes_something_is_compared_or_it_is_said_why_not():
    assert not SENT & set(NOT_SENT)
    assert list_sent_addresses() == SENT | set(NOT_SENT)


@pytest.mark.parametrize("side", ["crown", "rebel"])
def test_every_fact_of_a_world_is_changed_in_the_crawl_or_open(side):
    """A new field of a world, a column or a unit must be hidden from a side or named as open to it."""
    world = first_look(eventful(read_scenario(scenario_path("saratoga-1777")).world))
    other = [otherwise(side, "")(world), apart(side)(world)]
    changed = {
        field.name
        for field in fields(World)
        if any(getattr(each, field.name) != getattr(world, field.name) for each in other)
    }
    assert changed == {field.name for field in fields(World)} - set(OPEN)
    for kind, rows, never in (
        (Formation, "formations", {"id", "side"}),
        (Unit, "units", {"id", "side"}),
    ):
        seen = {
            field.name
            for field in fields(kind)
            for each in other
            for key, row in getattr(each, rows).items()
            if getattr(row, field.name) != getattr(getattr(world, rows)[key], field.name)
        }
        assert seen == {field.name for field in fields(kind)} - never


def eventful(world: World) -> World:
    """With couriers, food, fog and all pools."""
    return replace(
        world,
        settings=replace(world.settings, couriers=True, supply="food", fog="full"),
        scores={side.id: Score(3) for side in world.theatre.sides},
        pools={unit.pool: 50 for unit in world.units.values()},
        formations={key: replace(one, rations=900) for key, one in world.formations.items()},
    )
