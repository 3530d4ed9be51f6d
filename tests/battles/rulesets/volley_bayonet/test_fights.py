"""Whole fights of both scales: invariants over battle files of every kind, terrain and option."""

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
from battles.ground.shapes import has_overlap
from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.fighting import (
    VolleyBayonetBattleRunner,
    VolleyBayonetEngine,
    prepare_state,
)
from battles.rulesets.volley_bayonet.rules import TRAITS
from battles.rulesets.volley_bayonet.scales import RulesetScale
from battles.rulesets.volley_bayonet.setup import build_outcome, size_for, turns_here
from battles.rulesets.volley_bayonet.strength import count_points
from battles.strength_conversion import fighting_units
from rosters.domain.vocabulary import TroopType
from tests.battles.any_rules import with_traits
from tests.battles.forces import CONGRESS, CROWN, battle, battle_unit, force
from tests.battles.random_files import random_file
from tests.battles.rulesets.volley_bayonet.books import SCALES
from tests.battles.rulesets.volley_bayonet.files import FOOT, base, stands_of

#: Whole fights are compiled in one process: it takes over a minute.
pytestmark = pytest.mark.xdist_group("volley bayonet fights")

EXAMPLES, FEW = (6, 3) if is_interpreted() else (60, 15)
MOST = 4 if is_interpreted() else 7
#: Stands whose spots differ by so many inches at the most may share ground.
ANY_BASE = 9.0

randoms = st.randoms(use_true_random=False)
seeds = st.integers(0, 2**64 - 1)
scales = pytest.mark.parametrize("scale", SCALES.values(), ids=list(SCALES))


def turned(draw: Random, scale: RulesetScale, *, most: int, turns: int = 40) -> BattleFile:
    """A battle of any kind under a scale, with some of its options; one it has no room for is drawn again."""
    for _ in range(20):
        options = {
            name: draw.choice(option.choices) for name, option in scale.options.items() if draw.random() < 0.2
        }
        file = random_file(draw, most=most, turns=turns)
        units = with_traits(draw, file.units, TRAITS)
        file = replace(file, ruleset=scale.id, options=options, units=units)
        try:
            prepare_state(file, scale, size_for(file, scale))
        except BattleFileError:
            continue
        return file
    raise AssertionError("twenty battles in a row were refused")


def verify_end(g: Any, file: BattleFile) -> None:
    """The battle is over in time, without an error."""
    assert (g.error, g.ending == GOES_ON) == (NO_ERROR, False)
    assert 0 <= g.turn <= g.turns == turns_here(file.turns)
    assert g.holder in (-1, 0, 1)


def verify_points(g: Any, units: Any, file: BattleFile) -> None:
    """No point is made or lost, of stands and of units."""
    for i in range(g.n):
        u = g.u[i]
        assert min(u.sp, u.lost, u.captured) >= 0
        assert u.sp + u.lost + u.captured == u.sp_start, i
    for k, unit in enumerate(fighting_units(file)):
        own = stands_of(g, k)
        assert sum(int(g.u[i].sp_start) for i in own) == count_points(unit)
        assert sum(int(g.u[i].lost) for i in own) == units[k, 0]
        assert units[k, 2:].sum() == sum(int(g.u[i].spare == 0) for i in own)


def verify_places(g: Any) -> None:
    """Whoever is on the table is on it with his centre, has points, and overlaps nobody."""
    here = [i for i in range(g.n) if g.u[i].place == r.ON_TABLE]
    for i in here:
        u = g.u[i]
        assert 0.0 <= u.x <= g.width and 0.0 <= u.y <= g.depth, (i, u.x, u.y)
        assert u.state != r.REMOVED and (u.sp > 0 or u.class_ == r.TRANSPORT)
        if u.inside >= 0:
            assert (u.x, u.y) == (g.structures[u.inside].x, g.structures[u.inside].y)
    bases = {i: base(g, i) for i in here if g.u[i].inside < 0}
    for i, one in bases.items():
        for j, two in bases.items():
            if j < i and abs(one.x - two.x) < ANY_BASE and abs(one.y - two.y) < ANY_BASE:
                assert not has_overlap(one, two), (i, one, j, two)


def verify_outcome(outcome: BattleOutcome, units: Any, file: BattleFile) -> None:
    """Nothing lost is nothing lost in the file, all lost is all; so it is of wagons, which have no points."""
    fought = {unit.id: row for unit, row in zip(fighting_units(file), units.tolist(), strict=True)}
    for told, unit in zip(outcome.units, file.units, strict=True):
        assert (told.id, told.sp_start) == (unit.id, unit.sp)
        gone = told.sp_lost + told.sp_captured
        assert min(told.sp_lost, told.sp_captured, unit.sp - gone) >= 0
        lost, captured = fought.get(unit.id, (0, 0))[:2]
        if unit.sp > 0 and count_points(unit) == 0:
            assert gone == (unit.sp if told.fate == "eliminated" else 0)
        elif lost + captured == 0:
            assert gone == 0
        elif lost + captured == count_points(unit):
            assert (gone, told.fate) == (unit.sp, "eliminated")
    assert 0 <= outcome.turns <= file.turns


