"""Whole fights of brigades: invariants over battle files of every kind, terrain, plan and option."""

from dataclasses import replace
from random import Random
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battles.engine.compile import is_interpreted
from battles.engine.dice import draw_words
from battles.engine.dtypes import GOES_ON, NO_ERROR
from battles.errors import BattleFileError
from battles.files.reading import read_battle
from battles.files.schema import BattleFile, BattleGround, BattleOutcome, BattlePlan, PlanKind
from battles.ground.shapes import Rectangle, has_overlap
from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.rtg.fighting import (
    RoadToGloryBattleRunner,
    RoadToGloryEngine,
    prepare_state,
)
from battles.rulesets.volley_bayonet.rtg.scale import ROAD_TO_GLORY
from battles.rulesets.volley_bayonet.rtg.setup import (
    build_outcome,
    list_gun_pools,
    pools_of,
    size_for,
    turns_here,
)
from rosters.domain.vocabulary import TroopType as T
from tests.battles.forces import CONGRESS, CROWN, battle, force
from tests.battles.random_files import random_file

#: Whole fights are compiled in one process: it takes over a minute.
pytestmark = pytest.mark.xdist_group("volley bayonet fights")

EXAMPLES, FEW = (8, 4) if is_interpreted() else (80, 20)
SYSTEM = RoadToGloryEngine(ROAD_TO_GLORY)

randoms = st.randoms(use_true_random=False)
seeds = st.integers(0, 2**64 - 1)


def grown(file: BattleFile, times: int) -> BattleFile:
    """A battle with so many units for every one: a brigade of these rules is many of a battle file's."""
    names = {unit.id: tuple(f"{unit.id}, {k}" for k in range(times)) for unit in file.units}
    units = tuple(
        replace(unit, id=name, name=name, inside=unit.inside if k == 0 else "", task=None, traits=())
        for unit in file.units
        for k, name in enumerate(names[unit.id])
    )
    leaders = tuple(
        replace(
            one,
            commands=one.commands
            if one.rank != "brigadier"
            else tuple(name for unit in one.commands for name in names[unit]),
            with_unit=names[one.with_unit][0] if one.with_unit else "",
        )
        for one in file.leaders
    )
    return replace(file, units=units, leaders=leaders)


def turned(draw: Random, *, most: int = 5, turns: int = 60) -> BattleFile:
    """A battle of any kind under these rules, with some options; one it has no room for is drawn again."""
    for _ in range(40):
        options = {
            name: draw.choice(option.choices)
            for name, option in ROAD_TO_GLORY.options.items()
            if draw.random() < 0.2
        }
        file = grown(random_file(draw, most=most, turns=turns), draw.choice((1, 2, 4, 6)))
        file = replace(file, ruleset=ROAD_TO_GLORY.id, options=options)
        try:
            prepare_state(file, ROAD_TO_GLORY, size_for(file, ROAD_TO_GLORY))
        except BattleFileError:
            continue
        return file
    raise AssertionError("forty battles in a row were refused")


def verify_end(g: Any, file: BattleFile) -> None:
    """The battle is over in time, without an error."""
    assert (g.error, g.ending == GOES_ON) == (NO_ERROR, False)
    assert 0 <= g.turn <= g.turns == turns_here(file.turns)
    assert g.holder in (-1, 0, 1)


