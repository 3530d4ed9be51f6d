"""Pools, overflow, rebuilt and new units, and where they appear (AWI-C-OVR-01, ELI-01, POL-01..05)."""

from typing import Any

import pytest

from campaign.rules.errors import RuleViolation
from campaign.rules.returns.attrition import roll_enlistments
from campaign.rules.returns.places_of_arrival import Placement
from campaign.rules.returns.pools import NEW_UNIT_TYPES, cap_unit_points, raise_units
from campaign.rules.returns.week import WeekChoices, close_week, verify_choices
from campaign.rules.world.world import UnitStatus, World
from rosters.domain.vocabulary import TYPES, Nation, PoolArm, PoolNation, TroopType
from tests.campaign.rules.weeks import book, unit, week_world
from tests.factories.scripted_dice import ScriptedDice

KNOWN = unit("continental", "known")


def raised(world: World, dice: Any = (), asked: tuple[str, ...] = ()) -> Any:
    week = book(world, dice)
    raise_units(week, asked, {})
    return week


@pytest.mark.parametrize("nation", NEW_UNIT_TYPES)
def test_pol_01_every_type_of_pool_raises_a_unit_of_its_own_pool(nation: PoolNation) -> None:
    """AWI-C-POL-01, HR-REC-05."""
    assert {arm: TYPES[kind].pool for arm, kind in NEW_UNIT_TYPES[nation].items()} == {a: a for a in PoolArm}


@pytest.mark.parametrize(("setting", "lose", "left"), [("no_loss", 0, 80), ("lose_5", 5, 75)])
def test_att_01_the_four(setting: Any, lose: int, left: int) -> None:
    """AWI-C-ATT-01, attrition_roll_four; AWI-C-ATT-02 brings nobody on a 1."""
    week = book(week_world([unit("loyalist", "jessup", 80)], attrition_roll_four=setting), [4, 1])
    roll_enlistments(week)
    assert week.units["jessup"].points == left


@pytest.mark.parametrize(("net", "points", "pool"), [(True, 120, 5), (False, 115, 10)])
def test_ovr_01_net_or_cap_first(net: bool, points: int, pool: int) -> None:
    """AWI-C-OVR-01, weekly_net_before_cap: 115 points, 5 lost and 15 recruited."""
    world = week_world([unit("continental", "known", 115)], weekly_net_before_cap=net)
    week = book(world, {"AWI-C-ATT-01": [5], "AWI-C-ATT-02": [6]})
    roll_enlistments(week)
    cap_unit_points(week)
    assert (week.units["known"].points, week.pools["american/line"]) == (points, pool)


@pytest.mark.parametrize(("floor", "pool"), [(0, 0), (None, -5)])
def test_eli_01_the_pools_floor(floor: Any, pool: int) -> None:
    """AWI-C-ELI-01, pool_floor."""
    week = book(week_world([unit("continental", "lost", 0)], pool_floor=floor), [5, 1])
    roll_enlistments(week)
    assert week.pools["american/line"] == pool


def test_pol_03_longest_eliminated_first_then_new_units_and_the_rest_stays() -> None:
    """AWI-C-POL-03, AWI-C-ELI-01."""
    units = [unit("continental", "a", 0, since=5), unit("continental", "b", 0, since=2), KNOWN]
    week = raised(week_world(units, pools={"american/line": 330}), [1, 1, 2])
    told = [(one.kind, one.unit, one.place) for one in week.events if one.kind != "pool_spent"]
    assert told == [
        ("unit_rebuilt", "b", "bennington"),
        ("unit_rebuilt", "a", "bennington"),
        ("unit_raised", "new-american-line-1", "albany"),
    ]
    assert week.pools["american/line"] == 30
    new = week.units["new-american-line-1"]
    assert (new.nation, new.troop_type) == (Nation.CONTINENTAL, TroopType.CONTINENTAL_LINE)


def test_pol_03_without_auto_raise_units_only_those_asked_for() -> None:
    """AWI-C-POL-03, auto_raise_units."""
    world = week_world([KNOWN], pools={"american/line": 330}, auto_raise_units=False)
    assert raised(world).pools["american/line"] == 330
    assert raised(world, [1], ("american/line",)).pools["american/line"] == 230
    with pytest.raises(RuleViolation, match="by themselves"):
        verify_choices(week_world([KNOWN]), WeekChoices(raised=("american/line",)))


def test_pol_05_no_free_place_waits_a_week() -> None:
    """AWI-C-POL-05."""
    held = {"albany": "crown", "bennington": "crown"}
    week = raised(week_world([KNOWN], pools={"american/line": 100}, holders=held))
    assert week.pools["american/line"] == 100
    assert [one.kind for one in week.events] == ["muster_waits"]


def test_pol_05_europeans_land_at_a_port_and_form_a_new_formation() -> None:
    """AWI-C-POL-05, HR-FOR-02: one listed place takes no die."""
    week = raised(week_world([unit("german", "specht")], pools={"german/line": 200}))
    places = {one.place for one in week.events if one.kind == "unit_raised"}
    assert places == {"quebec"}
    gathering = week.formations["muster-crown-quebec"]
    assert gathering.name == "Reinforcements mustering at Quebec"
    assert {week.units[f"new-german-line-{one}"].formation for one in (1, 2)} == {gathering.id}


def test_hr_for_02_a_formation_at_the_place_takes_them_in() -> None:
    units = [unit("british", "9th", formation="riedesel"), unit("loyalist", "jessup")]
    week = raised(week_world(units, pools={"loyalist/militia": 100}))
    assert week.units["new-loyalist-militia-1"].formation == "riedesel"


def test_pol_05_the_umpire_places_units() -> None:
    """AWI-C-POL-05, location_choice umpire_places: where he says, else the unit waits."""
    world = week_world(
        [KNOWN, unit("militia", "levy", 40, status=UnitStatus.ABSENT)],
        pools={"american/line": 100},
        location_choice="umpire_places",
        recruitment="off",
        holders={"quebec": "crown"},
    )
    told = close_week(world, WeekChoices(), ScriptedDice([]))
    assert [one.kind for one in told.events] == ["muster_waits"]
    choices = WeekChoices(placements=(Placement("american/line", "saratoga"),))
    done = close_week(world, choices, ScriptedDice([]))
    assert done.events[-1].place == "saratoga"
    for place, words in (("quebec", "enemy holds"), ("atlantis", "no place")):
        with pytest.raises(RuleViolation, match=words):
            verify_choices(world, WeekChoices(placements=(Placement("american/line", place),)))
    with pytest.raises(RuleViolation, match="diced for"):
        verify_choices(week_world([KNOWN]), choices)


def test_hr_rec_03_natives_raise_nothing() -> None:
    week = raised(week_world([unit("native", "mohawks")], pools={"native/open_order": 300}))
    assert week.pools["native/open_order"] == 300