@scales
@given(draw=randoms, seed=seeds)
@settings(max_examples=EXAMPLES, deadline=None)
def test_any_battle_is_fought_to_an_end_VBW_DEF_02_VBW_DEF_14_VBW_DEF_21(
    scale: RulesetScale, draw: Random, seed: int
) -> None:
    file = turned(draw, scale, most=MOST)
    state, units, leaders = VolleyBayonetBattleRunner(file, scale).run(seed, record=False)
    verify_end(state[0], file)
    verify_points(state[0], units, file)
    verify_places(state[0])
    verify_outcome(build_outcome(state, file, scale, units, leaders, seed, "9"), units, file)


@scales
@given(draw=randoms, seed=seeds)
@settings(max_examples=FEW, deadline=None)
def test_nobody_overlaps_in_any_turn_VBW_DEF_21_VBW_MOR_07(
    scale: RulesetScale, draw: Random, seed: int
) -> None:
    # a battle cut short in each turn is the same battle until then
    file = turned(draw, scale, most=MOST)
    for turns in (1, 3, 6, 9):
        state, units, _ = VolleyBayonetBattleRunner(replace(file, turns=turns), scale).run(seed, record=False)
        verify_places(state[0])
        verify_points(state[0], units, file)


@scales
@given(draw=randoms, seed=seeds)
@settings(max_examples=FEW, deadline=None)
def test_the_same_seed_gives_the_same_battle(scale: RulesetScale, draw: Random, seed: int) -> None:
    file = turned(draw, scale, most=3)
    system = VolleyBayonetEngine(scale)
    first = system.fight(file, seed)
    other, again = system.fight_many(file, [seed ^ 1, seed])
    assert first.outcome == again
    assert other.seed == seed ^ 1
    assert first.outcome == system.fight(file, seed, record=True).outcome


def row_of(batch: Batch, run: int) -> tuple[Any, ...]:
    parts = (batch.holder, batch.turns, batch.lost, batch.captured, batch.place)
    return tuple(part[run].tolist() for part in parts)


@scales
def test_battles_do_not_mix_in_one_record(scale: RulesetScale) -> None:
    small, other = (
        replace(battle(force(CROWN, *kinds), force(CONGRESS, *kinds)), turns=9)
        for kinds in ((FOOT,) * 2, (TroopType.INDIANS, TroopType.MILITIA, FOOT))
    )
    one, two = VolleyBayonetBattleRunner(small, scale), VolleyBayonetBattleRunner(other, scale)
    alone = one.batch([1, 2])
    two.batch([1, 2])
    again = one.batch([1, 2])
    assert [row_of(again, run) for run in range(2)] == [row_of(alone, run) for run in range(2)]


@scales
@given(draw=randoms, seed=seeds)
@settings(max_examples=FEW, deadline=None)
def test_no_die_is_thrown_but_those_of_the_seed(scale: RulesetScale, draw: Random, seed: int) -> None:
    file = turned(draw, scale, most=3, turns=12)
    state, _, _ = VolleyBayonetBattleRunner(file, scale).run(seed, record=False)
    g = state[0]
    assert 0 <= g.cursor <= len(g.dice)
    assert (g.dice[: g.cursor] == draw_words(seed, int(g.cursor))).all()


def test_who_has_not_come_and_lost_nothing_is_not_eliminated_VBW_GEN_03() -> None:
    scale = SCALES["vb_wing"]
    sides = [
        (*force(side, FOOT), battle_unit(f"late {side}", side, FOOT, arrives=50))
        for side in (CROWN, CONGRESS)
    ]
    file = battle(*sides, turns=1, ruleset=scale.id)
    late = [
        told for told in VolleyBayonetEngine(scale).fight(file, 1).outcome.units if told.id.startswith("late")
    ]
    assert len(late) == 2
    for told in late:
        assert told.sp_lost == told.sp_captured == 0 and told.fate != "eliminated", told.id


def test_a_battle_too_large_for_the_small_layout_is_fought_in_the_large() -> None:
    scale = SCALES["vb_wing"]
    large = battle(force(CROWN, *[FOOT] * 60, sp=6), force(CONGRESS, FOOT))
    assert VolleyBayonetBattleRunner(large, scale).sizes == (r.LARGE,)
    assert VolleyBayonetBattleRunner(battle(force(CROWN, FOOT), force(CONGRESS, FOOT)), scale).sizes == (
        r.SMALL,
        r.LARGE,
    )


def test_a_battle_is_the_same_in_both_layouts() -> None:
    scale = SCALES["vb_division"]
    file = replace(battle(force(CROWN, FOOT, FOOT), force(CONGRESS, FOOT)), turns=9)
    fought = VolleyBayonetBattleRunner(file, scale)
    _, small, leaders = fought.run(5, record=False)
    fought.sizes = (r.LARGE,)
    _, large, others = fought.run(5, record=False)
    assert (small == large).all() and (leaders == others).all()
