"""Dice, scores and saves beyond what the worked checks play."""

from typing import Any

import pytest

from battles.rulesets.volley_bayonet import cards, combat, sight
from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.labels import Kind
from tests.battles.rulesets.volley_bayonet.forces import Stand, build, entrench, field, paint, throw


def test_dice_do_not_depend_on_the_sp_left_VBW_COM_09() -> None:
    g = field(Stand(sp=3))
    g.u[0].sp = 1
    assert (combat.fire_dice(g, g.u[0]), combat.melee_dice(g, g.u[0], 1)) == (3, 3)


def test_guns_have_combat_power_to_their_front_alone_VBW_STD_07_VBD_STD_06() -> None:
    g = field(Stand(kind="Fd"), Stand(kind="Fd", x=40, form=r.ROAD_MARCH))
    assert [combat.melee_dice(g, g.u[0], front) for front in (1, 0)] == [1, 0]
    assert combat.fire_dice(g, g.u[1]) == combat.melee_dice(g, g.u[1], 1) == 0


def test_road_march_has_no_combat_value_VBW_MOV_16_VBD_MOV_13() -> None:
    g = field(Stand(form=r.ROAD_MARCH))
    assert combat.fire_dice(g, g.u[0]) == combat.melee_dice(g, g.u[0], 1) == 0


def test_routed_stands_do_not_fire_but_melee_VBW_DEF_17() -> None:
    g = field(Stand(state=r.ROUTED))
    assert (combat.fire_dice(g, g.u[0]), combat.melee_dice(g, g.u[0], 1)) == (0, 3)


def test_gunners_without_guns_have_no_dice_VBW_DEF_22() -> None:
    g = field(Stand(kind="Lt"))
    g.u[0].guns_gone = 1
    assert combat.fire_dice(g, g.u[0]) == combat.melee_dice(g, g.u[0], 1) == 0


def test_rallied_stands_fight_unless_the_option_forbids_VBW_RLY_04() -> None:
    for choice, dice in (("on", 3), ("off", 0)):
        g = field(Stand(), options={"rallied_may_fight": choice})
        g.u[0].rallied = 1
        assert combat.fire_dice(g, g.u[0]) == combat.melee_dice(g, g.u[0], 1) == dice


def test_dice_of_the_poorly_trained_may_be_read_otherwise_VBW_COM_03() -> None:
    options = {"poorly_trained_stationary_dice": {"fire": 2, "melee": 2}}
    g = field(Stand(kind="SI", abilities=("PT",), stationary=True), options=options)
    assert combat.fire_dice(g, g.u[0]) == 2


def test_horse_and_transport_never_fire_VBW_STD_09_VBD_STD_07() -> None:
    g = field(Stand(kind="LC"), Stand(kind="MI", x=40), Stand(kind="pack", x=50))
    assert [combat.fire_dice(g, u) for u in g.u[:3]] == [0, 0, 0]
    assert [combat.melee_dice(g, u, 1) for u in g.u[:3]] == [2, 2, 0]


def test_rifles_reach_twelve_inches_VBW_ABL_02() -> None:
    g = field(Stand(abilities=("R",)), Stand(x=40))
    assert [combat.fire_score(g, g.u[0], far) for far in (12.0, 12.1)] == [6, combat.NEVER]
    assert combat.fire_score(g, g.u[1], 8.1) == combat.NEVER


def test_sharpshooters_hit_better_in_fire_alone_VBW_ABL_01_VBW_HIT_03_VBD_ABL_01_VBD_HIT_03() -> None:
    g = field(Stand(abilities=("SS",)), Stand(1))
    assert (combat.fire_score(g, g.u[0], 8.0), combat.melee_score(g, g.u[0], g.u[1])) == (5, 6)


def charged(g: Any, i: int = 0) -> Any:
    g.u[i].charged = 1
    return g.u[i]


def test_shock_counts_in_offensive_melee_alone_VBW_ABL_04_VBW_HIT_04_VBD_ABL_02_VBD_HIT_04() -> None:
    g = field(Stand(abilities=("Sh",)), Stand(1))
    assert combat.melee_score(g, g.u[0], g.u[1]) == 6
    assert combat.melee_score(g, charged(g), g.u[1]) == 5
    assert combat.fire_score(g, g.u[0], 8.0) == 6


