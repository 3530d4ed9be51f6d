"""Leaders and tasks of a battle file: checked, written into the state record, told afterwards."""

from dataclasses import replace
from typing import Any

import pytest

from battles.engine.dtypes import (
    BRIDGE,
    CAPTURED,
    DEMOLISH,
    DISABLED,
    FIELDWORK,
    GONE_HOME,
    IN_FIELD,
    KILLED,
    LARGE,
    SMALL,
)
from battles.engine.raster import structure_add, work_add
from battles.engine.reading import structure_names
from battles.errors import BattleFileError
from battles.files.checks import battle_verify
from battles.files.leader_checks import leader_warnings
from battles.files.schema import BattleFile, BattleGround, Feature, Task
from battles.files.warnings import battle_warnings
from battles.rulesets.awi.deployment import size_for
from battles.rulesets.awi.fighting import fight, prepare_state
from battles.rulesets.awi.setup import build_outcome
from battles.rulesets.awi.staff import build_structure_outcomes, general_fate, tasks_write
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import CONGRESS, CROWN, battle, battle_unit, force, leader, state

LINE_FOOT = TroopType.CONTINENTAL_LINE
WORK = BattleGround(features=(Feature("fieldwork", ((40.0, 40.0), (44.0, 40.0)), id="redan"),))


def forces(*leaders: Any, **more: Any) -> BattleFile:
    """Four battalions a side, and leaders."""
    return battle(force(CROWN, *[LINE_FOOT] * 4), force(CONGRESS, *[LINE_FOOT] * 4), leaders=leaders, **more)


def test_brigades_and_superiors_are_written_AWI_T_GEN_02() -> None:
    g = state(
        forces(
            leader("Burgoyne", rank="senior", commands=("Fraser",)),
            leader("Fraser", commands=("crown 1", "crown 2")),
        )
    )
    assert [int(g.u[i].brigade) for i in range(4)] == [-1, 1, 1, -1]
    assert [int(g.generals[k].superior) for k in range(2)] == [-1, 0]


def test_a_brigadier_without_a_list_has_the_formation_of_his_name_AWI_T_GEN_02() -> None:
    own = [battle_unit(f"unit {i}", CROWN, LINE_FOOT, formation="Fraser" if i else "") for i in range(3)]
    g = state(battle(tuple(own), force(CONGRESS, LINE_FOOT), leaders=(leader("Fraser"),)))
    assert [int(g.u[i].brigade) for i in range(3)] == [-1, 0, 0]


def test_a_senior_without_a_list_has_the_brigadiers_nobody_else_has_AWI_T_GEN_02() -> None:
    g = state(
        forces(
            leader("Fraser"),
            leader("Hamilton"),
            leader("Riedesel", rank="senior", commands=("Hamilton",)),
            leader("Phillips", rank="senior"),
        )
    )
    assert [int(g.generals[k].superior) for k in range(2)] == [3, 2]


def test_generals_start_with_a_unit_at_a_place_or_behind_their_troops_AWI_T_GEN_03() -> None:
    g = state(
        forces(
            leader("Fraser", commands=("crown 0", "crown 1", "crown 2")),
            leader("Hamilton", with_unit="crown 3"),
            leader("Burgoyne", rank="senior"),
            leader("Gates", CONGRESS, rank="senior", x=30.0, y=50.0),
        )
    )
    assert [int(g.generals[k].unit) for k in range(4)] == [1, 3, -1, -1]
    assert g.generals[2].y == pytest.approx(7.0), "eight inches behind a line at fifteen"
    assert (g.generals[3].x, g.generals[3].y) == (30.0, 50.0)


def test_a_general_comes_on_with_the_first_of_his_units_AWI_T_GEN_03() -> None:
    late = tuple(battle_unit(f"unit {i}", CROWN, LINE_FOOT, arrives=4 - i) for i in range(2))
    file = battle(
        late, force(CONGRESS, LINE_FOOT), leaders=(leader("Fraser", commands=("unit 0", "unit 1")),)
    )
    g = state(file)
    assert (g.generals[0].unit, g.generals[0].due) == (1, 3)


def test_many_generals_need_the_large_layout_AWI_T_GEN_01() -> None:
    assert size_for(forces(leader("Fraser"))) is SMALL
    assert size_for(forces(*[leader(f"leader {k}") for k in range(33)])) is LARGE


@pytest.mark.parametrize(
    ("fate", "wounds", "told"),
    [
        (IN_FIELD, 0, "present"),
        (IN_FIELD, 1, "wounded"),
        (DISABLED, 2, "disabled"),
        (KILLED, 1, "killed"),
        (CAPTURED, 0, "captured"),
        (GONE_HOME, 0, "left_table"),
        (GONE_HOME, 1, "wounded"),
    ],
)
def test_fates_in_words_AWI_T_GEN_03(fate: int, wounds: int, told: str) -> None:
    assert general_fate(fate, wounds) == told


def test_the_outcome_has_every_general_in_order_AWI_T_GEN_05() -> None:
    file = forces(leader("Fraser"), leader("Gates", CONGRESS, rank="senior"))
    drawn_up = prepare_state(file, SMALL)
    drawn_up[0].generals[1].fate = KILLED
    outcome = build_outcome(drawn_up, file, 1, "1")
    assert [(general.id, general.fate) for general in outcome.generals] == [
        ("Fraser", "present"),
        ("Gates", "killed"),
    ]


