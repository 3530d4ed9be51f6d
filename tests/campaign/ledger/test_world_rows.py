"""A stored world that is read again soon is the same object."""

from dataclasses import replace

import pytest

from campaign.ledger.world_rows import WORLDS_IN_MEMORY, _read_snapshot, snapshot_pack, snapshot_unpack
from tests.factories.small_war import small_world

WORLD = small_world({"fraser": ("crown", "montreal", 1)})


def test_the_same_snapshot_is_the_same_world() -> None:
    packed = snapshot_pack(WORLD)
    read = snapshot_unpack(packed, WORLD.theatre)
    assert read == WORLD
    assert snapshot_unpack(memoryview(bytes(packed)), WORLD.theatre) is read


def test_another_theatre_is_another_world() -> None:
    packed, other = snapshot_pack(WORLD), replace(WORLD.theatre, title="Another war")
    assert snapshot_unpack(packed, WORLD.theatre).theatre.title == WORLD.theatre.title
    assert snapshot_unpack(packed, other).theatre is other


def test_no_more_stay_in_memory_than_are_said() -> None:
    first = snapshot_unpack(snapshot_pack(WORLD), WORLD.theatre)
    for day in range(1, WORLDS_IN_MEMORY + 1):
        snapshot_unpack(snapshot_pack(replace(WORLD, day=day)), WORLD.theatre)
    assert _read_snapshot.cache_info().currsize == WORLDS_IN_MEMORY
    again = snapshot_unpack(snapshot_pack(WORLD), WORLD.theatre)
    assert again == first and again is not first


def test_a_snapshot_that_cannot_be_read_is_refused_each_time() -> None:
    for _ in range(2):
        with pytest.raises(ValueError, match="cannot be read"):
            snapshot_unpack(b"no world", WORLD.theatre)
