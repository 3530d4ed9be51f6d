"""Who may charge, fences on the way, pivots, and the footprint of a march."""

from typing import Any

import pytest

from battles.rulesets.volley_bayonet import bases, cards, charging, exhaustion, morale
from battles.rulesets.volley_bayonet import records as r
from tests.battles.rulesets.volley_bayonet.forces import Leader, Stand, field

SKIRMISH: Any = {"form": r.SKIRMISH}


@pytest.mark.parametrize(
    ("facts", "may"),
    [
        ({}, True),
        ({"state": r.PERMANENT}, True),
        ({"abilities": ("detachments",)}, True),
        ({"kind": "LC"}, True),
        ({"state": r.ROUTED}, False),
        ({"form": r.ROAD_MARCH}, False),
        ({"kind": "Fd"}, False),
        ({"kind": "wheels"}, False),
        ({"abilities": ("detachments",)} | SKIRMISH, False),
        ({"kind": "LC"} | SKIRMISH, False),
        ({"abilities": ("native",)} | SKIRMISH, True),
    ],
)
def test_who_may_charge_VBW_DEF_11_VBW_STD_05_VBW_STD_11_VBW_MOV_24(facts: Any, may: bool) -> None:
    assert bool(charging.may_charge(field(Stand(**facts)), 0)) is may


def test_neither_out_of_command_nor_of_an_exhausted_brigade_VBW_CMD_12_VBW_COL_02() -> None:
    g = field(Stand(brigade=0))
    g.u[0].in_command = 0
    assert not charging.may_charge(g, 0)
    g.u[0].in_command = 1
    g.brigades[0].level = g.brigades[0].lost = 3
    exhaustion.tire_brigade(g, 0)
    assert not charging.may_charge(g, 0)


@pytest.mark.parametrize(
    ("facts", "fence", "tested"),
    [
        ({"kind": "LC"}, 1, True),
        ({"kind": "LC"}, 0, False),
        ({"kind": "LC", "state": r.DISORDERED}, 1, False),
        ({}, 1, False),
    ],
)
def test_the_fence_is_for_horse_in_good_order_VBW_TER_20_VBW_TER_23_VBD_TER_16(
    facts: Any, fence: int, tested: bool
) -> None:
    g = field(Stand(**facts), dice=(6,))
    g.u[0].over_fence = fence
    before = int(g.u[0].state)
    assert bool(charging.try_fence(g, 0)) is tested
    assert g.cursor == int(tested)
    assert g.u[0].state == (r.DISORDERED if tested else before)


def test_winning_defenders_stay_but_horse_VBW_MEL_13() -> None:
    g = field(Stand(), Stand(kind="LC", x=40))
    assert [[bool(charging.may_advance(u, side)) for side in (1, 0)] for u in g.u[:2]] == [
        [True, False],
        [True, True],
    ]


def test_a_stand_turns_on_a_front_corner_VBW_MOV_04() -> None:
    g = field(Stand(x=30.0, y=20.0))
    assert charging.find_pivot_centre(g, 0, 90, 1) == pytest.approx((31.5 - 0.75, 20.75 + 1.5))
    assert charging.find_pivot_centre(g, 0, 270, 0) == pytest.approx((28.5 + 0.75, 20.75 + 1.5))
    assert charging.find_pivot_centre(g, 0, 180, 1) == (30.0, 20.0)


def test_a_spacer_lengthens_a_stand_on_the_march_VBW_MOV_15_VBD_MOV_12() -> None:
    for form, inches in ((r.FORMED, 8.5), (r.ROAD_MARCH, 5.5)):
        g = field(Stand(y=30.0, form=form), Stand(1, y=20.0))
        assert bases.measure_gap(g, 0, 1) == bases.measure_gap(g, 1, 0) == inches


def test_command_stands_have_no_dice_and_no_sp_VBW_STD_02_VBD_STD_02() -> None:
    g = field(Stand(), leaders=(Leader(0, r.ARMY_COMMANDER, 30.0, 18.0),))
    assert g.n == 1 and "sp" not in g.leaders.dtype.names
    assert 2 * bases.COMMAND_HALF == 1.5


def test_classes_of_stands_VBW_STD_01() -> None:
    kinds = ("FI", "Fd", "LC")
    stands = [Stand(kind=kind, x=20.0 + 10 * k) for k, kind in enumerate(kinds)]
    g = field(*stands, Stand(abilities=("detachments",), x=60.0))
    assert [u.class_ for u in g.u[:4]] == [r.INFANTRY, r.GUNS, r.HORSE, r.DETACHMENT]


def test_a_routed_stand_that_fails_is_removed_VBW_MOR_06_VBW_MOR_09_VBD_MOR_07_VBD_MOR_10() -> None:
    for state, after in ((r.GOOD, r.DISORDERED), (r.ROUTED, r.REMOVED)):
        g = field(Stand(state=state, sp=3), dice=(6,))
        assert cards.check_unit(g, 0, 0, 0) == 1
        assert g.u[0].state == after


def test_the_check_is_of_modified_morale_VBD_MOR_06() -> None:
    g = field(Stand(morale=5, state=r.DISORDERED), scale="vb_division", dice=(5,))
    g.u[0].nerve = morale.nerve_of(g, 0, 0)
    assert g.u[0].nerve == 4
    assert not morale.roll_check(g, 0)
