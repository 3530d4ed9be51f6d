"""The end of one campaign as the beginning of the next."""

from dataclasses import replace
from typing import Any

import pytest

from campaign.rules.errors import RuleViolation
from campaign.rules.scouting.intelligence import first_look
from campaign.rules.scouting.knowledge import known_holders
from campaign.rules.victory.victory import with_goals
from campaign.rules.world.markers import General, Goal, Siege, Works
from campaign.rules.world.seasons import build_season_order_of_battle, next_season
from campaign.rules.world.world import Order, Position, Side, UnitStatus, World
from tests.factories.little_wars import battalion, completed, day_dice, little_world, place, way


def first_morning() -> World:
    world = little_world(
        [place("a"), place("b"), place("c")],
        [way("a", "b", 9), way("b", "c", 30)],
        {"reds": ("crown", "a", 2), "blues": ("rebel", "c", 3)},
        holders={"a": "crown", "b": "rebel", "c": "rebel"},
    )
    late = battalion("fresh", "rebel", "blues", status=UnitStatus.EXPECTED, arrives=9, home="c")
    return with_goals(
        replace(world, units={**world.units, "fresh": late}), {"b": Goal("post", "", "b", points=5)}
    )


def ended(**changes: Any) -> World:
    """Day 50: the Crown is on the road to B, which it holds; a battalion is gone and one is to come."""
    world = first_morning()
    units = {key: unit for key, unit in world.units.items() if key != "fresh"}
    units["blues_1"] = replace(units["blues_1"], status=UnitStatus.SURRENDERED, points=0)
    units["blues_2"] = replace(units["blues_2"], points=40, departs=60)
    units["late"] = battalion("late", "rebel", "blues", status=UnitStatus.EXPECTED, arrives=58, home="c")
    reds = replace(
        world.formations["reds"],
        position=Position(route="a--b--road", origin="b", destination="a", yards=1760),
        order=Order("reds", ("a",)),
        marched=3,
    )
    end = replace(
        world,
        day=50,
        ended=True,
        units=units,
        formations={**world.formations, "reds": reds},
        holders={"a": "crown", "b": "crown", "c": "rebel"},
        pools={"british/line": 30},
        works={"b": Works("crown", 4)},
        sieges={"c": Siege("crown", 45)},
        generals={"howe": General("Howe", "crown", "wing", state="wounded", until=55, formation="reds")},
    )
    return replace(end, **changes)


def test_armies_posts_and_generals_go_on_hr_set_06():
    season = next_season(ended(), first_morning())
    assert season.day == 0 and not season.ended
    assert season.holders == {"a": "crown", "b": "crown", "c": "rebel"}
    assert season.formations["reds"].position == Position(place="b")
    assert season.formations["reds"].order is None and season.formations["reds"].marched == 0
    assert "blues_1" not in season.units
    assert (season.units["blues_2"].points, season.units["blues_2"].departs) == (40, 10)
    assert season.units["late"].arrives == 8 and season.units["fresh"].arrives == 9
    assert season.pools == {"british/line": 30} and season.works == {"b": Works("crown", 4)}
    assert season.sieges == {} and season.goals == first_morning().goals
    assert season.generals["howe"].until == 5
    assert {score.points for score in season.scores.values()} == {0}


def test_both_sides_know_who_holds_what_hr_set_06():
    season = first_look(next_season(ended(), first_morning()))
    assert known_holders(season, "rebel")["b"] == "crown"


def test_a_season_can_be_played():
    season = next_season(ended(), first_morning())
    assert completed(season, {}, day_dice(season)).world.day == 1


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        (ended(ended=False), first_morning(), "slug"),
        (
            ended(),
            replace(
                first_morning(),
                theatre=replace(first_morning().theatre, sides=(Side("spain", "Spain", "#aa0000"),)),
            ),
            "scenario",
        ),
        (
            ended(),
            little_world([place("a"), place("x")], [way("a", "x", 9)], {"reds": ("crown", "a", 1)}),
            "scenario",
        ),
    ],
)
def test_what_does_not_fit_is_refused_hr_set_06(old, new, field):
    with pytest.raises(RuleViolation) as refused:
        next_season(old, new)
    assert (refused.value.rule_id, refused.value.field) == ("HR-SET-06", field)


def test_the_order_of_battle_of_a_season_has_nobody_come_twice_hr_set_06():
    """Dates alone count, which both sides have read: no fate of a unit changes it."""
    old, new = ended(), first_morning()
    read = {
        "blues_1": battalion("blues_1", "rebel", "blues"),
        "came": battalion("came", "rebel", "blues", arrives=20),
        "left": battalion("left", "rebel", "blues", departs=49),
        "leaves": battalion("leaves", "rebel", "blues", departs=60),
        "late": battalion("late", "rebel", "blues", status=UnitStatus.EXPECTED, arrives=58),
    }
    fresh = {key: new.units[key] for key in ("fresh", "reds_1")} | {
        "came": replace(read["came"], status=UnitStatus.EXPECTED)
    }
    old = replace(old, theatre=replace(old.theatre, order_of_battle=read))
    new = replace(new, theatre=replace(new.theatre, order_of_battle=fresh))
    season = build_season_order_of_battle(old, new)
    assert {key: (unit.status.value, unit.arrives, unit.departs) for key, unit in season.items()} == {
        "blues_1": ("present", 0, None),
        "came": ("present", 0, None),
        "fresh": ("expected", 9, None),
        "late": ("expected", 8, None),
        "leaves": ("present", 0, 10),
    }
    undated = replace(old, settings=replace(old.settings, arrivals="diced"))
    assert {key for key, unit in build_season_order_of_battle(undated, new).items() if unit.arrives} == {
        "came", "fresh", "late",
    }  # fmt: skip
