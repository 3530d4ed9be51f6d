"""Battle losses and forced marches (AWI-C-STR-01, AWI-C-BAT-01..04, AWI-C-MAR-01..03)."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.rules.contact.casualties import (
    UnitLoss,
    battle_losses,
    forced_march_distribution,
    forced_march_loss,
    forced_march_rule,
    percent_over,
    points_for_battle,
)
from campaign.rules.errors import RuleViolation
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import UnitStatus
from rosters.domain.strength import BASIC_POINTS, POINTS_PER_SP
from tests.campaign.rules.weeks import unit
from tests.factories.scripted_dice import ScriptedDice


def points_after(loss: UnitLoss, points: int = 100, **settings: Any) -> int:
    return battle_losses(unit("british", "9th", points), loss, RuleSettings(**settings))[0].points


def test_str_01_twenty_points_a_strength_point() -> None:
    """AWI-C-STR-01: most units start with 100 points, 5 SP of 20."""
    assert (BASIC_POINTS, POINTS_PER_SP) == (100, 20)


@pytest.mark.parametrize(
    ("loss", "settings", "left"),
    [
        pytest.param(UnitLoss("9th", 5, 2), {}, 90, id="AWI-C-BAT-01"),
        pytest.param(UnitLoss("9th", 5, 5), {}, 65, id="AWI-C-BAT-02 on top"),
        pytest.param(
            UnitLoss("9th", 5, 5),
            {"zero_strength_penalty": "instead_of_per_point"},
            90,
            id="AWI-C-BAT-02 instead",
        ),
        pytest.param(UnitLoss("9th", 5, 2, 3), {}, 60, id="AWI-C-BAT-03 instead of lost"),
        pytest.param(
            UnitLoss("9th", 5, 2, 3), {"captured_points": "on_top_of_lost"}, 45, id="AWI-C-BAT-03 on top"
        ),
        pytest.param(
            UnitLoss("9th", 5, 2, 3), {"surrender_counts_as_zero": True}, 50, id="AWI-C-BAT-03 as zero"
        ),
        pytest.param(UnitLoss("9th", 5, 3, 2), {}, 65, id="story 2: dragoons"),
    ],
)
def test_points_after_a_battle(loss: UnitLoss, settings: dict[str, Any], left: int) -> None:
    assert points_after(loss, **settings) == left


def test_bat_01_the_event_tells_each_rules_share() -> None:
    after, (event,) = battle_losses(
        unit("british", "9th", 20), UnitLoss("9th", 1, 1), RuleSettings(), minute=900, contact="c1", day=3
    )
    assert event.modifiers == (("AWI-C-BAT-01", -5), ("AWI-C-BAT-02", -10))
    assert (event.before, event.after, event.sides, event.minute) == (20, 5, ("crown",), 900)
    assert after.status is UnitStatus.PRESENT


def test_bat_01_a_unit_left_without_points_is_eliminated_that_day() -> None:
    after, _ = battle_losses(unit("british", "9th", 10), UnitLoss("9th", 1, 1), RuleSettings(), day=3)
    assert (after.points, after.status, after.since) == (0, UnitStatus.ELIMINATED, 3)


def test_a_battle_without_loss_has_no_event() -> None:
    one = unit("british", "9th")
    assert battle_losses(one, UnitLoss("9th", 5, 0, fate="left_table"), RuleSettings()) == (one, ())


@pytest.mark.parametrize("loss", [UnitLoss("9th", 5, 4, 2), UnitLoss("9th", 5, -1)])
def test_results_that_do_not_add_up_are_refused(loss: UnitLoss) -> None:
    with pytest.raises(RuleViolation, match="add up"):
        points_after(loss)


def test_bat_04_story_of_bennington() -> None:
    """AWI-C-BAT-04: 120 points lose 2 SP; 110 for good, 100 and so 5 SP against Breymann."""
    assert points_after(UnitLoss("9th", 6, 2), points=120) == 110
    assert points_for_battle(110, 2) == 100


@pytest.mark.parametrize(
    ("normal", "marched", "percent", "rule"),
    [
        (12, 12, 0, ""),
        (12, 9, 0, ""),
        (12, 13, 9, "AWI-C-MAR-01"),
        (12_000, 18_000, 50, "AWI-C-MAR-01"),
        (12_000, 18_001, 51, "AWI-C-MAR-02"),
        (12_000, 24_000, 100, "AWI-C-MAR-02"),
    ],
)
def test_mar_01_02_which_table(normal: int, marched: int, percent: int, rule: str) -> None:
    assert percent_over(normal, marched) == percent
    assert forced_march_rule(percent) == rule


def test_mar_02_a_yard_over_double_is_refused() -> None:
    with pytest.raises(RuleViolation, match="limit"):
        forced_march_rule(percent_over(12_000, 24_001))


@pytest.mark.parametrize(
    ("percent", "militia", "mean"),
    [(50, False, Fraction(5, 2)), (90, False, Fraction(20, 3)), (90, True, Fraction(10))],
)
def test_mar_02_story_of_st_clair(percent: int, militia: bool, mean: Fraction) -> None:
    """AWI-C-MAR-02, AWI-C-MAR-03: at 190 % a regular unit loses 6.7 points in the mean, militia 10."""
    odds = forced_march_distribution(percent, militia, False)
    assert sum(odds.values()) == 1
    assert sum(loss * chance for loss, chance in odds.items()) == mean


@given(st.integers(0, 100), st.integers(1, 6), st.booleans(), st.integers(1, 120), st.booleans())
def test_mar_03_marches_agree_with_their_odds_and_the_floor(
    percent: int, die: int, storm: bool, points: int, militia: bool
) -> None:
    marcher = unit("militia" if militia else "continental", "levy", points)
    after, events = forced_march_loss(marcher, percent, storm, ScriptedDice([die]), 1200, day=5)
    lost = points - after.points
    assert bool(events) is (percent > 0)
    assert 0 <= after.points <= points
    assert lost == points or lost in forced_march_distribution(percent, militia, storm)


def test_trains_and_normal_marches_throw_no_die() -> None:
    """HR-REC-01: a train has no points to lose."""
    for marcher, percent in ((unit("train", "artificers", 0), 80), (unit("british", "9th"), 0)):
        assert forced_march_loss(marcher, percent, True, ScriptedDice([]), 0) == (marcher, ())
