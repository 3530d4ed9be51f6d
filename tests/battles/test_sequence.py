"""Whole turns: the order of steps, arrivals, and how battles end."""

import pytest

from battles.engine.bases import measure_gap
from battles.engine.compile import is_interpreted
from battles.engine.dtypes import BROKEN, NOTHING_LEFT, ON_TABLE, ROUTING, WAITING
from battles.engine.events import STEPS
from battles.files.schema import BattlePlan
from battles.rulesets.awi import sequence
from battles.rulesets.registry import fight_battle
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import CONGRESS, CROWN, ODD_OPTIONS, Stand, battle, battle_unit, force, table

T = TroopType
LINE_FOOT = T.CONTINENTAL_LINE
SEEDS = range(6 if is_interpreted() else 40)
MIXED = (T.CONTINENTAL_LINE, T.AMERICAN_LIGHT_CAVALRY, T.JAEGERS, T.AMERICAN_ARTILLERY)


@pytest.mark.parametrize("seed", SEEDS)
def test_steps_come_in_order_A_to_K_AWI_T_SEQ_01(seed: int) -> None:
    events = fight_battle(battle(force(CROWN, *MIXED), force(CONGRESS, *MIXED)), seed, record=True).events
    last: dict[tuple[int, str], int] = {}
    second = set()
    for event in events[:-1]:
        turn = (event.turn, event.side)
        # each charged unit runs or comes forward before the next is tested (AWI-T-CHG-02)
        step = STEPS.index(event.step.replace("H", "G"))
        if step == STEPS.index("K"):
            second.add(turn)
        if turn not in second:
            assert step >= last.get(turn, 0), event
        last[turn] = step
    assert next(event.kind for event in events if event.kind != "first_move_level") == "first_move"
    assert events[-1].kind == "battle_ends"


#: Steps in which a kind of event may happen; the second charge of horse is all in K.
STEPS_OF = {
    "arrives": "-", "shaken_test": "A", "rout_test": "A", "retire": "B", "move": "C", "deploy": "C",
    "change_facing": "D", "fire": "E", "charge": "FK", "charge_test": "GK", "routs": "HK",
    "counter_charge": "HK", "contact": "IK", "occupy": "IK", "melee_roll": "JK", "melee_retire": "JK",
    "rout_move": "BHJK", "fire_at_second_charge": "K",
}  # fmt: skip


@pytest.mark.parametrize("seed", SEEDS)
def test_every_event_tells_the_step_it_happened_in_AWI_T_SEQ_02(seed: int) -> None:
    file = battle(force(CROWN, *MIXED), force(CONGRESS, *MIXED))
    for event in fight_battle(file, seed, record=True).events:
        assert event.step in STEPS_OF.get(event.kind, STEPS), event


@pytest.mark.parametrize("seed", SEEDS)
def test_only_the_side_not_moving_fires_and_only_the_mover_charges_AWI_T_SEQ_01(seed: int) -> None:
    events = fight_battle(battle(force(CROWN, *MIXED), force(CONGRESS, *MIXED)), seed, record=True).events
    for event in events:
        if event.kind in ("fire", "change_facing", "fire_at_second_charge"):
            assert not event.actor.startswith(event.side)
        if event.kind in ("charge", "move", "shaken_test", "rout_test", "wheel"):
            assert event.actor.startswith(event.side)


@pytest.mark.parametrize("seed", SEEDS)
def test_free_movement_keeps_an_inch_from_the_enemy_AWI_T_SEQ_03(seed: int) -> None:
    g = table(
        *(Stand(0, LINE_FOOT, 40 + 5 * k, 22, face=0) for k in range(3)),
        *(Stand(1, LINE_FOOT, 42 + 5 * k, 30 + (seed * (k + 3)) % 7, face=180 - 7 * seed) for k in range(3)),
    )
    sequence.step_c(g)
    for i in range(3):
        for j in range(3, 6):
            assert measure_gap(g, i, j) >= 1 - 1e-9


