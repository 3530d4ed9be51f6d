"""The umpire's acts on a world: what they do, whom they are told, what is refused (HR-UMP)."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.rules.army.leaders import exchange_offer, generals_evening, leader_today
from campaign.rules.day.weather import conditions_on
from campaign.rules.errors import RuleViolation
from campaign.rules.scouting.intelligence import first_look
from campaign.rules.scouting.knowledge import side_view
from campaign.rules.turns.deadline_schedule import Rhythm
from campaign.rules.umpire import corrections as acts
from campaign.rules.umpire.correction_effects import act_apply
from campaign.rules.umpire.corrections import (
    Act,
    ChangePool,
    SetFood,
    SetGeneral,
    SetHolder,
    act_from_json,
    act_to_json,
)
from campaign.rules.umpire.settings import ChangeRules, Conduct, SettingChange
from campaign.rules.world.events import Event
from campaign.rules.world.markers import Boats, General, Magazine, Siege
from campaign.rules.world.outcome import Completed
from campaign.rules.world.world import Order, Position, UnitStatus, World
from campaign.rules.world.world_json import world_hash
from tests.campaign.rules.allowed import is_allowed
from tests.factories.fog import dice_of, played, road, shown
from tests.factories.little_wars import day_dice, little_world, place, told, way
from tests.golden.fog_acts import prisoners
from tests.golden.fog_cases_days import led, set_to

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


POOLED = replace(road(), pools={"american/line": 60})
LED = led(road())


def done(world: World, act: Act) -> Completed:
    """An act done as it comes out of the journal."""
    stored = act_from_json(json.loads(json.dumps(act_to_json(act))))
    assert stored == act
    result = act_apply(world, stored, WHY)
    book, *others = result.events
    assert (book.kind, book.sides, book.data["reason"]) == ("umpire_act", (), WHY)
    assert all(WHY not in json.dumps(dict(event.data)) for event in others)
    return Completed(result.world, tuple(others))


def find_event(world: World, act: Act) -> Event:
    (event,) = done(world, act).events
    return event


def refused(world: World, act: Act) -> tuple[str, str]:
    """Rule and field of a refusal."""
    with pytest.raises(RuleViolation) as caught:
        act_apply(world, act, WHY)
    assert not is_allowed(act_apply, world, act, WHY)
    return caught.value.rule_id, caught.value.field


# --- pools (HR-UMP-19) ---


@pytest.mark.parametrize(
    ("act", "before", "after", "side"),
    [
        (ChangePool("american/line", 40), 60, 100, "rebel"),
        (ChangePool("american/line", -60), 60, 0, "rebel"),
        (ChangePool("american/rifles", 5), 0, 5, "rebel"),
        (ChangePool("british/line", 30), 0, 30, "crown"),
    ],
)
def test_hr_ump_19_a_pools_points_are_given_or_taken_and_its_side_alone_reads_it(act, before, after, side):
    event = find_event(POOLED, act)
    assert (event.kind, event.rule, event.sides) == ("points_changed", "HR-UMP-19", (side,))
    assert (event.pool, event.before, event.after) == (act.pool, before, after)
    changed = done(POOLED, act).world
    assert changed == replace(POOLED, pools={**POOLED.pools, act.pool: after})


@pytest.mark.parametrize(
    ("act", "rule", "field"),
    [
        (ChangePool("american/line", 0), "HR-UMP-19", "points"),
        (ChangePool("american/line", -61), "HR-UMP-19", "points"),
        (ChangePool("american/line", 4_941), "HR-UMP-19", "points"),
        (ChangePool("german/line", 10), "HR-UMP-19", "pool"),
        (ChangePool("american", 10), "AWI-C-POL-01", "pool"),
        (ChangePool("martian/line", 10), "AWI-C-POL-01", "pool"),
    ],
)
def test_hr_ump_19_a_pool_that_cannot_change_so_is_refused_at_its_field(act, rule, field):
    assert refused(POOLED, act) == (rule, field)


def test_hr_ump_19_a_pool_below_nothing_is_mended_step_by_step():
    owing = replace(POOLED, pools={"american/line": -30})
    assert done(owing, ChangePool("american/line", 20)).world.pools["american/line"] == -10
    assert refused(owing, ChangePool("american/line", -1)) == ("HR-UMP-19", "points")


# --- generals (HR-UMP-20) ---


def now(world: World, act: SetGeneral) -> General:
    return done(world, act).world.generals[act.general]


def test_hr_ump_20_a_general_is_wounded_and_heals_when_his_weeks_are_over():
    wound = SetGeneral("burgoyne", "wounded", "burgoyne", 1)
    hurt = done(LED, wound).world
    assert (hurt.generals["burgoyne"].state, hurt.generals["burgoyne"].until) == ("wounded", 7)
    assert leader_today(hurt, hurt.formations["burgoyne"]) == "phillips"
    event = find_event(LED, wound)
    assert (event.sides, event.formation, event.data["weeks"]) == (("crown",), "burgoyne", 1)
    for day, state in ((5, "wounded"), (6, "well")):
        evening, _ = generals_evening(replace(hurt, day=day))
        assert evening.generals["burgoyne"].state == state


@pytest.mark.parametrize("state", ["dead", "captured"])
def test_hr_ump_20_who_falls_leaves_his_command_to_the_next_in_the_evening(state):
    gone = done(LED, SetGeneral("burgoyne", state, "")).world
    assert gone.formations == LED.formations
    evening, events = generals_evening(gone)
    assert evening.formations["burgoyne"].leader == "phillips"
    assert [event.kind for event in events] == ["command_passes"]


def test_hr_ump_20_the_enemy_reads_only_of_his_prisoners():
    for act in (
        SetGeneral("lincoln", "wounded", "gates", 3),
        SetGeneral("lincoln", "dead", ""),
        SetGeneral("lincoln", "well", ""),
    ):
        assert find_event(LED, act).sides == ("rebel",)
    taken = done(LED, SetGeneral("lincoln", "captured", ""))
    prisoner = taken.world.generals["lincoln"]
    assert (prisoner.state, prisoner.held_by, prisoner.formation) == ("captured", "crown", "")
    for step, seen in (
        (taken, "captured"),
        (done(taken.world, SetGeneral("lincoln", "wounded", "gates", 3)), "free"),
        (done(taken.world, SetGeneral("lincoln", "well", "gates")), "free"),
        (done(taken.world, SetGeneral("lincoln", "dead", "")), "dead"),
    ):
        own, enemy = step.events
        assert (own.sides, enemy.sides) == (("rebel",), ("crown",))
        assert (enemy.formation, enemy.data["state"], "weeks" in enemy.data) == ("", seen, False)


def test_hr_ump_20_who_goes_elsewhere_lays_down_his_command():
    moved = done(LED, SetGeneral("burgoyne", "well", "fraser")).world
    assert moved.generals["burgoyne"].formation == "fraser"
    left, joined = moved.formations["burgoyne"], moved.formations["fraser"]
    assert (left.leader, leader_today(moved, left)) == ("", "phillips")
    assert leader_today(moved, joined) == "fraser"


def test_hr_ump_20_who_fell_by_a_slip_is_back_with_his_command_or_without():
    gone = done(LED, SetGeneral("burgoyne", "dead", "")).world
    assert done(gone, SetGeneral("burgoyne", "well", "burgoyne")).world == LED
    apart = done(gone, SetGeneral("burgoyne", "well", "")).world
    assert apart.formations["burgoyne"].leader == ""


def test_hr_ump_20_whose_day_to_leave_is_past_does_not_leave_at_once():
    general = replace(LED.generals["phillips"], state="resigned", formation="", departs=3)
    late = replace(LED, day=5, generals={**LED.generals, "phillips": general})
    back = done(late, SetGeneral("phillips", "well", "burgoyne")).world
    assert back.generals["phillips"].departs is None
    assert generals_evening(back)[0].generals["phillips"].state == "well"
    coming = replace(general, departs=9)
    later = replace(late, generals={**LED.generals, "phillips": coming})
    assert now(later, SetGeneral("phillips", "well", "burgoyne")).departs == 9


def test_hr_ump_20_an_exchange_of_who_is_no_prisoner_is_void():
    world = prisoners()
    offered, _ = exchange_offer(world, "crown", "phillips", "lincoln")
    freed = done(offered, SetGeneral("lincoln", "well", "gates")).world
    assert {general.exchange_for for general in freed.generals.values()} == {""}
    other = done(offered, SetGeneral("gates", "dead", "")).world
    assert other.generals["phillips"].exchange_for == "lincoln"


@pytest.mark.parametrize(
    ("act", "field"),
    [
        (SetGeneral("washington", "well", ""), "general"),
        (SetGeneral("burgoyne", "well", "burgoyne"), "state"),
        (SetGeneral("burgoyne", "wounded", "burgoyne"), "weeks"),
        (SetGeneral("burgoyne", "wounded", "burgoyne", 53), "weeks"),
        (SetGeneral("burgoyne", "well", "fraser", 2), "weeks"),
        (SetGeneral("burgoyne", "dead", "burgoyne"), "formation"),
        (SetGeneral("burgoyne", "captured", "gates"), "formation"),
        (SetGeneral("burgoyne", "well", "gates"), "formation"),
        (SetGeneral("burgoyne", "well", "nobody"), "formation"),
        (SetGeneral("burgoyne", "well", "late"), "formation"),
    ],
)
def test_hr_ump_20_a_general_who_cannot_be_so_is_refused_at_its_field(act, field):
    late = replace(LED.formations["fraser"], id="late", name="Late", position=None)
    world = replace(LED, formations={**LED.formations, "late": late})
    assert refused(world, act) == ("HR-UMP-20", field)


# --- who holds a place (HR-UMP-21) ---

WATCHED = first_look(road(), dice_of(road()))


@pytest.mark.parametrize(
    ("act", "sides"),
    [
        (SetHolder("granville", ""), ("rebel",)),  # behind Gates, whom the Crown does not see
        (SetHolder("hubbardton", "rebel"), ("rebel",)),
        (SetHolder("granville", "crown"), ("crown", "rebel")),  # who gets it and who loses it
        (SetHolder("castleton", "crown"), ("crown",)),
    ],
)
def test_hr_ump_21_who_holds_loses_or_sees_a_place_is_told_and_believes_it(act, sides):
    event = find_event(WATCHED, act)
    assert (event.kind, event.rule, event.sides, event.place) == ("holder_set", "HR-UMP-21", sides, act.place)
    after = done(WATCHED, act).world
    assert after.holders.get(act.place, "") == act.side
    for side in ("crown", "rebel"):
        known = side_view(after, side).holders.get(act.place, "")
        assert known == (act.side if side in sides else side_view(WATCHED, side).holders.get(act.place, ""))


def test_hr_ump_21_who_sees_a_place_is_told_and_believes_it():
    """Gates's foot stand a little way outside a place that nobody holds."""
    spot = Position("", "castleton--dorset--road", "castleton", "dorset", 5000)
    gates = replace(road().formations["gates"], position=spot)
    near = first_look(replace(road(), formations={**road().formations, "gates": gates}))
    act = SetHolder("castleton", "crown")
    assert find_event(near, act).sides == ("crown", "rebel")
    assert side_view(done(near, act).world, "rebel").holders["castleton"] == "crown"


