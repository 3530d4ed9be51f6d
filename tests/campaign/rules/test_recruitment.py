"""Strength by each choice of recruitment and attrition (HR-REC-04)."""

from dataclasses import replace
from datetime import timedelta
from fractions import Fraction

import pytest

from campaign.rules.recruitment import (
    MOST_UNIT_WEEKS,
    RUNS,
    TurnedDice,
    estimate_final_points,
    is_affordable,
    weekly_changes,
)
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import UnitStatus, World
from campaign.scenarios.reading import read_scenario, scenario_path
from rosters.domain.dice import AddressedDice
from rosters.domain.vocabulary import Nation


def world_of(slug: str, value: str) -> World:
    world = read_scenario(scenario_path(slug)).world
    return replace(world, settings=replace(world.settings, recruitment=value))


@pytest.mark.parametrize(
    ("value", "regular", "militia", "european"),
    [
        # 40/6 recruits less 10/6; 15/6 of the militia's table; 10 on one die in six.
        ("draft", Fraction(5), Fraction(15, 6), Fraction(10, 6)),
        # Recruits 0, 0, 0, 5, 5, 5; militia 0, -10, -5, 0, 5, 5; 5 on one die in six.
        ("damped", Fraction(15 - 10, 6), Fraction(-5, 6), Fraction(5, 6)),
        ("off", Fraction(0), Fraction(0), Fraction(0)),
    ],
)
def test_hr_rec_04_a_units_mean_week_is_the_tables_own(value, regular, militia, european):
    changes = weekly_changes(RuleSettings(recruitment=value))
    assert changes == {"regular": regular, "militia": militia, "european": european}


def test_awi_c_att_01_a_four_that_costs_points_lowers_the_mean():
    settings = RuleSettings(recruitment="draft", attrition_roll_four="lose_5")
    assert weekly_changes(settings)["regular"] == Fraction(40 - 15, 6)


@pytest.mark.parametrize("slug", ["saratoga-1777", "new-jersey-1776"])
def test_hr_rec_04_without_dice_a_side_has_what_its_dates_give(slug):
    world = world_of(slug, "off")
    assert estimate_final_points(world) == {
        side: points[-1] for side, points in world.theatre.schedule.items()
    }


def test_every_die_shows_each_face_once_among_the_runs():
    dice = AddressedDice(b"any", "war", 1, 7)
    for subject in ("a", "b", "c"):
        shown = {TurnedDice(dice, run).roll("AWI-C-ATT-02", subject).value for run in range(RUNS)}
        assert shown == {1, 2, 3, 4, 5, 6}


def test_hr_rec_04_one_weeks_mean_is_exact():
    """Nobody reaches a limit in a week: the draft gives each Continental 5 points (AWI-C-ATT-02)."""
    world = world_of("saratoga-1777", "draft")
    units = {
        key: replace(one, points=60)
        for key, one in world.units.items()
        if one.nation is Nation.CONTINENTAL
        and one.status is UnitStatus.PRESENT
        and not one.static
        and not one.is_train
    }
    theatre = replace(world.theatre, end=world.theatre.start + timedelta(days=6))
    expected = estimate_final_points(replace(world, theatre=theatre, units=units))
    assert units and expected["rebel"] == 65 * len(units)


def test_hr_rec_04_the_draft_raises_the_rebels_of_saratoga_far_beyond_their_dates():
    scheduled, draft, damped = (
        estimate_final_points(world_of("saratoga-1777", value)) for value in ("off", "draft", "damped")
    )
    assert draft["rebel"] > 1.3 * scheduled["rebel"]
    assert abs(damped["rebel"] - scheduled["rebel"]) < 0.15 * scheduled["rebel"]
    assert draft["crown"] > damped["crown"] > scheduled["crown"]


def test_the_same_figures_come_out_each_time():
    world = world_of("new-jersey-1776", "draft")
    assert estimate_final_points(world) == estimate_final_points(world)


def test_a_scenario_too_large_to_wait_for_is_not_run_through():
    saratoga = world_of("saratoga-1777", "draft")
    assert len(saratoga.units) * 18 <= MOST_UNIT_WEEKS and is_affordable(saratoga)
    many = dict.fromkeys(range(MOST_UNIT_WEEKS // 18 + 1), next(iter(saratoga.units.values())))
    assert not is_affordable(replace(saratoga, units=many))