def test_generals_of_a_fought_battle_are_named_in_its_events_AWI_T_GEN_03() -> None:
    file = forces(leader("Fraser"), leader("Gates", CONGRESS, rank="senior"), turns=6)
    result = fight(file, 3, record=True)
    assert len(result.outcome.generals) == 2
    named = {event.target for event in result.events if event.kind.startswith("general_")}
    assert named <= {"Fraser", "Gates"}


@pytest.mark.parametrize(
    ("leaders", "path", "reason"),
    [
        ((leader("Fraser", "france"),), "leaders[0].side", "serves"),
        ((leader("Fraser"), leader("Fraser")), "leaders[1].id", "twice"),
        ((leader("Fraser", rank="marshal"),), "leaders[0].rank", "marshal"),
        ((leader("Fraser", with_unit="congress 0"),), "leaders[0].with_unit", "no such unit"),
        ((leader("Fraser", x=3.0),), "leaders[0].x", "both x and y"),
        ((leader("Fraser", x=3.0, y=99.0),), "leaders[0].x", "off the table"),
        ((leader("Fraser", commands=("crown 9",)),), "leaders[0].commands[0]", "no such unit"),
        ((leader("A", rank="senior", commands=("crown 0",)),), "leaders[0].commands[0]", "no such brigadier"),
        (
            (leader("Fraser", commands=("crown 0",)), leader("Hamilton", commands=("crown 1", "crown 0"))),
            "leaders[1].commands[1]",
            "leave it to one",
        ),
    ],
)
def test_leaders_that_cannot_be_are_refused_AWI_T_GEN_01(
    leaders: tuple[Any, ...], path: str, reason: str
) -> None:
    with pytest.raises(BattleFileError, match=reason) as refused:
        battle_verify(forces(*leaders, ground=BattleGround()))
    assert refused.value.field == path


@pytest.mark.parametrize(
    ("kind", "task", "path", "reason"),
    [
        (TroopType.RANGERS, Task("build", "redan"), "units[0].task.work", "close order"),
        (TroopType.AMERICAN_ARTILLERY, Task("demolish", "redan"), "units[0].task.work", "only infantry"),
        (LINE_FOOT, Task("build", "nowhere"), "units[0].task.at", "no fieldwork"),
        (LINE_FOOT, Task("demolish", "redan", 7), "units[0].task.charges", "holds 6"),
        (LINE_FOOT, Task("build", "redan"), "units[0].task", "without a wagon"),
    ],
)
def test_tasks_that_cannot_be_are_refused_AWI_T_ENG_01(
    kind: TroopType, task: Task, path: str, reason: str
) -> None:
    file = battle((battle_unit("sappers", CROWN, kind, task=task),), force(CONGRESS, LINE_FOOT), ground=WORK)
    with pytest.raises(BattleFileError, match=reason) as refused:
        battle_verify(file)
    assert refused.value.field == path


def test_a_fit_staff_is_no_cause_for_warning_AWI_T_GEN_01() -> None:
    assert list(leader_warnings(forces(leader("Fraser")))) == []
    assert list(leader_warnings(forces())) == []


@pytest.mark.parametrize(
    ("leaders", "said"),
    [
        ((leader("A"), leader("B")), "2 brigadiers for 4 units"),
        ((leader("A"), replace(leader("B"), name="A")), "2 generals called A (A, B). Keep one"),
        ((leader("A"), leader("B", rank="senior"), leader("C", rank="senior")), "2 senior generals"),
        (
            (leader("A"), leader("B", rank="commander_in_chief")),
            "1 commander in chief over no senior generals",
        ),
    ],
)
def test_too_many_generals_are_warned_of_AWI_T_GEN_01(leaders: tuple[Any, ...], said: str) -> None:
    assert any(said in warning for warning in battle_warnings(forces(*leaders)))


def test_a_task_is_done_on_the_nearest_piece_of_its_structure_AWI_T_ENG_01() -> None:
    own = (
        battle_unit("sappers", CROWN, LINE_FOOT, task=Task("demolish", "redan", 2)),
        battle_unit("wagon", CROWN, TroopType.WAGON, 2),
    )
    file = battle(own, force(CONGRESS, LINE_FOOT), ground=WORK)
    g = state(battle(own, force(CONGRESS, LINE_FOOT), ground=WORK))
    g.structures_n = g.works_n = 0
    for x in (80.0, 48.0):
        work_add(g, FIELDWORK, x, 20.0, x + 4.0, 20.0, structure_add(g, FIELDWORK, 6, 6, feature=0))
    tasks_write(g, file, list(file.units))
    assert (int(g.u[0].task), int(g.u[0].task_at), int(g.u[0].task_size)) == (DEMOLISH, 1, 2)
    assert structure_names([g], file) == ("redan", "redan")


def test_a_work_is_as_strong_as_its_pieces_a_bridge_as_its_weakest_AWI_T_FOR_01() -> None:
    bridge = Feature("bridge", ((20.0, 20.0),), id="bridge")
    file = forces(ground=BattleGround(features=(WORK.features[0], bridge)))
    drawn_up = prepare_state(forces(), SMALL)
    g = drawn_up[0]
    for kind, feature in ((FIELDWORK, 0), (FIELDWORK, 0), (BRIDGE, 1), (BRIDGE, 1)):
        structure_add(g, kind, 6, 6, feature=feature)
    g.structures[0].sp, g.structures[2].sp = 2, 0
    assert [(s.id, s.sp_start, s.sp) for s in build_structure_outcomes(drawn_up, file)] == [
        ("redan", 12, 8),
        ("bridge", 6, 0),
    ]
