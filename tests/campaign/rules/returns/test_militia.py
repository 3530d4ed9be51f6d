"""Militia going home and returning (AWI-C-MIL-01..03)."""

from typing import Any

import pytest

from campaign.rules.returns.militia import return_militia, roll_militia
from campaign.rules.world.world import UnitStatus
from tests.campaign.rules.weeks import book, unit, week_world

ABSENT = UnitStatus.ABSENT


def returning(*units: Any, dice: Any = ((1,),), **settings: Any) -> list[str]:
    week = book(week_world(units, **settings), {"AWI-C-MIL-03": list(dice[0]), "AWI-C-POL-05": [1] * 9})
    return_militia(week, {})
    return [one.id for one in week.units.values() if one.status is UnitStatus.PRESENT]


def test_mil_02_points_are_set_aside_and_the_formation_leaves_the_map() -> None:
    world = week_world([unit("militia", "tryon", 85)])
    week = book(world, [1])
    roll_militia(week)
    after = week.close(world)
    assert (after.units["tryon"].status, after.units["tryon"].points, after.units["tryon"].since) == (
        ABSENT,
        85,
        7,
    )
    assert after.formations["stark"].position is None


def test_mil_02_a_one_does_nothing_to_an_eliminated_unit() -> None:
    """AWI-C-ELI-01: its pool neither gains nor loses."""
    week = book(week_world([unit("militia", "tryon", 0)], pools={"american/militia": 40}), [1])
    roll_militia(week)
    assert week.units["tryon"].status is UnitStatus.ELIMINATED
    assert week.pools == {"american/militia": 40}


def test_mil_03_all_or_the_longest_absent() -> None:
    """AWI-C-MIL-03, militia_return_scope."""
    units = (unit("militia", "a", status=ABSENT, since=6), unit("militia", "b", status=ABSENT, since=2))
    assert returning(*units) == ["a", "b"]
    assert returning(*units, militia_return_scope="one_unit") == ["b"]


@pytest.mark.parametrize(("setting", "back"), [(True, ["new", "old"]), (False, ["old"])])
def test_mil_03_this_weeks_leavers(setting: bool, back: list[str]) -> None:
    """AWI-C-MIL-03, militia_return_includes_this_week; the others still count."""
    units = (unit("militia", "new", status=ABSENT, since=7), unit("militia", "old", status=ABSENT, since=0))
    assert returning(*units, militia_return_includes_this_week=setting) == back
    assert returning(units[0], militia_return_includes_this_week=False, dice=((),)) == []


@pytest.mark.parametrize("full", [100, 120])
def test_mil_03_full_strength(full: int) -> None:
    """AWI-C-MIL-03, militia_full_strength_points."""
    world = week_world([unit("militia", "a", 115, status=ABSENT)], militia_full_strength_points=full)
    week = book(world, [1, 2])
    return_militia(week, {})
    assert week.units["a"].points == full
    assert (week.events[-1].before, week.events[-1].after, week.events[-1].place) == (115, full, "albany")


def test_mil_03_each_nationality_has_its_own_die() -> None:
    """AWI-C-MIL-01, AWI-C-MIL-03: Loyalist militia use the table in their own group."""
    units = (unit("militia", "a", status=ABSENT), unit("loyalist militia", "l", status=ABSENT))
    assert returning(*units, dice=((1, 2),)) == ["a"]


def test_hr_rec_03_levies_past_their_term_do_not_return() -> None:
    """HR-REC-03: they have left for good, and do not count for the die."""
    week = book(week_world([unit("militia", "fellows", status=ABSENT, departs=5)]), [])
    return_militia(week, {})
    assert week.units["fellows"].status is UnitStatus.DEPARTED
