"""Command, rally, exhaustion."""

from fractions import Fraction

import pytest

from battles.rulesets.volley_bayonet import cards, chain, command, exhaustion, states
from battles.rulesets.volley_bayonet import records as r
from tests.battles.rulesets.volley_bayonet.forces import Leader, Stand, field


def test_an_army_commander_commands_every_stand_VBW_CMD_03_VBD_CMD_02() -> None:
    g = field(Stand(x=36.75), leaders=(Leader(0, r.ARMY_COMMANDER, 30.0, 20.0),))
    command.determine_command(g, 0)
    assert g.u[0].in_command == 1


def test_the_enemys_commanders_put_nobody_in_command_VBW_CMD_02() -> None:
    g = field(Stand(x=33.0), leaders=(Leader(1, r.ARMY_COMMANDER, 30.0, 20.0),))
    command.determine_command(g, 0)
    assert g.u[0].in_command == 0


def test_a_wing_commander_commands_his_wing_VBW_CMD_04_VBD_CMD_03() -> None:
    leaders = (Leader(0, r.WING_COMMANDER, 30.0, 20.0),)
    g = field(Stand(x=33.0, wing=0), Stand(x=27.0, wing=1), leaders=leaders)
    command.determine_command(g, 0)
    assert [u.in_command for u in g.u[:2]] == [1, 0]


def test_a_unit_commander_commands_his_unit_VBW_CMD_06_VBD_CMD_05() -> None:
    g = field(Stand(x=33.0), Stand(x=27.0), leaders=(Leader(0, r.UNIT_COMMANDER, 30.0, 20.0, unit=0),))
    command.determine_command(g, 0)
    assert [u.in_command for u in g.u[:2]] == [1, 0]


def test_transport_needs_any_commander_of_its_side_VBW_CMD_15() -> None:
    leader = Leader(0, r.UNIT_COMMANDER, 30.0, 20.0, unit=1)
    g = field(Stand(kind="wheels", x=33.0, sp=0), Stand(x=60.0), leaders=(leader,))
    command.determine_command(g, 0)
    assert g.u[0].in_command == 1


def test_skirmishers_are_measured_from_their_larger_base_VBW_CMD_09_VBD_CMD_08() -> None:
    leader = Leader(0, r.ARMY_COMMANDER, 30.0, 20.0)
    for form, inside in ((r.FORMED, 0), (r.SKIRMISH, 1)):
        g = field(Stand(x=38.0, abilities=("detachments",), form=form), leaders=(leader,))
        command.determine_command(g, 0)
        assert g.u[0].in_command == inside


def test_the_chain_of_contact_runs_through_one_unit_alone_VBW_CMD_08_VBD_CMD_07() -> None:
    leader = Leader(0, r.BRIGADE_COMMANDER, 26.0, 20.0, brigade=0)
    line = [Stand(x=30.0, unit="a"), Stand(x=33.0, unit="b"), Stand(x=36.0, unit="a")]
    g = field(*[Stand(x=s.x, unit=s.unit, brigade=k % 2) for k, s in enumerate(line)], leaders=(leader,))
    command.determine_command(g, 0)
    assert [u.in_command for u in g.u[:3]] == [1, 0, 0]


def test_who_is_out_of_play_commands_nobody_until_his_turn_VBW_CRD_11() -> None:
    g = field(Stand(x=33.0), leaders=(Leader(0, r.ARMY_COMMANDER, 30.0, 20.0),))
    cards.out_of_play(g, 0, 1)
    command.determine_command(g, 0)
    assert g.u[0].in_command == 0
    g.turn += 1
    cards.return_wounded_commanders(g)
    command.determine_command(g, 0)
    assert g.u[0].in_command == 1