def test_hr_ump_21_who_has_not_learned_of_it_is_shown_the_same():
    """Fog of war: to the Crown the days go as if the place behind the enemy had not changed hands."""
    as_it_was = [shown(*played(WATCHED, {}, days), "crown") for days in (0, 2)]
    for act in (SetHolder("granville", ""), SetHolder("hubbardton", "rebel")):
        changed = done(WATCHED, act).world
        assert [shown(*played(changed, {}, days), "crown") for days in (0, 2)] == as_it_was


def test_hr_ump_21_what_is_set_and_set_back_is_as_it_was():
    there = done(WATCHED, SetHolder("granville", "")).world
    assert done(there, SetHolder("granville", "rebel")).world == WATCHED


def test_hr_ump_21_a_place_set_to_a_side_stays_its_own_through_the_day():
    given = done(WATCHED, SetHolder("castleton", "crown")).world
    assert played(given, {}, 1)[0].holders["castleton"] == "crown"


def test_hr_ump_21_where_there_is_no_fog_both_are_told():
    open_map = first_look(replace(road(), settings=replace(road().settings, fog="off")))
    assert find_event(open_map, SetHolder("granville", "")).sides == ("crown", "rebel")


@pytest.mark.parametrize(
    ("act", "field"),
    [
        (SetHolder("london", "crown"), "place"),
        (SetHolder("granville", "france"), "side"),
        (SetHolder("granville", "rebel"), "side"),
        (SetHolder("hubbardton", ""), "side"),
        (SetHolder("dorset", "crown"), "side"),  # Gates stands there
        (SetHolder("dorset", ""), "side"),
    ],
)
def test_hr_ump_21_a_place_that_cannot_be_held_so_is_refused_at_its_field(act, field):
    assert refused(WATCHED, act) == ("HR-UMP-21", field)


