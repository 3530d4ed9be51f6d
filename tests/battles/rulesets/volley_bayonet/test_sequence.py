"""The sequence of play: phases, their steps in order, arrivals, and how a battle ends."""

from typing import Any

import pytest

from battles.engine.dtypes import (
    ADVANCE,
    ASSAULT,
    BROKEN,
    DAY_OVER,
    GOES_ON,
    HOLD,
    NO_CONTACT,
    NOTHING_LEFT,
)
from battles.rulesets.volley_bayonet import combat_step, commander, deck, sequence
from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.bases import leader_gap
from battles.rulesets.volley_bayonet.recording import GUN_CAPTURED
from battles.rulesets.volley_bayonet.states import COLLAPSE, change_order
from tests.battles.rulesets.volley_bayonet.checks.morale import attack
from tests.battles.rulesets.volley_bayonet.forces import TINY, Leader, Stand, field, throw


def army(*stands: Stand, turns: int = 1, plans: tuple[int, int] = (HOLD, HOLD), **more: Any) -> Any:
    """Stands under these plans, each army with a commander beside its first stand; the record."""
    leaders = []
    for side in range(2):
        first = next((s for s in stands if s.side == side), None)
        if first is not None:
            leaders.append(Leader(side, r.ARMY_COMMANDER, first.x + 2.5, first.y))
    g = field(*stands, leaders=tuple(leaders), **more)
    g.turns, g.turn = turns, 0
    for side, plan in enumerate(plans):
        g.plan[side] = g.plans[side].kind_ = plan
        g.plans[side].boldness = -9.0
    for u in g.u[: g.n]:
        u.spot_x, u.spot_y = u.x, u.y
    return g


def played(g: Any) -> Any:
    """The record as it is when the battle is over."""
    states = r.make_blank_state(TINY)
    states[0] = g
    assert sequence.play_battle(states) == 0
    return states[0]


def phase(g: Any, side: int) -> Any:
    """The record after one side's phase."""
    g.mover = side
    g.turn = max(int(g.turn), 1)
    sequence.player_phase(g)
    return g


@pytest.mark.parametrize(
    ("crown", "option", "first"), [(0, "crown", 0), (1, "crown", 1), (0, "rebel", 1), (1, "rebel", 0)]
)
def test_the_crowns_phase_comes_first_unless_the_option_turns_it_VBW_SEQ_01(
    crown: int, option: str, first: int
) -> None:
    g = army(Stand(y=20.0), Stand(1, y=40.0), plans=(ASSAULT, ASSAULT), options={"first_player": option})
    g.crown = crown
    ys = [float(u.y) for u in played(g).u[:2]]
    # who comes second finds the enemy in range and stays
    assert [y != old for y, old in zip(ys, (20.0, 40.0), strict=True)] == [first == 0, first == 1]


@pytest.mark.parametrize(("choice", "held"), [("off", [0, 0]), ("on", [4, 4])])
def test_hands_are_filled_before_the_phases_when_cards_are_used_VBW_SEQ_01_VBW_SEQ_02(
    choice: str, held: list[int]
) -> None:
    g = army(Stand(y=10.0), Stand(1, y=50.0), options={"cards": choice})
    for k, number in enumerate(deck.deck_of()):
        g.deck[k] = number
    g.deck_n = len(deck.deck_of())
    assert list(played(g).hand_n) == held


def clash(side: int, *dice: int) -> Any:
    """Stand 0 of a side before a stand of the enemy's, who has another one far off in its brigade."""
    ahead = 8.0 if side == 0 else -8.0
    g = army(
        Stand(side, y=30.0, sp=3, brigade=0, morale=4),
        Stand(1 - side, y=30.0 + ahead, sp=3, brigade=1, state=r.DISORDERED),
        Stand(1 - side, x=90.0, y=30.0 + ahead, sp=3, brigade=1),
        plans=(ASSAULT, ASSAULT),
    )
    g.plans[side].boldness = 9.0
    g.brigades[1].level = 3
    throw(g, *dice)
    return phase(g, side)


