"""Early August: reinforcements due at Fort Edward while Schuyler still holds it, trains, and strengths."""

from dataclasses import replace

import pytest

from campaign.rules.army.organisation import organisation_from_json
from campaign.rules.day.arrivals import play_morning
from campaign.rules.errors import RuleViolation
from campaign.rules.returns.scenario_strength import list_drifts
from campaign.rules.returns.week import WeekChoices, close_week
from campaign.rules.world.world import Position, UnitStatus, World
from campaign.scenarios.reading import read_scenario, scenario_path
from rosters.domain.dice import AddressedDice
from tests.factories.little_wars import completed, day_dice, told

LOYALISTS = {"lo_kla2": 48, "lo_adams": 58, "lo_mcalpin": 74}


@pytest.fixture(scope="module")
def saratoga() -> World:
    return read_scenario(scenario_path("saratoga-1777")).world


def early_august(world: World, day: int, crown: str) -> World:
    """The morning of a day on which the Crown has come as far as `crown`; only its Loyalists are due."""
    keep = {key: unit for key, unit in world.units.items() if key in LOYALISTS}
    held = {place: side for place, side in world.holders.items() if side == "rebel"}
    holders = {
        **held,
        "ticonderoga": "crown",
        "skenesborough": "crown",
        crown: "crown",
        "fort_edward": "rebel",
    }
    return replace(world, day=day, units=keep, holders=holders)


@pytest.mark.parametrize("post", ["fort_anne", "kingsbury"])
def test_loyalists_due_at_fort_edward_come_to_the_nearest_crown_post(saratoga: World, post: str) -> None:
    """HR-ARR-01: 48 and 58 points on 5 August, 74 on the 10th."""
    world, events = play_morning(early_august(saratoga, 51, post), day_dice(saratoga))
    came = {event.unit: (event.place, event.data["points"]) for event in told(events, "arrived")}
    assert came == {"lo_kla2": (post, 48), "lo_adams": (post, 58)}
    assert all(event.data["expected_at"] == "fort_edward" for event in told(events, "arrived"))
    world, events = play_morning(replace(world, day=56), day_dice(saratoga))
    assert [(event.unit, event.place) for event in told(events, "arrived")] == [("lo_mcalpin", post)]
    bodies = {world.formations[unit.formation].position for unit in world.units.values()}
    assert bodies == {Position(place=post)}


def test_without_a_post_of_their_own_they_wait(saratoga: World) -> None:
    world = early_august(saratoga, 51, "fort_anne")
    world = replace(world, holders=dict.fromkeys(world.theatre.atlas.places, "rebel"))
    _, events = play_morning(world, day_dice(saratoga))
    assert {event.unit for event in told(events, "arrival_waits")} == {"lo_kla2", "lo_adams"}


def test_nine_trains_of_0_points_neither_roll_nor_count_as_eliminated(saratoga: World) -> None:
    """HR-REC-01, AWI-C-ELI-01."""
    trains = {key for key, unit in saratoga.units.items() if unit.is_train}
    assert len(trains) == 9
    assert all(saratoga.units[key].points == 0 for key in trains)
    here = {
        key: replace(unit, status=UnitStatus.PRESENT) if key in trains else unit
        for key, unit in saratoga.units.items()
    }
    closed = close_week(replace(saratoga, day=7, units=here), WeekChoices(), day_dice(saratoga))
    assert closed.events
    assert not [event for event in closed.events if event.unit in trains]
    assert {closed.world.units[key].status for key in trains} == {UnitStatus.PRESENT}


def test_evening_out_two_wings_in_midweek_is_refused() -> None:
    """80 + 80 are 8 SP, 90 + 70 would be 9 (AWI-C-OVR-02)."""
    with pytest.raises(RuleViolation) as refused:
        organisation_from_json({"version": 1, "kind": "balance", "giver": "a", "receiver": "b", "points": 10})
    assert refused.value.rule_id == "AWI-C-OVR-02"


@pytest.mark.parametrize("seed", [b"first", b"second", b"third"])
def test_18_weeks_without_a_battle_keep_the_rebels_near_their_schedule(saratoga: World, seed: bytes) -> None:
    """Scheduled 11,550 points; the scenario damps recruitment (HR-REC-04, HR-REC-08)."""
    world = saratoga
    assert world.settings.recruitment == "damped"
    while not world.ended:
        dice = AddressedDice(seed, "story", 1, world.day)
        world = completed(world, {}, dice).world
        if world.week_is_over:
            world = close_week(world, WeekChoices(), dice).world
    assert world.day == 126
    (rebels,) = (drift for drift in list_drifts(world) if drift.side == "rebel")
    assert not rebels.far
    assert abs(rebels.actual - 11550) <= 11550 * 15 // 100
