"""Points, goals, chapters, sudden death and the end of a campaign."""

from dataclasses import replace
from typing import Any

import pytest

from campaign.rules.day.provisional import play_day
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire.correction_effects import act_apply
from campaign.rules.umpire.corrections import act_from_json, act_to_json
from campaign.rules.victory.treaties import (
    AnswerTerms,
    Concede,
    EndCampaign,
    Exchange,
    OfferTerms,
    treaty_apply,
)
from campaign.rules.victory.victory import (
    chapter_of,
    field_points,
    find_leader,
    goals_of,
    held_points,
    objective_points,
    scenario_points,
    score_evening,
    with_goals,
)
from campaign.rules.world.markers import General, Goal, Score
from campaign.rules.world.outcome import Completed
from campaign.rules.world.partition import Apart, FormationGroup
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Objective, UnitStatus, World
from campaign.rules.world.world_json import world_from_json, world_hash, world_to_json
from tests.factories.little_wars import completed, day_dice, little_world, place, told, way
from tests.factories.small_war import small_world

POST = {"post/b": Goal("post", "", "b", points=30), "post/a": Goal("post", "", "a", points=10)}


def war(goals: dict[str, Goal] | None = None, days: int = 100, **settings: Any) -> World:
    """Crown at A with two battalions, rebels at C with three; B is the rebels' and empty."""
    world = little_world(
        [place("a"), place("b"), place("c")],
        [way("a", "b", 9), way("b", "c", 30)],
        {"reds": ("crown", "a", 2), "blues": ("rebel", "c", 3)},
        holders={"a": "crown", "b": "rebel", "c": "rebel"},
        settings=RuleSettings.from_json(settings),
        days=days,
    )
    return with_goals(world, POST if goals is None else goals)


def morning_after(world: World, day: int) -> World:
    return replace(world, day=day)


def points(world: World) -> dict[str, int]:
    return {side: score.points for side, score in world.scores.items()}


def test_posts_are_objectives_once_at_the_larger_of_their_points_hr_vic_01():
    listed = (Objective("a", "crown", 10), Objective("a", "rebel", 25), Objective("b", "rebel", 5))
    goals = goals_of(listed, {"x": Goal("seize", "crown", "b", 3)})
    assert {key: goal.points for key, goal in goals.items()} == {"post/a": 25, "post/b": 5, "x": 0}
    assert held_points(war()) == {"crown": 10, "rebel": 30}


def test_posts_score_at_the_week_s_end_only_hr_vic_02():
    for day in range(1, 7):
        world, events = score_evening(morning_after(war(), day))
        assert points(world) == {"crown": 0, "rebel": 0} and events == []
    world, events = score_evening(morning_after(war(), 7))
    assert points(world) == {"crown": 10, "rebel": 30}
    assert [(event.data["side"], event.data["total"]) for event in told(events, "points_scored")] == [
        ("crown", 10),
        ("rebel", 30),
    ]
    assert points(score_evening(morning_after(world, 14))[0]) == {"crown": 20, "rebel": 60}
    assert points(score_evening(morning_after(war(scoring="off"), 7))[0]) == {"crown": 0, "rebel": 0}


def test_a_campaign_without_goals_ends_as_it_always_did_hr_cal_02():
    world = war({}, days=7)
    assert world.scores == {} and score_evening(morning_after(world, 6)) == (morning_after(world, 6), [])
    world, events = score_evening(morning_after(world, 7))
    assert world.ended and [event.data for event in events] == [{"beaten": []}]


def test_points_are_the_umpire_s_until_the_chapter_ends_hr_vic_05():
    hidden = score_evening(morning_after(war(chapter_weeks=2), 7))[1]
    assert {event.sides for event in hidden} == {()}
    open_field = score_evening(morning_after(war(chapter_weeks=2, fog="off"), 7))[1]
    assert {event.sides for event in open_field} == {("crown", "rebel")}
    world, events = score_evening(morning_after(score_evening(morning_after(war(chapter_weeks=2), 7))[0], 14))
    (chapter,) = told(events, "chapter_ends")
    assert chapter.sides == ("crown", "rebel")
    assert chapter.data == {"chapter": 1, "points": {"crown": 20, "rebel": 60}, "leader": "rebel"}
    assert chapter_of(world) == (2, 27)
    assert not told(score_evening(morning_after(war(chapter_weeks=0), 14))[1], "chapter_ends")


@pytest.mark.parametrize(
    ("goal", "met"),
    [
        (Goal("hold", "rebel", "b", day=4, points=7), True),
        (Goal("hold", "crown", "b", day=4, points=7), False),
        (Goal("strength", "rebel", amount=300, day=4, points=7), True),
        (Goal("strength", "crown", amount=201, day=4, points=7), False),
        (Goal("reduce", "rebel", amount=200, day=4, points=7), True),
        (Goal("reduce", "crown", amount=299, day=4, points=7), False),
    ],
)
def test_a_dated_goal_is_reckoned_once_on_its_evening_hr_vic_03(goal, met):
    world = war({"goal": goal})
    assert told(score_evening(morning_after(world, 4))[1], "goal_reckoned") == []
    world, events = score_evening(morning_after(world, 5))
    assert [event.data["met"] for event in told(events, "goal_reckoned")] == [int(met)]
    assert points(world)[goal.side] == (7 if met else 0)
    assert told(score_evening(morning_after(world, 6))[1], "goal_reckoned") == []