def test_hr_ump_21_of_two_who_stand_at_a_place_either_may_hold_it():
    gates = replace(WATCHED.formations["gates"], position=WATCHED.formations["fraser"].position)
    both = replace(WATCHED, formations={**WATCHED.formations, "gates": gates})
    assert done(both, SetHolder("bennington", "rebel")).world.holders["bennington"] == "rebel"
    assert refused(both, SetHolder("bennington", "")) == ("HR-UMP-21", "side")


def test_hr_ump_21_a_besieger_is_not_made_the_holder():
    gates = replace(WATCHED.formations["gates"], position=WATCHED.formations["fraser"].position)
    both = replace(WATCHED, formations={**WATCHED.formations, "gates": gates})
    besieged = replace(both, sieges={"bennington": Siege("rebel", 0)})
    assert refused(besieged, SetHolder("bennington", "rebel")) == ("HR-UMP-21", "side")


# --- food (HR-UMP-22) ---

FED = set_to(WATCHED, supply="food")


def test_hr_ump_22_a_store_has_other_rations_and_its_side_alone_reads_it():
    act = SetFood("store", "granville", 4000)
    event = find_event(FED, act)
    assert (event.kind, event.rule, event.sides) == ("food_set", "HR-UMP-22", ("rebel",))
    assert (event.place, dict(event.data)) == ("granville", {"was": 0, "rations": 4000})
    stored = done(FED, act).world
    assert stored.magazines == {"granville": Magazine("rebel", 4000)}
    assert shown(stored, [], "crown") == shown(FED, [], "crown")
    assert done(stored, SetFood("store", "granville", 0)).world.magazines["granville"].rations == 0


