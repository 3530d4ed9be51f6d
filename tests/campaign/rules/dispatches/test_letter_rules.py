"""How letters ride: when they are in, and who takes them (HR-LET-05, HR-LET-06)."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.rules.dispatches.couriers import days_behind
from campaign.rules.dispatches.letter_rules import (
    Carriage,
    LetterAddress,
    build_carriage,
    carry_letter,
    find_recipient_position,
    letters_ride,
)
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Position, World
from rosters.domain.dice import AddressedDice
from tests.campaign.rules.dispatches.test_couriers import apart
from tests.factories.fog import dice_of

CHIEF, FRASER, GATES = LetterAddress("crown"), LetterAddress("crown", ("fraser",)), LetterAddress("rebel")
SUBJECT = "letter/1/1"


def evening(**settings: object) -> World:
    """The first day has been played; Burgoyne at Albany, Fraser at Castleton, 24 miles off."""
    return replace(apart(**settings), day=1)


def with_die(world: World, value: int) -> AddressedDice:
    dice = dice_of(world)
    return replace(dice, entered={dice.address("HR-LET-06", SUBJECT): value})


def safe(world: World) -> World:
    """Without an enemy on the way."""
    gates = replace(world.formations["gates"], position=Position(place="fairfax"))
    return replace(world, formations={**world.formations, "gates": gates}, holders={})


@pytest.mark.parametrize(
    ("miles", "day", "minute", "due"),
    [
        (0, 4, 1080, 5),  # at the same place: handed over in the evening
        (10, 5, 0, 5),  # a quarter of a day's ride
        (20, 5, 360, 5),  # half a day's ride is in as the morning begins
        (21, 5, 396, 6),
        (60, 6, 360, 6),
        (61, 6, 396, 7),
    ],
)
def test_a_letter_is_in_by_the_ride_hr_let_05(miles: int, day: int, minute: int, due: int) -> None:
    assert build_carriage(4, miles * 1760, RuleSettings()) == Carriage(day, minute, due)


@given(st.integers(0, 2_000_000), st.integers(1, 80))
def test_a_letter_takes_as_long_as_a_report_hr_let_05(yards: int, miles: int) -> None:
    settings = RuleSettings(courier_miles=miles)
    way = build_carriage(0, yards, settings)
    day = miles * 1760
    assert way.due == 1 + max(0, -(-(2 * yards - day) // (2 * day)))
    assert 0 <= way.minute < 1440 and way.day <= way.due


def test_a_letter_rides_from_column_to_headquarters_hr_let_05() -> None:
    world = safe(evening())
    fraser, chief = (find_recipient_position(world, table) for table in (FRASER, CHIEF))
    assert fraser is not None and fraser.place == "castleton"
    assert chief is not None and chief.place == "albany"
    way = carry_letter(world, (FRASER, CHIEF), dice_of(world), SUBJECT)
    assert way == carry_letter(world, (CHIEF, FRASER), dice_of(world), SUBJECT)
    days = days_behind(world.theatre.atlas, world.settings, fraser, chief)
    assert (way.due, way.taken, way.die) == (1 + days, False, None)
    near = carry_letter(world, (CHIEF, CHIEF), dice_of(world), SUBJECT)
    assert (near.day, near.minute, near.due) == (0, 18 * 60, 1)


def test_the_holder_of_a_lost_column_is_at_headquarters_hr_let_05() -> None:
    world = evening()
    assert find_recipient_position(world, LetterAddress("crown", ("nobody",))) == find_recipient_position(
        world, CHIEF
    )
    empty = replace(world, units={}, watches={})
    assert carry_letter(empty, (CHIEF, FRASER), dice_of(empty), SUBJECT).due == 1


@pytest.mark.parametrize(("die", "taken"), [(3, False), (4, True)])
def test_a_courier_past_the_enemy_may_be_taken_hr_let_06(die: int, taken: bool) -> None:
    world = evening()
    held = replace(world, holders={**world.holders, "bennington": "rebel"})
    way = carry_letter(held, (CHIEF, FRASER), with_die(held, die), SUBJECT)
    assert (way.taken, way.die) == (taken, die)
    assert way.due == (1 if taken else 2)


def test_flags_of_truce_and_letters_that_may_not_be_taken_hr_let_06() -> None:
    world = evening()
    held = replace(world, holders={**world.holders, "bennington": "rebel"})
    across = carry_letter(held, (CHIEF, GATES), with_die(held, 6), SUBJECT)
    assert (across.taken, across.die) == (False, None)
    off = evening(letters_taken=False)
    off = replace(off, holders={**off.holders, "bennington": "rebel"})
    assert carry_letter(off, (CHIEF, FRASER), with_die(off, 6), SUBJECT).die is None


def test_letters_ride_where_couriers_do_unless_they_go_at_once_hr_let_05() -> None:
    assert not letters_ride(RuleSettings())
    assert letters_ride(RuleSettings(couriers=True))
    assert not letters_ride(RuleSettings(couriers=True, letters_at_once=True))
