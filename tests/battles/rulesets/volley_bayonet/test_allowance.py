"""Movement: shares of a turn, facing, terrain, formations, standing still."""

from typing import Any

import pytest

from battles.engine.dtypes import FIELDWORK, STREAM
from battles.rulesets.volley_bayonet import allowance, combat, formations
from battles.rulesets.volley_bayonet import records as r
from tests.battles.rulesets.volley_bayonet.forces import Stand, climb, cross, facings_for, field, throw

SKIRMISHERS: Any = {"abilities": ("detachments",), "form": r.SKIRMISH}


@pytest.mark.parametrize(
    ("kind", "rate"),
    [("SI", 12), ("FI", 16), ("LC", 24), ("MC", 24), ("MI", 24), ("Lt", 12), ("Fd", 8), ("Ho", 8), ("Hv", 4),
     ("pack", 8), ("wheels", 4)],
)  # fmt: skip
def test_rates_of_stands_VBW_MOV_01_VBW_ABL_09(kind: Any, rate: int) -> None:
    assert field(Stand(kind=kind)).u[0].rate == rate


def test_the_poorly_drilled_are_slow_at_division_level_alone_VBD_MOV_01_VBD_ABL_03_VBW_ABL_07() -> None:
    poor = Stand(kind="FI", abilities=("PT",))
    assert [field(poor, scale=scale).u[0].rate for scale in ("vb_wing", "vb_division")] == [16, 12]


def test_out_of_command_half_the_turn_and_disorder_on_moving_VBW_CMD_10_VBW_CMD_11_VBD_CMD_09_to_11() -> None:
    g = field(Stand())
    g.u[0].in_command = 0
    allowance.begin_turn(g, g.u[0])
    assert g.u[0].left == 0.5
    assert allowance.pay_for_leg(g, 0, 8.0, 1.0, 0)
    assert (g.u[0].state, g.u[0].left) == (r.DISORDERED, 0.0)


def test_out_of_command_even_a_free_facing_change_is_movement_VBW_CMD_14_VBD_CMD_14() -> None:
    for command, still in ((1, 1), (0, 0)):
        g = field(Stand(stationary=True))
        g.u[0].in_command = command
        allowance.begin_turn(g, g.u[0])
        assert allowance.change_facing(g, 0)
        assert (g.u[0].stationary, g.u[0].moved) == (still, 1 - still)


def test_no_recovery_out_of_command_VBW_CMD_13_VBD_CMD_13() -> None:
    g = field(Stand(state=r.DISORDERED))
    g.u[0].in_command = 0
    assert not formations.recover_order(g, 0, r.OPEN, False)


def test_recovery_costs_half_and_not_in_contact_VBW_MOV_09_VBD_MOV_07() -> None:
    g = field(Stand(state=r.DISORDERED), Stand(x=40, state=r.PERMANENT))
    assert not formations.recover_order(g, 0, r.OPEN, True)
    assert formations.recover_order(g, 0, r.OPEN, False)
    assert (g.u[0].state, g.u[0].left) == (r.GOOD, 0.5)
    assert not formations.recover_order(g, 1, r.OPEN, False)


def test_permanent_disorder_is_never_recovered_VBW_MOV_10() -> None:
    g = field(Stand(state=r.PERMANENT))
    assert not formations.recover_order(g, 0, r.OPEN, False)


def test_no_recovery_in_ground_that_disorders_VBW_TER_02_VBD_TER_07() -> None:
    g = field(Stand(state=r.DISORDERED), Stand(kind="LC", x=40, state=r.DISORDERED))
    assert not formations.recover_order(g, 0, r.FOREST, False)
    assert not formations.recover_order(g, 0, r.SWAMP, False)
    assert formations.recover_order(g, 0, r.BROKEN, False)
    assert not formations.recover_order(g, 1, r.BROKEN, False)


def test_facing_changes_VBW_MOV_02_VBW_MOV_03_VBD_MOV_02_VBD_MOV_03() -> None:
    g = field(Stand())
    assert allowance.change_facing(g, 0) and g.u[0].left == 1.0
    assert allowance.change_facing(g, 0) and g.u[0].left == 0.5
    assert not allowance.change_facing(g, 0), "two are the most"
    assert g.u[0].state == r.GOOD


def test_the_cap_on_facing_changes_is_an_option_VBW_MOV_03() -> None:
    g = field(Stand(), options={"max_facing_changes_per_phase": 9})
    assert [bool(allowance.change_facing(g, 0)) for _ in range(4)] == [True, True, True, False]


