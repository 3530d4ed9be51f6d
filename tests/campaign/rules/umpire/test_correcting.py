"""The umpire's corrections of what is no troops: what they do, who is told, what is refused (HR-UMP)."""

import json
from dataclasses import replace

import pytest

from campaign.rules.army.leaders import exchange_offer, generals_evening, leader_today
from campaign.rules.errors import RuleViolation
from campaign.rules.scouting.intelligence import first_look
from campaign.rules.scouting.knowledge import side_view
from campaign.rules.umpire.corrections import Act, act_from_json, act_to_json
from campaign.rules.umpire.rule_corrections import ChangePool, SetFood, SetGeneral, SetHolder
from campaign.rules.umpire.umpiring import act_apply
from campaign.rules.world.events import Event
from campaign.rules.world.markers import General, Magazine, Siege
from campaign.rules.world.outcome import Completed
from campaign.rules.world.world import Position, World
from tests.campaign.rules.allowed import is_allowed
from tests.factories.fog import dice_of, played, road, shown
from tests.golden.fog_acts import prisoners
from tests.golden.fog_cases_days import led, set_to

WHY = "A slip of the umpire's."
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


def told(world: World, act: Act) -> Event:
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
    event = told(POOLED, act)
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
    event = told(LED, wound)
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
        assert told(LED, act).sides == ("rebel",)
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
    event = told(WATCHED, act)
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
    assert told(near, act).sides == ("crown", "rebel")
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
    assert told(open_map, SetHolder("granville", "")).sides == ("crown", "rebel")


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
    event = told(FED, act)
    assert (event.kind, event.rule, event.sides) == ("food_set", "HR-UMP-22", ("rebel",))
    assert (event.place, dict(event.data)) == ("granville", {"was": 0, "rations": 4000})
    stored = done(FED, act).world
    assert stored.magazines == {"granville": Magazine("rebel", 4000)}
    assert shown(stored, [], "crown") == shown(FED, [], "crown")
    assert done(stored, SetFood("store", "granville", 0)).world.magazines["granville"].rations == 0


def test_hr_ump_22_a_formation_carries_other_rations_and_its_side_alone_reads_it():
    event = told(FED, SetFood("formation", "gates", 900))
    assert (event.sides, event.formation, dict(event.data)) == (("rebel",), "gates", {"rations": 900})
    eaten = done(FED, SetFood("formation", "gates", 900)).world
    assert dict(told(eaten, SetFood("formation", "gates", 0)).data) == {"was": 900, "rations": 0}
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
