"""The ladder of order, and what a rout does."""

import pytest

from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.rtg import rout
from battles.rulesets.volley_bayonet.rtg.labels import Kind
from battles.rulesets.volley_bayonet.states import COLLAPSE, FAIL_MORALE, LOSE_MELEE
from tests.battles.rulesets.volley_bayonet.rtg.books import CATALOGUE, table
from tests.battles.rulesets.volley_bayonet.rtg.forces import Stand, field

STATES = {
    "good": r.GOOD,
    "temporary_disorder": r.DISORDERED,
    "permanent_disorder": r.PERMANENT,
    "rout": r.ROUTED,
    "eliminated": r.REMOVED,
}


@pytest.mark.parametrize("before", table("RTG-MOR-14"))
def test_a_failed_check_and_a_lost_melee_drop_a_level_RTG_MOR_14_RTG_CBT_02(before: str) -> None:
    for event in (FAIL_MORALE, LOSE_MELEE):
        g = field(Stand(state=STATES[before]))
        assert rout.drop_order(g, 0, event) == g.u[0].state == STATES[table("RTG-MOR-14")[before]]


@pytest.mark.parametrize("before", table("RTG-MOR-14"))
def test_collapse_is_a_drop_like_any_other_RTG_EXH_04(before: str) -> None:
    g = field(Stand(state=STATES[before]))
    assert rout.collapse_drop(g, 0) == STATES[table("RTG-MOR-14")[before]]
    assert CATALOGUE["transitions"]["collapse"] == CATALOGUE["transitions"]["fail_morale"]
    wing = field(Stand())
    assert rout.drop_order(wing, 0, COLLAPSE) == r.PERMANENT, "at wing scale it is red at once"


def test_a_rout_takes_a_point_and_the_gun_and_owes_a_move_RTG_ROU_01_RTG_CBT_22() -> None:
    g = field(Stand(state=r.DISORDERED, traits=("dedicated_gun",), stationary=True, division=0))
    u = g.u[0]
    assert rout.drop_order(g, 0, FAIL_MORALE) == r.ROUTED
    assert (u.sp, u.dedicated, u.stationary, u.runs) == (2, 0, 0, 1)
    assert g.brigades[0].lost == table("RTG-ROU-01")["casualties"]


@pytest.mark.parametrize(("limbered", "state"), [(False, r.REMOVED), (True, r.ROUTED)])
def test_guns_in_action_that_rout_are_lost_RTG_ROU_01(limbered: bool, state: int) -> None:
    g = field(Stand(kind="artillery_battalion", state=r.DISORDERED, limbered=limbered))
    assert rout.drop_order(g, 0, FAIL_MORALE) == g.u[0].state == state
    assert (g.u[0].guns_gone, g.u[0].rate) == (0, 16.0)


def test_with_its_last_point_it_is_gone_RTG_ROU_01_RTG_CBT_03() -> None:
    g = field(Stand(state=r.DISORDERED, sp=1))
    assert rout.drop_order(g, 0, FAIL_MORALE) == r.REMOVED
    assert g.u[0].place == r.GONE


@pytest.mark.parametrize(
    ("kind", "charged", "may"),
    [
        ("cavalry_brigade", 1, True),
        ("firearm_cavalry", 1, True),
        ("cavalry_brigade", 0, False),
        ("cavalry_skirmisher", 1, False),
        ("infantry_brigade", 1, False),
    ],
)
def test_cavalry_breaks_through_RTG_ROU_02(kind: Kind, charged: int, may: bool) -> None:
    g = field(Stand(kind=kind))
    u = g.u[0]
    u.charged = charged
    assert bool(rout.may_break_through(u)) is may
