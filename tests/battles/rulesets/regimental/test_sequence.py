"""The sequence of play and the end of a battle (REG-GEN-02, REG-DEF-08, REG-VP-01)."""

from typing import Any

import pytest

from battles.engine.dtypes import BROKEN, GOES_ON, NOTHING_LEFT
from battles.engine.ending import count_losses
from battles.files.schema import BattlePlan
from battles.rulesets.regimental import records as r
from battles.rulesets.regimental import sequence
from battles.rulesets.regimental.events import KINDS
from battles.rulesets.regimental.fighting import SYSTEM
from battles.rulesets.regimental.victory import victory_points
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import CONGRESS, CROWN, battle_unit
from tests.battles.rulesets.regimental.files import FOOT, drawn_up, file_of
from tests.battles.rulesets.regimental.forces import Leader, Unit, field, throw

HOLD = {side: BattlePlan("hold") for side in (CROWN, CONGRESS)}


def prepared(*units: Unit, **more: Any) -> Any:
    g = field(*units, **more)
    g.break_at[:] = 50
    return g


def test_a_player_turn_has_three_phases_in_order_REG_GEN_02() -> None:
    units = [battle_unit(f"{side}{k}", side, FOOT) for side in (CROWN, CONGRESS) for k in range(3)]
    events = SYSTEM.fight(file_of(*units), 3, record=True).events
    steps = {"maneuver": "A", "charge": "A", "fire": "B", "fire_dice": "B", "melee_roll": "C"}
    assert {event.kind for event in events} > {"maneuver", "fire_dice"}
    for event in events:
        assert event.step == steps.get(event.kind, event.step), event
    order = [(event.turn, event.side, event.step) for event in events if event.kind != "battle_ends"]
    attacks = {CROWN: 0, CONGRESS: 1}
    assert order == sorted(order, key=lambda row: (row[0], attacks[row[1]], row[2]))


def test_the_other_side_may_begin_by_the_option_REG_GEN_02() -> None:
    units = (battle_unit("a", CROWN, FOOT), battle_unit("b", CONGRESS, FOOT))
    file = file_of(*units, options={"first_player": "defender"})
    assert SYSTEM.fight(file, 1, record=True).events[0].side == CONGRESS


def test_defensive_fire_comes_before_offensive_REG_GEN_02() -> None:
    g = prepared(Unit(), Unit(1, y=23.5))
    throw(g, 1, 1, 1, 1)
    sequence.player_turn(g)
    fires = [row for row in g.events[: g.events_n] if KINDS[int(row.what)][0] == "fire"]
    assert [int(row.actor) for row in fires] == [1, 0]


def test_who_loses_half_his_stands_breaks_off_REG_DEF_08() -> None:
    g = prepared(Unit(stands=4, start=8), Unit(1, y=60))
    sequence.check_battle_end(g)
    assert (g.ending, g.holder, g.u[0].place) == (BROKEN, 1, r.LEFT)
    g = prepared(Unit(stands=5, start=8), Unit(1, y=60))
    sequence.check_battle_end(g)
    assert g.ending == GOES_ON


def test_a_side_of_broken_troops_has_nobody_left_REG_DEF_08() -> None:
    g = prepared(Unit(order=r.BROKEN), Unit(1, y=60))
    sequence.check_battle_end(g)
    assert (g.ending, g.holder) == (NOTHING_LEFT, 1)


def test_prisoners_are_losses_too_REG_DEF_07_REG_DEF_08() -> None:
    g = prepared(Unit(gun="medium gun", stands=2), Unit(1, y=60))
    g.u[0].stands, g.u[0].captured = 1, 1
    assert count_losses(g, 0) == 1


@pytest.mark.parametrize(("where", "holder"), [((30.0, 30.0), 0), ((30.0, 58.0), 1), ((90.0, 30.0), -1)])
def test_who_alone_is_at_the_spot_holds_the_field_REG_DEF_08(where: tuple[float, float], holder: int) -> None:
    g = prepared(Unit(y=28.0), Unit(1, y=60))
    g.objective, g.objective_x, g.objective_y = 1, *where
    assert sequence.holder_at_end(g) == holder


