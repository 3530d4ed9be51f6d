"""Step D: the firing side turns."""

import pytest

from battles.engine.bases import BASE, HALF
from battles.engine.dtypes import ROUTING, SHAKEN
from battles.engine.wayfinding import HAS_WAY
from battles.files.schema import BattlePlan
from battles.rulesets.awi import facing
from rosters.domain.vocabulary import GunClass, TroopType
from tests.battles.forces import CONGRESS, CROWN, Stand, events, table

T = TroopType
LINE_FOOT = T.CONTINENTAL_LINE


@pytest.mark.parametrize(
    ("kind", "inches", "pinned"),
    [
        (LINE_FOOT, 3.0, True),
        (LINE_FOOT, 3.2, False),
        (T.AMERICAN_LIGHT_CAVALRY, 6.0, True),
        (T.AMERICAN_ARTILLERY, 2.0, False),
        (T.WAGON, 2.0, False),
    ],
)
def test_an_enemy_ahead_within_reach_pins_AWI_T_FAC_01(kind: TroopType, inches: float, pinned: bool) -> None:
    g = table(Stand(0, LINE_FOOT, 48, 20), Stand(1, kind, 48, 30, face=180))
    depth = HALF if g.u[1].form == 0 else BASE
    g.u[1].y = 20 + HALF + inches + depth
    assert facing.is_pinned(g, 0) == pinned
    g.u[1].mood = SHAKEN
    assert facing.is_pinned(g, 0) == pinned
    g.u[1].mood = ROUTING
    assert not facing.is_pinned(g, 0)


def test_the_firing_side_turns_to_meet_a_threat_behind_it_AWI_T_FAC_02() -> None:
    g = table(Stand(0, LINE_FOOT, 48, 20), Stand(1, LINE_FOOT, 48, 25, face=0))
    facing.step_d(g)
    assert g.u[1].face == 180
    assert (g.u[1].x, g.u[1].y) == (48, 25)


def test_who_follows_a_way_round_is_not_turned_off_it_when_an_assault_presses_HR_BAT_02() -> None:
    for idle, face in ((3, 180), (4, 0)):
        plans = {CROWN: BattlePlan("hold"), CONGRESS: BattlePlan("assault")}
        g = table(Stand(0, LINE_FOOT, 48, 20), Stand(1, LINE_FOOT, 48, 25, face=0), plans=plans)
        g.u[1].has_way, g.idle = HAS_WAY, idle
        facing.step_d(g)
        assert g.u[1].face == face


def test_routing_units_and_the_moving_side_do_not_turn_AWI_T_FAC_01() -> None:
    g = table(Stand(0, LINE_FOOT, 48, 20, face=180), Stand(1, LINE_FOOT, 48, 25, face=0))
    g.u[1].mood = ROUTING
    facing.step_d(g)
    assert (g.u[0].face, g.u[1].face) == (180, 0)


@pytest.mark.parametrize(
    ("gun", "die", "turns"), [("light", 2, True), ("medium", 2, False), ("heavy", 4, True)]
)
def test_guns_may_have_to_dice_for_a_turn_AWI_T_FAC_03(gun: str, die: int, turns: bool) -> None:
    g = table(
        Stand(0, LINE_FOOT, 48, 20),
        Stand(1, T.AMERICAN_ARTILLERY, 48, 30, face=0, gun_class=GunClass(gun)),
        dice=(die,),
        options={"artillery_facing": "dice"},
    )
    facing.step_d(g)
    assert (g.u[1].face == 180) == turns
    assert g.cursor == 1
    assert [event.dice for event in events(g)] == [(die,)]