def test_the_side_that_moves_first_is_diced_AWI_T_SEQ_01() -> None:
    fights = [fight_battle(battle(force(CROWN, T.WAGON), ()), seed, record=True).events for seed in SEEDS]
    first = {event.total for events in fights for event in events if event.kind == "first_move"}
    assert first == {0, 1}


def test_units_arrive_at_their_own_edge_in_their_turn_AWI_T_SCA_02() -> None:
    late = battle_unit("Breymann", CROWN, T.EUROPEAN_GRENADIERS, arrives=3)
    file = battle((*force(CROWN, LINE_FOOT), late), force(CONGRESS, LINE_FOOT), turns=4)
    arrivals = [event for event in fight_battle(file, 5, record=True).events if event.kind == "arrives"]
    assert [(event.actor, event.turn) for event in arrivals] == [("Breymann", 3)]
    assert arrivals[0].y == 2.0


def test_an_arrival_finds_room_beside_those_who_came_before() -> None:
    g = table(Stand(0, LINE_FOOT, 48, 2), Stand(0, LINE_FOOT, 48, 2), Stand(1, LINE_FOOT, 48, 50, 180))
    g.u[1].place, g.u[1].post_x = WAITING, 48
    sequence.bring_on_arrivals(g)
    assert g.u[1].place == ON_TABLE
    assert measure_gap(g, 0, 1) > 0


@pytest.mark.parametrize("side", [0, 1])
def test_arrivals_look_to_their_own_right_first_and_keep_the_inch_AWI_T_SEQ_03(side: int) -> None:
    edge, face, right = (2, 0, 1) if side == 0 else (58, 180, -1)
    taken = Stand(side, LINE_FOOT, 48, edge, face)
    g = table(taken, Stand(side, LINE_FOOT, 48, edge, face), Stand(1 - side, LINE_FOOT, 10, 30))
    g.mover, g.u[1].place = side, WAITING
    sequence.bring_on_arrivals(g)
    assert (g.u[1].x - 48) * right > 0
    g = table(Stand(1 - side, LINE_FOOT, 48, 30), Stand(side, LINE_FOOT, 48, edge, face))
    g.mover, g.u[1].place, g.u[0].x, g.u[0].y = side, WAITING, 48 + 4 * right, edge
    sequence.bring_on_arrivals(g)
    assert g.u[1].place == ON_TABLE
    assert measure_gap(g, 0, 1) >= 1 - 1e-9


@pytest.mark.parametrize(
    ("crown", "congress", "held"),
    [
        ((), (LINE_FOOT,), CONGRESS),
        ((LINE_FOOT,), (), CROWN),
        ((), (), ""),
        ((T.WAGON,), (LINE_FOOT,), CONGRESS),
    ],
)
def test_a_force_of_nobody_is_a_decided_battle(crown: tuple, congress: tuple, held: str) -> None:
    outcome = fight_battle(battle(force(CROWN, *crown), force(CONGRESS, *congress)), 1).outcome
    assert (outcome.field_held_by, outcome.turns) == (held, 0)
    assert all(unit.sp_lost == unit.sp_captured == 0 for unit in outcome.units)


def test_a_wagon_without_strength_stays_out_of_the_fight() -> None:
    file = battle(
        (*force(CROWN, LINE_FOOT), battle_unit("train", CROWN, T.WAGON, 0)), force(CONGRESS, LINE_FOOT)
    )
    train = next(unit for unit in fight_battle(file, 1).outcome.units if unit.id == "train")
    assert (train.sp_start, train.sp_lost, train.sp_captured, train.fate) == (0, 0, 0, "present")


def test_a_side_with_losses_enough_breaks_off_with_the_rest_AWI_T_STR_03_HR_BAT_01() -> None:
    g = table(Stand(0, LINE_FOOT, 48, 10), Stand(1, LINE_FOOT, 48, 50, 180), Stand(1, LINE_FOOT, 60, 50, 180))
    g.u[1].sp, g.u[1].lost = 1, 4
    sequence.check_battle_end(g)
    assert g.ending == 0, "four of ten are fewer than half"
    g.u[2].sp, g.u[2].lost = 4, 1
    sequence.check_battle_end(g)
    assert (g.ending, g.holder) == (BROKEN, 0)
    assert [int(g.u[i].place) for i in range(3)] == [ON_TABLE, sequence.LEFT_TABLE, sequence.LEFT_TABLE]