@pytest.mark.parametrize("side", [0, 1])
def test_a_phase_goes_from_the_move_to_the_collapse_VBW_SEQ_03_VBW_SEQ_04(side: int) -> None:
    # both check for the melee, it is fought, and the brigade that lost collapses: all in one phase
    g = clash(side, 1, 1, 6, 6, 6)
    assert (g.u[0].state, g.u[0].lost) == (r.GOOD, 0)
    assert (g.u[1].place, g.u[1].lost) == (r.GONE, 3)
    assert (g.brigades[1].exhausted, g.brigades[1].collapsed) == (1, 1)
    assert g.u[2].state == r.PERMANENT
    assert (g.step, g.u[0].charges, g.u[0].charged) == (7, -1, 0)


@pytest.mark.parametrize("side", [0, 1])
def test_checks_come_before_combats_and_are_both_sides_VBW_SEQ_03_VBW_SEQ_04(side: int) -> None:
    g = clash(side, 6, 6)
    assert (g.u[0].state, g.u[1].state) == (r.DISORDERED, r.ROUTED)
    assert g.u[1].lost == 1, "it ran before a blow was struck"


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("far", [False, True])
def test_only_the_active_side_is_commanded_and_then_moves_VBW_SEQ_03_VBW_SEQ_04(side: int, far: bool) -> None:
    g = army(Stand(y=5.0), Stand(1, y=59.0), plans=(ADVANCE, ADVANCE))
    if far:
        g.leaders[0].x = g.leaders[1].x = 100.0
    g.u[1 - side].in_command = 1
    g.u[side].in_command = int(far)
    ys = [float(u.y) for u in phase(g, side).u[:2]]
    assert [g.u[side].in_command, g.u[1 - side].in_command] == [1 - far, 1]
    # out of command it may not go towards the enemy: command is determined before the move
    assert (ys[side] != (5.0, 59.0)[side]) is not far
    assert ys[1 - side] == (5.0, 59.0)[1 - side]


@pytest.mark.parametrize("side", [0, 1])
def test_only_the_active_side_rallies_VBW_SEQ_03_VBW_SEQ_04(side: int) -> None:
    g = army(Stand(y=5.0, state=r.ROUTED), Stand(1, y=59.0, state=r.ROUTED))
    phase(g, side)
    assert (g.u[side].state, g.u[1 - side].state) == (r.PERMANENT, r.ROUTED)


def test_allies_act_in_their_sides_phase_VBW_SEQ_05() -> None:
    crown = [Stand(x=30.0 + 4 * k, y=5.0, nation=k) for k in (r.BRITISH, r.LOYALIST, r.GERMAN, r.NATIVE)]
    rebels = [Stand(1, x=30.0 + 4 * k, y=59.0, nation=k) for k in (r.AMERICAN, r.FRENCH)]
    g = phase(army(*crown, *rebels, plans=(ADVANCE, ADVANCE)), 0)
    assert [bool(u.moved) for u in g.u[:6]] == [True] * 4 + [False] * 2


def under_guns(*dice: int, others: tuple[Stand, ...] = ()) -> Any:
    """A stand in a gun's danger zone, out of musket range of it, its commander far from both."""
    g = army(Stand(y=20.0, sp=3), Stand(1, kind="Fd", y=34.0), *others)
    g.leaders[0].x = 90.0
    throw(g, *dice)
    return g


def test_a_stand_may_be_tested_in_each_phase_of_a_turn_VBW_SEQ_06() -> None:
    g = phase(under_guns(6, 1, 1, 1), 0)
    assert g.u[0].state == r.DISORDERED
    throw(g, 6)
    assert phase(g, 1).u[0].state == r.ROUTED


def test_who_routs_after_the_rally_waits_for_his_sides_next_VBW_SEQ_07() -> None:
    # its commander is with the two where its rout ends
    g = under_guns(others=(Stand(x=30.0, y=2.5), Stand(x=34.0, y=2.5)))
    g.u[0].state, g.leaders[0].x, g.leaders[0].y = r.PERMANENT, 30.0, 2.5
    throw(g, 6)
    assert phase(g, 0).u[0].state == r.ROUTED
    assert leader_gap(g, 0, 0) <= g.o.contact
    throw(g)
    assert phase(g, 1).u[0].state == r.ROUTED
    assert phase(g, 0).u[0].state == r.PERMANENT


def test_a_commander_rides_to_a_routed_stand_and_rallies_it_at_once_VBW_SEQ_07() -> None:
    g = army(Stand(y=10.0, state=r.ROUTED), Stand(1, y=59.0))
    g.leaders[0].y = 28.0
    assert phase(g, 0).u[0].state == r.PERMANENT
    assert (g.u[0].stationary, g.u[0].moved) == (0, 0), "and it does nothing else"