def verify_points(g: Any, units: Any, file: BattleFile) -> None:
    """No point is made or lost, of stands and of pools; casualties are those of the divisions."""
    pools = pools_of(file, ROAD_TO_GLORY)
    for i in range(g.n):
        u = g.u[i]
        assert min(u.sp, u.lost, u.captured, u.dedicated) >= 0
        assert u.sp + u.lost + u.captured == u.sp_start, i
    for k, pool in enumerate(pools):
        own = [i for i in range(g.n) if g.u[i].battalion == k]
        assert sum(int(g.u[i].sp_start) for i in own) == pool.points
        assert sum(int(g.u[i].lost) for i in own) == units[k, 0]
        assert units[k, 2:].sum() == len(own) == len(pool.stands)
    guns = list_gun_pools(pools)
    assert len(units) == len(pools) + len(guns)
    for k, row in zip(guns, units[len(pools) :], strict=True):
        # a dedicated gun is there or gone, and gone it is his who holds the field (RTG-CBT-22)
        assert row[2:].sum() == 1 and row[:2].sum() == row[3]
        side = int(pools[k].side != file.attacker)
        assert row[1] == (row[3] if g.holder == 1 - side else 0)
    for b in range(g.brigades_n):
        own = [i for i in range(g.n) if g.u[i].brigade == b]
        assert sum(int(g.u[i].lost) for i in own) == g.brigades[b].lost


def base(g: Any, i: int) -> Rectangle:
    """The base of stand i."""
    u = g.u[i]
    form = int(u.form == r.SKIRMISH)
    halves = float(g.t.half_width[u.class_, form]), float(g.t.half_depth[u.class_, form])
    return Rectangle(float(u.x), float(u.y), int(u.face), *halves)


def verify_places(g: Any) -> None:
    """Whoever is on the table is on it with his centre, has points, and overlaps nobody."""
    here = [i for i in range(g.n) if g.u[i].place == r.ON_TABLE]
    for i in here:
        u = g.u[i]
        assert 0.0 <= u.x <= g.width and 0.0 <= u.y <= g.depth, (i, u.x, u.y)
        assert u.state != r.REMOVED and u.sp > 0
        if u.inside >= 0:
            assert (u.x, u.y) == (g.structures[u.inside].x, g.structures[u.inside].y)
    bases = {i: base(g, i) for i in here if g.u[i].inside < 0}
    for i, one in bases.items():
        for j, two in bases.items():
            assert j >= i or not has_overlap(one, two), (i, one, j, two)


def verify_outcome(outcome: BattleOutcome, units: Any, file: BattleFile) -> None:
    """Nothing lost is nothing lost in the file, all lost is all."""
    told = {one.id: one for one in outcome.units}
    assert list(told) == [unit.id for unit in file.units]
    for unit in file.units:
        one = told[unit.id]
        assert min(one.sp_lost, one.sp_captured, unit.sp - one.sp_lost - one.sp_captured) >= 0
    for k, pool in enumerate(pools_of(file, ROAD_TO_GLORY)):
        lost, captured = units[k, :2]
        gone = sum(told[name].sp_lost + told[name].sp_captured for name in pool.units)
        if lost + captured == 0:
            assert gone == 0
        elif lost + captured == pool.points:
            assert gone == sum(pool.sps)
            assert {told[name].fate for name in pool.units} == {"eliminated"}
    pools = pools_of(file, ROAD_TO_GLORY)
    for k, row in zip(list_gun_pools(pools), units[len(pools) :], strict=True):
        for name, sp in zip(pools[k].guns, pools[k].gun_sps, strict=True):
            assert (told[name].sp_lost, told[name].sp_captured) == (sp * row[0], sp * row[1])
    assert 0 <= outcome.turns <= file.turns


def verify_fight(file: BattleFile, seed: int) -> None:
    """One run comes to an end, makes and loses no point, and nobody stands on another."""
    state, units, leaders = RoadToGloryBattleRunner(file, ROAD_TO_GLORY).run(seed, record=False)
    verify_end(state[0], file)
    verify_points(state[0], units, file)
    verify_places(state[0])
    verify_outcome(build_outcome(state, file, ROAD_TO_GLORY, units, leaders, seed, ""), units, file)


@given(draw=randoms, seed=seeds)
@settings(max_examples=EXAMPLES, deadline=None)
def test_any_battle_is_fought_to_an_end_RTG_GEN_02_RTG_CBT_03(draw: Random, seed: int) -> None:
    verify_fight(turned(draw), seed)


