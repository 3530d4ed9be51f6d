"""Steps D and E: changes of facing, and fire."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from battles.engine.dtypes import COLUMN, DENSE_WOODS, ON_TABLE, ROUTING, SHAKEN, SMALL, STEADY
from battles.engine.events import CODE
from battles.rulesets.awi import fire, sighting
from battles.rulesets.awi.fighting import prepare_state
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import CONGRESS, CROWN, Stand, battle, events, force, kinds, table
from tests.battles.grounds import hill, woods

T = TroopType
LINE_FOOT = T.CONTINENTAL_LINE


@pytest.mark.parametrize(
    ("kind", "sp", "form", "mood", "inches", "factor"),
    [
        (T.BRITISH_LINE, 5, None, STEADY, 3.0, 1),
        (T.BRITISH_GRENADIERS, 4, None, STEADY, 3.0, 0),
        (T.BRITISH_LINE, 2, COLUMN, SHAKEN, 3.0, 1 - 2 - 2 - 1),
        (T.MILITIA, 6, None, STEADY, 3.0, -1),
        (T.INDIANS, 3, None, STEADY, 3.0, -2),
        (T.JAEGERS, 5, None, STEADY, 6.0, -1),
        (T.JAEGERS, 5, None, STEADY, 6.5, -2),
        (T.EUROPEAN_ARTILLERY, 5, None, STEADY, 12.0, 1),
        (T.EUROPEAN_ARTILLERY, 5, None, STEADY, 24.0, -1),
        (T.AMERICAN_ARTILLERY, 2, None, SHAKEN, 36.0, -2 - 2 - 1),
    ],
)
def test_fire_factors_add_up_AWI_T_FIR_08(kind, sp: int, form, mood: int, inches: float, factor: int) -> None:
    g = table(Stand(0, kind, 48, 20, sp=sp, form=form), Stand(1, LINE_FOOT, 48, 50, face=180))
    g.u[0].mood = mood
    assert fire.fire_modifier(g, 0, 1, inches) == factor


@pytest.mark.parametrize(("cover", "factor"), [("none", 0), ("soft", -1), ("hard", -2), ("fortified", -3)])
def test_cover_of_the_start_line_AWI_T_FIR_11_FOR_03(cover: str, factor: int) -> None:
    g = prepare_state(battle(force(CROWN, LINE_FOOT), force(CONGRESS, LINE_FOOT), cover=cover), SMALL)[0]
    assert fire.fire_modifier(g, 0, 1, 5.0) == factor
    g.u[1].y += 4
    assert fire.fire_modifier(g, 0, 1, 5.0) == 0, "the cover protects those who stand at it"


@pytest.mark.parametrize(
    ("dice", "sp", "mood"),
    [((3, 3), 5, SHAKEN), ((2, 3), 5, STEADY), ((3, 4), 4, SHAKEN), ((1, 1), 5, STEADY)],
)
def test_one_roll_hits_and_shakes_AWI_T_FIR_12(dice: tuple[int, int], sp: int, mood: int) -> None:
    g = table(Stand(0, LINE_FOOT, 48, 20), Stand(1, LINE_FOOT, 48, 26, face=180), dice=dice)
    fire.shoot(g, 0, 1, 0, CODE["fire"])
    assert (g.u[1].sp, g.u[1].mood, g.cursor) == (sp, mood, 2)


def test_routing_targets_stay_routing_AWI_T_FIR_12() -> None:
    g = table(Stand(0, LINE_FOOT, 48, 20), Stand(1, LINE_FOOT, 48, 26, face=0), dice=(6, 6))
    g.u[1].mood = ROUTING
    fire.shoot(g, 0, 1, 0, CODE["fire"])
    assert (g.u[1].sp, g.u[1].mood) == (4, ROUTING)


def test_grenadiers_on_a_seven_before_and_after_the_loss_AWI_T_FIR_12() -> None:
    stands = (Stand(0, LINE_FOOT, 48, 20), Stand(1, T.BRITISH_GRENADIERS, 48, 26, face=180))
    for setting, mood in (("after_loss", SHAKEN), ("before_loss", STEADY)):
        g = table(*stands, dice=(3, 4), options={"fire_morale_strength": setting})
        fire.shoot(g, 0, 1, 0, CODE["fire"])
        assert (g.u[1].sp, g.u[1].mood) == (4, mood)


def test_shots_are_declared_first_and_wasted_on_targets_gone_AWI_T_FIR_03() -> None:
    stands = (
        Stand(0, LINE_FOOT, 48, 20, sp=1),
        Stand(1, LINE_FOOT, 46, 25, face=180),
        Stand(1, LINE_FOOT, 50, 25, face=180),
    )
    g = table(*stands, dice=(6, 6, 6, 6))
    fire.step_e(g)
    assert kinds(g).count("fire") == 1
    assert kinds(g).count("shot_wasted") == 1
    g = table(*stands, dice=(6, 6, 6, 6), options={"fire_declaration": "one_at_a_time"})
    fire.step_e(g)
    assert kinds(g).count("fire") == 1
    assert "shot_wasted" not in kinds(g)


def test_the_moving_side_does_not_fire_AWI_T_SEQ_01() -> None:
    g = table(Stand(0, LINE_FOOT, 48, 20), Stand(1, LINE_FOOT, 48, 25, face=180), dice=(6, 6))
    fire.step_e(g)
    assert (g.u[0].sp, g.u[1].sp) == (4, 5)


def test_shaken_twice_in_a_step_may_rout_AWI_T_MOR_07() -> None:
    g = table(
        Stand(0, LINE_FOOT, 48, 20),
        Stand(1, LINE_FOOT, 48, 26, face=180),
        dice=(3, 3, 3, 3),
        options={"cumulative_shaken_to_rout": 2},
    )
    fire.shoot(g, 0, 1, 0, CODE["fire"])
    assert g.u[1].mood == SHAKEN
    fire.shoot(g, 0, 1, 0, CODE["fire"])
    assert (g.u[1].mood, g.u[1].sp) == (ROUTING, 5)


@pytest.mark.parametrize(("setting", "factor"), [(0, -2), (-1, -3)])
def test_long_range_may_be_made_weaker_AWI_T_FIR_13(setting: int, factor: int) -> None:
    g = table(
        Stand(0, T.EUROPEAN_ARTILLERY, 48, 10),
        Stand(1, LINE_FOOT, 48, 45, face=180),
        options={"long_range_extra_minus": setting},
    )
    assert fire.fire_modifier(g, 0, 1, 30.0) == factor


@pytest.mark.parametrize(("y", "target"), [(26, True), (40, False)])
def test_a_shot_not_worth_firing_was_a_legal_target_all_the_same_AWI_T_CAV_01(y: float, target: bool) -> None:
    g = table(
        Stand(0, T.AMERICAN_LIGHT_CAVALRY, 48, 20),
        Stand(1, T.MILITIA, 48, y, face=180, sp=1, form=COLUMN),
        cover="none",
    )
    g.u[1].mood, g.u[1].fire = SHAKEN, -9
    fire.step_e(g)
    assert kinds(g) == [], "the shot cannot harm anybody"
    assert bool(g.u[1].had_target) == target


def best_of_all(g: Any, i: int) -> tuple[int, int]:
    """What choose_target should find: every enemy looked into, the first of the best taken."""
    best, best_worth, legal = -1, 0.0, 0
    for j in range(g.n):
        if g.u[j].side == g.u[i].side or g.u[j].place != ON_TABLE:
            continue
        inches = sighting.fire_range(g, i, j)
        modifier = fire.fire_modifier(g, i, j, inches) if inches >= 0 else fire.NO_SHOT
        if modifier == fire.NO_SHOT:
            continue
        legal = 1
        worth = fire.shot_worth(g, i, j, modifier, inches)
        if worth > best_worth:
            best, best_worth = j, worth
    return best, legal


crowd = st.lists(
    st.tuples(
        st.sampled_from((LINE_FOOT, T.JAEGERS, T.EUROPEAN_ARTILLERY, T.INDIANS, T.AMERICAN_LIGHT_CAVALRY)),
        st.integers(30, 66),
        st.integers(18, 46),
        st.integers(0, 359),
        st.integers(0, 1),
    ),
    min_size=2,
    max_size=8,
)


@given(crowd=crowd, ground=st.sampled_from(("open", "woods", "hill")))
def test_looking_at_the_best_first_finds_the_best_AWI_T_FIR_02(
    crowd: list[tuple[TroopType, int, int, int, int]], ground: str
) -> None:
    g = table(
        Stand(0, T.EUROPEAN_ARTILLERY, 48, 12),
        Stand(0, T.JAEGERS, 44, 20),
        *(Stand(side, kind, x, y, face) for kind, x, y, face, side in crowd),
    )
    if ground == "woods":
        woods(g, DENSE_WOODS, 24.0, 32.0)
    elif ground == "hill":
        hill(g, 22.0, 28.0)
    for i in range(2):
        target, _, legal = fire.choose_target(g, i)
        assert (target, legal) == best_of_all(g, i)


def test_every_shot_is_declared_before_any_is_settled_AWI_T_FIR_03() -> None:
    stands = (
        Stand(0, LINE_FOOT, 44, 20),
        Stand(0, LINE_FOOT, 52, 20),
        Stand(1, LINE_FOOT, 52, 25, face=180),
        Stand(1, LINE_FOOT, 44, 25, face=180),
        Stand(1, LINE_FOOT, 47, 29, face=200),
    )
    g = table(*stands, dice=(1, 1) * 3)
    fire.step_e(g)
    order = [event.target for event in events(g) if event.kind == "fire"]
    assert order == sorted(order), "target by target"
    assert [int(g.u[i].under_fire) for i in range(5)] == [1, 1, 0, 0, 0]
    assert [int(g.u[i].fired) for i in range(5)] == [0, 0, 1, 1, int(len(order) == 3)]
    assert [int(u.shown) for u in g.u[:5]] == [int(u.fired) for u in g.u[:5]]
    g.mover = 1
    fire.step_e(g)
    assert [int(g.u[i].under_fire) for i in range(2)] == [0, 0]
    assert g.u[2].fired == 1, "it fired in its last step E"