def test_light_dragoons_are_shock_at_disordered_stands_VBW_COM_08_VBD_COM_07() -> None:
    g = field(Stand(kind="LC"), Stand(1), Stand(1, state=r.PERMANENT), Stand(kind="MI", x=50))
    assert combat.melee_score(g, g.u[0], g.u[2]) == 6
    assert [combat.melee_score(g, charged(g), g.u[k]) for k in (1, 2)] == [6, 5]
    assert combat.melee_score(g, charged(g, 3), g.u[2]) == 6


def test_native_americans_are_shock_while_their_morale_is_high_VBW_NAT_03_VBD_NAT_04() -> None:
    band = [Stand(x=10, morale=6, sp=1, abilities=("native",), unit="b"), Stand(1)]
    g = field(*band)
    assert combat.melee_score(g, charged(g), g.u[1]) == 5
    g.battalions[0].lost_stands = 1
    assert combat.melee_score(g, g.u[0], g.u[1]) == 6
    other = field(*band, scale="vb_division")
    assert combat.melee_score(other, charged(other), other.u[1]) == 6


def test_skirmishers_save_from_fire_of_all_kinds_VBW_SAV_02_VBD_SAV_02() -> None:
    horse = Stand(1, kind="LC", y=60, form=r.SKIRMISH)
    foot = Stand(1, y=40, abilities=("detachments",), form=r.SKIRMISH)
    g = field(Stand(), Stand(kind="Hv", x=40), horse, foot)
    for firer in (0, 1):
        assert [combat.saves_from_fire(g, firer, target, 5.0, 0) for target in (2, 3)] == [1, 1]
    assert combat.saves_from_melee(g, 0, 3) == 0


@pytest.mark.parametrize(
    ("scale", "ground", "saves"),
    [
        ("vb_wing", "woods", 1),
        ("vb_wing", "forest", 1),
        ("vb_wing", "swamp", 0),
        ("vb_wing", "broken", 0),
        ("vb_division", "woods", 1),
        ("vb_division", "forest", 0),
    ],
)
def test_woods_save_infantry_from_small_arms_VBW_SAV_03_VBD_SAV_03(
    scale: str, ground: str, saves: int
) -> None:
    g = field(Stand(), Stand(1, y=30), Stand(1, kind="LC", x=40, y=30), Stand(kind="Lt", x=50), scale=scale)
    paint(g, ground, y=(28, 34))
    assert combat.saves_from_fire(g, 0, 1, 8.0, 0) == saves
    assert combat.saves_from_fire(g, 0, 2, 8.0, 0) == combat.saves_from_fire(g, 3, 1, 8.0, 0) == 0


def test_buildings_save_infantry_but_not_from_heavy_guns_VBW_SAV_04_VBD_ABS_01() -> None:
    for scale, saves in (("vb_wing", 1), ("vb_division", 0)):
        g = field(Stand(), Stand(kind="Fd", x=40), Stand(kind="Hv", x=50), Stand(1, y=30), scale=scale)
        g.u[3].inside = build(g, 30, 30)
        assert [combat.saves_from_fire(g, i, 3, 8.0, 0) for i in range(3)] == [saves, saves, 0]
        assert combat.saves_from_melee(g, 0, 3) == saves


def test_works_save_foot_and_guns_from_what_comes_over_them_VBW_SAV_05_VBD_SAV_04() -> None:
    g = field(Stand(y=20), Stand(1, y=30), Stand(1, kind="Fd", x=34, y=30.6), Stand(1, kind="LC", x=50, y=30))
    entrench(g, 29.0)
    assert [combat.saves_from_fire(g, 0, j, 8.0, 0) for j in (1, 2, 3)] == [1, 1, 0]
    assert combat.saves_from_melee(g, 0, 1) == 1
    g.u[0].y = g.u[0].from_y = 40.0
    assert combat.saves_from_fire(g, 0, 1, 8.0, 0) == 0
    assert combat.saves_from_melee(g, 0, 1) == 0


