"""Battles beyond the small layout, whose kernels are compiled only when one comes."""

import dataclasses

import numpy as np
import pytest

from battles.engine import running
from battles.engine.compile import is_interpreted
from battles.engine.fighting import EngineError
from battles.files.reading import battle_from_json, battle_to_json
from battles.files.schema import BattleGround
from battles.rulesets import registry
from battles.rulesets.awi import fighting
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import CONGRESS, CROWN, battle, force
from tests.battles.test_random_files import verify_run

LINE = (TroopType.BRITISH_LINE, TroopType.CONTINENTAL_LINE, TroopType.MILITIA)

#: One process for them all, as two would each compile the layout, for two minutes and more.
LARGE_LAYOUT = pytest.mark.xdist_group("large layout")


@pytest.mark.slow
@LARGE_LAYOUT
def test_sixty_units_a_side_fight() -> None:
    file = battle(force(CROWN, *LINE * 20), force(CONGRESS, *LINE * 20), turns=7)
    outcome = fighting.fight(file, 1777).outcome
    assert len(outcome.units) == 120
    assert sum(unit.sp_start for unit in outcome.units) == 600
    assert any(unit.sp_lost for unit in outcome.units)


@pytest.mark.slow
@LARGE_LAYOUT
@pytest.mark.skipif(is_interpreted(), reason="a thousand units take an hour interpreted")
def test_five_hundred_units_a_side_fight_to_an_end() -> None:
    """As a file that is read and accepted, on a table of its size; every SP is told."""
    kinds = (*LINE, TroopType.AMERICAN_REGULAR_RIFLES, TroopType.AMERICAN_LIGHT_CAVALRY) * 100
    drawn = battle(force(CROWN, *kinds), force(CONGRESS, *kinds), turns=8, ground=BattleGround(480.0, 120.0))
    file = battle_from_json(battle_to_json(drawn))
    registry.verify_battle(file)
    verify_run(file, 1777)
    outcome = fighting.fight(file, 1777).outcome
    assert len(outcome.units) == 1000
    assert any(unit.sp_lost for unit in outcome.units)


@pytest.mark.parametrize(("crown", "congress", "holder"), [(3, 0, CROWN), (0, 3, CONGRESS), (0, 0, "")])
def test_nobody_on_a_side_is_a_decided_battle(crown: int, congress: int, holder: str) -> None:
    file = battle(force(CROWN, *LINE[:crown]), force(CONGRESS, *LINE[:congress]), turns=12)
    registry.verify_battle(file)
    verify_run(file, 1777)
    outcome = fighting.fight(file, 1777).outcome
    assert outcome.field_held_by == holder
    assert not any(unit.sp_lost or unit.sp_captured for unit in outcome.units)
    assert set(fighting.fight_batch(file, range(4)).holder) == {
        (CROWN, CONGRESS, "").index(holder) if holder else -1
    }


@pytest.mark.slow
@LARGE_LAYOUT
def test_the_layout_does_not_change_a_battle(monkeypatch: pytest.MonkeyPatch) -> None:
    file = battle(force(CROWN, *LINE), force(CONGRESS, *LINE), turns=12)
    small = fighting.fight(file, 5, record=True)
    monkeypatch.setattr(fighting, "size_for", lambda battle: fighting.LARGE)
    assert fighting.fight(file, 5, record=True) == small


def test_a_battle_too_long_for_any_layout_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    void = np.array([[-1, 0, 1]])
    monkeypatch.setattr(
        fighting.AwiDeployedBattle, "play", lambda self, dice, record=False: (self.state, void, [], [])
    )
    with pytest.raises(EngineError, match="fewer turns or fewer units"):
        fighting.fight(battle(force(CROWN, *LINE), force(CONGRESS, *LINE)), 1)


def test_a_run_that_needs_more_dice_is_played_again_with_more(monkeypatch: pytest.MonkeyPatch) -> None:
    file = battle(force(CROWN, *LINE), force(CONGRESS, *LINE), turns=6)
    plenty = fighting.fight_batch(file, range(8))
    monkeypatch.setattr(running, "FIRST_WORDS", 8)
    scarce = fighting.fight_batch(file, range(8))
    for one, other in zip(dataclasses.astuple(plenty), dataclasses.astuple(scarce), strict=True):
        assert np.array_equal(one, other)


def test_a_batch_tells_what_single_fights_tell() -> None:
    file = battle(force(CROWN, *LINE), force(CONGRESS, *LINE), turns=6)
    batch = fighting.fight_batch(file, range(6))
    for run, outcome in enumerate(fighting.fight_many(file, range(6))):
        sides = (CROWN, CONGRESS, "")
        assert (sides[batch.holder[run]], batch.turns[run]) == (outcome.field_held_by, outcome.turns)
        assert list(batch.lost[run]) == [unit.sp_lost for unit in outcome.units]
        assert list(batch.captured[run]) == [unit.sp_captured for unit in outcome.units]
