"""What the ground costs those who cross it."""

import math

import pytest

from battles.engine.bases import HALF, half_depth, measure_gap
from battles.engine.dtypes import COLUMN, DEPLOYED, LIMBERED, LINE, STREAM
from battles.engine.raster import raster_write
from battles.files.schema import BattleGround, Feature
from battles.rulesets.awi import crossing, facing, melee, movement, retreat
from battles.rulesets.awi.options import options_resolve
from battles.rulesets.awi.terrain import terrain_for
from rosters.domain.vocabulary import GunClass, TroopType
from tests.battles import grounds
from tests.battles.forces import Stand, table

T = TroopType
LINE_FOOT = T.CONTINENTAL_LINE
HORSE = T.AMERICAN_LIGHT_CAVALRY
GUNS = T.EUROPEAN_ARTILLERY
FAR = Stand(1, LINE_FOOT, 10, 55, face=180)


def alone(kind: TroopType = LINE_FOOT, y: float = 20, **more):
    """One unit with its front at y, facing the far edge."""
    g = table(Stand(0, kind, 48, 20, **more), FAR)
    g.u[0].y = y - half_depth(g.u[0])
    return g


def front(g, i: int = 0) -> float:
    return float(g.u[i].y + half_depth(g.u[i]))


def full_move(g, i: int = 0) -> float:
    return movement.move_on(g, i, int(g.u[i].face), movement.move_rate(g.u[i]))


def next_phase(g) -> None:
    movement.new_phase(g)


@pytest.mark.parametrize(
    ("kind", "form", "gun", "costs", "inches"),
    [
        (LINE_FOOT, LINE, None, grounds.ROUGH, 4),
        (LINE_FOOT, COLUMN, None, grounds.STEEP, 3),
        (T.RANGERS, LINE, None, grounds.DENSE_WOODS, 6),
        (T.RANGERS, LINE, None, grounds.ROUGH, 9),
        (LINE_FOOT, LINE, None, grounds.DENSE_WOODS, 2),
        (HORSE, COLUMN, None, grounds.STEEP, 6),
        (HORSE, LINE, None, grounds.DENSE_WOODS, 0),
        (HORSE, LINE, None, grounds.SWAMP, 0),
        (GUNS, LIMBERED, None, grounds.ROUGH, 3),
        (GUNS, LIMBERED, None, grounds.OPEN_WOODS, 6),
        (GUNS, LIMBERED, GunClass.GRASSHOPPER, grounds.ROUGH, 8),
        (GUNS, LIMBERED, GunClass.GRASSHOPPER, grounds.SWAMP, 8),
    ],
)
def test_ground_costs_distance_over_factor_AWI_T_TER_01(kind, form, gun, costs, inches) -> None:
    g = alone(kind, form=form, gun_class=gun)
    grounds.lay(g, costs, near=20)
    assert full_move(g) == pytest.approx(inches)


def test_combined_ground_multiplies_AWI_T_TER_03() -> None:
    g = alone()
    grounds.lay(g, tuple(a * b for a, b in zip(grounds.ROUGH, grounds.ROUGH, strict=True)))
    assert full_move(g) == pytest.approx(8 / 3)


def test_each_part_of_the_way_costs_its_own_ground_AWI_T_TER_01() -> None:
    g = alone()
    grounds.lay(g, grounds.ROUGH, near=22, far=24)
    assert full_move(g) == pytest.approx(2 + 2 + 1)
    assert g.u[0].spent == pytest.approx(6)


def test_the_worst_ground_under_the_front_counts_AWI_T_TER_01() -> None:
    g = alone()
    grounds.lay(g, grounds.ROUGH, left=49)
    assert full_move(g) == pytest.approx(4)


def test_barred_ground_stops_a_unit_before_it_AWI_T_TER_08() -> None:
    g = alone()
    grounds.lay(g, grounds.WATER, near=23, far=29)
    assert full_move(g) == pytest.approx(3, abs=0.5)
    assert front(g) <= 23


def test_a_pond_under_one_corner_stops_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    g = alone()
    grounds.lay(g, grounds.WATER, near=23, far=29, left=49)
    full_move(g)
    assert front(g) <= 23
    g = alone(form=COLUMN)
    grounds.lay(g, grounds.WATER, near=23, far=29, left=49)
    assert full_move(g) == 9


@pytest.mark.parametrize(("kind", "left"), [(LINE_FOOT, 3), (T.RANGERS, 4.5)])
def test_half_a_move_for_a_fence_leaves_the_other_half_AWI_T_TER_02(kind: TroopType, left: float) -> None:
    g = alone(kind)
    grounds.fence(g, 20.1)
    assert full_move(g) == pytest.approx(left)


