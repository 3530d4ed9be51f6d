"""Working parties under a commander: to the work, at it, and away from their charges."""

from typing import Any

import pytest

from battles.engine.dice import draw_words
from battles.engine.dtypes import BUILD, DEMOLISH, DISMANTLE, FIELDWORK, NO_ERROR, NO_TASK, SMALL
from battles.engine.raster import structure_add, work_add
from battles.files.schema import BattlePlan
from battles.rulesets.awi import engineering, movement, sappers, sequence
from battles.rulesets.awi.fighting import prepare_state
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import CONGRESS, CROWN, Stand, battle, battle_unit, force, kinds, table

LINE_FOOT = TroopType.CONTINENTAL_LINE
#: A party 12 inches short of the work, its wagon, and the enemy.
PARTY = (
    Stand(0, LINE_FOOT, 48, 12),
    Stand(0, TroopType.WAGON, 44, 6, sp=2),
    Stand(1, LINE_FOOT, 20, 55, face=180),
)


def party(task: int, *, sp: int = 3, charges: int = 1) -> Any:
    """The party with that task on a breastwork at y = 24."""
    g = table(*PARTY)
    work_add(g, FIELDWORK, 46.0, 24.0, 50.0, 24.0, structure_add(g, FIELDWORK, sp, 6))
    g.u[0].task, g.u[0].task_at, g.u[0].task_size = task, 0, charges
    return g


def turns(g: Any, count: int) -> None:
    """So many moves of the party and its wagon."""
    for _ in range(count):
        engineering.count_work(g)
        movement.new_phase(g)
        sappers.do_task(g, 0)
        sappers.follow_party(g, 1)
        engineering.explode_due_charges(g)


def test_a_party_goes_to_its_work_and_digs_AWI_T_ENG_01() -> None:
    g = party(BUILD)
    turns(g, 12)
    assert engineering.structure_gap(g, 0, 0) <= engineering.AT_WORK
    assert g.structures[0].sp > 3
    assert "builds" in kinds(g)


def test_a_party_pulls_a_work_down_and_is_free_again_AWI_T_ENG_01() -> None:
    g = party(DISMANTLE)
    turns(g, 14)
    assert (g.structures[0].sp, g.u[0].task) == (0, NO_TASK)


def test_a_party_lays_its_charges_moves_away_and_they_go_off_AWI_T_EXP_01() -> None:
    g = party(DEMOLISH, charges=2)
    g.dice[:] = 0
    turns(g, 14)
    told = kinds(g)
    assert told.count("lays_charge") >= 2
    assert told.index("lays_charge") < told.index("fall_back") < told.index("explosion")
    first = told.index("explosion")
    assert told[first - 2 : first] == ["blast_dice", "blast_dice"]


def test_a_party_gets_clear_of_its_own_blast_AWI_T_EXP_02() -> None:
    g = party(DEMOLISH, charges=3)
    g.dice[:] = 0
    for _ in range(20):
        if "explosion" in kinds(g):
            break
        turns(g, 1)
    assert engineering.structure_gap(g, 0, 0) > engineering.BLAST_RADIUS + 2
    assert "blast" not in kinds(g) or g.u[0].sp == 5


def test_a_party_fights_when_the_enemy_is_near_AWI_T_ENG_01() -> None:
    g = party(BUILD)
    g.u[2].x, g.u[2].y = 48.0, 20.0
    assert not sappers.do_task(g, 0)
    assert g.u[0].task == BUILD


def test_without_a_wagon_the_task_is_given_up_AWI_T_ENG_01() -> None:
    g = party(BUILD)
    g.u[1].immobile = 1
    assert not sappers.do_task(g, 0)
    assert g.u[0].task == NO_TASK


@pytest.mark.parametrize(
    ("task", "told"), [(BUILD, "builds"), (DISMANTLE, "dismantles"), (DEMOLISH, "explosion")]
)
def test_engineering_in_a_whole_battle_AWI_T_ENG_01(task: int, told: str) -> None:
    file = battle(
        (battle_unit("sappers", CROWN, LINE_FOOT), battle_unit("wagon", CROWN, TroopType.WAGON, 2)),
        force(CONGRESS, LINE_FOOT),
        plans={CROWN: BattlePlan("hold"), CONGRESS: BattlePlan("hold")},
        turns=20,
    )
    states = prepare_state(file, SMALL)
    g = states[0]
    work_add(g, FIELDWORK, 46.0, 17.0, 50.0, 17.0, structure_add(g, FIELDWORK, 2, 6))
    g.u[0].task, g.u[0].task_at, g.u[0].task_size = task, 0, 1
    g.dice[:], g.recording = draw_words(3, SMALL.dice), 1
    assert sequence.play_battle(states) == NO_ERROR
    assert told in kinds(g)
    assert g.structures[0].sp > 2 if task == BUILD else g.structures[0].sp <= 2
