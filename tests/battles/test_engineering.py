"""Field engineering with a wagon's tools, and explosive charges."""

from itertools import product
from typing import Any

import pytest

from battles.engine.dtypes import (
    BUILD,
    BUILDING,
    DEMOLISH,
    DISMANTLE,
    ELIMINATED,
    FIELDWORK,
    NO_TASK,
    ROUTING,
    SHAKEN,
    STEADY,
)
from battles.engine.raster import structure_add, work_add
from battles.rulesets.awi import charge_declaration, engineering, fire, morale, movement, retreat
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import Stand, kinds, table, throw

LINE_FOOT = TroopType.CONTINENTAL_LINE
#: A battalion at a breastwork at y = 22, its wagon behind it, another battalion, and one of the enemy.
PARTY = (
    Stand(0, LINE_FOOT, 48, 21),
    Stand(0, TroopType.WAGON, 48, 16, sp=2),
    Stand(0, LINE_FOOT, 58, 21),
    Stand(1, LINE_FOOT, 20, 50, face=180),
)


def at_work(
    task: int, *, sp: int = 3, full: int = 6, charges: int = 1, dice: tuple[int, ...] = (), **more: Any
) -> Any:
    """The party with that task for unit 0 on a breastwork of so many SP."""
    g = table(*PARTY, **more)
    work_add(g, FIELDWORK, 46.0, 22.0, 50.0, 22.0, structure_add(g, FIELDWORK, sp, full))
    set_task(g, 0, task, charges)
    throw(g, *dice)
    return g


def set_task(g: Any, i: int, task: int, charges: int = 1) -> None:
    g.u[i].task, g.u[i].task_at, g.u[i].task_size = task, 0, charges


def moves(g: Any, count: int) -> None:
    """So many moves of digging, each counted at the start of the next."""
    for _ in range(count):
        movement.new_phase(g)
        assert engineering.dig(g, 0)
        engineering.count_work(g)


def test_an_sp_is_built_every_other_move_AWI_T_ENG_01() -> None:
    g = at_work(BUILD)
    moves(g, 1)
    assert (g.structures[0].sp, g.u[0].laid) == (3, 1)
    moves(g, 1)
    assert (g.structures[0].sp, g.u[0].laid) == (4, 0)
    assert kinds(g) == ["builds", "builds"]


def test_building_stops_at_the_full_value_AWI_T_ENG_01() -> None:
    g = at_work(BUILD, sp=6)
    moves(g, 2)
    assert g.structures[0].sp == 6


def test_an_sp_is_pulled_down_every_move_AWI_T_ENG_01() -> None:
    g = at_work(DISMANTLE)
    moves(g, 2)
    assert g.structures[0].sp == 1
    moves(g, 1)
    assert g.structures[0].sp == 0


def test_tools_serve_one_unit_a_move_AWI_T_ENG_01() -> None:
    g = at_work(BUILD)
    work_add(g, FIELDWORK, 56.0, 22.0, 60.0, 22.0, 0)
    g.u[2].x = 53.0
    set_task(g, 2, BUILD)
    assert engineering.dig(g, 0)
    assert not engineering.dig(g, 2)


@pytest.mark.parametrize("field", ["mood", "moved", "busy"])
def test_workers_are_steady_and_do_not_move_AWI_T_ENG_01(field: str) -> None:
    g = at_work(BUILD)
    setattr(g.u[0], field, 1)
    assert not engineering.dig(g, 0)


def test_workers_stand_at_the_work_and_near_a_wagon_AWI_T_ENG_01() -> None:
    g = at_work(BUILD)
    g.u[0].y = 19.0
    assert not engineering.dig(g, 0)
    g.u[0].y, g.u[1].y = 21.0, 8.0
    assert not engineering.dig(g, 0)


def test_workers_do_not_fire_AWI_T_ENG_01() -> None:
    g = at_work(BUILD)
    assert fire.can_fire(g.u[0])
    engineering.dig(g, 0)
    assert not fire.can_fire(g.u[0])


def test_shaking_loses_a_half_done_sp_AWI_T_ENG_01() -> None:
    g = at_work(BUILD, dice=(6,))
    moves(g, 1)
    movement.new_phase(g)
    engineering.dig(g, 0)
    g.u[0].mood = SHAKEN
    morale.step_a(g)
    assert g.u[0].mood == STEADY
    engineering.count_work(g)
    assert (g.structures[0].sp, g.u[0].laid) == (3, 0)
    assert "digging_lost" in kinds(g)


def test_a_charge_loses_a_half_done_sp_AWI_T_ENG_01() -> None:
    g = at_work(BUILD, dice=(6,))
    moves(g, 1)
    movement.new_phase(g)
    engineering.dig(g, 0)
    g.u[3].x, g.u[3].y, g.u[3].charges, g.u[3].face = 48.0, 26.0, 0, 180
    charge_declaration.test_charged_unit(g, 0, 0)
    engineering.count_work(g)
    assert (g.structures[0].sp, g.u[0].laid) == (3, 0)


def test_each_charge_takes_a_move_to_lay_AWI_T_EXP_01() -> None:
    g = at_work(DEMOLISH, charges=2)
    assert engineering.lay_charge(g, 0)
    assert (g.u[0].laid, g.u[1].powder) == (1, 5)
    assert not engineering.lay_charge(g, 0), "one a move"
    movement.new_phase(g)
    assert engineering.lay_charge(g, 0)
    assert (g.u[0].laid, g.u[1].powder) == (2, 4)


def test_a_wagon_holds_six_charges_AWI_T_EXP_01() -> None:
    g = at_work(DEMOLISH, charges=6)
    for _ in range(6):
        assert engineering.lay_charge(g, 0)
        movement.new_phase(g)
    assert not engineering.lay_charge(g, 0)