def test_the_poorly_trained_pay_for_the_first_and_the_second_disorders_VBW_MOV_08_VBD_MOV_06() -> None:
    g = field(Stand(abilities=("PT",)))
    assert allowance.change_facing(g, 0)
    assert (g.u[0].left, g.u[0].state, g.u[0].moved) == (0.5, r.GOOD, 1)
    assert allowance.change_facing(g, 0)
    assert (g.u[0].left, g.u[0].state) == (0.5, r.DISORDERED)


@pytest.mark.parametrize("degrees", [0, 45, -45, 46, 90, 180])
def test_slants_to_45_degrees_are_free_VBW_MOV_06_VBD_MOV_04(degrees: int) -> None:
    assert facings_for(degrees) == int(abs(degrees) > 45)


def test_road_march_multiplies_leg_by_leg_VBW_MOV_11_VBD_MOV_08_VBW_DEF_19() -> None:
    g = field(Stand(form=r.ROAD_MARCH))
    assert allowance.pay_for_leg(g, 0, 24.0, 1.0, 1) and g.u[0].left == 0.5
    assert allowance.pay_for_leg(g, 0, 16.0, 1.0, 0) and g.u[0].left == 0.0


def test_in_and_out_of_road_march_VBW_MOV_12_to_14_VBD_MOV_09_to_11() -> None:
    g = field(Stand(abilities=("PT",)))
    assert formations.enter_road_march(g, 0) and g.u[0].left == 1.0
    assert not formations.leave_road_march(g, 0, True)
    assert formations.leave_road_march(g, 0, False) and g.u[0].left == 0.5
    assert allowance.change_facing(g, 0)
    assert (g.u[0].left, g.u[0].facings) == (0.5, 0), "the turn that leaving gives is its own"


def test_artillery_limbers_by_road_march_and_moves_in_combat_order_VBW_MOV_18_VBD_MOV_15() -> None:
    g = field(Stand(kind="Fd"))
    assert allowance.pay_for_leg(g, 0, 8.0, 1.0, 0)
    assert combat.fire_dice(g, g.u[0]) == 1, "it moves and may fire"
    limbered = field(Stand(kind="Fd"))
    assert formations.enter_road_march(limbered, 0)
    assert allowance.pay_for_leg(limbered, 0, 16.0, 1.0, 0)
    assert combat.fire_dice(limbered, limbered.u[0]) == 0


def test_who_leaves_road_march_may_fight_in_that_turn_VBW_MOV_17_VBD_MOV_14() -> None:
    g = field(Stand(form=r.ROAD_MARCH))
    formations.leave_road_march(g, 0, False)
    assert (combat.fire_dice(g, g.u[0]), combat.melee_dice(g, g.u[0], 1)) == (3, 3)


def test_mounting_and_dismounting_take_half_a_turn_VBW_MOV_19_VBD_MOV_16_VBW_STD_10_VBD_STD_08() -> None:
    g = field(Stand(kind="MI", sp=1), Stand(kind="LC", x=40))
    assert formations.dismount(g, 0)
    u = g.u[0]
    assert (u.class_, u.rate, u.left, u.sp) == (r.DETACHMENT, 16.0, 0.5, 1)
    assert g.t.dice[u.dice_row, 0, 0] == 1
    assert formations.mount(g, 0)
    assert (u.class_, u.rate, u.left) == (r.HORSE, 24.0, 0.0)
    assert not formations.dismount(g, 1), "light dragoons stay in the saddle"


@pytest.mark.parametrize(("scale", "horse"), [("vb_wing", True), ("vb_division", False)])
def test_who_takes_skirmish_order_VBW_MOV_20_VBD_MOV_17(scale: str, horse: bool) -> None:
    light = Stand(abilities=("detachments",))
    g = field(light, Stand(kind="LC", x=40), Stand(x=50), scale=scale)
    assert [bool(formations.enter_skirmish(g, i)) for i in range(3)] == [True, horse, False]
    assert g.u[0].left == 1.0


def test_forming_from_skirmish_order_takes_half_a_turn_VBW_MOV_21_VBD_MOV_18() -> None:
    g = field(Stand(**SKIRMISHERS))
    assert formations.leave_skirmish(g, 0)
    assert (g.u[0].form, g.u[0].left) == (r.FORMED, 0.5)


@pytest.mark.parametrize(
    ("scale", "abilities", "breaks"),
    [
        ("vb_wing", ("SK",), True),
        ("vb_wing", (), False),
        ("vb_division", ("SK",), False),
        ("vb_division", ("SK", "formed"), True),
    ],
)
def test_who_breaks_up_VBW_ABL_03_VBW_MOV_22_VBD_MOV_19(scale: str, abilities: Any, breaks: bool) -> None:
    g = field(Stand(sp=4, abilities=abilities), scale=scale)
    assert bool(formations.break_into_detachments(g, 0) >= 0) is breaks
    assert sum(int(u.place == r.ON_TABLE) for u in g.u[: g.n]) == 1 + breaks
    assert sum(int(u.sp) for u in g.u[: g.n]) == sum(int(u.sp_start) for u in g.u[: g.n]) == 4