def test_two_half_costs_in_one_phase_AWI_T_TER_02() -> None:
    g = alone(T.RANGERS)
    grounds.fence(g, 21)
    grounds.fence(g, 23)
    # 9 inches: two fences cost all of it but the way up to the second, so it stops there
    full_move(g)
    assert front(g) == pytest.approx(22.9)
    assert movement.allowance_left(g.u[0]) == pytest.approx(9 - 4.5 - 2.9)
    next_phase(g)
    assert full_move(g) == pytest.approx(4.5)


def test_too_little_left_stops_at_the_obstacle_and_pays_next_time_AWI_T_TER_02() -> None:
    g = alone()
    grounds.fence(g, 24)
    assert full_move(g) == pytest.approx(3.9)
    next_phase(g)
    assert full_move(g) == pytest.approx(3)
    assert front(g) == pytest.approx(26.9)


@pytest.mark.parametrize("kind", [HORSE, GUNS])
def test_a_whole_move_in_contact_sets_down_beyond_AWI_T_TER_02(kind: TroopType) -> None:
    g = alone(kind, form=COLUMN if kind is HORSE else LIMBERED)
    grounds.fence(g, 22)
    assert full_move(g) == pytest.approx(1.9)
    next_phase(g)
    full_move(g)
    assert g.u[0].y - half_depth(g.u[0]) == pytest.approx(22.1)
    assert movement.allowance_left(g.u[0]) == 0


def test_guns_wade_a_stream_in_two_moves_that_follow_AWI_T_TER_02_TER_08() -> None:
    g = alone(GUNS, form=LIMBERED)
    grounds.stream(g, 20.1)
    assert full_move(g) == 0
    assert (g.u[0].owes, g.u[0].owes_at, movement.allowance_left(g.u[0])) == (1, 0, 0)
    next_phase(g)
    full_move(g)
    assert g.u[0].y - half_depth(g.u[0]) == pytest.approx(20.2)
    assert g.u[0].owes_at == -1


def test_a_crossing_broken_off_begins_anew_AWI_T_TER_02() -> None:
    g = alone(GUNS, form=LIMBERED)
    grounds.stream(g, 20.1)
    full_move(g)
    next_phase(g)
    next_phase(g)
    assert g.u[0].owes_at == -1
    full_move(g)
    assert front(g) == pytest.approx(20)


@pytest.mark.parametrize(("kind", "share"), [(LINE_FOOT, 0.5), (T.RANGERS, 0.5), (HORSE, 1), (GUNS, 2)])
def test_shares_of_a_stream_AWI_T_TER_02(kind: TroopType, share: float) -> None:
    g = alone(kind)
    grounds.stream(g, 30)
    where, cost, which = crossing.next_obstacle(g, g.u[0], 48, 20, 48, 40, -1.0)
    assert (where, cost, which) == (0.5, share, 0)


def test_works_shot_away_cost_nothing_AWI_T_TER_02() -> None:
    g = alone()
    grounds.fence(g, 22)
    g.structures[0].sp = 0
    assert full_move(g) == 6


def test_corners_of_a_fence_are_crossed_once_AWI_T_TER_02() -> None:
    g = alone(T.RANGERS)
    grounds.fence(g, 22, right=48)
    grounds.fence(g, 22, left=48)
    assert full_move(g) == pytest.approx(4.5)


def test_a_road_cancels_the_ground_for_a_column_AWI_T_TER_09() -> None:
    for form, inches in ((COLUMN, 9), (LINE, 4)):
        g = alone(form=form)
        grounds.lay(g, grounds.ROUGH)
        grounds.lay(g, grounds.ROUGH, left=47, right=49, road=1)
        assert full_move(g) == pytest.approx(inches)


@pytest.mark.parametrize(("form", "over"), [(COLUMN, True), (LINE, False)])
def test_only_columns_cross_a_bridge_AWI_T_TER_09(form: int, over: bool) -> None:
    g = alone(form=form)
    grounds.lay(g, grounds.WATER, near=22, far=28)
    grounds.lay(g, grounds.WATER, near=22, far=28, left=46, right=50, water=2)
    full_move(g)
    next_phase(g)
    full_move(g)
    assert (front(g) > 30) == over
    assert over or front(g) <= 22


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize(
    ("option", "enemy", "inches"), [("on", 25, 12), ("on", 24, 9), ("on", 23, 9), ("off", 25, 9)]
)
def test_road_bonus_far_from_the_enemy_AWI_T_MOV_11(option: str, enemy: int, inches: int, side: int) -> None:
    g = table(Stand(0, LINE_FOOT, 70, 10, form=COLUMN), FAR, options={"road_bonus": option})
    grounds.lay(g, grounds.LEVEL, left=69, right=71, road=1)
    g.u[1].x, g.u[1].y, g.u[1].face = 70 + side * (enemy + 3 * HALF), 20, 0
    assert measure_gap(g, 0, 1) >= enemy - 1.0e-9, "and the way passes just so far from it"
    assert movement.move_on(g, 0, 0, 99.0) == inches


