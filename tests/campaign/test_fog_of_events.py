"""The journal tells a side no figures of the other's units (HR-FOG-01, HR-FOG-02)."""

import re

import pytest

from campaign.rules.day.play import Played
from campaign.rules.returns.returns import pool_owners
from tests.factories.headless import campaign_played


@pytest.fixture(scope="module")
def played() -> Played:
    """Two weeks of Saratoga, with their returns and a battle."""
    return campaign_played(1, 2)


def test_points_of_units_and_pools_are_told_to_their_own_side_only(played: Played) -> None:
    sides = {key: unit.side for morning in played.mornings for key, unit in morning.units.items()}
    owners = pool_owners(played.mornings[0])
    told = 0
    for event in (event for day in played.events for event in day):
        if event.before is not None or event.after is not None or event.unit or event.pool:
            own = owners[event.pool.partition("/")[0]] if event.pool else sides[event.unit]
            assert set(event.sides) <= {own}, event
            told += 1
    assert told > 50


def test_hr_prf_01_what_is_told_of_dice_names_no_enemy_outside_battle(played: Played) -> None:
    """A side's journal as a file holds addresses of dice and keys of contacts, which no page shows."""
    owners = {key: one.side for morning in played.mornings for key, one in morning.formations.items()}
    owners |= {key: unit.side for morning in played.mornings for key, unit in morning.units.items()}
    for event in (event for day in played.events for event in day if event.kind != "pursuit"):
        said = " ".join([event.contact, *(roll.address for roll in event.rolls), str(event.modifiers)])
        named = {owners[word] for word in re.split(r"[^a-z0-9_-]+", said) if word in owners}
        assert all(named <= {side} for side in event.sides), event


def test_marches_and_arrivals_are_told_to_their_own_side_only(played: Played) -> None:
    sides = {key: one.side for morning in played.mornings for key, one in morning.formations.items()}
    kinds = {"arrives", "arrived", "passes", "halts", "rejoined"}
    events = [event for day in played.events for event in day if event.kind in kinds and event.formation]
    assert len(events) > 20
    for event in events:
        assert set(event.sides) <= {sides[event.formation]}, event