def test_a_turn_in_the_rules_of_movement_is_the_own_phase_VBW_DEF_18() -> None:
    g = army(Stand(y=5.0, stationary=True), Stand(1, y=59.0))
    g.u[0].left, g.u[0].facings, g.u[0].recovered = 0.25, 2, 1
    phase(g, 1)
    assert (g.u[0].left, g.u[0].facings, g.u[0].recovered, g.u[0].stationary) == (0.25, 2, 1, 1)
    phase(g, 0)
    assert (g.u[0].left, g.u[0].facings, g.u[0].recovered) == (1.0, 0, 0)


def test_a_turn_on_a_card_is_of_both_phases_VBW_DEF_18() -> None:
    g = army(Stand(y=5.0), Stand(1, y=59.0))
    g.battalions[0].die, g.battalions[1].die = -1, 1
    phase(g, 0)
    phase(g, 1)
    assert [b.die for b in g.battalions[:2]] == [-1, 1]
    g.turn = 0
    assert [b.die for b in played(g).battalions[:2]] == [0, 0], "and over with it"


@pytest.mark.parametrize("side", [0, 1])
def test_the_active_side_attacks_and_fires_before_its_melees_VBW_COM_01(side: int) -> None:
    y = 30.0 if side == 0 else 40.0
    ahead = 1.0 if side == 0 else -1.0
    g = army(
        Stand(1 - side, x=30.0, y=y + 6.0 * ahead, sp=3),
        Stand(side, x=30.0, y=y, sp=3),
        Stand(side, x=50.0, y=y, sp=3),
        Stand(1 - side, x=50.0, y=y + 1.5 * ahead, sp=3),
    )
    g.mover, g.turn = side, 1
    attack(g, 2, 3)
    # fire of stand 1 first, the answer, then the blows of stand 2
    throw(g, 6, 1, 1, 1, 1, 1, 6, 6, 1)
    sequence.run_combat_step(g)
    assert [int(u.lost) for u in g.u[:4]] == [1, 0, 0, 2]
    assert [int(u.fought) for u in g.u[:4]] == [1, 1, 1, 1]


def test_nobody_attacks_but_the_active_side_VBW_COM_01_VBW_DEF_06() -> None:
    g = army(Stand(kind="SI", x=30.0, y=20.0), Stand(1, y=26.0))
    g.mover, g.u[0].face = 0, 180
    throw(g, 6, 6, 6)
    sequence.run_combat_step(g)
    assert (g.u[0].lost, g.cursor) == (0, 0)


def test_fire_into_a_melee_is_support_and_waits_for_it_VBW_DEF_09_VBW_COM_01() -> None:
    g = army(Stand(y=30.0, sp=3), Stand(1, y=31.5, sp=3), Stand(x=35.0, y=26.0, sp=3))
    attack(g, 0, 1)
    g.mover = 0
    throw(g, 1, 1, 1, 1, 1, 1, 6, 1, 1)
    sequence.run_combat_step(g)
    assert g.u[1].lost == 1 and g.u[2].fought == 1
    assert g.u[1].state == r.DISORDERED, "its hit decides the melee"


@pytest.mark.parametrize("plan", [ASSAULT, ADVANCE])
def test_who_still_touches_an_enemy_charges_or_goes_back_an_inch_VBW_DEF_10(plan: int) -> None:
    g = army(Stand(y=20.0), Stand(1, y=21.52), plans=(plan, HOLD))
    g.plans[0].boldness, g.mover = 9.0 if plan == ASSAULT else -9.0, 0
    commander.run_movement_step(g)
    if plan == ASSAULT:
        assert (g.u[0].charges, g.u[0].charged) == (1, 1)
    else:
        assert g.u[0].charges == -1 and g.u[0].y <= 19.0


def test_reinforcements_come_on_in_their_turn_beside_who_stands_there_VBW_DEF_21() -> None:
    g = army(Stand(y=1.0), Stand(y=1.0), Stand(1, y=59.0))
    g.u[1].place, g.u[1].due, g.turn, g.mover = r.WAITING, 2, 1, 0
    sequence.bring_on_arrivals(g)
    assert g.u[1].place == r.WAITING
    g.turn = 2
    sequence.bring_on_arrivals(g)
    assert g.u[1].place == r.ON_TABLE
    assert abs(g.u[1].x - 30.0) >= 3.0 and g.u[1].y == 1.0