def exploded(g: Any, charges: int, *dice: int) -> None:
    """Set off so many charges with these dice, everyone far away."""
    g.u[0].y, g.u[1].y, g.u[2].y = 10.0, 5.0, 10.0
    g.u[0].laid, g.u[0].fuse, g.u[0].task = charges, 1, DEMOLISH
    throw(g, *dice)
    engineering.explode_due_charges(g)


@pytest.mark.parametrize(("dice", "left"), [((2, 4), 6), ((3, 4), 0)])
def test_more_than_its_sp_destroys_a_structure_AWI_T_EXP_01(dice: tuple[int, ...], left: int) -> None:
    g = at_work(DEMOLISH, sp=6)
    exploded(g, 1, *dice)
    assert g.structures[0].sp == left
    assert (g.u[0].laid, g.u[0].fuse) == (0, 0), "on failure the charges are used"
    assert g.u[0].task == (NO_TASK if left == 0 else DEMOLISH)


def test_extra_charges_add_a_die_each_AWI_T_EXP_01() -> None:
    g = at_work(DEMOLISH, sp=10, full=10)
    exploded(g, 3, 2, 2, 3, 3)
    assert (g.cursor, int(g.structures[0].sp)) == (4, 10)
    exploded(g, 3, 2, 2, 3, 4)
    assert g.structures[0].sp == 0
    assert kinds(g)[:4] == ["blast_dice", "blast_dice", "blast_dice", "explosion"]


def test_current_sp_count_not_full_AWI_T_EXP_01() -> None:
    g = at_work(DEMOLISH, sp=2, full=12)
    exploded(g, 1, 1, 2)
    assert g.structures[0].sp == 0


def test_charges_wait_until_their_layers_have_moved_away_AWI_T_EXP_01() -> None:
    g = at_work(DEMOLISH)
    engineering.lay_charge(g, 0)
    engineering.explode_due_charges(g)
    assert (g.cursor, g.u[0].laid) == (0, 1)


@pytest.mark.parametrize(("charges", "gap", "hit"), [(1, 2.9, True), (1, 3.1, False), (2, 3.9, True)])
def test_bystanders_within_the_radius_are_rolled_for_AWI_T_EXP_02(
    charges: int, gap: float, hit: bool
) -> None:
    g = at_work(DEMOLISH)
    g.u[3].x, g.u[3].y = 48.0, 22.0 + gap + 0.886
    exploded(g, charges, *[1] * (charges + 1), 6, 6)
    assert g.u[3].sp == (4 if hit else 5), "friends and enemies alike, 7 or more takes 1 SP"
    assert g.u[3].mood == (SHAKEN if hit else STEADY)


def test_cover_counts_for_bystanders_AWI_T_EXP_02() -> None:
    g = at_work(DEMOLISH)
    g.u[3].x, g.u[3].y = 48.0, 25.0
    work_add(g, FIELDWORK, 40.0, 23.5, 56.0, 23.5, structure_add(g, FIELDWORK, 6, 6))
    exploded(g, 1, 1, 1, 4, 4)
    assert g.u[3].sp == 5
    row = g.events[kinds(g).index("blast")]
    assert (int(row.modifier), int(row.total)) == (-2, 6)


def test_those_in_a_building_blown_up_stand_in_the_open_AWI_T_EXP_02() -> None:
    g = table(*PARTY)
    s = structure_add(g, BUILDING, 4, 4)
    b = g.structures[s]
    b.x, b.y, b.half_width, b.half_depth = 20.0, 40.0, 2.0, 1.0
    g.u[3].x, g.u[3].y, g.u[3].inside = 20.0, 40.0, s
    set_task(g, 0, DEMOLISH)
    exploded(g, 1, 6, 6, 1, 1)
    assert (g.structures[s].sp, g.u[3].inside) == (0, -1)


def test_a_unit_may_be_destroyed_by_the_blast_AWI_T_EXP_02() -> None:
    g = at_work(DEMOLISH)
    g.u[3].x, g.u[3].y, g.u[3].sp = 48.0, 24.0, 1
    exploded(g, 1, 1, 1, 6, 6)
    assert g.u[3].place == ELIMINATED


def test_who_routs_does_not_light_his_charges_AWI_T_EXP_01() -> None:
    g = at_work(DEMOLISH)
    engineering.lay_charge(g, 0)
    g.u[0].mood = ROUTING
    assert not engineering.lay_charge(g, 0)
    engineering.explode_due_charges(g)
    assert g.u[0].laid == 1


def chance_of_destruction(sp: int, charges: int) -> float:
    g = at_work(DEMOLISH, sp=sp, full=12)
    hits = 0
    for dice in product(range(1, 7), repeat=charges + 1):
        g.structures[0].sp = sp
        exploded(g, charges, *dice)
        hits += int(g.structures[0].sp == 0)
    return hits / 6 ** (charges + 1)


def test_chances_are_those_of_the_dice_AWI_T_EXP_01() -> None:
    assert chance_of_destruction(6, 1) == pytest.approx(7 / 12)
    assert chance_of_destruction(12, 1) == 0.0


def test_who_routs_from_a_blast_of_the_enemys_turn_is_tested_AWI_T_SEQ_02_MOR_07() -> None:
    # only routs of charges and melees, steps G to K, spare the test of the own next turn
    for step, spared in ((5, False), (7, True), (10, True), (11, True)):
        g = table(Stand(0, LINE_FOOT, 48, 20), Stand(1, LINE_FOOT, 48, 40, face=180))
        g.step = step
        retreat.rout(g, 1, 0, 0, 0, -1)
        g.player_turn, g.mover = g.player_turn + 1, 1
        assert morale.has_just_routed(g, g.u[1]) == spared