def test_hr_ump_22_a_formation_carries_other_rations_and_its_side_alone_reads_it():
    event = find_event(FED, SetFood("formation", "gates", 900))
    assert (event.sides, event.formation, dict(event.data)) == (("rebel",), "gates", {"rations": 900})
    eaten = done(FED, SetFood("formation", "gates", 900)).world
    assert dict(find_event(eaten, SetFood("formation", "gates", 0)).data) == {"was": 900, "rations": 0}
    assert done(FED, SetFood("formation", "gates", 900)).world.formations["gates"].rations == 900


@pytest.mark.parametrize(
    ("act", "field"),
    [
        (SetFood("store", "london", 5), "id"),
        (SetFood("store", "castleton", 5), "id"),  # nobody's
        (SetFood("store", "albany", 5), "id"),  # a base
        (SetFood("store", "granville", 0), "rations"),
        (SetFood("store", "granville", -1), "rations"),
        (SetFood("formation", "gates", 1_000_001), "rations"),
        (SetFood("formation", "nobody", 5), "id"),
        (SetFood("formation", "gone", 5), "id"),
    ],
)
def test_hr_ump_22_rations_that_cannot_be_so_are_refused_at_their_field(act, field):
    gone = replace(FED.formations["gates"], id="gone", position=None)
    world = replace(FED, formations={**FED.formations, "gone": gone})
    assert refused(world, act) == ("HR-UMP-22", field)


def test_hr_ump_22_where_food_is_not_played_there_is_none_to_change():
    assert refused(WATCHED, SetFood("formation", "gates", 5)) == ("HR-UMP-22", "id")
