"""Reinforcements, detachments and levies (HR-ARR-01, HR-FOR-01, HR-LEV-01)."""

import itertools
from dataclasses import replace

import pytest

from campaign.rules.day.arrivals import levies_leave, place_arrivals, rejoin_detachments
from campaign.rules.world.world import Formation, Order, Position, UnitStatus, World
from rosters.domain.vocabulary import TroopType
from tests.factories.little_wars import (
    battalion,
    completed,
    day_dice,
    little_world,
    orders,
    place,
    told,
    way,
)
from tests.factories.scripted_dice import ScriptedDice


def lake_george(holders: dict[str, str], gates_at: str = "dorset") -> World:
    """Albany -6- Bennington -6- Castleton -6- Dorset; a Loyalist battalion is due at Castleton."""
    names = ("albany", "bennington", "castleton", "dorset")
    world = little_world(
        tuple(place(name) for name in names),
        tuple(way(a, b, 6) for a, b in itertools.pairwise(names)),
        {"burgoyne": ("crown", "albany", 2), "gates": ("rebel", gates_at, 2)},
        holders=holders,
    )
    late = battalion("jessup", "crown", "burgoyne", 48, status=UnitStatus.EXPECTED, home="castleton")
    return replace(world, units={**world.units, late.id: late})


@pytest.mark.parametrize(
    ("holders", "gates_at", "appears"),
    [
        ({"castleton": "crown"}, "dorset", "castleton"),
        ({}, "dorset", "castleton"),
        ({"castleton": "rebel", "bennington": "crown", "albany": "crown"}, "dorset", "bennington"),
        ({"castleton": "rebel", "albany": "crown"}, "dorset", "albany"),
        ({"castleton": "crown", "albany": "crown"}, "castleton", "albany"),
        ({"castleton": "rebel"}, "dorset", ""),
    ],
)
def test_hr_arr_01_where_a_reinforcement_appears(
    holders: dict[str, str], gates_at: str, appears: str
) -> None:
    world, events = place_arrivals(lake_george(holders, gates_at), 0)
    unit = world.units["jessup"]
    assert unit.points == 48
    if not appears:
        assert unit.status is UnitStatus.EXPECTED
        assert [event.kind for event in events] == ["arrival_waits"]
        return
    assert unit.status is UnitStatus.PRESENT
    assert world.formations[unit.formation].position == Position(place=appears)
    assert [(event.kind, event.place, event.sides) for event in told(events, "arrived")] == [
        ("arrived", appears, ("crown",))
    ]
    # a place nobody held is taken, and the journal tells it to who lands; nobody else sees it (HR-CON-13)
    taken = [(event.place, event.sides) for event in told(events, "place_taken")]
    assert taken == ([] if holders else [("castleton", ("crown",))])
    assert world.holders == {appears: "crown", **holders}


def test_hr_arr_01_both_sides_do_not_land_at_one_place_on_the_same_morning() -> None:
    world = lake_george({"albany": "crown", "dorset": "rebel"})
    stark = battalion("stark", "rebel", "gates", 60, status=UnitStatus.EXPECTED, home="castleton")
    world, events = place_arrivals(replace(world, units={**world.units, "stark": stark}), 0)
    assert [(event.unit, event.place) for event in told(events, "arrived")] == [
        ("jessup", "castleton"),
        ("stark", "dorset"),
    ]
    assert world.holders == {"albany": "crown", "castleton": "crown", "dorset": "rebel"}


def test_hr_arr_01_a_train_that_lands_closes_the_place_but_holds_nothing() -> None:
    world = lake_george({"albany": "crown"})
    train = replace(world.units["jessup"], troop_type=TroopType.WAGON, points=0)
    stark = battalion("stark", "rebel", "gates", 60, status=UnitStatus.EXPECTED, home="castleton")
    world, events = place_arrivals(replace(world, units={**world.units, "jessup": train, "stark": stark}), 0)
    assert [event.kind for event in events] == ["arrived", "arrival_waits"]
    assert world.holders == {"albany": "crown"}


def test_hr_for_01_a_detachment_forms_and_rejoins() -> None:
    world = lake_george({"castleton": "crown"})
    first = completed(world, {}, day_dice(world)).world
    key = "burgoyne-at-castleton"
    assert first.formations[key].parent == "burgoyne"
    assert first.units["jessup"].formation == key
    march = orders(Order(key, ("bennington",)), Order("burgoyne", ("bennington",)))
    second = completed(first, march, day_dice(first))
    assert second.world.units["jessup"].formation == "burgoyne"
    assert second.world.formations[key].position is None
    (event,) = told(second.events, "rejoined")
    assert (event.formation, event.data["parent"]) == (key, "burgoyne")


def test_hr_for_01_only_detachments_at_the_same_place_rejoin() -> None:
    world = lake_george({})
    part = Formation("part", "Part", "crown", Position(place="bennington"), parent="burgoyne")
    world = replace(world, formations={**world.formations, "part": part})
    assert rejoin_detachments(world, 0) == (world, [])


def test_a_unit_not_yet_due_stays_away() -> None:
    world = lake_george({"castleton": "crown"})
    later = replace(world.units["jessup"], arrives=3)
    world = replace(world, units={**world.units, "jessup": later})
    assert place_arrivals(world, 0) == (world, [])


@pytest.mark.parametrize(
    ("gates_at", "die", "day", "status"),
    [
        ("dorset", 5, 3, UnitStatus.PRESENT),
        ("dorset", 4, 3, UnitStatus.DEPARTED),
        ("bennington", 3, 3, UnitStatus.PRESENT),
        ("bennington", 2, 3, UnitStatus.DEPARTED),
        ("dorset", 1, 2, UnitStatus.PRESENT),
    ],
)
def test_hr_lev_01_levies_past_their_date_roll_to_stay(
    gates_at: str, die: int, day: int, status: UnitStatus
) -> None:
    """Albany is 18 miles from Dorset and 6 from Bennington; the last day of service is day 2."""
    world = replace(lake_george({"albany": "crown"}, gates_at), day=day)
    levy = replace(world.units["burgoyne_1"], departs=2)
    world = replace(world, units={**world.units, "burgoyne_1": levy})
    after, events = levies_leave(world, ScriptedDice({"HR-LEV-01": [die]}))
    assert after.units["burgoyne_1"].status is status
    assert after.units["burgoyne_1"].points == 100
    assert len(events) == (0 if day == 2 else 1)
    assert all(event.sides == ("crown",) and event.rolls for event in events)


@pytest.mark.parametrize(("sees", "status"), [(True, UnitStatus.PRESENT), (False, UnitStatus.DEPARTED)])
def test_hr_lev_01_an_enemy_out_of_sight_does_not_make_levies_stay(sees: bool, status: UnitStatus) -> None:
    """Gates is 8 miles off, two places away; a die of 3 keeps the levies only if he is seen."""
    names = ("albany", "bennington", "castleton")
    world = little_world(
        tuple(place(name) for name in names),
        tuple(way(a, b, 4) for a, b in itertools.pairwise(names)),
        {"burgoyne": ("crown", "albany", 2), "gates": ("rebel", "castleton", 2)},
        holders={"bennington": "crown"} if sees else {},
    )
    levy = replace(world.units["burgoyne_1"], departs=2)
    world = replace(world, day=3, units={**world.units, "burgoyne_1": levy})
    after, _ = levies_leave(world, ScriptedDice({"HR-LEV-01": [3]}))
    assert after.units["burgoyne_1"].status is status