def test_no_road_bonus_for_a_move_that_leaves_the_road_AWI_T_MOV_11() -> None:
    g = table(Stand(0, LINE_FOOT, 70, 10, form=COLUMN), FAR, options={"road_bonus": "on"})
    grounds.lay(g, grounds.LEVEL, far=18, left=69, right=71, road=1)
    assert movement.move_on(g, 0, 0, 99.0) == 9


def test_changing_formation_costs_its_ground_AWI_T_MOV_05() -> None:
    g = alone(form=COLUMN)
    grounds.lay(g, grounds.ROUGH)
    assert movement.change_formation(g, 0, LINE) == pytest.approx(6 - 1.5 * movement.CHANGE_COST)
    g = alone(form=COLUMN)
    grounds.lay(g, grounds.DENSE_WOODS)
    assert movement.change_formation(g, 0, LINE) == -1, "three times 2.5 inches are more than a line move"


def test_wheeling_costs_its_ground_AWI_T_MOV_09_TER_01() -> None:
    g = alone()
    grounds.lay(g, grounds.ROUGH)
    spent = movement.wheel(g, 0, 90)
    assert g.u[0].face == 45
    assert spent == pytest.approx(1.5 * movement.wheel_cost(4 * HALF, 45))


def test_nobody_wheels_over_a_fence_or_into_water() -> None:
    g = alone()
    grounds.fence(g, 20.1)
    assert movement.wheel(g, 0, 30) == 0
    g = alone()
    grounds.lay(g, grounds.WATER, near=21)
    assert movement.wheel(g, 0, 60) == 0


def test_retreats_and_routs_pay_for_the_ground_AWI_T_TER_01() -> None:
    enemy = Stand(1, LINE_FOOT, 48, 45, face=180)
    g = table(Stand(0, LINE_FOOT, 48, 40), enemy)
    grounds.lay(g, grounds.ROUGH)
    retreat.rout_move(g, 0, 180)
    assert g.u[0].y == pytest.approx(32)
    g = table(Stand(0, LINE_FOOT, 48, 40), enemy)
    grounds.lay(g, grounds.ROUGH)
    retreat.retire(g, 0)
    assert g.u[0].y == pytest.approx(36)


def test_retreats_and_routs_pay_for_obstacles_AWI_T_TER_02() -> None:
    enemy = Stand(1, LINE_FOOT, 48, 45, face=180)
    g = table(Stand(0, LINE_FOOT, 48, 40), enemy)
    grounds.fence(g, 36)
    retreat.rout_move(g, 0, 180)
    assert g.u[0].y == pytest.approx(34)
    g = table(Stand(0, LINE_FOOT, 48, 40), enemy)
    grounds.fence(g, 36)
    retreat.retire(g, 0)
    assert g.u[0].y == pytest.approx(40 - (4 - HALF - 0.1)), "too little is left: it stops at the fence"


def test_step_d_does_not_turn_into_water_or_a_fence_AWI_T_FAC_02() -> None:
    for spoil in (lambda g: grounds.lay(g, grounds.WATER, near=21), lambda g: grounds.fence(g, 21.2)):
        g = table(Stand(0, LINE_FOOT, 30, 20, face=90), Stand(1, LINE_FOOT, 48, 20, face=0))
        spoil(g)
        facing.step_d(g)
        assert g.u[1].face == 0


def test_who_moves_is_hidden_again_AWI_T_TER_07() -> None:
    g = alone()
    g.u[0].shown = 1
    movement.turn_on_spot(g, 0, 30)
    assert (g.u[0].shown, g.u[0].moved) == (1, 0)
    movement.move_on(g, 0, 30, 2.0)
    assert (g.u[0].shown, g.u[0].moved) == (0, 1)


def test_deployed_guns_are_manhandled_over_ground_AWI_T_TER_01() -> None:
    g = alone(GUNS, form=DEPLOYED)
    grounds.lay(g, grounds.ROUGH)
    assert full_move(g) == pytest.approx(1)


def test_a_crew_without_its_gun_runs_as_foot_AWI_T_MOV_02() -> None:
    g = table(Stand(0, GUNS, 48, 40), Stand(1, LINE_FOOT, 48, 47, face=180))
    grounds.lay(g, grounds.SWAMP, far=38)
    retreat.rout_move(g, 0, 180)
    assert g.u[0].y == pytest.approx(31.9, abs=0.5)
    g.u[0].gun_x, g.u[0].gun_y = g.u[0].x, g.u[0].y + 3
    movement.recrew_gun(g, 0)
    assert (g.u[0].gun_left, g.u[0].going) == (0, 3)