def test_the_halves_stand_where_the_stand_stood_VBW_MOV_22() -> None:
    g = field(Stand(sp=3, abilities=("SK", "SS"), state=r.DISORDERED))
    k = formations.break_into_detachments(g, 0)
    assert [(u.x, u.y) for u in (g.u[0], g.u[k])] == [(30.75, 20.0), (29.25, 20.0)]
    assert [(u.sharpshooter, u.state, u.class_) for u in (g.u[0], g.u[k])] == [
        (1, r.DISORDERED, r.DETACHMENT)
    ] * 2
    alone = field(Stand(sp=1, abilities=("SK",)))
    assert formations.break_into_detachments(alone, 0) == 0 and alone.n == 1


@pytest.mark.parametrize(
    ("change", "forms"),
    [
        ({}, True),
        ({"unit": "another"}, False),
        ({"x": 33.0}, False),
        ({"form": r.SKIRMISH}, False),
    ],
)
def test_two_touching_detachments_form_a_stand_VBW_MOV_23(change: Any, forms: bool) -> None:
    first = Stand(x=30.0, sp=2, abilities=("SK", "detachments"), unit="light")
    second = {"x": 31.5, "sp": 1, "abilities": ("SK", "detachments"), "unit": "light", "state": r.DISORDERED}
    g = field(first, Stand(**(second | change)))
    assert bool(formations.form_up(g, 0, 1)) is forms
    if forms:
        u = g.u[0]
        assert (u.class_, u.sp, u.state, u.left, u.x) == (r.INFANTRY, 3, r.DISORDERED, 0.5, 30.75)
        assert g.u[1].place == r.GONE and g.battalions[0].lost_stands == 0


def test_forming_needs_the_label_at_wing_scale_alone_VBW_MOV_23_VBD_MOV_19() -> None:
    pair = [Stand(x=30.0 + 1.5 * k, sp=1, abilities=("detachments",), unit="light") for k in range(2)]
    assert not formations.form_up(field(*pair), 0, 1)
    assert formations.form_up(field(*pair, scale="vb_division"), 0, 1)


@pytest.mark.parametrize(
    ("facts", "spoil", "still"),
    [
        ({}, {}, True),
        ({"kind": "Fd"}, {}, True),
        ({"kind": "SI", "abilities": ("MIL",)}, {}, True),
        ({"abilities": ("detachments",)}, {}, False),
        ({"kind": "LC"}, {}, False),
        ({}, {"in_command": 0}, False),
        ({}, {"moved": 1}, False),
        ({}, {"recovered": 1}, False),
        ({}, {"left_march": 1}, False),
        ({}, {"rallied": 1}, False),
        ({}, {"turned": 1}, True),
        ({"state": r.ROUTED}, {}, False),
    ],
)
def test_who_goes_stationary_VBW_MOV_25_26_27_VBD_MOV_21_22_23_VBW_STD_03_04(
    facts: Any, spoil: Any, still: bool
) -> None:
    g = field(Stand(**facts))
    for name, value in spoil.items():
        setattr(g.u[0], name, value)
    assert bool(formations.go_stationary(g, 0, r.OPEN, False)) is still
    assert not formations.go_stationary(g, 0, r.OPEN, True), "no stand of an exhausted brigade"


def test_no_standing_still_in_ground_that_disorders_VBW_TER_02() -> None:
    assert not formations.go_stationary(field(Stand()), 0, r.SWAMP, False)


def test_the_stationary_fight_better_until_they_move_VBW_MOV_28_VBD_MOV_24() -> None:
    g = field(Stand(stationary=True))
    assert combat.fire_dice(g, g.u[0]) == 5
    allowance.pay_for_leg(g, 0, 1.0, 1.0, 0)
    assert combat.fire_dice(g, g.u[0]) == 3


@pytest.mark.parametrize(
    ("facts", "contours", "left", "state"),
    [
        ({}, 1, 1.0, r.GOOD),
        ({}, -2, 0.5, r.DISORDERED),
        ({}, 3, 0.0, r.DISORDERED),
        ({"kind": "LC"}, 2, 0.5, r.DISORDERED),
        (SKIRMISHERS, 3, 1.0, r.GOOD),
        ({"kind": "Fd"}, 1, 0.5, r.GOOD),
        ({"kind": "Fd"}, -1, 1.0, r.GOOD),
    ],
)
def test_hills_VBW_TER_24_VBW_TER_25(facts: Any, contours: int, left: float, state: int) -> None:
    g = field(Stand(**facts))
    assert climb(g, contours)
    assert (float(g.u[0].left), int(g.u[0].state)) == (pytest.approx(left, abs=1.0e-6), state)


