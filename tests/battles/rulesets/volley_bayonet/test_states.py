"""Order states and the loss of strength, every event on every state."""

import pytest

from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet import states
from battles.rulesets.volley_bayonet.combat import band_morale
from tests.battles.rulesets.volley_bayonet.books import CATALOGUES
from tests.battles.rulesets.volley_bayonet.checks.common import STATES
from tests.battles.rulesets.volley_bayonet.forces import Stand, field

EVENTS = {
    "fail_morale": states.FAIL_MORALE,
    "lose_melee": states.LOSE_MELEE,
    "collapse": states.COLLAPSE,
    "incidental": states.INCIDENTAL,
    "recover": states.RECOVER,
    "rally": states.RALLY,
}


@pytest.mark.parametrize("scale", CATALOGUES)
@pytest.mark.parametrize("event", EVENTS)
def test_transitions_are_the_catalogues_VBW_DEF_01_VBD_ABS_07(scale: str, event: str) -> None:
    rows = CATALOGUES[scale]["transitions"][event]
    for state, end in rows.items():
        assert states.find_next_state(EVENTS[event], STATES[state]) == STATES[end]
        g = field(Stand(state=STATES[state], sp=3), scale=scale)
        assert states.change_order(g, 0, EVENTS[event]) == STATES[end]
        entered = end == "routed" and state != "routed"
        assert g.u[0].runs == int(entered)
        if end != "removed":
            assert g.u[0].lost == (
                CATALOGUES[scale]["transitions"]["sp_lost_on_entering_routed"] if entered else 0
            )


def test_a_stand_without_sp_is_removed_and_hits_beyond_are_wasted_VBW_DEF_02() -> None:
    g = field(Stand(sp=2, brigade=0))
    assert states.lose_strength(g, 0, 1) == 1
    assert states.lose_strength(g, 0, 5) == 1
    assert (g.u[0].state, g.u[0].lost, g.u[0].sp, g.brigades[0].lost) == (r.REMOVED, 2, 0, 2)
    assert states.lose_strength(g, 0, 1) == 0


def test_sp_left_on_a_stand_that_is_removed_count_as_lost_VBW_EXH_02() -> None:
    g = field(Stand(sp=3, brigade=0, state=r.ROUTED))
    states.change_order(g, 0, states.FAIL_MORALE)
    assert (g.u[0].lost, g.u[0].sp, g.brigades[0].lost, g.u[0].place) == (3, 0, 3, r.GONE)


def test_a_rout_costs_the_last_sp_too_VBW_MOR_07_VBD_MOR_08() -> None:
    g = field(Stand(sp=1, state=r.DISORDERED))
    assert states.change_order(g, 0, states.FAIL_MORALE) == r.REMOVED
    assert (g.u[0].sp, g.u[0].lost) == (0, 1)


def test_infantry_in_the_saddle_counts_as_disordered_VBW_COM_07_VBD_COM_08() -> None:
    g = field(Stand(kind="MI"), Stand(kind="LC", x=40))
    assert states.is_disordered(g.u[0]) and not states.is_disordered(g.u[1])
    assert states.change_order(g, 0, states.LOSE_MELEE) == r.ROUTED
    assert states.change_order(g, 1, states.LOSE_MELEE) == r.DISORDERED


def test_who_attacks_over_a_defended_stream_is_disordered_without_a_marker_VBW_TER_32_VBD_TER_03() -> None:
    g = field(Stand())
    g.u[0].over_stream = 1
    assert states.is_disordered(g.u[0]) and g.u[0].state == r.GOOD
    assert states.change_order(g, 0, states.FAIL_MORALE) == r.ROUTED


def test_routing_gunners_leave_their_guns_for_good_VBW_MOR_08_VBD_MOR_09_VBW_DEF_22() -> None:
    g = field(Stand(kind="Fd", sp=2, state=r.DISORDERED, stationary=True))
    states.change_order(g, 0, states.FAIL_MORALE)
    u = g.u[0]
    assert (u.guns_gone, u.gun_x, u.gun_y, u.rate, u.sp, u.stationary) == (1, 30.0, 20.0, 12.0, 1, 0)
    u.x = 40.0
    states.change_order(g, 0, states.RALLY)
    assert (u.guns_gone, u.gun_x, u.state) == (1, 30.0, r.PERMANENT)


def test_raw_militia_is_and_stays_permanently_disordered_VBW_ABL_08() -> None:
    g = field(Stand(kind="SI", abilities=("MIL",)))
    assert (g.u[0].state, g.u[0].poorly_trained) == (r.PERMANENT, 1)
    assert states.change_order(g, 0, states.RECOVER) == r.PERMANENT
    states.change_order(g, 0, states.FAIL_MORALE)
    assert states.change_order(g, 0, states.RALLY) == r.PERMANENT


def test_division_reads_militia_as_poorly_drilled_unless_chosen_VBD_ABL_04_VBD_ABS_06() -> None:
    militia = Stand(kind="SI", abilities=("MIL",))
    assert field(militia, scale="vb_division").u[0].state == r.GOOD
    chosen = {"raw_militia_permanently_disordered": "on"}
    assert field(militia, scale="vb_division", options=chosen).u[0].state == r.PERMANENT


def test_a_native_band_loses_heart_with_every_stand_VBW_NAT_02_VBD_NAT_04() -> None:
    band = [Stand(x=10.0 + 4 * k, morale=2, sp=1, abilities=("native",), unit="band") for k in range(4)]
    g, same = field(*band), field(*band, scale="vb_division")
    levels = []
    for i in range(3):
        for one in (g, same):
            states.lose_strength(one, i, 1)
        levels.append((band_morale(g, g.u[3]), band_morale(same, same.u[3])))
    assert levels == [(1, 2), (0, 2), (0, 2)]