def test_a_battle_lasts_as_many_turns_as_it_is_given() -> None:
    g = played(army(Stand(y=5.0), Stand(1, y=59.0), turns=3))
    assert (g.turn, g.ending, g.holder) == (3, DAY_OVER, -1)


def test_the_day_is_his_who_alone_holds_the_spot_fought_for() -> None:
    for x, holder in ((30.0, 0), (80.0, -1)):
        g = army(Stand(y=20.0), Stand(1, y=59.0))
        g.objective, g.objective_x, g.objective_y = 1, x, 20.0
        assert played(g).holder == holder


def test_eight_turns_without_a_shot_end_it() -> None:
    g = played(army(Stand(y=5.0), Stand(1, y=59.0), turns=20))
    assert (g.turn, g.ending) == (8, NO_CONTACT)


def test_a_side_without_a_stand_that_stands_has_lost() -> None:
    g = played(army(Stand(y=5.0), Stand(1, y=59.0, state=r.ROUTED), turns=20))
    assert (g.turn, g.ending, g.holder) == (0, NOTHING_LEFT, 0)
    assert g.u[1].place == r.GONE


@pytest.mark.parametrize(("holder", "taken"), [(0, 2), (1, 0), (-1, 0)])
def test_guns_left_behind_are_his_who_holds_the_field_VBW_DEF_22_VBW_MOR_08(holder: int, taken: int) -> None:
    g = army(Stand(y=5.0), Stand(1, kind="Fd", y=59.0), Stand(1, kind="Fd", y=59.0, x=60.0))
    change_order(g, 1, COLLAPSE)
    change_order(g, 1, COLLAPSE)
    assert (g.u[1].state, g.u[1].guns_gone, g.u[1].sp) == (r.ROUTED, 1, 2)
    sequence.end_battle(g, DAY_OVER, holder)
    assert (g.u[1].captured, g.u[1].sp, g.u[2].captured) == (taken, 2 - taken, 0)
    assert g.u[1].lost + g.u[1].captured + g.u[1].sp == 3
    told = [g.events[k].what for k in range(g.events_n)]
    assert told.count(GUN_CAPTURED) == (taken > 0)


def test_a_side_breaks_off_when_it_has_lost_its_share() -> None:
    for lost, ending in ((1, GOES_ON), (2, BROKEN)):
        g = army(Stand(y=5.0), Stand(1, y=59.0))
        g.sp_start[:], g.break_at[:] = 4, 50
        g.u[0].lost = lost
        sequence.check_battle_end(g)
        assert (g.ending, g.holder) == (ending, 1 if ending == BROKEN else -1)


def test_horse_and_guns_count_their_shots_for_the_cards_of_the_turn() -> None:
    g = army(Stand(y=20.0), Stand(1, y=26.0))
    g.turn, g.mover = 3, 0
    combat_step.begin_combats(g)
    sequence.run_combat_step(g)
    assert [int(u.fired) for u in g.u[:2]] == [3, 3]


@pytest.mark.parametrize(
    ("collapsed", "lost", "holder"),
    [
        ((1, 0), (0, 9), 1),
        ((0, 1), (9, 0), 0),
        ((1, 1), (2, 1), 1),
        ((0, 0), (1, 1), -1),
        ((0, 0), (1, 3), 0),
    ],
)
def test_without_a_spot_the_day_is_his_who_is_better_off_VBW_DEF_23(
    collapsed: tuple[int, int], lost: tuple[int, int], holder: int
) -> None:
    g = army(Stand(brigade=0, sp=9), Stand(1, y=60.0, brigade=1, sp=9))
    g.sp_start[:] = 9
    for side in range(2):
        g.brigades[side].collapsed, g.u[side].lost = collapsed[side], lost[side]
    assert sequence.holder_at_end(g) == holder


def test_what_a_phase_did_to_a_charger_ends_with_it_VBW_TER_32() -> None:
    g = army(Stand(), Stand(1, y=60.0))
    g.u[0].over_stream = g.u[0].over_fence = 1
    phase(g, 1)
    assert g.u[0].over_stream == g.u[0].over_fence == 0