@pytest.mark.parametrize("scale", ["vb_wing", "vb_division"])
def test_a_senior_in_contact_rallies_all_he_touches_VBW_RLY_01_to_05_VBD_RLY_01_to_05(scale: str) -> None:
    pair = [Stand(x=30.0 + 3 * k, brigade=0, sp=2, state=r.ROUTED) for k in range(2)]
    far = Stand(x=50.0, brigade=0, state=r.ROUTED)
    g = field(*pair, far, leaders=(Leader(0, r.BRIGADE_COMMANDER, 31.5, 18.5, brigade=0),), scale=scale)
    cursor = g.cursor
    assert command.rally_all(g, 0) == 2
    assert g.cursor == cursor, "no die is rolled"
    assert [u.state for u in g.u[:3]] == [r.PERMANENT, r.PERMANENT, r.ROUTED]
    assert [u.rallied for u in g.u[:2]] == [1, 1]
    assert states.change_order(g, 0, states.RECOVER) == r.PERMANENT


def test_unit_commanders_never_rally_VBW_RLY_06_VBD_RLY_06() -> None:
    g = field(Stand(state=r.ROUTED), leaders=(Leader(0, r.UNIT_COMMANDER, 30.0, 18.5, unit=0),))
    assert command.rally_all(g, 0) == 0


def test_guns_without_a_brigade_rally_to_wing_or_army_VBW_RLY_02_VBD_RLY_02() -> None:
    for rank, count in ((r.ARMY_COMMANDER, 1), (r.WING_COMMANDER, 1), (r.BRIGADE_COMMANDER, 0)):
        brigade = 0 if rank == r.BRIGADE_COMMANDER else -1
        leader = Leader(0, rank, 30.0, 17.75, brigade=brigade)
        g = field(Stand(kind="Fd", state=r.ROUTED), Stand(x=60, brigade=0), leaders=(leader,))
        assert command.rally_all(g, 0) == count


def test_an_exhausted_brigade_stands_still_no_more_VBW_COL_01_VBW_COL_02_VBW_COL_03_VBD_COL_01() -> None:
    g = field(Stand(brigade=0, stationary=True), Stand(brigade=1, x=40, stationary=True))
    g.brigades[0].level, g.brigades[0].lost = 3, 3
    assert not exhaustion.is_exhausted(g, g.u[0])
    assert exhaustion.tire_brigade(g, 0)
    assert not exhaustion.tire_brigade(g, 0), "it becomes so once"
    assert [exhaustion.is_exhausted(g, u) for u in g.u[:2]] == [True, False]
    assert [u.stationary for u in g.u[:2]] == [0, 1]


def test_what_has_no_level_never_tires_VBW_EXH_02() -> None:
    g = field(Stand(brigade=0))
    g.brigades[0].lost = 99
    assert not exhaustion.tire_brigade(g, 0)
    assert not exhaustion.is_exhausted(g, field(Stand()).u[0])


def test_options_of_exhaustion_VBW_EXH_01_VBW_EXH_02() -> None:
    stands, tenth = [(3, 5), (3, 5), (3, 5)], Fraction(1, 10)
    levels = [chain.find_exhaustion_level(stands, tenth, how) for how in ("nearest_half_up", "up", "down")]
    assert levels == [5, 5, 4]
    assert chain.find_exhaustion_level([(1, 3)], tenth, "down") == 1
    g = field(Stand(brigade=0), options={"exhaustion_trigger": "losses_gt_level"})
    g.brigades[0].level, g.brigades[0].lost = 3, 3
    assert not exhaustion.tire_brigade(g, 0)
    g.brigades[0].lost = 4
    assert exhaustion.tire_brigade(g, 0)


def test_a_brigade_collapses_once_and_never_without_hits_VBW_COL_05_VBD_COL_02() -> None:
    g = field(Stand(brigade=0, sp=3), dice=(1, 1, 1))
    e = g.brigades[0]
    e.exhausted = 1
    assert not exhaustion.roll_collapse(g, 0) and g.cursor == 0
    e.hits = 1
    assert exhaustion.roll_collapse(g, 0)
    exhaustion.collapse_brigade(g, 0)
    assert g.u[0].state == r.PERMANENT
    assert not exhaustion.roll_collapse(g, 0)


def test_collapse_finds_each_stand_as_it_was_VBW_COL_06_VBD_COL_03() -> None:
    g = field(Stand(brigade=0, kind="MI", sp=2), Stand(brigade=0, x=40, state=r.ROUTED, sp=2))
    exhaustion.collapse_brigade(g, 0)
    assert [(u.state, u.sp) for u in g.u[:2]] == [(r.ROUTED, 1), (r.REMOVED, 0)]
