"""Invariants of every ruleset over battle files of every kind, terrain and option."""

from collections.abc import Callable
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from battles.engine.compile import is_interpreted
from battles.engine.dice import FAIR, draw_words
from battles.engine.dtypes import ON_TABLE
from battles.files.schema import BattleFile
from battles.rulesets.awi.fighting import AwiBattleRunner
from battles.rulesets.awi.sequence import start_battle
from battles.rulesets.awi.setup import build_outcome
from battles.rulesets.volley_bayonet import fighting as volley_bayonet
from battles.rulesets.volley_bayonet import setup as volley_bayonet_setup
from tests.battles.any_rules import every_ruleset, file_under
from tests.battles.forces import events, opposed
from tests.battles.random_files import random_file
from tests.battles.rulesets.regimental.test_fights import verify_fight
from tests.battles.rulesets.volley_bayonet.books import SCALES
from tests.battles.rulesets.volley_bayonet.rtg.test_fights import verify_fight as verify_brigades
from tests.battles.rulesets.volley_bayonet.test_fights import (
    verify_end,
    verify_outcome,
    verify_places,
    verify_points,
)
from tests.battles.tables import verify_table

EXAMPLES, FEW = (10, 2) if is_interpreted() else (150, 15)


def verify_run(battle: BattleFile, seed: int) -> None:
    """One run must come to an end in time and account for every SP and every unit."""
    state, _, _ = AwiBattleRunner(battle).run(seed, record=False)
    g = state[0]
    assert g.error == 0
    assert g.ending != 0, "it came to an end"
    assert 0 <= g.turn <= battle.turns
    outcome = build_outcome(state, battle, seed, "")
    for unit, told in zip(outcome.units, battle.units, strict=True):
        left = unit.sp_start - unit.sp_lost - unit.sp_captured
        assert unit.sp_start == told.sp
        assert min(unit.sp_lost, unit.sp_captured, left) >= 0, unit
    for i in range(g.n):
        u = g.u[i]
        assert u.sp + u.lost + u.captured == u.sp_start
        if u.place == ON_TABLE:
            assert 0.0 <= u.x <= g.width and 0.0 <= u.y <= g.depth, (i, u.x, u.y)
            assert u.sp > 0
    for k in range(g.structures_n):
        assert 0 <= g.structures[k].sp <= g.structures[k].sp_full


def verify_stands(battle: BattleFile, seed: int) -> None:
    """The same of Volley & Bayonet, stand by stand; and nobody stands on another."""
    scale = SCALES[battle.ruleset]
    state, units, leaders = volley_bayonet.VolleyBayonetBattleRunner(battle, scale).run(seed, record=False)
    verify_end(state[0], battle)
    verify_points(state[0], units, battle)
    verify_places(state[0])
    outcome = volley_bayonet_setup.build_outcome(state, battle, scale, units, leaders, seed, "")
    verify_outcome(outcome, units, battle)


#: What must hold of one run, by ruleset.
VERIFY: dict[str, Callable[[BattleFile, int], None]] = {
    "awi": verify_run,
    **dict.fromkeys(SCALES, verify_stands),
    "vb_rtg": verify_brigades,
    "regimental": verify_fight,
}


@given(st.randoms(use_true_random=False), st.integers(0, 2**64 - 1))
@settings(max_examples=EXAMPLES, deadline=None)
def test_any_battle_file_is_fought_to_an_end_AWI_T_STR_03(draw: Random, seed: int) -> None:
    verify_run(random_file(draw), seed)


@every_ruleset
@given(draw=st.randoms(use_true_random=False), seed=st.integers(0, 2**64 - 1))
@settings(max_examples=FEW, deadline=None)
def test_options_of_every_ruleset_are_fought_with_VBW_DEF_02_VBW_DEF_21(
    ruleset: str, draw: Random, seed: int
) -> None:
    VERIFY[ruleset](file_under(draw, ruleset), seed)


@every_ruleset
@given(draw=st.randoms(use_true_random=False), seed=st.integers(0, 2**64 - 1))
@settings(max_examples=FEW, deadline=None)
def test_the_table_after_the_last_event_is_the_engines_hr_bat_10(
    ruleset: str, draw: Random, seed: int
) -> None:
    verify_table(file_under(draw, ruleset, turns=20), seed)


@given(st.randoms(use_true_random=False), st.integers(0, 2**64 - 1))
@settings(max_examples=EXAMPLES, deadline=None)
def test_every_die_thrown_is_told_in_its_order_AWI_T_REC_01(draw: Random, seed: int) -> None:
    state, _, _ = AwiBattleRunner(random_file(draw, most=4, turns=16)).run(seed, record=True)
    g = state[0]
    told = [die for row in g.events[: g.events_n] for die in (int(row.die1), int(row.die2)) if die]
    assert told == [word % 6 + 1 for word in draw_words(seed, int(g.cursor)).tolist() if word < FAIR]


def test_a_level_throw_for_the_first_move_is_told_AWI_T_SEQ_01() -> None:
    g = opposed(dice=(3, 3, 2, 5))
    start_battle(g)
    assert [(event.kind, event.dice) for event in events(g)] == [
        ("first_move_level", (3, 3)),
        ("first_move", (2, 5)),
    ]
    assert g.first == 1