def test_whoever_holds_the_field_takes_abandoned_guns_and_wagons_AWI_T_MOV_02_MOV_12_HR_BAT_03() -> None:
    g = table(
        Stand(0, LINE_FOOT, 48, 10),
        Stand(1, T.AMERICAN_ARTILLERY, 48, 50, 180),
        Stand(1, T.WAGON, 55, 50, 180),
        Stand(1, LINE_FOOT, 60, 50, 180, sp=2),
    )
    g.u[1].gun_left, g.u[1].mood, g.u[2].immobile, g.u[3].mood = 1, ROUTING, 1, ROUTING
    sequence.check_battle_end(g)
    assert (g.ending, g.holder) == (NOTHING_LEFT, 0)
    assert [int(g.u[i].captured) for i in range(1, 4)] == [5, 5, 0]
    assert g.u[3].place == sequence.LEFT_TABLE


def test_a_day_that_ends_with_both_standing_is_nobodys() -> None:
    file = battle(force(CROWN, LINE_FOOT), force(CONGRESS, LINE_FOOT), turns=1)
    result = fight_battle(file, 1, record=True)
    assert (result.outcome.field_held_by, result.turns) == ("", 1)
    assert result.events[-1].result == "day_over"


@pytest.mark.parametrize(
    ("spots", "holder"),
    [(((48, 30),), 0), (((48, 30), (52, 39)), -1), (((48, 30), (48, 41)), 0), (((80, 30), (48, 39)), 1)],
)
def test_who_alone_is_near_the_spot_fought_for_has_it_when_the_day_ends_AWI_T_SEQ_01(
    spots: tuple, holder: int
) -> None:
    """Within a foot of it; those who rout do not count."""
    line = TroopType.CONTINENTAL_LINE
    g = table(*(Stand(k, line, x, y, face=180 * k) for k, (x, y) in enumerate(spots)), objective=(48, 28))
    assert sequence.objective_holder(g) == holder
    g.u[0].mood = ROUTING
    assert sequence.objective_holder(g) == (1 if len(spots) > 1 and spots[1][1] < 40 else -1)


def test_two_sides_that_hold_let_the_battle_go_HR_BAT_02() -> None:
    file = battle(
        force(CROWN, LINE_FOOT),
        force(CONGRESS, LINE_FOOT),
        plans={CROWN: BattlePlan("hold"), CONGRESS: BattlePlan("hold")},
    )
    result = fight_battle(file, 1, record=True)
    assert result.events[-1].result == "no_contact"
    assert (result.outcome.field_held_by, result.turns) == ("", sequence.QUIET_TURNS)


@pytest.mark.parametrize("seed", SEEDS)
def test_hidden_effectiveness_is_rolled_before_the_battle_AWI_T_OPT_01(seed: int) -> None:
    file = battle(
        force(CROWN, LINE_FOOT),
        force(CONGRESS, LINE_FOOT),
        options={"randomised_effectiveness": "on"},
        turns=1,
    )
    rolls = [event for event in fight_battle(file, seed, record=True).events if event.kind == "effectiveness"]
    assert len(rolls) == 2
    for event in rolls:
        assert event.modifier == {1: -1, 6: 1}.get(event.dice[0], 0)


@pytest.mark.parametrize("options", ODD_OPTIONS, ids=lambda options: "+".join(options) or "none")
def test_every_option_plays_to_an_end(options: dict) -> None:
    kinds = [T.BRITISH_LIGHT_INFANTRY, T.EUROPEAN_LIGHT_CAVALRY, T.MILITIA, T.EUROPEAN_ARTILLERY]
    file = battle(force(CROWN, *kinds), force(CONGRESS, *kinds), options=options, cover="soft")
    assert fight_battle(file, 9, record=True).events[-1].kind == "battle_ends"
