"""Whole fights: invariants over battle files of every kind, terrain and option."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battles.engine.batch import Batch
from battles.engine.compile import is_interpreted
from battles.engine.dice import draw_words
from battles.engine.dtypes import GOES_ON, NO_ERROR
from battles.errors import BattleFileError
from battles.files.schema import BattleFile, BattleOutcome
from battles.ground.shapes import Rectangle, has_overlap
from battles.rulesets.regimental import records as r
from battles.rulesets.regimental.fighting import SYSTEM, RegimentalBattleRunner, prepare_state
from battles.rulesets.regimental.options import OPTIONS
from battles.rulesets.regimental.setup import build_outcome, size_for
from battles.rulesets.regimental.strength import count_stands
from battles.strength_conversion import fighting_units
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import CONGRESS, CROWN, battle, battle_unit, force
from tests.battles.random_files import random_file

#: Whole fights are compiled in one process: it takes over a minute.
pytestmark = pytest.mark.xdist_group("regimental fights")

EXAMPLES, FEW = (8, 4) if is_interpreted() else (120, 20)
MOST = 4 if is_interpreted() else 7
FOOT = TroopType.BRITISH_LINE

randoms = st.randoms(use_true_random=False)
seeds = st.integers(0, 2**64 - 1)


def turned(draw: Random, *, most: int, turns: int = 40) -> BattleFile:
    """A battle of any kind with some options; one there is no room for is drawn again."""
    for _ in range(20):
        options = {
            name: draw.choice(option.choices) for name, option in OPTIONS.items() if draw.random() < 0.2
        }
        file = replace(random_file(draw, most=most, turns=turns), ruleset="regimental", options=options)
        try:
            prepare_state(file, size_for(file))
        except BattleFileError:
            continue
        return file
    raise AssertionError("twenty battles in a row were refused")


def verify_end(g: Any) -> None:
    """The battle is over in time, without an error."""
    assert (g.error, g.ending == GOES_ON) == (NO_ERROR, False)
    assert 0 <= g.turn <= g.turns
    assert g.holder in (-1, 0, 1)


def verify_stands(g: Any, units: Any, file: BattleFile) -> None:
    """No stand is made or lost, and those of guns are each in one state."""
    for i, unit in enumerate(fighting_units(file)):
        u = g.u[i]
        assert min(u.stands, u.lost, u.captured, u.damaged, u.silent, u.silent_damaged, u.low) >= 0
        assert u.stands + u.lost + u.captured == u.stands_start == count_stands(unit), i
        assert (units[i, 0], units[i, 1], units[i, 2]) == (u.lost, u.captured, u.place)
        if u.class_ == r.GUNS and u.stands:
            assert u.damaged + u.silent + u.silent_damaged <= u.stands


def verify_places(g: Any) -> None:
    """Whoever is on the table is on it with his centre, has stands, and overlaps nobody."""
    here = [i for i in range(g.n) if g.u[i].place == r.ON_TABLE]
    for i in here:
        u = g.u[i]
        assert 0.0 <= u.x <= g.width and 0.0 <= u.y <= g.depth, (i, u.x, u.y)
        assert u.stands > 0 and 0 <= u.face < 360
        if u.inside >= 0:
            assert (u.x, u.y) == (g.structures[u.inside].x, g.structures[u.inside].y)
    bases = {
        i: Rectangle(float(u.x), float(u.y), int(u.face), float(u.half_width), float(u.half_depth))
        for i in here
        if (u := g.u[i]).inside < 0
    }
    for i, one in bases.items():
        for j, two in bases.items():
            assert j >= i or not has_overlap(one, two), (i, one, j, two)


def verify_outcome(outcome: BattleOutcome, units: Any, file: BattleFile) -> None:
    """Nothing lost is nothing lost in the file, all lost is all."""
    fought = {unit.id: row for unit, row in zip(fighting_units(file), units.tolist(), strict=True)}
    for told, unit in zip(outcome.units, file.units, strict=True):
        assert (told.id, told.sp_start) == (unit.id, unit.sp)
        gone = told.sp_lost + told.sp_captured
        assert min(told.sp_lost, told.sp_captured, unit.sp - gone) >= 0
        lost, captured = fought.get(unit.id, (0, 0))[:2]
        if lost + captured == 0:
            assert gone == 0
        elif lost + captured == count_stands(unit):
            assert (gone, told.fate) == (unit.sp, "eliminated")
    assert 0 <= outcome.turns <= file.turns


def verify_fight(file: BattleFile, seed: int) -> None:
    """One fight comes to an end in time; every stand and every SP is told of, and nobody overlaps."""
    state, units, leaders = RegimentalBattleRunner(file).run(seed, record=False)
    verify_end(state[0])
    verify_stands(state[0], units, file)
    verify_places(state[0])
    verify_outcome(build_outcome(state, file, units, leaders, seed, "9"), units, file)


@given(draw=randoms, seed=seeds)
@settings(max_examples=EXAMPLES, deadline=None)
def test_any_battle_is_fought_to_an_end_REG_GEN_02_REG_DEF_04_REG_DEF_05(draw: Random, seed: int) -> None:
    verify_fight(turned(draw, most=MOST), seed)


@given(draw=randoms, seed=seeds)
@settings(max_examples=FEW, deadline=None)
def test_nobody_overlaps_in_any_turn_REG_DEF_05(draw: Random, seed: int) -> None:
    # a battle cut short in each turn is the same battle until then
    file = turned(draw, most=MOST)
    for turns in (1, 2, 4, 7):
        state, units, _ = RegimentalBattleRunner(replace(file, turns=turns)).run(seed, record=False)
        verify_places(state[0])
        verify_stands(state[0], units, file)


@given(draw=randoms, seed=seeds)
@settings(max_examples=FEW, deadline=None)
def test_the_same_seed_gives_the_same_battle(draw: Random, seed: int) -> None:
    file = turned(draw, most=3)
    first = SYSTEM.fight(file, seed)
    other, again = SYSTEM.fight_many(file, [seed ^ 1, seed])
    assert first.outcome == again
    assert other.seed == seed ^ 1
    assert first.outcome == SYSTEM.fight(file, seed, record=True).outcome


def row_of(batch: Batch, run: int) -> tuple[Any, ...]:
    parts = (batch.holder, batch.turns, batch.lost, batch.captured, batch.place)
    return tuple(part[run].tolist() for part in parts)


def test_battles_do_not_mix_in_one_record() -> None:
    small, other = (
        replace(battle(force(CROWN, *kinds), force(CONGRESS, *kinds)), turns=9)
        for kinds in ((FOOT,) * 2, (TroopType.INDIANS, TroopType.MILITIA, FOOT))
    )
    one, two = RegimentalBattleRunner(small), RegimentalBattleRunner(other)
    alone = one.batch([1, 2])
    two.batch([1, 2])
    again = one.batch([1, 2])
    assert [row_of(again, run) for run in range(2)] == [row_of(alone, run) for run in range(2)]


@given(draw=randoms, seed=seeds)
@settings(max_examples=FEW, deadline=None)
def test_no_die_is_thrown_but_those_of_the_seed(draw: Random, seed: int) -> None:
    file = turned(draw, most=3, turns=12)
    state, _, _ = RegimentalBattleRunner(file).run(seed, record=False)
    g = state[0]
    assert 0 <= g.cursor <= len(g.dice)
    assert (g.dice[: g.cursor] == draw_words(seed, int(g.cursor))).all()


def test_who_has_not_come_and_lost_nothing_is_not_eliminated_REG_GEN_02() -> None:
    sides = [
        (*force(side, FOOT), battle_unit(f"late {side}", side, FOOT, arrives=50))
        for side in (CROWN, CONGRESS)
    ]
    file = battle(*sides, turns=1)
    late = [told for told in SYSTEM.fight(file, 1).outcome.units if told.id.startswith("late")]
    assert len(late) == 2
    for told in late:
        assert told.sp_lost == told.sp_captured == 0 and told.fate != "eliminated", told.id


def test_a_battle_too_large_for_the_small_layout_is_fought_in_the_large() -> None:
    large = battle(force(CROWN, *[FOOT] * 96, sp=1), force(CONGRESS, FOOT))
    assert RegimentalBattleRunner(large).sizes == (r.LARGE,)
    assert RegimentalBattleRunner(battle(force(CROWN, FOOT), force(CONGRESS, FOOT))).sizes == (
        r.SMALL,
        r.LARGE,
    )


def test_a_battle_is_the_same_in_both_layouts() -> None:
    file = replace(battle(force(CROWN, FOOT, FOOT), force(CONGRESS, FOOT)), turns=9)
    fought = RegimentalBattleRunner(file)
    _, small, leaders = fought.run(5, record=False)
    fought.sizes = (r.LARGE,)
    _, large, others = fought.run(5, record=False)
    assert (small == large).all() and (leaders == others).all()
