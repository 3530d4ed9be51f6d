"""The umpire's acts on a world: what they do, whom they are told, what is refused (HR-UMP)."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.rules.day.weather import conditions_on
from campaign.rules.errors import RuleViolation
from campaign.rules.turns.deadline_schedule import Rhythm
from campaign.rules.umpire import corrections as acts
from campaign.rules.umpire.corrections import act_from_json, act_to_json
from campaign.rules.umpire.settings import ChangeRules, Conduct, SettingChange
from campaign.rules.umpire.umpiring import act_apply
from campaign.rules.world.events import Event
from campaign.rules.world.markers import Boats
from campaign.rules.world.world import Order, Position, UnitStatus, World
from campaign.rules.world.world_json import world_hash
from tests.campaign.rules.allowed import is_allowed
from tests.factories.little_wars import day_dice, little_world, place, told, way

RIVER = "albany--bennington--river"
WHY = "A slip of the umpire's."
LINE = {"nation": "continental", "troop_type": "continental_line"}


@pytest.fixture
def world() -> World:
    return replace(
        little_world(
            [place("albany"), place("saratoga"), place("bennington")],
            [way("albany", "saratoga", 30), way("saratoga", "bennington", 20)],
            {"gates": ("rebel", "albany", 3), "baum": ("crown", "bennington", 2)},
        ),
        pools={"american/line": 40},
    )


ACTS: list[acts.Act] = [
    acts.PlaceFormation("gates", Position(place="saratoga")),
    acts.PlaceFormation("gates", Position("", "albany--saratoga--road", "albany", "saratoga", 9000)),
    acts.Add("poor_4", "Poor's fourth", "rebel", points=80, formation="gates", **LINE),
    acts.Add("n_1", "New", "rebel", points=8, formation="new", formation_name="N", place="saratoga", **LINE),
    acts.Split("gates", ("gates_1",), "gates-d1", "Arnold's column"),
    acts.Reinforce("gates_1", 20),
    acts.Reinforce("gates_1", -100),
    acts.Reinforce("gates_1", 20, "american/line"),
    acts.Rename("unit", "gates_1", "Poor's first"),
    acts.Rename("formation", "gates", "The Northern Army"),
    acts.SetWeather(3, "storm"),
    acts.CommandFormation("gates", Order("gates", ("saratoga",))),
    acts.CommandFormation("gates"),
    acts.CancelOrder("activity", "gates", "rebel"),
    acts.Rumour("rebel", "Burgoyne is at Saratoga."),
    acts.Pause(True),
    acts.Deadline("1777-09-18T20:00+00:00"),
    acts.Deadline(""),
    Rhythm("Europe/London", 7),
    Conduct((SettingChange("table_units", "20", "12"),)),
    acts.EnterDie("HR-WEA-01", "theatre", 0, 9, 10),
    acts.RewindCampaign(1, 4, 1),
    ChangeRules((SettingChange("road_miles", "12", "14"),)),
]


@pytest.mark.parametrize("act", ACTS, ids=lambda act: acts.kind_of(act))
def test_an_act_is_json_and_back_and_is_told_with_its_reason_hr_ump_01(world, act):
    stored = json.loads(json.dumps(act_to_json(act)))
    assert stored == act_to_json(act)  # so that an act done twice is known as the same
    assert act_from_json(stored) == act
    first, *others = act_apply(world, act, WHY).events
    assert (first.kind, first.sides, first.data["reason"]) == ("umpire_act", (), WHY)
    assert others
    for_all = isinstance(
        act, acts.Pause | acts.Deadline | Rhythm | acts.RewindCampaign | ChangeRules | Conduct
    )
    for event in others:
        assert for_all or WHY not in json.dumps(dict(event.data))
        assert len(event.sides) == 2 if for_all else len(event.sides) <= 1


@pytest.mark.parametrize("act", ACTS, ids=lambda act: acts.kind_of(act))
def test_every_change_of_points_has_an_event_with_before_and_after_hr_ump_05(world, act):
    after, events = act_apply(world, act, WHY).world, act_apply(world, act, WHY).events
    changed = {
        key: (world.units[key].points if key in world.units else 0, unit.points)
        for key, unit in after.units.items()
        if key not in world.units or world.units[key].points != unit.points
    }
    changed |= {
        key: (world.pools[key], points) for key, points in after.pools.items() if world.pools[key] != points
    }
    assert changed == {
        event.unit or event.pool: (event.before, event.after) for event in events if event.before is not None
    }


def test_what_acts_do(world):
    def after(act: acts.Act) -> World:
        return act_apply(world, act, WHY).world

    assert after(ACTS[0]).formations["gates"].position == Position(place="saratoga")  # HR-UMP-02
    assert after(ACTS[2]).units["poor_4"].points == 80  # HR-UMP-03
    founded = after(ACTS[3])
    assert founded.formations["new"].position == Position(place="saratoga")
    assert founded.units["n_1"].status is UnitStatus.PRESENT
    assert after(ACTS[4]).units["gates_1"].formation == "gates-d1"  # HR-UMP-04
    assert after(ACTS[6]).units["gates_1"].status is UnitStatus.ELIMINATED
    assert after(ACTS[7]).pools == {"american/line": 20}
    assert after(ACTS[8]).units["gates_1"].name == "Poor's first"  # HR-UMP-06
    assert after(ACTS[9]).formations["gates"].name == "The Northern Army"
    assert after(ACTS[11]).formations["gates"].order == Order("gates", ("saratoga",))  # HR-UMP-08
    assert after(ACTS[14]).rumours == {"rebel/0/1": "Burgoyne is at Saratoga."}  # HR-UMP-09
    assert after(ACTS[-1]).settings.road_miles == 14  # HR-UMP-17
    for act in ACTS[13:14] + ACTS[15:-1]:
        assert after(act) == world


def test_the_weather_the_umpire_decides_counts_first_hr_ump_07(world):
    decided = act_apply(world, acts.SetWeather(0, "storm"), WHY)
    assert decided.events[1].sides == ()
    conditions, today, _ = conditions_on(decided.world, day_dice(world))
    assert (conditions.weather, today.rolls) == ("storm", ())
    taken_back = act_apply(decided.world, acts.SetWeather(0, ""), WHY).world
    assert world_hash(taken_back) == world_hash(world)


def test_an_eliminated_unit_given_points_is_back_with_its_formation_hr_ump_05(world):
    gone = act_apply(world, acts.Reinforce("gates_1", -100), WHY).world
    back = act_apply(gone, acts.Reinforce("gates_1", 60), WHY).world
    assert (back.units["gates_1"].points, back.units["gates_1"].status) == (60, UnitStatus.PRESENT)


def test_a_formation_that_loses_its_last_unit_stands_nowhere(world):
    for unit in ("baum_1", "baum_2"):
        world = act_apply(world, acts.Reinforce(unit, -100), WHY).world
    assert world.formations["baum"].position is None


@pytest.mark.parametrize(
    ("act", "rule", "field"),
    [
        (acts.PlaceFormation("stark", Position(place="albany")), "HR-UMP-02", "formation"),
        (acts.PlaceFormation("gates", Position(place="london")), "HR-UMP-02", "position"),
        (acts.PlaceFormation("gates", Position(place="albany")), "HR-UMP-02", "position"),
        (acts.PlaceFormation("gates", Position("", "albany--saratoga--road", "albany", "saratoga", 90000)),
         "HR-UMP-02", "position"),
        (acts.Add("gates_1", "Again", "rebel", points=80, formation="gates", **LINE), "HR-UMP-03", "id"),
        (acts.Add("x", "X", "rebel", points=121, formation="gates", **LINE), "HR-UMP-03", "points"),
        (acts.Add("x", "X", "crown", points=80, formation="gates", **LINE), "HR-UMP-03", "formation"),
        (acts.Add("x", "X", "rebel", "continental", "wagon", 80, "gates"), "HR-UMP-03", "points"),
        (
            acts.Add("x", "X", "rebel", "continental", "american_artillery", 80, "gates"),
            "HR-UMP-03",
            "gun_class",
        ),
        (
            acts.Add("x", "X", "rebel", points=80, formation="gates", gun_class="light", **LINE),
            "HR-UMP-03",
            "gun_class",
        ),
        (acts.Reinforce("gates_1", -20, "british/line"), "HR-UMP-05", "pool"),
        (acts.Add("x", "X", "rebel", "martian", "continental_line", 80, "gates"), "HR-UMP-03", "nation"),
        (acts.Add("x", "X", "rebel", points=80, formation="new", place="", formation_name="N", **LINE),
         "HR-UMP-02", "position"),
        (acts.Add("x", "X", "rebel", points=80, formation="gates", pool="american/line", **LINE),
         "HR-UMP-05", "pool"),
        (acts.Split("gates", ("gates_1", "gates_2", "gates_3"), "gates-d1", "All"), "HR-ORG-02", "units"),
        (acts.Reinforce("gates_1", 21), "HR-UMP-05", "points"),
        (acts.Reinforce("gates_1", 0), "HR-UMP-05", "points"),
        (acts.Reinforce("nobody", 5), "HR-UMP-05", "unit"),
        (acts.Rename("unit", "gates_1", " "), "HR-UMP-06", "name"),
        (acts.Rename("formation", "gates", "Gates"), "HR-UMP-06", "name"),
        (acts.SetWeather(200, "rain"), "HR-UMP-07", "day"),
        (acts.SetWeather(3, ""), "HR-UMP-07", "weather"),
        (acts.CommandFormation("gates", Order("baum")), "HR-UMP-08", "order"),
        (acts.CommandFormation("gates", Order("gates", ("london",))), "HR-MAR-08", "via"),
        (acts.CancelOrder("activity", "gates", "french"), "HR-UMP-01", "side"),
        (acts.Rumour("rebel", "  "), "HR-UMP-09", "text"),
        (acts.Deadline("tomorrow"), "HR-UMP-11", "until"),
        (acts.Deadline("1777-09-18T20:00"), "HR-UMP-11", "until"),
        (acts.EnterDie("HR-WEA-01", "theatre", 0, 7), "HR-UMP-12", "value"),
        (acts.EnterDie("HR-CON-10", "d0/albany/1", 0, 3), "HR-UMP-12", "rule"),
    ],
)  # fmt: skip
def test_what_is_refused_says_where(world, act, rule, field):
    with pytest.raises(RuleViolation) as caught:
        act_apply(world, act, WHY)
    assert caught.value.field == field
    assert caught.value.rule_id == rule
    assert not is_allowed(act_apply, world, act, WHY)


def test_an_act_needs_a_reason_hr_ump_01(world):
    for reason in ("", "  ", "x" * 301):
        with pytest.raises(RuleViolation, match="reason"):
            act_apply(world, acts.Pause(True), reason)


@pytest.mark.parametrize(
    "data",
    [None, {}, {"version": 2, "kind": "pause", "on": True}, {"version": 1, "kind": "pause", "on": 1},
     {"version": 1, "kind": "crown", "on": True}, {"version": 1, "kind": "pause"},
     {"version": 1, "kind": "pause", "on": True, "more": 1}],
)  # fmt: skip
def test_a_form_that_is_not_an_act_is_refused_hr_ump_01(data):
    with pytest.raises(RuleViolation) as caught:
        act_from_json(data)
    assert caught.value.rule_id == "HR-UMP-01"


@given(st.lists(st.integers(-120, 120), max_size=8))
def test_points_come_out_of_the_pool_that_is_named(changes):
    world = replace(
        little_world([place("albany")], [], {"gates": ("rebel", "albany", 1)}), pools={"american/line": 60}
    )

    def total() -> int:
        return world.units["gates_1"].points + world.pools["american/line"]

    before, events = total(), list[Event]()
    for change in changes:
        act = acts.Reinforce("gates_1", change, "american/line")
        if is_allowed(act_apply, world, act, WHY):
            done = act_apply(world, act, WHY)
            world, events = done.world, [*events, *told(done.events, "points_changed")]
    assert total() == before
    assert sum((event.after or 0) - (event.before or 0) for event in events) == 0


@pytest.mark.parametrize(
    ("where", "left"),
    [
        (Position(place="saratoga"), {"albany": Boats("rebel", 500)}),
        (Position("", "albany--saratoga--road", "albany", "saratoga", 9000), {"albany": Boats("rebel", 500)}),
        (Position(place="albany"), {"with/gates": Boats("rebel", 500)}),
        (Position("", RIVER, "albany", "bennington", 18_000), {"with/gates": Boats("rebel", 500)}),
    ],
)
def test_hr_boa_03_boats_do_not_go_inland_with_who_is_put_down_there(where, left):
    """Gates is afloat, out of Albany; at Albany his boats are drawn up in the evening."""
    river = way("albany", "bennington", 20, "river")
    albany = replace(place("albany"), port="river")
    afloat = little_world(
        [albany, place("saratoga"), replace(place("bennington"), port="river")],
        [way("albany", "saratoga", 30), river],
        {"gates": ("rebel", Position("", river.id, "albany", "bennington", 9000), 3)},
    )
    afloat = replace(afloat, boats={"with/gates": Boats("rebel", 500)})
    assert act_apply(afloat, acts.PlaceFormation("gates", where), WHY).world.boats == left