def test_fixed_garrisons_and_absent_units_are_not_in_the_field_hr_vic_03():
    world = war()
    units = dict(world.units)
    units["blues_1"] = replace(units["blues_1"], static=True)
    units["blues_2"] = replace(units["blues_2"], status=UnitStatus.ABSENT)
    assert field_points(replace(world, units=units)) == {"crown": 200, "rebel": 100}


def test_at_the_end_what_is_held_counts_more_and_the_leader_has_won_hr_vic_02_hr_vic_04():
    world, events = score_evening(morning_after(war(days=10), 10))
    assert world.ended and points(world) == {"crown": 40, "rebel": 120}
    (end,) = told(events, "campaign_ended")
    assert end.data["winner"] == "rebel" and end.data["cause"] == "calendar"
    assert end.data["margin"] == "decisive" and end.data["points"] == {"crown": 40, "rebel": 120}


@pytest.mark.parametrize(
    ("crown", "rebel", "leader", "margin"),
    [
        (0, 0, "", "draw"),
        (105, 95, "", "draw"),
        (106, 94, "crown", "victory"),
        (119, 81, "crown", "victory"),
        (80, 120, "rebel", "decisive"),
    ],
)
def test_how_clear_a_lead_is_hr_vic_04(crown, rebel, leader, margin):
    world = replace(war(), scores={"crown": Score(crown), "rebel": Score(rebel)})
    assert find_leader(world) == (leader, margin)


def test_a_place_held_three_evenings_in_a_row_ends_it_hr_vic_06():
    seize = {"seize": Goal("seize", "rebel", "b", 3)}
    world = war(seize, sudden_death="place")
    lost = replace(world, holders={**world.holders, "b": "crown"})
    for day in (1, 2):
        world, _ = score_evening(morning_after(world, day))
        assert not world.ended and world.scores["rebel"].days == day
    assert score_evening(replace(lost, day=3, scores=world.scores))[0].scores["rebel"].days == 0
    world, events = score_evening(morning_after(world, 3))
    assert world.ended
    assert [(event.data["cause"], event.data["winner"]) for event in events] == [("place", "rebel")]
    calm = replace(war(seize), scores=world.scores)
    assert not score_evening(morning_after(calm, 4))[0].ended


def test_an_army_destroyed_ends_it_hr_vic_06():
    goal = {"ruin": Goal("destroy", "rebel", amount=200)}
    assert not score_evening(morning_after(war(goal), 1))[0].ended
    assert not score_evening(morning_after(war(goal, sudden_death="place"), 1))[0].ended
    world, events = score_evening(morning_after(war(goal, sudden_death="both"), 1))
    assert world.ended
    assert [(event.data["cause"], event.data["winner"]) for event in events] == [("army", "rebel")]


def test_who_has_nothing_left_has_lost_hr_cal_02():
    world = war()
    units = {
        key: replace(unit, status=UnitStatus.SURRENDERED) if unit.side == "crown" else unit
        for key, unit in world.units.items()
    }
    _, events = score_evening(morning_after(replace(world, units=units), 1))
    assert [(event.data["cause"], event.data["winner"]) for event in events] == [("beaten", "rebel")]


def test_a_day_played_reckons_its_evening():
    world = replace(war(), day=6)
    result = completed(world, {}, day_dice(world))
    assert points(result.world) == {"crown": 10, "rebel": 30}
    read = world_from_json(world_to_json(result.world), world.theatre)
    assert read == result.world and world_hash(read) == world_hash(result.world)


# --- conceding, terms, the umpire's end ---


def test_who_concedes_has_lost_hr_vic_07():
    result = act_apply(war(), Concede("crown"), "")
    assert result.world.ended
    (event,) = result.events
    assert event.data["cause"] == "conceded" and event.data["winner"] == "rebel"
    assert event.sides == ("crown", "rebel")
    with pytest.raises(RuleViolation):
        treaty_apply(result.world, Concede("rebel"))


def test_terms_stand_until_they_are_answered_hr_vic_08():
    offered = treaty_apply(war(), OfferTerms("crown", "rebel", "The army  goes home.")).world
    assert offered.offers["crown"].text == "The army goes home."
    with pytest.raises(RuleViolation) as refused:
        treaty_apply(offered, AnswerTerms("crown", "accept"))
    assert refused.value.rule_id == "HR-VIC-08"
    assert treaty_apply(offered, AnswerTerms("crown", "withdraw")).world == war()
    assert treaty_apply(offered, AnswerTerms("rebel", "refuse")).world == war()
    ended = treaty_apply(offered, AnswerTerms("rebel", "accept"))
    assert ended.world.ended and ended.world.offers == {}
    assert ended.events[0].data["cause"] == "terms" and ended.events[0].data["winner"] == "rebel"