def test_guns_save_from_long_range_fire_of_all_but_heavy_guns_VBW_SAV_06_VBD_SAV_05() -> None:
    kinds = ("Lt", "Fd", "Ho", "Hv")
    g = field(*[Stand(kind=kind, x=10.0 + 5 * k) for k, kind in enumerate(kinds)], Stand(1, kind="Fd"))
    assert [combat.saves_from_fire(g, k, 4, 30.0, 0) for k in range(4)] == [1, 1, 1, 0]
    assert [combat.saves_from_fire(g, k, 4, 10.0, 0) for k in range(4)] == [0, 0, 0, 0]
    g.u[4].form = r.ROAD_MARCH
    assert combat.saves_from_fire(g, 0, 4, 30.0, 0) == 1


def test_all_save_from_the_disordered_VBW_SAV_07_VBD_SAV_06() -> None:
    states = (r.GOOD, r.DISORDERED, r.PERMANENT, r.ROUTED)
    g = field(*[Stand(x=10.0 + 5 * k, state=state) for k, state in enumerate(states)], Stand(1))
    assert [combat.saves_from_fire(g, k, 4, 5.0, 0) for k in range(4)] == [0, 1, 1, 1]
    assert [combat.saves_from_melee(g, k, 4) for k in range(4)] == [0, 1, 1, 1]


def test_horse_may_give_ground_for_a_save_VBW_SAV_08_VBD_SAV_07() -> None:
    g = field(Stand(), Stand(1, kind="LC", y=28))
    assert [combat.saves_from_fire(g, 0, 1, 6.0, retires) for retires in (0, 1)] == [0, 1]


def test_saves_stack_and_one_success_is_enough_VBW_SAV_01_VBD_SAV_01() -> None:
    g = field(Stand())
    throw(g, 3, 4, 3, 3, 3)
    assert combat.roll_saves(g, 0, 2, 3) == 1
    # a hit that is saved takes no more dice
    assert g.cursor == 5


def test_the_saving_score_is_an_option_VBW_SAV_01() -> None:
    g = field(Stand(), options={"save_succeeds_on": 5})
    throw(g, 4, 5)
    assert [combat.roll_saves(g, 0, 1, 1) for _ in range(2)] == [1, 0]


def test_a_card_throws_again_what_missed_once_VBW_CRD_12_VBW_CRD_14() -> None:
    g = field(Stand())
    throw(g, 6, 1, 6, 2, 3)
    assert (combat.roll_hits(g, 0, 0, 3, 6, 1), g.cursor) == (2, 5)


def test_arc_opens_at_45_degrees_from_the_front_corners_VBW_DEF_04() -> None:
    ahead = Stand(1, x=35.9, y=25.9)
    g = field(Stand(x=30, y=20), ahead, Stand(1, x=40, y=22), Stand(1, x=30, y=14))
    assert [sight.in_arc(g, 0, j) for j in (1, 2, 3)] == [True, False, False]
    g.u[0].form = r.SKIRMISH
    assert all(sight.in_arc(g, 0, j) for j in (1, 2, 3))


def test_ranges_run_between_nearest_edges_limits_included_VBW_DEF_03() -> None:
    g = field(Stand(y=20), Stand(1, y=29.5), Stand(1, x=60, y=29.6), Stand(x=60, y=20))
    assert sight.can_fire_at(g, 0, 1) == 8.0
    assert sight.can_fire_at(g, 3, 2) == -1.0


@pytest.mark.parametrize(("kind", "saves"), [("FI", 0), ("Fd", 1)])
def test_a_spoiled_volley_is_no_melee_but_guns_are_guns_VBW_CRD_15_VBW_CRD_13(kind: Kind, saves: int) -> None:
    g = field(Stand(kind=kind), Stand(1, y=23))
    g.battalions[0].extra_saves = 1
    assert combat.saves_from_melee(g, 0, 1) == saves
    assert combat.saves_from_fire(g, 0, 1, 1.0, 0) == 1


def test_good_and_bad_gunnery_name_artillery_alone_VBW_CRD_12_VBW_CRD_13() -> None:
    g = field(Stand(kind="Fd"), Stand(x=40), Stand(1, kind="Fd"), Stand(1, x=40))
    assert [cards.may_name(g, 0, cards.GUNNERY, k) for k in range(4)] == [True, False, False, False]
    assert [cards.may_name(g, 0, cards.BAD_GUNNERY, k) for k in range(4)] == [False, False, True, False]