def test_without_a_spot_victory_points_decide_REG_DEF_08_REG_VP_01() -> None:
    g = prepared(Unit(stands=6, start=8, worth=2), Unit(1, y=60, stands=5, start=8, worth=1))
    assert (victory_points(g, 0), victory_points(g, 1)) == (3, 4)
    assert sequence.holder_at_end(g) == 1
    g.u[1].lost = 4
    assert sequence.holder_at_end(g) == -1


def test_leaders_score_for_both_or_the_british_alone_REG_VP_01() -> None:
    for option, expected in (("both", 5), ("british", 0)):
        g = prepared(
            Unit(), Unit(1, y=60),
            leaders=(Leader(side=0), Leader(side=0)), options={"leaders_score_for": option},
        )  # fmt: skip
        g.leaders[0].state, g.leaders[1].state = r.KILLED, r.CAPTURED
        assert victory_points(g, 1) == expected
        g.british = 1
        assert victory_points(g, 1) == 5


def test_who_was_replaced_still_counts_REG_VP_01_REG_CMD_03() -> None:
    g = prepared(Unit(), Unit(1, y=60), leaders=(Leader(brigade=0),))
    g.leaders[0].colonel, g.leaders[0].fate = 1, r.KILLED
    assert victory_points(g, 1) == 3


def test_both_rest_on_their_arms_when_nothing_happens_REG_DEF_08() -> None:
    units = (battle_unit("a", CROWN, FOOT), battle_unit("b", CONGRESS, FOOT))
    result = SYSTEM.fight(file_of(*units, plans=HOLD), 1, record=True)
    assert (result.events[-1].result, result.turns) == ("no_contact", 8)


def test_the_day_ends_with_its_turns_REG_DEF_08_REG_GEN_01() -> None:
    units = (battle_unit("a", CROWN, FOOT), battle_unit("b", CONGRESS, FOOT))
    result = SYSTEM.fight(file_of(*units, plans=HOLD, turns=5), 1, record=True)
    assert (result.events[-1].result, result.events[-1].turn, result.turns) == ("day_over", 5, 5)


def test_who_arrives_is_set_down_beside_who_stands_there_REG_GEN_02() -> None:
    g = prepared(Unit(y=2.0), Unit(y=2.0), Unit(1, y=60))
    g.u[1].place, g.u[1].due = r.WAITING, 1
    sequence.bring_on_arrivals(g)
    assert g.u[1].place == r.ON_TABLE and abs(g.u[1].x - 30.0) > 3.9


@pytest.mark.parametrize(
    ("enemy", "kind", "form"),
    [(62.0, FOOT, r.FIELD_COLUMN), (40.0, FOOT, r.LINE), (62.0, TroopType.MILITIA, r.LINE)],
)
def test_who_comes_on_far_from_the_enemy_comes_in_field_column_REG_UNI_04(
    enemy: float, kind: TroopType, form: int
) -> None:
    late = battle_unit("late", CROWN, kind, arrives=2)
    g = drawn_up(late, battle_unit("crown", CROWN, FOOT), battle_unit("enemy", CONGRESS, FOOT))
    g.turn, g.mover, g.depth, g.u[1].y, g.u[2].y = 2, 0, 64.0, 10.0, enemy
    sequence.bring_on_arrivals(g)
    assert (g.u[0].place, g.u[0].form) == (r.ON_TABLE, form)


def test_a_posture_of_the_file_is_kept_by_who_comes_on_REG_DEF_02() -> None:
    late = battle_unit("late", CROWN, FOOT, arrives=2, posture="line")
    g = drawn_up(late, battle_unit("enemy", CONGRESS, FOOT))
    assert g.u[0].form == r.LINE