@pytest.mark.parametrize(
    ("treaty", "field"),
    [
        (OfferTerms("crown", "spain", "Peace."), "winner"),
        (OfferTerms("crown", "", "  "), "text"),
        (OfferTerms("", "", "Peace."), "side"),
        (Concede("spain"), "side"),
        (EndCampaign("spain"), "winner"),
        (AnswerTerms("rebel", "refuse"), "answer"),
    ],
)
def test_treaties_that_are_none_are_refused(treaty, field):
    with pytest.raises(RuleViolation) as refused:
        treaty_apply(war(), treaty)
    assert refused.value.field == field


def test_the_umpire_ends_it_with_his_reason_hr_vic_09():
    with pytest.raises(RuleViolation):
        act_apply(war(), EndCampaign("crown"), "")
    result = act_apply(war(), EndCampaign("crown"), "The club's year is over.")
    assert result.world.ended
    assert [event.kind for event in result.events] == ["umpire_act", "campaign_ended"]


def test_prisoners_are_exchanged_by_both_sides_or_the_umpire_hr_ldr_05():
    generals = {
        "red": General("Red", "crown", "brigade", state="captured", held_by="rebel"),
        "blue": General("Blue", "rebel", "brigade", state="captured", held_by="crown"),
    }
    world = replace(war(), generals=generals)
    offered = act_apply(world, Exchange("crown", "red", "blue"), "").world
    agreed = act_apply(offered, Exchange("rebel", "blue", "red"), "").world
    by_umpire = act_apply(world, Exchange("", "red", "blue"), "A cartel.").world
    for done in (agreed, by_umpire):
        assert {general.state for general in done.generals.values()} == {"well"}
    assert {general.state for general in offered.generals.values()} == {"captured"}


@pytest.mark.parametrize(
    "act",
    [
        Concede("crown"),
        OfferTerms("crown", "", "Peace."),
        AnswerTerms("rebel", "accept"),
        Exchange("crown", "red", "blue"),
        EndCampaign("crown"),
    ],
)
def test_treaties_are_acts_with_json_of_their_own(act):
    assert act_from_json(act_to_json(act)) == act


def test_a_day_played_in_parts_is_scored_once_on_the_whole_hr_vic_02():
    world = replace(war(days=7), day=6)
    whole = completed(world, {}, day_dice(world))
    apart = Apart((FormationGroup(("reds",), ("a",)),))
    parts = play_day(world, {}, day_dice(world), {}, apart=apart)
    assert isinstance(parts, Completed)
    assert points(parts.world) == points(whole.world) == {"crown": 50, "rebel": 150}
    assert parts.world.goals == whole.world.goals and parts.world.ended
    assert [event.kind for event in parts.events].count("campaign_ended") == 1
    assert [event.data for event in told(parts.events, "points_scored")] == [
        event.data for event in told(whole.events, "points_scored")
    ]


@pytest.mark.parametrize(
    ("crown", "rebel", "winner"), [(0, 0, ""), (100, 100, ""), (200, 100, "crown"), (100, 200, "rebel")]
)
def test_of_two_who_get_so_far_on_one_evening_the_points_decide_hr_vic_06(crown, rebel, winner):
    """The rebels have held B for three evenings as the Crown's army destroys theirs."""
    aims = {"seize": Goal("seize", "rebel", "b", 3), "ruin": Goal("destroy", "crown", amount=10_000)}
    world = war(aims, sudden_death="both")
    world = replace(world, scores={"crown": Score(crown), "rebel": Score(rebel, 2)})
    ended, (event,) = score_evening(morning_after(world, 3))
    assert ended.ended
    assert (event.data["cause"], event.data["winner"]) == ("place", winner)


def test_hr_vic_01_a_place_listed_twice_counts_once_at_the_larger_points() -> None:
    assert objective_points(small_world({}).theatre) == {
        "ticonderoga": 10,
        "albany": 20,
        "bennington": 2,
        "saratoga": 4,
    }


@pytest.mark.parametrize(
    ("holders", "points"),
    [
        ({}, {"crown": 0, "rebel": 0}),
        ({"ticonderoga": "crown", "saratoga": "rebel"}, {"crown": 10, "rebel": 4}),
        ({"albany": "crown", "montreal": "crown", "bennington": "crown"}, {"crown": 22, "rebel": 0}),
        ({"fort_edward": "rebel"}, {"crown": 0, "rebel": 0}),
    ],
)
def test_hr_vic_01_a_side_has_the_points_of_what_it_holds(
    holders: dict[str, str], points: dict[str, int]
) -> None:
    assert scenario_points(replace(small_world({}), holders=holders)) == points


def test_hr_vic_01_held_points_of_both_sides_never_exceed_what_there_is() -> None:
    world = small_world({})
    assert sum(scenario_points(world).values()) <= sum(objective_points(world.theatre).values())