@given(draw=randoms, seed=seeds)
@settings(max_examples=FEW, deadline=None)
def test_nobody_overlaps_in_any_turn_RTG_ROU_01_RTG_MOV_09(draw: Random, seed: int) -> None:
    # a battle cut short in each turn is the same battle until then
    file = turned(draw)
    for turns in (6, 12, 18, 30):
        state, units, _ = RoadToGloryBattleRunner(replace(file, turns=turns), ROAD_TO_GLORY).run(
            seed, record=False
        )
        verify_places(state[0])
        verify_points(state[0], units, file)


@given(draw=randoms, seed=seeds)
@settings(max_examples=FEW, deadline=None)
def test_the_same_seed_gives_the_same_battle(draw: Random, seed: int) -> None:
    file = turned(draw)
    first = SYSTEM.fight(file, seed)
    other, again = SYSTEM.fight_many(file, [seed ^ 1, seed])
    assert first.outcome == again
    assert other.seed == seed ^ 1
    assert first.outcome == SYSTEM.fight(file, seed, record=True).outcome


@given(draw=randoms, seed=seeds)
@settings(max_examples=FEW, deadline=None)
def test_no_die_is_thrown_but_those_of_the_seed(draw: Random, seed: int) -> None:
    file = turned(draw, turns=24)
    state, _, _ = RoadToGloryBattleRunner(file, ROAD_TO_GLORY).run(seed, record=False)
    g = state[0]
    assert 0 <= g.cursor <= len(g.dice)
    assert (g.dice[: g.cursor] == draw_words(seed, int(g.cursor))).all()


ARMY = (
    *(T.BRITISH_LINE,) * 16, *(T.MILITIA,) * 4, *(T.BRITISH_LIGHT_INFANTRY,) * 6,
    *(T.AMERICAN_LIGHT_CAVALRY,) * 12, *(T.EUROPEAN_ARTILLERY,) * 4,
)  # fmt: skip
FIELD = BattleGround(288, 150)


@pytest.mark.parametrize("kind", get_args(PlanKind))
@pytest.mark.parametrize("other", ["assault", "hold"])
def test_armies_fight_under_every_plan_RTG_GEN_02(kind: PlanKind, other: PlanKind) -> None:
    file = battle(
        force(CROWN, *ARMY),
        force(CONGRESS, *ARMY),
        plans={CROWN: BattlePlan(kind), CONGRESS: BattlePlan(other)},
        ground=FIELD,
        ruleset=ROAD_TO_GLORY.id,
    )
    state, units, _ = RoadToGloryBattleRunner(file, ROAD_TO_GLORY).run(11, record=False)
    verify_end(state[0], file)
    verify_points(state[0], units, file)
    verify_places(state[0])
    fought = bool(state[0].cursor)
    assert fought or kind in ("withdraw", "hold", "delay", "advance")


def test_a_battle_is_the_same_in_both_layouts() -> None:
    file = battle(force(CROWN, *ARMY[::3]), force(CONGRESS, *ARMY[::3]), ruleset=ROAD_TO_GLORY.id)
    fought = RoadToGloryBattleRunner(file, ROAD_TO_GLORY)
    assert fought.sizes == (r.SMALL, r.LARGE)
    _, small, leaders = fought.run(5, record=False)
    fought.sizes = (r.LARGE,)
    _, large, others = fought.run(5, record=False)
    assert (small == large).all() and (leaders == others).all()


def test_an_attacker_does_not_stop_before_woods_that_hide_the_enemy_RTG_CHG_01_RTG_TER_13() -> None:
    """At Hubbardton the Crown stood all day a hundred yards from a rear guard it did not see."""
    file = read_battle("hubbardton")
    plans = {**file.plans, file.defender: BattlePlan("hold")}
    file = replace(
        file,
        ruleset=ROAD_TO_GLORY.id,
        options={},
        units=tuple(replace(unit, traits=()) for unit in file.units),
        plans=plans,
    )
    kinds = {event.kind for event in SYSTEM.fight(file, 3, record=True).events}
    assert "fire" in kinds
