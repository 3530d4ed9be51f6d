"""From battle file to state record and back: turns, plans, stands, sizes, the outcome."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from battles.engine.dtypes import ADVANCE, ASSAULT, DELAY, HOLD, TURN_FLANK, WITHDRAW
from battles.errors import BattleFileError
from battles.files.schema import BattleFile, BattleGround, BattlePlan, Feature, UnitOutcome
from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.cards import card_phase
from battles.rulesets.volley_bayonet.fighting import VolleyBayonetBattleRunner, prepare_state
from battles.rulesets.volley_bayonet.setup import (
    build_outcome,
    convert_turns_to_file,
    fate_of,
    size_for,
    turns_here,
)
from battles.rulesets.volley_bayonet.strength import count_points
from battles.strength_conversion import losses_in_file
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import CONGRESS, CROWN, battle, battle_unit, force, leader
from tests.battles.rulesets.volley_bayonet.books import RULES, SCALES
from tests.battles.rulesets.volley_bayonet.files import FOOT, drawn_up, file_of, stands_of

T = TroopType
WING = SCALES["vb_wing"]


@given(st.integers(0, 144))
def test_a_turn_is_fifteen_minutes_VBW_GEN_03(turns: int) -> None:
    minutes = RULES["VBW-GEN-03"]["table"]["minutes_per_turn"]
    here = turns_here(turns)
    assert minutes * (here - 1) < 10 * turns <= minutes * here, "a turn that has begun counts"
    assert 10 * (convert_turns_to_file(here) - 1) < minutes * here <= 10 * convert_turns_to_file(here)
    assert convert_turns_to_file(here) >= turns


def test_how_long_the_day_is_and_what_the_sides_mean_to_do() -> None:
    plans = {
        CROWN: BattlePlan(
            "turn_flank", flank="left", until=9, then="withdraw", boldness=2, reserve_percent=40
        ),
        CONGRESS: BattlePlan("hold", goal=(48, 45), then="turn_flank", flank="right"),
    }
    g = drawn_up(
        *force(CROWN, FOOT), *force(CONGRESS, FOOT),
        plans=plans, turns=36, break_percent=30, break_points={CONGRESS: 70}, objective=(24, 12), features=(),
    )  # fmt: skip
    assert (g.turns, g.holder) == (24, -1)
    assert list(g.break_at) == [30, 70]
    assert (g.objective, g.objective_x, g.objective_y) == (1, pytest.approx(16), pytest.approx(8))
    one, two = g.plans[0], g.plans[1]
    assert (one.kind_, one.flank, one.until, one.then_, one.reserve) == (TURN_FLANK, -1, 6, WITHDRAW, 40)
    assert one.boldness == pytest.approx(0.2)
    assert (two.kind_, two.flank, two.until, two.then_) == (HOLD, 1, 0, TURN_FLANK)
    assert (one.goal, two.goal, two.goal_x, two.goal_y) == (0, 1, pytest.approx(32), pytest.approx(30))
    assert list(g.plan) == [TURN_FLANK, HOLD]


@pytest.mark.parametrize(
    ("kind", "code"),
    [("assault", ASSAULT), ("hold", HOLD), ("delay", DELAY), ("withdraw", WITHDRAW), ("advance", ADVANCE)],
)
def test_plans_have_the_codes_of_the_engine(kind: Any, code: int) -> None:
    g = drawn_up(*force(CROWN, FOOT), plans={CROWN: BattlePlan(kind)})
    assert (g.plan[0], g.plans[0].flank) == (code, 0)


def test_whose_side_is_the_crowns_VBW_SEQ_05() -> None:
    units = (*force(CROWN, FOOT), *force(CONGRESS, FOOT))
    assert drawn_up(*units).crown == 0
    turned = BattleFile("Trenton", CONGRESS, CROWN, units)
    assert size_for(turned, WING) == r.SMALL
    g = prepare_state(turned, WING, r.SMALL)[0]
    assert g.crown == 1 and [int(g.u[i].side) for i in stands_of(g, 0)] == [1, 1]
    others = BattleFile("Any", "red", "blue", tuple(replace(u, side="red") for u in force(CROWN, FOOT)))
    assert prepare_state(others, WING, r.SMALL)[0].crown == 0


@pytest.mark.parametrize("scale", SCALES)
def test_every_unit_has_all_its_points_on_stands_VBW_GEN_03(scale: str) -> None:
    units = (*force(CROWN, *TroopType), *force(CONGRESS, *TroopType, sp=3))
    g = drawn_up(*units, scale=scale)
    assert g.battalions_n == len(units)
    for k, unit in enumerate(units):
        own = stands_of(g, k)
        assert (
            sum(int(g.u[i].sp) for i in own) == sum(int(g.u[i].sp_start) for i in own) == count_points(unit)
        )
        assert {int(g.u[i].side) for i in own} == {int(unit.side != CROWN)} == {int(g.battalions[k].side)}
        assert own == [*range(own[0], own[0] + len(own))]
    assert list(g.sp_start) == [
        sum(count_points(unit) for unit in units if unit.side == side) for side in (CROWN, CONGRESS)
    ]


def test_wagons_without_points_never_come_to_the_table() -> None:
    units = (battle_unit("train", CROWN, T.WAGON, 0), *force(CROWN, FOOT))
    g = drawn_up(*units)
    assert (g.n, g.battalions_n, g.battalions[0].unit) == (2, 1, 1), "its place in the file is kept"


def test_light_troops_and_natives_begin_in_skirmish_order_VBW_MOV_20_VBW_NAT_01() -> None:
    kinds = (FOOT, T.BRITISH_LIGHT_INFANTRY, T.INDIANS, T.AMERICAN_LIGHT_CAVALRY)
    g = drawn_up(*force(CROWN, *kinds, sp=3))
    forms = {k: {int(g.u[i].form) for i in stands_of(g, k)} for k in range(4)}
    assert forms == {0: {r.FORMED}, 1: {r.SKIRMISH}, 2: {r.SKIRMISH}, 3: {r.FORMED}}


def test_whom_the_cards_mean_VBW_CRD_42_VBW_CRD_48() -> None:
    units = (
        battle_unit("1st Maryland", CONGRESS, T.CONTINENTAL_LINE),
        battle_unit("Haslet's Delaware", CONGRESS, T.CONTINENTAL_LINE),
        battle_unit("2nd New York", CONGRESS, T.CONTINENTAL_LIGHT),
    )
    g = drawn_up(*units)
    assert [int(b.maryland) for b in g.battalions[:3]] == [1, 1, 0]
    assert [int(b.light) for b in g.battalions[:3]] == [0, 0, 1]


def test_the_deck_is_dealt_at_division_level_VBD_SEQ_01_VBW_CRD_02() -> None:
    for scale, cards in (("vb_wing", 0), ("vb_division", 1)):
        g = drawn_up(*force(CROWN, FOOT), *force(CONGRESS, FOOT), scale=scale)
        assert (g.o.cards, g.deck_n > 0) == (cards, True)
        g.dice_n = g.dice.shape[0]
        card_phase(g)
        assert g.hand_n[0] == g.hand_n[1] == g.o.hand


def test_what_cannot_be_fought_or_chosen_is_refused() -> None:
    with pytest.raises(BattleFileError):
        drawn_up(*force(CROWN, FOOT, sp=7))
    with pytest.raises(BattleFileError, match="unit_commander_radius_in"):
        drawn_up(*force(CROWN, FOOT), options={"unit_commander_radius_in": 4})


def fences(count: int) -> BattleGround:
    return BattleGround(96, 60, tuple(Feature("fence", ((1, 1), (1 + n / 100, 50))) for n in range(count)))


@pytest.mark.parametrize(
    ("file", "size"),
    [
        (battle(force(CROWN, *[FOOT] * 96, sp=3), ()), r.SMALL),
        (battle(force(CROWN, *[FOOT] * 97, sp=3), ()), r.LARGE),  # units
        (battle(force(CROWN, *[T.INDIANS] * 64, sp=6), ()), r.SMALL),  # 192 stands
        (battle(force(CROWN, *[T.INDIANS] * 65, sp=6), ()), r.LARGE),
        (battle(force(CROWN, FOOT), (), leaders=tuple(leader(f"{n}") for n in range(24))), r.LARGE),
        (battle(force(CROWN, *[FOOT] * 50, sp=6), ()), r.LARGE),  # unit commanders
        (battle(force(CROWN, FOOT), (), ground=fences(63)), r.SMALL),
        (battle(force(CROWN, FOOT), (), ground=fences(64)), r.LARGE),
    ],
)
def test_what_the_small_layout_holds_VBW_DEF_21(file: BattleFile, size: r.VolleyBayonetRecordSize) -> None:
    assert size_for(file, WING) == size


def test_all_commanders_have_room_VBW_CMD_02() -> None:
    units = (*force(CROWN, *[FOOT] * 20, sp=6), *force(CONGRESS, *[T.MILITIA] * 20))
    chiefs = (leader("a", rank="senior"), leader("b", rank="commander_in_chief"))
    file = file_of(*units, leaders=chiefs)
    assert size_for(file, WING) == r.SMALL
    g = prepare_state(file, WING, r.SMALL)[0]
    assert (g.brigades_n, g.leaders_n) == (10, 10 + 20 + 2 + 1), "the last for Congress, whom nobody leads"


def test_what_neither_layout_holds_is_refused_VBW_DEF_21() -> None:
    with pytest.raises(BattleFileError, match="The battle has 1 stands, 300 structures") as refused:
        size_for(battle(force(CROWN, FOOT, sp=3), (), ground=fences(300)), WING)
    assert refused.value.rule_id == "VBW-DEF-21"


@pytest.mark.parametrize(
    ("standing", "left", "fate"), [(1, 2, "present"), (0, 1, "left_table"), (0, 0, "eliminated")]
)
def test_what_becomes_of_a_unit(standing: int, left: int, fate: str) -> None:
    assert fate_of(standing, left) == fate


def outcome(file: BattleFile, units: list[Any], leaders: list[int], **told: Any) -> Any:
    named = [SimpleNamespace(named=n) for n in (-1, *range(len(file.leaders)))]
    g = SimpleNamespace(holder=told.get("holder", -1), turn=told.get("turn", 5), leaders=named)
    return build_outcome([g], file, WING, np.array(units), np.array(leaders), 7, "9")


def test_losses_come_back_in_the_files_points_VBW_GEN_03() -> None:
    units = (
        battle_unit("line", CROWN, FOOT, 6),
        battle_unit("train", CROWN, T.WAGON, 0),
        battle_unit("horse", CROWN, T.AMERICAN_LIGHT_CAVALRY, 5),  # 2 SP here
        battle_unit("gun", CONGRESS, T.AMERICAN_ARTILLERY, 5),  # 4 SP here
        battle_unit("raw", CONGRESS, T.MILITIA, 4),
    )
    file = file_of(*units)
    rows = [[2, 1, 1, 0, 1], [1, 0, 1, 0, 1], [4, 0, 0, 0, 2], [0, 0, 0, 2, 0]]
    found = outcome(file, rows, [], holder=1)
    assert found.units == (
        UnitOutcome("line", 6, 2, 1, "present"),
        UnitOutcome("train", 0, 0, 0),
        UnitOutcome("horse", 5, *losses_in_file(units[2], 1, 0, 2), "present"),
        UnitOutcome("gun", 5, 5, 0, "eliminated"),
        UnitOutcome("raw", 4, 0, 0, "left_table"),
    )
    assert (found.field_held_by, found.ruleset, found.seed, found.engine_version) == (
        CONGRESS, "vb_wing", 7, "9",
    )  # fmt: skip
    assert outcome(file, rows, [], holder=-1).field_held_by == ""


def test_a_train_that_is_gone_is_lost_whole_VBW_GEN_03() -> None:
    """It has no points here, and what becomes of it is known by its stand."""
    file = file_of(battle_unit("line", CROWN, FOOT, 6), battle_unit("train", CROWN, T.WAGON, 3))
    for row, told in (([0, 0, 0, 0, 1], (3, 0, "eliminated")), ([0, 0, 1, 0, 0], (0, 0, "present"))):
        found = outcome(file, [[0, 0, 1, 0, 0], row], [])
        assert found.units[1] == UnitOutcome("train", 3, *told)
        many = VolleyBayonetBattleRunner(file, WING).of_units(np.array([[[0, 0, 1, 0, 0], row]]))
        assert (many[0][0, 1], many[1][0, 1]) == told[:2]


def test_generals_who_are_taken() -> None:
    chiefs = (leader("a"), leader("b", CONGRESS))
    file = file_of(*force(CROWN, FOOT), leaders=chiefs)
    found = outcome(file, [[0, 0, 1, 0, 0]], [r.LOST, r.OUT_OF_PLAY, r.LOST])
    assert [(one.id, one.fate) for one in found.generals] == [("a", "present"), ("b", "captured")]


def test_an_outcome_has_no_more_turns_than_its_file_VBW_GEN_03() -> None:
    file = replace(file_of(*force(CROWN, FOOT)), turns=10)
    rows = [[0, 0, 1, 0, 0]]
    assert [outcome(file, rows, [], turn=turn).turns for turn in (0, 1, 4, 7)] == [0, 2, 6, 10]