def test_guns_climb_no_two_contours_but_on_a_road_VBW_TER_25_VBW_TER_26() -> None:
    g = field(Stand(kind="Fd"))
    assert not climb(g, 2)
    assert not climb(g, -2)
    assert climb(g, 3, road=1) and g.u[0].left == pytest.approx(1.0)


def test_a_third_stream_is_too_much_for_one_turn_VBW_TER_31_VBD_TER_02() -> None:
    g = field(Stand())
    g.u[0].rate = 1.0e6
    assert cross(g, STREAM) and cross(g, STREAM)
    assert not cross(g, STREAM)


@pytest.mark.parametrize(("kind", "over"), [("Fd", False), ("LC", False), ("FI", True)])
def test_works_bar_guns_and_horse_VBW_TER_46_47_48_VBD_TER_09_10_11(kind: Any, over: bool) -> None:
    g = field(Stand(kind=kind))
    assert cross(g, FIELDWORK) is over
    assert (g.u[0].state, g.u[0].left < 1.0) == ((r.DISORDERED, True) if over else (r.GOOD, False))


def test_blocks_are_for_infantry_and_disorder_it_VBW_TER_41_VBW_TER_42() -> None:
    g = field(Stand(kind="LC"), Stand(kind="Fd", x=40), Stand(abilities=("detachments",), x=50))
    assert [bool(allowance.enter_block(g, i)) for i in range(3)] == [False, False, True]
    assert g.u[2].state == r.DISORDERED


@pytest.mark.parametrize(
    ("facts", "ground", "state"),
    [
        ({}, r.FOREST, r.DISORDERED),
        ({}, r.SWAMP, r.DISORDERED),
        ({}, r.WOODS, r.GOOD),
        ({}, r.BROKEN, r.GOOD),
        (SKIRMISHERS, r.FOREST, r.GOOD),
        ({"kind": "LC"}, r.BROKEN, r.DISORDERED),
        ({"kind": "LC", "form": r.SKIRMISH}, r.BROKEN, r.GOOD),
    ],
)
def test_ground_that_disorders_VBW_TER_02_06_15_16_VBD_TER_07(facts: Any, ground: int, state: int) -> None:
    g = field(Stand(**facts))
    allowance.enter_ground(g, 0, ground)
    assert g.u[0].state == state


def test_on_a_road_through_it_ground_does_nothing_VBW_TER_28() -> None:
    g = field(Stand(form=r.ROAD_MARCH))
    g.going[r.FOREST].road = 1
    allowance.enter_ground(g, 0, r.FOREST)
    assert g.u[0].state == r.GOOD


def test_ground_that_bars_is_not_entered_VBW_TER_03_VBD_TER_08() -> None:
    g = field(Stand(kind="LC"))
    factor = float(g.going[r.FOREST].costs[allowance.ground_column(g.u[0])])
    assert factor == 0.0
    assert not allowance.pay_for_leg(g, 0, 1.0, factor, 0)


@pytest.mark.parametrize(
    ("facts", "die", "cost", "state"),
    [
        ({}, 2, 1.0, r.GOOD),
        ({}, 3, 2.0, r.GOOD),
        ({}, 5, 4.0, r.DISORDERED),
        ({"kind": "Fd"}, 2, 2.0, r.GOOD),
        ({"kind": "LC", "form": r.SKIRMISH}, 6, 4.0, r.DISORDERED),
        (SKIRMISHERS, 6, 1.0, r.GOOD),
    ],
)
def test_marsh_is_diced_for_VBW_TER_08_09_10_11(facts: Any, die: int, cost: float, state: int) -> None:
    g = field(Stand(**facts), dice=(die,))
    assert allowance.enter_marsh(g, 0, 0) == cost
    assert (g.u[0].in_marsh, g.u[0].state) == (cost, state)
    assert g.cursor == int(facts != SKIRMISHERS)


def test_marsh_is_worse_where_others_went_VBW_TER_10() -> None:
    g = field(Stand(), dice=(2,))
    assert allowance.enter_marsh(g, 0, 1) == 2.0


def test_a_card_changes_the_allowance_but_not_below_nothing_VBW_CRD_17_VBW_CRD_18() -> None:
    g = field(Stand(kind="Hv"))
    g.battalions[0].going = 3.0
    assert allowance.reach_of(g, g.u[0], 1.0, 0) == 7.0
    g.battalions[0].going = -6.0
    assert allowance.reach_of(g, g.u[0], 1.0, 0) == 0.0
    throw(g)
    assert not allowance.pay_for_leg(g, 0, 1.0, 1.0, 0)