@pytest.mark.parametrize(("in_woods", "behind_fence", "routs"), [(0, 0, True), (1, 0, False), (0, 1, False)])
def test_irregulars_in_cover_retire_AWI_T_MOR_04(in_woods: int, behind_fence: int, routs: bool) -> None:
    g = table(Stand(0, T.MILITIA, 48, 20), FAR)
    if in_woods:
        grounds.lay(g, grounds.OPEN_WOODS, wood=1, soft=1)
    if behind_fence:
        grounds.fence(g, 21.5)
    assert crossing.in_open(g, 0) == routs


def test_streams_are_no_cover_AWI_T_MOR_04() -> None:
    g = table(Stand(0, T.MILITIA, 48, 20), FAR)
    grounds.stream(g, 21.5)
    assert crossing.in_open(g, 0)
    assert g.works[0].kind_ == STREAM


RIVER = (Feature("river", ((0.0, 27.0), (96.0, 30.0))), Feature("bridge", ((48.0, 28.5),)))


@pytest.mark.parametrize("kind", [LINE_FOOT, HORSE, GUNS, T.WAGON])
@pytest.mark.parametrize("askew", [0, 3, -3])
def test_columns_come_over_a_bridge_even_a_little_askew_AWI_T_TER_09(kind: TroopType, askew: int) -> None:
    g = table(Stand(0, kind, 48, 20, face=askew % 360, form=LIMBERED if kind in (GUNS, T.WAGON) else COLUMN))
    raster_write(g, BattleGround(features=RIVER), terrain_for(options_resolve({})))
    g.u[0].x -= 8.5 * math.tan(math.radians(askew))
    for _ in range(5):
        full_move(g)
        next_phase(g)
    assert g.u[0].y - half_depth(g.u[0]) > 32


@pytest.mark.parametrize(("form", "gone"), [(COLUMN, 9), (LINE, 3.9)])
def test_a_line_wades_beside_the_bridge_over_a_stream_AWI_T_TER_09(form: int, gone: float) -> None:
    g = alone(form=form)
    over = (Feature("stream", ((0.0, 24.0), (96.0, 24.0))), Feature("bridge", ((48.0, 24.0),)))
    raster_write(g, BattleGround(features=over), terrain_for(options_resolve({})))
    assert full_move(g) == pytest.approx(gone)
    g.structures[0].sp = 0
    assert crossing.next_obstacle(g, g.u[0], 48, 20, 48, 40, -1.0)[1] == 0.5


@pytest.mark.parametrize(("option", "share"), [("as_stream", 2), ("free", 0)])
def test_fords_cost_what_streams_cost_AWI_T_TER_09(option: str, share: float) -> None:
    g = alone(GUNS, form=LIMBERED)
    over = (Feature("stream", ((0.0, 24.0), (96.0, 24.0))), Feature("ford", ((48.0, 24.0),)))
    raster_write(g, BattleGround(features=over), terrain_for(options_resolve({"ford_cost": option})))
    assert crossing.next_obstacle(g, g.u[0], 48, 20, 48, 40, -1.0)[1] == share


def test_guns_march_a_forest_road_but_not_off_it_AWI_T_TER_09() -> None:
    woods = Feature("dense_woods", ((0.0, 25.0), (96.0, 25.0), (96.0, 50.0), (0.0, 50.0)))
    road = Feature("road", ((40.0, 0.0), (56.0, 60.0)))
    for x, through in ((46.0, True), (60.0, False)):
        g = table(Stand(0, GUNS, x, 22.5, face=15, form=LIMBERED))
        raster_write(g, BattleGround(features=(woods, road)), terrain_for(options_resolve({})))
        for _ in range(2):
            full_move(g)
            next_phase(g)
        assert (g.u[0].y > 35) == through


def test_guns_do_not_unlimber_where_only_the_road_bears_them_AWI_T_MOV_06() -> None:
    g = alone(GUNS, form=LIMBERED)
    grounds.lay(g, grounds.DENSE_WOODS)
    grounds.lay(g, grounds.DENSE_WOODS, left=47, right=49, road=1)
    assert not movement.unlimber(g, 0)
    assert (g.u[0].form, full_move(g)) == (LIMBERED, 9)


def test_who_is_driven_off_begins_to_cross_anew_AWI_T_TER_02_MEL_08() -> None:
    g = table(Stand(0, T.EUROPEAN_ARTILLERY, 48, 28))
    g.u[0].owes_at, g.u[0].owes = 0, 1.0
    melee.melee_retire(g, 0, -1, 3.0)
    assert (g.u[0].y, g.u[0].owes_at) == (25, -1)
